/* compare_save.h: saving the picture of two logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPARE_SAVE_H
#define DV_COMPARE_SAVE_H

#include "host/host.h"
#include "plot/pair_plot.h"

struct dv_compare_save *dv_compare_save_new (struct dv_host *host);
void dv_compare_save_free (struct dv_compare_save *save);
/* Asks where, and saves what is shown now, in that size, in the
   background.  */
void dv_compare_save_ask (struct dv_compare_save *save,
                          const struct dv_pair_plot *plot, int width,
                          int height);

#endif /* DV_COMPARE_SAVE_H */
