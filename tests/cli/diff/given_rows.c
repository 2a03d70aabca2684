/* given_rows.c: a plug-in whose report is in a file beside the log, named
   LOG.rows, of lines such as

     figure KEY NUMBER
     row NAME FUNCTION FILE LINE MODULE READS ADDRESS PATTERN

   where '-' is nothing.  It looks at nothing else.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dg_analysis.h"

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
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

static const struct dg_column columns[] = {
  {"reads", "Reads", DG_UNIT_COUNT, 0},
  {"pattern", "Pattern", DG_UNIT_TEXT, 0},
  {"name", "Where", DG_UNIT_TEXT, DG_COLUMN_LAST},
  {"function", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"file", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"line", NULL, DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
  {"module", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"address", NULL, DG_UNIT_ADDRESS, DG_COLUMN_JSON_ONLY}};

static struct dg_cell
text_of (const char *text)
{
  return strcmp (text, "-") == 0 ? DG_CELL_EMPTY : DG_CELL_TEXT (text);
}

static struct dg_cell
number_of (const char *text)
{
  return strcmp (text, "-") == 0 ? DG_CELL_EMPTY
                                 : DG_CELL_NUMBER (strtoull (text, NULL, 0));
}

static void
add_row (struct dg_rows *rows, char (*words)[100])
{
  for (char *at = words[1]; *at != '\0'; at++)
    if (*at == '_')
      *at = ' ';
  const struct dg_cell cells[] = {
    number_of (words[6]), text_of (words[8]), text_of (words[1]),
    text_of (words[2]), text_of (words[3]), number_of (words[4]),
    text_of (words[5]), number_of (words[7])};
  dg_rows_add (rows, cells);
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct dg_rows *rows = NULL;
  char path[4096], line[1000], words[9][100];
  FILE *file;

  snprintf (path, sizeof path, "%s.rows",
            dg_log_path (dg_setup_log (self)));
  file = fopen (path, "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL) {
    int n = sscanf (line, "%99s %99s %99s %99s %99s %99s %99s %99s %99s",
                    words[0], words[1], words[2], words[3], words[4], words[5],
                    words[6], words[7], words[8]);

    if (n == 3 && strcmp (words[0], "figure") == 0)
      dg_report_count (report, words[1], words[1],
                       strtoull (words[2], NULL, 0));
    if (n != 9 || strcmp (words[0], "row") != 0)
      continue;
    if (rows == NULL)
      rows = dg_report_table (report, "rows", "Rows", columns,
                              sizeof columns / sizeof columns[0]);
    add_row (rows, words);
  }
  if (file != NULL)
    fclose (file);
  return 0;
}

static const struct dg_analysis given = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "given",
  .summary = "Reports what is in a file",
  .create = create,
  .plan = plan,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .report = report,
  .free = free_self};

DG_PLUGIN (&given);
