/* arrow_lines.c: the tables of chunks, and of the lines that each touched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_chunks.h"
#include "arrow_rows.h"
#include "base/bisect.h"
#include "base/error.h"
#include "dg_record.h"

/* ---- chunks ---- */

static const struct dg_arrow_column chunks_columns[] = {
  { "chunk", "L", 0, "its number, from 0" },
  { "offset", "L", 0, "in the file; bytes" },
  { "icount", "L", 0, "instructions executed before it" },
  { "end_icount", "L", 0, "and before its end" },
  { "instructions", "L", 0, "recorded in it" },
  { "runs", "L", 0, "of superblocks in it" },
  { "reads", "L", 0, "accesses in it" },
  { "writes", "L", 0, "accesses in it" }
};

static size_t
count_chunks (const struct dg_log *log)
{
  size_t n;

  dg_log_chunks (log, &n);
  return n;
}

static int
put_chunk (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
           struct dg_error *err)
{
  const struct dg_summary *summary = dg_log_summary (asked->log);
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (asked->log, &n),
                        *chunk = &chunks[i];
  const struct dg_chunk end = { .icount = summary->last_icount,
                                .runs = summary->runs,
                                .instructions = summary->instructions,
                                .reads = summary->reads,
                                .writes = summary->writes },
                        *next = i + 1 < n ? chunk + 1 : &end;

  if (i < asked->query.first_chunk || i >= asked->query.end_chunk
      || !dg_arrow_query_has_time (asked, chunk->icount, next->icount))
    return 0;
  dg_arrow_row_number (row, i);
  dg_arrow_row_number (row, chunk->offset);
  dg_arrow_row_number (row, chunk->icount);
  dg_arrow_row_number (row, next->icount);
  dg_arrow_row_number (row, next->instructions - chunk->instructions);
  dg_arrow_row_number (row, next->runs - chunk->runs);
  dg_arrow_row_number (row, next->reads - chunk->reads);
  dg_arrow_row_number (row, next->writes - chunk->writes);
  return 1;
}

static const struct dg_arrow_rows chunks_rows = { count_chunks, put_chunk };
DG_ARROW_ROWS_TABLE (chunks, "parts of the log that can be read alone",
                     DG_ARROW_ICOUNTS | DG_ARROW_CHUNKS);

/* ---- lines ---- */

static const struct dg_arrow_column lines_columns[] = {
  { "chunk", "L", 0, "number of the chunk" },
  { "line", "L", 0, "number of the line: address / 64" },
  { "address", "L", DG_ARROW_ADDRESS, "of its first byte" },
  { "reads", "I", 0, "accesses that overlap it" },
  { "writes", "I", 0, "accesses that overlap it" }
};

struct lines {
  struct dg_arrow_asked *asked;
  struct dg_index *index;
  struct dg_arrow_chunks chunks;
  size_t chunk;
  const struct dg_line_list *list;       /* of this chunk, or NULL */
  size_t next;                           /* line of it */
};

static void
close_lines (void *self)
{
  struct lines *lines = self;

  if (lines->list)
    dg_index_return (lines->index, lines->list);
  g_free (lines);
}

static void *
open_lines (struct dg_arrow_asked *asked, struct dg_error *err)
{
  struct lines *lines = g_try_new0 (struct lines, 1);

  if (!lines) {
    dg_error_nomem (err);
    return NULL;
  }
  lines->asked = asked;
  lines->chunks.asked = asked;
  lines->index = dg_arrow_shared_index (asked->shared);
  if (lines->index)
    return lines;
  dg_error_set (err, DG_ERR_IO,
                "the log has no index of touched lines; 'dg index' makes it");
  g_free (lines);
  return NULL;
}

/* Goes to the lines of the next chunk: 1, 0, < 0.  */
static int
open_list (struct lines *lines, struct dg_error *err)
{
  size_t n = dg_index_lists (lines->index, 0);
  int code = dg_progress_pace (&lines->asked->progress, lines->chunks.next,
                               lines->asked->query.end_chunk, err);

  if (lines->list)
    dg_index_return (lines->index, lines->list);
  lines->list = NULL;
  lines->next = 0;
  if (code == 0)
    code = dg_arrow_chunks_next (&lines->chunks, &lines->chunk, err);
  if (code <= 0 || lines->chunk >= n)
    return MIN (code, 0);
  lines->list = dg_index_borrow (lines->index, 0, lines->chunk, err);
  return lines->list ? 1 : DG_ERR_DAMAGED;
}

static ptrdiff_t
next_lines (void *self, struct dg_arrow_array *const *columns, size_t max,
            struct dg_error *err)
{
  struct lines *lines = self;
  size_t n = 0;

  while (n == 0) {
    if (!lines->list || lines->next == lines->list->n) {
      int code = open_list (lines, err);

      if (code <= 0)
        return code;
    }
    for (; lines->next < lines->list->n && n < max; lines->next++) {
      const struct dg_line_count *line = &lines->list->counts[lines->next];
      uint64_t address = line->line * DG_LINE_BYTES;
      struct dg_arrow_row row = { columns };

      if (!dg_arrow_query_has_memory (lines->asked, address, DG_LINE_BYTES))
        continue;
      dg_arrow_row_number (&row, lines->chunk);
      dg_arrow_row_number (&row, line->line);
      dg_arrow_row_number (&row, address);
      dg_arrow_row_number (&row, line->reads);
      dg_arrow_row_number (&row, line->writes);
      n++;
    }
  }
  return n;
}

/* A batch ends with the lines of a chunk, of which nothing is known yet.  */
static size_t
most_lines (const void *self)
{
  const struct lines *lines = self;

  return lines->list && lines->next < lines->list->n
           ? lines->list->n - lines->next
           : SIZE_MAX;
}

const struct dg_arrow_source dg_arrow_source_lines = {
  { "lines", "cache lines that each chunk touched, from the index",
    lines_columns, G_N_ELEMENTS (lines_columns),
    DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES | DG_ARROW_CHUNKS },
  open_lines, NULL, next_lines, close_lines, most_lines
};
