/* start_page.h: what stands in the window while no log is shown: how to open
   one, the recent ones, and how to record one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_START_PAGE_H
#define DV_START_PAGE_H

#include "loading/opening.h"

struct dv_start_page *dv_start_page_new (struct dv_opening *opening);
void dv_start_page_free (struct dv_start_page *page);
GtkWidget *dv_start_page_widget (const struct dv_start_page *page);
/* It is about to be seen, or is not any more.  */
void dv_start_page_show (struct dv_start_page *page, bool is_seen);

#endif /* DV_START_PAGE_H */
