/* mock_expected.c: what a mock should have been given, from reading every run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "mock_expected.h"

#include "filter/filter.h"

uint64_t
mock_clock_at (const struct dg_log *log, uint64_t icount)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);
  uint64_t ns = 0, last = 0;

  for (size_t i = 0; i < n; i++) {
    uint64_t next = MAX (ns, clock[i].ns);

    if (clock[i].icount > icount)
      return ns
             + (uint64_t) ((unsigned __int128) (next - ns) * (icount - last)
                           / (clock[i].icount - last));
    ns = next;
    last = clock[i].icount;
  }
  return ns;
}

/* 0 behind the last reading.  */
static uint64_t
known_clock_at (const struct dg_log *log, uint64_t icount)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);

  return n > 0 && icount <= clock[n - 1].icount ? mock_clock_at (log, icount)
                                                : 0;
}

struct expected {
  const struct dg_log *log;
  const struct dg_analyse_options *options;
  uint64_t start, end;     /* that are covered */
  uint64_t last_interval;
  const struct dg_plan *plan;
  GPtrArray *shards;       /* GArray of struct mock_item */
};

static uint64_t
interval_of (const struct expected *expected, uint64_t icount)
{
  const struct dg_analyse_options *options = expected->options;
  uint64_t start_ns = mock_clock_at (expected->log, expected->start);
  uint64_t interval = 0;

  if (options->interval_instructions > 0)
    interval = (icount - expected->start) / options->interval_instructions + 1;
  else if (options->interval_ns > 0)
    interval = (mock_clock_at (expected->log, icount) - start_ns)
               / options->interval_ns + 1;
  return MIN (interval, expected->last_interval);
}

static bool
is_chosen (const struct dg_analyse_options *options, uint32_t thread)
{
  for (size_t i = 0; i < options->n_threads; i++)
    if (options->threads[i] == thread)
      return true;
  return options->n_threads == 0;
}

static void
add_items (GArray *items, const struct expected *expected,
           const struct dg_run *run, unsigned i)
{
  const struct dg_filter *filter = expected->options->filter;
  struct mock_item item = {
    .icount = run->icount + i, .context = run->context,
    .thread = run->thread, .slot = -1
  };
  guint at = items->len;

  if (item.icount < expected->start || item.icount >= expected->end
      || (filter
          && !dg_filter_instruction (filter, run->context,
                                     run->bbdef->instrs[i].address,
                                     item.icount)))
    return;
  item.interval = interval_of (expected, item.icount);
  g_array_append_val (items, item);
  for (unsigned k = 0; k < run->n_slots; k++) {
    const struct dg_slot *slot = &run->bbdef->slots[k];
    struct dg_access access = {
      .icount = item.icount, .address = run->addresses[slot->entry],
      .instruction = run->bbdef->instrs[i].address, .size = slot->size,
      .context = run->context, .thread = run->thread, .kind = slot->kind
    };

    item.slot = k;
    item.address = access.address;
    if (slot->iseq == i && access.address != 0
        && (!filter || dg_filter_access (filter, &access)))
      g_array_append_val (items, item);
  }
  if (filter && dg_filter_has_ranges (filter) && items->len == at + 1)
    g_array_set_size (items, at);
}

/* The items of shard `index`; by chunk only that one is read.  */
static GArray *
expected_items (const struct expected *expected, uint32_t index,
                uint32_t thread)
{
  bool by_chunk = expected->plan->shard == DG_SHARD_CHUNK;
  bool by_thread = expected->plan->shard == DG_SHARD_THREAD;
  struct dg_reader *reader
    = dg_reader_new (expected->log, by_chunk ? index : 0,
                     by_chunk ? index + 1 : SIZE_MAX, NULL);
  GArray *items = g_array_new (FALSE, FALSE, sizeof (struct mock_item));
  struct dg_run run;

  while (dg_reader_run (reader, &run, NULL) > 0)
    if (is_chosen (expected->options, run.thread)
        && (!by_thread || run.thread == thread))
      for (unsigned i = 0; i < run.n_instrs; i++)
        add_items (items, expected, &run, i);
  dg_reader_free (reader);
  return items;
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x > y) - (x < y);
}

static struct expected
expect (const struct dg_log *log, const struct dg_analyse_options *options,
        const struct dg_plan *plan)
{
  struct expected expected = { .log = log, .options = options, .plan = plan };
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint64_t length;
  size_t n, n_threads;
  const struct dg_thread *threads = dg_log_threads (log, &n_threads);

  expected.end = dg_log_summary (log)->last_icount;
  if (options->end_icount > 0)
    expected.end = MIN (expected.end, options->end_icount);
  expected.start = MIN (options->start_icount, expected.end);
  length = options->interval_ns > 0
             ? mock_clock_at (log, expected.end)
                 - mock_clock_at (log, expected.start)
             : expected.end - expected.start;
  if (options->interval_instructions + options->interval_ns > 0)
    expected.last_interval
      = (MAX (length, 1) - 1)
          / (options->interval_instructions + options->interval_ns) + 1;
  for (size_t i = 0; i < n_threads; i++)
    g_array_append_val (numbers, threads[i].number);
  g_array_sort (numbers, by_number);
  dg_log_chunks (log, &n);
  n = plan->shard == DG_SHARD_CHUNK ? n
      : plan->shard == DG_SHARD_THREAD ? n_threads
      : plan->shard == DG_SHARD_PART ? plan->parts : 1;
  expected.shards = g_ptr_array_new ();
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (expected.shards,
                     expected_items (&expected, i,
                                     plan->shard == DG_SHARD_THREAD
                                       ? g_array_index (numbers, uint32_t, i)
                                       : 0));
  g_array_unref (numbers);
  return expected;
}

static void
expected_fini (struct expected *expected)
{
  for (guint i = 0; i < expected->shards->len; i++)
    g_array_unref (expected->shards->pdata[i]);
  g_ptr_array_unref (expected->shards);
}

/* ---- Comparing ---- */

static void
compare_items (const GArray *given, const GArray *expected,
               bool has_addresses)
{
  if (!given) {
    g_assert_cmpuint (expected->len, ==, 0);
    return;
  }
  g_assert_cmpuint (given->len, >, 0);
  g_assert_cmpuint (given->len, ==, expected->len);
  for (guint i = 0; i < given->len; i++) {
    const struct mock_item *a = &g_array_index (given, struct mock_item, i);
    const struct mock_item *b = &g_array_index (expected, struct mock_item,
                                                i);

    g_assert_cmpuint (a->icount, ==, b->icount);
    g_assert_cmpuint (a->interval, ==, b->interval);
    g_assert_cmpuint (a->context, ==, b->context);
    g_assert_cmpuint (a->thread, ==, b->thread);
    g_assert_cmpint (a->slot, ==, b->slot);
    if (has_addresses)
      g_assert_cmphex (a->address, ==, b->address);
  }
}

/* Instructions of a shard in an interval and, in *before, in all up to it;
   *first receives the first one in which it has any.  */
static uint64_t
count (const GArray *items, uint64_t interval, uint64_t *before,
       uint64_t *first)
{
  uint64_t n = 0;

  *before = 0;
  *first = DG_NEVER;
  for (guint i = 0; i < items->len; i++) {
    const struct mock_item *item = &g_array_index (items, struct mock_item,
                                                   i);

    if (item->slot >= 0)
      continue;
    *first = MIN (*first, item->interval);
    n += item->interval == interval;
    *before += item->interval <= interval;
  }
  return n;
}

static void
compare_snapshot (const struct mock_snapshot *snapshot,
                  const struct expected *expected, uint64_t interval,
                  uint64_t delta, uint64_t all)
{
  uint64_t step = expected->options->interval_instructions;

  g_assert_cmpuint (snapshot->base.interval, ==, interval);
  g_assert_cmpuint (snapshot->base.instructions_delta, ==, delta);
  g_assert_cmpuint (snapshot->instructions, ==, delta);
  g_assert_cmpuint (snapshot->base.instructions, ==, all);
  g_assert_cmpuint (snapshot->latest, ==, all);
  if (interval == expected->last_interval)
    g_assert_cmpuint (snapshot->base.end_icount, ==, expected->end);
  else if (step > 0)
    g_assert_cmpuint (snapshot->base.end_icount, ==,
                      expected->start + interval * step);
  if (step > 0 || interval == expected->last_interval)
    g_assert_cmpuint (
      snapshot->base.end_ns, ==,
      known_clock_at (expected->log, snapshot->base.end_icount));
  else
    g_assert_cmpuint (snapshot->base.end_ns, ==,
                      mock_clock_at (expected->log, expected->start)
                        + interval * expected->options->interval_ns);
}

/* Whether the shard is asked for a snapshot of an interval.  */
static bool
has_part (const struct expected *expected, uint64_t interval, uint64_t delta,
          uint64_t first)
{
  return expected->plan->shard == DG_SHARD_CHUNK ? delta > 0
                                                 : interval >= first;
}

static void
compare_snapshots (const struct mock *mock, const struct expected *expected)
{
  guint at = 0, part = 0, seen = 0, n = 0;

  for (uint64_t i = 1; i <= expected->last_interval; i++) {
    uint64_t delta = 0, all = 0;
    bool has = false;

    for (guint k = 0; k < expected->shards->len; k++) {
      uint64_t before, first;
      uint64_t here = count (expected->shards->pdata[k], i, &before, &first);
      const struct dg_snapshot *snapshot;

      delta += here;
      all += before;
      if (!has_part (expected, i, here, first))
        continue;
      has = true;
      g_assert_cmpuint (part, <, mock->shard_snapshots->len);
      snapshot = &g_array_index (mock->shard_snapshots, struct dg_snapshot,
                                 part++);
      g_assert_cmpuint (snapshot->shard, ==, k);
      g_assert_cmpuint (snapshot->interval, ==, i);
      g_assert_cmpuint (snapshot->instructions_delta, ==, here);
      g_assert_cmpuint (snapshot->instructions, ==, before);
    }
    n += has;
    /* The mock drops the second one, if there are three.  */
    if (has && n != 2) {
      g_assert_cmpuint (at, <, mock->snapshots->len);
      compare_snapshot (&g_array_index (mock->snapshots, struct mock_snapshot,
                                        at++), expected, i, delta, all);
    } else if (has) {
      seen = 1;
    }
  }
  g_assert_cmpuint (part, ==, mock->shard_snapshots->len);
  if (n == 2)
    at += seen;
  g_assert_cmpuint (at, ==, mock->snapshots->len);
}

void
mock_compare (const struct mock *mock, const struct dg_log *log,
         const struct dg_analyse_options *options, bool has_addresses)
{
  struct expected expected = expect (log, options, &mock->plan);
  uint64_t instructions = 0;

  g_assert_true (mock->is_reported);
  for (guint i = 0; i < expected.shards->len; i++) {
    GArray *items = expected.shards->pdata[i];

    for (guint k = 0; k < items->len; k++)
      instructions += g_array_index (items, struct mock_item, k).slot < 0;
    if (!mock->shares_worker)
      compare_items (i < mock->shards->len ? mock->shards->pdata[i] : NULL,
                     items, has_addresses);
  }
  if (mock->analysis.worker_new)
    g_assert_cmpuint (mock->worker_sum, ==, instructions);
  if (expected.last_interval > 0)
    compare_snapshots (mock, &expected);
  expected_fini (&expected);
}

void
mock_compare_records (const struct mock *mock, const struct dg_log *log)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_record record;
  uint64_t hash = 0;

  while (dg_reader_record (reader, &record, NULL) > 0)
    hash = hash * 31 + record.type + 256 * record.icount + record.n_words;
  g_assert_cmphex (mock->records, ==, hash);
  dg_reader_free (reader);
}
