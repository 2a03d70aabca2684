/* streams.c: the patterns of the instructions in view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "streams.h"

#include <string.h>

#include "format.h"
#include "i18n.h"
#include "model/log/order.h"
#include "model/log/refs.h"
#include "report_keys.h"

/* Columns of the report.  */
enum { ACCESS, PATTERN, STRIDE, FAR, NAME, FILE_NAME, LINE, INSTRUCTION, N };
static const char *const keys[N] = { "access", "pattern", "stride",
                                     "far_share", "name", "file", "line",
                                     "instruction" };

static void
stream_clear (gpointer memory)
{
  struct dv_stream *stream = memory;
  g_free (stream->name);
  g_free (stream->stride);
}

static void
streams_clear (void *memory)
{
  struct dv_streams *streams = memory;
  g_array_unref (streams->streams);
  dg_report_free (streams->report);
  dv_tally_unref (streams->tally);
}

DV_DEFINE_REFS (dv_streams, streams_clear)

/* For people: the words of dg patterns.  */
static const char *
pattern_text (const char *pattern)
{
  static const char *const texts[][2] = {
    { "few", N_ ("few accesses") },     { "stack", N_ ("stack") },
    { "constant", N_ ("constant") },    { "sequential", N_ ("sequential") },
    { "strided", N_ ("strided") },      { "local", N_ ("local") },
    { "gather", N_ ("gather") },        { "random", N_ ("random") },
    { "pointer-chasing", N_ ("pointer chase") },
    { "random or pointer-chasing", N_ ("random or pointer chase") },
    { "mixed", N_ ("mixed") } };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_strcmp0 (pattern, texts[i][0]) == 0)
      return _ (texts[i][1]);
  return pattern != NULL ? pattern : "";
}

/* ---- The report ----------------------------------------------------- */

static const struct dv_tally_code *
code_of (const struct dv_tally *tally, uint64_t instruction)
{
  const struct dv_tally_code *code =
    (const struct dv_tally_code *) (void *) tally->code->data;
  guint low = 0, high = tally->code->len;
  DV_BISECT (low, high, middle, code[middle].instruction < instruction);
  return low < tally->code->len && code[low].instruction == instruction
           ? &code[low] : NULL;
}

static void
add_row (struct dv_streams *streams, const struct dg_cell *cells,
         const guint columns[N])
{
  const struct dv_tally_code *code =
    code_of (streams->tally, cells[columns[INSTRUCTION]].number);
  bool is_write = g_strcmp0 (cells[columns[ACCESS]].text, "write") == 0;
  if (code == NULL)
    return;
  struct dv_stream stream = {
    .instruction = code->instruction,
    .pattern = pattern_text (cells[columns[PATTERN]].text),
    .file = cells[columns[FILE_NAME]].text,
    .line = (uint32_t) cells[columns[LINE]].number,
    .is_write = is_write,
    .accesses = is_write ? code->count.writes : code->count.reads,
    .far = cells[columns[FAR]].real };
  if (stream.accesses == 0)
    return;
  const char *name = cells[columns[NAME]].text;
  stream.name = dv_format_shown (name != NULL ? name : "");
  const struct dg_cell *stride = &cells[columns[STRIDE]];
  stream.stride = stride->is_empty
                    ? g_strdup ("")
                    : g_strdup_printf ("%+" G_GINT64_FORMAT,
                                       (int64_t) stride->number);
  g_array_append_val (streams->streams, stream);
}

static int
compare_streams (gconstpointer a, gconstpointer b)
{
  const struct dv_stream *x = a, *y = b;
  if (x->accesses != y->accesses)
    return x->accesses > y->accesses ? -1 : 1;
  if (x->instruction != y->instruction)
    return x->instruction < y->instruction ? -1 : 1;
  return (int) x->is_write - (int) y->is_write;
}

static void
add_rows (struct dv_streams *streams)
{
  guint columns[N];
  const struct dg_report_item *table
    = dv_report_keys (streams->report, keys, N, columns);
  struct dg_cell cells[DV_REPORT_CELLS];
  for (uint64_t i = 0; table != NULL && i < table->n_rows; i++) {
    dg_report_row (table, i, cells);
    add_row (streams, cells, columns);
  }
  g_array_sort (streams->streams, compare_streams);
}

/* ---- Making --------------------------------------------------------- */

static int
analyse (struct dv_streams *streams, dg_progress_fn progress, void *user,
         struct dg_error *err)
{
  const struct dv_scene *scene = streams->tally->scene;
  const struct dv_view *view = &streams->tally->view;
  const struct dg_analysis *patterns = dg_analysis_find ("patterns");
  const struct dg_setting by = { "by", "instruction" };
  const struct dg_analyse_options options = {
    .size = sizeof options, .filter = scene->filter,
    .start_icount = view->y0, .end_icount = view->y1,
    .symbols = scene->data->symbols, .space = scene->data->space,
    .settings = &by, .n_settings = 1 };
  streams->report = dg_report_new (err);
  if (streams->report == NULL)
    return err->code;
  int code = dg_analyse (scene->data->log, &patterns, 1, &options, progress,
                         user, streams->report, err);
  if (code == 0)
    add_rows (streams);
  return code;
}

void *
dv_streams_make (struct dv_tally *tally, unsigned kind,
                 dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_streams *streams = g_atomic_rc_box_new0 (struct dv_streams);
  streams->tally = dv_tally_ref (tally);
  streams->streams = g_array_new (FALSE, FALSE, sizeof (struct dv_stream));
  g_array_set_clear_func (streams->streams, stream_clear);
  if (tally->code_done >= 1 && analyse (streams, progress, user, err) < 0)
    g_clear_pointer (&streams, dv_streams_unref);
  return streams;
}

/* ---- For people ----------------------------------------------------- */

char *
dv_stream_text (const struct dv_stream *stream)
{
  return *stream->stride == '\0'
           ? g_strdup (stream->pattern)
           : g_strdup_printf ("%s %s", stream->pattern, stream->stride);
}

struct dv_highlight *
dv_streams_highlight (const struct dv_stream *stream)
{
  char *text = dv_stream_text (stream);
  char *label = g_strdup_printf ("%s: %s", text, stream->name);
  struct dv_highlight *highlight = dv_highlight_new (label);
  dv_highlight_add_code (highlight, stream->instruction);
  dv_highlight_finish (highlight);
  g_free (label);
  g_free (text);
  return highlight;
}
