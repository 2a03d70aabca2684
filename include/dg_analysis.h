/* dg_analysis.h: the contract of an analysis of a Datagrind log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Contents
     1  Input         struct dg_feed, dg_batch: what an analysis is given
     2  Shards        struct dg_plan: how the log is divided among workers
     3  Options       struct dg_option, dg_setup: what the user chose
     4  Snapshots     struct dg_snapshot: sums of an interval
     5  Analysis      struct dg_analysis: the callbacks
     6  Report        struct dg_report: figures, tables and files
     7  Names         dg_variables, dg_finder: addresses -> variables and sites
     8  Plug-ins      DG_PLUGIN

   An analysis is one constant struct dg_analysis.  Built-in ones are
   lib/analyses/NAME.c and a line in ANALYSES of lib/Makefile.am; others are
   shared objects (section 8, docs/adding-an-analysis.md).  It prints nothing
   and starts no threads: it is called, on the threads of dg_analyse, and
   answers through a report.

   The one law: results do not depend on the number of workers.  Every callback
   that may run beside others touches only the data of its shard and its
   worker; and what workers hold must add up to the same whatever shards each
   of them had (sums, maxima, sets).  What depends on the order of shards is
   done in `merge`, which is called in that order.

   Errors are those of the library: a negative enum dg_code, with *err filled.
   dg_analyse stops at the first, in the order of the log, and puts the name
   of the analysis and the shard before the message.  */

#ifndef LIBDATAGRIND_ANALYSIS_H
#define LIBDATAGRIND_ANALYSIS_H

#include <stdio.h>

#include "libdatagrind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  Input -------------------------------------------------------- */

enum dg_shard_kind {
  DG_SHARD_WHOLE = 0,      /* one shard: everything, in the order of the log */
  DG_SHARD_THREAD,         /* one for each thread of the program */
  DG_SHARD_CHUNK,          /* one for each of dg_log_chunks */
  DG_SHARD_PART            /* plan.parts shards, each of which is given
                              everything in order and takes its part of it,
                              such as some of the sets of a cache */
};

/* Where a shard has come to.  The framework's; it lives as long as the shard
   and moves with each batch.  Counts are of the shard and of what the user's
   filters leave, and are those before the batch.  */
struct dg_feed {
  const struct dg_log *log;
  enum dg_shard_kind kind;
  uint32_t index;          /* of the shard: of the chunk, the part, or from 0
                              in the order of the threads' numbers */
  uint32_t n_shards;
  uint32_t thread;         /* of all of its runs; 0 if they are of several */
  uint32_t page_size, line_size;         /* bytes */
  uint64_t runs, instructions, accesses;
  uint64_t first_icount, end_icount;     /* of the shard, as far as is known
                                            before it is read */
  uint64_t first_ns, end_ns;             /* these by the log's clock; 0
                                            behind its last reading, and
                                            without one */
};

/* What is given at a time: some hundred runs, small enough for a cache, all of
   one thread, never across the end of an interval.  Valid during the call.

   Runs are those of dg_reader, with three differences.  A run may begin within
   its block: instructions first_instr to n_instrs - 1 count, while icount is
   still that of instruction 0.  The address of an access that a filter left
   out is 0, as if it had not been made.  And if the plan of no analysis needs
   addresses, `addresses` may be NULL: then all slots from that of first_instr
   on were made.  */
struct dg_batch {
  const struct dg_run *runs;
  size_t n_runs;
  /* DG_VIEW_ACCESSES: the accesses of the runs, those made, in order.  */
  const struct dg_access *accesses;
  size_t n_accesses;
  /* DG_VIEW_RECORDS: one record (and no runs), as dg_reader_record gives
     it.  */
  const struct dg_record *record;
  uint64_t interval;       /* from 1; 0 without --interval */
};

enum dg_view {
  DG_VIEW_RUNS = 0,        /* the quickest */
  DG_VIEW_ACCESSES,        /* runs and their accesses */
  DG_VIEW_RECORDS          /* the file's records; DG_SHARD_WHOLE only; filters
                              do not apply */
};

/* ---- 2  Shards ------------------------------------------------------- */

/* Filled by `plan`.  */
struct dg_plan {
  enum dg_view view;
  enum dg_shard_kind shard;
  uint32_t parts;          /* DG_SHARD_PART: how many, 1 to 64 */
  bool needs_addresses;    /* true unless `plan` says otherwise */
  bool needs_contexts;     /* the same; else those of runs may be DG_NONE, and
                              much memory and time is saved */
};

/* ---- 3  Options ------------------------------------------------------ */

enum dg_option_type {
  DG_OPTION_FLAG = 0, /* --name */
  DG_OPTION_NUMBER,   /* --name=N: what is counted, by the grammar of
                         dg_number.h */
  DG_OPTION_REAL,     /* --name=0.01 */
  DG_OPTION_TEXT,
  DG_OPTION_FILE,
  DG_OPTION_CHOICE, /* one of `choices` */
  DG_OPTION_BYTES   /* as NUMBER, but a size */
};

/* An option of an analysis.  From these come the parsing, --help, and the
   test of the manual page.  The end of a table has name NULL.  Options of the
   same name in several analyses of one command are given to all of them.  */
struct dg_option {
  const char *name;        /* without dashes */
  enum dg_option_type type;
  const char *value;       /* what --help calls the value: "N" */
  const char *fallback;    /* as it would be typed; NULL: not set */
  const char *choices;     /* "function,line,thread"; NULL if no choice */
  const char *help;        /* a line */
};

/* Would this value do for an option (NULL: none is given)?  0, or
   DG_ERR_INVALID with a message that begins with the option's name.  */
DG_API int dg_option_check (const struct dg_option *option, const char *value,
                            struct dg_error *err);

/* What an analysis may ask about the log and the command, from `create` on
   until it is freed.  Any thread.  Options are asked for by name; a name that
   is not in the table is a mistake of the analysis and asserted.  */
struct dg_setup;

DG_API const struct dg_log *dg_setup_log (const struct dg_setup *setup);
DG_API unsigned dg_setup_workers (const struct dg_setup *setup);
/* Whether the user gave it, or it has a fallback.  */
DG_API bool dg_setup_has (const struct dg_setup *setup, const char *option);
DG_API bool dg_setup_flag (const struct dg_setup *setup, const char *option);
DG_API uint64_t dg_setup_number (const struct dg_setup *setup,
                                 const char *option);
DG_API double dg_setup_real (const struct dg_setup *setup, const char *option);
/* NULL if it is not set.  Of a choice: one of the choices.  */
DG_API const char *dg_setup_text (const struct dg_setup *setup,
                                  const char *option);
/* Rows that tables should have: --top; 0: all.  */
DG_API uint64_t dg_setup_top (const struct dg_setup *setup);
/* Whether there are intervals.  */
DG_API bool dg_setup_has_intervals (const struct dg_setup *setup);
/* Whether filters leave something out.  */
DG_API bool dg_setup_is_filtered (const struct dg_setup *setup);

/* Made when they are first asked for, shared by all analyses of the command;
   NULL on failure.  */
DG_API struct dg_symbols *dg_setup_symbols (struct dg_setup *setup,
                                            struct dg_error *err);
DG_API const struct dg_space *dg_setup_space (struct dg_setup *setup,
                                              struct dg_error *err);
struct dg_variables;
DG_API struct dg_variables *dg_setup_variables (struct dg_setup *setup,
                                                struct dg_error *err);

/* ---- 4  Snapshots ---------------------------------------------------- */

/* Begins an analysis's own struct, made by `snapshot`.  The framework fills
   it.  */
struct dg_snapshot {
  uint64_t shard;          /* index; DG_NEVER: of all (combine) */
  uint64_t interval;       /* from 1, ascending */
  uint64_t end_icount, end_ns;     /* of the interval; ns 0: not known */
  uint64_t instructions;           /* of the shard, up to here */
  uint64_t instructions_delta;     /* of it, in this interval */
};

/* ---- 5  Analysis ----------------------------------------------------- */

struct dg_report;

#define DG_ANALYSIS_VERSION 1

/* `self` is what create returned.  Callbacks marked * may be NULL.  The order
   is that of the calls.  "One thread" is one at a time, not always the
   same.  */
struct dg_analysis {
  uint32_t version;        /* DG_ANALYSIS_VERSION */
  uint32_t size;           /* sizeof (struct dg_analysis) */
  const char *name;        /* of the command: "counts" */
  const char *summary;     /* a line: "Counts ..." */
  const char *details;     /* * lines behind the options in --help */
  const struct dg_option *options;       /* * */

  /* Checks options, makes self; NULL and *err on failure.  The log is loaded.
     One thread.  */
  void *(*create) (struct dg_setup *setup, struct dg_error *err);
  /* Says what it wants.  The plan has its defaults: runs, chunks,
     addresses.  One thread.  */
  int (*plan) (void *self, struct dg_plan *plan, struct dg_error *err);

  /* * Data of a worker.  Made once for each on that worker's thread, before
     its first shard.  */
  void *(*worker_new) (void *self, struct dg_error *err);

  /* A shard, before its first batch, on the worker that is given its batches;
     not called for shards without any.  worker: what worker_new made, or
     NULL; in other shards than those of chunks, the worker may be another one
     with each batch, and NULL is given.  May return `worker` if it needs no
     data of its own.  */
  void *(*shard_new) (void *self, const struct dg_feed *feed, void *worker,
                      struct dg_error *err);
  /* The next batch of a shard, in order.  No other call on the same shard runs
     beside it.  */
  int (*shard_feed) (void *self, void *shard, const struct dg_feed *feed,
                     const struct dg_batch *batch, struct dg_error *err);
  /* * The shard was fed all of it.  */
  int (*shard_end) (void *self, void *shard, const struct dg_feed *feed,
                    struct dg_error *err);
  /* * Takes over what a shard found.  One thread, in the order of the shards,
     as early as that allows; the shard is freed then.  */
  int (*merge) (void *self, void *shard, const struct dg_feed *feed,
                struct dg_error *err);
  /* * Not called for what is the worker's.  */
  void (*shard_free) (void *self, void *shard);

  /* * Takes over what a worker holds.  One thread, after all shards.  */
  int (*worker_merge) (void *self, void *worker, struct dg_error *err);
  void (*worker_free) (void *self, void *worker);    /* * */

  /* Intervals; all * together: without them, --interval is refused.

     snapshot: the shard's sums of the interval that just ended, or of the part
     of it that the shard has (chunks), and begins new ones.  Called behind the
     last batch of an interval, only if the shard was given something in it
     or, of threads and parts and the whole, had been before.
     combine: those of an interval, of all shards that have one, ordered by
     shard -> that of the interval, never NULL but on failure.  `latest` are,
     for each shard that has come so far, its latest one up to this interval,
     for what is cumulative.  One thread, in the order of the intervals, after
     all shards.
     finalise: all of them, to be edited or dropped (a dropped one is the
     analysis's to free; *n is what is left).  May be NULL.
     print: may be called several times, frees nothing.
     release: frees one.  */
  struct dg_snapshot *(*snapshot) (void *self, void *shard,
                                   const struct dg_feed *feed,
                                   struct dg_error *err);
  struct dg_snapshot *(*combine) (void *self,
                                  struct dg_snapshot *const *parts, size_t n,
                                  struct dg_snapshot *const *latest,
                                  size_t n_latest, struct dg_error *err);
  int (*finalise) (void *self, struct dg_snapshot **snapshots, size_t *n,
                   struct dg_error *err);
  int (*print) (void *self, struct dg_snapshot *const *snapshots, size_t n,
                struct dg_report *report, struct dg_error *err);
  void (*release) (void *self, struct dg_snapshot *snapshot);

  /* Once, after all data.  One thread; may take long and then calls
     dg_report_pace now and then.  */
  int (*report) (void *self, struct dg_report *report, struct dg_error *err);
  /* After all else, also after failures.  */
  void (*free) (void *self);
};

/* ---- 6  Report ------------------------------------------------------- */

/* Figures with a key (for --json) and a title (for people); tables; notes;
   files.  What has no title (NULL) is in JSON only, what has no key as text
   only; what is in a group that lacks one is then shown as if it were outside.
   Texts are copied.  One thread.  Running out of memory is noticed by
   dg_analyse at the end.  Keys are lower case with '_', but for names that
   are others' (Ir).  */

enum dg_unit {
  DG_UNIT_COUNT = 0,       /* 1,234,567; in JSON 1234567 */
  DG_UNIT_BYTES,           /* 1.2 MiB; in JSON bytes */
  DG_UNIT_NUMBER,          /* a plain number, such as a line's: 1234 */
  DG_UNIT_ADDRESS,         /* 0x1234; in JSON "0x1234" */
  DG_UNIT_NS,              /* 1.23 ms; in JSON ns */
  DG_UNIT_REAL,            /* 3.25 */
  DG_UNIT_PERCENT,         /* of a share 0..1: 12.3 %; in JSON the share */
  DG_UNIT_TEXT,
  DG_UNIT_PAIRS,           /* 1: 500, 2: 300; in JSON [[1,500],[2,300]] */
  DG_UNIT_LIST,            /* the keys of pairs: 1 2; in JSON [1,2] */
  DG_UNIT_BOOLEAN,         /* not 0: yes; in JSON true */
  DG_UNIT_STEP             /* signed, as an int64_t: +8; in JSON 8 */
};

struct dg_pair { uint64_t key, count; };

/* A value; which member counts is said by the unit.  */
struct dg_cell {
  uint64_t number;
  double real;
  const char *text;        /* NULL: nothing; in JSON null */
  const struct dg_pair *pairs;
  size_t n_pairs;
  bool is_empty;           /* nothing, whatever the unit */
};
#ifdef __cplusplus
/* What a cell is that has one member: C++ has no compound literals.  */
static inline struct dg_cell
dg_cell_of (uint64_t number, double real, const char *text,
            const struct dg_pair *pairs, size_t n_pairs, bool is_empty)
{
  struct dg_cell cell = {number, real, text, pairs, n_pairs, is_empty};

  return cell;
}
#define DG_CELL_NUMBER(n) (dg_cell_of ((n), 0, NULL, NULL, 0, false))
#define DG_CELL_REAL(x)   (dg_cell_of (0, (x), NULL, NULL, 0, false))
#define DG_CELL_TEXT(t)   (dg_cell_of (0, 0, (t), NULL, 0, false))
#define DG_CELL_PAIRS(p, n) (dg_cell_of (0, 0, NULL, (p), (n), false))
#define DG_CELL_EMPTY     (dg_cell_of (0, 0, NULL, NULL, 0, true))
#else
#define DG_CELL_NUMBER(n) ((struct dg_cell){.number = (n)})
#define DG_CELL_REAL(x)   ((struct dg_cell){.real = (x)})
#define DG_CELL_TEXT(t)   ((struct dg_cell){.text = (t)})
#define DG_CELL_PAIRS(p, n) ((struct dg_cell){.pairs = (p), .n_pairs = (n)})
#define DG_CELL_EMPTY     ((struct dg_cell){.is_empty = true})
#endif

enum dg_column_flags {
  DG_COLUMN_JSON_ONLY = 1, DG_COLUMN_TEXT_ONLY = 2,
  DG_COLUMN_LAST = 4,      /* a name that may be long: shown last, unpadded */
  DG_COLUMN_BAR = 8        /* a picture: the first to go where room is short */
};
struct dg_column {
  const char *key, *title;
  enum dg_unit unit;
  unsigned flags;          /* enum dg_column_flags */
};

/* One figure.  */
DG_API void dg_report_value (struct dg_report *report, const char *key,
                             const char *title, enum dg_unit unit,
                             struct dg_cell value);
DG_API void dg_report_count (struct dg_report *report, const char *key,
                             const char *title, uint64_t count);
/* What follows, up to dg_report_end, is an object of that key in JSON, and
   stands under the title as text.  Groups nest.  */
DG_API void dg_report_begin (struct dg_report *report, const char *key,
                             const char *title);
DG_API void dg_report_end (struct dg_report *report);
/* A table: in JSON a list of objects.  Rows are shown in the order in which
   they are added, the most important first; text shows the first --top ones
   and says how many there are.  n: columns; the cells are as many.  The table
   is the report's.  */
struct dg_rows;
DG_API struct dg_rows *dg_report_table (struct dg_report *report,
                                        const char *key, const char *title,
                                        const struct dg_column *columns,
                                        size_t n);
DG_API void dg_rows_add (struct dg_rows *rows, const struct dg_cell *cells);
/* It is not a ranking, such as that of intervals: --top does not cut it.  */
DG_API void dg_rows_show_all (struct dg_rows *rows);
/* Lines for people only: what a figure means, what to do.  */
DG_API void dg_report_note (struct dg_report *report, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Text as it is, such as an annotated source: in JSON a string.  */
DG_API void dg_report_text (struct dg_report *report, const char *key,
                            const char *title, const char *text);
/* A file that the user asked for ("-": standard output, instead of the
   report's text).  It replaces what was there when all went well.  The
   report's to close.  NULL and *err on failure.  */
DG_API FILE *dg_report_file (struct dg_report *report, const char *path,
                             struct dg_error *err);
/* What was looked for is wrong with the log: all is shown, and the command's
   exit status is 1.  */
DG_API void dg_report_fail (struct dg_report *report);
/* Reports the progress of a long report, in any unit: 0, or
   DG_ERR_CANCELLED.  */
DG_API int dg_report_pace (struct dg_report *report, uint64_t done,
                           uint64_t total, struct dg_error *err);

/* ---- 7  Names -------------------------------------------------------- */

/* Variables are numbered as they are met; a number is the same for everybody
   who asks the same dg_variables, but may be another in the next run: sort by
   names, never by numbers.  0 is <NA>.  */

enum dg_variable_kind {
  DG_VARIABLE_NONE = 0,    /* <NA> */
  DG_VARIABLE_HEAP,        /* blocks of one type, or else of one place */
  DG_VARIABLE_RANGE,       /* a range that the program tracks */
  DG_VARIABLE_GLOBAL,
  DG_VARIABLE_LOCAL,       /* or a stack, where no variable is known */
  DG_VARIABLE_THREAD       /* thread-local: one for each thread */
};

struct dg_named {
  enum dg_variable_kind kind;
  const char *name;        /* "node.next", "<global>.table", "main().i",
                              "<thread 2>.counter", "malloc at parse.c:12",
                              "<NA>" */
  const char *whole;       /* without the field: "node" */
  const char *type;        /* of it; NULL: unknown */
  const char *file;        /* where it is allocated or declared; or NULL */
  uint32_t line;
  uint32_t column;         /* of what allocates; 0: unknown */
};

/* One worker's memory of what was asked lately.  Not for two threads at
   once.  */
struct dg_finder;
DG_API struct dg_finder *dg_finder_new (struct dg_variables *variables,
                                        struct dg_error *err);
DG_API void dg_finder_free (struct dg_finder *finder);
/* The variable over the first byte of an access.  Fast for accesses that come
   in the order of the log.  */
DG_API uint32_t dg_finder_variable (struct dg_finder *finder,
                                    const struct dg_access *access);
/* The place of allocation of the heap block over it: a number for each call
   stack that allocated; 0: no heap block.  */
DG_API uint32_t dg_finder_site (struct dg_finder *finder,
                                const struct dg_access *access);
/* The heap block over it: its index of dg_log_block, or DG_NONE.  */
DG_API uint32_t dg_finder_block (struct dg_finder *finder,
                                 const struct dg_access *access);
/* What a number stands for.  Any thread; lives as long as the variables.  */
DG_API const struct dg_named *
dg_variables_named (struct dg_variables *variables, uint32_t variable);
/* Of a site: name is "function (file:line)" of the innermost frame that is not
   an allocator; *stack receives the allocation stack.  */
DG_API const struct dg_named *
dg_variables_site (struct dg_variables *variables, uint32_t site,
                   struct dg_stack *stack);

/* ---- 8  Plug-ins ----------------------------------------------------- */

/* In one source file of a shared object, which is linked with nothing of
   ours:  DG_PLUGIN (&my_analysis);  */
#define DG_PLUGIN_SYMBOL "dg_plugin_analysis"
#define DG_PLUGIN(analysis)                                          \
  __attribute__ ((visibility ("default"))) extern                    \
    const struct dg_analysis *const dg_plugin_analysis;              \
  const struct dg_analysis *const dg_plugin_analysis = (analysis)

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ANALYSIS_H */
