/* scene.c: finding the touched pages, by the index or by a pass over all
   accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "scene.h"

#include "i18n.h"

#include <stdlib.h>
#include <string.h>

#include <dg_record.h>
#include <glib.h>

#include "areas.h"
#include "pagemap.h"
#include "work.h"
#include "refs.h"
#include "order.h"

/* Of all chunks together: what is kept at most to skip chunks by.  */
#define MAX_LISTED_PAGES (8u << 20)
#define MAX_MAP_BYTES    (64u << 20)

/* Instructions that the time model executes: some seconds.  Of more, a
   sample.  */
#define MAX_EXECUTED ((uint64_t) 100 * 1000 * 1000)

/* Recently seen pages, to keep the table out of most accesses.  */
#define RECENT 512

/* A damaged log may claim any moment; above this it is not drawn, so that
   spans can be added and held in a double.  */
#define MAX_ICOUNT ((uint64_t) 1 << 62)

struct census_worker {
  struct dv_pagemap pages;        /* value: 1 + the last chunk seen in */
  uint64_t recent[RECENT];
  uint64_t accesses;
  uint64_t first, last;           /* icounts, first > last: none */
  struct dg_error error;
};

struct census {
  struct dv_scene *scene;
  struct census_worker *workers;
  GArray **chunks;                /* uint64_t page numbers of each chunk */
  gint listed;                    /* atomic: pages in them all */
};

static void
see_page_slowly (struct census *census, struct census_worker *self,
                 size_t chunk, uint64_t page)
{
  self->recent[page % RECENT] = page;
  struct dv_pagemap_entry *entry = dv_pagemap_insert (&self->pages, page, 0);
  if (entry->value == (int64_t) chunk + 1)
    return;
  entry->value = (int64_t) chunk + 1;
  g_array_append_val (census->chunks[chunk], page);
}

static inline void
see_access (struct census *census, struct census_worker *self, size_t chunk,
            unsigned shift, uint64_t address, uint32_t size)
{
  uint64_t page = address >> shift;
  if (self->recent[page % RECENT] != page)
    see_page_slowly (census, self, chunk, page);
  uint64_t last = (address + size - 1) >> shift;
  if (G_UNLIKELY (last != page))
    while (page < last) {
      page++;
      see_page_slowly (census, self, chunk, page);
    }
}

static void
see_run (struct census *census, struct census_worker *self, size_t chunk,
         const struct dg_run *run)
{
  const struct dg_slot *slots = run->bbdef->slots;
  unsigned shift = census->scene->data->page_shift;
  uint64_t seen = 0;
  for (unsigned i = 0; i < run->n_slots; i++) {
    uint64_t address = run->addresses[slots[i].entry];
    if (address == 0 || slots[i].size == 0)
      continue;
    see_access (census, self, chunk, shift, address, slots[i].size);
    seen++;
  }
  if (seen > 0) {
    self->first = MIN (self->first, run->icount);
    self->last = MAX (self->last, run->icount + run->n_instrs - 1);
    self->accesses += seen;
  }
}

static void
see_filtered_run (struct census *census, struct census_worker *self,
                  size_t chunk, const struct dg_run *run)
{
  const struct dv_scene *scene = census->scene;
  if (!dg_filter_run (scene->filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.address == 0 || access.size == 0
        || !dg_filter_access (scene->filter, &access))
      continue;
    see_access (census, self, chunk, scene->data->page_shift,
                access.address, access.size);
    self->first = MIN (self->first, access.icount);
    self->last = MAX (self->last, access.icount);
    self->accesses++;
  }
}

static int
census_chunk (void *user, size_t chunk, unsigned worker)
{
  struct census *census = user;
  struct census_worker *self = &census->workers[worker];
  const struct dv_scene *scene = census->scene;
  struct dg_reader *reader = dg_reader_new (scene->data->log, chunk,
                                            chunk + 1, &self->error);
  if (reader == NULL)
    return self->error.code;
  memset (self->recent, 0xff, sizeof self->recent);
  census->chunks[chunk] = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, &self->error)) == 1)
    if (scene->filter == NULL)
      see_run (census, self, chunk, &run);
    else
      see_filtered_run (census, self, chunk, &run);
  dg_reader_free (reader);

  if (g_atomic_int_get (&census->listed) > (gint) MAX_LISTED_PAGES) {
    g_array_unref (census->chunks[chunk]);
    census->chunks[chunk] = NULL;
  } else {
    g_atomic_int_add (&census->listed, (gint) census->chunks[chunk]->len);
  }
  return result;
}

DV_DEFINE_COMPARE (compare_pages, uint64_t, *x)

/* All pages that any worker saw, ascending, once each.  */
static GArray *
gather_pages (const struct census *census, unsigned workers)
{
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  for (unsigned w = 0; w < workers; w++) {
    const struct dv_pagemap *map = &census->workers[w].pages;
    for (size_t i = 0; i <= map->mask; i++)
      if (map->entries[i].page != DV_PAGE_NONE)
        g_array_append_val (pages, map->entries[i].page);
  }
  g_array_sort (pages, compare_pages);
  guint kept = 0;
  for (guint i = 0; i < pages->len; i++) {
    uint64_t page = g_array_index (pages, uint64_t, i);
    if (kept == 0 || g_array_index (pages, uint64_t, kept - 1) != page)
      g_array_index (pages, uint64_t, kept++) = page;
  }
  g_array_set_size (pages, kept);
  return pages;
}

static void
set_chunk_pages (struct dv_scene *scene, const struct census *census,
                 size_t n_chunks)
{
  const struct dv_layout *layout = &scene->layout;
  unsigned shift = layout->page_shift;
  size_t words = (size_t) ((layout->size >> shift) + 63) / 64;
  if (words == 0 || n_chunks > MAX_MAP_BYTES / sizeof (uint64_t) / words)
    return;
  scene->words_per_chunk = words;
  scene->chunk_pages = g_new0 (uint64_t, words * n_chunks);
  for (size_t c = 0; c < n_chunks; c++) {
    uint64_t *bits = scene->chunk_pages + c * words;
    const GArray *list = census->chunks[c];
    if (list == NULL) {
      memset (bits, 0xff, words * sizeof *bits);
      continue;
    }
    for (guint i = 0; i < list->len; i++) {
      uint64_t position;
      if (dv_layout_position (layout,
                              g_array_index (list, uint64_t, i) << shift,
                              &position))
        bits[position >> shift >> 6] |= (uint64_t) 1
                                        << (position >> shift & 63);
    }
  }
}

static void
set_axes (struct dv_scene *scene, const struct census *census,
          unsigned workers, size_t n_chunks)
{
  GArray *pages = gather_pages (census, workers);
  dv_layout_init (&scene->layout, (const uint64_t *) (void *) pages->data,
                  pages->len, scene->data->page_shift);
  g_array_unref (pages);
  uint64_t first = UINT64_MAX, last = 0;
  for (unsigned w = 0; w < workers; w++) {
    scene->accesses += census->workers[w].accesses;
    first = MIN (first, census->workers[w].first);
    last = MAX (last, census->workers[w].last);
  }
  first = MIN (first, MAX_ICOUNT);
  last = CLAMP (last, first, MAX_ICOUNT);
  if (scene->accesses > 0)
    scene->full = (struct dv_view){ 0, scene->layout.size, first, last + 1 };
  set_chunk_pages (scene, census, n_chunks);
}

static int
take_census (struct dv_scene *scene, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  size_t n_chunks;
  dg_log_chunks (scene->data->log, &n_chunks);
  unsigned workers = dv_work_default_workers ();
  struct census census = { .scene = scene };
  census.workers = g_new0 (struct census_worker, workers);
  census.chunks = g_new0 (GArray *, n_chunks + 1);
  for (unsigned w = 0; w < workers; w++) {
    dv_pagemap_init (&census.workers[w].pages, 1024);
    census.workers[w].first = UINT64_MAX;
  }

  int code = dv_work_run (n_chunks, workers, census_chunk, &census, progress,
                          user, DG_ERR_CANCELLED);
  if (code == 0)
    set_axes (scene, &census, workers, n_chunks);
  else if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    if (code < 0 && census.workers[w].error.code == code)
      *err = census.workers[w].error;
    dv_pagemap_fini (&census.workers[w].pages);
  }
  for (size_t c = 0; c < n_chunks; c++)
    if (census.chunks[c] != NULL)
      g_array_unref (census.chunks[c]);
  g_free (census.chunks);
  g_free (census.workers);
  return code;
}

/* ---- By the index ---------------------------------------------------- */

/* The index knows lines, and only what is not filtered; and it knows when
   something happened to a chunk only, which few chunks would show.  */
static struct dg_index *
usable_index (const struct dv_scene *scene)
{
  const struct dv_data *data = scene->data;
  if (scene->filter != NULL || (1u << data->page_shift) < DG_LINE_BYTES
      || dg_log_summary (data->log)->accesses <= data->few)
    return NULL;
  return dv_data_index (data);
}

/* When recording was first on in a chunk.  */
static uint64_t
recorded_from (const struct dg_log *log, const struct dg_chunk *chunk)
{
  size_t n;
  const struct dg_window_change *changes = dg_log_windows (log, &n);
  uint64_t at = chunk->icount;
  bool on = chunk->recording;
  for (size_t i = 0; i < n; i++) {
    if (changes[i].icount < chunk->icount)
      continue;
    if (on && changes[i].icount > at)
      break;
    on = changes[i].on;
    at = changes[i].icount;
  }
  return on ? at : chunk->icount;
}

/* From the first chunk that has accesses to the end of the last one.  */
static void
set_time (struct dv_scene *scene, const struct dg_index *index)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (scene->data->log, &n);
  uint64_t first = MAX_ICOUNT, end = 0;
  for (size_t i = 0; i < dg_index_lists (index, 0); i++) {
    struct dg_index_span span = dg_index_span (index, 0, i);
    if (span.accesses == 0 || span.end_icount <= span.start_icount)
      continue;
    if (end == 0)
      first = recorded_from (scene->data->log, &chunks[i]);
    end = MAX (end, span.end_icount);
  }
  end = MIN (end, MAX_ICOUNT);
  scene->accesses = dg_log_summary (scene->data->log)->accesses;
  if (first < end)
    scene->full = (struct dv_view){ 0, scene->layout.size, first, end };
}

static bool
ask_index (struct dv_scene *scene, struct dg_index *index)
{
  unsigned shift = scene->data->page_shift;
  uint64_t *pages;
  size_t n;
  if (dg_index_pages (index, shift, &pages, &n, NULL) < 0) {
    dv_data_spoil_index (scene->data);
    return false;
  }
  dv_layout_init (&scene->layout, pages, n, shift);
  free (pages);
  set_time (scene, index);
  return true;
}

/* ---- Life ------------------------------------------------------------ */

static void
scene_clear (void *memory)
{
  struct dv_scene *scene = memory;
  dg_filter_free (scene->filter);
  dv_areas_free (scene->areas);
  g_free (scene->block_groups);
  dv_layout_fini (&scene->layout);
  g_free (scene->chunk_pages);
  g_free (scene->events);
  g_free (scene->ranges);
  dv_data_unref (scene->data);
}

DV_DEFINE_REFS (dv_scene, scene_clear)

struct dv_scene *
dv_scene_new (struct dv_data *data, const char *events, const char *ranges,
              dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_scene *scene = g_atomic_rc_box_new0 (struct dv_scene);
  scene->data = dv_data_ref (data);
  scene->events = g_strdup (events != NULL ? events : "");
  scene->ranges = g_strdup (ranges != NULL ? ranges : "");
  if (*scene->events != '\0' || *scene->ranges != '\0') {
    scene->filter = dg_filter_new (data->log, data->symbols, data->space,
                                   scene->events, scene->ranges, progress,
                                   user, err);
    if (scene->filter == NULL)
      goto fail;
  }
  struct dg_index *index = usable_index (scene);
  if (index != NULL && ask_index (scene, index))
    return scene;
  if (data->is_glance) {
    *err = (struct dg_error){ DG_ERR_DAMAGED, 0, "the index is damaged" };
    goto fail;
  }
  if (take_census (scene, progress, user, err) != 0)
    goto fail;
  return scene;

fail:
  dv_scene_unref (scene);
  return NULL;
}

const char *
dv_scene_nothing (const struct dv_scene *scene)
{
  const struct dv_data *data = scene->data;
  if (scene->filter != NULL)
    return _ ("No accesses match the filters.");
  if (data->is_growing)
    return _ ("No accesses have been recorded yet.");
  if (data->flaw.code == DG_ERR_TRUNCATED)
    return _ ("There are no accesses before the point where the log is cut "
              "short.");
  if (data->flaw.code == DG_ERR_DAMAGED)
    return _ ("There are no accesses before the point where the log is "
              "damaged.");
  return _ ("There are no accesses in this log.");
}

bool
dv_scene_chunk_matters (const struct dv_scene *scene, size_t i,
                        const struct dv_view *view)
{
  uint64_t start, end;
  dv_data_chunk (scene->data, i, &start, &end);
  /* The last chunk's end is that of the log; a block may straddle it.  */
  if (start >= view->y1 || (end >= start && end <= view->y0))
    return false;
  if (scene->chunk_pages == NULL || view->x0 >= view->x1)
    return true;
  unsigned shift = scene->layout.page_shift;
  const uint64_t *bits = scene->chunk_pages + i * scene->words_per_chunk;
  uint64_t last = (view->x1 - 1) >> shift;
  for (uint64_t page = view->x0 >> shift; page <= last; page++) {
    if ((page & 63) == 0 && page + 63 <= last && bits[page >> 6] == 0)
      page += 63;
    else if (bits[page >> 6] >> (page & 63) & 1)
      return true;
  }
  return false;
}

int
dv_scene_code_filter (const struct dv_scene *scene,
                      const struct dg_filter **filter,
                      struct dg_filter **made, struct dg_error *err)
{
  const struct dv_data *data = scene->data;
  bool has_events = *scene->events != '\0';
  bool has_ranges = *scene->ranges != '\0';
  *made = has_events && has_ranges
            ? dg_filter_new (data->log, data->symbols, data->space,
                             scene->events, NULL, NULL, NULL, err)
            : NULL;
  if (has_events && has_ranges && *made == NULL)
    return err->code;
  *filter = has_ranges ? *made : scene->filter;
  return 0;
}

void
dv_scene_time (const struct dv_scene *scene, const struct dv_view *view,
               uint64_t *start, uint64_t *end)
{
  bool is_whole = view == NULL
                  || (view->y0 <= scene->full.y0
                      && view->y1 >= scene->full.y1);
  *start = is_whole ? 0 : view->y0;
  *end = is_whole ? UINT64_MAX : view->y1;
}

/* A part that no stretch of the sample is in would have no figures, so it is
   executed as a whole.  */
uint64_t
dv_scene_time_sample (const struct dv_scene *scene, uint64_t start,
                      uint64_t end)
{
  uint64_t last = dg_log_summary (scene->data->log)->last_icount;
  bool is_whole = start == 0 && end >= last && *scene->events == '\0';
  return is_whole ? last / MAX_EXECUTED + 1 : 1;
}
