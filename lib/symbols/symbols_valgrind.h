/* symbols_valgrind.h: the frames of a code address in Valgrind's words.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_VALGRIND_H
#define DG_SYMBOLS_VALGRIND_H

#include "symbols_object.h"

/* The frames of a code address in Valgrind's words, otherwise as
   dg_symbols_frames: functions that are not inlined are named by the ELF
   symbol that Valgrind prefers (with return type, and version), inlined ones
   by their bare names; files are base names.  The function is NULL where
   Valgrind has "???"; so is the file of the innermost frame if there is no
   line, and then there is one frame only.  */
size_t dg_symbols_valgrind (struct dg_symbols *symbols, uint64_t address,
                            uint64_t icount, struct dg_frame *out, size_t max);

#endif /* DG_SYMBOLS_VALGRIND_H */
