/* mock_expected.h: what the analysis of mock_analysis.h should have been
   given.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MOCK_EXPECTED_H
#define DG_MOCK_EXPECTED_H

#include "mock_analysis.h"

/* Reads the log run by run, asks the filter for each instruction, and
   compares: shards, sums of workers, snapshots.  has_addresses: the mock was
   given them.  */
void mock_compare (const struct mock *mock, const struct dg_log *log,
                   const struct dg_analyse_options *options,
                   bool has_addresses);
/* The same for a mock that wants records.  */
void mock_compare_records (const struct mock *mock, const struct dg_log *log);

/* The clock, which never goes back, looked for from its beginning.  */
uint64_t mock_clock_at (const struct dg_log *log, uint64_t icount);

#endif /* DG_MOCK_EXPECTED_H */
