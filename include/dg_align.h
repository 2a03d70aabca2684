/* dg_align.h: which things of several runs are the same, by their names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_ALIGN_H
#define LIBDATAGRIND_ALIGN_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row describes a function, an allocation site, a variable or the like.
   Addresses are not compared, since they differ from run to run.  */
struct dg_align_row {
  /* n_names names, the strictest one first, without line numbers.  "": there
     is no name of that kind.  Two rows match by the strictest name that both
     have.  */
  const char *const *names;
  uint64_t line;           /* in the source file; 0: unknown */
  uint64_t order;          /* among rows with equal names on one line */
  const double *measures;  /* n_measures figures, such as a number of blocks */
};

struct dg_align_table {
  const struct dg_align_row *rows;
  size_t n;
};

struct dg_align_options {
  size_t size; /* sizeof (struct dg_align_options) */
  unsigned n_names, n_measures;
  bool takes_best;         /* among rows with equal names, those with the most
                              similar measures match, whatever their order;
                              otherwise matches keep the order of lines */
};

/* The table has no matching row.  */
#define DG_ALIGN_NONE UINT32_MAX

/* Finds which rows of n tables match.  *groups receives *n_groups groups of n
   row numbers, one for each table, or DG_ALIGN_NONE.  Each row is in one
   group.  Groups are in the order of the last table's rows; groups without one
   follow.  The caller frees *groups with free.

   Rows match by their names.  Rows with equal names keep the order of their
   lines, and are matched so that their measures are as similar as possible
   (sequence alignment: Needleman and Wunsch, 1970), since an edit of the
   source moves the lines after it.  Returns 0, DG_ERR_NOMEM, or DG_ERR_INVALID
   for options of an unknown size.  */
DG_API int dg_align (const struct dg_align_options *options,
                     const struct dg_align_table *tables, size_t n,
                     uint32_t **groups, size_t *n_groups,
                     struct dg_error *err);

/* The parts of a text that dg_align_name removes, since they may be different
   in another run.  Each value removes more than the one before.  */
enum dg_align_names {
  DG_ALIGN_ALL_NAMES,      /* line numbers, and the numbers of threads that
                              have a name */
  DG_ALIGN_ANY_PROGRAM,    /* also the file name of the program itself */
  DG_ALIGN_FEW_NAMES       /* also "(FILE:LINE)" at the end, and suffixes that
                              compilers add to functions, since both may change
                              when the program is built again */
};

/* Makes such a name from a text such as "list (mix.c:57)" or "prog .data".
   program: the file name of the program, without its folder; NULL: nothing is
   left out for it.  DG_ALIGN_ALL_NAMES ignores it.  Functions and variables
   that are called like the program keep their names.  is_module: a text that
   equals `program` is that module.  The caller frees the result with free;
   NULL: there is no memory.  */
DG_API char *dg_align_name (const char *text, enum dg_align_names which,
                            const char *program, bool is_module);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ALIGN_H */
