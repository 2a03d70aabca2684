/* test-sharing.c: how lines go from thread to thread, against a plain model
   with a cache for each thread, however the log is divided; counts that are
   taken together, in any order; cells.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>
#include <unistd.h>

#include "libdatagrind.h"
#include "analyses/sharing/sharing_cells.h"
#include "analyses/sharing/sharing_counts.h"
#include "analyses/sharing/sharing_lines.h"
#include "variables/contention.h"
#include "core_test.h"
#include "unit_main.h"

#define LINES   5
#define THREADS 6

/* ---- Lines -------------------------------------------------------------- */

struct event {
  uint64_t line, bytes;
  uint32_t thread;
  bool is_write;
  uint64_t stop;           /* if another thread's event follows: since when
                              this one could run on */
};

/* What a thread's cache knows of a line.  */
struct cached {
  bool was_there, is_valid;
  uint64_t foreign, touched, written, reads, writes;
  uint64_t true_transfers, false_transfers;
};

static GArray *
random_events (GRand *rand, unsigned n)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (struct event));
  uint32_t thread = 1;

  for (unsigned i = 0; i < n; i++) {
    struct event event = { .line = (uint64_t) g_rand_int_range (rand, 0,
                                                               LINES) };
    int first = g_rand_int_range (rand, 0, 15) * 4;

    if (g_rand_int_range (rand, 0, 4) == 0)
      thread = (uint32_t) g_rand_int_range (rand, 1, THREADS + 1);
    event.thread = thread;
    event.bytes = (uint64_t) (g_rand_int_range (rand, 0, 2) ? 0xff : 0xf)
                  << first;
    event.is_write = g_rand_int_range (rand, 0, 3) == 0;
    event.stop = (uint64_t[]){ i + 1, i + 1, SHARING_WAITS, SHARING_PERHAPS }
      [g_rand_int_range (rand, 0, 4)];
    g_array_append_val (events, event);
  }
  return events;
}

static void
model (const GArray *events, struct cached cached[LINES][THREADS + 1])
{
  for (guint i = 0; i < events->len; i++) {
    const struct event *e = &g_array_index (events, struct event, i);
    struct cached *own = &cached[e->line][e->thread];

    if (own->was_there && !own->is_valid) {
      if (own->foreign & e->bytes)
        own->true_transfers++;
      else
        own->false_transfers++;
    }
    own->was_there = own->is_valid = true;
    own->foreign = 0;
    own->touched |= e->bytes;
    own->reads += !e->is_write;
    own->writes += e->is_write;
    if (!e->is_write)
      continue;
    own->written |= e->bytes;
    for (unsigned t = 1; t <= THREADS; t++) {
      struct cached *other = &cached[e->line][t];

      if (t == e->thread)
        continue;
      other->is_valid = false;
      other->foreign |= e->bytes;
    }
  }
}

static void
compare (const struct sharing_lines *lines,
         struct cached cached[LINES][THREADS + 1])
{
  uint32_t users = 0;

  for (uint32_t i = 0; i < lines->n_users; i++) {
    const struct sharing_user *user = &lines->users[i];
    const struct cached *c =
      &cached[lines->lines[user->line].line][user->thread];

    g_assert_true (c->was_there);
    g_assert_cmpuint (user->reads, ==, c->reads);
    g_assert_cmpuint (user->writes, ==, c->writes);
    g_assert_cmpuint (user->true_transfers, ==, c->true_transfers);
    g_assert_cmpuint (user->false_transfers, ==, c->false_transfers);
  }
  for (unsigned l = 0; l < LINES; l++)
    for (unsigned t = 1; t <= THREADS; t++)
      users += cached[l][t].was_there;
  g_assert_cmpuint (lines->n_users, ==, users);
}

/* Compares the turns in which threads took lines from each other.  Where a
   turn goes on from one part to the next, the lines do not know since when its
   thread could run: these turns may be of the kind "perhaps" there.  */
static void
compare_turns (const struct sharing_lines *lines, const GArray *events,
               bool is_one_part)
{
  uint64_t ready[THREADS + 1], now[LINES] = { 0 };
  uint32_t latest[LINES] = { 0 };
  uint64_t sums[LINES][SHARING_TURN_OTHER + 1] = { { 0 } };
  enum sharing_turn turn[LINES] = { SHARING_TURN_FIRST };
  bool was_there[LINES][THREADS + 1] = { { false } };

  for (unsigned t = 0; t <= THREADS; t++)
    ready[t] = SHARING_UNKNOWN;
  /* The log has a first thread, from its beginning.  */
  ready[1] = 0;
  for (guint i = 0; i < events->len; i++) {
    const struct event *e = &g_array_index (events, struct event, i);
    uint64_t since = ready[e->thread];

    if (i > 0 && e[-1].thread != e->thread)
      ready[e[-1].thread] = e[-1].stop;
    since = ready[e->thread];
    if (latest[e->line] != 0 && latest[e->line] != e->thread)
      turn[e->line] = since == SHARING_PERHAPS
                        ? (was_there[e->line][e->thread] ? SHARING_TURN_PERHAPS
                                                         : SHARING_TURN_OTHER)
                      : since <= now[e->line]
                        ? (was_there[e->line][e->thread] ? SHARING_TURN_OVERLAP
                                                         : SHARING_TURN_START)
                      : was_there[e->line][e->thread] ? SHARING_TURN_RETURN
                                                      : SHARING_TURN_OTHER;
    sums[e->line][turn[e->line]]++;
    latest[e->line] = e->thread;
    now[e->line] = i;
    was_there[e->line][e->thread] = true;
  }
  for (uint32_t i = 0; i < lines->n_lines; i++) {
    const struct sharing_line *line = &lines->lines[i];
    const uint64_t *of_line = sums[line->line];

    g_assert_cmpuint (line->overlaps, <=, of_line[SHARING_TURN_OVERLAP]);
    g_assert_cmpuint (line->starts, <=, of_line[SHARING_TURN_START]);
    g_assert_cmpuint (line->returns, <=, of_line[SHARING_TURN_RETURN]);
    g_assert_cmpuint (line->overlaps + line->returns + line->perhaps, ==,
                      of_line[SHARING_TURN_OVERLAP]
                        + of_line[SHARING_TURN_RETURN]
                        + of_line[SHARING_TURN_PERHAPS]);
    if (!is_one_part)
      continue;
    g_assert_cmpuint (line->overlaps, ==, of_line[SHARING_TURN_OVERLAP]);
    g_assert_cmpuint (line->starts, ==, of_line[SHARING_TURN_START]);
    g_assert_cmpuint (line->returns, ==, of_line[SHARING_TURN_RETURN]);
  }
}

static void
add_event (struct sharing_lines *part, struct sharing_turns *turns,
           const struct dg_log *log, const struct event *e, guint i)
{
  struct sharing_touch touch = { .line = e->line, .bytes = e->bytes,
                                 .icount = i, .thread = e->thread,
                                 .is_write = e->is_write };

  if (turns->thread == 0)
    turns->begin = i;
  else if (turns->thread != e->thread)
    sharing_turns_set (turns, turns->thread, e[-1].stop);
  turns->thread = e->thread;
  touch.since = sharing_turns_ready (turns, log, e->thread);
  sharing_lines_access (part, &touch);
}

/* most_in_part 0: all in one.  */
static void
check_events (const GArray *events, GRand *rand, guint most_in_part)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log ("end\n", &bytes);
  struct cached cached[LINES][THREADS + 1];
  struct sharing_lines all = { 0 };
  struct sharing_turns all_turns = { 0 };

  memset (cached, 0, sizeof cached);
  model (events, cached);
  for (guint i = 0; i < events->len;) {
    guint n = most_in_part == 0
                ? events->len
                : (guint) g_rand_int_range (rand, 1, (gint) most_in_part + 1);
    struct sharing_lines part = { .is_part = true };
    struct sharing_turns turns = { 0 };
    const struct event *e = &g_array_index (events, struct event, i);

    /* A turn that ends with the part.  */
    if (i > 0 && e[-1].thread != e->thread)
      sharing_turns_set (&all_turns, e[-1].thread, e[-1].stop);
    for (; n > 0 && i < events->len; n--, i++)
      add_event (&part, &turns, log,
                 &g_array_index (events, struct event, i), i);
    sharing_lines_append (&all, &part, &all_turns, log);
    sharing_turns_append (&all_turns, &turns);
    sharing_lines_fini (&part);
    sharing_turns_fini (&turns);
  }
  compare (&all, cached);
  compare_turns (&all, events, most_in_part == 0);
  sharing_lines_fini (&all);
  sharing_turns_fini (&all_turns);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_lines (void)
{
  for (guint32 seed = 1; seed <= 200; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    GArray *events = random_events (rand, 10 * seed);

    check_events (events, rand, 0);
    check_events (events, rand, 1);
    check_events (events, rand, 10);
    check_events (events, rand, 300);
    check_events (events, rand, 100000);
    g_array_unref (events);
    g_rand_free (rand);
  }
}

static void
test_many_users (void)
{
  struct sharing_lines all = { .most_users = 100 };
  struct sharing_lines part = { .is_part = true };

  for (uint32_t t = 1; t <= 1000; t++)
    sharing_lines_access (&part, &(struct sharing_touch){
                                   .line = t % 10, .thread = t, .bytes = 1,
                                   .since = SHARING_WAITS, .is_write = true });
  sharing_lines_append (&all, &part, &(struct sharing_turns){ 0 }, NULL);
  g_assert_cmpuint (all.n_users, ==, 100);
  g_assert_cmpuint (all.left_out, ==, 900);
  sharing_lines_fini (&all);
  sharing_lines_fini (&part);
}

/* ---- Counts ------------------------------------------------------------- */

static struct dg_sum
random_count (GRand *rand)
{
  return (struct dg_sum){
    .key = { [SHARING_ADDRESS] = (uint64_t) g_rand_int_range (rand, 0, 100000),
             [SHARING_VARIABLE] = (uint64_t) g_rand_int_range (rand, 0, 3),
             [SHARING_THREAD] = (uint64_t) g_rand_int_range (rand, 1, 4) },
    .reads = (uint64_t) g_rand_int_range (rand, 0, 9),
    .writes = 1,
    .least = (uint64_t) g_rand_int_range (rand, 0, 1000)
  };
}

static void
add (struct sharing_counts *counts, const struct dg_sum *count)
{
  struct dg_sum *to = sharing_counts_find (counts, count->key);

  to->least = MIN (to->least, count->least);
  to->reads += count->reads;
  to->writes += count->writes;
}

/* Adds counts in lots of so many: all of them, or from the last one on.  */
static void
add_lots (struct sharing_sums *sums, const struct dg_sum *counts, guint n,
          guint lot, bool is_back)
{
  for (guint i = 0; i < n;) {
    struct sharing_counts part = { 0 };
    struct dg_packed_sums packed = { .n_runs = 0 };

    for (guint k = 0; k < lot && i < n; k++, i++)
      add (&part, &counts[is_back ? n - 1 - i : i]);
    g_assert_cmpint (sharing_counts_pack (&part, &packed), ==, 0);
    g_assert_cmpuint (part.n, ==, 0);
    sharing_sums_take (sums, &packed);
    sharing_counts_fini (&part);
  }
  sharing_sums_settle (sums);
  g_assert_false (sums->failed);
}

/* Whether two have the same.  */
static void
compare_sums (struct sharing_sums *a, struct sharing_sums *b)
{
  struct dg_sums_cursor x = dg_sums_begin (&a->packed, false);
  struct dg_sums_cursor y = dg_sums_begin (&b->packed, false);
  const struct dg_sum *p, *q;

  g_assert_cmpuint (sharing_sums_grain (a), ==, sharing_sums_grain (b));
  do {
    p = dg_sums_next (&x);
    q = dg_sums_next (&y);
    g_assert_true ((p == NULL) == (q == NULL));
    if (p != NULL)
      g_assert_cmpmem (p, sizeof *p, q, sizeof *q);
  } while (p != NULL);
}

static uint64_t
add_up (struct sharing_sums *sums)
{
  struct dg_sums_cursor cursor = dg_sums_begin (&sums->packed, false);
  const struct dg_sum *sum;
  uint64_t accesses = 0;

  while ((sum = dg_sums_next (&cursor)) != NULL)
    accesses += sum->reads + sum->writes;
  return accesses;
}

static void
test_counts (void)
{
  static const uint32_t most[] = { 0, 20000, 3000, 1000, 50, 10 };

  for (gsize m = 0; m < G_N_ELEMENTS (most); m++) {
    GRand *rand = g_rand_new_with_seed (1);
    struct sharing_sums forth = { .most = most[m] };
    struct sharing_sums back = { .most = most[m] };
    struct sharing_sums joined = { .most = most[m] };
    struct dg_sum counts[5000];
    const guint n = G_N_ELEMENTS (counts);
    uint64_t sum = 0;

    for (guint i = 0; i < n; i++) {
      counts[i] = random_count (rand);
      sum += counts[i].reads + counts[i].writes;
    }
    add_lots (&forth, counts, n, 1, false);
    add_lots (&back, counts, n, 1, true);
    add_lots (&joined, counts, n, 700, false);
    compare_sums (&forth, &back);
    compare_sums (&forth, &joined);
    g_assert_cmpuint (add_up (&forth), ==, sum);
    if (most[m] > 0)
      g_assert_cmpuint (dg_packed_sums_most (&forth.packed), <=, most[m]);
    else
      g_assert_cmpuint (sharing_sums_grain (&forth), ==, 1);
    sharing_sums_fini (&forth);
    sharing_sums_fini (&back);
    sharing_sums_fini (&joined);
    g_rand_free (rand);
  }
}

/* ---- Cells -------------------------------------------------------------- */

#define SPAN 20000

struct tally {
  uint32_t counts[3][SPAN][2];
  uint64_t told;
};

/* Takes what a cell has from what is expected.  */
static void
take_cell (void *user, uint64_t address, uint32_t thread,
           const struct sharing_cell *cell)
{
  struct tally *tally = user;

  for (unsigned kind = 0; kind < 2; kind++) {
    g_assert_cmpuint (tally->counts[thread][address][kind], ==,
                      cell->counts[kind]);
    tally->counts[thread][address][kind] = 0;
  }
  tally->told++;
}

static void
check_gone (const struct tally *tally, uint64_t low, uint64_t high)
{
  for (unsigned thread = 0; thread < 3; thread++)
    for (uint64_t address = low; address < MIN (high, SPAN); address++)
      g_assert_true ((tally->counts[thread][address][0]
                      | tally->counts[thread][address][1]) == 0);
}

static void
test_cells (void)
{
  GRand *rand = g_rand_new_with_seed (7);
  struct tally *tally = g_new0 (struct tally, 1);
  struct sharing_cells cells;

  sharing_cells_init (&cells);
  for (unsigned round = 0; round < 300; round++) {
    uint64_t low = (uint64_t) g_rand_int_range (rand, 0, SPAN);
    uint64_t high = low + (uint64_t) g_rand_int_range (rand, 0, 9000);

    for (unsigned i = 0; i < 500; i++) {
      uint64_t address = (uint64_t) g_rand_int_range (rand, 0, SPAN);
      unsigned kind = (unsigned) g_rand_int_range (rand, 0, 2);

      if (i % 100 == 0)
        sharing_cells_set_thread (
          &cells, (uint32_t) g_rand_int_range (rand, 0, 3));
      sharing_cells_count (&cells, address, kind);
      tally->counts[cells.thread][address][kind]++;
    }
    sharing_cells_gather (&cells, low, high, take_cell, tally);
    check_gone (tally, low, high);
    if (round % 50 == 49) {
      sharing_cells_gather_all (&cells, take_cell, tally);
      check_gone (tally, 0, SPAN);
    }
  }
  g_assert_cmpuint (tally->told, >, 1000);
  sharing_cells_fini (&cells);
  g_free (tally);
  g_rand_free (rand);
}

/* ---- Contention --------------------------------------------------------- */

/* What a plain count of two threads' spots without any order comes to; bytes
   are single.  */
static void
judge_plainly (const struct dg_spot *spots, unsigned n,
               struct dg_line_verdict *out)
{
  memset (out, 0, sizeof *out);
  for (unsigned i = 0; i < n; i++) {
    double own = 0, others = 0, same = 0, needed, taken;
    double accesses = (double) (spots[i].reads + spots[i].writes);

    for (unsigned k = 0; k < n; k++)
      if (spots[k].thread == spots[i].thread)
        own += (double) (spots[k].reads + spots[k].writes);
      else
        others += (double) spots[k].writes;
    for (unsigned k = 0; k < n; k++)
      if (spots[k].thread != spots[i].thread
          && spots[k].first == spots[i].first)
        same += (double) spots[k].writes;
    if (others <= 0 || accesses <= 0)
      continue;
    taken = others / (own + others);
    needed = MIN (taken, same / (accesses + same));
    out->transfers += accesses * taken;
    out->false_transfers += accesses * (taken - needed);
    out->true_accesses += accesses * needed / taken;
    out->false_accesses += accesses * (1 - needed / taken);
  }
}

static void
assert_near (double a, double b)
{
  g_assert_cmpfloat (a - b, <, 1e-6);
  g_assert_cmpfloat (b - a, <, 1e-6);
}

/* Random spots in any order, in parts; no log, so nothing is in order.  */
static void
test_contention (void)
{
  struct dg_error err = { 0 };
  char *path = NULL;
  int fd = g_file_open_tmp ("sharing-XXXXXX.dg", &path, NULL);
  static const unsigned char head[] = { 0, 14, 'D', 'A', 'T', 'A', 'G', 'R',
                                        'I', 'N', 'D', '1', 0, 1, 0, 8 };
  struct dg_log *log;
  struct dg_phases *phases;

  g_assert_cmpint (write (fd, head, sizeof head), ==, sizeof head);
  close (fd);
  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  phases = dg_phases_new (log, &err);
  g_assert_nonnull (phases);
  g_assert_cmpint (dg_phases_known (phases), ==, DG_PHASES_STARTS);
  for (guint32 seed = 1; seed <= 300; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    struct dg_contention *sums = dg_contention_new (0);
    struct dg_contention *part = dg_contention_new (0);
    struct dg_spot spots[12];
    struct dg_line_verdict wanted;
    const struct dg_line_verdict *got;
    unsigned n = 0;

    for (unsigned i = 0; i < 12; i++)
      if (g_rand_boolean (rand))
        spots[n++] = (struct dg_spot){
          .line = 7, .thread = 1 + i / 4, .first = (uint8_t) (i % 4),
          .last = (uint8_t) (i % 4),
          .reads = (uint64_t) g_rand_int_range (rand, 0, 50),
          .writes = (uint64_t) g_rand_int_range (rand, 0, 50) };
    judge_plainly (spots, n, &wanted);
    for (unsigned i = n; i > 0; i--) {
      struct dg_spot half = spots[i - 1];

      g_assert_cmpint (dg_contention_add (i % 2 ? sums : part, &half), ==, 0);
      half.reads = half.writes = 0;
      half.line = 8 + seed % 50;
      g_assert_cmpint (dg_contention_add (sums, &half), ==, 0);
    }
    g_assert_cmpint (dg_contention_join (sums, part), ==, 0);
    g_assert_cmpint (dg_contention_judge (sums, phases, &err), ==,
                     n > 0 ? 2 : 0);
    got = dg_contention_verdict (sums, 7);
    g_assert_true ((got != NULL) == (n > 0));
    if (got != NULL) {
      assert_near (got->transfers, wanted.transfers);
      assert_near (got->false_transfers, wanted.false_transfers);
      assert_near (got->true_accesses, wanted.true_accesses);
      assert_near (got->false_accesses, wanted.false_accesses);
      g_assert_cmpint (dg_contention_verdict (sums, 8 + seed % 50)->kind, ==,
                       DG_LINE_QUIET);
    }
    g_assert_null (dg_contention_verdict (sums, 6));
    dg_contention_free (part);
    dg_contention_free (sums);
    g_rand_free (rand);
  }
  dg_phases_free (phases);
  dg_log_close (log);
  unlink (path);
  g_free (path);
}

/* Beyond a bound, spots that are there already still count, and others are
   left out, however often the table was emptied.  */
static void
test_most_spots (void)
{
  enum { MOST = 3 * DG_CONTENTION_TABLE / 2 };
  struct dg_contention *sums = dg_contention_new (MOST);
  const struct dg_spot *spots;

  for (unsigned round = 0; round < 3; round++)
    for (uint64_t i = 0; i < 2 * MOST; i++) {
      struct dg_spot spot = { .line = i * 7919 % (2 * MOST), .thread = 1,
                              .first = 3, .last = 4, .reads = 1,
                              .writes = 2 };

      g_assert_cmpint (dg_contention_add (sums, &spot), ==, 0);
    }
  g_assert_cmpuint (dg_contention_left_out (sums), ==, 3 * 3 * MOST);
  g_assert_cmpint (dg_contention_close (sums), ==, 0);
  g_assert_cmpint (dg_packed_sums_settle (&sums->sums), ==, 0);
  g_assert_cmpuint (dg_packed_sums_most (&sums->sums), ==, MOST);
  spots = dg_contention_spots (sums);
  for (unsigned i = 0; i < MOST; i++) {
    g_assert_cmpuint (spots[i].reads, ==, 3);
    g_assert_cmpuint (spots[i].writes, ==, 6);
    g_assert_true (spots[i].first == 3 && spots[i].last == 4);
    g_assert_true (i == 0 || spots[i - 1].line < spots[i].line);
  }
  dg_contention_free (sums);
}

/* What is moved is the same as what is added.  */
static void
test_take (void)
{
  static const uint32_t most[] = { 0, 1000, 40 };

  for (gsize m = 0; m < G_N_ELEMENTS (most); m++) {
    struct dg_contention *added = dg_contention_new (most[m]);
    struct dg_contention *taken = dg_contention_new (most[m]);
    GRand *rand = g_rand_new_with_seed (1);
    uint64_t n;

    for (unsigned part = 0; part < 20; part++) {
      struct dg_contention *new = dg_contention_new (0);

      for (unsigned i = 0; i < 20; i++) {
        struct dg_spot spot = { .line = (uint64_t) part * 50 + i,
                                .thread = 1, .reads = 1 };

        if (i % 4 > 0)
          spot.line = (uint64_t) g_rand_int_range (rand, 0, 10);
        g_assert_cmpint (dg_contention_add (new, &spot), ==, 0);
      }
      g_assert_cmpint (dg_contention_join (added, new), ==, 0);
      g_assert_cmpint (dg_contention_take (taken, new), ==, 0);
      dg_contention_free (new);
    }
    g_assert_cmpint (dg_contention_close (added), ==, 0);
    g_assert_cmpint (dg_contention_close (taken), ==, 0);
    g_assert_cmpint (dg_packed_sums_settle (&added->sums), ==, 0);
    g_assert_cmpint (dg_packed_sums_settle (&taken->sums), ==, 0);
    n = dg_packed_sums_most (&added->sums);
    g_assert_cmpuint (dg_packed_sums_most (&taken->sums), ==, n);
    g_assert_cmpuint (n, ==, most[m] == 40 ? 40 : 107);
    g_assert_cmpuint (dg_contention_left_out (taken), ==,
                      dg_contention_left_out (added));
    dg_contention_free (added);
    dg_contention_free (taken);
    g_rand_free (rand);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sharing/lines", test_lines);
  g_test_add_func ("/sharing/many-users", test_many_users);
  g_test_add_func ("/sharing/counts", test_counts);
  g_test_add_func ("/sharing/cells", test_cells);
  g_test_add_func ("/sharing/contention", test_contention);
  g_test_add_func ("/sharing/most-spots", test_most_spots);
  g_test_add_func ("/sharing/take", test_take);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
