/* export_run.h: a log on its way into files of a simulator: one, or one for
   each thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_RUN_H
#define DG_EXPORT_RUN_H

#include "analyse/analysis_options.h"
#include "export_format.h"

/* Bytes of the lines by which accesses are divided.  */
#define EXPORT_LINE_LEAST 4
#define EXPORT_LINE_MOST (1u << 20)

struct export_run {
  const struct cli_command *command;
  const struct analysis_options *options;
  const struct dg_analysis *const *analyses;   /* export_stream, NULL */
  const struct export_format *format;
  uint32_t line;           /* 0: that of the log */
  bool has_fetches, has_kernel;
  bool has_each_thread;    /* options->output is a folder, which receives a
                              file for each thread that has instructions */
};

/* The exit status.  */
int export_run (const struct export_run *how, const char *path);

#endif /* DG_EXPORT_RUN_H */
