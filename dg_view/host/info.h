/* info.h: the line above the plot that says what is to be known of the log,
   with a button for what could be done.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_INFO_H
#define DV_INFO_H

#include "host.h"

/* What the button does.  */
typedef void (*dv_info_accepted) (void *user);

struct dv_info *dv_info_new (struct dv_host *host);
void dv_info_free (struct dv_info *info);
GtkWidget *dv_info_widget (const struct dv_info *info);

/* type: such as GTK_MESSAGE_INFO.  */
void dv_info_tell (struct dv_info *info, GtkMessageType type,
                   const char *text);
/* The same with a button that calls `accepted`; `button` may be NULL: none. */
void dv_info_offer (struct dv_info *info, GtkMessageType type,
                    const char *text, const char *button,
                    dv_info_accepted accepted, void *user);
/* The same with a button that loads the log again.  */
void dv_info_offer_reload (struct dv_info *info, GtkMessageType type,
                           const char *text, const char *button);
/* That the log cannot be read any more: offers to load it again, unless a
   message that is there does, which then says why.  */
void dv_info_tell_failed (struct dv_info *info, const char *text);
/* Whether this was offered last.  */
bool dv_info_offers (const struct dv_info *info, dv_info_accepted accepted);
void dv_info_hide (struct dv_info *info);

#endif /* DV_INFO_H */
