/* source_lines.c: counts for the lines of a source.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "source_lines.h"

#include "model/log/order.h"

#include <stdlib.h>
#include <string.h>

#define PROGRESS_STEP 1024

DV_DEFINE_COMPARE (compare_lines, struct dv_source_line, x->line)

/* Lines that are there more than once become one.  */
static void
merge (struct dv_source_lines *lines)
{
  guint n = 0;
  g_array_sort (lines->lines, compare_lines);
  for (guint i = 0; i < lines->lines->len; i++) {
    struct dv_source_line *line = &g_array_index (lines->lines,
                                                  struct dv_source_line, i);
    struct dv_source_line *last = &g_array_index (
      lines->lines, struct dv_source_line, n > 0 ? n - 1 : 0);
    if (n > 0 && last->line == line->line)
      dv_tally_count_add (&last->count, &line->count);
    else
      g_array_index (lines->lines, struct dv_source_line, n++) = *line;
  }
  g_array_set_size (lines->lines, n);
  for (guint i = 0; i < n; i++) {
    const struct dv_source_line *line
      = &g_array_index (lines->lines, struct dv_source_line, i);
    lines->most = MAX (lines->most, dv_tally_count_accesses (&line->count));
  }
}

struct dv_source_lines *
dv_source_lines_new (const struct dv_tally *tally, const char *file,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  struct dg_symbols *symbols = tally->scene->data->symbols;
  struct dv_source_lines *lines = g_new0 (struct dv_source_lines, 1);
  const char *same = NULL;     /* the name, as this log has interned it */
  lines->lines = g_array_new (FALSE, FALSE, sizeof (struct dv_source_line));
  lines->all = dv_tally_count_accesses (&tally->code_total);
  for (guint i = 0; i < tally->code->len && symbols != NULL; i++) {
    const struct dv_tally_code *code = &g_array_index (
      tally->code, struct dv_tally_code, i);
    struct dg_frame frame = { 0 };
    if (i % PROGRESS_STEP == 0 && progress != NULL
        && progress (user, i, tally->code->len) != 0) {
      if (err != NULL)
        err->code = DG_ERR_CANCELLED;
      dv_source_lines_free (lines);
      return NULL;
    }
    dg_symbols_frames (symbols, code->instruction, code->icount, &frame, 1);
    if (frame.file == NULL || frame.line == 0)
      continue;
    if (same == NULL && strcmp (frame.file, file) == 0)
      same = frame.file;
    if (frame.file == same) {
      struct dv_source_line line = { frame.line, code->count };
      g_array_append_val (lines->lines, line);
    }
  }
  merge (lines);
  return lines;
}

void
dv_source_lines_free (struct dv_source_lines *lines)
{
  if (lines == NULL)
    return;
  g_array_unref (lines->lines);
  g_free (lines);
}

const struct dv_tally_count *
dv_source_lines_find (const struct dv_source_lines *lines, uint32_t line)
{
  struct dv_source_line wanted = { .line = line };
  const struct dv_source_line *found = lines == NULL ? NULL
    : bsearch (&wanted, lines->lines->data, lines->lines->len,
               sizeof wanted, compare_lines);
  return found != NULL ? &found->count : NULL;
}
