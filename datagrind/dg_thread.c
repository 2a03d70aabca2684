/*--------------------------------------------------------------------*/
/*--- Datagrind: threads and signals.                  dg_thread.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Valgrind runs one thread at a time and gives the number of one that has
   ended to the next.  The log counts threads on.  */

#include "dg_tool.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

typedef struct {
   UInt number;              /* in the log; 0: there is no such thread */
   UInt parent;
   UInt os_tid;
   UInt child;               /* the one that it has created last; 0: none */
   UInt syscall;             /* the one that it is in, or the last */
} Thread;

static Thread*  threads;     /* by ThreadId */
static UInt     n_threads;
static ThreadId running = VG_INVALID_THREADID;
static UInt     last_number;
static UInt     last_in_log = 1;

static DgRecord record;

void* DG_(thread_table) ( const HChar* tag, void* items, UInt* n, UInt number,
                          SizeT size )
{
   if (number < *n)
      return items;
   UInt room = number + 64;
   items = VG_(realloc)(tag, items, room * size);
   VG_(memset)((UChar*)items + *n * size, 0, (room - *n) * size);
   *n = room;
   return items;
}

ThreadId DG_(running) ( void )
{
   return running;
}

UInt DG_(thread_number) ( ThreadId tid )
{
   return tid < n_threads ? threads[tid].number : 0;
}

UInt DG_(thread_last_created) ( ThreadId tid )
{
   return tid < n_threads ? threads[tid].child : 0;
}

UInt DG_(thread_last) ( void )
{
   return last_in_log;
}

Bool DG_(thread_is_in_log) ( void )
{
   UInt number = DG_(thread_number)(running);
   return number == 0 || number == last_in_log;
}

void DG_(thread_in_log) ( void )
{
   UInt number = DG_(thread_number)(running);
   if (DG_(thread_is_in_log)())
      return;
   last_in_log = number;
   DG_(rec_begin)(&record, DG_R_THREAD_SWITCH);
   DG_(rec_word)(&record, number);
   DG_(rec_write)(&record);
}

static void write_start ( const Thread* t )
{
   DG_(rec_begin)(&record, DG_R_THREAD_START);
   DG_(rec_word)(&record, t->number);
   DG_(rec_word)(&record, t->parent);
   DG_(rec_word)(&record, t->os_tid);
   DG_(rec_write)(&record);
   DG_(totals).threads++;
}

static void write_stack ( ThreadId tid )
{
   Addr low, high;
   if (!DG_(stack_range)(tid, &low, &high))
      return;
   DG_(rec_begin)(&record, DG_R_STACK);
   DG_(rec_word)(&record, threads[tid].number);
   DG_(rec_word)(&record, low);
   DG_(rec_word)(&record, high + 1);
   DG_(rec_write)(&record);
}

/* In the parent, which may have ended when the thread runs.  Should the
   system refuse, the thread ends at once.  */
static void created ( ThreadId parent, ThreadId tid )
{
   DG_(flush_runs)();
   threads = DG_(thread_table)("dg.thread.threads", threads, &n_threads, tid,
                               sizeof(Thread));
   Thread* t = &threads[tid];
   t->number = ++last_number;
   t->parent = parent == VG_INVALID_THREADID ? 0
                                             : DG_(thread_number)(parent);
   t->os_tid = 0;
   t->child = 0;
   DG_(stack_start_thread)(tid);
   if (t->parent == 0)
      return;
   threads[parent].child = t->number;
   write_start(t);
}

/* What an instruction has not done to the stack pointer.  */
static void write_sp ( ThreadId tid, UWord sp, UChar what )
{
   if (!DG_(opt).stacks)
      return;
   DG_(rec_begin)(&record, DG_R_STACK_POINTER);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_word)(&record, sp);
   DG_(rec_byte)(&record, what);
   DG_(rec_write)(&record);
}

/* In the thread itself, so that its own number can be asked for.  */
static void first_insn ( ThreadId tid )
{
   DG_(hot_for)(tid);
   DG_(flush_runs)();
   threads[tid].os_tid = VG_(gettid)();
   if (threads[tid].parent == 0) {
      write_start(&threads[tid]);
   } else {
      DG_(rec_begin)(&record, DG_R_THREAD_RUNS);
      DG_(rec_word)(&record, threads[tid].number);
      DG_(rec_word)(&record, threads[tid].os_tid);
      DG_(rec_write)(&record);
   }
   write_stack(tid);
   write_sp(tid, VG_(get_SP)(tid), DG_SP_IS);
   DG_(tls_look)(tid);
}

static void ended ( ThreadId tid )
{
   if (tid >= n_threads || threads[tid].number == 0)
      return;
   DG_(flush_runs)();
   if (DG_(core_fatal_signal)() == VKI_SIGILL)
      DG_(undecoded_end)(tid, VG_(get_IP)(tid));
   DG_(tls_look)(tid);
   DG_(rec_begin)(&record, DG_R_THREAD_EXIT);
   DG_(rec_word)(&record, threads[tid].number);
   DG_(rec_write)(&record);
   if (tid == running) {
      DG_(stack_switch)(running, VG_INVALID_THREADID);
      running = VG_INVALID_THREADID;
      DG_(stack_init)();
   }
   DG_(stack_end_thread)(tid);
   threads[tid].number = 0;
}

/* Also when the core does something for a thread before that goes on: what
   belongs to a system call that has blocked, or to a signal.  */
void DG_(thread_runs) ( ThreadId tid )
{
   if (tid == running || DG_(thread_number)(tid) == 0)
      return;
   DG_(flush_runs)();
   DG_(tls_look)(running);
   DG_(stack_switch)(running, tid);
   DG_(clock_thread_runs)();
   DG_(hot_for)(tid);
   running = tid;
   DG_(ring_leave_place)();      /* the log shall know first */
}

static void start_client_code ( ThreadId tid, ULong blocks_done )
{
   DG_(thread_runs)(tid);
}

void DG_(thread_in_syscall) ( ThreadId tid, UInt number )
{
   if (tid < n_threads)
      threads[tid].syscall = number;
}

UInt DG_(thread_syscall) ( ThreadId tid )
{
   return tid < n_threads ? threads[tid].syscall : 0;
}

/*------------------------------------------------------------*/
/*--- Signals                                              ---*/
/*------------------------------------------------------------*/

static void write_signal ( ThreadId tid, Int signal, UChar what )
{
   DG_(rec_begin)(&record, DG_R_SIGNAL);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_word)(&record, signal);
   DG_(rec_byte)(&record, what);
   DG_(rec_write)(&record);
}

/* May come in the middle of a block, out of which it has jumped.  */
static void pre_deliver_signal ( ThreadId tid, Int signal, Bool alt_stack )
{
   DG_(thread_runs)(tid);
   DG_(run_interrupted)(VG_(get_IP)(tid), signal);
   DG_(flush_runs)();
   DG_(undecoded_handler)(tid, signal, True);
   write_signal(tid, signal, 0);
   DG_(stack_signal)(tid, alt_stack);
}

static void post_deliver_signal ( ThreadId tid, Int signal )
{
   DG_(hot_for)(tid);
   DG_(thread_runs)(tid);
   DG_(flush_runs)();
   write_sp(tid, VG_(get_SP)(tid), DG_SP_IS);
   write_signal(tid, signal, 1);
   DG_(undecoded_handler)(tid, signal, False);
   DG_(stack_sigreturn)(tid);
}

/* The frame of a handler will be written behind the red zone, and that is
   where the stack pointer will be.  It may have gone further, to another
   stack or to be aligned: what counts is the size.  */
static void new_mem_stack_signal ( Addr a, SizeT size, ThreadId tid )
{
   UWord sp = a + VG_STACK_REDZONE_SZB;
   DG_(stack_signal_frame)(sp);
   write_sp(tid, sp + size, DG_SP_IS);
   write_sp(tid, sp, DG_SP_MOVED);
}

/* It has returned, with the stack pointer where the frame was.  */
static void die_mem_stack_signal ( Addr a, SizeT size )
{
   if (!DG_(opt).stacks || running == VG_INVALID_THREADID)
      return;
   DG_(flush_runs)();
   write_sp(running, a + VG_STACK_REDZONE_SZB, DG_SP_IS);
   write_sp(running, a + VG_STACK_REDZONE_SZB + size, DG_SP_MOVED);
}

/* What is alive, for the log of a forked child: one thread.  */
void DG_(thread_repeat) ( void )
{
   for (UInt tid = 0; tid < n_threads; tid++)
      if (tid != running && threads[tid].number != 0) {
         DG_(stack_end_thread)(tid);
         threads[tid].number = 0;
      }
   last_in_log = 1;
   last_number = 1;
   if (running == VG_INVALID_THREADID)
      return;
   Thread* t = &threads[running];
   t->number = 1;
   t->parent = 0;
   t->child = 0;
   t->os_tid = VG_(gettid)();
   write_start(t);
   write_stack(running);
   write_sp(running, VG_(get_SP)(running), DG_SP_IS);
}

void DG_(thread_init) ( void )
{
   VG_(track_pre_thread_ll_create)(created);
   VG_(track_pre_thread_first_insn)(first_insn);
   VG_(track_pre_thread_ll_exit)(ended);
   VG_(track_start_client_code)(start_client_code);
   VG_(track_pre_deliver_signal)(pre_deliver_signal);
   VG_(track_post_deliver_signal)(post_deliver_signal);
   VG_(track_new_mem_stack_signal)(new_mem_stack_signal);
   VG_(track_die_mem_stack_signal)(die_mem_stack_signal);
   VG_(track_register_stack)(DG_(stack_register));
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_thread.c ---*/
/*--------------------------------------------------------------------*/
