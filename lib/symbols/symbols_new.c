/* symbols_new.c: the symbols of a log, made and freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_new.h"

#include "base/error.h"
#include "jit_names.h"
#include "log/bundled.h"
#include "space/space_cover.h"
#include "symbols.h"

/* Those of the caller come first.  */
static void
init_names (struct dg_names *names, const struct dg_places_kept *places,
            const char *const *source_paths)
{
  GPtrArray *all = g_ptr_array_new ();

  for (const char *const *p = source_paths; p != NULL && *p != NULL; p++)
    g_ptr_array_add (all, (gpointer) *p);
  for (char **p = places != NULL ? places->source_map : NULL;
       p != NULL && *p != NULL; p++)
    g_ptr_array_add (all, *p);
  g_ptr_array_add (all, NULL);
  dg_names_init (names, (const char *const *) all->pdata);
  g_ptr_array_free (all, TRUE);
}

static struct dg_symbols *
make (const struct dg_log *log, const struct dg_places_kept *places,
      const char *const *source_paths, struct dg_error *err)
{
  struct dg_symbols *symbols = g_try_new0 (struct dg_symbols, 1);

  if (symbols == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  symbols->log = log;
  g_mutex_init (&symbols->lock);
  init_names (&symbols->names, places, source_paths);
  symbols->jit_names = dg_jit_names_new (log, symbols);
  symbols->name_code = dg_jit_names_fill;
  symbols->problems = g_array_new (FALSE, FALSE, sizeof (struct dg_problem));
  symbols->types =
    g_hash_table_new_full (dg_hash_text, g_str_equal, NULL, g_free);
  symbols->die_types =
    g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return symbols;
}

struct dg_symbols *
dg_symbols_new (const struct dg_log *log, const char *const *source_paths,
                struct dg_error *err)
{
  if (dg_places_check (source_paths, err) < 0)
    return NULL;
  return make (log, dg_bundled_places (log), source_paths, err);
}

struct dg_symbols *
dg_symbols_new_as_recorded (const struct dg_log *log, struct dg_error *err)
{
  return make (log, NULL, NULL, err);
}

void
dg_symbols_free (struct dg_symbols *symbols)
{
  if (symbols == NULL)
    return;
  g_hash_table_unref (symbols->types);
  g_hash_table_unref (symbols->die_types);
  dg_jit_names_free (symbols->jit_names);
  if (symbols->objects != NULL)
    g_ptr_array_unref (symbols->objects);
  dg_cover_free (symbols->now);
  dg_cover_free (symbols->ever);
  g_array_unref (symbols->problems);
  dg_block_notes_index_free (symbols->codes);
  dg_names_fini (&symbols->names);
  g_mutex_clear (&symbols->lock);
  g_free (symbols->loaded);
  g_free (symbols);
}
