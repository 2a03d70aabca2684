/* mutate.h: mutations that know what they change, so that what is made is not
   refused at the first checksum or length.

   Each takes `n` bytes in a buffer of `max`, changes them in place, and
   returns how many there are then.  All use only the bytes and the random
   numbers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FUZZ_MUTATE_H
#define DG_FUZZ_MUTATE_H

#include "fuzz_random.h"

/* Bytes of which nothing is known (fuzz_random.c).  */
size_t dg_mutate_bytes (uint8_t *bytes, size_t n, size_t max,
                        struct dg_fuzz_random *random);
/* Text: words and characters of `dictionary`, which ends with NULL, are put
   in, repeated, left out.  */
size_t dg_mutate_text (uint8_t *bytes, size_t n, size_t max,
                       const char *const *dictionary,
                       struct dg_fuzz_random *random);
/* A number of the width (1, 2, 4, 8) somewhere.  */
void dg_mutate_number_at (uint8_t *at, unsigned width,
                          struct dg_fuzz_random *random);
/* A varint somewhere, which may become longer or shorter.  */
size_t dg_mutate_varint (uint8_t *bytes, size_t n, size_t max,
                         struct dg_fuzz_random *random);

/* A raw log: fields of records, records doubled, moved, left out, made
   (mutate_log.c).  */
size_t dg_mutate_log (uint8_t *bytes, size_t n, size_t max,
                      struct dg_fuzz_random *random);

/* An archive or a sidecar: contents of parts, which are expanded before and
   compressed again behind; parts doubled, moved, left out; the table of parts
   and the footer are made right again, mostly (mutate_archive.c).  */
size_t dg_mutate_archive (uint8_t *bytes, size_t n, size_t max,
                          struct dg_fuzz_random *random);

/* An ELF file, of which the sizes stay (mutate_elf.c).  */
size_t dg_mutate_elf (uint8_t *bytes, size_t n, struct dg_fuzz_random *random);

#endif /* DG_FUZZ_MUTATE_H */
