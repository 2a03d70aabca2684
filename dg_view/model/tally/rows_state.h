/* rows_state.h: rows of tables, while they are being made and after that.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ROWS_STATE_H
#define DV_ROWS_STATE_H

#include "model/log/items.h"
#include "tally.h"

enum dv_rows_kind {
  DV_ROWS_FUNCTIONS,       /* that make accesses, or called one that does */
  DV_ROWS_SOURCE,          /* lines of source */
  DV_ROWS_SITES,           /* places that allocate heap blocks */
  DV_ROWS_PAGES,
  DV_ROWS_LINES,
  DV_ROWS_THREADS
};

/* As many are made, those with the most accesses.  */
#define DV_MOST_ROWS 5000
/* A site may have a million blocks: so many are framed in the plot.  */
#define DV_MOST_BOXES 5000

/* One row: what does not apply is 0 or NULL.  Texts are UTF-8.  */
struct dv_row {
  uint64_t key;            /* the same for the same thing in another tally */
  char *name;              /* function, "sort.c:42", address, thread */
  char *where;             /* "sort.c:42", or whose memory it is; "" */
  char *module;            /* base name; "" */
  const char *module_path; /* as the symbols have it; NULL */
  const char *file;        /* as the debug info has it */
  uint32_t line;
  const char *function;    /* as the symbols have it, for conditions */
  struct dv_tally_count count;   /* by itself */
  uint64_t inclusive;      /* accesses of it and of what it called */
  uint64_t blocks, bytes;  /* of sites */
  uint32_t block;          /* one of them; DG_NONE: no heap block */
  uint64_t address;        /* of pages and lines */
  uint32_t threads, writers;
  enum dv_sharing sharing;
  double false_share;      /* of its accesses */
  char *detail;            /* which thread has which bytes of a line; NULL */
  uint64_t first_icount, last_icount;
  uint32_t thread;
};

/* Bits: those that are made of the tally's tables of code.  */
#define DV_ROWS_OF_CODE                                                     \
  (1u << DV_ROWS_FUNCTIONS | 1u << DV_ROWS_SOURCE | 1u << DV_ROWS_THREADS)

static inline bool
dv_rows_kind_is_code (enum dv_rows_kind kind)
{
  return (DV_ROWS_OF_CODE >> kind & 1) != 0;
}

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_rows {
  enum dv_rows_kind kind;
  struct dv_tally *tally;  /* keeps the names alive */
  struct dv_items rows;    /* struct dv_row, those with the most accesses (or
                              inclusive ones) first */
  uint64_t n;              /* rows that there would be without a bound */
  uint64_t most;           /* accesses (or inclusive ones) of the first */
  /* The row of each of tally->code (functions, source) or tally->sites;
     DG_NONE: none.  */
  uint32_t *of;
};

struct dv_rows *dv_rows_ref (struct dv_rows *rows);
/* NULL is fine.  */
void dv_rows_unref (struct dv_rows *rows);

/* The share of the work that is in them; 1: all.  */
static inline double
dv_rows_done (const struct dv_rows *rows)
{
  return dv_rows_kind_is_code (rows->kind) ? rows->tally->code_done
                                           : rows->tally->done;
}

/* What counts of rows are shares of.  */
static inline const struct dv_tally_count *
dv_rows_total (const struct dv_rows *rows)
{
  return dv_rows_kind_is_code (rows->kind) ? &rows->tally->code_total
                                           : &rows->tally->total;
}

static inline const struct dv_row *
dv_rows_at (const struct dv_rows *rows, guint i)
{
  return &((const struct dv_row *) rows->rows.items)[i];
}

/* ---- Making ----------------------------------------------------------- */

struct dv_rows_maker {
  struct dv_rows *rows;
  dg_progress_fn progress;
  void *user;
  uint64_t done, total;
};

/* A step of the work; false: cancelled.  */
bool dv_rows_step (struct dv_rows_maker *maker);
/* Takes a row over, with its texts; false: there is no memory.  */
bool dv_rows_add (struct dv_rows *rows, struct dv_row *row);
struct dv_row *dv_rows_edit (struct dv_rows *rows, uint32_t i);
/* Sorts, cuts at DV_MOST_ROWS, and sets n, most and `of` by that: 0 or
   DG_ERR_NOMEM.  */
int dv_rows_finish (struct dv_rows *rows);

/* Valid UTF-8 of any string; "" of NULL.  */
char *dv_rows_text (const char *text);
/* "sort.c:42"; "" if the file is NULL.  */
char *dv_rows_place (const char *file, uint32_t line);
/* The frames of an address, at least one; unknown ones are NULL.  */
size_t dv_rows_frames (const struct dv_tally *tally, uint64_t address,
                       uint64_t icount, struct dg_frame *frames, size_t max);
#endif /* DV_ROWS_STATE_H */
