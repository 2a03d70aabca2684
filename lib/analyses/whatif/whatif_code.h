/* whatif_code.h: instructions that a changed program would execute in another
   way, or not at all: those of source lines and functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_CODE_H
#define DG_WHATIF_CODE_H

#include <glib.h>

#include "analysis/breakdown_mine.h"
#include "dg_analysis.h"
#include "time/time_code.h"
#include "time/time_memory.h"

/* How the changed program executes the instructions of a WHERE.  */
enum dg_whatif_edit {
  DG_WHATIF_NO_WRITES = 1, /* the instructions write nothing */
  DG_WHATIF_REMOVED,       /* the instructions are not executed */
  DG_WHATIF_HITS,          /* the data are in L1 */
  DG_WHATIF_IN_ORDER,      /* the addresses follow each other */
  DG_WHATIF_EXCHANGED,     /* they do, and what is computed for an element does
                              not wait for that of the one before */
  DG_WHATIF_REGISTER,      /* a register has what is accessed */
  DG_WHATIF_PREDICTED      /* the branches are predicted */
};

/* The instructions of one line or function.  */
struct dg_whatif_where {
  char *what;              /* as it was typed */
  char *file;              /* the end of a path; NULL: all of a function */
  uint32_t line;
  enum dg_whatif_edit edit;
  const char *option;
  bool is_found;           /* some of the instructions have run */
  uint64_t accesses;       /* that the edit has changed */
  /* Of --in-register: which register it is, and what is stored there (NULL:
     nothing yet).  */
  uint8_t variable;
  GArray *stored;
};

/* Bytes on one side of the beginning of an element that other slots access.
   An access of a loop elsewhere is beside an element now and then; only what
   is accessed beside most elements moves with them.  Blocks have many slots:
   they are small.  */
struct dg_whatif_beside {
  uint8_t used;            /* of most elements */
  uint8_t least;           /* of the latest elements that have more than
                              `used` */
  uint8_t n;               /* how many of them there are */
};

/* The accesses that a slot makes along consecutive addresses.  */
struct dg_whatif_walk {
  struct dg_whatif_beside before, after;
  uint8_t n_latest;        /* elements since the counts of the sides are 0 */
  uint32_t group;          /* how often they became 0 */
  uint64_t first, at;      /* addresses: of the region; of the next access */
  uint64_t end;            /* after the last line that was accessed */
  GHashTable *seen;        /* one in 64 of the elements that were accessed */
  uint64_t known;          /* elements since the latest of them that is new */
};

struct dg_whatif_slot {
  uint8_t edit;            /* enum dg_whatif_edit; 0: none */
  uint32_t where;          /* index */
  struct dg_whatif_walk walk;
};

/* A block that has edited instructions.  */
struct dg_whatif_block {
  struct dg_time_block *code;
  uint32_t n_slots;
  struct dg_whatif_slot slots[];
};

/* The latest access of an edited slot to a cache line, and the address that it
   got.  Accesses of other slots to this line move with it: their distance from
   it stays the same.  */
struct dg_whatif_moved {
  uint64_t from, to;       /* addresses in the program as it is, and in the
                              changed one; 0: there was no access */
  struct dg_whatif_walk *walk;
  bool is_counted_before, is_counted_after; /* in the walk's sides */
  uint32_t group;          /* of the walk, to which the element belongs */
};
#define DG_WHATIF_MOVED 256

/* One thread.  */
struct dg_whatif_code {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_units *units;  /* with --mine; or NULL */
  uint32_t n_registers;    /* that --in-register has taken */
  GArray *list;            /* struct dg_whatif_where */
  /* By number of a block (of a unit); NULL: not known yet.  */
  struct dg_whatif_block **blocks;
  uint32_t n_blocks;
  struct dg_whatif_block *same;          /* stands for blocks of which nothing
                                            changes */
  bool has_failed;         /* no memory: some blocks have stayed */
  uint64_t next_region, n_walks;
  /* By the number of the line; later ones replace earlier ones.  */
  struct dg_whatif_moved moved[DG_WHATIF_MOVED];
};

/* Reads the options.  0, DG_ERR_INVALID.  To be ended in any case.  symbols:
   outlive the code; so do the units, which are to be set before the first
   run.  */
int dg_whatif_code_init (struct dg_whatif_code *code,
                         const struct dg_setup *setup,
                         struct dg_symbols *symbols, struct dg_error *err);
void dg_whatif_code_fini (struct dg_whatif_code *code);

/* The edited block of a run, which is `block` in the program as it is.  NULL:
   nothing of it changes.  */
struct dg_whatif_block *dg_whatif_code_block (
  struct dg_whatif_code *code, const struct dg_run *run,
  const struct dg_time_block *block);

/* The address that an access of an edited slot has in the changed program; 0:
   the changed program does not make the access.  DG_WHATIF_HITS changes no
   address.  *is_new: the access is the first one to its line, whose data are
   at `address` in the program as it is.  */
uint64_t dg_whatif_code_move_edited (
  struct dg_whatif_code *code, struct dg_whatif_slot *slot, uint64_t address,
  uint32_t size, bool *is_new);

static inline void
dg_whatif_beside_add (struct dg_whatif_beside *side, uint32_t bytes,
                    bool *is_counted)
{
  if (G_LIKELY (bytes <= side->used) || *is_counted)
    return;
  bytes = MIN (bytes, UINT8_MAX);
  side->least = (uint8_t) (side->n == 0 ? bytes : MIN (side->least, bytes));
  side->n++;
  *is_counted = true;
}

/* The address that an access of a slot without an edit has in the changed
   program.  */
static inline uint64_t
dg_whatif_code_move (struct dg_whatif_code *code, uint64_t address,
                     uint32_t size)
{
  uint64_t line = address >> DG_TIME_LINE_SHIFT;
  struct dg_whatif_moved *moved = &code->moved[line % DG_WHATIF_MOVED];

  if (G_LIKELY (moved->from >> DG_TIME_LINE_SHIFT != line)
      || moved->walk == NULL)
    return address;
  if (moved->group != moved->walk->group)
    return moved->to + (address - moved->from);
  if (address < moved->from)
    dg_whatif_beside_add (&moved->walk->before,
                          (uint32_t) (moved->from - address),
                          &moved->is_counted_before);
  else
    dg_whatif_beside_add (&moved->walk->after,
                          (uint32_t) (address - moved->from) + size,
                          &moved->is_counted_after);
  return moved->to + (address - moved->from);
}

#endif /* DG_WHATIF_CODE_H */
