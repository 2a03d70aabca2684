/* analysis_work.h: analyses of a log, from its file to a report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSIS_WORK_H
#define DG_ANALYSIS_WORK_H

#include "analysis_options.h"
#include "base/interrupt.h"
#include "base/output.h"

/* One log of a command line.  The first members are the caller's; the others
   are 0 in the beginning.  */
struct analysis_work {
  const struct cli_command *command;
  const struct dg_analysis *const *analyses;
  size_t n;                /* analyses */
  const struct analysis_options *options;
  void *user;              /* for analyses of the command: dg_setup_user */
  const struct cli_log *given;   /* in place of opening one; or NULL */
  struct cli_progress *progress; /* of the command; NULL: of this log alone */
  double more;             /* work after the report, in its progress */
  bool needs_all_blocks;   /* what comes after the report asks about them */

  bool is_open;
  struct cli_log log;
  struct dg_symbols *symbols;
  struct cli_filter filter;
  GArray *threads;         /* uint32_t */
  struct dg_report *report;
};

/* The blocks of a log that analyses with these options ask for.  */
enum dg_blocks
analysis_work_blocks (const struct dg_analysis *const *analyses, size_t n,
                      const struct analysis_options *options);
/* Opens the log, and what the options need of it.  All return CLI_OK, or the
   exit status after a message.  */
int analysis_work_open (struct analysis_work *work, const char *path);
/* Makes the report, which is a phase of the progress.  */
int analysis_work_report (struct analysis_work *work,
                          struct interrupt *interrupt);
/* Makes a report of another analysis of the same log and selection.  0, or the
   code of *error: DG_ERR_CANCELLED, DG_ERR_INVALID, ...  */
int analysis_work_another (struct analysis_work *work,
                           const struct dg_analysis *analysis,
                           const struct dg_setting *settings, size_t n,
                           struct interrupt *interrupt,
                           struct dg_report *report, struct dg_error *error);
/* The work of an analysis, in the unit of all progress.  */
double analysis_work_amount (const char *name);
/* Lines about what was analysed: the log, the command, and the selection.  */
void analysis_work_heading (const struct analysis_work *work,
                            struct output *out);
/* At the end, whatever the others returned: `status` is the command's so far,
   and the result what it ends with.  */
int analysis_work_close (struct analysis_work *work, int status);

#endif /* DG_ANALYSIS_WORK_H */
