/* symbols_valgrind.c: names of code as Valgrind gives them, for files that
   are to be the same as its tools'.

   Valgrind names a function by the symbol tables alone, and inlined calls by
   the debug information alone.  Of several symbols at one place it prefers the
   shortest, as symbol_is_better tells; of places that overlap, each address
   belongs to one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_valgrind.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "symbols.h"
#include "symbols_debug.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "base/path.h"

#define MAX_SCOPES 64

/* What the symbol tables say of [low, high).  */
struct elf_function {
  uint64_t low, high;
  const char *name; /* as in the file */
};

/* ---- Symbols ---------------------------------------------------------- */

/* The length of a name without its version.  */
static size_t
bare_length (const char *name)
{
  return strcspn (name, "@");
}

static bool
is_blank (const char *name)
{
  return name[strspn (name, " \t\n\r\f\v")] == '\0';
}

/* Whether the first of two names for one place is preferred: the profiling
   name of an MPI function, then one that is not empty or blank, the shorter
   one without version, the one that has a version, the first of the
   alphabet.  */
static bool
symbol_is_better (const char *a, const char *b)
{
  size_t na = bare_length (a), nb = bare_length (b);

  if (a[0] == 'P' && strncmp (b, "MPI_", 4) == 0 && strcmp (a + 1, b) == 0)
    return true;
  if (b[0] == 'P' && strncmp (a, "MPI_", 4) == 0 && strcmp (b + 1, a) == 0)
    return false;
  if ((na == 0) != (nb == 0))
    return na != 0;
  if (is_blank (a) != is_blank (b))
    return is_blank (b);
  if (na != nb)
    return na < nb;
  if ((a[na] != '\0') != (b[nb] != '\0'))
    return a[na] != '\0';
  return strcmp (a, b) <= 0;
}

static bool
is_code (Elf *elf, const GElf_Sym *symbol)
{
  Elf_Scn *section;
  GElf_Shdr header;

  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
    return false;
  section = elf_getscn (elf, symbol->st_shndx);
  return section != NULL && gelf_getshdr (section, &header) != NULL
         && (header.sh_flags & SHF_EXECINSTR) != 0;
}

static void
take_symbol (struct dg_object *object, Elf *elf, const GElf_Sym *symbol,
             const char *name, GElf_Addr bias)
{
  int type = GELF_ST_TYPE (symbol->st_info);
  struct elf_function function = {symbol->st_value + bias,
                                  symbol->st_value + bias + symbol->st_size,
                                  name};

  if ((type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC)
      && name != NULL && name[0] != '\0' && symbol->st_value != 0
      && function.high > function.low && is_code (elf, symbol))
    g_array_append_val (object->elf_functions, function);
}

static void
read_table (struct dg_object *object, Elf *elf, Elf_Scn *section,
            const GElf_Shdr *header, GElf_Addr bias)
{
  Elf_Data *data = elf_getdata (section, NULL);
  size_t n = header->sh_entsize > 0 && data != NULL
               ? data->d_size / header->sh_entsize
               : 0;

  for (size_t i = 1; i < n && i <= INT_MAX; i++) {
    GElf_Sym symbol;

    if (gelf_getsym (data, (int) i, &symbol) == NULL)
      return;
    take_symbol (object, elf, &symbol,
                 elf_strptr (elf, header->sh_link, symbol.st_name), bias);
  }
}

static void
read_tables (struct dg_object *object, Elf *elf, GElf_Addr bias)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;

    if (gelf_getshdr (section, &header) != NULL
        && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
      read_table (object, elf, section, &header, bias);
  }
}

/* ---- Places ----------------------------------------------------------- */

static gint
compare_functions (gconstpointer a, gconstpointer b)
{
  const struct elf_function *x = a, *y = b;

  return DG_COMPARE (x->low, y->low) ?: DG_COMPARE (x->high, y->high);
}

/* Sorts, and leaves one of each place.  */
static void
unite (GArray *functions)
{
  struct elf_function *f = (void *) functions->data;
  guint to = 0;

  g_array_sort (functions, compare_functions);
  for (guint i = 1; i < functions->len; i++)
    if (f[i].low != f[to].low || f[i].high != f[to].high)
      f[++to] = f[i];
    else if (!symbol_is_better (f[to].name, f[i].name))
      f[to].name = f[i].name;
  if (functions->len > 0)
    g_array_set_size (functions, to + 1);
}

/* A function that reaches into the next one ends there; of two that begin
   together, the longer one begins where the other ends.  Returns whether there
   were any.  */
static bool
part (GArray *functions)
{
  struct elf_function *f = (void *) functions->data;
  bool found = false;

  for (guint i = 0; i + 1 < functions->len; i++) {
    if (f[i].low <= f[i + 1].low && f[i].high <= f[i + 1].low)
      continue;
    found = true;
    if (f[i].low < f[i + 1].low)
      f[i].high = f[i + 1].low;
    else if (f[i].low == f[i + 1].low && f[i].high < f[i + 1].high)
      f[i + 1].low = f[i].high;
    /* Others are no longer in order; the next round sees to them.  */
  }
  return found;
}

static void
read_functions (struct dg_object *object)
{
  Dwfl_Module *module = dg_object_module (object);
  GElf_Addr bias = 0;
  Dwarf_Addr debug_bias = 0;
  Elf *elf, *debug;
  Dwarf *dwarf;
  guint rounds = 0;

  object->elf_functions =
    g_array_new (FALSE, FALSE, sizeof (struct elf_function));
  if (module == NULL)
    return;
  elf = dwfl_module_getelf (module, &bias);
  dwarf = dwfl_module_getdwarf (module, &debug_bias);
  debug = dwarf != NULL ? dwarf_getelf (dwarf) : NULL;
  if (elf != NULL)
    read_tables (object, elf, bias);
  if (debug != NULL && debug != elf)
    read_tables (object, debug, debug_bias);
  unite (object->elf_functions);
  /* Each round makes places shorter; a file that needs many is damaged.  */
  while (part (object->elf_functions) && rounds++ < 64)
    unite (object->elf_functions);
}

static const char *
elf_function (struct dg_object *object, struct dg_names *names,
              uint64_t address)
{
  const struct elf_function *f;
  guint low;

  if (object->elf_functions == NULL)
    read_functions (object);
  f = (const void *) object->elf_functions->data;
  low = DG_BISECT (0, object->elf_functions->len, i, f[i].low <= address);
  return low > 0 && address < f[low - 1].high
           ? dg_names_symbol_full (names, f[low - 1].name)
           : NULL;
}

/* ---- Inlined calls ---------------------------------------------------- */

/* The name that stands at an inlined function itself; what another unit tells
   of it counts for nothing.  */
static const char *
inlined_function (struct dg_names *names, Dwarf_Die *call)
{
  Dwarf_Attribute attribute;
  Dwarf_Die die, next;
  const char *name;
  unsigned link = DW_AT_abstract_origin;

  die = *call;
  for (int steps = 0; steps < 8; steps++) {
    if (dwarf_formref_die (dwarf_attr (&die, link, &attribute), &next)
          == NULL)
      return steps == 0 ? "UnknownInlinedFun" : "AbsOriFnNameNotFound";
    if (next.cu != call->cu)
      return "UnknownInlinedFun";
    die = next;
    name = dwarf_formstring (dwarf_attr (&die, DW_AT_name, &attribute));
    if (name != NULL)
      return dg_names_intern (names, name);
    link = DW_AT_specification;
  }
  return "AbsOriFnNameNotFound";
}

/* As dg_symbols_valgrind, for an address of the object.  */
static size_t
object_frames (struct dg_object *object, struct dg_names *names,
               uint64_t address, struct dg_frame *out, size_t max)
{
  Dwarf_Die scopes[MAX_SCOPES];
  size_t n, n_scopes;
  uint64_t pc;

  n = dg_debug_frames (object, names, address, out, max);
  if (n == 0 || out[0].file == NULL) {
    memset (&out[0], 0, sizeof out[0]);
    n = 1;
  }
  n_scopes = dg_debug_scopes (object, address, scopes, MAX_SCOPES, &pc);
  for (size_t i = 0; i < n; i++) {
    if (out[i].file != NULL)
      out[i].file = dg_path_base (out[i].file);
    if (i + 1 < n && n - 1 - i < n_scopes)
      out[i].function = inlined_function (names, &scopes[n - 1 - i]);
  }
  out[n - 1].function = elf_function (object, names, address);
  return n;
}

size_t
dg_symbols_valgrind (struct dg_symbols *symbols, uint64_t address,
                     uint64_t icount, struct dg_frame *out, size_t max)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);
  size_t n = 1;

  if (max == 0)
    return 0;
  memset (&out[0], 0, sizeof out[0]);
  if (loaded == NULL)
    return n;
  if (dg_symbols_can_ask (symbols, loaded->object) && loaded->has_bias) {
    g_mutex_lock (&loaded->object->lock);
    n = object_frames (loaded->object, &symbols->names, address - loaded->bias,
                       out, max);
    dg_symbols_tell_bad_name (symbols, loaded->object);
    g_mutex_unlock (&loaded->object->lock);
  }
  for (size_t i = 0; i < n; i++)
    out[i].module = loaded->object->path;
  return n;
}
