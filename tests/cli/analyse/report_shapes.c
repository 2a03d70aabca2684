/* report_shapes.c: a plug-in whose report has everything that a report can
   have.  It looks at nothing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dg_analysis.h"

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  if (dg_setup_flag (setup, "refuse")) {
    if (err) {
      err->code = DG_ERR_INVALID;
      strcpy (err->message, "it was asked to refuse");
    }
    return NULL;
  }
  return setup;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  plan->needs_addresses = false;
  return 0;
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  return self;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  return 0;
}

static void
free_self (void *self)
{
}

static void
tell_values (struct dg_report *report)
{
  static const struct dg_pair pairs[] = { { 1, 5000 }, { 20, 300 } };
  const struct { const char *key; enum dg_unit unit; struct dg_cell cell; }
  values[] = {
    { "count", DG_UNIT_COUNT, DG_CELL_NUMBER (UINT64_MAX) },
    { "few", DG_UNIT_COUNT, DG_CELL_NUMBER (999) },
    { "number", DG_UNIT_NUMBER, DG_CELL_NUMBER (1234567) },
    { "bytes", DG_UNIT_BYTES, DG_CELL_NUMBER (1023) },
    { "kib", DG_UNIT_BYTES, DG_CELL_NUMBER (1536) },
    { "gib", DG_UNIT_BYTES, DG_CELL_NUMBER (UINT64_C (123) << 30) },
    { "eib", DG_UNIT_BYTES, DG_CELL_NUMBER (UINT64_MAX) },
    { "address", DG_UNIT_ADDRESS, DG_CELL_NUMBER (0x1f40) },
    { "ns", DG_UNIT_NS, DG_CELL_NUMBER (999) },
    { "us", DG_UNIT_NS, DG_CELL_NUMBER (1500) },
    { "ms", DG_UNIT_NS, DG_CELL_NUMBER (999499) },
    { "s", DG_UNIT_NS, DG_CELL_NUMBER (UINT64_C (12345678900)) },
    { "hours", DG_UNIT_NS,
      DG_CELL_NUMBER (UINT64_C (12345678) * 1000000000) },
    { "real", DG_UNIT_REAL, DG_CELL_REAL (-3.14159) },
    { "small", DG_UNIT_REAL, DG_CELL_REAL (0.000123) },
    { "large", DG_UNIT_REAL, DG_CELL_REAL (12345678.9) },
    { "nan", DG_UNIT_REAL, DG_CELL_REAL (NAN) },
    { "share", DG_UNIT_PERCENT, DG_CELL_REAL (0.12345) },
    { "little", DG_UNIT_PERCENT, DG_CELL_REAL (0.0001) },
    { "empty", DG_UNIT_COUNT, DG_CELL_EMPTY },
    { "text", DG_UNIT_TEXT,
      DG_CELL_TEXT ("a \"b\"\n\033[31m\\ \xff \xc3\xa9") },
    { "pairs", DG_UNIT_PAIRS, DG_CELL_PAIRS (pairs, 2) },
  };

  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    dg_report_value (report, values[i].key, values[i].key, values[i].unit,
                     values[i].cell);
  dg_report_count (report, "json_only", NULL, 1);
  dg_report_count (report, NULL, "text only", 2);
}

static void
tell_table (struct dg_report *report, uint64_t n)
{
  static const struct dg_column columns[] = {
    { "name", "Name", DG_UNIT_TEXT, DG_COLUMN_LAST },
    { "kind", "Kind", DG_UNIT_TEXT, 0 },
    { "count", "How many there are", DG_UNIT_COUNT, 0 },
    { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "id", "Number", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
  };
  struct dg_rows *rows = dg_report_table (report, "rows", "Rows", columns, 5);

  for (uint64_t i = 0; i < n; i++) {
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (i % 3 == 2 ? NULL : i % 2 ? "f\xc3\xbcr" : "main"),
      DG_CELL_TEXT (i % 2 ? "r\xc3\xa9" "ad" : "write"),
      i % 4 == 3 ? DG_CELL_EMPTY : DG_CELL_NUMBER (1000000 / (i + 1)),
      DG_CELL_REAL (1.0 / (double) (i + 1)),
      DG_CELL_NUMBER (i),
    };

    dg_rows_add (rows, cells);
  }
}

/* One that --top does not cut.  */
static void
tell_intervals (struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "interval", "Interval", DG_UNIT_NUMBER, 0 },
  };
  struct dg_rows *rows
    = dg_report_table (report, "intervals", "Intervals", columns, 1);

  dg_rows_show_all (rows);
  for (uint64_t i = 1; i <= 40; i++)
    dg_rows_add (rows, &DG_CELL_NUMBER (i));
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct dg_setup *setup = self;
  uint64_t n = dg_setup_number (setup, "rows");

  if (!dg_setup_flag (setup, "table-only")) {
    tell_values (report);
    dg_report_begin (report, "group", "A group");
    dg_report_count (report, "first", "First", 1);
    dg_report_begin (report, "inner", "A group in it");
    dg_report_note (report, "%s", "A note that is long enough to need more "
                    "than a line, whatever the terminal is like, as it goes "
                    "on and on.\nAnd a second paragraph.");
    dg_report_end (report);
    dg_report_text (report, "source", "Source", "int\n\tmain (void)\n{\n}");
    dg_report_end (report);
    dg_report_begin (report, "unseen", NULL);
    dg_report_count (report, "second", "Second", 2);
    dg_report_end (report);
    dg_report_begin (report, "nothing", "Nothing");
    dg_report_end (report);
  }
  if (dg_setup_flag (setup, "intervals"))
    tell_intervals (report);
  tell_table (report, n);
  if (dg_setup_has (setup, "file")) {
    FILE *file = dg_report_file (report, dg_setup_text (setup, "file"), err);

    if (!file)
      return err ? err->code : DG_ERR_IO;
    fprintf (file, "%" PRIu64 "\n", n);
  }
  /* Ten minutes at most; the file tells that it has begun.  */
  if (dg_setup_flag (setup, "wait"))
    fclose (fopen ("waiting", "w"));
  for (unsigned i = 0; dg_setup_flag (setup, "wait") && i < 60000; i++) {
    int code = dg_report_pace (report, i, 60000, err);

    if (code < 0)
      return code;
    usleep (10000);
  }
  if (dg_setup_flag (setup, "fail"))
    dg_report_fail (report);
  return 0;
}

static const struct dg_option options[] = {
  { "rows", DG_OPTION_NUMBER, "N", "3", NULL, "how many rows" },
  { "table-only", DG_OPTION_FLAG, NULL, NULL, NULL, "no more than the table" },
  { "intervals", DG_OPTION_FLAG, NULL, NULL, NULL, "a table of all rows" },
  { "kind", DG_OPTION_CHOICE, "KIND", "b", "a,b", "one of two" },
  { "rate", DG_OPTION_REAL, "RATE", NULL, NULL, "a real number" },
  { "file", DG_OPTION_FILE, "FILE", NULL, NULL, "write the number of rows" },
  { "wait", DG_OPTION_FLAG, NULL, NULL, NULL, "until it is asked to stop" },
  { "fail", DG_OPTION_FLAG, NULL, NULL, NULL, "find something wrong" },
  { "refuse", DG_OPTION_FLAG, NULL, NULL, NULL, "do nothing" },
  { NULL }
};

static const struct dg_analysis shapes = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof shapes,
  .name = SHAPES_NAME,
  .summary = "Reports everything that can be reported",
  .options = options,
  .create = create,
  .plan = plan,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .report = report,
  .free = free_self
};

DG_PLUGIN (&shapes);
