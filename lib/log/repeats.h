/* repeats.h: which superblocks end with an instruction that repeats itself.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_REPEATS_H
#define DG_LOG_REPEATS_H

#include "libdatagrind.h"

/* What the environment says (DG_REPETITIONS).  */
enum dg_repetitions dg_repeats_wanted (void);

/* Sets `repeats` of all definitions, from their code (BBCODE), after all
   records of a log were read; not if each repetition counts.  If the log
   has grown from an earlier one, the definitions of that one do not
   change.  0 or DG_ERR_NOMEM.  */
int dg_repeats_note (struct dg_log *log, struct dg_error *err);

#endif /* DG_LOG_REPEATS_H */
