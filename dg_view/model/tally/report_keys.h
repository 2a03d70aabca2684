/* report_keys.h: a table of an analysis' report, by the keys of its columns.

   Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_REPORT_KEYS_H
#define DV_REPORT_KEYS_H

#include <glib.h>

#include <dg_analysis.h>
#include <libdatagrind.h>

/* Cells of a row, at most, as struct dg_report_item says.  */
#define DV_REPORT_CELLS 64

/* The table "rows", with the numbers of the n columns that have these keys;
   NULL: there is none, or a column is missing.  */
const struct dg_report_item *
dv_report_keys (const struct dg_report *report, const char *const *keys,
                 guint n, guint *columns);

#endif /* DV_REPORT_KEYS_H */
