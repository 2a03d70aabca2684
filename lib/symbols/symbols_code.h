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
  unsigned machine;        /* EM_NAME */
};

/* Under the lock of the object.  False: there is none.  */
bool dg_symbols_code_read (struct dg_object *object, uint64_t address,
                           uint64_t size, struct dg_symbols_code_bytes *out);

#endif /* DG_SYMBOLS_CODE_H */
