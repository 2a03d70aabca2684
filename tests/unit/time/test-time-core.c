/* test-time-core.c: how long sequences of instructions take, whose cycles can
   be counted by hand, on a processor of round figures.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_core.h"
#include "unit_main.h"

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
  .l3 = {16384, 16, 40}, .memory = MEMORY, .misses = MISSES, .banks = 1,
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

static struct program *
program_new (uint64_t address)
{
  struct program *program = g_new0 (struct program, 1);

  program->block = g_malloc0 (sizeof *program->block
                              + MOST * sizeof program->block->insns[0]);
  program->block->insns[0].address = address;
  program->bbdef.slots = program->slots;
  return program;
}

static void
program_free (struct program *program)
{
  g_free (program->block);
  g_free (program);
}

/* Registers of no instruction.  */
#define NONE DG_REGS

/* target = source + 1.  */
static struct dg_time_insn *
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

static void
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
static struct dg_time_insn *
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
static struct dg_time_insn *
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

static struct world *
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

static uint64_t
count_of (const struct world *world, enum dg_time_count count)
{
  uint64_t sum = 0;

  for (unsigned i = 0; i < MOST; i++)
    sum += world->rows[i * DG_TIME_COUNTS + count];
  return sum;
}

/* All cycles are somebody's.  */
static void
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
static uint64_t
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
static uint64_t
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

/* ---- Work --------------------------------------------------------------- */

static void
test_dependent (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 64; i++)
    add_insn (program, 1, 1);
  g_assert_cmpuint (warm_cycles (program, 10), ==, 640);
}

static void
test_independent (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 64; i++)
    add_insn (program, i % 16, NONE);
  g_assert_cmpuint (warm_cycles (program, 10), ==, 640 / WIDTH);
}

/* What moves a register takes no time, but a place.  */
static void
test_moves (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 64; i++)
    add_insn (program, 1, 1)->latency = 0;
  g_assert_cmpuint (warm_cycles (program, 10), ==, 640 / WIDTH);
}

static void
test_divider (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 16; i++) {
    struct dg_time_insn *insn = add_insn (program, i, NONE);

    insn->latency = DIVIDE;
    insn->busy = DIVIDE_BUSY;
  }
  ABOUT (warm_cycles (program, 10), 160 * DIVIDE_BUSY, 0);
  program = program_new (0x400000);
  for (unsigned i = 0; i < 16; i++) {
    struct dg_time_insn *insn = add_insn (program, 1, 1);

    insn->latency = DIVIDE;
    insn->busy = DIVIDE_BUSY;
  }
  ABOUT (warm_cycles (program, 10), 160 * DIVIDE, 0);
}

/* One that waits holds up those behind it as soon as the window is full.  */
static void
test_window (void)
{
  struct dg_time_machine machine = round_machine;
  struct program *program = program_new (0x400000);
  struct world *world;

  machine.window = 8;
  add_insn (program, 1, NONE)->latency = 50;
  for (unsigned i = 0; i < 15; i++)
    add_insn (program, 2, NONE);
  world = world_new (&machine);
  run_times (world, program, 2);
  ABOUT (run_times (world, program, 100), 100 * 50, 100 * 4);
  world_free (world);
  /* There is room for all: two run at the same time.  */
  ABOUT (warm_cycles (program, 100), 100 * 16 / WIDTH, 50);
}

static void
test_locked (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 8; i++) {
    struct dg_time_insn *insn = add_insn (program, NONE, NONE);

    insn->flags = DG_INSN_LOCKED;
    insn->latency = LOCKED;
  }
  ABOUT (warm_cycles (program, 10), 80 * LOCKED, 0);
}

/* ---- Memory ------------------------------------------------------------- */

#define PAGES 32
#define PAGE(i) (0x10000000 + 4096 * (uint64_t) (i))

/* Loads of one line of each page, in no order that is prefetched; other ones
   for line 0 and line 32.  */
static struct program *
page_loads (bool is_chain, unsigned line)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < PAGES; i++)
    add_load (program, is_chain ? 1 : i % 8 + 2, 1,
              PAGE (i * 13 % PAGES) + 64 * (line + i), 8);
  return program;
}

/* The same code with pages that are known, and lines that are not.  */
static uint64_t
cold_cycles (bool is_chain, struct world *world)
{
  struct program *warm = page_loads (is_chain, 0),
                 *cold = page_loads (is_chain, 32);
  uint64_t cycles;

  run_times (world, warm, 2);
  memset (world->rows, 0, sizeof world->rows);
  cycles = run_times (world, cold, 1);
  program_free (warm);
  program_free (cold);
  return cycles;
}

static void
test_chain (void)
{
  struct world *world = world_new (&round_machine);
  uint64_t before;

  g_assert_cmpuint (cold_cycles (true, world), ==, PAGES * MEMORY);
  g_assert_cmpuint (count_of (world, DG_TIME_INSTRUCTIONS), ==, PAGES);
  g_assert_cmpuint (count_of (world, DG_TIME_L1_MISSES), ==, PAGES);
  g_assert_cmpuint (count_of (world, DG_TIME_L2_MISSES), ==, PAGES);
  g_assert_cmpuint (count_of (world, DG_TIME_L3_MISSES), ==, PAGES);
  g_assert_cmpuint (count_of (world, DG_TIME_WALKS), ==, 0);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 0);
  /* Of these, what a hit takes is not a wait.  */
  g_assert_cmpuint (count_of (world, DG_TIME_MEMORY_CYCLES), ==,
                    PAGES * (MEMORY - L1));
  before = dg_time_core_cycles (world->core);
  world->rows[DG_TIME_CYCLES]
    += before - count_of (world, DG_TIME_CYCLES);
  world_free (world);
}

static void
test_misses (void)
{
  struct world *world = world_new (&round_machine);

  ABOUT (cold_cycles (false, world), PAGES / MISSES * MEMORY, 10);
  world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                 - count_of (world, DG_TIME_CYCLES);
  world_free (world);
}

/* Hits: one after the other, and as many at a time as enter.  */
static void
test_hits (void)
{
  ABOUT (warm_cycles (page_loads (true, 0), 10), 10 * PAGES * L1, 0);
  ABOUT (warm_cycles (page_loads (false, 0), 10), 10 * PAGES / WIDTH, 0);
}

/* A page that is seen first is walked to, and counted.  */
static void
test_walks (void)
{
  struct program *program = page_loads (true, 0);
  struct dg_time_machine machine = round_machine;
  struct world *world;

  machine.walk = 1000;
  world = world_new (&machine);
  g_assert_cmpuint (run_times (world, program, 1), >, PAGES * 1000);
  g_assert_cmpuint (count_of (world, DG_TIME_WALKS), ==, PAGES);
  /* With that of its code.  */
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, PAGES + 1);
  world_free (world);
  program_free (program);
}

/* Walks at a time.  */
static void
test_walkers (void)
{
  for (unsigned n = 1; n <= 4; n *= 2) {
    struct program *program = page_loads (false, 0);
    struct dg_time_machine machine = round_machine;
    struct world *world;

    machine.walk = 1000;
    machine.walkers = n;
    world = world_new (&machine);
    ABOUT (run_times (world, program, 1), PAGES * 1000 / n, 2000);
    world_free (world);
    program_free (program);
  }
}

/* What a run touches that is not executed is not touched first later.  */
static void
test_pass (void)
{
  struct program *program = page_loads (true, 0);
  struct world *world = world_new (&round_machine);
  struct dg_instr instrs[MOST] = {{.address = 0x400000}};
  struct dg_run run = {.thread = 1, .n_instrs = program->bbdef.n_instrs,
                       .n_slots = program->bbdef.n_slots,
                       .bbdef = &program->bbdef,
                       .addresses = program->addresses};

  program->bbdef.instrs = instrs;
  dg_time_shared_pass (&world->shared, &run);
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 0);
  g_assert_cmpuint (count_of (world, DG_TIME_WALKS), ==, PAGES);
  program->addresses[0] += PAGES * 4096;
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 1);
  world_free (world);
  program_free (program);
}

/* Lines one after the other are fetched ahead.  */
static void
test_stream (void)
{
  struct program *program = program_new (0x400000);
  struct world *world = world_new (&round_machine);

  add_load (program, 1, 1, PAGE (0), 8);
  run_times (world, program, 1);
  for (unsigned i = 1; i < 64; i++) {
    program->addresses[0] = PAGE (0) + 64 * i;
    run_times (world, program, 1);
  }
  /* Three misses, then a few cycles for each line.  */
  g_assert_cmpuint (count_of (world, DG_TIME_L3_MISSES), ==, 64);
  g_assert_cmpuint (count_of (world, DG_TIME_MEMORY_CYCLES), <, 6 * MEMORY);
  world_free (world);
  program_free (program);
}

/* An access to two lines is as late as the later one.  */
static void
test_two_lines (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 8; i++)
    add_load (program, 1, 1, PAGE (0) + 60, 8);
  ABOUT (warm_cycles (program, 10), 80 * (L1 + 1), 0);
}

/* ---- Stores ------------------------------------------------------------- */

/* Stores a register, and loads it again, so often; what a turn takes.  */
static uint64_t
forwarding (const struct dg_time_machine *machine, uint16_t stored,
            uint16_t loaded, uint64_t *fails)
{
  struct program *program = program_new (0x400000);
  struct world *world = world_new (machine);
  uint64_t cycles;

  add_store (program, 2, 1, PAGE (0), stored);
  add_load (program, 1, 2, PAGE (0), loaded);
  run_times (world, program, WARM);
  memset (world->rows, 0, sizeof world->rows);
  cycles = run_times (world, program, 100);
  *fails = count_of (world, DG_TIME_FORWARD_FAILS);
  g_assert_cmpuint (count_of (world, DG_TIME_INSTRUCTIONS), ==, 200);
  world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                 - count_of (world, DG_TIME_CYCLES);
  world_free (world);
  program_free (program);
  return cycles / 100;
}

static void
test_forward (void)
{
  struct dg_time_machine machine = round_machine;
  uint64_t fails;

  g_assert_cmpuint (forwarding (&machine, 8, 8, &fails), ==, FORWARD - 3);
  g_assert_cmpuint (fails, ==, 0);
  /* A part of what was stored is forwarded, too.  */
  g_assert_cmpuint (forwarding (&machine, 8, 4, &fails), ==, FORWARD - 3);
  g_assert_cmpuint (fails, ==, 0);
  machine.renames_memory = true;
  g_assert_cmpuint (forwarding (&machine, 8, 8, &fails), ==, 0);
  g_assert_cmpuint (fails, ==, 0);
}

/* What is loaded was stored in part only.  */
static void
test_forward_fails (void)
{
  struct dg_time_machine machine = round_machine;
  uint64_t fails, cycles;

  for (unsigned i = 0; i < 2; i++) {
    machine.renames_memory = i == 1;
    cycles = forwarding (&machine, 4, 8, &fails);
    g_assert_cmpuint (fails, ==, 100);
    ABOUT (cycles, FORWARD_FAILS, 2);
  }
}

/* Stores to lines that are not there are written late; when the places for
   those that wait are full, others wait.  */
static void
test_full (void)
{
  struct dg_time_machine machine = round_machine;
  struct program *program = program_new (0x400000);
  struct world *world;
  uint64_t few;

  for (unsigned i = 0; i < PAGES; i++)
    add_store (program, 1, 2, PAGE (i * 13 % PAGES), 8);
  machine.misses = 1;
  machine.stores = 4;
  world = world_new (&machine);
  run_times (world, program, 1);
  few = dg_time_core_cycles (world->core);
  g_assert_cmpuint (count_of (world, DG_TIME_MEMORY_CYCLES), >,
                    (PAGES - 6) * MEMORY);
  world_free (world);
  machine.stores = 64;
  world = world_new (&machine);
  run_times (world, program, 1);
  /* But for the first fetch of its code.  */
  g_assert_cmpuint (dg_time_core_cycles (world->core), <, few / 4);
  world_free (world);
  program_free (program);
}

/* What waits for the queue of stores is counted for the store.  */
static void
test_full_row (void)
{
  struct dg_time_machine machine = round_machine;
  struct program *program = program_new (0x400000);
  struct world *world;

  add_store (program, 1, 2, PAGE (0), 8);
  for (unsigned i = 0; i < 8; i++)
    add_insn (program, 3 + i, NONE);
  machine.misses = 1;
  machine.stores = 4;
  world = world_new (&machine);
  for (unsigned i = 0; i < 200; i++) {
    program->addresses[0] = PAGE (0) + 64 * (i * 37 % 512);
    run_times (world, program, 1);
  }
  g_assert_cmpuint (world->rows[DG_TIME_MEMORY_CYCLES], >, 100 * MEMORY);
  g_assert_cmpuint (world->rows[DG_TIME_CYCLES] * 10, >,
                    dg_time_core_cycles (world->core) * 9);
  world_free (world);
  program_free (program);
}

/* A base that is moved on is known an addition later, not after the load.  */
static void
test_updates (void)
{
  struct program *program = program_new (0x400000);

  for (unsigned i = 0; i < 16; i++) {
    struct dg_time_insn *insn = add_load (program, 2, 1, PAGE (0) + 8 * i, 8);

    insn->regs[2] = 1;
    insn->n_targets = 2;
    insn->updated = 1;
  }
  ABOUT (warm_cycles (program, 10), 160, 0);
}

/* ---- Branches ----------------------------------------------------------- */

/* A block that ends with a conditional branch, which waits for the rest of
   it; and one that follows without being jumped to, or elsewhere.  */
static void
test_mispredicted (void)
{
  struct world *world = world_new (&round_machine);
  struct program *block = program_new (0x400000),
                 *next = program_new (0x400010),
                 *other = program_new (0x400100);
  GRand *rand = g_rand_new_with_seed (1);
  uint64_t wrong, start, usual = 3 + 1 + 1;

  for (unsigned i = 0; i < 3; i++)
    add_insn (block, 1, 1);
  add_insn (block, NONE, 1)->branch = DG_INSN_CONDITIONAL;
  add_insn (next, 1, 1);
  add_insn (other, 1, 1);
  for (unsigned i = 0; i < 4; i++) {
    run_times (world, block, 1);
    run_times (world, i % 2 == 0 ? next : other, 1);
  }
  memset (world->rows, 0, sizeof world->rows);
  start = dg_time_core_cycles (world->core);
  for (unsigned i = 0; i < 1000; i++) {
    run_times (world, block, 1);
    run_times (world, g_rand_boolean (rand) ? next : other, 1);
  }
  wrong = count_of (world, DG_TIME_MISPREDICTED);
  g_assert_cmpuint (count_of (world, DG_TIME_BRANCHES), ==, 1000);
  g_assert_cmpuint (wrong, >, 400);
  g_assert_cmpuint (wrong, <, 600);
  /* A wrong one costs what it says.  */
  ABOUT (count_of (world, DG_TIME_BRANCH_CYCLES), wrong * (MISPREDICTED - 2),
         wrong * 4);
  ABOUT (dg_time_core_cycles (world->core) - start,
         1000 * 4 + wrong * (MISPREDICTED - 2), 1000 * usual);
  world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                 - count_of (world, DG_TIME_CYCLES);
  world_free (world);
  program_free (block);
  program_free (next);
  program_free (other);
  g_rand_free (rand);
}

/* As many taken branches a cycle as the processor follows.  */
static void
test_taken (void)
{
  for (unsigned taken = 1; taken <= 2; taken++) {
    struct dg_time_machine machine = round_machine;
    struct program *program = program_new (0x400000);
    struct world *world;

    machine.taken = taken;
    add_insn (program, NONE, NONE)->branch = DG_INSN_JUMP;
    program->block->insns[0].size = 2;
    world = world_new (&machine);
    run_times (world, program, 100);
    ABOUT (run_times (world, program, 1000), 1000 / taken, 1);
    g_assert_cmpuint (count_of (world, DG_TIME_BRANCHES), ==, 0);
    world_free (world);
    program_free (program);
  }
}

/* ---- Code --------------------------------------------------------------- */

/* Code that does not fit into its cache is waited for.  */
static void
test_fetch (void)
{
  struct dg_time_machine machine = round_machine;
  struct program *blocks[64];
  struct world *world;
  uint64_t cycles[2];

  for (unsigned i = 0; i < G_N_ELEMENTS (blocks); i++) {
    blocks[i] = program_new (0x400000 + (4096 + 64) * (uint64_t) i);
    add_insn (blocks[i], 1, NONE);
  }
  for (unsigned small = 0; small < 2; small++) {
    machine.code.entries = small ? 16 : 1024;
    world = world_new (&machine);
    for (unsigned round = 0; round < 3; round++) {
      memset (world->rows, 0, sizeof world->rows);
      for (unsigned i = 0; i < G_N_ELEMENTS (blocks); i++)
        run_times (world, blocks[i], 1);
    }
    g_assert_cmpuint (count_of (world, DG_TIME_CODE_MISSES), ==,
                      small ? G_N_ELEMENTS (blocks) : 0);
    cycles[small] = count_of (world, DG_TIME_FETCH_CYCLES);
    world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                   - count_of (world, DG_TIME_CYCLES);
    world_free (world);
  }
  g_assert_cmpuint (cycles[0], ==, 0);
  g_assert_cmpuint (cycles[1], >, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (blocks); i++)
    program_free (blocks[i]);
}

/* ---- Instructions that repeat themselves -------------------------------- */

static void
test_repeated (void)
{
  struct program *program = program_new (0x400000),
                 *other = program_new (0x400010);
  struct world *world = world_new (&round_machine);
  struct dg_time_insn *insn = add_insn (program, NONE, NONE);
  uint64_t cycles;

  insn->flags = DG_INSN_REPEATED;
  insn->first_slot = 0;
  add_access (program, insn, DG_ACC_WRITE, PAGE (0), 8);
  add_insn (other, 1, 1);
  run_times (world, program, 512);
  run_times (world, other, 2);
  memset (world->rows, 0, sizeof world->rows);
  cycles = run_times (world, program, 512);
  cycles += run_times (world, other, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_INSTRUCTIONS), ==, 2);
  ABOUT (cycles, REPEAT_START + 512 * 8 / REPEAT_BYTES, 4);
  world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                 - count_of (world, DG_TIME_CYCLES);
  world_free (world);
  program_free (program);
  program_free (other);
}

/* ---- Anything ----------------------------------------------------------- */

static void
add_random (struct program *program, GRand *rand)
{
  unsigned target = (unsigned) g_rand_int_range (rand, 0, 8),
           source = (unsigned) g_rand_int_range (rand, 0, 8);
  uint64_t address = PAGE (g_rand_int_range (rand, 0, 200))
                     + (uint64_t) g_rand_int_range (rand, 0, 4090);
  uint16_t size = (uint16_t) (1 << g_rand_int_range (rand, 0, 6));

  switch (g_rand_int_range (rand, 0, 6)) {
  case 0:
    add_load (program, target, source, address, size);
    break;
  case 1:
    add_store (program, target, source, address, size);
    break;
  case 2:
    add_access (program, add_load (program, target, source, address, size),
                DG_ACC_WRITE, address, size);
    break;
  case 3:
    add_insn (program, target, source)->flags
      = g_rand_boolean (rand) ? DG_INSN_LOCKED : DG_INSN_STACK;
    break;
  default:
    add_insn (program, target, source)->busy = g_rand_boolean (rand) ? 3 : 0;
  }
}

/* Whatever is run, the cycles of instructions are those of the core: no cycle
   is counted twice (world_free).  */
static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (8);
  const struct dg_time_machine *machines[]
    = {&round_machine, dg_time_machine_find ("zen5"),
       dg_time_machine_find ("neoverse-n1")};

  for (unsigned i = 0; i < 30; i++) {
    struct world *world = world_new (machines[i % G_N_ELEMENTS (machines)]);
    struct program *programs[20];

    for (unsigned k = 0; k < G_N_ELEMENTS (programs); k++) {
      programs[k] = program_new (0x400000 + 0x140 * k);
      for (int n = g_rand_int_range (rand, 1, 30); n > 0; n--)
        add_random (programs[k], rand);
      add_insn (programs[k], NONE, 1)->branch
        = (uint8_t) g_rand_int_range (rand, 1, DG_INSN_RETURN + 1);
      if (k % 5 == 0) {
        struct dg_time_insn *insn = add_insn (programs[k], 7, 7);

        insn->flags = DG_INSN_REPEATED;
        add_access (programs[k], insn, DG_ACC_READ, PAGE (k), 1);
        add_access (programs[k], insn, DG_ACC_WRITE, PAGE (k + 3), 1);
      }
    }
    for (unsigned k = 0; k < 3000; k++)
      run_times (world,
                 programs[g_rand_int_range (rand, 0,
                                            G_N_ELEMENTS (programs))],
                 (unsigned) g_rand_int_range (rand, 1, 4));
    world_free (world);
    for (unsigned k = 0; k < G_N_ELEMENTS (programs); k++)
      program_free (programs[k]);
  }
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-core/dependent", test_dependent);
  g_test_add_func ("/time-core/independent", test_independent);
  g_test_add_func ("/time-core/moves", test_moves);
  g_test_add_func ("/time-core/divider", test_divider);
  g_test_add_func ("/time-core/window", test_window);
  g_test_add_func ("/time-core/locked", test_locked);
  g_test_add_func ("/time-core/chain", test_chain);
  g_test_add_func ("/time-core/misses", test_misses);
  g_test_add_func ("/time-core/hits", test_hits);
  g_test_add_func ("/time-core/walks", test_walks);
  g_test_add_func ("/time-core/walkers", test_walkers);
  g_test_add_func ("/time-core/pass", test_pass);
  g_test_add_func ("/time-core/stream", test_stream);
  g_test_add_func ("/time-core/two-lines", test_two_lines);
  g_test_add_func ("/time-core/forward", test_forward);
  g_test_add_func ("/time-core/forward-fails", test_forward_fails);
  g_test_add_func ("/time-core/full", test_full);
  g_test_add_func ("/time-core/full-row", test_full_row);
  g_test_add_func ("/time-core/updates", test_updates);
  g_test_add_func ("/time-core/mispredicted", test_mispredicted);
  g_test_add_func ("/time-core/taken", test_taken);
  g_test_add_func ("/time-core/fetch", test_fetch);
  g_test_add_func ("/time-core/repeated", test_repeated);
  g_test_add_func ("/time-core/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
