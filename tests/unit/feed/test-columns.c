/* test-columns.c: columns of accesses are what reading every access and asking
   for each of them gives: random logs, raw ones and archives; and an example
   of how they are read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core_test.h"
#include "dg_record.h"
#include "unit_main.h"

static unsigned
below (uint64_t n)
{
  return (unsigned) g_test_rand_int_range (0, (gint32) MIN (n, G_MAXINT32));
}

/* ---- What is expected ---- */

static bool
is_in_spans (const struct dg_columns_options *options,
             const struct dg_access *access)
{
  bool is_in = options->n_addresses == 0;

  for (size_t i = 0; i < options->n_addresses; i++) {
    const struct dg_columns_span *span = &options->addresses[i];

    is_in |= (span->high == 0 || access->address < span->high)
             && access->address + access->size > span->low;
  }
  return is_in;
}

static bool
is_wanted (const struct dg_columns_options *options,
           const struct dg_access *access)
{
  bool is_of_thread = options->n_threads == 0;

  for (size_t i = 0; i < options->n_threads; i++)
    is_of_thread |= options->threads[i] == access->thread;
  return is_of_thread && access->icount >= options->start_icount
         && (options->end_icount == 0 || access->icount < options->end_icount)
         && (options->high == 0 || access->address < options->high)
         && access->address + access->size > options->low
         && is_in_spans (options, access)
         && (options->kinds == 0 || (options->kinds >> access->kind & 1))
         && (!options->filter || dg_filter_access (options->filter, access));
}

/* struct dg_access.  */
static GArray *
expect (const struct dg_log *log, const struct dg_columns_options *options,
        size_t first, size_t end)
{
  GArray *expected = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  struct dg_reader *reader = dg_reader_new (log, first, end, NULL);
  struct dg_access some[256];
  uint8_t mask[256];
  ptrdiff_t n;

  while ((n = dg_reader_accesses (reader, some, 256, NULL)) > 0) {
    size_t kept = 0, sum = 0;

    if (options->filter)
      kept = dg_filter_accesses (options->filter, some, (size_t) n, mask);
    for (ptrdiff_t i = 0; i < n; i++) {
      if (options->filter) {
        g_assert_cmpuint (mask[i], ==,
                          dg_filter_access (options->filter, &some[i]));
        sum += mask[i];
      }
      if (is_wanted (options, &some[i]))
        g_array_append_val (expected, some[i]);
    }
    g_assert_cmpuint (kept, ==, sum);
  }
  g_assert_cmpint (n, ==, 0);
  dg_reader_free (reader);
  return expected;
}

/* ---- What is given ---- */

#define ROOM 300

struct columns {
  uint64_t icount[ROOM + 1], address[ROOM + 1], instruction[ROOM + 1];
  uint32_t size[ROOM + 1], context[ROOM + 1], thread[ROOM + 1];
  uint8_t kind[ROOM + 1];
};

/* Which of the arrays are asked for: bits.  */
static void
check_rows (const struct columns *c, unsigned asked, size_t n,
            const struct dg_access *expected)
{
  for (size_t i = 0; i < n; i++, expected++) {
    if (asked & 1)
      g_assert_cmpuint (c->icount[i], ==, expected->icount);
    if (asked & 2)
      g_assert_cmphex (c->address[i], ==, expected->address);
    if (asked & 4)
      g_assert_cmphex (c->instruction[i], ==, expected->instruction);
    if (asked & 8)
      g_assert_cmpuint (c->size[i], ==, expected->size);
    if (asked & 16)
      g_assert_cmpuint (c->context[i], ==, expected->context);
    if (asked & 32)
      g_assert_cmpuint (c->thread[i], ==, expected->thread);
    if (asked & 64)
      g_assert_cmpuint (c->kind[i], ==, expected->kind);
  }
}

static void
check (const struct dg_log *log, struct dg_columns_options options)
{
  struct columns *c = g_new0 (struct columns, 1);
  unsigned asked = below (128);
  const struct dg_columns_arrays arrays = {
    asked & 1 ? c->icount : NULL,      asked & 2 ? c->address : NULL,
    asked & 4 ? c->instruction : NULL, asked & 8 ? c->size : NULL,
    asked & 16 ? c->context : NULL,    asked & 32 ? c->thread : NULL,
    asked & 64 ? c->kind : NULL};
  struct dg_error err = {0};
  size_t n_chunks, first = 0, end = SIZE_MAX, done = 0, latest = 0;
  struct dg_columns *columns;
  GArray *expected;
  ptrdiff_t n;

  options.size = sizeof options;
  options.no_addresses = (asked & 2) == 0;
  options.no_contexts = (asked & 16) == 0;
  columns = dg_columns_new (log, &options, &err);
  g_assert_nonnull (columns);
  dg_log_chunks (log, &n_chunks);
  for (unsigned round = 0; round < 2; round++) {
    size_t room = 1 + below (ROOM), chunk = 0;

    expected = expect (log, &options, first, end);
    while ((n = dg_columns_read (columns, &arrays, room, &chunk, &err)) > 0) {
      g_assert_cmpuint (done + (size_t) n, <=, expected->len);
      g_assert_cmpuint (chunk, >=, latest);
      check_rows (c, asked, (size_t) n,
                  &g_array_index (expected, struct dg_access, done));
      g_assert_cmpuint (c->icount[room] | c->kind[room], ==, 0);
      memset (c, 0, sizeof *c);
      done += (size_t) n;
      latest = chunk;
    }
    g_assert_cmpint (n, ==, 0);
    g_assert_cmpuint (done, ==, expected->len);
    g_assert_cmpint (dg_columns_read (columns, &arrays, room, NULL, &err), ==,
                     0);
    g_array_unref (expected);
    first = below (n_chunks + 1);
    end = first + below (n_chunks - first + 2);
    g_assert_cmpint (dg_columns_seek (columns, first, end, &err), ==, 0);
    done = latest = 0;
  }
  dg_columns_free (columns);
  g_free (c);
}

static void
check_random (const struct dg_log *log)
{
  static const char *const sides[][2] = {
    {"", ""},      {"user:e0", ""}, {"user:e1", "user:r"},
    {"", "range"}, {"", "malloc"},  {"user:none", ""}};
  uint64_t last = dg_log_summary (log)->last_icount;
  unsigned side = below (G_N_ELEMENTS (sides));
  struct dg_filter *filter = dg_filter_new (log, NULL, NULL, sides[side][0],
                                            sides[side][1], NULL, NULL, NULL);
  uint32_t threads[3] = {4, 1 + below (2), 3};
  struct dg_columns_span spans[3];
  struct dg_columns_options options = {.threads = threads,
                                       .filter = side > 0 ? filter : NULL,
                                       .addresses = spans};

  if (below (3) == 0)
    options.start_icount = below (last + 2);
  if (below (3) == 0)
    options.end_icount = options.start_icount + 1 + below (last + 2);
  if (below (3) == 0)
    options.n_threads = 1 + below (3);
  if (below (3) == 0)
    options.kinds = 1u << (below (2) ? DG_ACC_READ : DG_ACC_WRITE);
  if (below (3) == 0)
    options.low = 0x10000 + below (0x800);
  if (below (3) == 0)
    options.high = 0x10800 + below (0x800);
  if (below (3) == 0)
    options.n_addresses = 1 + below (3);
  for (size_t i = 0; i < options.n_addresses; i++) {
    spans[i].low = 0x10000 + below (0x1000);
    spans[i].high = below (8) == 0 ? 0 : spans[i].low + 1 + below (0x200);
  }
  check (log, options);
  dg_filter_free (filter);
}

static void
test_random (void)
{
  core_test_random (g_test_slow () ? 300 : 30, 4000, check_random);
}

/* ---- By hand ---- */

#define BLOCK                                                         \
  "bbdef [0x100+1 0x101+1 0x102+1 0x103+1] [R4@0 W8@1 R300@1 W2@3]\n" \
  "context 0 [0x100 0x900]\n"
#define RUN "bbrun 0 4 [0x10 0x20 0x30 0x12f 0x40]\n"

/* The example of dg_columns.h: bytes that were written.  */
static uint64_t
sum_written (const struct dg_log *log, struct dg_error *err)
{
  const struct dg_columns_options options = {.size = sizeof options,
                                             .kinds = 1 << DG_ACC_WRITE,
                                             .no_addresses = true,
                                             .no_contexts = true};
  struct dg_columns *columns = dg_columns_new (log, &options, err);
  uint32_t sizes[1024];
  const struct dg_columns_arrays arrays = {.size = sizes};
  uint64_t sum = 0;
  ptrdiff_t n;

  while ((n = dg_columns_read (columns, &arrays, 1024, NULL, err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++)
      sum += sizes[i];
  dg_columns_free (columns);
  return sum;
}

static void
test_example (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN RUN, &bytes);
  struct dg_log *packed = core_test_pack (log);

  g_assert_cmpuint (sum_written (log, NULL), ==, 20);
  g_assert_cmpuint (sum_written (packed, NULL), ==, 20);
  dg_log_close (packed);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_refused (void)
{
  const struct {
    struct dg_columns_options options;
    const char *message;
  } bad[] = {
    {{.low = 1}, "options of 0 bytes, at least 70 are needed"},
    {{.size = 8}, "options of 8 bytes, at least 70 are needed"},
    {{.size = sizeof bad[0].options, .start_icount = 5, .end_icount = 5},
     "it ends before it begins"},
    {{.size = sizeof bad[0].options, .low = 5, .high = 4},
     "it ends before it begins"},
  };
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN, &bytes);
  struct dg_columns *columns = dg_columns_new (log, NULL, NULL);
  struct dg_error err;

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_assert_null (dg_columns_new (log, &bad[i].options, &err));
    g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
    if (sizeof (void *) == 8 || i > 1)
      g_assert_cmpstr (err.message, ==, bad[i].message);
  }
  g_assert_cmpint (dg_columns_seek (columns, 2, 3, &err), ==, DG_ERR_INVALID);
  g_assert_cmpint (dg_columns_seek (columns, 1, 0, &err), ==, DG_ERR_INVALID);
  dg_columns_free (columns);
  dg_columns_free (NULL);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* An error comes after what stands before it, and again.  */
static void
test_changed (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN RUN, &bytes);
  struct dg_columns *columns = dg_columns_new (log, NULL, NULL);
  uint64_t icounts[100];
  const struct dg_columns_arrays arrays = {.icount = icounts};
  struct dg_error err = {0};

  /* The number of instructions of the last run.  */
  bytes->data[bytes->len - 41] = 77;
  g_assert_cmpint (dg_columns_read (columns, &arrays, 100, NULL, &err), ==, 4);
  g_assert_cmpint (err.code, ==, 0);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpint (dg_columns_read (columns, &arrays, 100, NULL, &err), ==,
                     DG_ERR_DAMAGED);
    g_assert_cmpint (err.code, ==, DG_ERR_DAMAGED);
  }
  g_assert_cmpint (dg_columns_seek (columns, 0, 1, &err), ==, 0);
  g_assert_cmpint (dg_columns_read (columns, &arrays, 2, NULL, &err), ==, 2);
  dg_columns_free (columns);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/columns/random", test_random);
  g_test_add_func ("/columns/example", test_example);
  g_test_add_func ("/columns/refused", test_refused);
  g_test_add_func ("/columns/changed", test_changed);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
