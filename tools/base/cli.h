/* cli.h: what all commands of dg share: messages, options, opening logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLI_H
#define DG_CLI_H

#include "cli_message.h"
#include "libdatagrind.h"

#include <glib.h>

/* A command of dg.  Its options are a table within its run, from which
   cli_parse also makes --help.  */
struct cli_command {
  const char *name;
  const char *args;    /* behind the options: "LOG" */
  const char *summary; /* one line */
  const char *details; /* lines behind the options in --help, or NULL */
  /* argv[0] is the command's name.  Returns the exit status.  */
  int (*run) (const struct cli_command *command, int argc, char **argv);
  bool runs_program;   /* which is to get the signals that we got */
  const char *common;  /* the first option of those that other commands have,
                          too, which --help sets apart; or NULL */
};

/* ---- Messages, on standard error -------------------------------------- */

/* As cli_fail; also says where help is.  command may be NULL.  Returns
 * CLI_USAGE.  */
int cli_fail_usage (const struct cli_command *command, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

/* ---- Options ---------------------------------------------------------- */

#define CLI_OPTION_JOBS(variable)                             \
  {                                                           \
    "jobs", 'j', 0, G_OPTION_ARG_INT, variable,               \
      "use N threads (default, or 0: one per processor)", "N" \
  }
#define CLI_OPTION_OUTPUT(variable)                    \
  {                                                    \
    "output", 'o', 0, G_OPTION_ARG_FILENAME, variable, \
      "write to this file", "FILE"                     \
  }
#define CLI_OPTION_EVENTS(variable)                            \
  {                                                            \
    "events", 0, 0, G_OPTION_ARG_FILENAME, variable,           \
      "only accesses that meet these conditions", "CONDITIONS" \
  }
#define CLI_OPTION_RANGES(variable)                                       \
  {                                                                       \
    "ranges", 0, 0, G_OPTION_ARG_FILENAME, variable,                      \
      "only accesses to memory that meets these conditions", "CONDITIONS" \
  }

/* Takes the options out of argv; then argv[1 .. argc - 1] are the arguments,
   of which there must be n_args.  Handles --help.  Returns -1 to go on, else
   the exit status.  */
int cli_parse (const struct cli_command *command, const GOptionEntry *options,
               int *argc, char **argv, int n_args);

/* The same for arguments that may be several: from least to most.  */
int cli_parse_some (const struct cli_command *command,
                    const GOptionEntry *options, int *argc, char **argv,
                    int least, int most);

/* The value of an option of G_OPTION_ARG_INT, by the grammar of all numbers;
   bytes, if it says that its value is BYTES.  -1, or the exit status.  */
int cli_take_number (const struct cli_command *command,
                     const GOptionEntry *option, const char *text);

/* Writes what --help tells.  Returns the exit status.  */
int cli_print_help (const struct cli_command *command,
                    const GOptionEntry *options);

/* Is the number of threads one that can be used?  -1, or the exit status.  */
int cli_check_jobs (const struct cli_command *command, int jobs);
/* Was an output given?  -1, or the exit status.  */
int cli_check_output (const struct cli_command *command, const char *output);
/* Is --wide given only where lines would be shortened without it?
   Likewise.  */
int cli_check_wide (const struct cli_command *command, bool is_wide,
                    bool as_json, const char *output);

/* ---- Logs ------------------------------------------------------------- */

/* A loaded log, and what was wrong with it.  */
struct cli_log {
  struct dg_log *log;
  const char *path;
  struct dg_error error; /* code 0: nothing */
};

/* Opens and loads, with progress.  A log that is cut or damaged opens, with
   `error` set.  False after a message if it cannot be used at all.  */
bool cli_log_open (struct cli_log *log, const char *path, int jobs);
/* The same with dg_log_load_summary.  */
bool cli_log_open_summary (struct cli_log *log, const char *path, int jobs);
/* The command line of the program that was recorded, as a shell would take it;
   to be freed.  */
char *cli_log_command (const struct dg_process *process);
/* Says what was wrong.  Returns the exit status that this means.  */
int cli_log_report (const struct cli_log *log);
void cli_log_close (struct cli_log *log);
/* Both, at the end of a command that used the log all the same; nothing is
   told after a wrong command line.  Returns `status`, or the failure.  */
int cli_log_finish (struct cli_log *log, int status);

/* Filter for --events and --ranges, made as needed.  */
struct cli_filter {
  struct dg_symbols *own_symbols;
  struct dg_space *space;
  struct dg_filter *filter; /* NULL when nothing is left out */
};

/* symbols: those to use, or NULL.  Returns CLI_OK, or the exit status after a
   message.  */
int cli_filter_init (struct cli_filter *filter,
                     const struct cli_command *command,
                     const struct cli_log *log, struct dg_symbols *symbols,
                     const char *events, const char *ranges);
void cli_filter_fini (struct cli_filter *filter);
/* Says what kept names from being found.  */
void cli_warn_of_symbols (struct dg_symbols *symbols);

/* ---- Progress --------------------------------------------------------- */

/* Shown on standard error if that is a terminal and it takes more than a
   second.  cli_progress_fn is the dg_progress_fn, its user the struct.  */
struct cli_progress {
  char *what;
  gint64 start_us;
  bool is_terminal, is_shown;
};

void cli_progress_init (struct cli_progress *progress, const char *what);
int cli_progress_fn (void *user, uint64_t done, uint64_t total);
void cli_progress_fini (struct cli_progress *progress);

#endif /* DG_CLI_H */
