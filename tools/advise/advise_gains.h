/* advise_gains.h: what the repair of a finding would gain, as dg whatif
   predicts it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_GAINS_H
#define DG_ADVISE_GAINS_H

#include "advise_rules.h"
#include "analyse/analysis_work.h"

/* The work of predicting the gains of a log's findings, which are not known
   yet.  */
double advise_gains_amount (const struct dg_log *log);
/* Predicts what the changes of the findings gain, with those that promise most
   first, removes findings whose change gains too little, and sorts the others.
   found: struct advise_finding; *n_left_out receives how many were removed.
   Each change is a phase of the progress, after which comes the work `more`.
   CLI_OK, or CLI_FAILURE after a message or a signal.  */
int advise_gains_predict (struct analysis_work *work, GPtrArray *found,
                          struct interrupt *interrupt, double more,
                          guint *n_left_out);

#endif /* DG_ADVISE_GAINS_H */
