/* time_machine.c: processors, as the time model sees them.

   The figures are those that makers and measurements publish; docs/time.md
   names the source of each row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_machine.h"

#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

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
  .set_gap = 48, .banks = 8, .bank_gap = 24, .refill = 10, .walk = 30,     \
  .repeat_start = 25, .repeat_bytes = 32, .page = 6700, .divide_busy = 6,   \
  .root_busy = 9, .float_divide_busy = 5

static const struct dg_time_machine machines[] = {
  {.name = "zen5", .title = "AMD Zen 5", .arch = "amd64", .ghz = 4.2,
   .width = 8, .window = 448, .stores = 104, .taken = 2, .mispredicted = 12,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 4},
   .l2 = {MIB (1), 16, 14}, .l3 = {MIB (16), 16, 50},
   .memory = 430, .l2_gap = 16, .l3_gap = 20, .memory_gap = 52, .misses = 24,
   .tlb = {96, 12, 0}, .tlb2 = {4096, 16, 7}, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (2, 3, 4, 12, 13, 20), COMMON},
  {.name = "zen4", .title = "AMD Zen 4", .arch = "amd64", .ghz = 4.5,
   .width = 6, .window = 320, .stores = 64, .taken = 1, .mispredicted = 13,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {MIB (1), 8, 14}, .l3 = {MIB (32), 16, 50},
   .memory = 400, .l2_gap = 16, .l3_gap = 20, .memory_gap = 56, .misses = 24,
   .tlb = {72, 12, 0}, .tlb2 = {3072, 12, 7}, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (3, 3, 4, 12, 13, 21), COMMON},
  {.name = "zen3", .title = "AMD Zen 3", .arch = "amd64", .ghz = 4.0,
   .width = 6, .window = 256, .stores = 64, .taken = 1, .mispredicted = 13,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {KIB (512), 8, 12}, .l3 = {MIB (32), 16, 46},
   .memory = 360, .l2_gap = 16, .l3_gap = 20, .memory_gap = 60, .misses = 24,
   .tlb = {64, 16, 0}, .tlb2 = {2048, 8, 7}, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (3, 3, 4, 12, 13, 20), COMMON},
  {.name = "zen2", .title = "AMD Zen 2", .arch = "amd64", .ghz = 3.6,
   .width = 6, .window = 224, .stores = 48, .taken = 1, .mispredicted = 18,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 4},
   .l2 = {KIB (512), 8, 12}, .l3 = {MIB (16), 16, 40},
   .memory = 330, .l2_gap = 16, .l3_gap = 20, .memory_gap = 60, .misses = 24,
   .tlb = {64, 16, 0}, .tlb2 = {2048, 16, 7}, .forward = 7,
   .forward_fails = 14, .renames_memory = true, .locked = 18,
   .latency = LATENCIES (3, 3, 5, 24, 13, 20), COMMON},
  {.name = "golden-cove", .title = "Intel Golden Cove", .arch = "amd64",
   .ghz = 3.8, .width = 6, .window = 512, .stores = 112, .taken = 1,
   .mispredicted = 17,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 5},
   .l2 = {MIB (2), 16, 15}, .l3 = {MIB (30), 12, 70},
   .memory = 420, .l2_gap = 12, .l3_gap = 32, .memory_gap = 48, .misses = 48,
   .tlb = {96, 6, 0}, .tlb2 = {2048, 16, 7}, .forward = 5,
   .forward_fails = 14, .renames_memory = true, .locked = 20,
   .latency = LATENCIES (3, 4, 4, 12, 13, 18), COMMON},
  {.name = "ice-lake", .title = "Intel Ice Lake", .arch = "amd64", .ghz = 3.2,
   .width = 5, .window = 352, .stores = 72, .taken = 1, .mispredicted = 17,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (48), 12, 5},
   .l2 = {KIB (1280), 20, 14}, .l3 = {MIB (24), 12, 65},
   .memory = 300, .l2_gap = 12, .l3_gap = 32, .memory_gap = 48, .misses = 32,
   .tlb = {64, 4, 0}, .tlb2 = {2048, 16, 7}, .forward = 5,
   .forward_fails = 13, .renames_memory = true, .locked = 20,
   .latency = LATENCIES (4, 4, 4, 14, 13, 18), COMMON},
  {.name = "skylake", .title = "Intel Skylake", .arch = "amd64", .ghz = 3.6,
   .width = 4, .window = 224, .stores = 56, .taken = 1, .mispredicted = 16,
   .code = {KIB (32), 8, 0}, .l1 = {KIB (32), 8, 5},
   .l2 = {KIB (256), 4, 12}, .l3 = {MIB (8), 16, 42},
   .memory = 240, .l2_gap = 12, .l3_gap = 32, .memory_gap = 64, .misses = 16,
   .tlb = {64, 4, 0}, .tlb2 = {1536, 12, 7}, .forward = 5,
   .forward_fails = 13, .renames_memory = false, .locked = 18,
   .latency = LATENCIES (4, 4, 4, 26, 13, 18), COMMON},
  {.name = "neoverse-v2", .title = "Arm Neoverse V2", .arch = "arm64",
   .ghz = 3.0, .width = 8, .window = 320, .stores = 72, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (2), 8, 11}, .l3 = {MIB (32), 16, 68},
   .memory = 330, .l2_gap = 16, .l3_gap = 24, .memory_gap = 32, .misses = 48,
   .tlb = {48, 12, 0}, .tlb2 = {2048, 8, 6}, .forward = 5,
   .forward_fails = 12, .renames_memory = false, .locked = 8,
   .latency = LATENCIES (2, 3, 4, 10, 10, 13), COMMON},
  {.name = "neoverse-v1", .title = "Arm Neoverse V1", .arch = "arm64",
   .ghz = 2.6, .width = 8, .window = 256, .stores = 72, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (1), 8, 11}, .l3 = {MIB (32), 16, 60},
   .memory = 290, .l2_gap = 16, .l3_gap = 24, .memory_gap = 36, .misses = 40,
   .tlb = {48, 12, 0}, .tlb2 = {2048, 8, 6}, .forward = 5,
   .forward_fails = 12, .renames_memory = false, .locked = 8,
   .latency = LATENCIES (2, 3, 4, 10, 10, 13), COMMON},
  {.name = "neoverse-n1", .title = "Arm Neoverse N1", .arch = "arm64",
   .ghz = 2.5, .width = 4, .window = 128, .stores = 40, .taken = 1,
   .mispredicted = 11,
   .code = {KIB (64), 4, 0}, .l1 = {KIB (64), 4, 4},
   .l2 = {MIB (1), 8, 11}, .l3 = {MIB (32), 16, 62},
   .memory = 250, .l2_gap = 16, .l3_gap = 24, .memory_gap = 48, .misses = 24,
   .tlb = {48, 12, 0}, .tlb2 = {1280, 5, 6}, .forward = 5,
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

/* ---- Other figures ---- */

/* Figures that can be given.  */
static const struct figure {
  const char *name;
  size_t offset;
  uint32_t least, most;
} figures[] = {
#define FIGURE(name, member, least, most) \
  {name, offsetof (struct dg_time_machine, member), least, most}
  FIGURE ("width", width, 1, 64),
  FIGURE ("window", window, 8, DG_TIME_WINDOW),
  FIGURE ("stores", stores, 4, DG_TIME_STORES),
  FIGURE ("taken", taken, 1, 8),
  FIGURE ("mispredicted", mispredicted, 0, 1000),
  FIGURE ("memory", memory, 1, 100000),
  FIGURE ("l2-gap", l2_gap, 0, 10000),
  FIGURE ("l3-gap", l3_gap, 0, 10000),
  FIGURE ("memory-gap", memory_gap, 0, 10000),
  FIGURE ("misses", misses, 1, DG_TIME_MISSES),
  FIGURE ("set-gap", set_gap, 0, 10000),
  FIGURE ("bank-gap", bank_gap, 0, 10000),
  FIGURE ("refill", refill, 0, 10000),
  FIGURE ("walk", walk, 0, 10000),
  FIGURE ("forward", forward, 3, 1000),
  FIGURE ("forward-fails", forward_fails, 0, 1000),
  FIGURE ("locked", locked, 0, 255),
  FIGURE ("repeat-start", repeat_start, 0, 1000),
  FIGURE ("repeat-bytes", repeat_bytes, 1, 1024),
  FIGURE ("page", page, 0, 10000000),
  FIGURE ("l1-latency", l1.latency, 1, 1000),
  FIGURE ("l2-latency", l2.latency, 1, 1000),
  FIGURE ("l3-latency", l3.latency, 1, 10000),
  FIGURE ("l1-ways", l1.ways, 1, 64),
  FIGURE ("l2-ways", l2.ways, 1, 64),
  FIGURE ("l3-ways", l3.ways, 1, 64),
  FIGURE ("code-ways", code.ways, 1, 64),
  FIGURE ("code-lines", code.entries, 1, 1u << 24),
  FIGURE ("l1-lines", l1.entries, 1, 1u << 24),
  FIGURE ("l2-lines", l2.entries, 1, 1u << 24),
  FIGURE ("l3-lines", l3.entries, 1, 1u << 24),
  FIGURE ("tlb-pages", tlb.entries, 1, 1u << 24),
  FIGURE ("tlb2-pages", tlb2.entries, 1, 1u << 24),
  FIGURE ("tlb2-latency", tlb2.latency, 0, 1000),
#undef FIGURE
};

/* "refill=40".  */
static int
set_figure (struct dg_time_machine *machine, const char *text,
            struct dg_error *err)
{
  const char *equals = strchr (text, '='),
             *at = equals != NULL ? equals + 1 : NULL;
  size_t n = equals != NULL ? (size_t) (equals - text) : strlen (text);
  uint64_t value;

  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++) {
    const struct figure *figure = &figures[i];

    if (strlen (figure->name) != n || strncmp (figure->name, text, n) != 0)
      continue;
    if (equals == NULL
        || !dg_number_take (&at, "", DG_QUANTITY_COUNT, &value) || *at != '\0'
        || value < figure->least || value > figure->most)
      return dg_error_set (err, DG_ERR_INVALID,
                           "--machine: %s must be a number from %u to %u",
                           figure->name, figure->least, figure->most);
    *(uint32_t *) ((char *) machine + figure->offset) = (uint32_t) value;
    return 0;
  }
  return dg_error_set (err, DG_ERR_INVALID,
                       "--machine: there is no figure '%.*s'", (int) n, text);
}

static int
find_machine (const char *name, const char *arch,
              struct dg_time_machine *machine, struct dg_error *err)
{
  const struct dg_time_machine *found
    = name == NULL || *name == '\0' ? dg_time_machine_of (arch)
                                    : dg_time_machine_find (name);
  GString *names;
  int code;

  if (found != NULL) {
    *machine = *found;
    return 0;
  }
  names = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            machines[i].name);
  code = dg_error_set (err, DG_ERR_INVALID,
                       "--machine: there is no '%.40s'; there are %s", name,
                       names->str);
  g_string_free (names, TRUE);
  return code;
}

int
dg_time_machine_parse (const char *text, const char *arch,
                       struct dg_time_machine *machine, struct dg_error *err)
{
  char **parts = g_strsplit (text != NULL ? text : "", ",", -1);
  int code = find_machine (parts[0], arch, machine, err);

  for (unsigned i = 1; code == 0 && parts[0] != NULL && parts[i] != NULL; i++)
    code = set_figure (machine, parts[i], err);
  g_strfreev (parts);
  return code;
}

int
dg_time_machine_choose (const char *text, const struct dg_log *log,
                        struct dg_time_machine *machine, struct dg_error *err)
{
  const char *arch = dg_insn_arch_name (log);
  int code = dg_time_machine_parse (text, arch, machine, err);

  /* Processors of amd64 execute x86.  */
  if (code == 0 && text != NULL && strcmp (arch, "x86") != 0
      && strcmp (machine->arch, arch) != 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--machine=%s executes %s, but the program is of %s",
                         machine->name, machine->arch, arch);
  return code;
}
