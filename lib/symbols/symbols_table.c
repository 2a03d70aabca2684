/* symbols_table.c: functions and variables from the symbol table.

   The table is read once, when it is first asked about.  What is asked for
   each address is then found in sorted arrays.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_innermost.h"
#include "symbols_sections.h"
#include "symbols_table.h"
#include "base/bisect.h"
#include "base/compare.h"

#include <gelf.h>
#include <string.h>

/* A symbol that is defined.  */
struct symbol {
  uint64_t address, size;
  const char *name;
  GElf_Word section;
  uint8_t type, bind;
};

/* A symbol without size, and the end of the longest of the sized ones that
   begin up to it.  */
struct label {
  uint64_t address;
  uint32_t id;
};

struct reach {
  uint64_t address, end;
};

struct dg_symtab {
  GArray *symbols;     /* struct symbol, in the order of the file */
  GArray *globals;     /* struct dg_piece: the sized ones that are not local */
  GArray *locals;      /* struct dg_piece */
  GArray *labels;      /* struct label, ascending */
  GArray *reaches;     /* struct reach, ascending: no sized symbol that begins
                          up to `address` goes further than `end` */
  GArray *publics;     /* uint32_t, of functions by address, the best name of
                          each only */
  GArray *beginnings;  /* uint64_t, ascending */
  GArray *variables;   /* struct dg_datum, ascending */
};

static const struct symbol *
symbol_at (const struct dg_symtab *table, uint32_t id)
{
  return &g_array_index (table->symbols, struct symbol, id);
}

/* Of several names for one thing the public one is the best known: few
   leading underscores, and global or weak before local.  */
static int
rank_of (const struct symbol *symbol)
{
  int rank = (int) MIN (strspn (symbol->name, "_"), 7u) * 2
             + (symbol->bind == STB_LOCAL);

  /* What a library calls its own functions.  */
  return g_str_has_prefix (symbol->name, "__GI_") ? rank + 16 : rank;
}

/* ---- Reading ---------------------------------------------------------- */

static void
read_symbols (struct dg_symtab *table, Dwfl_Module *module)
{
  int n = module != NULL ? dwfl_module_getsymtab (module) : 0;

  for (int i = 1; i < n; i++) {
    struct symbol symbol;
    GElf_Sym raw;
    GElf_Addr address;

    symbol.name = dwfl_module_getsym_info (module, i, &raw, &address,
                                           &symbol.section, NULL, NULL);
    if (symbol.name == NULL || symbol.section == SHN_UNDEF)
      continue;
    symbol.address = address;
    symbol.size = raw.st_size;
    symbol.type = GELF_ST_TYPE (raw.st_info);
    symbol.bind = GELF_ST_BIND (raw.st_info);
    g_array_append_val (table->symbols, symbol);
  }
}

/* Where code or data begin in a section: a mapping symbol of Arm's and
   RISC-V's ELF, $x or $d.ANYTHING, which names nothing.  */
static bool
is_mapping (const struct symbol *symbol)
{
  const char *name = symbol->name;

  return symbol->type == STT_NOTYPE && symbol->bind == STB_LOCAL
         && name[0] == '$' && name[1] != '\0' && strchr ("adtx", name[1])
         && (name[2] == '\0' || name[2] == '.');
}

/* Whether an address may be named after it.  */
static bool
has_place (const struct symbol *symbol)
{
  return symbol->name[0] != '\0' && symbol->type != STT_SECTION
         && symbol->type != STT_FILE && symbol->type != STT_TLS
         && !is_mapping (symbol);
}

/* Global before weak before local.  */
static uint32_t
bind_rank (const struct symbol *symbol)
{
  switch (symbol->bind) {
  case STB_GLOBAL:
    return 3;
  case STB_WEAK:
    return 2;
  case STB_LOCAL:
    return 1;
  default:
    return 0;
  }
}

static GArray *
pieces_of (const struct dg_symtab *table, bool is_local)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_interval)), *out;

  for (guint i = 0; i < table->symbols->len; i++) {
    const struct symbol *symbol = symbol_at (table, i);
    struct dg_interval interval = {.low = symbol->address,
                                   .high = symbol->address + symbol->size,
                                   .rank = bind_rank (symbol),
                                   .id = i};

    if (has_place (symbol) && (symbol->bind == STB_LOCAL) == is_local)
      g_array_append_val (all, interval);
  }
  out = dg_innermost_new ((struct dg_interval *) (void *) all->data, all->len);
  g_array_unref (all);
  return out;
}

/* Of those at one address the last of the file comes last.  */
static gint
compare_labels (gconstpointer a, gconstpointer b)
{
  const struct label *x = a, *y = b;

  return DG_COMPARE (x->address, y->address) ?: DG_COMPARE (x->id, y->id);
}

DG_COMPARE_BY (compare_reaches, struct reach, address)

static void
read_labels (struct dg_symtab *table)
{
  for (guint i = 0; i < table->symbols->len; i++) {
    const struct symbol *symbol = symbol_at (table, i);
    struct label label = {symbol->address, i};
    struct reach reach = {symbol->address, symbol->address + symbol->size};

    if (!has_place (symbol))
      continue;
    if (symbol->size == 0)
      g_array_append_val (table->labels, label);
    else if (reach.end > reach.address)
      g_array_append_val (table->reaches, reach);
  }
  g_array_sort (table->labels, compare_labels);
  g_array_sort (table->reaches, compare_reaches);
  for (guint i = 1; i < table->reaches->len; i++) {
    struct reach *reach = &g_array_index (table->reaches, struct reach, i);

    reach->end = MAX (reach->end, reach[-1].end);
  }
}

/* A function under the name by which others know it.  */
struct public {
  uint64_t address;
  const char *name;
  int rank;
};

static gint
compare_publics (gconstpointer a, gconstpointer b)
{
  const struct public *x = a, *y = b;

  return DG_COMPARE (x->address, y->address)
         ?: DG_COMPARE (x->rank, y->rank)
         ?: strcmp (x->name, y->name);
}

static void
read_publics (struct dg_symtab *table)
{
  guint kept = 0;

  for (guint i = 0; i < table->symbols->len; i++) {
    const struct symbol *symbol = symbol_at (table, i);
    struct public public = {symbol->address, symbol->name, 0};

    if (symbol->name[0] == '\0' || symbol->type != STT_FUNC
        || symbol->bind == STB_LOCAL)
      continue;
    public.rank = rank_of (symbol);
    g_array_append_val (table->publics, public);
  }
  g_array_sort (table->publics, compare_publics);
  for (guint i = 0; i < table->publics->len; i++) {
    struct public *all = (struct public *) (void *) table->publics->data;

    if (kept == 0 || all[kept - 1].address != all[i].address)
      all[kept++] = all[i];
  }
  g_array_set_size (table->publics, kept);
}

/* Functions, and what assembler code calls by a global name.  */
static void
read_beginnings (struct dg_symtab *table)
{
  for (guint i = 0; i < table->symbols->len; i++) {
    const struct symbol *symbol = symbol_at (table, i);
    bool is_function =
      symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC
      || (symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL);

    if (is_function && symbol->section != SHN_ABS)
      g_array_append_val (table->beginnings, symbol->address);
  }
  g_array_sort (table->beginnings, dg_compare_u64);
}

static gint
compare_variables (gconstpointer a, gconstpointer b)
{
  const struct dg_datum *x = a, *y = b;

  return DG_COMPARE (x->address, y->address)
         ?: DG_COMPARE (y->size, x->size)
         ?: DG_COMPARE (x->rank, y->rank)
         ?: strcmp (x->symbol, y->symbol);
}

static void
read_variables (struct dg_symtab *table)
{
  for (guint i = 0; i < table->symbols->len; i++) {
    const struct symbol *symbol = symbol_at (table, i);
    struct dg_datum variable = {symbol->address, symbol->size, symbol->name,
                                rank_of (symbol)};

    if (symbol->type == STT_TLS)
      variable.address += DG_LOCALS_BASE;
    if (symbol->name[0] != '\0' && symbol->size > 0
        && (symbol->type == STT_OBJECT || symbol->type == STT_TLS))
      g_array_append_val (table->variables, variable);
  }
  g_array_sort (table->variables, compare_variables);
}

static void
free_table (gpointer data)
{
  struct dg_symtab *table = data;

  g_array_unref (table->symbols);
  g_array_unref (table->globals);
  g_array_unref (table->locals);
  g_array_unref (table->labels);
  g_array_unref (table->reaches);
  g_array_unref (table->publics);
  g_array_unref (table->beginnings);
  g_array_unref (table->variables);
  g_free (table);
}

static const struct dg_symtab *
symtab_of (struct dg_object *object)
{
  struct dg_symtab *table = object->symtab;

  if (table != NULL)
    return table;
  table = object->symtab = g_new0 (struct dg_symtab, 1);
  dg_object_keep (object, table, free_table);
  table->symbols = g_array_new (FALSE, FALSE, sizeof (struct symbol));
  table->labels = g_array_new (FALSE, FALSE, sizeof (struct label));
  table->reaches = g_array_new (FALSE, FALSE, sizeof (struct reach));
  table->publics = g_array_new (FALSE, FALSE, sizeof (struct public));
  table->beginnings = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  table->variables = g_array_new (FALSE, FALSE, sizeof (struct dg_datum));
  read_symbols (table, dg_object_module (object));
  table->globals = pieces_of (table, false);
  table->locals = pieces_of (table, true);
  read_labels (table);
  read_publics (table);
  read_beginnings (table);
  read_variables (table);
  return table;
}

/* ---- Searching -------------------------------------------------------- */

/* How many of the items of an ascending array, which begin with their
   address, are at or before one.  */
static guint
count_up_to (const GArray *array, uint64_t address)
{
  guint size = g_array_get_element_size ((GArray *) array);

  return DG_BISECT (0, array->len, i,
                    *(const uint64_t *) (array->data + (gsize) i * size)
                      <= address);
}

/* ---- Functions -------------------------------------------------------- */

/* Only names that begin with '_' are worth a better one, and mangled ones
   are not: they tell the parameters.  */
const char *
dg_symtab_public (struct dg_object *object, uint64_t address, const char *name)
{
  const GArray *publics;
  const struct public *public;
  guint n;

  if (name == NULL || name[0] != '_' || name[1] == 'Z' || name[1] == 'R'
      || g_str_has_prefix (name, "_vg"))
    return NULL;
  publics = symtab_of (object)->publics;
  n = count_up_to (publics, address);
  if (n == 0)
    return NULL;
  public = &g_array_index (publics, struct public, n - 1);
  return public->address == address
             && strspn (public->name, "_") < strspn (name, "_")
           ? public->name
           : NULL;
}

/* How far the symbols with a size go that begin up to an address.  */
static uint64_t
reach_of (const struct dg_symtab *table, uint64_t address)
{
  guint n = count_up_to (table->reaches, address);

  return n > 0 ? g_array_index (table->reaches, struct reach, n - 1).end : 0;
}

/* A symbol without size reaches to the next one, unless one with a size lies
   behind it, or its section ends.  */
static uint32_t
find_label (const struct dg_symtab *table, struct dg_object *object,
            uint64_t address)
{
  guint n = count_up_to (table->labels, address);
  const struct dg_section *section;
  const struct label *label;

  if (n == 0)
    return UINT32_MAX;
  label = &g_array_index (table->labels, struct label, n - 1);
  if (reach_of (table, address) > label->address)
    return UINT32_MAX;
  section = dg_section_find (object, address);
  return section != NULL
             && section->index == symbol_at (table, label->id)->section
           ? label->id
           : UINT32_MAX;
}

const char *
dg_symtab_function (struct dg_object *object, struct dg_names *names,
                    uint64_t address)
{
  const struct dg_symtab *table = symtab_of (object);
  const struct symbol *symbol;
  const char *better = NULL;
  uint32_t id = dg_innermost_find (table->globals, address);

  if (id == UINT32_MAX)
    id = dg_innermost_find (table->locals, address);
  if (id == UINT32_MAX) {
    uint64_t above = reach_of (table, address);

    /* A function of its own that begins behind a label has no name; one that
       a symbol has named is followed by padding.  */
    id = find_label (table, object, address);
    if (id != UINT32_MAX)
      above = MAX (above, symbol_at (table, id)->address + 1);
    better = dg_section_function (object, names, address, above);
  }
  if (better != NULL || id == UINT32_MAX)
    return better;
  symbol = symbol_at (table, id);
  better = dg_symtab_public (object, symbol->address, symbol->name);
  return dg_names_symbol (names, better != NULL ? better : symbol->name);
}

bool
dg_symtab_begins (struct dg_object *object, uint64_t address)
{
  const GArray *beginnings = symtab_of (object)->beginnings;
  guint n = count_up_to (beginnings, address);

  return n > 0 && g_array_index (beginnings, uint64_t, n - 1) == address;
}

/* ---- Variables -------------------------------------------------------- */

/* The last one that begins at or before the address and reaches it; a few
   steps back, for one that lies around another.  */
const struct dg_datum *
dg_symtab_variable (struct dg_object *object, uint64_t address)
{
  const GArray *variables = symtab_of (object)->variables;
  const struct dg_datum *best = NULL;
  guint low = count_up_to (variables, address);

  for (guint tries = 0; low > 0 && tries < 32; low--, tries++) {
    const struct dg_datum *v =
      &g_array_index (variables, struct dg_datum, low - 1);

    if (best != NULL && v->address != best->address)
      break;
    if (address - v->address < v->size)
      best = v;
  }
  return best;
}

const struct dg_datum *
dg_symtab_variables (struct dg_object *object, size_t *n)
{
  const GArray *variables = symtab_of (object)->variables;

  *n = variables->len;
  return (const struct dg_datum *) (void *) variables->data;
}

uint64_t
dg_symtab_next_variable (struct dg_object *object, uint64_t address)
{
  const GArray *variables = symtab_of (object)->variables;
  guint n = count_up_to (variables, address);

  return n < variables->len
           ? g_array_index (variables, struct dg_datum, n).address
           : UINT64_MAX;
}
