/* band.h: the accesses of one chunk, counted in the pixels of a view.

   Chunks follow one another in time, so a chunk has all of its rows but the
   first and the last to itself; these two are counted in rows of its own, to
   be added when it is done.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BAND_H
#define DV_BAND_H

#include "lens.h"
#include "sieve.h"

/* What all chunks of a picture are counted with.  */
struct dv_band_counter {
  const struct dv_scene *scene;
  struct dv_raster *raster;
  struct dv_lens lens;
  const struct dv_sieve *sieve;   /* NULL: all accesses */
};

/* The rows of one chunk.  */
struct dv_band {
  uint32_t first, last;
  /* The first row, then the last: of the cells, the owners, the lane.  */
  struct dv_raster_cell *cells;
  struct dv_raster_owner *owners;
  uint64_t *lane;
};

/* Decodes a chunk.  Negative and *err on failure; the band must be freed in
   any case.  */
int dv_band_count (struct dv_band *band, const struct dv_band_counter *counter,
                   size_t chunk, struct dg_error *err);
/* Adds its edges to the picture; one at a time.  */
void dv_band_add (const struct dv_band *band, struct dv_raster *raster);
void dv_band_fini (struct dv_band *band);

/* The same for the lane only, of a chunk that is not decoded: all of its
   instructions are its first thread's.  One at a time.  */
void dv_band_guess_lane (const struct dv_band_counter *counter, size_t chunk);

#endif /* DV_BAND_H */
