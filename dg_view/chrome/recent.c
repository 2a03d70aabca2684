/* recent.c: which logs were opened lately, and which lie here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "recent.h"

#include <string.h>

#include <glib/gstdio.h>

#include "format.h"
#include "i18n.h"

#define MIME_LOG     "application/x-datagrind-log"
#define MIME_ARCHIVE "application/x-datagrind-archive"
/* Of a folder, not more files than this are looked at.  */
#define MOST_FILES 20000

static void
log_free (gpointer data)
{
  struct dv_recent_log *log = data;
  g_free (log->uri);
  g_free (log->name);
  g_free (log->detail);
  g_free (log);
}

/* The home folder is ~.  */
static char *
display_folder (const char *path)
{
  char *folder = g_path_get_dirname (path);
  const char *home = g_get_home_dir ();
  size_t length = strlen (home);
  char *shown;
  if (length > 1 && strncmp (folder, home, length) == 0
      && (folder[length] == '/' || folder[length] == '\0')) {
    char *below = dv_format_shown (folder + length);
    shown = g_strconcat ("~", below, NULL);
    g_free (below);
  } else {
    shown = dv_format_shown (folder);
  }
  g_free (folder);
  return shown;
}

static char *
display_facts (guint64 size, gint64 time)
{
  char bytes[40];
  dv_format_size (bytes, sizeof bytes, size);
  GDateTime *date = g_date_time_new_from_unix_local (time);
  /* Translators: date and time, as strftime has it.  */
  char *when = date != NULL ? g_date_time_format (date, _ ("%x %H:%M")) : NULL;
  char *facts = when != NULL ? g_strdup_printf ("%s, %s", bytes, when)
                             : g_strdup (bytes);
  if (date != NULL)
    g_date_time_unref (date);
  g_free (when);
  return facts;
}

/* Takes the detail over.  */
static struct dv_recent_log *
log_new (const char *path, char *detail, gint64 time)
{
  struct dv_recent_log *log = g_new0 (struct dv_recent_log, 1);
  log->uri = g_filename_to_uri (path, NULL, NULL);
  log->name = g_filename_display_basename (path);
  log->detail = detail;
  log->time = time;
  return log;
}

static gint
newer_first (gconstpointer a, gconstpointer b)
{
  const struct dv_recent_log *x = *(void *const *) a, *y = *(void *const *) b;
  if (x->time != y->time)
    return x->time < y->time ? 1 : -1;
  return strcmp (x->uri, y->uri);
}

/* ---- Opened lately ---------------------------------------------------- */

GPtrArray *
dv_recent_list (guint most)
{
  GPtrArray *logs = g_ptr_array_new_with_free_func (log_free);
  GList *items
    = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  for (GList *item = items; item != NULL; item = item->next) {
    GtkRecentInfo *info = item->data;
    const char *type = gtk_recent_info_get_mime_type (info);
    if (g_strcmp0 (type, MIME_LOG) != 0 && g_strcmp0 (type, MIME_ARCHIVE) != 0)
      continue;
    char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL,
                                      NULL);
    if (path != NULL && gtk_recent_info_exists (info))
      g_ptr_array_add (logs, log_new (path, display_folder (path),
                                      gtk_recent_info_get_modified (info)));
    g_free (path);
  }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  g_ptr_array_sort (logs, newer_first);
  if (logs->len > most)
    g_ptr_array_set_size (logs, (gint) most);
  return logs;
}

void
dv_recent_note (const char *path, bool is_archive)
{
  char *absolute = g_canonicalize_filename (path, NULL);
  char *uri = g_filename_to_uri (absolute, NULL, NULL);
  char *name = g_filename_display_basename (path);
  char type[] = MIME_ARCHIVE;
  if (!is_archive)
    g_strlcpy (type, MIME_LOG, sizeof type);
  char application[] = "Datagrind", command[] = "dg_view %f";
  GtkRecentData data = {
    .display_name = name,
    .mime_type = type,
    .app_name = application,
    .app_exec = command,
  };
  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri,
                                 &data);
  g_free (name);
  g_free (uri);
  g_free (absolute);
}

/* ---- Lying here ------------------------------------------------------- */

static bool
is_named_like_a_log (const char *name)
{
  return g_str_has_prefix (name, "datagrind.out.")
           ? !g_str_has_suffix (name, ".dgx")
           : g_str_has_suffix (name, ".dgz");
}

static void *
run_nearby (void *input, dg_progress_fn progress, void *user,
            struct dg_error *err)
{
  const char *folder = input, *name;
  GPtrArray *logs = g_ptr_array_new_with_free_func (log_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (guint n = 0; dir != NULL && n < MOST_FILES
                    && (name = g_dir_read_name (dir)) != NULL; n++) {
    GStatBuf info;
    if (!is_named_like_a_log (name))
      continue;
    char *path = g_build_filename (folder, name, NULL);
    if (g_stat (path, &info) == 0 && S_ISREG (info.st_mode)
        && info.st_size > 0)
      g_ptr_array_add (logs, log_new (path,
                                      display_facts ((guint64) info.st_size,
                                                     info.st_mtime),
                                      info.st_mtime));
    g_free (path);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_ptr_array_sort (logs, newer_first);
  if (logs->len > DV_NEARBY_MOST)
    g_ptr_array_set_size (logs, DV_NEARBY_MOST);
  return logs;
}

static const struct dv_job_class nearby_class = {
  run_nearby, g_free, (GDestroyNotify) g_ptr_array_unref};

struct dv_job *
dv_recent_nearby (const char *folder, dv_job_done done, void *user)
{
  return dv_job_start (&nearby_class, g_strdup (folder), done, user);
}
