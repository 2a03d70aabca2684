/* selection.h: the access that is selected, and what is known of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SELECTION_H
#define DV_SELECTION_H

#include "host.h"

struct dv_selection *dv_selection_new (struct dv_host *host);
/* Nothing is asked any more; what was pointed at stays until free.  */
void dv_selection_stop (struct dv_selection *selection);
void dv_selection_free (struct dv_selection *selection);

/* Makes an access the selected one; what is known of it follows.  */
void dv_selection_set (struct dv_selection *selection,
                       const struct dg_access *access);
/* What the user has pointed at; takes it over.  */
void dv_selection_take (struct dv_selection *selection,
                        struct dv_inquiry *inquiry);
/* Nothing is selected any more.  */
void dv_selection_forget (struct dv_selection *selection);
/* What lies under the pixel that was pointed at; NULL: nobody has.  Its
   `nearest` may be set.  */
struct dv_pick *dv_selection_pick (const struct dv_selection *selection);

#endif /* DV_SELECTION_H */
