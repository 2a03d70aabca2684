/* timeline_modules.h: the timeline of executables and libraries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_MODULES_H
#define DG_TIMELINE_MODULES_H

#include "base/arena.h"
#include "format/decode.h"
#include "base/spans.h"
#include "base/table.h"

/* All zero is empty.  */
struct dg_timeline_modules {
  struct dg_table *modules; /* struct dg_module; the caller's */
  struct dg_arena *arena;   /* for strings; the caller's */
  struct dg_spans loaded;   /* by text_address */
};

/* Each takes the fields of the record it is named after: 0, DG_ERR_NOMEM or
   DG_ERR_DAMAGED.  A module loaded where one was ends that; unloading what
   is not there does nothing.  */
int dg_timeline_modules_load (struct dg_timeline_modules *modules,
                              const struct dg_fields *fields, uint64_t icount,
                              struct dg_error *err);
int dg_timeline_modules_detail (struct dg_timeline_modules *modules,
                                const struct dg_fields *fields,
                                uint64_t offset, struct dg_error *err);
/* The index of the one that has been unloaded, or SIZE_MAX.  */
size_t dg_timeline_modules_unload (struct dg_timeline_modules *modules,
                                   const struct dg_fields *fields,
                                   uint64_t icount);
/* The one whose text is at an address now, or SIZE_MAX.  */
size_t dg_timeline_modules_find (const struct dg_timeline_modules *modules,
                                 uint64_t text_address);

void dg_timeline_modules_fini (struct dg_timeline_modules *modules);

#endif /* DG_TIMELINE_MODULES_H */
