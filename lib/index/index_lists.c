/* index_lists.c: the lists of an index: read or merged when they are asked
   for, and kept while there is room.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index.h"

#include <inttypes.h>

#include "base/error.h"
#include "archive/index_levels.h"
#include "archive/lines.h"

size_t
dg_index_entry_bytes (const struct dg_index_entry *entry)
{
  return sizeof *entry + entry->counts.room * sizeof (struct dg_line_count);
}

static void
entry_free (struct dg_index_entry *entry)
{
  dg_table_fini (&entry->counts);
  g_free (entry);
}

/* ---- Reading ---- */

/* Of a damaged file, the archive's reader says where; here is said what.  */
static int
read_file (const struct dg_index *index, const struct dg_part *part,
           struct dg_table *counts, struct dg_error *err)
{
  struct dg_table bytes = { 0 };
  int code = dg_archive_read (&index->source, part, DG_PART_LINES, &bytes,
                              err);

  if (code == 0)
    code = dg_lines_read (bytes.items, bytes.n, counts, err);
  dg_table_fini (&bytes);
  return code;
}

static int
merge (struct dg_index *index, unsigned level, size_t i,
       struct dg_table *counts, struct dg_error *err)
{
  const struct dg_line_list *lists[DG_INDEX_FAN] = { NULL };
  const struct dg_line_count *items[DG_INDEX_FAN];
  size_t lengths[DG_INDEX_FAN];
  size_t first = i << DG_INDEX_FAN_SHIFT, n = 0;
  size_t below = index->levels[level - 1].n;
  struct dg_error why = { 0 };
  int code = 0;

  for (; n < DG_INDEX_FAN && first + n < below; n++) {
    lists[n] = dg_index_borrow (index, level - 1, first + n, &why);
    if (!lists[n]) {
      code = dg_error_copy (err, &why);
      break;
    }
    items[n] = lists[n]->counts;
    lengths[n] = lists[n]->n;
  }
  if (code == 0)
    code = dg_lines_merge (items, lengths, n, counts, err);
  for (size_t k = 0; k < n; k++)
    dg_index_return (index, lists[k]);
  return code;
}

static int
load (struct dg_index *index, unsigned level, size_t i,
      struct dg_table *counts, struct dg_error *err)
{
  const struct dg_index_ref *ref = &index->levels[level].refs[i];

  switch (ref->where) {
  case DG_INDEX_IN_FILE:
    return read_file (index, &ref->part, counts, err);
  case DG_INDEX_IN_MEMORY:
    return dg_lines_read (g_bytes_get_data (ref->bytes, NULL),
                          g_bytes_get_size (ref->bytes), counts, err);
  case DG_INDEX_MERGED:
    return merge (index, level, i, counts, err);
  default:
    return 0;
  }
}

/* ---- Keeping ---- */

/* Nobody finds the entry any more; its last user frees it.  */
static void
let_go (struct dg_index *index, struct dg_index_entry *entry)
{
  g_queue_unlink (&index->kept, &entry->link);
  index->kept_bytes -= dg_index_entry_bytes (entry);
  entry->ref->entry = NULL;
  entry->ref = NULL;
  if (entry->users == 0)
    entry_free (entry);
}

/* Those in use stay in memory whatever we do; that is the users' bound.  */
static void
make_room (struct dg_index *index)
{
  while (index->kept_bytes > index->keep_bytes
         && index->kept.tail != index->kept.head)
    let_go (index, index->kept.tail->data);
}

/* The entry of a list, with one user more; NULL if it is not kept.  */
static struct dg_index_entry *
find (struct dg_index *index, struct dg_index_ref *ref)
{
  struct dg_index_entry *entry;

  g_mutex_lock (&index->lock);
  entry = ref->entry;
  if (entry) {
    entry->users++;
    g_queue_unlink (&index->kept, &entry->link);
    g_queue_push_head_link (&index->kept, &entry->link);
  }
  g_mutex_unlock (&index->lock);
  return entry;
}

/* Keeps the new entry of a list; or if another thread was faster, frees it
   and gives that one's.  */
static struct dg_index_entry *
keep (struct dg_index *index, struct dg_index_ref *ref,
      struct dg_index_entry *entry)
{
  struct dg_index_entry *other;

  g_mutex_lock (&index->lock);
  other = ref->entry;
  if (other) {
    other->users++;
  } else if (dg_index_entry_bytes (entry) <= index->keep_bytes / 4) {
    ref->entry = entry;
    entry->ref = ref;
    g_queue_push_head_link (&index->kept, &entry->link);
    index->kept_bytes += dg_index_entry_bytes (entry);
    make_room (index);
  }
  g_mutex_unlock (&index->lock);
  if (!other)
    return entry;
  entry_free (entry);
  return other;
}

const struct dg_line_list *
dg_index_borrow (struct dg_index *index, unsigned level, size_t i,
                 struct dg_error *err)
{
  struct dg_index_ref *ref;
  struct dg_index_entry *entry;

  if (level >= index->n_levels || i >= index->levels[level].n) {
    dg_error_set (err, DG_ERR_INVALID, "list %zu of level %u of the index", i,
                  level);
    return NULL;
  }
  ref = &index->levels[level].refs[i];
  entry = find (index, ref);
  if (entry)
    return &entry->list;
  entry = g_try_new0 (struct dg_index_entry, 1);
  if (!entry) {
    dg_error_nomem (err);
    return NULL;
  }
  if (load (index, level, i, &entry->counts, err) < 0) {
    entry_free (entry);
    return NULL;
  }
  dg_table_trim (&entry->counts, sizeof (struct dg_line_count));
  entry->list.counts = entry->counts.items;
  entry->list.n = entry->counts.n;
  entry->users = 1;
  entry->link.data = entry;
  return &keep (index, ref, entry)->list;
}

void
dg_index_return (struct dg_index *index, const struct dg_line_list *list)
{
  /* It was ours to give, const only for whom it was given to.  */
  struct dg_index_entry *entry = (struct dg_index_entry *) list;
  bool last;

  if (!list)
    return;
  g_mutex_lock (&index->lock);
  last = --entry->users == 0 && !entry->ref;
  g_mutex_unlock (&index->lock);
  if (last)
    entry_free (entry);
}

void
dg_index_forget (struct dg_index *index)
{
  g_mutex_lock (&index->lock);
  while (index->kept.head)
    let_go (index, index->kept.head->data);
  g_mutex_unlock (&index->lock);
}

/* ---- Pages ---- */

int
dg_index_pages (struct dg_index *index, unsigned page_shift,
                uint64_t **pages, size_t *n, struct dg_error *err)
{
  unsigned shift = page_shift - DG_LINE_SHIFT;
  const struct dg_line_list *list;
  struct dg_table table = { 0 };
  struct dg_error why = { 0 };
  uint64_t *page, last = 0;
  int code = 0;

  *pages = NULL;
  *n = 0;
  if (page_shift < DG_LINE_SHIFT || page_shift > 63)
    return dg_error_set (err, DG_ERR_INVALID, "pages of 2^%u bytes",
                         page_shift);
  if (index->n_levels == 0)
    return 0;
  list = dg_index_borrow (index, index->n_levels - 1, 0, &why);
  if (!list)
    return dg_error_copy (err, &why);
  for (size_t i = 0; code == 0 && i < list->n; i++) {
    uint64_t number = list->counts[i].line >> shift;

    if (i > 0 && number == last)
      continue;
    page = dg_table_add (&table, sizeof *page);
    if (!page) {
      code = dg_error_nomem (err);
    } else {
      *page = number;
      last = number;
    }
  }
  dg_index_return (index, list);
  if (code < 0) {
    dg_table_fini (&table);
    return code;
  }
  *pages = table.items;
  *n = table.n;
  return 0;
}
