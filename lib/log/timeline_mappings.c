/* timeline_mappings.c: the timeline of the program's memory mappings.

   A live mapping is a node in a tree by its first address.  Ranges that
   reach the top of the address space are cut there, so that `last`, which is
   part of the mapping, never wraps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline_mappings.h"

#include "base/compare.h"
#include "base/error.h"

struct live {
  uint64_t first, last;
  size_t index; /* in the table */
};

static gint
compare_first (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct live *x = a, *y = b;

  return DG_COMPARE (x->first, y->first);
}

static uint64_t
last_of (uint64_t address, uint64_t length)
{
  return length - 1 > UINT64_MAX - address ? UINT64_MAX
                                           : address + (length - 1);
}

static struct dg_mapping *
mapping_at (struct dg_timeline_mappings *mappings, size_t index)
{
  return (struct dg_mapping *) mappings->mappings->items + index;
}

/* A mapping like `like` over first .. last, from icount on.  */
static int
add (struct dg_timeline_mappings *mappings, const struct dg_mapping *like,
     uint64_t first, uint64_t last, uint64_t icount)
{
  struct dg_mapping *mapping, copy = *like;
  struct live *live;

  mapping = dg_table_add (mappings->mappings, sizeof *mapping);
  live = g_try_new (struct live, 1);
  if (!mapping || !live) {
    g_free (live);
    return DG_ERR_NOMEM;
  }
  *mapping = copy;
  mapping->address = first;
  mapping->size = last - first + 1;
  if (like->file[0] != '\0')
    mapping->offset = like->offset + (first - like->address);
  mapping->start_icount = icount;
  mapping->end_icount = DG_NEVER;
  live->first = first;
  live->last = last;
  live->index = mappings->mappings->n - 1;
  g_tree_insert (mappings->live, live, live);
  return 0;
}

/* The live mapping with the lowest address that overlaps first .. last.  */
static struct live *
find_overlap (struct dg_timeline_mappings *mappings, uint64_t first,
              uint64_t last)
{
  struct live key = {first, first, 0}, *live = NULL;
  GTreeNode *node = g_tree_upper_bound (mappings->live, &key);
  GTreeNode *before =
    node ? g_tree_node_previous (node) : g_tree_node_last (mappings->live);

  if (before) {
    live = g_tree_node_value (before);
    if (live->last >= first)
      return live;
  }
  live = node ? g_tree_node_value (node) : NULL;
  return live && live->first <= last ? live : NULL;
}

/* Ends what overlaps first .. last, but for the parts outside.  *like
   receives what was there at the lowest address.  */
static int
clear (struct dg_timeline_mappings *mappings, uint64_t first, uint64_t last,
       uint64_t icount, struct dg_mapping *like)
{
  struct live *found, old;
  bool is_first = true;
  int code = 0;

  while (code == 0 && (found = find_overlap (mappings, first, last))) {
    struct dg_mapping mapping;

    old = *found;
    g_tree_remove (mappings->live, found);
    mapping_at (mappings, old.index)->end_icount = icount;
    mapping = *mapping_at (mappings, old.index);
    if (is_first)
      *like = mapping;
    is_first = false;
    if (old.first < first)
      code = add (mappings, &mapping, old.first, first - 1, icount);
    if (code == 0 && old.last > last)
      code = add (mappings, &mapping, last + 1, old.last, icount);
  }
  return code;
}

static void
make_tree (struct dg_timeline_mappings *mappings)
{
  if (!mappings->live)
    mappings->live = g_tree_new_full (compare_first, NULL, g_free, NULL);
}

/* Notes what was done, to some bytes.  */
static int
add_change (struct dg_timeline_mappings *mappings, uint64_t first,
            uint64_t last, uint8_t what, uint8_t protection,
            const struct dg_when *when)
{
  struct dg_page_change *change =
    dg_table_add (mappings->changes, sizeof *change);

  if (!change)
    return DG_ERR_NOMEM;
  *change = (struct dg_page_change){.icount = when->icount,
                                    .address = first,
                                    .size = last - first + 1,
                                    .order = dg_when_order (when),
                                    .what = what,
                                    .protection = protection};
  mappings->is_change = true;
  return 0;
}

int
dg_timeline_mappings_map (struct dg_timeline_mappings *mappings,
                          const struct dg_fields *fields,
                          const struct dg_when *when, struct dg_error *err)
{
  uint64_t first = fields->words[0], length = fields->words[1];
  uint64_t last = last_of (first, length);
  struct dg_mapping new = {0}, old = {0};

  mappings->is_change = false;
  if (length == 0)
    return 0;
  make_tree (mappings);
  if (clear (mappings, first, last, when->icount, &old) < 0
      || add_change (mappings, first, last, fields->words[3], fields->words[2],
                     when)
           < 0)
    return dg_error_nomem (err);
  new.address = first;
  new.protection = fields->words[2];
  new.what = fields->words[3];
  new.offset = fields->words[4];
  new.file = dg_arena_string (mappings->arena, fields->strings[0]);
  if (!new.file)
    return dg_error_nomem (err);
  /* Only its protection is new: what it is stays known.  */
  if (new.what == DG_MAP_PROTECT && old.file) {
    old.protection = new.protection;
    new = old;
    if (new.file[0] != '\0')
      new.offset += first - new.address;
    new.address = first;
  }
  if (add (mappings, &new, first, last, when->icount) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_timeline_mappings_unmap (struct dg_timeline_mappings *mappings,
                            const struct dg_fields *fields,
                            const struct dg_when *when, struct dg_error *err)
{
  uint64_t first = fields->words[0], length = fields->words[1];
  uint64_t last = last_of (first, length);
  struct dg_mapping old;

  mappings->is_change = false;
  if (length == 0)
    return 0;
  make_tree (mappings);
  if (clear (mappings, first, last, when->icount, &old) < 0
      || add_change (mappings, first, last, DG_PAGE_UNMAP, 0, when) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* Who changed the protection of a mapping did not ask for it.  */
int
dg_timeline_mappings_stack (struct dg_timeline_mappings *mappings,
                            const struct dg_fields *fields,
                            struct dg_error *err)
{
  struct dg_page_change *change;
  struct dg_mapping *mapping;

  if (!mappings->is_change)
    return 0;
  change = (struct dg_page_change *) mappings->changes->items
           + mappings->changes->n - 1;
  change->thread = fields->words[0];
  if (dg_stacks_set (mappings->stacks, fields->words + 2, fields->words[1],
                     &change->stack)
      < 0)
    return dg_error_nomem (err);
  if (change->what == DG_PAGE_UNMAP || change->what == DG_MAP_PROTECT)
    return 0;
  mapping = mapping_at (mappings, mappings->mappings->n - 1);
  mapping->thread = change->thread;
  mapping->stack = change->stack;
  return 0;
}

void
dg_timeline_mappings_fini (struct dg_timeline_mappings *mappings)
{
  g_clear_pointer (&mappings->live, g_tree_destroy);
}
