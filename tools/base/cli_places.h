/* cli_places.h: options of all commands that read logs: where the files are
   that names come from, and what counts as an instruction.

   They go to the environment, where users may set them as well: from there
   logs take them, also in what a command starts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLI_PLACES_H
#define DG_CLI_PLACES_H

#include "cli.h"

struct cli_places {
  char *sysroot;
  char **debug_dirs, **source_map;
  char *repetitions;       /* as in DG_REPETITIONS */
};

/* Adds the options (GOptionEntry) that are not among these already.  */
void cli_places_add (struct cli_places *places, GArray *entries);

/* After they were read: checks them and sets the environment.  -1, or the exit
   status.  Frees them.  */
int cli_places_take (struct cli_places *places,
                     const struct cli_command *command);
void cli_places_fini (struct cli_places *places);

#endif /* DG_CLI_PLACES_H */
