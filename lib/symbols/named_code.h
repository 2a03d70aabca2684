/* named_code.h: which of the names that a log has for code of no file an
   address has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_NAMED_CODE_H
#define DG_NAMED_CODE_H

#include "libdatagrind.h"

/* Read-only once made, so any number of threads may ask.  */
struct dg_named_code;

/* NULL: there are none, or memory is short.  The log must outlive it.  */
struct dg_named_code *dg_named_code_new (const struct dg_log *log);
void dg_named_code_free (struct dg_named_code *code);

/* The index in dg_log_code_names, or DG_NONE; *line is 0 if unknown.  */
uint32_t dg_named_code_find (const struct dg_named_code *code,
                             uint64_t address, uint32_t *line);

#endif /* DG_NAMED_CODE_H */
