/* nomem_scenarios.h: what a program may ask of the library, to be done while
   memory runs out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef NOMEM_SCENARIOS_H
#define NOMEM_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#include "nomem_world.h"

struct scenario {
  const char *name;
  /* The code, as the library's.  Adds what came out to the world's sum.  */
  int (*run) (struct world *world, struct dg_error *err);
  bool may_lack;      /* what came out may be less */
  bool needs_program; /* the world's */
};

/* All of them but analyses.  */
const struct scenario *nomem_scenarios (size_t *n);
/* The world's analysis.  */
extern const struct scenario nomem_analysis;

#endif /* NOMEM_SCENARIOS_H */
