/* dg.c: the dg command: which commands there are, and the choice of one.
   Each is in a file of its own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef HAVE_CONFIG_H
#  include "config.h"
#endif

#include "analysis_names.h"
#include "commands.h"
#include "output.h"

#include <signal.h>
#include <string.h>

static const struct cli_command *const commands[] = {
  &command_info, &command_record, &command_check, &command_dump,
  &command_heap, &command_allocs, &command_pack, &command_unpack,
  &command_cut, &command_index, &command_import};

static int
print_usage (void)
{
  struct output out;

  output_init (&out);
  output_text (&out, "Usage: dg COMMAND [OPTION]... LOG\n"
                     "Shows what a Datagrind log holds.\n\nCommands:\n");
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    output_format (&out, "  %-10s  %s\n", commands[i]->name,
                   commands[i]->summary);
  output_text (&out, "\nAnalyses, also several at once, as in"
                     " 'dg counts,reuse LOG':\n");
  analysis_names_list (&out);
  output_text (&out, "\nOptions:\n"
                     "  -h, --help                  show this help and exit\n"
                     "      --version               show the version and"
                     " exit\n"
                     "\n'dg COMMAND --help' tells the options of a"
                     " command.\n");
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

int
main (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : NULL;

  if (name == NULL)
    return cli_fail_usage (NULL, "no command is given");
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0)
    return print_usage ();
  if (strcmp (name, "--version") == 0)
    return print_version ();
  if (name[0] == '-')
    return cli_fail_usage (NULL, "there is no option '%s'", name);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i]->name) == 0) {
      if (!commands[i]->runs_program)
        fail_writing ();
      return commands[i]->run (commands[i], argc - 1, argv + 1);
    }
  fail_writing ();
  return analysis_run (argc - 1, argv + 1);
}
