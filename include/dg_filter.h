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
     file:NAME   a function of the call stack is from the source file NAME (its
                 base name, or the end of its path after a '/')
     dso:NAME    the same for the module NAME
     user:LABEL  events: an event LABEL is active; ranges: the access overlaps
                 a range with this label
     thread:T    events only: by the thread with this number or name
     range       ranges only: overlaps any range
     malloc      ranges only: overlaps any heap block
     var:NAME    ranges only: overlaps the global or static variable NAME
     addr:A..B   ranges only: overlaps the addresses A to B - 1; A or B may be
                 missing; addr:A is one byte
     not ...     followed by one of these: it must not hold
   A backslash quotes the next character ("\," in a label).  For events, the
   stack is that of the access; for ranges, that of the allocation of the heap
   block that the access overlaps.  An access is kept if, of the conditions on
   threads, of the others on events, and of those on ranges, at least one each
   holds, as far as there are any, and no condition after "not" does.  Names of
   functions are compared completely, with or without the parameters of a
   demangled name.  Inlined frames count.  */
struct dg_filter;

/* symbols may be NULL if there is no fn, file, dso or var (otherwise it is
   DG_ERR_INVALID); space may always be NULL, but saves making its data for
   range and malloc.  Both must outlive the filter.  Evaluates the conditions
   on stacks once for every context and block, which may take a while; progress
   as in dg_log_load, but in contexts and blocks.  The message of DG_ERR_FILTER
   contains the condition.  The stack of an access is its instruction and the
   call sites of its context.  */
DG_API struct dg_filter *dg_filter_new (const struct dg_log *log,
                                        struct dg_symbols *symbols,
                                        const struct dg_space *space,
                                        const char *events, const char *ranges,
                                        dg_progress_fn progress, void *user,
                                        struct dg_error *err);
/* Whether both can be parsed.  Needs no log and almost no time.  0 or
   DG_ERR_FILTER, whose message contains the condition.  Both may be NULL.  */
DG_API int dg_filter_check (const char *events, const char *ranges,
                            struct dg_error *err);
/* A name as a condition has it, with a backslash before each comma and
   backslash, to be freed with free; NULL: no memory.  */
DG_API char *dg_filter_quote (const char *name);
/* The text of the i-th condition of such a list, as it is written there but
   for blanks in front, to be freed with free; NULL: there are no more, or no
   memory.  It need not be one that can be parsed.  */
DG_API char *dg_filter_condition_text (const char *conditions, size_t i);
DG_API void dg_filter_free (struct dg_filter *filter);
/* Conditions that match nothing in the log, one after the other: "--events:
   fn:sotr matches nothing; did you mean 'sort'?"; NULL if i is after the last.
   Determined by the first call; one thread.  */
DG_API const char *dg_filter_problem (const struct dg_filter *filter,
                                      size_t i);
/* Whether the access is kept.  Fast: some ns for filters without ranges.  */
DG_API bool dg_filter_access (const struct dg_filter *filter,
                              const struct dg_access *access);
/* The same for n accesses: mask[i] becomes 1 if accesses[i] is kept, otherwise
   0.  Returns how many are kept.  Faster than single calls for accesses in the
   order of the log, as from dg_reader_accesses; any order is allowed.  Any
   number of threads.  */
DG_API size_t dg_filter_accesses (const struct dg_filter *filter,
                                  const struct dg_access *accesses, size_t n,
                                  uint8_t *mask);
/* Whether any access of this context at this moment may be kept by the
   conditions on events, whichever thread makes it.  For skipping whole
   runs.  */
DG_API bool dg_filter_run (const struct dg_filter *filter, uint32_t context,
                           uint64_t icount);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_FILTER_H */
