/* seek.c: chunks from near to far, until one has the access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "seek.h"

#include <stdlib.h>

#include <dg_record.h>

#include "work.h"

/* Levels of the index that are asked before a chunk's own list.  */
#define LEVELS 3
/* Runs between two looks at whether a nearer chunk has it.  */
#define RUNS_EACH 4096

struct seeker {
  const struct dv_seek *seek;
  struct dv_view area;            /* where it can be */
  size_t n_chunks;
  gsize best;                     /* atomic: the nearest task that has one */
  GMutex lock;                    /* guards the two below */
  struct dg_access found;
  struct dg_error error;
};

bool
dv_seek_same_access (const struct dg_access *a, const struct dg_access *b)
{
  return a->icount == b->icount && a->address == b->address
         && a->instruction == b->instruction && a->size == b->size
         && a->kind == b->kind && a->thread == b->thread;
}

static bool
is_wanted (const struct dv_seek *seek, const struct dg_access *access)
{
  if (access->address == 0 || access->size == 0
      || access->kind > DG_ACC_WRITE || access->address >= seek->high
      || access->address + access->size <= seek->low)
    return false;
  if (seek->scene->filter != NULL
      && !dg_filter_access (seek->scene->filter, access))
    return false;
  return seek->highlight == NULL
         || dv_highlight_context (seek->highlight, access->context)
         || dv_highlight_code (seek->highlight, access->instruction);
}

/* ---- One chunk ------------------------------------------------------- */

/* The state of going through a chunk.  */
struct pass {
  struct seeker *seeker;
  bool passed;           /* `from` was met */
  bool has;              /* backward: the last one so far */
  struct dg_access last;
};

/* Whether the chunk is done with.  */
static bool
see (struct pass *pass, const struct dg_access *access)
{
  const struct dv_seek *seek = pass->seeker->seek;
  const struct dg_access *from = &seek->from;
  bool is_from = from->address != 0 && dv_seek_same_access (access, from);
  if (seek->backward) {
    if (is_from || access->icount > from->icount)
      return true;
    if (!is_wanted (seek, access))
      return false;
    pass->last = *access;
    pass->has = true;
    return false;
  }
  if (is_from) {
    pass->passed = true;
    return false;
  }
  if (access->icount < from->icount
      || (access->icount == from->icount && from->address != 0
          && !pass->passed)
      || !is_wanted (seek, access))
    return false;
  pass->last = *access;
  pass->has = true;
  return true;
}

/* Runs that cannot have it are not looked into.  */
static bool
run_matters (const struct dv_seek *seek, const struct dg_run *run)
{
  if (!seek->backward && run->icount + run->n_instrs <= seek->from.icount)
    return false;
  if (seek->highlight != NULL && seek->highlight->code == NULL
      && !dv_highlight_context (seek->highlight, run->context))
    return false;
  return seek->scene->filter == NULL
         || dg_filter_run (seek->scene->filter, run->context, run->icount);
}

static int
go_through (struct pass *pass, struct dg_reader *reader, size_t task,
            struct dg_error *err)
{
  struct seeker *seeker = pass->seeker;
  struct dg_run run;
  int result;
  unsigned n = 0;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (++n % RUNS_EACH == 0
        && (gsize) g_atomic_pointer_get (&seeker->best) < task)
      return 0;
    if (seeker->seek->backward && run.icount > seeker->seek->from.icount)
      return 0;
    if (!run_matters (seeker->seek, &run)
        && !(run.icount <= seeker->seek->from.icount
             && run.icount + run.n_instrs > seeker->seek->from.icount))
      continue;
    for (unsigned i = 0; i < run.n_slots; i++) {
      struct dg_access access = dv_run_access (&run, i);
      if (see (pass, &access))
        return 0;
    }
  }
  return result;
}

static void
take (struct seeker *seeker, size_t task, const struct dg_access *access)
{
  g_mutex_lock (&seeker->lock);
  if (task < (gsize) g_atomic_pointer_get (&seeker->best)) {
    g_atomic_pointer_set (&seeker->best, task);
    seeker->found = *access;
  }
  g_mutex_unlock (&seeker->lock);
}

/* ---- Which chunks ---------------------------------------------------- */

static int
compare_lines (const void *key, const void *element)
{
  uint64_t line = *(const uint64_t *) key;
  uint64_t other = ((const struct dg_line_count *) element)->line;
  return (line > other) - (line < other);
}

bool
dv_seek_may_touch (struct dg_index *index, uint64_t low, uint64_t high,
                   size_t chunk)
{
  uint64_t first = low / DG_LINE_BYTES;
  uint64_t last = (high - 1) / DG_LINE_BYTES;
  if (last - first > 8)
    return true;
  unsigned levels = MIN (dg_index_levels (index), LEVELS);
  for (unsigned level = levels; level-- > 0;) {
    size_t i = chunk >> (3 * level);
    bool has = false;
    if (i >= dg_index_lists (index, level))
      return true;
    const struct dg_line_list *list = dg_index_borrow (index, level, i, NULL);
    if (list == NULL)
      return true;
    for (uint64_t line = first; line <= last && !has; line++)
      has = list->n > 0
            && bsearch (&line, list->counts, list->n, sizeof *list->counts,
                        compare_lines) != NULL;
    dg_index_return (index, list);
    if (!has)
      return false;
  }
  return true;
}

static int
seek_task (void *user, size_t task, unsigned worker)
{
  struct seeker *seeker = user;
  const struct dv_seek *seek = seeker->seek;
  const struct dv_data *data = seek->scene->data;
  size_t chunk = seek->backward ? seeker->n_chunks - 1 - task : task;
  if ((gsize) g_atomic_pointer_get (&seeker->best) < task
      || !dv_scene_chunk_matters (seek->scene, chunk, &seeker->area))
    return 0;
  struct dg_index *index = dv_data_index (data);
  if (index != NULL
      && !dv_seek_may_touch (index, seek->low, seek->high, chunk))
    return 0;
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (data->log, chunk, chunk + 1,
                                            &err);
  struct pass pass = { .seeker = seeker };
  int result = reader == NULL ? err.code
                              : go_through (&pass, reader, task, &err);
  dg_reader_free (reader);
  if (result < 0) {
    g_mutex_lock (&seeker->lock);
    seeker->error = err;
    g_mutex_unlock (&seeker->lock);
    return result;
  }
  if (pass.has)
    take (seeker, task, &pass.last);
  return 0;
}

/* Positions and icounts of all that may be found.  */
static struct dv_view
where (const struct dv_seek *seek)
{
  const struct dv_scene *scene = seek->scene;
  struct dv_view area = scene->full;
  uint64_t page = (uint64_t) 1 << scene->layout.page_shift;
  dv_layout_position (&scene->layout, seek->low, &area.x0);
  dv_layout_position (&scene->layout, seek->high, &area.x1);
  /* An access that begins on the page before may reach in.  */
  area.x0 -= MIN (area.x0, page);
  area.x1 = MIN (area.x1 + page, scene->layout.size);
  if (seek->backward)
    area.y1 = MIN (area.y1, seek->from.icount + 1);
  else
    area.y0 = MAX (area.y0, seek->from.icount);
  return area;
}

int
dv_seek_run (const struct dv_seek *seek, struct dg_access *found,
             dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct seeker seeker = { .seek = seek, .best = G_MAXSIZE };
  seeker.area = where (seek);
  dg_log_chunks (seek->scene->data->log, &seeker.n_chunks);
  if (seeker.area.y0 >= seeker.area.y1 || seek->low >= seek->high)
    return 0;
  g_mutex_init (&seeker.lock);
  int code = dv_work_run (seeker.n_chunks, dv_work_default_workers (),
                          seek_task, &seeker, progress, user,
                          DG_ERR_CANCELLED);
  g_mutex_clear (&seeker.lock);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  else if (code < 0)
    *err = seeker.error;
  if (code < 0)
    return code;
  if (seeker.best == G_MAXSIZE)
    return 0;
  *found = seeker.found;
  return 1;
}
