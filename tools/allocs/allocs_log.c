/* allocs_log.c: a log as `dg allocs` looks at it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "libdatagrind.h"
#include "base/json_text.h"
#include "base/printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What it has ------------------------------------------------------ */

static unsigned
levels_of (const struct dg_stack *stack, uint8_t allocator)
{
  return stack->n - (dg_site_is_call (allocator) && stack->n > 1);
}

void
allocs_log_see (struct allocs_log *log, const struct dg_block *block)
{
  unsigned made = levels_of (&block->alloc_stack, block->allocator);
  unsigned freed = levels_of (&block->free_stack, block->deallocator);

  log->has_details =
    (log->n_seen++ > 0 && log->has_details) || block->alloc_seqno != 0;
  log->has_nested |= block->kind != DG_BLOCK_ALLOCATED;
  log->levels = MAX (log->levels, MAX (made, freed));
  log->last_seqno = MAX (log->last_seqno,
                         MAX (block->alloc_seqno, block->free_seqno));
}

static bool
note_freed (struct allocs_log *log, uint32_t order)
{
  size_t byte = order / 8, n = MAX (byte + 1, log->n_freed * 3 / 2);
  uint8_t *bits = log->are_freed;

  if (byte >= log->n_freed) {
    bits = g_try_realloc (bits, n);
    if (bits == NULL)
      return false;
    memset (bits + log->n_freed, 0, n - log->n_freed);
    log->are_freed = bits;
    log->n_freed = n;
  }
  bits[byte] |= (uint8_t) (1u << order % 8);
  return true;
}

/* False after a message.  */
static bool
look_ahead (struct allocs_log *log)
{
  struct allocs_stream stream;
  struct allocs_record record;
  int code = allocs_stream_init (&stream, log) == CLI_OK ? 1 : -1;

  while (code > 0 && (code = allocs_stream_next (&stream, &record)) > 0) {
    allocs_log_see (log, record.block);
    if (log->options->looks_ahead && record.is_free
        && !note_freed (log, record.block->alloc_order)) {
      cli_fail ("%s: not enough memory", log->log.path);
      code = -1;
    }
  }
  allocs_stream_fini (&stream);
  return code == 0;
}

static bool
look_at_blocks (struct allocs_log *log)
{
  const struct dg_log *of = log->log.log;

  log->threads = dg_log_threads (of, &log->n_threads);
  log->has_details = true;
  if (log->options->is_stream)
    return !log->options->looks_ahead || look_ahead (log);
  log->n_blocks = dg_log_n_blocks (of);
  if (log->has_end_only)
    return look_ahead (log);
  for (size_t i = 0; i < log->n_blocks; i++) {
    const struct dg_block block = dg_log_block (of, i);

    allocs_log_see (log, &block);
  }
  return true;
}

static uint32_t
order_of (const struct allocs_log *log, const struct dg_replay_step *step)
{
  const struct dg_block block = dg_log_block (log->log.log, step->index);

  return step->kind == DG_REPLAY_FREE ? block.free_order : block.alloc_order;
}

/* In a log without sequence numbers, what happened to blocks is counted: false
   if there is no memory for it.  */
static bool
count_events (struct allocs_log *log)
{
  struct dg_replay_step *steps;
  struct dg_error error;
  size_t n;
  uint32_t most = 0;

  if (dg_log_replay (log->log.log,
                     1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps, &n,
                     &error)
      < 0)
    return false;
  for (size_t i = 0; i < n; i++)
    most = MAX (most, order_of (log, &steps[i]));
  log->counts = g_try_new0 (uint32_t, (size_t) most + 1);
  for (size_t i = 0; log->counts != NULL && i < n; i++)
    log->counts[order_of (log, &steps[i])] = (uint32_t) i + 1;
  free (steps);
  return log->counts != NULL;
}

/* Asks for nothing that the log does not have: -1, or the exit status.  */
static int
check (const struct allocs_log *log)
{
  const struct allocs_options *options = log->options;
  const struct cli_command *command = options->command;
  static const char lacks[] = "this log has no details of the heap, which are "
                              "needed by";
  unsigned levels =
    options->segments != NULL ? allocs_format_levels (options->segments) : 0;
  char key = '\0';
  size_t n_clock;

  if (levels > log->levels)
    return cli_fail_usage (
      command,
      "%s: there is no level %u: call stacks in this log have at most %u",
      log->log.path, levels, log->levels);
  if (options->in_ms && (dg_log_clock (log->log.log, &n_clock), n_clock == 0))
    return cli_fail_usage (command, "%s: this log has no clock",
                           log->log.path);
  if (log->has_details)
    return -1;
  if (options->segments != NULL
      && (key = allocs_format_needs_details (options->segments)) != '\0')
    return cli_fail_usage (command, "%s: %s '%%%c'", log->log.path, lacks,
                           key);
  if ((key = allocs_sort_needs_details (options->sort)) != '\0')
    return cli_fail_usage (command, "%s: %s the sort key '%c'", log->log.path,
                           lacks, key);
  if (options->filter.is_used[ALLOCS_THREAD])
    return cli_fail_usage (command, "%s: %s the filter 'thread'",
                           log->log.path, lacks);
  return -1;
}

/* ---- Threads ---------------------------------------------------------- */

/* A line for people, or members of a JSON object.  */
static char *
describe_thread (const struct allocs_log *log, uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (log->log.log, number);
  uint64_t tid = thread != NULL ? thread->os_tid : 0;
  const char *name = thread != NULL ? thread->name : "";
  GString *text = g_string_new (NULL);

  if (log->options->as_json) {
    g_string_append_printf (text, ", \"thread\": %" PRIu32 ", \"tid\": ",
                            number);
    if (tid != 0)
      g_string_append_printf (text, "%" PRIu64, tid);
    else
      g_string_append (text, "null");
    g_string_append (text, ", \"thread_name\": ");
    if (name[0] != '\0')
      json_text_append (text, name);
    else
      g_string_append (text, "null");
  } else {
    char *safe = printable_text (name);

    g_string_append_printf (text, "  By thread %" PRIu32, number);
    if (tid != 0)
      g_string_append_printf (text, ", %" PRIu64, tid);
    if (name[0] != '\0')
      g_string_append_printf (text, "%s%s", tid != 0 ? " " : ", ", safe);
    g_string_append_c (text, '\n');
    g_free (safe);
  }
  return g_string_free (text, FALSE);
}

const char *
allocs_log_thread_text (const struct allocs_log *log, uint32_t number)
{
  gpointer key = GUINT_TO_POINTER (number);
  char *text = g_hash_table_lookup (log->thread_texts, key);

  if (text == NULL) {
    text = describe_thread (log, number);
    g_hash_table_insert (log->thread_texts, key, text);
  }
  return text;
}

/* ---- Opening and closing ---------------------------------------------- */

static int
open_names (struct allocs_log *log)
{
  const struct allocs_options *options = log->options;
  unsigned shown = options->segments != NULL
                     ? allocs_format_levels (options->segments)
                     : options->levels;
  const struct stack_names_options how = {
    .allocators = options->allocators,
    .source_map = (const char *const *) options->source_map,
    .ignore = options->ignore,
    .has_inlined = options->no_ignore,
    .as_json = options->as_json,
    .levels = options->needs_names ? MAX (shown, options->levels) : shown};
  struct dg_error error;

  if (how.levels == 0)
    return CLI_OK;
  log->names = stack_names_new (log->log.log, &how, &error);
  if (log->names != NULL)
    return CLI_OK;
  return error.code == DG_ERR_INVALID || options->allocators != NULL
           ? cli_fail ("%s", error.message)
           : cli_fail ("%s: %s", log->log.path, error.message);
}

static void
free_parts (struct allocs_log *log)
{
  g_free (log->counts);
  g_hash_table_unref (log->thread_texts);
  g_free (log->are_freed);
}

/* A stream has what it needs.  But names of sites depend on those of all
   blocks, and moments of events on the orders of blocks.  */
static enum dg_blocks
kept_blocks (const struct allocs_options *options)
{
  bool at_event =
    options->at != NULL && g_str_has_prefix (options->at, "event:");

  if (options->is_at_end)
    return DG_BLOCKS_LIVE;
  if (!options->is_stream)
    return DG_BLOCKS_ALL;
  return options->looks_ahead || at_event ? DG_BLOCKS_LIVE : DG_BLOCKS_NONE;
}

/* Loads the log, and looks at its blocks if it could: *has_looked.  */
static bool
open_blocks (struct allocs_log *log, const char *path, enum dg_blocks blocks,
             bool *has_looked)
{
  const struct allocs_options *options = log->options;

  memset (log, 0, sizeof *log);
  log->options = options;
  log->has_end_only = options->is_at_end && blocks == DG_BLOCKS_LIVE;
  if (!cli_log_open (&log->log, path, options->jobs, blocks, 0))
    return false;
  *has_looked = look_at_blocks (log);
  return true;
}

bool
allocs_log_open (struct allocs_log *log, const struct allocs_options *options,
                 const char *path, int *status)
{
  bool has_looked;

  log->options = options;
  *status = CLI_FAILURE;
  if (!open_blocks (log, path, kept_blocks (options), &has_looked))
    return false;
  /* Without details, all blocks are numbered; accesses to a block within
     another are not that one's, also when it has ended.  */
  if (has_looked && log->has_end_only
      && (!log->has_details || log->has_nested)) {
    cli_log_close (&log->log);
    if (!open_blocks (log, path, DG_BLOCKS_ALL, &has_looked))
      return false;
  }
  log->thread_texts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (has_looked)
    *status = check (log);
  if (*status < 0 && !log->has_details && !options->is_stream
      && !count_events (log))
    *status = cli_fail ("%s: not enough memory", path);
  if (*status < 0)
    *status = open_names (log);
  if (*status == CLI_OK)
    return true;
  free_parts (log);
  cli_log_close (&log->log);
  return false;
}

int
allocs_log_finish (struct allocs_log *log, int status)
{
  if (log->names != NULL && status == CLI_OK)
    cli_warn_of_symbols (stack_names_symbols (log->names));
  stack_names_free (log->names);
  free_parts (log);
  return cli_log_finish (&log->log, status);
}

/* ---- Moments ---------------------------------------------------------- */

int
allocs_log_moment (const struct allocs_log *log, const char *text,
                   struct moment *moment)
{
  const struct cli_command *command = log->options->command;
  char *why = moment_find (moment, log->log.log, text != NULL ? text : "end");

  if (why == NULL)
    return CLI_OK;
  cli_fail_usage (command, "%s: %s", log->log.path, why);
  g_free (why);
  return CLI_USAGE;
}

uint64_t
allocs_log_time (const struct allocs_log *log, uint64_t icount)
{
  uint64_t ns;

  if (!log->options->in_ms)
    return icount;
  return dg_log_ns (log->log.log, icount, &ns) ? ns / 1000000
                                               : ALLOCS_NO_TIME;
}

void
allocs_put_time (struct output *out, const struct allocs_log *log,
                 uint64_t icount, const char *unknown)
{
  uint64_t time = allocs_log_time (log, icount);

  if (time == ALLOCS_NO_TIME)
    output_text (out, unknown);
  else
    output_decimal (out, time);
}

/* ---- Streams ---------------------------------------------------------- */

int
allocs_stream_init (struct allocs_stream *stream,
                    const struct allocs_log *log)
{
  struct dg_error error;

  *stream = (struct allocs_stream){.log = log};
  stream->reader = dg_block_reader_new (log->log.log, &error);
  return stream->reader != NULL
           ? CLI_OK
           : cli_fail ("%s: %s", log->log.path, error.message);
}

static bool
is_freed (const struct allocs_log *log, uint32_t order)
{
  size_t byte = order / 8;

  return byte < log->n_freed && (log->are_freed[byte] >> order % 8 & 1);
}

int
allocs_stream_next (struct allocs_stream *stream,
                    struct allocs_record *record)
{
  const struct allocs_log *log = stream->log;
  struct dg_error error;
  int code = dg_block_reader_next (stream->reader, &stream->step, &error);

  if (code < 0)
    cli_fail ("%s: %s", log->log.path, error.message);
  if (code <= 0)
    return code;
  *record = (struct allocs_record){
    .log = log,
    .block = &stream->step.block,
    .is_free = stream->step.is_free,
    .is_freed = !stream->step.is_free
                && is_freed (log, stream->step.block.alloc_order),
    .number = ++stream->n};
  return 1;
}

void
allocs_stream_fini (struct allocs_stream *stream)
{
  dg_block_reader_free (stream->reader);
}

/* ---- Runs, stacks ----------------------------------------------------- */

bool
allocs_log_is_same_run (const struct allocs_log *a, const struct allocs_log *b)
{
  const struct dg_process *x = dg_log_process (a->log.log);
  const struct dg_process *y = dg_log_process (b->log.log);

  return x != NULL && y != NULL && x->pid == y->pid
         && x->start_ticks == y->start_ticks && x->wall_ns == y->wall_ns;
}

const struct stack_trace *
allocs_trace (const struct allocs_record *record)
{
  const struct dg_block block = allocs_block (record);

  return record->is_free
           ? stack_names_trace (record->log->names, &block.free_stack,
                                 block.free_icount,
                                 dg_site_is_call (block.deallocator))
           : stack_names_trace (record->log->names, &block.alloc_stack,
                                 block.alloc_icount,
                                 dg_site_is_call (block.allocator));
}
