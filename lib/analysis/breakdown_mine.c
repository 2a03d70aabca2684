/* breakdown_mine.c: attributes code to the program's own lines (--mine).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "breakdown_mine.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/intern.h"

/* The most frames that one code address has.  */
#define MOST_FRAMES 16

/* What is known of a block or a call site.  */
enum answer { UNKNOWN = 0, IS_MINE, IS_OTHERS };

struct dg_units {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const struct dg_mine *mine;
  GMutex lock;         /* guards all below */
  struct dg_table all; /* struct dg_code_unit */
  struct dg_intern numbers;
  uint32_t *found;     /* of each context: its unit + 1, or 0; atomic */
  uint8_t *blocks;     /* enum answer: of all instructions */
  GHashTable *sites;   /* uint64_t * -> enum answer */
};

struct dg_units *
dg_units_new (const struct dg_log *log, struct dg_symbols *symbols,
              const struct dg_mine *mine, struct dg_error *err)
{
  struct dg_units *units = g_try_new0 (struct dg_units, 1);

  if (units != NULL) {
    units->blocks = g_try_new0 (uint8_t, dg_log_summary (log)->bbdefs + 1);
    units->found = g_try_new0 (uint32_t, dg_log_summary (log)->contexts + 1);
  }
  if (units == NULL || units->blocks == NULL || units->found == NULL) {
    if (units != NULL) {
      g_free (units->blocks);
      g_free (units->found);
    }
    g_free (units);
    dg_error_nomem (err);
    return NULL;
  }
  units->log = log;
  units->symbols = symbols;
  units->mine = mine;
  g_mutex_init (&units->lock);
  units->sites =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, NULL);
  return units;
}

void
dg_units_free (struct dg_units *units)
{
  if (units == NULL)
    return;
  g_hash_table_unref (units->sites);
  dg_table_fini (&units->all);
  dg_intern_fini (&units->numbers);
  g_mutex_clear (&units->lock);
  g_free (units->blocks);
  g_free (units->found);
  g_free (units);
}

/* ---- Frames ----------------------------------------------------------- */

/* The frames of an address from the innermost that is mine outwards; all, if
   none is mine.  */
static size_t
find_frames (const struct dg_units *units, uint64_t address, uint64_t icount,
             struct dg_frame *frames, size_t most, bool *is_mine)
{
  size_t n = dg_symbols_frames (units->symbols, address, icount, frames, most);

  *is_mine = true;
  for (size_t i = 0; i < n; i++)
    if (dg_mine_has (units->mine, &frames[i])) {
      memmove (frames, frames + i, (n - i) * sizeof *frames);
      return n - i;
    }
  *is_mine = false;
  return n;
}

size_t
dg_units_frames (const struct dg_units *units, uint64_t address,
                 uint64_t caller, uint64_t icount, struct dg_frame *frames,
                 size_t most)
{
  bool is_mine;
  size_t n = find_frames (units, address, icount, frames, most, &is_mine);

  if (!is_mine && caller != 0) {
    struct dg_frame around[MOST_FRAMES];
    size_t m = find_frames (units, caller, icount, around,
                            MIN (most, MOST_FRAMES), &is_mine);

    if (is_mine) {
      memcpy (frames, around, m * sizeof *frames);
      return m;
    }
  }
  return n;
}

void
dg_units_frame (const struct dg_units *units, uint64_t address,
                uint64_t caller, uint64_t icount, struct dg_frame *out)
{
  struct dg_frame frames[MOST_FRAMES];

  dg_units_frames (units, address, caller, icount, frames, MOST_FRAMES);
  *out = frames[0];
}

static bool
has_mine (const struct dg_units *units, uint64_t address, uint64_t icount)
{
  struct dg_frame frames[MOST_FRAMES];
  bool is_mine;

  find_frames (units, address, icount, frames, MOST_FRAMES, &is_mine);
  return is_mine;
}

/* ---- Units, under the lock -------------------------------------------- */

static bool
block_is_mine (struct dg_units *units, uint32_t number, uint64_t icount)
{
  const struct dg_bbdef *block = dg_log_bbdef (units->log, number);

  if (units->blocks[number] == UNKNOWN) {
    units->blocks[number] = IS_MINE;
    for (unsigned i = 0; i < block->n_instrs; i++)
      if (!has_mine (units, block->instrs[i].address, icount)) {
        units->blocks[number] = IS_OTHERS;
        break;
      }
  }
  return units->blocks[number] == IS_MINE;
}

static bool
site_is_mine (struct dg_units *units, uint64_t site, uint64_t icount)
{
  gpointer known = g_hash_table_lookup (units->sites, &site);

  if (known == NULL) {
    known = GUINT_TO_POINTER (has_mine (units, site, icount) ? IS_MINE
                                                             : IS_OTHERS);
    g_hash_table_insert (units->sites, g_memdup2 (&site, sizeof site), known);
  }
  return GPOINTER_TO_UINT (known) == IS_MINE;
}

/* The innermost call site that is mine; 0: none is.  */
static uint64_t
find_mine (struct dg_units *units, uint32_t path, uint64_t icount)
{
  uint64_t sites[DG_STACK_MAX];
  uint32_t n = dg_log_path_sites (units->log, path, sites, DG_STACK_MAX);

  for (uint32_t i = 0; i < n; i++)
    if (site_is_mine (units, sites[i], icount))
      return sites[i];
  return 0;
}

uint32_t
dg_units_find (struct dg_units *units, uint32_t number, uint64_t icount)
{
  const struct dg_context context = dg_log_context (units->log, number);
  struct dg_code_unit unit = {.block = context.bbdef};
  uint32_t found;

  g_mutex_lock (&units->lock);
  if (!block_is_mine (units, unit.block, icount))
    unit.caller = find_mine (units, context.path, icount);
  if (dg_intern_add (&units->numbers, &units->all, &unit, sizeof unit, &found)
      < 0)
    found = DG_NONE;
  else
    __atomic_store_n (&units->found[number], found + 1, __ATOMIC_RELAXED);
  g_mutex_unlock (&units->lock);
  return found;
}

const uint32_t *
dg_units_found (const struct dg_units *units)
{
  return units->found;
}

uint32_t
dg_units_count (struct dg_units *units)
{
  uint32_t n;

  g_mutex_lock (&units->lock);
  n = (uint32_t) units->all.n;
  g_mutex_unlock (&units->lock);
  return n;
}

struct dg_code_unit
dg_units_at (struct dg_units *units, uint32_t number)
{
  struct dg_code_unit unit;

  g_mutex_lock (&units->lock);
  unit = ((struct dg_code_unit *) units->all.items)[number];
  g_mutex_unlock (&units->lock);
  return unit;
}

uint64_t
dg_units_code (struct dg_units *units, uint32_t number, uint64_t instruction,
               uint64_t icount)
{
  uint64_t code = 0;

  g_mutex_lock (&units->lock);
  if (!site_is_mine (units, instruction, icount))
    code = find_mine (units, dg_log_context (units->log, number).path, icount);
  g_mutex_unlock (&units->lock);
  return code != 0 ? code : instruction;
}
