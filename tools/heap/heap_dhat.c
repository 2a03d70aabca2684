/* heap_dhat.c: `dg heap --dhat-out=FILE`: the file that Valgrind's DHAT would
   have written, for dh_view.html.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_dhat.h"

#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/output.h"
#include "base/printable.h"

/* ---- Reading ---------------------------------------------------------- */

static void
add_counts (void *user, uint32_t block, const uint16_t *counts, size_t n)
{
  const struct heap_dhat *dhat = user;
  struct heap_dhat_point *point = heap_dhat_point (dhat, block);

  for (size_t i = 0; i < n && i < point->size; i++)
    if (point->histogram[i] <= UINT32_MAX - counts[i])
      point->histogram[i] += counts[i];
}

static int
read_log (struct heap_dhat *dhat)
{
  const struct dg_usage_options options = {
    .size = sizeof options,
    .ended = heap_dhat_add,
    .ended_user = dhat,
    .workers = (unsigned) dhat->input->options->jobs,
    .counts = add_counts,
    .counts_user = dhat,
    .wants = dhat->wants};
  struct interrupt interrupt;
  struct dg_error error;
  int code;

  interrupt_begin (&interrupt, dhat->input->log->progress, "use of blocks",
                   1);
  code = dg_usage_run (dhat->input->log->log, &options, interrupt_progress_fn,
                       &interrupt, &error);
  return interrupt_finish (&interrupt, code, dhat->input->log->path, &error);
}

/* ---- Writing ---------------------------------------------------------- */

/* What stands for more accesses than can be told: dh_view.html takes it for
   any number, and no larger one at all.  */
#define MANY_ACCESSES 65535

static uint32_t
accesses_at (const struct heap_dhat_point *point, uint64_t i)
{
  return MIN (point->histogram[i], MANY_ACCESSES);
}

/* A value that occurs several times in a row is preceded by the number of
   times, negative.  */
static void
write_histogram (struct output *out, const struct heap_dhat_point *point)
{
  output_text (out, "  ,\"acc\":[");
  for (uint64_t i = 0, end; i < point->size; i = end) {
    for (end = i + 1; end < point->size
                      && accesses_at (point, end) == accesses_at (point, i);
         end++)
      ;
    if (i > 0)
      output_text (out, ",");
    if (end - i > 1)
      output_format (out, "-%" PRIu64 ",", end - i);
    output_decimal (out, accesses_at (point, i));
  }
  output_text (out, "]\n");
}

static void
write_point (struct output *out, const struct heap_dhat_point *point,
             bool is_first)
{
  output_format (out, " %c{\"tb\":%" PRIu64 ",\"tbk\":%" PRIu64 "\n",
                 is_first ? '[' : ',', point->total_bytes,
                 point->total_blocks);
  output_format (out, "  ,\"tl\":%.0f\n", (double) point->lifetimes);
  output_format (out, "  ,\"mb\":%" PRIu64 ",\"mbk\":%" PRIu64 "\n",
                 point->max_bytes, point->max_blocks);
  output_format (out, "  ,\"gb\":%" PRIu64 ",\"gbk\":%" PRIu64 "\n",
                 point->peak_bytes, point->peak_blocks);
  output_format (out, "  ,\"eb\":%" PRIu64 ",\"ebk\":%" PRIu64 "\n",
                 point->end_bytes, point->end_blocks);
  output_format (out, "  ,\"rb\":%" PRIu64 ",\"wb\":%" PRIu64 "\n",
                 point->read_bytes, point->written_bytes);
  if (point->histogram != NULL)
    write_histogram (out, point);
  output_text (out, "  ,\"fs\":[");
  for (guint i = 0; i < point->frames->len; i++) {
    if (i > 0)
      output_text (out, ",");
    output_decimal (out, g_array_index (point->frames, guint, i));
  }
  output_text (out, "]\n  }\n");
}

/* The most bytes first, then by frames.  */
static gint
compare_points (gconstpointer a, gconstpointer b)
{
  const struct heap_dhat_point *x = *(struct heap_dhat_point *const *) a;
  const struct heap_dhat_point *y = *(struct heap_dhat_point *const *) b;
  guint n = MIN (x->frames->len, y->frames->len);

  if (x->total_bytes != y->total_bytes)
    return x->total_bytes > y->total_bytes ? -1 : 1;
  for (guint i = 0; i < n; i++) {
    guint f = g_array_index (x->frames, guint, i);
    guint g = g_array_index (y->frames, guint, i);

    if (f != g)
      return f < g ? -1 : 1;
  }
  return x->frames->len < y->frames->len ? -1
                                         : x->frames->len > y->frames->len;
}

static void
write_head (struct output *out, const struct heap_dhat *dhat)
{
  const struct dg_process *process = dg_log_process (dhat->input->log->log);
  GString *command = g_string_new (NULL);

  if (process != NULL)
    g_string_append (command, process->argc > 0 ? process->argv[0]
                                                : process->exe);
  for (uint32_t i = 1; process != NULL && i < process->argc; i++)
    g_string_append_printf (command, " %s", process->argv[i]);
  output_text (out, "{\"dhatFileVersion\":2\n"
                    ",\"mode\":\"heap\",\"verb\":\"Allocated\"\n"
                    ",\"bklt\":true,\"bkacc\":true\n"
                    ",\"tu\":\"instrs\",\"Mtu\":\"Minstr\"\n"
                    ",\"tuth\":500\n"
                    ",\"cmd\":");
  json_text_string (out, command->str);
  output_format (out, "\n,\"pid\":%" PRIu64 "\n",
                 process != NULL ? process->pid : 0);
  output_format (out, ",\"te\":%" PRIu64 "\n,\"tg\":%" PRIu64 "\n",
                 dhat->end_icount, dhat->peak_icount);
  g_string_free (command, TRUE);
}

static void
write_all (struct output *out, struct heap_dhat *dhat)
{
  /* Blocks know their points by number: these are no longer needed.  */
  g_ptr_array_sort (dhat->points, compare_points);
  write_head (out, dhat);
  output_text (out, ",\"pps\":\n");
  for (guint i = 0; i < dhat->points->len && !output_failed (out); i++)
    write_point (out, g_ptr_array_index (dhat->points, i), i == 0);
  output_text (out, dhat->points->len > 0 ? " ]\n" : " []\n");
  output_text (out, ",\"ftbl\":\n");
  for (guint i = 0; i < dhat->frames->len; i++) {
    output_text (out, i == 0 ? " [" : " ,");
    json_text_string (out, g_ptr_array_index (dhat->frames, i));
    output_text (out, "\n");
  }
  output_text (out, " ]\n}\n");
}

static void
print_summary (const struct heap_dhat *dhat, const char *path)
{
  struct output out;
  uint64_t bytes = 0, blocks = 0;
  char *text;

  for (guint i = 0; i < dhat->points->len; i++) {
    const struct heap_dhat_point *point =
      g_ptr_array_index (dhat->points, i);

    bytes += point->total_bytes;
    blocks += point->total_blocks;
  }
  output_init (&out);
  text = printable_number (bytes);
  output_name (&out, path);
  output_format (&out, ": %s bytes in ", text);
  g_free (text);
  text = printable_number (blocks);
  output_format (&out, "%s blocks of %u call stacks; open it in"
                       " dh_view.html\n", text, dhat->points->len);
  g_free (text);
  output_finish (&out);
}

int
heap_dhat (const struct heap_input *input)
{
  struct heap_dhat dhat = {.input = input};
  char *path = heap_options_file (input->options->dhat_out, input->log->log);
  struct output out;
  int status = output_open (&out, path, input->log->path);

  if (status != CLI_OK) {
    g_free (path);
    return status;
  }
  dhat.log = input->log->log;
  dhat.n = dg_log_n_blocks (dhat.log);
  dhat.end_icount = dg_log_summary (input->log->log)->last_icount;
  status = heap_dhat_points (&dhat);
  if (status == CLI_OK)
    status = read_log (&dhat);
  if (status == CLI_OK) {
    write_all (&out, &dhat);
    status = output_finish (&out);
  } else {
    output_drop (&out);
  }
  if (status == CLI_OK && strcmp (path, "-") != 0)
    print_summary (&dhat, path);
  cli_warn_of_symbols (input->symbols);
  heap_dhat_fini (&dhat);
  g_free (path);
  return status;
}
