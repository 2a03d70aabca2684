/* sharing.h: the inside of "dg sharing", for the files that make it up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_H
#define DG_SHARING_H

#include "dg_analysis.h"
#include "libdatagrind.h"
#include "analysis/breakdown_mine.h"
#include "sharing_cells.h"
#include "sharing_counts.h"
#include "sharing_lines.h"
#include "space/owner_changes.h"
#include "variables/shared_lines.h"
#include "variables/variables_locals.h"

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
  struct sharing_sums sums;            /* what workers counted */
  struct sharing_lines lines;          /* how they moved in this run */
  struct sharing_turns turns;          /* with --false: whose it was */
  uint64_t runtime_lines;              /* that sharing_report_false leaves out,
                                          as they are runtime libraries' */
  struct dg_phases *phases;            /* with --false, else NULL */
  struct dg_contention *contention;    /* the same */
  uint64_t accesses;                   /* all that were seen */
  uint64_t shared;                     /* of them, to shared lines */
};

/* ---- sharing_worker.c: what is counted by address ----------------------- */

/* A worker keeps what it found out about so many pages.  */
#define SHARING_PAGES 256

struct sharing_recent {
  uint64_t page, shared;
  bool is_stack;                       /* a part of the page may be a stack */
};

struct sharing_worker {
  struct sharing *sharing;
  struct dg_finder *finder;
  struct sharing_cells cells;
  uint64_t in_cells;                   /* accesses, at most */
  const struct dg_owner_changes *changes;
  struct dg_owner_changes_cursor cursor;
  unsigned window;                     /* of the cursor; 0: blocks do not
                                          pass */
  uint64_t now;                        /* icount of the latest access */
  struct dg_thread_stack own;          /* of the latest thread */
  bool others_touch_own;
  struct sharing_counts counts;
  struct sharing_recent recent[SHARING_PAGES];
  uint64_t accesses, shared;
  uint64_t phase_since, phase_until;   /* of the latest thread's phase */
  uint32_t phase_thread, phase;
  struct sharing_block_ends ends;
  GHashTable *wanted;                  /* of --variable: number -> answer */
};

/* The data of a shard, which is a chunk of the log.  */
struct sharing_shard {
  struct sharing_worker *worker;
  struct sharing_lines lines;
  struct sharing_turns turns;
  struct dg_contention *contention;    /* NULL: without */
  bool failed;                         /* no memory */
};

void *sharing_worker_new (void *self, struct dg_error *err);
int sharing_worker_merge (void *self, void *data, struct dg_error *err);
void sharing_worker_free (void *self, void *data);

/* Counts an access.  Its first byte is in a shared line.  */
void sharing_worker_count (struct sharing_worker *worker,
                           const struct dg_access *access, bool is_stack);
/* Around the accesses of a shard, which begins at that moment.  */
void sharing_worker_begin (struct sharing_worker *worker, uint64_t icount);
void sharing_worker_end (struct sharing_worker *worker);
/* Finds variables for all that was counted without, if it is much.  */
void sharing_worker_pause (struct sharing_worker *worker);

/* ---- sharing_feed.c: accesses of shards --------------------------------- */

void *sharing_shard_new (void *self, const struct dg_feed *feed, void *worker,
                         struct dg_error *err);
int sharing_shard_feed (void *self, void *data, const struct dg_feed *feed,
                        const struct dg_batch *batch, struct dg_error *err);
int sharing_shard_end (void *self, void *data, const struct dg_feed *feed,
                       struct dg_error *err);
int sharing_shard_merge (void *self, void *data, const struct dg_feed *feed,
                         struct dg_error *err);
void sharing_shard_free (void *self, void *data);

/* ---- sharing_report.c --------------------------------------------------- */

int sharing_report (void *self, struct dg_report *report,
                    struct dg_error *err);

/* Whether the log has only a part of what the program did.  */
bool sharing_is_partial (const struct sharing *sharing);

/* ---- sharing_rows.c ----------------------------------------------------- */

/* An address that was a variable, which more than one thread accessed.  */
struct sharing_row {
  uint64_t address;
  const struct dg_named *named;
  uint32_t variable;
  uint64_t reads, writes;
  const struct dg_pair *threads;       /* descending by accesses */
  size_t n_threads;
  const struct dg_sum *sums;           /* by thread and instruction */
  guint n;                             /* of these */
  guint first, first_pair;             /* for sharing_rows.c */
};

/* Goes through all of them, ascending by address, then by name; if the user
   wants, only through what is shared uniformly.  The sums have been
   settled.  */
struct sharing_rows {
  struct sharing *sharing;
  struct dg_sums_cursor cursor;
  /* Of the latest address: struct sharing_row, dg_sum, dg_pair.  */
  GArray *rows, *sums, *pairs;
  guint at;                /* the next of these rows */
  /* Left out until now, as they belong to runtime libraries.  */
  uint64_t runtime_rows, runtime_accesses;
};
void sharing_rows_begin (struct sharing_rows *rows, struct sharing *sharing);
/* Valid until the next call; NULL: there is no other.  */
const struct sharing_row *sharing_rows_next (struct sharing_rows *rows);
void sharing_rows_end (struct sharing_rows *rows);

/* Uniform sharing: of the counts of threads in descending order the first is
   less than twice the second.  */
bool sharing_is_uniform (const struct dg_pair *threads, size_t n);
/* Whether memory of runtime libraries with so many writes is left out.  What
   is written all the time, such as the lock of a stream that all threads print
   to, concerns the program.  */
bool sharing_is_left_out (const struct sharing *sharing, uint64_t writes);
/* By name and place.  */
int sharing_compare_named (const struct dg_named *x,
                           const struct dg_named *y);
/* Puts the pairs of a group together by key, descending by count, then by
   key, and appends them to `to`; returns how many.  */
size_t sharing_add_pairs (GArray *to, struct dg_pair *pairs, size_t n);

/* ---- sharing_places.c --------------------------------------------------- */

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

/* What is added up to places.  */
struct sharing_pieces {
  struct sharing *sharing;
  GArray *all;
  struct dg_lookup lookup;
};
void sharing_pieces_init (struct sharing_pieces *pieces,
                          struct sharing *sharing);
void sharing_pieces_add (struct sharing_pieces *pieces,
                         const struct dg_sum *sums, size_t n);
/* Makes places of the pieces, which are freed, heaviest first.  Pairs are in
   *pairs, which must live as long.  */
GArray *sharing_places (struct sharing_pieces *pieces, GArray **pairs);

/* "file.c:12 (function)", or what is known of it; to be freed.  */
char *sharing_place_text (const struct sharing_place *place);

/* ---- sharing_contents.c ------------------------------------------------- */

/* A line at a time.  */
struct sharing_contents {
  struct sharing *sharing;
  const struct dg_line_verdict *verdict;
  struct dg_sums_cursor cursor;
  GArray *sums;            /* struct dg_sum: what was counted there */
};

void sharing_contents_init (struct sharing_contents *contents,
                            struct sharing *sharing);
void sharing_contents_fini (struct sharing_contents *contents);
/* Whether anything was counted in a line, and whether all of it belongs to
   runtime libraries; it is quick if lines ascend.  */
bool sharing_contents_has (struct sharing_contents *contents,
                           const struct dg_line_verdict *verdict,
                           bool *is_runtime);
/* Loads a line, for the functions that follow.  */
void sharing_contents_load (struct sharing_contents *contents,
                            const struct dg_line_verdict *verdict);

/* A variable in a line.  */
struct sharing_content {
  uint64_t address;        /* its lowest byte there */
  const struct dg_named *named;
  uint64_t reads, writes;
  const struct dg_sum *sums;           /* by thread and instruction */
  guint n;                             /* of these */
};

/* The next address and variable, from *at, which is 0 at first.  */
bool sharing_contents_next (const struct sharing_contents *contents,
                            guint *at, struct sharing_content *out);
/* Of an address that a stack has used again and again, hardly anything is told
   by what was there in passing.  */
bool sharing_contents_is_slight (const struct sharing_contents *contents,
                                 uint64_t accesses);

/* Its variables, each once: what is used most comes first.  For the functions
   below; to be freed.  */
GArray *sharing_contents_names (const struct sharing_contents *contents);
/* The first ones, in a line of text; to be freed.  */
char *sharing_contents_text (const struct sharing_contents *contents,
                             const GArray *names);
/* What would help, or ""; to be freed.  */
char *sharing_contents_advice (const struct sharing_contents *contents,
                               const GArray *names);

/* ---- sharing_false.c ---------------------------------------------------- */

/* What --false tells.  */
int sharing_report_false (struct sharing *sharing, struct dg_report *report,
                          struct dg_error *err);

#endif /* DG_SHARING_H */
