/* byte_source.c: where a log's bytes come from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "error.h"
#include "mapped.h"

/* To read less than that takes less time than to ask whether a mapping may be
   used, a fault, and giving the pages back.  */
#define USE_MIN_BYTES ((size_t) 32 << 10)

#define MAGIC_XFS  0x58465342
#define MAGIC_ZFS  0x2fc12fc1
#define MAGIC_BCACHEFS 0xca451a4e
#define MAGIC_EXFAT 0x2011bab0
#define MAGIC_NTFS3 0x7366746e

/* Whether the file is on a file system of this machine.  On others, the pages
   of a file come and go as the network likes, and a fault may wait for
   minutes.  Only the ones that are known are taken for local.  */
static bool
is_local (int fd)
{
  static const uint32_t local[] = {
    EXT4_SUPER_MAGIC, MAGIC_XFS, BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
    F2FS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, MAGIC_ZFS, MAGIC_BCACHEFS,
    REISERFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC, MAGIC_EXFAT, MAGIC_NTFS3,
    ISOFS_SUPER_MAGIC, SQUASHFS_MAGIC, EROFS_SUPER_MAGIC_V1
  };
  struct statfs status;

  if (fstatfs (fd, &status) < 0)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (local); i++)
    if ((uint32_t) status.f_type == local[i])
      return true;
  return false;
}

void
dg_source_map (struct dg_source *source)
{
  if (source->fd >= 0 && !source->mapped && is_local (source->fd))
    source->mapped = dg_mapped_new (source->fd, source->size);
  source->use_min_bytes = USE_MIN_BYTES;
}

int
dg_source_share (const struct dg_source *source, struct dg_source *to,
                 struct dg_error *err)
{
  *to = *source;
  if (source->fd >= 0) {
    to->fd = fcntl (source->fd, F_DUPFD_CLOEXEC, 0);
    if (to->fd < 0) {
      *to = (struct dg_source) { .fd = -1 };
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    }
  }
  if (source->mapped)
    dg_mapped_ref (source->mapped);
  return 0;
}

void
dg_source_close (struct dg_source *source)
{
  dg_mapped_unref (source->mapped);
  if (source->fd >= 0)
    close (source->fd);
  *source = (struct dg_source) { .fd = -1 };
}

/* A read that began before the file became shorter may give zeros for what was
   cut off: the size changes first, then the pages.  So the size that is seen
   afterwards decides.  */
static int
check_size (const struct dg_source *source, uint64_t end, struct dg_error *err)
{
  struct stat status;

  if (fstat (source->fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (S_ISREG (status.st_mode) && (uint64_t) status.st_size < end)
    return dg_error_at (err, DG_ERR_IO, status.st_size,
                        "the file was truncated while it was read");
  return 0;
}

ptrdiff_t
dg_source_read (const struct dg_source *source, uint64_t offset, void *bytes,
                size_t least, size_t most, struct dg_error *err)
{
  uint8_t *out = bytes;
  size_t n = 0;
  int code;

  if (source->fd < 0) {
    memcpy (out, source->memory + offset, most);
    return most;
  }
  while (n < least) {
    ssize_t got = pread (source->fd, out + n, most - n, offset + n);

    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return dg_error_at (err, DG_ERR_IO, offset + n, "%s",
                          g_strerror (errno));
    if (got == 0)
      return dg_error_at (err, DG_ERR_IO, offset + n,
                          "the file was truncated while it was read");
    n += got;
  }
  code = check_size (source, offset + n, err);
  return code < 0 ? code : (ptrdiff_t) n;
}

const uint8_t *
dg_source_use (const struct dg_source *source, uint64_t offset, size_t n)
{
  if (source->fd < 0)
    return source->memory + offset;
  if (!source->mapped || n < source->use_min_bytes || !dg_mapped_is_safe ())
    return NULL;
  return dg_mapped_use (source->mapped, offset, n);
}

bool
dg_source_leave (const struct dg_source *source, uint64_t offset, size_t n)
{
  bool is_whole = source->fd < 0
                  || dg_mapped_is_whole (source->mapped, offset + n);

  if (source->fd >= 0)
    dg_mapped_leave (source->mapped, offset, n);
  return is_whole;
}
