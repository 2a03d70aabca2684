/* allocs_select.c: filters and sorts records.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "dg_record.h"

#include <stdlib.h>
#include <string.h>

/* ---- Filters ---------------------------------------------------------- */

static inline bool
is_within (const struct allocs_filter *filter, enum allocs_quantity quantity,
           uint64_t value)
{
  return value >= filter->low[quantity] && value <= filter->high[quantity];
}

/* What has no time that is known is within no times.  */
static bool
is_within_time (const struct allocs_filter *filter,
                const struct allocs_record *record)
{
  uint64_t time = allocs_log_time (record->log, allocs_icount (record));

  return time != ALLOCS_NO_TIME && is_within (filter, ALLOCS_TIME, time);
}

bool
allocs_filter_passes (const struct allocs_filter *filter,
                      const struct allocs_record *record)
{
  const bool *is_used = filter->is_used;

  return (!is_used[ALLOCS_THREAD]
          || is_within (filter, ALLOCS_THREAD, allocs_thread (record)))
         && (!is_used[ALLOCS_SIZE]
             || is_within (filter, ALLOCS_SIZE, allocs_block (record).size))
         && (!is_used[ALLOCS_SEQNO]
             || is_within (filter, ALLOCS_SEQNO, allocs_seqno (record)))
         && (!is_used[ALLOCS_PTR]
             || is_within (filter, ALLOCS_PTR, allocs_block (record).address))
         && (!is_used[ALLOCS_TIME]
             || is_within_time (filter, record));
}

/* ---- Order ------------------------------------------------------------ */

/* What a key compares, so that less comes first.  */
static uint64_t
value_of (char key, const struct allocs_record *record)
{
  switch (key) {
  case 'p':
    return allocs_block (record).address;
  case 'P':
    return ~allocs_block (record).address;
  case 'n':
    return allocs_block (record).size;
  case 'N':
    return ~allocs_block (record).size;
  case 's':
    return allocs_seqno (record);
  case 'S':
    return ~allocs_seqno (record);
  case 't':
    return allocs_thread (record);
  default:
    return ~(uint64_t) allocs_thread (record);
  }
}

/* The first key stands beside each record, where most comparisons end.  */
struct item {
  uint64_t first;
  const struct allocs_record *record;
};

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int
compare_items (const void *a, const void *b, void *user)
{
  const struct item *x = a, *y = b;
  const char *keys = user;
  int result = compare_numbers (x->first, y->first);

  for (const char *key = keys; result == 0 && *key != '\0'; key++)
    result = *key == 'a' ? strcmp (allocs_function (x->record),
                                   allocs_function (y->record))
                         : compare_numbers (value_of (*key, x->record),
                                            value_of (*key, y->record));
  if (result == 0)
    result = compare_numbers (allocs_seqno (x->record),
                              allocs_seqno (y->record));
  return result != 0 ? result
                     : compare_numbers (allocs_block (x->record).alloc_order,
                                        allocs_block (y->record).alloc_order);
}

bool
allocs_sort (struct allocs_record *records, size_t n, const char *keys)
{
  struct allocs_record *sorted = g_try_new (struct allocs_record, n + 1);
  struct item *items = g_try_new (struct item, n + 1);

  if (keys == NULL)
    keys = "p";
  if (sorted != NULL && items != NULL) {
    for (size_t i = 0; i < n; i++)
      items[i] = (struct item){
        keys[0] == 'a' ? 0 : value_of (keys[0], &records[i]), &records[i]};
    qsort_r (items, n, sizeof *items, compare_items, (void *) keys);
    for (size_t i = 0; i < n; i++)
      sorted[i] = *items[i].record;
    if (n > 0)
      memcpy (records, sorted, n * sizeof *records);
  }
  g_free (items);
  g_free (sorted);
  return sorted != NULL && items != NULL;
}

char
allocs_sort_needs_details (const char *keys)
{
  const char *key = keys != NULL ? strpbrk (keys, "atT") : NULL;

  return key != NULL ? *key : '\0';
}

/* ---- Words ------------------------------------------------------------ */

const char *
allocs_function_name (uint8_t allocator, bool is_free)
{
  static const char *const names[] = {
    [DG_ALLOC_MALLOC] = "malloc()",
    [DG_ALLOC_CALLOC] = "calloc()",
    [DG_ALLOC_REALLOC] = "realloc()",
    [DG_ALLOC_MEMALIGN] = "memalign()",
    [DG_ALLOC_NEW] = "new",
    [DG_ALLOC_NEW_ARRAY] = "new[]",
    [DG_ALLOC_NEW_ALIGNED] = "new(aligned)",
    [DG_ALLOC_NEW_ARRAY_ALIGNED] = "new[](aligned)",
    [DG_ALLOC_MALLOCLIKE] = "MALLOCLIKE",
    [DG_ALLOC_RESIZE_IN_PLACE] = "RESIZEINPLACE",
    [DG_ALLOC_FREE] = "free()",
    [DG_ALLOC_DELETE] = "delete",
    [DG_ALLOC_DELETE_ARRAY] = "delete[]",
    [DG_ALLOC_FREELIKE] = "FREELIKE",
    [DG_ALLOC_POOL] = "MEMPOOL_ALLOC",
    [DG_ALLOC_POOL_FREE] = "MEMPOOL_FREE"};

  /* One half of what these do.  */
  if (is_free && allocator == DG_ALLOC_REALLOC)
    return "realloc(free)";
  if (is_free && allocator == DG_ALLOC_RESIZE_IN_PLACE)
    return "RESIZEINPLACE(free)";
  if (allocator < G_N_ELEMENTS (names) && names[allocator] != NULL)
    return names[allocator];
  return is_free ? "freed" : "allocated";
}

const char *
allocs_function (const struct allocs_record *record)
{
  const struct dg_block block = allocs_block (record);

  return allocs_function_name (record->is_free ? block.deallocator
                                               : block.allocator,
                               record->is_free);
}
