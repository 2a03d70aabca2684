/* massif_pages.c: what Massif does when pages are mapped and unmapped.

   Massif counts a page each time that it is told of one, also where there
   already is one, and takes back the latest: a library that is mapped over
   what was reserved for it counts twice.  So each place has a pile of sites.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "base/arena.h"
#include "base/compare.h"
#include "dg_record.h"

#include <string.h>

/* Real programs have thousands; this bounds what a made-up log can take.  */
#define MAX_LAYERS (16u << 20)

struct layer {
  struct layer *below;
  uint32_t site;
};

/* Pages that have the same pile; pieces never overlap.  */
struct piece {
  uint64_t low, high;
  struct layer *top;       /* never NULL */
};

struct dg_massif_pages {
  GTree *pieces;           /* by low; keys are the pieces themselves */
  struct dg_arena arena;   /* of layers */
  uint32_t n_layers;
  uint64_t page;           /* bytes */
};

static gint
compare_pieces (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct piece *x = a, *y = b;

  return DG_COMPARE (x->low, y->low);
}

static struct dg_massif_pages *
pages_new (const struct dg_log *log)
{
  struct dg_massif_pages *pages = g_new0 (struct dg_massif_pages, 1);

  pages->pieces = g_tree_new_full (compare_pieces, NULL, NULL, g_free);
  pages->page = dg_log_page_size (log);
  if (pages->page == 0 || (pages->page & (pages->page - 1)) != 0)
    pages->page = 4096;
  return pages;
}

void
dg_massif_pages_free (struct dg_massif_pages *pages)
{
  if (pages == NULL)
    return;
  g_tree_unref (pages->pieces);
  dg_arena_fini (&pages->arena);
  g_free (pages);
}

static void
add_piece (struct dg_massif_pages *pages, uint64_t low, uint64_t high,
           struct layer *top)
{
  struct piece *piece = g_new (struct piece, 1);

  *piece = (struct piece){low, high, top};
  g_tree_insert (pages->pieces, piece, piece);
}

/* The first piece that ends behind `address`; NULL: there is none.  */
static struct piece *
piece_from (struct dg_massif_pages *pages, uint64_t address)
{
  const struct piece key = {.low = address};
  GTreeNode *behind = g_tree_upper_bound (pages->pieces, &key);
  GTreeNode *before = behind != NULL ? g_tree_node_previous (behind)
                                     : g_tree_node_last (pages->pieces);
  struct piece *piece =
    before != NULL ? g_tree_node_value (before) : NULL;

  if (piece != NULL && piece->high > address)
    return piece;
  return behind != NULL ? g_tree_node_value (behind) : NULL;
}

static void
split_at (struct dg_massif_pages *pages, uint64_t address)
{
  struct piece *piece = piece_from (pages, address);

  if (piece == NULL || piece->low >= address)
    return;
  add_piece (pages, address, piece->high, piece->top);
  piece->high = address;
}

static struct layer *
new_layer (struct dg_massif_pages *pages, struct layer *below, uint32_t site)
{
  struct layer *layer = pages->n_layers < MAX_LAYERS
                          ? dg_arena_alloc (&pages->arena, sizeof *layer)
                          : NULL;

  if (layer != NULL) {
    pages->n_layers++;
    *layer = (struct layer){below, site};
  }
  return layer;
}

/* Puts a site on the piles of [low, high).  */
static int
push (struct dg_massif_pages *pages, uint64_t low, uint64_t high,
      uint32_t site)
{
  struct layer *bottom = NULL;

  split_at (pages, low);
  split_at (pages, high);
  while (low < high) {
    struct piece *piece = piece_from (pages, low);

    if (piece != NULL && piece->low == low) {
      piece->top = new_layer (pages, piece->top, site);
      if (piece->top == NULL)
        return DG_ERR_NOMEM;
      low = piece->high;
    } else {
      uint64_t end =
        piece != NULL && piece->low < high ? piece->low : high;

      if (bottom == NULL)
        bottom = new_layer (pages, NULL, site);
      if (bottom == NULL)
        return DG_ERR_NOMEM;
      add_piece (pages, low, end, bottom);
      low = end;
    }
  }
  return 0;
}

/* A number of pages of one site come or go.  */
static int
count (struct dg_massif_replay *replay, uint32_t site, uint64_t bytes)
{
  if (dg_massif_site_at (replay->sites, site)->n > 0)
    dg_massif_grow (replay, bytes, 0);
  return dg_massif_change (replay, site, bytes);
}

/* Takes the topmost site off the piles of [low, high); what has none is
   skipped.  */
static int
pop (struct dg_massif_replay *replay, uint64_t low, uint64_t high)
{
  struct dg_massif_pages *pages = replay->pages;

  split_at (pages, low);
  split_at (pages, high);
  while (low < high) {
    struct piece *piece = piece_from (pages, low);
    uint32_t site;

    if (piece == NULL || piece->low >= high)
      break;
    low = piece->high;
    site = piece->top->site;
    if (count (replay, site, -(piece->high - piece->low)) < 0)
      return DG_ERR_NOMEM;
    piece->top = piece->top->below;
    if (piece->top == NULL)
      g_tree_remove (pages->pieces, piece);
  }
  return 0;
}

/* What is neither mapped nor asked for by the program is Valgrind's, on behalf
   of its first instruction: the heap is tried out.  */
static struct dg_stack
stack_of (const struct dg_log *log, const struct dg_page_change *change)
{
  struct dg_stack stack = change->stack;

  if (stack.n == 0 && change->what != DG_MAP_STARTUP && change->icount == 0
      && dg_log_summary (log)->contexts > 0) {
    const struct dg_bbdef *first
      = dg_log_bbdef (log, dg_log_context (log, 0).bbdef);

    stack.n = MIN (first->n_instrs, 1);
    stack.sites = stack.n > 0 ? &first->instrs[0].address : NULL;
  }
  return stack;
}

/* There may be a snapshot when the last page is there.  */
static int
record (struct dg_massif_replay *replay, uint64_t low, uint64_t bytes,
        const struct dg_page_change *change)
{
  struct dg_stack stack = stack_of (replay->log, change);
  uint32_t site;

  if (!dg_massif_has_room (replay, bytes))
    return 0;
  if (dg_massif_site (replay->sites, &stack, false, change->icount, &site) < 0
      || count (replay, site, bytes) < 0
      || push (replay->pages, low, low + bytes, site) < 0)
    return DG_ERR_NOMEM;
  if (dg_massif_site_at (replay->sites, site)->n > 0)
    dg_massif_maybe_normal (replay);
  return 0;
}

/* There may be snapshots before and after the first page goes.  */
static int
unrecord (struct dg_massif_replay *replay, uint64_t low, uint64_t bytes)
{
  struct dg_massif_pages *pages = replay->pages;
  const struct piece *piece = piece_from (pages, low);
  bool is_shown =
    piece != NULL && piece->low <= low
    && dg_massif_site_at (replay->sites, piece->top->site)->n > 0;

  if (is_shown)
    dg_massif_maybe_peak (replay);
  if (pop (replay, low, low + pages->page) < 0)
    return DG_ERR_NOMEM;
  if (is_shown)
    dg_massif_maybe_normal (replay);
  return bytes > pages->page
           ? pop (replay, low + pages->page, low + bytes)
           : 0;
}

/* The heap grows and shrinks by bytes, not by pages: a page counts when its
   first byte does.  Whole pages come out as they are.  */
static void
round_to_pages (const struct dg_massif_pages *pages, uint64_t *low,
                uint64_t *bytes)
{
  uint64_t mask = pages->page - 1;
  uint64_t before = (*low - 1) & ~mask;
  uint64_t last = (*low + *bytes - 1) & ~mask;

  *low &= ~mask;
  *bytes = last - before;
}

/* A piece of the tool's own code, which Valgrind shows to the program.  It
   lies in one page of Massif; how many the recorder's takes is its own
   affair.  */
static bool
is_tool (const struct dg_log *log, const struct dg_page_change *change)
{
  size_t n;
  const struct dg_mapping *mappings = dg_log_mappings (log, &n);

  for (size_t i = 0; i < n && mappings[i].start_icount == 0; i++)
    if (mappings[i].address == change->address
        && strstr (mappings[i].file, "/exp-datagrind-") != NULL)
      return true;
  return false;
}

int
dg_massif_pages_apply (struct dg_massif_replay *replay,
                       const struct dg_page_change *change)
{
  uint64_t low = change->address, bytes = change->size;
  uint64_t mask;

  if (replay->pages == NULL)
    replay->pages = pages_new (replay->log);
  mask = replay->pages->page - 1;
  if (change->what == DG_MAP_PROTECT || bytes == 0 || low == 0
      || bytes > INT64_MAX || low > UINT64_MAX - bytes - mask)
    return 0;
  if (change->what == DG_MAP_STARTUP) {
    bytes = is_tool (replay->log, change) ? replay->pages->page
                                          : (bytes + mask) & ~mask;
    low &= ~mask;
  } else {
    round_to_pages (replay->pages, &low, &bytes);
  }
  if (bytes == 0)
    return 0;
  return change->what == DG_PAGE_UNMAP ? unrecord (replay, low, bytes)
                                       : record (replay, low, bytes, change);
}
