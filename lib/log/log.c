/* log.c: closing logs, and access to their contents.  open.c opens them,
   load.c and reader.c read their records.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log.h"

#include <glib.h>
#include <string.h>

#include "growth.h"
#include "log_births.h"
#include "places.h"
#include "base/bisect.h"

#define DEFAULT_PAGE_SIZE 4096
#define DEFAULT_LINE_SIZE 64

void
dg_log_close (struct dg_log *log)
{
  if (!log)
    return;
  if (log->window) {
    if (log->window->mover)
      log->window->free_mover (log->window->mover);
    dg_store_fini (&log->window->blocks);
    g_free (log->window);
  }
  dg_contents_fini (&log->contents);
  dg_growth_free (log->growth);
  dg_growth_shared_leave (log->shared);
  dg_source_close (&log->source);
  dg_places_free (log->places);
  g_free (log->path);
  g_free (log);
}

const struct dg_header *
dg_log_header (const struct dg_log *log)
{
  return &log->header;
}

const char *
dg_log_path (const struct dg_log *log)
{
  return log->path;
}

const struct dg_summary *
dg_log_summary (const struct dg_log *log)
{
  return &log->contents.summary;
}

const struct dg_process *
dg_log_process (const struct dg_log *log)
{
  return log->contents.has_process ? &log->contents.process : NULL;
}

uint32_t
dg_log_page_size (const struct dg_log *log)
{
  uint32_t size = log->contents.process.page_size;

  return size > 0 ? size : DEFAULT_PAGE_SIZE;
}

uint32_t
dg_log_line_size (const struct dg_log *log)
{
  uint32_t size = log->contents.process.line_size;

  return size > 0 ? size : DEFAULT_LINE_SIZE;
}

const struct dg_bbdef *
dg_log_bbdef (const struct dg_log *log, uint32_t index)
{
  const struct dg_table *table = &log->contents.defs.bbdefs;

  g_assert (index < table->n);
  return &((const struct dg_definition **) table->items)[index]->bbdef;
}

struct dg_context
dg_log_context (const struct dg_log *log, uint32_t index)
{
  const struct dg_table *table = &log->contents.defs.contexts;

  struct dg_context context;

  g_assert (index < table->n);
  context = ((const struct dg_context *) table->items)[index];
  context.path = dg_program_told (&log->contents.paths.nodes, context.path);
  return context;
}

uint32_t
dg_log_n_call_paths (const struct dg_log *log)
{
  return log->contents.paths.n.nodes;
}

struct dg_call_path
dg_log_call_path (const struct dg_log *log, uint32_t path)
{
  const struct dg_program_path *at;

  g_assert (path < log->contents.paths.n.nodes);
  at = dg_program_path (&log->contents.paths.nodes, path);
  return (struct dg_call_path) {
    .site = at->site,
    .parent = path == 0 || at->own > 0 ? DG_NONE : at->parent
  };
}

uint32_t
dg_log_path_sites (const struct dg_log *log, uint32_t path, uint64_t *sites,
                   uint32_t max)
{
  const struct dg_contents *contents = &log->contents;

  g_assert (path < contents->paths.n.nodes);
  /* Of an archive's tree there may be more; other stacks are as they are.  */
  if (contents->packed
      && dg_program_path (&contents->paths.nodes, path)->own == 0)
    max = MIN (max, contents->has_process ? contents->process.stack_depth
                                          : DG_STACK_MAX - 1);
  return dg_program_sites (&contents->paths, path, sites,
                           MIN (max, DG_STACK_MAX - 1));
}

uint32_t
dg_log_context_stack (const struct dg_log *log, uint32_t index,
                      uint64_t stack[DG_STACK_MAX])
{
  const struct dg_context *contexts = log->contents.defs.contexts.items;
  struct dg_context context = dg_log_context (log, index);
  struct dg_program_node node = dg_program_node (&log->contents.paths,
                                                 contexts[index].path);
  const struct dg_bbdef *bbdef = dg_log_bbdef (log, context.bbdef);

  if (node.stack) {
    memcpy (stack, node.stack, node.n_stack * sizeof *stack);
    return node.n_stack;
  }
  stack[0] = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0;
  return 1 + dg_log_path_sites (log, context.path, stack + 1,
                                DG_STACK_MAX - 1);
}

/* The items of a table, which is NULL when it has none.  */
static const void *
items (const struct dg_table *table, size_t *n)
{
  *n = table->n;
  return table->n > 0 ? table->items : NULL;
}

const struct dg_thread *
dg_log_threads (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.threads, n);
}

const struct dg_thread *
dg_log_thread (const struct dg_log *log, uint32_t number)
{
  const struct dg_thread *threads = log->contents.threads.items;
  const uint32_t *order = log->contents.thread_order.items;
  size_t low = DG_BISECT (0, log->contents.thread_order.n, i,
                          threads[order[i]].number <= number);

  if (low == 0 || threads[order[low - 1]].number != number)
    return NULL;
  return &threads[order[low - 1]];
}

size_t
dg_log_n_blocks (const struct dg_log *log)
{
  g_assert (log->blocks != DG_BLOCKS_NONE);
  return dg_log_store (log)->items.n;
}

bool
dg_log_blocks_pass (const struct dg_log *log)
{
  return log->window != NULL;
}

bool
dg_log_first_birth (const struct dg_log *log, size_t i,
                    struct dg_log_birth *birth)
{
  const struct dg_store *blocks = &log->contents.blocks;
  const struct dg_first_block *first = blocks->firsts.items;
  const struct dg_birth *births = blocks->births.items;
  const struct dg_birth_sizes *sizes = blocks->sizes.items;

  g_assert (log->blocks != DG_BLOCKS_NONE);
  if (i >= blocks->firsts.n)
    return false;
  births += first[i].birth;
  *birth = (struct dg_log_birth) {
    .stack = { births->n_sites, births->sites }, .icount = first[i].icount,
    .alignment = births->alignment, .allocator = births->allocator,
    .sizes = sizes[first[i].birth]
  };
  return true;
}

uint32_t
dg_log_block_birth (const struct dg_log *log, size_t index)
{
  return dg_store_small (dg_log_store (log), index)->birth;
}

size_t
dg_log_n_births (const struct dg_log *log)
{
  return dg_log_store (log)->births.n;
}

struct dg_stack
dg_log_birth_stack (const struct dg_log *log, uint32_t birth)
{
  const struct dg_birth *births = dg_log_store (log)->births.items;

  return (struct dg_stack) { births[birth].n_sites, births[birth].sites };
}

struct dg_block
dg_log_block (const struct dg_log *log, size_t index)
{
  return dg_store_get (dg_log_store (log), index);
}

struct dg_block_extent
dg_log_block_extent (const struct dg_log *log, size_t index)
{
  return dg_store_extent (dg_log_store (log), index);
}

const struct dg_range *
dg_log_ranges (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.ranges, n);
}

const struct dg_event *
dg_log_events (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.events, n);
}

const struct dg_module *
dg_log_modules (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.modules, n);
}

const struct dg_thread_local *
dg_log_thread_locals (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.locals, n);
}

const struct dg_code_name *
dg_log_code_names (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.code_names, n);
}

const struct dg_mapping *
dg_log_mappings (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.mappings, n);
}

const struct dg_page_change *
dg_log_page_changes (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pages, n);
}

const struct dg_mempool *
dg_log_pools (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pools, n);
}

const struct dg_kernel_access *
dg_log_kernel_accesses (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.kernel, n);
}

const struct dg_sync *
dg_log_syncs (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.syncs, n);
}

const struct dg_stack_pointer *
dg_log_stack_pointers (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pointers, n);
}

const struct dg_window_change *
dg_log_windows (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.windows, n);
}

const struct dg_clock *
dg_log_clock (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.clock, n);
}

const struct dg_chunk *
dg_log_chunks (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.chunks, n);
}
