/* page_findings.c: findings as articles, with their lines of source.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include "base/cli_message.h"

#include <inttypes.h>
#include <string.h>

/* Lines before and after the one that a finding is about.  */
#define AROUND 2
/* Larger files are not sources that people read.  */
#define LARGEST (8u << 20)

/* A log may come from anywhere, and a page is given away: only what is called
   a source is read.  */
static bool
is_source (const char *path)
{
  static const char *const endings[] = {
    ".c", ".h", ".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx", ".C", ".inc",
    ".rs", ".go", ".f", ".f90", ".F90", ".zig", ".d", ".adb", ".ads", ".pas",
    ".S", ".s", ".m", ".mm", ".swift", ".java", ".py", NULL};

  if (!g_path_is_absolute (path))
    return false;
  for (size_t i = 0; endings[i] != NULL; i++)
    if (g_str_has_suffix (path, endings[i]))
      return true;
  return false;
}

void
page_keep_sources (struct page_run *run, const struct dg_log *log)
{
  for (guint i = 0; i < run->found->len; i++) {
    const struct advise_finding *finding = run->found->pdata[i];
    const char *file = finding->code.file;
    struct dg_error error;
    char *text;
    size_t n;

    if (file == NULL || !is_source (file)
        || g_hash_table_contains (run->sources, file))
      continue;
    if (dg_log_read_source (log, file, LARGEST, &text, &n, NULL, &error) < 0)
      cli_warn_of_source (log, file, &error);
    else
      g_hash_table_insert (run->sources, g_strdup (file), text);
  }
}

/* NULL: it cannot be read.  */
static char **
lines_of (const struct page_run *run, const char *path)
{
  const char *text =
    path != NULL ? g_hash_table_lookup (run->sources, path) : NULL;

  return text != NULL ? g_strsplit (text, "\n", -1) : NULL;
}

static void
put_source (GString *page, const struct page_run *run,
            const struct advise_code *code)
{
  char **lines = code->line > 0 ? lines_of (run, code->file) : NULL;
  guint n = lines != NULL ? g_strv_length (lines) : 0;

  if (n > 0 && code->line <= n) {
    guint first = code->line > AROUND ? code->line - AROUND : 1;
    guint last = MIN (code->line + AROUND, n);

    page_html (page, "<pre>");
    for (guint i = first; i <= last; i++) {
      char *line = g_strdelimit (g_strdup (lines[i - 1]), "\t\r", ' ');

      page_html (page, i == code->line ? "<mark>" : "");
      page_textf (page, "%5u  %s", i, line);
      page_html (page, i == code->line ? "</mark>\n" : "\n");
      g_free (line);
    }
    page_html (page, "</pre>");
  }
  g_strfreev (lines);
}

static void
put_others (GString *page, const GArray *others)
{
  if (others->len == 0)
    return;
  page_html (page, others->len == 1 ? "  Also line " : "  Also lines ");
  for (guint i = 0; i < others->len; i++)
    page_textf (page, "%s%" PRIu32, i > 0 ? ", " : "",
                g_array_index (others, uint32_t, i));
  page_html (page, ".");
}

void
page_finding (GString *page, const struct page_run *run,
              const struct advise_finding *finding, unsigned number)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  bool is_time = finding->measure == ADVISE_TIME;
  char *prediction = advise_finding_prediction (finding);

  page_html (page, "<article data-rule=\"");
  page_text (page, finding->rule);
  page_html (page, "\"><h3>");
  page_textf (page, "%u. %s", number, finding->title);
  page_html (page, "</h3><div class=\"share\">");
  page_share (page, finding->share);
  page_html (page, is_time ? " of the estimated cycles"
                           : " of the heap's bytes");
  page_html (page, is_time ? "</div><div class=\"bar\">"
                           : "</div><div class=\"bar memory\">");
  g_string_append_printf (
    page, "<span style=\"width:%s%%\"></span></div><p class=\"text\">",
    g_ascii_formatd (width, sizeof width, "%.1f", finding->share * 100));
  page_text (page, finding->text);
  put_others (page, finding->others);
  page_html (page, "</p>");
  put_source (page, run, &finding->code);
  page_html (page, "<p><b>What to do:</b> ");
  page_text (page, finding->action);
  if (prediction != NULL) {
    page_html (page, "</p><p><b>Predicted:</b> ");
    page_text (page, prediction);
  }
  g_free (prediction);
  page_html (page, "</p><p class=\"faint\">More: <span class=\"code\">");
  page_text (page, finding->evidence);
  page_html (page, "</span></p></article>\n");
}

void
page_findings (GString *page, const struct page_run *run)
{
  const GPtrArray *found = run->found;

  page_section (page, "findings", "Findings");
  if (found->len == 0)
    page_html (page, "<p>No rule applies.  The tables below show the figures"
                     " themselves.</p>\n");
  else
    page_html (page, "<ol class=\"findings\">\n");
  for (guint i = 0; i < found->len; i++) {
    page_html (page, "<li>");
    page_finding (page, run, found->pdata[i], i + 1);
    page_html (page, "</li>");
  }
  if (found->len > 0)
    page_html (page, "</ol><p class=\"faint\">Estimated cycles: those of"
                     " dg time.  Shares do not add up: what is mended changes"
                     " the others.</p>\n");
  page_section_end (page);
}
