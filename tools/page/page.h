/* page.h: a page of HTML that is being written: text, numbers, tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGE_H
#define DG_PAGE_H

#include "dg_analysis.h"

#include <glib.h>

/* page_assets.c, which is made of page.css and page.js.  */
extern const char page_style[], page_script[];

/* ---- Text ------------------------------------------------------------- */

/* HTML as it is.  */
void page_html (GString *page, const char *html);
/* Any text: escaped; bytes that are not UTF-8 and control characters are
   shown as \xNN.  */
void page_text (GString *page, const char *text);
void page_textf (GString *page, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* <tag>text</tag>.  */
void page_element (GString *page, const char *tag, const char *text);

/* A number as people read it, and as it is for programs: <data>.  */
void page_count (GString *page, uint64_t count);
void page_bytes (GString *page, uint64_t bytes);
void page_share (GString *page, double share);

/* Bytes of a picture as a data: address, within quotes.  */
void page_data (GString *page, const char *type, const void *bytes, gsize n);

/* ---- Structure -------------------------------------------------------- */

/* id: of the section, for links; title: of its heading.  */
void page_section (GString *page, const char *id, const char *title);
void page_section_end (GString *page);

enum page_kind { PAGE_TEXT, PAGE_COUNT, PAGE_BYTES, PAGE_SHARE };
struct page_column {
  const char *title;
  enum page_kind kind;
};
void page_table (GString *page, const char *caption,
                 const struct page_column *columns, size_t n);
/* One cell of each row after the other, left to right.  */
void page_row (GString *page);
void page_cell_text (GString *page, const char *text);
void page_cell_count (GString *page, uint64_t count);
void page_cell_bytes (GString *page, uint64_t bytes);
void page_cell_share (GString *page, double share);
void page_row_end (GString *page);
/* all: how many rows there would be.  */
void page_table_end (GString *page, uint64_t shown, uint64_t all);

/* The first `most` rows of a table of a report, with the columns that people
   see.  Nothing if it has no rows.  */
void page_report_table (GString *page, const struct dg_report_item *item,
                        const char *caption, uint64_t most);

#endif /* DG_PAGE_H */
