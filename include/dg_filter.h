/* dg_filter.h: the language of --events and --ranges.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_FILTER_H
#define LIBDATAGRIND_FILTER_H

#include "dg_reader.h"
#include "dg_space.h"
#include "dg_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

/* events and ranges are comma-separated conditions, NULL or "" for none:
     fn:NAME     NAME is in the call stack
     file:NAME   a function of the call stack comes from the source file
                 NAME (its base name, or the end of its path from a '/')
     dso:NAME    ... from the module NAME (the same)
     user:LABEL  events: LABEL's event is active; ranges: the access
                 overlaps a range tracked with that label
     range       ranges only: overlaps any tracked range
     malloc      ranges only: overlaps any heap block
   A backslash takes the next character literally ("\," in a label).  For
   events the stack is the access's, for ranges the allocation's of the heap
   block that the access overlaps.  An access is kept if one event condition
   and one range condition hold; a side without conditions always holds.
   Function names match as a whole: with or without the parameter list of a
   demangled name.  Inlined frames count.  */
struct dg_filter;

/* symbols may be NULL when there is no fn, file or dso (else it is
   DG_ERR_INVALID); space may always be, but saves making its like for range
   and malloc.  Both must outlive the filter.  Evaluates the stack conditions
   of every context and block once, which may take a while: progress as in
   dg_log_load, but counted in contexts and blocks.  DG_ERR_FILTER names the
   condition.  The stack of an access is its own instruction and the call
   sites of its context.  */
DG_API struct dg_filter *dg_filter_new (const struct dg_log *log,
                                        struct dg_symbols *symbols,
                                        const struct dg_space *space,
                                        const char *events, const char *ranges,
                                        dg_progress_fn progress, void *user,
                                        struct dg_error *err);
/* Can both be understood?  Needs no log and no time.  0 or DG_ERR_FILTER,
   which names the condition.  Both may be NULL.  */
DG_API int dg_filter_check (const char *events, const char *ranges,
                            struct dg_error *err);
DG_API void dg_filter_free (struct dg_filter *filter);
/* Which conditions nothing of the log meets, one after the other: "--events:
   fn:sotr matches nothing; did you mean 'sort'?"; NULL when i is past the
   last.
   They select nothing, then.  Found out at the first call; one thread.  */
DG_API const char *dg_filter_problem (const struct dg_filter *filter,
                                      size_t i);
/* Is the access kept?  Cheap: some ns for filters without ranges.  */
DG_API bool dg_filter_access (const struct dg_filter *filter,
                              const struct dg_access *access);
/* The same for n accesses: mask[i] becomes 1 if accesses[i] is kept, else 0;
   returns how many are.  Quicker than one by one for accesses in the order of
   the log, as dg_reader_accesses gives them; any order is right.  Any number
   of threads.  */
DG_API size_t dg_filter_accesses (const struct dg_filter *filter,
                                  const struct dg_access *accesses, size_t n,
                                  uint8_t *mask);
/* Does any access of this context at this moment pass the events side?  For
   skipping whole runs.  */
DG_API bool dg_filter_run (const struct dg_filter *filter, uint32_t context,
                           uint64_t icount);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_FILTER_H */
