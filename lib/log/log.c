/* log.c: opening and closing logs, and handing out what one holds.  Its
   records are read by load.c and reader.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_part.h"
#include "base/error.h"
#include "grow.h"
#include "packed.h"
#include "base/regular.h"

#define DEFAULT_PAGE_SIZE 4096
#define DEFAULT_LINE_SIZE 64

/* Less than that is not worth a worker's while.  */
#define PART_MIN_BYTES ((uint64_t) 1 << 20)

void
dg_contents_fini (struct dg_contents *contents)
{
  dg_defs_fini (&contents->defs);
  dg_paths_fini (&contents->raw_paths);
  dg_table_fini (&contents->threads);
  dg_table_fini (&contents->thread_order);
  dg_store_fini (&contents->blocks);
  dg_table_fini (&contents->ranges);
  dg_table_fini (&contents->events);
  dg_table_fini (&contents->modules);
  dg_table_fini (&contents->locals);
  dg_table_fini (&contents->mappings);
  dg_table_fini (&contents->pages);
  dg_table_fini (&contents->pools);
  dg_table_fini (&contents->pool_moves);
  dg_table_fini (&contents->pointers);
  dg_table_fini (&contents->meetings);
  dg_table_fini (&contents->flows);
  dg_table_fini (&contents->kernel);
  dg_table_fini (&contents->windows);
  dg_table_fini (&contents->clock);
  dg_table_fini (&contents->chunks);
  dg_packed_free (contents->packed);
  dg_arena_fini (&contents->arena);
  memset (contents, 0, sizeof *contents);
}

/* The format of a raw log or an archive, by its first bytes.  */
static int
read_format (const uint8_t *bytes, size_t n, struct dg_format *format,
             bool *is_archive, struct dg_error *err)
{
  struct dg_archive_head head;
  int code;

  *is_archive = dg_archive_is (bytes, n);
  if (!*is_archive)
    return dg_decode_header (bytes, n, format, err);
  code = dg_archive_head_get (bytes, n, &head, err);
  if (code < 0)
    return code;
  if (head.origin == DG_ORIGIN_SIDECAR)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "this is the index of a log, not a log");
  format->word_size = head.word_size;
  format->big_endian = head.big_endian;
  format->swap = head.big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  return 0;
}

/* Reads the header and makes the log; takes the source over on success.  */
static int
open_source (const char *name, const struct dg_source *source,
             struct dg_log **log, struct dg_error *err)
{
  struct dg_stream stream;
  struct dg_format format = { 0 };
  struct dg_log *new;
  bool is_archive = false;
  int code;

  dg_stream_init (&stream, source, 0, source->size);
  code = dg_stream_fill (&stream, MAX (DG_HEADER_SIZE, DG_ARCHIVE_HEAD_BYTES),
                         err);
  if (code == 0)
    code = read_format (stream.at, stream.avail, &format, &is_archive, err);
  dg_stream_fini (&stream);
  if (code < 0)
    return code;

  new = g_try_new0 (struct dg_log, 1);
  if (!new)
    return dg_error_nomem (err);
  new->path = g_strdup (name);
  new->source = *source;
  new->format = format;
  new->part_min_bytes = PART_MIN_BYTES;
  new->piece_accesses = DG_PACK_ACCESSES;
  new->header.version = DG_VERSION;
  new->header.big_endian = format.big_endian;
  new->header.word_size = format.word_size;
  new->header.is_archive = is_archive;
  new->header.file_size = source->size;
  *log = new;
  return 0;
}

int
dg_log_open (const char *path, struct dg_log **log, struct dg_error *err)
{
  struct dg_source source = { -1, NULL, 0 };
  struct dg_error why;
  struct stat status;
  int code;

  *log = NULL;
  source.fd = dg_regular_open (path, &why);
  if (source.fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", why.message);
  if (fstat (source.fd, &status) < 0) {
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  } else {
    source.size = status.st_size;
    code = open_source (path, &source, log, err);
  }
  if (code < 0)
    close (source.fd);
  return code;
}

int
dg_log_open_memory (const char *name, const void *bytes, size_t n,
                    struct dg_log **log, struct dg_error *err)
{
  struct dg_source source = { -1, bytes, n };

  *log = NULL;
  return open_source (name, &source, log, err);
}

void
dg_log_close (struct dg_log *log)
{
  if (!log)
    return;
  dg_contents_fini (&log->contents);
  dg_growth_free (log->growth);
  dg_hold_leave (log->hold);
  if (log->source.fd >= 0)
    close (log->source.fd);
  g_free (log->path);
  g_free (log);
}

const struct dg_header *
dg_log_header (const struct dg_log *log)
{
  return &log->header;
}

const char *
dg_log_path (const struct dg_log *log)
{
  return log->path;
}

const struct dg_summary *
dg_log_summary (const struct dg_log *log)
{
  return &log->contents.summary;
}

const struct dg_process *
dg_log_process (const struct dg_log *log)
{
  return log->contents.has_process ? &log->contents.process : NULL;
}

uint32_t
dg_log_page_size (const struct dg_log *log)
{
  uint32_t size = log->contents.process.page_size;

  return size > 0 ? size : DEFAULT_PAGE_SIZE;
}

uint32_t
dg_log_line_size (const struct dg_log *log)
{
  uint32_t size = log->contents.process.line_size;

  return size > 0 ? size : DEFAULT_LINE_SIZE;
}

const struct dg_bbdef *
dg_log_bbdef (const struct dg_log *log, uint32_t index)
{
  const struct dg_table *table = &log->contents.defs.bbdefs;

  g_assert (index < table->n);
  return &((const struct dg_definition **) table->items)[index]->bbdef;
}

struct dg_context
dg_log_context (const struct dg_log *log, uint32_t index)
{
  const struct dg_table *table = &log->contents.defs.contexts;

  struct dg_context context;

  g_assert (index < table->n);
  context = ((const struct dg_context *) table->items)[index];
  context.path = dg_program_told (&log->contents.paths.nodes, context.path);
  return context;
}

uint32_t
dg_log_n_call_paths (const struct dg_log *log)
{
  return log->contents.paths.n.nodes;
}

struct dg_call_path
dg_log_call_path (const struct dg_log *log, uint32_t path)
{
  const struct dg_program_path *at;

  g_assert (path < log->contents.paths.n.nodes);
  at = dg_program_path (&log->contents.paths.nodes, path);
  return (struct dg_call_path) {
    .site = at->site,
    .parent = path == 0 || at->own > 0 ? DG_NONE : at->parent
  };
}

uint32_t
dg_log_path_sites (const struct dg_log *log, uint32_t path, uint64_t *sites,
                   uint32_t max)
{
  const struct dg_contents *contents = &log->contents;

  g_assert (path < contents->paths.n.nodes);
  /* Of an archive's tree there may be more; other stacks are as they are.  */
  if (contents->packed
      && dg_program_path (&contents->paths.nodes, path)->own == 0)
    max = MIN (max, contents->has_process ? contents->process.stack_depth
                                          : DG_STACK_MAX - 1);
  return dg_program_sites (&contents->paths, path, sites,
                           MIN (max, DG_STACK_MAX - 1));
}

uint32_t
dg_log_context_stack (const struct dg_log *log, uint32_t index,
                      uint64_t stack[DG_STACK_MAX])
{
  const struct dg_context *contexts = log->contents.defs.contexts.items;
  struct dg_context context = dg_log_context (log, index);
  struct dg_program_node node = dg_program_node (&log->contents.paths,
                                                 contexts[index].path);
  const struct dg_bbdef *bbdef = dg_log_bbdef (log, context.bbdef);

  if (node.stack) {
    memcpy (stack, node.stack, node.n_stack * sizeof *stack);
    return node.n_stack;
  }
  stack[0] = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0;
  return 1 + dg_log_path_sites (log, context.path, stack + 1,
                                DG_STACK_MAX - 1);
}

/* The items of a table, which is NULL when it has none.  */
static const void *
items (const struct dg_table *table, size_t *n)
{
  *n = table->n;
  return table->n > 0 ? table->items : NULL;
}

const struct dg_thread *
dg_log_threads (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.threads, n);
}

const struct dg_thread *
dg_log_thread (const struct dg_log *log, uint32_t number)
{
  const struct dg_thread *threads = log->contents.threads.items;
  const uint32_t *order = log->contents.thread_order.items;
  size_t low = 0, high = log->contents.thread_order.n;

  while (low < high) {
    size_t middle = low + (high - low) / 2;

    if (threads[order[middle]].number <= number)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || threads[order[low - 1]].number != number)
    return NULL;
  return &threads[order[low - 1]];
}

size_t
dg_log_n_blocks (const struct dg_log *log)
{
  return log->contents.blocks.items.n;
}

struct dg_block
dg_log_block (const struct dg_log *log, size_t index)
{
  return dg_store_get (&log->contents.blocks, index);
}

struct dg_block_extent
dg_log_block_extent (const struct dg_log *log, size_t index)
{
  return dg_store_extent (&log->contents.blocks, index);
}

const struct dg_range *
dg_log_ranges (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.ranges, n);
}

const struct dg_event *
dg_log_events (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.events, n);
}

const struct dg_module *
dg_log_modules (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.modules, n);
}

const struct dg_thread_local *
dg_log_thread_locals (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.locals, n);
}

const struct dg_mapping *
dg_log_mappings (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.mappings, n);
}

const struct dg_page_change *
dg_log_page_changes (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pages, n);
}

const struct dg_mempool *
dg_log_pools (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pools, n);
}

const struct dg_kernel_access *
dg_log_kernel_accesses (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.kernel, n);
}

const struct dg_meeting *
dg_log_meetings (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.meetings, n);
}

const struct dg_stack_pointer *
dg_log_stack_pointers (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.pointers, n);
}

const struct dg_window_change *
dg_log_windows (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.windows, n);
}

const struct dg_clock *
dg_log_clock (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.clock, n);
}

const struct dg_chunk *
dg_log_chunks (const struct dg_log *log, size_t *n)
{
  return items (&log->contents.chunks, n);
}
