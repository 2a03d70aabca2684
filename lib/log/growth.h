/* growth.h: what goes from a log to the one that it grows into.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_GROWTH_H
#define DG_GROWTH_H

#include "archive/program.h"
#include "contents.h"
#include "format/position.h"
#include "timeline.h"

/* The memory that all logs that grew from one another have in common: what is
   in it never changes, and only the loading of the newest adds to it.  */
struct dg_growth_shared {
  gint users;              /* atomic: logs */
  struct dg_arena arena;   /* of their contents */
  struct dg_program program;   /* of their archives */
  struct dg_paths paths;       /* of raw logs */
};

/* Where loading stopped; belongs to the newest log.  */
struct dg_growth {
  struct dg_timeline timeline;   /* of that log's contents */
  struct dg_position position;
  struct dg_table threads; /* struct dg_thread: as they were before the end
                              was judged */
  bool has_begun;
  uint64_t offset;         /* of a raw log's next record */
  uint64_t last_chunk;     /* as in struct dg_walk */
  uint64_t moment;         /* of an archive, as in dg_packed_load */
};

void dg_growth_free (struct dg_growth *growth);

/* Takes up the timeline where it was left, for other contents; and leaves it,
   before dg_timeline_finish.  0 or DG_ERR_NOMEM.  */
int dg_growth_resume (struct dg_growth *growth, struct dg_contents *contents,
                      struct dg_timeline *timeline);
int dg_growth_note (struct dg_growth *growth, struct dg_timeline *timeline,
                    const struct dg_position *position);
/* The timeline's own memory, after dg_timeline_finish; it is then empty.  */
void dg_growth_keep (struct dg_growth *growth, struct dg_timeline *timeline);

/* Lends the memory in common to what is about to be loaded, and puts it
   back.  */
void dg_growth_shared_lend (struct dg_growth_shared *shared,
                            struct dg_contents *contents);
void dg_growth_shared_take_back (struct dg_growth_shared *shared,
                                 struct dg_contents *contents);
/* The log does not need it any more.  */
void dg_growth_shared_leave (struct dg_growth_shared *shared);

#endif /* DG_GROWTH_H */
