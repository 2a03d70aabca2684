/* dg.c: the dg command: which commands there are, and the choice of one.
   Each is in a file of its own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef HAVE_CONFIG_H
#  include "config.h"
#endif

#include "analyse/analysis_names.h"
#include "base/commands.h"
#include "base/output.h"
#include "base/schema.h"
#include "complete/complete.h"
#include "log/log_list.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {
  &command_info, &command_record, &command_check, &command_dump,
  &command_advise, &command_report, &command_heap, &command_allocs,
  &command_diff, &command_pack,
  &command_unpack, &command_bundle, &command_cut, &command_index,
  &command_export, &command_import, &command_calibrate, NULL};

static int
print_usage (void)
{
  struct output out;

  output_init (&out);
  output_text (&out, "Usage: dg COMMAND [OPTION]... LOG\n"
                     "Records programs, and shows what their logs hold."
                     "\n\nCommands:\n");
  for (size_t i = 0; commands[i] != NULL; i++)
    output_format (&out, "  %-10s  %s\n", commands[i]->name,
                   commands[i]->summary);
  output_text (&out, "\nAnalyses, also several at once, as in"
                     " 'dg counts,reuse LOG':\n");
  analysis_names_list (&out);
  output_text (&out, "\nOptions:\n"
                     "  -h, --help                  show this help and exit\n"
                     "      --schema [COMMAND]      show the JSON Schema of"
                     " what COMMAND writes\n"
                     "                              with --json; without"
                     " COMMAND, list them\n"
                     "      --sysroot=DIR           look for programs and"
                     " libraries below DIR\n"
                     "      --debug-dir=DIR         look for debug files in"
                     " DIR first\n"
                     "      --source-map=FROM=TO    look for source files"
                     " under other paths\n"
                     "      --repetitions=HOW       count 'rep movs' and the"
                     " like once (default),\n"
                     "                              or each of its"
                     " repetitions\n"
                     "      --version               show the version and"
                     " exit\n"
                     "\n'dg COMMAND --help' and 'dg help COMMAND' show the"
                     " options of a command,\n'dg help --man COMMAND' its"
                     " manual page.  'dg' alone lists the logs of a folder.\n"
                     );
  return output_finish (&out);
}

static int
print_version (void)
{
  struct output out;

  output_init (&out);
  output_text (&out, "dg (Datagrind) " PACKAGE_VERSION "\n");
  return output_finish (&out);
}

/* Writing to a reader that went away, or more than a file may hold, is then
   an error like others.  */
static void
fail_writing (void)
{
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
}

/* The command of that name, with its name in argv[0].  */
static int
run_command (int argc, char **argv)
{
  const char *name = argv[0];

  for (size_t i = 0; commands[i] != NULL; i++)
    if (strcmp (name, commands[i]->name) == 0) {
      if (!commands[i]->runs_program)
        fail_writing ();
      return commands[i]->run (commands[i], argc, argv);
    }
  fail_writing ();
  return analysis_run (commands, argc, argv);
}

/* Whether man has such a page.  */
static bool
has_page (const char *page)
{
  const char *argv[] = {"man", "-w", page, NULL};
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                         | G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, NULL)
         && status == 0;
}

/* "help --man COMMAND": its manual page, which may be that of dg.  */
static int
show_manual (const char *command)
{
  char *page = command != NULL ? g_strconcat ("dg-", command, NULL) : NULL;

  if (page == NULL || !has_page (page)) {
    g_free (page);
    page = g_strdup ("dg");
  }
  execlp ("man", "man", page, (char *) NULL);
  g_free (page);
  return cli_fail ("man: %s", g_strerror (errno));
}

/* "help", "help COMMAND" and "help allocs stats": what --help tells.  */
static int
help (int argc, char **argv)
{
  char **with_help = g_new0 (char *, (gsize) argc + 2);
  int status;

  if (argc > 1 && strcmp (argv[1], "--man") == 0) {
    g_free (with_help);
    return show_manual (argc > 2 ? argv[2] : NULL);
  }
  if (argc == 1 || argv[1][0] == '-') {
    g_free (with_help);
    return print_usage ();
  }
  for (int i = 1; i < argc; i++)
    with_help[i - 1] = argv[i];
  with_help[argc - 1] = (char *) "--help";
  status = run_command (argc, with_help);
  g_free (with_help);
  return status;
}

/* What completions ask for.  */
static int
complete_dg (int argc, char **argv)
{
  if (strcmp (argv[0], "--help") == 0)
    return print_usage ();
  if (strcmp (argv[0], "--schema") == 0)
    return schema_show (argc - 1, argv + 1);
  return run_command (argc, argv);
}

int
main (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : NULL;

  dg_memory_trim ();
  if (name == NULL)
    return log_list () ? CLI_OK
                       : cli_fail_usage (NULL, "no command is given, and there"
                                               " are no logs in this folder");
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0)
    return print_usage ();
  if (strcmp (name, "--version") == 0)
    return print_version ();
  if (strcmp (name, "--schema") == 0)
    return schema_show (argc - 2, argv + 2);
  if (strcmp (name, "__complete") == 0)
    return complete (complete_dg, argc - 1, argv + 1);
  if (name[0] == '-') {
    static const char *const options[] = {"help", "schema", "version", NULL};
    char *hint = cli_hint (name + strspn (name, "-"), options);
    int status = cli_fail_usage (NULL, "unknown option '%s'%s", name, hint);

    g_free (hint);
    return status;
  }
  if (strcmp (name, "help") == 0)
    return help (argc - 1, argv + 1);
  return run_command (argc - 1, argv + 1);
}
