/*--------------------------------------------------------------------*/
/*--- Datagrind: readings of the clock.                 dg_clock.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Time passes between records that count instructions; readers know it where
   a reading stands, and between two.  So there is one at the log's begin and
   at its end, before a fork and an exec, around a system call that took long,
   and at least every 10 ms that the processor works for the program.

   A reading costs a system call, and a full run buffer is not the only work:
   one that is emptied by the million for other records never fills.  So work
   is counted, in units of a word of a run, and the clock asked when some has
   come together.  */

#include "dg_arch.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"

#define MILLION      1000000
#define INTERVAL_NS  (8 * MILLION)
#define LONG_NS      (1 * MILLION)  /* of a system call */
#define SHORT_TICKS  100000         /* less than that, however fast they are */

/* A full buffer's, which takes a millisecond or two.  */
#define MUCH_WORK    (160 * 1024 / sizeof(UWord))
/* Of the things that fewer words do not tell of.  */
#define FLUSH_WORK   256         /* one flush: some record, perhaps a call */
#define BLOCK_WORK   512         /* to translate one */

static ULong start_ns, start_ticks;
static ULong last_ns, last_ticks;    /* of the last reading */
static UWord work;               /* since the clock was asked */
static Bool  is_due;             /* a reading was taken and is to be written */

/* The system call that is going on, if no other thread has run since.  */
static ThreadId call_tid = VG_INVALID_THREADID;
static ULong    call_ticks;

static DgRecord record;

ULong DG_(now_ns) ( void )
{
   struct vki_timespec ts;
   VG_(clock_gettime)(&ts, VKI_CLOCK_MONOTONIC);
   return (ULong)ts.tv_sec * 1000 * MILLION + ts.tv_nsec;
}

ULong DG_(worked_ns) ( void )
{
   struct vki_timespec ts;
   VG_(clock_gettime)(&ts, VKI_CLOCK_PROCESS_CPUTIME_ID);
   return (ULong)ts.tv_sec * 1000 * MILLION + ts.tv_nsec;
}

static void write_reading ( ULong ns )
{
   last_ns    = ns;
   last_ticks = DG_(arch_ticks)();
   if (!DG_(out_is_open)())
      return;
   DG_(rec_begin)(&record, DG_R_CLOCK);
   DG_(rec_quad)(&record, ns - start_ns);
   DG_(rec_write)(&record);
}

void DG_(clock_start) ( void )
{
   start_ns    = last_ns    = DG_(now_ns)();
   start_ticks = last_ticks = DG_(arch_ticks)();
   work        = 0;
   call_tid    = VG_INVALID_THREADID;
}

void DG_(clock_read) ( void )
{
   work = 0;
   write_reading(DG_(now_ns)());
}

static void spend ( UWord n )
{
   work += n;
   if (work < MUCH_WORK || is_due)
      return;
   work = 0;
   ULong now = DG_(now_ns)();
   if (now - last_ns >= INTERVAL_NS)
      write_reading(now);
}

void DG_(clock_flushed) ( UWord n_words )
{
   spend(n_words + FLUSH_WORK);
}

void DG_(clock_translates) ( void )
{
   if (work + BLOCK_WORK >= MUCH_WORK)
      DG_(flush_runs)();
   spend(BLOCK_WORK);
}

/* What was then is told when the call is known to have taken long: its thread
   has not executed anything since.  */
void DG_(clock_enters_call) ( ThreadId tid )
{
   call_ticks = DG_(arch_ticks)();
   call_tid   = tid;
}

void DG_(clock_thread_runs) ( void )
{
   call_tid = VG_INVALID_THREADID;
}

/* That many ticks before `now'; their rate is what it was so far.  */
static ULong ns_before ( ULong now, ULong ticks )
{
   ULong us   = (now - start_ns) / 1000 + 1;
   ULong rate = (DG_(arch_ticks)() - start_ticks) / us;
   ULong ns   = ticks / (rate != 0 ? rate : 1) * 1000;
   return ns < now - last_ns ? now - ns : last_ns;
}

void DG_(clock_leaves_call) ( ThreadId tid )
{
   ULong ticks = DG_(arch_ticks)();
   Bool  alone = tid == call_tid;
   call_tid = VG_INVALID_THREADID;
   ticks -= alone ? call_ticks : last_ticks;
   if (ticks < SHORT_TICKS)
      return;
   ULong now  = DG_(now_ns)();
   ULong then = ns_before(now, ticks);
   if (now - then < LONG_NS)
      return;
   is_due = True;                /* one of the flush would be a later one */
   DG_(flush_runs)();
   is_due = False;
   if (alone && then > last_ns)
      write_reading(then);
   write_reading(now);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_clock.c ---*/
/*--------------------------------------------------------------------*/
