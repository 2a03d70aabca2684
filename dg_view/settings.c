/* settings.c: the key file of the viewer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "settings.h"

#define GROUP "dg_view"

struct dv_settings {
  GKeyFile *file;
  char *path;
  bool is_changed;
};

struct dv_settings *
dv_settings_new (void)
{
  struct dv_settings *settings = g_new0 (struct dv_settings, 1);
  settings->file = g_key_file_new ();
  settings->path = g_build_filename (g_get_user_config_dir (), "datagrind",
                                     "dg_view.ini", NULL);
  g_key_file_load_from_file (settings->file, settings->path,
                             G_KEY_FILE_KEEP_COMMENTS, NULL);
  return settings;
}

void
dv_settings_free (struct dv_settings *settings)
{
  if (settings == NULL)
    return;
  if (settings->is_changed) {
    char *folder = g_path_get_dirname (settings->path);
    g_mkdir_with_parents (folder, 0700);
    g_key_file_save_to_file (settings->file, settings->path, NULL);
    g_free (folder);
  }
  g_key_file_unref (settings->file);
  g_free (settings->path);
  g_free (settings);
}

bool
dv_settings_flag (const struct dv_settings *settings, const char *name,
                  bool otherwise)
{
  GError *error = NULL;
  bool value = g_key_file_get_boolean (settings->file, GROUP, name, &error);
  if (error == NULL)
    return value;
  g_error_free (error);
  return otherwise;
}

int
dv_settings_number (const struct dv_settings *settings, const char *name,
                    int otherwise)
{
  GError *error = NULL;
  int value = g_key_file_get_integer (settings->file, GROUP, name, &error);
  if (error == NULL)
    return value;
  g_error_free (error);
  return otherwise;
}

char *
dv_settings_text (const struct dv_settings *settings, const char *name)
{
  return g_key_file_get_string (settings->file, GROUP, name, NULL);
}

char **
dv_settings_texts (const struct dv_settings *settings, const char *name)
{
  return g_key_file_get_string_list (settings->file, GROUP, name, NULL, NULL);
}

void
dv_settings_set_flag (struct dv_settings *settings, const char *name,
                      bool value)
{
  g_key_file_set_boolean (settings->file, GROUP, name, value);
  settings->is_changed = true;
}

void
dv_settings_set_number (struct dv_settings *settings, const char *name,
                        int value)
{
  g_key_file_set_integer (settings->file, GROUP, name, value);
  settings->is_changed = true;
}

void
dv_settings_set_text (struct dv_settings *settings, const char *name,
                      const char *value)
{
  if (value != NULL)
    g_key_file_set_string (settings->file, GROUP, name, value);
  else
    g_key_file_remove_key (settings->file, GROUP, name, NULL);
  settings->is_changed = true;
}

void
dv_settings_set_texts (struct dv_settings *settings, const char *name,
                       const char *const *values)
{
  g_key_file_set_string_list (settings->file, GROUP, name, values,
                              g_strv_length ((char **) values));
  settings->is_changed = true;
}
