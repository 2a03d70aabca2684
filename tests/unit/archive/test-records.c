/* test-records.c: what stands between runs, to bytes and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "archive/records.h"
#include "unit_main.h"

static const struct dg_format little
  = { 8, false, G_BYTE_ORDER == G_BIG_ENDIAN };

static const uint8_t fork_record[] = { DG_R_FORK, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t switch_record[] = { DG_R_THREAD_SWITCH, 8, 2, 0, 0, 0,
                                         0, 0, 0, 0 };
static const uint8_t long_record[] = { DG_R_START_EVENT, 255, 2, 0, 0, 0, 0,
                                       0, 0, 0, 'x', 0 };
static const uint8_t short_record[] = { 200, 9 };   /* of an unknown type */

static struct dg_records_entry
record (const uint8_t *bytes, size_t n, struct dg_records_place at)
{
  return (struct dg_records_entry) { .kind = DG_ENTRY_RECORD, .at = at,
                                     .record = bytes, .size = n };
}

static void
add (struct dg_records *records, struct dg_records_entry entry)
{
  g_assert_cmpint (dg_records_add (records, &entry, NULL), ==, 0);
}

/* One of each kind, at places that move in every way.  */
static void
fill (struct dg_records *records)
{
  const struct dg_records_place start = { 0 }, later = { 5, 20, 9, 3, 4 },
                                last = { 7, 3000000000, 11, 5, 4 };

  dg_records_start (records);
  add (records, record (fork_record, sizeof fork_record, start));
  add (records, (struct dg_records_entry) { .kind = DG_ENTRY_BBDEF,
                                            .number = 7 });
  add (records, (struct dg_records_entry) { .kind = DG_ENTRY_CONTEXT,
                                            .number = 3, .node = UINT32_MAX });
  add (records, (struct dg_records_entry) { .kind = DG_ENTRY_LONG,
                                            .at.runs = 2 });
  add (records, (struct dg_records_entry) { .kind = DG_ENTRY_CONTEXT,
                                            .number = 0, .node = 0,
                                            .at.runs = 5 });
  add (records, record (long_record, sizeof long_record, later));
  add (records, record (switch_record, sizeof switch_record, last));
  add (records, record (short_record, sizeof short_record, last));
}

static struct dg_records_entry
next (struct dg_records_reader *reader, enum dg_entry_kind kind)
{
  struct dg_records_entry entry = { 0 };

  g_assert_cmpint (dg_records_next (reader, &entry, NULL), ==, 1);
  g_assert_cmpint (entry.kind, ==, kind);
  return entry;
}

static void
expect_record (struct dg_records_reader *reader, const uint8_t *bytes,
               size_t n, uint64_t runs, uint64_t instructions)
{
  struct dg_records_entry entry = next (reader, DG_ENTRY_RECORD);

  g_assert_cmpmem (entry.record, entry.size, bytes, n);
  g_assert_cmpuint (entry.at.runs, ==, runs);
  g_assert_cmpuint (entry.at.instructions, ==, instructions);
}

static void
test_back (void)
{
  struct dg_records records = { 0 };
  struct dg_records_reader reader;
  struct dg_records_entry entry;

  for (unsigned round = 0; round < 2; round++) {
    fill (&records);
    dg_records_begin (&reader, &little, records.bytes.items, records.bytes.n);
    expect_record (&reader, fork_record, sizeof fork_record, 0, 0);
    entry = next (&reader, DG_ENTRY_BBDEF);
    g_assert_cmpuint (entry.number, ==, 7);
    entry = next (&reader, DG_ENTRY_CONTEXT);
    g_assert_cmpuint (entry.number, ==, 3);
    g_assert_cmpuint (entry.node, ==, UINT32_MAX);
    entry = next (&reader, DG_ENTRY_LONG);
    g_assert_cmpuint (entry.at.runs, ==, 2);
    entry = next (&reader, DG_ENTRY_CONTEXT);
    g_assert_cmpuint (entry.number, ==, 0);
    g_assert_cmpuint (entry.node, ==, 0);
    g_assert_cmpuint (entry.at.runs, ==, 5);
    expect_record (&reader, long_record, sizeof long_record, 5, 20);
    entry = next (&reader, DG_ENTRY_RECORD);
    g_assert_cmpmem (entry.record, entry.size, switch_record,
                     sizeof switch_record);
    g_assert_cmpuint (entry.at.entries, ==, 11);
    g_assert_cmpuint (entry.at.reads, ==, 5);
    g_assert_cmpuint (entry.at.writes, ==, 4);
    expect_record (&reader, short_record, sizeof short_record, 7, 3000000000);
    g_assert_cmpint (dg_records_next (&reader, &entry, NULL), ==, 0);
  }
  dg_table_fini (&records.bytes);
}

/* What does not belong there is refused, and nothing of it is written.  */
static void
test_refused (void)
{
  static const uint8_t run[] = { DG_R_BBRUN, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
  const struct dg_records_place behind = { 4, 4, 4, 4, 0 };
  struct dg_records_place place;
  struct dg_records records = { 0 };
  struct dg_records_entry entry;
  struct dg_error err;
  size_t n;

  dg_records_start (&records);
  add (&records, record (switch_record, sizeof switch_record, behind));
  n = records.bytes.n;
  entry = record (run, sizeof run, behind);
  g_assert_cmpint (dg_records_add (&records, &entry, &err), ==,
                   DG_ERR_INVALID);
  entry = record (fork_record, 1, behind);
  g_assert_cmpint (dg_records_add (&records, &entry, &err), ==,
                   DG_ERR_INVALID);
  for (unsigned i = 0; i < 4; i++) {
    place = behind;
    ((uint64_t *) &place)[i]--;
    entry = record (fork_record, sizeof fork_record, place);
    g_assert_cmpint (dg_records_add (&records, &entry, &err), ==,
                     DG_ERR_INVALID);
  }
  entry = (struct dg_records_entry) { .kind = DG_ENTRY_LONG, .at.runs = 3 };
  g_assert_cmpint (dg_records_add (&records, &entry, &err), ==,
                   DG_ERR_INVALID);
  g_assert_cmpuint (records.bytes.n, ==, n);
  dg_table_fini (&records.bytes);
}

/* Reads bytes to their end; whatever they are, that comes.  */
static int
read_all (const uint8_t *bytes, size_t n)
{
  guint8 *copy = g_memdup2 (bytes, n);
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  struct dg_error err;
  uint64_t runs = 0;
  int code;

  dg_records_begin (&reader, &little, copy, n);
  while ((code = dg_records_next (&reader, &entry, &err)) > 0) {
    g_assert_cmpuint (entry.at.runs, >=, runs);
    runs = entry.at.runs;
    if (entry.kind == DG_ENTRY_RECORD) {
      g_assert_true (entry.record >= copy);
      g_assert_true (entry.record + entry.size <= copy + n);
    }
  }
  g_free (copy);
  return code;
}

static void
test_bad (void)
{
  static const struct {
    const char *bytes;
    size_t n;
  } bad[] = {
    { "\x20", 1 },                        /* a flag that is none */
    { "\x00", 1 },                        /* no record */
    { "\x00\x0c\x00", 3 },                /* a run */
    { "\x00\x00\x00", 3 },                /* a header */
    { "\x00\x06\x02\x61", 4 },            /* half a record */
    { "\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11 },   /* > 64 bits */
    { "\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11 },   /* > 63 bits */
    { "\x01\x01", 2 },                    /* a block below 0 */
    { "\x01\x80\x80\x80\x80\x20", 6 },    /* and above 32 bits */
    { "\x02\x02", 2 }                     /* no node */
  };
  struct dg_records records = { 0 };

  for (unsigned i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_cmpint (read_all ((const uint8_t *) bad[i].bytes, bad[i].n), ==,
                     DG_ERR_DAMAGED);
  fill (&records);
  g_assert_cmpint (read_all (records.bytes.items, records.bytes.n), ==, 0);
  for (size_t i = 0; i < records.bytes.n; i++) {
    uint8_t *at = (uint8_t *) records.bytes.items + i, was = *at;

    read_all (records.bytes.items, i);
    for (unsigned value = 0; value < 256; value++) {
      *at = value;
      read_all (records.bytes.items, records.bytes.n);
    }
    *at = was;
  }
  dg_table_fini (&records.bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/records/back", test_back);
  g_test_add_func ("/records/refused", test_refused);
  g_test_add_func ("/records/bad", test_bad);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
