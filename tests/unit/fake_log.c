/* fake_log.c: a log that a test fills by hand.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "fake_log.h"

#include <stdlib.h>

#include "log/block_window.h"
#include "log/bundled.h"
#include "log/log_births.h"

#define TIMELINE(type, name)                                             \
  const struct type *dg_log_##name (const struct dg_log *log, size_t *n) \
  {                                                                      \
    *n = log->n_##name;                                                  \
    return log->name;                                                    \
  }

TIMELINE (dg_range, ranges)
TIMELINE (dg_event, events)
TIMELINE (dg_thread, threads)
TIMELINE (dg_module, modules)
TIMELINE (dg_mapping, mappings)
TIMELINE (dg_thread_local, thread_locals)
TIMELINE (dg_code_name, code_names)

/* All blocks.  */
bool
dg_log_first_birth (const struct dg_log *log, size_t i,
                    struct dg_log_birth *birth)
{
  if (i >= log->n_blocks)
    return false;
  *birth = (struct dg_log_birth) {
    .stack = log->blocks[i].alloc_stack, .icount = log->blocks[i].alloc_icount,
    .allocator = log->blocks[i].allocator
  };
  return true;
}

/* It has all blocks.  */
unsigned
dg_block_window_number (const struct dg_log *log)
{
  (void) log;
  return 0;
}

size_t
dg_log_n_blocks (const struct dg_log *log)
{
  return log->n_blocks;
}

struct dg_block
dg_log_block (const struct dg_log *log, size_t index)
{
  return log->blocks[index];
}

struct dg_block_extent
dg_log_block_extent (const struct dg_log *log, size_t index)
{
  const struct dg_block *block = &log->blocks[index];

  return (struct dg_block_extent) {
    block->address, block->size, block->alloc_icount, block->free_icount
  };
}

const struct dg_thread *
dg_log_thread (const struct dg_log *log, uint32_t number)
{
  for (size_t i = log->n_threads; i > 0; i--)
    if (log->threads[i - 1].number == number)
      return &log->threads[i - 1];
  return NULL;
}

const struct dg_header *
dg_log_header (const struct dg_log *log)
{
  return &log->header;
}

const struct dg_process *
dg_log_process (const struct dg_log *log)
{
  return log->process;
}

const struct dg_summary *
dg_log_summary (const struct dg_log *log)
{
  return &log->summary;
}

const struct dg_bbdef *
dg_log_bbdef (const struct dg_log *log, uint32_t index)
{
  return &log->bbdefs[index];
}

struct dg_context
dg_log_context (const struct dg_log *log, uint32_t index)
{
  return log->contexts[index];
}

uint32_t
dg_log_n_call_paths (const struct dg_log *log)
{
  return log->n_paths;
}

struct dg_call_path
dg_log_call_path (const struct dg_log *log, uint32_t path)
{
  return log->paths[path];
}

/* A path without a parent has one site, as if it were its own.  */
uint32_t
dg_log_path_sites (const struct dg_log *log, uint32_t path, uint64_t *sites,
                   uint32_t max)
{
  uint32_t n = 0;

  for (; path != 0 && path != DG_NONE && n < max;
       path = log->paths[path].parent)
    sites[n++] = log->paths[path].site;
  return n;
}

struct dg_reader {
  const struct dg_log *log;
  size_t next;
};

struct dg_reader *
dg_reader_new (const struct dg_log *log, size_t first_chunk, size_t end_chunk,
               struct dg_error *err)
{
  struct dg_reader *reader = malloc (sizeof *reader);

  (void) first_chunk;
  (void) end_chunk;
  (void) err;
  reader->log = log;
  reader->next = 0;
  return reader;
}

void
dg_reader_free (struct dg_reader *reader)
{
  free (reader);
}

int
dg_reader_run (struct dg_reader *reader, struct dg_run *run,
               struct dg_error *err)
{
  (void) err;
  if (reader->next == reader->log->summary.runs)
    return 0;
  *run = reader->log->runs[reader->next++];
  return 1;
}

/* It brings no files.  */
const struct dg_places_kept *
dg_bundled_places (const struct dg_log *log)
{
  return NULL;
}

const struct dg_table *
dg_bundled_files (const struct dg_log *log)
{
  return NULL;
}

int
dg_bundled_open (const struct dg_log *log, const struct dg_bundle_file *file,
                 struct dg_error *err)
{
  return DG_ERR_INVALID;
}

const char *
dg_bundled_problem (const struct dg_log *log)
{
  return NULL;
}
