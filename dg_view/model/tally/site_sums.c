/* site_sums.c: sums by place of allocation, of all workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "site_sums.h"

#include <dg_record.h>

struct dv_site_sums {
  const struct dg_log *log;
  GMutex lock;             /* guards all below */
  GHashTable *by_stack;    /* stacks, each of which is kept once, to index in
                              sites + 1 */
  GArray *sites;           /* struct dv_tally_site */
  uint64_t *touched;       /* bit for each block */
};

struct dv_site_sums *
dv_site_sums_new (const struct dv_data *data)
{
  struct dv_site_sums *sums = g_try_new0 (struct dv_site_sums, 1);
  size_t n = dg_log_n_blocks (data->log);
  if (sums == NULL)
    return NULL;
  sums->log = data->log;
  g_mutex_init (&sums->lock);
  sums->by_stack = g_hash_table_new (NULL, NULL);
  sums->sites = g_array_new (FALSE, FALSE, sizeof (struct dv_tally_site));
  sums->touched = g_try_new0 (uint64_t, n / 64 + 1);
  if (sums->touched == NULL)
    g_clear_pointer (&sums, dv_site_sums_free);
  return sums;
}

void
dv_site_sums_free (struct dv_site_sums *sums)
{
  if (sums == NULL)
    return;
  g_hash_table_unref (sums->by_stack);
  g_array_unref (sums->sites);
  g_free (sums->touched);
  g_mutex_clear (&sums->lock);
  g_free (sums);
}

static struct dv_tally_site *
site_of (struct dv_site_sums *sums, uint32_t block)
{
  gpointer stack
    = (gpointer) dg_log_block (sums->log, block).alloc_stack.sites;
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (sums->by_stack, stack));
  if (i == 0) {
    struct dv_tally_site site = { .block = block };
    g_array_append_val (sums->sites, site);
    i = sums->sites->len;
    g_hash_table_insert (sums->by_stack, stack, GUINT_TO_POINTER (i));
  }
  return &g_array_index (sums->sites, struct dv_tally_site, i - 1);
}

static void
take_owner (struct dv_site_sums *sums, const struct dv_owners_entry *owner)
{
  struct dv_tally_site *site = site_of (sums, owner->block);
  struct dv_tally_count count = {
    .reads = (uint32_t) owner->packed[DG_ACC_READ],
    .writes = (uint32_t) owner->packed[DG_ACC_WRITE],
    .read_bytes = owner->packed[DG_ACC_READ] >> 32,
    .written_bytes = owner->packed[DG_ACC_WRITE] >> 32
  };
  uint64_t *word = &sums->touched[owner->block / 64];
  uint64_t bit = (uint64_t) 1 << owner->block % 64;
  dv_tally_count_add (&site->count, &count);
  site->block = MIN (site->block, owner->block);
  if ((*word & bit) == 0) {
    *word |= bit;
    site->blocks++;
    site->bytes += dg_log_block_extent (sums->log, owner->block).size;
  }
}

void
dv_site_sums_take (struct dv_site_sums *sums, const struct dv_owners *owners)
{
  g_mutex_lock (&sums->lock);
  for (uint32_t i = 0; i < owners->n; i++) {
    const struct dv_owners_entry *owner = &owners->items[i];
    if (owner->block != DG_NONE && (owner->packed[0] | owner->packed[1]) != 0)
      take_owner (sums, owner);
  }
  g_mutex_unlock (&sums->lock);
}

static int
heavier (const void *a, const void *b)
{
  const struct dv_tally_site *x = a, *y = b;
  uint64_t m = dv_tally_count_accesses (&x->count);
  uint64_t n = dv_tally_count_accesses (&y->count);
  return m != n ? (m < n) - (m > n) : (x->block > y->block)
                                      - (x->block < y->block);
}

/* A partial total may lack what the sites already have.  */
static void
subtract (uint64_t *from, uint64_t n)
{
  *from -= MIN (*from, n);
}

void
dv_site_sums_tell (struct dv_site_sums *sums, struct dv_tally *tally)
{
  tally->elsewhere = tally->total;
  g_mutex_lock (&sums->lock);
  g_array_append_vals (tally->sites, sums->sites->data, sums->sites->len);
  g_mutex_unlock (&sums->lock);
  for (guint i = 0; i < tally->sites->len; i++) {
    const struct dv_tally_count *count
      = &g_array_index (tally->sites, struct dv_tally_site, i).count;
    subtract (&tally->elsewhere.reads, count->reads);
    subtract (&tally->elsewhere.writes, count->writes);
    subtract (&tally->elsewhere.read_bytes, count->read_bytes);
    subtract (&tally->elsewhere.written_bytes, count->written_bytes);
  }
  g_array_sort (tally->sites, heavier);
  tally->n_sites = tally->sites->len;
}
