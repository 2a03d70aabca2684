/* report_text.h: a report as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_TEXT_H
#define DG_REPORT_TEXT_H

#include "libdatagrind.h"
#include "output.h"
#include "report_table.h"

struct report_text_options {
  struct report_table_options table;
  unsigned width;          /* of the lines of notes */
  bool has_parts;          /* the outermost groups are separate documents */
};

/* Options for the output file, or for standard output if path is NULL. On a
   terminal, lines fit its width, and those of notes are not too long;
   elsewhere they have `width` columns.  */
struct report_text_options
report_text_options (const char *path, uint64_t top, const char *sort,
                     bool is_wide, unsigned width);

void report_text (struct output *out, const struct dg_report *report,
                  const struct report_text_options *options);

#endif /* DG_REPORT_TEXT_H */
