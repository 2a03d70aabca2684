/* page_compare.c: what changed from one run to another.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include "base/report_cells.h"
#include "diff/diff_align.h"
#include "diff/diff_findings.h"
#include "diff/diff_limit.h"
#include "diff/diff_report.h"

#include <string.h>

#define ROWS 40

/* ---- Findings --------------------------------------------------------- */

/* The partner of each finding after, or NULL, as dg diff advise finds it.  To
   be freed, NULL and *err: no memory; *used has one for each before.  */
static const struct advise_finding **
pair_findings (const struct page_run *before, const struct page_run *after,
               bool *used, struct dg_error *err)
{
  const GPtrArray *const found[] = {before->found, after->found};
  const char *const programs[] = {before->program, after->program};
  GArray *groups = diff_findings_pair (found, programs, err);
  const struct advise_finding **pairs;

  if (groups == NULL)
    return NULL;
  pairs = g_new0 (const struct advise_finding *, after->found->len + 1);
  for (guint i = 0; i < groups->len; i += 2) {
    uint32_t old = g_array_index (groups, uint32_t, i);
    uint32_t new = g_array_index (groups, uint32_t, i + 1);

    if (old == DIFF_NO_ROW || new == DIFF_NO_ROW)
      continue;
    pairs[new] = before->found->pdata[old];
    used[old] = true;
  }
  g_array_unref (groups);
  return pairs;
}

static void
put_gone (GString *page, const struct advise_finding *finding)
{
  page_html (page, "<li><span class=\"gone\">Gone:</span> ");
  page_textf (page, "%s (", finding->title);
  page_share (page, finding->share);
  page_html (page, "). ");
  page_text (page, finding->text);
  page_html (page, "</li>\n");
}

/* New ones as they are; of the others, how they changed.  */
static int
put_findings (GString *page, const struct page_run *before,
              const struct page_run *after, struct dg_error *err)
{
  bool *used = g_new0 (bool, before->found->len + 1);
  const struct advise_finding **pairs =
    pair_findings (before, after, used, err);
  unsigned number = 0;

  if (pairs == NULL) {
    g_free (used);
    return err->code;
  }
  page_section (page, "findings", "Findings");
  page_html (page, "<ul>\n");
  for (guint i = 0; i < before->found->len; i++)
    if (!used[i])
      put_gone (page, before->found->pdata[i]);
  page_html (page, "</ul><ol class=\"findings\">\n");
  for (guint i = 0; i < after->found->len; i++) {
    const struct advise_finding *finding = after->found->pdata[i];
    const struct advise_finding *old = pairs[i];

    page_html (page, "<li>");
    if (old == NULL) {
      page_html (page, "<p class=\"new\">New</p>");
    } else {
      page_html (page, "<p class=\"faint\">Before: ");
      page_share (page, old->share);
      page_html (page, "</p>");
    }
    page_finding (page, after, finding, ++number);
    page_html (page, "</li>");
  }
  page_html (page, "</ol>\n");
  if (before->found->len + after->found->len == 0)
    page_html (page, "<p>No rule applies to either run.</p>\n");
  page_section_end (page);
  g_free (pairs);
  g_free (used);
  return 0;
}

/* ---- Figures ---------------------------------------------------------- */

struct figure {
  const char *title;
  uint64_t before, after;
  bool is_bytes;
};

static void
put_figure (GString *page, const struct figure *figure)
{
  double change = figure->before > 0
                    ? (double) figure->after / (double) figure->before - 1 : 0;
  const struct dg_cell cell = DG_CELL_REAL (change);

  page_row (page);
  page_cell_text (page, figure->title);
  if (figure->is_bytes) {
    page_cell_bytes (page, figure->before);
    page_cell_bytes (page, figure->after);
  } else {
    page_cell_count (page, figure->before);
    page_cell_count (page, figure->after);
  }
  page_html (page, figure->after > figure->before   ? "<td class=\"n new\">"
                   : figure->after < figure->before ? "<td class=\"n gone\">"
                                                    : "<td class=\"n\">");
  if (figure->before == figure->after) {
    page_html (page, "\u2014");
  } else if (figure->before == 0) {
    page_html (page, "new");
  } else {
    char *text = report_cell_text (DG_UNIT_CHANGE_PERCENT, &cell);

    page_text (page, text);
    g_free (text);
  }
  page_html (page, "</td>");
  page_row_end (page);
}

static void
put_figures (GString *page, const struct page_run *before,
             const struct page_run *after)
{
  static const struct page_column columns[] = {
    {"Figure", PAGE_TEXT}, {"Before", PAGE_COUNT}, {"After", PAGE_COUNT},
    {"Change", PAGE_COUNT}};
  const struct figure figures[] = {
    {"Estimated cycles", before->cycles, after->cycles, false},
    {"Instructions", before->instructions, after->instructions, false},
    {"Accesses", before->accesses, after->accesses, false},
    {"D1 misses", before->misses, after->misses, false},
    {"LL misses", before->ll_misses, after->ll_misses, false},
    {"Heap, allocated in all", before->heap_bytes, after->heap_bytes, true},
    {"Heap, peak", before->heap_peak, after->heap_peak, true},
    {"Threads", before->threads, after->threads, false}};

  page_section (page, "figures", "Figures");
  page_table (page, "Before and after", columns, G_N_ELEMENTS (columns));
  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    put_figure (page, &figures[i]);
  page_table_end (page, 0, 0);
  page_section_end (page);
}

/* ---- Tables ----------------------------------------------------------- */

/* The tables of one analysis in what dg diff finds.  */
static void
put_changes (GString *page, const struct dg_report *report,
             const char *analysis, const char *caption)
{
  const struct dg_report_item *item;
  GPtrArray *groups = g_ptr_array_new ();

  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    if (item->kind == DG_ITEM_BEGIN)
      g_ptr_array_add (groups, (gpointer) item->key);
    else if (item->kind == DG_ITEM_END)
      g_ptr_array_set_size (groups, (gint) groups->len - 1);
    else if (item->kind == DG_ITEM_TABLE && groups->len > 0
             && g_strcmp0 (groups->pdata[groups->len - 1], analysis) == 0
             && g_strcmp0 (item->key, "rows") == 0)
      page_report_table (page, item, caption, ROWS);
  }
  g_ptr_array_unref (groups);
}

static int
put_tables (GString *page, const struct page_run *before,
            const struct page_run *after, struct dg_error *err)
{
  const struct dg_report *reports[] = {before->report, after->report};
  const char *programs[] = {before->program, after->program};
  const struct diff_logs logs = {
    .reports = reports, .n = 2, .n_before = 1, .programs = programs};
  const struct diff_options options = {
    .limits = g_array_new (FALSE, FALSE, sizeof (struct diff_limit))};
  struct dg_report *changes = dg_report_new (err);
  int code;

  if (changes == NULL) {
    g_array_unref (options.limits);
    return err->code;
  }
  code = diff_report (&logs, &options, changes, err);
  if (code == 0)
    code = dg_report_check (changes, err);
  page_section (page, "changes", "What changed");
  put_changes (page, changes, "cache",
               "Lines of code, by the change of their D1 read misses");
  put_changes (page, changes, "calls",
               "Functions, by the change of their own cycles");
  page_section_end (page);
  dg_report_free (changes);
  g_array_unref (options.limits);
  return code;
}

static void
put_plots (GString *page, const struct page_run *before,
           const struct page_run *after)
{
  page_section (page, "picture", "Pictures");
  page_html (page, "<div class=\"two\"><div><h3>Before</h3>");
  page_html (page, before->plot->str);
  page_html (page, "</div><div><h3>After</h3>");
  page_html (page, after->plot->str);
  page_html (page, "</div></div>\n");
  page_section_end (page);
}

int
page_compare (GString *page, const struct page_run *before,
              const struct page_run *after, struct dg_error *err)
{
  int code;

  put_figures (page, before, after);
  code = put_findings (page, before, after, err);
  if (code < 0)
    return code;
  put_plots (page, before, after);
  code = put_tables (page, before, after, err);
  page_flame_write (page, after->flame, before->flame);
  return code;
}
