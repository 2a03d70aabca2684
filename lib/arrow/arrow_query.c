/* arrow_query.c: a query is checked, copied, and put in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_query.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "dg_record.h"
#include "base/sized.h"
#include "log/log.h"

#define ALL_KINDS (1u << DG_ACC_READ | 1u << DG_ACC_WRITE)

/* ---- Checking ---- */

static int
check_limits (const struct dg_arrow_query *query,
              const struct dg_arrow_table *table, struct dg_error *err)
{
  const struct {
    unsigned limit;
    bool is_set;
    const char *name;
  } all[] = {
    { DG_ARROW_THREADS, query->n_threads > 0, "threads" },
    { DG_ARROW_ICOUNTS, query->icounts.low > 0 || query->icounts.high > 0,
      "instructions" },
    { DG_ARROW_ADDRESSES, query->n_addresses > 0, "addresses" },
    { DG_ARROW_KINDS, query->kinds != 0, "kinds" },
    { DG_ARROW_FILTER, query->events || query->ranges,
      "conditions on events and ranges" },
    { DG_ARROW_CHUNKS, query->first_chunk > 0 || query->end_chunk > 0,
      "chunks" }
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].is_set && !(table->limits & all[i].limit))
      return dg_error_set (err, DG_ERR_INVALID,
                           "table %s cannot be limited by %s", query->table,
                           all[i].name);
  if (table->columns && (query->n_settings > 0 || query->top > 0))
    return dg_error_set (err, DG_ERR_INVALID,
                         "table %s is not an analysis: it has no options",
                         query->table);
  return 0;
}

static int
check_numbers (const struct dg_arrow_query *query, struct dg_error *err)
{
  if (query->icounts.high > 0 && query->icounts.high <= query->icounts.low)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the range of instructions ends before it begins");
  for (size_t i = 0; i < query->n_addresses; i++)
    if (query->addresses[i].high > 0
        && query->addresses[i].high <= query->addresses[i].low)
      return dg_error_set (err, DG_ERR_INVALID,
                           "a range of addresses ends before it begins");
  if (query->kinds & ~ALL_KINDS)
    return dg_error_set (err, DG_ERR_INVALID, "there is no such kind");
  if (query->end_chunk > 0 && query->end_chunk < query->first_chunk)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the range of chunks ends before it begins");
  if (query->batch_rows > INT32_MAX)
    return dg_error_set (err, DG_ERR_INVALID, "batches cannot be that large");
  return dg_filter_check (query->events, query->ranges, err);
}

/* ---- Copying ---- */

static void *
copy (const void *from, size_t n, size_t size)
{
  void *to = n > 0 ? g_try_malloc_n (n, size) : NULL;

  if (to)
    memcpy (to, from, n * size);
  return to;
}

static char **
copy_texts (const char *const *from, size_t n)
{
  char **to = g_try_new0 (char *, n + 1);

  for (size_t i = 0; to && i < n; i++)
    to[i] = g_strdup (from[i]);
  return to;
}

static struct dg_setting *
copy_settings (const struct dg_setting *from, size_t n)
{
  struct dg_setting *to = copy (from, n, sizeof *from);

  for (size_t i = 0; to && i < n; i++)
    to[i] = (struct dg_setting) { g_strdup (from[i].name),
                                  g_strdup (from[i].value) };
  return to;
}

static int
compare_spans (const void *a, const void *b)
{
  return dg_compare_u64 (&((const struct dg_arrow_span *) a)->low,
                         &((const struct dg_arrow_span *) b)->low);
}

/* Spans in their order, and apart.  */
static size_t
merge_spans (struct dg_arrow_span *spans, size_t n)
{
  size_t merged = 0;

  for (size_t i = 0; i < n; i++)
    if (spans[i].high == 0)
      spans[i].high = DG_NEVER;
  if (n > 0)
    qsort (spans, n, sizeof *spans, compare_spans);
  for (size_t i = 0; i < n; i++) {
    if (merged > 0 && spans[i].low <= spans[merged - 1].high)
      spans[merged - 1].high = MAX (spans[merged - 1].high, spans[i].high);
    else
      spans[merged++] = spans[i];
  }
  return merged;
}

/* Replaces what belongs to the caller.  */
static int
copy_all (struct dg_arrow_query *to, struct dg_error *err)
{
  const struct dg_arrow_query from = *to;
  struct dg_arrow_span *spans
    = copy (from.addresses, from.n_addresses, sizeof *spans);
  uint32_t *threads = copy (from.threads, from.n_threads, sizeof *threads);

  to->table = g_strdup (from.table);
  to->columns = (const char *const *) copy_texts (from.columns,
                                                  from.n_columns);
  to->threads = threads;
  to->addresses = spans;
  to->settings = copy_settings (from.settings, from.n_settings);
  to->events = g_strdup (from.events);
  to->ranges = g_strdup (from.ranges);
  if (!to->columns || (from.n_threads > 0 && !threads)
      || (from.n_addresses > 0 && !spans)
      || (from.n_settings > 0 && !to->settings))
    return dg_error_nomem (err);
  if (threads)
    qsort (threads, from.n_threads, sizeof *threads, dg_compare_u32);
  to->n_addresses = merge_spans (spans, from.n_addresses);
  if (to->icounts.high == 0)
    to->icounts.high = DG_NEVER;
  return 0;
}

int
dg_arrow_query_take (struct dg_arrow_asked *asked, const struct dg_log *log,
                     const struct dg_arrow_query *query,
                     const struct dg_arrow_table *table, struct dg_error *err)
{
  struct dg_arrow_query *own = &asked->query;
  size_t n_chunks;
  int code;

  *asked = (struct dg_arrow_asked) { .log = log };
  code = DG_SIZED_TAKE (own, owner, query, err);
  if (code == 0 && !log->is_loaded)
    code = dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (code < 0)
    return code;
  if (!own->table)
    own->table = "accesses";
  code = check_limits (own, table, err);
  if (code == 0)
    code = check_numbers (own, err);
  if (code < 0)
    return code;
  code = copy_all (own, err);
  if (code == 0) {
    asked->shared = own->shared ? dg_arrow_shared_keep (own->shared)
                                : dg_arrow_shared_new (log, NULL, err);
    code = asked->shared ? 0 : DG_ERR_NOMEM;
  }
  if (code < 0) {
    dg_arrow_query_fini (asked);
    return code;
  }
  dg_log_chunks (log, &n_chunks);
  own->end_chunk = own->end_chunk == 0 ? n_chunks
                                       : MIN (own->end_chunk, n_chunks);
  own->first_chunk = MIN (own->first_chunk, own->end_chunk);
  if (own->kinds == 0)
    own->kinds = ALL_KINDS;
  asked->progress = dg_progress_start (own->progress, own->user);
  return 0;
}

void
dg_arrow_query_fini (struct dg_arrow_asked *asked)
{
  struct dg_arrow_query *query = &asked->query;

  dg_filter_free (asked->filter);
  dg_arrow_shared_free (asked->shared);
  g_free ((char *) query->table);
  g_strfreev ((char **) query->columns);
  g_free ((uint32_t *) query->threads);
  g_free ((struct dg_arrow_span *) query->addresses);
  for (size_t i = 0; query->settings && i < query->n_settings; i++) {
    g_free ((char *) query->settings[i].name);
    g_free ((char *) query->settings[i].value);
  }
  g_free ((struct dg_setting *) query->settings);
  g_free ((char *) query->events);
  g_free ((char *) query->ranges);
  *asked = (struct dg_arrow_asked) { .log = NULL };
}

/* ---- Asking ---- */

int
dg_arrow_query_filter (struct dg_arrow_asked *asked,
                       const struct dg_filter **filter, struct dg_error *err)
{
  const struct dg_arrow_query *query = &asked->query;

  *filter = NULL;
  if (!query->events && !query->ranges)
    return 0;
  if (!asked->filter) {
    struct dg_symbols *symbols
      = dg_arrow_shared_symbols (asked->shared, err);
    const struct dg_space *space
      = symbols && query->ranges
          ? dg_arrow_shared_space (asked->shared, query->progress,
                                   query->user, err)
          : NULL;

    if (!symbols || (query->ranges && !space))
      return DG_ERR_NOMEM;
    asked->filter
      = dg_filter_new (asked->log, symbols, space, query->events,
                       query->ranges, query->progress, query->user, err);
  }
  *filter = asked->filter;
  return asked->filter ? 0 : DG_ERR_INVALID;
}

bool
dg_arrow_query_has_thread (const struct dg_arrow_asked *asked, uint32_t thread)
{
  const uint32_t *threads = asked->query.threads;
  size_t n = asked->query.n_threads,
         i = DG_BISECT (0, n, k, threads[k] < thread);

  return n == 0 || (i < n && threads[i] == thread);
}

bool
dg_arrow_query_has_time (const struct dg_arrow_asked *asked, uint64_t start,
                         uint64_t end)
{
  const struct dg_arrow_span *asks = &asked->query.icounts;

  if (start >= end)
    return start >= asks->low && (start < asks->high
                                  || asks->high == DG_NEVER);
  return end > asks->low && (start < asks->high || asks->high == DG_NEVER);
}

bool
dg_arrow_query_has_memory (const struct dg_arrow_asked *asked,
                           uint64_t address, uint64_t size)
{
  const struct dg_arrow_span *spans = asked->query.addresses;
  uint64_t last = address + (size > 0 ? size - 1 : 0);
  size_t n = asked->query.n_addresses, i;

  if (n == 0)
    return true;
  /* The last span that begins at or before the last byte.  */
  i = DG_BISECT (0, n, k, spans[k].low <= MAX (last, address));
  return i > 0 && (address < spans[i - 1].high
                   || spans[i - 1].high == DG_NEVER);
}
