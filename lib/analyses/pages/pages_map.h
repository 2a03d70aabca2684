/* pages_map.h: which bytes of which lines were touched: tables of leaves of 64
   lines, of a chunk and of the whole log.

   Lines are those of the machine, but of at most 64 bytes, so that a word has
   a bit for each byte.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGES_MAP_H
#define DG_PAGES_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGES_LEAF_SHIFT 6
#define PAGES_LEAF       (1u << PAGES_LEAF_SHIFT)

/* ---- Numbers -> numbers ---------------------------------------------- */

/* All zero is empty.  Values are 0, 1, 2 ... in the order of addition.  */
struct pages_index {
  uint64_t *keys;          /* + 1; 0: free */
  uint32_t *values;
  unsigned bits;
  uint32_t n;
  uint64_t factor;
};

/* UINT32_MAX: it is not there.  */
uint32_t pages_index_find (const struct pages_index *index, uint64_t key);
/* The value of a key, which is index->n - 1 if it is new; UINT32_MAX: no
   memory.  Keys are less than UINT64_MAX.  */
uint32_t pages_index_add (struct pages_index *index, uint64_t key);
void pages_index_clear (struct pages_index *index);
void pages_index_fini (struct pages_index *index);

/* The numbers from first to last that are there, or may be, ascending: all of
   these, or, if there are fewer, the keys among them.  */
struct pages_walk {
  uint64_t next, last;
  uint64_t *keys;          /* or NULL */
  size_t n;                /* of them, left */
  bool is_over;
};
/* false: no memory.  To be walked to the end.  */
bool pages_walk_begin (struct pages_walk *walk,
                       const struct pages_index *index, uint64_t first,
                       uint64_t last);
bool pages_walk_next (struct pages_walk *walk, uint64_t *number);

/* ---- Leaves ---------------------------------------------------------- */

/* A line in a chunk.  */
struct pages_hot {
  uint64_t now;            /* bytes that were touched since they changed
                              owners */
  uint64_t last;           /* icount of the latest touch, */
  uint32_t context;        /* and its code */
  uint32_t count;          /* touches */
  uint32_t stamp;          /* of the interval; 0: not touched in the chunk */
  uint8_t iseq;
};

struct pages_leaf {
  struct pages_hot lines[PAGES_LEAF];
  uint64_t used[PAGES_LEAF];           /* bytes that were touched before */
};

/* A chunk's.  Leaves stay when it is cleared, to be used again.  */
#define PAGES_CACHE 1024u
struct pages_map {
  struct { uint64_t number; struct pages_leaf *leaf; } cache[PAGES_CACHE];
  struct pages_index index;
  struct pages_leaf **leaves;
  size_t n_leaves;         /* that there are, used or not */
};

/* To be called first.  */
void pages_map_clear (struct pages_map *map);
void pages_map_fini (struct pages_map *map);
/* The leaf of a number, made if need be; NULL: no memory.  */
struct pages_leaf *pages_map_add (struct pages_map *map, uint64_t number);
/* NULL: there is none.  */
struct pages_leaf *pages_map_find (const struct pages_map *map,
                                   uint64_t number);

static inline __attribute__ ((always_inline)) struct pages_leaf *
pages_map_leaf (struct pages_map *map, uint64_t number)
{
  const size_t i = number & (PAGES_CACHE - 1);

  if (__builtin_expect (map->cache[i].number == number, 1))
    return map->cache[i].leaf;
  return pages_map_add (map, number);
}

/* The whole log's.  */
struct pages_sums {
  uint64_t used[PAGES_LEAF], now[PAGES_LEAF];
  uint64_t last[PAGES_LEAF], count[PAGES_LEAF];
  uint64_t interval[PAGES_LEAF];       /* the latest, + 1 */
  /* Code that touches it much, the function that does so most, if it is more
     than half: of the last touch in each chunk, weighed by the touches there
     (Boyer and Moore, "MJRTY", 1981).  */
  uint64_t lead[PAGES_LEAF];
  uint32_t context[PAGES_LEAF];
  uint8_t iseq[PAGES_LEAF];
};

/* Bytes of a line, which begins at `start`, that [low, high) has, as bits.  */
static inline uint64_t
pages_bits (uint64_t start, unsigned line_size, uint64_t low, uint64_t high)
{
  const uint64_t from = low > start ? low - start : 0;
  const uint64_t to = high - start < line_size ? high - start : line_size;
  const uint64_t n = to - from;

  return (n >= 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1) << from;
}

#endif /* DG_PAGES_MAP_H */
