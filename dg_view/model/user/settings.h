/* settings.h: what the viewer remembers from one start to the next.

   A key file, dg_view.ini in the user's configuration folder.  Values that
   cannot be read are as if they were not there, and what cannot be written is
   forgotten.  For the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SETTINGS_H
#define DV_SETTINGS_H

#include <stdbool.h>

#include <glib.h>

struct dv_settings;

/* `path`: of the key file; NULL: the user's.  */
struct dv_settings *dv_settings_new (const char *path);
/* Writes what was changed, if anything was; what another dg_view has written
   meanwhile stays, but for these values.  False if that cannot be done.  The
   main loop does so, too, a second after a change.  */
bool dv_settings_save (struct dv_settings *settings);
/* Saves first.  NULL is fine.  */
void dv_settings_free (struct dv_settings *settings);

bool dv_settings_flag (const struct dv_settings *settings, const char *name,
                       bool otherwise);
int dv_settings_number (const struct dv_settings *settings, const char *name,
                        int otherwise);
/* New strings, valid UTF-8; NULL for what is not there.  */
char *dv_settings_text (const struct dv_settings *settings,
                        const char *name);
char **dv_settings_texts (const struct dv_settings *settings,
                          const char *name);

void dv_settings_set_flag (struct dv_settings *settings, const char *name,
                           bool value);
void dv_settings_set_number (struct dv_settings *settings, const char *name,
                             int value);
/* NULL: removes it.  */
void dv_settings_set_text (struct dv_settings *settings, const char *name,
                           const char *value);
void dv_settings_set_texts (struct dv_settings *settings, const char *name,
                            const char *const *values);

#endif /* DV_SETTINGS_H */
