/* follow.h: --follow: a command again and again, while its log is recorded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FOLLOW_H
#define DG_FOLLOW_H

#include "cli.h"

#define CLI_OPTION_FOLLOW(variable)                                        \
  {                                                                        \
    "follow", 0, 0, G_OPTION_ARG_NONE, variable,                           \
      "show running figures each second, until the recording ends", NULL   \
  }

struct follow {
  const char *path;
  int jobs;
  enum dg_blocks blocks;   /* that the command asks for */
  bool as_json;            /* then each document becomes a line */
  /* The whole command, which writes to standard output, with the log as far as
     it is recorded, which the command borrows (cli_log_borrow); NULL: as
     without --follow.  Returns the exit status.  */
  int (*run) (void *user, const struct cli_log *log);
  void *user;
};

/* Runs the command until the recording has ended, with all of the log in the
   end, or until SIGINT.  Must be called before any thread is started.  Returns
   the exit status.  */
int follow_run (const struct follow *follow);

/* The first `most` lines of a text, for a terminal, and how many they are;
   exported for tests.  */
char *follow_first_lines (const char *text, unsigned most, unsigned *n);
/* A document of JSON in one line, with its newline.  */
char *follow_one_line (const char *json);
/* When the next step begins, after one that began and ended then: it takes at
   most half of the time, and there is at most one each second.  */
gint64 follow_next (gint64 began_us, gint64 ended_us);

#endif /* DG_FOLLOW_H */
