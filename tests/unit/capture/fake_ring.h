/* fake_ring.h: the recorder's side of a ring, for tests of the packer's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FAKE_RING_H
#define DG_FAKE_RING_H

#include <glib.h>
#include <stdbool.h>

#include "dg_ring.h"

struct fake_ring {
  struct dg_ring_header *header;
  uint8_t *data;
  uint32_t head;           /* units; told by fake_ring_tell */
  unsigned word_size;
  bool swap;               /* messages are not of this host's byte order */
  bool is_stopped;         /* nothing more is wanted */
};

/* Waits for the ring of that process and takes it, as exp-datagrind does;
   NULL if there is none in time.  */
struct fake_ring *fake_ring_open (const char *directory, uint64_t pid);
/* Unmaps it; what is in there stays.  */
void fake_ring_free (struct fake_ring *ring);

/* One message, and the counter behind it.  Waits for room.  */
void fake_ring_put (struct fake_ring *ring, uint32_t kind,
                    const void *payload, size_t size);
void fake_ring_tell (struct fake_ring *ring);

/* Sends the records of a raw log, of either byte order: definitions and runs
   as the recorder does, no CHUNKs, and nothing told that it does not know.  */
void fake_ring_put_log (struct fake_ring *ring, const GByteArray *log);
/* The same for a text of dgasm's language.  */
void fake_ring_put_text (struct fake_ring *ring, const char *text,
                         unsigned word_size);
/* Nothing follows.  */
void fake_ring_close (struct fake_ring *ring);

#endif /* DG_FAKE_RING_H */
