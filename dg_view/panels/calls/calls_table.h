/* calls_table.h: the table of a call tree: its columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLS_TABLE_H
#define DV_CALLS_TABLE_H

#include <stdbool.h>

#include <gtk/gtk.h>

#include "model/calls/callrows.h"

/* The user asked for another order.  */
typedef void (*dv_calls_order_fn) (void *user, enum dv_call_order order);

/* A GtkTreeView for models of calls_model.h.  */
GtkWidget *dv_calls_table_new (dv_calls_order_fn order_changed, void *user);
/* Callers have no accesses of their own.  */
void dv_calls_table_set_direction (GtkWidget *table, bool are_callers);

#endif /* DV_CALLS_TABLE_H */
