/*--------------------------------------------------------------------*/
/*--- Datagrind: shadow stacks.                         dg_stack.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Each thread has a current stack and perhaps others that it left: those of
   coroutines, and the one that a signal handler on an alternate stack has
   interrupted.  A stack is an address range and an array of frames, one for
   each call that has not returned.

   A frame says where the stack pointer was before its call.  While the call
   lasts the stack pointer is below that; once it is not, the frame is dead,
   however it ended (longjmp, an exception, a tail call's return).  Calls
   check that in the IR, returns check that they meet the very value, and
   blocks that set the stack pointer to something computed check both that
   and that they did not go far; whatever is not plain ends up in one of the
   three "slow" functions below, which leave things so that the IR behind
   them can go on as if it had been plain.

   Where calls push nothing (DG_ARCH_LEAF), a function may run with the very
   stack pointer that its caller had, so a frame has a little more than that,
   and is alive at it.  It is left for certain by what goes above it, by a
   return, and by a jump that leaves other frames or stacks, too, or that leads
   behind a call: longjmp and the like, as no tail call does.

   How that compares with what an unwinder says: see dg_unwind.  */

#include "dg_arch.h"
#include "dg_stack.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

typedef struct {
   DgStack* stack;           /* current, and the head of its list */
   UInt     n_stacks;
} Thread;

DgHot  DG_(hot);
DgCall DG_(calls)[DG_N_CALLS];

static Thread* threads;      /* by ThreadId */
static UInt    n_threads;

/* Coroutine stacks that are never returned to would pile up.  */
#define MAX_STACKS  65536

/* A stack pointer that moves by less has not changed stacks.  */
#define FAR         0x8000

/* Above the first stack pointer of a thread there is this at most that is its
   own, if it is not the C library's.  */
#define MOST_ABOVE  0x10000
#define LEAST_STACK 0x4000

/* The IR compares addresses by the sign of their difference where none has the
   top bit.  */
#define HIGHEST_SP  (VG_WORDSIZE == 8 ? ~(UWord)0 >> 1 : ~(UWord)0)

/* What may lie below a stack pointer, or above the first one of a stack.  */
#define RED_ZONE    256

void DG_(hot_for) ( ThreadId tid )
{
   const DgHot* p = &DG_(hot);
   VG_(set_shadow_regs_area)(tid, 1, 0, sizeof p, (const UChar*)&p);
}

/*------------------------------------------------------------*/
/*--- Stacks                                               ---*/
/*------------------------------------------------------------*/

static inline Thread* current ( void )
{
   return &threads[DG_(running)()];
}

DgStack* DG_(stack_of) ( ThreadId tid )
{
   return tid < n_threads ? threads[tid].stack : NULL;
}

static DgStack* new_stack ( Addr low, Addr high, DgNodeRef node )
{
   DgStack* s = VG_(calloc)("dg.stack.stack", 1, sizeof(DgStack));
   s->low     = low;
   s->high    = high;
   s->n_alloc = 16;
   s->frames  = VG_(malloc)("dg.stack.frames", s->n_alloc * sizeof(DgFrame));
   s->node    = node;
   return s;
}

/* A frame with a mark is gone: sp is what it had.  */
static void tell_left ( UWord sp )
{
   if (sp & DG_FRAME_TOGGLE)
      DG_(toggle_leave)();
   if (sp & DG_FRAME_SCRIPT)
      DG_(script_leave)(sp & ~DG_FRAME_MARK);
}

/* All frames of a stack that is not the current one are gone.  */
static void drop_frames ( DgStack* s )
{
   for (UInt i = s->top; i >= 1; i--)
      if (s->frames[i].sp & DG_FRAME_MARK)
         tell_left(s->frames[i].sp);
   s->top = 0;
}

static void reset_stack ( DgStack* s, DgNodeRef node )
{
   drop_frames(s);
   /* Above the stack the frame is dead like any other, which leads to
      sp_changed; the native one has nothing above.  It is odd, so that no
      return goes up to it, which would pop it.  */
   s->frames[0].sp   = (s->native ? HIGHEST_SP : s->high) | DG_FRAME_MARK;
   s->frames[0].node = node;
   s->node = node;
   s->interrupted = NULL;
}

Bool DG_(is_code) ( Addr a )
{
   NSegment const* seg = VG_(am_find_nsegment)(a);
   return seg != NULL && seg->hasX;
}

static void free_stack ( DgStack* s )
{
   drop_frames(s);
   VG_(free)(s->frames);
   VG_(free)(s);
}

static void leave_stack ( DgStack* s )
{
   s->top  = DG_(hot).top - s->frames;
   s->node = DG_(hot).node;
}

static void enter_stack ( DgStack* s )
{
   DG_(hot).top          = s->frames + s->top;
   DG_(hot).frames_limit = s->frames + s->n_alloc - 2;
   DG_(hot).node         = s->node;
}

static void make_room ( DgStack* s )
{
   if (DG_(hot).top < DG_(hot).frames_limit)
      return;
   leave_stack(s);
   s->n_alloc *= 2;
   s->frames = VG_(realloc)("dg.stack.frames", s->frames,
                            s->n_alloc * sizeof(DgFrame));
   enter_stack(s);
}

static void push ( DgStack* s, UWord sp, DgNodeRef node )
{
   make_room(s);
   DG_(hot).top++;
   DG_(hot).top->sp   = sp;
   DG_(hot).top->node = DG_(hot).node;
   DG_(hot).node      = node;
}

/* Makes s the head of the list and the current stack.  */
static void switch_to ( Thread* t, DgStack* s )
{
   if (s == t->stack)
      return;
   leave_stack(t->stack);
   for (DgStack** p = &t->stack; ; p = &(*p)->next)
      if (*p == s) {
         *p = s->next;
         break;
      }
   s->next  = t->stack;
   t->stack = s;
   enter_stack(s);
}

static void pop ( void )
{
   if (DG_(hot).top->sp & DG_FRAME_MARK)
      tell_left(DG_(hot).top->sp);
   DG_(hot).node = DG_(hot).top->node;
   DG_(hot).top--;
}

/* Drops the frames that a stack pointer of sp leaves dead.  */
static void unwind ( DgStack* s, UWord sp )
{
   DgFrame* bottom = s->frames;
   while (DG_(hot).top > bottom
          && (DG_(hot).top->sp & ~DG_FRAME_MARK) <= sp)
      pop();
}

/* The smallest known stack that sp lies in.  */
static DgStack* find_stack ( Thread* t, UWord sp )
{
   DgStack* best = NULL;
   for (DgStack* s = t->stack; s != NULL; s = s->next)
      if (s->low <= sp && sp <= s->high
          && (best == NULL || s->high - s->low < best->high - best->low))
         best = s;
   return best;
}

static void forget_stack ( Thread* t, DgStack* gone )
{
   for (DgStack* s = t->stack; s != NULL; s = s->next)
      if (s->interrupted == gone)
         s->interrupted = NULL;
   free_stack(gone);
   t->n_stacks--;
}

static void forget_oldest ( Thread* t )
{
   DgStack** last = NULL;
   for (DgStack** p = &t->stack->next; *p != NULL; p = &(*p)->next)
      if (!(*p)->native)
         last = p;
   if (last == NULL)
      return;
   DgStack* s = *last;
   *last = s->next;
   forget_stack(t, s);
}

/* The range of a stack nobody told us of: the heap block that sp is in, or
   the mapping; what lies above sp, but for the little that its creator has
   put there, is somebody else's, and so are other stacks below.  */
static void guess_range ( Thread* t, UWord sp, Addr* low, Addr* high )
{
   if (DG_(heap_find)(sp - 1, low, high))
      return;
   NSegment const* seg = VG_(am_find_nsegment)(sp - 1);
   *low  = seg != NULL ? seg->start : VG_PGROUNDDN(sp - 1);
   *high = seg != NULL ? seg->end : VG_PGROUNDUP(sp);
   if (*high - sp > RED_ZONE)
      *high = sp + RED_ZONE;
   for (DgStack* s = t->stack; s != NULL; s = s->next) {
      if (s->low <= sp && sp <= s->high && s->high > *high && !s->native)
         s->low = *high + 1;
      else if (s->high < sp && s->high >= *low)
         *low = s->high + 1;
   }
}

static DgStack* add_stack ( Thread* t, Addr low, Addr high, DgNodeRef node )
{
   if (t->n_stacks >= MAX_STACKS)
      forget_oldest(t);
   DgStack* s = new_stack(low, high, node);
   reset_stack(s, node);
   s->next = t->stack->next;
   t->stack->next = s;
   t->n_stacks++;
   return s;
}

/* Drops the top frame if it was called with that stack pointer, and has been
   left.  */
static void unwind_left ( DgStack* s, UWord sp )
{
   unwind(s, sp + DG_ARCH_LEAF);
}

/* The first function on a new stack finds there, or in the link register,
   where it shall return to, as if it had been called from there.  */
static void push_root ( DgStack* s, UWord sp )
{
   Addr ra = DG_(arch_link)(DG_(running)());
   if ((DG_ARCH_PUSHES == 0 || DG_(core_copy)(&ra, sp, sizeof ra))
       && DG_(is_code)(ra))
      push(s, sp + DG_ARCH_PUSHES + DG_ARCH_LEAF,
           DG_REF(DG_(node_child)(DG_ROOT, DG_(code_at)(ra - 1))));
}

/* Is sp, which is in s by what we know, on a stack that we do not know yet?
   One that was left is resumed where that was, and within a stack no return
   goes down.  */
static Bool is_new_stack ( Thread* t, DgStack* s, UWord sp, Bool went_down )
{
   if (s == NULL)
      return True;
   if (s->native || s->known)
      return False;
   if (s == t->stack)
      return went_down;
   return sp + RED_ZONE < s->left_sp;
}

/* The stack pointer was sp_before and is sp now; changes stacks if that is on
   another one.  went_down: it did so by a return.  Whether that is a stack
   that was not known.  */
static Bool find_place ( UWord sp, UWord sp_before, Bool went_down )
{
   Thread*  t = current();
   DgStack* s = find_stack(t, sp);
   if (s == NULL && t->stack->native && sp <= t->stack->high
       && t->stack->low - sp < 0x100000 && sp < t->stack->low) {
      /* The main thread's stack has grown beyond what it was.  */
      NSegment const* seg = VG_(am_find_nsegment)(sp);
      if (seg != NULL && seg->end >= t->stack->low - 1) {
         t->stack->low = seg->start;
         s = t->stack;
      }
   }
   DgStack* left = t->stack;
   if (is_new_stack(t, s, sp, went_down)) {
      Addr low, high;
      left->left_sp = sp_before;
      guess_range(t, sp, &low, &high);
      s = add_stack(t, low, high, DG_REF(DG_ROOT));
      switch_to(t, s);
      push_root(s, sp);
      return True;
   }
   if (left != s)
      left->left_sp = sp_before;
   switch_to(t, s);
   if (left != s && left->interrupted == s) {
      drop_frames(left);         /* the handler is over, however it ended */
      left->interrupted = NULL;
   }
   unwind(s, sp);
   return False;
}

/* The same when the program has moved it.  A tail call leaves no other frames,
   and stays on its stack.  */
static void settle ( UWord sp, UWord sp_before, Bool went_down )
{
   DgFrame* top    = DG_(hot).top;
   Bool     is_new = find_place(sp, sp_before, went_down);
   if (DG_ARCH_LEAF > 0 && DG_(hot).top != top && !is_new)
      unwind_left(current()->stack, sp);
}

/*------------------------------------------------------------*/
/*--- From the IR                                          ---*/
/*------------------------------------------------------------*/

/* What the IR takes for the entry of the run's call.  */
static inline DgCall* entry_of ( const UWord* run )
{
#  if VG_WORDSIZE == 8
   UWord node = DG_NODE(run[0]);
#  else
   UWord node = run[1];
#  endif
   UWord at = DG_CALL_KEY((UInt)run[0]) ^ node * sizeof(DgCall);
   return &DG_(calls)[at / sizeof(DgCall) % DG_N_CALLS];
}

/* The call that ends the run, and has pushed what it does.  Leaves its entry
   as the IR shall go on with it.  */
VG_REGPARM(1) void DG_(call_slow) ( const UWord* run )
{
   UInt    variant = (UInt)run[0];
   DgCall* entry   = entry_of(run);
   UWord   sp      = VG_(get_SP)(DG_(running)()) + DG_ARCH_PUSHES;
   Thread* t       = current();
   if ((DG_(hot).top->sp & ~DG_FRAME_MARK) <= sp)
      settle(sp, sp, False);
   make_room(t->stack);

   UInt node  = DG_NODE(DG_(hot).node);
   UInt child = DG_(node_child)(node, DG_VARIANT(variant)->block->call_site);
#  if VG_WORDSIZE == 8
   entry->hdr = DG_(hot).node | variant;
#  else
   entry->variant = variant;
   entry->node    = DG_(hot).node;
#  endif
   entry->child = DG_REF(child);
}

/* The same in light code, which takes care of the path.  */
void DG_(call_slow_light) ( void )
{
   UWord sp = VG_(get_SP)(DG_(running)()) + DG_ARCH_PUSHES;
   if ((DG_(hot).top->sp & ~DG_FRAME_MARK) <= sp)
      settle(sp, sp, False);
   make_room(current()->stack);
}

/* A return that the top frame does not expect; the block has moved the stack
   pointer so far.  Leaves a frame on top for the IR to pop.  */
VG_REGPARM(1) void DG_(ret_slow) ( UWord moved )
{
   UWord    sp        = VG_(get_SP)(DG_(running)());
   UWord    sp_before = sp - moved;
   Thread*  t = current();
   DgStack* s = t->stack;
   if ((DG_(hot).top->sp & ~DG_FRAME_MARK) == sp + DG_ARCH_LEAF
       && DG_(hot).top > s->frames) {
      tell_left(DG_(hot).top->sp);
      return;
   }
   if (sp < s->low || sp > s->high || sp - sp_before + FAR > 2 * FAR)
      settle(sp, sp_before, sp < sp_before);
   else
      unwind_left(s, sp);
   push(t->stack, sp + DG_ARCH_LEAF, DG_(hot).node);
}

/* A computed stack pointer that is above the top frame, or far away.  */
VG_REGPARM(1) void DG_(sp_changed) ( UWord sp_before )
{
   settle(VG_(get_SP)(DG_(running)()), sp_before, False);
}

/* A jump with the stack pointer that the top frame was called with: of a tail
   call, or a return by other means.  What is called may begin behind a call
   that does not return, too, but will not itself return to there.  */
VG_REGPARM(1) void DG_(sp_jumped) ( UWord target )
{
   if (target == DG_(arch_link)(DG_(running)()) && DG_(arch_is_call)(target))
      unwind_left(current()->stack, VG_(get_SP)(DG_(running)()));
}

/* The function that the running thread has just entered ends a
   --datagrind-toggle-fn when it returns.  */
void DG_(stack_mark_toggle) ( void )
{
   DG_(hot).top->sp |= DG_FRAME_TOGGLE;
}

/* The function is an evaluator: dg_script wants to know when it returns.  */
void DG_(stack_mark_script) ( void )
{
   DG_(hot).top->sp |= DG_FRAME_SCRIPT;
}

/*------------------------------------------------------------*/
/*--- Threads and signals                                  ---*/
/*------------------------------------------------------------*/

void DG_(stack_init) ( void )
{
   /* A place for calls while no thread runs: before the first, and after one
      has ended.  */
   static DgFrame nowhere[4];
   nowhere[0].sp = HIGHEST_SP & ~DG_FRAME_MARK;
   DG_(hot).top          = nowhere;
   DG_(hot).frames_limit = nowhere + 2;
   DG_(hot).node         = DG_REF(DG_ROOT);
   if (DG_(hot).countdown == 0)
      DG_(hot).countdown = DG_(opt).check_stacks;
}

void DG_(stack_start_thread) ( ThreadId tid )
{
   threads = DG_(thread_table)("dg.stack.threads", threads, &n_threads, tid,
                               sizeof(Thread));
   Thread* t = &threads[tid];
   DG_(stack_end_thread)(tid);
   t->stack = new_stack(0, 0, DG_REF(DG_ROOT));
   t->stack->native = True;
   reset_stack(t->stack, DG_REF(DG_ROOT));
   t->n_stacks = 1;
}

void DG_(stack_end_thread) ( ThreadId tid )
{
   DG_(script_end_thread)(tid);
   Thread* t = &threads[tid];
   while (t->stack != NULL) {
      DgStack* next = t->stack->next;
      free_stack(t->stack);
      t->stack = next;
   }
   t->n_stacks = 0;
}

/* The C library's threads have a mapping for their stack, with what the
   thread has for itself at its end: there the thread pointer points to, and
   that points to itself.  */
static Bool has_own_mapping ( ThreadId tid, Addr sp, const NSegment* seg )
{
   Addr tp = DG_(arch_thread_pointer)(tid), self;
   return !DG_ARCH_TP_IS_SELF
          || (tp >= sp && tp <= seg->end - sizeof(Addr)
              && DG_(core_copy)(&self, tp, sizeof self) && self == tp);
}

/* What Valgrind takes for a stack begins where the mapping does that its end
   is in.  Language runtimes take stacks of their threads out of the memory
   where everything else is, too: of those we know where they end, and that
   they are as large as the smallest ones in use.  */
static void limit_range ( ThreadId tid, DgStack* s )
{
   Addr            sp  = VG_(get_SP)(tid), low, high;
   NSegment const* seg = VG_(am_find_nsegment)(s->high);
   if (tid == 1 || seg == NULL || seg->end - s->high <= MOST_ABOVE
       || has_own_mapping(tid, sp, seg))
      return;
   if (DG_(heap_find)(sp - 1, &low, &high)) {
      s->low  = low;
      s->high = high;
   } else if (s->high - s->low >= LEAST_STACK) {
      s->low = s->high - LEAST_STACK + 1;
   }
}

/* Valgrind learns a thread's stack only as it starts; the main thread's may
   grow down to its limit.  */
static void set_native_range ( ThreadId tid, DgStack* s )
{
   Addr  high = VG_(thread_get_stack_max)(tid);
   SizeT size = VG_(thread_get_stack_size)(tid);
   if (high == 0 || size == 0) {
      UWord sp = VG_(get_SP)(tid);
      NSegment const* seg = VG_(am_find_nsegment)(sp);
      s->low  = seg != NULL ? seg->start : sp - 0x100000;
      s->high = seg != NULL ? seg->end : sp + 0x100000;
   } else {
      s->high = high;
      s->low  = high - size + 1;
      limit_range(tid, s);
   }
}

/* Where the stack is that the thread was born with, if that is known.  */
Bool DG_(stack_range) ( ThreadId tid, Addr* low, Addr* high )
{
   DgStack* s = threads[tid].stack;
   while (s != NULL && !s->native)
      s = s->next;
   if (s == NULL || VG_(thread_get_stack_max)(tid) == 0
       || VG_(thread_get_stack_size)(tid) == 0)
      return False;
   if (s->high == 0)
      set_native_range(tid, s);
   *low  = s->low;
   *high = s->high;
   return True;
}

/* from or to may be VG_INVALID_THREADID: nobody ran, nobody will.  */
void DG_(stack_switch) ( ThreadId from, ThreadId to )
{
   if (from != VG_INVALID_THREADID && threads[from].stack != NULL)
      leave_stack(threads[from].stack);
   DG_(script_switch)(to);
   if (to != VG_INVALID_THREADID) {
      DgStack* s = threads[to].stack;
      if (s->native && s->high == 0)
         set_native_range(to, s);
      enter_stack(s);
   }
}

/* The program says that [low, high] is a stack: what we guessed of it was
   at best a part.  */
void DG_(stack_register) ( Addr low, Addr high )
{
   ThreadId tid = DG_(running)();
   if (tid == VG_INVALID_THREADID || low >= high)
      return;
   Thread* t = &threads[tid];
   for (DgStack* s = t->stack; s != NULL; s = s->next)
      if (!s->native && s->low <= high && low <= s->high)
         return;
   add_stack(t, low, high, DG_REF(DG_ROOT))->known = True;
}

/* Where the frame of the latest handler begins, with the address that the
   handler returns to; 0 when that has been read, or there is none.  */
static Addr signal_frame;
static Addr returns_to;      /* mostly all handlers of a program do */

Addr DG_(handler_returns_to) ( void )
{
   Addr a;
   if (DG_ARCH_PUSHES == 0 && signal_frame != 0)
      returns_to = DG_(arch_sigreturn)(signal_frame);
   else if (DG_(core_copy)(&a, signal_frame, sizeof a) && DG_(is_code)(a))
      returns_to = a;
   signal_frame = 0;
   return returns_to;
}

/* Valgrind makes room for the frame of a handler, and will write it.  */
void DG_(stack_signal_frame) ( Addr a )
{
   signal_frame = a;
}

/* A handler is about to run: its caller is the instruction that was
   interrupted.  */
void DG_(stack_signal) ( ThreadId tid, Bool alt_stack )
{
   Thread* t    = &threads[tid];
   UWord   sp   = VG_(get_SP)(tid);
   DG_(stack_resolve)();
   UInt    node = DG_(node_signal)(DG_NODE(DG_(hot).node),
                                   DG_(code_at)(VG_(get_IP)(tid)));

   if (!alt_stack) {
      unwind(t->stack, sp);
      push(t->stack, sp + DG_ARCH_LEAF, DG_REF(node));
      return;
   }
   Addr     low  = VG_(thread_get_altstack_min)(tid);
   Addr     high = low + VG_(thread_get_altstack_size)(tid) - 1;
   DgStack* alt  = NULL;
   for (DgStack* s = t->stack; s != NULL; s = s->next)
      if (s->low == low && s->high == high)
         alt = s;
   if (alt == NULL) {
      alt = add_stack(t, low, high, DG_REF(node));
      alt->known = True;
   }
   if (alt == t->stack) {
      /* Left by a jump that was not seen; who jumped is elsewhere.  */
      find_place(sp, sp, False);
      if (alt == t->stack)
         leave_stack(alt);
   }
   reset_stack(alt, DG_REF(node));
   if (alt == t->stack) {
      enter_stack(alt);
      return;
   }
   alt->interrupted  = t->stack;
   t->stack->left_sp = sp;
   switch_to(t, alt);
}

/* The handler has returned; the registers are those of before it.  */
void DG_(stack_sigreturn) ( ThreadId tid )
{
   DG_(handler_returns_to)();
   DG_(stack_resolve)();
   UWord sp = VG_(get_SP)(tid);
   find_place(sp, current()->stack->low, False);
   /* Its own frame is alive there, as that of who was interrupted is.  */
   if (DG_ARCH_LEAF > 0 && DG_(hot).top > current()->stack->frames
       && (DG_(hot).top->sp & ~DG_FRAME_MARK) == sp + DG_ARCH_LEAF
       && DG_(node_at)(DG_NODE(DG_(hot).node))->is_signal)
      pop();
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_stack.c ---*/
/*--------------------------------------------------------------------*/
