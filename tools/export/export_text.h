/* export_text.h: a table of a log as CSV, or as a line of JSON for each row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_TEXT_H
#define DG_EXPORT_TEXT_H

#include "analyse/analysis_options.h"

/* The values of --format that are tables of text.  */
#define EXPORT_CSV "csv"
#define EXPORT_JSONL "jsonl"

struct export_text {
  const struct cli_command *command;
  const struct analysis_options *options;
  bool is_csv;             /* or JSON */
  const char *table;       /* NULL: accesses */
  const char *columns;     /* "address,size"; NULL: all that are not made on
                              demand */
  char **with;             /* options of the analysis that makes the table, as
                              "by=line"; ends with NULL; NULL: none */
};

/* The exit status.  */
int export_text_run (const struct export_text *text, const char *path);

#endif /* DG_EXPORT_TEXT_H */
