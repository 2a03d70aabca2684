/* bundle_sources.h: the source files of all code that was executed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLE_SOURCES_H
#define DG_BUNDLE_SOURCES_H

#include "symbols/symbols_files.h"

/* Calls `each` once for the name of every file that names have.  It returns 0,
   1 if it does not have the file (*n_missing counts those), or an error that
   ends it.  */
int dg_bundle_sources (struct dg_symbols *symbols,
                       const struct dg_symbols_used *used,
                       int (*each) (void *user, const char *name,
                                    struct dg_error *err),
                       void *user, size_t *n_missing, struct dg_error *err);

#endif /* DG_BUNDLE_SOURCES_H */
