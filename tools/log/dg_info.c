/* dg_info.c: `dg info`: what was recorded, and how much of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/follow.h"
#include "dg_record.h"
#include "base/json_text.h"
#include "base/output.h"
#include "base/report_cells.h"
#include "base/schema.h"
#include "base/terminal.h"
#include "base/printable.h"

#include <inttypes.h>
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
    int width = printable_width (*word);

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
  safe = printable_text (text);
  output_format (out, "%-16s", name);
  put_wrapped (out, safe);
  g_free (safe);
  g_free (text);
}

/* Counts are aligned on the right, with what they count of behind.  */
static void
count (struct output *out, const char *name, uint64_t number, const char *more)
{
  char *text = printable_number (number);

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
print_undecoded (struct output *out, const struct dg_log *log)
{
  char *text = dg_undecoded_text (log);

  if (text != NULL)
    say (out, "Killed by", "%s", text);
  g_free (text);
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
    say (out, "Complete", "no: %s",
         why != NULL                 ? why
         : log->is_growing ? "still being recorded"
                                    : "cut short");
  if (s->end_why == DG_END_EXIT && s->exit_code >= 0)
    say (out, "Exit status", "%d", s->exit_code);
  if (s->end_why == DG_END_SIGNAL && s->exit_code >= 0)
    say (out, "Signal", "%d", s->exit_code);
  print_undecoded (out, log->log);
}

static void
print_origin (struct output *out, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  const struct dg_header *header = dg_log_header (log);
  char id[DG_LOG_ID_SIZE];

  if (dg_log_id (log, id))
    say (out, "Recording", "%s", id);
  if (process != NULL) {
    say (out, "Recorded by", "datagrind %s, Valgrind %s, on %s",
         process->tool_version, process->valgrind_version, process->arch);
    if (process->flags & DG_PROCESS_STACKS)
      say (out, "Stacks", "values of the stack pointer are recorded");
    if (dg_log_has_values (log))
      say (out, "Values", "what accesses read and wrote is recorded");
    if (process->cwd[0] != '\0')
      say (out, "Directory", "%s", process->cwd);
  }
  say (out, "Format", "%sversion %u, %u-bit, %s-endian",
       header->is_archive ? "archive of " : "", header->version,
       header->word_size * 8u, header->big_endian ? "big" : "little");
}

/* The files that names come from, if the log brings them.  */
static void
print_bundle (struct output *out, const struct dg_bundle_summary *files)
{
  char stored[DG_NUMBER_TEXT];

  dg_number_text_bytes (stored, sizeof stored, files->stored_bytes);
  say (out, "Files", "%s: %" PRIu64 " modules, %" PRIu64 " debug files, %"
       PRIu64 " source files", stored, files->modules, files->debug_files,
       files->sources);
}

/* Of an archive: how small it is.  */
static void
print_archive (struct output *out, const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);
  struct dg_bundle_summary files;
  bool has_files = dg_log_bundled (log, &files);
  char each[DG_NUMBER_TEXT], chunks[DG_NUMBER_TEXT];
  size_t n_chunks;

  dg_log_chunks (log, &n_chunks);
  dg_number_text (chunks, sizeof chunks, n_chunks);
  say (out, "Chunks", "%s", chunks);
  if (summary->accesses > 0) {
    dg_number_text_real (each, sizeof each,
                         (double) (dg_log_header (log)->file_size
                                   - files.stored_bytes)
                           / (double) summary->accesses, 3);
    say (out, "Per access", "%s bytes", each);
  }
  if (has_files)
    print_bundle (out, &files);
}

/* That a log is a sample of its run, if so.  */
static void
print_sampling (struct output *out, const struct dg_sampling *sampling)
{
  char *windows, percent[DG_NUMBER_TEXT];

  if (sampling->executed == 0)
    return;
  windows = printable_number (sampling->windows);
  dg_number_text_real (percent, sizeof percent,
                       100 * (double) sampling->recorded
                         / (double) sampling->executed, 2);
  say (out, "Sampled", "recorded %s %% of the instructions, in %s window%s "
       "(--datagrind-window)", percent, windows,
       sampling->windows == 1 ? "" : "s");
  g_free (windows);
}

static void
print_counts (struct output *out, const struct dg_log *log,
              const struct dg_sampling *sampling)
{
  const struct dg_summary *s = dg_log_summary (log);
  char *all = printable_number (s->last_icount);
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
  print_sampling (out, sampling);
  count_if (out, "Lost calls", s->lost_calls, "omitted from call stacks");
  count_if (out, "Unknown records", s->unknown_records, "skipped");
  g_free (of);
  g_free (all);
}

static void
print_text (struct output *out, const struct cli_log *log,
            const struct dg_sampling *sampling)
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
  print_counts (out, log->log, sampling);
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

/* Members on lines of their own, as people read this, too.  */
struct writer {
  struct output *out;
  int depth;
  bool has_some; /* members of the innermost object */
};

static void
put_comma (struct writer *to)
{
  output_format (to->out, "%s\n%*s", to->has_some ? "," : "", to->depth * 2,
                 "");
  to->has_some = true;
}

static void
begin (struct writer *to, char bracket)
{
  output_bytes (to->out, &bracket, 1);
  to->depth++;
  to->has_some = false;
}

static void
end (struct writer *to, char bracket)
{
  bool has_some = to->has_some;

  to->depth--;
  if (has_some)
    output_format (to->out, "\n%*s", to->depth * 2, "");
  output_bytes (to->out, &bracket, 1);
  to->has_some = true;
}

static void
add_name (struct writer *to, const char *name)
{
  put_comma (to);
  output_format (to->out, "\"%s\": ", name);
}

static void
add_int (struct writer *to, const char *name, uint64_t number)
{
  add_name (to, name);
  output_decimal (to->out, number);
}

static void
add_bool (struct writer *to, const char *name, bool is_true)
{
  add_name (to, name);
  output_text (to->out, is_true ? "true" : "false");
}

/* text: NULL for null.  */
static void
add_string (struct writer *to, const char *name, const char *text)
{
  add_name (to, name);
  if (text != NULL)
    json_text_string (to->out, text);
  else
    output_text (to->out, "null");
}

static void
add_null (struct writer *to, const char *name)
{
  add_string (to, name, NULL);
}

static void
add_arguments (struct writer *to, const struct dg_process *process)
{
  if (process == NULL) {
    add_null (to, "argv");
    return;
  }
  add_name (to, "argv");
  begin (to, '[');
  for (uint32_t i = 0; i < process->argc; i++) {
    put_comma (to);
    json_text_string (to->out, process->argv[i]);
  }
  end (to, ']');
}

static void
add_process (struct writer *to, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  char id[DG_LOG_ID_SIZE];
  char *line = process != NULL ? cli_log_command (process) : NULL;

  add_string (to, "recording", dg_log_id (log, id) ? id : NULL);
  if (process != NULL)
    add_int (to, "pid", process->pid);
  else
    add_null (to, "pid");
  add_string (to, "command", line);
  add_arguments (to, process);
  add_string (to, "cwd", process != NULL ? process->cwd : NULL);
  add_string (to, "arch", process != NULL ? process->arch : NULL);
  add_string (to, "tool", process != NULL ? process->tool_version : NULL);
  add_string (to, "valgrind",
              process != NULL ? process->valgrind_version : NULL);
  add_bool (to, "has_stacks",
            process != NULL && (process->flags & DG_PROCESS_STACKS));
  add_bool (to, "has_values", dg_log_has_values (log));
  g_free (line);
}

static void
add_format (struct writer *to, const struct dg_log *log)
{
  const struct dg_header *header = dg_log_header (log);
  enum dg_complete complete = dg_log_summary (log)->complete;

  add_int (to, "version", header->version);
  add_string (to, "endian", header->big_endian ? "big" : "little");
  add_int (to, "word_size", header->word_size);
  add_string (to, "form", header->is_archive ? "archive" : "raw");
  if (complete == DG_COMPLETE_UNKNOWN)
    add_null (to, "is_complete");
  else
    add_bool (to, "is_complete", complete == DG_COMPLETE_YES);
}

static void
add_counts (struct writer *to, const struct dg_summary *s)
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
    add_int (to, counts[i].name, counts[i].number);
}

/* null: the log is not a sample of its run.  */
static void
add_sampling (struct writer *to, const struct dg_sampling *sampling)
{
  if (sampling->executed == 0) {
    add_null (to, "sampling");
    return;
  }
  add_name (to, "sampling");
  begin (to, '{');
  add_name (to, "recorded_share");
  json_text_real (to->out, (double) sampling->recorded
                             / (double) sampling->executed);
  add_int (to, "sampled_windows", sampling->windows);
  add_int (to, "recorded_instructions", sampling->recorded);
  add_int (to, "executed_instructions", sampling->executed);
  end (to, '}');
}

/* The exit status, or the signal, if the process ended by one.  */
static void
add_status (struct writer *to, const char *name, const struct dg_summary *s,
            bool is_it)
{
  if (is_it && s->exit_code >= 0)
    add_int (to, name, (uint64_t) s->exit_code);
  else
    add_null (to, name);
}

static void
add_owned (struct writer *to, const char *name, char *text)
{
  add_string (to, name, text);
  g_free (text);
}

/* Its machine code, as "62 f1 7c"; NULL: unknown; to be freed.  */
static char *
code_bytes (const struct dg_undecoded *undecoded)
{
  GString *text = g_string_new (NULL);

  for (uint32_t i = 0; i < undecoded->n_code; i++)
    g_string_append_printf (text, i > 0 ? " %02x" : "%02x",
                            undecoded->code[i]);
  return g_string_free (text, undecoded->n_code == 0);
}

/* null: no instruction that Valgrind does not know ended the program.  */
static void
add_undecoded (struct writer *to, const struct dg_log *log)
{
  const struct dg_undecoded *undecoded = dg_log_undecoded (log);
  struct dg_symbols *symbols;
  struct dg_frame frame = { 0 };

  if (undecoded == NULL) {
    add_null (to, "undecoded");
    return;
  }
  symbols = dg_symbols_new (log, NULL, NULL);
  if (symbols != NULL)
    dg_symbols_frames (symbols, undecoded->address, undecoded->icount, &frame,
                       1);
  add_name (to, "undecoded");
  begin (to, '{');
  add_owned (to, "address",
             g_strdup_printf ("0x%" PRIx64, undecoded->address));
  add_owned (to, "code_bytes", code_bytes (undecoded));
  add_string (to, "instruction_set",
              undecoded->set[0] != '\0' ? undecoded->set : NULL);
  add_string (to, "function", frame.function);
  add_string (to, "module", frame.module);
  add_string (to, "file", frame.file);
  if (frame.line > 0)
    add_int (to, "line", frame.line);
  else
    add_null (to, "line");
  add_owned (to, "remedy", dg_undecoded_remedy (log));
  add_owned (to, "text", dg_undecoded_text (log));
  end (to, '}');
  dg_symbols_free (symbols);
}

static void
add_end (struct writer *to, const struct cli_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log->log);

  add_string (to, "end", ending_word (summary));
  add_status (to, "exit_status", summary,
              summary->end_why != DG_END_SIGNAL);
  add_status (to, "signal", summary, summary->end_why == DG_END_SIGNAL);
  add_undecoded (to, log->log);
  if (log->error.code == 0) {
    add_null (to, "error");
    return;
  }
  add_name (to, "error");
  begin (to, '{');
  add_string (to, "code", dg_code_name (log->error.code));
  add_int (to, "offset", log->error.offset);
  add_string (to, "message", log->error.message);
  end (to, '}');
}

static void
print_json (struct output *out, const struct cli_log *log,
            const struct dg_sampling *sampling)
{
  struct writer to = {.out = out};
  struct dg_bundle_summary files;
  size_t n_chunks;

  begin (&to, '{');
  add_string (&to, "schema", schema_id ("info"));
  add_format (&to, log->log);
  add_process (&to, log->log);
  add_counts (&to, dg_log_summary (log->log));
  add_sampling (&to, sampling);
  add_int (&to, "file_size", dg_log_header (log->log)->file_size);
  dg_log_chunks (log->log, &n_chunks);
  add_int (&to, "chunks", n_chunks);
  dg_log_bundled (log->log, &files);
  add_int (&to, "files", files.modules + files.debug_files + files.sources);
  add_int (&to, "files_bytes", files.stored_bytes);
  add_int (&to, "page_size", dg_log_page_size (log->log));
  add_int (&to, "line_size", dg_log_line_size (log->log));
  add_end (&to, log);
  end (&to, '}');
  output_text (out, "\n");
}

/* What the windows are is not in the summary of an archive: it is read, as far
   as it can be.  */
static void
find_sampling (const struct cli_log *log, int jobs,
               struct dg_sampling *sampling)
{
  struct dg_log *whole = NULL;

  *sampling = (struct dg_sampling){0};
  if (dg_log_summary (log->log)->windows == 0
      || dg_sampling_of (log->log, sampling, NULL) > 0
      || !dg_log_header (log->log)->is_archive
      || dg_log_open (log->path, &whole, NULL) < 0)
    return;
  dg_log_set_blocks (whole, DG_BLOCKS_NONE, NULL);
  if (dg_log_load (whole, (unsigned) jobs, NULL, NULL, NULL) == 0)
    dg_sampling_of (whole, sampling, NULL);
  dg_log_close (whole);
}

struct arguments {
  gboolean as_json, is_follow;
  int jobs;
  const char *path;
};

/* given: a log that is loaded, or NULL.  */
static int
show (void *user, const struct cli_log *given)
{
  const struct arguments *arguments = user;
  struct dg_sampling sampling;
  struct cli_log log;
  struct output out;

  if (given != NULL)
    cli_log_borrow (&log, given, 0);
  else if (!cli_log_open_summary (&log, arguments->path, arguments->jobs))
    return CLI_FAILURE;
  find_sampling (&log, arguments->jobs, &sampling);
  output_init (&out);
  if (arguments->as_json)
    print_json (&out, &log, &sampling);
  else
    print_text (&out, &log, &sampling);
  return cli_log_finish (&log, output_finish (&out));
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct arguments arguments = {.as_json = FALSE};
  const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &arguments.as_json,
     "write one JSON object", NULL},
    CLI_OPTION_FOLLOW (&arguments.is_follow),
    CLI_OPTION_JOBS (&arguments.jobs),
    {NULL}};
  int status = cli_parse (command, options, &argc, argv, 1);
  struct follow follow = {.run = show, .user = &arguments};

  if (status >= 0)
    return status;
  follow.path = arguments.path = argv[1];
  follow.jobs = arguments.jobs;
  follow.blocks = DG_BLOCKS_NONE;
  follow.as_json = arguments.as_json;
  return arguments.is_follow ? follow_run (&follow) : show (&arguments, NULL);
}

const struct cli_command command_info = {.name = "info",
                                         .args = "LOG",
                                         .summary = "Shows a summary of a log",
                                         .details = NULL,
                                         .run = run};
