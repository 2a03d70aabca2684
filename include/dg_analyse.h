/* dg_analyse.h: run analyses over a log, and read their report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_ANALYSE_H
#define LIBDATAGRIND_ANALYSE_H

#include "dg_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dg_analysis; /* dg_analysis.h */
struct dg_report;

/* The built-in analyses, by name; *n receives their number.  */
DG_API const struct dg_analysis *const *dg_analyses (size_t *n);
/* The built-in analysis with this name; NULL: there is none.  */
DG_API const struct dg_analysis *dg_analysis_find (const char *name);

/* Loads the plug-in in the shared object `path`, which stays loaded.  NULL and
   *err if it is not a plug-in, or was compiled for another version of
   dg_analysis.h (DG_ERR_VERSION).  */
DG_API const struct dg_analysis *dg_plugin_load (const char *path,
                                                 struct dg_error *err);
/* Can only the user or root have written what is loaded from there?  0;
   DG_ERR_INVALID: no; DG_ERR_IO.  To be asked of what dg_plugin_list finds; a
   file that the user has named is his own choice.  */
DG_API int dg_plugin_check (const char *path, struct dg_error *err);
/* Where plug-ins are searched by name (NAME.so): the directories of
   $DATAGRIND_PLUGIN_PATH, separated by ':', then that of the installation.
   Calls `found` with the path of each file, also of those that are not
   plug-ins; a negative result stops the search and is returned.  */
DG_API int dg_plugin_list (int (*found) (void *user, const char *path),
                           void *user);

/* An option as given by the user; value is NULL for flags.  */
struct dg_setting {
  const char *name, *value;
};

struct dg_analyse_options {
  size_t size;      /* sizeof (struct dg_analyse_options) */
  unsigned workers; /* threads; 0: one per processor */
  /* What is excluded: accesses and instructions that `filter` does not keep
     (instructions: by conditions on events; with conditions on ranges, all
     instructions without a kept access), threads that are not in the list
     (n_threads 0: none), and instructions before start_icount and from
     end_icount on (0: to the end).  */
  const struct dg_filter *filter;
  const uint32_t *threads;
  size_t n_threads;
  uint64_t start_icount, end_icount;
  /* Snapshots after this number of instructions, or nanoseconds of the log's
     clock; at most one of the two.  Intervals begin at start_icount.  */
  uint64_t interval_instructions, interval_ns;
  /* May be NULL; otherwise they are used, and must outlive the call.  */
  struct dg_symbols *symbols;
  const struct dg_space *space;
  const char *allocators; /* path of an allocator definition file, or NULL */
  uint64_t top;           /* rows of tables; 0: all */
  const struct dg_setting *settings; /* passed to each analysis that has
                                        an option of this name */
  size_t n_settings;
  void *user;             /* for the caller's own analyses: dg_setup_user */
  /* Totals of a log that is a sample of its run (dg_sampling_of) are scaled
     to the whole, and the report says so and how exact they are.  Each
     analysis is then made several times, on parts of the log, too.  */
  bool scales;
  /* For the progress: the work of each analysis in one pass, as numbers that
     are compared with each other; NULL: all are the same.  */
  const double *amounts;
};

/* The heap blocks that analyses with these settings, and a filter with
   conditions on ranges, ask for: with these the log can be loaded.
   DG_BLOCKS_ALL also if the settings are wrong, which dg_analyse reports.  */
DG_API enum dg_blocks
dg_analyse_blocks (const struct dg_analysis *const *analyses, size_t n,
                   const struct dg_analyse_options *options);

/* Runs analyses over a loaded log, in one pass for all of them.  The report
   receives their results, in groups by name if there are several.  A log that
   ends early is analysed up to there.  Progress is one scale for all passes
   and the reports after them.
   DG_ERR_INVALID for wrong options; the message contains the analysis.  */
DG_API int dg_analyse (const struct dg_log *log,
                       const struct dg_analysis *const *analyses, size_t n,
                       const struct dg_analyse_options *options,
                       dg_progress_fn progress, void *user,
                       struct dg_report *report, struct dg_error *err);

DG_API struct dg_report *dg_report_new (struct dg_error *err);
DG_API void dg_report_free (struct dg_report *report);

/* The items of a report, in order, for programs that show it.  Keys, titles
   and texts belong to the report.  */
enum dg_report_kind {
  DG_ITEM_VALUE = 0, /* a table of one column and one row */
  DG_ITEM_BEGIN,     /* the items up to its END are a group */
  DG_ITEM_END,
  DG_ITEM_TABLE,
  DG_ITEM_NOTE, /* text, not in JSON */
  DG_ITEM_TEXT  /* text as it is */
};
struct dg_column; /* dg_analysis.h, as struct dg_cell */
struct dg_cell;
struct dg_report_item {
  enum dg_report_kind kind;
  const char *key, *title; /* NULL for END and NOTE */
  const char *text;        /* for NOTE and TEXT */
  const struct dg_column *columns;
  size_t n_columns; /* 1 to 64 for VALUE and TABLE, otherwise 0 */
  uint64_t n_rows;
  bool shows_all; /* --top does not apply */
};
/* NULL if i is after the last item.  */
DG_API const struct dg_report_item *
dg_report_at (const struct dg_report *report, size_t i);
/* Fills the n_columns cells of a row.  */
DG_API void dg_report_row (const struct dg_report_item *item, uint64_t row,
                           struct dg_cell *cells);
/* Before a report is shown by who filled it: 0, or DG_ERR_NOMEM if something
   is missing in it.  dg_analyse does that itself.  */
DG_API int dg_report_check (const struct dg_report *report,
                            struct dg_error *err);
/* Whether dg_report_fail was called.  */
DG_API bool dg_report_has_failed (const struct dg_report *report);
/* Whether an analysis wrote to standard output, where nothing else should be
   written in this case.  */
DG_API bool dg_report_has_output (const struct dg_report *report);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ANALYSE_H */
