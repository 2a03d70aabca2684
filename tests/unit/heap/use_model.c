/* use_model.c: what became of heap blocks, worked out access by access and
   byte by byte.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "use_model.h"

#include <stdlib.h>
#include <string.h>

#include "dg_record.h"
#include "all_blocks.h"

static uint64_t
end_of (const struct dg_block *block)
{
  return block->size > UINT64_MAX - block->address
           ? UINT64_MAX : block->address + block->size;
}

static bool
lies_in (const struct dg_block *block, uint64_t address)
{
  return address >= block->address && address < end_of (block);
}

/* The block over a byte: the last one of those that are alive.  */
static size_t
block_at (const struct use_model *model, uint64_t address)
{
  for (size_t i = model->n; i > 0; i--)
    if (model->of[i - 1].is_alive && lies_in (&model->blocks[i - 1], address))
      return i - 1;
  return model->n;
}

static void
add_byte (GHashTable *bytes, uint64_t offset)
{
  uint64_t *key = g_new (uint64_t, 1);

  *key = offset;
  g_hash_table_add (bytes, key);
}

static void
end_block (struct use_model *model, size_t i)
{
  struct use_counted *of = &model->of[i];
  GHashTableIter iter;
  gpointer key;

  of->is_alive = false;
  of->use.unread -= g_hash_table_size (of->bytes[0]);
  of->use.unwritten -= g_hash_table_size (of->bytes[1]);
  of->use.untouched -= g_hash_table_size (of->bytes[0]);
  g_hash_table_iter_init (&iter, of->bytes[1]);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (of->bytes[0], key))
      of->use.untouched--;
  model->ended = i;
}

static void
begin_block (struct use_model *model, size_t i)
{
  const struct dg_block *block = &model->blocks[i];
  struct use_counted *of = &model->of[i];
  bool is_realloc = block->allocator == DG_ALLOC_REALLOC
                    || block->allocator == DG_ALLOC_RESIZE_IN_PLACE;

  for (size_t k = 0; k < model->n; k++)
    if (model->of[k].is_alive && block->size > 0 && model->blocks[k].size > 0
        && model->blocks[k].address < end_of (block)
        && block->address < end_of (&model->blocks[k]))
      model->of[k].overlaps = true;
  of->is_alive = true;
  if (!is_realloc || model->ended == model->n || block->old_address == 0
      || model->blocks[model->ended].address != block->old_address
      || model->blocks[model->ended].free_icount != block->alloc_icount)
    return;
  of->use.previous = (uint32_t) model->ended;
  /* What belonged to pieces is not known.  */
  if (model->of[model->ended].overlaps)
    return;
  for (unsigned kind = 0; kind < 2; kind++) {
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init (&iter, model->of[model->ended].bytes[kind]);
    while (g_hash_table_iter_next (&iter, &key, NULL))
      if (*(uint64_t *) key < end_of (block) - block->address)
        add_byte (of->bytes[kind], *(uint64_t *) key);
  }
}

static void
touch (struct use_model *model, const struct dg_access *access, uint64_t reach)
{
  size_t i = block_at (model, access->address);
  struct use_counted *of = &model->of[i];

  if (i < model->n) {
    struct dg_usage_block *use = &of->use;

    if (access->kind == DG_ACC_READ) {
      use->reads++;
      use->read_bytes += access->size;
    } else {
      use->writes++;
      use->written_bytes += access->size;
    }
    if (use->first_icount == DG_NEVER)
      use->first_icount = access->icount;
    use->last_icount = access->icount;
    use->last_instruction = access->instruction;
    use->last_context = access->context;
    use->last_thread = access->thread;
    for (uint64_t k = 0; k < access->size; k++)
      if (lies_in (&model->blocks[i], access->address + k))
        g_array_index (of->counts, guint,
                       access->address + k - model->blocks[i].address)++;
  }
  for (uint64_t k = 0; k < reach; k++) {
    uint64_t address = access->address + k;

    if (address < access->address)
      break;
    i = block_at (model, address);
    if (i < model->n)
      add_byte (model->of[i].bytes[access->kind],
                address - model->blocks[i].address);
  }
}

/* What happens up to a moment.  */
static void
happen (struct use_model *model, uint64_t icount)
{
  for (;;) {
    const struct dg_replay_step *step = &model->steps[model->step];
    const struct dg_kernel_access *k = &model->kernel[model->next_kernel];
    uint64_t when = DG_NEVER, kernel = DG_NEVER;

    if (model->step < model->n_steps)
      when = step->kind == DG_REPLAY_FREE
               ? model->blocks[step->index].free_icount
               : model->blocks[step->index].alloc_icount;
    if (model->next_kernel < model->n_kernel)
      kernel = k->icount;
    if (MIN (when, kernel) > icount || MIN (when, kernel) == DG_NEVER)
      return;
    if (when <= kernel) {
      if (step->kind == DG_REPLAY_FREE)
        end_block (model, step->index);
      else
        begin_block (model, step->index);
      if (step->kind != DG_REPLAY_FREE)
        model->ended = model->n;
      model->step++;
    } else {
      struct dg_access access = { .icount = k->icount, .address = k->address,
                                  .size = (uint32_t) k->size,
                                  .context = DG_NONE, .thread = k->thread,
                                  .kind = k->kind };

      if (k->size > 0)
        touch (model, &access, k->size);
      model->next_kernel++;
    }
  }
}

void
use_model_init (struct use_model *model, const struct dg_log *log)
{
  memset (model, 0, sizeof *model);
  model->log = log;
  model->blocks = all_blocks (log, &model->n);
  model->kernel = dg_log_kernel_accesses (log, &model->n_kernel);
  model->ended = model->n;
  model->of = g_new0 (struct use_counted, model->n + 1);
  for (size_t i = 0; i < model->n; i++) {
    uint64_t size = end_of (&model->blocks[i]) - model->blocks[i].address;

    model->of[i].use = (struct dg_usage_block){.unread = size,
                                               .unwritten = size,
                                               .untouched = size,
                                               .first_icount = DG_NEVER,
                                               .last_icount = DG_NEVER,
                                               .last_context = DG_NONE,
                                               .previous = DG_NONE};
    model->of[i].counts = g_array_new (FALSE, TRUE, sizeof (guint));
    g_array_set_size (model->of[i].counts, (guint) MIN (size, 1u << 20));
    for (unsigned kind = 0; kind < 2; kind++)
      model->of[i].bytes[kind] =
        g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  }
  g_assert_cmpint (dg_log_replay (log, 1u << DG_REPLAY_ALLOC
                                         | 1u << DG_REPLAY_FREE,
                                  &model->steps, &model->n_steps, NULL),
                   ==, 0);
}

void
use_model_run (struct use_model *model)
{
  struct dg_reader *reader = dg_reader_new (model->log, 0, SIZE_MAX, NULL);
  struct dg_access accesses[256];
  ptrdiff_t n;

  g_assert_nonnull (reader);
  while ((n = dg_reader_accesses (reader, accesses, 256, NULL)) > 0)
    for (ptrdiff_t i = 0; i < n; i++) {
      happen (model, accesses[i].icount);
      touch (model, &accesses[i], accesses[i].size);
    }
  dg_reader_free (reader);
  happen (model, DG_NEVER - 1);
  for (size_t i = 0; i < model->n; i++)
    if (model->of[i].is_alive)
      end_block (model, i);
}

void
use_model_fini (struct use_model *model)
{
  for (size_t i = 0; i < model->n; i++) {
    g_array_unref (model->of[i].counts);
    for (unsigned kind = 0; kind < 2; kind++)
      g_hash_table_unref (model->of[i].bytes[kind]);
  }
  free (model->steps);
  g_free (model->of);
  g_free (model->blocks);
}
