/* breakdown.h: sums of some counters by thread, function, line, module,
   instruction, variable or place of allocation, as analyses show them in
   their tables.

   Each worker adds to a struct dg_breakdown_sums of its own, which knows
   numbers only (blocks of code, threads, variables); they are added up when
   all are there, and only then names are looked up, and rows of one name made
   one row.

   Code is named by the innermost frame of its instruction, inlined ones
   included, in the module that was loaded when it first ran.  Functions and
   lines can be those of the program's own code instead (--mine): the innermost
   frame that is mine, of the instruction or else of the call sites.

   Memory: of code, 8 bytes for each block of the log (--mine: each unit, and
   4 for each context, once), and 8 for each counter of each instruction of
   blocks that ran; of the others, 8 bytes and counter for each number that
   occurred.  Each for each worker.  An analysis of many counters that goes
   through a log in its order has struct dg_breakdown_direct instead: 8 bytes
   for each instruction of blocks that ran, and counters for rows only.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BREAKDOWN_H
#define DG_BREAKDOWN_H

#include <glib.h>

#include "dg_analysis.h"
#include "breakdown_mine.h"

enum dg_by {
  DG_BY_NOTHING = 0, /* one row: the whole */
  DG_BY_THREAD,
  DG_BY_FUNCTION,
  DG_BY_LINE,
  DG_BY_MODULE,
  DG_BY_INSTRUCTION,
  DG_BY_VARIABLE,
  DG_BY_SITE
};

/* For the option of an analysis.  */
#define DG_BY_CHOICES "thread,function,line,module,instruction,variable,site"

/* Options of an analysis for whose functions and lines it tells.  */
#define DG_MINE_OPTIONS                                           \
  {"mine",                                                        \
   DG_OPTION_FLAG,                                                \
   NULL,                                                          \
   NULL,                                                          \
   NULL,                                                          \
   "attribute to the innermost own code, not to system headers"}, \
  {                                                               \
    "program", DG_OPTION_FLAG, NULL, NULL, NULL,                  \
      "attribute to the program's own code, not to libraries"     \
  },                                                              \
  {                                                               \
    "script", DG_OPTION_FLAG, NULL, NULL, NULL,                   \
      "attribute to functions of the script, if they were recorded" \
  }

/* What a text of these stands for; NULL: nothing.  */
enum dg_by dg_by_parse (const char *text);

/* Whether it depends on the instruction alone; on the address.  */
static inline bool
dg_by_is_code (enum dg_by by)
{
  return by >= DG_BY_FUNCTION && by <= DG_BY_INSTRUCTION;
}

static inline bool
dg_by_is_data (enum dg_by by)
{
  return by >= DG_BY_VARIABLE;
}

/* ---- One worker's sums ---- */

struct dg_breakdown;

struct dg_breakdown_block {
  uint64_t icount; /* a moment at which it ran, the earliest known */
  uint64_t sums[]; /* n counters for each instruction */
};

/* Numbers have three levels.  */
#define DG_SUMS_LEAF_BITS 8
#define DG_SUMS_MIDDLE_BITS 12
#define DG_SUMS_ROOT_SHIFT (DG_SUMS_LEAF_BITS + DG_SUMS_MIDDLE_BITS)
#define DG_SUMS_LEAF (1u << DG_SUMS_LEAF_BITS)
#define DG_SUMS_MIDDLE (1u << DG_SUMS_MIDDLE_BITS)
#define DG_SUMS_ROOT (1u << (32 - DG_SUMS_ROOT_SHIFT))

struct dg_breakdown_sums {
  const struct dg_log *log;
  enum dg_by by;
  unsigned n;               /* counters */
  struct dg_finder *finder; /* variables and sites; else NULL */
  bool has_failed;          /* out of memory: what was added is lost */
  uint64_t *spare;          /* a row, or those of a block, to be lost */
  /* By code: */
  struct dg_units *units;          /* or NULL; with these: */
  const uint32_t *found;           /* for dg_units_known */
  struct dg_breakdown_block **blocks;   /* by block, or by unit; owns them */
  uint32_t n_blocks;
  uint32_t last_context, last_iseq; /* of dg_breakdown_sums_access */
  /* By number: its bits 31..20, 19..8 and 7..0.  */
  uint64_t ***numbers;
};

/* Without what only workers need; NULL: no memory.  */
struct dg_breakdown_sums *dg_breakdown_sums_make (const struct dg_log *log,
                                                  enum dg_by by, unsigned n);
/* NULL and *err on failure.  One thread at a time.  */
struct dg_breakdown_sums *
dg_breakdown_sums_new (const struct dg_breakdown *breakdown,
                       struct dg_error *err);
void dg_breakdown_sums_free (struct dg_breakdown_sums *sums);

/* For the two below.  */
struct dg_breakdown_block *
dg_breakdown_sums_make_block (struct dg_breakdown_sums *sums, uint32_t bbdef,
                              uint32_t context, uint64_t icount);
uint64_t *dg_breakdown_sums_make_row (struct dg_breakdown_sums *sums,
                                      uint32_t number);

/* By code: the counters of the instructions of a block: counter j of
   instruction i is [i * n + j].  Which context runs it only matters to sums
   with units.  Never NULL: when memory is short, dg_breakdown_take tells it.
 */
static inline uint64_t *
dg_sums_code (struct dg_breakdown_sums *sums, uint32_t bbdef, uint32_t context,
              uint64_t icount)
{
  uint32_t number =
    sums->units != NULL ? dg_units_known (sums->found, context) : bbdef;
  struct dg_breakdown_block *block =
    G_LIKELY (number < sums->n_blocks) ? sums->blocks[number] : NULL;
  if (G_UNLIKELY (block == NULL)) {
    block = dg_breakdown_sums_make_block (sums, bbdef, context, icount);
    if (block == NULL)
      return sums->spare;
  }
  if (icount < block->icount)
    block->icount = icount;
  return block->sums;
}

/* By thread, variable, site: the counters of one.  By nothing: of 0.  */
static inline uint64_t *
dg_sums_number (struct dg_breakdown_sums *sums, uint32_t number)
{
  uint64_t **middle = sums->numbers[number >> DG_SUMS_ROOT_SHIFT];
  uint64_t *leaf =
    middle != NULL ? middle[number >> DG_SUMS_LEAF_BITS & (DG_SUMS_MIDDLE - 1)]
                   : NULL;
  if (G_UNLIKELY (leaf == NULL))
    return dg_breakdown_sums_make_row (sums, number);
  return leaf + (size_t) (number & (DG_SUMS_LEAF - 1)) * sums->n;
}

/* The counters to which an access belongs, whatever they are by.  Quickest for
   accesses in the order of the log.  */
uint64_t *dg_breakdown_sums_access (struct dg_breakdown_sums *sums,
                                    const struct dg_access *access);

/* ---- Rows of code at once, for who goes through a log in its order ---- */

/* When a block (with units: a unit) is met first, its earliest moment is
   known, and so are its names: counters are those of the rows, which are far
   fewer than the instructions.  */
struct dg_breakdown_direct {
  struct dg_units *units;              /* or NULL; with these: */
  const uint32_t *found;               /* for dg_units_known */
  uint64_t ***blocks;                  /* by block, or by unit */
  uint32_t n_blocks;
};

/* The breakdown's, which is by code; nothing is to be taken then.  Used by one
   thread at a time.  NULL and *err on failure.  */
struct dg_breakdown_direct *
dg_breakdown_direct (struct dg_breakdown *breakdown, struct dg_error *err);

/* For the one below.  */
uint64_t *const *dg_breakdown_direct_meet (struct dg_breakdown *breakdown,
                                           uint32_t bbdef, uint32_t context,
                                           uint64_t icount);

/* Where the counters are of the row of each instruction of a block.  They do
   not move.  icount: not below that of the calls before.  NULL: no memory.  */
static inline uint64_t *const *
dg_direct_code (struct dg_breakdown *breakdown,
                const struct dg_breakdown_direct *direct, uint32_t bbdef,
                uint32_t context, uint64_t icount)
{
  uint32_t number =
    direct->units != NULL ? dg_units_known (direct->found, context) : bbdef;
  uint64_t **block =
    G_LIKELY (number < direct->n_blocks) ? direct->blocks[number] : NULL;

  return G_LIKELY (block != NULL)
           ? block
           : dg_breakdown_direct_meet (breakdown, bbdef, context, icount);
}

/* ---- All sums, and their names ---- */

/* symbols: for code, and variables: for these and sites; else NULL.  n:
   counters of a row, at least 1.  NULL and *err on failure.  */
struct dg_breakdown *dg_breakdown_new (const struct dg_log *log,
                                       struct dg_symbols *symbols,
                                       struct dg_variables *variables,
                                       enum dg_by by, unsigned n,
                                       struct dg_error *err);
/* The same with what an analysis was set up with (breakdown_report.c), which
   may have the options DG_MINE_OPTIONS.  */
struct dg_breakdown *dg_breakdown_open (struct dg_setup *setup, enum dg_by by,
                                        unsigned n, struct dg_error *err);
/* A needs_blocks of analyses that need them for --by=variable and site
   alone.  */
bool dg_breakdown_needs_blocks (const struct dg_setup *setup);
/* DG_ERR_INVALID if DG_MINE_OPTIONS are given and change nothing of a report
   by that; else 0.  */
int dg_breakdown_check_mine (struct dg_setup *setup, enum dg_by by,
                             struct dg_error *err);
/* Functions and lines are to be mine.  Before sums are made; it must outlive
   the groups.  0 or DG_ERR_NOMEM.  */
int dg_breakdown_set_mine (struct dg_breakdown *breakdown,
                           const struct dg_mine *mine, struct dg_error *err);
void dg_breakdown_free (struct dg_breakdown *breakdown);
/* Those of --mine, by which sums by code are then, not by blocks; else
   NULL.  */
struct dg_units *dg_breakdown_units (const struct dg_breakdown *breakdown);
enum dg_by dg_breakdown_by (const struct dg_breakdown *breakdown);
/* Rows by something else from now on; what they were by and what they are to
   be by are both by code.  */
void dg_breakdown_regroup (struct dg_breakdown *breakdown, enum dg_by by);

/* Adds what a worker found, which is empty then and still to be freed.  One
   thread.  0 or DG_ERR_NOMEM.  */
int dg_breakdown_take (struct dg_breakdown *breakdown,
                       struct dg_breakdown_sums *sums, struct dg_error *err);

/* By code: who keeps counters in less memory than sums take has these read
   instead of taken.  Sets those of the instructions of a block (with units:
   of a unit), which are 0, as dg_sums_code has them, and a moment at which it
   ran; false: it did not.  */
typedef bool (*dg_breakdown_read_fn) (void *user, uint32_t number,
                                      uint64_t *icount, uint64_t *sums);
void dg_breakdown_set_source (struct dg_breakdown *breakdown,
                              dg_breakdown_read_fn read, void *user);

/* A row.  What does not apply is NULL or 0.  */
struct dg_breakdown_group {
  const char *name; /* for people */
  const char *function, *file, *module;
  uint32_t line;
  uint64_t address; /* by instruction */
  uint32_t thread;
  const struct dg_named *named; /* by variable, site: one of them */
  const uint64_t *sums;         /* at least one is not 0 */
};

/* How much a row weighs: those that weigh most come first, equal ones in the
   order of their names.  */
typedef uint64_t (*dg_weigh_fn) (const uint64_t *sums, const void *user);

/* Looks all names up.  weigh NULL: the first sum.  *n receives how many rows
   there are; they are the groups' and valid until the next call.  NULL and
   *err on failure; progress (or NULL) is in blocks or numbers.  */
const struct dg_breakdown_group *
dg_breakdown_rows (struct dg_breakdown *breakdown, dg_weigh_fn weigh,
                   const void *user, dg_progress_fn progress,
                   void *progress_user, size_t *n, struct dg_error *err);

/* ---- The table (breakdown_report.c) ---- */

/* How a row becomes cells.  */
struct dg_breakdown_table {
  const char *key, *title;         /* of the table: "rows" */
  const struct dg_column *columns; /* the caller's own */
  size_t n_columns;                /* at most DG_BREAKDOWN_COLUMNS */
  void (*fill) (const uint64_t *sums, struct dg_cell *cells, const void *user);
  dg_weigh_fn weigh;
  const void *user; /* of both */
};
#define DG_BREAKDOWN_COLUMNS 32

/* Adds the table to the report: the caller's columns, then `name`, and in JSON
   what the name is made of: thread; function, module, file, line, address;
   kind, type, file, line.  0 or an error.  */
int dg_breakdown_report (struct dg_breakdown *breakdown,
                         const struct dg_breakdown_table *table,
                         struct dg_report *report, struct dg_error *err);

#endif /* DG_BREAKDOWN_H */
