/* time_machine.c: processors, as the time model sees them.

   The figures are those that makers and measurements publish; docs/time.md
   names the source of each row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_machine.h"

#include <glib.h>
#include <string.h>

#define KIB(n) ((n) * 1024 / 64)
#define MIB(n) ((n) * 1024 * 1024 / 64)

/* Latencies by enum dg_insn_work: of additions, multiplications and fused
   ones of floating-point numbers, which differ most, and of divisions.  */
#define LATENCIES(add, multiply, fused, divide, float_divide, root) \
  {                                                                  \
    [DG_INSN_INTEGER] = 1,                                           \
    [DG_INSN_CROSS] = 3,                                             \
    [DG_INSN_MULTIPLY] = 3,                                          \
    [DG_INSN_DIVIDE] = (divide),                                     \
    [DG_INSN_VECTOR] = 1,                                            \
    [DG_INSN_VECTOR_MULTIPLY] = 3,                                   \
    [DG_INSN_COMPARE] = 4,                                           \
    [DG_INSN_FLOAT_ADD] = (add),                                     \
    [DG_INSN_FLOAT_MULTIPLY] = (multiply),                           \
    [DG_INSN_FLOAT_FUSED] = (fused),                                 \
    [DG_INSN_FLOAT_DIVIDE] = (float_divide),                         \
    [DG_INSN_FLOAT_ROOT] = (root),                                   \
    [DG_INSN_CONVERT] = 5,                                           \
    [DG_INSN_X87] = 5,                                               \
    [DG_INSN_SLOW] = 100                                             \
  }

/* What is much the same for all cores of a kind of architecture.  */
#define COMMON                                                             \
  .nodes = 1, .remote = 320, .set_gap = 48, .banks = 8, .bank_gap = 24,     \
  .refill = 10, .walk = 30,                                                \
  .repeat_start = 25, .repeat_bytes = 32, .page = 2800, .divide_busy = 6,   \
  .root_busy = 9, .float_divide_busy = 5

static const struct dg_time_machine machines[] = {
  {.name = "zen5", .title = "AMD Zen 5", .arch = "amd64", .ghz = 4.2,
   .width = 8, .window = 448, .stores = 104, .taken = 2, .mispredicted = 12,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 4},
   .l2 = {MIB (1), 16, 14}, .l3 = {MIB (16), 16, 50},
   .memory = 430, .l2_gap = 16, .l3_gap = 20, .memory_gap = 52, .misses = 24,
   .tlb = {96, 12, 0}, .tlb2 = {4096, 16, 7}, .walkers = 6, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 3,
   .latency = LATENCIES (2, 3, 4, 12, 13, 20), COMMON},
  {.name = "zen4", .title = "AMD Zen 4", .arch = "amd64", .ghz = 4.5,
   .width = 6, .window = 320, .stores = 64, .taken = 1, .mispredicted = 15,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {MIB (1), 8, 14}, .l3 = {MIB (32), 16, 50},
   .memory = 400, .l2_gap = 16, .l3_gap = 20, .memory_gap = 56, .misses = 24,
   .tlb = {72, 12, 0}, .tlb2 = {3072, 12, 7}, .walkers = 6, .forward = 7,
   .forward_fails = 19, .renames_memory = true, .locked = 3,
   .latency = LATENCIES (3, 3, 4, 12, 13, 21), COMMON},
  {.name = "zen3", .title = "AMD Zen 3", .arch = "amd64", .ghz = 4.0,
   .width = 6, .window = 256, .stores = 64, .taken = 1, .mispredicted = 13,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {KIB (512), 8, 12}, .l3 = {MIB (32), 16, 46},
   .memory = 360, .l2_gap = 16, .l3_gap = 20, .memory_gap = 60, .misses = 24,
   .tlb = {64, 16, 0}, .tlb2 = {2048, 8, 7}, .walkers = 6, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (3, 3, 4, 12, 13, 20), COMMON},
  {.name = "zen2", .title = "AMD Zen 2", .arch = "amd64", .ghz = 3.6,
   .width = 6, .window = 224, .stores = 48, .taken = 1, .mispredicted = 18,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {KIB (512), 8, 12}, .l3 = {MIB (16), 16, 40},
   .memory = 330, .l2_gap = 16, .l3_gap = 20, .memory_gap = 60, .misses = 24,
   .tlb = {64, 16, 0}, .tlb2 = {2048, 16, 7}, .walkers = 2, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (3, 3, 5, 24, 13, 20), COMMON},
  {.name = "golden-cove", .title = "Intel Golden Cove", .arch = "amd64",
   .ghz = 3.8, .width = 6, .window = 512, .stores = 112, .taken = 1,
   .mispredicted = 17,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 5},
   .l2 = {MIB (2), 16, 15}, .l3 = {MIB (30), 12, 70},
   .memory = 420, .l2_gap = 12, .l3_gap = 32, .memory_gap = 48, .misses = 48,
   .tlb = {96, 6, 0}, .tlb2 = {2048, 16, 7}, .walkers = 4, .forward = 5,
   .forward_fails = 19, .alias = 5, .renames_memory = true, .locked = 13,
   .latency = LATENCIES (3, 4, 4, 12, 13, 18), COMMON},
  {.name = "ice-lake", .title = "Intel Ice Lake", .arch = "amd64", .ghz = 3.2,
   .width = 5, .window = 352, .stores = 72, .taken = 1, .mispredicted = 17,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 5},
   .l2 = {KIB (1280), 20, 14}, .l3 = {MIB (24), 12, 65},
   .memory = 300, .l2_gap = 12, .l3_gap = 32, .memory_gap = 48, .misses = 32,
   .tlb = {64, 4, 0}, .tlb2 = {2048, 16, 7}, .walkers = 2, .forward = 5,
   .forward_fails = 13, .alias = 5, .renames_memory = true, .locked = 13,
   .latency = LATENCIES (4, 4, 4, 14, 13, 18), COMMON},
  {.name = "skylake", .title = "Intel Skylake", .arch = "amd64", .ghz = 3.6,
   .width = 4, .window = 224, .stores = 56, .taken = 1, .mispredicted = 16,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 5},
   .l2 = {KIB (256), 4, 12}, .l3 = {MIB (8), 16, 42},
   .memory = 240, .l2_gap = 12, .l3_gap = 32, .memory_gap = 64, .misses = 16,
   .tlb = {64, 4, 0}, .tlb2 = {1536, 12, 7}, .walkers = 2, .forward = 5,
   .forward_fails = 13, .alias = 5, .renames_memory = false, .locked = 13,
   .latency = LATENCIES (4, 4, 4, 26, 13, 18), COMMON},
  {.name = "neoverse-v2", .title = "Arm Neoverse V2", .arch = "arm64",
   .ghz = 3.0, .width = 8, .window = 320, .stores = 72, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (2), 8, 11}, .l3 = {MIB (32), 16, 68},
   .memory = 330, .l2_gap = 16, .l3_gap = 24, .memory_gap = 32, .misses = 48,
   .tlb = {48, 12, 0}, .tlb2 = {2048, 8, 6}, .walkers = 4, .forward = 5,
   .forward_fails = 12, .renames_memory = false, .locked = 8,
   .latency = LATENCIES (2, 3, 4, 10, 10, 13), COMMON},
  {.name = "neoverse-v1", .title = "Arm Neoverse V1", .arch = "arm64",
   .ghz = 2.6, .width = 8, .window = 256, .stores = 72, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (1), 8, 11}, .l3 = {MIB (32), 16, 60},
   .memory = 290, .l2_gap = 16, .l3_gap = 24, .memory_gap = 36, .misses = 40,
   .tlb = {48, 12, 0}, .tlb2 = {2048, 8, 6}, .walkers = 4, .forward = 5,
   .forward_fails = 12, .renames_memory = false, .locked = 8,
   .latency = LATENCIES (2, 3, 4, 10, 10, 13), COMMON},
  {.name = "neoverse-n1", .title = "Arm Neoverse N1", .arch = "arm64",
   .ghz = 2.5, .width = 4, .window = 128, .stores = 40, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (1), 8, 11}, .l3 = {MIB (32), 16, 62},
   .memory = 250, .l2_gap = 16, .l3_gap = 24, .memory_gap = 48, .misses = 24,
   .tlb = {48, 12, 0}, .tlb2 = {1280, 5, 6}, .walkers = 4, .forward = 5,
   .forward_fails = 12, .renames_memory = false, .locked = 8,
   .latency = LATENCIES (2, 3, 4, 12, 15, 17), COMMON},
};

const struct dg_time_machine *
dg_time_machine_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++)
    if (strcmp (machines[i].name, name) == 0)
      return &machines[i];
  return NULL;
}

const struct dg_time_machine *
dg_time_machine_of (const char *arch)
{
  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++)
    if (strcmp (machines[i].arch, arch) == 0)
      return &machines[i];
  return &machines[0];
}

const struct dg_time_machine *
dg_time_machine_at (size_t i)
{
  return i < G_N_ELEMENTS (machines) ? &machines[i] : NULL;
}
