/* run_counts.c: how often each block ran, and how far.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "run_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"

/* ---- Sums by number ---- */

static bool
shapes_add (struct dg_run_shapes *shapes, uint64_t key, uint64_t times)
{
  struct dg_table *table = &shapes->shapes;
  struct dg_run_shape *shape;
  uint32_t i;

  /* Room first: a key without its sum would shift those that follow.  */
  if (table->n == table->room
      && dg_table_reserve (table, sizeof *shape,
                           table->room + table->room / 2 + 8)
           < 0)
    return false;
  i = dg_keys_add (&shapes->keys, key);
  if (i == DG_NONE)
    return false;
  if (i == table->n) {
    shape = dg_table_add (table, sizeof *shape);
    shape->key = key;
  }
  ((struct dg_run_shape *) table->items)[i].times += times;
  return true;
}

static void
shapes_clear (struct dg_run_shapes *shapes)
{
  dg_keys_clear (&shapes->keys);
  shapes->shapes.n = 0;
}

static void
shapes_fini (struct dg_run_shapes *shapes)
{
  dg_keys_fini (&shapes->keys);
  dg_table_fini (&shapes->shapes);
}

/* ---- Counting ---- */

struct dg_run_counts *
dg_run_counts_new (const struct dg_log *log, bool by_context,
                   struct dg_error *err)
{
  const struct dg_summary *summary = dg_log_summary (log);
  size_t n = by_context ? summary->contexts : summary->bbdefs;
  struct dg_run_counts *counts = g_try_new0 (struct dg_run_counts, 1);

  if (counts != NULL) {
    counts->log = log;
    counts->by_context = by_context;
    counts->whole = g_try_new0 (struct dg_run_count, n + 1);
    if (counts->whole != NULL)
      return counts;
  }
  dg_run_counts_free (counts);
  dg_error_nomem (err);
  return NULL;
}

void
dg_run_counts_free (struct dg_run_counts *counts)
{
  if (counts == NULL)
    return;
  g_free (counts->whole);
  g_free (counts->met);
  shapes_fini (&counts->parts);
  shapes_fini (&counts->unmade);
  g_free (counts);
}

static bool
meet (struct dg_run_counts *counts, const struct dg_run *run)
{
  if (!DG_ARRAY_ROOM (counts->met, counts->room_met, counts->n_met))
    return false;
  counts->met[counts->n_met++]
    = (struct dg_run_met){ run->icount, dg_run_counts_number (counts, run) };
  return true;
}

static uint64_t
part_key (uint32_t number, unsigned first, unsigned n_instrs,
          unsigned n_slots)
{
  return number | (uint64_t) first << 32 | (uint64_t) n_instrs << 40
         | (uint64_t) n_slots << 48;
}

void
dg_run_counts_add_times (struct dg_run_counts *counts,
                         const struct dg_run *run, uint32_t times)
{
  uint32_t number = dg_run_counts_number (counts, run);
  struct dg_run_count *count = &counts->whole[number];
  uint64_t key;

  if (run->first_instr >= run->n_instrs)
    return;
  if (count->n_instrs == 0) {
    if (!meet (counts, run)) {
      counts->has_failed = true;
      return;
    }
    count->n_instrs = run->bbdef->n_instrs;
    count->n_slots = run->bbdef->n_slots;
  }
  if (run->n_instrs == count->n_instrs && run->n_slots == count->n_slots
      && run->first_instr == 0 && times <= UINT32_MAX - count->times) {
    count->times += times;
    return;
  }
  key = part_key (number, run->first_instr, run->n_instrs, run->n_slots);
  if (!shapes_add (&counts->parts, key, times))
    counts->has_failed = true;
}

void
dg_run_counts_unmade (struct dg_run_counts *counts, const struct dg_run *run)
{
  uint64_t number = dg_run_counts_number (counts, run);

  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];
    if (run->addresses[slot->entry] == 0 && slot->iseq >= run->first_instr
        && !shapes_add (&counts->unmade, number | (uint64_t) i << 32, 1))
      counts->has_failed = true;
  }
}

/* ---- Telling ---- */

/* The block of a number, and its context if there is one.  */
static void
resolve (const struct dg_run_counts *counts, uint32_t number, uint32_t *bbdef,
         uint32_t *context)
{
  *context = counts->by_context ? number : DG_NONE;
  *bbdef = counts->by_context ? dg_log_context (counts->log, number).bbdef
                              : number;
}

static void
tell (struct dg_run_counts *counts, const struct dg_run_visitor *visitor,
      uint32_t number, struct dg_run_sum *sum)
{
  const struct dg_bbdef *block;

  resolve (counts, number, &sum->bbdef, &sum->context);
  block = dg_log_bbdef (counts->log, sum->bbdef);
  while (sum->first_slot < sum->end_slot
         && block->slots[sum->first_slot].iseq < sum->first)
    sum->first_slot++;
  visitor->runs (visitor->user, sum);
}

static int
compare_met (gconstpointer a, gconstpointer b)
{
  uint32_t x = ((const struct dg_run_met *) a)->number;
  uint32_t y = ((const struct dg_run_met *) b)->number;

  return DG_COMPARE (x, y);
}

static uint64_t
when_met (const struct dg_run_counts *counts, uint32_t number)
{
  size_t low = DG_BISECT (0, counts->n_met, i, counts->met[i].number < number);

  return counts->met[low].icount;
}

static void
tell_parts (struct dg_run_counts *counts,
            const struct dg_run_visitor *visitor)
{
  const struct dg_run_shape *part = counts->parts.shapes.items;

  for (size_t i = 0; i < counts->parts.shapes.n; i++, part++) {
    struct dg_run_sum sum = { .first = part->key >> 32 & 0xff,
                              .end = part->key >> 40 & 0xff,
                              .end_slot = (unsigned) (part->key >> 48),
                              .times = part->times };

    sum.icount = when_met (counts, (uint32_t) part->key);
    tell (counts, visitor, (uint32_t) part->key, &sum);
  }
}

int
dg_run_counts_take (struct dg_run_counts *counts,
                    const struct dg_run_visitor *visitor,
                    struct dg_error *err)
{
  if (counts->n_met > 0)
    qsort (counts->met, counts->n_met, sizeof *counts->met, compare_met);
  for (size_t i = 0; i < counts->n_met; i++) {
    uint32_t number = counts->met[i].number;
    struct dg_run_count *count = &counts->whole[number];
    struct dg_run_sum sum = { .end = count->n_instrs,
                              .end_slot = count->n_slots,
                              .times = count->times,
                              .icount = counts->met[i].icount };
    if (sum.times > 0)
      tell (counts, visitor, number, &sum);
    *count = (struct dg_run_count){ 0 };
  }
  tell_parts (counts, visitor);
  for (size_t i = 0; i < counts->unmade.shapes.n; i++) {
    const struct dg_run_shape *unmade
      = (struct dg_run_shape *) counts->unmade.shapes.items + i;
    uint32_t bbdef, context;

    resolve (counts, (uint32_t) unmade->key, &bbdef, &context);
    visitor->unmade (visitor->user, bbdef, context,
                     (unsigned) (unmade->key >> 32), unmade->times);
  }
  counts->n_met = 0;
  if (counts->parts.shapes.n > 0)
    shapes_clear (&counts->parts);
  if (counts->unmade.shapes.n > 0)
    shapes_clear (&counts->unmade);
  return counts->has_failed ? dg_error_nomem (err) : 0;
}
