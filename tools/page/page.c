/* page.c: a page of HTML that is being written: text, numbers, tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page.h"

#include "base/printable.h"
#include "base/report_cells.h"
#include "libdatagrind.h"

#include <inttypes.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------- */

void
page_html (GString *page, const char *html)
{
  g_string_append (page, html);
}

void
page_text (GString *page, const char *text)
{
  char *safe = printable_text (text != NULL ? text : "");
  char *escaped = g_markup_escape_text (safe, -1);

  g_string_append (page, escaped);
  g_free (escaped);
  g_free (safe);
}

void
page_textf (GString *page, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  page_text (page, text);
  g_free (text);
}

void
page_element (GString *page, const char *tag, const char *text)
{
  g_string_append_printf (page, "<%s>", tag);
  page_text (page, text);
  g_string_append_printf (page, "</%s>", tag);
}

static void
put_data (GString *page, uint64_t value, const char *text)
{
  g_string_append_printf (page, "<data value=\"%" PRIu64 "\">%s</data>", value,
                          text);
}

void
page_count (GString *page, uint64_t count)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text (text, sizeof text, count);
  put_data (page, count, text);
}

void
page_bytes (GString *page, uint64_t bytes)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text_bytes (text, sizeof text, bytes);
  put_data (page, bytes, text);
}

void
page_share (GString *page, double share)
{
  char text[DG_NUMBER_TEXT], value[G_ASCII_DTOSTR_BUF_SIZE];

  dg_number_text_percent (text, sizeof text, share);
  g_string_append_printf (page, "<data value=\"%s\">",
                          g_ascii_dtostr (value, sizeof value, share));
  page_text (page, text);
  g_string_append (page, "</data>");
}

void
page_data (GString *page, const char *type, const void *bytes, gsize n)
{
  char *text = g_base64_encode (bytes, n);

  g_string_append_printf (page, "data:%s;base64,%s", type, text);
  g_free (text);
}

/* ---- Structure -------------------------------------------------------- */

void
page_section (GString *page, const char *id, const char *title)
{
  g_string_append_printf (page,
                          "<section id=\"%s\" aria-labelledby=\"h-%s\">"
                          "<h2 id=\"h-%s\">",
                          id, id, id);
  page_text (page, title);
  g_string_append (page, "</h2>\n");
}

void
page_section_end (GString *page)
{
  g_string_append (page, "</section>\n");
}

void
page_table (GString *page, const char *caption,
            const struct page_column *columns, size_t n)
{
  g_string_append (page, "<div class=\"wide\" tabindex=\"0\" role=\"region\""
                         " aria-label=\"");
  page_text (page, caption);
  g_string_append (page, "\"><table><caption>");
  page_text (page, caption);
  g_string_append (page, "</caption><thead><tr>");
  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (page, "<th scope=\"col\"%s>",
                            columns[i].kind != PAGE_TEXT ? " class=\"n\""
                                                         : "");
    page_text (page, columns[i].title);
    g_string_append (page, "</th>");
  }
  g_string_append (page, "</tr></thead><tbody>\n");
}

void
page_row (GString *page)
{
  g_string_append (page, "<tr>");
}

void
page_cell_text (GString *page, const char *text)
{
  page_element (page, "td", text);
}

void
page_cell_count (GString *page, uint64_t count)
{
  g_string_append (page, "<td class=\"n\">");
  page_count (page, count);
  g_string_append (page, "</td>");
}

void
page_cell_bytes (GString *page, uint64_t bytes)
{
  g_string_append (page, "<td class=\"n\">");
  page_bytes (page, bytes);
  g_string_append (page, "</td>");
}

void
page_cell_share (GString *page, double share)
{
  g_string_append (page, "<td class=\"n\">");
  page_share (page, share);
  g_string_append (page, "</td>");
}

void
page_row_end (GString *page)
{
  g_string_append (page, "</tr>\n");
}

void
page_table_end (GString *page, uint64_t shown, uint64_t all)
{
  g_string_append (page, "</tbody></table></div>\n");
  if (all > shown) {
    g_string_append (page, "<p class=\"more\">");
    page_count (page, all - shown);
    g_string_append (page, " more rows are not shown.</p>\n");
  }
}

/* ---- Tables of reports ------------------------------------------------ */

static bool
is_seen (const struct dg_column *column)
{
  return column->title != NULL
         && (column->flags & (DG_COLUMN_JSON_ONLY | DG_COLUMN_BAR)) == 0;
}

void
page_report_table (GString *page, const struct dg_report_item *item,
                   const char *caption, uint64_t most)
{
  uint64_t n = item != NULL ? MIN (item->n_rows, most) : 0;
  struct page_column columns[64];
  struct dg_cell cells[64];
  size_t n_columns = 0;

  if (n == 0)
    return;
  for (size_t i = 0; i < item->n_columns; i++)
    if (is_seen (&item->columns[i]))
      columns[n_columns++] = (struct page_column) {
        item->columns[i].title,
        report_column_is_right (&item->columns[i]) ? PAGE_COUNT : PAGE_TEXT};
  page_table (page, caption, columns, n_columns);
  for (uint64_t row = 0; row < n; row++) {
    dg_report_row (item, row, cells);
    page_row (page);
    for (size_t i = 0; i < item->n_columns; i++)
      if (is_seen (&item->columns[i])) {
        char *text = report_cell_text (item->columns[i].unit, &cells[i]);

        page_html (page, report_column_is_right (&item->columns[i])
                           ? "<td class=\"n\">" : "<td>");
        page_text (page, text);
        page_html (page, "</td>");
        g_free (text);
      }
    page_row_end (page);
  }
  page_table_end (page, n, item->n_rows);
}
