/* log.h: a log, for the files of the library that load it and read it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_H
#define DG_LOG_H

#include "base/stream.h"
#include "contents.h"
#include "format/decode.h"

struct dg_growth;
struct dg_growth_shared;
struct dg_load;
struct dg_places_kept;

/* Where raw logs and archives differ; chosen when a log is opened.  */
struct dg_log_ops {
  /* All that dg_log_load gathers (load.h).  */
  int (*load) (struct dg_load *load, unsigned workers, struct dg_error *err);
  /* What dg_log_load_summary does for a log that tells all it wants to know:
     1, or an error that the log itself has.  0: it has to be loaded.  Else
     < 0.  NULL: it always has to be.  */
  int (*load_summary) (struct dg_log *log, struct dg_error *err);
  /* Of a log without an end record.  */
  enum dg_writer (*writer) (const struct dg_log *log);
};

/* The blocks of a part of the log, which block_window.c moves.  */
struct dg_log_window {
  struct dg_store blocks;
  unsigned number;         /* of moves, from 1 */
  uint64_t first, end;     /* the moments: first .. end - 1 */
  size_t least;            /* blocks that are allocated in it */
  struct dg_block_window *mover;   /* NULL: it has not moved */
  void (*free_mover) (struct dg_block_window *mover);
};

struct dg_log {
  const struct dg_log_ops *ops;    /* of raw logs, or of archives */
  char *path;
  struct dg_source source;
  struct dg_header header;
  struct dg_format format;
  uint64_t part_min_bytes; /* that one worker takes; tests make it small */
  uint64_t piece_accesses; /* of chunks that dg_log_pack makes; likewise */
  bool load_called;
  bool is_loaded;
  /* dg_log_load_summary had to load all, which came to this.  */
  bool summary_loaded;
  struct dg_error load_error;
  /* Of a log that was loaded as one that grows (growth.h), else NULL.  */
  struct dg_growth *growth;
  struct dg_growth_shared *shared;
  struct dg_places_kept *places;   /* places.h; NULL: none were set */
  enum dg_repetitions repetitions;
  enum dg_blocks blocks;           /* that are kept */
  uint64_t blocks_icount;          /* of DG_BLOCKS_LIVE */
  size_t many_blocks;      /* that are too many to be kept where they may
                              pass; tests make it small */
  struct dg_log_window *window;    /* NULL: the log has all blocks */
  struct dg_contents contents;
};

/* Like dg_log_open, for a log in memory, which the caller keeps there until
   the log is closed.  `name` is what dg_log_path will say.  */
int dg_log_open_memory (const char *name, const void *bytes, size_t n,
                        struct dg_log **log, struct dg_error *err);

/* The blocks that the log has now.  */
static inline const struct dg_store *
dg_log_store (const struct dg_log *log)
{
  return log->window ? &log->window->blocks : &log->contents.blocks;
}

#endif /* DG_LOG_H */
