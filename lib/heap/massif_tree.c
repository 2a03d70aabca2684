/* massif_tree.c: the tree of a snapshot: sites with the same frames at the top
   become one node, and nodes that are too small are merged.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "base/arena.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct dg_massif_tree {
  struct dg_arena arena;
  struct dg_massif_node top;
};

/* What is shown of an address: inlined calls first.  */
struct dg_massif_label {
  uint64_t address;
  size_t n;
  const char *texts[];
};

/* A site of the tree that is being made.  */
struct part {
  const uint64_t *frames;
  uint32_t n;
  uint32_t site;
  uint64_t bytes;
};

/* Sites that have a frame in common.  */
struct group {
  uint64_t address;        /* 0: small ones */
  uint64_t bytes;
  const struct part *parts;
  size_t n;                /* parts, or groups of small ones */
};

/* ---- Labels ----------------------------------------------------------- */

void
dg_massif_append (GString *text, const char *name)
{
  while (*name != '\0') {
    const char *from = name;

    if (dg_shown_next (&name))
      g_string_append_len (text, from, name - from);
    else
      for (; from < name; from++)
        g_string_append_printf (text, "\\x%02X", (unsigned char) *from);
  }
}

static char *
label_text (uint64_t address, const struct dg_frame *frame,
            bool is_innermost)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "0x%" PRIX64 ": ", address);
  dg_massif_append (text, frame->function != NULL ? frame->function : "???");
  if (frame->file != NULL || !is_innermost) {
    g_string_append (text, " (");
    dg_massif_append (text, frame->file != NULL ? frame->file : "???");
    g_string_append_printf (text, ":%u)", frame->line);
  } else if (frame->module != NULL) {
    g_string_append (text, " (in ");
    dg_massif_append (text, frame->module);
    g_string_append_c (text, ')');
  } else if (frame->function != NULL) {
    g_string_append (text, " (in ???");
    g_string_append_c (text, ')');
  }
  return g_string_free (text, FALSE);
}

char **
dg_massif_labels (struct dg_symbols *symbols, uint64_t address,
                  uint64_t icount, bool *is_last)
{
  struct dg_frame frames[DG_MASSIF_MAX_FRAMES];
  size_t n = dg_massif_frames (symbols, address, icount, frames);
  const char *function = frames[n - 1].function;
  char **texts = g_new0 (char *, n + 1);

  for (size_t i = 0; i < n; i++)
    texts[i] = label_text (address, &frames[i], i == 0);
  *is_last = function != NULL
             && (strcmp (function, "main") == 0
                 || strcmp (function, DG_MASSIF_BELOW_MAIN) == 0);
  return texts;
}

static const struct dg_massif_label *
label_of (struct dg_massif *massif, uint64_t address, uint64_t icount)
{
  struct dg_frame frames[DG_MASSIF_MAX_FRAMES];
  struct dg_massif_label *label;
  size_t n;

  label = g_hash_table_lookup (massif->labels, &address);
  if (label != NULL)
    return label;
  n = dg_massif_frames (massif->symbols, address, icount, frames);
  label = g_malloc (sizeof *label + n * sizeof *label->texts);
  label->address = address;
  label->n = n;
  for (size_t i = 0; i < n; i++) {
    char *text = label_text (address, &frames[i], i == 0);

    label->texts[i] = g_string_chunk_insert_const (massif->strings, text);
    g_free (text);
  }
  g_hash_table_insert (massif->labels, &label->address, label);
  return label;
}

/* ---- Sites in order --------------------------------------------------- */

static gint
compare_sites (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct dg_massif_sites *sites = user;
  const struct dg_massif_site *x =
    dg_massif_site_at (sites, *(const uint32_t *) a);
  const struct dg_massif_site *y =
    dg_massif_site_at (sites, *(const uint32_t *) b);

  for (uint32_t i = 0; i < x->n && i < y->n; i++) {
    uint64_t f = x->stack.sites[x->top + i], g = y->stack.sites[y->top + i];

    if (f != g)
      return f < g ? -1 : 1;
  }
  return DG_COMPARE (x->n, y->n);
}

int
dg_massif_sort_sites (struct dg_massif *massif)
{
  size_t n = massif->sites.sites.n;

  massif->order = g_try_new (uint32_t, MAX (n, 1));
  if (massif->order == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    massif->order[i] = (uint32_t) i;
  g_qsort_with_data (massif->order, (gint) n, sizeof *massif->order,
                     compare_sites, &massif->sites);
  return 0;
}

/* ---- Groups ----------------------------------------------------------- */

struct making {
  struct dg_massif *massif;
  struct dg_arena *arena;
  uint64_t least;          /* bytes of a node that is shown */
  char *merged;            /* the end of the text of small ones */
  bool has_failed;
};

static gint
compare_groups (gconstpointer a, gconstpointer b)
{
  const struct group *x = a, *y = b;

  return DG_COMPARE (y->bytes, x->bytes)
           ?: DG_COMPARE (x->address, y->address);
}

/* Parts stand in the order of their frames, so each group is in one piece.  */
static GArray *
group_parts (const struct making *making, const struct part *parts, size_t n,
             uint32_t depth)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (struct group));
  struct group small = {0, 0, NULL, 0};

  for (size_t i = 0; i < n;) {
    struct group group = {0, 0, &parts[i], 0};

    if (parts[i].n <= depth) {
      i++;
      continue;
    }
    group.address = parts[i].frames[depth];
    for (; i < n && parts[i].n > depth
           && parts[i].frames[depth] == group.address;
         i++, group.n++)
      group.bytes += parts[i].bytes;
    if (group.bytes >= making->least) {
      g_array_append_val (groups, group);
    } else {
      small.bytes += group.bytes;
      small.n++;
    }
  }
  if (small.n > 0)
    g_array_append_val (groups, small);
  g_array_sort (groups, compare_groups);
  return groups;
}

static void
set_children (struct making *making, struct dg_massif_node *node,
              const struct part *parts, size_t n, uint32_t depth);

static void
set_merged (struct making *making, struct dg_massif_node *node,
            const struct group *group)
{
  char *text = g_strdup_printf ("in %zu place%s %s", group->n,
                                group->n == 1 ? "," : "s, all",
                                making->merged);

  node->bytes = group->bytes;
  node->n_merged = (uint32_t) group->n;
  node->label = dg_arena_string (making->arena, text);
  if (node->label == NULL)
    making->has_failed = true;
  g_free (text);
}

/* Inlined calls are nodes with one child each, above the function.  */
static void
set_frames (struct making *making, struct dg_massif_node *node,
            const struct group *group, uint32_t depth)
{
  const struct dg_massif_site *site =
    dg_massif_site_at (&making->massif->sites, group->parts->site);
  const struct dg_massif_label *label =
    label_of (making->massif, group->address, site->icount);

  for (size_t i = 0;; i++) {
    struct dg_massif_node *child;

    node->bytes = group->bytes;
    node->address = group->address;
    node->label = label->texts[i];
    if (i + 1 == label->n)
      break;
    child = dg_arena_alloc (making->arena, sizeof *child);
    if (child == NULL) {
      making->has_failed = true;
      return;
    }
    memset (child, 0, sizeof *child);
    node->children = child;
    node->n_children = 1;
    node = child;
  }
  set_children (making, node, group->parts, group->n, depth + 1);
}

static void
set_children (struct making *making, struct dg_massif_node *node,
              const struct part *parts, size_t n, uint32_t depth)
{
  GArray *groups = group_parts (making, parts, n, depth);
  struct dg_massif_node *children =
    dg_arena_alloc (making->arena, groups->len * sizeof *children);

  if (children == NULL) {
    making->has_failed = true;
  } else if (groups->len > 0) {
    memset (children, 0, groups->len * sizeof *children);
    node->children = children;
    node->n_children = groups->len;
    for (guint i = 0; i < groups->len && !making->has_failed; i++) {
      const struct group *group = &g_array_index (groups, struct group, i);

      if (group->parts == NULL)
        set_merged (making, &children[i], group);
      else
        set_frames (making, &children[i], group, depth);
    }
  }
  g_array_unref (groups);
}

/* ---- Trees ------------------------------------------------------------ */

/* The sites that had been met, in the order of their frames.  */
static struct part *
parts_of (const struct dg_massif *massif,
          const struct dg_massif_entry *entry, size_t *n)
{
  size_t n_sites = massif->sites.sites.n;
  uint64_t *bytes = g_try_new0 (uint64_t, MAX (entry->n_sites, 1));
  struct part *parts =
    g_try_new (struct part, MAX (entry->n_sites, 1));

  *n = 0;
  for (size_t i = 0; bytes != NULL && i < entry->n_shares; i++)
    bytes[entry->shares[i].site] = entry->shares[i].bytes;
  for (size_t i = 0; bytes != NULL && parts != NULL && i < n_sites; i++) {
    uint32_t number = massif->order[i];
    const struct dg_massif_site *site =
      dg_massif_site_at (&massif->sites, number);

    if (number < entry->n_sites && site->n > 0)
      parts[(*n)++] = (struct part){site->stack.sites + site->top, site->n,
                                    number, bytes[number]};
  }
  if (bytes == NULL)
    g_clear_pointer (&parts, g_free);
  g_free (bytes);
  return parts;
}

/* Below this a node is merged with others.  */
static uint64_t
least_of (const struct dg_massif_snapshot *told, double threshold)
{
  if (told->heap == 0 && threshold != 0)
    return 1;
  return (uint64_t) ((double) dg_massif_total (told) * threshold / 100);
}

static const char *
top_label (const struct dg_massif_options *options)
{
  return options->pages_as_heap
           ? "(page allocation syscalls) mmap/mremap/brk, --alloc-fns, etc."
           : "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.";
}

static struct dg_massif_tree *
make_tree (struct dg_massif *massif, const struct dg_massif_entry *entry,
           struct part *parts, size_t n)
{
  struct dg_massif_tree *tree = g_new0 (struct dg_massif_tree, 1);
  double threshold = massif->used.threshold;
  char percent[G_ASCII_DTOSTR_BUF_SIZE];
  struct making making = {.massif = massif, .arena = &tree->arena};

  making.least = least_of (&entry->told, threshold);
  making.merged =
    g_strdup_printf ("below massif's threshold (%s%%)",
                     g_ascii_formatd (percent, sizeof percent, "%.2f",
                                      threshold));
  tree->top.bytes = entry->told.heap;
  tree->top.label = top_label (&massif->used);
  g_mutex_lock (&massif->lock);
  set_children (&making, &tree->top, parts, n, 0);
  g_mutex_unlock (&massif->lock);
  g_free (making.merged);
  if (making.has_failed)
    g_clear_pointer (&tree, dg_massif_tree_free);
  return tree;
}

struct dg_massif_tree *
dg_massif_tree_new (const struct dg_massif *massif, size_t snapshot,
                    struct dg_error *err)
{
  const struct dg_massif_entry *entry;
  struct dg_massif_tree *tree = NULL;
  struct part *parts;
  size_t n;

  if (snapshot < massif->entries->len)
    entry = &g_array_index (massif->entries, struct dg_massif_entry, snapshot);
  else
    entry = NULL;
  if (entry == NULL || !entry->has_tree) {
    dg_error_set (err, DG_ERR_INVALID, "snapshot %zu has no tree", snapshot);
    return NULL;
  }
  parts = parts_of (massif, entry, &n);
  /* Labels are made once, under a lock; nothing else changes.  */
  if (parts != NULL)
    tree = make_tree ((struct dg_massif *) massif, entry, parts, n);
  g_free (parts);
  if (tree == NULL)
    dg_error_nomem (err);
  return tree;
}

const struct dg_massif_node *
dg_massif_tree_top (const struct dg_massif_tree *tree)
{
  return &tree->top;
}

void
dg_massif_tree_free (struct dg_massif_tree *tree)
{
  if (tree == NULL)
    return;
  dg_arena_fini (&tree->arena);
  g_free (tree);
}
