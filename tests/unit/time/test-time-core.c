/* test-time-core.c: how long sequences of instructions take, whose cycles can
   be counted by hand.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_world.h"
#include "unit_main.h"

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
  g_test_add_func ("/time-core/mispredicted", test_mispredicted);
  g_test_add_func ("/time-core/taken", test_taken);
  g_test_add_func ("/time-core/fetch", test_fetch);
  g_test_add_func ("/time-core/repeated", test_repeated);
  g_test_add_func ("/time-core/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
