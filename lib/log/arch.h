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
};

/* Of the log's process; without one, what is true of all.  */
const struct dg_arch *dg_arch_of (const struct dg_log *log);

#endif /* DG_ARCH_H */
