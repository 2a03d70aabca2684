/* arrow_chunks.c: which chunks of a log a query has to read.

   The index has the touched lines of each chunk, and of 8, 64, 512 ... of
   them.  A list of many chunks without any line that is asked for saves a look
   at those of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_chunks.h"

#include "base/bisect.h"
#include "dg_record.h"

/* Chunks of a list: 8 to the power of its level.  */
#define LEVEL_BITS 3

/* Whether some line of a list was accessed as the query wants it.  */
static bool
list_has (const struct dg_line_list *list, const struct dg_arrow_query *query)
{
  for (size_t i = 0; i < query->n_addresses; i++) {
    const struct dg_arrow_span *span = &query->addresses[i];
    uint64_t first = span->low / DG_LINE_BYTES,
             last = (span->high == DG_NEVER ? DG_NEVER : span->high - 1)
                    / DG_LINE_BYTES;
    size_t k = DG_BISECT (0, list->n, j, list->counts[j].line < first);

    for (; k < list->n && list->counts[k].line <= last; k++)
      if ((list->counts[k].reads > 0 && (query->kinds & 1u << DG_ACC_READ))
          || (list->counts[k].writes > 0
              && (query->kinds & 1u << DG_ACC_WRITE)))
        return true;
  }
  return false;
}

/* Whether the index knows that a list has nothing: 1, 0, < 0.  */
static int
is_excluded (struct dg_index *index, unsigned level, size_t i,
             const struct dg_arrow_query *query, struct dg_error *err)
{
  const struct dg_line_list *list = dg_index_borrow (index, level, i, err);
  bool has;

  if (!list)
    return DG_ERR_DAMAGED;
  has = list_has (list, query);
  dg_index_return (index, list);
  return !has;
}

/* How many chunks from this one on the index excludes, as far as the largest
   list that begins with it tells: 0 or more, < 0.  */
static ptrdiff_t
excluded_by_lines (const struct dg_arrow_chunks *chunks, size_t chunk,
                   struct dg_error *err)
{
  const struct dg_arrow_query *query = &chunks->asked->query;
  struct dg_index *index;
  unsigned level = 0;

  if (query->n_addresses == 0)
    return 0;
  index = dg_arrow_shared_index (chunks->asked->shared);
  if (!index || chunk >= dg_index_lists (index, 0))
    return 0;
  while (level + 1 < dg_index_levels (index)
         && chunk % ((size_t) 1 << LEVEL_BITS * (level + 1)) == 0)
    level++;
  for (;; level--) {
    int code = is_excluded (index, level, chunk >> LEVEL_BITS * level, query,
                            err);

    if (code < 0)
      return code;
    if (code > 0)
      return (ptrdiff_t) 1 << LEVEL_BITS * level;
    if (level == 0)
      return 0;
  }
}

/* Whether its moments exclude a chunk.  */
static bool
is_outside (const struct dg_arrow_chunks *chunks, size_t chunk)
{
  const struct dg_arrow_span *span = &chunks->asked->query.icounts;
  size_t n;
  const struct dg_chunk *all = dg_log_chunks (chunks->asked->log, &n);

  return all[chunk].icount >= span->high
         || (chunk + 1 < n && span->low > 0
             && all[chunk + 1].icount <= span->low);
}

int
dg_arrow_chunks_next (struct dg_arrow_chunks *chunks, size_t *chunk,
                      struct dg_error *err)
{
  const struct dg_arrow_query *query = &chunks->asked->query;
  struct dg_arrow_status *status = chunks->asked->status;

  if (!chunks->has_begun) {
    chunks->next = query->first_chunk;
    chunks->has_begun = true;
    status->chunks = query->end_chunk - query->first_chunk;
  }
  while (chunks->next < query->end_chunk) {
    ptrdiff_t excluded = is_outside (chunks, chunks->next)
                           ? 1 : excluded_by_lines (chunks, chunks->next, err);

    if (excluded < 0)
      return excluded;
    if (excluded == 0) {
      *chunk = chunks->next++;
      status->chunks_read++;
      return 1;
    }
    excluded = MIN ((size_t) excluded, query->end_chunk - chunks->next);
    chunks->next += excluded;
    status->chunks_excluded += excluded;
  }
  return 0;
}
