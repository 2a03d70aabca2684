/* complete_log.c: names of the log on a command line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "complete_log.h"

#include "base/printable.h"
#include "complete_run.h"
#include "libdatagrind.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Processor time for reading a log.  */
#define CPU_MS 100
/* Nobody reads a longer list.  */
#define NAMES_MAX 500

struct question {
  const char *path;
  enum complete_names which;
};

/* What a terminal cannot show cannot be typed either.  */
static void
add_name (GPtrArray *names, GHashTable *seen, const char *name)
{
  bool is_plain = name != NULL && name[0] != '\0'
                  && g_utf8_validate (name, -1, NULL);

  for (const char *at = name; is_plain && *at != '\0'; at++)
    is_plain = !printable_is_control (at, true);
  if (is_plain && names->len < NAMES_MAX
      && g_hash_table_add (seen, (gpointer) name))
    g_ptr_array_add (names, (gpointer) name);
}

/* By name, as a number says less.  */
static void
add_threads (const struct dg_log *log, GPtrArray *names, GHashTable *seen)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (log, &n);

  for (size_t i = 0; i < n && names->len < NAMES_MAX; i++)
    add_name (names, seen,
              threads[i].name[0] != '\0'
                ? threads[i].name
                : g_strdup_printf ("%u", (unsigned) threads[i].number));
}

static void
gather (const struct dg_log *log, enum complete_names which, GPtrArray *names,
        GHashTable *seen)
{
  size_t n;

  if (which == COMPLETE_EVENTS) {
    const struct dg_event *events = dg_log_events (log, &n);

    for (size_t i = 0; i < n; i++)
      add_name (names, seen, events[i].label);
  } else if (which == COMPLETE_RANGES) {
    const struct dg_range *ranges = dg_log_ranges (log, &n);

    for (size_t i = 0; i < n; i++)
      add_name (names, seen, ranges[i].label);
  } else if (which == COMPLETE_THREADS) {
    add_threads (log, names, seen);
  } else {
    const struct dg_module *modules = dg_log_modules (log, &n);

    for (size_t i = 0; i < n; i++) {
      const char *file = modules[i].file != NULL ? modules[i].file : "";
      const char *slash = strrchr (file, '/');

      add_name (names, seen, slash != NULL ? slash + 1 : file);
    }
  }
}

/* In the child, which ends after it.  */
static void
print_names (void *user)
{
  const struct question *question = user;
  GPtrArray *names = g_ptr_array_new ();
  GHashTable *seen = g_hash_table_new (dg_hash_text, g_str_equal);
  struct dg_error error;
  struct dg_log *log;

  /* What could be read of a damaged log is in it, too.  */
  if (dg_log_open (question->path, &log, &error) < 0)
    return;
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  dg_log_load (log, 1, NULL, NULL, &error);
  gather (log, question->which, names, seen);
  for (guint i = 0; i < names->len; i++)
    puts (names->pdata[i]);
}

GPtrArray *
complete_log (const char *path, enum complete_names which)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  struct question question = {path, which};
  struct stat there;
  char *text, **lines;

  if (path == NULL || stat (path, &there) < 0 || !S_ISREG (there.st_mode))
    return names;
  text = complete_run (print_names, &question, CPU_MS);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if ((*line)[0] != '\0')
      g_ptr_array_add (names, g_strdup (*line));
  g_strfreev (lines);
  g_free (text);
  return names;
}
