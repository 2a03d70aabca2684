/* stack_names.h: call stacks of allocations, by levels, which are the frames
   of dg_site_frames: level 1 is the innermost one that is not an allocator.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_STACK_NAMES_H
#define DG_STACK_NAMES_H

#include "libdatagrind.h"

struct stack_names;

/* A call as it is shown.  Strings are safe for terminals, and NULL if
   unknown.  */
struct stack_level {
  uint64_t address; /* the return address; for a client request, that
                       of the code */
  const char *function;
  const char *where;       /* "/src/a.c:12", see dg_site_where */
  const char *source;      /* the text of that line */
  const char *module;
  const char *text; /* all of this as lines of text, or as a JSON
                       object */
  size_t length;
  struct dg_site_frame site; /* of the library */
};

struct stack_trace {
  uint32_t n; /* at most the requested number */
  const struct stack_level *levels[];
};

struct stack_names_options {
  const char *allocators;       /* file with further allocators */
  const char *const *alloc_fns; /* names of further allocators */
  size_t n_alloc_fns;
  const char *const *source_map;   /* NULL-terminated FROM=TO, or NULL */
  const char *ignore; /* glob of files whose inlined frames are omitted,
                         unless there is no other frame; or NULL */
  bool has_inlined;   /* level 1 is the innermost frame at its address,
                         even if it is library code */
  unsigned levels;    /* the maximum of a stack, at least 1 */
  bool as_json;       /* the form of texts of levels */
};

/* The log must outlive it.  NULL on failure.  */
struct stack_names *
stack_names_new (const struct dg_log *log,
                  const struct stack_names_options *options,
                  struct dg_error *err);
/* NULL is allowed.  */
void stack_names_free (struct stack_names *names);

/* The levels of a stack at a moment. is_call: its first site is in a function
   that allocates or frees for its caller, which is not a level; otherwise it
   is in own code.  Belongs to the names.  */
const struct stack_trace *
stack_names_trace (struct stack_names *names, const struct dg_stack *stack,
                    uint64_t icount, bool is_call);
/* The level of one code address; NULL for 0.  */
const struct stack_level *stack_names_level (struct stack_names *names,
                                             uint64_t address,
                                             uint64_t icount);

/* A number that differs between moments at which an address may have different
   names.  */
uint32_t stack_names_epoch (const struct stack_names *names,
                             uint64_t icount);

/* The symbols that are used; they belong to the names.  */
struct dg_symbols *stack_names_symbols (struct stack_names *names);

#endif /* DG_STACK_NAMES_H */
