/* heap_parts.h: common declarations of `dg heap`. dg_heap.c has the table of
   options and calls the requested output; each is a file heap_NAME.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_PARTS_H
#define DG_HEAP_PARTS_H

#include "base/cli.h"
#include "base/interrupt.h"
#include "libdatagrind.h"

/* The command line.  */
struct heap_options {
  const struct cli_command *command;
  struct dg_massif_options massif;
  /* Massif's arguments as typed, separated by spaces; NULL: none.  */
  char *desc;
  char *output;            /* -o; NULL: standard output */
  /* Of the picture; NULL: none, or the default.  */
  char *render, *size, *theme, *palette, *title, *instructions;
  gint series;             /* areas; 0: the default */
  char *dhat_out;          /* file for dh_view.html, NULL: none */
  char *folded, *weight;   /* file of folded stacks, and what they count; NULL:
                              none, bytes */
  gboolean exact_peak;
  gboolean print;          /* as ms_print does */
  gboolean sites, blocks, untouched, late;
  char *by;                /* "site", "stack" (tables), "function" (pictures)
                              and so on; NULL: site */
  gboolean by_stack;
  gboolean json, is_wide, is_follow;
  char *sort;              /* of tables; NULL: the default order */
  uint32_t given;          /* of heap_options_given */
  gint x, y;               /* of the graph: columns and rows */
  gint top;                /* rows of tables; 0: all */
  gint jobs;
};

/* The input of all outputs.  */
struct heap_input {
  const struct heap_options *options;
  const struct cli_log *log;
  struct dg_symbols *symbols;
};

/* ---- Outputs; each returns the exit status
   ------------------------------  */

/* Without further options.  */
int heap_summary (const struct heap_input *input);
/* The changes of the heap, for curves.  NULL on failure.  */
struct dg_curve_source *heap_curve_source (const struct heap_input *input,
                                           struct interrupt *interrupt,
                                           struct dg_error *err);
/* The text of ms_print.  */
int heap_print (const struct heap_input *input,
                const struct dg_massif *massif);
/* --sites, --blocks, --untouched, --late.  */
int heap_usage (const struct heap_input *input);
/* --dhat-out.  */
int heap_dhat (const struct heap_input *input);
/* --folded.  */
int heap_folded (const struct heap_input *input);
/* Checks its options: -1, or the exit status after a message.  */
int heap_folded_check (const struct heap_options *options);
/* --render.  */
int heap_render (const struct heap_input *input);
/* Checks its options: -1, or the exit status after a message.  */
int heap_render_check (const struct heap_options *options);

/* ---- heap_options.c --------------------------------------------------- */

/* Options whose values must be parsed; NULL: not given.  */
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
/* Finds the moments of --at; options->massif.at must be freed later.  Likewise
   -1, or the exit status.  */
int heap_options_moments (struct heap_options *options,
                          const struct dg_log *log, char **texts);
/* Massif's options among the arguments, in one line; NULL: none.  To be
   freed.  */
char *heap_options_typed (int argc, char **argv);
/* The options among the unparsed arguments that only some outputs use; and
   whether one of them has no effect: -1, or the exit status after a
   message.  */
uint32_t heap_options_given (int argc, char **argv);
int heap_options_effects (const struct heap_options *options);
/* The name of a file, with the log's process ID for %p.  To be freed.  */
char *heap_options_file (const char *pattern, const struct dg_log *log);

#endif /* DG_HEAP_PARTS_H */
