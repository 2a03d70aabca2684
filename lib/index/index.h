/* index.h: what an index is made of, for index*.c and their tests.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INDEX_H
#define DG_INDEX_H

#include <glib.h>

#include "archive/archive.h"
#include "log/log.h"
#include "base/stream.h"
#include "base/table.h"

enum dg_index_where {
  DG_INDEX_NOWHERE = 0,    /* an empty list */
  DG_INDEX_IN_FILE = 1,
  DG_INDEX_IN_MEMORY = 2,
  DG_INDEX_MERGED = 3      /* of the lists of the level below */
};

/* A list as somebody uses it, or as it is kept for the next who asks.  */
struct dg_index_entry {
  struct dg_line_list list;      /* first: what users hold */
  struct dg_table counts;
  unsigned users;
  struct dg_index_ref *ref;      /* whose entry it is; NULL: nobody's */
  GList link;                    /* in `kept` while ref is set */
};

struct dg_index_ref {
  enum dg_index_where where;
  struct dg_part part;           /* IN_FILE */
  GBytes *bytes;                 /* IN_MEMORY: as dg_lines_write made them;
                                    indexes of a log that grows share them */
  struct dg_index_entry *entry;  /* NULL: not kept */
};

struct dg_index_level {
  size_t n;
  struct dg_index_ref *refs;
};

/* What stands before a chunk.  */
struct dg_index_start {
  uint64_t icount, accesses;
};

/* What the lists of an index may take in memory.  */
#define DG_INDEX_MEMORY_BYTES ((uint64_t) 512 << 20)

struct dg_index {
  enum dg_index_origin origin;
  char *note;
  struct dg_source source;       /* of lists IN_FILE; ours */
  uint64_t bytes;
  size_t n_chunks;
  struct dg_index_start *starts; /* and one more: the end of the log */
  unsigned n_levels;
  struct dg_index_level *levels;
  size_t keep_bytes;             /* at most in `kept`; tests make it small */
  GMutex lock;                   /* guards all below, users, ref->entry */
  GQueue kept;                   /* entries, the latest used first */
  size_t kept_bytes;
};

/* An index of so many chunks with all lists empty; NULL when memory is
   short.  */
struct dg_index *dg_index_new (size_t n_chunks, struct dg_error *err);

/* Takes the bytes of a list, made by dg_lines_write.  */
int dg_index_set_memory (struct dg_index *index, unsigned level, size_t i,
                         const void *bytes, size_t n, struct dg_error *err);

/* What `starts` says, from a loaded log.  */
void dg_index_set_starts (struct dg_index *index, const struct dg_log *log);

/* Opens the file and finds its parts, if it is the sidecar of the log as that
   is now; what the log holds is not looked at.  */
int dg_index_open_file (const struct dg_log *log, const char *path,
                        struct dg_source *source, struct dg_archive **sidecar,
                        struct dg_error *err);
/* Opens a sidecar of the log, wherever it is.  */
int dg_index_open_sidecar (const struct dg_log *log, const char *path,
                           struct dg_index **index, struct dg_error *err);

/* The time of the log's last modification, in ns; 0 for a log in memory.  */
int dg_index_mtime (const struct dg_log *log, int64_t *mtime_ns,
                    uint64_t *size, struct dg_error *err);

/* Of index_lists.c: drops all lists that are kept; what one takes.  */
void dg_index_forget (struct dg_index *index);
size_t dg_index_entry_bytes (const struct dg_index_entry *entry);

#endif /* DG_INDEX_H */
