/* application.c: the program's life: its windows, and what they share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "application.h"

#include <string.h>

#include "chrome/shortcuts.h"
#include "compare/compare_window.h"
#include "find/bookmarks.h"
#include "i18n.h"
#include "window.h"

/* Desktops know the program by it: see data/.  The icon theme has one of that
   name once the program is installed.  */
#define APPLICATION_ID "org.datagrind.View"

/* ---- Theme ----------------------------------------------------------- */

/* Themes come in pairs, X and X-dark; a program can ask for the dark one of
   the desktop's, but for the light one only by its name.  */
static void
apply_theme (enum dv_theme theme)
{
  static const char dark[] = "-dark";
  GtkSettings *settings = gtk_settings_get_default ();
  gtk_settings_reset_property (settings, "gtk-theme-name");
  gtk_settings_reset_property (settings,
                               "gtk-application-prefer-dark-theme");
  if (theme == DV_THEME_DESKTOP)
    return;
  char *name;
  g_object_get (settings, "gtk-theme-name", &name, NULL);
  if (theme == DV_THEME_LIGHT && name != NULL
      && g_str_has_suffix (name, dark)) {
    name[strlen (name) - strlen (dark)] = '\0';
    g_object_set (settings, "gtk-theme-name", name, NULL);
  }
  g_object_set (settings, "gtk-application-prefer-dark-theme",
                theme == DV_THEME_DARK, NULL);
  g_free (name);
}

static void
choices_changed (void *user)
{
  struct dv_application *application = user;
  apply_theme (application->choices.theme);
  for (guint i = 0; i < application->windows->len; i++)
    dv_window_choices_changed (g_ptr_array_index (application->windows, i));
  for (guint i = 0; i < application->compared->len; i++)
    dv_compare_window_choices_changed (
      g_ptr_array_index (application->compared, i));
}

/* ---- Windows --------------------------------------------------------- */

static void
compare_closed (void *user, struct dv_compare_window *window, int status)
{
  struct dv_application *application = user;
  if (status != 0)
    application->status = status;
  g_ptr_array_remove (application->compared, window);
}

static void
compare_opened (void *user, const struct dv_compare_start *start)
{
  struct dv_application *application = user;
  g_ptr_array_add (application->compared, dv_compare_window_new (start));
}

static void
quit (void *user)
{
  dv_application_quit (user);
}

void
dv_application_compare (struct dv_application *application,
                        const struct dv_options *options, const char *before,
                        const char *after)
{
  const struct dv_compare_start start = {
    .app = application->app,
    .options = options,
    .choices = &application->choices,
    .settings = application->settings,
    .before = before,
    .after = after,
    .is_laid_over = options->x_axis == DV_X_BLOCKS,
    .open = compare_opened,
    .quit = quit,
    .closed = compare_closed,
    .user = application,
  };
  compare_opened (application, &start);
}

void
dv_application_quit (struct dv_application *application)
{
  GPtrArray *compared = g_ptr_array_new ();
  for (guint i = 0; i < application->compared->len; i++)
    g_ptr_array_add (compared, g_ptr_array_index (application->compared, i));
  for (guint i = 0; i < compared->len; i++)
    dv_compare_window_close (g_ptr_array_index (compared, i));
  g_ptr_array_unref (compared);
  dv_windows_close (application);
}

static void
activated (struct dv_application *application)
{
  dv_shortcuts_init (application->app);
  dv_bookmarks_set_keys (application->app);
  const struct dv_options *options = application->options;
  if (options->second != NULL
      || (options->path != NULL && options->x_axis != DV_X_ADDRESSES))
    dv_application_compare (application, options, options->path,
                            options->second);
  else
    dv_window_new (application, application->options,
                 application->options->path);
}

/* What of the command line is about how all windows look, and not about the
   log.  */
static struct dv_options
further_options (const struct dv_options *options)
{
  return (struct dv_options){
    .address_end = UINT64_MAX,
    .instruction_end = UINT64_MAX,
    .editor = options->editor,
    .source_map = options->source_map,
    .palette = options->palette,
    .theme = options->theme,
    .colouring = options->colouring,
    .colour_given = options->colour_given,
  };
}

int
dv_application_run (const struct dv_options *options)
{
  struct dv_application application = {
    .options = options,
    .further = further_options (options),
  };
  g_set_prgname (APPLICATION_ID);
  if (!gtk_init_check (NULL, NULL)) {
    g_printerr (_ ("dg_view: cannot open a display; --render draws without "
                   "one\n"));
    return 1;
  }
  g_set_application_name ("Datagrind");
  gtk_window_set_default_icon_name (APPLICATION_ID);
  gdk_set_program_class (APPLICATION_ID);
  application.windows =
    g_ptr_array_new_with_free_func ((GDestroyNotify) dv_window_free);
  application.compared = g_ptr_array_new ();
  application.settings = dv_settings_new (NULL);
  dv_choices_init (&application.choices, application.settings, options);
  application.choices.changed = choices_changed;
  application.choices.user = &application;
  apply_theme (application.choices.theme);
  application.app = gtk_application_new (APPLICATION_ID,
                                         G_APPLICATION_NON_UNIQUE);
  g_signal_connect_swapped (application.app, "activate",
                            G_CALLBACK (activated), &application);
  int status = g_application_run (G_APPLICATION (application.app), 0, NULL);
  g_object_unref (application.app);
  g_ptr_array_unref (application.windows);
  g_ptr_array_unref (application.compared);
  dv_choices_fini (&application.choices);
  dv_settings_free (application.settings);
  return application.status != 0 ? application.status : status;
}
