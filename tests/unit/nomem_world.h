/* nomem_world.h: the logs on which memory runs out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef NOMEM_WORLD_H
#define NOMEM_WORLD_H

#include <glib.h>

#include "dg_analysis.h"

struct world {
  char *folder, *path, *packed_path, *out;
  GByteArray *bytes;
  struct dg_log *log, *packed;
  const struct dg_analysis *analysis;
  struct dg_log *program;      /* of this very program; NULL: unknown */
  GByteArray *program_bytes;
  struct dg_log *calls;        /* threads that call deeply */
  GByteArray *calls_bytes;
  unsigned workers;
  uint64_t sum;                /* of what came out */
};

/* A small log with everything, and what belongs to it.  */
void nomem_world_init (struct world *world);
/* A log with many of everything; no program; `calls` are those of another.  */
void nomem_world_init_large (struct world *large, const struct world *other);
/* The large one's end comes before that of the other.  */
void nomem_world_fini (struct world *world);

#endif /* NOMEM_WORLD_H */
