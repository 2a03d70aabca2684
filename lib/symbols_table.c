/* symbols_table.c: functions and variables from the symbol table.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_object.h"

#include <gelf.h>
#include <string.h>

/* Of several names for one thing the public one is the best known: few
   leading underscores, and global or weak before local.  */
static int
rank_of (const GElf_Sym *symbol, const char *name)
{
  int bind = GELF_ST_BIND (symbol->st_info);
  int rank = (int) MIN (strspn (name, "_"), 7u) * 2 + (bind == STB_LOCAL);

  /* What a library calls its own functions.  */
  return g_str_has_prefix (name, "__GI_") ? rank + 16 : rank;
}

/* A symbol that is defined, and its address in the file.  */
typedef void (*symbol_fn) (struct dg_object *object, const char *name,
                           const GElf_Sym *symbol, GElf_Addr address,
                           GElf_Word section);

static void
each_symbol (struct dg_object *object, symbol_fn take)
{
  Dwfl_Module *module = dg_object_module (object);
  int n = module != NULL ? dwfl_module_getsymtab (module) : 0;

  for (int i = 1; i < n; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    const char *name = dwfl_module_getsym_info (module, i, &symbol, &address,
                                                &section, NULL, NULL);

    if (name != NULL && section != SHN_UNDEF)
      take (object, name, &symbol, address, section);
  }
}

static gint
compare_variables (gconstpointer a, gconstpointer b)
{
  const struct dg_datum *x = a, *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank - y->rank;
  return strcmp (x->symbol, y->symbol);
}

static void
take_variable (struct dg_object *object, const char *name,
               const GElf_Sym *symbol, GElf_Addr address, GElf_Word section)
{
  if (name[0] != '\0' && symbol->st_size > 0
      && GELF_ST_TYPE (symbol->st_info) == STT_OBJECT) {
    struct dg_datum variable = {address, symbol->st_size, name,
                                rank_of (symbol, name)};
    g_array_append_val (object->variables, variable);
  }
}

static void
read_variables (struct dg_object *object)
{
  object->variables = g_array_new (FALSE, FALSE, sizeof (struct dg_datum));
  each_symbol (object, take_variable);
  g_array_sort (object->variables, compare_variables);
}

/* ---- Functions -------------------------------------------------------- */

/* The best name at an address.  */
struct public
{
  uint64_t address;
  const char *symbol;
  int rank;
};

static void
add_public (GHashTable *publics, uint64_t address, const char *symbol,
            int rank)
{
  struct public *known = g_hash_table_lookup (publics, &address);

  if (known != NULL
      && (known->rank < rank
          || (known->rank == rank && strcmp (known->symbol, symbol) <= 0)))
    return;
  if (known == NULL) {
    known = g_new (struct public, 1);
    known->address = address;
    g_hash_table_insert (publics, &known->address, known);
  }
  known->symbol = symbol;
  known->rank = rank;
}

static void
take_public (struct dg_object *object, const char *name,
             const GElf_Sym *symbol, GElf_Addr address, GElf_Word section)
{
  if (name[0] != '\0' && GELF_ST_TYPE (symbol->st_info) == STT_FUNC
      && GELF_ST_BIND (symbol->st_info) != STB_LOCAL)
    add_public (object->publics, address, name, rank_of (symbol, name));
}

static void
read_publics (struct dg_object *object)
{
  object->publics =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  each_symbol (object, take_public);
}

/* Only names that begin with '_' are worth a better one, and mangled ones
   are not: they tell the parameters.  */
const char *
dg_symtab_public (struct dg_object *object, uint64_t address, const char *name)
{
  const struct public *public;

  if (name == NULL || name[0] != '_' || name[1] == 'Z' || name[1] == 'R'
      || g_str_has_prefix (name, "_vg"))
    return NULL;
  if (object->publics == NULL)
    read_publics (object);
  public = g_hash_table_lookup (object->publics, &address);
  if (public == NULL || strspn (public->symbol, "_") >= strspn (name, "_"))
    return NULL;
  return public->symbol;
}

const char *
dg_symtab_function (struct dg_object *object, struct dg_names *names,
                    uint64_t address)
{
  Dwfl_Module *module = dg_object_module (object);
  const char *name, *better;
  GElf_Off offset;
  GElf_Sym symbol;

  if (module == NULL)
    return NULL;
  name =
    dwfl_module_addrinfo (module, address, &offset, &symbol, NULL, NULL, NULL);
  if (name == NULL)
    return NULL;
  better = dg_symtab_public (object, address - offset, name);
  return dg_names_symbol (names, better != NULL ? better : name);
}

/* Functions, and what assembler code calls by a global name.  */
static void
take_beginning (struct dg_object *object, const char *name,
                const GElf_Sym *symbol, GElf_Addr address, GElf_Word section)
{
  int type = GELF_ST_TYPE (symbol->st_info);
  bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC
                     || (type == STT_NOTYPE
                         && GELF_ST_BIND (symbol->st_info) != STB_LOCAL);

  if (is_function && section != SHN_ABS) {
    uint64_t *key = g_new (uint64_t, 1);
    *key = address;
    g_hash_table_add (object->beginnings, key);
  }
}

static void
read_beginnings (struct dg_object *object)
{
  object->beginnings =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  each_symbol (object, take_beginning);
}

bool
dg_symtab_begins (struct dg_object *object, uint64_t address)
{
  if (object->beginnings == NULL)
    read_beginnings (object);
  return g_hash_table_contains (object->beginnings, &address);
}

/* ---- Variables -------------------------------------------------------- */

/* The last one that begins at or before the address and reaches it; a few
   steps back, for one that lies around another.  */
const struct dg_datum *
dg_symtab_variable (struct dg_object *object, uint64_t address)
{
  const struct dg_datum *best = NULL;
  guint low = 0, high;

  if (object->variables == NULL)
    read_variables (object);
  high = object->variables->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (object->variables, struct dg_datum, middle).address
        <= address)
      low = middle + 1;
    else
      high = middle;
  }
  for (guint tries = 0; low > 0 && tries < 32; low--, tries++) {
    const struct dg_datum *v =
      &g_array_index (object->variables, struct dg_datum, low - 1);

    if (best != NULL && v->address != best->address)
      break;
    if (address - v->address < v->size)
      best = v;
  }
  return best;
}

void
dg_symtab_free (struct dg_object *object)
{
  if (object->variables != NULL)
    g_array_unref (object->variables);
  if (object->publics != NULL)
    g_hash_table_unref (object->publics);
  if (object->beginnings != NULL)
    g_hash_table_unref (object->beginnings);
}
