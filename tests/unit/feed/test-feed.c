/* test-feed.c: batches of chunks are what reading every run and asking the
   filter for every instruction gives: random logs, raw ones and archives;
   windows, intervals, threads and filters.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core_test.h"
#include "feed/feed.h"
#include "filter/filter.h"
#include "log/packed.h"

/* ---- Symbols that the test makes up ---- */

/* Code and call sites of random_text.c, by the last digits of the address. */
struct dg_symbols {
  int unused;
};

size_t
dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, struct dg_frame *out, size_t max)
{
  static const char *const names[] = { "f", "g", "h", NULL };

  g_assert_cmpuint (max, >, 0);
  memset (out, 0, sizeof *out);
  out->function = names[address / 4 * 7 / 3 % 4];
  return 1;
}

/* ---- What is expected ---- */

/* An instruction that counts, or, behind it, one of its accesses that are
   kept.  */
struct item {
  uint64_t icount, interval;
  uint32_t context, thread;
  int slot;                /* -1: the instruction */
  uint64_t address;
};

static void
add_item (GArray *items, const struct dg_run *run, unsigned instr, int slot,
          uint64_t address, uint64_t interval)
{
  struct item item = { 0 };

  item.icount = run->icount + instr;
  item.interval = interval;
  item.context = run->context;
  item.thread = run->thread;
  item.slot = slot;
  item.address = address;
  g_array_append_val (items, item);
}

static bool
is_chosen (const struct dg_feed_plan *plan, uint32_t thread)
{
  for (size_t i = 0; i < plan->n_threads; i++)
    if (plan->threads[i] == thread)
      return true;
  return plan->n_threads == 0;
}

static uint64_t
interval_of (const struct dg_feed_plan *plan, uint64_t icount)
{
  size_t i = 0;

  while (i < plan->n_ends && plan->ends[i] <= icount)
    i++;
  return plan->n_ends > 0 ? i + 1 : 0;
}

static void
expect_instruction (GArray *items, const struct dg_feed_plan *plan,
                    const struct dg_run *run, unsigned i)
{
  uint64_t icount = run->icount + i;
  uint64_t interval = interval_of (plan, icount);
  guint at = items->len;

  if (icount < plan->start_icount || icount >= plan->end_icount
      || (plan->filter
          && !dg_filter_instruction (plan->filter, run->context,
                                     run->bbdef->instrs[i].address, icount)))
    return;
  add_item (items, run, i, -1, 0, interval);
  for (unsigned k = 0; k < run->n_slots; k++) {
    const struct dg_slot *slot = &run->bbdef->slots[k];
    struct dg_access access = {
      .icount = icount, .address = run->addresses[slot->entry],
      .instruction = run->bbdef->instrs[i].address, .size = slot->size,
      .context = run->context, .thread = run->thread, .kind = slot->kind
    };

    if (slot->iseq == i && access.address != 0
        && (!plan->filter || dg_filter_access (plan->filter, &access)))
      add_item (items, run, i, k, access.address, interval);
  }
  if (plan->filter && dg_filter_has_ranges (plan->filter)
      && items->len == at + 1)
    g_array_set_size (items, at);
}

static GArray *
expect (const struct dg_feed_plan *plan)
{
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (plan->log, 0, SIZE_MAX, &err);
  GArray *items = g_array_new (FALSE, FALSE, sizeof (struct item));
  struct dg_run run;
  int code;

  while ((code = dg_reader_run (reader, &run, &err)) > 0)
    for (unsigned i = 0; i < run.n_instrs && is_chosen (plan, run.thread); i++)
      expect_instruction (items, plan, &run, i);
  g_assert_cmpstr (err.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  dg_reader_free (reader);
  return items;
}

/* ---- What is given ---- */

/* A run that is shown in parts is so for a reason.  */
static bool
continues (const struct dg_batch *batch, size_t i)
{
  return i > 0 && batch->runs[i - 1].icount == batch->runs[i].icount
         && batch->runs[i - 1].n_instrs == batch->runs[i].first_instr;
}

static void
take_run (GArray *items, const struct dg_batch *batch,
          const struct dg_run *run, struct dg_access *accesses, size_t *n)
{
  unsigned k = 0;

  g_assert_cmpuint (run->thread, ==, batch->runs[0].thread);
  g_assert_cmpuint (run->first_instr, <, run->n_instrs);
  g_assert_cmpuint (run->n_instrs, <=, run->bbdef->n_instrs);
  g_assert_cmpuint (run->n_slots, <=, run->bbdef->n_slots);
  for (; k < run->n_slots && run->bbdef->slots[k].iseq < run->first_instr; k++)
    if (run->addresses)
      g_assert_cmphex (run->addresses[run->bbdef->slots[k].entry], ==, 0);
  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    add_item (items, run, i, -1, 0, batch->interval);
    for (; k < run->n_slots && run->bbdef->slots[k].iseq == i; k++) {
      const struct dg_slot *slot = &run->bbdef->slots[k];
      uint64_t address = run->addresses ? run->addresses[slot->entry] : 1;

      if (address == 0)
        continue;
      add_item (items, run, i, k, address, batch->interval);
      accesses[(*n)++] = (struct dg_access) {
        .icount = run->icount + i, .address = address,
        .instruction = run->bbdef->instrs[i].address, .size = slot->size,
        .context = run->context, .thread = run->thread, .kind = slot->kind
      };
    }
  }
  g_assert_cmpuint (k, ==, run->n_slots);
}

static void
take_batch (GArray *items, const struct dg_batch *batch)
{
  struct dg_access *expected, *accesses = NULL;
  size_t n = 0, room = 0, slots = 0;
  bool has_addresses = true;

  g_assert_cmpuint (batch->n_runs, >, 0);
  for (size_t i = 0; i < batch->n_runs; i++) {
    slots += batch->runs[i].n_slots;
    has_addresses &= batch->runs[i].addresses != NULL;
    g_assert_false (continues (batch, i));
  }
  expected = g_new (struct dg_access, slots + 1);
  for (size_t i = 0; i < batch->n_runs; i++)
    take_run (items, batch, &batch->runs[i], expected, &n);
  if (has_addresses) {
    g_assert_cmpint (dg_batch_expand (batch, &accesses, &room, NULL), ==, n);
    for (size_t i = 0; i < n; i++) {
      g_assert_cmpuint (accesses[i].icount, ==, expected[i].icount);
      g_assert_cmphex (accesses[i].address, ==, expected[i].address);
      g_assert_cmphex (accesses[i].instruction, ==, expected[i].instruction);
      g_assert_cmpuint (accesses[i].size, ==, expected[i].size);
      g_assert_cmpuint (accesses[i].context, ==, expected[i].context);
      g_assert_cmpuint (accesses[i].thread, ==, expected[i].thread);
      g_assert_cmpuint (accesses[i].kind, ==, expected[i].kind);
    }
  }
  g_free (accesses);
  g_free (expected);
}

/* keeps: by way of a dg_kept, which is used for all chunks.  */
static GArray *
feed (const struct dg_feed_plan *plan, bool keeps)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (struct item));
  struct dg_error err = { 0 };
  struct dg_feeder *feeder = dg_feeder_new (plan, &err);
  struct dg_kept *kept = dg_kept_new (&err);
  struct dg_batch batch;
  size_t n_chunks;
  int code = 0;

  dg_log_chunks (plan->log, &n_chunks);
  for (size_t i = 0; i < n_chunks && code >= 0; i++) {
    code = dg_feeder_open (feeder, i, &err);
    if (keeps && code == 0)
      code = dg_feeder_keep (feeder, kept, &err);
    else
      while (code >= 0 && (code = dg_feeder_next (feeder, &batch, &err)) > 0)
        take_batch (items, &batch);
    for (size_t k = 0; keeps && k < dg_kept_batches (kept); k++) {
      batch = dg_kept_batch (kept, k);
      take_batch (items, &batch);
    }
  }
  g_assert_cmpstr (err.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  g_assert_cmpint (dg_feeder_open (feeder, n_chunks, &err), ==,
                   DG_ERR_INVALID);
  dg_feeder_free (feeder);
  dg_kept_free (kept);
  return items;
}

/* without_addresses: what is given as made may be at any address.  */
static void
assert_same (const GArray *given, const GArray *expected,
             bool without_addresses, bool without_contexts)
{
  g_assert_cmpuint (given->len, ==, expected->len);
  for (guint i = 0; i < given->len; i++) {
    const struct item *a = &g_array_index (given, struct item, i);
    const struct item *b = &g_array_index (expected, struct item, i);

    g_assert_cmpuint (a->icount, ==, b->icount);
    g_assert_cmpuint (a->interval, ==, b->interval);
    if (!without_contexts || a->context != DG_NONE)
      g_assert_cmpuint (a->context, ==, b->context);
    g_assert_cmpuint (a->thread, ==, b->thread);
    g_assert_cmpint (a->slot, ==, b->slot);
    if (!without_addresses)
      g_assert_cmphex (a->address, ==, b->address);
  }
}

/* What runs have in common, and how many there are, the earliest of them.  */
struct alike {
  const struct dg_bbdef *bbdef;
  uint32_t context, thread;
  unsigned first, n_instrs, n_slots;
  uint64_t times, icount;
};

static int
compare_alike (gconstpointer a, gconstpointer b)
{
  const struct alike *x = a, *y = b;

  return memcmp (x, y, offsetof (struct alike, times));
}

/* Sorted; those that are equal made one.  */
static void
join_alike (GArray *all)
{
  struct alike *items = (struct alike *) (void *) all->data;
  guint n = 0;

  g_array_sort (all, compare_alike);
  for (guint i = 0; i < all->len; i++)
    if (n > 0 && compare_alike (&items[n - 1], &items[i]) == 0) {
      items[n - 1].times += items[i].times;
      items[n - 1].icount = MIN (items[n - 1].icount, items[i].icount);
    } else {
      items[n++] = items[i];
    }
  g_array_set_size (all, n);
}

/* counted: how many batches were of runs that are alike.  */
static GArray *
feed_alike (const struct dg_feed_plan *plan, unsigned *counted)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct alike));
  struct dg_error err = { 0 };
  struct dg_feeder *feeder = dg_feeder_new (plan, &err);
  struct dg_batch batch;
  size_t n_chunks;
  int code = 0;

  dg_log_chunks (plan->log, &n_chunks);
  for (size_t i = 0; i < n_chunks && code >= 0; i++) {
    code = dg_feeder_open (feeder, i, &err);
    while (code >= 0 && (code = dg_feeder_next (feeder, &batch, &err)) > 0) {
      *counted += batch.times != NULL;
      for (size_t k = 0; k < batch.n_runs; k++) {
        const struct dg_run *run = &batch.runs[k];
        struct alike one;

        memset (&one, 0, sizeof one);
        one.bbdef = run->bbdef;
        one.context = plan->needs_contexts ? run->context : DG_NONE;
        one.thread = run->thread;
        one.first = run->first_instr;
        one.n_instrs = run->n_instrs;
        one.n_slots = run->n_slots;
        one.times = batch.times != NULL ? batch.times[k] : 1;
        one.icount = run->icount;
        g_array_append_val (all, one);
      }
    }
  }
  g_assert_cmpint (code, ==, 0);
  dg_feeder_free (feeder);
  join_alike (all);
  return all;
}

/* Runs that are alike are the same as those that are given one by one.  */
static unsigned
check_alike (struct dg_feed_plan plan)
{
  unsigned counted = 0;

  plan.needs_addresses = false;
  for (int i = 0; i < 2; i++) {
    GArray *alike, *singly;

    plan.needs_contexts = i > 0;
    plan.takes_alike = false;
    singly = feed_alike (&plan, &counted);
    plan.takes_alike = true;
    alike = feed_alike (&plan, &counted);
    g_assert_cmpmem (alike->data, alike->len * sizeof (struct alike),
                     singly->data, singly->len * sizeof (struct alike));
    g_array_unref (alike);
    g_array_unref (singly);
  }
  return counted;
}

/* What looking contexts up takes is given back each time, and made again only
   for those who need them.  */
static void
check (struct dg_feed_plan *plan)
{
  struct dg_packed *packed = plan->log->contents.packed;
  GArray *expected = expect (plan);

  for (int i = 0; i < 8; i++) {
    GArray *given;

    if (packed != NULL)
      dg_packed_spare (packed);
    plan->needs_addresses = i % 4 < 2;
    plan->needs_contexts = i < 4;
    given = feed (plan, i % 2);
    assert_same (given, expected, i % 4 >= 2, i >= 4);
    if (packed != NULL)
      g_assert_true ((packed->places == NULL)
                     == (i >= 4 && plan->filter == NULL));
    g_array_unref (given);
  }
  g_array_unref (expected);
  check_alike (*plan);
}

/* ---- Random plans ---- */

static unsigned
below (unsigned n)
{
  return g_test_rand_int_range (0, n);
}

static void
check_random (const struct dg_log *log)
{
  static const char *const sides[][2] = {
    { "", "" }, { "", "" }, { "user:e0", "" }, { "fn:f", "" },
    { "fn:g,user:e1", "" }, { "", "range" }, { "", "malloc" },
    { "fn:h", "range,malloc" }, { "fn:f,fn:g,fn:h", "fn:f" },
    { "user:e2,user:e0", "user:r" }, { "user:none", "" }, { "", "user:none" }
  };
  uint64_t last = dg_log_summary (log)->last_icount;
  unsigned side = below (G_N_ELEMENTS (sides));
  struct dg_symbols symbols;
  struct dg_filter *filter = dg_filter_new (log, &symbols, NULL,
                                            sides[side][0], sides[side][1],
                                            NULL, NULL, NULL);
  struct dg_feed_plan plan = { .log = log, .end_icount = DG_NEVER };
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  uint32_t threads[3] = { 1 + below (2), 3, 4 };

  if (side > 0)
    plan.filter = filter;
  if (below (3) == 0)
    plan.start_icount = below (last + 2);
  if (below (3) == 0)
    plan.end_icount = plan.start_icount + below (last + 2);
  if (below (3) == 0) {
    plan.threads = threads;
    plan.n_threads = 1 + below (3);
  }
  if (below (2))
    for (uint64_t end = plan.start_icount, step = 1 + below (100);
         end < last; g_array_append_val (ends, end))
      end += 1 + below (2 * step);
  plan.ends = (const uint64_t *) (void *) ends->data;
  plan.n_ends = ends->len;
  check (&plan);
  g_array_unref (ends);
  dg_filter_free (filter);
}

static void
test_random (void)
{
  core_test_random (g_test_slow () ? 300 : 40, 6000, check_random);
}

/* ---- Stretches ---- */

/* Whether a chunk has a moment of one stretch in `one_in`.  */
static bool
is_needed (const struct dg_feed_plan *plan, const struct dg_chunk *chunk)
{
  for (uint64_t i = chunk[0].icount; i < chunk[1].icount; i++)
    if (i / plan->stretch % plan->one_in == 0)
      return true;
  return false;
}

static uint64_t
count_fed (const struct dg_feed_plan *plan, size_t chunk)
{
  struct dg_feeder *feeder = dg_feeder_new (plan, NULL);
  struct dg_batch batch;
  uint64_t n = 0;

  g_assert_cmpint (dg_feeder_open (feeder, chunk, NULL), ==, 0);
  while (dg_feeder_next (feeder, &batch, NULL) > 0)
    for (size_t i = 0; i < batch.n_runs; i++)
      n += batch.runs[i].n_instrs;
  dg_feeder_free (feeder);
  return n;
}

/* Chunks are complete, or empty if nothing of them is needed.  */
static void
check_stretches (const struct dg_log *log)
{
  struct dg_feed_plan all = { .log = log, .end_icount = DG_NEVER };
  struct dg_feed_plan plan = all;
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);

  plan.stretch = 1 + below (40);
  plan.one_in = 2 + below (4);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (count_fed (&plan, i), ==,
                      i + 1 == n || is_needed (&plan, &chunks[i])
                        ? count_fed (&all, i) : 0);
}

static void
test_stretches (void)
{
  core_test_random (g_test_slow () ? 300 : 40, 6000, check_stretches);
}

/* ---- By hand ---- */

#define BLOCK \
  "bbdef [0x100+1 0x101+1 0x102+1 0x103+1] [R4@0 W8@1 R300@1 W2@3]\n" \
  "context 0 [0x100 0x900]\n"
#define RUN "bbrun 0 4 [0x10 0x20 0x30 0x12f 0x40]\n"

/* What batches there are, and what runs in them.  */
static char *
describe (const struct dg_feed_plan *plan)
{
  struct dg_feeder *feeder = dg_feeder_new (plan, NULL);
  GString *text = g_string_new (NULL);
  struct dg_batch batch;
  size_t n_chunks;

  dg_log_chunks (plan->log, &n_chunks);
  for (size_t i = 0; i < n_chunks; i++) {
    g_assert_cmpint (dg_feeder_open (feeder, i, NULL), ==, 0);
    while (dg_feeder_next (feeder, &batch, NULL) > 0) {
      g_string_append_printf (text, "%d:", (int) batch.interval);
      for (size_t k = 0; k < batch.n_runs; k++) {
        const struct dg_run *run = &batch.runs[k];

        g_string_append_printf (text, " %d+%d..%d/%d", (int) run->icount,
                                run->first_instr, run->n_instrs,
                                run->n_slots);
      }
      g_string_append (text, "\n");
    }
  }
  dg_feeder_free (feeder);
  return g_string_free (text, FALSE);
}

static void
assert_described (const char *log_text, struct dg_feed_plan plan,
                  const char *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (log_text, &bytes);
  struct dg_log *packed = core_test_pack (log);

  for (int i = 0; i < 4; i++) {
    char *text;

    plan.log = i % 2 ? packed : log;
    plan.needs_addresses = i / 2;
    plan.needs_contexts = true;
    text = describe (&plan);
    g_assert_cmpstr (text, ==, expected);
    g_free (text);
  }
  dg_log_close (packed);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Runs of one thread that follow one another are counted; others are not.  */
static void
test_alike (void)
{
  static const struct {
    const char *text;
    uint64_t end;
    unsigned counted;
  } cases[] = {
    { BLOCK RUN RUN RUN, DG_NEVER, 2 },
    { BLOCK RUN "bbrun 0 2 [0x10 0x20 0x30 0x12f]\n" RUN, DG_NEVER, 2 },
    { BLOCK RUN "bbrun 0 4 [0x10 0 0x30 0x12f 0x40]\n" RUN, DG_NEVER, 0 },
    { BLOCK RUN "thread_switch 5\n" RUN, DG_NEVER, 0 },
    { BLOCK RUN RUN RUN, 7, 0 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct dg_feed_plan plan = { .end_icount = cases[i].end };
    GByteArray *bytes;
    struct dg_log *log = core_test_log (cases[i].text, &bytes);
    struct dg_log *packed = core_test_pack (log);

    plan.log = log;
    g_assert_cmpuint (check_alike (plan), ==, 0);
    plan.log = packed;
    g_assert_cmpuint (check_alike (plan), ==, cases[i].counted);
    dg_log_close (packed);
    dg_log_close (log);
    g_byte_array_unref (bytes);
  }
}

static void
test_cuts (void)
{
  const uint64_t ends[] = { 4, 4, 6, 100 };
  const char *three = BLOCK RUN RUN RUN;

  /* A run is cut at both ends; the window before intervals.  */
  assert_described (three, (struct dg_feed_plan) { .end_icount = DG_NEVER },
                    "0: 0+0..4/4 4+0..4/4 8+0..4/4\n");
  assert_described (three, (struct dg_feed_plan) { .start_icount = 1,
                                                   .end_icount = 3 },
                    "0: 0+1..3/3\n");
  assert_described (three, (struct dg_feed_plan) { .start_icount = 3,
                                                   .end_icount = 9 },
                    "0: 0+3..4/4 4+0..4/4 8+0..1/1\n");
  assert_described (three, (struct dg_feed_plan) { .start_icount = 3,
                                                   .end_icount = 3 }, "");
  assert_described (three, (struct dg_feed_plan) { .start_icount = 12,
                                                   .end_icount = DG_NEVER },
                    "");
  assert_described (three,
                    (struct dg_feed_plan) { .end_icount = 11, .ends = ends,
                                            .n_ends = 4 },
                    "1: 0+0..4/4\n3: 4+0..2/3\n4: 4+2..4/4 8+0..3/3\n");
  /* Behind the last end, too.  */
  assert_described (three,
                    (struct dg_feed_plan) { .start_icount = 3,
                                            .end_icount = DG_NEVER,
                                            .ends = ends, .n_ends = 3 },
                    "1: 0+3..4/4\n3: 4+0..2/3\n4: 4+2..4/4 8+0..4/4\n");
}

static void
test_threads (void)
{
  const uint32_t threads[] = { 2, 5, 9 };
  const char *text = BLOCK RUN "thread_switch 5\n" RUN RUN "thread_switch 2\n"
                     RUN "bbrun 0 0 []\nthread_switch 1\n" RUN;

  assert_described (text, (struct dg_feed_plan) { .end_icount = DG_NEVER },
                    "0: 0+0..4/4\n0: 4+0..4/4 8+0..4/4\n0: 12+0..4/4\n"
                    "0: 16+0..4/4\n");
  assert_described (text,
                    (struct dg_feed_plan) { .end_icount = DG_NEVER,
                                            .threads = threads,
                                            .n_threads = 3 },
                    "0: 4+0..4/4 8+0..4/4\n0: 12+0..4/4\n");
}

/* A chunk that is not in the window is not even looked at.  */
static void
test_passed (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN "chunk\n" RUN "chunk\n" RUN,
                                      &bytes);
  struct dg_feed_plan plan = { .log = log, .start_icount = 5,
                               .end_icount = 8 };
  size_t n_chunks;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n_chunks);
  char *text;

  g_assert_cmpuint (n_chunks, ==, 3);
  memset (bytes->data + chunks[2].offset, 0xff,
          bytes->len - chunks[2].offset);
  text = describe (&plan);
  g_assert_cmpstr (text, ==, "0: 4+1..4/4\n");
  g_free (text);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* An error comes after what stands before it, and again.  */
static void
test_changed (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN RUN, &bytes);
  struct dg_feed_plan plan = { .log = log, .end_icount = DG_NEVER };
  struct dg_feeder *feeder = dg_feeder_new (&plan, NULL);
  struct dg_kept *kept = dg_kept_new (NULL);
  struct dg_error err = { 0 };
  struct dg_batch batch;

  /* The number of instructions of the last run.  */
  bytes->data[bytes->len - 41] = 77;
  g_assert_cmpint (dg_feeder_open (feeder, 0, &err), ==, 0);
  g_assert_cmpint (dg_feeder_next (feeder, &batch, &err), ==, 1);
  g_assert_cmpuint (batch.n_runs, ==, 1);
  g_assert_cmpint (err.code, ==, 0);
  g_assert_cmpint (dg_feeder_next (feeder, &batch, &err), ==, DG_ERR_DAMAGED);
  g_assert_cmpint (err.code, ==, DG_ERR_DAMAGED);
  g_assert_cmpint (dg_feeder_next (feeder, &batch, NULL), ==, DG_ERR_DAMAGED);
  g_assert_cmpint (dg_feeder_open (feeder, 0, &err), ==, 0);
  g_assert_cmpint (dg_feeder_keep (feeder, kept, &err), ==, DG_ERR_DAMAGED);
  dg_kept_free (kept);
  dg_feeder_free (feeder);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/random", test_random);
  g_test_add_func ("/feed/stretches", test_stretches);
  g_test_add_func ("/feed/alike", test_alike);
  g_test_add_func ("/feed/cuts", test_cuts);
  g_test_add_func ("/feed/threads", test_threads);
  g_test_add_func ("/feed/passed", test_passed);
  g_test_add_func ("/feed/changed", test_changed);
  return g_test_run ();
}
