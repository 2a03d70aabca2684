/*--------------------------------------------------------------------*/
/*--- Datagrind: what the preload asks of the tool.     dg_order.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#ifndef __DG_ORDER_H
#define __DG_ORDER_H

#include "valgrind.h"

/* Not for programs; far above the numbers of datagrind.h.  */
enum {
   /* pthread_t: pthread_create has just returned it to this thread */
   DG_REQ_THREAD_CREATED = VG_USERREQ_TOOL_BASE('D', 'G') + 0x1000,
   /* pthread_t: it was waited for, and has ended */
   DG_REQ_THREAD_JOINED,
   /* address, count: a barrier for so many threads; 0: it is no more */
   DG_REQ_BARRIER_INIT,
   /* address: the thread arrives, and goes on */
   DG_REQ_BARRIER_ARRIVE,
   DG_REQ_BARRIER_LEAVE,
   /* An OpenMP team: returns its number, which the others give.  */
   DG_REQ_TEAM_NEW,
   DG_REQ_TEAM_DONE,
   /* number: a member begins; returns the number of the team that it was in,
      if that is another region's that goes on meanwhile */
   DG_REQ_TEAM_ENTER,
   /* number, number of the team before */
   DG_REQ_TEAM_LEAVE,
   /* in the team that it is in */
   DG_REQ_TEAM_ARRIVE,
   DG_REQ_TEAM_GO_ON
};

#endif

/*--------------------------------------------------------------------*/
/*--- end                                               dg_order.h ---*/
/*--------------------------------------------------------------------*/
