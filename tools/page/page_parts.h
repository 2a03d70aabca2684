/* page_parts.h: the parts of a report, each of which writes its section.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGE_PARTS_H
#define DG_PAGE_PARTS_H

#include "advise/advise_work.h"
#include "page.h"
#include "page_flame.h"

/* What is kept of a log when it is closed again.  */
struct page_run {
  char *path, *command, *cautions;       /* cautions NULL: it is whole */
  char *program;           /* diff_program.h */
  char *machine;           /* recorder and architecture; NULL: unknown */
  uint64_t instructions, accesses, misses, ll_misses, cycles;
  uint64_t heap_bytes, heap_peak, threads;
  bool has_heap;
  GPtrArray *found;        /* struct advise_finding */
  GHashTable *sources;     /* file of these -> its text */
  struct page_flame *flame;
  GString *plot, *charts, *tables;          /* what only this log has */
  struct dg_report *report;
};

struct page_run *page_run_new (void);
void page_run_free (void *run);

/* page_findings.c: as a list, or a sentence if there are none.  */
void page_findings (GString *page, const struct page_run *run);
void page_finding (GString *page, const struct page_run *run,
                   const struct advise_finding *finding, unsigned number);
/* Keeps the sources of what was found, while the log is open.  */
void page_keep_sources (struct page_run *run, const struct dg_log *log);

/* page_tables.c: the tables of one run.  */
void page_tables (GString *page, const struct advise_work *work);

/* Work of parts, in the unit of progress: the charts, and the picture in one
   theme.  */
#define PAGE_WORK_CHARTS 0.2
#define PAGE_WORK_PICTURE 0.2

/* page_chart.c: the heap, if there are blocks, and the working set.  0 or an
   error.  */
int page_charts (GString *page, const struct advise_work *work,
                 struct interrupt *interrupt, struct dg_error *err);

/* page_plot.c: addresses against instructions, drawn by dg_view; why there is
   no picture, if there is none.  CLI_OK, or CLI_FAILURE after a signal.  */
int page_plot (GString *page, const char *path, struct interrupt *interrupt);

/* page_compare.c: what changed from the first run to the second.  0 or an
   error.  */
int page_compare (GString *page, const struct page_run *before,
                  const struct page_run *after, struct dg_error *err);

#endif /* DG_PAGE_PARTS_H */
