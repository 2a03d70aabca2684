/* report_cells.h: values of a report as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_CELLS_H
#define DG_REPORT_CELLS_H

#include "dg_analysis.h"

#include <glib.h>

/* The text of a value, safe for terminals; "" if it is empty.  To be
   freed.  */
char *report_cell_text (enum dg_unit unit, const struct dg_cell *cell);

/* Whether the values of a column are aligned to the right.  */
bool report_column_is_right (const struct dg_column *column);

#endif /* DG_REPORT_CELLS_H */
