/* symbols_frames.h: what is at a code address.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_FRAMES_H
#define DG_SYMBOLS_FRAMES_H

#include "symbols.h"

/* dg_symbols_frames for those to whom such a name is none, as they
   look for the name of a function, or name such code.  */
size_t dg_symbols_plain_frames (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount, struct dg_frame *out,
                                size_t max);

/* Code of a file, wherever it was loaded.  */
struct dg_symbols_code {
  const void *file;        /* NULL: it is of none */
  uint64_t address;        /* the file's own; of no file: as it is */
};
struct dg_symbols_code dg_symbols_code_at (struct dg_symbols *symbols,
                                           uint64_t address, uint64_t icount);

/* What begins at a code address, as far as the symbol table knows.  */
enum dg_symbols_begin {
  DG_BEGINS_NOTHING = 0,   /* or it is not known */
  DG_BEGINS_FUNCTION,
  DG_BEGINS_STUB           /* anywhere in a table of jumps to functions of
                              other files */
};
enum dg_symbols_begin dg_symbols_begins (struct dg_symbols *symbols,
                                         uint64_t address, uint64_t icount);

#endif /* DG_SYMBOLS_FRAMES_H */
