/* thread_locals.c: where threads have their copies of thread-local variables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "thread_locals.h"

#include <glib.h>
#include <inttypes.h>

#include "base/error.h"

static struct dg_thread_local *
copy_at (const struct dg_thread_locals *locals, size_t index)
{
  return (struct dg_thread_local *) locals->copies->items + index;
}

static void
end_copy (const struct dg_thread_locals *locals, size_t index, uint64_t icount)
{
  struct dg_thread_local *copy = copy_at (locals, index);

  if (copy->end_icount == DG_NEVER)
    copy->end_icount = icount;
}

/* Each copy is opened once under a key, so that all these together take no
   longer than the copies were many.  */
static void
end_all (struct dg_thread_locals *locals, struct dg_spans *under, uint64_t key,
         uint64_t icount)
{
  size_t index;

  while ((index = dg_spans_close (under, key, 0)) != SIZE_MAX)
    end_copy (locals, index, icount);
}

static int
open_copy (struct dg_thread_locals *locals, size_t index, uint64_t icount)
{
  const struct dg_thread_local *copy = copy_at (locals, index);
  size_t old;

  if (dg_spans_replace (&locals->latest, copy->thread, copy->module, index,
                        &old) < 0)
    return DG_ERR_NOMEM;
  if (old != SIZE_MAX)
    end_copy (locals, old, icount);
  if (dg_spans_open (&locals->of_thread, copy->thread, 0, index) < 0
      || dg_spans_open (&locals->of_module, copy->module, 0, index) < 0
      || (copy->block_address != 0
          && dg_spans_open (&locals->in_block, copy->block_address, 0, index)
               < 0))
    return DG_ERR_NOMEM;
  return 0;
}

int
dg_thread_locals_add (struct dg_thread_locals *locals,
                      const struct dg_fields *fields, uint32_t module,
                      uint64_t since, uint64_t icount, uint64_t offset,
                      struct dg_error *err)
{
  const uint64_t *words = fields->words;
  struct dg_thread_local *copy;

  if (words[0] == 0 || words[0] >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "THREAD_LOCAL names thread %" PRIu64, words[0]);
  copy = dg_table_add (locals->copies, sizeof *copy);
  if (!copy)
    return dg_error_nomem (err);
  *copy = (struct dg_thread_local) {
    .thread = words[0], .module = module, .address = words[2],
    .size = words[3], .block_address = words[4],
    .start_icount = MIN (since, icount), .end_icount = DG_NEVER
  };
  if (open_copy (locals, locals->copies->n - 1, icount) < 0)
    return dg_error_nomem (err);
  return 0;
}

void
dg_thread_locals_end_thread (struct dg_thread_locals *locals, uint64_t thread,
                             uint64_t icount)
{
  end_all (locals, &locals->of_thread, thread, icount);
}

void
dg_thread_locals_end_module (struct dg_thread_locals *locals, size_t module,
                             uint64_t icount)
{
  if (module != SIZE_MAX)
    end_all (locals, &locals->of_module, module, icount);
}

void
dg_thread_locals_end_block (struct dg_thread_locals *locals, uint64_t address,
                            uint64_t icount)
{
  if (locals->in_block.used > 0)
    end_all (locals, &locals->in_block, address, icount);
}

void
dg_thread_locals_fini (struct dg_thread_locals *locals)
{
  dg_spans_fini (&locals->latest);
  dg_spans_fini (&locals->of_thread);
  dg_spans_fini (&locals->of_module);
  dg_spans_fini (&locals->in_block);
}
