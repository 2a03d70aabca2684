/* bookmark.c: bookmarks in a key file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bookmark.h"

#include <string.h>

#include <glib/gstdio.h>
#include <libdatagrind.h>

#define MAX_FILE  (4 << 20)
#define MAX_NAME  200            /* characters */
#define USED      "used"

/* ---- Bookmarks ------------------------------------------------------- */

static void
bookmark_free (void *memory)
{
  struct dv_bookmark *bookmark = memory;
  g_free (bookmark->name);
  g_free (bookmark->events);
  g_free (bookmark->ranges);
  g_free (bookmark);
}

GPtrArray *
dv_bookmark_list_new (void)
{
  return g_ptr_array_new_with_free_func (bookmark_free);
}

char *
dv_bookmark_name (const char *name)
{
  char *valid = g_utf8_make_valid (name, -1);
  GString *line = g_string_new (NULL);
  glong n = 0;
  for (const char *p = valid; *p != '\0' && n < MAX_NAME;
       p = g_utf8_next_char (p), n++) {
    gunichar c = g_utf8_get_char (p);
    g_string_append_unichar (line, g_unichar_iscntrl (c) ? ' ' : c);
  }
  g_free (valid);
  return g_strstrip (g_string_free (line, FALSE));
}

bool
dv_bookmark_add (GPtrArray *bookmarks, const struct dv_bookmark *bookmark)
{
  char *name = dv_bookmark_name (bookmark->name);
  if (bookmarks->len >= DV_BOOKMARK_MOST || *name == '\0'
      || bookmark->address_start >= bookmark->address_end
      || bookmark->icount_start >= bookmark->icount_end) {
    g_free (name);
    return false;
  }
  struct dv_bookmark *copy = g_new (struct dv_bookmark, 1);
  *copy = *bookmark;
  copy->name = name;
  copy->events = g_utf8_make_valid (bookmark->events, -1);
  copy->ranges = g_utf8_make_valid (bookmark->ranges, -1);
  g_ptr_array_add (bookmarks, copy);
  return true;
}

/* ---- The file -------------------------------------------------------- */

char *
dv_bookmark_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "datagrind",
                           "bookmarks.ini", NULL);
}

/* Empty if there is none, or none of ours.  */
static GKeyFile *
read_file (const char *path)
{
  GKeyFile *file = g_key_file_new ();
  GStatBuf status;
  if (g_stat (path, &status) == 0 && S_ISREG (status.st_mode)
      && status.st_size <= MAX_FILE)
    g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

/* Names of groups may not have everything that an id may.  */
static char *
group_of (const char *id)
{
  char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, id, -1);
  char *group = g_strconcat ("log ", sum, NULL);
  g_free (sum);
  return group;
}

static char *
key (const char *what, unsigned i)
{
  return g_strdup_printf ("%s%u", what, i + 1);
}

/* "" for what is not there.  */
static char *
get_text (GKeyFile *file, const char *group, const char *what, unsigned i)
{
  char *name = key (what, i);
  char *text = g_key_file_get_string (file, group, name, NULL);
  g_free (name);
  return text != NULL ? text : g_strdup ("");
}

static void
set_text (GKeyFile *file, const char *group, const char *what, unsigned i,
          const char *text)
{
  char *name = key (what, i);
  if (*text != '\0')
    g_key_file_set_string (file, group, name, text);
  g_free (name);
}

/* Four numbers.  */
static bool
parse_view (const char *text, struct dv_bookmark *bookmark)
{
  uint64_t *numbers[] = { &bookmark->address_start, &bookmark->address_end,
                          &bookmark->icount_start, &bookmark->icount_end };
  char **parts = g_strsplit (text, " ", 5);
  bool good = g_strv_length (parts) == G_N_ELEMENTS (numbers);
  for (guint i = 0; good && i < G_N_ELEMENTS (numbers); i++) {
    guint64 number;
    good = g_ascii_string_to_unsigned (parts[i], 10, 0, G_MAXUINT64, &number,
                                       NULL);
    *numbers[i] = good ? number : 0;
  }
  g_strfreev (parts);
  return good;
}

GPtrArray *
dv_bookmark_load (const char *path, const char *id)
{
  GPtrArray *bookmarks = dv_bookmark_list_new ();
  GKeyFile *file = read_file (path);
  char *group = group_of (id);
  for (unsigned i = 0; i < DV_BOOKMARK_MOST; i++) {
    struct dv_bookmark bookmark = { 0 };
    char *view = get_text (file, group, "view", i);
    char *colour = get_text (file, group, "colour", i);
    bookmark.name = get_text (file, group, "name", i);
    bookmark.events = get_text (file, group, "events", i);
    bookmark.ranges = get_text (file, group, "ranges", i);
    dv_colouring_parse (colour, &bookmark.colouring);
    if (parse_view (view, &bookmark))
      dv_bookmark_add (bookmarks, &bookmark);
    g_free (bookmark.name);
    g_free (bookmark.events);
    g_free (bookmark.ranges);
    g_free (colour);
    g_free (view);
  }
  g_free (group);
  g_key_file_unref (file);
  return bookmarks;
}

/* Those that were used longest ago, beyond what is kept.  */
static void
drop_oldest (GKeyFile *file)
{
  gsize n;
  char **groups = g_key_file_get_groups (file, &n);
  while (n > DV_BOOKMARK_LOGS) {
    gsize oldest = 0;
    gint64 least = G_MAXINT64;
    for (gsize i = 0; i < n; i++) {
      gint64 used = g_key_file_get_int64 (file, groups[i], USED, NULL);
      if (used < least) {
        least = used;
        oldest = i;
      }
    }
    g_key_file_remove_group (file, groups[oldest], NULL);
    g_free (groups[oldest]);
    groups[oldest] = groups[--n];
    groups[n] = NULL;
  }
  g_strfreev (groups);
}

static void
put (GKeyFile *file, const char *group, const GPtrArray *bookmarks)
{
  for (unsigned i = 0; i < MIN (bookmarks->len, DV_BOOKMARK_MOST); i++) {
    const struct dv_bookmark *b = g_ptr_array_index (bookmarks, i);
    char *view = g_strdup_printf (
      "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
      " %" G_GUINT64_FORMAT, b->address_start, b->address_end,
      b->icount_start, b->icount_end);
    set_text (file, group, "name", i, b->name);
    set_text (file, group, "view", i, view);
    set_text (file, group, "events", i, b->events);
    set_text (file, group, "ranges", i, b->ranges);
    set_text (file, group, "colour", i,
              b->colouring != DV_COLOUR_KIND ? dv_colouring_name (b->colouring)
                                             : "");
    g_free (view);
  }
}

bool
dv_bookmark_save (const char *path, const char *id, const char *log,
                  const GPtrArray *bookmarks, GError **error)
{
  GKeyFile *file = read_file (path);
  char *group = group_of (id), *folder = g_path_get_dirname (path);
  char *shown = g_filename_display_name (log);
  g_key_file_remove_group (file, group, NULL);
  if (bookmarks->len > 0) {
    g_key_file_set_string (file, group, "log", shown);
    g_key_file_set_int64 (file, group, USED,
                          g_get_real_time () / G_USEC_PER_SEC);
    put (file, group, bookmarks);
  }
  drop_oldest (file);
  g_mkdir_with_parents (folder, 0700);
  gsize n;
  struct dg_error why;
  char *text = g_key_file_to_data (file, &n, NULL);
  bool good = dg_output_save (path, text, n, &why) == 0;
  if (!good)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path,
                 why.message);
  g_free (text);
  g_free (shown);
  g_free (folder);
  g_free (group);
  g_key_file_unref (file);
  return good;
}
