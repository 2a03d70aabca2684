/* calls_stack.h: a thread's calls as they happen: what is on its stack, and
   what each function's calls add up to.

   Calls are seen between two runs of a thread (calls_stack.c says how), so
   it must be given all of them, in order.  An analysis that is filtered gives
   what is left: then what is called from where nothing is left is a call if
   the first that is seen of it is its beginning.

   Memory: 128 bytes for each call on the stack, up to CALLS_DEPTH; 200 for
   each function that the thread has, 100 for each pair of caller and callee,
   4 for each function of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_STACK_H
#define DG_CALLS_STACK_H

#include "calls_code.h"
#include "calls_sums.h"

/* Deeper calls are counted, but have no length of their own.  */
#define CALLS_DEPTH ((uint32_t) 1 << 20)

/* Called at the end of each call, when its callees have ended.  depth: 0 for
   the outermost.  */
struct calls_span {
  uint64_t start_icount, end_icount;
  uint64_t start_own, end_own;         /* the weight of the thread until then:
                                          instructions, or by the time
                                          model */
  uint32_t function, depth;
};
typedef void (*calls_span_fn) (void *user, const struct calls_span *span);

struct calls_stack;

/* span may be NULL.  */
struct calls_stack *calls_stack_new (struct calls_code *code, uint32_t thread,
                                     bool keeps_longest,
                                     enum calls_weight weight,
                                     calls_span_fn span, void *user,
                                     struct dg_error *err);
void calls_stack_free (struct calls_stack *stack);

void calls_stack_feed (struct calls_stack *stack, const struct dg_run *runs,
                       size_t n);
/* The thread is over: so are its calls.  0, or DG_ERR_NOMEM if there was not
   enough of it meanwhile.  */
int calls_stack_end (struct calls_stack *stack, struct dg_error *err);

/* What is known by now.  */
const struct calls_sums *calls_stack_sums (const struct calls_stack *stack);
/* Adds what the current function did since it was last entered to its sums,
   so that these are those of this moment.  */
void calls_stack_settle (struct calls_stack *stack);
/* The most frames there were at a time since it was last asked, or ever.  */
uint32_t calls_stack_deepest (struct calls_stack *stack);
uint32_t calls_stack_deepest_ever (const struct calls_stack *stack);
const struct calls_cost *calls_stack_cost (const struct calls_stack *stack);

/* Adds what the time model says of the run that was fed last.  */
void calls_stack_add (struct calls_stack *stack,
                      const uint64_t figures[CALLS_TIMES]);

#endif /* DG_CALLS_STACK_H */
