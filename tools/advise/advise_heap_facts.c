/* advise_heap_facts.c: how the heap blocks of each allocation site were used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_facts.h"

#include "base/stack_names.h"

#include <stdlib.h>

/* From this size on, allocators map blocks on their own.  */
#define LARGE_BYTES (128u << 10)
/* What was used in this last part of the run is of use until its end.  */
#define LAST_PART 0.1

/* Frames that are searched for own code.  */
#define LEVELS 12

struct gather {
  struct advise_facts *facts;
  const struct dg_log *log;
  GHashTable *by_trace;    /* struct stack_trace -> advise_site, or NULL */
  GHashTable *remade;      /* indices of blocks that a realloc made */
  GHashTable *unread;      /* index of a block that was only written -> its
                              number of accesses */
};

/* The innermost own code that led to it, or NULL.  */
static const struct stack_level *
own_level (const struct stack_trace *trace)
{
  for (uint32_t i = 0; i < trace->n; i++) {
    const char *module = trace->levels[i]->site.frame.module;

    if (module != NULL && advise_module_is_own (module))
      return trace->levels[i];
  }
  return NULL;
}

static struct advise_site *
site_new (struct gather *gather, const struct stack_level *level)
{
  GHashTable *by_site = gather->facts->by_site;
  char *name = dg_site_text (&level->site, 1);
  struct advise_site *site = g_hash_table_lookup (by_site, name);

  if (site == NULL) {
    site = g_new0 (struct advise_site, 1);
    site->name = g_strdup (name);
    site->code = (struct advise_code) {
      .function = level->function, .file = level->site.frame.file,
      .module = level->site.frame.module, .line = level->site.frame.line};
    g_hash_table_insert (by_site, site->name, site);
    g_ptr_array_add (gather->facts->sites, site);
  }
  free (name);
  return site;
}

/* NULL: not of own code.  */
static struct advise_site *
site_of (struct gather *gather, const struct dg_block *block)
{
  const struct stack_trace *trace = stack_names_trace (
    gather->facts->names, &block->alloc_stack, block->alloc_icount,
    dg_site_is_call (block->allocator));
  gpointer known;

  if (!g_hash_table_lookup_extended (gather->by_trace, trace, NULL, &known)) {
    const struct stack_level *level = own_level (trace);

    known = level != NULL ? site_new (gather, level) : NULL;
    if (level != NULL && level != trace->levels[0])
      ((struct advise_site *) known)->is_library = true;
    g_hash_table_insert (gather->by_trace, (gpointer) trace, known);
  }
  return known;
}

/* A realloc copies what it replaces, so that this was of use.  */
static void
forget_replaced (struct gather *gather, uint32_t index)
{
  gpointer accesses;
  struct dg_block old;
  struct advise_site *site;

  if (!g_hash_table_steal_extended (gather->unread, GUINT_TO_POINTER (index),
                                    NULL, &accesses))
    return;
  old = dg_log_block (gather->log, index);
  site = site_of (gather, &old);
  site->write_only--;
  site->write_only_bytes -= old.size;
  site->write_only_accesses -= GPOINTER_TO_SIZE (accesses);
}

static void
add_bytes (struct gather *gather, struct advise_site *site,
           const struct dg_block *block, uint32_t index,
           const struct dg_usage_block *use)
{
  if ((use->flags & DG_USAGE_HAS_PIECES) != 0)
    return;
  /* Pages of large blocks that nobody touches are not there.  */
  site->untouched += block->size < LARGE_BYTES ? use->untouched : 0;
  if (use->reads + use->writes == 0) {
    site->never_used++;
    site->never_used_bytes += block->size;
  } else if (use->reads == 0 && use->untouched * 2 <= block->size) {
    /* Of one that is hardly touched at all, the rest is what matters.  */
    site->write_only++;
    site->write_only_bytes += block->size - use->untouched;
    site->write_only_accesses += use->writes;
    g_hash_table_insert (gather->unread, GUINT_TO_POINTER (index),
                         GSIZE_TO_POINTER (use->writes));
  }
}

/* Whether a block that is never freed was of no use long before the end.  */
static bool
is_forgotten (const struct gather *gather, const struct dg_block *block,
              const struct dg_usage_block *use)
{
  uint64_t last =
    use->last_icount != DG_NEVER ? use->last_icount : block->alloc_icount;

  return (double) last
         < (1 - LAST_PART) * (double) gather->facts->instructions;
}

static void
add_block (void *user, uint32_t index, const struct dg_usage_block *use)
{
  struct gather *gather = user;
  const struct dg_block block = dg_log_block (gather->log, index);
  struct advise_site *site = site_of (gather, &block);

  if (site == NULL)
    return;
  site->blocks++;
  site->bytes += block.size;
  site->max_size = MAX (site->max_size, block.size);
  if (block.free_icount == DG_NEVER) {
    site->kept++;
    if (is_forgotten (gather, &block, use)) {
      site->never_freed++;
      site->never_freed_bytes += block.size;
    }
  } else {
    site->life += (double) (block.free_icount - block.alloc_icount);
  }
  if (use->previous != DG_NONE) {
    struct dg_block_extent old =
      dg_log_block_extent (gather->log, use->previous);

    g_hash_table_add (gather->remade, GUINT_TO_POINTER (index));
    site->regrown++;
    site->copied += MIN (old.size, block.size);
    site->grown_step += block.size - MIN (old.size, block.size);
    forget_replaced (gather, use->previous);
  }
  add_bytes (gather, site, &block, index, use);
}

/* A block that takes the place of a smaller one, which is freed next, has
   grown as by a realloc.  Of a site, whatever else happens in between.  */
static void
note_growth (struct gather *gather, struct advise_site *site,
             const struct dg_replay_step *step)
{
  struct dg_block_extent old, new;

  if (step->kind == DG_REPLAY_ALLOC) {
    site->latest = step->index;
    site->is_latest_new = true;
    return;
  }
  if (site->is_latest_new && step->index != site->latest
      && !g_hash_table_contains (gather->remade,
                                 GUINT_TO_POINTER (site->latest))) {
    old = dg_log_block_extent (gather->log, step->index);
    new = dg_log_block_extent (gather->log, site->latest);
    if (old.size < new.size) {
      site->regrown++;
      site->copied += old.size;
      site->grown_step += new.size - old.size;
    }
  }
  site->is_latest_new = false;
}

/* The most blocks of a site that were live at once, and the heap's peak.  */
static int
count_live (struct gather *gather, struct dg_error *err)
{
  struct advise_facts *facts = gather->facts;
  struct dg_replay_step *steps;
  uint64_t live = 0;
  size_t n;
  int code = dg_log_replay (gather->log,
                            1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE,
                            &steps, &n, err);

  if (code < 0)
    return code;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (gather->log, steps[i].index);
    struct advise_site *site = site_of (gather, &block);

    if (site != NULL)
      note_growth (gather, site, &steps[i]);
    if (steps[i].kind == DG_REPLAY_ALLOC) {
      live += block.size;
      facts->heap_bytes += block.size;
      facts->heap_peak = MAX (facts->heap_peak, live);
      if (site != NULL) {
        site->live++;
        site->live_max = MAX (site->live_max, site->live);
      }
    } else {
      live -= MIN (live, block.size);
      if (site != NULL)
        site->live -= site->live > 0;
    }
  }
  free (steps);
  return 0;
}

int
advise_facts_add_heap (struct advise_facts *facts, const struct dg_log *log,
                       unsigned workers, dg_progress_fn progress, void *user,
                       struct dg_error *err)
{
  const struct stack_names_options how = {.levels = LEVELS};
  struct gather gather = {.facts = facts, .log = log};
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = add_block,
                                           .ended_user = &gather,
                                           .workers = workers,
                                           .want_bytes = true};
  int code;

  if (dg_log_n_blocks (log) == 0)
    return 0;
  facts->names = stack_names_new (log, &how, err);
  if (facts->names == NULL)
    return err->code;
  gather.by_trace = g_hash_table_new (NULL, NULL);
  gather.remade = g_hash_table_new (NULL, NULL);
  gather.unread = g_hash_table_new (NULL, NULL);
  code = dg_usage_run (log, &options, progress, user, err);
  if (code >= 0)
    code = count_live (&gather, err);
  g_hash_table_unref (gather.by_trace);
  g_hash_table_unref (gather.remade);
  g_hash_table_unref (gather.unread);
  return code;
}

const struct advise_site *
advise_facts_site (const struct advise_facts *facts, const char *memory)
{
  return g_hash_table_lookup (facts->by_site, memory);
}
