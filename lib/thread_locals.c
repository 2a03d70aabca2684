/* thread_locals.c: where threads have their copies of thread-local variables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "thread_locals.h"

#include <inttypes.h>

#include "error.h"

static struct dg_thread_local *
copy_at (const struct dg_thread_locals *locals, const GArray *live, guint i)
{
  return (struct dg_thread_local *) locals->copies->items
         + g_array_index (live, uint32_t, i);
}

static GArray *
live_of (struct dg_thread_locals *locals, uint64_t thread)
{
  gpointer key = GUINT_TO_POINTER (thread);
  GArray *live;

  if (locals->live == NULL)
    locals->live = g_hash_table_new_full (NULL, NULL, NULL,
                                          (GDestroyNotify) g_array_unref);
  live = g_hash_table_lookup (locals->live, key);
  if (live == NULL) {
    live = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_hash_table_insert (locals->live, key, live);
  }
  return live;
}

static void
end_of_module (struct dg_thread_locals *locals, GArray *live, uint32_t module,
               uint64_t icount)
{
  for (guint i = live->len; i-- > 0;) {
    struct dg_thread_local *copy = copy_at (locals, live, i);

    if (copy->module != module)
      continue;
    copy->end_icount = icount;
    g_array_remove_index_fast (live, i);
  }
}

int
dg_thread_locals_add (struct dg_thread_locals *locals,
                      const struct dg_fields *fields, uint32_t module,
                      uint64_t since, uint64_t icount, uint64_t offset,
                      struct dg_error *err)
{
  const uint64_t *words = fields->words;
  uint32_t index = locals->copies->n;
  struct dg_thread_local *copy;
  GArray *live;

  if (words[0] == 0 || words[0] >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "THREAD_LOCAL names thread %" PRIu64, words[0]);
  copy = dg_table_add (locals->copies, sizeof *copy);
  if (!copy)
    return dg_error_nomem (err);
  live = live_of (locals, words[0]);
  end_of_module (locals, live, module, icount);
  *copy = (struct dg_thread_local) {
    .thread = words[0], .module = module, .address = words[2],
    .size = words[3], .block_address = words[4],
    .start_icount = MIN (since, icount), .end_icount = DG_NEVER
  };
  g_array_append_val (live, index);
  return 0;
}

void
dg_thread_locals_end_thread (struct dg_thread_locals *locals, uint64_t thread,
                             uint64_t icount)
{
  gpointer key = GUINT_TO_POINTER (thread);
  GArray *live =
    locals->live != NULL ? g_hash_table_lookup (locals->live, key) : NULL;

  for (guint i = 0; live != NULL && i < live->len; i++)
    copy_at (locals, live, i)->end_icount = icount;
  if (live != NULL)
    g_hash_table_remove (locals->live, key);
}

void
dg_thread_locals_end_module (struct dg_thread_locals *locals, uint32_t module,
                             uint64_t icount)
{
  GHashTableIter iter;
  gpointer live;

  if (locals->live == NULL)
    return;
  g_hash_table_iter_init (&iter, locals->live);
  while (g_hash_table_iter_next (&iter, NULL, &live))
    end_of_module (locals, live, module, icount);
}

void
dg_thread_locals_fini (struct dg_thread_locals *locals)
{
  g_clear_pointer (&locals->live, g_hash_table_unref);
}
