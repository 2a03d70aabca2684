/* commands.h: the commands of dg, each in the file dg_NAME.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMMANDS_H
#define DG_COMMANDS_H

#include "cli.h"

extern const struct cli_command command_advise;
extern const struct cli_command command_allocs;
extern const struct cli_command command_bundle;
extern const struct cli_command command_calibrate;
extern const struct cli_command command_check;
extern const struct cli_command command_cut;
extern const struct cli_command command_diff;
extern const struct cli_command command_dump;
extern const struct cli_command command_export;
extern const struct cli_command command_heap;
extern const struct cli_command command_import;
extern const struct cli_command command_index;
extern const struct cli_command command_info;
extern const struct cli_command command_pack;
extern const struct cli_command command_record;
extern const struct cli_command command_report;
extern const struct cli_command command_unpack;

/* Analyses: "counts,reuse" and so on; argv[0] is what the command is called.
   commands: all others, up to a NULL.  Returns the exit status.  */
int analysis_run (const struct cli_command *const *commands, int argc,
                  char **argv);

#endif /* DG_COMMANDS_H */
