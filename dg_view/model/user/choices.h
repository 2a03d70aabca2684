/* choices.h: what the user prefers: what the command line says, for this
   start, else what the settings remember.  No drawing.

   All windows share them.  For the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CHOICES_H
#define DV_CHOICES_H

#include "model/log/look.h"
#include "options.h"
#include "settings.h"

struct dv_choices {
  struct dv_settings *settings;
  enum dv_theme theme;
  char *palette;             /* a name that dv_palette_find knows */
  /* Its palette is NULL: that depends on the theme, too.  */
  struct dv_look look;
  char *editor;              /* a command; NULL: as dv_editor_open has it */
  char **source_map;         /* "FROM=TO" each; see sourcemap.h */
  /* After one of them was changed.  */
  void (*changed) (void *user);
  void *user;

  char **given_map;          /* the command line's part of it; or NULL */
};

/* The settings must outlive the choices.  Free with dv_choices_fini.  */
void dv_choices_init (struct dv_choices *choices,
                      struct dv_settings *settings,
                      const struct dv_options *options);
void dv_choices_fini (struct dv_choices *choices);

/* Each takes effect at once, is remembered, and tells `changed`.  */
void dv_choices_set_theme (struct dv_choices *choices, enum dv_theme theme);
/* Names that dv_palette_find does not know are ignored.  */
void dv_choices_set_palette (struct dv_choices *choices, const char *name);
/* But for the look's palette.  */
void dv_choices_set_look (struct dv_choices *choices,
                          const struct dv_look *look);
/* NULL or "": none of the user's own.  */
void dv_choices_set_editor (struct dv_choices *choices, const char *command);
/* The remembered part of the map, behind the command line's.  */
void dv_choices_set_source_map (struct dv_choices *choices,
                                const char *const *map);
/* That part; free with g_strfreev.  */
char **dv_choices_own_source_map (const struct dv_choices *choices);

/* Whether it is FROM=TO with a FROM.  */
bool dv_source_map_is_good (const char *map);

#endif /* DV_CHOICES_H */
