/* time_core.c: how long instructions take on a core that executes them out of
   order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_core.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"

/* The table of stored bytes has an entry for each granule of 8 bytes; a store
   replaces the entry of another granule that has the same index.  */
#define GRANULE_SHIFT 3
#define STORED 512
/* Stores that have left the window and are not written yet.  */
#define PENDING 1024

/* The latest store into a granule.  */
struct stored {
  uint64_t address;
  uint64_t data;           /* cycle at which the value is known */
  uint64_t written;        /* cycle at which it is in L1 */
  uint64_t found_by;       /* result of found_by; 0: not known */
  uint32_t size;           /* bytes; 0: none */
};

struct pending {
  uint64_t line, written;
};

/* A branch whose outcome is not known yet: the next instruction shows it.  */
struct branch {
  const struct dg_time_insn *insn;       /* NULL: there is none */
  uint64_t done;
  uint64_t *row;
};

/* The front end was held for so many cycles by the instruction of a row.  */
struct bubble {
  uint64_t *row;
  enum dg_time_count count;
  uint64_t cycles;
};

/* An instruction that repeats itself.  */
struct repeated {
  uint64_t address;        /* 0: the latest instruction was another one */
  uint64_t bytes;          /* repetitions have moved these since the latest
                              cycle that was counted */
  uint64_t line[2];        /* of the latest read, write */
};

/* Of what is given the address of a struct flow in registers.  */
#define INLINE static inline __attribute__ ((always_inline))

/* What each instruction moves on.  While a block is executed, this is in
   registers: nothing that is not inlined takes its address, but that of a
   copy.  */
struct flow {
  uint64_t enter;          /* cycle at which the next one enters, */
  uint64_t left;           /* cycle at which the latest one left, */
  uint32_t entered;        /* which is the n-th of this cycle */
  uint32_t n_left;         /* which was the n-th of this cycle */
  uint32_t next_window;
};

/* What a register has.  */
struct reg {
  uint64_t known;          /* cycle from which on it is known */
  uint64_t version;
};

struct dg_time_core {
  const struct dg_time_machine *machine;
  struct dg_time_memory memory;
  struct dg_time_branches *branches;
  struct flow flow;        /* between blocks */
  struct reg regs[DG_TIME_REGS];
  uint64_t version;
  uint64_t window[DG_TIME_WINDOW]; /* when instructions left; a ring */
  uint64_t fetch;          /* in eighths of a cycle: when the front end has
                              fetched the target of the latest taken branch */
  uint64_t divider;        /* free from this cycle on */
  uint64_t code_line;      /* of the latest instruction */
  struct branch branch;
  struct bubble bubble;
  struct repeated repeated;
  struct stored stored[STORED];
  /* When the latest stores are written; a ring.  */
  uint64_t written[DG_TIME_STORES];
  uint32_t next_written;
  uint64_t last_written;
  struct pending pending[PENDING];
  uint32_t first_pending, n_pending;
};

struct dg_time_core *
dg_time_core_new (struct dg_time_shared *shared)
{
  struct dg_time_core *core = g_try_new0 (struct dg_time_core, 1);
  const struct dg_time_machine *machine = shared->machine;

  if (core == NULL)
    return NULL;
  g_assert (machine->window <= DG_TIME_WINDOW
            && machine->stores <= DG_TIME_STORES);
  core->machine = machine;
  core->branches = dg_time_branches_new ();
  if (dg_time_memory_init (&core->memory, shared) == 0
      && core->branches != NULL)
    return core;
  dg_time_core_free (core);
  return NULL;
}

void
dg_time_core_free (struct dg_time_core *core)
{
  if (core == NULL)
    return;
  dg_time_memory_fini (&core->memory);
  dg_time_branches_free (core->branches);
  g_free (core);
}

uint64_t
dg_time_core_cycles (const struct dg_time_core *core)
{
  return core->flow.left;
}

void
dg_time_core_pass (struct dg_time_core *core, const struct dg_run *run)
{
  dg_time_shared_pass (core->memory.shared, core->memory.node, run);
}

void
dg_time_core_bring (struct dg_time_core *core, uint64_t address,
                    uint64_t other)
{
  struct dg_time_cache *levels[]
    = { &core->memory.l2, &core->memory.shared->l3 };

  for (unsigned i = 0; i < G_N_ELEMENTS (levels); i++)
    if (dg_time_cache_find (levels[i], other >> DG_TIME_LINE_SHIFT) != NULL
        && dg_time_cache_find (levels[i], address >> DG_TIME_LINE_SHIFT)
             == NULL)
      dg_time_cache_put (levels[i], address >> DG_TIME_LINE_SHIFT, 0);
}

void
dg_time_core_keep (struct dg_time_core *core, uint64_t address)
{
  struct dg_time_memory *memory = &core->memory;
  uint64_t line = address >> DG_TIME_LINE_SHIFT,
           page = address >> DG_TIME_PAGE_SHIFT;

  if (dg_time_cache_find (&memory->l1, line) == NULL)
    dg_time_cache_put (&memory->l1, line, 0);
  if (dg_time_cache_find (&memory->tlb, page) == NULL)
    dg_time_cache_put (&memory->tlb, page, 0);
}

/* ---- Entering and leaving ---- */

INLINE void
enter_at (struct flow *flow, uint64_t cycle)
{
  bool is_later = cycle > flow->enter;

  flow->enter = is_later ? cycle : flow->enter;
  flow->entered = is_later ? 0 : flow->entered;
}

/* Lets an instruction enter the window; returns the cycle.  The oldest one has
   left, and at most `width` enter in a cycle.  */
INLINE uint64_t
enter (const struct dg_time_core *core, struct flow *flow)
{
  uint64_t cycle;
  bool is_last;

  enter_at (flow, core->window[flow->next_window]);
  cycle = flow->enter;
  is_last = flow->entered + 1 >= core->machine->width;
  flow->entered = is_last ? 0 : flow->entered + 1;
  flow->enter += is_last;
  return cycle;
}

/* Lets an instruction that is done leave after all earlier ones; returns the
   cycles since the one before left.  */
INLINE uint64_t
leave (struct dg_time_core *core, struct flow *flow, uint64_t done)
{
  uint64_t before = flow->left;
  bool is_later = done > before;
  uint32_t n = is_later ? 0 : flow->n_left + 1;
  bool is_last = n >= core->machine->width;

  flow->left = is_later ? done : before + is_last;
  flow->n_left = is_last ? 0 : n;
  core->window[flow->next_window] = flow->left;
  flow->next_window = flow->next_window + 1 == core->machine->window
                        ? 0 : flow->next_window + 1;
  return flow->left - before;
}

/* ---- Branches ---- */

/* The instruction of a row holds the front end until `cycle`.  */
INLINE void
hold (struct dg_time_core *core, struct flow *flow, uint64_t cycle,
      uint64_t *row, enum dg_time_count count)
{
  if (G_LIKELY (cycle <= flow->enter))
    return;
  core->bubble = (struct bubble) { row, count, cycle - flow->enter };
  enter_at (flow, cycle);
}

static bool
predict (struct dg_time_core *core, const struct dg_time_insn *insn,
         uint64_t next)
{
  switch (insn->branch) {
  case DG_INSN_CONDITIONAL:
    return dg_time_branches_conditional (
      core->branches, insn->address, next != insn->address + insn->size);
  case DG_INSN_INDIRECT_JUMP: case DG_INSN_INDIRECT_CALL:
    return dg_time_branches_indirect (core->branches, insn->address, next);
  default:
    return true;
  }
}

/* The front end fetches at most so long before instructions enter.  It follows
   `taken` branches in a cycle.  */
#define EIGHTHS 8
#define AHEAD (8 * EIGHTHS)

static inline void
fetch_taken (struct dg_time_core *core, struct flow *flow)
{
  uint64_t enter = flow->enter * EIGHTHS;

  core->fetch = MAX (core->fetch, enter - MIN (enter, AHEAD))
                + EIGHTHS / core->machine->taken;
  enter_at (flow, core->fetch / EIGHTHS);
}

/* Fetches the line of an instruction, if the one before was in another.  */
static void
fetch_line (struct dg_time_core *core, struct flow *flow, uint64_t line,
            uint64_t *row)
{
  uint64_t enter = flow->enter * EIGHTHS, ready;
  bool is_miss, is_first;

  core->code_line = line;
  core->fetch = MAX (core->fetch, enter - MIN (enter, AHEAD));
  ready = dg_time_memory_fetch (&core->memory, line, core->fetch / EIGHTHS,
                                &is_miss, &is_first);
  row[DG_TIME_CODE_MISSES] += is_miss;
  row[DG_TIME_PAGES] += is_first;
  if (ready * EIGHTHS <= core->fetch)
    return;
  core->fetch = ready * EIGHTHS;
  hold (core, flow, ready, row, DG_TIME_FETCH_CYCLES);
}

/* The latest branch went to `next`.  */
static void
resolve (struct dg_time_core *core, struct flow *flow, uint64_t next)
{
  const struct dg_time_machine *machine = core->machine;
  struct branch branch = core->branch;
  bool is_right = predict (core, branch.insn, next);

  core->branch.insn = NULL;
  if (branch.insn->branch == DG_INSN_CONDITIONAL
      || branch.insn->branch == DG_INSN_INDIRECT_JUMP
      || branch.insn->branch == DG_INSN_INDIRECT_CALL)
    branch.row[DG_TIME_BRANCHES]++;
  if (!is_right) {
    branch.row[DG_TIME_MISPREDICTED]++;
    hold (core, flow, branch.done + machine->mispredicted, branch.row,
          DG_TIME_BRANCH_CYCLES);
    core->fetch = flow->enter * EIGHTHS;
  } else if (next != branch.insn->address + branch.insn->size)
    fetch_taken (core, flow);
}

/* ---- Stores ---- */

/* Takes off the stores that are written by now.  If L1 has replaced the
   line of a store since it was brought, the line is brought again first.  */
static inline void
write_pending (struct dg_time_core *core, uint64_t now)
{
  const struct dg_time_machine *machine = core->machine;

  while (core->n_pending > 0) {
    const struct pending *pending = &core->pending[core->first_pending];

    if (pending->written > now)
      break;
    if (dg_time_cache_find (&core->memory.l1, pending->line) == NULL) {
      dg_time_cache_put (&core->memory.l1, pending->line,
                         pending->written + machine->l2.latency);
      core->last_written = MAX (core->last_written, pending->written)
                           + machine->refill;
    }
    core->first_pending = (core->first_pending + 1) % PENDING;
    core->n_pending--;
  }
}

/* A number for the way in which an instruction finds its operand: the base
   register, its value (by its version) and the displacement.  Equal numbers
   mean equal addresses.  0: not known.  */
static uint64_t
found_by (const struct dg_time_core *core, const struct dg_time_insn *insn,
          uint64_t address)
{
  if (insn->base == DG_REGS)
    return 0;
  if (insn->base == DG_TIME_ON_STACK)
    return (uint64_t) 1 << 60 | address;
  return (uint64_t) (insn->base + 1) << 52
         ^ (uint64_t) (uint32_t) insn->displacement << 20
         ^ core->regs[insn->base].version;
}

/* When a load gets bytes from a store that is not written yet; 0: no such
   store has them.  */
static uint64_t
forward (struct dg_time_core *core, const struct dg_time_insn *insn,
         uint64_t address, uint32_t size, uint64_t entered, uint64_t time,
         bool *fails)
{
  const struct dg_time_machine *machine = core->machine;
  const struct stored *stored
    = &core->stored[(address >> GRANULE_SHIFT) % STORED];
  uint64_t end = address + size, by;

  if (stored->address + stored->size <= address || stored->address >= end)
    stored = &core->stored[((end - 1) >> GRANULE_SHIFT) % STORED];
  if (stored->written <= time || stored->address + stored->size <= address
      || stored->address >= end)
    return 0;
  if (stored->address > address || stored->address + stored->size < end) {
    *fails = true;
    return stored->written + machine->forward_fails;
  }
  by = machine->renames_memory ? found_by (core, insn, address) : 0;
  if (by != 0 && by == stored->found_by)
    return MAX (stored->data, entered);
  return MAX (time + machine->forward, stored->data + machine->forward - 3);
}

/* Addresses that differ by a multiple of this have one entry in the table of
   stored bytes.  */
#define SPAN ((uint64_t) STORED << GRANULE_SHIFT)

/* When a load gets its data that is taken for one of what a store has just
   written, as the last 12 bits of both addresses are the same; 0: there is no
   such store.  Processors compare these bits first, and begin the load again
   once the store has its value.  */
static uint64_t
alias (const struct dg_time_core *core, uint64_t address, uint32_t size,
       uint64_t time)
{
  const uint64_t granules[] = { address >> GRANULE_SHIFT,
                                (address + size - 1) >> GRANULE_SHIFT };

  G_STATIC_ASSERT (SPAN == 4096);
  for (unsigned i = 0; i < G_N_ELEMENTS (granules); i++) {
    const struct stored *stored = &core->stored[granules[i] % STORED];

    if (stored->written > time && stored->address / SPAN != address / SPAN
        && ((address - stored->address) % SPAN < stored->size
            || (stored->address - address) % SPAN < size))
      return stored->data + core->machine->alias;
  }
  return 0;
}

/* ---- Accesses ---- */

struct access {
  const struct dg_time_insn *insn;
  uint64_t address;
  uint32_t size;
  uint64_t entered;        /* cycle at which the instruction entered */
  uint64_t time;           /* cycle at which the address is known */
  uint64_t *row;
};

static inline void
count_level (uint64_t *row, enum dg_time_level level)
{
  row[DG_TIME_L1_MISSES] += level > DG_TIME_L1;
  row[DG_TIME_L2_MISSES] += level > DG_TIME_L2;
  row[DG_TIME_L3_MISSES] += level > DG_TIME_L3;
  row[DG_TIME_REMOTE_MISSES] += level > DG_TIME_RAM;
}

/* When the lines of an access are in L1.  */
static inline uint64_t
arrive (struct dg_time_core *core, const struct access *access,
        bool is_stride)
{
  struct dg_time_memory *memory = &core->memory;
  uint64_t line = access->address >> DG_TIME_LINE_SHIFT,
           last = (access->address + access->size - 1) >> DG_TIME_LINE_SHIFT,
           time = access->time, ready;
  enum dg_time_level level;
  bool is_walk, is_first;

  time += dg_time_memory_walk (memory, access->address, time, &is_walk,
                               &is_first);
  access->row[DG_TIME_WALKS] += is_walk;
  if (G_UNLIKELY (is_first))
    access->row[DG_TIME_PAGES] +=
      access->address >= DG_TIME_LARGE ? DG_TIME_LARGE_PAGES : 1;
  ready = dg_time_memory_line (memory, line, time, is_stride, &level);
  count_level (access->row, level);
  if (G_UNLIKELY (last != line)) {
    uint64_t other = dg_time_memory_line (memory, last, time + 1, is_stride,
                                          &level);

    count_level (access->row, level);
    ready = MAX (ready, other);
  }
  return ready;
}

/* What an instruction waits for.  */
struct wait {
  uint64_t data;           /* cycle at which what it loads is there */
  uint64_t cycles;         /* of this, more than a hit of L1 takes */
  enum dg_time_count count;
};

static inline void
load (struct dg_time_core *core, const struct access *access,
      struct wait *wait)
{
  uint64_t data, usual = access->time + core->machine->l1.latency, forwarded;
  bool is_stride, fails = false, is_alias = false;

  write_pending (core, access->entered);
  is_stride = dg_time_memory_stride (&core->memory, access->insn->address,
                                     access->address);
  data = arrive (core, access, is_stride);
  forwarded = forward (core, access->insn, access->address, access->size,
                       access->entered, access->time, &fails);
  if (forwarded == 0 && core->machine->alias > 0) {
    forwarded = alias (core, access->address, access->size, access->time);
    is_alias = forwarded > data;
    forwarded = is_alias ? forwarded : 0;
  }
  if (forwarded != 0)
    data = fails ? MAX (data, forwarded) : forwarded;
  access->row[DG_TIME_FORWARD_FAILS] += fails;
  access->row[DG_TIME_ALIASES] += is_alias;
  if (data > usual && data - usual > wait->cycles) {
    wait->cycles = data - usual;
    wait->count = forwarded != 0 ? DG_TIME_FORWARD_CYCLES
                                 : DG_TIME_MEMORY_CYCLES;
  }
  wait->data = MAX (wait->data, data);
}

/* left: when the instruction before left.  done: when the other work of the
   instruction is done.  data: when the value
   that it stores is known.  Returns when the queue of stores has room
   again.  */
static inline uint64_t
store (struct dg_time_core *core, const struct access *access, uint64_t left,
       uint64_t done, uint64_t data)
{
  const struct dg_time_machine *machine = core->machine;
  /* Reads and writes of one instruction are different streams.  */
  bool is_stride = dg_time_memory_stride (
    &core->memory, access->insn->address ^ (DG_TIME_STRIDES / 2),
    access->address);
  uint64_t ready = arrive (core, access, is_stride), written, full,
           first = access->address >> GRANULE_SHIFT,
           last = (access->address + access->size - 1) >> GRANULE_SHIFT;
  struct stored stored;

  written = MAX (MAX (done, left), MAX (ready, core->last_written));
  core->last_written = written;
  full = core->written[core->next_written];
  core->written[core->next_written] = written;
  if (++core->next_written == machine->stores)
    core->next_written = 0;
  if (core->n_pending < PENDING) {
    core->pending[(core->first_pending + core->n_pending) % PENDING]
      = (struct pending) { access->address >> DG_TIME_LINE_SHIFT, written };
    core->n_pending++;
  }
  stored = (struct stored) {
    .address = access->address,
    .data = data,
    .written = written,
    .found_by = machine->renames_memory
                  ? found_by (core, access->insn, access->address) : 0,
    .size = access->size
  };
  for (; first <= last; first++)
    core->stored[first % STORED] = stored;
  return full;
}

/* ---- Instructions ---- */

static inline uint64_t
latest (const struct dg_time_core *core, const uint8_t *regs, unsigned n,
        uint64_t cycle)
{
  for (unsigned i = 0; i < n; i++)
    cycle = MAX (cycle, core->regs[regs[i]].known);
  return cycle;
}

/* The accesses of one kind of an instruction.  */
#define EACH_SLOT(run, insn, slot, address)                               \
  for (unsigned i_ = (insn)->first_slot,                                  \
                end_ = MIN (i_ + (insn)->n_slots, (run)->n_slots);        \
       i_ < end_; i_++)                                                   \
    if (slot = &(run)->bbdef->slots[i_],                                  \
        address = (run)->addresses[slot->entry], address != 0)

/* Adds the cycles until an instruction left, at `left`, to rows.  If it
   entered after all others had left, the row that held the front end gets its
   part first.  The instruction's row gets the rest, and of it the waits.  */
static inline void
charge (struct dg_time_core *core, uint64_t left, uint64_t *row,
        uint64_t entered, uint64_t cycles, const struct wait *wait)
{
  if (G_UNLIKELY (core->bubble.cycles > 0)) {
    uint64_t before = left - cycles,
             late = MIN (MIN (cycles, core->bubble.cycles),
                         entered - MIN (entered, before));

    core->bubble.row[DG_TIME_CYCLES] += late;
    core->bubble.row[core->bubble.count] += late;
    core->bubble.cycles = 0;
    cycles -= late;
  }
  row[DG_TIME_CYCLES] += cycles;
  if (wait->cycles > 0)
    row[wait->count] += MIN (cycles, wait->cycles);
}

/* Lets no later instruction wait for the registers that an instruction
   writes.  */
static void
know_targets (struct dg_time_core *core, uint64_t cycle,
              const struct dg_time_insn *insn)
{
  const uint8_t *targets = insn->regs + insn->n_addresses + insn->n_sources;

  for (unsigned i = 0; i < insn->n_targets; i++) {
    core->regs[targets[i]] = (struct reg) { cycle, ++core->version };
  }
}

/* Executes one repetition of an instruction.  The processor moves many
   bytes in a cycle, and prefetches the lines as those of streams.  */
static void
repeat (struct dg_time_core *core, struct flow *flow,
        const struct dg_time_insn *insn, const struct dg_run *run,
        uint64_t *row)
{
  const struct dg_time_machine *machine = core->machine;
  struct repeated *repeated = &core->repeated;
  const struct dg_slot *slot;
  struct wait wait = { 0 };
  uint64_t address, ready, before = flow->left;

  if (repeated->address != insn->address) {
    *repeated = (struct repeated) { .address = insn->address };
    row[DG_TIME_INSTRUCTIONS]++;
    enter (core, flow);
    enter_at (flow, flow->enter + machine->repeat_start);
  }
  EACH_SLOT (run, insn, slot, address) {
    bool is_write = slot->kind == DG_ACC_WRITE;
    struct access access = { insn, address, MAX (slot->size, 1), flow->enter,
                             flow->enter, row };

    if (is_write || insn->n_slots == 1)
      repeated->bytes += access.size;
    if (repeated->line[is_write] == address >> DG_TIME_LINE_SHIFT)
      continue;
    repeated->line[is_write] = address >> DG_TIME_LINE_SHIFT;
    ready = arrive (core, &access, true);
    wait.data = MAX (wait.data, ready);
    wait.cycles = wait.data - MIN (wait.data, flow->enter);
  }
  if (repeated->bytes >= machine->repeat_bytes) {
    enter_at (flow, flow->enter + repeated->bytes / machine->repeat_bytes);
    repeated->bytes %= machine->repeat_bytes;
  }
  flow->left = MAX (flow->left, MAX (wait.data, flow->enter));
  wait.count = DG_TIME_MEMORY_CYCLES;
  charge (core, flow->left, row, flow->enter, flow->left - before, &wait);
  know_targets (core, flow->enter, insn);
}

INLINE void
execute (struct dg_time_core *core, struct flow *flow,
         const struct dg_time_insn *insn, const struct dg_run *run,
         uint64_t *row)
{
  const uint8_t *sources = insn->regs + insn->n_addresses,
                *targets = sources + insn->n_sources;
  const struct dg_slot *slot;
  struct wait wait = { 0 };
  uint64_t entered = enter (core, flow), address, known, ready, start, done,
           has_room = 0, cycles;

  row[DG_TIME_INSTRUCTIONS]++;
  known = latest (core, insn->regs, insn->n_addresses, entered);
  ready = latest (core, sources, insn->n_sources, entered);
  if (G_UNLIKELY (insn->flags & DG_INSN_LOCKED))
    known = MAX (known, flow->left);
  if (insn->has_load)
    EACH_SLOT (run, insn, slot, address)
      if (slot->kind == DG_ACC_READ) {
        struct access access = { insn, address, MAX (slot->size, 1), entered,
                                 known, row };

        load (core, &access, &wait);
      }
  /* Without an access (lea), the registers of the address are operands like
     others.  */
  start = MAX (ready, insn->n_slots == 0 ? known : wait.data);
  if (G_UNLIKELY (insn->busy > 0)) {
    start = MAX (start, core->divider);
    core->divider = start + insn->busy;
  }
  done = start + insn->latency;
  if (insn->n_slots > (insn->has_load ? 1 : 0))
    EACH_SLOT (run, insn, slot, address)
      if (slot->kind != DG_ACC_READ) {
        struct access access = { insn, address, MAX (slot->size, 1), entered,
                                 known, row };

        has_room
          = store (core, &access, flow->left, MAX (done, known),
                   insn->is_move || !insn->has_load ? ready : done);
      }
  if (G_UNLIKELY (insn->flags & DG_INSN_LOCKED))
    enter_at (flow, done);
  for (unsigned i = 0; i < insn->n_targets; i++)
    core->regs[targets[i]] = (struct reg) {
      targets[i] == insn->updated ? known + 1 : done, ++core->version};
  cycles = leave (core, flow, done);
  charge (core, flow->left, row, entered, cycles, &wait);
  /* If the queue of stores is full, the instructions after the store wait; the
     store itself does not.  */
  hold (core, flow, has_room, row, DG_TIME_MEMORY_CYCLES);
  if (insn->branch != DG_INSN_NO_BRANCH)
    core->branch = (struct branch) { insn, done, row };
}

/* Whether an instruction only computes: without accesses, and with all that is
   special.  */
static inline bool
is_plain (const struct dg_time_insn *insn)
{
  return (insn->n_slots | insn->busy | (insn->flags & DG_INSN_LOCKED)
          | insn->branch | (insn->updated ^ DG_REGS)) == 0;
}

G_STATIC_ASSERT (DG_INSN_NO_BRANCH == 0);

/* As execute, of such an instruction.  */
INLINE void
execute_plain (struct dg_time_core *core, struct flow *flow,
               const struct dg_time_insn *insn, uint64_t *row)
{
  const struct wait wait = { 0 };
  unsigned n_read = (unsigned) insn->n_addresses + insn->n_sources;
  const uint8_t *targets = insn->regs + n_read;
  uint64_t entered = enter (core, flow), done, cycles;

  row[DG_TIME_INSTRUCTIONS]++;
  done = latest (core, insn->regs, n_read, entered) + insn->latency;
  for (unsigned i = 0; i < insn->n_targets; i++)
    core->regs[targets[i]] = (struct reg) { done, ++core->version };
  cycles = leave (core, flow, done);
  charge (core, flow->left, row, entered, cycles, &wait);
}

/* The rows are each[i], or if that is NULL, rows + i * stride.  Once for each
   of the two: a test for each instruction took 2 % of all time.  */
INLINE void
run_block (struct dg_time_core *core, const struct dg_time_block *block,
           const struct dg_run *run, uint64_t *const *each, uint64_t *rows,
           size_t stride)
{
  struct flow flow = core->flow, copy;

  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    const struct dg_time_insn *insn = &block->insns[i];
    uint64_t *row = each != NULL ? each[i] : rows + i * stride;

    if (core->branch.insn != NULL) {
      copy = flow;
      resolve (core, &copy, insn->address);
      flow = copy;
    }
    if (G_UNLIKELY (insn->flags & DG_TIME_REMOVED)) {
      know_targets (core, flow.enter, insn);
      continue;
    }
    if (insn->address >> DG_TIME_LINE_SHIFT != core->code_line) {
      copy = flow;
      fetch_line (core, &copy, insn->address >> DG_TIME_LINE_SHIFT, row);
      flow = copy;
    }
    if (G_UNLIKELY (insn->flags & DG_INSN_REPEATED)) {
      copy = flow;
      repeat (core, &copy, insn, run, row);
      flow = copy;
      continue;
    }
    core->repeated.address = 0;
    if (is_plain (insn))
      execute_plain (core, &flow, insn, row);
    else
      execute (core, &flow, insn, run, row);
  }
  core->flow = flow;
}

void
dg_time_core_run (struct dg_time_core *core, const struct dg_time_block *block,
                  const struct dg_run *run, uint64_t *rows, size_t stride)
{
  run_block (core, block, run, NULL, rows, stride);
}

void
dg_time_core_run_each (struct dg_time_core *core,
                       const struct dg_time_block *block,
                       const struct dg_run *run, uint64_t *const *rows)
{
  run_block (core, block, run, rows, NULL, 0);
}
