/* shortcuts.c: the keys of all actions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "i18n.h"
#include "window_parts.h"

/* One line for each action that has keys; `group` and `title` are for the
   window that shows them.  */
static const struct {
  const char *group, *title, *action;
  const char *keys[3];
} shortcuts[] = {
  { N_("Logs"), N_("Open a log"), "win.open", { "<Control>o" } },
  { N_("View"), N_("Back to the last view"), "win.back", { "<Alt>Left" } },
  { N_("View"), N_("Forward"), "win.forward", { "<Alt>Right" } },
  { N_("View"), N_("Show everything"), "win.fit",
    { "<Control>0", "<Alt>Home" } },
  { N_("Find"), N_("Filter"), "win.filter", { "<Control>l" } },
  { N_("General"), N_("Close"), "win.close", { "<Control>w", "<Control>q" } },
};

void
dv_shortcuts_init (struct dv_window *window)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_application_set_accels_for_action (window->app, shortcuts[i].action,
                                           shortcuts[i].keys);
}
