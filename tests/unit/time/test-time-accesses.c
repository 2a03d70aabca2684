/* test-time-accesses.c: tests how many cycles loads and stores take, in
   programs so short that the cycles can be counted by hand.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_world.h"
#include "unit_main.h"

/* ---- Memory ------------------------------------------------------------- */


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
  /* The model counts a load as a wait only for what it takes longer than a
     hit.  */
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

/* A run that is passed touches its pages: a later run touches none of them
   first.  */
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
  dg_time_shared_pass (&world->shared, 0, &run);
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 0);
  g_assert_cmpuint (count_of (world, DG_TIME_WALKS), ==, PAGES);
  program->addresses[0] += PAGES * 4096;
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 1);
  /* Also of a large page.  */
  program->addresses[0] = DG_TIME_LARGE + 5 * 4096;
  dg_time_shared_pass (&world->shared, 0, &run);
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==, 1);
  program->addresses[0] += UINT64_C (1) << DG_TIME_LARGE_SHIFT;
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_PAGES), ==,
                    1 + DG_TIME_LARGE_PAGES);
  world_free (world);
  program_free (program);
}

/* By a new thread, which has nothing in its caches: loads of memory of another
   node.  */
static uint64_t
remote_loads (struct world *world, struct program *program)
{
  dg_time_core_free (world->core);
  memset (world->rows, 0, sizeof world->rows);
  world->core = dg_time_core_new (&world->shared);
  run_times (world, program, 1);
  g_assert_cmpuint (count_of (world, DG_TIME_L3_MISSES), ==, PAGES);
  return count_of (world, DG_TIME_REMOTE_MISSES);
}

/* Pages are memory of the node that touches them first, or, in a part of the
   addresses, of the next one that uses them.  */
static void
test_nodes (void)
{
  static const uint64_t starts[] = { 0, DG_TIME_BY_USER };
  struct dg_time_machine machine = round_machine;

  machine.nodes = 2;
  machine.remote = 100;
  machine.l3.entries = machine.l3.ways = 1;
  for (unsigned i = 0; i < G_N_ELEMENTS (starts); i++) {
    struct program *program = page_loads (true, 0);
    struct world *world = world_new (&machine);

    for (unsigned k = 0; k < PAGES; k++)
      program->addresses[k] += starts[i];
    run_times (world, program, 1);
    g_assert_cmpuint (count_of (world, DG_TIME_REMOTE_MISSES), ==, 0);
    g_assert_cmpuint (remote_loads (world, program), ==, i == 0 ? PAGES : 0);
    /* The third thread is on the node of the first.  */
    g_assert_cmpuint (remote_loads (world, program), ==, i == 0 ? 0 : PAGES);
    world_free (world);
    program_free (program);
  }
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

/* Stores at the end of a chain, and begins it again with a load of so many
   bytes further on in another page; what a turn takes.  */
static uint64_t
aliasing (const struct dg_time_machine *machine, uint64_t distance,
          uint64_t *aliases)
{
  struct program *program = program_new (0x400000);
  struct world *world = world_new (machine);
  uint64_t cycles;

  add_load (program, 2, 1, PAGE (1) + 64 + distance, 4);
  add_store (program, 1, 2, PAGE (0) + 64, 4);
  run_times (world, program, WARM);
  memset (world->rows, 0, sizeof world->rows);
  cycles = run_times (world, program, 100);
  *aliases = count_of (world, DG_TIME_ALIASES);
  world->rows[DG_TIME_CYCLES] += dg_time_core_cycles (world->core)
                                 - count_of (world, DG_TIME_CYCLES);
  world_free (world);
  program_free (program);
  return cycles / 100;
}

/* A load waits for a store to the same offset of another page, if the
   processor looks at the last bits only.  */
static void
test_alias (void)
{
  struct dg_time_machine machine = round_machine;
  uint64_t aliases;

  aliasing (&machine, 0, &aliases);
  g_assert_cmpuint (aliases, ==, 0);
  machine.alias = 5;
  g_assert_cmpuint (aliasing (&machine, 0, &aliases), >=, 5);
  g_assert_cmpuint (aliases, >=, 99);
  aliasing (&machine, 2, &aliases);
  g_assert_cmpuint (aliases, >=, 99);
  g_assert_cmpuint (aliasing (&machine, 4, &aliases), <, 5);
  g_assert_cmpuint (aliases, ==, 0);
  aliasing (&machine, PAGE (1) - PAGE (0), &aliases);
  g_assert_cmpuint (aliases, >=, 99);
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

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-accesses/chain", test_chain);
  g_test_add_func ("/time-accesses/misses", test_misses);
  g_test_add_func ("/time-accesses/hits", test_hits);
  g_test_add_func ("/time-accesses/walks", test_walks);
  g_test_add_func ("/time-accesses/walkers", test_walkers);
  g_test_add_func ("/time-accesses/pass", test_pass);
  g_test_add_func ("/time-accesses/nodes", test_nodes);
  g_test_add_func ("/time-accesses/stream", test_stream);
  g_test_add_func ("/time-accesses/two-lines", test_two_lines);
  g_test_add_func ("/time-accesses/forward", test_forward);
  g_test_add_func ("/time-accesses/forward-fails", test_forward_fails);
  g_test_add_func ("/time-accesses/alias", test_alias);
  g_test_add_func ("/time-accesses/full", test_full);
  g_test_add_func ("/time-accesses/full-row", test_full_row);
  g_test_add_func ("/time-accesses/updates", test_updates);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
