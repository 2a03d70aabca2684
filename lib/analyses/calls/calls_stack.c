/* calls_stack.c: a thread's calls as they happen.

   What tells calls: a block that ends with a call puts the address of that
   call's last byte, which is the block's own, on the path of what runs next.
   So it is a call if the last run went through to the end of its block, and
   what follows has that end as its innermost call site.  Nothing else ends a
   block there.

   What tells returns: the path is that of a frame further down.  Recursion is
   folded in paths, and so leads to the same path again: there, it is a return
   if the block before could end with one, what follows is behind the innermost
   call site, and the frame below has this path, too.

   A jump from one function to the beginning of another is a call that returns
   together with its caller.  What the linker puts between two functions
   (calls_code.c: trampolines) has returned when it jumps.

   Functions of scripts are sites of paths that their interpreter's evaluator
   sets, without a call.  The frame of a path that such a site follows is that
   of the script's function; when nothing follows it is the evaluator's, in
   whose place it stands then.

   Anything else is a change that was not seen: another stack, a handler, a
   filter.  Then frames end that are not part of the path, and those of the
   path that are not there begin.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_stack.h"

#include <string.h>

#include "base/error.h"
#include "dg_record.h"

/* Functions that jumped from one to the next.  */
#define MAX_JUMPS 64

#define NO_EDGE UINT32_MAX

/* And those of CALLS_TRAMPOLINE, as its blocks have them.  */
enum frame_flags {
  FRAME_JUMPED = 1,        /* to it, from the frame below */
  FRAME_COUNTED = 2,       /* its beginning was seen: a call */
  FRAME_SCRIPT = 16        /* of a function of a script */
};

struct frame {
  struct calls_cost before;            /* of the thread, when it began */
  uint64_t start_icount;
  uint32_t path, function;
  uint32_t edge;
  uint32_t flags;
};

struct calls_stack {
  struct calls_code *code;
  struct calls_tables tables;
  /* What the latest run left: */
  uint32_t path, function;
  uint64_t end_site;       /* UINT64_MAX: it did not reach its end */
  bool may_return;
  uint64_t icount;         /* behind it */
  struct calls_cost cost;              /* so far */
  struct calls_cost settled;           /* of them, in somebody's self */
  struct frame *frames;
  uint32_t n, room, deepest, deepest_ever;
  uint64_t too_deep;       /* calls from the same path that have no frame */
  struct calls_sums sums;
  uint32_t thread;
  enum calls_weight weight;            /* of spans */
  calls_span_fn span;
  void *user;
};

struct calls_stack *
calls_stack_new (struct calls_code *code, uint32_t thread, bool keeps_longest,
                 enum calls_weight weight, calls_span_fn span, void *user,
                 struct dg_error *err)
{
  struct calls_stack *stack = g_try_new0 (struct calls_stack, 1);

  if (stack == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  stack->code = code;
  stack->tables = calls_code_tables (code);
  stack->path = DG_NONE;
  stack->end_site = UINT64_MAX;
  stack->thread = thread;
  stack->weight = weight;
  stack->span = span;
  stack->user = user;
  calls_sums_init (&stack->sums, keeps_longest);
  return stack;
}

void
calls_stack_free (struct calls_stack *stack)
{
  if (stack == NULL)
    return;
  calls_sums_fini (&stack->sums);
  g_free (stack->frames);
  g_free (stack);
}

/* ---- Frames ---- */

/* NULL if there is no room for another.  */
static struct frame *
make_frame (struct calls_stack *stack)
{
  if (stack->n == CALLS_DEPTH)
    return NULL;
  if (!DG_ARRAY_ROOM (stack->frames, stack->room, stack->n)) {
    stack->sums.has_failed = true;
    return NULL;
  }
  return &stack->frames[stack->n];
}

/* Something begins, at the run that comes now.  */
static void
push (struct calls_stack *stack, uint32_t path, uint32_t function,
      unsigned flags, uint64_t icount)
{
  struct calls_of *of = calls_sums_function (&stack->sums, function);
  bool is_counted = flags & FRAME_COUNTED;
  uint32_t number = NO_EDGE;
  struct frame *frame;

  of->calls += is_counted;
  if (stack->n > 0) {
    number = calls_sums_edge (&stack->sums,
                              stack->frames[stack->n - 1].function, function);
    calls_sums_edge_at (&stack->sums, number)->calls += is_counted;
  }
  frame = make_frame (stack);
  if (frame == NULL) {
    stack->too_deep++;
    return;
  }
  of->active++;
  calls_sums_edge_at (&stack->sums, number)->active++;
  *frame = (struct frame){
    .before = stack->cost, .start_icount = icount, .path = path,
    .function = function,
    .edge = number, .flags = flags
  };
  stack->n++;
  stack->deepest = MAX (stack->deepest, stack->n);
  stack->deepest_ever = MAX (stack->deepest_ever, stack->n);
}

static void
pop (struct calls_stack *stack)
{
  const struct frame *frame = &stack->frames[--stack->n];
  struct calls_of *of = calls_sums_function (&stack->sums, frame->function);
  struct calls_edge *edge = calls_sums_edge_at (&stack->sums, frame->edge);
  const struct calls_long call = {
    stack->cost.instructions - frame->before.instructions,
    frame->start_icount, stack->thread
  };

  if (--of->active == 0)
    calls_cost_add_between (&of->inclusive, &frame->before, &stack->cost);
  if (--edge->active == 0 && frame->edge != NO_EDGE)
    calls_cost_add_between (&edge->inclusive, &frame->before, &stack->cost);
  if (frame->flags & FRAME_COUNTED)
    calls_sums_ended (&stack->sums, of, &call);
  if (stack->span != NULL) {
    const struct calls_span span = { frame->start_icount, stack->icount,
                                     calls_cost_of (&frame->before,
                                                    stack->weight),
                                     calls_cost_of (&stack->cost,
                                                    stack->weight),
                                     frame->function,
                                     stack->n };
    stack->span (stack->user, &span);
  }
}

static void
pop_to (struct calls_stack *stack, uint32_t n)
{
  while (stack->n > n)
    pop (stack);
}

/* ---- What happened between two runs ---- */

/* The frame that was called and from which those above were jumped to.  */
static uint32_t
group_of (const struct calls_stack *stack)
{
  uint32_t i = stack->n - 1;

  while (i > 0 && (stack->frames[i].flags & FRAME_JUMPED))
    i--;
  return i;
}

/* Whether the thread is in the frame at the top, and that leads to a function,
   or to what does.  In a library without a symbol table nothing else may be
   known of either.  */
static bool
leads_on (const struct calls_stack *stack)
{
  const struct frame *top = &stack->frames[stack->n - 1];

  return (top->flags & CALLS_TRAMPOLINE) && top->function == stack->function;
}

/* From one function to the beginning of another, on the same path.  Functions
   that jump to each other in turn take one frame each.  */
static void
jump (struct calls_stack *stack, const struct calls_context *to,
      uint64_t icount)
{
  uint32_t group = group_of (stack), i = stack->n;
  unsigned from = stack->frames[stack->n - 1].flags, flags;
  unsigned leads = to->block->flags & CALLS_TRAMPOLINE;

  if ((from & CALLS_BINDS) && leads == 0 && !(to->block->flags & CALLS_ENTRY))
    leads = CALLS_LEADS;
  if ((from & CALLS_TRAMPOLINE)
      || stack->n - group > MAX_JUMPS)
    i = stack->n - 1;
  for (uint32_t k = group; k < i; k++)
    if (stack->frames[k].function == to->block->function)
      i = k;
  flags = i == stack->n ? FRAME_JUMPED
                        : stack->frames[i].flags & FRAME_JUMPED;
  pop_to (stack, i);
  push (stack, to->path, to->block->function, flags | FRAME_COUNTED | leads,
        icount);
}

/* The same path.  */
static void
stay (struct calls_stack *stack, const struct calls_context *to,
      bool is_whole, uint64_t icount)
{
  uint32_t group = group_of (stack);

  if (is_whole && stack->may_return && calls_is_return_point (to)) {
    if (stack->too_deep > 0) {
      stack->too_deep--;
      return;
    }
    if (group > 0 && stack->frames[group - 1].path == to->path) {
      pop_to (stack, group);
      return;
    }
  }
  if (to->block->function == stack->function)
    return;
  if (is_whole && ((to->block->flags & CALLS_ENTRY) || leads_on (stack)))
    jump (stack, to, icount);
  else if (stack->n - 1 > group
           && stack->frames[stack->n - 2].function == to->block->function)
    pop (stack);
}

static uint64_t
site_of (const struct calls_stack *stack, uint32_t path)
{
  return dg_program_path (stack->tables.paths, path)->site;
}

/* The frame on top is the evaluator's, or another function's of the script,
   and its path goes on with a site of this function.  Whether it was a call
   depends on what else begins.  */
static void
run_script (struct calls_stack *stack, uint32_t path, uint32_t function,
            bool is_call, uint64_t icount)
{
  while (stack->n > 0 && stack->frames[stack->n - 1].path == path
         && stack->frames[stack->n - 1].function != function)
    pop (stack);
  if (stack->n > 0 && stack->frames[stack->n - 1].path == path)
    return;
  push (stack, path, function,
        FRAME_SCRIPT | (is_call ? FRAME_COUNTED : 0), icount);
}

/* A path that is not on the stack.  */
static void
begin_path (struct calls_stack *stack, uint32_t context,
            const struct calls_context *to, unsigned flags, uint64_t icount)
{
  uint32_t outer[DG_STACK_MAX + 1], n = 0, have;

  /* The path, and all that it goes on from.  */
  for (uint32_t path = to->path; path != DG_NONE && n < G_N_ELEMENTS (outer);
       path = calls_outer_path (&stack->tables, path))
    outer[n++] = path;
  for (have = n; stack->n > 0; pop (stack)) {
    uint32_t top = stack->frames[stack->n - 1].path;

    for (have = 0; have < n && outer[have] != top; have++)
      continue;
    if (have < n)
      break;
  }
  /* That of the path from which the others go on stays, unless a function of
     a script has come. */
  if (have > 0 && have < n
      && DG_IS_SCRIPT (site_of (stack, outer[have - 1])))
    have++;
  while (have-- > 1) {
    uint64_t site = site_of (stack, outer[have - 1]);
    uint32_t function;

    calls_code_functions (stack->code, context, site, false, &function, 1);
    if (DG_IS_SCRIPT (site))
      run_script (stack, outer[have], function, have == 1, icount);
    else
      push (stack, outer[have], function, 0, icount);
  }
  push (stack, to->path, to->block->function,
        (flags & CALLS_ENTRY ? FRAME_COUNTED : 0)
          | (to->block->flags & CALLS_TRAMPOLINE),
        icount);
}

static void
change (struct calls_stack *stack, uint32_t context,
        const struct calls_context *to, unsigned flags, uint64_t icount)
{
  stack->too_deep = 0;
  for (uint32_t i = stack->n; i > 0; i--)
    if (stack->frames[i - 1].path == to->path) {
      bool is_over = stack->frames[i - 1].flags & FRAME_SCRIPT;

      pop_to (stack, is_over ? i - 1 : i);
      if (is_over)
        push (stack, to->path, to->block->function, 0, icount);
      return;
    }
  begin_path (stack, context, to, flags, icount);
}

void
calls_stack_settle (struct calls_stack *stack)
{
  struct calls_of *of = calls_sums_function (&stack->sums, stack->function);

  calls_cost_add_between (&of->self, &stack->settled, &stack->cost);
  stack->settled = stack->cost;
}

/* A part of a run, when it is not the first, has not just come there.  */
static void
move (struct calls_stack *stack, const struct calls_context *to,
      const struct dg_run *run)
{
  bool is_whole = run->first_instr == 0;
  unsigned flags = is_whole ? to->block->flags : 0;
  uint64_t icount = run->icount + run->first_instr;

  if (stack->n > 0 && run->first_instr == 0
      && to->top_site == stack->end_site)
    push (stack, to->path, to->block->function,
          FRAME_COUNTED | (flags & CALLS_TRAMPOLINE),
          icount);
  else if (stack->n > 0 && to->path == stack->path)
    stay (stack, to, is_whole, icount);
  else
    change (stack, run->context, to, flags, icount);
  if (to->block->function != stack->function) {
    calls_stack_settle (stack);
    stack->function = to->block->function;
  }
  stack->path = to->path;
}

/* ---- Runs ---- */

/* Of a run that is not whole, or that has addresses.  */
static unsigned
accesses_of (const struct dg_run *run)
{
  const struct dg_slot *slots = run->bbdef->slots;
  unsigned n = 0;

  for (unsigned i = 0; i < run->n_slots; i++)
    n += slots[i].iseq >= run->first_instr
         && (run->addresses == NULL || run->addresses[slots[i].entry] != 0);
  return n;
}

void
calls_stack_feed (struct calls_stack *stack, const struct dg_run *runs,
                  size_t n)
{
  for (const struct dg_run *run = runs; run < runs + n; run++) {
    const struct calls_context to
      = calls_code_context (stack->code, &stack->tables, run->context);
    if (G_UNLIKELY (to.path != stack->path
                    || to.block->function != stack->function
                    || to.top_site == stack->end_site
                    || calls_is_return_point (&to)))
      move (stack, &to, run);
    stack->cost.instructions += run->n_instrs - run->first_instr;
    stack->cost.accesses += G_LIKELY (run->addresses == NULL
                                 && run->first_instr == 0)
                       ? run->n_slots : accesses_of (run);
    stack->icount = run->icount + run->n_instrs;
    stack->end_site = UINT64_MAX;
    stack->may_return = false;
    if (G_LIKELY (run->n_instrs == to.block->n_instrs)) {
      stack->end_site = to.block->end_site;
      stack->may_return = to.block->flags & CALLS_MAY_RETURN;
    } else if (to.block->n_instrs == CALLS_REPEATS) {
      stack->cost.instructions -= dg_is_repetition (run->bbdef, run->n_instrs,
                                               run->n_slots);
    }
  }
}

int
calls_stack_end (struct calls_stack *stack, struct dg_error *err)
{
  calls_stack_settle (stack);
  pop_to (stack, 0);
  return stack->sums.has_failed ? dg_error_nomem (err) : 0;
}

const struct calls_sums *
calls_stack_sums (const struct calls_stack *stack)
{
  return &stack->sums;
}

uint32_t
calls_stack_deepest (struct calls_stack *stack)
{
  uint32_t deepest = stack->deepest;

  stack->deepest = stack->n;
  return deepest;
}

uint32_t
calls_stack_deepest_ever (const struct calls_stack *stack)
{
  return stack->deepest_ever;
}

const struct calls_cost *
calls_stack_cost (const struct calls_stack *stack)
{
  return &stack->cost;
}

void
calls_stack_add (struct calls_stack *stack,
                 const uint64_t figures[CALLS_TIMES])
{
  for (unsigned i = 0; i < CALLS_TIMES; i++)
    stack->cost.time[i] += figures[i];
}
