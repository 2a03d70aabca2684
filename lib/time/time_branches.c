/* time_branches.c: whether a processor would have predicted a branch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_branches.h"

#include <glib.h>

#define TABLES 5
#define TABLE_BITS 13
#define BIMODAL_BITS 14
#define TARGET_BITS 13
#define HISTORY 256
#define FOLD_BITS 31
#define OTHER_BITS 27
/* Where the second of the two numbers is in a word.  */
#define OTHER_SHIFT 32
#define MIX 0x9e3779b97f4a7c15u

/* Outcomes of the history of each table.  */
#define LENGTH_0 6
#define LENGTH_1 14
#define LENGTH_2 32
#define LENGTH_3 80
#define LENGTH_4 200

static const uint32_t lengths[TABLES]
  = { LENGTH_0, LENGTH_1, LENGTH_2, LENGTH_3, LENGTH_4 };

struct entry {
  uint16_t tag;
  int8_t counter;          /* -4 to 3; not negative: taken */
  uint8_t useful;          /* 0 to 3 */
};

/* A history of many outcomes is folded to few bits, which rotate by one
   bit for each outcome.  Two outcomes whose distance is the number of bits
   fall on the same bit, so each history is folded twice, to different
   numbers of bits: to FOLD_BITS, and to OTHER_BITS above OTHER_SHIFT.

   history: the last outcomes.  */
struct dg_time_branches {
  uint8_t history[HISTORY];
  uint32_t at;
  uint64_t folded[TABLES];
  int8_t bimodal[1 << BIMODAL_BITS];   /* -2 to 1 */
  struct entry tables[TABLES][1 << TABLE_BITS];
  uint64_t targets[1 << TARGET_BITS], last[1 << TARGET_BITS];
};

struct dg_time_branches *
dg_time_branches_new (void)
{
  return g_try_new0 (struct dg_time_branches, 1);
}

void
dg_time_branches_free (struct dg_time_branches *branches)
{
  g_free (branches);
}

/* The first bit of both numbers.  */
#define BOTH(bit) (UINT64_C (1) << (bit) % FOLD_BITS                      \
                   | UINT64_C (1) << (OTHER_SHIFT + (bit) % OTHER_BITS))
/* The bits that leave the numbers when they are shifted.  */
#define BEYOND (UINT64_C (1) << FOLD_BITS                                 \
                | UINT64_C (1) << (OTHER_SHIFT + OTHER_BITS))

static inline uint64_t
rotate (uint64_t folded)
{
  uint64_t shifted = folded << 1;

  return (shifted & ~BEYOND) | (shifted >> FOLD_BITS & 1)
         | (shifted >> OTHER_BITS & UINT64_C (1) << OTHER_SHIFT);
}

/* Adds an outcome to all histories, and removes the oldest one of each.  */
static void
push (struct dg_time_branches *branches, bool is_taken)
{
  static const uint64_t oldest[TABLES] = {
    BOTH (LENGTH_0), BOTH (LENGTH_1), BOTH (LENGTH_2), BOTH (LENGTH_3),
    BOTH (LENGTH_4)
  };
  uint64_t taken = is_taken ? BOTH (0) : 0;

  for (unsigned i = 0; i < TABLES; i++) {
    uint64_t is_old
      = branches->history[(branches->at - lengths[i]) % HISTORY];

    branches->folded[i]
      = rotate (branches->folded[i]) ^ taken ^ (-is_old & oldest[i]);
  }
  branches->history[branches->at % HISTORY] = is_taken;
  branches->at++;
}

static inline uint64_t
hash (uint64_t folded, uint64_t address, unsigned table)
{
  uint64_t bits = (uint32_t) folded, other = folded >> OTHER_SHIFT;
  uint64_t x = (bits + other * 0x9e3779b1u
                + ((uint64_t) table << 60)) * 0xd6e8feb86659fd93u
               ^ address * MIX;

  return x ^ x >> 31;
}

/* ---- Conditional ones ---- */

/* Where a branch is in the tables from its provider on.  */
struct place {
  uint32_t index[TABLES];
  uint16_t tag[TABLES];
  int provider;            /* the table with the longest history that has an
                              entry for the branch; -1: none */
};

static struct place
find (const struct dg_time_branches *branches, uint64_t address)
{
  struct place place = { .provider = -1 };

  for (int i = TABLES - 1; i >= 0 && place.provider < 0; i--) {
    uint64_t x = hash (branches->folded[i], address, (unsigned) i);

    place.index[i] = x & ((1u << TABLE_BITS) - 1);
    place.tag[i] = (uint16_t) ((x >> 20 & 0x3fff) | 0x4000);
    if (branches->tables[i][place.index[i]].tag == place.tag[i])
      place.provider = i;
  }
  return place;
}

static int8_t
count (int8_t counter, bool is_taken, int8_t least, int8_t most)
{
  return is_taken ? MIN (counter + 1, most) : MAX (counter - 1, least);
}

/* Gives a branch that was predicted wrongly an entry in the table of a longer
   history, where an entry was not useful.  */
static void
allocate (struct dg_time_branches *branches, const struct place *place,
          bool is_taken)
{
  for (int i = place->provider + 1; i < TABLES; i++) {
    struct entry *entry = &branches->tables[i][place->index[i]];

    if (entry->useful == 0) {
      *entry = (struct entry) { place->tag[i], is_taken ? 0 : -1, 0 };
      return;
    }
    entry->useful--;
  }
}

bool
dg_time_branches_conditional (struct dg_time_branches *branches,
                              uint64_t address, bool is_taken)
{
  struct place place = find (branches, address);
  int8_t *bimodal
    = &branches->bimodal[(address ^ address >> BIMODAL_BITS)
                         & ((1u << BIMODAL_BITS) - 1)];
  bool is_right;

  if (place.provider >= 0) {
    struct entry *entry
      = &branches->tables[place.provider][place.index[place.provider]];

    is_right = (entry->counter >= 0) == is_taken;
    entry->counter = count (entry->counter, is_taken, -4, 3);
    if (is_right)
      entry->useful = MIN (entry->useful + 1, 3);
  } else {
    is_right = (*bimodal >= 0) == is_taken;
    *bimodal = count (*bimodal, is_taken, -2, 1);
  }
  if (!is_right)
    allocate (branches, &place, is_taken);
  push (branches, is_taken);
  return is_right;
}

/* ---- Indirect ones ---- */

bool
dg_time_branches_indirect (struct dg_time_branches *branches,
                           uint64_t address, uint64_t target)
{
  uint32_t mask = (1u << TARGET_BITS) - 1;
  uint64_t *known
    = &branches->targets[hash (branches->folded[2], address, TABLES) & mask],
    *last = &branches->last[address & mask];
  bool is_right = *known == target || (*known == 0 && *last == target);

  *known = *last = target;
  push (branches, target >> 2 & 1);
  push (branches, target >> 4 & 1);
  return is_right;
}
