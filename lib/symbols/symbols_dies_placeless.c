/* symbols_dies_placeless.c: thread-local variables that debug information
   gives no place.

   GCC writes none on arm64 and other architectures, as assemblers had no
   relocation for it.  But the symbol table has such variables, and a name and
   a size that only one symbol and one variable have are enough.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies_placeless.h"

#include <dwarf.h>
#include <string.h>

#include "symbols_table.h"

/* A name: one within functions begins with this.  */
#define IN_FUNCTION "\n"

struct dg_die_wanted {
  uint64_t address, size;
  unsigned n_symbols;      /* of this name */
  unsigned n_dies;         /* of this name and size */
  Dwarf_Die die;
};

struct dg_die_placeless {
  GHashTable *wanted;      /* name -> struct dg_die_wanted */
};

/* "_ZZ4workiE5calls" and "calls.0" are static variables "calls" within
   functions; NULL: it is none.  */
static char *
name_in_function (const char *symbol)
{
  const char *dot = strchr (symbol, '.');

  if (strncmp (symbol, "_ZZ", 3) != 0)
    return dot != NULL && dot > symbol
             ? g_strdup_printf (IN_FUNCTION "%.*s", (int) (dot - symbol),
                                symbol)
             : NULL;
  for (const char *at = symbol + 3; *at != '\0'; at++) {
    char *name;
    uint64_t n;

    if (*at != 'E' || !g_ascii_isdigit (at[1]))
      continue;
    n = g_ascii_strtoull (at + 1, &name, 10);
    if (n > 0 && (strlen (name) == n || (strlen (name) > n
                                         && name[n] == '_')))
      return g_strdup_printf (IN_FUNCTION "%.*s", (int) n, name);
  }
  return NULL;
}

/* Takes the name.  */
static void
want (struct dg_die_placeless *placeless, char *name,
      const struct dg_datum *datum)
{
  struct dg_die_wanted *wanted;

  if (name == NULL)
    return;
  wanted = g_hash_table_lookup (placeless->wanted, name);
  if (wanted != NULL) {
    wanted->n_symbols++;
    g_free (name);
    return;
  }
  wanted = g_new0 (struct dg_die_wanted, 1);
  wanted->address = datum->address;
  wanted->size = datum->size;
  wanted->n_symbols = 1;
  g_hash_table_insert (placeless->wanted, name, wanted);
}

struct dg_die_placeless *
dg_die_placeless_new (struct dg_object *object)
{
  struct dg_die_placeless *placeless;
  const struct dg_datum *data;
  size_t n;

  if (object->locals.low >= object->locals.high)
    return NULL;
  placeless = g_new0 (struct dg_die_placeless, 1);
  placeless->wanted =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, g_free);
  data = dg_symtab_variables (object, &n);
  for (size_t i = 0; i < n; i++) {
    if (data[i].address < DG_LOCALS_BASE)
      continue;
    want (placeless, g_strdup (data[i].symbol), &data[i]);
    want (placeless, name_in_function (data[i].symbol), &data[i]);
  }
  return placeless;
}

void
dg_die_placeless_free (struct dg_die_placeless *placeless)
{
  if (placeless == NULL)
    return;
  g_hash_table_unref (placeless->wanted);
  g_free (placeless);
}

static struct dg_die_wanted *
find_wanted (struct dg_die_placeless *placeless, Dwarf_Die *die,
             bool in_function)
{
  Dwarf_Attribute attribute;
  const char *name =
    dwarf_formstring (dwarf_attr_integrate (die, DW_AT_linkage_name,
                                            &attribute));
  struct dg_die_wanted *wanted;
  char *within;

  if (name == NULL)
    name = dwarf_diename (die);
  if (name == NULL)
    return NULL;
  if (!in_function || name != dwarf_diename (die))
    return g_hash_table_lookup (placeless->wanted, name);
  within = g_strconcat (IN_FUNCTION, name, NULL);
  wanted = g_hash_table_lookup (placeless->wanted, within);
  g_free (within);
  return wanted;
}

/* What was optimized away has no place either, and stands once more for what
   it goes back to.  */
struct dg_die_wanted *
dg_die_placeless_wanted (struct dg_die_placeless *placeless, Dwarf_Die *die,
                         bool in_function)
{
  if (placeless == NULL || dwarf_hasattr (die, DW_AT_declaration)
      || dwarf_hasattr (die, DW_AT_location)
      || dwarf_hasattr (die, DW_AT_const_value)
      || dwarf_hasattr (die, DW_AT_abstract_origin))
    return NULL;
  return find_wanted (placeless, die, in_function);
}

void
dg_die_wanted_add (struct dg_die_wanted *wanted, Dwarf_Die *die,
                   uint64_t size)
{
  if (size != wanted->size)
    return;
  wanted->n_dies++;
  wanted->die = *die;
}

void
dg_die_placeless_find (struct dg_die_placeless *placeless,
                       dg_die_placeless_fn *found, void *user)
{
  GHashTableIter i;
  gpointer value;

  if (placeless == NULL)
    return;
  g_hash_table_iter_init (&i, placeless->wanted);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    struct dg_die_wanted *wanted = value;

    if (wanted->n_symbols == 1 && wanted->n_dies == 1)
      found (user, &wanted->die, wanted->address);
  }
}
