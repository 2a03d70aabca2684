/* bundled.c: files that a log brings with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sized.h"
#include "log.h"
#include "packed.h"

/* ---- Places ------------------------------------------------------------ */

int
dg_log_set_places (struct dg_log *log, const struct dg_places *places,
                   struct dg_error *err)
{
  struct dg_places own;

  if (DG_SIZED_TAKE (&own, source_map, places, err) < 0
      || dg_places_check (own.source_map, err) < 0)
    return DG_ERR_INVALID;
  dg_places_free (log->places);
  log->places = dg_places_keep (&own);
  return 0;
}

const struct dg_places_kept *
dg_bundled_places (const struct dg_log *log)
{
  return log->places;
}

/* ---- Files in the log -------------------------------------------------- */

static const struct dg_archive *
archive_of (const struct dg_log *log)
{
  return log->contents.packed != NULL ? log->contents.packed->archive : NULL;
}

const struct dg_table *
dg_bundled_files (const struct dg_log *log)
{
  const struct dg_archive *archive = archive_of (log);

  return archive != NULL && archive->files.n > 0 ? &archive->files : NULL;
}

const char *
dg_bundled_problem (const struct dg_log *log)
{
  const struct dg_archive *archive = archive_of (log);

  return archive != NULL && archive->bundle_error.code < 0
           ? archive->bundle_error.message
           : NULL;
}

static int
take_in_file (void *user, uint64_t offset, const uint8_t *bytes, size_t n,
              struct dg_error *err)
{
  const int *fd = user;

  while (n > 0) {
    ssize_t got = pwrite (*fd, bytes, n, (off_t) offset);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return dg_error_set (err, DG_ERR_IO, "a file of the bundle cannot be "
                           "kept in memory: %s",
                           g_strerror (got < 0 ? errno : ENOSPC));
    bytes += got;
    offset += (uint64_t) got;
    n -= (size_t) got;
  }
  return 0;
}

int
dg_bundled_open (const struct dg_log *log, const struct dg_bundle_file *file,
                 struct dg_error *err)
{
  int fd =
    memfd_create ("datagrind-bundle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int code;

  if (fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (ftruncate (fd, (off_t) file->size) < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  else
    code = dg_bundle_extract (&log->source, file, take_in_file, &fd, err);
  if (code == 0
      && fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
           < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (code == 0)
    return fd;
  close (fd);
  return code;
}

static int
take_in_memory (void *user, uint64_t offset, const uint8_t *bytes, size_t n,
                struct dg_error *err)
{
  (void) err;
  memcpy ((char *) user + offset, bytes, n);
  return 0;
}

static int
read_bundled (const struct dg_log *log, const struct dg_bundle_file *file,
              size_t max, char **text, size_t *n, struct dg_error *err)
{
  char *bytes;
  int code;

  if (file->size > max)
    return dg_error_set (err, DG_ERR_LIMIT, "too large");
  bytes = calloc (1, (size_t) file->size + 1);
  if (bytes == NULL)
    return dg_error_nomem (err);
  code = dg_bundle_extract (&log->source, file, take_in_memory, bytes, err);
  if (code < 0) {
    free (bytes);
    return code;
  }
  *text = bytes;
  *n = (size_t) file->size;
  return 0;
}

static const struct dg_bundle_file *
source_of (const struct dg_log *log, const char *path)
{
  const struct dg_table *files = dg_bundled_files (log);

  return files != NULL
           ? dg_bundle_lookup (files, DG_BUNDLE_SOURCE, path, NULL, 0)
           : NULL;
}

bool
dg_log_has_source (const struct dg_log *log, const char *path)
{
  return source_of (log, path) != NULL;
}

int
dg_log_read_source (const struct dg_log *log, const char *path, size_t max,
                    char **text, size_t *n, int64_t *changed,
                    struct dg_error *err)
{
  const struct dg_bundle_file *file = source_of (log, path);

  *text = NULL;
  if (file == NULL)
    return dg_regular_read (path, max, text, n, changed, err);
  if (changed != NULL)
    *changed = file->changed;
  return read_bundled (log, file, max, text, n, err);
}

bool
dg_log_bundled (const struct dg_log *log, struct dg_bundle_summary *summary)
{
  const struct dg_table *files = dg_bundled_files (log);
  const struct dg_bundle_file *all = files != NULL ? files->items : NULL;

  memset (summary, 0, sizeof *summary);
  for (size_t i = 0; files != NULL && i < files->n; i++) {
    const struct dg_part *parts = all[i].parts.items;

    summary->modules += all[i].kind == DG_BUNDLE_MODULE;
    summary->debug_files += all[i].kind == DG_BUNDLE_DEBUG
                            || all[i].kind == DG_BUNDLE_SHARED
                            || all[i].kind == DG_BUNDLE_SPLIT;
    summary->sources += all[i].kind == DG_BUNDLE_SOURCE;
    summary->file_bytes += all[i].size;
    for (size_t k = 0; k < all[i].parts.n; k++)
      summary->stored_bytes += parts[k].size;
  }
  return files != NULL;
}
