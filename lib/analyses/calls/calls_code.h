/* calls_code.h: what blocks of code say about calls: their function, where
   they end, and whether they are where a function begins.

   Worked out for each block when it is first met, under a lock; then read by
   all threads without one.  Memory: 32 bytes for each block of the log, and
   about 100 for each function.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_CODE_H
#define DG_CALLS_CODE_H

#include <glib.h>

#include "dg_analysis.h"
#include "archive/program.h"

enum calls_flags {
  CALLS_ENTRY = 1,         /* the block is the first of its function */
  CALLS_MAY_RETURN = 2,    /* its last instruction can be a return */
  /* Its function only leads */
  CALLS_LEADS = 4,         /* to where another one begins, */
  CALLS_BINDS = 8,         /* or to what looks for that */
  CALLS_TRAMPOLINE = CALLS_LEADS | CALLS_BINDS
};

/* In place of the number of a block's instructions: it ends with one that
   repeats itself (dg_bbdef.repeats), which neither calls nor returns.  No run
   has as many, so that others need not be asked.  */
#define CALLS_REPEATS UINT16_MAX

struct calls_block {
  uint64_t begin_site;     /* that of a call behind which it begins */
  uint64_t end_site;       /* that of a call at its end */
  uint32_t function;       /* that is not inlined */
  uint16_t n_instrs;
  uint8_t flags;           /* enum calls_flags */
  uint8_t is_known;
};

struct calls_context {
  const struct calls_block *block;
  uint64_t top_site;       /* the innermost call site of the path */
  uint32_t path;           /* of dg_log_call_path */
};

struct calls_function {
  const char *name;        /* interned; NULL: unknown */
  const char *module;      /* path; NULL: unknown */
  const char *label;       /* for people, never NULL */
};

/* What is looked up for each run.  */
struct calls_tables {
  struct calls_block *blocks;
  const struct dg_context *contexts;
  const struct dg_program_paths *paths;
};

struct calls_code;

struct calls_code *calls_code_new (const struct dg_log *log,
                                   struct dg_symbols *symbols,
                                   struct dg_error *err);
void calls_code_free (struct calls_code *code);

struct calls_tables calls_code_tables (const struct calls_code *code);
void calls_code_learn (struct calls_code *code, uint32_t bbdef);

/* tables: of calls_code_tables.  Any thread.  */
static inline struct calls_context
calls_code_context (struct calls_code *code, const struct calls_tables *tables,
                    uint32_t context)
{
  struct dg_context at = tables->contexts[context];
  const struct calls_block *block = &tables->blocks[at.bbdef];

  if (G_UNLIKELY (!__atomic_load_n (&block->is_known, __ATOMIC_ACQUIRE)))
    calls_code_learn (code, at.bbdef);
  at.path = dg_program_told (tables->paths, at.path);
  return (struct calls_context){
    block, dg_program_path (tables->paths, at.path)->site, at.path
  };
}

/* Is it behind the innermost call of its path?  */
static inline bool
calls_is_return_point (const struct calls_context *context)
{
  return context->top_site == context->block->begin_site
         && context->path != 0;
}

/* The path without its innermost call; DG_NONE: it has none.  */
static inline uint32_t
calls_outer_path (const struct calls_tables *tables, uint32_t path)
{
  const struct dg_program_path *at = dg_program_path (tables->paths, path);

  if (path == 0)
    return DG_NONE;
  return at->own > 0 ? 0 : at->parent;
}

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
