/* repeats.h: which superblocks end with an instruction that repeats itself.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_REPEATS_H
#define DG_LOG_REPEATS_H

#include "libdatagrind.h"

/* What the environment says (DG_REPETITIONS).  */
enum dg_repetitions dg_repeats_wanted (void);

/* Notes it in the definitions of a log whose records were all read, if
   repetitions count once, from their code (BBCODE).  Those that an earlier log
   has in common with this one, which grew from it, stay as they are.  0 or
   DG_ERR_NOMEM.  */
int dg_repeats_note (struct dg_log *log, struct dg_error *err);

#endif /* DG_LOG_REPEATS_H */
