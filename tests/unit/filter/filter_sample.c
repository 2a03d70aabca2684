/* filter_sample.c: random logs for the tests of filters, and symbols that the
   test makes up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_sample.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "libdatagrind.h"

size_t
dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, struct dg_frame *out, size_t max)
{
  size_t i = address - CODE;

  symbols->n_asked++;
  memset (out, 0, sizeof *out);
  if (i >= N_CODE)
    return 1;
  g_assert_cmpuint (symbols->n[i], <=, max);
  memcpy (out,
          symbols->frames[symbols->reloaded && i >= N_CODE / 2
                          && icount >= SWITCH][i],
          symbols->n[i] * sizeof *out);
  return symbols->n[i];
}

int
dg_symbols_variables (struct dg_symbols *symbols, const char *name,
                      int (*each) (void *user,
                                   const struct dg_data_symbol *variable),
                      void *user)
{
  int code = 0;

  for (size_t i = 0; i < N_DATA && code == 0; i++)
    if (name == NULL || strcmp (symbols->data[i].name, name) == 0)
      code = each (user, &symbols->data[i]);
  return code;
}

static const char *const functions[] = {"main",
                                        "ns::work(int, char const*)",
                                        "ns::work(double) const",
                                        "(anonymous namespace)::hidden()",
                                        "core::fmt::write",
                                        "ns::F::operator()(int) const",
                                        "puts@plt",
                                        NULL};
static const char *const files[] = {"/src/app/main.c", "/src/lib/main.c",
                                    "util.c", NULL};
static const char *const modules[] = {"/usr/bin/app", "/usr/lib/libx.so.6"};

static void
random_symbols (struct dg_symbols *symbols)
{
  symbols->n_asked = 0;
  for (size_t i = 0; i < N_CODE; i++) {
    symbols->n[i] = (size_t) g_test_rand_int_range (1, 4);
    for (size_t k = 0; k < 2 * 3; k++)
      symbols->frames[k / 3][i][k % 3] = (struct dg_frame){
        .function = functions[g_test_rand_int_range (0, 8)],
        .file = files[g_test_rand_int_range (0, 4)],
        .module = modules[g_test_rand_int_range (0, 2)],
      };
  }
}

uint64_t
random_to (uint64_t limit)
{
  return (uint64_t) g_test_rand_int_range (0, (gint32) limit);
}

static uint64_t
random_end (uint64_t start)
{
  return random_to (4) == 0 ? DG_NEVER : start + random_to (MOMENTS / 3);
}

static uint64_t
random_code (bool reloaded, bool upper)
{
  return CODE
         + (reloaded && !upper ? random_to (N_CODE / 2) : random_to (N_CODE));
}

static void
random_contexts (struct world *w, bool reloaded)
{
  for (size_t i = 0; i < N_BBDEFS; i++) {
    w->bbdefs[i].number = (uint32_t) i;
    w->bbdefs[i].n_instrs = (uint16_t) (1 + random_to (4));
    w->bbdefs[i].instrs = w->instrs[i];
    for (size_t k = 0; k < 4; k++)
      w->instrs[i][k].address = random_code (reloaded, false);
  }
  w->paths[0] = (struct dg_call_path){.parent = DG_NONE};
  for (size_t i = 1; i < N_PATHS; i++) {
    w->paths[i].site = random_code (reloaded, true);
    w->paths[i].parent = random_to (8) == 0 ? DG_NONE : random_to (i);
  }
  for (size_t i = 0; i < N_CONTEXTS; i++) {
    struct dg_context *c = &w->contexts[i];

    c->bbdef = (uint32_t) random_to (N_BBDEFS);
    c->path = (uint32_t) random_to (N_PATHS);
    w->runs[i] =
      (struct dg_run){.icount = random_to (MOMENTS), .context = (uint32_t) i};
  }
}

static void
random_memory (struct world *w)
{
  static const char *const labels[] = {"a", "b,c", "back\\slash", "d e"};

  for (size_t i = 0; i < N_BLOCKS; i++) {
    uint64_t start = random_to (MOMENTS);

    w->blocks[i] = (struct dg_block){
      .address = random_to (MEMORY),
      .size = random_to (40),
      .alloc_icount = start,
      .free_icount = random_end (start),
      .alloc_stack = {(uint32_t) random_to (4), w->sites[i]}};
    for (size_t k = 0; k < 3; k++)
      w->sites[i][k] = CODE + random_to (N_CODE);
  }
  for (size_t i = 0; i < N_RANGES; i++) {
    uint64_t start = random_to (MOMENTS);

    w->ranges[i] = (struct dg_range){.address = random_to (MEMORY),
                                     .size = random_to (60),
                                     .start_icount = start,
                                     .end_icount = random_end (start),
                                     .type = "",
                                     .label = labels[random_to (4)]};
  }
  for (size_t i = 0; i < N_THREADS; i++)
    w->threads[i] = (struct dg_thread){.number = (uint32_t) (i + 1),
                                       .name = i == 1 ? "worker" : ""};
  for (size_t i = 0; i < N_DATA; i++)
    w->symbols.data[i]
      = (struct dg_data_symbol){.name = i < 2 ? "table" : "ns::count",
                                .module = "/one",
                                .address = random_to (MEMORY),
                                .size = random_to (50),
                                .start_icount = i % 2 ? SWITCH : 0,
                                .end_icount = i % 2 ? DG_NEVER : SWITCH};
  for (size_t i = 0; i < N_EVENTS; i++) {
    uint64_t start = random_to (MOMENTS);

    w->events[i] =
      (struct dg_event){start, random_end (start), labels[random_to (4)]};
  }
}

struct world *
random_world (bool reloaded)
{
  struct world *w = g_new0 (struct world, 1);

  random_symbols (&w->symbols);
  w->symbols.reloaded = reloaded;
  random_contexts (w, reloaded);
  random_memory (w);
  w->modules[0] = (struct dg_module){.text_address = CODE + N_CODE / 2,
                                     .text_size = N_CODE / 2,
                                     .unload_icount = SWITCH,
                                     .file = "/one",
                                     .soname = ""};
  w->modules[1] = w->modules[0];
  w->modules[1].file = "/two";
  w->modules[1].load_icount = SWITCH;
  w->modules[1].unload_icount = DG_NEVER;
  w->log = (struct dg_log){.bbdefs = w->bbdefs,
                           .contexts = w->contexts,
                           .paths = w->paths,
                           .n_paths = N_PATHS,
                           .runs = w->runs,
                           .blocks = w->blocks,
                           .n_blocks = N_BLOCKS,
                           .ranges = w->ranges,
                           .n_ranges = N_RANGES,
                           .events = w->events,
                           .n_events = N_EVENTS,
                           .threads = w->threads,
                           .n_threads = N_THREADS,
                           .modules = w->modules,
                           .n_modules = reloaded ? 2 : 0,
                           .summary = {.bbdefs = N_BBDEFS,
                                       .contexts = N_CONTEXTS,
                                       .runs = N_CONTEXTS}};
  return w;
}
