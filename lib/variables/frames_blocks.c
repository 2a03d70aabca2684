/* frames_blocks.c: what a log's superblocks say of frames.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames_blocks.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/intern.h"
#include "log/paths.h"
#include "symbols/symbols_cfa.h"

#include <glib.h>

/* The most bytes of code of a block.  */
#define MOST_BYTES 4096

/* Of an entry of `accesses`: it is known; the block ends with a return; a slot
   tells the CFA, which is so much above what it accesses.  */
#define IS_KNOWN (UINT64_C (1) << 63)
#define RETURNS (UINT64_C (1) << 62)
#define HAS_CFA (UINT64_C (1) << 61)
#define SLOT_SHIFT 32
#define SLOT_MASK 0xffffu
#define MOST_ABOVE (INT64_C (1) << 30)

/* ---- Call sites -------------------------------------------------------- */

/* All call sites.  */
struct sites {
  struct dg_table all;     /* uint64_t */
  struct dg_intern intern;
};

static int
list_sites (struct sites *sites, const struct dg_log *log)
{
  uint32_t n = dg_log_n_call_paths (log), index;

  for (uint32_t i = 1; i < n; i++) {
    uint64_t added[DG_STACK_MAX];

    for (uint32_t k = dg_paths_added (log, i, added); k-- > 0;)
      if (dg_intern_add (&sites->intern, &sites->all, &added[k],
                         sizeof added[k], &index) < 0)
        return DG_ERR_NOMEM;
  }
  return 0;
}

static void
sites_fini (struct sites *sites)
{
  dg_intern_fini (&sites->intern);
  dg_table_fini (&sites->all);
}

static bool
is_site (const struct sites *sites, uint64_t address)
{
  uint32_t index;

  return dg_intern_find (&sites->intern, &sites->all, &address,
                         sizeof address, &index);
}

static uint8_t
end_of (const struct sites *sites, const struct dg_frame_blocks *blocks,
        const struct dg_bbdef *bbdef)
{
  const struct dg_slot *slot;
  const struct dg_instr *instr;
  uint64_t before, site;
  uint8_t end = 0;

  if (bbdef->n_instrs == 0)
    return 0;
  before = bbdef->instrs[0].address - 1;
  if (is_site (sites, before))
    end = DG_BLOCK_BEHIND;
  instr = &bbdef->instrs[bbdef->n_instrs - 1];
  site = instr->address + instr->size - 1;
  if (blocks->accesses != NULL)
    return end | (is_site (sites, site) ? DG_BLOCK_CALL : 0);
  if (bbdef->n_slots == 0)
    return end;
  slot = &bbdef->slots[bbdef->n_slots - 1];
  if (slot->iseq != bbdef->n_instrs - 1 || slot->size != blocks->word)
    return end;
  if (slot->kind != DG_ACC_WRITE)
    end |= DG_BLOCK_READ;
  else if (is_site (sites, site))
    end |= DG_BLOCK_CALL;
  return end;
}

/* ---- Blocks ------------------------------------------------------------ */

int
dg_frame_blocks_init (struct dg_frame_blocks *blocks,
                      const struct dg_log *log, struct dg_symbols *symbols,
                      struct dg_error *err)
{
  uint64_t n = dg_log_summary (log)->bbdefs;
  struct sites sites = {.all = {NULL, 0, 0}};
  int code = 0;

  blocks->log = log;
  blocks->symbols = symbols;
  blocks->arch = dg_arch_of (log);
  blocks->word = dg_log_header (log)->word_size;
  blocks->ends = g_try_new (uint8_t, n + 1);
  if (!blocks->arch->call_pushes && blocks->ends != NULL) {
    blocks->accesses = g_try_new0 (uint64_t, n + 1);
    blocks->called = g_try_new0 (uint64_t, n + 1);
    code = blocks->accesses != NULL && blocks->called != NULL
             ? 0 : DG_ERR_NOMEM;
  }
  if (blocks->ends == NULL || code < 0)
    goto nomem;
  code = list_sites (&sites, log);
  for (uint64_t i = 0; i < n && code == 0; i++)
    blocks->ends[i] =
      end_of (&sites, blocks, dg_log_bbdef (log, (uint32_t) i));
  sites_fini (&sites);
  if (code == 0)
    return 0;
nomem:
  dg_frame_blocks_fini (blocks);
  return dg_error_nomem (err);
}

void
dg_frame_blocks_fini (struct dg_frame_blocks *blocks)
{
  g_clear_pointer (&blocks->ends, g_free);
  g_clear_pointer (&blocks->accesses, g_free);
  g_clear_pointer (&blocks->called, g_free);
}

uint64_t
dg_frame_blocks_behind (const struct dg_frame_blocks *blocks,
                        const struct dg_bbdef *block)
{
  return blocks->ends[block->number] & DG_BLOCK_BEHIND
           ? block->instrs[0].address - 1 : 0;
}

/* ---- Calls that write nothing ------------------------------------------ */

static bool
ends_with_return (const struct dg_frame_blocks *blocks,
                  const struct dg_bbdef *block, uint64_t icount)
{
  const struct dg_instr *last = &block->instrs[block->n_instrs - 1];
  uint8_t bytes[MOST_BYTES];
  size_t n;

  if (!blocks->arch->may_return (NULL, last->size))
    return false;
  n = dg_symbols_bytes (blocks->symbols, block, icount, bytes, sizeof bytes);
  return n >= last->size
         && blocks->arch->may_return (bytes + n - last->size, last->size);
}

static uint64_t
learn (const struct dg_frame_blocks *blocks, const struct dg_bbdef *block,
       uint64_t icount)
{
  uint64_t entry = IS_KNOWN;
  unsigned last = UINT_MAX;

  if (blocks->symbols == NULL || block->n_instrs == 0)
    return entry;
  if (ends_with_return (blocks, block, icount))
    entry |= RETURNS;
  for (unsigned i = 0; i < block->n_slots; i++) {
    unsigned instr = block->slots[i].iseq;
    int64_t above;

    if (instr == last)
      continue;
    last = instr;
    if (dg_symbols_cfa (blocks->symbols, &block->instrs[instr], icount,
                        &above)
        && above > -MOST_ABOVE && above < MOST_ABOVE)
      return entry | HAS_CFA | (uint64_t) i << SLOT_SHIFT
             | (uint32_t) above;
  }
  return entry;
}

static uint64_t
entry_of (const struct dg_frame_blocks *blocks, const struct dg_run *run)
{
  uint64_t *at = &blocks->accesses[run->bbdef->number];
  uint64_t entry = __atomic_load_n (at, __ATOMIC_RELAXED);

  if (G_UNLIKELY (entry == 0)) {
    entry = learn (blocks, run->bbdef, run->icount);
    __atomic_store_n (at, entry, __ATOMIC_RELAXED);
  }
  return entry;
}

bool
dg_frame_blocks_cfa (const struct dg_frame_blocks *blocks,
                     const struct dg_run *run, uint64_t *cfa)
{
  uint64_t entry = entry_of (blocks, run), address;
  unsigned slot = entry >> SLOT_SHIFT & SLOT_MASK;

  if (!(entry & HAS_CFA) || slot >= run->n_slots)
    return false;
  address = run->addresses[run->bbdef->slots[slot].entry];
  *cfa = address + (uint64_t) (int64_t) (int32_t) (uint32_t) entry;
  return address != 0;
}

bool
dg_frame_blocks_returns (const struct dg_frame_blocks *blocks,
                         const struct dg_run *run)
{
  return run->n_instrs == run->bbdef->n_instrs
         && entry_of (blocks, run) & RETURNS;
}

uint64_t
dg_frame_blocks_called (const struct dg_frame_blocks *blocks,
                        const struct dg_run *run)
{
  uint64_t *at = &blocks->called[run->bbdef->number];
  uint64_t entry = __atomic_load_n (at, __ATOMIC_RELAXED);
  int64_t below;

  if (G_UNLIKELY (entry == 0)) {
    entry = 1;
    if (blocks->symbols != NULL
        && dg_symbols_cfa_called (
          blocks->symbols,
          run->bbdef->instrs[run->bbdef->n_instrs - 1].address, run->icount,
          &below)
        && below > 0)
      entry += (uint64_t) below;
    __atomic_store_n (at, entry, __ATOMIC_RELAXED);
  }
  return entry - 1;
}
