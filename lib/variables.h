/* variables.h: names of variables, for the files that find them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VARIABLES_H
#define DG_VARIABLES_H

#include "dg_analysis.h"

/* The numbers that are fixed.  */
enum {
  DG_VARIABLE_UNKNOWN = 0,     /* <NA> */
  DG_VARIABLE_STACK = 1        /* <NA>, of kind LOCAL: on a stack, in a frame
                                  that is not known */
};

/* The log is loaded; all three must outlive it.  allocators: path of an
   allocator definition file, or NULL.  workers: threads that it may use for
   what it has to know of the whole log; 0: one per processor.  NULL and *err
   on failure, which for a bad file names it and the line.  */
struct dg_variables *dg_variables_new (const struct dg_log *log,
                                       struct dg_symbols *symbols,
                                       const struct dg_space *space,
                                       const char *allocators,
                                       unsigned workers,
                                       struct dg_error *err);
void dg_variables_free (struct dg_variables *variables);

/* What the finder needs.  */
const struct dg_log *dg_variables_log (const struct dg_variables *variables);
const struct dg_space *
dg_variables_space (const struct dg_variables *variables);

/* The number of the place of allocation of a block.  Any thread.  */
uint32_t dg_variables_block_site (struct dg_variables *variables,
                                  uint32_t block);

/* The variable over the first byte of an access that `owner` owns, as
   dg_space_find has it.  Slow; any thread.  */
uint32_t dg_variables_ask (struct dg_variables *variables,
                           const struct dg_access *access,
                           const struct dg_owner *owner);

#endif /* DG_VARIABLES_H */
