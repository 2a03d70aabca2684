/* record.h: common declarations of `dg record`: its options, the program that
   runs, and messages about it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TOOL_RECORD_H
#define DG_TOOL_RECORD_H

#include "base/cli.h"

#include <glib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Exit status if dg record failed, but not the program.  */
enum { RECORD_FAILED = 125, RECORD_CANNOT_RUN = 126, RECORD_NOT_FOUND = 127 };

struct record_options {
  char *output;    /* NULL: the default */
  char *directory; /* for rings; NULL: the default */
  char *valgrind;  /* a command; NULL: search for one */
  char *only;      /* programs that are recorded; NULL: all */
  gboolean values; /* what accesses read and write is recorded */
  int level, ring_mib, jobs;
  gboolean raw, no_index, quiet, verbose, progress, bundle;
  GPtrArray *passed; /* options for Valgrind; char *, not owned */
  char **program;    /* NULL-terminated, at least one */
  bool traces_children;
};

/* ---- Checks (dg_record_check.c) -------------------------------------------
   Each returns whether recording is possible, after a message if it is
   not.  */

/* Checks an option that is passed on.  */
bool record_check_option (const struct cli_command *command, const char *arg);
/* Checks the output, an archive or a log. standard: its default name.  */
bool record_check_output (const struct record_options *options,
                          const char *standard);
bool record_check_program (const struct record_options *options);
/* A suggestion for an option that Valgrind does not know, to be freed; NULL:
   none.  */
char *record_near_option (const GOptionEntry *ours, const char *arg);

/* ---- The program (dg_record_program.c) --------------------------------- */

/* The command that starts Valgrind with all of its arguments; directory: of
   rings, or NULL for a raw log; raw_failed: the end of a pipe of this process,
   to which the recorder writes when it cannot write a raw log, or -1.  NULL
   after a message.  */
GPtrArray *record_command (const struct record_options *options,
                           const char *directory, int raw_failed);

struct record_program {
  pid_t pid;
  int signals;       /* signalfd */
  sigset_t old_mask; /* at our start, to be restored for the program */
  struct sigaction old_pipe, old_size, old_child;
  struct rlimit old_files;
};

/* Blocks signals, which record_program_signal then receives.  Must be called
   before any thread is started. false after a message.  */
bool record_program_init (struct record_program *program);
/* Starts it.  0, or the exit status after a message.  */
int record_program_start (struct record_program *program, GPtrArray *command);
/* Receives a signal, if there is one: its number, or 0.  Signals for the
   program that it has not received are passed on.  */
int record_program_signal (struct record_program *program, bool runs);
/* Whether it has ended; then *status is as from waitpid.  */
bool record_program_ended (struct record_program *program, int *status);
/* Ends as the program did; returns the exit status if it was not killed.  */
int record_program_end_like (struct record_program *program, int status);

/* Adds to an archive what its names need (dg_record_bundle.c).  false after a
   message; the archive is then as it was.  */
bool record_bundle (const char *path);

/* ---- What is shown (dg_record_show.c) ----------------------------------- */

/* While the program runs, the terminal is its own: only errors, and progress
   if it was requested, are shown before its end.  */
struct record_show {
  GMutex lock;
  const struct record_options *options;
  bool is_terminal;   /* standard error is */
  bool is_shown;      /* a line of progress is visible */
  gint64 start, last; /* us */
  uint64_t last_accesses;
  size_t n_problems; /* archives that are incomplete because of us */
  GArray *ended;     /* struct record_archive */
};

void record_show_init (struct record_show *show,
                       const struct record_options *options);
/* Any thread.  */
void record_show_event (struct record_show *show,
                        const struct dg_capture_event *event);
void record_show_progress (struct record_show *show,
                           const struct dg_capture_status *status);
/* Adds files to all archives that have ended, and counts it as a problem where
   that fails.  */
void record_show_bundle (struct record_show *show);
void record_show_waiting (struct record_show *show, size_t n);
/* Time until the next progress, in ms; < 0: none.  */
int record_show_interval (const struct record_show *show);
/* At the end, with the process ID of the program, whose archive is shown
   first.  */
void record_show_summary (struct record_show *show, pid_t program);
/* Shows a message.  */
void record_show_message (struct record_show *show, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
void record_show_fini (struct record_show *show);

#endif /* DG_TOOL_RECORD_H */
