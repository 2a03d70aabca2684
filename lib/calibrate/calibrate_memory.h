/* calibrate_memory.h: loads that follow one another, loads side by side,
   streams, and pages.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_MEMORY_H
#define DG_CALIBRATE_MEMORY_H

#include "calibrate_clock.h"
#include "libdatagrind.h"

#define DG_CALIBRATE_LINE 64
#define DG_CALIBRATE_PAGE 4096

/* Memory to measure with.  */
struct dg_calibrate_memory {
  char *base;              /* at a multiple of 2 MiB */
  size_t bytes;
  void *mapping;           /* all of it, with what is before base */
  size_t mapped;
  bool is_large;           /* pages of 2 MiB were asked for */
  uint64_t random;
};

/* DG_ERR_NOMEM.  */
int dg_calibrate_memory_init (struct dg_calibrate_memory *memory, size_t bytes,
                              bool is_large, struct dg_error *err);
void dg_calibrate_memory_fini (struct dg_calibrate_memory *memory);

/* Cycles of a load that waits for the one before, of n lines that are `apart`
   bytes from one another, in a random order; the place within a page is
   another one for each line.  */
struct dg_calibrate_sample
dg_calibrate_chase (struct dg_calibrate_clock *clock,
                    struct dg_calibrate_memory *memory, size_t n,
                    size_t apart);
/* Of a load that waits for no other, at random places of so many bytes.  */
struct dg_calibrate_sample
dg_calibrate_gather (struct dg_calibrate_clock *clock,
                     struct dg_calibrate_memory *memory, size_t bytes);
/* Of the next line, from the first of so many bytes to the last.  */
struct dg_calibrate_sample
dg_calibrate_stream (struct dg_calibrate_clock *clock,
                     struct dg_calibrate_memory *memory, size_t bytes);
/* Of the first store to a page of 4 KiB.  False: no memory.  */
bool dg_calibrate_touch (struct dg_calibrate_clock *clock,
                         struct dg_calibrate_sample *sample);

#endif /* DG_CALIBRATE_MEMORY_H */
