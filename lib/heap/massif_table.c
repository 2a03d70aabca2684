/* massif_table.c: which snapshots Massif takes, and which it keeps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

static struct dg_massif_entry *
entry_at (const struct dg_massif_table *table, guint i)
{
  return &g_array_index (table->entries, struct dg_massif_entry, i);
}

void
dg_massif_table_init (struct dg_massif_table *table,
                      const struct dg_massif_options *options)
{
  *table = (struct dg_massif_table){
    .entries = g_array_sized_new (FALSE, FALSE,
                                  sizeof (struct dg_massif_entry),
                                  options->max_snapshots),
    .max = options->max_snapshots,
    .freq = options->detailed_freq,
    .inaccuracy = options->peak_inaccuracy};
}

void
dg_massif_table_fini (struct dg_massif_table *table)
{
  if (table->entries != NULL)
    g_array_unref (table->entries);
}

/* Of three neighbours that are the least time apart, the middle one; peaks and
   the two ends are spared.  O(n) each, as there are at most a thousand.  */
static void
remove_closest (struct dg_massif_table *table)
{
  uint64_t least = UINT64_MAX;
  guint closest = 0;

  for (guint i = 1; i + 1 < table->entries->len; i++) {
    uint64_t span = entry_at (table, i + 1)->told.time
                    - entry_at (table, i - 1)->told.time;

    if (entry_at (table, i)->told.kind != DG_MASSIF_PEAK && span < least) {
      least = span;
      closest = i;
    }
  }
  if (closest > 0)
    g_array_remove_index (table->entries, closest);
}

static bool
is_spared (const struct dg_massif_table *table, guint i)
{
  return i == 0 || i + 1 == table->entries->len
         || entry_at (table, i)->told.kind == DG_MASSIF_PEAK;
}

/* The least time between two neighbours, unless neither can be removed: they
   would stay so close for ever.  Massif keeps 32 bits of it.  */
static uint64_t
least_interval (const struct dg_massif_table *table)
{
  uint64_t least = INT64_MAX;

  for (guint i = 1; i < table->entries->len; i++)
    if (!is_spared (table, i) || !is_spared (table, i - 1))
      least = MIN (least, entry_at (table, i)->told.time
                            - entry_at (table, i - 1)->told.time);
  return (uint32_t) least;
}

static void
add (struct dg_massif_table *table, const struct dg_massif_entry *now,
     enum dg_massif_kind kind, bool has_tree)
{
  struct dg_massif_entry entry = *now;

  entry.told.kind = kind;
  entry.has_tree = has_tree;
  g_array_append_val (table->entries, entry);
  if (table->entries->len == table->max) {
    for (guint i = 0; i < table->max / 2; i++)
      remove_closest (table);
    table->interval = least_interval (table);
  }
  table->earliest = now->told.time + table->interval;
}

void
dg_massif_table_normal (struct dg_massif_table *table,
                        const struct dg_massif_entry *now)
{
  bool has_tree = table->since_detailed == table->freq - 1;

  table->since_detailed = has_tree ? 0 : table->since_detailed + 1;
  add (table, now, has_tree ? DG_MASSIF_DETAILED : DG_MASSIF_NORMAL,
       has_tree);
}

void
dg_massif_table_peak (struct dg_massif_table *table,
                      const struct dg_massif_entry *now)
{
  double more;

  table->since_detailed = 0;
  table->peak_total = dg_massif_total (&now->told);
  more = (double) table->peak_total * table->inaccuracy / 100;
  table->peak_above =
    more < (double) (UINT64_MAX - table->peak_total)
      ? table->peak_total + (uint64_t) more
      : UINT64_MAX;
  /* The one before it stays, with its tree, as one of many.  */
  for (guint i = 0; i < table->entries->len; i++)
    if (entry_at (table, i)->told.kind == DG_MASSIF_PEAK)
      entry_at (table, i)->told.kind = DG_MASSIF_DETAILED;
  add (table, now, DG_MASSIF_PEAK, true);
}
