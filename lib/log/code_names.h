/* code_names.h: what the log says of code that is in no file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CODE_NAMES_H
#define DG_CODE_NAMES_H

#include "contents.h"
#include "format/decode.h"

/* Takes a CODE: 0, DG_ERR_NOMEM or DG_ERR_DAMAGED.  */
int dg_code_names_add (struct dg_contents *contents,
                       const struct dg_fields *fields, uint64_t offset,
                       struct dg_error *err);

#endif /* DG_CODE_NAMES_H */
