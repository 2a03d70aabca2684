/* export_run.c: a log on its way into files of a simulator.

   A file for each thread is written by a pass for each thread, so that it is
   the file of --threads with its number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_run.h"

#include "analyse/analysis_work.h"
#include "export_physical.h"
#include "export_pipe.h"
#include "export_slots.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

/* ---- What is written -------------------------------------------------- */

static void
prepare (const struct export_run *how, struct analysis_work *work,
         struct export *export)
{
  const struct dg_log *log = work->log.log;

  export->format = how->format;
  export->log = log;
  export->symbols = work->symbols;
  export->threads = (const uint32_t *) (void *) work->threads->data;
  export->n_threads = work->threads->len;
  export->start_icount = how->options->start_icount;
  export->end_icount = how->options->end_icount;
  export->is_filtered =
    how->options->events != NULL || how->options->ranges != NULL;
  export->line = how->line != 0 ? how->line : dg_log_line_size (log);
  /* The size is a power of two, but no processor may have such lines.  */
  if (export->line < EXPORT_LINE_LEAST || export->line > EXPORT_LINE_MOST)
    export->line = 64;
  export->has_fetches = how->has_fetches;
  export->has_kernel = how->has_kernel;
  /* An earlier pass may have set these.  */
  export->status = CLI_OK;
  export->has_codeless = false;
  export->n_codeless = export->instructions = 0;
  if (export->slots == NULL)
    export->slots = export_slots_new (log, work->symbols);
}

/* Simulators do not notice: what is compressed is the trace to them.  */
static void
warn_of_compression (const struct export_format *format,
                     const struct export_pipe *pipe)
{
  if (pipe->program != NULL && format->reader != NULL
      && strstr (format->decompresses, pipe->suffix) == NULL)
    cli_warn ("warning: %s does not decompress %s files: it needs what %s -dc "
              "writes", format->reader, pipe->suffix, pipe->program);
}

static int
open_output (const struct export_run *how, struct export *export,
             struct export_pipe *pipe, const char *path, const char *input)
{
  int status;

  if (how->format->flags & EXPORT_BINARY && isatty (STDOUT_FILENO)
      && (path == NULL || strcmp (path, "-") == 0))
    return cli_fail_usage (how->command,
                           "%s is binary, and standard output is a terminal: "
                           "give -o FILE",
                           how->format->name);
  status = output_open (&export->out, path, input);
  if (status != CLI_OK)
    return status;
  status = export_pipe_begin (pipe, &export->out);
  if (status != CLI_OK)
    output_drop (&export->out);
  else
    warn_of_compression (how->format, pipe);
  export->is_seekable = pipe->program == NULL && export->out.file != NULL;
  return status;
}

static void
warn_of_code (const struct export *export)
{
  const char *lacks = dg_insn_decoder_lacks (export->log);

  if (!export->has_codeless)
    return;
  if (lacks != NULL)
    cli_warn ("warning: the machine code of %s cannot be decoded: registers "
              "and branches are missing", lacks);
  else if (export->n_codeless == 0
           || export->n_codeless == export->instructions)
    cli_warn ("warning: the code of the program is not known, neither from "
              "the log nor from its files: registers and branches are "
              "missing");
  else
    cli_warn ("warning: the code of %" PRIu64 " of %" PRIu64 " instructions "
              "is not known: their registers and branches are missing",
              export->n_codeless, export->instructions);
}

static int
finish (struct export *export, bool is_empty)
{
  int status;

  if (is_empty) {
    output_drop (&export->out);
    return CLI_OK;
  }
  status = output_finish (&export->out);
  if (status == CLI_OK)
    warn_of_code (export);
  return status;
}

/* is_empty: receives whether there was no file to write, since it would have
   no instruction; NULL: there is one in any case.  */
static int
write_stream (struct export *export, struct export_pipe *pipe,
              struct analysis_work *work, bool *is_empty)
{
  struct interrupt interrupt;
  bool is_file = export->out.path != NULL;
  int status;

  interrupt_begin (&interrupt, work->log.progress, NULL, 0);
  status = analysis_work_report (work, &interrupt);
  /* Cancelled, since the output has failed: it says why.  */
  if (status == CLI_FAILURE && output_failed (&export->out)
      && g_atomic_int_get (&interrupt.signal) == 0)
    status = CLI_OK;
  if (status == CLI_OK)
    status = export->status;
  status = export_pipe_end (pipe, &export->out, status);
  if (is_empty != NULL)
    *is_empty = export->instructions == 0;
  if (status != CLI_OK)
    output_drop (&export->out);
  if (!is_file || status != CLI_OK)
    interrupt_end (&interrupt);
  if (status == CLI_OK) {
    status = finish (export, is_empty != NULL && *is_empty);
    if (is_file)
      interrupt_end (&interrupt);
  }
  return status;
}

/* ---- One file ----------------------------------------------------------- */

static int
check_threads (const struct export_run *how, const struct analysis_work *work)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (work->log.log, &n);

  if (work->threads->len > 0)
    n = work->threads->len;
  if (!(how->format->flags & EXPORT_ONE_THREAD) || n <= 1)
    return CLI_OK;
  return cli_fail_usage (how->command,
                         "%s has one thread, but %zu are %s: choose one, as "
                         "by --threads=%" PRIu32
                         ", or write a file for each: --each-thread",
                         how->format->name, n,
                         work->threads->len > 0 ? "chosen" : "in the log",
                         work->threads->len > 0
                           ? g_array_index (work->threads, uint32_t, 0)
                           : threads[0].number);
}

static int
write_one (const struct export_run *how, struct analysis_work *work,
           struct export *export)
{
  struct export_pipe pipe = {NULL};
  int status = check_threads (how, work);

  if (status != CLI_OK)
    return status;
  prepare (how, work, export);
  status = open_output (how, export, &pipe, how->options->output,
                        work->log.path);
  return status == CLI_OK ? write_stream (export, &pipe, work, NULL) : status;
}

/* ---- A file for each thread --------------------------------------------- */

/* Simulators read all files of a folder.  */
static int
make_folder (const char *path)
{
  GError *error = NULL;
  GDir *folder;
  bool is_empty;

  if (g_mkdir_with_parents (path, 0777) < 0)
    return cli_fail ("%s: %s", path, g_strerror (errno));
  folder = g_dir_open (path, 0, &error);
  if (folder == NULL) {
    int status = cli_fail ("%s", error->message);

    g_error_free (error);
    return status;
  }
  is_empty = g_dir_read_name (folder) == NULL;
  g_dir_close (folder);
  return is_empty ? CLI_OK
                  : cli_fail ("%s: there are files in this folder, and "
                              "simulators would read them, too", path);
}

/* The threads to write, each once, ascending.  */
static GArray *
list_threads (const struct analysis_work *work)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  size_t n;
  const struct dg_thread *threads = dg_log_threads (work->log.log, &n);

  for (size_t i = 0; i < n; i++) {
    uint32_t number = threads[i].number;
    bool is_chosen = work->threads->len == 0;

    for (guint k = 0; k < work->threads->len; k++)
      is_chosen |= g_array_index (work->threads, uint32_t, k) == number;
    /* One number may be that of several threads, one after the other.  */
    for (guint k = 0; k < numbers->len; k++)
      is_chosen &= g_array_index (numbers, uint32_t, k) != number;
    if (is_chosen)
      g_array_append_val (numbers, number);
  }
  return numbers;
}

static int
write_thread (const struct export_run *how, struct analysis_work *work,
              struct export *export, const char *path, bool *is_empty)
{
  struct export_pipe pipe = {NULL};
  int status;

  prepare (how, work, export);
  status = open_output (how, export, &pipe, path, work->log.path);
  if (status != CLI_OK)
    return status;
  dg_report_free (work->report);
  work->report = NULL;
  return write_stream (export, &pipe, work, is_empty);
}

static int
write_each (const struct export_run *how, struct analysis_work *work,
            struct export *export)
{
  const char *folder = how->options->output;
  GArray *numbers = list_threads (work), *chosen = work->threads;
  unsigned n_written = 0;
  uint32_t most = 0;
  char digits[11];
  int status = make_folder (folder), width;

  for (guint i = 0; i < numbers->len; i++)
    most = MAX (most, g_array_index (numbers, uint32_t, i));
  width = g_snprintf (digits, sizeof digits, "%" PRIu32, most);
  work->threads = g_array_sized_new (FALSE, TRUE, sizeof (uint32_t), 1);
  g_array_set_size (work->threads, 1);
  for (guint i = 0; i < numbers->len && status == CLI_OK; i++) {
    uint32_t number = g_array_index (numbers, uint32_t, i);
    /* Simulators sort names as text.  */
    char *path = g_strdup_printf ("%s/thread-%0*" PRIu32 "%s", folder, width,
                                  number, how->format->suffix);
    bool is_empty = false;

    g_array_index (work->threads, uint32_t, 0) = number;
    work->more = numbers->len - 1 - i;
    status = write_thread (how, work, export, path, &is_empty);
    n_written += status == CLI_OK && !is_empty;
    g_free (path);
  }
  g_array_unref (work->threads);
  work->threads = chosen;
  g_array_unref (numbers);
  return status == CLI_OK && n_written == 0
           ? cli_fail ("%s: no thread has instructions there", work->log.path)
           : status;
}

int
export_run (const struct export_run *how, const char *path)
{
  struct export *export = g_new0 (struct export, 1);
  struct analysis_work *work = g_new0 (struct analysis_work, 1);
  int status;

  work->command = how->command;
  work->analyses = how->analyses;
  work->n = 1;
  work->options = how->options;
  work->user = export;
  status = analysis_work_open (work, path);
  if (status == CLI_OK)
    status = how->has_each_thread ? write_each (how, work, export)
                                  : write_one (how, work, export);
  export_slots_free (export->slots);
  export_physical_free (export->physical);
  status = analysis_work_close (work, status);
  g_free (work);
  g_free (export);
  return status;
}
