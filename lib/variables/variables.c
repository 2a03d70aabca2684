/* variables.c: numbers of variables, and the names that they stand for.

   Places of allocation are variables_sites.c, what lies where
   variables_extents.c; where accesses are looked up fast is finder.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "variables.h"

#include "symbols/allocators_file.h"
#include "space/owner_changes.h"
#include "space/space.h"
#include "base/error.h"
#include "log/block_window.h"
#include "variables_assigned.h"
#include "frames.h"

#include <string.h>

static guint
hash_named (gconstpointer data)
{
  const struct dg_named *named = data;

  return dg_hash_text (named->name) * 31 + named->kind + named->line * 131
         + named->is_runtime;
}

static gboolean
equal_named (gconstpointer a, gconstpointer b)
{
  const struct dg_named *x = a, *y = b;

  return x->kind == y->kind && x->line == y->line
         && x->is_runtime == y->is_runtime
         && strcmp (x->name, y->name) == 0
         && g_strcmp0 (x->file, y->file) == 0;
}

const char *
dg_variables_keep (struct dg_variables *variables, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (variables->strings, text)
                      : NULL;
}

/* Under the lock.  */
static uint32_t
enter (struct dg_variables *variables, const struct dg_named *named)
{
  struct dg_named *copy = g_new (struct dg_named, 1);

  *copy = *named;
  copy->name = dg_variables_keep (variables, named->name);
  copy->whole = dg_variables_keep (variables, named->whole);
  copy->type = dg_variables_keep (variables, named->type);
  copy->file = dg_variables_keep (variables, named->file);
  g_ptr_array_add (variables->named, copy);
  g_hash_table_insert (variables->by_name, copy,
                       GUINT_TO_POINTER (variables->named->len));
  return variables->named->len - 1;
}

uint32_t
dg_variables_number (struct dg_variables *variables,
                     const struct dg_named *named)
{
  gpointer known;
  uint32_t number;

  g_mutex_lock (&variables->lock);
  known = g_hash_table_lookup (variables->by_name, named);
  number =
    known != NULL ? GPOINTER_TO_UINT (known) - 1 : enter (variables, named);
  g_mutex_unlock (&variables->lock);
  return number;
}

struct dg_variables *
dg_variables_new (const struct dg_log *log, struct dg_symbols *symbols,
                  const struct dg_space *space, const char *allocators,
                  unsigned workers, struct dg_error *err)
{
  struct dg_variables *variables = g_try_new0 (struct dg_variables, 1);
  struct dg_named unknown = {.kind = DG_VARIABLE_NONE, .name = "<NA>",
                             .whole = "<NA>"};

  if (variables == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  variables->log = log;
  variables->symbols = symbols;
  variables->space = space;
  variables->workers = workers;
  g_mutex_init (&variables->lock);
  g_mutex_init (&variables->frames_lock);
  variables->strings = g_string_chunk_new (4096);
  variables->by_mapping = g_hash_table_new (NULL, NULL);
  variables->by_name = g_hash_table_new (hash_named, equal_named);
  variables->named = g_ptr_array_new_with_free_func (g_free);
  enter (variables, &unknown);
  unknown.kind = DG_VARIABLE_LOCAL;
  unknown.name = unknown.whole = "<NA> (stack)";
  enter (variables, &unknown);
  variables->lines = dg_site_lines_new (log, 1);
  variables->allocators = dg_allocators_new (allocators, err);
  if (variables->allocators != NULL)
    variables->changes = dg_owner_changes_new (log, err);
  if (variables->changes == NULL
      || dg_variables_list_sites (variables, err) < 0
      || dg_variables_find_sites (variables) < 0) {
    dg_variables_free (variables);
    return NULL;
  }
  return variables;
}

int
dg_variables_follow (struct dg_variables *variables, struct dg_error *err)
{
  if (dg_owner_changes_window (variables->changes)
        == dg_block_window_number (variables->log))
    return 0;
  return dg_variables_find_sites (variables) < 0
           ? dg_error_nomem (err)
           : dg_owner_changes_follow (variables->changes, err);
}

int
dg_variables_go_to (struct dg_variables *variables, uint64_t icount,
                    struct dg_error *err)
{
  int code = dg_block_window_move (variables->log, icount, err);

  if (code == 0)
    code = dg_space_follow (variables->space, err);
  return code == 0 ? dg_variables_follow (variables, err) : code;
}

void
dg_variables_set_mine (struct dg_variables *variables,
                       const struct dg_mine *mine)
{
  variables->mine = mine;
}

void
dg_variables_free (struct dg_variables *variables)
{
  if (variables == NULL)
    return;
  dg_allocators_free (variables->allocators);
  dg_site_lines_free (variables->lines);
  dg_owner_changes_free (variables->changes);
  dg_assigned_free (variables->assigned);
  g_free (variables->sites);
  if (variables->by_stack != NULL)
    g_hash_table_unref (variables->by_stack);
  g_free (variables->birth_sites);
  g_hash_table_unref (variables->by_mapping);
  g_hash_table_unref (variables->by_name);
  g_ptr_array_unref (variables->named);
  g_string_chunk_free (variables->strings);
  if (variables->frame_parts != NULL)
    g_hash_table_unref (variables->frame_parts);
  dg_frames_free (variables->frames);
  g_mutex_clear (&variables->lock);
  g_mutex_clear (&variables->frames_lock);
  g_free (variables);
}

const struct dg_space *
dg_variables_space (const struct dg_variables *variables)
{
  return variables->space;
}

const struct dg_owner_changes *
dg_variables_changes (const struct dg_variables *variables)
{
  return variables->changes;
}

const struct dg_named *
dg_variables_named (struct dg_variables *variables, uint32_t variable)
{
  const struct dg_named *named;

  g_mutex_lock (&variables->lock);
  g_assert (variable < variables->named->len);
  named = g_ptr_array_index (variables->named, variable);
  g_mutex_unlock (&variables->lock);
  return named;
}
