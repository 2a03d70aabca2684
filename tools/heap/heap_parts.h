/* heap_parts.h: what the parts of `dg heap` share.  dg_heap.c has the table of
   options and calls the part that was asked for; each part is a file
   heap_NAME.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_PARTS_H
#define DG_HEAP_PARTS_H

#include "base/cli.h"
#include "libdatagrind.h"

/* All that was on the command line.  */
struct heap_options {
  const struct cli_command *command;
  struct dg_massif_options massif;
  /* What Massif's arguments were, as typed, separated by spaces; NULL:
     none.  */
  char *desc;
  char *output;            /* -o; NULL: massif.out.PID */
  /* Of the picture; NULL: none, and the usual.  */
  char *render, *size, *theme, *palette, *title, *instructions;
  gint series;             /* areas of their own; 0: the usual */
  char *dhat_out;          /* file for dh_view.html, NULL: none */
  gboolean exact_peak;
  gboolean print;          /* as ms_print does */
  gboolean sites, blocks, untouched, late;
  char *by;                /* "site", "stack" (tables), "function" (pictures)
                              and so on; NULL: site */
  gboolean by_stack;
  gboolean json, is_wide;
  char *sort;              /* of these; NULL: as they are */
  uint32_t given;          /* of heap_options_given */
  gint x, y;               /* of the graph: columns and rows */
  gint top;                /* rows of tables; 0: all */
  gint jobs;
};

/* What the parts work on.  */
struct heap_input {
  const struct heap_options *options;
  const struct cli_log *log;
  struct dg_symbols *symbols;
};

/* ---- Parts; each returns the exit status ------------------------------ */

/* What ms_print prints.  */
int heap_print (const struct heap_input *input,
                const struct dg_massif *massif);
/* --sites, --blocks, --untouched, --late.  */
int heap_usage (const struct heap_input *input);
/* --dhat-out.  */
int heap_dhat (const struct heap_input *input);
/* --render.  */
int heap_render (const struct heap_input *input);
/* Are its options right?  -1, or the exit status after a message.  */
int heap_render_check (const struct heap_options *options);

/* ---- heap_options.c --------------------------------------------------- */

/* Options of which the value is to be looked at; NULL: not given.  */
struct heap_typed {
  char *heap, *stacks, *pages_as_heap;
  char *threshold, *peak_inaccuracy, *time_unit;
  gint heap_admin, depth, detailed_freq, max_snapshots;
  char **alloc_fns, **ignore_fns, **at;
};

/* Fills options->massif, which has the defaults; typed must outlive it.  -1,
   or the exit status after a message.  */
int heap_options_set (struct heap_options *options,
                      const struct heap_typed *typed);
/* The moments; options->massif.at is to be freed then.  Likewise.  */
int heap_options_moments (struct heap_options *options,
                          const struct dg_log *log, char **texts);
/* Those of Massif's options that are among the arguments, in one line; NULL:
   none.  To be freed.  */
char *heap_options_typed (int argc, char **argv);
/* Which options that not all outputs have a use for are among the arguments,
   before these are parsed; and whether one has none: -1, or the exit status
   after a message.  */
uint32_t heap_options_given (int argc, char **argv);
int heap_options_effects (const struct heap_options *options);
/* The name of a file with the log's process id for %p.  To be freed.  */
char *heap_options_file (const char *pattern, const struct dg_log *log);

#endif /* DG_HEAP_PARTS_H */
