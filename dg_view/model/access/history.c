/* history.c: counts the accesses to some memory chunk by chunk; pages are then
   read from the chunks that have them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "history.h"

#include <string.h>

#include <dg_record.h>

#include "answer.h"
#include "model/log/refs.h"
#include "model/log/seek.h"
#include "model/log/work.h"

static void
history_clear (void *memory)
{
  struct dv_history *history = memory;
  dv_scene_unref (history->scene);
  g_array_unref (history->before);
}

DV_DEFINE_REFS (dv_history, history_clear)

static void
row_clear (void *memory)
{
  struct dv_history_row *row = memory;
  g_free (row->who);
  g_free (row->field);
  g_free (row->thread);
}

void
dv_history_page_free (struct dv_history_page *page)
{
  if (page == NULL)
    return;
  dv_history_unref (page->history);
  g_array_unref (page->rows);
  g_free (page);
}

/* ---- One chunk ------------------------------------------------------- */

static bool
is_wanted (const struct dv_history *history, const struct dg_access *access)
{
  const struct dg_filter *filter = history->scene->filter;
  return access->address != 0 && access->size != 0
         && access->kind <= DG_ACC_WRITE && access->address < history->high
         && access->address + access->size > history->low
         && (filter == NULL || dg_filter_access (filter, access));
}

/* Calls `each` for the accesses of a chunk that are wanted, until it returns
   false.  */
static int
go_through (const struct dv_history *history, size_t chunk,
            bool (*each) (void *user, const struct dg_access *access),
            void *user, struct dg_error *err)
{
  const struct dg_filter *filter = history->scene->filter;
  struct dg_reader *reader = dg_reader_new (history->scene->data->log, chunk,
                                            chunk + 1, err);
  struct dg_run run;
  bool goes_on = true;
  int result = -1;
  while (goes_on && reader != NULL
         && (result = dg_reader_run (reader, &run, err)) == 1) {
    if (filter != NULL && !dg_filter_run (filter, run.context, run.icount))
      continue;
    for (unsigned i = 0; i < run.n_slots && goes_on; i++) {
      struct dg_access access = dv_run_access (&run, i);
      if (is_wanted (history, &access))
        goes_on = each (user, &access);
    }
  }
  dg_reader_free (reader);
  return goes_on ? result : 0;
}

/* ---- Counting -------------------------------------------------------- */

struct count {
  uint64_t kinds[2];
  uint64_t rank;  /* accesses before the one that is looked for */
  const struct dg_access *at;
  bool has_passed;
};

struct counter {
  const struct dv_history *history;
  struct count *counts;     /* of chunks */
  const struct dg_access *at;
  GMutex lock;              /* guards the error */
  struct dg_error error;
};

static bool
count_one (void *user, const struct dg_access *access)
{
  struct count *count = user;
  if (!count->has_passed
      && (dv_seek_same_access (access, count->at)
          || access->icount > count->at->icount))
    count->has_passed = true;
  if (!count->has_passed)
    count->rank++;
  count->kinds[access->kind == DG_ACC_WRITE]++;
  return true;
}

static int
count_task (void *user, size_t chunk, unsigned worker)
{
  struct counter *counter = user;
  const struct dv_history *history = counter->history;
  struct dg_index *index = dv_data_index (history->scene->data);
  struct dg_error err = { 0 };
  counter->counts[chunk].at = counter->at;
  if (index != NULL
      && !dv_seek_may_touch (index, history->low, history->high, chunk))
    return 0;
  if (go_through (history, chunk, count_one, &counter->counts[chunk], &err)
      >= 0)
    return 0;
  g_mutex_lock (&counter->lock);
  counter->error = err;
  g_mutex_unlock (&counter->lock);
  return err.code < 0 ? err.code : DG_ERR_IO;
}

/* The number of the access that is looked for goes to *rank.  */
static void
add_up (struct dv_history *history, const struct count *counts, size_t n,
        uint64_t *rank)
{
  bool has_passed = false;
  *rank = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t both = counts[i].kinds[0] + counts[i].kinds[1];
    g_array_append_val (history->before, history->total);
    if (!has_passed)
      *rank += counts[i].rank;
    has_passed |= counts[i].has_passed;
    history->reads += counts[i].kinds[0];
    history->writes += counts[i].kinds[1];
    history->total += both;
  }
}

static int
count_all (struct dv_history *history, const struct dg_access *at,
           uint64_t *rank, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  struct counter counter = { .history = history, .at = at };
  size_t n;
  dg_log_chunks (history->scene->data->log, &n);
  counter.counts = g_new0 (struct count, n + 1);
  g_mutex_init (&counter.lock);
  int code = dv_work_run (n, dv_work_default_workers (), count_task, &counter,
                          progress, user, DG_ERR_CANCELLED);
  g_mutex_clear (&counter.lock);
  if (code == 0)
    add_up (history, counter.counts, n, rank);
  else if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  else
    *err = counter.error;
  g_free (counter.counts);
  return code;
}

/* ---- Pages ----------------------------------------------------------- */

struct paging {
  GArray *rows;
  uint64_t skip; /* so many more are before the page */
  guint most;
};

static bool
add_one (void *user, const struct dg_access *access)
{
  struct paging *paging = user;
  if (paging->skip > 0) {
    paging->skip--;
    return true;
  }
  struct dv_history_row row = { .access = *access };
  g_array_append_val (paging->rows, row);
  return paging->rows->len < paging->most;
}

static void
explain (struct dv_history *history, struct dv_history_row *row)
{
  struct dv_answer *answer
    = dv_answer_new_brief (history->scene->data, &row->access);
  row->who = g_strdup (answer->place != NULL ? answer->place : "");
  row->field = g_strdup (answer->field != NULL      ? answer->field
                         : answer->variable != NULL ? answer->variable
                         : answer->has_range        ? answer->range_text
                                                    : answer->owner);
  row->thread = g_strdup (answer->thread);
  dv_answer_free (answer);
}

/* Rows are explained when all are there: names may have to be waited for.  */
static int
explain_all (struct dv_history_page *page, dg_progress_fn progress, void *user)
{
  for (guint i = 0; i < page->rows->len; i++) {
    if (progress != NULL && progress (user, i, page->rows->len) != 0)
      return DG_ERR_CANCELLED;
    explain (page->history,
             &g_array_index (page->rows, struct dv_history_row, i));
  }
  return 0;
}

struct dv_history_page *
dv_history_page (struct dv_history *history, uint64_t first, guint most,
                 dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_history_page *page = g_new0 (struct dv_history_page, 1);
  struct paging paging = { .most = most };
  const uint64_t *before = (const uint64_t *) (void *) history->before->data;
  int code = 0;
  page->history = dv_history_ref (history);
  page->first = first;
  page->rows = g_array_new (FALSE, FALSE, sizeof (struct dv_history_row));
  g_array_set_clear_func (page->rows, row_clear);
  paging.rows = page->rows;
  for (guint i = 0; i < history->before->len && code == 0
                    && page->rows->len < most; i++) {
    uint64_t end = i + 1 < history->before->len ? before[i + 1]
                                                : history->total;
    if (end <= first || end == before[i])
      continue;
    if (progress != NULL && progress (user, i, history->before->len) != 0) {
      code = DG_ERR_CANCELLED;
      break;
    }
    paging.skip = first > before[i] ? first - before[i] : 0;
    code = go_through (history, i, add_one, &paging, err);
  }
  if (code == 0)
    code = explain_all (page, progress, user);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  if (code < 0)
    g_clear_pointer (&page, dv_history_page_free);
  return page;
}

struct dv_history_page *
dv_history_new (struct dv_scene *scene, uint64_t low, uint64_t high,
                const struct dg_access *at, guint most,
                dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_history *history = g_atomic_rc_box_new0 (struct dv_history);
  struct dv_history_page *page = NULL;
  uint64_t rank;
  history->scene = dv_scene_ref (scene);
  history->low = low;
  history->high = high;
  history->before = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  if (count_all (history, at, &rank, progress, user, err) == 0) {
    uint64_t last = history->total > most ? history->total - most : 0;
    uint64_t first = rank > most / 2 ? rank - most / 2 : 0;
    page = dv_history_page (history, MIN (first, last), most, progress, user,
                            err);
  }
  dv_history_unref (history);
  return page;
}

bool
dv_history_find (const struct dv_history_page *page,
                 const struct dg_access *access, guint *row)
{
  for (guint i = 0; i < page->rows->len; i++)
    if (dv_seek_same_access (
          &g_array_index (page->rows, struct dv_history_row, i).access,
          access)) {
      *row = i;
      return true;
    }
  return false;
}
