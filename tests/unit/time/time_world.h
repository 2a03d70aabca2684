/* time_world.h: sequences of instructions, and a processor of round figures
   that executes them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef TIME_WORLD_H
#define TIME_WORLD_H

#include "time/time_core.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"

#define WIDTH 4
#define MEMORY 100
#define MISSES 8
#define L1 4
#define FORWARD 5
#define FORWARD_FAILS 13
#define DIVIDE 12
#define DIVIDE_BUSY 6
#define MISPREDICTED 20
#define LOCKED 15
#define REPEAT_START 25
#define REPEAT_BYTES 32

/* Without bandwidth, banks and walks; a hit of L2 takes 10 cycles.  */
static const struct dg_time_machine round_machine = {
  .name = "round", .title = "Round", .arch = "amd64", .ghz = 1,
  .width = WIDTH, .window = 400, .stores = 32, .taken = 1,
  .mispredicted = MISPREDICTED,
  .code = {1024, 16, 0}, .l1 = {256, 16, L1}, .l2 = {4096, 16, 10},
  .l3 = {16384, 16, 40}, .memory = MEMORY, .nodes = 1, .misses = MISSES,
  .banks = 1,
  .tlb = {1024, 16, 0}, .tlb2 = {4096, 16, 7}, .forward = FORWARD,
  .forward_fails = FORWARD_FAILS, .locked = LOCKED,
  .repeat_start = REPEAT_START, .repeat_bytes = REPEAT_BYTES};

/* ---- Programs ----------------------------------------------------------- */

#define MOST 64

/* A block of instructions, each with one access at the most, or with a read
   and a write.  */
struct program {
  struct dg_time_block *block;
  struct dg_bbdef bbdef;
  struct dg_slot slots[2 * MOST];
  uint64_t addresses[2 * MOST];
};

static inline struct program *
program_new (uint64_t address)
{
  struct program *program = g_new0 (struct program, 1);

  program->block = g_malloc0 (sizeof *program->block
                              + MOST * sizeof program->block->insns[0]);
  program->block->insns[0].address = address;
  program->bbdef.slots = program->slots;
  return program;
}

static inline void
program_free (struct program *program)
{
  g_free (program->block);
  g_free (program);
}

/* Registers of no instruction.  */
#define NONE DG_REGS

/* target = source + 1.  */
static inline struct dg_time_insn *
add_insn (struct program *program, unsigned target, unsigned source)
{
  struct dg_time_block *block = program->block;
  struct dg_time_insn *insn = &block->insns[block->n];

  g_assert_cmpuint (block->n, <, MOST);
  insn->address = block->insns[0].address + 4 * (uint64_t) block->n++;
  insn->size = 4;
  insn->latency = 1;
  insn->base = insn->updated = DG_REGS;
  insn->first_slot = program->bbdef.n_slots;
  if (source != NONE)
    insn->regs[insn->n_addresses + insn->n_sources++] = (uint8_t) source;
  if (target != NONE)
    insn->regs[insn->n_addresses + insn->n_sources + insn->n_targets++]
      = (uint8_t) target;
  program->bbdef.n_instrs++;
  return insn;
}

static inline void
add_access (struct program *program, struct dg_time_insn *insn, uint8_t kind,
            uint64_t address, uint16_t size)
{
  uint16_t n = program->bbdef.n_slots++;

  program->bbdef.n_entries++;
  program->slots[n] = (struct dg_slot) {
    .size = size, .kind = kind, .iseq = (uint8_t) (program->block->n - 1),
    .entry = n};
  program->addresses[n] = address;
  insn->n_slots++;
  insn->has_load |= kind == DG_ACC_READ;
}

/* target = *base, which is address.  */
static inline struct dg_time_insn *
add_load (struct program *program, unsigned target, unsigned base,
          uint64_t address, uint16_t size)
{
  struct dg_time_insn *insn = add_insn (program, target, base);

  insn->latency = 0;
  insn->is_move = true;
  insn->n_addresses = insn->n_sources;
  insn->n_sources = 0;
  insn->base = (uint8_t) base;
  add_access (program, insn, DG_ACC_READ, address, size);
  return insn;
}

/* *base = source, at address.  */
static inline struct dg_time_insn *
add_store (struct program *program, unsigned base, unsigned source,
           uint64_t address, uint16_t size)
{
  struct dg_time_insn *insn = add_insn (program, NONE, base);

  insn->latency = 0;
  insn->is_move = true;
  insn->n_addresses = 1;
  insn->n_sources = 1;
  insn->regs[1] = (uint8_t) source;
  insn->base = (uint8_t) base;
  add_access (program, insn, DG_ACC_WRITE, address, size);
  return insn;
}

/* ---- The processor ------------------------------------------------------ */

struct world {
  struct dg_time_machine machine;
  struct dg_time_shared shared;
  struct dg_time_core *core;
  uint64_t rows[MOST * DG_TIME_COUNTS];
};

static inline struct world *
world_new (const struct dg_time_machine *machine)
{
  struct world *world = g_new0 (struct world, 1);

  world->machine = *machine;
  g_assert_cmpint (dg_time_shared_init (&world->shared, &world->machine), ==,
                   0);
  world->core = dg_time_core_new (&world->shared);
  g_assert_nonnull (world->core);
  return world;
}

static inline uint64_t
count_of (const struct world *world, enum dg_time_count count)
{
  uint64_t sum = 0;

  for (unsigned i = 0; i < MOST; i++)
    sum += world->rows[i * DG_TIME_COUNTS + count];
  return sum;
}

/* All cycles are somebody's.  */
static inline void
world_free (struct world *world)
{
  uint64_t cycles = dg_time_core_cycles (world->core);

  g_assert_cmpuint (count_of (world, DG_TIME_CYCLES), ==, cycles);
  g_assert_cmpuint (count_of (world, DG_TIME_MEMORY_CYCLES)
                      + count_of (world, DG_TIME_BRANCH_CYCLES)
                      + count_of (world, DG_TIME_FETCH_CYCLES)
                      + count_of (world, DG_TIME_FORWARD_CYCLES), <=, cycles);
  dg_time_core_free (world->core);
  dg_time_shared_fini (&world->shared);
  g_free (world);
}

/* Runs it so often; the cycles of that.  */
static inline uint64_t
run_times (struct world *world, struct program *program, unsigned times)
{
  uint64_t before = dg_time_core_cycles (world->core);
  struct dg_run run = {.thread = 1, .n_instrs = program->bbdef.n_instrs,
                       .n_slots = program->bbdef.n_slots,
                       .bbdef = &program->bbdef,
                       .addresses = program->addresses};

  for (unsigned i = 0; i < times; i++)
    dg_time_core_run (world->core, program->block, &run, world->rows,
                      DG_TIME_COUNTS);
  return dg_time_core_cycles (world->core) - before;
}

/* What waited for the first lines of code and data is done after this.  */
#define WARM 200

/* Runs it until code and data are there, then so often; the cycles of the
   last ones.  The program is freed.  */
static inline uint64_t
warm_cycles (struct program *program, unsigned times)
{
  struct world *world = world_new (&round_machine);
  uint64_t cycles;

  run_times (world, program, WARM);
  cycles = run_times (world, program, times);
  world_free (world);
  program_free (program);
  return cycles;
}

/* Beginning and end may add so many, or take them away.  */
#define ABOUT(cycles, expected, more)                       \
  do {                                                      \
    uint64_t cycles_ = (cycles), more_ = (more);            \
                                                            \
    g_assert_cmpuint (cycles_ + more_, >=, (expected));     \
    g_assert_cmpuint (cycles_, <=, (expected) + more_);     \
  } while (0)

/* An address of the n-th page.  */
#define PAGES 32
#define PAGE(i) (0x10000000 + 4096 * (uint64_t) (i))

#endif /* TIME_WORLD_H */
