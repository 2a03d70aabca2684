/* symbols_variables.c: the variables of all modules, or those with a name.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols.h"
#include "symbols_table.h"

#include <string.h>

struct search {
  struct dg_symbols *symbols;
  const char *name;     /* NULL: all */
  const char *last;     /* what follows the last "::" of the name */
  const struct dg_loaded *loaded;
  uint64_t start_icount, end_icount;
  GArray *found;        /* struct dg_data_symbol */
};

/* The length of a name without the number that tells variables of functions
   apart: "counter.2".  */
static size_t
bare_length (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL && dot > name && dot[1] != '\0'
             && strspn (dot + 1, "0123456789") == strlen (dot + 1)
           ? (size_t) (dot - name)
           : strlen (name);
}

static bool
is_bare (const char *name, const char *wanted)
{
  size_t n = bare_length (name);

  return strlen (wanted) == n && memcmp (wanted, name, n) == 0;
}

/* Whether a symbol may have the name: debug information has others, which end
   in the same way.  */
static bool
may_be (const struct search *search, const char *symbol)
{
  return search->name == NULL || search->last[0] == '\0'
         || strstr (symbol, search->last) != NULL;
}

/* Under the lock of the object.  */
static void
collect (struct search *search)
{
  size_t n;
  const struct dg_loaded *loaded = search->loaded;
  struct dg_object *object = loaded->object;
  const struct dg_datum *data = dg_symtab_variables (object, &n);

  for (size_t i = 0; i < n; i++) {
    bool is_local = data[i].address >= DG_LOCALS_BASE;
    struct dg_data_symbol one
      = {.module = object->path,
         .address = data[i].address + loaded->bias,
         .size = data[i].size,
         .start_icount = search->start_icount,
         .end_icount = search->end_icount,
         .thread = loaded->thread};

    if (is_local != (loaded->thread != 0)
        || !may_be (search, data[i].symbol))
      continue;
    one.name = dg_names_symbol (&search->symbols->names, data[i].symbol);
    g_array_append_val (search->found, one);
  }
}

/* Whether it has the name; debug information is only asked where the symbol
   has another.  */
static bool
is_wanted (const struct search *search, const struct dg_data_symbol *one)
{
  struct dg_variable variable;

  if (search->name == NULL || strcmp (one->name, search->name) == 0
      || is_bare (one->name, search->name))
    return true;
  return search->last != search->name
         && dg_symbols_data (search->symbols, one->address, one->start_icount,
                             0, &variable)
         && !variable.is_section && strcmp (variable.name, search->name) == 0;
}

static int
pass (struct search *search,
      int (*each) (void *user, const struct dg_data_symbol *variable),
      void *user)
{
  int code = 0;

  for (guint i = 0; i < search->found->len && code == 0; i++) {
    const struct dg_data_symbol *one
      = &g_array_index (search->found, struct dg_data_symbol, i);

    if (is_wanted (search, one))
      code = each (user, one);
  }
  g_array_set_size (search->found, 0);
  return code;
}

/* The moment from which a module's addresses are its own: its data are
   relocated before the log says that it is there.  */
static uint64_t
first_moment (const struct dg_module *modules, size_t n, size_t at)
{
  uint64_t first = 0, start = modules[at].text_address;

  for (size_t i = 0; i < n; i++)
    if (modules[i].unload_icount <= modules[at].load_icount
        && modules[i].text_address < start + modules[at].text_size
        && start < modules[i].text_address + modules[i].text_size)
      first = MAX (first, modules[i].unload_icount);
  return first;
}

int
dg_symbols_variables (struct dg_symbols *symbols, const char *name,
                      int (*each) (void *user,
                                   const struct dg_data_symbol *variable),
                      void *user)
{
  struct search search = {.symbols = symbols, .name = name};
  size_t n_modules, n_locals;
  const struct dg_module *modules
    = dg_log_modules (symbols->log, &n_modules);
  const struct dg_thread_local *locals
    = dg_log_thread_locals (symbols->log, &n_locals);
  const char *colons = name != NULL ? g_strrstr (name, "::") : NULL;
  int code = 0;

  search.last = colons != NULL ? colons + 2 : name;
  search.found = g_array_new (FALSE, FALSE, sizeof (struct dg_data_symbol));
  /* Finds the files.  */
  dg_symbols_loaded (symbols, 0, 0);
  for (size_t i = 0; i < n_modules + n_locals && code == 0; i++) {
    struct dg_object *object = symbols->loaded[i].object;
    bool is_module = i < n_modules;

    search.loaded = &symbols->loaded[i];
    if (object == NULL || !search.loaded->has_bias
        || !dg_symbols_can_ask (symbols, object))
      continue;
    search.start_icount = is_module ? first_moment (modules, n_modules, i)
                                    : locals[i - n_modules].start_icount;
    search.end_icount = is_module ? modules[i].unload_icount
                                  : locals[i - n_modules].end_icount;
    g_mutex_lock (&object->lock);
    collect (&search);
    dg_symbols_tell_bad_name (symbols, object);
    g_mutex_unlock (&object->lock);
    code = pass (&search, each, user);
  }
  g_array_unref (search.found);
  return code;
}
