/* patterns_flow.c: which loads the addresses of accesses come from.

   A value in a register is followed from the load that fetched it, from block
   to block, and through the places of the stack where compilers keep it.  It
   remembers that load, the one that fetched the address of that, and so on: a
   load that is among its own ancestors goes along a chain.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_flow.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "log/log.h"

/* Ancestors that a value remembers: loops that are unrolled, and structures
   whose nodes are reached by several loads, need as many.  So many that are
   all different are a chain, too, as in a recursion that was unrolled.  */
#define ANCESTORS 8
#define N_REGISTERS 256
#define N_LOADED 256
/* Places of memory that are remembered; one address has one.  */
#define PLACES_SHIFT 12
#define CHANGES_MAX 254
/* Of longer writes, all that was remembered is forgotten.  */
#define MOST_BYTES 64

/* ---- Blocks ---- */

struct block {
  const struct dg_flow_access *accesses; /* NULL: not known */
  const struct dg_flow_change *changes;
  uint32_t n_changes;
  bool is_in_order;        /* no change is of a register that one before it
                              sets */
};

struct dg_pattern_block_flows {
  const struct dg_log *log;
  struct dg_arena arena;
  struct block *blocks;    /* by definition */
  unsigned word_size;
};

void
dg_pattern_block_flows_free (struct dg_pattern_block_flows *flows)
{
  if (!flows)
    return;
  dg_arena_fini (&flows->arena);
  g_free (flows->blocks);
  g_free (flows);
}

static bool
is_of_register (struct dg_flow_value value)
{
  return value.what == DG_FLOW_REGISTER || value.what == DG_FLOW_OF_REGISTER;
}

static bool
is_in_order (const struct dg_flow_change *changes, uint32_t n)
{
  bool is_set[N_REGISTERS] = { false };

  for (uint32_t i = 0; i < n; i++) {
    if (is_of_register (changes[i].value) && is_set[changes[i].value.of])
      return false;
    is_set[changes[i].reg] = true;
  }
  return true;
}

static int
read_block (struct dg_pattern_block_flows *flows,
            const struct dg_flow_record *record, struct block *block)
{
  struct dg_flow_change changes[CHANGES_MAX], *kept;
  struct dg_flow_access *accesses = dg_arena_alloc (
    &flows->arena, (record->n_entries + 1) * sizeof *accesses);
  uint32_t n;

  if (!accesses)
    return DG_ERR_NOMEM;
  dg_flow_read (record, accesses, changes, &n);
  block->n_changes = n;
  n = n == DG_FLOW_CHANGES_LOST ? 0 : n;
  kept = dg_arena_alloc (&flows->arena, (n + 1) * sizeof *kept);
  if (!kept)
    return DG_ERR_NOMEM;
  memcpy (kept, changes, n * sizeof *kept);
  block->changes = kept;
  block->is_in_order = is_in_order (kept, n);
  block->accesses = accesses;
  return 0;
}

struct dg_pattern_block_flows *
dg_pattern_block_flows_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_pattern_block_flows *flows =
    g_new0 (struct dg_pattern_block_flows, 1);
  struct dg_flow_index *index = dg_flow_index_new (&log->contents);
  size_t n = dg_log_summary (log)->bbdefs;
  int code = 0;

  flows->log = log;
  flows->word_size = dg_log_header (log)->word_size;
  flows->blocks = g_try_new0 (struct block, n + 1);
  if (!flows->blocks)
    code = DG_ERR_NOMEM;
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_flow_record *record =
      dg_flow_index_find (index, dg_log_bbdef (log, (uint32_t) i));

    if (record)
      code = read_block (flows, record, &flows->blocks[i]);
  }
  dg_flow_index_free (index);
  if (code == 0)
    return flows;
  dg_error_nomem (err);
  dg_pattern_block_flows_free (flows);
  return NULL;
}

/* ---- Values ---- */

struct value {
  uint32_t chain[ANCESTORS];   /* slots + 1: the load that fetched it, that of
                                  its address, ...; 0: no more */
  bool is_computed;        /* from what was fetched */
  bool is_chained;         /* by a load that goes along a chain */
};

struct place {
  uint64_t address, epoch;
  uint32_t size;
  struct value value;
};

struct dg_pattern_flow_state {
  const struct dg_pattern_block_flows *flows;
  const struct block *block;
  uint64_t epoch;          /* of what is in `places` and is still good */
  struct value registers[N_REGISTERS];
  struct value loaded[N_LOADED];         /* by entries of the run */
  unsigned n_loaded;
  struct place places[1u << PLACES_SHIFT];
};

struct dg_pattern_flow_state *
dg_pattern_flow_state_new (const struct dg_pattern_block_flows *flows)
{
  struct dg_pattern_flow_state *state =
    g_new0 (struct dg_pattern_flow_state, 1);

  state->flows = flows;
  state->epoch = 1;
  return state;
}

void
dg_pattern_flow_state_free (struct dg_pattern_flow_state *state)
{
  g_free (state);
}

void
dg_pattern_flow_state_forget (struct dg_pattern_flow_state *state)
{
  memset (state->registers, 0, sizeof state->registers);
  state->epoch++;
}

static const struct value nothing;

/* What a value of a block is now; *out receives one that is computed.  */
static const struct value *
value_of (const struct dg_pattern_flow_state *state,
          struct dg_flow_value value, struct value *out)
{
  const struct value *of;

  switch (value.what) {
  case DG_FLOW_REGISTER:
    return &state->registers[value.of];
  case DG_FLOW_LOAD:
    return &state->loaded[value.of];
  case DG_FLOW_OF_REGISTER:
  case DG_FLOW_OF_LOAD:
    of = value.what == DG_FLOW_OF_LOAD ? &state->loaded[value.of]
                                       : &state->registers[value.of];
    if (of->chain[0] == 0)
      return &nothing;
    *out = *of;
    out->is_computed = true;
    return out;
  default:
    return &nothing;
  }
}

static bool
has_ancestor (const struct value *value, uint32_t slot)
{
  if (value->chain[ANCESTORS - 1] != 0)
    return true;
  for (int i = 0; i < ANCESTORS && value->chain[i] != 0; i++)
    if (value->chain[i] == slot + 1)
      return true;
  return false;
}

/* ---- Memory ---- */

/* Values lie at multiples of that, and are a word or half of one.  */
#define GRAIN 4u

static struct place *
place_at (struct dg_pattern_flow_state *state, uint64_t address)
{
  return &state->places[(address / GRAIN * 0x9e3779b97f4a7c15)
                        >> (64 - PLACES_SHIFT)];
}

/* What lies in so many bytes is another value.  */
static void
forget_bytes (struct dg_pattern_flow_state *state, uint64_t address,
              uint32_t size)
{
  uint64_t first = (address & -(uint64_t) GRAIN) - GRAIN;

  if (size > MOST_BYTES) {
    state->epoch++;
    return;
  }
  for (uint64_t at = first; at - first < size + 2 * GRAIN; at += GRAIN) {
    struct place *place = place_at (state, at);

    if (place->address < address + size
        && address < place->address + place->size)
      place->epoch = 0;
  }
}

static void
write_place (struct dg_pattern_flow_state *state,
             const struct dg_access *access, struct dg_flow_value data)
{
  struct value computed;
  struct place *place;

  forget_bytes (state, access->address, access->size);
  if (access->address % GRAIN != 0
      || (access->size != GRAIN && access->size != state->flows->word_size))
    return;
  place = place_at (state, access->address);
  place->address = access->address;
  place->size = access->size;
  place->epoch = state->epoch;
  place->value = *value_of (state, data, &computed);
}

static const struct value *
read_place (struct dg_pattern_flow_state *state,
            const struct dg_access *access)
{
  const struct place *place = place_at (state, access->address);

  if (place->address != access->address || place->epoch != state->epoch
      || place->size != access->size)
    return NULL;
  return &place->value;
}

/* ---- Runs ---- */

void
dg_pattern_flow_begin (struct dg_pattern_flow_state *state,
                       const struct dg_bbdef *bbdef)
{
  state->block = &state->flows->blocks[bbdef->number];
  state->n_loaded = MIN (bbdef->n_entries, N_LOADED);
  memset (state->loaded, 0, state->n_loaded * sizeof *state->loaded);
}

/* What a load has fetched whose address came from `pointer` and `index`.  */
static void
set_loaded (struct dg_pattern_flow_state *state, unsigned entry, uint32_t slot,
            const struct value *from, bool is_chained)
{
  struct value *to = &state->loaded[entry];

  to->chain[0] = slot + 1;
  memcpy (to->chain + 1, from->chain, sizeof to->chain - sizeof *to->chain);
  to->is_computed = false;
  to->is_chained = is_chained;
}

enum dg_pattern_way
dg_pattern_flow_access (struct dg_pattern_flow_state *state, uint32_t slot,
                        unsigned entry, const struct dg_access *access,
                        bool is_stack)
{
  const struct dg_flow_access *flow;
  const struct value *pointer, *index, *from, *kept;
  struct value computed[2];
  bool is_direct, is_kept, is_own, is_chased;

  if (!state->block->accesses) {
    if (access->kind == DG_ACC_WRITE && is_stack)
      write_place (state, access, (struct dg_flow_value){ 0 });
    return DG_WAY_UNKNOWN;
  }
  flow = &state->block->accesses[entry];
  is_kept = is_stack || flow->base.what == DG_FLOW_CONSTANT;
  pointer = value_of (state, flow->base, &computed[0]);
  index = value_of (state, flow->index, &computed[1]);
  is_direct = flow->index.what == DG_FLOW_NOTHING && !pointer->is_computed;
  from = has_ancestor (index, slot) ? index : pointer;
  if (from->chain[0] == 0)
    from = index;
  is_own = has_ancestor (from, slot);
  is_chased = is_own || (is_direct && pointer->is_chained);
  if (access->kind == DG_ACC_WRITE) {
    if (is_kept)
      write_place (state, access, flow->data);
  } else if (entry < N_LOADED) {
    kept = is_kept ? read_place (state, access) : NULL;
    if (kept)
      state->loaded[entry] = *kept;
    else
      set_loaded (state, entry, slot, from, is_chased);
  }
  if (is_chased)
    return DG_WAY_CHASED;
  /* A table that a pointer leads to, at an index that was not loaded, is no
     way by pointers.  */
  if (is_direct || pointer->is_computed)
    return pointer->chain[0] != 0 ? DG_WAY_GATHERED : DG_WAY_COMPUTED;
  return index->chain[0] != 0 ? DG_WAY_GATHERED : DG_WAY_COMPUTED;
}

static inline void
set_register (struct dg_pattern_flow_state *state,
              const struct dg_flow_change *change)
{
  struct value computed;
  const struct value *value = value_of (state, change->value, &computed);

  if (value != &state->registers[change->reg])
    state->registers[change->reg] = *value;
}

void
dg_pattern_flow_end (struct dg_pattern_flow_state *state, bool is_whole)
{
  const struct block *block = state->block;
  struct value changed[CHANGES_MAX];

  if (!is_whole || !block->accesses
      || block->n_changes == DG_FLOW_CHANGES_LOST) {
    memset (state->registers, 0, sizeof state->registers);
    return;
  }
  /* All of them are of the registers as they were.  */
  if (block->is_in_order) {
    for (uint32_t i = 0; i < block->n_changes; i++)
      set_register (state, &block->changes[i]);
    return;
  }
  for (uint32_t i = 0; i < block->n_changes; i++) {
    struct value computed;

    changed[i] = *value_of (state, block->changes[i].value, &computed);
  }
  for (uint32_t i = 0; i < block->n_changes; i++)
    state->registers[block->changes[i].reg] = changed[i];
}
