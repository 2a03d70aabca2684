/* time_machine.h: what the time model has to know about a processor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_MACHINE_H
#define DG_TIME_MACHINE_H

#include <stdint.h>

#include "libdatagrind.h"

/* Room for what a processor has, at most.  */
#define DG_TIME_WINDOW 1024
#define DG_TIME_STORES 256
#define DG_TIME_MISSES 128
#define DG_TIME_WALKERS 16
#define DG_TIME_NODES 64

/* A cache or a buffer of translations.  */
struct dg_time_shape {
  uint32_t entries;        /* lines, or pages */
  uint32_t ways;
  uint32_t latency;        /* cycles of a hit, from the address on */
};

/* Where the figures are from.  */
enum dg_time_origin {
  DG_TIME_OF_TABLE,        /* those of a processor that was asked for */
  DG_TIME_MEASURED,        /* a file of dg calibrate */
  DG_TIME_NEAREST          /* the processor that is most like this one */
};

/* Times are in core cycles; gaps, between two lines, in eighths of a cycle.
   docs/time.md has the source of each figure.  */
struct dg_time_machine {
  const char *name;        /* "zen5" */
  const char *title;       /* "AMD Zen 5" */
  const char *arch;        /* "amd64", as dg_insn_arch_name has it */
  double ghz;              /* for times in seconds */
  enum dg_time_origin origin;

  uint32_t width;          /* instructions that enter, and leave, a cycle */
  uint32_t window;         /* instructions between entering and leaving */
  uint32_t stores;         /* stores that wait to be written */
  uint32_t taken;          /* taken branches a cycle */
  uint32_t mispredicted;   /* cycles from the end of a branch to the next
                              instruction, if it was predicted wrongly */

  struct dg_time_shape code, l1, l2, l3;   /* code: its first level */
  uint32_t memory;         /* latency */
  uint32_t nodes;          /* sockets, or parts of them, with memory of their
                              own; threads begin on one after the other */
  uint32_t remote;         /* cycles that memory of another node is later */
  uint32_t l2_gap, l3_gap, memory_gap;
  uint32_t misses;         /* from L2, at a time */
  uint32_t set_gap;        /* eighths between two fills of a set of L1 */
  uint32_t banks;          /* of L2, powers of two; 1: no conflicts */
  uint32_t bank_gap;
  uint32_t refill;         /* a stored-to line left L1 before it was written */

  struct dg_time_shape tlb, tlb2;
  uint32_t walk;           /* besides the access to the page table */
  uint32_t walkers;        /* walks at a time */

  uint32_t forward;        /* from a store to a load of its bytes */
  uint32_t forward_fails;  /* after the store is written, if it has only a
                              part of the bytes */
  uint32_t alias;          /* from a store to a load of another page at the
                              same offset; 0: they do not meet */
  bool renames_memory;     /* forwards by register and displacement, at no
                              cost */

  uint32_t locked;         /* cycles of an atomic instruction */
  uint32_t repeat_start;   /* cycles of rep movs before the first byte */
  uint32_t repeat_bytes;   /* bytes that it moves a cycle then */
  uint32_t page;           /* the first touch of a page: in the kernel */
  uint8_t latency[DG_INSN_WORKS];
  uint8_t divide_busy, root_busy, float_divide_busy;
};

/* By its name; NULL: there is none.  */
const struct dg_time_machine *dg_time_machine_find (const char *name);
/* The one that is taken for logs of an architecture, if nothing is said.  */
const struct dg_time_machine *dg_time_machine_of (const char *arch);
/* One after the other, from 0 on; NULL: there are no more.  */
const struct dg_time_machine *dg_time_machine_at (size_t i);

#endif /* DG_TIME_MACHINE_H */
