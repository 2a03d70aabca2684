/* sharing.h: the inside of "dg sharing", for the files that make it up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_H
#define DG_SHARING_H

#include "dg_analysis.h"
#include "libdatagrind.h"
#include "analysis/breakdown_mine.h"
#include "variables/shared_lines.h"
#include "sharing_counts.h"
#include "sharing_lines.h"

struct sharing {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_variables *variables;      /* NULL: there is nothing to name */
  const char *variable;                /* --variable, or NULL */
  bool is_uniform, by_line, wants_false;
  bool has_runtime;                    /* show what is the libraries' */
  bool is_restricted;                  /* not the whole log is asked for */
  bool is_sampled;                     /* of the log, and totals are scaled */
  bool by_instruction;                 /* for either of the last two */
  struct dg_units *units;              /* with --mine, else NULL */
  struct dg_thread_stacks *stacks;
  struct dg_shared_lines shared_lines; /* the services' */
  GMutex lock;                         /* of what workers add up in */
  struct sharing_counts counts;
  uint32_t *order;                     /* of its items, by address, variable,
                                          thread and instruction; made by
                                          sharing_rows */
  struct sharing_lines lines;          /* how they moved in this run */
  struct sharing_turns turns;          /* with --false: whose it was */
  /* What is left out, as it belongs to runtime libraries.  */
  uint64_t runtime_rows;               /* by sharing_rows */
  uint64_t runtime_accesses;           /* of these */
  uint64_t runtime_lines;              /* by sharing_report_false */
  struct dg_phases *phases;            /* with --false, else NULL */
  struct dg_contention *contention;    /* the same */
  uint64_t accesses;                   /* all that were seen */
  uint64_t shared;                     /* of them, to shared lines */
};

/* sharing_report.c */
int sharing_report (void *self, struct dg_report *report,
                    struct dg_error *err);

/* Whether the log has only a part of what the program did.  */
bool sharing_is_partial (const struct sharing *sharing);

/* ---- sharing_rows.c ----------------------------------------------------- */

/* An address that was a variable.  */
struct sharing_row {
  uint64_t address;
  const struct dg_named *named;
  uint32_t variable;
  uint64_t reads, writes;
  const struct dg_pair *threads;       /* descending by accesses */
  size_t n_threads;
  uint32_t first, n;                   /* items: order[first] and so on */
};

/* All that more than one thread accessed, heaviest first; if the user wants,
   only what is shared uniformly.  Pairs are in *pairs, which must live as
   long.  NULL, *err: no memory.  */
GArray *sharing_rows (struct sharing *sharing, GArray **pairs,
                      struct dg_error *err);
/* Uniform sharing: of the counts of threads in descending order the first is
   less than twice the second.  */
bool sharing_is_uniform (const struct dg_pair *threads, size_t n);

/* Whether memory of runtime libraries with so many writes is left out.  What
   is written all the time, such as the lock of a stream that all threads print
   to, concerns the program.  */
bool sharing_is_left_out (const struct sharing *sharing, uint64_t writes);

/* A variable's accesses in one line of code.  */
struct sharing_place {
  const struct dg_named *named;
  uint32_t variable;
  const char *function, *file;         /* NULL: not known */
  uint32_t line;
  const char *module;
  uint64_t code;                       /* in the module, if there is no
                                          function; without one: its address */
  uint64_t address;                    /* the lowest of the variable's */
  uint64_t reads, writes;
  const struct dg_pair *threads;
  size_t n_threads;
};
/* Of all of these rows, heaviest first.  */
GArray *sharing_places (struct sharing *sharing, const GArray *rows,
                        GArray **pairs);

/* Puts the pairs of a group together by key, descending by count, then by
   key, and appends them to `to`; returns how many.  */
size_t sharing_add_pairs (GArray *to, struct dg_pair *pairs, size_t n);

/* "file.c:12 (function)", or what is known of it; to be freed.  */
char *sharing_place_text (const struct sharing_place *place);

/* sharing_false.c: what --false tells; behind sharing_rows.  */
int sharing_report_false (struct sharing *sharing, struct dg_report *report,
                          struct dg_error *err);

#endif /* DG_SHARING_H */
