/* arrow_blocks.c: the table of heap blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_rows.h"
#include "base/error.h"
#include "dg_record.h"
#include "variables/variables.h"

#define NAME (DG_ARROW_NAME | DG_ARROW_NULLABLE)
#define STACK (DG_ARROW_ADDRESS | DG_ARROW_ON_DEMAND)

static const struct dg_arrow_column blocks_columns[] = {
  { "block", "I", 0, "row of this table without limits" },
  { "address", "L", DG_ARROW_ADDRESS, "of the first byte" },
  { "size", "L", 0, "requested bytes" },
  { "usable", "L", DG_ARROW_NULLABLE, "bytes that the program may use" },
  { "alignment", "L", DG_ARROW_NULLABLE, "requested; bytes" },
  { "born", "L", 0, "instruction at which it was allocated" },
  { "freed", "L", DG_ARROW_NULLABLE, "instruction at which it was freed" },
  { "thread", "I", DG_ARROW_NULLABLE, "number of the allocating thread" },
  { "freed_by", "I", DG_ARROW_NULLABLE, "number of the freeing thread" },
  { "allocator", "u", NAME, "malloc, new[] and so on" },
  { "deallocator", "u", NAME, "free, delete and so on" },
  { "kind", "u", DG_ARROW_NAME, "allocated, like (a client request), pool" },
  { "old_address", "L", DG_ARROW_NULLABLE | DG_ARROW_ADDRESS,
    "of the block that a realloc replaced" },
  { "site", "u", NAME | DG_ARROW_ON_DEMAND, "function (file:line)" },
  { "stack", "+l", STACK, "call sites of the allocation, innermost first" },
  { "free_stack", "+l", STACK, "call sites of the free" }
};

static const char *
allocator_name (uint8_t allocator)
{
  static const char *const names[] = {
    NULL, "malloc", "calloc", "realloc", "memalign", "new", "new[]",
    "new (aligned)", "new[] (aligned)", "malloclike", "resize in place",
    "free", "delete", "delete[]", "freelike", "pool", "pool free"
  };

  return allocator < G_N_ELEMENTS (names) ? names[allocator] : NULL;
}

static const char *
kind_name (uint8_t kind)
{
  return kind == DG_BLOCK_POOL_CHUNK ? "pool"
         : kind == DG_BLOCK_LIKE     ? "like"
                                     : "allocated";
}

/* *name is NULL if it is unknown.  */
static int
site_name (struct dg_arrow_asked *asked, size_t block, const char **name,
           struct dg_error *err)
{
  struct dg_variables *variables
    = dg_arrow_shared_variables (asked->shared, asked->query.progress,
                                 asked->query.user, err);
  struct dg_stack stack;
  uint32_t site;

  if (!variables)
    return DG_ERR_NOMEM;
  site = dg_variables_block_site (variables, block);
  *name = site > 0 ? dg_variables_site (variables, site, &stack)->name : NULL;
  return 0;
}

static void
put_times (const struct dg_block *block, struct dg_arrow_row *row)
{
  bool has_detail = block->alloc_thread > 0;

  dg_arrow_row_unless (row, has_detail ? block->usable : 0, 0);
  dg_arrow_row_unless (row, block->alignment, 0);
  dg_arrow_row_number (row, block->alloc_icount);
  dg_arrow_row_unless (row, block->free_icount, DG_NEVER);
  dg_arrow_row_unless (row, block->alloc_thread, 0);
  dg_arrow_row_unless (row, block->free_thread, 0);
}

static int
put_block (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
           struct dg_error *err)
{
  const size_t site_column = 13;
  const struct dg_block block = dg_log_block (asked->log, i);
  const char *site = NULL;

  if (!dg_arrow_query_has_time (asked, block.alloc_icount, block.free_icount)
      || !dg_arrow_query_has_memory (asked, block.address, block.size)
      || !dg_arrow_query_has_thread (asked, block.alloc_thread))
    return 0;
  if (row->column[site_column] && site_name (asked, i, &site, err) < 0)
    return DG_ERR_NOMEM;
  dg_arrow_row_number (row, i);
  dg_arrow_row_number (row, block.address);
  dg_arrow_row_number (row, block.size);
  put_times (&block, row);
  dg_arrow_row_text (row, allocator_name (block.allocator));
  dg_arrow_row_text (row, allocator_name (block.deallocator));
  dg_arrow_row_text (row, kind_name (block.kind));
  dg_arrow_row_unless (row, block.old_address, 0);
  dg_arrow_row_text (row, site);
  dg_arrow_row_stack (row, &block.alloc_stack);
  dg_arrow_row_stack (row, &block.free_stack);
  return 1;
}

static const struct dg_arrow_rows blocks_rows
  = { dg_log_n_blocks, put_block };
DG_ARROW_ROWS_TABLE (blocks, "heap blocks over time",
                     DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES);
