/* cli.h: what all commands of dg share: messages, options, opening logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLI_H
#define DG_CLI_H

#include "cli_message.h"
#include "cli_progress.h"
#include "libdatagrind.h"

#include <glib.h>

/* A command of dg.  Its options are a table within its run, from which
   cli_parse also makes --help.  */
struct cli_command {
  const char *name;
  const char *args;    /* after the options: "LOG" */
  const char *summary; /* one line */
  const char *details; /* lines after the options in --help, or NULL */
  /* argv[0] is the command's name.  Returns the exit status.  */
  int (*run) (const struct cli_command *command, int argc, char **argv);
  bool runs_program;  /* to which signals are passed on */
  bool is_page;       /* it has no tables of text or JSON, whose options then
                         do not exist */
  const char *common; /* the first of the options that other commands have,
                         too, which are a group in --help; or NULL */
};

/* ---- Messages, on standard error -------------------------------------- */

/* As cli_fail, with the name of the command before the message, and a line
   about --help after it.  command NULL: dg itself.  Returns CLI_USAGE.  */
int cli_fail_usage (const struct cli_command *command, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
/* The same with another name before the message; NULL: none.  */
int cli_fail_usage_of (const struct cli_command *command, const char *name,
                       const char *format, ...) G_GNUC_PRINTF (3, 4);

/* For the end of a message about a name that is not one of these, up to a
   NULL: "; did you mean 'counts'?", or ""; to be freed.  */
char *cli_hint (const char *asked, const char *const *names);
/* The nearest of them, to be freed; NULL: none is near.  */
char *cli_nearest (const char *asked, const char *const *names);
/* So many arguments are given, which are not enough.  Returns CLI_USAGE.  */
int cli_fail_missing (const struct cli_command *command, int n_given);

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

/* Removes the options from argv; then argv[1 .. argc - 1] are the arguments,
   of which there must be n_args.  Handles --help.  Returns -1 to continue, or
   the exit status.  */
int cli_parse (const struct cli_command *command, const GOptionEntry *options,
               int *argc, char **argv, int n_args);

/* The same with a minimum and a maximum number of arguments.  */
int cli_parse_some (const struct cli_command *command,
                    const GOptionEntry *options, int *argc, char **argv,
                    int least, int most);

/* The value of an option of G_OPTION_ARG_INT, by the grammar of all numbers;
   in bytes if its value is called BYTES.  -1, or the exit status.  */
int cli_take_number (const struct cli_command *command,
                     const GOptionEntry *option, const char *text);

/* Writes the text of --help.  Returns the exit status.  */
int cli_print_help (const struct cli_command *command,
                    const GOptionEntry *options);

/* Whether an output was given: -1, or the exit status.  */
int cli_check_output (const struct cli_command *command, const char *output);
/* Whether all texts of --source-map (NULL-terminated, or NULL) are FROM=TO:
   -1, or the exit status.  */
int cli_check_source_map (const struct cli_command *command,
                          char *const *maps);
/* Whether lines would be shortened without --wide, if it was given: -1, or the
   exit status.  */
int cli_check_wide (const struct cli_command *command, bool is_wide,
                    bool as_json, const char *output);

/* ---- Logs ------------------------------------------------------------- */

/* Opening an archive, and a raw log, of which all is read: in readings of all
   accesses, the unit of work of all progress.  */
#define CLI_WORK_ARCHIVE 0.3
#define CLI_WORK_RAW 1.2
/* Looking up the names of --events and --ranges.  */
#define CLI_WORK_NAMES 0.1

/* A loaded log, and the error of loading it.  */
struct cli_log {
  struct dg_log *log;
  const char *path;
  struct dg_error error; /* code 0: nothing */
  bool is_growing;       /* it ends early because it was still being recorded
                            when it was loaded */
  bool is_borrowed;      /* the log is another's (cli_log_borrow) */
  bool needs_all;        /* that is an error all the same: what is made of a
                            part would be taken for the whole */
  struct cli_progress *progress; /* of opening, and of all work after it */
  struct cli_progress own;       /* that; not used if the command has one */
};

/* Opens and loads, with progress.  If a log is cut short or damaged, `error`
   is set.  False after a message if it cannot be used at all.  blocks: those
   that the command asks for.  work: that of what is done with the log then, in
   readings of all accesses.  */
bool cli_log_open (struct cli_log *log, const char *path, int jobs,
                   enum dg_blocks blocks, double work);
/* The same with DG_BLOCKS_LIVE at this moment.  */
bool cli_log_open_live (struct cli_log *log, const char *path, int jobs,
                        uint64_t icount, double work);
/* As cli_log_open, but the progress is a part of that of the command; NULL:
   the log has a progress of its own.  */
bool cli_log_open_part (struct cli_log *log, const char *path, int jobs,
                        enum dg_blocks blocks, double work,
                        struct cli_progress *progress);
/* As cli_log_open with dg_log_load_summary and DG_BLOCKS_NONE, for a command
   that does nothing else.  */
bool cli_log_open_summary (struct cli_log *log, const char *path, int jobs);
/* In place of opening: one that another owner has loaded and closes.  work: as
   above.  */
void cli_log_borrow (struct cli_log *log, const struct cli_log *from,
                     double work);
/* The command line of the program that was recorded, as a shell would take it;
   to be freed.  */
char *cli_log_command (const struct dg_process *process);
/* Prints the error of loading, if any.  Returns the exit status.  Of a log
   that is still being recorded, it says that, and is content, unless
   needs_all.  */
int cli_log_report (const struct cli_log *log);
void cli_log_close (struct cli_log *log);
/* Both, at the end of a command that used the log; the error is not printed
   after a wrong command line.  Returns `status`, or the failure.  */
int cli_log_finish (struct cli_log *log, int status);

/* The blocks that conditions on ranges (or NULL) ask for.  */
enum dg_blocks cli_filter_blocks (const char *ranges);

/* Filter for --events and --ranges, made as needed.  */
struct cli_filter {
  struct dg_symbols *own_symbols;
  struct dg_space *space;
  struct dg_filter *filter; /* NULL: nothing is excluded */
};

/* symbols: those to use, or NULL.  Returns CLI_OK, or the exit status after a
   message.  */
int cli_filter_init (struct cli_filter *filter,
                     const struct cli_command *command,
                     const struct cli_log *log, struct dg_symbols *symbols,
                     const char *events, const char *ranges);
void cli_filter_fini (struct cli_filter *filter);
/* Warns of files that provided no names.  */
void cli_warn_of_symbols (struct dg_symbols *symbols);
/* Only those that are not in others, which may be NULL: of these it is told
   elsewhere.  */
void cli_warn_of_more_symbols (struct dg_symbols *symbols,
                               struct dg_symbols *others);

#endif /* DG_CLI_H */
