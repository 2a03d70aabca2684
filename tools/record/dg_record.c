/* dg_record.c: `dg record`: runs a program under exp-datagrind and packs what
   it does into an archive meanwhile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_OUTPUT "datagrind.%p.dgz"
#define DEFAULT_RAW    "datagrind.out.%p"
/* A message about processes that outlive the program is shown after this
   time.  */
#define PATIENCE_US 500000
/* With values, accesses take half as much again in the ring, and the larger a
   chunk is, the more its model of memory foresees.  */
#define VALUES_RING_MIB 64

/* ---- Options ---------------------------------------------------------- */

/* The value of an option: after its name, or the next argument.  */
static bool
take_value (const struct cli_command *command, const GOptionEntry *option,
            const char *value, int *at, int argc, char **argv)
{
  if (option->arg == G_OPTION_ARG_NONE) {
    if (value == NULL)
      *(gboolean *) option->arg_data = TRUE;
    else
      cli_fail_usage (command, "--%s takes no value", option->long_name);
    return value == NULL;
  }
  if (value == NULL && *at + 1 < argc)
    value = argv[++*at];
  if (value == NULL) {
    cli_fail_usage (command, "--%s needs a value", option->long_name);
    return false;
  }
  if (option->arg != G_OPTION_ARG_INT) {
    g_free (*(char **) option->arg_data);
    *(char **) option->arg_data = g_strdup (value);
    return true;
  }
  return cli_take_number (command, option, value) < 0;
}

/* Our option with this long or short name; *value: the text after it.  */
static const GOptionEntry *
find_option (const GOptionEntry *options, const char *arg, const char **value)
{
  const char *equals = strchr (arg, '=');
  size_t n = equals != NULL ? (size_t) (equals - arg) : strlen (arg);

  for (; options->long_name != NULL; options++) {
    bool is_long = n == strlen (options->long_name) + 2
                   && strncmp (arg, "--", 2) == 0
                   && strncmp (arg + 2, options->long_name, n - 2) == 0;
    bool is_short = arg[1] != '-' && arg[1] == options->short_name
                    && (arg[2] == '\0' || options->arg != G_OPTION_ARG_NONE);

    *value = NULL;
    if (is_long && equals != NULL)
      *value = equals + 1;
    if (is_short && arg[2] != '\0')
      *value = arg + 2;
    if (is_long || is_short)
      return options;
  }
  return NULL;
}

/* One that is for Valgrind, and perhaps for us as well.  */
static bool
pass_on (const struct cli_command *command, struct record_options *options,
         char *arg)
{
  if (g_str_has_prefix (arg, "--datagrind-ring")) {
    cli_fail_usage (command, "--datagrind-ring is set by dg record itself");
    return false;
  }
  if (g_str_has_prefix (arg, "--datagrind-out-file=")) {
    g_free (options->output);
    options->output = g_strdup (strchr (arg, '=') + 1);
    return true;
  }
  if (strcmp (arg, "--datagrind-values=yes") == 0) {
    options->values = TRUE;
    return true;
  }
  if (g_str_has_prefix (arg, "--trace-children="))
    options->traces_children = strcmp (strchr (arg, '=') + 1, "yes") == 0;
  if (!record_check_option (command, arg))
    return false;
  g_ptr_array_add (options->passed, arg);
  return true;
}

static int
parse (const struct cli_command *command, const GOptionEntry *entries,
       struct record_options *options, int argc, char **argv)
{
  int at = 1;

  for (; at < argc && argv[at][0] == '-' && argv[at][1] != '\0'; at++) {
    const char *value;
    const GOptionEntry *entry;

    if (strcmp (argv[at], "--") == 0) {
      at++;
      break;
    }
    entry = find_option (entries, argv[at], &value);
    if (entry != NULL) {
      if (!take_value (command, entry, value, &at, argc, argv))
        return CLI_USAGE;
    } else if (!pass_on (command, options, argv[at])) {
      return CLI_USAGE;
    }
  }
  options->program = argv + at;
  return -1;
}

/* An option that is about archives; NULL: there is none.  */
static const char *
for_archives (const struct record_options *options)
{
  return options->level != 0 ? "--level"
         : options->no_index ? "--no-index"
         : options->ring_mib != 0 ? "--ring"
         : options->directory != NULL ? "--ring-dir"
         : options->jobs != 0 ? "-j"
         : options->bundle ? "--bundle"
         : options->progress ? "--progress"
         : options->verbose ? "--verbose" : NULL;
}

static int
check (const struct cli_command *command, const struct record_options *options)
{
  int mib = options->ring_mib;

  if (options->program[0] == NULL)
    return cli_fail_missing (command, 0);
  if (options->progress && options->quiet)
    return cli_fail_usage (command,
                           "--quiet and --progress exclude each other");
  if (options->verbose && options->quiet)
    return cli_fail_usage (command,
                           "--quiet and --verbose exclude each other");
  if (options->raw && for_archives (options) != NULL)
    return cli_fail_usage (command, "%s has no effect with --raw",
                           for_archives (options));
  if (options->level > 19)
    return cli_fail_usage (command, "the level must be from 1 to 19");
  if (mib < 0 || mib > 1024 || (mib & (mib - 1)) != 0)
    return cli_fail_usage (
      command,
      "the size of the ring must be a power of two from 1 to 1024 MiB");
  return -1;
}

/* ---- Recording -------------------------------------------------------- */

struct record {
  const struct record_options *options;
  const GOptionEntry *entries;
  struct record_program program;
  struct record_show show;
  struct dg_capture *capture;
  int event;  /* eventfd: the capture has an event */
  int status; /* of the program, once it has ended */
};

static void
on_event (void *user, const struct dg_capture_event *event)
{
  struct record *record = user;
  uint64_t one = 1;

  record_show_event (&record->show, event);
  while (write (record->event, &one, sizeof one) < 0 && errno == EINTR)
    ;
}

/* Until something happens, or for so long.  */
static void
wait_for (struct record *record, int ms)
{
  struct pollfd polled[] = {{.fd = record->program.signals, .events = POLLIN},
                            {.fd = record->event, .events = POLLIN}};
  uint64_t count;

  if (poll (polled, G_N_ELEMENTS (polled), ms) > 0 && polled[1].revents != 0
      && read (record->event, &count, sizeof count) < 0)
    return;
}

static void
show_progress (struct record *record)
{
  struct dg_capture_status status = {.size = sizeof status};
  int interval = record_show_interval (&record->show);

  if (interval < 0
      || g_get_monotonic_time () - record->show.last < interval * 1000)
    return;
  dg_capture_status (record->capture, &status);
  record_show_progress (&record->show, &status);
}

static void
wait_for_program (struct record *record)
{
  bool ended = false;

  while (!ended) {
    int number;

    wait_for (record, record_show_interval (&record->show));
    while ((number = record_program_signal (&record->program, true)) != 0)
      if (number == SIGCHLD)
        ended |= record_program_ended (&record->program, &record->status);
    show_progress (record);
  }
}

/* What was begun is finished; children may go on for long.  */
static void
wait_for_recordings (struct record *record)
{
  gint64 ended = g_get_monotonic_time ();
  struct dg_capture_status status = {.size = sizeof status};
  bool is_shown = false;
  int number;

  for (;;) {
    dg_capture_status (record->capture, &status);
    if (status.active == 0)
      return;
    if (!is_shown && g_get_monotonic_time () - ended > PATIENCE_US) {
      record_show_waiting (&record->show, status.active);
      is_shown = true;
    }
    wait_for (record, 20);
    while ((number = record_program_signal (&record->program, false)) != 0)
      if (number == SIGINT || number == SIGQUIT || number == SIGTERM
          || number == SIGHUP)
        dg_capture_stop (record->capture);
    show_progress (record);
  }
}

/* Valgrind ended before the recorder began.  What it has said of that stands
   above; but an option may just be ours, or the recorder's.  */
static void
tell_nothing (const struct record *record, const char *valgrind)
{
  const GPtrArray *passed = record->options->passed;
  const char *only = record->options->only;

  cli_fail ("record: nothing was recorded: %s has ended with status %d, and "
            "started no %s%s", valgrind, WEXITSTATUS (record->status),
            only != NULL ? "program of the name "
                         : "exp-datagrind that 'dg record' supports",
            only != NULL ? only : "");
  for (guint i = 0; i < passed->len; i++) {
    const char *arg = passed->pdata[i];
    char *near = record_near_option (record->entries, arg);

    if (near != NULL && !g_str_has_prefix (arg, "--datagrind-"))
      cli_fail ("record: the command was %s; did you mean %s?", arg, near);
    g_free (near);
  }
}

/* The exit status for a program that ended so.  */
static int
end (struct record *record, const char *valgrind, size_t begun)
{
  int status = record->status;
  bool is_good = WIFEXITED (status) && WEXITSTATUS (status) == 0;
  bool is_ours = WIFEXITED (status) && WEXITSTATUS (status) < RECORD_FAILED;

  if (begun == 0 && record->show.n_problems == 0 && is_ours) {
    tell_nothing (record, valgrind);
    return RECORD_FAILED;
  }
  if (record->show.n_problems > 0 && is_good)
    return RECORD_FAILED;
  return record_program_end_like (&record->program, status);
}

static int
run_program (struct record *record)
{
  const char *directory = dg_capture_directory (record->capture);
  GPtrArray *command = record_command (record->options, directory, -1);
  struct dg_capture_status status = {.size = sizeof status};
  struct dg_error error;
  int code = RECORD_FAILED;

  if (command == NULL)
    goto done;
  code = record_program_start (&record->program, command);
  if (code != 0)
    goto done;
  /* Meanwhile it starts up.  With --only, another one may be the first that is
     recorded, and has the name then.  */
  if (record->options->only == NULL
      && dg_capture_expect (record->capture, (uint64_t) record->program.pid,
                            &error)
           < 0) {
    kill (record->program.pid, SIGKILL);
    waitpid (record->program.pid, NULL, 0);
    /* Unless it has requested a ring in the meantime, which was then
       reported.  */
    if (record->show.n_problems == 0)
      cli_fail ("record: %s", error.message);
    code = RECORD_FAILED;
    goto done;
  }
  wait_for_program (record);
  wait_for_recordings (record);
  dg_capture_status (record->capture, &status);
  dg_capture_free (record->capture);
  record->capture = NULL;
  if (record->options->bundle)
    record_show_bundle (&record->show);
  record_show_summary (&record->show, record->program.pid);
  record_show_fini (&record->show);
  code = end (record, command->pdata[0], status.begun);

done:
  if (command != NULL)
    g_ptr_array_unref (command);
  return code;
}

/* 0: as much as there is memory for.  */
static uint32_t
ring_bytes (const struct record_options *options)
{
  int mib = options->ring_mib;

  if (mib == 0 && options->values)
    mib = VALUES_RING_MIB;
  return (uint32_t) mib << 20;
}

static int
record_packed (const struct record_options *options,
               const GOptionEntry *entries)
{
  struct record record = {.options = options, .entries = entries};
  const struct dg_capture_options capture = {
    .size = sizeof capture,
    .output = options->output != NULL ? options->output : DEFAULT_OUTPUT,
    .directory = options->directory,
    .ring_bytes = ring_bytes (options),
    .level = options->level,
    .workers = (unsigned) options->jobs,
    .no_index = options->no_index,
    .traces_children = options->traces_children,
    .event = on_event,
    .user = &record};
  struct dg_error error;
  int status = RECORD_FAILED;

  if (!record_program_init (&record.program))
    return status;
  record_show_init (&record.show, options);
  record.event = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  record.capture = dg_capture_new (&capture, &error);
  if (record.capture == NULL)
    cli_fail ("record: %s", error.message);
  else
    status = run_program (&record);
  dg_capture_free (record.capture);
  return status;
}

static int
record_raw (const struct record_options *options, const GOptionEntry *entries)
{
  struct record record = {.options = options, .entries = entries, .event = -1};
  GPtrArray *command = NULL;
  int failed[2], status = RECORD_FAILED;
  char one;

  record_show_init (&record.show, options);
  if (pipe2 (failed, O_CLOEXEC | O_NONBLOCK) < 0)
    cli_fail ("record: cannot create a pipe: %s", g_strerror (errno));
  else if (record_program_init (&record.program))
    command = record_command (options, NULL, failed[1]);
  if (command == NULL)
    return status;
  status = record_program_start (&record.program, command);
  if (status == 0) {
    wait_for_program (&record);
    if (read (failed[0], &one, 1) == 1)
      record.show.n_problems++;
    record_show_fini (&record.show);
    status = end (&record, command->pdata[0], 1);
  }
  g_ptr_array_unref (command);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct record_options options = {.passed = g_ptr_array_new ()};
  gboolean help = FALSE;
  const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
     "the archive's name (default: " DEFAULT_OUTPUT ")", "FILE"},
    {"only", 0, 0, G_OPTION_ARG_STRING, &options.only,
     "record only programs of this name, of all that are started (* and ? "
     "match)", "NAME"},
    {"values", 0, 0, G_OPTION_ARG_NONE, &options.values,
     "record what each access reads or writes; the archive then contains the "
     "program's data", NULL},
    {"raw", 0, 0, G_OPTION_ARG_NONE, &options.raw,
     "write a raw log instead, larger and slower", NULL},
    {"level", 0, 0, G_OPTION_ARG_INT, &options.level,
     "compression level, 1 to 19 (default: 1)", "N"},
    {"no-index", 0, 0, G_OPTION_ARG_NONE, &options.no_index,
     "omit the index for pictures", NULL},
    {"bundle", 0, 0, G_OPTION_ARG_NONE, &options.bundle,
     "add the files that names come from, for other machines", NULL},
    {"ring", 0, 0, G_OPTION_ARG_INT, &options.ring_mib,
     "shared memory per process, in MiB", "MIB"},
    {"ring-dir", 0, 0, G_OPTION_ARG_FILENAME, &options.directory,
     "folder of that memory (default: /dev/shm)", "DIR"},
    {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs,
     "pack with N threads (default: processors but one, or 2)", "N"},
    {"valgrind", 0, 0, G_OPTION_ARG_STRING, &options.valgrind,
     "the Valgrind to use, with exp-datagrind", "COMMAND"},
    {"progress", 0, 0, G_OPTION_ARG_NONE, &options.progress,
     "show the progress of the recording", NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet,
     "do not show figures at the end", NULL},
    {"verbose", 'v', 0, G_OPTION_ARG_NONE, &options.verbose,
     "always show figures, and more of them", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "show this help and exit",
     NULL},
    {NULL}};
  int status = parse (command, entries, &options, argc, argv);

  if (status < 0 && help)
    status = cli_print_help (command, entries);
  if (options.only != NULL)
    options.traces_children = true;
  if (status < 0 && options.only != NULL && options.only[0] == '\0')
    status = cli_fail_usage (command, "--only: the name is missing");
  if (status < 0)
    status = check (command, &options);
  if (status < 0
      && !(record_check_output (&options, options.raw ? DEFAULT_RAW
                                                      : DEFAULT_OUTPUT)))
    status = RECORD_FAILED;
  if (status < 0 && !record_check_program (&options))
    status = RECORD_CANNOT_RUN;
  if (status < 0)
    status = options.raw ? record_raw (&options, entries)
                         : record_packed (&options, entries);
  g_ptr_array_unref (options.passed);
  g_free (options.output);
  g_free (options.directory);
  g_free (options.valgrind);
  g_free (options.only);
  return status;
}

const struct cli_command command_record = {
  .name = "record",
  .args = "PROGRAM [ARGUMENT]...",
  .summary = "Runs a program and records its accesses in an archive",
  .details =
    "Options that start with --datagrind-, and other options of Valgrind such "
    "as\n"
    "--trace-children=yes, are passed on:\n"
    "  --datagrind-start=no|yes    record from the start?\n"
    "  --datagrind-only=NAME       record only programs of this name\n"
    "  --datagrind-toggle-fn=NAME  record only while a function runs\n"
    "  --datagrind-skip=N          do not record the first N instructions\n"
    "  --datagrind-stop-after=N    stop after N recorded instructions\n"
    "  --datagrind-window=N/M      record N of every M instructions\n"
    "  --datagrind-window-seed=N   other places for these windows\n"
    "  --datagrind-max-size=N      stop before the log is larger than N "
    "bytes\n"
    "  --datagrind-stack-depth=N   call sites to keep per call stack\n"
    "  --datagrind-fold=no|yes     fold recursion in stacks?\n"
    "  --datagrind-max-nodes=N     call paths to distinguish\n"
    "  --datagrind-exact=no|yes    keep loads whose result is never used?\n"
    "  --datagrind-scripts=no|yes  record functions of scripts in stacks?\n"
    "  --datagrind-stacks=no|yes   record values of the stack pointer?\n"
    "  --datagrind-values=no|yes   record what accesses read and write?\n"
    "  --datagrind-replace-malloc=yes|no  record heap blocks? If not, the\n"
    "                              program keeps its own malloc\n"
    "  --datagrind-check-stacks=N  compare stacks with the unwinder's\n"
    "exp-datagrind(1) has more of them.  If the name of the program starts "
    "with a\n"
    "dash, put -- before it.\n",
  .run = run,
  .runs_program = true};
