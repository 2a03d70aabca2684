/* arch.h: what differs between the architectures that logs are of.  For
   another one: a line in arch.c, with its test of the instructions that
   return.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCH_H
#define DG_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"

/* When an instruction that repeats itself ends: only */
enum dg_arch_repeats {
  DG_ARCH_REPEATS_NOT = 0,
  DG_ARCH_REPEATS_TO_ZERO,     /* when the register is 0; it then makes no
                                  access */
  DG_ARCH_REPEATS_TO_MATCH     /* or after an access, by what it found */
};

struct dg_arch {
  const char *name;            /* as in a log's PROCESS; NULL: of all others */
  bool call_pushes;            /* the address to return to is written */
  bool begins_again;           /* an instruction may be left in its middle, and
                                  begun again: s390x's EX, of which VEX
                                  learns as it goes what it executes */
  /* Whether an instruction at the end of a block may be a return: a return
     is, and few others.  Of its size, and, if they matter, its bytes, or NULL:
     they are not known.  */
  bool (*may_return) (const uint8_t *bytes, size_t n);
  bool bytes_matter;
  /* Whether an instruction repeats itself as often as a register says, which
     is executed again for each time; of its bytes.  NULL: none does.  */
  enum dg_arch_repeats (*repeats) (const uint8_t *bytes, size_t n);
};

/* By its name; NULL or an unknown one: what is true of all architectures.  */
const struct dg_arch *dg_arch_find (const char *name);
/* That of the log's process.  */
const struct dg_arch *dg_arch_of (const struct dg_log *log);

#endif /* DG_ARCH_H */
