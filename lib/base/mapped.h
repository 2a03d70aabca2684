/* mapped.h: the bytes of a file in memory, without harm if the file becomes
   shorter.

   Who reads mapped bytes that are not in the file any more, or not on a disk
   that can be read, gets SIGBUS.  Here is a handler for it: it puts zeros in
   the place of what is missing, as far as the mapping goes, and notes where
   that begins; the reader goes on and finds out afterwards.  So any code may
   read mapped bytes, that of other libraries, too.  What it made of them must
   be thrown away unless dg_mapped_is_whole says that they were all there; and
   it must stand bytes that change while it reads.

   The handler is the only thing of this library that belongs to the whole
   process.  It is installed with the first mapping and stays.  Whatever is
   not a fault in one of our mappings goes to the handler that was there
   before, which finds the same as if it had been called by the kernel.  If
   somebody installs another one later, or a thread blocks SIGBUS, mappings
   are not read there, as long as that is so: dg_mapped_is_safe.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MAPPED_H
#define DG_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dg_mapped;

/* The first `size` bytes of a file, from any thread; the descriptor may be
   closed afterwards.  NULL if they cannot be mapped: they can still be
   read.  */
struct dg_mapped *dg_mapped_new (int fd, uint64_t size);
struct dg_mapped *dg_mapped_ref (struct dg_mapped *mapped);
void dg_mapped_unref (struct dg_mapped *mapped);

/* Whether this thread may read mappings now.  Two system calls: to be asked
   for each part of a file, not for each byte.  */
bool dg_mapped_is_safe (void);

/* Bytes that are about to be read, all of them; they lie within the mapping.
   NULL if they are known to be missing.  */
const uint8_t *dg_mapped_use (struct dg_mapped *mapped, uint64_t offset,
                              size_t n);
/* They have been read.  They do not count as memory of the process any
   more.  */
void dg_mapped_leave (struct dg_mapped *mapped, uint64_t offset, size_t n);

/* Whether all bytes before this offset that were read so far were there.  */
bool dg_mapped_is_whole (const struct dg_mapped *mapped, uint64_t end);

#endif /* DG_MAPPED_H */
