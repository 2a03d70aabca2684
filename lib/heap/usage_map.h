/* usage_map.h: which heap block lies where, while a worker goes through a log.

   Pages of 4 KiB have a number for every 16 bytes (8, if some block begins in
   between), or one for all of them: that of the block which is there.  Blocks
   that are accessed in a chunk have another number there, their slot, and are
   counted in it; so those that are only alive take no more than grains.  The
   map follows allocations and frees as they come, and nothing else, so that
   all workers have the same.  Where blocks overlap in other ways than one
   within another, or share a grain, a cover of all of them is asked.

   Touched bytes are kept by line of 64 bytes, for one chunk at a time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_USAGE_MAP_H
#define DG_USAGE_MAP_H

#include <glib.h>

#include "base/shadow.h"
#include "space/space_cover.h"
#include "base/table.h"
#include "usage_index.h"

#define DG_USAGE_PAGE_SHIFT 12
#define DG_USAGE_PAGE_BYTES (UINT64_C (1) << DG_USAGE_PAGE_SHIFT)
#define DG_USAGE_LINE_SHIFT 6
#define DG_USAGE_LINES (1u << (DG_USAGE_PAGE_SHIFT - DG_USAGE_LINE_SHIFT))
/* Blocks of more pages are entered in those that are there; others ask a
   cover of such blocks when they are made.  So a block costs little, however
   large a log says that it is.  */
#define DG_USAGE_EAGER_PAGES 16

/* What a grain may hold besides slots: no block, or it has to be asked, for
   which there is a slot that no access lies in.  */
enum { DG_USAGE_NOTHING = 0, DG_USAGE_ASK, DG_USAGE_FIRST };
/* Or a block without slot: its number, with this bit.  */
#define DG_USAGE_IS_IDLE (UINT32_C (1) << 31)

/* A block, and its accesses in this chunk: a cache line.  Large blocks have
   one as long as they are alive, since they have many grains.  */
struct dg_usage_slot {
  uint64_t address, end;
  uint64_t bytes[2]; /* by DG_ACC_READ, DG_ACC_WRITE, as n */
  uint32_t n[2];
  uint64_t last_icount;
  uint32_t last_context, last_thread;
  uint32_t block;
  uint8_t last_iseq;
  bool is_counted; /* it has counts */
} __attribute__ ((aligned (64)));

/* What of a slot is needed less often, in this chunk.  */
struct dg_usage_more {
  uint64_t first_icount;
  uint16_t *counts; /* of its bytes; or NULL */
};

/* What is known of blocks that meet others while they are alive.  */
struct dg_usage_rare {
  uint32_t under; /* the block that it lies in; DG_NONE: none */
  bool is_holder; /* others began in it */
  bool is_odd;    /* it overlaps others: ask what is left when it
                     ends */
};

/* The bytes low .. high - 1.  */
struct dg_usage_span {
  uint64_t low, high;
};

/* Which bytes of a line were read and written: bit i is byte i.  */
struct dg_usage_line {
  uint64_t line;    /* address >> DG_USAGE_LINE_SHIFT */
  uint64_t bits[2]; /* by DG_ACC_READ, DG_ACC_WRITE */
};

struct dg_usage_page {
  struct dg_sheet grains;
  /* Of each line: its index in `lines` + 1, 0: not touched in this chunk.  The
     map's zeros if none is.  */
  uint32_t *lines;
};

static inline uint64_t
dg_usage_end (struct dg_block_extent block)
{
  return block.size > UINT64_MAX - block.address ? UINT64_MAX
                                                 : block.address + block.size;
}

static inline bool
dg_usage_is_large (struct dg_block_extent block)
{
  return block.size > 0
         && ((dg_usage_end (block) - 1) >> DG_USAGE_PAGE_SHIFT)
                - (block.address >> DG_USAGE_PAGE_SHIFT)
              >= DG_USAGE_EAGER_PAGES;
}

static inline struct dg_rect
dg_usage_rect (const struct dg_log *log, uint32_t i)
{
  const struct dg_block block = dg_log_block (log, i);

  return dg_rect_make (
    block.address, block.size, block.alloc_order,
    block.free_order != DG_NONE ? block.free_order : DG_NEVER, i);
}

/* What is known of a block beforehand.  */
enum {
  DG_USAGE_HAS_NEXT = 1,     /* a realloc replaces it */
  DG_USAGE_IS_ODD = 2,       /* it is large, and overlaps another such block */
  DG_USAGE_IS_HOLDER = 4,    /* it is large, and another such block began in
                              it */
  DG_USAGE_IS_LEFT_OUT = 8,  /* nobody asks for it or for what lies there */
  DG_USAGE_HAS_PREVIOUS = 16 /* it is what a realloc made */
};

/* What all maps of a pass have in common.  The moments of covers are orders
   (as in struct dg_block), since several things may happen at one icount.  */
struct dg_usage_blocks {
  const struct dg_log *log;
  size_t n;                     /* of its blocks */
  uint8_t *marks;               /* of each */
  unsigned grain_shift;         /* 3 or 4 */
  uint64_t low, span;           /* no block has a byte that is elsewhere */
  const struct dg_cover *large; /* of blocks that are not entered in
                                   pages to come; NULL: none */
  GMutex lock;
  struct dg_cover *all; /* of all blocks; NULL: nobody asked.  Guarded.  */
};

/* One thread's.  */
struct dg_usage_map {
  struct dg_usage_blocks *of;
  struct dg_shadow shadow; /* struct dg_usage_page */
  struct dg_usage_slot *slots;
  struct dg_usage_more *more; /* of each slot */
  uint32_t room; /* of these: those from DG_USAGE_FIRST are used */
  struct dg_usage_index slots_of; /* block -> slot, from 1 */
  struct dg_table rares;          /* struct dg_usage_rare */
  struct dg_usage_index rares_of; /* block -> place in these, from 1 */
  uint32_t now;                   /* the order of what happened last */
  const struct dg_cover *all;     /* that of `of`, when it was asked */
  struct dg_table over; /* uint32_t: blocks in which the last one began */
  uint32_t zeros[DG_USAGE_LINES];
  struct dg_table touched; /* struct dg_usage_page *: those with lines */
  GPtrArray *spare;        /* lines of pages, all zero, to be used again */
  bool is_short;           /* memory was; what follows is nonsense */
};

struct dg_usage_map *dg_usage_map_new (struct dg_usage_blocks *of,
                                       struct dg_error *err);
void dg_usage_map_free (struct dg_usage_map *map);

/* The slot of a block, 0 if it has none.  */
static inline uint32_t
dg_usage_map_slot (const struct dg_usage_map *map, uint32_t block)
{
  uint32_t number = dg_usage_index_find (&map->slots_of, block);

  return number != 0 ? number - 1 + DG_USAGE_FIRST : 0;
}

/* Gives a block that is alive a slot, if it has none; 0: no memory.  */
uint32_t dg_usage_map_wake (struct dg_usage_map *map, uint32_t block);
/* A slot is no longer needed, unless its block is large.  */
void dg_usage_map_rest (struct dg_usage_map *map, uint32_t slot);

/* What is known of a block that is alive.  */
struct dg_usage_rare dg_usage_map_rare (const struct dg_usage_map *map,
                                        uint32_t block);

/* A block begins or ends, in the order of the log.  */
void dg_usage_map_begin (struct dg_usage_map *map, uint32_t block);
void dg_usage_map_end (struct dg_usage_map *map, uint32_t block);

/* The page of an address, which is made if it is not there; NULL: no
   memory.  */
struct dg_usage_page *dg_usage_map_page_slowly (struct dg_usage_map *map,
                                                uint64_t number);
static inline struct dg_usage_page *
dg_usage_map_page (struct dg_usage_map *map, uint64_t address)
{
  uint64_t number = address >> DG_USAGE_PAGE_SHIFT;
  struct dg_usage_page *page = dg_shadow_recent (&map->shadow, number);

  return G_LIKELY (page != NULL) ? page
                                 : dg_usage_map_page_slowly (map, number);
}

static inline uint32_t
dg_usage_map_grain (const struct dg_usage_map *map,
                    const struct dg_usage_page *page, uint64_t address)
{
  return page->grains
    .grains[address >> map->of->grain_shift & page->grains.mask];
}

/* The block over an address, DG_NONE if there is none; the same is true up to
 *end, which is no further than the next grain.  */
uint32_t dg_usage_map_find (struct dg_usage_map *map, uint64_t address,
                            uint64_t *end);

/* Appends the bytes of a block that are no other's (struct dg_usage_span),
   when it is about to end.  */
void dg_usage_map_own (struct dg_usage_map *map, uint32_t block,
                       struct dg_table *spans);

/* Lines of their own for a page; false: no memory.  */
bool dg_usage_map_lines (struct dg_usage_map *map, struct dg_usage_page *page);
/* Calls a function for those of the pages first .. last that have lines.  */
void dg_usage_map_each (struct dg_usage_map *map, uint64_t first,
                        uint64_t last,
                        void (*each) (void *user, struct dg_usage_page *page),
                        void *user);
/* No page has lines any more.  */
void dg_usage_map_forget_lines (struct dg_usage_map *map);

#endif /* DG_USAGE_MAP_H */
