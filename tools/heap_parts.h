/* heap_parts.h: what the parts of `dg heap` share.  dg_heap.c has the options and
   calls the part that was asked for; each part is a file heap_NAME.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_PARTS_H
#define DG_HEAP_PARTS_H

#include "cli.h"
#include "dg_massif.h"

/* All that was on the command line.  */
struct heap_options {
  const struct cli_command *command;
  struct dg_massif_options massif;
  /* What Massif's arguments were, as typed, separated by spaces; NULL:
     none.  */
  const char *desc;
  const char *output;      /* -o; NULL: massif.out.PID */
  const char *render;      /* picture, NULL: none */
  const char *dhat_out;    /* file for dh_view.html, NULL: none */
  gboolean print;          /* as ms_print does */
  gboolean sites, blocks, untouched, late;
  gboolean json;
  int x, y;                /* of the graph: columns and rows */
  int top;                 /* rows of tables; 0: all */
  int jobs;
};

/* What the parts work on.  */
struct heap_input {
  const struct heap_options *options;
  const struct cli_log *log;
  struct dg_symbols *symbols;
};

/* Each returns the exit status, after a message if that is a failure.  */

/* What ms_print prints.  */
int heap_print (const struct heap_input *input,
                const struct dg_massif *massif);
/* --sites, --blocks, --untouched, --late.  */
int heap_use (const struct heap_input *input);
/* --dhat-out.  */
int heap_dhat (const struct heap_input *input);
/* --render.  */
int heap_render (const struct heap_input *input);

#endif /* DG_HEAP_PARTS_H */
