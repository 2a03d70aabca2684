/* lines_sort.c: sorts counts of lines that came in any order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lines.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"

#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)

struct range {
  uint64_t min, max;
  bool is_sorted;
};

static struct range
range_of (const struct dg_line_count *items, size_t n)
{
  struct range range = {UINT64_MAX, 0, true};

  for (size_t i = 0; i < n; i++) {
    range.min = MIN (range.min, items[i].line);
    range.max = MAX (range.max, items[i].line);
    range.is_sorted &= i == 0 || items[i - 1].line <= items[i].line;
  }
  return range;
}

static unsigned
digit_of (uint64_t line, uint64_t min, unsigned shift)
{
  return (line - min) >> shift & (DIGITS - 1);
}

/* Sorts by one digit; equal ones stay in their order.  */
static void
sort_by (const struct dg_line_count *from, struct dg_line_count *to, size_t n,
         uint64_t min, unsigned shift)
{
  size_t places[DIGITS] = {0}, place = 0;

  for (size_t i = 0; i < n; i++)
    places[digit_of (from[i].line, min, shift)]++;
  for (unsigned k = 0; k < DIGITS; k++) {
    size_t have = places[k];

    places[k] = place;
    place += have;
  }
  for (size_t i = 0; i < n; i++)
    to[places[digit_of (from[i].line, min, shift)]++] = from[i];
}

static uint32_t
add_counts (uint32_t a, uint32_t b)
{
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* How many lines are left.  */
static size_t
add_up (struct dg_line_count *items, size_t n)
{
  size_t made = 0;

  for (size_t i = 0; i < n; i++) {
    if (made > 0 && items[made - 1].line == items[i].line) {
      struct dg_line_count *to = &items[made - 1];

      to->reads = add_counts (to->reads, items[i].reads);
      to->writes = add_counts (to->writes, items[i].writes);
    } else {
      items[made++] = items[i];
    }
  }
  return made;
}

int
dg_lines_sort (struct dg_table *counts, struct dg_table *scratch,
               struct dg_error *err)
{
  size_t n = counts->n;
  struct range range = range_of (counts->items, n);

  if (!range.is_sorted
      && dg_table_reserve (scratch, sizeof (struct dg_line_count), n) < 0)
    return dg_error_nomem (err);
  for (unsigned shift = 0; !range.is_sorted && shift < 64
                           && (range.max - range.min) >> shift > 0;
       shift += DIGIT_BITS) {
    struct dg_table swap = *counts;

    sort_by (counts->items, scratch->items, n, range.min, shift);
    *counts = *scratch;
    *scratch = swap;
  }
  counts->n = add_up (counts->items, n);
  return 0;
}
