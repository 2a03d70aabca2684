/* code_sums.c: counts of runs to sums of accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "code_sums.h"

#include "model/log/order.h"

#include <string.h>

#include <dg_record.h>

#define FIRST_ENTRIES 1024

/* Sums by context lie in groups of so many, made when one is needed.  */
#define GROUP_SHIFT 8
#define GROUP       ((uint32_t) 1 << GROUP_SHIFT)

/* How often each access of a block was made, from whatever path.  */
struct block_sums {
  uint64_t icount;         /* when it ran once */
  uint64_t times[];        /* by slot */
};

struct dv_code_sums {
  const struct dg_log *log;
  GMutex lock;             /* guards all below */
  struct dv_tally_count **contexts;      /* groups; NULL: nothing there */
  uint32_t n_groups;
  struct block_sums **blocks;      /* by number; NULL: never ran */
  uint32_t n_blocks;
  GHashTable *threads;     /* number to struct dv_tally_count */
};

/* ---- Counting -------------------------------------------------------- */

static void
set_entries (struct dv_code_counts *counts, size_t n)
{
  counts->mask = n - 1;
  counts->entries = g_new (struct dv_code_count, n);
  memset (counts->entries, 0xff, n * sizeof *counts->entries);
}

void
dv_code_counts_init (struct dv_code_counts *counts)
{
  memset (counts, 0, sizeof *counts);
  set_entries (counts, FIRST_ENTRIES);
}

void
dv_code_counts_fini (struct dv_code_counts *counts)
{
  g_clear_pointer (&counts->entries, g_free);
}

void
dv_code_counts_clear (struct dv_code_counts *counts, uint64_t base)
{
  memset (counts->entries, 0xff,
          (counts->mask + 1) * sizeof *counts->entries);
  counts->used = 0;
  counts->base = base;
}

void
dv_code_counts_grow (struct dv_code_counts *counts)
{
  struct dv_code_counts old = *counts;
  set_entries (counts, (old.mask + 1) * 2);
  for (size_t i = 0; i <= old.mask; i++)
    if (old.entries[i].key != UINT64_MAX)
      *dv_code_counts_probe (counts, old.entries[i].key) = old.entries[i];
  dv_code_counts_fini (&old);
}

bool
dv_code_counts_set_thread (struct dv_code_counts *counts, uint32_t thread)
{
  if (counts->thread == thread)
    return true;
  if (counts->used > 0
      && (thread >= DV_CODE_THREADS || counts->thread >= DV_CODE_THREADS))
    return false;
  counts->thread = thread;
  counts->thread_key = (uint64_t) MIN (thread, DV_CODE_THREADS) << 50;
  return true;
}

/* ---- Summing --------------------------------------------------------- */

struct dv_code_sums *
dv_code_sums_new (const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);
  struct dv_code_sums *sums = g_try_new0 (struct dv_code_sums, 1);
  if (sums == NULL)
    return NULL;
  sums->log = log;
  g_mutex_init (&sums->lock);
  sums->n_groups = (uint32_t) ((summary->contexts + GROUP - 1) >> GROUP_SHIFT);
  sums->contexts = g_try_new0 (struct dv_tally_count *, sums->n_groups + 1);
  sums->n_blocks = (uint32_t) summary->bbdefs;
  sums->blocks = g_try_new0 (struct block_sums *, sums->n_blocks + 1);
  sums->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (sums->contexts == NULL || sums->blocks == NULL)
    g_clear_pointer (&sums, dv_code_sums_free);
  return sums;
}

void
dv_code_sums_free (struct dv_code_sums *sums)
{
  if (sums == NULL)
    return;
  for (uint32_t i = 0; sums->contexts != NULL && i < sums->n_groups; i++)
    g_free (sums->contexts[i]);
  for (uint32_t i = 0; sums->blocks != NULL && i < sums->n_blocks; i++)
    g_free (sums->blocks[i]);
  g_free (sums->contexts);
  g_free (sums->blocks);
  g_hash_table_unref (sums->threads);
  g_mutex_clear (&sums->lock);
  g_free (sums);
}

/* NULL: there is no memory; so in what follows.  */
static struct dv_tally_count *
context_sum (struct dv_code_sums *sums, uint32_t context)
{
  struct dv_tally_count **group = &sums->contexts[context >> GROUP_SHIFT];
  if (*group == NULL)
    *group = g_try_new0 (struct dv_tally_count, GROUP);
  return *group == NULL ? NULL : &(*group)[context & (GROUP - 1)];
}

static struct dv_tally_count *
thread_sum (struct dv_code_sums *sums, uint32_t thread)
{
  gpointer key = GUINT_TO_POINTER (thread);
  struct dv_tally_count *count = g_hash_table_lookup (sums->threads, key);
  if (count == NULL) {
    count = g_try_new0 (struct dv_tally_count, 1);
    if (count != NULL)
      g_hash_table_insert (sums->threads, key, count);
  }
  return count;
}

static struct block_sums *
block_sum (struct dv_code_sums *sums, const struct dg_bbdef *block,
           uint64_t icount)
{
  struct block_sums **place = &sums->blocks[block->number];
  if (*place == NULL) {
    *place = g_try_malloc0 (sizeof **place
                            + block->n_slots * sizeof (uint64_t));
    if (*place != NULL)
      (*place)->icount = icount;
  }
  return *place;
}

static void
add_slot (struct dv_tally_count *count, const struct dg_slot *slot,
          uint64_t times)
{
  uint64_t bytes = times * slot->size;
  if (slot->kind == DG_ACC_WRITE) {
    count->writes += times;
    count->written_bytes += bytes;
  } else {
    count->reads += times;
    count->read_bytes += bytes;
  }
}

/* "Not" is the opposite of "one": sums wrap, and come out right when all is
   added.  Accesses of no bytes are none.  */
static bool
take_entry (struct dv_code_sums *sums, const struct dv_code_counts *counts,
            const struct dv_code_count *entry)
{
  uint32_t number = (uint32_t) entry->key;
  unsigned n = entry->key >> 32 & 0xffff;
  enum dv_code_event event = (enum dv_code_event) (entry->key >> 48 & 3);
  uint32_t thread = (uint32_t) (entry->key >> 50);
  const struct dg_context context = dg_log_context (sums->log, number);
  const struct dg_bbdef *block = dg_log_bbdef (sums->log, context.bbdef);
  struct block_sums *of_block = block_sum (sums, block,
                                           counts->base + entry->moment);
  struct dv_tally_count *of_context = context_sum (sums, number);
  struct dv_tally_count *of_thread
    = thread_sum (sums, thread < DV_CODE_THREADS ? thread : counts->thread);
  if (of_block == NULL || of_context == NULL || of_thread == NULL)
    return false;
  uint64_t times = event == DV_CODE_NOT ? -(uint64_t) entry->times
                                       : entry->times;
  struct dv_tally_count count = { 0 };
  for (unsigned i = event == DV_CODE_FIRST ? 0 : n;
       i < (event == DV_CODE_FIRST ? n : n + 1); i++) {
    if (block->slots[i].size == 0)
      continue;
    of_block->times[i] += times;
    add_slot (&count, &block->slots[i], times);
  }
  dv_tally_count_add (of_context, &count);
  dv_tally_count_add (of_thread, &count);
  return true;
}

bool
dv_code_sums_take (struct dv_code_sums *sums,
                   const struct dv_code_counts *counts)
{
  bool is_good = true;
  g_mutex_lock (&sums->lock);
  for (size_t i = 0; i <= counts->mask && is_good; i++)
    if (counts->entries[i].key != UINT64_MAX)
      is_good = take_entry (sums, counts, &counts->entries[i]);
  g_mutex_unlock (&sums->lock);
  return is_good;
}

/* ---- Telling --------------------------------------------------------- */

static bool
is_nothing (const struct dv_tally_count *count)
{
  return dv_tally_count_accesses (count) == 0;
}

struct dv_tally_count
dv_code_sums_total (struct dv_code_sums *sums)
{
  struct dv_tally_count total = { 0 };
  GHashTableIter iter;
  gpointer value;
  g_mutex_lock (&sums->lock);
  g_hash_table_iter_init (&iter, sums->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    dv_tally_count_add (&total, value);
  g_mutex_unlock (&sums->lock);
  return total;
}

static void
tell_contexts (const struct dv_code_sums *sums, struct dv_tally *tally)
{
  for (uint32_t g = 0; g < sums->n_groups; g++)
    for (uint32_t i = 0; sums->contexts[g] != NULL && i < GROUP; i++) {
      struct dv_tally_context context = { (g << GROUP_SHIFT) + i,
                                          sums->contexts[g][i] };
      if (is_nothing (&context.count))
        continue;
      g_array_append_val (tally->contexts, context);
      dv_tally_count_add (&tally->code_total, &context.count);
    }
}

DV_DEFINE_COMPARE (compare_threads, struct dv_tally_thread, x->thread)

static void
tell_threads (const struct dv_code_sums *sums, struct dv_tally *tally)
{
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, sums->threads);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    struct dv_tally_thread thread = { GPOINTER_TO_UINT (key),
                                      *(struct dv_tally_count *) value };
    if (!is_nothing (&thread.count))
      g_array_append_val (tally->threads, thread);
  }
  g_array_sort (tally->threads, compare_threads);
}

static void
tell_block (const struct dg_bbdef *block, const struct block_sums *sums,
            GArray *code)
{
  struct dv_tally_code last = { 0 };
  for (unsigned i = 0; i < block->n_slots; i++) {
    const struct dg_slot *slot = &block->slots[i];
    uint64_t instruction = block->instrs[slot->iseq].address;
    if (sums->times[i] == 0)
      continue;
    if (instruction != last.instruction || is_nothing (&last.count)) {
      if (!is_nothing (&last.count))
        g_array_append_val (code, last);
      last = (struct dv_tally_code){ .instruction = instruction,
                                     .icount = sums->icount };
    }
    add_slot (&last.count, slot, sums->times[i]);
  }
  if (!is_nothing (&last.count))
    g_array_append_val (code, last);
}

DV_DEFINE_COMPARE (compare_code, struct dv_tally_code, x->instruction)

/* An instruction is part of several blocks that begin at different places.  */
static void
tell_code (const struct dv_code_sums *sums, struct dv_tally *tally)
{
  GArray *code = tally->code;
  for (uint32_t i = 0; i < sums->n_blocks; i++)
    if (sums->blocks[i] != NULL)
      tell_block (dg_log_bbdef (sums->log, i), sums->blocks[i], code);
  if (code->len == 0)
    return;
  g_array_sort (code, compare_code);
  struct dv_tally_code *items = (struct dv_tally_code *) (void *) code->data;
  guint kept = 0;
  for (guint i = 1; i < code->len; i++)
    if (items[i].instruction == items[kept].instruction)
      dv_tally_count_add (&items[kept].count, &items[i].count);
    else
      items[++kept] = items[i];
  g_array_set_size (code, kept + 1);
}

void
dv_code_sums_tell (struct dv_code_sums *sums, struct dv_tally *tally)
{
  g_mutex_lock (&sums->lock);
  tell_contexts (sums, tally);
  tell_threads (sums, tally);
  tell_code (sums, tally);
  g_mutex_unlock (&sums->lock);
}
