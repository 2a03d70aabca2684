/* allocs.h: common declarations of the subcommands of `dg allocs`: options,
   logs, and records, which are allocations and frees.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALLOCS_H
#define DG_ALLOCS_H

#include "base/stack_names.h"
#include "base/cli.h"
#include "base/moment.h"
#include "base/output.h"

/* ---- Options ---------------------------------------------------------- */

/* Quantities in filters.  */
enum allocs_quantity {
  ALLOCS_THREAD = 0,
  ALLOCS_SIZE,
  ALLOCS_SEQNO,
  ALLOCS_TIME,
  ALLOCS_PTR,
  ALLOCS_QUANTITIES
};

/* Limits, both inclusive.  */
struct allocs_filter {
  uint64_t low[ALLOCS_QUANTITIES], high[ALLOCS_QUANTITIES];
  bool is_used[ALLOCS_QUANTITIES];
};

/* A segment of a -f format: a text, or a conversion.  */
struct allocs_segment {
  char what;               /* the letter after the '%'; 0: a text */
  uint8_t level;           /* of b, f, w and l: from 1 */
  char *text;              /* of a text; owned */
};

struct allocs_options {
  const struct cli_command *command;
  /* As given; NULL and 0: not given.  */
  char *at, *from, *to, *sort, *format, *ignore, *architecture;
  char *levels_text, *time_unit, *top_text, *admin_text, *allocators;
  char **filters, **source_map;
  gboolean no_ignore, is_reverse, as_json, has_no_last, is_wide;
  gboolean has_runtime;
  int jobs;
  /* Parsed from these.  */
  struct allocs_filter filter;
  GArray *segments;        /* struct allocs_segment; NULL: without -f */
  unsigned levels;         /* to show; UINT_MAX: all */
  uint64_t admin;          /* overhead per block */
  uint64_t top;            /* sites; 0: all */
  bool in_ms;              /* times in ms, otherwise in instructions */
  /* Set before logs are opened.  */
  bool needs_names;        /* stacks are compared, too */
  bool is_stream;          /* blocks come from allocs_stream, in their order,
                              and not from the log */
  bool looks_ahead;        /* then: what is known of all blocks is known from
                              the beginning; otherwise the caller gives each
                              one to allocs_log_see */
  bool is_at_end;          /* the log keeps the blocks that live at its end */
};

/* Options of a subcommand, in addition to the common ones.  */
enum allocs_has {
  ALLOCS_HAS_AT = 1,
  ALLOCS_HAS_FROM_TO = 2,
  ALLOCS_HAS_SORT = 4,
  ALLOCS_HAS_REVERSE = 8,
  ALLOCS_HAS_FILTER = 16,
  ALLOCS_HAS_FORMAT = 32,
  ALLOCS_HAS_NAMES = 64,
  ALLOCS_HAS_TOP = 128,
  ALLOCS_HAS_TIME = 256,
  ALLOCS_IS_STREAM = 512,  /* no options: is_stream, is_at_end */
  ALLOCS_IS_AT_END = 1024
};

/* Reads and checks the command line; then argv[1] to argv[argc - 1] are logs,
   at least `least` and at most `most`. levels: the default.  Returns -1 to
   continue, or the exit status.  To be followed by allocs_options_fini.  */
int allocs_options_parse (struct allocs_options *options,
                          const struct cli_command *command, unsigned has,
                          unsigned levels, int least, int most, int *argc,
                          char **argv);
void allocs_options_fini (struct allocs_options *options);

/* ---- Logs ------------------------------------------------------------- */

struct allocs_log {
  struct cli_log log;
  const struct allocs_options *options;
  size_t n_blocks;         /* that it keeps */
  bool has_end_only;       /* these are those that live at the end */
  uint64_t n_seen;         /* blocks, or records, that allocs_log_see got */
  uint64_t last_seqno;     /* the greatest of these */
  uint8_t *are_freed;      /* bits, by order of the allocation: if it looks
                              ahead */
  size_t n_freed;          /* bytes of these */
  const struct dg_thread *threads;
  size_t n_threads;
  bool has_nested;         /* pools, or blocks of the program's own */
  bool has_details;        /* allocators, threads, actual sizes, seqnos */
  unsigned levels;         /* of the deepest stack */
  struct stack_names *names;  /* NULL: not needed */
  GHashTable *thread_texts;    /* by number */
  uint32_t *counts;            /* without details: by order, the numbers that
                                  replace sequence numbers */
};

/* Opens a log according to the options: false after a message.  It fails with
   *status CLI_USAGE if a filter or a format needs data that the log does not
   have.  */
bool allocs_log_open (struct allocs_log *log,
                      const struct allocs_options *options, const char *path,
                      int *status);
/* Takes from a block what is known of all: levels, details, last_seqno.  */
void allocs_log_see (struct allocs_log *log, const struct dg_block *block);
/* Reports errors of the log and closes it.  Returns `status`, or the
   failure.  */
int allocs_log_finish (struct allocs_log *log, int status);

/* The moment of an option, the end if text is NULL: CLI_OK, or the exit status
   after a message.  */
int allocs_log_moment (const struct allocs_log *log, const char *text,
                       struct moment *moment);
/* A time in the unit of the options; ALLOCS_NO_TIME: after the last reading of
   the clock.  */
#define ALLOCS_NO_TIME UINT64_MAX
uint64_t allocs_log_time (const struct allocs_log *log, uint64_t icount);
void allocs_put_time (struct output *out, const struct allocs_log *log,
                      uint64_t icount, const char *unknown);
/* The line of a record about a thread, or members of a JSON object; belongs to
   the log.  */
const char *allocs_log_thread_text (const struct allocs_log *log,
                                    uint32_t number);
/* Whether they are logs of one recording, so sequence numbers can be
   compared.  */
bool allocs_log_is_same_run (const struct allocs_log *a,
                             const struct allocs_log *b);

/* ---- Records ---------------------------------------------------------- */

/* An allocation or a free.  */
struct allocs_record {
  const struct allocs_log *log;
  const struct dg_block *block;    /* of a stream; or NULL: */
  uint32_t index;          /* of the block, which the log keeps */
  bool is_free;
  bool is_freed; /* an allocation that was freed later */
  uint64_t number;         /* of a stream: from 1, of all records */
};

static inline struct dg_block
allocs_block (const struct allocs_record *record)
{
  return record->block != NULL
           ? *record->block
           : dg_log_block (record->log->log.log, record->index);
}

static inline uint64_t
allocs_seqno (const struct allocs_record *record)
{
  const struct dg_block block = allocs_block (record);

  if (!record->log->has_details && record->block != NULL)
    return record->number;
  if (!record->log->has_details)
    return record->log
      ->counts[record->is_free ? block.free_order : block.alloc_order];
  return record->is_free ? block.free_seqno : block.alloc_seqno;
}

static inline uint64_t
allocs_icount (const struct allocs_record *record)
{
  return record->is_free ? allocs_block (record).free_icount
                         : allocs_block (record).alloc_icount;
}

static inline uint32_t
allocs_thread (const struct allocs_record *record)
{
  return record->is_free ? allocs_block (record).free_thread
                         : allocs_block (record).alloc_thread;
}

/* All records of a log in order, from a log that was opened for this
   (is_stream).  */
struct allocs_stream {
  const struct allocs_log *log;
  struct dg_block_reader *reader;
  struct dg_block_step step;
  uint64_t n;              /* records so far */
};
/* CLI_OK, or the exit status after a message.  */
int allocs_stream_init (struct allocs_stream *stream,
                        const struct allocs_log *log);
/* The next record: 1, 0 at the end, < 0 after a message.  Its block is valid
   until the next call, its call stacks until the end of the stream.  */
int allocs_stream_next (struct allocs_stream *stream,
                        struct allocs_record *record);
void allocs_stream_fini (struct allocs_stream *stream);

/* "malloc()", "delete[]".  */
const char *allocs_function (const struct allocs_record *record);
/* "malloc()" for DG_ALLOC_MALLOC.  */
const char *allocs_function_name (uint8_t allocator, bool is_free);

/* The bytes that the block takes of the heap: usable bytes and overhead.  */
static inline uint64_t
allocs_actual (const struct allocs_record *record)
{
  return allocs_block (record).usable + record->log->options->admin;
}

/* The bytes of these that were not requested.  */
static inline uint64_t
allocs_overhead (const struct allocs_record *record)
{
  uint64_t actual = allocs_actual (record);
  uint64_t size = allocs_block (record).size;

  return actual > size ? actual - size : 0;
}

/* Its call stack, by levels; NULL if names are not needed.  */
const struct stack_trace *allocs_trace (const struct allocs_record *record);

bool allocs_filter_passes (const struct allocs_filter *filter,
                           const struct allocs_record *record);

/* Sorts by the keys of -S ("p" if NULL), then by sequence number.  False: not
   enough memory.  */
bool allocs_sort (struct allocs_record *records, size_t n, const char *keys);
/* The key that needs data that logs without details do not have, or 0.  */
char allocs_sort_needs_details (const char *keys);

/* ---- Text ------------------------------------------------------------- */

/* A record in the format of -f, or of mdd. is_event: the event comes first, as
   in a history.  */
void allocs_put_record (struct output *out,
                        const struct allocs_record *record, bool is_event);
/* "1268K (1298850 bytes)" */
void allocs_put_bytes (struct output *out, uint64_t bytes);
/* "0x" and at least eight digits.  */
void allocs_put_address (struct output *out, uint64_t address);
/* The levels, a few lines each.  */
void allocs_put_trace (struct output *out, const struct stack_trace *trace);

/* Members of JSON objects.  The brace of the object and its schema, that of
   `dg allocs PART`.  */
void allocs_json_begin (struct output *out, const char *part);
/* `, "key": `, without the comma for the first one.  */
void allocs_json_key (struct output *out, const char *key, bool is_first);
void allocs_json_number (struct output *out, const char *key, uint64_t number);
void allocs_json_address (struct output *out, const char *key,
                          uint64_t address);
/* null for NULL.  */
void allocs_json_string (struct output *out, const char *key,
                         const char *text);
/* Two members: "at", or another key, and "icount" (null: the end).  */
void allocs_json_moment (struct output *out, const char *key, const char *text,
                         const struct moment *moment);
/* The gaps of the log: see partial.h.  */
void allocs_json_partial (struct output *out, const struct allocs_log *log);
/* "backtrace": a list of the levels.  */
void allocs_json_trace (struct output *out, const struct stack_trace *trace);
/* A record as an object, in a line of a list. is_event: with the kind of
   event.  */
void allocs_json_record (struct output *out,
                         const struct allocs_record *record, bool is_event,
                         bool is_first);

/* Parses a -f format into struct allocs_segment.  NULL on error, with a
   message in *why, to be freed.  */
GArray *allocs_format_parse (const char *text, char **why);
/* The deepest level in it; 0: none.  */
unsigned allocs_format_levels (const GArray *segments);
/* The conversion that needs data that logs without details do not have, or
   0.  */
char allocs_format_needs_details (const GArray *segments);

/* ---- Sub-commands ----------------------------------------------------- */

/* Shortens lines of text output to the terminal's width, unless --wide is
   given.  */
void allocs_fit (const struct allocs_options *options, struct output *out);

/* Reads the command line, opens the one log and standard output, and runs
   `run`: the exit status.  */
int allocs_run_one (const struct cli_command *command, unsigned has,
                    unsigned levels, int argc, char **argv,
                    int (*run) (struct allocs_log *log, struct output *out));

/* Whether the log, or several parts of one run in order, contain the whole
   history.  False also if there is not enough memory to decide.  */
bool allocs_is_complete (const struct allocs_log *logs, size_t n);

/* The blocks that are live at a moment and pass the filter: records, in the
   order of the log.  */
GArray *allocs_state (const struct allocs_log *log,
                      const struct moment *moment);
/* Sorts and writes records; as JSON, items of a list.  CLI_OK, or the exit
   status after a message.  */
int allocs_put_sorted (struct output *out, GArray *records,
                       const struct allocs_options *options);

/* As in struct cli_command.  */
int allocs_stats (const struct cli_command *command, int argc, char **argv);
int allocs_dump (const struct cli_command *command, int argc, char **argv);
int allocs_history (const struct cli_command *command, int argc, char **argv);
int allocs_diff (const struct cli_command *command, int argc, char **argv);
int allocs_leaks (const struct cli_command *command, int argc, char **argv);

#endif /* DG_ALLOCS_H */
