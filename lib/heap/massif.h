/* massif.h: the parts of Massif's algorithm.

   massif.c has the options and runs the rest:
     massif_sites.c     who asked for memory, and which frames of that count
     massif_steps.c     what happens in the log, in its order
     massif_replay.c    what that does to the heap, step by step
     massif_pages.c     the same for pages
     massif_stacks.c    and for stack pointers
     massif_table.c     which snapshots are taken, and which are kept
     massif_tree.c      trees of those that are
     massif_write.c     the file

   The log is replayed twice.  The first time finds out, with sums only, which
   snapshots there will be; the second one adds up bytes for each site and
   copies them where a snapshot with a tree was.  So trees that the algorithm
   throws away again are never made.

   Facts about what Massif does are from its manual and from what it does;
   where the two differ, its files count.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MASSIF_PRIVATE_H
#define DG_MASSIF_PRIVATE_H

#include "libdatagrind.h"
#include "base/table.h"

#include <glib.h>

/* As Massif calls all functions that call main.  */
#define DG_MASSIF_BELOW_MAIN "(below main)"
/* The most that one address has: inlined calls and a function.  */
#define DG_MASSIF_MAX_FRAMES 64

/* The frames of an address, DG_MASSIF_MAX_FRAMES at most: at least one.
   symbols may be NULL: nothing is known then.  */
size_t dg_massif_frames (struct dg_symbols *symbols, uint64_t address,
                         uint64_t icount, struct dg_frame *out);

/* ---- Sites ----------------------------------------------------------- */

/* A call stack that asked for memory, innermost frame first, without the
   allocator's own frame.  */
struct dg_massif_site {
  struct dg_stack stack;   /* as far as Massif would have looked */
  uint64_t icount;         /* when it was first met */
  uint16_t top, n;         /* the frames that count: stack.sites[top .. top + n
                              - 1]; n 0: what it asks for is ignored */
};

/* All zero but for symbols and options is empty.  */
struct dg_massif_sites {
  struct dg_symbols *symbols;
  const struct dg_massif_options *options;
  struct dg_table sites;       /* struct dg_massif_site, as they are met */
  GHashTable *functions;       /* address -> what kind of function it is in */
  struct dg_massif_slot *slots;  /* mask + 1, by the stack's memory */
  size_t mask;
  uint32_t deepest_main;       /* frames below main, the most so far */
};

/* The number of a stack's site.  is_allocator: its first frame is in the
   function that allocates.  0 or DG_ERR_NOMEM.  */
int dg_massif_site (struct dg_massif_sites *sites,
                    const struct dg_stack *stack, bool is_allocator,
                    uint64_t icount, uint32_t *site);
static inline const struct dg_massif_site *
dg_massif_site_at (const struct dg_massif_sites *sites, uint32_t site)
{
  return (const struct dg_massif_site *) sites->sites.items + site;
}
void dg_massif_sites_fini (struct dg_massif_sites *sites);

/* ---- Snapshots ------------------------------------------------------- */

/* The bytes of one site.  */
struct dg_massif_share {
  uint32_t site;
  uint64_t bytes;
};

/* A snapshot, and what its tree is made of.  */
struct dg_massif_entry {
  struct dg_massif_snapshot told;
  bool has_tree;
  uint64_t position;       /* changes of sites before it */
  uint32_t n_sites;        /* met before it */
  struct dg_massif_share *shares;      /* those with bytes, by site */
  size_t n_shares;
};

/* Snapshots are taken more and more seldom: when the table is full, half of
   them are removed, and the least time between two that remain is from then on
   the least between two new ones.  */
struct dg_massif_table {
  GArray *entries;         /* struct dg_massif_entry, in the order of time */
  guint max, freq;
  double inaccuracy;       /* percent */
  guint since_detailed;    /* entries taken since one with a tree */
  uint64_t interval;       /* the least time between two */
  uint64_t earliest;       /* for the next one */
  uint64_t peak_total;     /* of the last peak, 0 before there was one */
  uint64_t peak_above;     /* a new one must be greater than this */
};
void dg_massif_table_init (struct dg_massif_table *table,
                           const struct dg_massif_options *options);
/* To be called when it is time (told.time >= earliest).  */
void dg_massif_table_normal (struct dg_massif_table *table,
                             const struct dg_massif_entry *now);
/* To be called when the total is greater than peak_above.  */
void dg_massif_table_peak (struct dg_massif_table *table,
                           const struct dg_massif_entry *now);
void dg_massif_table_fini (struct dg_massif_table *table);

static inline uint64_t
dg_massif_total (const struct dg_massif_snapshot *s)
{
  return s->heap + s->extra + s->stacks;
}

/* ---- Steps ----------------------------------------------------------- */

struct dg_massif_step {
  enum dg_replay_kind kind;
  uint64_t icount;
  uint32_t order;
  uint32_t block_number;   /* ALLOC, FREE: no other block has it meanwhile */
  struct dg_block block;   /* likewise */
  const struct dg_page_change *pages;      /* PAGES */
  const struct dg_stack_pointer *pointer;  /* STACK_POINTER */
};

struct dg_massif_steps;
struct dg_massif_steps *dg_massif_steps_new (const struct dg_log *log,
                                             struct dg_error *err);
/* The call stacks of blocks are valid until then.  */
void dg_massif_steps_free (struct dg_massif_steps *steps);
/* From the start of the log: these kinds (1u << DG_REPLAY_...), and how many
   they are, about.  0 or < 0.  */
int dg_massif_steps_begin (struct dg_massif_steps *steps, unsigned kinds,
                           struct dg_error *err);
size_t dg_massif_steps_n (const struct dg_massif_steps *steps);
/* *step becomes the next one, ahead 0, or the one after that, 1, until steps
   are passed: 1; 0: there is none; < 0.  */
int dg_massif_steps_peek (struct dg_massif_steps *steps, unsigned ahead,
                          const struct dg_massif_step **step,
                          struct dg_error *err);
/* Passes n of those that were seen.  */
void dg_massif_steps_pass (struct dg_massif_steps *steps, unsigned n);
/* The site of the block of a step, DG_NONE at first.  0 or DG_ERR_NOMEM.  */
uint32_t dg_massif_steps_site (const struct dg_massif_steps *steps,
                               const struct dg_massif_step *step);
int dg_massif_steps_set_site (struct dg_massif_steps *steps,
                              const struct dg_massif_step *step,
                              uint32_t site);
/* Whether the log has the actual sizes of blocks, or no blocks; before the
   first pass.  0 or < 0.  */
int dg_massif_steps_has_sizes (struct dg_massif_steps *steps, bool *has_sizes,
                               struct dg_error *err);

/* ---- Replay ---------------------------------------------------------- */

/* One pass over the log.  */
struct dg_massif_replay {
  const struct dg_log *log;
  const struct dg_massif_options *options;
  struct dg_massif_sites *sites;
  struct dg_massif_table *table;       /* of the first pass, else NULL */
  /* What the moments of the options are like; first pass.  */
  struct dg_massif_entry *moments;     /* options->n_at, in their order */
  struct dg_massif_entry *exact;       /* the true peak, or NULL */
  /* The second pass: what is to be filled, by position.  */
  struct dg_massif_entry **wanted;
  size_t n_wanted, next_wanted;
  struct dg_table sums;                /* uint64_t, of each site */

  struct dg_massif_entry now;          /* the state */
  uint64_t moved;                      /* bytes allocated and freed so far */
  size_t next_moment;
  bool has_started;
  struct dg_massif_steps *steps;
  size_t at;                           /* steps that were made */
  struct dg_massif_pages *pages;       /* massif_pages.c */
  struct dg_massif_stacks *stacks;     /* massif_stacks.c */
  dg_progress_fn progress;
  void *user;
  uint64_t done, total;                /* of both passes */
  struct dg_error *err;
};

/* Zero when all went well, or a code, with *err filled.  */
int dg_massif_replay_run (struct dg_massif_replay *replay);

/* What changes do, one function for each thing that Massif does; all return 0
   or DG_ERR_NOMEM.  */

/* The state is one later on: `heap` and `extra` bytes more or, as they wrap
   around, less.  */
void dg_massif_grow (struct dg_massif_replay *replay, uint64_t heap,
                     uint64_t extra);
/* So many bytes were allocated or freed.  */
void dg_massif_move (struct dg_massif_replay *replay, uint64_t bytes);
/* Whether so many bytes more can be counted.  */
bool dg_massif_has_room (const struct dg_massif_replay *replay,
                         uint64_t bytes);
/* A site has so many bytes more, or less.  */
int dg_massif_change (struct dg_massif_replay *replay, uint32_t site,
                      uint64_t bytes);
/* There may be a snapshot now; or one of a peak.  */
void dg_massif_maybe_normal (struct dg_massif_replay *replay);
void dg_massif_maybe_peak (struct dg_massif_replay *replay);

/* Does what happened up to icount `until`, and at it.  */
int dg_massif_walk (struct dg_massif_replay *replay, uint64_t until);
/* Takes the moments up to icount, when all steps up to it were made.  */
void dg_massif_take_moments (struct dg_massif_replay *replay, uint64_t icount);
/* Tells of progress, `done` from the beginning of the pass: DG_ERR_CANCELLED,
   or 0.  */
int dg_massif_pace (struct dg_massif_replay *replay, uint64_t done);

/* What a chunk of runs counts for, in steps.  */
#define DG_MASSIF_CHUNK_STEPS 65536u

/* Reads all runs for what instructions do to the stack pointers, and does all
   steps between.  */
int dg_massif_stacks_run (struct dg_massif_replay *replay);
/* Where no instruction did it.  */
void dg_massif_stacks_apply (struct dg_massif_replay *replay,
                             const struct dg_stack_pointer *pointer);
void dg_massif_stacks_free (struct dg_massif_stacks *stacks);

/* What a mapping, or the end of one, does.  */
int dg_massif_pages_apply (struct dg_massif_replay *replay,
                           const struct dg_page_change *change);
void dg_massif_pages_free (struct dg_massif_pages *pages);

/* ---- Result ---------------------------------------------------------- */

struct dg_massif {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_massif_options options;    /* as given */
  struct dg_massif_options used;       /* as they are understood */
  struct dg_massif_sites sites;
  struct dg_massif_steps *steps;       /* their stacks are those of sites */
  GArray *entries;                     /* struct dg_massif_entry */
  struct dg_massif_snapshot *told;     /* of each entry */
  uint32_t *order;                     /* sites, by their frames */
  size_t peak;
  char *command;
  GPtrArray *notes;
  GMutex lock;                         /* of what follows */
  GHashTable *labels;                  /* address -> struct dg_massif_label */
  GStringChunk *strings;
};

/* Sorts the sites; once, before trees are made.  0 or DG_ERR_NOMEM.  */
int dg_massif_sort_sites (struct dg_massif *massif);

/* Appends a name, which may hold anything, to a line: control characters as
   \xNN.  */
void dg_massif_append (GString *text, const char *name);

#endif /* DG_MASSIF_PRIVATE_H */
