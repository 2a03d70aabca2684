/* interrupt.h: long commands that write files: their progress, and signals
   that end them, after which nothing half done is left behind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INTERRUPT_H
#define DG_INTERRUPT_H

#include "cli.h"

#include <glib.h>
#include <signal.h>

struct interrupt {
  struct cli_progress progress;
  GThread *thread;         /* NULL: signals end the program as ever */
  int fd, end;             /* what the thread waits for */
  gint signal;             /* that came, 0 if none; atomic */
  gint was_told;           /* the command knows; atomic */
  gint64 asked_us;         /* when it last asked; atomic */
  sigset_t before;         /* what was blocked */
};

/* From here on SIGHUP, SIGINT and SIGTERM make interrupt_progress_fn, the
   dg_progress_fn whose user is the struct, cancel.  A command that does not
   ask for five seconds, because it waits for something or is busy with
   names, is ended by them as any other; so it is by the second one.  Before
   any thread is started.  `what` is shown, as by cli_progress_init.  */
void interrupt_begin (struct interrupt *interrupt, const char *what);
int interrupt_progress_fn (void *user, uint64_t done, uint64_t total);
/* Ends by the signal that came, if one did.  */
void interrupt_end (struct interrupt *interrupt);

#endif /* DG_INTERRUPT_H */
