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

/* The built-in ones, by name; *n receives how many.  */
DG_API const struct dg_analysis *const *dg_analyses (size_t *n);
/* The one of that name; NULL: there is none.  */
DG_API const struct dg_analysis *dg_analysis_find (const char *name);

/* Loads the plug-in in the shared object `path`, whose code stays loaded.
   NULL and *err if it is none, or was made for another version of
   dg_analysis.h (DG_ERR_VERSION).  */
DG_API const struct dg_analysis *dg_plugin_load (const char *path,
                                                 struct dg_error *err);
/* Where plug-ins are looked for by name (NAME.so): the directories of
   $DATAGRIND_PLUGIN_PATH, separated by ':', then that of the installation.
   Calls `found` with the path of each; a negative result ends that and is
   returned.  Files that are not plug-ins are named, too.  */
DG_API int dg_plugin_list (int (*found) (void *user, const char *path),
                           void *user);

/* An option as the user gave it; value NULL for flags.  */
struct dg_setting {
  const char *name, *value;
};

struct dg_analyse_options {
  size_t size;      /* sizeof (struct dg_analyse_options) */
  unsigned workers; /* threads; 0: one per processor */
  /* What is left out: accesses and instructions that `filter` does not keep
     (instructions: by the events side, and if there is a ranges side, only
     those that made an access that is kept), threads that are not in the list
     (n_threads 0: all), instructions before start_icount and from end_icount
     on (0: to the end).  */
  const struct dg_filter *filter;
  const uint32_t *threads;
  size_t n_threads;
  uint64_t start_icount, end_icount;
  /* Snapshots after this many instructions, or ns of the log's clock; at most
     one of the two.  Intervals begin at start_icount.  */
  uint64_t interval_instructions, interval_ns;
  /* May be NULL; else they are used, and must outlive the call.  */
  struct dg_symbols *symbols;
  const struct dg_space *space;
  const char *allocators; /* path of an allocator definition file, or NULL */
  uint64_t top;           /* rows of tables; 0: all */
  const struct dg_setting *settings; /* given to every analysis that has
                                        an option of that name */
  size_t n_settings;
};

/* Runs analyses over a loaded log: one pass for all of them.  The report
   receives what they found, in groups by name if there are several.  A log
   that ends early is analysed as far as it goes.  Progress is in bytes of the
   log.  DG_ERR_INVALID for options that are wrong; a message that names the
   analysis.  */
DG_API int dg_analyse (const struct dg_log *log,
                       const struct dg_analysis *const *analyses, size_t n,
                       const struct dg_analyse_options *options,
                       dg_progress_fn progress, void *user,
                       struct dg_report *report, struct dg_error *err);

DG_API struct dg_report *dg_report_new (struct dg_error *err);
DG_API void dg_report_free (struct dg_report *report);

/* What a report holds, in its order, for those who show it.  Keys, titles and
   texts belong to the report.  */
enum dg_report_kind {
  DG_ITEM_VALUE = 0, /* a table of one column and one row */
  DG_ITEM_BEGIN,     /* what follows, up to its END, is of this group */
  DG_ITEM_END,
  DG_ITEM_TABLE,
  DG_ITEM_NOTE, /* text, for people only */
  DG_ITEM_TEXT  /* text as it is */
};
struct dg_column; /* dg_analysis.h, as struct dg_cell */
struct dg_cell;
struct dg_report_item {
  enum dg_report_kind kind;
  const char *key, *title; /* NULL of END and NOTE */
  const char *text;        /* of NOTE and TEXT */
  const struct dg_column *columns;
  size_t n_columns; /* 1 to 64 of VALUE and TABLE, else 0 */
  uint64_t n_rows;
  bool shows_all; /* it is not to be cut */
};
/* NULL when i is past the last.  */
DG_API const struct dg_report_item *
dg_report_at (const struct dg_report *report, size_t i);
/* Fills the n_columns cells of a row.  */
DG_API void dg_report_row (const struct dg_report_item *item, uint64_t row,
                           struct dg_cell *cells);
/* Whether dg_report_fail was called.  */
DG_API bool dg_report_has_failed (const struct dg_report *report);
/* Whether an analysis wrote to standard output, where nothing else is to
   appear then.  */
DG_API bool dg_report_has_output (const struct dg_report *report);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ANALYSE_H */
