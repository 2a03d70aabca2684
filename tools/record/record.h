/* record.h: what the files of `dg record` share: what was asked for, the
   program that runs, and what is shown of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TOOL_RECORD_H
#define DG_TOOL_RECORD_H

#include "base/cli.h"

#include <glib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Exit status when we, and not the program, failed.  */
enum { RECORD_FAILED = 125, RECORD_CANNOT_RUN = 126, RECORD_NOT_FOUND = 127 };

struct record_options {
  char *output;    /* NULL: the default */
  char *directory; /* for rings; NULL: the default */
  char *valgrind;  /* a command; NULL: the one that is found */
  int level, ring_mib, jobs;
  gboolean raw, no_index, quiet, verbose, progress;
  GPtrArray *passed; /* options for Valgrind; char *, not owned */
  char **program;    /* NULL-terminated, at least one */
  bool traces_children;
};

/* ---- Refusals (dg_record_check.c) ---------------------------------------
   Each returns whether it may be, or says why not.  */

/* An option that is passed on.  */
bool record_check_option (const struct cli_command *command, const char *arg);
/* The place of the archive or log.  standard: its name if none is given.  */
bool record_check_output (const struct record_options *options,
                          const char *standard);
bool record_check_program (const struct record_options *options);
/* What may be meant by an option that Valgrind does not know, to be freed;
   NULL: there is nothing near.  */
char *record_near_option (const GOptionEntry *ours, const char *arg);

/* ---- The program (dg_record_program.c) --------------------------------- */

/* The command that starts Valgrind with all of its arguments; directory: of
   rings, or NULL for a raw log.  NULL after a message.  */
GPtrArray *record_command (const struct record_options *options,
                           const char *directory);

struct record_program {
  pid_t pid;
  int signals;       /* signalfd */
  sigset_t old_mask; /* as we were started, as the program shall be */
  struct sigaction old_pipe, old_size, old_child;
  struct rlimit old_files;
};

/* Before any thread is started: signals are taken by record_program_signal
   from here on.  false after a message.  */
bool record_program_init (struct record_program *program);
/* Starts it.  0, or the exit status after a message.  */
int record_program_start (struct record_program *program, GPtrArray *command);
/* Becomes it.  Returns the exit status after a message.  */
int record_program_become (struct record_program *program, GPtrArray *command);
/* Takes a signal, if there is one: its number, or 0.  What is for the program
   and has not reached it is passed on.  */
int record_program_signal (struct record_program *program, bool runs);
/* Has it ended?  Then *status is as waitpid says.  */
bool record_program_ended (struct record_program *program, int *status);
/* Ends as the program did; returns the exit status if it was not killed.  */
int record_program_end_like (struct record_program *program, int status);

/* ---- What is shown (dg_record_show.c) ----------------------------------- */

/* The terminal is the program's while that runs: only what went wrong, or
   progress if that was asked for, is told before its end.  */
struct record_show {
  GMutex lock;
  const struct record_options *options;
  bool is_terminal;   /* standard error is */
  bool is_shown;      /* a line of progress stands there */
  gint64 start, last; /* us */
  uint64_t last_accesses;
  size_t n_problems; /* archives that miss something by our fault */
  GArray *ended;     /* struct record_archive */
};

void record_show_init (struct record_show *show,
                       const struct record_options *options);
/* Any thread.  */
void record_show_event (struct record_show *show,
                        const struct dg_capture_event *event);
void record_show_progress (struct record_show *show,
                           const struct dg_capture_status *status);
void record_show_waiting (struct record_show *show, size_t n);
/* How long to wait for the next progress, in ms; < 0: there is none.  */
int record_show_interval (const struct record_show *show);
/* The program's number, when all has ended: its archive comes first.  */
void record_show_summary (struct record_show *show, pid_t program);
/* A message of our own.  */
void record_show_message (struct record_show *show, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
void record_show_fini (struct record_show *show);

#endif /* DG_TOOL_RECORD_H */
