/* report_cells.h: values of a report as text for people.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_CELLS_H
#define DG_REPORT_CELLS_H

#include "dg_analysis.h"

#include <glib.h>

/* What a value looks like, without what a terminal might obey; "" when it is
   empty.  To be freed.  */
char *report_cell_text (enum dg_unit unit, const struct dg_cell *cell);

/* Whether values of a unit stand in columns that end alike.  */
bool report_unit_is_number (enum dg_unit unit);

#endif /* DG_REPORT_CELLS_H */
