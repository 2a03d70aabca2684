/* arrow_accesses.c: the table of accesses.

   Numbers are decoded into the buffers of the batch (dg_columns).  What is
   only needed for other columns goes to arrays of our own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_chunks.h"
#include "arrow_code.h"
#include "arrow_owners.h"
#include "arrow_run_numbers.h"
#include "arrow_source.h"
#include "arrow_stacks.h"
#include "base/error.h"
#include "dg_record.h"

enum column {
  ICOUNT, THREAD, KIND, SIZE, ADDRESS, INSTRUCTION, CONTEXT, RUN,
  FUNCTION, FILE_NAME, LINE, MODULE,
  VARIABLE, TYPE, SITE, BLOCK, STACK,
  N_COLUMNS
};

#define NAMES (DG_ARROW_ON_DEMAND | DG_ARROW_NULLABLE | DG_ARROW_NAME)
#define NUMBERS (DG_ARROW_ON_DEMAND | DG_ARROW_NULLABLE)

static const struct dg_arrow_column all_columns[N_COLUMNS] = {
  [ICOUNT] = { "icount", "L", 0,
               "instructions executed before the one that made the access" },
  [THREAD] = { "thread", "I", 0, "number of the thread, from 1" },
  [KIND] = { "kind", "u", DG_ARROW_NAME, "read or write" },
  [SIZE] = { "size", "I", 0, "bytes" },
  [ADDRESS] = { "address", "L", DG_ARROW_ADDRESS, "of the first byte" },
  [INSTRUCTION] = { "instruction", "L", DG_ARROW_ADDRESS,
                    "address of the instruction" },
  [CONTEXT] = { "context", "I", 0, "row of contexts: code and call stack" },
  [RUN] = { "run", "L", 0, "number of the run in runs" },
  [FUNCTION] = { "function", "u", NAMES, "of the instruction, innermost" },
  [FILE_NAME] = { "file", "u", NAMES, "source file of the instruction" },
  [LINE] = { "line", "I", NUMBERS, "line in this file, from 1" },
  [MODULE] = { "module", "u", NAMES, "executable or library of the code" },
  [VARIABLE] = { "variable", "u", NAMES,
                 "at the first byte, with its field; as in dg counts" },
  [TYPE] = { "type", "u", NAMES, "type of the variable" },
  [SITE] = { "site", "u", NAMES,
             "where the heap block at the first byte was allocated" },
  [BLOCK] = { "block", "I", NUMBERS, "row of blocks: the heap block there" },
  [STACK] = { "stack_thread", "I", NUMBERS,
              "number of the thread whose stack is at the first byte" }
};

struct accesses {
  struct dg_arrow_asked *asked;
  struct dg_columns *columns;
  struct dg_arrow_chunks chunks;
  bool is_open;            /* a chunk */
  struct dg_arrow_code *code;            /* from the first use on */
  struct dg_arrow_owners *owners;
  struct dg_arrow_stacks *stacks;
  struct dg_arrow_run_numbers *runs;
  /* For what no column holds, of `room`.  */
  struct dg_columns_arrays own;
  size_t room;
};

/* ---- Opening ---- */

static void
free_own (struct accesses *accesses)
{
  struct dg_columns_arrays *own = &accesses->own;

  g_free (own->icount);
  g_free (own->address);
  g_free (own->instruction);
  g_free (own->size);
  g_free (own->context);
  g_free (own->thread);
  g_free (own->kind);
  *own = (struct dg_columns_arrays) { .icount = NULL };
  accesses->room = 0;
}

static void
close_accesses (void *self)
{
  struct accesses *accesses = self;

  dg_columns_free (accesses->columns);
  dg_arrow_code_free (accesses->code);
  dg_arrow_owners_free (accesses->owners);
  dg_arrow_stacks_free (accesses->stacks);
  dg_arrow_run_numbers_free (accesses->runs);
  free_own (accesses);
  g_free (accesses);
}

static bool
asks_for (const struct dg_arrow_query *query, enum column column)
{
  bool by_default = query->n_columns == 0
                    && !(all_columns[column].flags & DG_ARROW_ON_DEMAND);

  for (size_t i = 0; i < query->n_columns; i++)
    if (g_str_equal (query->columns[i], all_columns[column].name))
      return true;
  return by_default && !query->is_empty;
}

static bool
needs_owners (const struct dg_arrow_query *query)
{
  return asks_for (query, VARIABLE) || asks_for (query, TYPE)
         || asks_for (query, SITE) || asks_for (query, BLOCK);
}

/* Stacks of threads are told from other memory by who owns it.  */
static bool
needs_blocks (const struct dg_arrow_query *query)
{
  return needs_owners (query) || asks_for (query, STACK);
}

static struct dg_columns *
open_columns (const struct dg_arrow_asked *asked,
              const struct dg_filter *filter, struct dg_error *err)
{
  const struct dg_arrow_query *query = &asked->query;
  bool has_owners = needs_owners (query);
  size_t n = query->n_addresses;
  struct dg_columns_span *spans = g_try_new (struct dg_columns_span, n + 1);
  struct dg_columns_options options = {
    .size = sizeof options, .filter = filter,
    .threads = query->threads, .n_threads = query->n_threads,
    .start_icount = query->icounts.low, .end_icount = query->icounts.high,
    .kinds = query->kinds,
    .no_addresses = !has_owners && n == 0 && !asks_for (query, ADDRESS)
                    && !asks_for (query, STACK) && !query->ranges,
    .no_contexts = !has_owners && !asks_for (query, CONTEXT),
    .addresses = spans, .n_addresses = n
  };
  struct dg_columns *columns;

  if (!spans) {
    dg_error_nomem (err);
    return NULL;
  }
  for (size_t i = 0; i < n; i++)
    spans[i] = (struct dg_columns_span) {
      query->addresses[i].low,
      query->addresses[i].high == DG_NEVER ? 0 : query->addresses[i].high
    };
  columns = dg_columns_new (asked->log, &options, err);
  g_free (spans);
  return columns;
}

static void *
open_accesses (struct dg_arrow_asked *asked, struct dg_error *err)
{
  const struct dg_filter *filter;
  struct accesses *accesses;

  if (dg_arrow_query_filter (asked, &filter, err) < 0)
    return NULL;
  accesses = g_try_new0 (struct accesses, 1);
  if (!accesses) {
    dg_error_nomem (err);
    return NULL;
  }
  accesses->asked = asked;
  accesses->chunks.asked = asked;
  accesses->columns = open_columns (asked, filter, err);
  if (accesses->columns)
    return accesses;
  close_accesses (accesses);
  return NULL;
}

/* ---- Arrays to be filled ---- */

static bool
has_code (struct dg_arrow_array *const *columns)
{
  return columns[FUNCTION] || columns[FILE_NAME] || columns[LINE]
         || columns[MODULE];
}

static bool
has_owners (struct dg_arrow_array *const *columns)
{
  return columns[VARIABLE] || columns[TYPE] || columns[SITE]
         || columns[BLOCK];
}

/* Makes an array of our own, if there is none yet.  */
#define NEED(member)                                              \
  do {                                                            \
    if (!to->member) {                                            \
      if (!own->member)                                           \
        own->member = g_try_malloc_n (accesses->room,             \
                                      sizeof *own->member);       \
      if (!own->member)                                           \
        return dg_error_nomem (err);                              \
      to->member = own->member;                                   \
    }                                                             \
  } while (0)

/* Where dg_columns is to put things.  */
static int
set_arrays (struct accesses *accesses, struct dg_arrow_array *const *columns,
            size_t max, struct dg_columns_arrays *to, struct dg_error *err)
{
  struct dg_columns_arrays *own = &accesses->own;

#define VALUES(column, member) \
  (columns[column] ? columns[column]->member : NULL)
  *to = (struct dg_columns_arrays) {
    .icount = VALUES (ICOUNT, u64), .address = VALUES (ADDRESS, u64),
    .instruction = VALUES (INSTRUCTION, u64), .size = VALUES (SIZE, u32),
    .context = VALUES (CONTEXT, u32), .thread = VALUES (THREAD, u32)
  };
#undef VALUES
  if (max > accesses->room) {
    free_own (accesses);
    accesses->room = max;
  }
  if (has_code (columns) || has_owners (columns) || columns[RUN]
      || columns[STACK])
    NEED (icount);
  if (has_code (columns) || has_owners (columns))
    NEED (instruction);
  if (columns[KIND] || has_owners (columns))
    NEED (kind);
  if (has_owners (columns) || columns[STACK]) {
    NEED (address);
    NEED (thread);
  }
  if (has_owners (columns)) {
    NEED (size);
    NEED (context);
  }
  return 0;
}

/* ---- Columns that follow from others ---- */

static int
fill_kinds (struct dg_arrow_array *array, const uint8_t *kinds, size_t n,
            struct dg_error *err)
{
  int read = dg_arrow_text_index (array->text, "read", err),
      write = read < 0 ? read : dg_arrow_text_index (array->text, "write",
                                                     err);
  int32_t *index = array->index;

  if (write < 0)
    return write;
  for (size_t i = 0; i < n; i++)
    index[i] = kinds[i] == DG_ACC_WRITE ? write : read;
  return 0;
}

static int
fill_code (struct accesses *accesses, struct dg_arrow_array *const *columns,
           const struct dg_columns_arrays *to, size_t n, struct dg_error *err)
{
  const struct dg_arrow_code_columns these = {
    columns[FUNCTION], columns[FILE_NAME], columns[LINE], columns[MODULE]
  };

  return dg_arrow_code_fill (accesses->code, to->icount, to->instruction, n, 0,
                             &these, err);
}

static int
fill_owners (struct accesses *accesses, struct dg_arrow_array *const *columns,
             const struct dg_columns_arrays *to, size_t n,
             struct dg_error *err)
{
  const struct dg_arrow_owners_columns these = {
    columns[VARIABLE], columns[TYPE], columns[SITE], columns[BLOCK]
  };

  return dg_arrow_owners_fill (accesses->owners, to, n, 0, &these, err);
}

/* Makes what these columns are found with, before there are rows that a
   failure would lose.  */
static int
make_helpers (struct accesses *accesses,
              struct dg_arrow_array *const *columns, struct dg_error *err)
{
  struct dg_arrow_asked *asked = accesses->asked;

  if (has_code (columns) && !accesses->code) {
    accesses->code = dg_arrow_code_new (asked->shared, err);
    if (!accesses->code)
      return DG_ERR_NOMEM;
  }
  if (has_owners (columns) && !accesses->owners) {
    accesses->owners = dg_arrow_owners_new (asked->shared,
                                            asked->query.progress,
                                            asked->query.user, err);
    if (!accesses->owners)
      return DG_ERR_NOMEM;
  }
  if (columns[STACK] && !accesses->stacks) {
    accesses->stacks = dg_arrow_stacks_new (asked->shared,
                                            asked->query.progress,
                                            asked->query.user, err);
    if (!accesses->stacks)
      return DG_ERR_NOMEM;
  }
  if (columns[RUN] && !accesses->runs) {
    accesses->runs = dg_arrow_run_numbers_new (asked->log, err);
    if (!accesses->runs)
      return DG_ERR_NOMEM;
  }
  return 0;
}

static int
fill_rest (struct accesses *accesses, struct dg_arrow_array *const *columns,
           const struct dg_columns_arrays *to, size_t n, size_t chunk,
           struct dg_error *err)
{
  int code = 0;

  if (columns[KIND])
    code = fill_kinds (columns[KIND], to->kind, n, err);
  if (code == 0 && has_code (columns))
    code = fill_code (accesses, columns, to, n, err);
  if (code == 0 && has_owners (columns))
    code = fill_owners (accesses, columns, to, n, err);
  if (code == 0 && columns[STACK])
    dg_arrow_stacks_fill (accesses->stacks, to, n, columns[STACK]);
  if (code == 0 && columns[RUN])
    code = dg_arrow_run_numbers_fill (accesses->runs, chunk, to->icount, n,
                                      columns[RUN]->u64, err);
  for (unsigned i = 0; i < N_COLUMNS; i++)
    if (columns[i])
      columns[i]->n = n;
  return code;
}

/* ---- Rows ---- */

/* Goes to the next chunk that the query needs: 1, 0, < 0.  */
static int
open_chunk (struct accesses *accesses, struct dg_error *err)
{
  size_t chunk, n;
  const struct dg_log *log = accesses->asked->log;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  int code = 0;

  chunk = accesses->chunks.next;
  if (chunk < n)
    code = dg_progress_pace (&accesses->asked->progress, chunks[chunk].offset,
                             dg_log_summary (log)->good_bytes, err);
  if (code == 0)
    code = dg_arrow_chunks_next (&accesses->chunks, &chunk, err);
  if (code <= 0)
    return code;
  code = dg_columns_seek (accesses->columns, chunk, chunk + 1, err);
  accesses->is_open = code == 0;
  return code < 0 ? code : 1;
}

static ptrdiff_t
next_accesses (void *self, struct dg_arrow_array *const *columns, size_t max,
               struct dg_error *err)
{
  struct accesses *accesses = self;
  struct dg_columns_arrays to;
  size_t chunk;
  ptrdiff_t n = make_helpers (accesses, columns, err);

  if (n == 0)
    n = set_arrays (accesses, columns, max, &to, err);

  while (n == 0) {
    if (!accesses->is_open) {
      int code = open_chunk (accesses, err);

      if (code <= 0)
        return code;
    }
    n = dg_columns_read (accesses->columns, &to, max, &chunk, err);
    accesses->is_open = n != 0;
  }
  if (n > 0) {
    int code = fill_rest (accesses, columns, &to, n, chunk, err);

    n = code < 0 ? code : n;
  }
  return n;
}

static size_t
most_accesses (const void *self)
{
  const struct accesses *accesses = self;

  return dg_log_summary (accesses->asked->log)->accesses;
}

const struct dg_arrow_source dg_arrow_source_accesses = {
  .table = { "accesses", "each access of the program's instructions",
             all_columns, N_COLUMNS,
             DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES
               | DG_ARROW_KINDS | DG_ARROW_FILTER | DG_ARROW_CHUNKS },
  .open = open_accesses,
  .next = next_accesses,
  .close = close_accesses,
  .most = most_accesses,
  .needs_blocks = needs_blocks
};
