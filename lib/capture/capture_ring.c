/* capture_ring.c: the memory that a program and its packer share, and the
   messages in it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

/* ---- Making one ---- */

/* All of its memory now: a page that the machine does not have would later be
   a SIGBUS on access.  Returns 0 or an errno.  */
static int
make_memory (int fd, uint32_t bytes)
{
  int error;

  do
    error = posix_fallocate (fd, 0, (off_t) DG_RING_HEADER + bytes);
  while (error == EINTR);
  return error;
}

/* With its header.  Returns 0 or an errno.  */
static int
map (struct dg_capture_ring *ring, int fd, uint32_t bytes)
{
  void *memory = mmap (NULL, (size_t) DG_RING_HEADER + bytes,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                       0);

  if (memory == MAP_FAILED)
    return errno;
  ring->header = memory;
  *ring->header = (struct dg_ring_header){ .version = DG_RING_VERSION,
                                           .header_size = DG_RING_HEADER,
                                           .data_size = bytes,
                                           .features = DG_RING_KNOWS_VALUES };
  memcpy (ring->header->magic, DG_RING_MAGIC, sizeof ring->header->magic);
  ring->data = (const uint8_t *) memory + DG_RING_HEADER;
  ring->bytes = bytes;
  return 0;
}

/* 0 or an errno.  */
static int
make (struct dg_capture_ring *ring, const char *path, uint32_t bytes)
{
  int fd, error;

  /* A smaller one than before.  */
  g_unlink (path);
  fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  error = fd < 0 ? errno : make_memory (fd, bytes);

  if (error == 0)
    error = map (ring, fd, bytes);
  if (fd >= 0)
    close (fd);
  return error;
}

int
dg_capture_ring_init (struct dg_capture_ring *ring,
                      const struct dg_ring_folder *folder, uint64_t pid,
                      uint32_t bytes, uint32_t wanted, struct dg_error *err)
{
  char *name = dg_ring_folder_file (folder, pid, "ring");
  char *new_name = dg_ring_folder_file (folder, pid, "new");
  uint32_t size = bytes > 0 ? bytes : wanted;
  int error, code = 0;

  memset (ring, 0, sizeof *ring);
  for (;;) {
    error = make (ring, new_name, size);
    /* A smaller one works as well, if not as fast.  */
    if (error != ENOSPC && error != EFBIG && error != ENOMEM)
      break;
    if (bytes > 0 || size <= DG_RING_MIN)
      break;
    size /= 2;
  }
  if (error == 0 && g_rename (new_name, name) < 0)
    error = errno;
  if (error != 0) {
    dg_capture_ring_fini (ring);
    g_unlink (new_name);
    code = dg_error_set (err, DG_ERR_IO,
                         "not enough memory for a ring of %u KiB in %s: %s",
                         size >> 10, folder->path, g_strerror (error));
  }
  g_free (new_name);
  g_free (name);
  return code;
}

void
dg_capture_ring_fini (struct dg_capture_ring *ring)
{
  if (ring->header)
    munmap (ring->header, (size_t) DG_RING_HEADER + ring->bytes);
  ring->header = NULL;
}

/* ---- Messages ---- */

void
dg_capture_ring_take_order (struct dg_capture_ring *ring)
{
  uint32_t order = __atomic_load_n (&ring->header->order, __ATOMIC_RELAXED);

  ring->swap = order == GUINT32_SWAP_LE_BE (DG_RING_ORDER);
}

int
dg_capture_ring_message (const struct dg_capture_ring *ring, uint32_t at,
                         uint32_t end, struct dg_capture_message *message,
                         struct dg_error *err)
{
  uint32_t units = ring->bytes / DG_RING_UNIT, place = at & (units - 1);
  uint32_t available = MIN (end - at, units - place);
  const uint8_t *bytes = ring->data + (size_t) place * DG_RING_UNIT;
  /* Once: it may change under our hands.  */
  uint64_t word = __atomic_load_n ((const uint64_t *) (const void *) bytes,
                                   __ATOMIC_RELAXED);
  struct dg_ring_message head;
  uint32_t size;

  memcpy (&head, &word, sizeof head);
  if (ring->swap) {
    head.kind = GUINT32_SWAP_LE_BE (head.kind);
    head.size = GUINT32_SWAP_LE_BE (head.size);
  }
  message->kind = head.kind;
  message->size = head.size;
  message->payload = bytes + sizeof head;
  if (head.kind == DG_RING_PAD) {
    /* Up to the end of the data, whatever it says.  */
    if (end - at < units - place)
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "the padding of the ring does not end");
    message->size = 0;
    message->next = at + (units - place);
    return 0;
  }
  if (head.kind > DG_RING_SKIP)
    return dg_error_set (err, DG_ERR_DAMAGED, "a message has kind %u",
                         head.kind);
  if (head.size > DG_RING_MESSAGE_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "a message has %u bytes",
                         head.size);
  size = 1 + (head.size + DG_RING_UNIT - 1) / DG_RING_UNIT;
  if (size > available)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a message has %u bytes, but only %u are there",
                         head.size,
                         (available - 1) * DG_RING_UNIT);
  message->next = at + size;
  return 0;
}
