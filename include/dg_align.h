/* dg_align.h: which things of several runs are the same, by their names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_ALIGN_H
#define LIBDATAGRIND_ALIGN_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thing of a run, such as a function, an allocation site, a variable.
   Addresses differ from run to run, and have no part in it.  */
struct dg_align_row {
  /* What it is called, as many names as the options say, the strictest one
     first; none has lines of source, which move.  "": it has no name of that
     kind.  Things are the same by the strictest name that both have.  */
  const char *const *names;
  uint64_t line;           /* of the source; 0: none */
  uint64_t order;          /* of things with the same names on one line */
  const double *measures;  /* as many as the options say */
};

struct dg_align_table {
  const struct dg_align_row *rows;
  size_t n;
};

struct dg_align_options {
  size_t size; /* sizeof (struct dg_align_options) */
  unsigned n_names, n_measures;
  bool takes_best;         /* things with the same names are not aligned in the
                              order of their lines: the most alike are the
                              same, however they are ordered */
};

/* A table does not have the thing.  */
#define DG_ALIGN_NONE UINT32_MAX

/* The things of n tables, each once: *groups receives *n_groups groups of n
   numbers, which say which of a table's rows it is, or DG_ALIGN_NONE; in the
   order of the last table, then what only tables before have.  To be freed
   with free.

   Names decide.  Where several things have the same, the lines of the source
   are aligned in their order, so that as much as possible of the measures
   stays the same (as sequences are, by Needleman and Wunsch, 1970): lines that
   were inserted move those behind.  0, or DG_ERR_NOMEM.  */
DG_API int dg_align (const struct dg_align_options *options,
                     const struct dg_align_table *tables, size_t n,
                     uint32_t **groups, size_t *n_groups,
                     struct dg_error *err);

/* The names of a thing that are to be found in another run, from the strictest
   on.  */
enum dg_align_names {
  DG_ALIGN_ALL_NAMES,      /* without lines, and numbers of named threads */
  DG_ALIGN_ANY_PROGRAM,    /* whatever the program's own file is called */
  DG_ALIGN_FEW_NAMES       /* also without "(file:)" at the end, and suffixes
                              of compilers, which change when a program is
                              built again */
};

/* A text such as "list (mix.c:57)" or "prog .data" as a name of that kind.
   program: the last part of the path of the main program, or NULL: it is not
   replaced; with DG_ALIGN_ALL_NAMES, it never is.  Functions and variables may
   have the program's name: these keep it.  is_module: a text that is nothing
   but that name is a module's.  To be freed with free; NULL: no memory.  */
DG_API char *dg_align_name (const char *text, enum dg_align_names which,
                            const char *program, bool is_module);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ALIGN_H */
