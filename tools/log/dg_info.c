/* dg_info.c: `dg info`: what was recorded, and how much of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "dg_record.h"
#include "base/output.h"
#include "base/report_cells.h"
#include "base/terminal.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* Columns of the names of figures.  */
#define NAMES 16

/* ---- Pieces ----------------------------------------------------------- */

static const char *
ending (const struct dg_summary *summary)
{
  switch (summary->end_why) {
  case DG_END_EXIT:
    return "the program exited";
  case DG_END_EXEC:
    return "the process executed another program";
  case DG_END_OUTPUT:
    return "the log could not be written any further";
  case DG_END_MAX_SIZE:
    return "--datagrind-max-size was reached";
  case DG_END_SIGNAL:
    return "the program was killed";
  case DG_END_CUT:
    return "dg cut omitted the rest";
  default:
    return NULL;
  }
}

static const char *
ending_word (const struct dg_summary *summary)
{
  static const char *const words[] = {"exit",     "exec",   "output",
                                      "max-size", "signal", "cut"};

  return summary->end_why >= 0 && summary->end_why < (int) G_N_ELEMENTS (words)
           ? words[summary->end_why]
           : NULL;
}

/* ---- For people ------------------------------------------------------- */

static void say (struct output *out, const char *name, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/* In lines of the terminal's width, behind the names; words stay whole.  */
static void
put_wrapped (struct output *out, const char *text)
{
  int room = (int) terminal_width () - NAMES, at = 0;
  char **words = g_strsplit (text, " ", -1);

  for (char **word = words; *word != NULL; word++) {
    int width = report_text_width (*word);

    if (word > words && room > 0 && at + 1 + width > room) {
      output_format (out, "\n%*s", NAMES, "");
      at = 0;
    } else if (word > words) {
      output_text (out, " ");
      at++;
    }
    output_text (out, *word);
    at += width;
  }
  output_text (out, "\n");
  g_strfreev (words);
}

static void
say (struct output *out, const char *name, const char *format, ...)
{
  va_list args;
  char *text, *safe;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* What the program or its user chose may hold anything.  */
  safe = output_printable (text);
  output_format (out, "%-16s", name);
  put_wrapped (out, safe);
  g_free (safe);
  g_free (text);
}

/* Counts are aligned on the right, with what they count of behind.  */
static void
count (struct output *out, const char *name, uint64_t number, const char *more)
{
  char *text = output_grouped (number);

  output_format (out, "%-16s%19s%s%s\n", name, text, more != NULL ? "  " : "",
                 more != NULL ? more : "");
  g_free (text);
}

static void
count_if (struct output *out, const char *name, uint64_t number,
          const char *more)
{
  if (number > 0)
    count (out, name, number, more);
}

static void
print_state (struct output *out, const struct cli_log *log)
{
  const struct dg_summary *s = dg_log_summary (log->log);
  const char *why = ending (s);

  if (s->complete == DG_COMPLETE_YES)
    say (out, "Complete", "yes%s%s", why != NULL ? ": " : "",
         why != NULL ? why : "");
  else if (s->complete == DG_COMPLETE_UNKNOWN)
    say (out, "Complete", "unknown: its recorder wrote no end record");
  else if (log->error.code == DG_ERR_DAMAGED)
    say (out, "Complete", "no: damaged");
  else
    say (out, "Complete", "no: %s", why != NULL ? why : "cut short");
  if (s->end_why == DG_END_EXIT && s->exit_code >= 0)
    say (out, "Exit status", "%d", s->exit_code);
  if (s->end_why == DG_END_SIGNAL && s->exit_code >= 0)
    say (out, "Signal", "%d", s->exit_code);
}

static void
print_origin (struct output *out, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  const struct dg_header *header = dg_log_header (log);

  if (process != NULL) {
    say (out, "Recorded by", "datagrind %s, Valgrind %s, on %s",
         process->tool_version, process->valgrind_version, process->arch);
    if (process->flags & DG_PROCESS_STACKS)
      say (out, "Stacks", "values of the stack pointer are recorded");
    if (process->cwd[0] != '\0')
      say (out, "Directory", "%s", process->cwd);
  }
  say (out, "Format", "%sversion %u, %u-bit, %s-endian",
       header->is_archive ? "archive of " : "", header->version,
       header->word_size * 8u, header->big_endian ? "big" : "little");
}

/* Of an archive: how small it is.  */
static void
print_archive (struct output *out, const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);
  char each[DG_NUMBER_TEXT], chunks[DG_NUMBER_TEXT];
  size_t n_chunks;

  dg_log_chunks (log, &n_chunks);
  dg_number_text (chunks, sizeof chunks, n_chunks);
  say (out, "Chunks", "%s", chunks);
  if (summary->accesses > 0) {
    dg_number_text_real (each, sizeof each,
                         (double) dg_log_header (log)->file_size
                           / (double) summary->accesses, 3);
    say (out, "Per access", "%s bytes", each);
  }
}

static void
print_counts (struct output *out, const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  char *all = output_grouped (s->last_icount);
  char *of = g_strdup_printf ("of %s that ran", all);

  count (out, "Instructions", s->instructions,
         s->last_icount > s->instructions ? of : NULL);
  count (out, "Accesses", s->accesses, NULL);
  count (out, "  reads", s->reads, NULL);
  count (out, "  writes", s->writes, NULL);
  count_if (out, "  kernel reads", s->kernel_reads, "not included above");
  count_if (out, "  kernel writes", s->kernel_writes, "not included above");
  count (out, "Threads", s->threads, NULL);
  count (out, "Heap blocks", s->heap_allocs, NULL);
  count (out, "  freed", s->heap_frees, NULL);
  count_if (out, "  pools", s->pools, NULL);
  count (out, "User events", s->events_started, NULL);
  count_if (out, "  still active", s->events_started - s->events_ended, NULL);
  count (out, "User ranges", s->ranges_tracked, NULL);
  count (out, "Modules", s->modules, NULL);
  count (out, "Blocks of code", s->bbdefs, NULL);
  count (out, "  contexts", s->contexts, NULL);
  count (out, "  runs", s->runs, NULL);
  count_if (out, "Windows", s->windows, "changes of recording");
  count_if (out, "Lost calls", s->lost_calls, "omitted from call stacks");
  count_if (out, "Unknown records", s->unknown_records, "skipped");
  g_free (of);
  g_free (all);
}

static void
print_text (struct output *out, const struct cli_log *log)
{
  const struct dg_header *header = dg_log_header (log->log);
  const struct dg_process *process = dg_log_process (log->log);
  char size[DG_NUMBER_TEXT], bytes[DG_NUMBER_TEXT];

  say (out, "Log", "%s", log->path);
  if (process != NULL) {
    char *line = cli_log_command (process);

    say (out, "Command", "%s", line);
    say (out, "Process", "%" PRIu64, process->pid);
    g_free (line);
  }
  print_state (out, log);
  output_text (out, "\n");
  print_counts (out, log->log);
  output_text (out, "\n");
  dg_number_text_bytes (size, sizeof size, header->file_size);
  dg_number_text (bytes, sizeof bytes, header->file_size);
  if (header->file_size < 1024)
    say (out, "Size", "%s bytes", bytes);
  else
    say (out, "Size", "%s (%s bytes)", size, bytes);
  if (header->is_archive)
    print_archive (out, log->log);
  print_origin (out, log->log);
}

/* ---- For programs ----------------------------------------------------- */

static void
add_int (JsonBuilder *json, const char *name, uint64_t number)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, (gint64) MIN (number, INT64_MAX));
}

static void
add_string (JsonBuilder *json, const char *name, const char *text)
{
  char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (name != NULL)
    json_builder_set_member_name (json, name);
  if (valid != NULL)
    json_builder_add_string_value (json, valid);
  else
    json_builder_add_null_value (json);
  g_free (valid);
}

static void
add_null (JsonBuilder *json, const char *name)
{
  add_string (json, name, NULL);
}

static void
add_process (JsonBuilder *json, const struct dg_process *process)
{
  char *line = process != NULL ? cli_log_command (process) : NULL;

  if (process != NULL)
    add_int (json, "pid", process->pid);
  else
    add_null (json, "pid");
  add_string (json, "command", line);
  json_builder_set_member_name (json, "argv");
  if (process != NULL) {
    json_builder_begin_array (json);
    for (uint32_t i = 0; i < process->argc; i++)
      add_string (json, NULL, process->argv[i]);
    json_builder_end_array (json);
  } else {
    json_builder_add_null_value (json);
  }
  add_string (json, "cwd", process != NULL ? process->cwd : NULL);
  add_string (json, "arch", process != NULL ? process->arch : NULL);
  add_string (json, "tool", process != NULL ? process->tool_version : NULL);
  add_string (json, "valgrind",
              process != NULL ? process->valgrind_version : NULL);
  json_builder_set_member_name (json, "has_stacks");
  json_builder_add_boolean_value (
    json, process != NULL && process->flags & DG_PROCESS_STACKS);
  g_free (line);
}

static void
add_format (JsonBuilder *json, const struct dg_log *log)
{
  const struct dg_header *header = dg_log_header (log);
  enum dg_complete complete = dg_log_summary (log)->complete;

  add_int (json, "version", header->version);
  add_string (json, "endian", header->big_endian ? "big" : "little");
  add_int (json, "word_size", header->word_size);
  add_string (json, "form", header->is_archive ? "archive" : "raw");
  json_builder_set_member_name (json, "is_complete");
  if (complete == DG_COMPLETE_UNKNOWN)
    json_builder_add_null_value (json);
  else
    json_builder_add_boolean_value (json, complete == DG_COMPLETE_YES);
}

static void
add_counts (JsonBuilder *json, const struct dg_summary *s)
{
  const struct {
    const char *name;
    uint64_t number;
  } counts[] = {
    {"instructions", s->instructions},
    {"accesses", s->accesses},
    {"reads", s->reads},
    {"writes", s->writes},
    {"runs", s->runs},
    {"bbdefs", s->bbdefs},
    {"contexts", s->contexts},
    {"threads", s->threads},
    {"heap_allocs", s->heap_allocs},
    {"heap_frees", s->heap_frees},
    {"pools", s->pools},
    {"modules", s->modules},
    {"icount", s->last_icount},
    {"kernel_reads", s->kernel_reads},
    {"kernel_writes", s->kernel_writes},
    {"events", s->events_started},
    {"events_ended", s->events_ended},
    {"ranges", s->ranges_tracked},
    {"ranges_untracked", s->ranges_untracked},
    {"windows", s->windows},
    {"lost_calls", s->lost_calls},
    {"unknown_records", s->unknown_records},
    {"good_bytes", s->good_bytes},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (counts); i++)
    add_int (json, counts[i].name, counts[i].number);
}

static void
add_end (JsonBuilder *json, const struct cli_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log->log);

  add_string (json, "end", ending_word (summary));
  if (summary->exit_code >= 0)
    add_int (json, "exit", (uint64_t) summary->exit_code);
  else
    add_null (json, "exit");
  json_builder_set_member_name (json, "error");
  if (log->error.code == 0) {
    json_builder_add_null_value (json);
    return;
  }
  json_builder_begin_object (json);
  add_string (json, "code", dg_code_name (log->error.code));
  add_int (json, "offset", log->error.offset);
  add_string (json, "message", log->error.message);
  json_builder_end_object (json);
}

static void
print_json (struct output *out, const struct cli_log *log)
{
  JsonBuilder *json = json_builder_new ();
  JsonGenerator *generator = json_generator_new ();
  JsonNode *root;
  size_t n_chunks;
  char *text;

  json_builder_begin_object (json);
  add_format (json, log->log);
  add_process (json, dg_log_process (log->log));
  add_counts (json, dg_log_summary (log->log));
  add_int (json, "file_size", dg_log_header (log->log)->file_size);
  dg_log_chunks (log->log, &n_chunks);
  add_int (json, "chunks", n_chunks);
  add_int (json, "page_size", dg_log_page_size (log->log));
  add_int (json, "line_size", dg_log_line_size (log->log));
  add_end (json, log);
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  output_text (out, text);
  output_text (out, "\n");
  g_free (text);
  json_node_unref (root);
  g_object_unref (generator);
  g_object_unref (json);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  gboolean as_json = FALSE;
  int jobs = 0, status;
  const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "write one JSON object", NULL},
    CLI_OPTION_JOBS (&jobs),
    {NULL}};
  struct cli_log log;
  struct output out;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status < 0)
    status = cli_check_jobs (command, jobs);
  if (status >= 0)
    return status;
  if (!cli_log_open_summary (&log, argv[1], jobs))
    return CLI_FAILURE;
  output_init (&out);
  if (as_json)
    print_json (&out, &log);
  else
    print_text (&out, &log);
  return cli_log_finish (&log, output_finish (&out));
}

const struct cli_command command_info = {
  .name = "info",
  .args = "LOG",
  .summary = "Shows what was recorded, and how much of it",
  .details = NULL,
  .run = run};
