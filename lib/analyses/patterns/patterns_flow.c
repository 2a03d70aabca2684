/* patterns_flow.c: which loads the addresses of accesses come from.

   A value in a register is followed from the load that fetched it, from block
   to block, and through the places of the stack where compilers keep it.  It
   remembers that load, the one that fetched the address of that, and so on: a
   load that is among its own ancestors goes along a chain.

   Such chains are kept once, in a table, and values have their numbers.  What
   a load makes of a chain is remembered, since there are few such pairs at a
   time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_flow.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/table.h"
#include "log/log.h"

/* Ancestors that a value remembers: loops that are unrolled, and structures
   whose nodes are reached by several loads, need as many.  So many that are
   all different are a chain, too, as in a recursion that was unrolled.  */
#define ANCESTORS 8
#define N_REGISTERS 256
#define N_LOADED 256
/* Places of memory that are remembered; one address has one.  */
#define PLACES_SHIFT 12
/* Loads and chains that are remembered together, by a hash of both.  */
#define LINKS_SHIFT 12
/* With more chains, the table is begun again when nothing refers to it.  */
#define MANY_CHAINS 65536u
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
            const struct dg_block_note *record, struct block *block)
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
  struct dg_block_notes_index *index =
    dg_block_notes_index_new (&log->contents.flows);
  size_t n = dg_log_summary (log)->bbdefs;
  int code = 0;

  flows->log = log;
  flows->word_size = dg_log_header (log)->word_size;
  flows->blocks = g_try_new0 (struct block, n + 1);
  if (!flows->blocks)
    code = DG_ERR_NOMEM;
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_block_note *record =
      dg_block_notes_index_find (index, dg_log_bbdef (log, (uint32_t) i));

    if (record)
      code = read_block (flows, record, &flows->blocks[i]);
  }
  dg_block_notes_index_free (index);
  if (code == 0)
    return flows;
  dg_error_nomem (err);
  dg_pattern_block_flows_free (flows);
  return NULL;
}

/* ---- Values ---- */

/* Slots + 1: the load that fetched a value, that of its address, ...; 0: no
   more.  */
struct chain {
  uint32_t slots[ANCESTORS];
};

/* A value is a word, so that it is copied as one: the number of its chain, 0
   if it was not fetched, and two flags.  */
enum {
  IS_COMPUTED = 1,         /* from what was fetched */
  IS_CHAINED = 2,          /* by a load that goes along a chain */
  CHAIN_SHIFT = 2
};
#define CHAINS_MAX (UINT32_C (1) << (32 - CHAIN_SHIFT))

static inline uint32_t
chain_of (uint32_t value)
{
  return value >> CHAIN_SHIFT;
}

/* What a load is to a chain by which its address came.  */
struct link {
  uint32_t load;           /* slot + 1; 0: nothing */
  uint32_t from, to;       /* that chain, and the one of what it fetches */
  bool is_own;             /* it is among its own ancestors */
};

struct place {
  uint64_t address, epoch;
  uint32_t size, value;
};

struct dg_pattern_flow_state {
  const struct dg_pattern_block_flows *flows;
  const struct block *block;
  uint64_t epoch;          /* of what is in `places` and is still good */
  uint32_t registers[N_REGISTERS];       /* values */
  uint32_t loaded[N_LOADED];             /* by entries of the run */
  unsigned n_loaded;
  struct dg_table chains;  /* struct chain; [0] is empty */
  struct dg_intern by_chain;
  bool lacks;              /* there was no memory for one */
  struct link links[1u << LINKS_SHIFT];
  struct place places[1u << PLACES_SHIFT];
};

/* The number of a chain; 0, and `lacks`: no memory.  */
static uint32_t
chain_number (struct dg_pattern_flow_state *state, const struct chain *chain)
{
  uint32_t number;

  if (dg_intern_add (&state->by_chain, &state->chains, chain, sizeof *chain,
                     &number) == 0
      && number < CHAINS_MAX)
    return number;
  state->lacks = true;
  return 0;
}

static void
begin_chains (struct dg_pattern_flow_state *state)
{
  static const struct chain none;

  dg_intern_fini (&state->by_chain);
  state->chains.n = 0;
  memset (state->links, 0, sizeof state->links);
  chain_number (state, &none);
}

struct dg_pattern_flow_state *
dg_pattern_flow_state_new (const struct dg_pattern_block_flows *flows)
{
  struct dg_pattern_flow_state *state =
    g_new0 (struct dg_pattern_flow_state, 1);

  state->flows = flows;
  state->epoch = 1;
  begin_chains (state);
  return state;
}

void
dg_pattern_flow_state_free (struct dg_pattern_flow_state *state)
{
  if (!state)
    return;
  dg_intern_fini (&state->by_chain);
  dg_table_fini (&state->chains);
  g_free (state);
}

void
dg_pattern_flow_state_forget (struct dg_pattern_flow_state *state)
{
  memset (state->registers, 0, sizeof state->registers);
  state->epoch++;
  if (state->chains.n > MANY_CHAINS)
    begin_chains (state);
}

bool
dg_pattern_flow_state_lacks (const struct dg_pattern_flow_state *state)
{
  return state->lacks;
}

/* What a value of a block is now.  */
static inline uint32_t
value_of (const struct dg_pattern_flow_state *state,
          struct dg_flow_value value)
{
  uint32_t of;

  switch (value.what) {
  case DG_FLOW_REGISTER:
    return state->registers[value.of];
  case DG_FLOW_LOAD:
    return state->loaded[value.of];
  case DG_FLOW_OF_REGISTER:
  case DG_FLOW_OF_LOAD:
    of = value.what == DG_FLOW_OF_LOAD ? state->loaded[value.of]
                                       : state->registers[value.of];
    return chain_of (of) != 0 ? of | IS_COMPUTED : 0;
  default:
    return 0;
  }
}

/* So many ancestors that are all different are a chain, too.  */
static bool
has_ancestor (const struct chain *chain, uint32_t load)
{
  if (chain->slots[ANCESTORS - 1] != 0)
    return true;
  for (int i = 0; i < ANCESTORS && chain->slots[i] != 0; i++)
    if (chain->slots[i] == load)
      return true;
  return false;
}

static __attribute__ ((noinline)) void
make_link (struct dg_pattern_flow_state *state, struct link *link,
           uint32_t load, uint32_t from)
{
  const struct chain *chain = (struct chain *) state->chains.items + from;
  struct chain next = { { load } };

  /* Only without memory are there no chains.  */
  if (state->lacks) {
    *link = (struct link) { .load = load, .from = from };
    return;
  }
  memcpy (next.slots + 1, chain->slots,
          sizeof next.slots - sizeof *next.slots);
  link->is_own = has_ancestor (chain, load);
  link->load = load;
  link->from = from;
  link->to = chain_number (state, &next);
}

static inline const struct link *
link_of (struct dg_pattern_flow_state *state, uint32_t slot, uint32_t from)
{
  struct link *link =
    &state->links[((slot + 1) * 2654435761u ^ from * 2246822519u)
                  >> (32 - LINKS_SHIFT)];

  if (G_UNLIKELY (link->load != slot + 1 || link->from != from))
    make_link (state, link, slot + 1, from);
  return link;
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
  struct place *place;

  forget_bytes (state, access->address, access->size);
  if (access->address % GRAIN != 0
      || (access->size != GRAIN && access->size != state->flows->word_size))
    return;
  place = place_at (state, access->address);
  place->address = access->address;
  place->size = access->size;
  place->epoch = state->epoch;
  place->value = value_of (state, data);
}

static const uint32_t *
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

enum dg_pattern_way
dg_pattern_flow_access (struct dg_pattern_flow_state *state, uint32_t slot,
                        unsigned entry, const struct dg_access *access,
                        bool is_stack)
{
  const struct dg_flow_access *flow;
  const struct link *link;
  const uint32_t *kept;
  uint32_t pointer, index;
  bool is_direct, is_kept, is_chased;

  if (!state->block->accesses) {
    if (access->kind == DG_ACC_WRITE && is_stack)
      write_place (state, access, (struct dg_flow_value){ 0 });
    return DG_WAY_UNKNOWN;
  }
  flow = &state->block->accesses[entry];
  is_kept = is_stack || flow->base.what == DG_FLOW_CONSTANT;
  pointer = value_of (state, flow->base);
  index = value_of (state, flow->index);
  is_direct =
    flow->index.what == DG_FLOW_NOTHING && (pointer & IS_COMPUTED) == 0;
  /* The chain goes by the index if the load is on it, or if there is no
     other.  */
  link = link_of (state, slot,
                  chain_of (index) != 0 ? chain_of (index)
                                        : chain_of (pointer));
  if (chain_of (index) != 0 && chain_of (pointer) != 0 && !link->is_own)
    link = link_of (state, slot, chain_of (pointer));
  is_chased = link->is_own || (is_direct && (pointer & IS_CHAINED) != 0);
  if (access->kind == DG_ACC_WRITE) {
    if (is_kept)
      write_place (state, access, flow->data);
  } else if (entry < N_LOADED) {
    kept = is_kept ? read_place (state, access) : NULL;
    state->loaded[entry] =
      kept ? *kept
           : link->to << CHAIN_SHIFT | (is_chased ? IS_CHAINED : 0u);
  }
  if (is_chased)
    return DG_WAY_CHASED;
  /* A table that a pointer leads to, at an index that was not loaded, is no
     way by pointers.  */
  return chain_of (is_direct || (pointer & IS_COMPUTED) != 0 ? pointer : index)
           != 0 ? DG_WAY_GATHERED : DG_WAY_COMPUTED;
}

void
dg_pattern_flow_end (struct dg_pattern_flow_state *state, bool is_whole)
{
  const struct block *block = state->block;
  uint32_t changed[CHANGES_MAX];

  if (!is_whole || !block->accesses
      || block->n_changes == DG_FLOW_CHANGES_LOST) {
    memset (state->registers, 0, sizeof state->registers);
    return;
  }
  /* All of them are of the registers as they were.  */
  if (block->is_in_order) {
    for (uint32_t i = 0; i < block->n_changes; i++)
      state->registers[block->changes[i].reg] =
        value_of (state, block->changes[i].value);
    return;
  }
  for (uint32_t i = 0; i < block->n_changes; i++)
    changed[i] = value_of (state, block->changes[i].value);
  for (uint32_t i = 0; i < block->n_changes; i++)
    state->registers[block->changes[i].reg] = changed[i];
}
