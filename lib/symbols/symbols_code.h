/* symbols_code.h: the code of a file, as bytes.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_CODE_H
#define DG_SYMBOLS_CODE_H

#include "symbols_object.h"

struct dg_symbols_code_bytes {
  const uint8_t *bytes;    /* of the object */
  size_t n;                /* at most as many as were asked for */
  size_t word;             /* bytes: 4 of x86, 8 of amd64 */
};

/* Under the lock of the object.  False: there is none, or it is of another
   processor.  */
bool dg_symbols_code_read (struct dg_object *object, uint64_t address,
                           uint64_t size, struct dg_symbols_code_bytes *out);

/* A number within an instruction: `size` bytes with a sign, 0, 1 or 4.  */
int64_t dg_symbols_code_number (const uint8_t *p, size_t size);

#endif /* DG_SYMBOLS_CODE_H */
