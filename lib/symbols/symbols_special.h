/* symbols_special.h: instructions whose accesses are not like those of others.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_SPECIAL_H
#define DG_SYMBOLS_SPECIAL_H

#include "libdatagrind.h"

enum dg_special {
  DG_SPECIAL_NONE,         /* also if the code is not known */
  DG_SPECIAL_ATOMIC,       /* reads and writes, and other threads see both as
                              one */
  DG_SPECIAL_SYSCALL,
  DG_SPECIAL_REPEATED      /* moves, sets or scans memory as often as a
                              register says (rep movs): the processor counts
                              one instruction, a log one for each time */
};

/* Of an instruction of a superblock.  icount: when it runs.
   Threads: as dg_symbols_frames.  */
enum dg_special dg_symbols_special (struct dg_symbols *symbols,
                                    const struct dg_bbdef *bbdef,
                                    unsigned iseq, uint64_t icount);

#endif /* DG_SYMBOLS_SPECIAL_H */
