/* archive_write.c: writing an archive, chunk by chunk, and its footer.

   The file grows only: each chunk goes to it in one piece, and what could
   not be written whole is cut off again, so that at any moment it is an
   archive that readers can open.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_write.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include "archive_part.h"
#include "archive_summary.h"
#include "base/error.h"
#include "base/replace.h"
#include "bundle.h"

/* Parts of a chunk, each with its head.  */
#define PIECES_MAX 4
/* How long one waits for a lock that is held for an instant.  */
#define LOCK_TRIES   2000
#define LOCK_WAIT_US 1000

struct piece {
  uint8_t head[DG_PART_HEAD_BYTES];
  const void *bytes;
  struct dg_part part;
};

struct dg_archive_writer {
  int fd;
  bool is_named;           /* by us, and so from the beginning */
  int level;
  ZSTD_CCtx *zstd;
  uint64_t size;           /* of the file, whole chunks only */
  uint64_t limit;          /* for chunks; 0: none */
  struct dg_error failed;  /* code not 0: nothing more can be added */
  /* What SUMMARY will say.  */
  struct dg_archive archive;
  struct piece pieces[PIECES_MAX];
  unsigned n_pieces;
  struct dg_table buffers[PIECES_MAX];   /* what was compressed */
};

/* ---- The file ---- */

static int
failed (struct dg_archive_writer *writer, struct dg_error *err)
{
  return dg_error_copy (err, &writer->failed);
}

/* The system said no: the file ends where it was good.  */
static int
cut_back (struct dg_archive_writer *writer, int number, struct dg_error *err)
{
  dg_error_set (&writer->failed, DG_ERR_IO, "%s", dg_output_error (number));
  if (ftruncate (writer->fd, writer->size) < 0)
    dg_error_set (&writer->failed, DG_ERR_IO,
                  "%s (and the file cannot be truncated: %s)",
                  dg_output_error (number), g_strerror (errno));
  return failed (writer, err);
}

static int
write_all (struct dg_archive_writer *writer, struct iovec *at, unsigned n,
           struct dg_error *err)
{
  uint64_t size = 0;

  for (unsigned i = 0; i < n; i++)
    size += at[i].iov_len;
  while (n > 0) {
    ssize_t got = writev (writer->fd, at, n);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return cut_back (writer, got < 0 ? errno : ENOSPC, err);
    for (; n > 0 && (size_t) got >= at->iov_len; at++, n--)
      got -= at->iov_len;
    if (n > 0) {
      at->iov_base = (char *) at->iov_base + got;
      at->iov_len -= got;
    }
  }
  writer->size += size;
  return 0;
}

/* Is the file that `path` names this one?  */
static bool
is_named (const char *path, int fd)
{
  struct stat a, b;

  return fstat (fd, &a) == 0 && stat (path, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/* Locks the file, unless another process writes it: that one has the same
   lock.  Who only asks whether anybody writes it has a shared one for an
   instant, which is waited for.  Where file systems have no locks there is
   none.  */
static bool
lock_file (int fd)
{
  for (unsigned tries = 0; tries < LOCK_TRIES; tries++) {
    if (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return true;
    if (flock (fd, LOCK_SH | LOCK_NB) < 0)
      return false;
    flock (fd, LOCK_UN);
    g_usleep (LOCK_WAIT_US);
  }
  return false;
}

/* Another user's file, where everybody may make files: who made it would have
   it, whatever is written.  */
static bool
is_planted (const char *path, const struct stat *status)
{
  char *folder = g_path_get_dirname (path);
  struct stat there;
  bool is_open = stat (folder, &there) < 0 || (there.st_mode & S_IWOTH);

  g_free (folder);
  return status->st_uid != geteuid () && is_open;
}

/* A file to be written, which may still have another name.  */
struct opened {
  int fd;                  /* or an error's code */
  char *path;              /* NULL: it is the caller's */
  char *temporary;         /* until it is put in the place of another one */
  bool is_new;             /* nothing has been there */
};

/* Makes a file that will take the place of the one that is at `path`, which
   stays what it was until then.  */
static bool
make_beside (const char *path, struct opened *opened)
{
  char *name = g_strdup_printf ("%s.%08x.tmp", path, g_random_int ());
  int fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = errno;

  if (fd >= 0 && lock_file (fd)) {
    opened->fd = fd;
    opened->temporary = name;
    return true;
  }
  if (fd >= 0) {
    unlink (name);
    close (fd);
    error = EAGAIN;
  }
  g_free (name);
  errno = error;
  return false;
}

/* A file that is there already, opened as fd: 1 if there is one to be put in
   its place, 0 if it is to be used again, empty; or an error.  Who has it open
   keeps what it read; who writes it keeps it.  */
static int
take_over (const char *path, int fd, struct opened *opened,
           struct dg_error *err)
{
  struct stat status, link;

  if (fstat (fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (!S_ISREG (status.st_mode))
    return dg_error_set (err, DG_ERR_IO, "not a regular file");
  if (!lock_file (fd))
    return dg_error_set (err, DG_ERR_IO, "another process is writing it");
  /* Other names of it shall see what becomes of it.  */
  if (status.st_nlink == 1 && lstat (path, &link) == 0
      && link.st_ino == status.st_ino) {
    if (make_beside (path, opened))
      return 1;
    /* Where a folder or a name lets nothing stand beside it.  */
    if (errno != EACCES && errno != EPERM && errno != EROFS
        && errno != ENAMETOOLONG)
      return dg_error_set (err, DG_ERR_IO, "%s", dg_output_error (errno));
  }
  if (is_planted (path, &status))
    return dg_error_set (err, DG_ERR_IO, "it belongs to another user");
  if (ftruncate (fd, 0) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return 0;
}

/* A file of its own for this name, or the one that is there, empty; locked
   as long as it is open, where file systems can.  */
static int
open_file (const char *path, struct opened *opened, struct dg_error *err)
{
  int fd, code;

  /* More than once only if others do the same at this moment.  */
  for (unsigned tries = 0; tries < 100; tries++) {
    fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) {
      code = take_over (path, fd, opened, err);
      if (code == 0)
        return opened->fd = fd;
      close (fd);
      if (code != 0)
        return code;
    } else if (errno != ENOENT) {
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    }
    /* A link that leads nowhere leads to the new file.  */
    fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
                     | (tries < 50 ? O_EXCL : 0), 0666);
    if (fd < 0 && errno == EEXIST)
      continue;
    if (fd < 0)
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    opened->is_new = true;
    if (lock_file (fd) && is_named (path, fd))
      return opened->fd = fd;
    close (fd);
  }
  return dg_error_set (err, DG_ERR_IO, "another process is writing it");
}

static void
writer_free (struct dg_archive_writer *writer)
{
  for (unsigned i = 0; i < PIECES_MAX; i++)
    dg_table_fini (&writer->buffers[i]);
  dg_table_fini (&writer->archive.chunks);
  dg_table_fini (&writer->archive.lines);
  dg_table_fini (&writer->archive.tail);
  dg_table_fini (&writer->archive.process);
  dg_bundle_fini (&writer->archive.files);
  ZSTD_freeCCtx (writer->zstd);
  g_free (writer);
}

/* Takes the descriptor, unless it fails.  */
static struct dg_archive_writer *
writer_new (int fd, int level, struct dg_error *err)
{
  struct dg_archive_writer *writer = g_try_new0 (struct dg_archive_writer, 1);

  if (writer)
    writer->zstd = ZSTD_createCCtx ();
  if (!writer || !writer->zstd) {
    g_free (writer);
    dg_error_nomem (err);
    return NULL;
  }
  writer->level = level;
  writer->fd = fd;
  return writer;
}

/* The file has its head, or it has not: it gets its name, or goes away.  */
static int
settle (struct opened *opened, int code, struct dg_error *err)
{
  if (code == 0 && opened->temporary
      && rename (opened->temporary, opened->path) < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (code < 0 && opened->temporary)
    unlink (opened->temporary);
  else if (code < 0 && opened->is_new && is_named (opened->path, opened->fd))
    unlink (opened->path);
  g_free (opened->temporary);
  g_free (opened->path);
  return code;
}

/* The descriptor becomes the writer's.  */
static int
create (struct opened *opened, const struct dg_archive_head *head, int level,
        struct dg_archive_writer **out, struct dg_error *err)
{
  struct dg_archive_writer *writer;
  uint8_t bytes[DG_ARCHIVE_HEAD_BYTES];
  struct iovec vec = { bytes, sizeof bytes };
  int code;

  *out = NULL;
  writer = writer_new (opened->fd, level, err);
  if (!writer) {
    code = settle (opened, DG_ERR_NOMEM, err);
    close (opened->fd);
    return code;
  }
  writer->is_named = opened->path != NULL;
  writer->archive.head = *head;
  writer->archive.head.version = head->origin == DG_ORIGIN_SIDECAR
                                   ? DG_SIDECAR_VERSION
                                   : DG_ARCHIVE_VERSION;
  dg_archive_head_put (bytes, &writer->archive.head);
  code = settle (opened, write_all (writer, &vec, 1, err), err);
  if (code < 0)
    dg_archive_abandon (writer);
  else
    *out = writer;
  return code;
}

int
dg_archive_create (const char *path, const struct dg_archive_head *head,
                   int level, struct dg_archive_writer **out,
                   struct dg_error *err)
{
  struct opened opened = { .fd = -1 };
  int code = open_file (path, &opened, err);

  *out = NULL;
  if (code < 0)
    return code;
  opened.path = g_strdup (path);
  return create (&opened, head, level, out, err);
}

int
dg_archive_create_in (int fd, const struct dg_archive_head *head, int level,
                      struct dg_archive_writer **out, struct dg_error *err)
{
  /* One description of the file: its lock stays.  */
  struct opened opened = { .fd = fcntl (fd, F_DUPFD_CLOEXEC, 0) };

  *out = NULL;
  if (opened.fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return create (&opened, head, level, out, err);
}

int
dg_archive_continue_in (int fd, const struct dg_archive *archive,
                        uint64_t size, int level,
                        struct dg_archive_writer **out, struct dg_error *err)
{
  int own = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  struct dg_archive_writer *writer;
  struct dg_archive *to;

  *out = NULL;
  if (own < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  writer = writer_new (own, level, err);
  if (!writer) {
    close (own);
    return DG_ERR_NOMEM;
  }
  to = &writer->archive;
  to->head = archive->head;
  writer->size = size;
  if (dg_table_copy (&to->chunks, &archive->chunks,
                     sizeof (struct dg_chunk_entry)) < 0
      || dg_table_copy (&to->lines, &archive->lines,
                        sizeof (struct dg_archive_lines)) < 0
      || dg_table_copy (&to->tail, &archive->tail, sizeof (struct dg_part))
           < 0) {
    dg_archive_abandon (writer);
    return dg_error_nomem (err);
  }
  *out = writer;
  return 0;
}

void
dg_archive_limit (struct dg_archive_writer *writer, uint64_t bytes)
{
  writer->limit = bytes;
}

uint64_t
dg_archive_size (const struct dg_archive_writer *writer)
{
  return writer->size;
}

/* ---- Parts ---- */

/* Compresses, if that gains anything and stays within what readers take;
   else the part is stored as it is.  */
static int
compress (struct dg_archive_writer *writer, struct dg_part_head *head,
          const void **bytes, struct dg_error *err)
{
  struct dg_table *buffer = &writer->buffers[writer->n_pieces];
  size_t n;

  if (writer->level == DG_ARCHIVE_STORED)
    return 0;
  if (dg_table_reserve (buffer, 1, ZSTD_compressBound (head->raw_size)) < 0)
    return dg_error_nomem (err);
  n = ZSTD_compressCCtx (writer->zstd, buffer->items, buffer->room, *bytes,
                         head->raw_size, writer->level);
  if (ZSTD_isError (n))
    return dg_error_nomem (err);
  if (n >= head->raw_size
      || head->raw_size > dg_part_raw_limit (head->type, n))
    return 0;
  head->codec = DG_CODEC_ZSTD;
  head->size = n;
  *bytes = buffer->items;
  return 0;
}

static void
begin_pieces (struct dg_archive_writer *writer)
{
  writer->n_pieces = 0;
}

/* Makes a part ready to be written behind the others.  */
static int
add_piece (struct dg_archive_writer *writer, struct dg_part_head head,
           const void *bytes, size_t n, struct dg_error *err)
{
  struct piece *piece = &writer->pieces[writer->n_pieces];
  uint64_t offset = writer->size;
  int code = 0;

  if (n > DG_PART_RAW_MAX)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "%s of %zu bytes is too large for an archive",
                         dg_part_name (head.type), n);
  head.size = head.raw_size = n;
  if (head.codec == DG_CODEC_ZSTD) {
    head.codec = DG_CODEC_STORED;
    code = compress (writer, &head, &bytes, err);
  }
  if (code < 0)
    return code;
  head.checksum = dg_archive_checksum (bytes, head.size);
  if (writer->n_pieces > 0)
    offset = piece[-1].part.offset + DG_PART_HEAD_BYTES + piece[-1].part.size;
  dg_part_head_put (piece->head, &head);
  piece->bytes = bytes;
  piece->part = (struct dg_part) { offset, head.size, head.raw_size };
  writer->n_pieces++;
  return 0;
}

static int
write_pieces (struct dg_archive_writer *writer, struct dg_error *err)
{
  struct iovec vec[2 * PIECES_MAX];

  for (unsigned i = 0; i < writer->n_pieces; i++) {
    struct piece *piece = &writer->pieces[i];

    vec[2 * i] = (struct iovec) { piece->head, DG_PART_HEAD_BYTES };
    vec[2 * i + 1] = (struct iovec) { (void *) piece->bytes,
                                      piece->part.size };
  }
  return write_all (writer, vec, 2 * writer->n_pieces, err);
}

/* One part by itself.  */
static int
write_part (struct dg_archive_writer *writer, struct dg_part_head head,
            const void *bytes, size_t n, struct dg_part *part,
            struct dg_error *err)
{
  int code;

  begin_pieces (writer);
  code = add_piece (writer, head, bytes, n, err);
  if (code == 0)
    code = write_pieces (writer, err);
  if (code == 0)
    *part = writer->pieces[0].part;
  return code;
}

/* ---- Chunks ---- */

/* A part that may be missing.  */
static int
add_optional (struct dg_archive_writer *writer, uint8_t type,
              const void *bytes, size_t n, struct dg_part *part,
              struct dg_error *err)
{
  const struct dg_part_head head = { .type = type, .codec = DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };
  int code;

  if (n == 0)
    return 0;
  code = add_piece (writer, head, bytes, n, err);
  if (code == 0)
    *part = writer->pieces[writer->n_pieces - 1].part;
  return code;
}

static int
add_runs (struct dg_archive_writer *writer,
          const struct dg_archive_chunk *chunk, struct dg_part *part,
          struct dg_error *err)
{
  /* The packer has compressed what it could.  */
  const struct dg_part_head head = { .type = DG_PART_RUNS,
                                     .number = writer->archive.chunks.n };
  struct dg_table *buffer = &writer->buffers[writer->n_pieces];
  int code;

  if (chunk->runs_size > DG_PART_RAW_MAX
      || dg_table_reserve (buffer, 1, DG_RUNS_HEAD + chunk->runs_size) < 0)
    return dg_error_nomem (err);
  dg_chunk_put (buffer->items, &chunk->start, &chunk->totals);
  if (chunk->runs_size > 0)
    memcpy ((uint8_t *) buffer->items + DG_RUNS_HEAD, chunk->runs,
            chunk->runs_size);
  code = add_piece (writer, head, buffer->items,
                    DG_RUNS_HEAD + chunk->runs_size, err);
  if (code == 0)
    *part = writer->pieces[writer->n_pieces - 1].part;
  return code;
}

int
dg_archive_add_chunk (struct dg_archive_writer *writer,
                      const struct dg_archive_chunk *chunk,
                      struct dg_error *err)
{
  struct dg_table *chunks = &writer->archive.chunks;
  struct dg_chunk_entry entry = { .start = chunk->start,
                                  .totals = chunk->totals };
  struct dg_chunk_entry *place;
  int code;

  if (writer->failed.code < 0)
    return failed (writer, err);
  begin_pieces (writer);
  code = add_optional (writer, DG_PART_DEFINITIONS, chunk->definitions,
                       chunk->definitions_size, &entry.definitions, err);
  if (code == 0)
    code = add_optional (writer, DG_PART_RECORDS, chunk->records,
                         chunk->records_size, &entry.records, err);
  if (code == 0)
    code = add_optional (writer, DG_PART_LINES, chunk->lines,
                         chunk->lines_size, &entry.lines, err);
  if (code == 0)
    code = add_runs (writer, chunk, &entry.runs, err);
  if (code == 0 && writer->limit > 0
      && entry.runs.offset + DG_PART_HEAD_BYTES + entry.runs.size
           > writer->limit)
    return 1;
  if (code < 0)
    return code;
  place = dg_table_add (chunks, sizeof *place);
  if (!place)
    return dg_error_nomem (err);
  *place = entry;
  code = write_pieces (writer, err);
  if (code < 0)
    chunks->n--;
  return code;
}

int
dg_archive_add_lines (struct dg_archive_writer *writer, unsigned level,
                      uint64_t first, const void *bytes, size_t n,
                      struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_LINES,
                                     .codec = DG_CODEC_ZSTD,
                                     .level = level, .number = first };
  struct dg_table *table = &writer->archive.lines;
  struct dg_archive_lines *lines;
  int code;

  if (writer->failed.code < 0)
    return failed (writer, err);
  if (n == 0 || level > UINT8_MAX)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%zu bytes of lines at level %u", n, level);
  lines = dg_table_add (table, sizeof *lines);
  if (!lines)
    return dg_error_nomem (err);
  lines->level = level;
  lines->first = first;
  code = write_part (writer, head, bytes, n, &lines->part, err);
  if (code < 0)
    table->n--;
  return code;
}

int
dg_archive_add_tail (struct dg_archive_writer *writer, const void *bytes,
                     size_t n, struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_TAIL,
                                     .codec = DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };
  struct dg_part *part;
  int code;

  if (writer->failed.code < 0)
    return failed (writer, err);
  if (n == 0)
    return 0;
  part = dg_table_add (&writer->archive.tail, sizeof *part);
  if (!part)
    return dg_error_nomem (err);
  code = write_part (writer, head, bytes, n, part, err);
  if (code < 0)
    writer->archive.tail.n--;
  return code;
}

int
dg_archive_add_part (struct dg_archive_writer *writer, enum dg_part_type type,
                     const void *bytes, size_t n, struct dg_part *part,
                     struct dg_error *err)
{
  const struct dg_part_head head = { .type = type,
                                     .codec = type == DG_PART_BUNDLE
                                                ? DG_CODEC_STORED
                                                : DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };

  if (writer->failed.code < 0)
    return failed (writer, err);
  return write_part (writer, head, bytes, n, part, err);
}

void
dg_archive_set_level (struct dg_archive_writer *writer, int level)
{
  writer->level = level;
}

struct dg_table *
dg_archive_files (struct dg_archive_writer *writer)
{
  return &writer->archive.files;
}

/* ---- The end ---- */

/* The list of files ends where SUMMARY begins.  */
static int
write_bundle (struct dg_archive_writer *writer, struct dg_error *err)
{
  struct dg_table bytes = { 0 };
  int code = dg_bundle_put (&writer->archive.files, &bytes, err);

  if (code == 0)
    code = dg_archive_add_part (writer, DG_PART_BUNDLE, bytes.items, bytes.n,
                                &writer->archive.bundle_part, err);
  dg_table_fini (&bytes);
  return code;
}

/* SUMMARY and the footer, in one piece.  */
static int
write_end (struct dg_archive_writer *writer, struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_SUMMARY,
                                     .codec = DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };
  struct dg_table bytes = { 0 };
  uint8_t footer[DG_ARCHIVE_FOOTER_BYTES];
  struct piece *piece = &writer->pieces[0];
  int code = dg_archive_summary_put (&writer->archive, &bytes, err);

  begin_pieces (writer);
  if (code == 0)
    code = add_piece (writer, head, bytes.items, bytes.n, err);
  if (code == 0) {
    struct iovec vec[] = {{piece->head, DG_PART_HEAD_BYTES},
                          {(void *) piece->bytes, piece->part.size},
                          {footer, sizeof footer}};

    dg_archive_footer_put (footer, piece->part.offset,
                           piece->part.offset + DG_PART_HEAD_BYTES
                             + piece->part.size + sizeof footer);
    code = write_all (writer, vec, G_N_ELEMENTS (vec), err);
  }
  dg_table_fini (&bytes);
  return code;
}

/* The disk may have later writes without earlier ones: what says that all is
   there comes when it is.  Who names the file when it is complete sees to that
   himself.  */
static int
sync_named (struct dg_archive_writer *writer, struct dg_error *err)
{
  return !writer->is_named || dg_replace_sync (writer->fd) == 0
           ? 0
           : dg_error_set (err, DG_ERR_IO, "%s", dg_output_error (errno));
}

int
dg_archive_finish (struct dg_archive_writer *writer,
                   const struct dg_summary *summary,
                   const struct dg_chunk_start *end, const void *process,
                   size_t process_size, struct dg_error *err)
{
  struct dg_archive *archive = &writer->archive;
  int code = writer->failed.code < 0 ? failed (writer, err) : 0;

  if (summary)
    archive->summary = *summary;
  archive->end = end ? *end : (struct dg_chunk_start) { .thread = 1 };
  if (code == 0 && process_size > 0) {
    if (dg_table_reserve (&archive->process, 1, process_size) < 0) {
      code = dg_error_nomem (err);
    } else {
      memcpy (archive->process.items, process, process_size);
      archive->process.n = process_size;
    }
  }
  if (code == 0 && archive->files.n > 0)
    code = write_bundle (writer, err);
  if (code == 0)
    code = sync_named (writer, err);
  if (code == 0)
    code = write_end (writer, err);
  if (code == 0)
    code = sync_named (writer, err);
  if (close (writer->fd) < 0 && code == 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  writer_free (writer);
  return code;
}

void
dg_archive_abandon (struct dg_archive_writer *writer)
{
  if (!writer)
    return;
  close (writer->fd);
  writer_free (writer);
}
