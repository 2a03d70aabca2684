/* dg_analysis.h: the interface of analyses of Datagrind logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Contents
     1  Input         struct dg_feed, dg_batch: the data that analyses get
     2  Shards        struct dg_plan: how the log is divided among workers
     3  Options       struct dg_option, dg_setup: the user's options
     4  Snapshots     struct dg_snapshot: sums of an interval
     5  Analysis      struct dg_analysis: the callbacks
     6  Report        struct dg_report: figures, tables and files
     7  Names         dg_variables, dg_finder: addresses -> variables and sites
     8  Plug-ins      DG_PLUGIN

   An analysis is one constant struct dg_analysis.  A built-in one is
   lib/analyses/NAME/NAME.c and a line in ANALYSES of lib/Makefile.am; others
   are shared objects (section 8, docs/adding-an-analysis.md).  It prints
   nothing and starts no threads: it is called on the threads of dg_analyse,
   and fills a report.

   The most important rule: results do not depend on the number of workers.  A
   callback that may run in parallel with others modifies only the data of its
   shard and its worker, and the data of workers must add up to the same result
   for any distribution of shards (sums, maxima, sets).  Whatever depends on
   the order of shards is done by `merge`, which is called in this order.

   Errors are those of the library: a negative enum dg_code, with *err filled.
   dg_analyse stops at the first error, in the order of the log, and puts the
   name of the analysis and the shard before the message.  */

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
  DG_SHARD_PART            /* plan.parts shards, each of which gets
                              everything in order and uses its part of it,
                              such as some of the sets of a cache */
};

/* The position of a shard.  It belongs to the framework, lives as long as the
   shard, and is updated for each batch.  Counts are those of the shard before
   the batch, after filtering; instructions as moments have them, with each
   repetition (dg_run_instructions).  */
struct dg_feed {
  const struct dg_log *log;
  enum dg_shard_kind kind;
  uint32_t index;          /* of the shard: of the chunk, the part, or from 0
                              in the order of the threads' numbers */
  uint32_t n_shards;
  uint32_t thread;         /* of all of its runs; 0 for several threads */
  uint32_t page_size, line_size;         /* bytes */
  uint64_t runs, instructions, accesses;
  uint64_t first_icount, end_icount;     /* of the shard, if known before it is
                                            read */
  uint64_t first_ns, end_ns;             /* these by the log's clock; 0 after
                                            its last reading and without a
                                            clock */
};

/* Some hundred runs, small enough for a cache, of one thread, never across the
   end of an interval.  Valid during the call.

   Runs are those of dg_reader, with three differences.  A run may start within
   its block: instructions first_instr to n_instrs - 1 count, but icount is
   that of instruction 0.  The address of an access that a filter excludes is
   0, as if it had not been made.  And if no analysis needs addresses,
   `addresses` may be NULL: then all slots from that of first_instr on were
   made.  */
struct dg_batch {
  const struct dg_run *runs;
  size_t n_runs;
  /* DG_VIEW_ACCESSES: the accesses of the runs that were made, in order.  */
  const struct dg_access *accesses;
  size_t n_accesses;
  /* DG_VIEW_RECORDS: one record (and no runs), as from dg_reader_record.  */
  const struct dg_record *record;
  uint64_t interval;       /* from 1; 0 without --interval */
  /* NULL: each run was once.  Otherwise, run i was times[i] times, and is the
     first of these; only for analyses that take this (dg_plan).  */
  const uint32_t *times;
  /* If the log is a sample of its run: the number of the window that the batch
     is in, from 1.  The log does not say what the program did between two
     windows.  0: the log is not a sample.  */
  uint64_t window;
};

enum dg_view {
  DG_VIEW_RUNS = 0,        /* the fastest */
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
  bool needs_addresses;    /* default: true */
  bool needs_contexts;     /* default: true; otherwise those of runs may be
                              DG_NONE, which saves much memory and time */
  bool takes_alike;        /* default: false; otherwise a shard's runs of the
                              same instructions in the same context may come
                              once, with their number (dg_batch.times), and
                              in any order, which saves most of the time.
                              DG_VIEW_RUNS and DG_SHARD_CHUNK only */
  /* default: 0, all runs are needed.  Otherwise, of stretches of `stretch`
     instructions, only every one_in-th is, from the first on: the chunks
     between may be left out, if no analysis of the pass needs them.  */
  uint64_t stretch, one_in;
};

/* ---- 3  Options ------------------------------------------------------ */

enum dg_option_type {
  DG_OPTION_FLAG = 0, /* --name */
  DG_OPTION_NUMBER,   /* --name=N: a count, by the grammar of
                         dg_number.h */
  DG_OPTION_REAL,     /* --name=0.01 */
  DG_OPTION_TEXT,
  DG_OPTION_FILE,
  DG_OPTION_CHOICE, /* one of `choices` */
  DG_OPTION_BYTES   /* as NUMBER, but a size */
};

/* An option of an analysis, from which parsing, --help and the test of the
   manual page are made.  A table ends with name NULL. An option that several
   analyses of a command have is passed to all of them.  */
struct dg_option {
  const char *name;        /* without dashes */
  enum dg_option_type type;
  const char *value;       /* the value in --help: "N" */
  const char *fallback;    /* the default, as typed; NULL: not set */
  const char *choices;     /* "function,line,thread"; NULL if no choice */
  const char *help;        /* a line */
};

/* Whether this value is valid for an option (NULL: without value).  0, or
   DG_ERR_INVALID with a message that begins with the option's name.  */
DG_API int dg_option_check (const struct dg_option *option, const char *value,
                            struct dg_error *err);

/* Information about the log and the command, from `create` on until the
   analysis is freed.  Any thread.  Options are identified by name; a name that
   is not in the table is an error of the analysis and asserted.  */
struct dg_setup;

DG_API const struct dg_log *dg_setup_log (const struct dg_setup *setup);
DG_API unsigned dg_setup_workers (const struct dg_setup *setup);
/* Whether the user gave it or it has a default.  */
DG_API bool dg_setup_has (const struct dg_setup *setup, const char *option);
DG_API bool dg_setup_flag (const struct dg_setup *setup, const char *option);
DG_API uint64_t dg_setup_number (const struct dg_setup *setup,
                                 const char *option);
DG_API double dg_setup_real (const struct dg_setup *setup, const char *option);
/* NULL if it is not set.  For a choice, one of the choices.  */
DG_API const char *dg_setup_text (const struct dg_setup *setup,
                                  const char *option);
/* The number of rows of tables: --top; 0: all.  */
DG_API uint64_t dg_setup_top (const struct dg_setup *setup);
/* Whether there are intervals.  */
DG_API bool dg_setup_has_intervals (const struct dg_setup *setup);
/* What the program that runs the analyses has for its own: the `user` of
   dg_analyse_options.  */
DG_API void *dg_setup_user (const struct dg_setup *setup);
/* Whether the log is a sample of its run, and totals are scaled, so that the
   report should say what else does not apply to the whole.  */
DG_API bool dg_setup_is_sampled (const struct dg_setup *setup);
/* Whether filters exclude anything.  */
DG_API bool dg_setup_is_filtered (const struct dg_setup *setup);

/* Made by the first call, shared by all analyses of the command; NULL on
   failure.  */
DG_API struct dg_symbols *dg_setup_symbols (struct dg_setup *setup,
                                            struct dg_error *err);
DG_API const struct dg_space *dg_setup_space (struct dg_setup *setup,
                                              struct dg_error *err);
struct dg_variables;
DG_API struct dg_variables *dg_setup_variables (struct dg_setup *setup,
                                                struct dg_error *err);

/* ---- 4  Snapshots ---------------------------------------------------- */

/* The first member of the analysis's own struct, made by `snapshot`. The
   framework fills it.  */
struct dg_snapshot {
  uint64_t shard;          /* index; DG_NEVER: all shards (combine) */
  uint64_t interval;       /* from 1, ascending */
  uint64_t end_icount, end_ns;     /* of the interval; ns 0: unknown */
  uint64_t instructions;           /* of the shard, up to here */
  uint64_t instructions_delta;     /* of the shard, in this interval */
};

/* ---- 5  Analysis ----------------------------------------------------- */

struct dg_report;

#define DG_ANALYSIS_VERSION 1

/* `self` is the result of create.  Callbacks marked * may be NULL. They are
   called in this order.  "One thread" means one at a time, not always the
   same.  */
struct dg_analysis {
  uint32_t version;        /* DG_ANALYSIS_VERSION */
  uint32_t size;           /* sizeof (struct dg_analysis) */
  const char *name;        /* of the command: "counts" */
  const char *summary;     /* a line: "Counts ..." */
  const char *details;     /* * lines after the options in --help */
  const struct dg_option *options;       /* * */

  /* * Whether the analysis, with these options, asks for heap blocks: by
     dg_log_block, dg_setup_space or dg_setup_variables.  Called before the log
     is loaded, so the setup has options only.  NULL: it does.  */
  bool (*needs_blocks) (const struct dg_setup *setup);
  /* * With this, heap blocks may pass (DG_BLOCKS_PASSING): the analysis asks
     about those of a shard's moments while it feeds, ends or merges it, and
     keeps no index of a block longer.  Called between chunks, when all before
     are fed and merged and nothing else runs, for what the analysis still has
     to know: blocks that end before icount cannot be asked about after it.
     Not called where the log has all blocks.  */
  int (*pass_blocks) (void *self, uint64_t icount, struct dg_error *err);
  /* Checks options, creates self; NULL and *err on failure.  The log is
     loaded.  One thread.  */
  void *(*create) (struct dg_setup *setup, struct dg_error *err);
  /* Fills the plan, which has defaults: runs, chunks, addresses.  One
     thread.  */
  int (*plan) (void *self, struct dg_plan *plan, struct dg_error *err);

  /* * Data of a worker.  Called once on the thread of each worker, before its
     first shard.  */
  void *(*worker_new) (void *self, struct dg_error *err);

  /* Data of a shard, before its first batch, on the worker that gets its
     batches; not called for shards without batches. worker: the result of
     worker_new, or NULL; in shards other than chunks, each batch may be
     processed by another worker, and NULL is passed.  May return `worker` if
     the shard needs no data of its own; see also dg_shard_self.  */
  void *(*shard_new) (void *self, const struct dg_feed *feed, void *worker,
                      struct dg_error *err);
  /* The next batch of a shard, in order.  No other call on the same shard runs
     beside it.  */
  int (*shard_feed) (void *self, void *shard, const struct dg_feed *feed,
                     const struct dg_batch *batch, struct dg_error *err);
  /* * After the last batch of the shard: of a thread that the log has all of,
     at once, so that the memory of threads that are over can be freed; else
     after all batches of all shards.  */
  int (*shard_end) (void *self, void *shard, const struct dg_feed *feed,
                    struct dg_error *err);
  /* * Adds the result of a shard.  One thread, in the order of the shards, as
     early as possible; the shard is freed afterwards.  */
  int (*merge) (void *self, void *shard, const struct dg_feed *feed,
                struct dg_error *err);
  /* * Not called if shard_new returned the worker's data.  */
  void (*shard_free) (void *self, void *shard);

  /* * Adds the result of a worker.  One thread, after all shards.  */
  int (*worker_merge) (void *self, void *worker, struct dg_error *err);
  void (*worker_free) (void *self, void *worker);    /* * */

  /* Intervals; * only all together: without them, --interval is rejected.

     snapshot: the sums of the shard for the interval that just ended, or for
     the part of it that the shard has (chunks); then starts new ones.  Called
     after the last batch of an interval, if the shard got a batch in it or,
     for threads, parts and the whole, earlier.
     combine: the snapshots of an interval, of all shards that have one, sorted
     by shard -> the snapshot of the interval; NULL only on failure.  `latest`
     has the latest snapshot of each shard up to this interval, for cumulative
     values.  One thread, in the order of the intervals, after all shards.
     finalise: may modify or remove snapshots (a removed one must be freed by
     the analysis; *n is the number left).  May be NULL.
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

  /* Once, after all data.  One thread; if it takes long, it calls
     dg_report_pace.  */
  int (*report) (void *self, struct dg_report *report, struct dg_error *err);
  /* At the end, also after failures.  */
  void (*free) (void *self);
};

/* A shard_new for an analysis that keeps what its shards add up in itself: the
   shard is `self`.  Such an analysis has no shard_free.  */
DG_API void *dg_shard_self (void *self, const struct dg_feed *feed,
                            void *worker, struct dg_error *err);

/* ---- 6  Report ------------------------------------------------------- */

/* Figures with a key (for --json) and a title (for text); tables; notes;
   files.  Items without a title (NULL) are only in JSON, those without a key
   only in text; the items of a group without one of these are shown there as
   if they were outside of the group.  Texts are copied.  One thread.
   dg_analyse reports lack of memory at the end.  Keys are lower case with '_',
   except for names that others have defined (Ir).  */

enum dg_unit {
  DG_UNIT_COUNT = 0,       /* 1,234,567; in JSON 1234567 */
  DG_UNIT_BYTES,           /* 1.2 MiB; in JSON bytes */
  DG_UNIT_NUMBER,          /* a plain number, such as of a line: 1234 */
  DG_UNIT_ADDRESS,         /* 0x1234; in JSON "0x1234" */
  DG_UNIT_NS,              /* 1.23 ms; in JSON ns */
  DG_UNIT_REAL,            /* 3.25 */
  DG_UNIT_PERCENT,         /* a share from 0 to 1: 12.3 %; in JSON the share */
  DG_UNIT_TEXT,
  DG_UNIT_PAIRS,           /* 1: 500, 2: 300; in JSON [[1,500],[2,300]] */
  DG_UNIT_LIST,            /* the keys of pairs: 1 2; in JSON [1,2] */
  DG_UNIT_BOOLEAN,         /* not 0: yes; in JSON true */
  DG_UNIT_STEP,            /* signed, as an int64_t: +8; in JSON 8 */
  DG_UNIT_CHANGE,          /* of a count, as an int64_t: +1,234 */
  DG_UNIT_CHANGE_BYTES,    /* of bytes, as an int64_t: +1.2 MiB */
  DG_UNIT_CHANGE_REAL,     /* +3.25 */
  DG_UNIT_CHANGE_PERCENT   /* of 1: +12.3 %; in JSON 0.123 */
};

struct dg_pair { uint64_t key, count; };

/* Whether values of this unit are in dg_cell.real.  */
static inline bool
dg_unit_is_real (enum dg_unit unit)
{
  return unit == DG_UNIT_REAL || unit == DG_UNIT_PERCENT
         || unit == DG_UNIT_CHANGE_REAL || unit == DG_UNIT_CHANGE_PERCENT;
}

/* A value; the unit determines which member is used.  */
struct dg_cell {
  uint64_t number;
  double real;
  const char *text;        /* NULL: empty; in JSON null */
  const struct dg_pair *pairs;
  size_t n_pairs;
  bool is_empty;           /* empty, for any unit */
};
#ifdef __cplusplus
/* A cell with one member set: C++ has no compound literals.  */
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
  DG_COLUMN_LAST = 4,      /* a name that may be long: last, not padded */
  DG_COLUMN_BAR = 8,       /* a picture: omitted first if space is short */
  DG_COLUMN_RIGHT = 16,    /* texts are aligned to the right, like numbers */
  /* A total of what was recorded, which is scaled if the log is a sample
     (dg_analyse_options.scales); of pairs, the counts.  */
  DG_COLUMN_TOTAL = 32,
  /* Part of what a row is about: rows with the same values of these are the
     same row of two reports.  By default, all texts, addresses and plain
     numbers.  */
  DG_COLUMN_ID = 64,
  /* The least and the most that the total of the column before may be, as what
     happened before a window of a sample is not known.  Both, in this order;
     if totals are scaled, both include the error by chance.  */
  DG_COLUMN_LEAST = 128, DG_COLUMN_MOST = 256
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
/* A figure that is a total of what was recorded, as with DG_COLUMN_TOTAL.  */
DG_API void dg_report_total (struct dg_report *report, const char *key,
                             const char *title, enum dg_unit unit,
                             uint64_t total);
/* The following items, up to dg_report_end, are an object with this key in
   JSON, and below the title in text.  Groups may be nested.  */
DG_API void dg_report_begin (struct dg_report *report, const char *key,
                             const char *title);
DG_API void dg_report_end (struct dg_report *report);
/* A table: in JSON a list of objects.  Rows are shown in the order in which
   they are added, the most important first; text shows the first --top rows
   and the total number. n: columns, and cells of each row.  The table belongs
   to the report.  */
struct dg_rows;
DG_API struct dg_rows *dg_report_table (struct dg_report *report,
                                        const char *key, const char *title,
                                        const struct dg_column *columns,
                                        size_t n);
DG_API void dg_rows_add (struct dg_rows *rows, const struct dg_cell *cells);
/* All rows are shown, as for intervals: --top does not apply.  */
DG_API void dg_rows_show_all (struct dg_rows *rows);
/* A note, not in JSON: the meaning of a figure, or advice.  */
DG_API void dg_report_note (struct dg_report *report, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Preformatted text, such as an annotated source; in JSON a string.  */
DG_API void dg_report_text (struct dg_report *report, const char *key,
                            const char *title, const char *text);
/* An output file that the user requested ("-": standard output, instead of the
   report's text).  It replaces an existing file on success.  The report closes
   it.  NULL and *err on failure.  */
DG_API FILE *dg_report_file (struct dg_report *report, const char *path,
                             struct dg_error *err);
/* The analysis found errors in the log: everything is shown, and the exit
   status of the command is 1.  */
DG_API void dg_report_fail (struct dg_report *report);
/* Reports the progress of a long report, in any unit: 0, or
   DG_ERR_CANCELLED.  */
DG_API int dg_report_pace (struct dg_report *report, uint64_t done,
                           uint64_t total, struct dg_error *err);

/* ---- 7  Names -------------------------------------------------------- */

/* Variables are numbered when they first occur.  Numbers are the same for all
   users of the same dg_variables, but may differ in the next run: sort by
   names, never by numbers.  0 is <NA>.  */

enum dg_variable_kind {
  DG_VARIABLE_NONE = 0,    /* <NA> */
  DG_VARIABLE_HEAP,        /* blocks of one type, or else of one site */
  DG_VARIABLE_RANGE,       /* a range that the program marked */
  DG_VARIABLE_GLOBAL,
  DG_VARIABLE_LOCAL,       /* or a stack, if the variable is unknown */
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
  uint32_t column;         /* of the allocation; 0: unknown */
  bool is_runtime;         /* data of a module that dg_module_is_runtime,
                              memory that its code asked for on its own, or a
                              table of the dynamic linker */
};

/* A cache of one worker.  One thread at a time.  */
struct dg_finder;
DG_API struct dg_finder *dg_finder_new (struct dg_variables *variables,
                                        struct dg_error *err);
DG_API void dg_finder_free (struct dg_finder *finder);
/* The variable at the first byte of an access.  Fast for accesses in the order
   of the log.  */
DG_API uint32_t dg_finder_variable (struct dg_finder *finder,
                                    const struct dg_access *access);
/* The allocation site of the heap block there: a number for each allocating
   call stack; 0: not a heap block.  */
DG_API uint32_t dg_finder_site (struct dg_finder *finder,
                                const struct dg_access *access);
/* The heap block there: its index for dg_log_block, or DG_NONE.  */
DG_API uint32_t dg_finder_block (struct dg_finder *finder,
                                 const struct dg_access *access);
/* The variable with a number.  Any thread; valid as long as the variables.  */
DG_API const struct dg_named *
dg_variables_named (struct dg_variables *variables, uint32_t variable);
/* The site with a number: name is "function (file:line)" of the innermost
   frame that is not an allocator; *stack receives the allocation stack.  */
DG_API const struct dg_named *
dg_variables_site (struct dg_variables *variables, uint32_t site,
                   struct dg_stack *stack);

/* ---- 8  Plug-ins ----------------------------------------------------- */

/* In one source file of a shared object, which is not linked with our
   libraries: DG_PLUGIN (&my_analysis);  */
#define DG_PLUGIN_SYMBOL "dg_plugin_analysis"
#define DG_PLUGIN(analysis)                                          \
  __attribute__ ((visibility ("default"))) extern                    \
    const struct dg_analysis *const dg_plugin_analysis;              \
  const struct dg_analysis *const dg_plugin_analysis = (analysis)

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ANALYSIS_H */
