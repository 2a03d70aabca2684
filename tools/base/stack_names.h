/* stack_names.h: call stacks of allocations, by levels, which are the frames
   of dg_site_frames: level 1 is the innermost that is not an allocator.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_STACK_NAMES_H
#define DG_STACK_NAMES_H

#include "libdatagrind.h"

struct stack_names;

/* A call, as it is shown: strings hold nothing that a terminal might obey, and
   are NULL when unknown.  */
struct stack_level {
  uint64_t address;        /* to which the call returns; of a request, that of
                              the code */
  const char *function;
  const char *where;       /* "/src/a.c:12", see dg_site_where */
  const char *source;      /* the text of that line */
  const char *module;
  const char *text;        /* all of this as lines for people, or as a JSON
                              object */
  size_t length;
  struct dg_site_frame site;       /* as the library has it */
};

struct stack_trace {
  uint32_t n;              /* at most as many as were asked for */
  const struct stack_level *levels[];
};

struct stack_names_options {
  const char *allocators;          /* file of those that are known, too */
  const char *const *alloc_fns;    /* and names */
  size_t n_alloc_fns;
  const char *const *source_map;   /* NULL-terminated FROM=TO, or NULL */
  const char *ignore;      /* glob of files that are left out where something
                              better is known, or NULL */
  bool has_inlined;        /* level 1 is what is innermost at its address, of
                              whatever library it is */
  unsigned levels;         /* that are wanted of a stack, at least 1 */
  bool as_json;            /* what texts of levels are to be */
};

/* The log must outlive it.  NULL on failure.  */
struct stack_names *
stack_names_new (const struct dg_log *log,
                  const struct stack_names_options *options,
                  struct dg_error *err);
/* NULL is fine.  */
void stack_names_free (struct stack_names *names);

/* Of a stack at a moment.  is_call: its first site is in a function that
   allocates or frees for its caller, and so no level; else in the program's
   own code.  Belongs to the names.  */
const struct stack_trace *
stack_names_trace (struct stack_names *names, const struct dg_stack *stack,
                    uint64_t icount, bool is_call);
/* Of one code address; NULL for 0.  */
const struct stack_level *
stack_names_place (struct stack_names *names, uint64_t address,
                    uint64_t icount);

/* What an address is called may differ between moments of which this
   differs.  */
uint32_t stack_names_epoch (const struct stack_names *names,
                             uint64_t icount);

/* The symbols behind it, which belong to it.  */
struct dg_symbols *stack_names_symbols (struct stack_names *names);

#endif /* DG_STACK_NAMES_H */
