/* log_list.c: `dg` without a command: the logs of the current folder.
   Archives have their figures in their summary; raw logs are read as long as
   that does not take long.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log_list.h"

#include "base/cli_message.h"
#include "base/output.h"
#include "base/report_text.h"
#include "dg_analysis.h"
#include "libdatagrind.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

/* For reading raw logs, of all together.  */
#define READING_US (300 * 1000)

struct found {
  char *name, *program, *when;
  gint64 time;             /* of the last change, ns */
  uint64_t accesses, bytes;
  bool is_read;            /* accesses are known */
  const char *state;       /* NULL: nothing to say */
};

static void
found_free (gpointer data)
{
  struct found *found = data;

  g_free (found->name);
  g_free (found->program);
  g_free (found->when);
  g_free (found);
}

/* ---- One log ---------------------------------------------------------- */

/* Stops when the time is over.  */
static int
check_time (void *user, uint64_t done, uint64_t total)
{
  (void) done;
  (void) total;
  return g_get_monotonic_time () > *(const gint64 *) user;
}

static const char *
state_of (const struct dg_log *log, int code)
{
  switch (code) {
  case 0:
    return NULL;
  case DG_ERR_CANCELLED:
    return "not read: large";
  case DG_ERR_TRUNCATED:
    return dg_log_writer (log) == DG_WRITER_ACTIVE ? "being recorded"
                                                   : "cut short";
  default:
    return "damaged";
  }
}

static void
take_figures (struct found *found, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  found->is_read = true;
  found->accesses = dg_log_summary (log)->accesses;
  if (process == NULL)
    return;
  found->program = g_path_get_basename (
    process->argc > 0 ? process->argv[0] : process->exe);
}

/* NULL if the file is not a log.  */
static struct found *
look (const char *name, gint64 *deadline)
{
  struct found *found;
  struct dg_error error;
  struct dg_log *log;
  GDateTime *time;
  struct stat there;
  int code;

  if (stat (name, &there) < 0 || !S_ISREG (there.st_mode))
    return NULL;
  code = dg_log_open (name, &log, &error);
  if (code < 0 && code != DG_ERR_DAMAGED && code != DG_ERR_VERSION)
    return NULL;
  found = g_new0 (struct found, 1);
  found->name = g_strdup (name);
  found->bytes = (uint64_t) there.st_size;
  found->time = (gint64) there.st_mtim.tv_sec * 1000000000
                + there.st_mtim.tv_nsec;
  time = g_date_time_new_from_unix_local (there.st_mtim.tv_sec);
  found->when = time != NULL ? g_date_time_format (time, "%F %H:%M")
                             : g_strdup ("");
  g_clear_pointer (&time, g_date_time_unref);
  if (code < 0) {
    found->state = code == DG_ERR_VERSION ? "of another version" : "damaged";
    return found;
  }
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  code = dg_log_load_summary (log, 1, check_time, deadline, &error);
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED)
    take_figures (found, log);
  found->state = state_of (log, code);
  dg_log_close (log);
  return found;
}

/* ---- All of them ------------------------------------------------------ */

static int
compare (gconstpointer a, gconstpointer b)
{
  const struct found *x = *(struct found *const *) a;
  const struct found *y = *(struct found *const *) b;

  if (x->time != y->time)
    return x->time > y->time ? -1 : 1;
  return strcmp (x->name, y->name);
}

struct file {
  char *name;
  gint64 bytes;
};

static void
file_clear (gpointer data)
{
  g_free (((struct file *) data)->name);
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const struct file *) a)->bytes;
  gint64 y = ((const struct file *) b)->bytes;

  return x < y ? -1 : x > y;
}

/* The files of the folder, the smallest first, so that one large log does not
   take the time of all others.  */
static GArray *
gather_files (void)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (struct file));
  GDir *folder = g_dir_open (".", 0, NULL);
  const char *name;

  g_array_set_clear_func (files, file_clear);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    struct stat there;

    if (stat (name, &there) == 0 && S_ISREG (there.st_mode)) {
      struct file file = {g_strdup (name), there.st_size};

      g_array_append_val (files, file);
    }
  }
  g_clear_pointer (&folder, g_dir_close);
  g_array_sort (files, compare_sizes);
  return files;
}

static GPtrArray *
gather (void)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (found_free);
  GArray *files = gather_files ();
  gint64 deadline = g_get_monotonic_time () + READING_US;

  for (guint i = 0; i < files->len; i++) {
    struct found *found = look (g_array_index (files, struct file, i).name,
                                &deadline);

    if (found != NULL)
      g_ptr_array_add (all, found);
  }
  g_array_unref (files);
  g_ptr_array_sort (all, compare);
  return all;
}

static void
put_rows (const GPtrArray *all, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    {"log", "Log", DG_UNIT_TEXT, 0},
    {"program", "Program", DG_UNIT_TEXT, 0},
    {"when", "Recorded", DG_UNIT_TEXT, 0},
    {"accesses", "Accesses", DG_UNIT_COUNT, 0},
    {"size", "Size", DG_UNIT_BYTES, 0},
    {"state", "", DG_UNIT_TEXT, 0}};
  struct dg_rows *rows = dg_report_table (
    report, "logs", "Logs of this folder", columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < all->len; i++) {
    const struct found *found = all->pdata[i];

    dg_rows_add (rows, (const struct dg_cell[]) {
                         DG_CELL_TEXT (found->name),
                         DG_CELL_TEXT (found->program),
                         DG_CELL_TEXT (found->when),
                         found->is_read ? DG_CELL_NUMBER (found->accesses)
                                        : DG_CELL_EMPTY,
                         DG_CELL_NUMBER (found->bytes),
                         DG_CELL_TEXT (found->state)});
  }
}

static void
print_list (const GPtrArray *all)
{
  struct report_text_options options =
    report_text_options (NULL, 0, NULL, false, 80);
  struct output *out = g_new (struct output, 1);
  struct dg_error error;
  struct dg_report *report = dg_report_new (&error);

  output_init (out);
  if (report == NULL) {
    cli_fail ("%s", error.message);
  } else {
    put_rows (all, report);
    dg_report_note (report, "'dg info LOG' shows more of one, 'dg advise LOG'"
                            " what is slow or wasteful, 'dg --help' all"
                            " commands.");
    if (dg_report_check (report, &error) < 0)
      cli_fail ("%s", error.message);
    else
      report_text (out, report, &options);
    output_finish (out);
    dg_report_free (report);
  }
  g_free (out);
}

bool
log_list (void)
{
  GPtrArray *all = gather ();
  bool has_logs = all->len > 0;

  if (has_logs)
    print_list (all);
  g_ptr_array_unref (all);
  return has_logs;
}
