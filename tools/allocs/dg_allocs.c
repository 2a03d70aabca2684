/* dg_allocs.c: `dg allocs`: the allocations of a program, at a moment and over
   time.  Its sub-commands are those of mdd, and leaks; each is in a file
   allocs_NAME.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"
#include "base/commands.h"

#include <string.h>

static const struct cli_command stats = {
  .name = "allocs stats",
  .args = "LOG",
  .summary = "Shows how much of the heap is in use, and by which allocators",
  .run = allocs_stats};

#define DETAILS_SORT                                                          \
  "KEYS is one or more letters:\n"                                            \
  "  p P  by address, ascending or descending\n"                              \
  "  n N  by size\n"                                                          \
  "  s S  by sequence number: the oldest or the newest first\n"               \
  "  a    by the allocating function\n"                                       \
  "  t T  by thread\n"                                                        \
  "\n"
#define DETAILS_FILTER                                                        \
  "KEY=VALUE:\n"                                                              \
  "  thread=N\n"                                                              \
  "  size_min=BYTES size_max=BYTES\n"                                         \
  "  seqno_min=N seqno_max=N\n"                                               \
  "  time_min=TIME time_max=TIME\n"                                           \
  "  ptr_min=ADDRESS ptr_max=ADDRESS\n"
#define DETAILS_FORMAT                                                        \
  "\n"                                                                        \
  "FORMAT may contain \\n \\t \\\" \\\\ and these conversions:\n"             \
  "  %p  address            %s  sequence number    %t  thread\n"              \
  "  %n  size               %a  function           %h  its OS thread ID\n"    \
  "  %m  actual size        %T  time               %N  its name\n"            \
  "  %o  overhead           %%  a percent sign\n"                             \
  "  %b1 to %b8  return address at a level of the call stack\n"               \
  "  %f1 to %f8  function   %w1 to %w8  file:line   %l1 to %l8  source line\n"
#define DETAILS_MOMENT                                                        \
  "\n"                                                                        \
  "MOMENT:\n"                                                                 \
  "  end              the end of the log\n"                                   \
  "  N                before instruction N; also 20k, 3M\n"                   \
  "  event:LABEL      the start of the event; LABEL#2 is the second one,\n"   \
  "                   LABEL:end its end\n"

static const struct cli_command dump = {
  .name = "allocs dump",
  .args = "LOG",
  .summary = "Shows the heap blocks at a given time, and who allocated them",
  .details = DETAILS_SORT DETAILS_FILTER DETAILS_FORMAT DETAILS_MOMENT,
  .run = allocs_dump};

static const struct cli_command history = {
  .name = "allocs history",
  .args = "LOG...",
  .summary = "Shows all allocations and frees in order",
  .details = DETAILS_FILTER DETAILS_FORMAT,
  .run = allocs_history};

static const struct cli_command diff = {
  .name = "allocs diff",
  .args = "LOG [LOG]",
  .summary = "Compares the heap at two times of a log, or of two logs",
  .details = DETAILS_SORT DETAILS_FILTER DETAILS_FORMAT DETAILS_MOMENT,
  .run = allocs_diff};

static const struct cli_command leaks = {
  .name = "allocs leaks",
  .args = "LOG",
  .summary = "Shows blocks that were never freed, by allocation site",
  .details = DETAILS_FILTER,
  .run = allocs_leaks};

static const struct cli_command *const parts[] = {&stats, &dump, &history,
                                                  &diff, &leaks};

static int
print_usage (const struct cli_command *command)
{
  struct output out;

  output_init (&out);
  output_format (&out, "Usage: dg %s %s\n%s.\n\n", command->name,
                 command->args, command->summary);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    output_format (&out, "  %-8s  %s\n",
                   parts[i]->name + strlen ("allocs "), parts[i]->summary);
  output_text (&out, "\n"
                     "Options:\n"
                     "  -h, --help                  show this help and exit\n"
                     "\n"
                     "'dg allocs stats --help' and so on show the options of "
                     "each.  Without a\nname, stats.\n");
  return output_finish (&out);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : NULL;

  if (name == NULL)
    return cli_fail_usage (
      command, "expected one of stats, dump, history, diff, leaks");
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0)
    return print_usage (command);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strcmp (name, parts[i]->name + strlen ("allocs ")) == 0)
      return parts[i]->run (parts[i], argc - 1, argv + 1);
  /* Just a log: the first question that people have.  */
  if (name[0] == '-' || g_file_test (name, G_FILE_TEST_EXISTS))
    return stats.run (&stats, argc, argv);
  return cli_fail_usage (
    command, "'%s' must be one of stats, dump, history, diff, leaks", name);
}

const struct cli_command command_allocs = {
  .name = "allocs",
  .args = "stats|dump|history|diff|leaks [OPTION]... LOG",
  .summary = "Shows heap blocks, at a given time and over time",
  .run = run};
