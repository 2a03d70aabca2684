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
  GHashTable *remade;      /* order of a live block that a realloc made ->
                              bytes of the one that it replaced, + 1 */
  uint32_t unread;         /* order of the block that ended last, if it was
                              only written; else DG_NONE */
  uint64_t unread_accesses;
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

/* Whether site_of has one, which it may have to make.  */
static bool
has_site (struct gather *gather, const struct dg_block *block)
{
  const struct stack_trace *trace = stack_names_trace (
    gather->facts->names, &block->alloc_stack, block->alloc_icount,
    dg_site_is_call (block->allocator));

  return own_level (trace) != NULL;
}

/* A realloc copies what it replaces, so that this was of use: the block that
   has just ended.  */
static void
add_replaced (void *user, uint32_t index, uint32_t previous)
{
  struct gather *gather = user;
  const struct dg_block old = dg_log_block (gather->log, previous);
  const struct dg_block new = dg_log_block (gather->log, index);
  struct advise_site *site;

  if (!has_site (gather, &new))
    return;
  g_hash_table_insert (gather->remade, GUINT_TO_POINTER (new.alloc_order),
                       GSIZE_TO_POINTER (old.size + 1));
  if (gather->unread != old.alloc_order)
    return;
  site = site_of (gather, &old);
  site->write_only--;
  site->write_only_bytes -= old.size;
  site->write_only_accesses -= gather->unread_accesses;
  gather->unread = DG_NONE;
}

static void
add_bytes (struct gather *gather, struct advise_site *site,
           const struct dg_block *block, const struct dg_usage_block *use)
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
    gather->unread = block->alloc_order;
    gather->unread_accesses = use->writes;
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
  gpointer replaced;

  gather->unread = DG_NONE;
  g_hash_table_steal_extended (gather->remade,
                               GUINT_TO_POINTER (block.alloc_order), NULL,
                               &replaced);
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
  if (replaced != NULL) {
    uint64_t old = GPOINTER_TO_SIZE (replaced) - 1;

    site->regrown++;
    site->copied += MIN (old, block.size);
    site->grown_step += block.size - MIN (old, block.size);
  }
  add_bytes (gather, site, &block, use);
}

/* A block that takes the place of a smaller one, which is freed next, has
   grown as by a realloc.  Of a site, whatever else happens in between.  */
static void
note_growth (struct advise_site *site, const struct dg_block *block,
             bool is_free, bool is_remade)
{
  if (!is_free) {
    site->latest = block->alloc_order;
    site->latest_size = block->size;
    site->is_latest_new = !is_remade;
    return;
  }
  if (site->is_latest_new && block->alloc_order != site->latest
      && block->size < site->latest_size) {
    site->regrown++;
    site->copied += block->size;
    site->grown_step += site->latest_size - block->size;
  }
  site->is_latest_new = false;
}

/* What happens to blocks, in the order of the log.  */
struct living {
  struct gather *gather;
  uint64_t bytes;          /* live */
  /* By the step before, if that is a free.  */
  struct dg_block_extent freed;
  bool has_freed;
};

static void
take_step (struct living *living, const struct dg_block *block, bool is_free)
{
  struct advise_facts *facts = living->gather->facts;
  struct advise_site *site = site_of (living->gather, block);

  if (site != NULL)
    note_growth (site, block, is_free,
                 !is_free && living->has_freed
                   && dg_block_replaces (block, &living->freed));
  if (!is_free) {
    living->bytes += block->size;
    facts->heap_bytes += block->size;
    facts->heap_peak = MAX (facts->heap_peak, living->bytes);
    if (site != NULL) {
      site->live++;
      site->live_max = MAX (site->live_max, site->live);
    }
  } else {
    living->bytes -= MIN (living->bytes, block->size);
    if (site != NULL)
      site->live -= site->live > 0;
    living->freed.address = block->address;
    living->freed.free_icount = block->free_icount;
  }
  living->has_freed = is_free;
}

static int
replay (struct living *living, struct dg_error *err)
{
  const struct dg_log *log = living->gather->log;
  struct dg_replay_step *steps;
  size_t n;
  int code = dg_log_replay (log, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE,
                            &steps, &n, err);

  if (code < 0)
    return code;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, steps[i].index);

    take_step (living, &block, steps[i].kind == DG_REPLAY_FREE);
  }
  free (steps);
  return 0;
}

/* Of blocks that pass.  */
static int
read_blocks (struct living *living, struct dg_error *err)
{
  struct dg_block_reader *reader
    = dg_block_reader_new (living->gather->log, err);
  struct dg_block_step step;
  int code;

  if (reader == NULL)
    return err->code;
  while ((code = dg_block_reader_next (reader, &step, err)) > 0)
    take_step (living, &step.block, step.is_free);
  dg_block_reader_free (reader);
  return code;
}

/* The most blocks of a site that were live at once, and the heap's peak.  */
static int
count_live (struct gather *gather, struct dg_error *err)
{
  struct living living = {.gather = gather};

  return dg_log_blocks_pass (gather->log) ? read_blocks (&living, err)
                                          : replay (&living, err);
}

int
advise_facts_add_heap (struct advise_facts *facts, const struct dg_log *log,
                       unsigned workers, dg_progress_fn progress, void *user,
                       struct dg_error *err)
{
  const struct stack_names_options how = {.levels = LEVELS};
  struct gather gather = {.facts = facts, .log = log, .unread = DG_NONE};
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = add_block,
                                           .replaced = add_replaced,
                                           .ended_user = &gather,
                                           .workers = workers,
                                           .want_bytes = true};
  int code;

  if (!dg_log_blocks_pass (log) && dg_log_n_blocks (log) == 0)
    return 0;
  facts->names = stack_names_new (log, &how, err);
  if (facts->names == NULL)
    return err->code;
  gather.by_trace = g_hash_table_new (NULL, NULL);
  gather.remade = g_hash_table_new (NULL, NULL);
  code = dg_usage_run (log, &options, progress, user, err);
  if (code >= 0)
    code = count_live (&gather, err);
  g_hash_table_unref (gather.by_trace);
  g_hash_table_unref (gather.remade);
  return code;
}

const struct advise_site *
advise_facts_site (const struct advise_facts *facts, const char *memory)
{
  return g_hash_table_lookup (facts->by_site, memory);
}
