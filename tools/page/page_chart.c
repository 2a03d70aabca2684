/* page_chart.c: the heap over time, and the working set.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include "heap_chart.h"
#include "libdatagrind.h"
#include "picture_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Heap ------------------------------------------------------------- */

#define HEAP_WIDTH  1600
#define HEAP_HEIGHT 640

static void
draw_heap (void *user, cairo_t *cr, double width, double height,
           GString *texts)
{
  const struct dv_heap_chart *chart = user;
  struct dv_heap_layout layout;

  dv_heap_chart_layout (chart, cr, width, height, &layout);
  dv_heap_chart_draw (chart, &layout, cr, texts);
}

static GByteArray *
heap_bytes (const struct dg_curve *curve, bool is_dark, struct dg_error *err)
{
  struct dv_heap_chart chart = {.curve = curve,
                                .palette = dv_palette_find (NULL, is_dark),
                                .has_legend = true,
                                .selected = DG_NONE};
  const struct dv_picture_file file = {.format = DV_FORMAT_PNG,
                                       .width = HEAP_WIDTH,
                                       .height = HEAP_HEIGHT,
                                       .scale = 1.5,
                                       .draw = draw_heap,
                                       .user = &chart};

  return dv_picture_file (&file, err);
}

static int
put_heap (GString *page, const struct dg_curve *curve, struct dg_error *err)
{
  GByteArray *light = heap_bytes (curve, false, err);
  GByteArray *dark = light != NULL ? heap_bytes (curve, true, err) : NULL;

  if (dark != NULL) {
    page_section (page, "heap", "Heap over time");
    page_html (page, "<p>Peak: ");
    page_bytes (page, curve->peak_bytes);
    page_html (page, " in ");
    page_count (page, curve->peak_blocks);
    page_html (page, curve->peak_blocks == 1 ? " block, after "
                                             : " blocks, after ");
    page_count (page, curve->peak_icount);
    page_html (page, " instructions.</p>\n<figure><picture><source"
                     " media=\"(prefers-color-scheme: dark)\" srcset=\"");
    page_data (page, "image/png", dark->data, dark->len);
    page_html (page, "\">");
    g_string_append_printf (page,
                            "<img width=\"%d\" height=\"%d\" alt=\"Live bytes"
                            " of the heap over time, by allocation site\""
                            " src=\"",
                            HEAP_WIDTH, HEAP_HEIGHT);
    page_data (page, "image/png", light->data, light->len);
    page_html (page, "\"></picture></figure>\n");
    page_section_end (page);
  }
  if (light != NULL)
    g_byte_array_unref (light);
  if (dark != NULL)
    g_byte_array_unref (dark);
  return dark != NULL ? 0 : err->code;
}

static int
add_heap (GString *page, const struct advise_work *work,
          struct interrupt *interrupt, struct dg_error *err)
{
  const struct dg_curve_options options = {.size = sizeof options,
                                           .columns = 800};
  struct dg_curve_source *source;
  struct dg_curve *curve = NULL;
  int code;

  if (!work->facts.has_heap || dg_log_n_blocks (work->log.log.log) == 0)
    return 0;
  source = dg_curve_source_new (work->log.log.log, work->log.symbols, NULL,
                                interrupt_progress_fn, interrupt, err);
  if (source != NULL)
    dg_curve_build (source, &options, interrupt_progress_fn, interrupt, &curve,
                    err);
  code = curve != NULL ? put_heap (page, curve, err) : err->code;
  dg_curve_free (curve);
  dg_curve_source_free (source);
  return code;
}

/* ---- Working set ------------------------------------------------------ */

#define SET_WIDTH  1200
#define SET_HEIGHT 160
/* Bars; a list of the index stands for several chunks then.  */
#define MOST_BARS 300

struct set {
  unsigned level;
  size_t n;
  uint64_t *lines;         /* touched, of each list */
  struct dg_index_span *spans;
  uint64_t most, end;      /* lines, instructions */
};

static bool
read_set (struct dg_index *index, struct set *set)
{
  struct dg_error error;

  while (set->level + 1 < dg_index_levels (index)
         && dg_index_lists (index, set->level) > MOST_BARS)
    set->level++;
  set->n = dg_index_lists (index, set->level);
  set->lines = g_new0 (uint64_t, set->n);
  set->spans = g_new0 (struct dg_index_span, set->n);
  for (size_t i = 0; i < set->n; i++) {
    const struct dg_line_list *list =
      dg_index_borrow (index, set->level, i, &error);

    if (list == NULL)
      return false;
    set->lines[i] = list->n;
    set->spans[i] = dg_index_span (index, set->level, i);
    set->most = MAX (set->most, list->n);
    set->end = MAX (set->end, set->spans[i].end_icount);
    dg_index_return (index, list);
  }
  return set->most > 0 && set->end > 0 && set->n > 1;
}

static void
put_bar (GString *page, const struct set *set, size_t i)
{
  const struct dg_index_span *span = &set->spans[i];
  double scale = (double) SET_WIDTH / (double) set->end;
  double height = SET_HEIGHT * (double) set->lines[i] / (double) set->most;
  char x[G_ASCII_DTOSTR_BUF_SIZE], w[G_ASCII_DTOSTR_BUF_SIZE];
  char y[G_ASCII_DTOSTR_BUF_SIZE], h[G_ASCII_DTOSTR_BUF_SIZE];
  uint64_t length = span->end_icount - span->start_icount;

  g_string_append_printf (
    page, "<rect class=\"set\" x=\"%s\" width=\"%s\" y=\"%s\" height=\"%s\">"
          "<title>",
    g_ascii_formatd (x, sizeof x, "%.2f", (double) span->start_icount * scale),
    g_ascii_formatd (w, sizeof w, "%.2f", MAX ((double) length * scale, 0.5)),
    g_ascii_formatd (y, sizeof y, "%.1f", SET_HEIGHT - height),
    g_ascii_formatd (h, sizeof h, "%.1f", height));
  {
    char bytes[DG_NUMBER_TEXT], start[DG_NUMBER_TEXT];

    dg_number_text_bytes (bytes, sizeof bytes, set->lines[i] * DG_LINE_BYTES);
    dg_number_text (start, sizeof start, span->start_icount);
    page_textf (page, "%s in lines, from instruction %s on", bytes, start);
  }
  page_html (page, "</title></rect>\n");
}

static void
put_set (GString *page, const struct set *set)
{
  page_section (page, "working-set", "Working set over time");
  page_html (page, "<p>At most ");
  page_bytes (page, set->most * DG_LINE_BYTES);
  page_html (page, " of cache lines are touched in one interval of ");
  page_count (page, set->spans[0].end_icount - set->spans[0].start_icount);
  page_html (page, " instructions or so.</p>\n");
  g_string_append_printf (page,
                          "<svg viewBox=\"0 0 %d %d\" role=\"img\""
                          " aria-label=\"Touched cache lines over time\">\n",
                          SET_WIDTH, SET_HEIGHT);
  for (size_t i = 0; i < set->n; i++)
    put_bar (page, set, i);
  page_html (page, "</svg>\n");
  page_section_end (page);
}

/* From the index; a log without one has no such picture.  */
static void
add_set (GString *page, const struct advise_work *work)
{
  struct set set = {.level = 0};
  struct dg_index *index;
  struct dg_error error;

  if (dg_index_open (work->log.log.log, &index, &error) < 0)
    return;
  if (read_set (index, &set))
    put_set (page, &set);
  g_free (set.lines);
  g_free (set.spans);
  dg_index_close (index);
}

int
page_charts (GString *page, const struct advise_work *work,
             struct interrupt *interrupt, struct dg_error *err)
{
  cli_progress_phase (interrupt->progress, "charts", PAGE_WORK_CHARTS);
  add_set (page, work);
  return add_heap (page, work, interrupt, err);
}
