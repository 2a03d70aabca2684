/* test-tally.c: sums of views of random logs against what a walk over all
   accesses says that was written for this test and knows nothing of the
   library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/tally/tally.h"
#include "model/tally/place_sums.h"

#include <unistd.h>

#include "asm.h"
#include "tally_log.h"

enum filter { ALL, EVENTS, MALLOC, N_FILTERS };

static const char *const events_of[] = { "", "user:work", "" };
static const char *const ranges_of[] = { "", "", "malloc" };

/* ---- What should be there --------------------------------------------- */

struct walk {
  const struct tally_log *log;
  struct dv_view view;
  enum filter filter;
  GHashTable *pages;           /* number + 1 to place on the axis + 1 */
};

static struct tally_access *
access_at (const struct tally_log *log, guint i)
{
  return &g_array_index (log->accesses, struct tally_access, i);
}

/* The block that began last of those over a byte; -1: none.  */
static int
block_at (const struct tally_log *log, uint64_t address, uint64_t icount)
{
  for (guint i = log->blocks->len; i-- > 0;) {
    const struct tally_block *b = &g_array_index (log->blocks,
                                                  struct tally_block, i);
    if (address - b->address < b->size && b->alloc <= icount
        && icount < b->free)
      return (int) i;
  }
  return -1;
}

static bool
passes (const struct walk *walk, const struct tally_access *a)
{
  if (walk->filter == EVENTS)
    return a->in_event;
  for (uint32_t b = 0; walk->filter == MALLOC; b++) {
    if (b == a->size)
      return false;
    if (block_at (walk->log, a->address + b, a->icount) >= 0)
      return true;
  }
  return true;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static void
find_pages (struct walk *walk)
{
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  walk->pages = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < walk->log->accesses->len; i++) {
    const struct tally_access *a = access_at (walk->log, i);
    if (!passes (walk, a))
      continue;
    for (uint32_t b = 0; b < a->size; b++) {
      uint64_t page = (a->address + b) / walk->log->kind.page;
      if (g_hash_table_add (walk->pages, GSIZE_TO_POINTER (page + 1)))
        g_array_append_val (pages, page);
    }
  }
  g_array_sort (pages, compare);
  for (guint i = 0; i < pages->len; i++)
    g_hash_table_insert (walk->pages, GSIZE_TO_POINTER (
      g_array_index (pages, uint64_t, i) + 1), GSIZE_TO_POINTER (i + 1));
  g_array_unref (pages);
}

/* Whether some of `size` bytes are in the view.  */
static bool
is_seen (const struct walk *walk, uint64_t address, uint64_t size)
{
  unsigned page = walk->log->kind.page;
  for (uint64_t b = address; b < address + size; b++) {
    size_t place = GPOINTER_TO_SIZE (g_hash_table_lookup (
      walk->pages, GSIZE_TO_POINTER (b / page + 1)));
    uint64_t position = (place - 1) * page + b % page;
    if (place > 0 && position >= walk->view.x0 && position < walk->view.x1)
      return true;
  }
  return false;
}

/* ---- Sums by a number ------------------------------------------------- */

struct sum {
  uint64_t number;
  struct dv_tally_count count;
  uint64_t first, last;
  uint64_t touched[4], written[4];   /* by thread: bytes of a line */
  bool by[4], wrote[4];
  uint64_t blocks, bytes;
};

static struct sum *
sum_of (GHashTable *table, uint64_t number)
{
  struct sum *sum = g_hash_table_lookup (table, &number);
  if (sum == NULL) {
    sum = g_new0 (struct sum, 1);
    sum->number = number;
    sum->first = UINT64_MAX;
    g_hash_table_insert (table, &sum->number, sum);
  }
  return sum;
}

static void
count_in (struct sum *sum, const struct tally_access *a)
{
  if (a->kind == 1) {
    sum->count.writes++;
    sum->count.written_bytes += a->size;
  } else {
    sum->count.reads++;
    sum->count.read_bytes += a->size;
  }
  sum->first = MIN (sum->first, a->icount);
  sum->last = MAX (sum->last, a->icount);
  sum->by[a->thread - 1] = true;
  sum->wrote[a->thread - 1] |= a->kind == 1;
}

struct sums {
  GHashTable *contexts, *threads, *code, *pages, *lines, *sites;
  struct sum elsewhere, total;
};

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
}

/* Pages or lines of `size` bytes that the access touches.  */
static void
count_places (const struct walk *walk, GHashTable *table,
              const struct tally_access *a, uint64_t size)
{
  for (uint64_t p = a->address / size; p <= (a->address + a->size - 1) / size;
       p++) {
    if (!is_seen (walk, p * size, size))
      continue;
    struct sum *sum = sum_of (table, p * size);
    count_in (sum, a);
    for (uint64_t b = 0; b < size; b++)
      if (size <= 128 && p * size + b - a->address < a->size) {
        uint64_t bit = (uint64_t) 1 << (size > 64 ? b / 2 : b);
        sum->touched[a->thread - 1] |= bit;
        sum->written[a->thread - 1] |= a->kind == 1 ? bit : 0;
      }
  }
}

static struct sums
add_up (const struct walk *walk)
{
  struct sums sums = { new_table (), new_table (), new_table (),
                       new_table (), new_table (), new_table (), { 0 },
                       { 0 } };
  const struct tally_log *log = walk->log;
  bool *touched = g_new0 (bool, log->blocks->len + 1);
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct tally_access *a = access_at (log, i);
    if (a->icount < walk->view.y0 || a->icount >= walk->view.y1
        || !passes (walk, a) || !is_seen (walk, a->address, a->size))
      continue;
    count_in (&sums.total, a);
    count_in (sum_of (sums.contexts, a->context), a);
    count_in (sum_of (sums.threads, a->thread), a);
    count_in (sum_of (sums.code, a->instruction), a);
    count_places (walk, sums.pages, a, log->kind.page);
    count_places (walk, sums.lines, a, log->kind.line);
    int number = block_at (log, a->address, a->icount);
    if (number < 0) {
      count_in (&sums.elsewhere, a);
      continue;
    }
    const struct tally_block *b = &g_array_index (log->blocks,
                                                  struct tally_block, number);
    struct sum *site = sum_of (sums.sites, 0x600100 + b->site * 16);
    count_in (site, a);
    if (!touched[number]) {
      site->blocks++;
      site->bytes += b->size;
    }
    touched[number] = true;
  }
  g_free (touched);
  return sums;
}

static void
sums_free (struct sums *sums)
{
  GHashTable *tables[] = { sums->contexts, sums->threads, sums->code,
                           sums->pages, sums->lines, sums->sites };
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    g_hash_table_unref (tables[i]);
}

/* ---- Comparing -------------------------------------------------------- */

static void
check_count (const struct dv_tally_count *got,
             const struct dv_tally_count *wanted)
{
  g_assert_cmpuint (got->reads, ==, wanted->reads);
  g_assert_cmpuint (got->writes, ==, wanted->writes);
  g_assert_cmpuint (got->read_bytes, ==, wanted->read_bytes);
  g_assert_cmpuint (got->written_bytes, ==, wanted->written_bytes);
}

static const struct sum *
wanted_of (GHashTable *table, uint64_t number)
{
  const struct sum *sum = g_hash_table_lookup (table, &number);
  g_assert_nonnull (sum);
  return sum;
}

static enum dv_sharing
sharing_of (const struct sum *sum)
{
  unsigned threads = 0;
  bool is_true = false, is_written = false;
  for (int t = 0; t < 4; t++) {
    threads += sum->by[t];
    is_written |= sum->wrote[t];
    for (int u = 0; u < 4; u++)
      is_true |= u != t && (sum->written[t] & sum->touched[u]) != 0;
  }
  return threads < 2 || !is_written ? DV_SHARING_NONE
         : is_true ? DV_SHARING_TRUE : DV_SHARING_FALSE;
}

static void
check_places (const GArray *places, uint64_t n, GHashTable *wanted, bool lines,
              const GArray *shares)
{
  guint told = 0;
  g_assert_cmpuint (n, ==, g_hash_table_size (wanted));
  g_assert_cmpuint (places->len, ==, n);
  for (guint i = 0; i < places->len; i++) {
    const struct dv_tally_place *p = &g_array_index (
      places, struct dv_tally_place, i);
    const struct sum *sum = wanted_of (wanted, p->address);
    unsigned threads = 0, writers = 0;
    for (int t = 0; t < 4; t++) {
      threads += sum->by[t];
      writers += sum->wrote[t];
    }
    check_count (&p->count, &sum->count);
    g_assert_cmpuint (p->first_icount, ==, sum->first);
    g_assert_cmpuint (p->last_icount, ==, sum->last);
    g_assert_cmpuint (p->threads, ==, threads);
    g_assert_cmpuint (p->writers, ==, writers);
    /* Where threads have bytes in common, weights decide: test-sharing.  */
    enum dv_sharing s = lines ? sharing_of (sum) : DV_SHARING_NONE;
    g_assert_true (s == DV_SHARING_TRUE ? p->sharing != 0 : p->sharing == s);
    told += p->sharing != DV_SHARING_NONE ? threads : 0;
    if (i > 0)
      g_assert_cmpuint (dv_tally_count_accesses (&p[-1].count), >=,
                        dv_tally_count_accesses (&p->count));
  }
  if (!lines)
    return;
  g_assert_cmpuint (shares->len, ==, told);
  for (guint i = 0; i < shares->len; i++) {
    const struct dv_tally_share *s = &g_array_index (
      shares, struct dv_tally_share, i);
    const struct sum *sum = wanted_of (wanted, s->line);
    g_assert_cmpuint (s->touched, ==, sum->touched[s->thread - 1]);
    g_assert_cmpuint (s->written, ==, sum->written[s->thread - 1]);
  }
}

static void
check_sites (const struct dv_tally *tally, const struct sums *sums)
{
  const struct dg_log *log = tally->scene->data->log;
  g_assert_cmpuint (tally->n_sites, ==, g_hash_table_size (sums->sites));
  g_assert_cmpuint (tally->sites->len, ==, tally->n_sites);
  for (guint i = 0; i < tally->sites->len; i++) {
    const struct dv_tally_site *site = &g_array_index (
      tally->sites, struct dv_tally_site, i);
    g_assert_cmpuint (site->block, <, dg_log_n_blocks (log));
    struct dg_stack stack = dg_log_block (log, site->block).alloc_stack;
    const struct sum *sum = wanted_of (sums->sites, stack.sites[1]);
    check_count (&site->count, &sum->count);
    g_assert_cmpuint (site->blocks, ==, sum->blocks);
    g_assert_cmpuint (site->bytes, ==, sum->bytes);
  }
  check_count (&tally->elsewhere, &sums->elsewhere.count);
}

static void
check_tally (const struct dv_tally *tally, const struct sums *sums)
{
  check_count (&tally->total, &sums->total.count);
  g_assert_cmpfloat (tally->done, ==, 1);
  g_assert_cmpuint (tally->lines_lack, ==, 0);
  g_assert_cmpuint (tally->contexts->len, ==,
                    g_hash_table_size (sums->contexts));
  for (guint i = 0; i < tally->contexts->len; i++) {
    const struct dv_tally_context *c = &g_array_index (
      tally->contexts, struct dv_tally_context, i);
    check_count (&c->count, &wanted_of (sums->contexts, c->context)->count);
    g_assert_true (i == 0 || c[-1].context < c->context);
  }
  g_assert_cmpuint (tally->threads->len, ==,
                    g_hash_table_size (sums->threads));
  for (guint i = 0; i < tally->threads->len; i++) {
    const struct dv_tally_thread *t = &g_array_index (
      tally->threads, struct dv_tally_thread, i);
    check_count (&t->count, &wanted_of (sums->threads, t->thread)->count);
  }
  g_assert_cmpuint (tally->code->len, ==, g_hash_table_size (sums->code));
  for (guint i = 0; i < tally->code->len; i++) {
    const struct dv_tally_code *c = &g_array_index (tally->code,
                                                    struct dv_tally_code, i);
    const struct sum *sum = wanted_of (sums->code, c->instruction);
    check_count (&c->count, &sum->count);
    g_assert_cmpuint (c->icount, <, tally->view.y1);
    g_assert_true (i == 0 || c[-1].instruction < c->instruction);
  }
  check_places (tally->pages, tally->n_pages, sums->pages, false,
                tally->shares);
  check_places (tally->lines, tally->n_lines, sums->lines, true,
                tally->shares);
  check_sites (tally, sums);
}

/* ---- Tests ------------------------------------------------------------ */

static struct dv_scene *
open_scene (const char *path, enum filter filter, bool indexed)
{
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct dv_data *data = dv_data_new (path, true, NULL, NULL, &err);
  if (data == NULL || data->flaw.code != 0)
    g_error ("%s", data == NULL ? err.message : data->flaw.message);
  if (indexed) {
    if (dg_index_build (data->log, NULL, 2, NULL, NULL, &index, &err) < 0)
      g_error ("%s", err.message);
    data->few = 0;
    data->rate = 0;
    dv_data_set_index (data, index);
  }
  struct dv_scene *scene = dv_scene_new (data, events_of[filter],
                                         ranges_of[filter], NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

static void
check_view (const struct walk *walk, struct dv_scene *scene)
{
  struct dg_error err = { 0 };
  struct sums sums = add_up (walk);
  for (unsigned workers = 1; workers <= 3; workers += 2) {
    struct dv_tally *tally = dv_tally_new (scene, &walk->view, workers, NULL,
                                           NULL, NULL, &err);
    g_assert_nonnull (tally);
    check_tally (tally, &sums);
    dv_tally_unref (tally);
  }
  sums_free (&sums);
}

static uint64_t
part (uint64_t whole)
{
  return (uint64_t) (g_test_rand_double () * (double) whole);
}

static void
check_views (struct walk *walk, struct dv_scene *scene, int n)
{
  struct dv_view full = scene->full;
  walk->view = full;
  if (dv_view_is_empty (&full))
    return;
  check_view (walk, scene);
  for (int i = 0; i < n; i++) {
    walk->view = full;
    if (i % 3 != 0) {
      walk->view.x0 = part (full.x1);
      walk->view.x1 = walk->view.x0 + 1 + part (full.x1 - walk->view.x0);
    }
    if (i % 3 != 1) {
      walk->view.y0 += part (full.y1 - full.y0);
      walk->view.y1 = walk->view.y0 + 1
                      + part (full.y1 - walk->view.y0 - 1);
    }
    walk->view.x1 = MIN (walk->view.x1, full.x1);
    check_view (walk, scene);
  }
}

static void
check_log (const struct tally_log_kind *kind, int views)
{
  struct tally_log *log = tally_log_new (kind);
  for (int filter = 0; filter < N_FILTERS; filter++)
    for (int indexed = 0; indexed < 2; indexed++) {
      struct walk walk = { .log = log, .filter = filter };
      struct dv_scene *scene = open_scene (log->path, filter, indexed);
      find_pages (&walk);
      /* The index knows when something was only by the chunk.  */
      if (!indexed && log->accesses->len > 0)
        g_assert_cmpuint (scene->full.x1, ==,
                          (uint64_t) g_hash_table_size (walk.pages)
                          * kind->page);
      check_views (&walk, scene, views);
      g_hash_table_unref (walk.pages);
      dv_scene_unref (scene);
    }
  tally_log_free (log);
}

static void
test_one_thread (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 1, 1500, false };
  check_log (&kind, 6);
}

static void
test_threads (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 3, 1500, false };
  check_log (&kind, 6);
}

static void
test_one_chunk (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 4, 900, true };
  check_log (&kind, 3);
}

static void
test_foreign (void)
{
  struct tally_log_kind kind = { 4, 4096, 64, true, 2, 700, false };
  check_log (&kind, 3);
}

/* Lines that are a page, many lines in a page, long lines.  */
static void
test_units (void)
{
  struct tally_log_kind small = { 4, 512, 64, false, 2, 500, false };
  struct tally_log_kind large = { 8, 65536, 16, false, 2, 500, false };
  struct tally_log_kind wide = { 8, 4096, 128, true, 2, 500, false };
  check_log (&small, 3);
  check_log (&large, 3);
  check_log (&wide, 3);
}

/* More different runs than one table of a worker holds at first, in an
   archive.  */
static void
test_archive (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 3, 4000, true };
  struct tally_log *log = tally_log_new (&kind);
  struct dg_error err = { 0 };
  struct dg_log *raw;
  char *packed = g_strconcat (log->path, ".dgz", NULL);
  g_assert_cmpint (dg_log_open (log->path, &raw, &err), ==, 0);
  g_assert_cmpint (dg_log_load (raw, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (dg_log_pack (raw, packed, NULL, NULL, NULL, &err), ==, 0);
  dg_log_close (raw);
  struct walk walk = { .log = log, .filter = ALL };
  struct dv_scene *scene = open_scene (packed, ALL, false);
  find_pages (&walk);
  check_views (&walk, scene, 4);
  g_hash_table_unref (walk.pages);
  dv_scene_unref (scene);
  unlink (packed);
  g_free (packed);
  tally_log_free (log);
}

static void
test_empty (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 1, 0, false };
  struct tally_log *log = tally_log_new (&kind);
  struct dg_error err = { 0 };
  struct dv_scene *scene = open_scene (log->path, ALL, false);
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 0, NULL, NULL,
                                         NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (dv_tally_count_accesses (&tally->total), ==, 0);
  g_assert_cmpuint (tally->contexts->len + tally->lines->len
                    + tally->sites->len, ==, 0);
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  tally_log_free (log);
}

/* ---- Logs made for one thing ------------------------------------------ */

static char *
assemble_text (const char *text)
{
  struct dg_asm as;
  char *message = NULL, *path;
  dg_asm_init (&as);
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  int fd = g_file_open_tmp ("dg-view-XXXXXX", &path, NULL);
  g_assert_cmpint (write (fd, as.bytes->data, as.bytes->len), ==,
                   as.bytes->len);
  close (fd);
  dg_asm_fini (&as);
  return path;
}

/* A log that takes a while.  */
static char *
long_log (unsigned runs)
{
  GString *text = g_string_new ("bbdef [0x400000+4] [R8@0]\n"
                                "context 0 [0x400000]\n");
  g_string_append_printf (text, "repeat %u\n", runs / 1000);
  for (int i = 0; i < 10; i++)
    g_string_append (text, "repeat 100\nbbrun 0 1 [0x10000]\ndone\n");
  g_string_append (text, "chunk\ndone\nend\n");
  char *path = assemble_text (text->str);
  g_string_free (text, TRUE);
  return path;
}

struct watch {
  unsigned partials, calls;
  unsigned stop_after;         /* calls; 0: never */
  uint64_t last;
  gint64 stopped;
};

static void
note_partial (void *user, struct dv_tally *tally)
{
  struct watch *watch = user;
  uint64_t n = dv_tally_count_accesses (&tally->total);
  watch->partials++;
  g_assert_cmpfloat (tally->done, <, 1);
  g_assert_cmpuint (n, >=, watch->last);
  g_assert_cmpuint (tally->code->len, <=, 1);
  watch->last = n;
}

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct watch *watch = user;
  g_assert_cmpuint (done, <=, total);
  if (watch->stop_after == 0 || ++watch->calls < watch->stop_after)
    return 0;
  watch->stopped = g_get_monotonic_time ();
  return 1;
}

static void
test_stop (void)
{
  char *path = long_log (3000000);
  struct dg_error err = { 0 };
  struct dv_scene *scene = open_scene (path, ALL, false);
  struct watch watch = { .stop_after = 1 };
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, note_partial,
                                         note_progress, &watch, &err);
  /* It may have been quicker than the first call.  */
  if (watch.stopped != 0) {
    g_assert_null (tally);
    g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  }
  dv_tally_unref (tally);
  struct watch all = { 0 };
  tally = dv_tally_new (scene, &scene->full, 2, note_partial, note_progress,
                        &all, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (dv_tally_count_accesses (&tally->total), ==, 3000000);
  g_assert_cmpuint (all.last, <=, 3000000);
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

/* More lines than are kept.  What is said to be lacking is all that is.  */
static void
test_many_lines (void)
{
  enum { LINES = DV_MOST_LINES * 3 / 2, ROUNDS = 3, HEAVY = 1000 };
  struct tally_log_kind kind = { 8, 4096, 64, false, 1, 1, false };
  struct tally_log *log = tally_log_new (&kind);
  struct dv_scene *scene = open_scene (log->path, ALL, false);
  struct dv_view all = { 0, scene->layout.size, 0, UINT64_MAX };
  struct dv_place_sums *sums = dv_place_sums_new (scene);
  struct dv_tally tally = { 0 };
  struct dv_sheets sheets;
  GArray **arrays[] = { &tally.pages, &tally.lines, &tally.shares };
  for (int i = 0; i < 3; i++)
    *arrays[i] = g_array_new (FALSE, FALSE, i == 2
                              ? sizeof (struct dv_tally_share)
                              : sizeof (struct dv_tally_place));
  g_assert_true (dv_sheets_init (&sheets, scene, &all, 4, 1));
  for (uint64_t i = 0; i < (uint64_t) ROUNDS * LINES; i++) {
    if (!dv_sheets_have_room (&sheets)) {
      dv_place_sums_take (sums, &sheets);
      dv_sheets_clear (&sheets, i);
    }
    uint64_t line = i % LINES;
    for (int k = line % (LINES / HEAVY) == 0 ? 50 : 1; k > 0; k--)
      dv_sheets_count_any (&sheets, 0x100000 + line * 64, 8, 0, i);
  }
  dv_place_sums_take (sums, &sheets);
  dv_place_sums_tell (sums, &tally);
  g_assert_cmpuint (tally.n_lines, ==, LINES);
  g_assert_cmpuint (tally.n_pages, ==, LINES / 64);
  g_assert_cmpuint (tally.lines_lack, >, 0);
  g_assert_cmpuint (tally.lines_lack, <, 50);
  g_assert_cmpuint (tally.lines->len, ==, DV_LISTED);
  g_assert_cmpuint (tally.pages->len, ==, DV_LISTED);
  for (guint i = 0; i < HEAVY; i++) {
    const struct dv_tally_place *p = &g_array_index (
      tally.lines, struct dv_tally_place, i);
    g_assert_cmpuint (((p->address - 0x100000) / 64) % (LINES / HEAVY), ==,
                      0);
    g_assert_cmpuint (p->count.reads, <=, ROUNDS * 50);
    g_assert_cmpuint (p->count.reads + tally.lines_lack, >=, ROUNDS * 50);
  }
  for (int i = 0; i < 3; i++)
    g_array_unref (*arrays[i]);
  dv_sheets_fini (&sheets);
  dv_place_sums_free (sums);
  dv_scene_unref (scene);
  tally_log_free (log);
}

/* Threads whose numbers are too large for the keys of runs, one line for
   all, and what each has of it.  */
static void
test_large_threads (void)
{
  static const uint32_t threads[] = { 1, 16382, 16383, 16384, 70000 };
  struct dg_error err = { 0 };
  GString *text = g_string_new ("bbdef [0x400000+4] [W8@0]\n"
                                "context 0 [0x400000]\n");
  for (int i = 0; i < 200; i++)
    g_string_append_printf (text, "thread_switch %u\nbbrun 0 1 [0x%x]\n",
                            threads[i * 7 % 5], 0x10000 + i * 7 % 5 * 8);
  g_string_append (text, "end\n");
  char *path = assemble_text (text->str);
  struct dv_scene *scene = open_scene (path, ALL, false);
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, NULL, NULL,
                                         NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (tally->threads->len, ==, 5);
  g_assert_cmpuint (tally->lines->len, ==, 1);
  g_assert_cmpuint (tally->shares->len, ==, 5);
  const struct dv_tally_place *line = &g_array_index (
    tally->lines, struct dv_tally_place, 0);
  g_assert_cmpint (line->sharing, ==, DV_SHARING_FALSE);
  g_assert_cmpuint (line->threads, ==, 5);
  for (int i = 0; i < 5; i++) {
    const struct dv_tally_thread *t = &g_array_index (
      tally->threads, struct dv_tally_thread, i);
    const struct dv_tally_share *s = &g_array_index (
      tally->shares, struct dv_tally_share, i);
    g_assert_cmpuint (t->thread, ==, threads[i]);
    g_assert_cmpuint (t->count.writes, ==, 40);
    g_assert_cmpuint (s->thread, ==, threads[i]);
    g_assert_cmpuint (s->written, ==, (uint64_t) 0xff << i * 8);
  }
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
  g_string_free (text, TRUE);
}

/* More threads than a list should have.  */
static void
test_many_threads (void)
{
  enum { THREADS = 5000 };
  GString *text = g_string_new ("bbdef [0x400000+4] [R8@0]\n"
                                "bbdef [0x400010+4] [W4@0]\n"
                                "context 0 [0x400000]\n"
                                "context 1 [0x400010]\n");
  for (int round = 0; round < 2; round++)
    for (int t = 1; t <= THREADS; t++) {
      if (round == 0 && t > 1)
        g_string_append_printf (text, "thread_start %d 1 %d\n", t, t);
      g_string_append_printf (text, "thread_switch %d\n"
                              "bbrun 0 1 [0x10000]\n", t);
      if (t <= 3)
        g_string_append_printf (text, "bbrun 1 1 [0x%x]\n", 0x10000 + 4 * t);
    }
  g_string_append (text, "end\n");
  char *path = assemble_text (text->str);
  g_string_free (text, TRUE);
  struct dg_error err = { 0 };
  struct dv_scene *scene = open_scene (path, ALL, false);
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, NULL, NULL,
                                         NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (tally->lines->len, ==, 1);
  const struct dv_tally_place *line = &g_array_index (
    tally->lines, struct dv_tally_place, 0);
  g_assert_cmpuint (line->threads, ==, THREADS);
  g_assert_cmpuint (line->writers, ==, 3);
  g_assert_cmpuint (line->count.reads, ==, 2 * THREADS);
  /* Of the three that write, one writes bytes that others read.  */
  g_assert_cmpint (line->sharing, ==, DV_SHARING_MIXED);
  /* Of those who read twice, beside five writes, one of them to the same bytes
     (main's first was before): 5 / 7 find the line gone, 1 / 3 need it.  */
  g_assert_cmpfloat_with_epsilon (line->false_share, 1 - 7 / 15.0, 0.001);
  g_assert_cmpuint (tally->shares->len, ==, THREADS);
  for (guint i = 0; i < tally->shares->len; i++) {
    const struct dv_tally_share *share = &g_array_index (
      tally->shares, struct dv_tally_share, i);
    uint64_t own = i < 3 ? (uint64_t) 0xf << 4 * (i + 1) : 0;
    g_assert_cmpuint (share->thread, ==, i + 1);
    g_assert_cmphex (share->touched, ==, 0xff | own);
    g_assert_cmphex (share->written, ==, own);
  }
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

/* Pages that no processor has would take memory for nothing.  */
static void
test_tiny_pages (void)
{
  char *path = assemble_text (
    "process 1 1 0 0 16 16 0 8 \"t\" \"v\" \"amd64\" \"/a\" \"/\" [\"a\"]\n"
    "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n"
    "bbrun 0 1 [0x10008]\nend\n");
  struct dv_scene *scene = open_scene (path, ALL, false);
  g_assert_cmpuint (scene->data->page_shift, ==, 12);
  g_assert_cmpuint (scene->data->line_shift, ==, 4);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tally/one-thread", test_one_thread);
  g_test_add_func ("/tally/threads", test_threads);
  g_test_add_func ("/tally/one-chunk", test_one_chunk);
  g_test_add_func ("/tally/foreign", test_foreign);
  g_test_add_func ("/tally/units", test_units);
  g_test_add_func ("/tally/archive", test_archive);
  g_test_add_func ("/tally/empty", test_empty);
  g_test_add_func ("/tally/stop", test_stop);
  g_test_add_func ("/tally/many-lines", test_many_lines);
  g_test_add_func ("/tally/large-threads", test_large_threads);
  g_test_add_func ("/tally/many-threads", test_many_threads);
  g_test_add_func ("/tally/tiny-pages", test_tiny_pages);
  return g_test_run ();
}
