/* patterns_visits.h: which parts of an object are touched together.

   A visit is the time in which a program is at an object: from an access to it
   on, for DG_VISIT_ACCESSES accesses to anything.  What it touches is a set of
   parts ("granules"), a bit for each.  All visits to objects of a kind, by
   set, tell which parts belong together, and which hardly matter.

   A visit that writes half of the object or more, and reads nothing but what
   it wrote, makes the object: a constructor, a copy, a memset.  It tells
   nothing of what is used together, and is counted apart.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_VISITS_H
#define DG_PATTERNS_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#define DG_VISIT_ACCESSES 256
/* Objects that are larger have no visits.  */
#define DG_OBJECT_MAX 1024
/* Granules of an object, at most: those whose fields are not known have 64. */
#define DG_GRANULES 256

/* A set of granules, a bit for each.  */
struct dg_pattern_granules {
  uint64_t words[DG_GRANULES / 64];
};

static inline void
dg_granules_add (struct dg_pattern_granules *set, unsigned granule)
{
  set->words[granule / 64] |= (uint64_t) 1 << granule % 64;
}

static inline bool
dg_granules_has (const struct dg_pattern_granules *set, unsigned granule)
{
  return (set->words[granule / 64] >> granule % 64 & 1) != 0;
}

/* Objects of one kind.  */
struct dg_pattern_object_kind {
  uint32_t site;           /* a number for what they are of */
  uint32_t bytes;          /* of each */
  bool is_typed;           /* their fields are known */
};
/* Bytes of a granule: where fields are known, 1, 2 or 4, else 4, 8 or 16.  */
unsigned dg_pattern_kind_granule (struct dg_pattern_object_kind kind);

/* Accesses, by the cells of an object in which they begin and end; cells are
   bytes where fields are known, and else granules.  */
struct dg_pattern_extents {
  uint64_t *begins, *ends; /* per cell */
};

/* What was done to all objects of a kind.  */
struct dg_pattern_object_sums {
  struct dg_pattern_object_kind kind;
  struct dg_pattern_extents reads, writes;
  GHashTable *sets;        /* struct dg_pattern_granules -> visits to these */
  uint64_t visits;         /* but those that make objects: */
  uint64_t makings;
  uint64_t lost;           /* of the visits, those whose set had no room */
};

/* Sums for some kinds of objects.  */
struct dg_pattern_visits;
struct dg_pattern_visits *dg_pattern_visits_new (void);
void dg_pattern_visits_free (struct dg_pattern_visits *visits);

/* An access to `size` bytes at `offset` of the object at `object`.  now: how
   many accesses there were before, to anything.  */
void dg_pattern_visits_add (struct dg_pattern_visits *visits,
                            struct dg_pattern_object_kind kind,
                            uint64_t object, uint32_t offset, uint32_t size,
                            bool is_write, uint64_t now);
/* Ends the visits that go on.  */
void dg_pattern_visits_end (struct dg_pattern_visits *visits);

/* Adds the sums of `from`, whose visits were ended.  Its kinds become those
   that `kind_of` says.  Depends on the order in which several are merged only
   when there is no room: more than DG_KINDS_MAX kinds, or DG_SETS_MAX sets of
   one.  */
#define DG_KINDS_MAX 4096
#define DG_SETS_MAX  4096
typedef struct dg_pattern_object_kind (*dg_kind_fn) (
  void *user, struct dg_pattern_object_kind kind);
void dg_pattern_visits_merge (struct dg_pattern_visits *to,
                              const struct dg_pattern_visits *from,
                              dg_kind_fn kind_of, void *user);

/* All kinds, as they came; struct dg_pattern_object_sums *.  */
const GPtrArray *
dg_pattern_visits_sums (const struct dg_pattern_visits *visits);
/* Kinds that had no room.  */
uint64_t dg_pattern_visits_lost (const struct dg_pattern_visits *visits);

/* How many accesses touched any of `bytes` bytes at an offset, which are
   whole cells within the object: each is one, however many it touched.  */
uint64_t dg_pattern_sums_touches (const struct dg_pattern_object_sums *sums,
                                  const struct dg_pattern_extents *extents,
                                  uint32_t offset, uint32_t bytes);
/* Of the visits to a kind: how many touched any of these granules.  */
uint64_t
dg_pattern_sums_visits_any (const struct dg_pattern_object_sums *sums,
                            const struct dg_pattern_granules *granules);

#endif /* DG_PATTERNS_VISITS_H */
