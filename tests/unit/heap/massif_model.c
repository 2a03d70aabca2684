/* massif_model.c: logs of random stories of blocks, and Massif's file of them
   worked out at once and at length.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif_model.h"

#include "dg_record.h"

#include <inttypes.h>
#include <string.h>

/* ---- Logs ------------------------------------------------------------- */

/* Some stacks; the first frame is the allocator's.  */
static const char *const stacks[] = {
  "[9 100 200 300]", "[9 100 200 301]", "[9 101 200 300]", "[9 102]",
  "[9 100 201 300]", "[8 100 200 300]", "[9 103 202 302 303]", "[9]"};

struct event {
  int kind;                /* 0 alloc, 1 free, 2 realloc, 3 run */
  unsigned stack;
  uint64_t block, old;     /* numbers */
  uint64_t size, slop;
};

static uint64_t
address_of (uint64_t block)
{
  return 0x10000 + block * 0x1000;
}

static void
tell (struct massif_story *story, const struct event *e, unsigned *seqno)
{
  GString *t = story->text;

  g_array_append_val (story->events, *e);
  if (e->kind == 3)
    g_string_append (t, MASSIF_RUN);
  if (e->kind == 1 || e->kind == 2)
    g_string_append_printf (
      t, "free_block %" PRIu64 "\nheap_free %u 1 %d []\n",
      address_of (e->old), ++*seqno,
      e->kind == 2 ? DG_ALLOC_REALLOC : DG_ALLOC_FREE);
  if (e->kind == 0 || e->kind == 2)
    g_string_append_printf (
      t,
      "malloc_block %" PRIu64 " %" PRIu64 " %s\nheap_alloc %u 1 %d %" PRIu64
      " 0 %" PRIu64 "\n",
      address_of (e->block), e->size, stacks[e->stack], ++*seqno,
      e->kind == 2 ? DG_ALLOC_REALLOC : DG_ALLOC_MALLOC, e->size + e->slop,
      e->kind == 2 ? address_of (e->old) : 0);
}

/* Blocks come and go at random; some stay where they are when their size
   changes.  */
struct massif_story
massif_story_make (unsigned seed, unsigned n)
{
  struct massif_story story = {
    g_array_new (FALSE, FALSE, sizeof (struct event)),
    g_string_new (MASSIF_BLOCK)};
  GRand *random = g_rand_new_with_seed (seed);
  GArray *live = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  uint64_t next = 0;
  unsigned seqno = 0;

  for (unsigned i = 0; i < n; i++) {
    struct event e = {.kind = g_rand_int_range (random, 0, 4),
                      .stack = (unsigned) g_rand_int_range (
                        random, 0, G_N_ELEMENTS (stacks)),
                      .size = (uint64_t) g_rand_int_range (random, 0, 999),
                      .slop = (uint64_t) g_rand_int_range (random, 0, 16)};
    guint at = 0;

    if ((e.kind == 1 || e.kind == 2) && live->len == 0)
      e.kind = 0;
    if (e.kind == 1 || e.kind == 2) {
      at = (guint) g_rand_int_range (random, 0, (gint) live->len);
      e.old = g_array_index (live, uint64_t, at);
      g_array_remove_index_fast (live, at);
    }
    e.block = e.kind == 2 && g_rand_boolean (random) ? e.old : next++;
    tell (&story, &e, &seqno);
    if (e.kind == 0 || e.kind == 2)
      g_array_append_val (live, e.block);
  }
  g_array_unref (live);
  g_rand_free (random);
  return story;
}

void
massif_story_free (struct massif_story *story)
{
  g_array_unref (story->events);
  g_string_free (story->text, TRUE);
}

/* ---- The other way ---------------------------------------------------- */

/* One pass; each snapshot is printed when it is taken, tree and all, and the
   prints of those that are removed are thrown away.  */
struct snap {
  uint64_t time;
  bool is_peak;
  char *head, *tree;       /* tree: NULL without one */
};

struct model {
  const struct dg_massif_options *o;
  GArray *snaps;
  GHashTable *blocks;      /* number -> struct held */
  GHashTable *sums;        /* stack without its first frame -> bytes */
  uint64_t heap, extra, moved, icount;
  uint64_t earliest, interval, peak;
  unsigned plain;
};

struct held {
  uint64_t size, slop;
  char *site;
};

static char *
site_name (unsigned stack)
{
  char **frames = g_strsplit_set (stacks[stack] + 1, " ]", -1);
  GString *name = g_string_new (NULL);

  for (int i = 1; frames[i] != NULL && frames[i][0] != '\0'; i++)
    g_string_append_printf (name, "%s ", frames[i]);
  if (name->len == 0)
    g_string_append (name, "0 ");
  g_strfreev (frames);
  return g_string_free (name, FALSE);
}

static void
free_held (gpointer data)
{
  struct held *held = data;

  g_free (held->site);
  g_free (held);
}

/* Bytes of each child of the sites whose names begin with `prefix`, by the
   child's frame.  */
static GHashTable *
children_of (const struct model *m, const char *prefix, unsigned depth)
{
  GHashTable *children = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter i;
  gpointer name, bytes;

  g_hash_table_iter_init (&i, m->sums);
  while (g_hash_table_iter_next (&i, &name, &bytes)) {
    const char *rest = (const char *) name + strlen (prefix);
    gpointer frame;
    uint64_t *sum;

    if (!g_str_has_prefix (name, prefix) || *rest == '\0'
        || depth >= m->o->depth)
      continue;
    frame = GUINT_TO_POINTER ((guint) g_ascii_strtoull (rest, NULL, 10));
    sum = g_hash_table_lookup (children, frame);
    if (sum == NULL) {
      sum = g_new0 (uint64_t, 1);
      g_hash_table_insert (children, frame, sum);
    }
    *sum += *(uint64_t *) bytes;
  }
  return children;
}

static void
print_level (const struct model *m, GString *out, const char *prefix,
             unsigned depth, uint64_t least, uint64_t bytes,
             const char *label)
{
  GHashTable *children = children_of (m, prefix, depth);
  uint64_t small = 0;
  unsigned n_small = 0, n = 0;
  GHashTableIter i;
  gpointer frame, sum;
  GString *below = g_string_new (NULL);

  g_hash_table_iter_init (&i, children);
  while (g_hash_table_iter_next (&i, &frame, &sum)) {
    if (*(uint64_t *) sum >= least)
      continue;
    small += *(uint64_t *) sum;
    n_small++;
    *(uint64_t *) sum = UINT64_MAX;
  }
  /* The largest first, then the lowest address; the small ones have none.  */
  for (;;) {
    guint best = 0;
    uint64_t most = 0;
    bool found = false;

    g_hash_table_iter_init (&i, children);
    while (g_hash_table_iter_next (&i, &frame, &sum)) {
      uint64_t b = *(uint64_t *) sum;
      guint f = GPOINTER_TO_UINT (frame);

      if (b != UINT64_MAX
          && (!found || b > most || (b == most && f < best))) {
        found = true;
        most = b;
        best = f;
      }
    }
    if (n_small > 0 && (!found || small >= most)) {
      g_string_append_printf (
        below, "%*sn0: %" PRIu64 " in %u place%s below massif's threshold"
               " (%.2f%%)\n",
        (int) depth + 1, "", small, n_small, n_small == 1 ? "," : "s, all",
        m->o->threshold);
      n_small = 0;
      n++;
      continue;
    }
    if (!found)
      break;
    {
      char *longer = g_strdup_printf ("%s%u ", prefix, best);
      char *text = g_strdup_printf ("0x%X: ???", best);

      print_level (m, below, longer, depth + 1, least, most, text);
      g_free (longer);
      g_free (text);
    }
    *(uint64_t *) g_hash_table_lookup (children, GUINT_TO_POINTER (best)) =
      UINT64_MAX;
    n++;
  }
  g_string_append_printf (out, "%*sn%u: %" PRIu64 " %s\n%s", (int) depth, "",
                          n, bytes, label, below->str);
  g_string_free (below, TRUE);
  g_hash_table_unref (children);
}

static char *
print_tree (const struct model *m)
{
  GString *out = g_string_new (NULL);
  uint64_t least = m->heap == 0 && m->o->threshold != 0
                     ? 1
                     : (uint64_t) ((double) (m->heap + m->extra)
                                   * m->o->threshold / 100);

  print_level (m, out, "", 0, least, m->heap,
               "(heap allocation functions) malloc/new/new[], --alloc-fns,"
               " etc.");
  return g_string_free (out, FALSE);
}

static void
free_snap (gpointer data)
{
  struct snap *snap = data;

  g_free (snap->head);
  g_free (snap->tree);
}

static struct snap *
snap_at (const struct model *m, guint i)
{
  return &g_array_index (m->snaps, struct snap, i);
}

static void
cull (struct model *m)
{
  uint64_t least = UINT64_MAX;

  for (unsigned k = 0; k < m->o->max_snapshots / 2; k++) {
    guint best = 0;
    uint64_t span = UINT64_MAX;

    for (guint i = 1; i + 1 < m->snaps->len; i++)
      if (!snap_at (m, i)->is_peak
          && snap_at (m, i + 1)->time - snap_at (m, i - 1)->time < span) {
        best = i;
        span = snap_at (m, i + 1)->time - snap_at (m, i - 1)->time;
      }
    g_array_remove_index (m->snaps, best);
  }
  for (guint i = 1; i < m->snaps->len; i++) {
    bool left = i == 1 || snap_at (m, i - 1)->is_peak;
    bool right = i + 1 == m->snaps->len || snap_at (m, i)->is_peak;

    if (!left || !right)
      least = MIN (least, snap_at (m, i)->time - snap_at (m, i - 1)->time);
  }
  m->interval = least;
}

static void
take (struct model *m, bool is_peak)
{
  uint64_t time = m->o->time_unit == DG_MASSIF_TIME_B ? m->moved : m->icount;
  struct snap snap = {.time = time, .is_peak = is_peak};
  uint64_t total = m->heap + m->extra;
  bool has_tree = is_peak || m->plain == m->o->detailed_freq - 1;

  if (is_peak
      && total <= m->peak
                    + (uint64_t) ((double) m->peak * m->o->peak_inaccuracy
                                  / 100))
    return;
  if (!is_peak && time < m->earliest)
    return;
  m->plain = has_tree ? 0 : m->plain + 1;
  for (guint i = 0; is_peak && i < m->snaps->len; i++)
    snap_at (m, i)->is_peak = false;
  if (is_peak)
    m->peak = total;
  snap.head = g_strdup_printf ("time=%" PRIu64 "\nmem_heap_B=%" PRIu64
                               "\nmem_heap_extra_B=%" PRIu64
                               "\nmem_stacks_B=0\n",
                               time, m->heap, m->extra);
  if (has_tree)
    snap.tree = print_tree (m);
  g_array_append_val (m->snaps, snap);
  if (m->snaps->len == m->o->max_snapshots)
    cull (m);
  m->earliest = time + m->interval;
}

static uint64_t *
sum_of (struct model *m, const char *site)
{
  uint64_t *sum = g_hash_table_lookup (m->sums, site);

  if (sum == NULL) {
    sum = g_new0 (uint64_t, 1);
    g_hash_table_insert (m->sums, g_strdup (site), sum);
  }
  return sum;
}

static void
count (struct model *m, uint64_t heap, uint64_t extra)
{
  uint64_t both = heap + extra;

  m->heap += heap;
  m->extra += extra;
  m->moved += (int64_t) both < 0 ? -both : both;
}

static void
apply (struct model *m, const struct event *e)
{
  gpointer old_key = GSIZE_TO_POINTER (e->old + 1);
  struct held *old = g_hash_table_lookup (m->blocks, old_key), *held;
  uint64_t admin = m->o->heap_admin;

  if (e->kind == 3)
    m->icount += 3;
  if (e->kind == 1 || (e->kind == 2 && e->size < old->size))
    take (m, true);
  if (e->kind == 1) {
    count (m, -old->size, -admin - old->slop);
    *sum_of (m, old->site) -= old->size;
    g_hash_table_remove (m->blocks, old_key);
    take (m, false);
  }
  if (e->kind == 0 || e->kind == 2) {
    held = g_new (struct held, 1);
    *held = (struct held){e->size, e->slop, site_name (e->stack)};
    *sum_of (m, held->site) += e->size;
    if (e->kind == 2) {
      count (m, e->size - old->size, e->slop - old->slop);
      *sum_of (m, old->site) -= old->size;
      g_hash_table_remove (m->blocks, old_key);
    } else {
      count (m, e->size, admin + e->slop);
    }
    g_hash_table_insert (m->blocks, GSIZE_TO_POINTER (e->block + 1), held);
    take (m, false);
  }
}

char *
massif_model_text (const struct massif_story *story,
                   const struct dg_massif_options *o, uint64_t *most)
{
  struct model m = {
    .o = o,
    .snaps = g_array_new (FALSE, FALSE, sizeof (struct snap)),
    .blocks = g_hash_table_new_full (NULL, NULL, NULL, free_held),
    .sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};
  GString *text = g_string_new (NULL);

  g_array_set_clear_func (m.snaps, free_snap);
  take (&m, false);
  *most = 0;
  for (guint i = 0; i < story->events->len; i++) {
    apply (&m, &g_array_index (story->events, struct event, i));
    *most = MAX (*most, m.heap + m.extra);
  }
  g_string_append_printf (text, "desc: x\ncmd: \ntime_unit: %s\n",
                          dg_massif_time_name (o->time_unit));
  for (guint i = 0; i < m.snaps->len; i++) {
    const struct snap *s = snap_at (&m, i);

    g_string_append_printf (
      text, "#-----------\nsnapshot=%u\n#-----------\n%sheap_tree=%s\n%s", i,
      s->head,
      s->is_peak ? "peak" : s->tree != NULL ? "detailed" : "empty",
      s->tree != NULL ? s->tree : "");
  }
  g_array_unref (m.snaps);
  g_hash_table_unref (m.blocks);
  g_hash_table_unref (m.sums);
  return g_string_free (text, FALSE);
}
