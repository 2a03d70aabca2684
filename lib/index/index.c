/* index.c: opening the index of a log, and what it says of itself.  Its lists
   are index_lists.c's, and it is made by index_build.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/foreign.h"
#include "archive/index_levels.h"
#include "archive/lines.h"
#include "log/packed.h"

/* Enough for the rows of several pictures.  */
#define KEEP_BYTES ((size_t) 160 << 20)

/* ---- Life ---- */

static void
level_fini (struct dg_index_level *level)
{
  for (size_t i = 0; level->refs && i < level->n; i++)
    if (level->refs[i].bytes)
      g_bytes_unref (level->refs[i].bytes);
  g_free (level->refs);
}

void
dg_index_close (struct dg_index *index)
{
  if (!index)
    return;
  dg_index_forget (index);
  for (unsigned k = 0; k < index->n_levels; k++)
    level_fini (&index->levels[k]);
  g_free (index->levels);
  g_free (index->starts);
  g_free (index->note);
  dg_source_close (&index->source);
  g_mutex_clear (&index->lock);
  g_free (index);
}

struct dg_index *
dg_index_new (size_t n_chunks, struct dg_error *err)
{
  struct dg_index *index = g_try_new0 (struct dg_index, 1);

  if (!index) {
    dg_error_nomem (err);
    return NULL;
  }
  g_mutex_init (&index->lock);
  g_queue_init (&index->kept);
  index->source.fd = -1;
  index->origin = DG_INDEX_MEMORY;
  index->keep_bytes = KEEP_BYTES;
  index->n_chunks = n_chunks;
  index->starts = g_try_new0 (struct dg_index_start, n_chunks + 1);
  index->levels = g_new0 (struct dg_index_level, DG_INDEX_MAX_LEVELS + 1);
  for (size_t n = n_chunks, below = 0; n > 0 && below != 1;
       below = n, n = (n - 1) / DG_INDEX_FAN + 1) {
    struct dg_index_level *level = &index->levels[index->n_levels++];

    level->n = n;
    level->refs = g_try_new0 (struct dg_index_ref, n);
    if (!level->refs)
      goto nomem;
    for (size_t i = 0; index->n_levels > 1 && i < n; i++)
      level->refs[i].where = DG_INDEX_MERGED;
  }
  if (index->starts)
    return index;
nomem:
  dg_error_nomem (err);
  dg_index_close (index);
  return NULL;
}

int
dg_index_set_memory (struct dg_index *index, unsigned level, size_t i,
                     const void *bytes, size_t n, struct dg_error *err)
{
  struct dg_index_ref *ref = &index->levels[level].refs[i];
  void *copy;

  ref->where = DG_INDEX_NOWHERE;
  if (n == 0)
    return 0;
  copy = g_try_malloc (n);
  if (!copy)
    return dg_error_nomem (err);
  memcpy (copy, bytes, n);
  ref->bytes = g_bytes_new_take (copy, n);
  ref->where = DG_INDEX_IN_MEMORY;
  index->bytes += n;
  return 0;
}

void
dg_index_set_starts (struct dg_index *index, const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);

  for (size_t i = 0; i < index->n_chunks; i++) {
    index->starts[i].icount = chunks[i].icount;
    index->starts[i].accesses = chunks[i].reads + chunks[i].writes;
  }
  index->starts[index->n_chunks].icount = summary->last_icount;
  index->starts[index->n_chunks].accesses = summary->accesses;
}

/* ---- From an archive or a sidecar ---- */

int
dg_index_mtime (const struct dg_log *log, int64_t *mtime_ns, uint64_t *size,
                struct dg_error *err)
{
  struct stat status;

  *mtime_ns = 0;
  *size = log->source.size;
  if (log->source.fd < 0)
    return 0;
  if (fstat (log->source.fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  *mtime_ns = status.st_mtim.tv_sec * INT64_C (1000000000)
              + status.st_mtim.tv_nsec;
  *size = status.st_size;
  return 0;
}

static void
set_part (struct dg_index *index, unsigned level, size_t i,
          const struct dg_part *part)
{
  struct dg_index_ref *ref = &index->levels[level].refs[i];

  ref->where = part->size > 0 ? DG_INDEX_IN_FILE : DG_INDEX_NOWHERE;
  ref->part = *part;
  index->bytes += part->size;
}

/* A list that is told twice, or of chunks that there are not: the lists below
   say the same, so it is left out.  */
static void
set_coarse (struct dg_index *index, const struct dg_archive_lines *lines)
{
  unsigned shift = lines->level * DG_INDEX_FAN_SHIFT;
  uint64_t i;

  if (lines->level == 0 || lines->level >= index->n_levels)
    return;
  i = lines->first >> shift;
  if (i << shift != lines->first || i >= index->levels[lines->level].n
      || index->levels[lines->level].refs[i].where != DG_INDEX_MERGED)
    return;
  set_part (index, lines->level, i, &lines->part);
}

/* An index of the lists of an archive (or a sidecar, which is one), read from
   the source, which is taken over on success.  The archive has at least
   as many chunks as the log, whose last ones may be damaged.  */
static int
index_of (const struct dg_archive *archive, const struct dg_source *source,
          const struct dg_log *log, struct dg_index **out,
          struct dg_error *err)
{
  const struct dg_chunk_entry *chunks = archive->chunks.items;
  const struct dg_archive_lines *lines = archive->lines.items;
  size_t n = log->contents.chunks.n;
  struct dg_index *index = dg_index_new (n, err);

  if (!index)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    if (chunks[i].lines.size == 0
        && chunks[i].totals.reads + chunks[i].totals.writes > 0) {
      dg_index_close (index);
      return dg_error_set (err, DG_ERR_IO, "the archive has no index");
    }
    set_part (index, 0, i, &chunks[i].lines);
  }
  for (size_t i = 0; n == archive->chunks.n && i < archive->lines.n; i++)
    set_coarse (index, &lines[i]);
  dg_index_set_starts (index, log);
  index->source = *source;
  *out = index;
  return 0;
}

/* Is it the sidecar of this file, as it is now?  */
static int
check_head (const struct dg_log *log, const struct dg_archive *sidecar,
            struct dg_error *err)
{
  const struct dg_archive_head *head = &sidecar->head;
  int64_t mtime_ns;
  uint64_t size;
  int code = dg_index_mtime (log, &mtime_ns, &size, err);

  if (code < 0)
    return code;
  if (head->origin != DG_ORIGIN_SIDECAR)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the file beside the log is not an index");
  if (!sidecar->has_footer)
    return dg_error_set (err, DG_ERR_TRUNCATED,
                         "the index beside the log is not complete");
  if (head->log_size != size || size != log->source.size
      || head->log_mtime_ns != mtime_ns)
    return dg_error_set (err, DG_ERR_INVALID, "the index beside the log is "
                                              "older than the log");
  if (head->word_size != log->format.word_size
      || head->big_endian != log->format.big_endian)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the index beside the log is of another log");
  return 0;
}

/* Does it tell of the chunks that the log was found to have?  */
static int
check_chunks (const struct dg_log *log, const struct dg_archive *sidecar,
              struct dg_error *err)
{
  const struct dg_chunk_entry *entries = sidecar->chunks.items;
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  bool fits = sidecar->chunks.n == n;

  for (size_t i = 0; fits && i < n; i++)
    fits = entries[i].start.icount == chunks[i].icount
           && entries[i].start.runs == chunks[i].runs
           && entries[i].start.reads == chunks[i].reads
           && entries[i].start.writes == chunks[i].writes;
  if (!fits)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the index beside the log is of another log");
  return 0;
}

/* It could say anything of the log: only who has written that is believed, as
   far as the log is.  */
static bool
is_planted (const struct dg_log *log, const struct stat *status)
{
  struct stat own;

  if (!dg_foreign_is_writable (status))
    return false;
  return log->source.fd < 0 || fstat (log->source.fd, &own) < 0
         || own.st_uid != status->st_uid
         || (status->st_mode & S_IWOTH & ~own.st_mode);
}

int
dg_index_open_file (const struct dg_log *log, const char *path,
                    struct dg_source *source, struct dg_archive **sidecar,
                    struct dg_error *err)
{
  struct dg_error why = { 0 };
  struct stat status;
  int code;

  *sidecar = NULL;
  *source = (struct dg_source) { .fd = -1 };
  source->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (source->fd < 0 && errno == ENOENT)
    return dg_error_set (err, DG_ERR_IO, "there is no index beside the log");
  if (source->fd < 0)
    return dg_error_set (err, DG_ERR_IO, "the index beside the log: %s",
                         g_strerror (errno));
  if (fstat (source->fd, &status) < 0 || !S_ISREG (status.st_mode)) {
    code = dg_error_set (err, DG_ERR_IO,
                         "the index beside the log: not a regular file");
  } else if (is_planted (log, &status)) {
    code = dg_error_set (err, DG_ERR_IO,
                         "the index beside the log: another user may have "
                         "written it");
  } else {
    source->size = status.st_size;
    code = dg_archive_open (source, sidecar, &why);
    if (code < 0)
      dg_error_set (err, code, "the index beside the log: %s", why.message);
    else
      code = check_head (log, *sidecar, err);
  }
  if (code < 0) {
    dg_source_close (source);
    dg_archive_free (*sidecar);
    *sidecar = NULL;
  }
  return code;
}

int
dg_index_open_sidecar (const struct dg_log *log, const char *path,
                       struct dg_index **index, struct dg_error *err)
{
  struct dg_archive *sidecar;
  struct dg_source source;
  int code;

  *index = NULL;
  code = dg_index_open_file (log, path, &source, &sidecar, err);
  if (code < 0)
    return code;
  code = check_chunks (log, sidecar, err);
  /* It is complete, and replaced as a whole if at all.  */
  if (code == 0)
    dg_source_map (&source);
  if (code == 0)
    code = index_of (sidecar, &source, log, index, err);
  if (code == 0)
    (*index)->origin = DG_INDEX_SIDECAR;
  else
    dg_source_close (&source);
  dg_archive_free (sidecar);
  return code;
}

char *
dg_index_sidecar (const struct dg_log *log)
{
  return g_strconcat (log->path, ".dgx", NULL);
}

/* The lists that an archive brings itself.  */
static int
open_own (const struct dg_log *log, struct dg_index **index,
          struct dg_error *err)
{
  const struct dg_archive *archive = log->contents.packed->archive;
  const struct dg_chunk_entry *chunks = archive->chunks.items;
  struct dg_source source;
  size_t n = log->contents.chunks.n;
  uint64_t accesses = 0;
  struct dg_error why;
  int code;

  for (size_t i = 0; i < MIN (n, archive->chunks.n); i++)
    accesses += chunks[i].totals.reads + chunks[i].totals.writes;
  if (n > archive->chunks.n || accesses != log->contents.summary.accesses)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "the archive is damaged within its last chunk");
  /* Not as an archive without one is told.  */
  if (dg_source_share (&log->source, &source, &why) < 0)
    return dg_error_set (err, DG_ERR_LIMIT, "%s", why.message);
  code = index_of (archive, &source, log, index, err);
  if (code == 0)
    (*index)->origin = DG_INDEX_ARCHIVE;
  else
    dg_source_close (&source);
  return code;
}

int
dg_index_open (const struct dg_log *log, struct dg_index **index,
               struct dg_error *err)
{
  struct dg_error own = { 0 };
  char *path;
  int code;

  *index = NULL;
  if (log->contents.packed) {
    code = open_own (log, index, &own);
    /* A lack of memory or descriptors does not say that it has none.  */
    if (code == 0 || code == DG_ERR_NOMEM || code == DG_ERR_LIMIT)
      return code == 0 ? 0 : dg_error_copy (err, &own);
  }
  path = dg_index_sidecar (log);
  code = dg_index_open_sidecar (log, path, index, err);
  /* Beside an archive there seldom is one, so that says nothing of it.  */
  if (code < 0 && own.code < 0 && access (path, F_OK) < 0)
    code = dg_error_copy (err, &own);
  g_free (path);
  return code;
}

/* ---- What it says of itself ---- */

enum dg_index_origin
dg_index_origin (const struct dg_index *index)
{
  return index->origin;
}

const char *
dg_index_note (const struct dg_index *index)
{
  return index->note;
}

uint64_t
dg_index_bytes (const struct dg_index *index)
{
  return index->bytes;
}

unsigned
dg_index_levels (const struct dg_index *index)
{
  return index->n_levels;
}

size_t
dg_index_lists (const struct dg_index *index, unsigned level)
{
  return level < index->n_levels ? index->levels[level].n : 0;
}

struct dg_index_span
dg_index_span (const struct dg_index *index, unsigned level, size_t i)
{
  unsigned shift = level * DG_INDEX_FAN_SHIFT;
  struct dg_index_span span = { 0 };

  g_assert (level < index->n_levels && i < index->levels[level].n);
  span.first_chunk = i << shift;
  span.end_chunk = MIN ((i + 1) << shift, index->n_chunks);
  span.start_icount = index->starts[span.first_chunk].icount;
  span.end_icount = index->starts[span.end_chunk].icount;
  span.accesses = index->starts[span.end_chunk].accesses
                  - index->starts[span.first_chunk].accesses;
  return span;
}
