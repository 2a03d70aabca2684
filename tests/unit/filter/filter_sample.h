/* filter_sample.h: random logs for the tests of filters, and symbols that the
   test makes up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_SAMPLE_H
#define DG_FILTER_SAMPLE_H

#include "fake_log.h"

#include <stdbool.h>

#define CODE 0x1000
#define N_CODE 40   /* addresses CODE .. CODE + N_CODE - 1 have names */
#define N_DATA 4
#define SWITCH 5000 /* from here on, the upper half may have others */

struct dg_symbols {
  struct dg_frame frames[2][N_CODE][3];
  size_t n[N_CODE];
  bool reloaded;
  unsigned n_asked;
  struct dg_data_symbol data[N_DATA];
};

#define N_BBDEFS 12
#define N_CONTEXTS 40
#define N_PATHS 30
#define N_BLOCKS 60
#define N_RANGES 12
#define N_EVENTS 10
#define N_THREADS 3
#define MOMENTS 10000
#define MEMORY 600

struct world {
  struct dg_log log;
  struct dg_symbols symbols;
  struct dg_module modules[2];
  struct dg_bbdef bbdefs[N_BBDEFS];
  struct dg_instr instrs[N_BBDEFS][4];
  struct dg_context contexts[N_CONTEXTS];
  struct dg_call_path paths[N_PATHS];
  struct dg_run runs[N_CONTEXTS];
  struct dg_block blocks[N_BLOCKS];
  uint64_t sites[N_BLOCKS][3];
  struct dg_range ranges[N_RANGES];
  struct dg_event events[N_EVENTS];
  struct dg_thread threads[N_THREADS];
};

uint64_t random_to (uint64_t limit);
/* With `reloaded`, the upper half of the code is of another module after
   SWITCH; each context then belongs to one of the two.  */
struct world *random_world (bool reloaded);

#endif /* DG_FILTER_SAMPLE_H */
