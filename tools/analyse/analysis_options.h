/* analysis_options.h: the command line of analyses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSIS_OPTIONS_H
#define DG_ANALYSIS_OPTIONS_H

#include "base/cli.h"
#include "base/follow.h"
#include "dg_analysis.h"

/* The common options of all analyses.  */
struct analysis_options {
  char *events, *ranges, *threads, *instructions, *interval;
  char *top_text, *output, *allocators;
  char **source_map, **plugins;
  int jobs;
  gboolean as_json, is_wide, is_follow;
  char *sort; /* NULL: the order of the tables */
  /* Parsed from the above.  */
  GArray *thread_list;     /* struct parse_numbers; NULL: all */
  uint64_t start_icount, end_icount;
  uint64_t interval_instructions, interval_ns;
  uint64_t top;            /* rows; 0: all */
  /* Values of the analyses' own options: struct dg_setting.  */
  GArray *settings;
  GPtrArray *made;         /* strings that are to be freed */
};

/* Reads the command line of the analyses (NULL-terminated) and checks all of
   it; argv[1] to argv[argc - 1] are the logs then, `least` to `most` of them.
   own: options of the command itself, or NULL.  Returns -1 to go on, else the
   exit status.  To be followed by fini.  */
int analysis_options_parse (struct analysis_options *options,
                            const struct cli_command *command,
                            const struct dg_analysis *const *analyses,
                            const GOptionEntry *own, int least, int most,
                            int *argc, char **argv);
void analysis_options_fini (struct analysis_options *options);

#endif /* DG_ANALYSIS_OPTIONS_H */
