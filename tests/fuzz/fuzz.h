/* fuzz.h: what the fuzz targets share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FUZZ_H
#define DG_FUZZ_H

#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What must hold stops the program when it does not; by abort, which fuzzers
   notice.  */
#define MUST(condition)                                                 \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf (stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,       \
               #condition);                                             \
      abort ();                                                         \
    }                                                                   \
  } while (0)

/* A log as an archive, with files, whose parts are stored as they are
   (fuzz_seed.c).  */
void dg_fuzz_seed_archive (GByteArray *log_bytes);

/* A log or an archive, opened, loaded, and read once (fuzz_light.c).  */
void dg_fuzz_light (const uint8_t *bytes, size_t n);

/* Everything that can be asked of a log (fuzz_checks.c).  */
void dg_fuzz_check (const uint8_t *bytes, size_t n);

/* Makes the checksums of an archive right, from the front as far as there are
   parts, then the footer's (fuzz_seal.c).  */
void dg_fuzz_seal (uint8_t *bytes, size_t n);

#endif /* DG_FUZZ_H */
