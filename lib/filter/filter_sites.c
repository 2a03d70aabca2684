/* filter_sites.c: which code addresses meet the stack conditions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_sites.h"

#include "base/compare.h"
#include "space/space_cover.h"

#include <string.h>

/* Direct-mapped, in front of the hash table: contexts are many, and their
   call sites few and mostly the same from one to the next.  */
#define RECENT 4096

struct site {
  uint64_t address;
  uint32_t module; /* there at that moment; DG_NONE if it is all one */
  uint8_t meets;   /* bit per group */
};

struct dg_sites {
  struct dg_symbols *symbols;
  GArray *const *conditions;
  GHashTable *known;      /* struct site, by address and module */
  struct dg_cover *texts; /* of the modules; NULL if none follow another */
  const struct site *recent[RECENT];
};

static guint
hash_site (gconstpointer data)
{
  const struct site *site = data;
  uint64_t h = (site->address ^ site->module) * UINT64_C (0x9e3779b97f4a7c15);

  return (guint) (h >> 32);
}

static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  const struct site *x = a, *y = b;

  return x->address == y->address && x->module == y->module;
}

static gint
compare_text (gconstpointer a, gconstpointer b, gpointer unused)
{
  const struct dg_module *x = *(const struct dg_module *const *) a;
  const struct dg_module *y = *(const struct dg_module *const *) b;

  (void) unused;
  return DG_COMPARE (x->text_address, y->text_address);
}

static bool
is_same_code (const struct dg_module *a, const struct dg_module *b)
{
  return a->text_address == b->text_address && strcmp (a->file, b->file) == 0
         && a->n_build_id == b->n_build_id
         && (a->n_build_id == 0
             || memcmp (a->build_id, b->build_id, a->n_build_id) == 0);
}

/* Do two different modules ever have the same addresses?  */
static bool
has_ambiguous_addresses (const struct dg_module *modules, size_t n)
{
  const struct dg_module **order = g_new (const struct dg_module *, n + 1);
  uint64_t high = 0;
  bool found = false;

  for (size_t i = 0; i < n; i++)
    order[i] = &modules[i];
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_text, NULL);
  for (size_t i = 0; i < n && !found; i++) {
    const struct dg_module *m = order[i];

    if (i > 0
        && (m->text_address < high
            || m->text_address == order[i - 1]->text_address))
      found = !is_same_code (m, order[i - 1]);
    high = MAX (high, m->text_address + m->text_size);
  }
  g_free (order);
  return found;
}

static struct dg_cover *
cover_texts (const struct dg_module *modules, size_t n)
{
  struct dg_rect *rects = g_new (struct dg_rect, n + 1);
  struct dg_cover *cover;

  for (size_t i = 0; i < n; i++)
    rects[i] = dg_rect_make (modules[i].text_address, modules[i].text_size,
                             modules[i].load_icount, modules[i].unload_icount,
                             (uint32_t) i);
  dg_cover_new (rects, n, &cover);
  g_free (rects);
  return cover;
}

struct dg_sites *
dg_filter_sites_new (const struct dg_log *log, struct dg_symbols *symbols,
                     GArray *const conditions[DG_N_GROUPS])
{
  struct dg_sites *sites = g_new0 (struct dg_sites, 1);
  size_t n;
  const struct dg_module *modules = dg_log_modules (log, &n);

  sites->symbols = symbols;
  sites->conditions = conditions;
  sites->known = g_hash_table_new_full (hash_site, equal_sites, NULL, g_free);
  if (has_ambiguous_addresses (modules, n))
    sites->texts = cover_texts (modules, n);
  return sites;
}

void
dg_filter_sites_free (struct dg_sites *sites)
{
  if (sites == NULL)
    return;
  g_hash_table_unref (sites->known);
  dg_cover_free (sites->texts);
  g_free (sites);
}

bool
dg_filter_sites_need_moment (const struct dg_sites *sites)
{
  return sites->texts != NULL;
}

static struct site
make_key (const struct dg_sites *sites, uint64_t address, uint64_t icount)
{
  uint32_t module = sites->texts != NULL
                      ? dg_cover_find (sites->texts, address, icount)
                      : DG_NONE;

  return (struct site){address, module, 0};
}

/* With `notes`, the conditions that these frames meet are told so.  */
static bool
any_frame_meets (GArray *conditions, const struct dg_frame *frames, size_t n,
                 bool notes)
{
  bool is_met = false;

  for (guint i = 0; i < conditions->len; i++) {
    struct dg_filter_condition *condition =
      &g_array_index (conditions, struct dg_filter_condition, i);

    /* What is known already needs no look.  */
    if (!dg_filter_condition_has_stack (condition)
        || (is_met && (condition->is_met || !notes)))
      continue;
    for (size_t k = 0; k < n; k++)
      if (dg_filter_condition_meets_frame (condition, &frames[k])) {
        is_met = true;
        condition->is_met |= notes;
        break;
      }
  }
  return is_met;
}

static const struct site *
ask_symbols (struct dg_sites *sites, enum dg_filter_group for_group,
             const struct site *key, uint64_t icount)
{
  struct site *site = g_new (struct site, 1);
  struct dg_frame frames[64];
  size_t n = dg_symbols_frames (sites->symbols, key->address, icount, frames,
                                G_N_ELEMENTS (frames));

  *site = *key;
  for (int group = 0; group < DG_N_GROUPS; group++)
    if (any_frame_meets (sites->conditions[group], frames, n,
                         group == (int) for_group))
      site->meets |= (uint8_t) (1u << group);
  g_hash_table_add (sites->known, site);
  return site;
}

bool
dg_filter_sites_meet (struct dg_sites *sites, enum dg_filter_group group,
                      uint64_t address, uint64_t icount)
{
  struct site key = make_key (sites, address, icount);
  const struct site **recent =
    &sites->recent[(hash_site (&key) >> 8) % RECENT];

  if (*recent == NULL || !equal_sites (*recent, &key)) {
    *recent = g_hash_table_lookup (sites->known, &key);
    if (*recent == NULL)
      *recent = ask_symbols (sites, group, &key, icount);
  }
  return (*recent)->meets >> group & 1;
}

bool
dg_filter_sites_recall (const struct dg_sites *sites,
                        enum dg_filter_group group, uint64_t address,
                        uint64_t icount)
{
  struct site key = make_key (sites, address, icount);
  const struct site *site = g_hash_table_lookup (sites->known, &key);

  return site != NULL && (site->meets >> group & 1);
}
