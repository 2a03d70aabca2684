/* tally_model.c: sums of views of the logs of tally_log.c by a model over all
   their accesses, which knows nothing of the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_model.h"

/* ---- What should be there --------------------------------------------- */

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
    const struct tally_block *b =
      &g_array_index (log->blocks, struct tally_block, i);
    if (address - b->address < b->size && b->alloc <= icount
        && icount < b->free)
      return (int) i;
  }
  return -1;
}

static bool
passes (const struct tally_model *model, const struct tally_access *a)
{
  if (model->filter == TALLY_EVENTS)
    return a->in_event;
  for (uint32_t b = 0; model->filter == TALLY_MALLOC; b++) {
    if (b == a->size)
      return false;
    if (block_at (model->log, a->address + b, a->icount) >= 0)
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

void
tally_model_init (struct tally_model *model, const struct tally_log *log,
                  enum tally_filter filter)
{
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  *model = (struct tally_model){
    .log = log, .filter = filter, .pages = g_hash_table_new (NULL, NULL)};
  for (guint i = 0; i < model->log->accesses->len; i++) {
    const struct tally_access *a = access_at (model->log, i);
    if (!passes (model, a))
      continue;
    for (uint32_t b = 0; b < a->size; b++) {
      uint64_t page = (a->address + b) / model->log->kind.page;
      if (g_hash_table_add (model->pages, GSIZE_TO_POINTER (page + 1)))
        g_array_append_val (pages, page);
    }
  }
  g_array_sort (pages, compare);
  for (guint i = 0; i < pages->len; i++)
    g_hash_table_insert (
      model->pages, GSIZE_TO_POINTER (g_array_index (pages, uint64_t, i) + 1),
      GSIZE_TO_POINTER (i + 1));
  g_array_unref (pages);
}

void
tally_model_fini (struct tally_model *model)
{
  g_hash_table_unref (model->pages);
}

/* Whether some of `size` bytes are in the view.  */
static bool
is_seen (const struct tally_model *model, uint64_t address, uint64_t size)
{
  unsigned page = model->log->kind.page;
  for (uint64_t b = address; b < address + size; b++) {
    size_t place = GPOINTER_TO_SIZE (
      g_hash_table_lookup (model->pages, GSIZE_TO_POINTER (b / page + 1)));
    uint64_t position = (place - 1) * page + b % page;
    if (place > 0 && position >= model->view.x0 && position < model->view.x1)
      return true;
  }
  return false;
}

/* ---- Sums by a number ------------------------------------------------- */

struct sum {
  uint64_t number;
  struct dv_tally_count count;
  uint64_t first, last;
  uint64_t touched[4], written[4]; /* by thread: bytes of a line */
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

struct tally_sums {
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
count_places (const struct tally_model *model, GHashTable *table,
              const struct tally_access *a, uint64_t size)
{
  for (uint64_t p = a->address / size; p <= (a->address + a->size - 1) / size;
       p++) {
    if (!is_seen (model, p * size, size))
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

struct tally_sums *
tally_sums_new (const struct tally_model *model)
{
  struct tally_sums *sums = g_new0 (struct tally_sums, 1);
  GHashTable **tables[] = {&sums->contexts, &sums->threads, &sums->code,
                           &sums->pages,    &sums->lines,   &sums->sites};
  const struct tally_log *log = model->log;
  bool *touched = g_new0 (bool, log->blocks->len + 1);

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    *tables[i] = new_table ();
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct tally_access *a = access_at (log, i);
    if (a->icount < model->view.y0 || a->icount >= model->view.y1
        || !passes (model, a) || !is_seen (model, a->address, a->size))
      continue;
    count_in (&sums->total, a);
    count_in (sum_of (sums->contexts, a->context), a);
    count_in (sum_of (sums->threads, a->thread), a);
    count_in (sum_of (sums->code, a->instruction), a);
    count_places (model, sums->pages, a, log->kind.page);
    count_places (model, sums->lines, a, log->kind.line);
    int number = block_at (log, a->address, a->icount);
    if (number < 0) {
      count_in (&sums->elsewhere, a);
      continue;
    }
    const struct tally_block *b =
      &g_array_index (log->blocks, struct tally_block, number);
    struct sum *site = sum_of (sums->sites, 0x600100 + b->site * 16);
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

void
tally_sums_free (struct tally_sums *sums)
{
  GHashTable *tables[] = {sums->contexts, sums->threads, sums->code,
                          sums->pages,    sums->lines,   sums->sites};
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    g_hash_table_unref (tables[i]);
  g_free (sums);
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
         : is_true                  ? DV_SHARING_TRUE
                                    : DV_SHARING_FALSE;
}

static void
check_places (const GArray *places, uint64_t n, GHashTable *wanted, bool lines,
              const GArray *shares)
{
  guint told = 0;
  g_assert_cmpuint (n, ==, g_hash_table_size (wanted));
  g_assert_cmpuint (places->len, ==, n);
  for (guint i = 0; i < places->len; i++) {
    const struct dv_tally_place *p =
      &g_array_index (places, struct dv_tally_place, i);
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
    const struct dv_tally_share *s =
      &g_array_index (shares, struct dv_tally_share, i);
    const struct sum *sum = wanted_of (wanted, s->line);
    g_assert_cmpuint (s->touched, ==, sum->touched[s->thread - 1]);
    g_assert_cmpuint (s->written, ==, sum->written[s->thread - 1]);
  }
}

static void
check_sites (const struct dv_tally *tally, const struct tally_sums *sums)
{
  const struct dg_log *log = tally->scene->data->log;
  g_assert_cmpuint (tally->n_sites, ==, g_hash_table_size (sums->sites));
  g_assert_cmpuint (tally->sites->len, ==, tally->n_sites);
  for (guint i = 0; i < tally->sites->len; i++) {
    const struct dv_tally_site *site =
      &g_array_index (tally->sites, struct dv_tally_site, i);
    g_assert_cmpuint (site->block, <, dg_log_n_blocks (log));
    struct dg_stack stack = dg_log_block (log, site->block).alloc_stack;
    const struct sum *sum = wanted_of (sums->sites, stack.sites[1]);
    check_count (&site->count, &sum->count);
    g_assert_cmpuint (site->blocks, ==, sum->blocks);
    g_assert_cmpuint (site->bytes, ==, sum->bytes);
  }
  check_count (&tally->elsewhere, &sums->elsewhere.count);
}

void
tally_sums_check (const struct tally_sums *sums, const struct dv_tally *tally)
{
  check_count (&tally->total, &sums->total.count);
  check_count (&tally->code_total, &sums->total.count);
  g_assert_cmpfloat (tally->done, ==, 1);
  g_assert_cmpfloat (tally->code_done, ==, 1);
  g_assert_cmpuint (tally->lines_lack, ==, 0);
  g_assert_cmpuint (tally->contexts->len, ==,
                    g_hash_table_size (sums->contexts));
  for (guint i = 0; i < tally->contexts->len; i++) {
    const struct dv_tally_context *c =
      &g_array_index (tally->contexts, struct dv_tally_context, i);
    check_count (&c->count, &wanted_of (sums->contexts, c->context)->count);
    g_assert_true (i == 0 || c[-1].context < c->context);
  }
  g_assert_cmpuint (tally->threads->len, ==,
                    g_hash_table_size (sums->threads));
  for (guint i = 0; i < tally->threads->len; i++) {
    const struct dv_tally_thread *t =
      &g_array_index (tally->threads, struct dv_tally_thread, i);
    check_count (&t->count, &wanted_of (sums->threads, t->thread)->count);
  }
  g_assert_cmpuint (tally->code->len, ==, g_hash_table_size (sums->code));
  for (guint i = 0; i < tally->code->len; i++) {
    const struct dv_tally_code *c =
      &g_array_index (tally->code, struct dv_tally_code, i);
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
