/* cli_progress.h: how far a command is, and how long the rest takes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLI_PROGRESS_H
#define DG_CLI_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The whole of a command is one scale: a plan of phases, each with its work.
   The unit of work is any, as long as all phases of a plan have the same one;
   commands of dg take readings of all accesses of a log.

   A command that does the same with several logs gives each a part of the
   scale, which has a plan of its own.  */
struct cli_progress {
  char *what;              /* the log, or the command */
  const char *phase;       /* what is done; NULL: it has no name */
  gint64 start_us;         /* monotonic */
  double first, end;       /* the part of the whole that is planned: 0 to 1 */
  double work;             /* of the plan */
  double before, weight;   /* of it: phases that are over, this phase */
  double done;             /* of this phase, 0 to 1; it never falls */
  double shown;            /* share; a better plan does not make it less */
  bool is_terminal, is_shown;
};

/* Shown on standard error if that is a terminal and it takes more than a
   second.  */
void cli_progress_init (struct cli_progress *progress, const char *what);
/* The next phases are about one of several files.  The share of the whole that
   a file has is that of its size.  */
void cli_progress_file (struct cli_progress *progress,
                        const char *const *paths, size_t n, size_t i);
/* The work of all phases that come after this one, in this part.  May be
   called again if another estimate is better.  */
void cli_progress_expect (struct cli_progress *progress, double work);
/* The phase before it, if any, is over.  name: a constant.  */
void cli_progress_phase (struct cli_progress *progress, const char *name,
                         double work);
/* How much of the whole is done, 0 to 1.  */
double cli_progress_share (const struct cli_progress *progress);
/* Seconds until the end, if the rest is as fast as what is done; negative:
   nothing is done.  */
double cli_progress_left (const struct cli_progress *progress, gint64 now_us);
/* The dg_progress_fn, whose user is the struct: how far the phase is.  */
int cli_progress_fn (void *user, uint64_t done, uint64_t total);
/* Removes the line, before something else is printed.  */
void cli_progress_hide (struct cli_progress *progress);
void cli_progress_fini (struct cli_progress *progress);

#endif /* DG_CLI_PROGRESS_H */
