/* random_runs.h: programs and runs of them, made up, for tests.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RANDOM_RUNS_H
#define DG_RANDOM_RUNS_H

#include <glib.h>

#include "archive/program.h"

struct random_shape {
  unsigned blocks, nodes;
  unsigned words_max; /* of a block */
  bool has_guarded, has_chains, has_constants;
};

/* A program of blocks that have all kinds of entries, each with variants for
   every way to leave it early, or some of them.  */
void random_program (GRand *rand, const struct random_shape *shape,
                     struct dg_program *program);

/* How words follow one another.  */
enum random_kind {
  RANDOM_STEADY, /* strides that seldom change */
  RANDOM_NOISE,  /* anything */
  RANDOM_NEAR,   /* differences of all sizes */
  RANDOM_EDGES,  /* wrapping around, alternating, 0 */
  RANDOM_KINDS
};

/* n_runs runs: words (uint64_t).  */
GArray *random_runs (GRand *rand, const struct dg_program *program,
                     enum random_kind kind, unsigned n_runs, uint64_t mask);

/* Words of the run that begins there.  */
size_t random_run_length (const struct dg_program_view *view, uint64_t head);

#endif /* DG_RANDOM_RUNS_H */
