/* analysis.h: what the library knows of analyses besides dg_analysis.h: the
   table of the built-in ones, and what those of a command share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LIB_ANALYSIS_H
#define DG_LIB_ANALYSIS_H

#include <glib.h>

#include "dg_analysis.h"
#include "libdatagrind.h"
#include "base/option.h"
#include "variables/shared_lines.h"

/* The built-in ones, in the order of ANALYSES in Makefile.am, which this is
   made from; ends with NULL.  */
const struct dg_analysis *const *dg_analysis_table (void);

/* What all analyses of a command share.  */
struct dg_services {
  const struct dg_log *log;
  const struct dg_analyse_options *options;
  unsigned workers;
  bool is_filtered;
  bool is_sampled;         /* the log, and totals are scaled */
  /* Called now and then by what takes long; non-zero cancels.  */
  dg_progress_fn pace;
  void *pace_user;
  GMutex mutex;            /* for what follows */
  struct dg_symbols *symbols;
  const struct dg_space *space;
  struct dg_variables *variables;
  struct dg_mine *mine;    /* NULL: nobody has asked for it */
  struct dg_symbols *own_symbols;
  struct dg_space *own_space;
  /* What sharing found in a pass of its own; of one thread at a time.  */
  struct dg_shared_lines shared_lines;
  bool has_shared_lines;
};

/* A needs_blocks of analyses that never do.  */
bool dg_setup_needs_no_blocks (const struct dg_setup *setup);
/* A pass_blocks of analyses that ask about blocks while they are fed only.  */
int dg_setup_pass_no_blocks (void *self, uint64_t icount,
                             struct dg_error *err);
/* Of a log whose blocks pass: moves to those of a moment, with all that is
   shared.  Nobody may ask about blocks meanwhile.  */
int dg_analyse_go_to (struct dg_services *services, uint64_t icount,
                      struct dg_error *err);
/* Whether conditions on memory leave instructions out.  */
bool dg_setup_has_ranges (const struct dg_setup *setup);

/* options, workers, pace and so on are the caller's to fill in.  */
void dg_analyse_services_init (struct dg_services *services);
void dg_analyse_services_fini (struct dg_services *services);

/* An option as it was set.  */
struct dg_choice {
  const char *text;        /* as it was typed; NULL: not set */
  struct dg_option_value value;
};

struct dg_setup {
  struct dg_services *services;
  const struct dg_analysis *analysis;
  bool is_apart;           /* it gets some windows of a sample only */
  size_t n;                /* options */
  struct dg_choice *choices;
};

/* Takes what the user set out of services->options: 0, DG_ERR_INVALID with a
   message that names the option, DG_ERR_NOMEM.  Fini after both.  */
int dg_setup_init (struct dg_setup *setup, struct dg_services *services,
                   const struct dg_analysis *analysis, struct dg_error *err);
/* What the options --mine and --program of an analysis, if it has them, ask
   for, until the analysis is freed; *mine is NULL if that is nothing.  0 or
   DG_ERR_NOMEM.  */
int dg_setup_mine (struct dg_setup *setup, const struct dg_mine **mine,
                   struct dg_error *err);
void dg_setup_fini (struct dg_setup *setup);

#endif /* DG_LIB_ANALYSIS_H */
