/* interrupt.h: progress of long commands that write files, and signals that
   end them without leaving incomplete files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INTERRUPT_H
#define DG_INTERRUPT_H

#include "cli.h"

#include <glib.h>
#include <signal.h>

struct interrupt {
  struct cli_progress *progress;
  GThread *thread;   /* NULL: signals end the program as usual */
  int fd, end;       /* descriptors that the thread waits for */
  gint signal;       /* received, 0 if none; atomic */
  gint is_cancelled; /* progress was cancelled; atomic */
  gint64 called_us;  /* time of the last progress call; atomic */
  sigset_t before;   /* signals that were blocked */
};

/* From here on, SIGHUP, SIGINT and SIGTERM make interrupt_progress_fn, the
   dg_progress_fn whose user is the struct, cancel.  If it is not called for
   five seconds, because the command waits or looks up names, or if a second
   signal is received, the signal ends the program as usual.  Must be called
   before any thread is started.  What comes is a phase of the progress, by
   cli_progress_phase; NULL: the caller begins phases.  */
void interrupt_begin (struct interrupt *interrupt,
                      struct cli_progress *progress, const char *phase,
                      double work);
int interrupt_progress_fn (void *user, uint64_t done, uint64_t total);
/* If a signal was received, ends the program by it.  */
void interrupt_end (struct interrupt *interrupt);
/* The same after a call that returned `code`: CLI_OK, or CLI_FAILURE after the
   message of the error, with the path before it.  */
int interrupt_finish (struct interrupt *interrupt, int code, const char *path,
                      const struct dg_error *error);

#endif /* DG_INTERRUPT_H */
