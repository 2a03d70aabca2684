/* search.h: the bar in which to search: going to an address, an instruction, a
   function, a label.

   A part of the window, see host.h; its actions are search, go-to,
   search-next, search-previous.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SEARCH_H
#define DV_SEARCH_H

#include "stepping.h"

struct dv_search *dv_search_new (struct dv_host *host,
                                 struct dv_stepping *stepping);
void dv_search_free (struct dv_search *search);
GtkWidget *dv_search_widget (struct dv_search *search);
void dv_search_scene_changed (struct dv_search *search);
/* Whether something that stands out is in view may be another.  */
void dv_search_bright_changed (struct dv_search *search);

#endif /* DV_SEARCH_H */
