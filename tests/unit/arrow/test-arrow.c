/* test-arrow.c: the tables of a log as streams of Arrow batches: their rows,
   what queries leave out, errors, and who owns what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "arrow_test.h"
#include "core_test.h"
#include "dg_record.h"
#include "unit_main.h"

#define QUERY(...) \
  (&(struct dg_arrow_query) { .size = sizeof (struct dg_arrow_query), \
                              __VA_ARGS__ })
#define COLUMNS(...)                                                   \
  .columns = (const char *const[]) { __VA_ARGS__ },                    \
  .n_columns = sizeof ((const char *const[]) { __VA_ARGS__ })          \
               / sizeof (const char *)

static void
expect (const struct dg_log *log, const struct dg_arrow_query *query,
        const char *expected)
{
  char *text = arrow_test_query (log, query);

  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

/* ---- Tables ---- */

static void
test_tables (void)
{
  static const struct {
    const char *table, *rows;
  } all[] = {
    { "accesses",
      "0 1 read 4 4096 4194304 0 0\n2 1 read 300 4160 4194312 0 0\n"
      "3 1 read 4 4096 4194304 0 1\n4 1 write 8 4128 4194307 0 1\n"
      "6 2 read 4 4096 4194304 0 3\n7 2 write 8 4104 4194307 0 3\n"
      "8 2 read 300 8192 4194312 0 3\n1000 1 read 4 12288 4194304 0 4\n"
      "1001 1 write 8 30712 4194336 2 5\n1002 1 read 8 30712 4194337 2 5\n" },
    { "runs", "0 0 1 0 0 4194304 3 2 0\n1 3 1 0 0 4194304 2 1 1\n"
              "2 5 1 1 1 4194320 1 0 0\n3 6 2 0 0 4194304 3 2 1\n"
              "4 1000 1 0 0 4194304 1 1 0\n5 1001 1 2 2 4194336 2 1 1\n" },
    { "contexts", "0 0 4194304 3 [4194304 4194560]\n1 1 4194320 1 [4194320]\n"
                  "2 2 4194336 2 [4194336]\n" },
    { "functions", "- - - /exe 4194304 6 16\n" },
    { "blocks", "0 20480 16 24 - 6 11 1 2 malloc free allocated -\n"
                "1 20480 8 8 - 1001 - 1 - pool - pool -\n" },
    { "ranges", "array int 4096 64 6 11\n" },
    { "events", "phase 6 11\n" },
    { "threads", "1 - - 42 0 - 28672 32768 9 5 2\n"
                 "2 worker 1 43 6 1000 - - 3 2 1\n" },
    { "modules", "/exe exe.so 4194304 4096 512 01020304 0 1003\n" },
    { "mappings", "65536 16384 0 1003 rw- mmap /lib/x 4096 -\n"
                  "65536 4096 1003 - rw- mmap /lib/x 4096 -\n"
                  "73728 8192 1003 - rw- mmap /lib/x 12288 -\n" },
    { "kernel_accesses", "9 2 write 4096 16\n" },
    { "clock", "6 1000\n" },
    { "chunks", "0 16 0 6 6 3 3 1\n1 656 6 1003 6 3 4 2\n" },
    { "counts", "12 7 3 624 24 0 1 0.833333 0.7 64.8\n" },
    { "counts/values", "12 7 3 624 24 0 1 0.833333 0.7 64.8\n" },
    { "sharing", "" }
  };
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    expect (log, QUERY (.table = all[i].table), all[i].rows);
  expect (log, NULL, all[0].rows);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Every table that is listed can be asked for, has a schema that is as it
   says, and all of its columns.  */
static void
test_listed (void)
{
  GByteArray *bytes;
  struct dg_log *raw = core_test_log (core_test_everything, &bytes),
                *log = core_test_pack (raw);
  struct dg_arrow_table table;
  size_t n = 0, n_analyses;

  for (; dg_arrow_table_at (n, &table); n++) {
    const char *columns[64];
    char *text;

    g_assert_cmpuint (table.n_columns, <=, G_N_ELEMENTS (columns));
    for (size_t i = 0; i < table.n_columns; i++)
      columns[i] = table.columns[i].name;
    text = arrow_test_query (log, QUERY (.table = table.name,
                                         .columns = columns,
                                         .n_columns = table.n_columns));
    g_assert_null (strstr (text, "ERROR"));
    g_free (text);
    text = arrow_test_query (log, QUERY (.table = table.name,
                                         .is_signed = true));
    g_assert_null (strstr (text, "ERROR"));
    g_free (text);
  }
  dg_analyses (&n_analyses);
  g_assert_cmpuint (n, >, n_analyses + 10);
  g_assert_false (dg_arrow_table_at (SIZE_MAX, &table));
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
}

static void
test_columns (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  char *text;

  expect (log, QUERY (COLUMNS ("block", "kind", "run", "icount"),
                      .addresses = &(struct dg_arrow_span) { 0x1000, 0x1001 },
                      .n_addresses = 1),
          "- read 0 0\n- read 1 3\n- read 3 6\n");
  /* The stack of thread 1 is at 0x7000.  */
  expect (log, QUERY (COLUMNS ("stack_thread", "icount"),
                      .icounts = { 1000, 0 }), "- 1000\n1 1001\n1 1002\n");
  dg_arrow_open (log, QUERY (.is_signed = true,
                             COLUMNS ("kind", "address", "thread", "line")),
                 &stream, NULL);
  g_assert_cmpint (stream.get_schema (&stream, &schema), ==, 0);
  text = arrow_test_schema_text (&schema);
  g_assert_cmpstr (text, ==, "kind:i<u> address:l thread:i line:i?");
  g_free (text);
  schema.release (&schema);
  stream.release (&stream);
  /* No columns, but rows.  */
  expect (log, QUERY (.is_empty = true, .kinds = 1 << DG_ACC_WRITE),
          "\n\n\n");
  expect (log, QUERY (.table = "counts", .settings =
                        &(struct dg_setting) { "by", "thread" },
                      .n_settings = 1, COLUMNS ("thread", "reads")),
          "1 5\n2 2\n");
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_limits (void)
{
  static const uint32_t two[] = { 2 };
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);

  expect (log, QUERY (.threads = two, .n_threads = 1,
                      COLUMNS ("icount")), "6\n7\n8\n");
  expect (log, QUERY (.icounts = { 3, 7 }, COLUMNS ("icount")), "3\n4\n6\n");
  expect (log, QUERY (.events = "user:phase", COLUMNS ("icount")),
          "6\n7\n8\n");
  expect (log, QUERY (.ranges = "user:array", COLUMNS ("icount")), "6\n7\n");
  expect (log, QUERY (.first_chunk = 1, .end_chunk = 2, COLUMNS ("run"),
                      .table = "runs"), "3\n4\n5\n");
  expect (log, QUERY (.table = "runs", .threads = two, .n_threads = 1,
                      COLUMNS ("run")), "3\n");
  expect (log, QUERY (.table = "threads", .threads = two, .n_threads = 1,
                      COLUMNS ("name")), "worker\n");
  expect (log, QUERY (.table = "blocks", .icounts = { 11, 1001 }), "");
  expect (log, QUERY (.table = "blocks", .icounts = { 1001, 0 },
                      COLUMNS ("block")), "1\n");
  expect (log, QUERY (.table = "ranges", COLUMNS ("label"), .addresses =
                        &(struct dg_arrow_span) { 0x103f, 0x1040 },
                      .n_addresses = 1), "array\n");
  expect (log, QUERY (.table = "ranges", COLUMNS ("label"), .addresses =
                        &(struct dg_arrow_span) { 0x1040, 0 },
                      .n_addresses = 1), "");
  expect (log, QUERY (.table = "counts", .threads = two, .n_threads = 1,
                      COLUMNS ("reads", "writes")), "2 1\n");
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- Random queries ---- */

static unsigned
below (uint64_t n)
{
  return (unsigned) g_test_rand_int_range (0, (gint32) MIN (n, G_MAXINT32));
}

static bool
is_wanted (const struct dg_arrow_query *query, const struct dg_access *access)
{
  bool is_in = query->n_addresses == 0;

  for (size_t i = 0; i < query->n_addresses; i++)
    is_in |= (query->addresses[i].high == 0
              || access->address < query->addresses[i].high)
             && access->address + access->size > query->addresses[i].low;
  return is_in && access->icount >= query->icounts.low
         && (query->icounts.high == 0 || access->icount < query->icounts.high)
         && (query->n_threads == 0 || access->thread == query->threads[0])
         && (query->kinds == 0 || (query->kinds >> access->kind & 1));
}

static char *
expected_rows (const struct dg_log *log, const struct dg_arrow_query *query)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  GString *text = g_string_new (NULL);
  struct dg_run run;

  for (uint64_t number = 0; dg_reader_run (reader, &run, NULL) > 0; number++)
    for (unsigned i = 0; i < run.n_slots; i++) {
      const struct dg_slot *slot = &run.bbdef->slots[i];
      const struct dg_access access = {
        .icount = run.icount + slot->iseq,
        .address = run.addresses[slot->entry], .size = slot->size,
        .thread = run.thread, .kind = slot->kind
      };

      if (access.address != 0 && is_wanted (query, &access))
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " %"
                                G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                                number, access.icount, access.address);
    }
  dg_reader_free (reader);
  return g_string_free (text, FALSE);
}

static void
check_random (const struct dg_log *log)
{
  uint64_t last = dg_log_summary (log)->last_icount;
  uint32_t thread = 1 + below (3);
  struct dg_arrow_span spans[3];
  struct dg_arrow_query query = {
    .size = sizeof query, .batch_rows = 1 + below (300),
    COLUMNS ("run", "icount", "address"), .threads = &thread,
    .n_threads = below (3) == 0, .addresses = spans,
    .n_addresses = below (2) ? below (4) : 0, .kinds = below (4)
  };
  char *expected;

  for (unsigned i = 0; i < 3; i++) {
    spans[i].low = 0x10000 + below (0x1000);
    spans[i].high = below (8) == 0 ? 0 : spans[i].low + 1 + below (0x200);
  }
  if (below (2))
    query.icounts.low = below (last + 2);
  if (below (2))
    query.icounts.high = query.icounts.low + 1 + below (last + 2);
  expected = expected_rows (log, &query);
  expect (log, &query, expected);
  g_free (expected);
}

static void
test_random (void)
{
  core_test_random (g_test_slow () ? 100 : 15, 3000, check_random);
}

/* ---- What is read ---- */

#define BLOCK                                                   \
  "bbdef [0x100+1 0x101+1 0x102+1 0x103+1] [R4@0 W8@1 R4@1 W2@3]\n" \
  "context 0 [0x100 0x900]\n"

/* Accesses of no bytes are in no line of the index, but they are there.  */
static void
test_no_bytes (void)
{
  const struct dg_arrow_span span = { 0x1000, 0 };
  GByteArray *bytes;
  struct dg_log *raw = core_test_log ("bbdef [0x100+1] [W0@0]\n"
                                      "context 0 [0x100]\n"
                                      "bbrun 0 1 [0x2000]\n", &bytes);
  struct dg_log *log = core_test_pack (raw);

  expect (log, QUERY (COLUMNS ("address"), .addresses = &span,
                      .n_addresses = 1), "8192\n");
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
}

/* A log of several chunks, which use different lines.  */
static struct dg_log *
log_of_chunks (unsigned n, GByteArray **bytes)
{
  GString *text = g_string_new (BLOCK);
  struct dg_log *log;

  for (unsigned i = 0; i < n; i++) {
    if (i > 0)
      g_string_append (text, "chunk\n");
    for (unsigned k = 0; k < 100; k++)
      g_string_append_printf (text, "bbrun 0 4 [0x%x 0x%x 0x%x 0x%x]\n",
                              0x10000 * (i + 1), 0x10000 * (i + 1) + 8,
                              0x10000 * (i + 1) + 16, 0x10000 * (i + 1) + 64);
  }
  log = core_test_log (text->str, bytes);
  g_string_free (text, TRUE);
  return log;
}

/* Opens, reads to the end, and says how much was read.  */
static struct dg_arrow_status
status_of (const struct dg_log *log, const struct dg_arrow_query *query)
{
  struct dg_arrow_status status = { .size = sizeof status };
  struct ArrowArrayStream stream;
  struct ArrowArray batch;

  g_assert_cmpint (dg_arrow_open (log, query, &stream, NULL), ==, 0);
  while (stream.get_next (&stream, &batch) == 0 && batch.release)
    batch.release (&batch);
  g_assert_cmpint (dg_arrow_status (&stream, &status, NULL), ==, 0);
  stream.release (&stream);
  g_assert_cmpint (dg_arrow_status (&stream, &status, NULL), ==,
                   DG_ERR_INVALID);
  return status;
}

static void
test_chunks (void)
{
  enum { N = 20 };
  GByteArray *bytes;
  struct dg_log *raw = log_of_chunks (N, &bytes), *log;
  struct dg_arrow_status status;
  const struct dg_arrow_span lines = { 0x30000, 0x40000 };

  raw->piece_accesses = 400;
  log = core_test_pack (raw);
  status = status_of (log, NULL);
  g_assert_cmpuint (status.rows, ==, 400 * N);
  g_assert_cmpuint (status.chunks, ==, N);
  g_assert_cmpuint (status.chunks_read, ==, N);
  status = status_of (log, QUERY (.addresses = &lines, .n_addresses = 1));
  g_assert_cmpuint (status.rows, ==, 400);
  g_assert_cmpuint (status.chunks_read, ==, 1);
  g_assert_cmpuint (status.chunks_excluded, ==, N - 1);
  status = status_of (log, QUERY (.icounts = { 800, 1200 }));
  g_assert_cmpuint (status.rows, ==, 400);
  g_assert_cmpuint (status.chunks_read, ==, 1);
  status = status_of (log, QUERY (.first_chunk = 3, .end_chunk = 5));
  g_assert_cmpuint (status.rows, ==, 800);
  g_assert_cmpuint (status.chunks, ==, 2);
  g_assert_cmpuint (status.batches, ==, 2);
  /* Nothing is decoded before it is asked for.  */
  {
    struct ArrowArrayStream stream;
    struct ArrowArray batch;

    dg_arrow_open (log, NULL, &stream, NULL);
    status.size = sizeof status;
    dg_arrow_status (&stream, &status, NULL);
    g_assert_cmpuint (status.chunks_read, ==, 0);
    stream.get_next (&stream, &batch);
    batch.release (&batch);
    dg_arrow_status (&stream, &status, NULL);
    g_assert_cmpuint (status.chunks_read, ==, 1);
    stream.release (&stream);
  }
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
}

/* ---- Who owns what ---- */

static void
note_closed (void *owner)
{
  ++*(int *) owner;
}

/* Batches outlive stream and log; a child can be taken out; schemas can be
   released in parts.  */
static void
test_owners (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);
  int closed = 0;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema, taken_schema;
  struct ArrowArray batches[2], taken;
  GString *text = g_string_new (NULL);

  dg_arrow_open (log, QUERY (.batch_rows = 3, .closed = note_closed,
                             .owner = &closed), &stream, NULL);
  g_assert_cmpint (stream.get_schema (&stream, &schema), ==, 0);
  for (int i = 0; i < 2; i++)
    g_assert_cmpint (stream.get_next (&stream, &batches[i]), ==, 0);
  g_assert_cmpint (closed, ==, 0);
  stream.release (&stream);
  g_assert_cmpint (closed, ==, 1);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  arrow_test_batch (&schema, &batches[1]);
  arrow_test_rows (text, &schema, &batches[0]);
  g_assert_cmpstr (text->str, ==,
                   "0 1 read 4 4096 4194304 0 0\n"
                   "2 1 read 300 4160 4194312 0 0\n"
                   "3 1 read 4 4096 4194304 0 1\n");
  taken = *batches[0].children[2];
  batches[0].children[2]->release = NULL;
  batches[0].release (&batches[0]);
  taken_schema = *schema.children[2];
  schema.children[2]->release = NULL;
  schema.release (&schema);
  arrow_test_batch (&taken_schema, &taken);
  taken_schema.release (&taken_schema);
  taken.release (&taken);
  batches[1].release (&batches[1]);
  g_string_free (text, TRUE);
}

/* ---- Errors ---- */

static void
test_refused (void)
{
  static const struct dg_arrow_span backwards = { 5, 5 };
  const struct {
    const struct dg_arrow_query *query;
    const char *message;
  } all[] = {
    { QUERY (.table = "acesses"),
      "there is no table 'acesses'; did you mean 'accesses'?" },
    { QUERY (COLUMNS ("adress")),
      "table accesses has no column 'adress'; did you mean 'address'?" },
    { QUERY (COLUMNS ("size", "size")), "column size is named twice" },
    { QUERY (.table = "events", .kinds = 1),
      "table events cannot be limited by kinds" },
    { QUERY (.table = "contexts", .events = "fn:f"),
      "table contexts cannot be limited by conditions on events and ranges" },
    { QUERY (.table = "contexts", .top = 5),
      "table contexts is not an analysis: it has no options" },
    { QUERY (.icounts = { 5, 5 }),
      "the range of instructions ends before it begins" },
    { QUERY (.addresses = &backwards, .n_addresses = 1),
      "a range of addresses ends before it begins" },
    { QUERY (.kinds = 8), "there is no such kind" },
    { QUERY (.events = "fm:x"), NULL },
    { &(struct dg_arrow_query) { .size = 8 }, NULL }
  };
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);
  struct ArrowArrayStream stream;
  struct dg_error err;

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    memset (&stream, 1, sizeof stream);
    g_assert_cmpint (dg_arrow_open (log, all[i].query, &stream, &err), <, 0);
    g_assert_null (stream.release);
    if (all[i].message)
      g_assert_cmpstr (err.message, ==, all[i].message);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What only the report can tell fails when it is there.  */
static void
test_refused_later (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);

  expect (log, QUERY (.table = "sharing/rowz"),
          "ERROR: the report has no table 'rowz'; there are 'values', "
          "'rows'\n");
  expect (log, QUERY (.table = "counts", .settings =
                        &(struct dg_setting) { "buy", "thread" },
                      .n_settings = 1),
          "ERROR: counts has no option buy; did you mean 'by'?\n");
  expect (log, QUERY (.table = "counts", COLUMNS ("reds")),
          "ERROR: table counts has no column 'reds'; did you mean 'reads'?\n");
  expect (log, QUERY (.table = "lines"),
          "ERROR: the log has no index of touched lines; 'dg index' makes "
          "it\n");
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* An error comes after what stands before it, and again.  */
static void
test_damaged (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK "bbrun 0 4 [1 2 3 4]\n"
                                            "bbrun 0 4 [1 2 3 4]\n", &bytes);
  struct dg_arrow_status status = { .size = sizeof status };
  struct ArrowArrayStream stream;
  struct ArrowArray batch;

  /* The number of instructions of the last run.  */
  bytes->data[bytes->len - 33] = 77;
  dg_arrow_open (log, NULL, &stream, NULL);
  g_assert_cmpint (stream.get_next (&stream, &batch), ==, 0);
  g_assert_cmpint (batch.length, ==, 4);
  batch.release (&batch);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpint (stream.get_next (&stream, &batch), ==, EILSEQ);
    g_assert_null (batch.release);
    dg_arrow_status (&stream, &status, NULL);
    g_assert_cmpint (status.error.code, ==, DG_ERR_DAMAGED);
    g_assert_cmpuint (status.error.offset, >, 0);
    g_assert_cmpstr (stream.get_last_error (&stream), ==,
                     status.error.message);
  }
  g_assert_cmpuint (status.rows, ==, 4);
  stream.release (&stream);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
answer (void *user, uint64_t done, uint64_t total)
{
  return *(const int *) user;
}

/* A call that was cancelled can be made again.  */
static void
test_cancelled (void)
{
  GByteArray *bytes;
  struct dg_log *log = log_of_chunks (3, &bytes);
  struct dg_arrow_status status = { .size = sizeof status };
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  int cancel = 1;

  dg_arrow_open (log, QUERY (.table = "counts", .progress = answer,
                             .user = &cancel), &stream, NULL);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpint (stream.get_next (&stream, &batch), ==, ECANCELED);
    dg_arrow_status (&stream, &status, NULL);
    g_assert_cmpint (status.error.code, ==, DG_ERR_CANCELLED);
  }
  cancel = 0;
  g_assert_cmpint (stream.get_next (&stream, &batch), ==, 0);
  g_assert_cmpint (batch.length, ==, 1);
  batch.release (&batch);
  stream.release (&stream);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Cancels once, at the second call.  */
static int
cancel_second (void *user, uint64_t done, uint64_t total)
{
  int *calls = user;

  /* Longer than from one call to the next.  */
  g_usleep (60000);
  return ++*calls == 2;
}

/* It is told also if there are some rows already, and none is lost.  */
static void
test_cancelled_within (void)
{
  enum { N = 3000 };
  GString *text = g_string_new (BLOCK);
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  struct dg_log *log;
  GByteArray *bytes;
  int calls = 0;

  for (unsigned i = 0; i < N; i++)
    g_string_append (text, "start_event \"e\"\nend_event \"e\"\n");
  log = core_test_log (text->str, &bytes);
  g_string_free (text, TRUE);
  dg_arrow_open (log, QUERY (.table = "events", .progress = cancel_second,
                             .user = &calls), &stream, NULL);
  g_usleep (60000);
  g_assert_cmpint (stream.get_next (&stream, &batch), ==, ECANCELED);
  g_assert_null (batch.release);
  g_assert_cmpint (calls, ==, 2);
  g_assert_cmpint (stream.get_next (&stream, &batch), ==, 0);
  g_assert_cmpint (batch.length, ==, N);
  batch.release (&batch);
  stream.release (&stream);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- Heap blocks ---- */

static void
test_needs_blocks (void)
{
  const struct dg_setting by_line = { "by", "line" };
  const struct dg_setting by_site = { "by", "site" };
  const struct {
    struct dg_arrow_query query;
    bool needs;
  } cases[] = {
    { { .table = NULL }, false },
    { { .table = "accesses" }, false },
    { { .table = "accesses", COLUMNS ("address", "size") }, false },
    { { .table = "accesses", COLUMNS ("address", "variable") }, true },
    { { .table = "accesses", COLUMNS ("block") }, true },
    { { .table = "accesses", COLUMNS ("stack_thread") }, true },
    { { .events = "fn:main" }, false },
    { { .ranges = "malloc" }, true },
    { { .table = "blocks" }, true },
    { { .table = "runs" }, false },
    { { .table = "events" }, false },
    { { .table = "counts" }, false },
    { { .table = "counts/rows", .settings = &by_line, .n_settings = 1 },
      false },
    { { .table = "counts", .settings = &by_site, .n_settings = 1 }, true },
    { { .table = "patterns" }, true },
    { { .table = "nonsense" }, true },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct dg_arrow_query query = cases[i].query;

    query.size = sizeof query;
    g_test_message ("%u", i);
    g_assert_cmpint (dg_arrow_needs_blocks (&query), ==, cases[i].needs);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrow/tables", test_tables);
  g_test_add_func ("/arrow/listed", test_listed);
  g_test_add_func ("/arrow/columns", test_columns);
  g_test_add_func ("/arrow/limits", test_limits);
  g_test_add_func ("/arrow/random", test_random);
  g_test_add_func ("/arrow/no-bytes", test_no_bytes);
  g_test_add_func ("/arrow/chunks", test_chunks);
  g_test_add_func ("/arrow/owners", test_owners);
  g_test_add_func ("/arrow/refused", test_refused);
  g_test_add_func ("/arrow/refused-later", test_refused_later);
  g_test_add_func ("/arrow/damaged", test_damaged);
  g_test_add_func ("/arrow/cancelled", test_cancelled);
  g_test_add_func ("/arrow/cancelled-within", test_cancelled_within);
  g_test_add_func ("/arrow/needs-blocks", test_needs_blocks);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
