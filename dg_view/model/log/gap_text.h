/* gap_text.h: that a log tells less than its program did, as panels say it
   that also tell what never happened.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_GAP_TEXT_H
#define DV_GAP_TEXT_H

#include "data.h"

/* "Partial log: it was cut short"; NULL: it is whole, or nobody knows.  A new
   string.  */
char *dv_gap_text (const struct dv_data *data);
/* The text with that before it, where there is a gap: it must be seen even
   where there is no room for all.  Takes the text over; a new string.  */
char *dv_gap_before (const struct dv_data *data, char *text);

#endif /* DV_GAP_TEXT_H */
