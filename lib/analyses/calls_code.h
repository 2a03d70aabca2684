/* calls_code.h: what a call path's block says about calls: its function, the
   path, where it ends, and whether it is where a function begins.

   Worked out for each context when it is first met, under a lock; then read by
   all threads without one.  Memory: 32 bytes for each context of the log, and
   about 100 for each path and function.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_CODE_H
#define DG_CALLS_CODE_H

#include <glib.h>

#include "dg_analysis.h"

enum calls_flags {
  CALLS_ENTRY = 1,         /* the block is the first of its function */
  CALLS_RETURN_POINT = 2,  /* it is behind the innermost call of its path */
  CALLS_MAY_RETURN = 4,    /* its last instruction can be a return */
  CALLS_TRAMPOLINE = 8     /* its function only leads to another one */
};

struct calls_context {
  uint32_t path;           /* from 1; 0: not worked out yet */
  uint32_t function;       /* that is not inlined */
  uint64_t top_site;       /* the innermost call site of the path; 0: none */
  uint64_t end_site;       /* what that is in a function called at the end of
                              the block */
  uint16_t n_instrs;
  uint8_t flags;           /* enum calls_flags */
};

struct calls_function {
  const char *name;        /* interned; NULL: unknown */
  const char *module;      /* path; NULL: unknown */
  const char *label;       /* for people, never NULL */
};

struct calls_path { const uint64_t *sites; uint32_t n; };

struct calls_code;

struct calls_code *calls_code_new (const struct dg_log *log,
                                   struct dg_symbols *symbols,
                                   struct dg_error *err);
void calls_code_free (struct calls_code *code);

/* For calls_code_context.  */
struct calls_context *calls_code_contexts (struct calls_code *code);
void calls_code_learn (struct calls_code *code, uint32_t context);

/* contexts: of calls_code_contexts.  Any thread.  */
static inline const struct calls_context *
calls_code_context (struct calls_code *code, struct calls_context *contexts,
                    uint32_t context)
{
  struct calls_context *c = &contexts[context];
  if (G_UNLIKELY (__atomic_load_n (&c->path, __ATOMIC_ACQUIRE) == 0))
    calls_code_learn (code, context);
  return c;
}

/* The call sites of a path, the innermost first.  Any thread.  */
struct calls_path calls_code_path (struct calls_code *code, uint32_t path);
/* The number of a path, whose sites must live as long as the log.  Any
   thread.  */
uint32_t calls_code_find_path (struct calls_code *code,
                               const struct calls_path *path);

/* The function of a code address; with `chain`, of the inlined functions
   there, too, the innermost first, at most `max`: returns how many there are.
   context: of which it is a part, for the moment.  Any thread.  */
size_t calls_code_functions (struct calls_code *code, uint32_t context,
                             uint64_t address, bool chain, uint32_t *functions,
                             size_t max);

/* Functions are numbered from 0, in no particular order.  Any thread.  */
uint32_t calls_code_n_functions (struct calls_code *code);
struct calls_function calls_code_function (struct calls_code *code,
                                           uint32_t function);

/* In the order of names, then modules.  */
int calls_function_compare (const struct calls_function *a,
                            const struct calls_function *b);

#endif /* DG_CALLS_CODE_H */
