/* streams.h: how the instructions in view walk through memory: one after the
   other, by a stride, at random, from pointer to pointer.

   By the analysis patterns, of the instructions of the view's time; of these,
   the ones with accesses in view.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_STREAMS_H
#define DV_STREAMS_H

#include "model/log/highlight.h"
#include "tally.h"

/* The accesses of one instruction, reads or writes.  */
struct dv_stream {
  uint64_t instruction;
  char *name;              /* "walk (list.c:12)": UTF-8 */
  const char *pattern;     /* translated: "sequential" */
  char *stride;            /* "+64"; "": none */
  const char *file;        /* as the report has it; NULL */
  uint32_t line;
  bool is_write;
  uint64_t accesses;       /* in view */
  double far;              /* share of steps that go far; of all of its time */
};

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_streams {
  struct dv_tally *tally;
  struct dg_report *report;    /* keeps texts; NULL: of a partial tally */
  GArray *streams;             /* struct dv_stream, most accesses first */
};

/* Nothing of a tally whose code is not counted to the end.  NULL and *err on
   failure, or when it was cancelled.  kind: 0.  */
void *dv_streams_make (struct dv_tally *tally, unsigned kind,
                       dg_progress_fn progress, void *user,
                       struct dg_error *err);
struct dv_streams *dv_streams_ref (struct dv_streams *streams);
/* NULL is fine.  */
void dv_streams_unref (struct dv_streams *streams);

/* What stands out in the plot when a stream is selected; its label says how it
   walks.  */
struct dv_highlight *dv_streams_highlight (const struct dv_stream *stream);
/* "strided +64", or "sequential".  A new string.  */
char *dv_stream_text (const struct dv_stream *stream);

#endif /* DV_STREAMS_H */
