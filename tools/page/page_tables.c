/* page_tables.c: the tables of one run: lines, functions, sites, sharing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include "advise/advise_table.h"

#include <string.h>

/* Rows of each.  */
#define ROWS 40

static int
compare_lines (const void *a, const void *b)
{
  const struct advise_line *x = *(struct advise_line *const *) a;
  const struct advise_line *y = *(struct advise_line *const *) b;
  double p = (double) x->cycles, q = (double) y->cycles;

  if (p != q)
    return p > q ? -1 : 1;
  return g_strcmp0 (x->code.file, y->code.file)
           ?: (x->code.line > y->code.line) - (x->code.line < y->code.line);
}

static void
put_lines (GString *page, const struct advise_facts *facts)
{
  static const struct page_column columns[] = {
    {"Cost", PAGE_SHARE}, {"Instructions", PAGE_COUNT},
    {"Accesses", PAGE_COUNT}, {"D1 misses", PAGE_COUNT},
    {"LL misses", PAGE_COUNT}, {"Line", PAGE_TEXT}};
  GPtrArray *lines = g_ptr_array_sized_new (facts->lines->len);
  guint n = MIN (facts->lines->len, ROWS);

  for (guint i = 0; i < facts->lines->len; i++)
    g_ptr_array_add (lines, facts->lines->pdata[i]);
  g_ptr_array_sort (lines, compare_lines);
  page_section (page, "lines", "Lines of code");
  page_table (page, "By estimated cycles; costs of libraries are those of the"
                    " line that calls them", columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < n; i++) {
    const struct advise_line *line = lines->pdata[i];
    char *code = advise_code_text (&line->code);

    page_row (page);
    page_cell_share (page, facts->cycles > 0
                             ? (double) line->cycles / facts->cycles : 0);
    page_cell_count (page, line->instructions);
    page_cell_count (page, line->accesses);
    page_cell_count (page, line->misses);
    page_cell_count (page, line->ll_misses);
    page_cell_text (page, code);
    page_row_end (page);
    g_free (code);
  }
  page_table_end (page, n, lines->len);
  page_section_end (page);
  g_ptr_array_unref (lines);
}

static void
put_functions (GString *page, const struct advise_facts *facts)
{
  static const struct page_column columns[] = {
    {"Share", PAGE_SHARE}, {"Cycles", PAGE_COUNT},
    {"With callees", PAGE_COUNT}, {"L1 misses", PAGE_COUNT},
    {"Instructions", PAGE_COUNT}, {"With callees", PAGE_COUNT},
    {"Calls", PAGE_COUNT}, {"Accesses", PAGE_COUNT}, {"Function", PAGE_TEXT}};
  uint64_t cycles = 0;
  guint n = MIN (facts->functions->len, ROWS);

  if (n == 0)
    return;
  for (guint i = 0; i < facts->functions->len; i++)
    cycles +=
      g_array_index (facts->functions, struct advise_function, i).cycles;
  page_section (page, "functions", "Functions");
  page_table (page, "By their own estimated cycles, with those of the kernel"
                    " for new pages", columns,
              G_N_ELEMENTS (columns));
  for (guint i = 0; i < n; i++) {
    const struct advise_function *function =
      &g_array_index (facts->functions, struct advise_function, i);

    page_row (page);
    page_cell_share (page, cycles > 0 ? (double) function->cycles
                                          / (double) cycles : 0);
    page_cell_count (page, function->cycles);
    page_cell_count (page, function->inclusive_cycles);
    page_cell_count (page, function->l1_misses);
    page_cell_count (page, function->self);
    page_cell_count (page, function->inclusive);
    page_cell_count (page, function->calls);
    page_cell_count (page, function->accesses);
    page_cell_text (page, function->name);
    page_row_end (page);
  }
  page_table_end (page, n, facts->functions->len);
  page_section_end (page);
}

static int
compare_sites (const void *a, const void *b)
{
  const struct advise_site *x = *(struct advise_site *const *) a;
  const struct advise_site *y = *(struct advise_site *const *) b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void
put_sites (GString *page, const struct advise_facts *facts)
{
  static const struct page_column columns[] = {
    {"Bytes", PAGE_BYTES}, {"Blocks", PAGE_COUNT},
    {"Live at most", PAGE_COUNT}, {"Never freed", PAGE_COUNT},
    {"Never touched", PAGE_BYTES}, {"Allocated by", PAGE_TEXT}};
  guint n = MIN (facts->sites->len, ROWS);
  GPtrArray *sites = g_ptr_array_sized_new (facts->sites->len);

  for (guint i = 0; i < facts->sites->len; i++)
    g_ptr_array_add (sites, facts->sites->pdata[i]);
  g_ptr_array_sort (sites, compare_sites);
  if (n > 0) {
    page_section (page, "sites", "Allocation sites");
    page_table (page, "By bytes, of the whole run", columns,
                G_N_ELEMENTS (columns));
    for (guint i = 0; i < n; i++) {
      const struct advise_site *site = sites->pdata[i];

      page_row (page);
      page_cell_bytes (page, site->bytes);
      page_cell_count (page, site->blocks);
      page_cell_count (page, site->live_max);
      page_cell_count (page, site->never_freed);
      page_cell_bytes (page, site->untouched);
      page_cell_text (page, site->name);
      page_row_end (page);
    }
    page_table_end (page, n, sites->len);
    page_section_end (page);
  }
  g_ptr_array_unref (sites);
}

static void
put_report_table (GString *page, const struct dg_report *report,
                  const char *analysis, const char *key, const char *id,
                  const char *title, const char *caption)
{
  struct advise_table table;

  advise_table_init (&table, report, analysis, key);
  if (table.item == NULL || table.n_rows == 0)
    return;
  page_section (page, id, title);
  page_report_table (page, table.item, caption, ROWS);
  page_section_end (page);
}

void
page_tables (GString *page, const struct advise_work *work)
{
  const struct dg_report *report = work->log.report;

  put_lines (page, &work->facts);
  put_functions (page, &work->facts);
  put_sites (page, &work->facts);
  put_report_table (page, report, "sharing", "line_list", "false-sharing",
                    "Cache lines of several threads",
                    "Lines in which threads use different bytes");
  put_report_table (page, report, "sharing", "rows", "sharing",
                    "Shared variables", "Accessed by several threads");
  put_report_table (page, report, "patterns", "rows", "patterns",
                    "Access patterns", "How each line walks through memory");
}
