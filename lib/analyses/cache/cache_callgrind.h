/* cache_callgrind.h: costs of code and calls, as a file that KCachegrind and
   callgrind_annotate read ("Callgrind Format Specification" of Valgrind's
   manual).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_CALLGRIND_H
#define DG_CACHE_CALLGRIND_H

#include "cache_lower.h"
#include "dg_analysis.h"

/* Costs by function, file and line, and by call.  Functions are those that
   really are; what was inlined into them has its own file and line there.  A
   function that was called again by itself, or by what it called, counts once
   for each call that led to it, as call paths have each site once.

   Memory: what the log defines is the bound: for each line of code that ran,
   and each pair of a call site and what it called, some 150 bytes.  */
struct dg_cache_callgrind;

struct dg_cache_callgrind *dg_cache_callgrind_new (const struct dg_log *log,
                                                   struct dg_symbols *symbols);
void dg_cache_callgrind_free (struct dg_cache_callgrind *out);

/* Adds the DG_EVENTS of each instruction of a context: a dg_context_visit_fn;
   user: the struct dg_cache_callgrind.  */
void dg_cache_callgrind_add (void *user, uint32_t context, uint64_t icount,
                             const uint64_t *rows, unsigned n);

/* Writes it all.  levels: lines "desc: ..." that tell of the caches.  What
   fails shows in the file.  */
void dg_cache_callgrind_write (struct dg_cache_callgrind *out,
                               const char *levels, FILE *file);

#endif /* DG_CACHE_CALLGRIND_H */
