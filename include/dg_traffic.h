/* dg_traffic.h: what a level of simulated caches asks of the one behind it:
   the lines that it fetches, and those that it writes back.

   The caches are those of `dg cache` for one core, with LRU: the lines that
   are fetched are its misses.  They are write-back and write-allocate.  A line
   that is written back to a level that does not have it goes on to the next;
   this changes no cache.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_TRAFFIC_H
#define LIBDATAGRIND_TRAFFIC_H

#include "dg_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The caches of no machine in particular, so that figures are the same on
   each: what most processors of the last years have at least, but for the last
   level, which is as much as a program with neighbours may hope for.  */
#define DG_TRAFFIC_L1 "32768,8,64"
#define DG_TRAFFIC_LL "8388608,16,64"

/* For the table of options of an analysis.  */
#define DG_TRAFFIC_OPTIONS                                                \
  {"I1", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,                    \
   "first level for instructions (" DG_TRAFFIC_L1 ")"},                   \
  {"D1", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,                    \
   "first level for data (" DG_TRAFFIC_L1 ")"},                           \
  {"L2", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,                    \
   "second level, between D1 and LL"},                                    \
  {"L3", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,                    \
   "third level, between L2 and LL"},                                     \
  {"LL", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,                    \
   "last level (" DG_TRAFFIC_LL ")"},                                     \
  {"host", DG_OPTION_FLAG, NULL, NULL, NULL,                              \
   "simulate this machine's caches, except those given"}

enum dg_move_kind {
  DG_MOVE_FETCH = 0,       /* a line for an instruction */
  DG_MOVE_READ,            /* for a read */
  DG_MOVE_WRITE,           /* for a write, which needs its other bytes */
  DG_MOVE_BACK             /* a line that was written is evicted */
};

/* A line that moves between a level and the one behind it, because of an
   instruction.  */
struct dg_move {
  uint64_t address;        /* of the line */
  uint32_t size;           /* of the line */
  uint8_t kind;            /* enum dg_move_kind */
  uint8_t instr;           /* index of the instruction in its block */
};

struct dg_traffic;

/* Empty caches, by the options above.  level: "D1", "L2", "L3" or "LL"; behind
   D1, there is nothing of instructions.  NULL: DG_ERR_INVALID,
   DG_ERR_NOMEM.  */
DG_API struct dg_traffic *dg_traffic_new (const struct dg_setup *setup,
                                          const char *level,
                                          struct dg_error *err);
DG_API void dg_traffic_free (struct dg_traffic *traffic);
/* What a run causes, in order; valid until the next call.  Returns their
   number, or DG_ERR_NOMEM.  */
DG_API ptrdiff_t dg_traffic_run (struct dg_traffic *traffic,
                                 const struct dg_run *run,
                                 const struct dg_move **moves,
                                 struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_TRAFFIC_H */
