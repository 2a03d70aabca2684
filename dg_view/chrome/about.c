/* about.c: what this program is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "about.h"

#include "i18n.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

void
dv_about_show (struct dv_host *host)
{
  /* It is shown again if it is still there.  */
  gtk_show_about_dialog (GTK_WINDOW (host->window), "program-name",
                         "Datagrind", "version", PACKAGE_VERSION, "comments",
                         _ ("Shows how a program uses memory"), "copyright",
                         _ ("Copyright © 2026 the Datagrind developers"),
                         "license-type", GTK_LICENSE_GPL_2_0, "logo-icon-name",
                         gtk_window_get_default_icon_name (), NULL);
}
