/* advise_work.h: findings of a log, from its file on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_WORK_H
#define DG_ADVISE_WORK_H

#include "advise_rules.h"
#include "analyse/analysis_work.h"

struct advise_work {
  struct analysis_work log;      /* command, analyses and options: set by
                                    begin */
  struct analysis_options options;
  guint n_settings;        /* of the options, those for all logs */
  GPtrArray *analyses;     /* NULL-terminated */
  struct advise_facts facts;
  bool has_facts;
  guint n_left_out;        /* findings whose repair gains too little */
  struct cli_progress *progress; /* of the command; NULL: of each log */
  double more;             /* work after advise_work_run, in its progress */
  bool needs_all_blocks;   /* the log is asked about them elsewhere, too */
  GPtrArray *found;        /* struct advise_finding, the most costly first */
};

/* Reads the command line, with own options of the command and `least` to
   `most` logs, which are argv[1] to argv[argc - 1] then.  -1 to go on, else
   the exit status.  In every case, advise_work_fini.  */
int advise_work_parse (struct advise_work *work,
                       const struct cli_command *command,
                       const GOptionEntry *own, int least, int most,
                       int *argc, char **argv);
/* Opens a log.  CLI_OK, or the exit status after a message; in every case,
   advise_work_close, before another log is opened.  */
int advise_work_open (struct advise_work *work, const char *path);
/* Analyses it and applies the rules.  */
int advise_work_run (struct advise_work *work, struct interrupt *interrupt);
/* As analysis_work_close.  */
int advise_work_close (struct advise_work *work, int status);
void advise_work_fini (struct advise_work *work);

/* Adds the findings to a report: as a table for JSON, as paragraphs for
   people.  */
/* How many findings --top asks for.  */
guint advise_work_shown (const struct advise_work *work);
void advise_report (const struct advise_work *work, struct dg_report *report);

#endif /* DG_ADVISE_WORK_H */
