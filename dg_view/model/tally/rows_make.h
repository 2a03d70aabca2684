/* rows_make.h: the rows of each kind of table, from a tally; in rows_code.c
   and rows_memory.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ROWS_MAKE_H
#define DV_ROWS_MAKE_H

#include "rows_state.h"

/* The rows: 0, DG_ERR_CANCELLED or DG_ERR_NOMEM.  */
int dv_rows_make_code (struct dv_rows_maker *maker);
int dv_rows_make_sites (struct dv_rows_maker *maker);
int dv_rows_make_places (struct dv_rows_maker *maker);
int dv_rows_make_threads (struct dv_rows_maker *maker);
#endif /* DV_ROWS_MAKE_H */
