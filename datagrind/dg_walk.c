/*--------------------------------------------------------------------*/
/*--- Datagrind: what shadow stacks say.                 dg_walk.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* The call sites of the running thread, from its shadow stack.  */

#include "dg_stack.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

/* Of a stack with scripts, to find the outermost ones.  */
#define MOST_SITES  65536

/*------------------------------------------------------------*/
/*--- Calls of light code                                  ---*/
/*------------------------------------------------------------*/

/* Frame k + 1 keeps the path to where frame k has led, and *last is that to
   where the last one has.  Light code only says which call led on.  */
static void resolve ( DgFrame* frames, UInt top, DgNodeRef* last )
{
#  define PATH(k)  (*((k) == top ? last : &frames[(k) + 1].node))
   UInt k = top;
   while (DG_NODE(PATH(k)) & DG_IS_CALL)
      k--;
   for (k++; k <= top; k++) {
      UInt call = DG_NODE(PATH(k)) & ~DG_IS_CALL;
      PATH(k) = DG_REF(DG_(node_child)(DG_NODE(PATH(k - 1)),
                                       DG_(gap_site_at)(call)));
   }
#  undef PATH
}

static void resolve_running ( DgStack* s )
{
   resolve(s->frames, DG_(hot).top - s->frames, &DG_(hot).node);
}

void DG_(stack_resolve) ( void )
{
   DgStack* s = DG_(stack_of)(DG_(running)());
   if (!DG_(light) || s == NULL)
      return;
   resolve_running(s);
   while ((s = s->interrupted) != NULL)
      resolve(s->frames, s->top, &s->node);
}

void DG_(stack_resolve_all) ( void )
{
   for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
      DgStack* current = DG_(stack_of)(tid);
      for (DgStack* s = current; s != NULL; s = s->next)
         if (s == current && tid == DG_(running)())
            resolve_running(s);
         else
            resolve(s->frames, s->top, &s->node);
   }
}

/*------------------------------------------------------------*/
/*--- What the stack is                                    ---*/
/*------------------------------------------------------------*/

/* A way through the frames of the running thread, from the inside out and
   across stacks that a handler has interrupted.  Each frame keeps the path
   that it interrupted, whose last site is that of the call before.  */
typedef struct {
   const DgStack* stack;
   const DgFrame* frame;
   UInt           node;      /* the path that frame leads to */
} Walk;

static void walk_from_top ( Walk* w )
{
   w->stack = DG_(stack_of)(DG_(running)());
   w->frame = DG_(hot).top;
   w->node  = DG_NODE(DG_(hot).node);
}

static inline Bool walk_is_over ( const Walk* w )
{
   return w->frame == w->stack->frames && w->stack->interrupted == NULL;
}

static inline void walk_on ( Walk* w )
{
   if (w->frame > w->stack->frames) {
      w->node = DG_NODE(w->frame->node);
      w->frame--;
   } else {
      w->stack = w->stack->interrupted;
      w->frame = w->stack->frames + w->stack->top;
      w->node  = DG_NODE(w->stack->node);
   }
}

static UInt walk_left ( const Walk* w )
{
   UInt n = w->frame - w->stack->frames;
   for (const DgStack* s = w->stack->interrupted; s != NULL;
        s = s->interrupted)
      n += 1 + s->top;
   return n;
}

static void walk_past ( Walk* w, UInt n )
{
   while (n > 0) {
      UInt here = w->frame - w->stack->frames;
      if (here > n)
         here = n;
      if (here > 0) {
         w->frame -= here;
         w->node   = DG_NODE(w->frame[1].node);
         n -= here;
      } else {
         walk_on(w);
         n--;
      }
   }
}

/* Appends call sites until there are max, as an unwinder finds them: a
   handler was called by what it returns to, and that by the instruction that
   was interrupted, as if it were a call that is done.  */
static UInt take_sites ( Walk* w, Addr* sites, UInt n, UInt max )
{
   for (; n < max && !walk_is_over(w); walk_on(w)) {
      /* An evaluator's frame: where its script is, which has no frames, and
         which paths may have folded.  */
      if (UNLIKELY(w->frame->sp & DG_FRAME_SCRIPT)) {
         n += DG_(script_sites)(w->frame->sp & ~DG_FRAME_MARK, sites + n,
                                max - n, &w->node);
         if (n == max)
            break;
      }
      if (w->node == DG_ROOT)
         continue;               /* a call that was lost: see dg_node */
      const DgNode* node = DG_(node_at)(w->node);
      Addr          site = node->site;
      if (UNLIKELY(node->is_signal)) {
         Addr back = DG_(handler_returns_to)();
         if (back != 0)
            sites[n++] = back - 1;
         if (n == max)
            break;
         site--;
      }
      sites[n++] = site;
   }
   return n;
}

/* From the empty path on, each call makes a path longer by one site, or not at
   all if it is folded, cut off or lost.  */
Bool DG_(stack_is_path) ( void )
{
   const DgStack* s    = DG_(stack_of)(DG_(running)());
   const DgNode*  node = DG_(node_at)(DG_NODE(DG_(hot).node));
   return s->interrupted == NULL && DG_NODE(s->frames[0].node) == DG_ROOT
          && !node->has_signal && !node->has_script
          && node->depth == DG_(hot).top - s->frames;
}

/* The same with scripts, which have more sites than frames.  */
static UInt script_stack ( Walk* w, Addr* sites, UInt inner, UInt outer )
{
   static Addr* all;
   if (all == NULL)
      all = VG_(malloc)("dg.stack.script", MOST_SITES * sizeof(Addr));
   UInt n = take_sites(w, all, 0, MOST_SITES);
   UInt first = n <= inner + outer ? n : inner;
   VG_(memcpy)(sites, all, first * sizeof(Addr));
   if (first == n)
      return n;
   VG_(memcpy)(sites + inner, all + n - outer, outer * sizeof(Addr));
   return inner + outer;
}

/* The call sites as they are, recursion and all, innermost first; of more
   than inner + outer only so many of each end.  Returns their number.  */
UInt DG_(stack_sites) ( Addr* sites, UInt inner, UInt outer )
{
   Walk w;
   DG_(stack_resolve)();
   walk_from_top(&w);
   if (DG_(opt).scripts && outer > 0)
      return script_stack(&w, sites, inner, outer);
   UInt n    = take_sites(&w, sites, 0, inner);
   UInt left = walk_left(&w);
   if (left > outer)
      walk_past(&w, left - outer);
   return take_sites(&w, sites, n, inner + outer);
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_walk.c ---*/
/*--------------------------------------------------------------------*/
