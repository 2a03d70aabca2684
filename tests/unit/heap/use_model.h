/* use_model.h: what became of heap blocks, worked out access by access and
   byte by byte, to compare dg_usage with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_USAGE_MODEL_H
#define DG_USAGE_MODEL_H

#include <glib.h>

#include "libdatagrind.h"

struct use_counted {
  struct dg_usage_block use;
  bool is_alive, overlaps;
  GArray *counts;          /* guint: of each byte */
  GHashTable *bytes[2];    /* touched ones, by kind: offsets */
};

struct use_model {
  const struct dg_log *log;
  struct dg_block *blocks;
  size_t n;
  struct use_counted *of;
  struct dg_replay_step *steps;
  size_t n_steps, step;
  const struct dg_kernel_access *kernel;
  size_t n_kernel, next_kernel;
  size_t ended;            /* the block that the last step ended; or n */
};

/* For a loaded log, which must outlive it.  */
void use_model_init (struct use_model *model, const struct dg_log *log);
void use_model_run (struct use_model *model);
void use_model_fini (struct use_model *model);

#endif /* DG_USAGE_MODEL_H */
