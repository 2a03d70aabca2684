/* settings.c: the key file of the viewer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "settings.h"

#include <glib/gstdio.h>
#include <libdatagrind.h>

#define GROUP "dg_view"
/* What is larger was not written by us.  */
#define MOST_BYTES (1 << 20)
/* What is changed at once is written at once.  */
#define SAVE_SECONDS 1

struct dv_settings {
  GKeyFile *file;
  char *path;
  GHashTable *changed;      /* names, of what is not written yet */
  guint timer;              /* it is about to be written */
};

/* Empty if there is no such file, or it is not one of ours; up to the first
   line that is wrong.  */
static GKeyFile *
read_file (const char *path)
{
  GKeyFile *file = g_key_file_new ();
  GStatBuf info;
  if (g_stat (path, &info) == 0 && S_ISREG (info.st_mode)
      && info.st_size <= MOST_BYTES)
    g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

struct dv_settings *
dv_settings_new (const char *path)
{
  struct dv_settings *settings = g_new0 (struct dv_settings, 1);
  settings->path = path != NULL
    ? g_strdup (path)
    : g_build_filename (g_get_user_config_dir (), "datagrind", "dg_view.ini",
                        NULL);
  settings->file = read_file (settings->path);
  settings->changed = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free,
                                             NULL);
  return settings;
}

bool
dv_settings_save (struct dv_settings *settings)
{
  GHashTableIter iter;
  gpointer name;
  g_clear_handle_id (&settings->timer, g_source_remove);
  if (g_hash_table_size (settings->changed) == 0)
    return true;
  GKeyFile *now = read_file (settings->path);
  g_hash_table_iter_init (&iter, settings->changed);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    char *value = g_key_file_get_value (settings->file, GROUP, name, NULL);
    if (value != NULL)
      g_key_file_set_value (now, GROUP, name, value);
    else
      g_key_file_remove_key (now, GROUP, name, NULL);
    g_free (value);
  }
  g_hash_table_remove_all (settings->changed);
  char *folder = g_path_get_dirname (settings->path);
  g_mkdir_with_parents (folder, 0700);
  gsize n;
  char *text = g_key_file_to_data (now, &n, NULL);
  bool good = dg_output_save (settings->path, text, n, NULL) == 0;
  g_free (text);
  g_free (folder);
  g_key_file_unref (now);
  return good;
}

void
dv_settings_free (struct dv_settings *settings)
{
  if (settings == NULL)
    return;
  dv_settings_save (settings);
  g_hash_table_unref (settings->changed);
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

/* As it stands in the file; NULL: it does not.  */
static char *
value_of (const struct dv_settings *settings, const char *name)
{
  return g_key_file_get_value (settings->file, GROUP, name, NULL);
}

static gboolean
save_due (gpointer data)
{
  struct dv_settings *settings = data;
  settings->timer = 0;
  dv_settings_save (settings);
  return G_SOURCE_REMOVE;
}

/* Takes over the value from before, to see whether this is another.  */
static void
changed (struct dv_settings *settings, const char *name, char *before)
{
  char *now = value_of (settings, name);
  if (g_strcmp0 (before, now) != 0) {
    g_hash_table_add (settings->changed, g_strdup (name));
    if (settings->timer == 0)
      settings->timer = g_timeout_add_seconds (SAVE_SECONDS, save_due,
                                               settings);
  }
  g_free (now);
  g_free (before);
}

void
dv_settings_set_flag (struct dv_settings *settings, const char *name,
                      bool value)
{
  dv_settings_set_text (settings, name, value ? "true" : "false");
}

void
dv_settings_set_number (struct dv_settings *settings, const char *name,
                        int value)
{
  char text[16];
  g_snprintf (text, sizeof text, "%d", value);
  dv_settings_set_text (settings, name, text);
}

void
dv_settings_set_text (struct dv_settings *settings, const char *name,
                      const char *value)
{
  char *before = value_of (settings, name);
  if (value != NULL)
    g_key_file_set_string (settings->file, GROUP, name, value);
  else
    g_key_file_remove_key (settings->file, GROUP, name, NULL);
  changed (settings, name, before);
}

void
dv_settings_set_texts (struct dv_settings *settings, const char *name,
                       const char *const *values)
{
  char *before = value_of (settings, name);
  g_key_file_set_string_list (settings->file, GROUP, name, values,
                              g_strv_length ((char **) values));
  changed (settings, name, before);
}
