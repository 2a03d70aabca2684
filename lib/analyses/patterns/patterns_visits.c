/* patterns_visits.c: objects, visits to them, and what these touch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_visits.h"

#include <string.h>

/* Visits that go on at a time; an object has one place where its visit can
   be.  */
#define PLACES_SHIFT 8
#define PLACES       (1u << PLACES_SHIFT)

struct visit {
  struct dg_pattern_object_sums *sums;           /* NULL: none */
  uint64_t object, start;
  struct dg_pattern_granules set;
  struct dg_pattern_granules written; /* before any of it was read */
  bool reads;              /* something else */
};

struct dg_pattern_visits {
  GHashTable *
    kinds; /* struct dg_pattern_object_kind -> struct dg_pattern_object_sums */
  GPtrArray *all;          /* these, as they came: numbers of sites, and so
                              the order of the table, differ from run to run */
  struct visit going_on[PLACES];
  struct dg_pattern_object_sums *latest;         /* that was looked up */
  uint64_t lost;
};

/* ---- Kinds ---- */

#define UNKNOWN_GRANULES 64

static unsigned
granule_from (unsigned bytes, unsigned granules, uint32_t object_bytes)
{
  while (bytes * granules < object_bytes)
    bytes *= 2;
  return bytes;
}

unsigned
dg_pattern_kind_granule (struct dg_pattern_object_kind kind)
{
  return kind.is_typed ? granule_from (1, DG_GRANULES, kind.bytes)
                       : granule_from (4, UNKNOWN_GRANULES, kind.bytes);
}

static unsigned
cell_bytes (struct dg_pattern_object_kind kind)
{
  return kind.is_typed ? 1 : dg_pattern_kind_granule (kind);
}

static unsigned
count_cells (struct dg_pattern_object_kind kind)
{
  unsigned bytes = cell_bytes (kind);

  return (kind.bytes + bytes - 1) / bytes;
}

static guint
kind_hash (gconstpointer key)
{
  const struct dg_pattern_object_kind *kind = key;

  return (kind->site * 2048u + kind->bytes * 2 + kind->is_typed)
         * 0x9e3779b1u;
}

static gboolean
kind_equal (gconstpointer a, gconstpointer b)
{
  const struct dg_pattern_object_kind *x = a, *y = b;

  return x->site == y->site && x->bytes == y->bytes
         && x->is_typed == y->is_typed;
}

static void
sums_free (gpointer pointer)
{
  struct dg_pattern_object_sums *sums = pointer;

  g_hash_table_unref (sums->sets);
  g_free (sums->reads.begins);
  g_free (sums);
}

/* A set and its visits are one piece of memory: both key and value.  */
struct set {
  struct dg_pattern_granules granules;
  uint64_t visits;
};

static guint
granules_hash (gconstpointer key)
{
  const struct dg_pattern_granules *set = key;
  uint64_t hash = 0;

  for (unsigned i = 0; i < G_N_ELEMENTS (set->words); i++)
    hash = (hash ^ set->words[i]) * 0x9e3779b97f4a7c15;
  return (guint) (hash >> 32);
}

static gboolean
granules_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (struct dg_pattern_granules)) == 0;
}

static struct dg_pattern_object_sums *
sums_new (struct dg_pattern_object_kind kind)
{
  struct dg_pattern_object_sums *sums =
    g_new0 (struct dg_pattern_object_sums, 1);
  unsigned n = count_cells (kind);

  sums->kind = kind;
  sums->sets = g_hash_table_new_full (granules_hash, granules_equal, g_free,
                                      NULL);
  sums->reads.begins = g_new0 (uint64_t, 4 * (size_t) n);
  sums->reads.ends = sums->reads.begins + n;
  sums->writes.begins = sums->reads.ends + n;
  sums->writes.ends = sums->writes.begins + n;
  return sums;
}

/* NULL: there is no room for another kind.  */
static struct dg_pattern_object_sums *
find_sums (struct dg_pattern_visits *visits,
           struct dg_pattern_object_kind kind)
{
  struct dg_pattern_object_sums *sums = visits->latest;

  if (sums && kind_equal (&sums->kind, &kind))
    return sums;
  sums = g_hash_table_lookup (visits->kinds, &kind);
  if (!sums) {
    if (g_hash_table_size (visits->kinds) >= DG_KINDS_MAX)
      return NULL;
    sums = sums_new (kind);
    g_hash_table_insert (visits->kinds, &sums->kind, sums);
    g_ptr_array_add (visits->all, sums);
  }
  visits->latest = sums;
  return sums;
}

static void
add_set (struct dg_pattern_object_sums *sums,
         const struct dg_pattern_granules *granules, uint64_t visits)
{
  struct set *set = g_hash_table_lookup (sums->sets, granules);

  sums->visits += visits;
  if (!set && g_hash_table_size (sums->sets) >= DG_SETS_MAX) {
    sums->lost += visits;
    return;
  }
  if (!set) {
    set = g_new0 (struct set, 1);
    set->granules = *granules;
    g_hash_table_insert (sums->sets, &set->granules, set);
  }
  set->visits += visits;
}

struct dg_pattern_visits *
dg_pattern_visits_new (void)
{
  struct dg_pattern_visits *visits = g_new0 (struct dg_pattern_visits, 1);

  visits->kinds =
    g_hash_table_new_full (kind_hash, kind_equal, NULL, sums_free);
  visits->all = g_ptr_array_new ();
  return visits;
}

void
dg_pattern_visits_free (struct dg_pattern_visits *visits)
{
  if (!visits)
    return;
  g_ptr_array_unref (visits->all);
  g_hash_table_unref (visits->kinds);
  g_free (visits);
}

/* ---- Visits ---- */

/* Has it made the object?  */
static bool
is_making (const struct visit *visit)
{
  struct dg_pattern_object_kind kind = visit->sums->kind;
  unsigned granule = dg_pattern_kind_granule (kind);
  unsigned n = (kind.bytes + granule - 1) / granule, written = 0;

  for (unsigned i = 0; i < G_N_ELEMENTS (visit->written.words); i++)
    written += (unsigned) __builtin_popcountll (visit->written.words[i]);
  return !visit->reads && written * 2 >= n;
}

static void
end_visit (struct visit *visit)
{
  if (visit->sums && is_making (visit))
    visit->sums->makings++;
  else if (visit->sums)
    add_set (visit->sums, &visit->set, 1);
  visit->sums = NULL;
}

void
dg_pattern_visits_end (struct dg_pattern_visits *visits)
{
  for (unsigned i = 0; i < PLACES; i++)
    end_visit (&visits->going_on[i]);
}

void
dg_pattern_visits_add (struct dg_pattern_visits *visits,
                       struct dg_pattern_object_kind kind, uint64_t object,
                       uint32_t offset, uint32_t size, bool is_write,
                       uint64_t now)
{
  struct dg_pattern_object_sums *sums;
  struct dg_pattern_extents *extents;
  struct visit *visit;
  unsigned granule, cell, first, last;
  uint32_t end;

  if (offset >= kind.bytes || kind.bytes > DG_OBJECT_MAX || size == 0)
    return;
  sums = find_sums (visits, kind);
  if (!sums) {
    visits->lost++;
    return;
  }
  granule = dg_pattern_kind_granule (kind);
  first = offset / granule;
  end = MIN (offset + size - 1, kind.bytes - 1);
  last = end / granule;
  visit = &visits->going_on[object * 0x9e3779b97f4a7c15
                            >> (64 - PLACES_SHIFT)];
  if (visit->sums != sums || visit->object != object
      || now - visit->start >= DG_VISIT_ACCESSES) {
    end_visit (visit);
    *visit = (struct visit) { .sums = sums, .object = object, .start = now };
  }
  extents = is_write ? &sums->writes : &sums->reads;
  cell = cell_bytes (kind);
  extents->begins[offset / cell]++;
  extents->ends[end / cell]++;
  for (unsigned i = first; i <= last; i++) {
    if (is_write && !dg_granules_has (&visit->set, i))
      dg_granules_add (&visit->written, i);
    visit->reads |= !is_write && !dg_granules_has (&visit->written, i);
    dg_granules_add (&visit->set, i);
  }
}

/* ---- Sums ---- */

static void
merge_sums (struct dg_pattern_object_sums *to,
            const struct dg_pattern_object_sums *from)
{
  GHashTableIter iter;
  gpointer value;

  /* All four tables, which are one.  */
  for (size_t i = 0; i < 4 * (size_t) count_cells (to->kind); i++)
    to->reads.begins[i] += from->reads.begins[i];
  to->visits += from->lost;
  to->makings += from->makings;
  to->lost += from->lost;
  g_hash_table_iter_init (&iter, from->sets);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct set *set = value;

    add_set (to, &set->granules, set->visits);
  }
}

void
dg_pattern_visits_merge (struct dg_pattern_visits *to,
                         const struct dg_pattern_visits *from,
                         dg_kind_fn kind_of, void *user)
{
  to->lost += from->lost;
  for (guint i = 0; i < from->all->len; i++) {
    const struct dg_pattern_object_sums *sums = from->all->pdata[i];
    struct dg_pattern_object_sums *into =
      find_sums (to, kind_of (user, sums->kind));

    if (into)
      merge_sums (into, sums);
    else
      to->lost++;
  }
}

const GPtrArray *
dg_pattern_visits_sums (const struct dg_pattern_visits *visits)
{
  return visits->all;
}

uint64_t
dg_pattern_visits_lost (const struct dg_pattern_visits *visits)
{
  return visits->lost;
}

uint64_t
dg_pattern_sums_touches (const struct dg_pattern_object_sums *sums,
                         const struct dg_pattern_extents *extents,
                         uint32_t offset, uint32_t bytes)
{
  unsigned cell = cell_bytes (sums->kind);
  unsigned first = offset / cell;
  unsigned last = (offset + bytes - 1) / cell;
  uint64_t begun = 0, ended = 0;

  for (unsigned i = 0; i <= last; i++)
    begun += extents->begins[i];
  for (unsigned i = 0; i < first; i++)
    ended += extents->ends[i];
  return begun - ended;
}

static bool
is_any_in (const struct dg_pattern_granules *set,
           const struct dg_pattern_granules *asked)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (set->words); i++)
    if ((set->words[i] & asked->words[i]) != 0)
      return true;
  return false;
}

uint64_t
dg_pattern_sums_visits_any (const struct dg_pattern_object_sums *sums,
                            const struct dg_pattern_granules *granules)
{
  GHashTableIter iter;
  gpointer value;
  uint64_t visits = 0;

  g_hash_table_iter_init (&iter, sums->sets);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct set *set = value;

    if (is_any_in (&set->granules, granules))
      visits += set->visits;
  }
  return visits;
}
