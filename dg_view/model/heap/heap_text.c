/* heap_text.c: what the heap panel says in words.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_text.h"

#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

static char *
moment_text (uint64_t icount)
{
  char number[32];
  dg_number_text (number, sizeof number, icount);
  return g_strdup_printf (_ ("instruction %s"), number);
}

/* "1.5 MiB in 1,234 blocks".  */
static char *
amount_text (uint64_t bytes, uint64_t blocks)
{
  char size[40], number[32];
  dv_format_bytes (size, sizeof size, bytes);
  dg_number_text (number, sizeof number, blocks);
  /* Translators: a size, such as "64 bytes", and how many blocks.  */
  return g_strdup_printf (ngettext ("%s in %s block", "%s in %s blocks",
                                    blocks), size, number);
}

/* "12 of 20 blocks allocated in view were temporary (60.0 %)".  */
static char *
temporary_text (const struct dv_heap_rows *rows)
{
  char some[32], all[32], share[20];
  dg_number_text (some, sizeof some, rows->temporary);
  dg_number_text (all, sizeof all, rows->allocations);
  dg_number_text_percent (share, sizeof share,
                          rows->allocations > 0
                            ? (double) rows->temporary
                                / (double) rows->allocations
                            : 0);
  /* Translators: two numbers of blocks, and a share such as 60.0 %.  */
  return g_strdup_printf (
    ngettext ("Temporary: %s of %s block allocated in view (%s)",
              "Temporary: %s of %s blocks allocated in view (%s)",
              rows->allocations),
    some, all, share);
}

char *
dv_heap_summary (const struct dv_heap_rows *rows)
{
  if (rows->preset == DV_HEAP_TEMPORARY)
    return temporary_text (rows);
  const struct dg_curve *now = rows->now->curve, *most = rows->most->curve;
  char *amount = amount_text (now->peak_bytes, now->peak_blocks);
  char *moment = moment_text (now->start_icount);
  char *text;
  if (rows->preset == DV_HEAP_AT_EXIT) {
    /* Translators: an amount.  */
    text = g_strdup_printf (_ ("Never freed: %s"), amount);
  } else if (now->start_icount == most->start_icount) {
    /* Translators: an amount, and "instruction 1,234".  */
    text = g_strdup_printf (_ ("Peak in view: %s at %s"), amount, moment);
  } else {
    char *peak = amount_text (most->peak_bytes, most->peak_blocks);
    char *when = moment_text (most->start_icount);
    /* Translators: twice an amount, and "instruction 1,234".  */
    text = g_strdup_printf (_ ("%s at %s · peak in view: %s at %s"), amount,
                            moment, peak, when);
    g_free (peak);
    g_free (when);
  }
  g_free (amount);
  g_free (moment);
  return text;
}

/* The parts of what is said about a place in the picture.  */
static GPtrArray *
parts_of (const struct dv_heap_curve *heap_curve, uint32_t series,
          size_t column)
{
  const struct dg_curve *curve = heap_curve->curve;
  const struct dg_curve_column *c = &curve->columns[column];
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  if (series != DG_NONE) {
    uint64_t bytes = curve->bytes[column * curve->n_series + series];
    char size[40], share[40], *name
      = dv_format_shown (curve->series[series].name);
    dv_format_bytes (size, sizeof size, bytes);
    g_ptr_array_add (parts, name);
    dg_number_text_percent (share, sizeof share, c->total > 0
                              ? (double) bytes / (double) c->total : 0);
    g_ptr_array_add (parts, g_strdup_printf ("%s, %s", size, share));
  }
  char *all = amount_text (c->total, c->blocks);
  /* Translators: an amount, such as "1.5 MiB in 12 blocks".  */
  g_ptr_array_add (parts, g_strdup_printf (_ ("all: %s"), all));
  g_ptr_array_add (parts, moment_text (c->icount));
  g_free (all);
  return parts;
}

static char *
join (GPtrArray *parts, const char *separator)
{
  g_ptr_array_add (parts, NULL);
  char *text = g_strjoinv (separator, (char **) parts->pdata);
  g_ptr_array_unref (parts);
  return text;
}

char *
dv_heap_tip (const struct dv_heap_curve *curve, uint32_t series,
             size_t column)
{
  return join (parts_of (curve, series, column), "\n");
}

char *
dv_heap_line (const struct dv_heap_curve *curve, uint32_t series,
              size_t column)
{
  return join (parts_of (curve, series, column), " · ");
}

char *
dv_heap_table_text (const struct dv_heap_rows *rows,
                    const char *const *titles)
{
  GString *text = g_string_new (NULL);
  for (int column = DV_HEAP_NAME; column <= DV_HEAP_MODULE; column++)
    g_string_append_printf (text, "%s%s", column > 0 ? "\t" : "",
                            titles[column]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < rows->rows->len; i++)
    for (int column = DV_HEAP_NAME; column <= DV_HEAP_MODULE; column++) {
      char *cell = dv_heap_rows_text (rows, dv_heap_rows_at (rows, i),
                                      (enum dv_heap_column) column);
      /* Numbers without groups, as programs read them.  */
      bool is_count = dv_heap_column_is_number ((enum dv_heap_column) column)
                      && column != DV_HEAP_SHARE
                      && column != DV_HEAP_TEMPORARY_SHARE;
      for (const char *c = cell; *c != '\0'; c++)
        if (!is_count || g_ascii_isdigit (*c))
          g_string_append_c (text, *c == '\t' ? ' ' : *c);
      g_string_append_c (text, column < DV_HEAP_MODULE ? '\t' : '\n');
      g_free (cell);
    }
  return g_string_free (text, FALSE);
}
