/* dg_simulate.h: simulations access by access, for programs that show where
   something happens; the sums are those of the analyses cache and reuse.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_SIMULATE_H
#define LIBDATAGRIND_SIMULATE_H

#include "dg_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Caches ------------------------------------------------------------ */

/* The data caches of `dg cache' with its usual sizes, for the accesses of all
   threads; instructions are not fetched.  Empty at first.  One thread at a
   time.  */
struct dg_cache_each;

/* What an access found, and which lines of the first level it changed: line
   numbers are address / DG_CACHE_EACH_LINE.  */
#define DG_CACHE_EACH_LINE  64
#define DG_CACHE_EACH_LINES 4
struct dg_cache_step {
  uint8_t level;           /* 0: all lines were in the first level; 1: in the
                              last one; 2: at least one was in neither */
  uint8_t n_lines;         /* fetched into the first level, at most
                              DG_CACHE_EACH_LINES: of more, the first */
  uint64_t fetched[DG_CACHE_EACH_LINES];
  uint64_t evicted[DG_CACHE_EACH_LINES];   /* for it; UINT64_MAX: none */
};

/* NULL and *err: DG_ERR_NOMEM.  */
DG_API struct dg_cache_each *dg_cache_each_new (struct dg_error *err);
DG_API void dg_cache_each_free (struct dg_cache_each *each);
DG_API void dg_cache_each_access (struct dg_cache_each *each,
                                  uint64_t address, uint32_t size,
                                  struct dg_cache_step *step);

/* ---- Reuse distances --------------------------------------------------- */

/* How many other lines of 64 bytes were touched since a line was last.  One
   thread at a time.  Memory: 48 to 100 bytes for each line.  */
struct dg_reuse_each;

/* The distance of the first touch.  */
#define DG_REUSE_EACH_FIRST UINT32_MAX

/* NULL and *err: DG_ERR_NOMEM.  */
DG_API struct dg_reuse_each *dg_reuse_each_new (struct dg_error *err);
DG_API void dg_reuse_each_free (struct dg_reuse_each *each);
/* The largest distance of the lines of an access goes to *distance.  0, or
   DG_ERR_NOMEM.  */
DG_API int dg_reuse_each_access (struct dg_reuse_each *each, uint64_t address,
                                 uint32_t size, uint32_t *distance,
                                 struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SIMULATE_H */
