/* filter_world.h: a random log, written by hand, of which everything is known
   that a filter can ask for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef FILTER_WORLD_H
#define FILTER_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Code addresses with names, as addr2line has them: several frames where calls
   are inlined.  */
#define WORLD_FRAMES 6
struct world_site {
  uint64_t address;         /* in the log */
  const char *module;       /* path */
  unsigned n;
  char *function[WORLD_FRAMES];   /* demangled; NULL: unknown */
  char *file[WORLD_FRAMES];       /* NULL: unknown */
};

#define WORLD_STACK 5
struct world_stack {
  unsigned n;
  const struct world_site *sites[WORLD_STACK];
};

#define WORLD_LABELS 6
extern const char *const world_labels[WORLD_LABELS];

struct world_access {
  uint64_t icount, address;
  uint32_t size;
  unsigned kind;
  struct world_stack stack; /* of its own instruction and its callers */
  bool active[WORLD_LABELS];
};

/* Memory that had an owner for a while; label: of world_labels, -1: a heap
   block, which has the stack of its allocation.  */
struct world_memory {
  uint64_t address, size, start, end;
  int label;
  struct world_stack stack;
};

struct world {
  char *path;               /* of the log, in work_dir */
  GArray *accesses;         /* struct world_access, in order */
  GArray *memory;           /* struct world_memory */
  uint64_t icount;
};

/* The programs whose code is used, compiled once; NULL without a compiler or
   addr2line: then the sites have no names, and their modules no files.  */
GArray *world_sites_new (void);
void world_sites_free (GArray *sites);

struct world *world_new (const GArray *sites, unsigned word_size,
                         bool big_endian, unsigned n_steps);
void world_free (struct world *world);

#endif /* FILTER_WORLD_H */
