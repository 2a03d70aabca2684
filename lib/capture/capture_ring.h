/* capture_ring.h: the memory that a program and its packer share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_RING_H
#define DG_CAPTURE_RING_H

#include "dg_ring.h"
#include "ring_folder.h"

#include <stdbool.h>

struct dg_capture_ring {
  struct dg_ring_header *header;   /* NULL: not mapped */
  const uint8_t *data;
  uint32_t bytes;          /* of the data */
  bool swap;               /* messages are not of this host's byte order;
                              known when the first is there */
};

/* Makes the file, with all its memory, and gives it its name.  bytes 0: up to
   `wanted`, as large as there is memory for.  */
int dg_capture_ring_init (struct dg_capture_ring *ring,
                          const struct dg_ring_folder *folder, uint64_t pid,
                          uint32_t bytes, uint32_t wanted,
                          struct dg_error *err);
void dg_capture_ring_fini (struct dg_capture_ring *ring);

/* Learns in what order messages are, from the header.  */
void dg_capture_ring_take_order (struct dg_capture_ring *ring);

/* The message at a counter.  Its head was read once, its payload may change
   under our hands if the program is mad: copy before checking.  */
struct dg_capture_message {
  uint32_t kind, size;
  const uint8_t *payload;
  uint32_t next;           /* counter behind it */
};
/* `end`: counter up to which the ring is written.  DG_ERR_DAMAGED if there is
   no good message.  */
int dg_capture_ring_message (const struct dg_capture_ring *ring, uint32_t at,
                             uint32_t end, struct dg_capture_message *message,
                             struct dg_error *err);

static inline uint32_t
dg_capture_ring_head (const struct dg_capture_ring *ring)
{
  return __atomic_load_n (&ring->header->head, __ATOMIC_ACQUIRE);
}

#endif /* DG_CAPTURE_RING_H */
