/*--------------------------------------------------------------------*/
/*--- Datagrind: which thread waits for which.          dg_order.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What the preload sees of a program's threads (dg_preload.c) as records:
   who joins whom, and where threads wait until all of them have come.  These
   order threads in the same way whenever the program runs.  Locks,
   conditions and semaphores are not looked at: which thread is first is
   decided again each time, and it costs nothing not to know.  */

#include "dg_tool.h"
#include "dg_order.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

/* The thread that a pthread_t stands for.  */
typedef struct _Handle {
   struct _Handle* next;         /* VgHashNode */
   UWord handle;                 /* key */
   UInt  thread;
} Handle;

typedef struct _Barrier {
   struct _Barrier* next;        /* VgHashNode */
   Addr  addr;                   /* key */
   UWord count, arrived;
   ULong number;                 /* of this round */
} Barrier;

/* What a thread is about; by ThreadId.  */
typedef struct {
   UInt    thread;               /* of whom this is */
   Barrier at;                   /* that it waits at, as it was when it came */
   UWord   team;                 /* 0: none */
   UInt    met;                  /* barriers of that team so far */
} Thread;

static VgHashTable* handles;
static VgHashTable* barriers;
static Thread*  threads;
static UInt     n_threads;
static DgRecord record;

/* A team has as many numbers, for its barriers; what it begins and ends with
   are the first two.  */
#define TEAM_SHIFT  24
#define MOST_MET    ((1u << TEAM_SHIFT) - 3)

static ULong last_number;        /* of a team, or a barrier's round */

static Thread* thread_of ( ThreadId tid )
{
   threads = DG_(thread_table)("dg.order.threads", threads, &n_threads, tid,
                               sizeof(Thread));
   Thread* t = &threads[tid];
   if (t->thread != DG_(thread_number)(tid)) {
      VG_(memset)(t, 0, sizeof *t);
      t->thread = DG_(thread_number)(tid);
   }
   return t;
}

static void write_meet ( UChar what, UChar step, const Thread* t, Addr addr,
                         UWord count, ULong number )
{
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_MEET);
   DG_(rec_byte)(&record, what);
   DG_(rec_byte)(&record, step);
   DG_(rec_word)(&record, t->thread);
   DG_(rec_word)(&record, addr);
   DG_(rec_word)(&record, count);
   DG_(rec_quad)(&record, number);
   DG_(rec_write)(&record);
}

/*------------------------------------------------------------*/
/*--- Threads                                              ---*/
/*------------------------------------------------------------*/

static void note_created ( ThreadId tid, UWord handle )
{
   UInt thread = DG_(thread_last_created)(tid);
   if (thread == 0)
      return;
   Handle* h = VG_(HT_lookup)(handles, handle);
   if (h == NULL) {
      h = VG_(malloc)("dg.order.handle", sizeof *h);
      h->handle = handle;
      VG_(HT_add_node)(handles, h);
   }
   h->thread = thread;
}

static void note_joined ( ThreadId tid, UWord handle )
{
   Handle* h = VG_(HT_remove)(handles, handle);
   if (h == NULL)
      return;
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_THREAD_JOIN);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_word)(&record, h->thread);
   DG_(rec_write)(&record);
   VG_(free)(h);
}

/*------------------------------------------------------------*/
/*--- Barriers                                             ---*/
/*------------------------------------------------------------*/

static void barrier_init ( Addr a, UWord count )
{
   Barrier* b = VG_(HT_remove)(barriers, a);
   if (b != NULL)
      VG_(free)(b);
   if (count == 0)
      return;
   b = VG_(calloc)("dg.order.barrier", 1, sizeof *b);
   b->addr  = a;
   b->count = count;
   VG_(HT_add_node)(barriers, b);
}

static void barrier_arrive ( ThreadId tid, Addr a )
{
   Thread*  t = thread_of(tid);
   Barrier* b = VG_(HT_lookup)(barriers, a);
   t->at.number = 0;
   /* Of one that another process has made nothing is known.  */
   if (b == NULL)
      return;
   if (b->arrived == 0)
      b->number = ++last_number << TEAM_SHIFT;
   b->arrived++;
   t->at = *b;
   if (b->arrived == b->count)
      b->arrived = 0;
   write_meet(DG_MEET_BARRIER, 0, t, a, b->count, b->number);
}

/* It may have been destroyed by now, by another thread that has left.  */
static void barrier_leave ( ThreadId tid )
{
   Thread* t = thread_of(tid);
   if (t->at.number != 0)
      write_meet(DG_MEET_BARRIER, 1, t, t->at.addr, t->at.count,
                 t->at.number);
   t->at.number = 0;
}

/*------------------------------------------------------------*/
/*--- Teams                                                ---*/
/*------------------------------------------------------------*/

static UWord team_new ( ThreadId tid )
{
   ULong number = ++last_number;
   write_meet(DG_MEET_TEAM_BEGIN, 0, thread_of(tid), 0, 0,
              number << TEAM_SHIFT);
   return number;
}

static UWord team_enter ( ThreadId tid, ULong number )
{
   Thread* t = thread_of(tid);
   UWord before = t->team;
   write_meet(DG_MEET_TEAM_BEGIN, 1, t, 0, 0, number << TEAM_SHIFT);
   t->team = number;
   t->met  = 0;
   return before;
}

static void team_leave ( ThreadId tid, ULong number, UWord before )
{
   Thread* t = thread_of(tid);
   write_meet(DG_MEET_TEAM_END, 0, t, 0, 0, (number << TEAM_SHIFT) + 1);
   t->team = before;
   /* How many barriers of that it has met is not known any more.  */
   t->met  = MOST_MET;
}

static void team_done ( ThreadId tid, ULong number )
{
   write_meet(DG_MEET_TEAM_END, 1, thread_of(tid), 0, 0,
              (number << TEAM_SHIFT) + 1);
}

/* All members meet the same barriers, in the same order.  */
static void team_meets ( ThreadId tid, UChar step )
{
   Thread* t = thread_of(tid);
   if (t->team == 0 || t->met >= MOST_MET)
      return;
   write_meet(DG_MEET_TEAM_BARRIER, step, t, 0, 0,
              ((ULong)t->team << TEAM_SHIFT) + 2 + t->met);
   t->met += step;
}

/*------------------------------------------------------------*/
/*--- Requests                                             ---*/
/*------------------------------------------------------------*/

Bool DG_(order_request) ( ThreadId tid, const UWord* arg, UWord* ret )
{
   switch (arg[0]) {
      case DG_REQ_THREAD_CREATED:  note_created(tid, arg[1]);       break;
      case DG_REQ_THREAD_JOINED:   note_joined(tid, arg[1]);        break;
      case DG_REQ_BARRIER_INIT:    barrier_init(arg[1], arg[2]);    break;
      case DG_REQ_BARRIER_ARRIVE:  barrier_arrive(tid, arg[1]);     break;
      case DG_REQ_BARRIER_LEAVE:   barrier_leave(tid);              break;
      case DG_REQ_TEAM_NEW:        *ret = team_new(tid);            break;
      case DG_REQ_TEAM_DONE:       team_done(tid, arg[1]);          break;
      case DG_REQ_TEAM_ENTER:      *ret = team_enter(tid, arg[1]);  break;
      case DG_REQ_TEAM_LEAVE:      team_leave(tid, arg[1], arg[2]); break;
      case DG_REQ_TEAM_ARRIVE:     team_meets(tid, 0);              break;
      case DG_REQ_TEAM_GO_ON:      team_meets(tid, 1);              break;
      default:
         return False;
   }
   return True;
}

void DG_(order_init) ( void )
{
   handles  = VG_(HT_construct)("dg.order.handles");
   barriers = VG_(HT_construct)("dg.order.barriers");
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_order.c ---*/
/*--------------------------------------------------------------------*/
