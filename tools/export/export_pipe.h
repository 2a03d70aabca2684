/* export_pipe.h: a file that is compressed on its way, as its name says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_PIPE_H
#define DG_EXPORT_PIPE_H

#include "base/output.h"

/* A program that compresses what is written to an output; or none.  All 0
   is none.  */
struct export_pipe {
  const char *program;     /* NULL: none */
  const char *suffix;      /* of what it compresses: ".gz" */
  GPid pid;
  int fd;                  /* of the output, before */
};

/* Begins to compress what is written to `out` if its path ends with ".gz",
   ".xz" or ".zst".  CLI_OK, or the exit status after a message.  */
int export_pipe_begin (struct export_pipe *pipe, struct output *out);
/* Waits until all is written: `status`, or the exit status after a message.
   Then the output is as before, and to be finished.  */
int export_pipe_end (struct export_pipe *pipe, struct output *out,
                     int status);

#endif /* DG_EXPORT_PIPE_H */
