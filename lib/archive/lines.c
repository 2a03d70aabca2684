/* lines.c: counting the lines that accesses touch.  Lists of lines as bytes
   are in lines_bytes.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "lines_table.h"

_Static_assert (DG_LINE_SIZE == 1u << DG_LINE_SHIFT, "lines");

/* A page takes 512 bytes, of which accesses that are far from each other touch
   a few.  */
#define PAGES_MAX ((size_t) 1 << 14)
#define FAR_MIN   ((size_t) 1 << 20)

#define PAGE_COUNTS (2 * DG_LINES_OF_PAGE)
#define SLAB_PAGES 64

struct dg_lines *
dg_lines_new (struct dg_error *err)
{
  struct dg_lines *lines = g_try_new0 (struct dg_lines, 1);

  if (!lines) {
    dg_error_nomem (err);
    return NULL;
  }
  lines->slabs = g_ptr_array_new_with_free_func (g_free);
  dg_lines_begin (lines, UINT64_MAX);
  return lines;
}

void
dg_lines_free (struct dg_lines *lines)
{
  if (!lines)
    return;
  g_ptr_array_unref (lines->slabs);
  dg_keys_fini (&lines->index);
  dg_table_fini (&lines->pages);
  dg_table_fini (&lines->far);
  dg_table_fini (&lines->counts);
  dg_table_fini (&lines->scratch);
  g_free (lines);
}

/* Forgets all pages; their counts must be zero.  */
static void
drop_pages (struct dg_lines *lines)
{
  lines->last.number = UINT64_MAX;
  if (lines->pages.n > 0)
    dg_keys_clear (&lines->index);
  lines->pages.n = 0;
}

/* The start of the next line, which has the next slot.  */
static inline void
free_slot (struct dg_lines *lines, struct dg_lines_slot *slot)
{
  slot->start = (uint64_t) (slot - lines->slots + 1) * DG_LINE_SIZE;
}

void
dg_lines_begin (struct dg_lines *lines, uint64_t address_mask)
{
  struct dg_lines_page *pages = lines->pages.items;

  for (size_t i = 0; i < lines->pages.n; i++)
    memset (pages[i].counts, 0, PAGE_COUNTS * sizeof *pages[i].counts);
  drop_pages (lines);
  for (unsigned i = 0; i < DG_LINES_SLOTS; i++)
    free_slot (lines, &lines->slots[i]);
  lines->mask = address_mask;
  lines->min = UINT64_MAX;
  lines->range = 0;
  lines->unmade[0] = lines->unmade[1] = 0;
  lines->counts.n = lines->far.n = 0;
  lines->far_limit = FAR_MIN;
  lines->is_touched = lines->is_short = false;
}

/* ---- Pages ---- */

/* Counts, all zero, for the next page.  */
static uint32_t *
next_counts (struct dg_lines *lines)
{
  size_t slab = lines->pages.n / SLAB_PAGES;

  if (slab == lines->slabs->len) {
    uint32_t *counts = g_try_new0 (uint32_t, SLAB_PAGES * PAGE_COUNTS);

    if (!counts)
      return NULL;
    g_ptr_array_add (lines->slabs, counts);
  }
  return (uint32_t *) lines->slabs->pdata[slab]
         + lines->pages.n % SLAB_PAGES * PAGE_COUNTS;
}

static struct dg_lines_page *
add_page (struct dg_lines *lines, uint64_t number)
{
  struct dg_lines_page *page;
  uint32_t *counts = next_counts (lines);

  if (!counts || !(page = dg_table_add (&lines->pages, sizeof *page)))
    return NULL;
  page->number = number;
  page->counts = counts;
  return page;
}

/* The page's counts; NULL: it is not there, and cannot be.  */
static uint32_t *
find_counts (struct dg_lines *lines, uint64_t number)
{
  struct dg_lines_page *page;
  uint32_t i;

  if (lines->last.number == number)
    return lines->last.counts;
  i = dg_keys_find (&lines->index, number);
  if (i != DG_NONE) {
    page = (struct dg_lines_page *) lines->pages.items + i;
  } else {
    if (lines->pages.n >= PAGES_MAX)
      return NULL;
    page = add_page (lines, number);
    if (!page)
      return NULL;
    if (dg_keys_add (&lines->index, number) == DG_NONE) {
      lines->pages.n--;
      return NULL;
    }
  }
  lines->last = *page;
  return page->counts;
}

/* ---- Counting ---- */

void
dg_lines_widen (struct dg_lines *lines, uint64_t address)
{
  uint64_t max = lines->is_touched ? lines->min + lines->range : address;

  lines->is_touched = true;
  lines->min = MIN (lines->min, address);
  lines->range = MAX (max, address) - lines->min;
}

/* Notes counts of a line whose page is not kept.  */
static void
add_far (struct dg_lines *lines, const struct dg_line_count *count)
{
  struct dg_line_count *to;

  if (lines->far.n >= lines->far_limit) {
    if (dg_lines_sort (&lines->far, &lines->scratch, NULL) < 0)
      lines->is_short = true;
    lines->far_limit = MAX (FAR_MIN, 2 * lines->far.n);
  }
  to = lines->is_short ? NULL : dg_table_add (&lines->far, sizeof *to);
  if (to)
    *to = *count;
  else
    lines->is_short = true;
}

static void
add_counts (struct dg_lines *lines, const struct dg_line_count *count)
{
  uint32_t *counts = find_counts (lines, count->line / DG_LINES_OF_PAGE);

  if (!counts) {
    add_far (lines, count);
    return;
  }
  counts += 2 * (count->line % DG_LINES_OF_PAGE);
  counts[0] += count->reads;
  counts[1] += count->writes;
}

/* Adds a slot's counts to those of its line and frees it.  */
static void
empty_slot (struct dg_lines *lines, struct dg_lines_slot *slot)
{
  const struct dg_line_count count = {slot->start / DG_LINE_SIZE,
                                      slot->counts[0], slot->counts[1]};

  if (dg_lines_slot (lines, slot->start) != slot)
    return;
  add_counts (lines, &count);
  free_slot (lines, slot);
}

/* Of one line.  */
static void
count_line (struct dg_lines *lines, uint64_t line, unsigned kind, uint32_t n)
{
  uint64_t start = line * DG_LINE_SIZE;
  struct dg_lines_slot *slot = dg_lines_slot (lines, start);

  if (line == 0) {
    add_counts (lines, &(struct dg_line_count) {
                         .reads = kind == DG_ACC_READ ? n : 0,
                         .writes = kind == DG_ACC_READ ? 0 : n});
    return;
  }
  if (slot->start != start) {
    empty_slot (lines, slot);
    slot->start = start;
    slot->counts[0] = slot->counts[1] = 0;
  }
  slot->counts[kind] += n;
}

void
dg_lines_count_times (struct dg_lines *lines, uint64_t address, uint32_t size,
                      unsigned kind, uint32_t n)
{
  uint64_t last = (address + size - 1) & lines->mask;
  uint64_t lines_mask = lines->mask >> DG_LINE_SHIFT;

  if (address == 0) {
    lines->unmade[kind] += n;
    return;
  }
  dg_lines_widen (lines, address);
  if (size == 0)
    return;
  last >>= DG_LINE_SHIFT;
  for (uint64_t line = address >> DG_LINE_SHIFT;;
       line = (line + 1) & lines_mask) {
    count_line (lines, line, kind, n);
    if (line == last)
      break;
  }
}

void
dg_lines_count_slowly (struct dg_lines *lines, uint64_t address, uint32_t size,
                       unsigned kind)
{
  dg_lines_count_times (lines, address, size, kind, 1);
}

int
dg_lines_add (struct dg_lines *lines, uint64_t address, uint32_t size,
              uint8_t kind, struct dg_error *err)
{
  /* Of size 0, none is done here.  */
  uint32_t beyond = size - 1 < DG_LINE_SIZE ? DG_LINE_SIZE + 1 - size : 0;

  kind = kind == DG_ACC_WRITE;
  if (!dg_lines_count (lines, address, beyond, kind, lines->min, lines->range))
    dg_lines_count_slowly (lines, address, size, kind);
  return lines->is_short ? dg_error_nomem (err) : 0;
}

/* ---- The result ---- */

DG_COMPARE_BY (compare_pages, struct dg_lines_page, number)

/* Appends the page's touched lines and clears its counts.  */
static size_t
take_page (struct dg_lines_page *page, struct dg_line_count *out)
{
  uint64_t line = page->number * DG_LINES_OF_PAGE;
  size_t n = 0;

  for (unsigned i = 0; i < DG_LINES_OF_PAGE; i++) {
    uint32_t reads = page->counts[2 * i], writes = page->counts[2 * i + 1];

    /* Written over by the next if it was not touched.  */
    out[n].line = line + i;
    out[n].reads = reads;
    out[n].writes = writes;
    n += (reads | writes) != 0;
  }
  memset (page->counts, 0, PAGE_COUNTS * sizeof *page->counts);
  return n;
}

/* Moves the counts of pages to the result.  */
static bool
take_pages (struct dg_lines *lines)
{
  struct dg_lines_page *pages = lines->pages.items;
  size_t room = lines->counts.n + lines->pages.n * DG_LINES_OF_PAGE + 1;
  struct dg_line_count *out;

  /* Only as much room as pages that are touched everywhere would need, but
     for many pages, it is made step by step.  */
  if (lines->pages.n == 0)
    return true;
  qsort (pages, lines->pages.n, sizeof *pages, compare_pages);
  for (size_t i = 0; i < lines->pages.n; i++) {
    size_t need = lines->counts.n + DG_LINES_OF_PAGE;

    if (need > lines->counts.room
        && dg_table_reserve (&lines->counts, sizeof *out,
                             MIN (room, need + need / 2 + 4096))
             < 0)
      return false;
    out = (struct dg_line_count *) lines->counts.items + lines->counts.n;
    lines->counts.n += take_page (&pages[i], out);
  }
  drop_pages (lines);
  return true;
}

/* Adds the counts of other pages to the result.  */
static int
take_far (struct dg_lines *lines, struct dg_error *err)
{
  struct dg_table *counts = &lines->counts, *scratch = &lines->scratch, swap;
  const struct dg_line_count *lists[2];
  size_t lengths[2];
  int code = dg_lines_sort (&lines->far, scratch, err);

  if (code < 0 || lines->far.n == 0)
    return code;
  lists[0] = counts->items;
  lists[1] = lines->far.items;
  lengths[0] = counts->n;
  lengths[1] = lines->far.n;
  scratch->n = 0;
  code = dg_lines_merge (lists, lengths, 2, scratch, err);
  swap = *counts;
  *counts = *scratch;
  *scratch = swap;
  return code;
}

int
dg_lines_end (struct dg_lines *lines, const struct dg_line_count **counts,
              size_t *n, struct dg_error *err)
{
  for (unsigned i = 0; i < DG_LINES_SLOTS; i++)
    empty_slot (lines, &lines->slots[i]);
  if (lines->is_short || !take_pages (lines))
    return dg_error_nomem (err);
  if (take_far (lines, err) < 0)
    return DG_ERR_NOMEM;
  *counts = lines->counts.items;
  *n = lines->counts.n;
  return 0;
}
