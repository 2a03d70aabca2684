/* tally.h: what the accesses of a rectangle of the plot add up to: by thread,
   call path, instruction, page, cache line and place of allocation.

   Made by decoding the chunks that the view needs, on all processors.  Names
   are looked up later, for what is shown.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_H
#define DV_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "scene.h"
#include "viewport.h"

struct dv_count {
  uint64_t reads, writes;              /* accesses */
  uint64_t read_bytes, written_bytes;
};

static inline uint64_t
dv_count_accesses (const struct dv_count *count)
{
  return count->reads + count->writes;
}

static inline void
dv_count_add (struct dv_count *to, const struct dv_count *count)
{
  to->reads += count->reads;
  to->writes += count->writes;
  to->read_bytes += count->read_bytes;
  to->written_bytes += count->written_bytes;
}

/* All accesses of a call path: struct dv_tally_context.  */
struct dv_tally_context {
  uint32_t context;        /* of dg_log_context */
  struct dv_count count;
};

struct dv_tally_thread {
  uint32_t thread;
  struct dv_count count;
};

/* All accesses of an instruction, from whatever path.  */
struct dv_tally_code {
  uint64_t instruction;    /* its address */
  uint64_t icount;         /* when it ran once: for dg_symbols_frames */
  struct dv_count count;
};

enum dv_sharing {
  DV_SHARING_NONE,         /* one thread only, or nobody writes */
  DV_SHARING_TRUE,         /* bytes that one thread writes others touch */
  DV_SHARING_FALSE         /* threads touch different bytes of it, and at
                              least one writes */
};

/* A page or a cache line.  */
struct dv_tally_place {
  uint64_t address;        /* of its first byte */
  struct dv_count count;   /* of accesses that touch a byte of it */
  uint32_t threads;        /* that touched it */
  uint32_t writers;        /* that wrote to it */
  enum dv_sharing sharing; /* lines only */
  uint64_t first_icount, last_icount;   /* of the accesses in the view */
};

/* All heap blocks allocated by the same call stack.  */
struct dv_tally_site {
  uint32_t block;          /* one of them, in dg_log_blocks: has the stack */
  uint64_t blocks;         /* so many of them were touched */
  uint64_t bytes;          /* of these */
  struct dv_count count;
};

/* Reference counted, for any thread; not changed once it was given out.  */
struct dv_tally {
  struct dv_scene *scene;
  struct dv_view view;
  double done;             /* share of the work that is in it; 1: all */
  struct dv_count total;   /* each access once */
  struct dv_count elsewhere;  /* of them, to what is no heap block */
  GArray *contexts;        /* struct dv_tally_context, by context */
  GArray *threads;         /* struct dv_tally_thread, by thread */
  GArray *code;            /* struct dv_tally_code, by instruction */
  /* The heaviest first.  Where there are too many, only these are here, and
     the numbers below say how many there are.  */
  GArray *pages, *lines;   /* struct dv_tally_place */
  GArray *sites;           /* struct dv_tally_site */
  uint64_t n_pages, n_lines, n_sites;
};

/* Called on the thread that makes the tally, some times a second, with what
   there is so far (done < 1); it takes a reference if it keeps it.  */
typedef void (*dv_tally_partial_fn) (void *user, struct dv_tally *tally);

/* NULL and *err on failure; the scene must be of a log that was read, not of
   a glance.  partial and progress may be NULL.  */
struct dv_tally *dv_tally_new (struct dv_scene *scene,
                               const struct dv_view *view,
                               dv_tally_partial_fn partial,
                               dg_progress_fn progress, void *user,
                               struct dg_error *err);
struct dv_tally *dv_tally_ref (struct dv_tally *tally);
/* NULL is fine.  */
void dv_tally_unref (struct dv_tally *tally);

#endif /* DV_TALLY_H */
