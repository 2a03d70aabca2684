/* advise_where.h: where the time of a run is, whether a rule applies or not.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_WHERE_H
#define DG_ADVISE_WHERE_H

#include "advise_facts.h"

/* What the cycles are made of, the functions and lines with most of them, the
   memory whose misses cost most, and what the log cannot tell.  With findings,
   people read the first and the functions only; JSON has all.  */
void advise_where_report (const struct advise_facts *facts, bool has_findings,
                          struct dg_report *report);

#endif /* DG_ADVISE_WHERE_H */
