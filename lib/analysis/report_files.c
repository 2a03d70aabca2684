/* report_files.c: the files that a report writes: beside their places, where
   they are put when all went well.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_files.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "log/log.h"
#include "base/replace.h"
#include "report_parts.h"

struct dg_report_file {
  FILE *stream;            /* NULL when it is closed */
  struct dg_replace replace;   /* path NULL: standard output */
  bool is_output;
};

void
dg_report_set_log (struct dg_report *report, const struct dg_log *log)
{
  report->log = log;
}

static int
open_nowhere (struct dg_report_file *file, struct dg_error *err)
{
  file->stream = fopen ("/dev/null", "we");
  if (file->stream)
    return 0;
  return dg_error_set (err, DG_ERR_IO, "/dev/null: %s", g_strerror (errno));
}

static int
open_output (struct dg_report *report, struct dg_report_file *file,
             struct dg_error *err)
{
  int fd;

  if (report->has_output)
    return dg_error_set (err, DG_ERR_INVALID,
                         "only one file can be standard output");
  fd = dup (STDOUT_FILENO);
  file->stream = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (!file->stream) {
    dg_error_set (err, DG_ERR_IO, "standard output: %s", g_strerror (errno));
    if (fd >= 0)
      close (fd);
    return DG_ERR_IO;
  }
  file->is_output = true;
  report->has_output = true;
  return 0;
}

/* Is another file going there?  */
static bool
is_taken (const struct dg_report *report, const char *path)
{
  const struct dg_report_file *files = report->files.items;

  for (size_t i = 0; i < report->files.n; i++)
    if (files[i].replace.path && strcmp (files[i].replace.path, path) == 0)
      return true;
  return false;
}

static int
open_file (struct dg_report *report, struct dg_report_file *file,
           const char *path, struct dg_error *err)
{
  static const struct dg_source none = {.fd = -1};
  const struct dg_source *source =
    report->log ? &report->log->source : &none;
  struct dg_error error;

  if (is_taken (report, path))
    return dg_error_set (err, DG_ERR_INVALID, "%s: named for two outputs",
                                              path);
  if (dg_replace_begin (&file->replace, path, false, source, &error) < 0)
    return dg_error_set (err, error.code, "%s: %s", path, error.message);
  file->stream = fopen (file->replace.temporary, "we");
  if (file->stream)
    return 0;
  dg_error_set (err, DG_ERR_IO, "%s: %s", path, g_strerror (errno));
  dg_replace_fini (&file->replace);
  return DG_ERR_IO;
}

FILE *
dg_report_file (struct dg_report *report, const char *path,
                struct dg_error *err)
{
  struct dg_report_file file = {NULL}, *kept;
  int code;

  if (dg_table_reserve (&report->files, sizeof file, report->files.n + 1)
      < 0) {
    dg_error_nomem (err);
    return NULL;
  }
  code = report->is_apart ? open_nowhere (&file, err)
         : dg_replace_is_standard (path)
           ? open_output (report, &file, err)
           : open_file (report, &file, path, err);
  if (code < 0)
    return NULL;
  kept = dg_table_add (&report->files, sizeof file);
  *kept = file;
  return kept->stream;
}

/* Closes a file: did all of it get there?  */
static int
close_file (struct dg_report_file *file, struct dg_error *err)
{
  const char *name =
    file->is_output ? "standard output" : file->replace.path;
  bool is_bad = ferror (file->stream) != 0;
  int reason;

  errno = 0;
  is_bad |= fclose (file->stream) != 0;
  reason = errno;
  file->stream = NULL;
  if (!is_bad)
    return 0;
  return dg_error_set (err, DG_ERR_IO, "%s: %s", name,
                       reason ? dg_output_error (reason)
                              : "could not be written");
}

int
dg_report_files_commit (struct dg_report *report, struct dg_error *err)
{
  struct dg_report_file *files = report->files.items;
  struct dg_error error;

  for (size_t i = 0; i < report->files.n; i++)
    if (files[i].stream) {
      int code = close_file (&files[i], err);

      if (code < 0)
        return code;
    }
  for (size_t i = 0; i < report->files.n; i++)
    if (files[i].replace.temporary
        && dg_replace_commit (&files[i].replace, &error) < 0)
      return dg_error_set (err, error.code, "%s: %s", files[i].replace.path,
                           error.message);
  return 0;
}

void
dg_report_files_fini (struct dg_report *report)
{
  struct dg_report_file *files = report->files.items;

  for (size_t i = 0; i < report->files.n; i++) {
    if (files[i].stream)
      fclose (files[i].stream);
    if (files[i].replace.path)
      dg_replace_fini (&files[i].replace);
  }
  dg_table_fini (&report->files);
}

bool
dg_report_has_output (const struct dg_report *report)
{
  return report->has_output;
}
