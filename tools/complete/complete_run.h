/* complete_run.h: runs something in a child that may not take long.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMPLETE_RUN_H
#define DG_COMPLETE_RUN_H

/* What a function, called in a child, writes to standard output; to be freed.
   "" if it used more than cpu_ms of processor time, or more than a second or
   two passed: who types does not wait for more.  */
char *complete_run (void (*work) (void *user), void *user, unsigned cpu_ms);

#endif /* DG_COMPLETE_RUN_H */
