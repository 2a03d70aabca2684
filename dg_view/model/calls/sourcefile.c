/* sourcefile.c: reading sources.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sourcefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sourcemap.h"

/* ---- Names ------------------------------------------------------------- */

char **
dv_sourcefile_names (const char *const *map, const struct dv_data *data,
                     const char *file)
{
  char *folders[3] = { NULL };
  int n = 0;
  if (data != NULL) {
    const struct dg_process *process = dg_log_process (data->log);
    if (process != NULL && g_path_is_absolute (process->cwd))
      folders[n++] = g_strdup (process->cwd);
    folders[n++] = g_path_get_dirname (dg_log_path (data->log));
  }
  char **names = dv_sourcemap_candidates (map, (const char *const *) folders,
                                          file);
  for (int i = 0; i < n; i++)
    g_free (folders[i]);
  return names;
}

char *
dv_sourcefile_find (const char *const *map, const struct dv_data *data,
                    const char *file)
{
  char **names = dv_sourcefile_names (map, data, file), *found = NULL;
  for (char **name = names; *name != NULL && found == NULL; name++)
    if (g_file_test (*name, G_FILE_TEST_IS_REGULAR))
      found = g_strdup (*name);
  g_strfreev (names);
  return found;
}

int64_t
dv_sourcefile_recorded (const struct dv_data *data)
{
  const struct dg_process *process = dg_log_process (data->log);
  struct stat status;
  if (process != NULL && process->wall_ns > 0)
    return (int64_t) (process->wall_ns / 1000000000);
  return stat (dg_log_path (data->log), &status) == 0 ? status.st_mtime : 0;
}

/* ---- Text -------------------------------------------------------------- */

/* Text widgets end lines also at a carriage return alone and at the paragraph
   separator of Unicode, compilers do not.  */
static void
join_lines (char *text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (text[i] == '\r' && (i + 1 == n || text[i + 1] != '\n'))
      text[i] = ' ';
    else if (n - i >= 3 && memcmp (text + i, "\xe2\x80\xa9", 3) == 0)
      memset (text + i, ' ', 3);
}

static bool
has_long_line (const char *text, size_t n)
{
  size_t start = 0;
  for (size_t i = 0; i <= n; i++)
    if (i == n || text[i] == '\n') {
      if (i - start > DV_SOURCE_MAX_LINE)
        return true;
      start = i + 1;
    }
  return false;
}

char *
dv_sourcefile_text (const char *bytes, size_t n, bool *was_converted,
                    enum dv_source_problem *problem)
{
  char *text;
  *was_converted = false;
  *problem = DV_SOURCE_FINE;
  if (n > 0 && memchr (bytes, '\0', n) != NULL) {
    *problem = DV_SOURCE_BINARY;
    return NULL;
  }
  if (has_long_line (bytes, n)) {
    *problem = DV_SOURCE_LONG_LINES;
    return NULL;
  }
  if (g_utf8_validate (bytes, (gssize) n, NULL)) {
    text = g_strndup (bytes, n);
  } else {
    text = g_convert (bytes, (gssize) n, "UTF-8", "ISO-8859-1", NULL, NULL,
                      NULL);
    *was_converted = true;
  }
  if (text == NULL)
    *problem = DV_SOURCE_BINARY;
  else
    join_lines (text, strlen (text));
  return text;
}

/* ---- Files ------------------------------------------------------------- */

/* Up to one byte more than may be; negative with errno.  */
static ssize_t
read_all (int fd, char *buffer, size_t size)
{
  size_t done = 0;
  while (done < size) {
    ssize_t n = read (fd, buffer + done, size - done);
    if (n == 0)
      break;
    if (n > 0)
      done += (size_t) n;
    else if (errno != EINTR)
      return -1;
  }
  return (ssize_t) done;
}

static void
read_text (struct dv_sourcefile *file, int fd, size_t size)
{
  char *bytes = g_try_malloc (size + 1);
  ssize_t n = bytes != NULL ? read_all (fd, bytes, size + 1) : -1;
  if (n < 0) {
    file->problem = DV_SOURCE_UNREADABLE;
    file->why = g_strdup (g_strerror (bytes != NULL ? errno : ENOMEM));
  } else {
    file->text = dv_sourcefile_text (bytes, MIN ((size_t) n, size),
                                     &file->was_converted, &file->problem);
    file->length = file->text != NULL ? strlen (file->text) : 0;
  }
  g_free (bytes);
}

/* False: there is no such file.  */
static bool
read_file (struct dv_sourcefile *file, const char *path)
{
  struct stat status;
  /* A pipe that nobody writes to must not stop us, nor a terminal become
     ours; and opening alone can have effects on a device.  */
  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode)) {
    file->path = g_strdup (path);
    file->problem = DV_SOURCE_NO_FILE;
    return true;
  }
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
    return false;
  file->path = g_strdup (path);
  if (fd < 0 || fstat (fd, &status) < 0) {
    file->problem = DV_SOURCE_UNREADABLE;
    file->why = g_strdup (g_strerror (errno));
  } else if (!S_ISREG (status.st_mode)) {
    file->problem = DV_SOURCE_NO_FILE;
  } else if ((uint64_t) status.st_size > DV_SOURCE_MAX_BYTES) {
    file->problem = DV_SOURCE_TOO_LARGE;
  } else {
    file->changed = status.st_mtime;
    read_text (file, fd, (size_t) status.st_size);
  }
  if (fd >= 0)
    close (fd);
  return true;
}

/* The same of a file that the log has.  */
static bool
read_bundled (struct dv_sourcefile *file, const struct dg_log *log,
              const char *path)
{
  struct dg_error error;
  char *bytes;
  size_t n;
  if (log == NULL || !dg_log_has_source (log, path))
    return false;
  file->path = g_strdup (path);
  int code = dg_log_read_source (log, path, DV_SOURCE_MAX_BYTES, &bytes, &n,
                                 &file->changed, &error);
  if (code == DG_ERR_LIMIT) {
    file->problem = DV_SOURCE_TOO_LARGE;
  } else if (code < 0) {
    file->problem = DV_SOURCE_UNREADABLE;
    file->why = g_strdup (error.message);
  } else {
    file->text = dv_sourcefile_text (bytes, n, &file->was_converted,
                                     &file->problem);
    file->length = file->text != NULL ? strlen (file->text) : 0;
    free (bytes);
  }
  return true;
}

struct dv_sourcefile *
dv_sourcefile_read (const struct dg_log *log, const char *const *names)
{
  struct dv_sourcefile *file = g_new0 (struct dv_sourcefile, 1);
  for (; *names != NULL; names++)
    if (read_bundled (file, log, *names) || read_file (file, *names))
      return file;
  file->problem = DV_SOURCE_MISSING;
  return file;
}

void
dv_sourcefile_free (struct dv_sourcefile *file)
{
  if (file == NULL)
    return;
  g_free (file->path);
  g_free (file->why);
  g_free (file->text);
  g_free (file);
}
