/*--------------------------------------------------------------------*/
/*--- Datagrind: what a shadow stack is.                dg_stack.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* For dg_stack, which keeps shadow stacks, and dg_walk, which reads them.  */

#ifndef __DG_STACK_H
#define __DG_STACK_H

#include "dg_tool.h"

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
   DgNodeRef node;           /* the same */
};

/* The current stack of a thread, and the head of its list; NULL: there is no
   such thread.  */
DgStack* DG_(stack_of)         ( ThreadId tid );
/* Where the latest handler of a signal returns to; 0: not known.  */
Addr     DG_(handler_returns_to) ( void );

#endif /* __DG_STACK_H */

/*--------------------------------------------------------------------*/
/*--- end                                               dg_stack.h ---*/
/*--------------------------------------------------------------------*/
