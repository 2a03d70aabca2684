/* band.c: the inner loops of drawing.

   Each is made twice, with and without the threads, as a picture by kind must
   not pay for them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "band.h"

#include <dg_record.h>

#define ALWAYS_INLINE inline __attribute__ ((always_inline))

/* A row of pixels.  */
struct row {
  struct dv_raster_cell *cells;
  struct dv_raster_owner *owners;
};

/* Also keeps the counts of a log whose chunks overlap in memory that is
   ours.  */
static ALWAYS_INLINE struct row
band_row (const struct dv_raster *raster, const struct dv_band *band,
          uint32_t row, const bool by_thread)
{
  uint32_t width = raster->width;
  bool is_edge = row <= band->first || row >= band->last;
  size_t at = !is_edge ? (size_t) row * width
              : row <= band->first ? 0 : width;
  struct row found = { (is_edge ? band->cells : raster->cells) + at, NULL };
  if (by_thread)
    found.owners = (is_edge ? band->owners : raster->owners) + at;
  return found;
}

/* ---- Across ---------------------------------------------------------- */

/* Counts the units [first, last] of the view, which may stick out of it.  */
static ALWAYS_INLINE void
mark_units (const struct dv_lens *lens, struct row row, int64_t first,
            int64_t last, unsigned kind, uint32_t thread,
            const bool by_thread)
{
  int64_t end = (int64_t) lens->x.span;
  if (G_UNLIKELY (first < 0 || last >= end)) {
    first = MAX (first, 0);
    last = MIN (last, end - 1);
    if (first > last)
      return;
  }
  uint32_t column = dv_scale_pixel (&lens->x, (uint64_t) first);
  uint32_t stop = dv_scale_last (&lens->x, (uint64_t) last);
  do {
    row.cells[column].count[kind]++;
    if (by_thread)
      dv_raster_vote (&row.owners[column], thread, 1);
  } while (G_UNLIKELY (column++ < stop));
}

/* An access that goes on in the next page.  Its pages are neighbours in the
   layout, but those outside the view are not in the map.  Marked as a whole,
   so that a pixel with the boundary counts once.  */
static void
mark_pages (const struct dv_lens *lens, struct row row, uint64_t address,
            uint32_t size, unsigned kind, uint32_t thread)
{
  uint64_t left = size;
  int64_t first = 0, last = -1;
  while (left > 0) {
    uint64_t offset = address & lens->page_mask;
    uint64_t part = MIN (left, lens->page_mask + 1 - offset);
    struct dv_pagemap_entry *entry
      = dv_pagemap_find (&lens->pages, address >> lens->page_shift);
    if (entry != NULL) {
      if (last < first)
        first = entry->value + (int64_t) offset;
      last = entry->value + (int64_t) (offset + part) - 1;
    }
    address += part;
    left -= part;
  }
  if (first > last)
    return;
  if (row.owners != NULL)
    mark_units (lens, row, first, last, kind, thread, true);
  else
    mark_units (lens, row, first, last, kind, thread, false);
}

static ALWAYS_INLINE void
mark_access (const struct dv_lens *lens, struct row row, uint64_t address,
             uint32_t size, unsigned kind, uint32_t thread,
             const bool by_thread)
{
  uint64_t offset = address & lens->page_mask;
  if (G_UNLIKELY (kind > DG_ACC_WRITE || address == 0 || size == 0))
    return;
  if (G_UNLIKELY (offset + size > lens->page_mask + 1)) {
    struct dv_lens copy = *lens;   /* so that the address of ours stays here */
    mark_pages (&copy, row, address, size, kind, thread);
    return;
  }
  struct dv_pagemap_entry *entry
    = dv_pagemap_find (&lens->pages, address >> lens->page_shift);
  if (entry == NULL)
    return;
  int64_t first = entry->value + (int64_t) offset;
  mark_units (lens, row, first, first + size - 1, kind, thread, by_thread);
}

/* ---- Runs ------------------------------------------------------------ */

/* A run of which not everything may count, or not in one row.  */
static ALWAYS_INLINE void
mark_carefully (const struct dv_band_counter *counter,
                const struct dv_lens *lens, const struct dv_band *band,
                const struct dg_run *run, const bool by_thread)
{
  const struct dv_raster *raster = counter->raster;
  const struct dv_scale *y = &raster->y;
  const struct dv_sieve *sieve = counter->sieve;
  const struct dg_filter *filter = counter->scene->filter;
  bool all = true;
  if (sieve != NULL) {
    enum dv_sieve_verdict verdict = dv_sieve_context (sieve, run->context);
    if (verdict == DV_SIEVE_NONE)
      return;
    all = verdict == DV_SIEVE_ALL;
  }
  if (filter != NULL && !dg_filter_run (filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.icount < raster->view.y0 || access.icount >= raster->view.y1)
      continue;
    if (!all && !dv_highlight_code (sieve->highlight, access.instruction))
      continue;
    if (filter != NULL && (access.address == 0
                           || !dg_filter_access (filter, &access)))
      continue;
    uint32_t row = dv_scale_pixel (y, access.icount - y->start);
    uint32_t last = dv_scale_last (y, access.icount - y->start);
    for (; row <= last; row++)
      mark_access (lens, band_row (raster, band, row, by_thread),
                   access.address, access.size, access.kind, access.thread,
                   by_thread);
  }
}

/* A run that counts as a whole, in one row.  */
static ALWAYS_INLINE void
mark_whole (const struct dv_lens *lens, struct row row,
            const struct dg_run *run, const bool by_thread)
{
  const struct dg_slot *slot = run->bbdef->slots, *end = slot + run->n_slots;
  const uint64_t *addresses = run->addresses;
  for (; slot < end; slot++)
    mark_access (lens, row, addresses[slot->entry], slot->size, slot->kind,
                 run->thread, by_thread);
}

static ALWAYS_INLINE void
mark_run (const struct dv_band_counter *counter, const struct dv_lens *lens,
          const struct dv_band *band, const struct dg_run *run,
          const bool by_thread)
{
  const struct dv_raster *raster = counter->raster;
  const struct dv_scale *y = &raster->y;
  const struct dv_view *view = &raster->view;
  uint64_t end = run->icount + run->n_instrs;
  if (run->n_slots == 0 || end <= view->y0)
    return;
  if (counter->scene->filter == NULL && counter->sieve == NULL
      && run->icount >= view->y0 && end <= view->y1) {
    uint32_t row = dv_scale_pixel (y, run->icount - y->start);
    if (row == dv_scale_last (y, end - 1 - y->start)) {
      mark_whole (lens, band_row (raster, band, row, by_thread), run,
                  by_thread);
      return;
    }
  }
  mark_carefully (counter, &counter->lens, band, run, by_thread);
}

/* ---- The lane -------------------------------------------------------- */

static uint64_t *
lane_row (const struct dv_raster *raster, const struct dv_band *band,
          uint32_t row)
{
  if (row <= band->first)
    return band->lane;
  if (row >= band->last)
    return band->lane + DV_LANE_SLOTS;
  return raster->lane + (size_t) row * DV_LANE_SLOTS;
}

static size_t
lane_slot (uint32_t thread)
{
  return (thread - 1) % DV_LANE_SLOTS;
}

static void
mark_lane (const struct dv_raster *raster, const struct dv_band *band,
           const struct dg_run *run)
{
  const struct dv_scale *y = &raster->y;
  size_t slot = lane_slot (run->thread);
  uint64_t end = run->icount + run->n_instrs;
  if (end <= run->icount || end <= raster->view.y0
      || run->icount >= raster->view.y1)
    return;
  uint64_t first = MAX (run->icount, raster->view.y0) - y->start;
  uint64_t last = MIN (end, raster->view.y1) - 1 - y->start;
  uint32_t row = dv_scale_pixel (y, first);
  if (row == dv_scale_last (y, last)) {
    lane_row (raster, band, row)[slot] += last - first + 1;
    return;
  }
  for (; first <= last; first++) {
    uint32_t stop = dv_scale_last (y, first);
    for (row = dv_scale_pixel (y, first); row <= stop; row++)
      lane_row (raster, band, row)[slot]++;
  }
}

void
dv_band_guess_lane (const struct dv_band_counter *counter, size_t chunk)
{
  struct dv_raster *raster = counter->raster;
  const struct dv_scale *y = &raster->y;
  uint64_t start, end;
  size_t n;
  dv_data_chunk (counter->scene->data, chunk, &start, &end);
  start = MAX (start, raster->view.y0);
  end = MIN (end, raster->view.y1);
  if (raster->lane == NULL || start >= end)
    return;
  uint32_t thread = dg_log_chunks (counter->scene->data->log,
                                   &n)[chunk].thread;
  uint32_t first = dv_scale_pixel (y, start - y->start);
  uint32_t last = dv_scale_last (y, end - 1 - y->start);
  uint64_t share = MAX ((end - start) / (last - first + 1), 1);
  for (uint32_t row = first; row <= last; row++)
    raster->lane[(size_t) row * DV_LANE_SLOTS + lane_slot (thread)] += share;
}

/* ---- Chunks ---------------------------------------------------------- */

/* The rows that accesses of a chunk can lie in.  */
static void
band_init (struct dv_band *band, const struct dv_band_counter *counter,
           size_t chunk)
{
  const struct dv_raster *raster = counter->raster;
  const struct dv_scale *y = &raster->y;
  uint64_t start, end;
  dv_data_chunk (counter->scene->data, chunk, &start, &end);
  start = CLAMP (start, y->start, y->start + y->span - 1);
  end = CLAMP (end, start + 1, y->start + y->span);
  band->first = dv_scale_pixel (y, start - y->start);
  band->last = dv_scale_last (y, end - 1 - y->start);
  band->cells = g_new0 (struct dv_raster_cell, 2 * (size_t) raster->width);
  if (raster->owners != NULL)
    band->owners = g_new0 (struct dv_raster_owner, 2 * (size_t) raster->width);
  if (raster->lane != NULL)
    band->lane = g_new0 (uint64_t, 2 * DV_LANE_SLOTS);
}

static ALWAYS_INLINE int
count_runs (const struct dv_band_counter *counter, const struct dv_band *band,
            struct dg_reader *reader, struct dg_error *err,
            const bool by_thread)
{
  /* A copy on the stack: the compiler must not think that counting could
     change it.  */
  const struct dv_lens lens = counter->lens;
  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.icount >= counter->raster->view.y1)
      return 0;
    if (band->lane != NULL)
      mark_lane (counter->raster, band, &run);
    mark_run (counter, &lens, band, &run, by_thread);
  }
  return result;
}

int
dv_band_count (struct dv_band *band, const struct dv_band_counter *counter,
               size_t chunk, struct dg_error *err)
{
  *band = (struct dv_band){ 0 };
  struct dg_reader *reader = dg_reader_new (counter->scene->data->log, chunk,
                                            chunk + 1, err);
  if (reader == NULL)
    return err->code;
  band_init (band, counter, chunk);
  int result = band->owners != NULL
               ? count_runs (counter, band, reader, err, true)
               : count_runs (counter, band, reader, err, false);
  dg_reader_free (reader);
  return result;
}

static void
add_row (const struct dv_band *band, struct dv_raster *raster, uint32_t row,
         size_t edge)
{
  size_t width = raster->width, to = row * width, from = edge * width;
  for (size_t i = 0; i < width; i++) {
    raster->cells[to + i].count[0] += band->cells[from + i].count[0];
    raster->cells[to + i].count[1] += band->cells[from + i].count[1];
  }
  for (size_t i = 0; band->owners != NULL && i < width; i++) {
    const struct dv_raster_owner *owner = &band->owners[from + i];
    if (owner->thread == 0)
      continue;
    dv_raster_vote (&raster->owners[to + i], owner->thread, owner->lead);
    raster->owners[to + i].is_mixed |= owner->is_mixed;
  }
  for (size_t i = 0; band->lane != NULL && i < DV_LANE_SLOTS; i++)
    raster->lane[row * (size_t) DV_LANE_SLOTS + i]
      += band->lane[edge * DV_LANE_SLOTS + i];
}

void
dv_band_add (const struct dv_band *band, struct dv_raster *raster)
{
  if (band->cells == NULL)
    return;
  add_row (band, raster, band->first, 0);
  add_row (band, raster, band->last, 1);
}

void
dv_band_fini (struct dv_band *band)
{
  g_free (band->cells);
  g_free (band->owners);
  g_free (band->lane);
}

/* ---- The lens -------------------------------------------------------- */
