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
   them can go on as if it had been plain.  */

#include "dg_tool.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"

struct _DgStack {
   DgStack*  next;           /* of the thread; the latest used first */
   DgStack*  interrupted;    /* by the handler that runs here, or NULL */
   Addr      low, high;      /* both included */
   Bool      native;         /* the one the thread was born with */
   Bool      known;          /* we were told its range */
   UWord     left_sp;        /* the stack pointer when it was left */
   DgFrame*  frames;         /* [0] never returns */
   UInt      n_alloc;
   UInt      top;            /* index, valid while not running */
   DgNodeRef node;           /* likewise */
};

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

/* What may lie below a stack pointer, or above the first one of a stack.  */
#define RED_ZONE    256

/*------------------------------------------------------------*/
/*--- Stacks                                               ---*/
/*------------------------------------------------------------*/

static inline Thread* current ( void )
{
   return &threads[DG_(running)()];
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

/* All frames of a stack that is not the current one are gone.  */
static void drop_frames ( DgStack* s )
{
   for (UInt i = 1; i <= s->top; i++)
      if (s->frames[i].sp & DG_FRAME_MARK)
         DG_(toggle_leave)();
   s->top = 0;
}

static void reset_stack ( DgStack* s, DgNodeRef node )
{
   drop_frames(s);
   /* Above the stack the frame is dead like any other, which leads to
      sp_changed; the native one has nothing above.  */
   s->frames[0].sp   = s->native ? ~(UWord)0 : s->high + 1;
   s->frames[0].sp  &= ~DG_FRAME_MARK;
   s->frames[0].node = node;
   s->node = node;
   s->interrupted = NULL;
}

static Bool is_code ( Addr a )
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

/* Drops the frames that a stack pointer of sp leaves dead.  */
static void unwind ( DgStack* s, UWord sp )
{
   DgFrame* bottom = s->frames;
   while (DG_(hot).top > bottom
          && (DG_(hot).top->sp & ~DG_FRAME_MARK) <= sp) {
      if (DG_(hot).top->sp & DG_FRAME_MARK)
         DG_(toggle_leave)();
      DG_(hot).node = DG_(hot).top->node;
      DG_(hot).top--;
   }
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

/* The first function on a new stack finds there where it shall return to, as
   if it had been called from there.  */
static void push_root ( DgStack* s, UWord sp )
{
   if (!VG_(am_is_valid_for_client)(sp, sizeof(UWord), VKI_PROT_READ))
      return;
   Addr ra = *(const Addr*)sp;
   if (is_code(ra))
      push(s, sp + sizeof(UWord),
           DG_REF(DG_(node_child)(DG_ROOT, ra - 1)));
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
   another one.  went_down: it did so by a return.  */
static void settle ( UWord sp, UWord sp_before, Bool went_down )
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
      return;
   }
   if (left != s)
      left->left_sp = sp_before;
   switch_to(t, s);
   if (left != s && left->interrupted == s) {
      drop_frames(left);         /* the handler is over, however it ended */
      left->interrupted = NULL;
   }
   unwind(s, sp);
}

/*------------------------------------------------------------*/
/*--- From the IR                                          ---*/
/*------------------------------------------------------------*/

/* A call at the end of b, with the stack pointer sp before it; entry is what
   the IR goes on with.  */
VG_REGPARM(3) void DG_(call_slow) ( DgBlock* b, UWord sp, DgCall* entry )
{
   Thread* t = current();
   if ((DG_(hot).top->sp & ~DG_FRAME_MARK) <= sp)
      settle(sp, sp, False);
   make_room(t->stack);

   UInt node  = DG_NODE(DG_(hot).node);
   UInt child = DG_(node_child)(node, b->call_site);
#  if VG_WORDSIZE == 8
   entry->hdr = DG_(hot).node | b->variant;
#  else
   entry->variant = b->variant;
   entry->node    = DG_(hot).node;
#  endif
   entry->child = DG_REF(child);
}

/* A return to where the stack pointer is sp, which the top frame does not
   expect.  Leaves a frame on top for the IR to pop.  */
VG_REGPARM(2) void DG_(ret_slow) ( UWord sp, UWord sp_before )
{
   Thread*  t = current();
   DgStack* s = t->stack;
   if ((DG_(hot).top->sp & ~DG_FRAME_MARK) == sp
       && DG_(hot).top > s->frames) {
      DG_(toggle_leave)();
      return;
   }
   if (sp < s->low || sp > s->high || sp - sp_before + FAR > 2 * FAR)
      settle(sp, sp_before, sp < sp_before);
   else
      unwind(s, sp);
   push(t->stack, sp, DG_(hot).node);
}

/* A computed stack pointer that is above the top frame, or far away.  */
VG_REGPARM(2) void DG_(sp_changed) ( UWord sp, UWord sp_before )
{
   settle(sp, sp_before, False);
}

/* The function that the running thread has just entered ends a
   --datagrind-toggle-fn when it returns.  */
void DG_(stack_mark_toggle) ( void )
{
   DG_(hot).top->sp |= DG_FRAME_MARK;
}

/*------------------------------------------------------------*/
/*--- Threads and signals                                  ---*/
/*------------------------------------------------------------*/

void DG_(stack_init) ( void )
{
   /* A place for calls while no thread runs: before the first, and after one
      has ended.  */
   static DgFrame nowhere[4];
   nowhere[0].sp = ~(UWord)DG_FRAME_MARK;
   DG_(hot).top          = nowhere;
   DG_(hot).frames_limit = nowhere + 2;
   DG_(hot).node         = DG_REF(DG_ROOT);
   if (DG_(hot).countdown == 0)
      DG_(hot).countdown = DG_(opt).check_stacks;
}

void DG_(stack_start_thread) ( ThreadId tid )
{
   if (tid >= n_threads) {
      UInt n = tid + 64;
      threads = VG_(realloc)("dg.stack.threads", threads, n * sizeof(Thread));
      VG_(memset)(threads + n_threads, 0, (n - n_threads) * sizeof(Thread));
      n_threads = n;
   }
   Thread* t = &threads[tid];
   DG_(stack_end_thread)(tid);
   t->stack = new_stack(0, 0, DG_REF(DG_ROOT));
   t->stack->native = True;
   reset_stack(t->stack, DG_REF(DG_ROOT));
   t->n_stacks = 1;
}

void DG_(stack_end_thread) ( ThreadId tid )
{
   Thread* t = &threads[tid];
   while (t->stack != NULL) {
      DgStack* next = t->stack->next;
      free_stack(t->stack);
      t->stack = next;
   }
   t->n_stacks = 0;
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
   }
}

/* from or to may be VG_INVALID_THREADID: nobody ran, nobody will.  */
void DG_(stack_switch) ( ThreadId from, ThreadId to )
{
   if (from != VG_INVALID_THREADID && threads[from].stack != NULL)
      leave_stack(threads[from].stack);
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

/* A handler is about to run: its caller is the instruction that was
   interrupted.  */
void DG_(stack_signal) ( ThreadId tid, Bool alt_stack )
{
   Thread* t    = &threads[tid];
   UWord   sp   = VG_(get_SP)(tid);
   UInt    node = DG_(node_child)(DG_NODE(DG_(hot).node), VG_(get_IP)(tid));

   if (!alt_stack) {
      unwind(t->stack, sp);
      push(t->stack, sp, DG_REF(node));
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
      /* Left by a jump that we did not see; whoever jumped is elsewhere.  */
      settle(sp, sp, False);
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
   UWord sp = VG_(get_SP)(tid);
   settle(sp, current()->stack->low, False);
}

/*------------------------------------------------------------*/
/*--- What the stack is                                    ---*/
/*------------------------------------------------------------*/

static struct {
   ULong samples, same, shadow_deeper, left_out, unwinder_deeper, differ;
   UInt  shown;
} checked;

#define CHECK_DEPTH 48

/* The call sites as they are, recursion and all: each frame keeps the path
   that it interrupted, whose last site is that of the call before.  */
static UInt unfolded ( Addr* sites, UInt max )
{
   DgStack* s    = current()->stack;
   DgFrame* f    = DG_(hot).top;
   UInt     node = DG_NODE(DG_(hot).node);
   UInt     n    = 0;
   while (n < max && node != DG_ROOT) {
      if (f > s->frames) {
         sites[n++] = DG_(node_site)(node);
         node = DG_NODE(f->node);
         f--;
      } else if (s->interrupted != NULL) {
         sites[n++] = DG_(node_site)(node);
         s    = s->interrupted;
         f    = s->frames + s->top;
         node = DG_NODE(s->node);
      } else {
         break;
      }
   }
   return n;
}

/* How many of ours the unwinder confirms; *n_left is what it has behind
   them.  For a signal handler it also shows the code that the handler returns
   to, and then the interrupted instruction as if that were a call.  */
static UInt confirmed ( const Addr* ours, UInt n_ours, const Addr* theirs,
                        UInt n_theirs, UInt* n_left )
{
   UInt i = 0, k = 0;
   while (i < n_ours && k < n_theirs) {
      if (ours[i] == theirs[k])
         k++;
      else if (k + 1 < n_theirs && ours[i] - 1 == theirs[k + 1])
         k += 2;
      else
         break;
      i++;
   }
   *n_left = n_theirs - k;
   return i;
}

/* Whether ours has all of theirs, in that order, and few others: where an
   unwinder meets a call that does not return, at the end of a function, it
   takes the function behind it for the caller, and misses a frame or two.  */
static Bool has_all ( const Addr* ours, UInt n_ours, const Addr* theirs,
                      UInt n_theirs )
{
   UInt k = 0, i = 0;
   for (; i < n_ours && k < n_theirs; i++)
      if (ours[i] == theirs[k])
         k++;
   return k == n_theirs && i - k <= 3;
}

/* Called at the start of every Nth block, where registers are in memory.  */
void DG_(check_stack) ( void )
{
   DG_(hot).countdown = DG_(opt).check_stacks;
   ThreadId tid = DG_(running)();
   Addr theirs[CHECK_DEPTH + 1], ours[CHECK_DEPTH];
   UInt n_theirs = VG_(get_StackTrace)(tid, theirs, CHECK_DEPTH + 1,
                                       NULL, NULL, 0);
   UInt n_ours = unfolded(ours, CHECK_DEPTH);
   n_theirs = n_theirs > 0 ? n_theirs - 1 : 0;
   /* Where it knows no way it takes what looks like one, until that is not
      code.  */
   for (UInt k = 1; k <= n_theirs; k++)
      if (!is_code(theirs[k]))
         n_theirs = k - 1;

   UInt n_left;
   UInt i = confirmed(ours, n_ours, theirs + 1, n_theirs, &n_left);

   checked.samples++;
   if (i == n_ours && (n_left == 0 || n_ours == CHECK_DEPTH))
      checked.same++;
   else if (i == n_ours)
      checked.unwinder_deeper++;
   else if (n_left == 0)
      checked.shadow_deeper++;
   else if (n_ours < CHECK_DEPTH
            && has_all(ours, n_ours, theirs + 1, n_theirs))
      checked.left_out++;
   else
      checked.differ++;

   if (n_left == 0)
      return;
   if (VG_(clo_verbosity) < 2 || checked.shown++ >= 20)
      return;
   VG_(dmsg)("stack check: thread %u ip %#lx sp %#lx, differs at %u\n", tid,
             VG_(get_IP)(tid), VG_(get_SP)(tid), i);
   DiEpoch ep = VG_(current_DiEpoch)();
   for (UInt k = i > 2 ? i - 2 : 0; k < i + 6; k++) {
      if (k < n_ours)
         VG_(dmsg)("   ours   %2u %s\n", k, VG_(describe_IP)(ep, ours[k], NULL));
      if (k < n_theirs)
         VG_(dmsg)("   theirs %2u %s\n", k,
                   VG_(describe_IP)(ep, theirs[k + 1], NULL));
   }
}

/* An unwinder that stops early (no unwind information, or a frame it does
   not know) has not contradicted us as far as it went.  */
void DG_(stack_report) ( void )
{
   if (DG_(opt).check_stacks == 0 || checked.samples == 0)
      return;
   ULong good = checked.same + checked.shadow_deeper + checked.left_out;
   UInt  hundredths = (UInt)(good * 10000 / checked.samples);
   VG_(umsg)("stacks: %u.%02u%% of %llu samples agree with the unwinder "
             "(%llu equal, %llu where the unwinder stops early, %llu where "
             "it leaves frames out, %llu where the shadow stack stops early, "
             "%llu differ)\n",
             hundredths / 100, hundredths % 100, checked.samples,
             checked.same, checked.shadow_deeper, checked.left_out,
             checked.unwinder_deeper, checked.differ);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_stack.c ---*/
/*--------------------------------------------------------------------*/
