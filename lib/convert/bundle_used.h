/* bundle_used.h: which addresses of a log names are asked for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLE_USED_H
#define DG_BUNDLE_USED_H

#include "base/progress.h"
#include "symbols/symbols_files.h"

struct dg_bundle_used {
  struct dg_symbols_used used;      /* points to what follows */
  GArray *code;                     /* uint64_t */
  uint64_t *lines;
  GPtrArray *types;                 /* const char * */
};

/* Of a loaded log; reads all of it if it has no index.  0, DG_ERR_IO,
   DG_ERR_NOMEM, DG_ERR_DAMAGED, DG_ERR_CANCELLED.  */
int dg_bundle_used_init (struct dg_bundle_used *used, const struct dg_log *log,
                         dg_progress_fn progress, void *user,
                         struct dg_error *err);
void dg_bundle_used_fini (struct dg_bundle_used *used);

#endif /* DG_BUNDLE_USED_H */
