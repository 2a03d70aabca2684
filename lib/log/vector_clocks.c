/* vector_clocks.c: vector clocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "vector_clocks.h"

#include <glib.h>
#include <string.h>

#define WAYS  16
#define SHIFT 4

/* On the lowest level counts, else parts.  */
struct dg_vector {
  uint32_t refs;
  union {
    struct dg_vector *parts[WAYS];
    uint32_t counts[WAYS];
  };
};

void
dg_clocks_init (struct dg_clocks *clocks, size_t threads, size_t most_nodes,
                uint64_t most_steps)
{
  memset (clocks, 0, sizeof *clocks);
  clocks->most_nodes = most_nodes;
  clocks->most_steps = most_steps;
  clocks->levels = 1;
  while (clocks->levels < 8 && threads > (size_t) 1 << SHIFT * clocks->levels)
    clocks->levels++;
}

static size_t
size_of (unsigned level)
{
  return level > 1 ? sizeof (struct dg_vector)
                   : offsetof (struct dg_vector, counts)
                       + sizeof (uint32_t[WAYS]);
}

/* Zero, or a copy of another; NULL: there is no room.  */
static struct dg_vector *
node_new (struct dg_clocks *clocks, const struct dg_vector *from,
          unsigned level)
{
  struct dg_vector *node;

  if (clocks->nodes >= clocks->most_nodes) {
    clocks->is_short = true;
    return NULL;
  }
  node = g_try_malloc0 (size_of (level));
  if (node == NULL) {
    clocks->is_short = clocks->failed = true;
    return NULL;
  }
  clocks->nodes++;
  if (from != NULL) {
    memcpy (node, from, size_of (level));
    for (unsigned i = 0; level > 1 && i < WAYS; i++)
      dg_vector_ref (node->parts[i]);
  }
  node->refs = 1;
  return node;
}

struct dg_vector *
dg_vector_ref (struct dg_vector *vector)
{
  if (vector != NULL)
    vector->refs++;
  return vector;
}

void
dg_vector_unref (struct dg_clocks *clocks, struct dg_vector *vector,
                 unsigned levels)
{
  if (vector == NULL || --vector->refs > 0)
    return;
  for (unsigned i = 0; levels > 1 && i < WAYS; i++)
    dg_vector_unref (clocks, vector->parts[i], levels - 1);
  clocks->nodes--;
  g_free (vector);
}

uint32_t
dg_vector_get (const struct dg_clocks *clocks, const struct dg_vector *vector,
               uint32_t thread)
{
  for (unsigned level = clocks->levels; level > 1 && vector != NULL; level--)
    vector = vector->parts[thread >> SHIFT * (level - 1) & (WAYS - 1)];
  return vector != NULL ? vector->counts[thread & (WAYS - 1)] : 0;
}

/* A node that is nobody else's, instead of one of ours; NULL: no room, and it
   is still ours.  */
static struct dg_vector *
own (struct dg_clocks *clocks, struct dg_vector *node, unsigned level)
{
  struct dg_vector *copy;

  if (node != NULL && node->refs == 1)
    return node;
  copy = node_new (clocks, node, level);
  if (copy != NULL)
    dg_vector_unref (clocks, node, level);
  return copy;
}

static struct dg_vector *
set (struct dg_clocks *clocks, struct dg_vector *node, unsigned level,
     uint32_t thread, uint32_t count)
{
  unsigned i = thread >> SHIFT * (level - 1) & (WAYS - 1);
  struct dg_vector *mine = own (clocks, node, level);

  if (mine == NULL)
    return node;
  if (level > 1)
    mine->parts[i] = set (clocks, mine->parts[i], level - 1, thread, count);
  else
    mine->counts[i] = count;
  return mine;
}

struct dg_vector *
dg_vector_set (struct dg_clocks *clocks, struct dg_vector *vector,
               uint32_t thread, uint32_t count)
{
  if (dg_vector_get (clocks, vector, thread) >= count)
    return vector;
  return set (clocks, vector, clocks->levels, thread, count);
}

/* Whether a node has all that another has, as far as can be seen in it
   alone.  */
static bool
has_counts (const struct dg_vector *node, const struct dg_vector *other)
{
  for (unsigned i = 0; i < WAYS; i++)
    if (node->counts[i] < other->counts[i])
      return false;
  return true;
}

static struct dg_vector *join (struct dg_clocks *clocks,
                               struct dg_vector *node,
                               struct dg_vector *other, unsigned level);

static struct dg_vector *
join_counts (struct dg_clocks *clocks, struct dg_vector *node,
             struct dg_vector *other)
{
  struct dg_vector *mine;

  if (has_counts (node, other))
    return node;
  if (has_counts (other, node)) {
    dg_vector_unref (clocks, node, 1);
    return dg_vector_ref (other);
  }
  mine = own (clocks, node, 1);
  if (mine == NULL)
    return node;
  for (unsigned i = 0; i < WAYS; i++)
    mine->counts[i] = MAX (mine->counts[i], other->counts[i]);
  return mine;
}

/* Only parts that change make a node of its own.  */
static struct dg_vector *
join_parts (struct dg_clocks *clocks, struct dg_vector *node,
            struct dg_vector *other, unsigned level)
{
  bool is_other = true;

  for (unsigned i = 0; i < WAYS; i++) {
    struct dg_vector *part = dg_vector_ref (node->parts[i]);
    struct dg_vector *joined = join (clocks, part, other->parts[i],
                                     level - 1);

    is_other = is_other && joined == other->parts[i];
    if (joined != node->parts[i]) {
      struct dg_vector *mine = own (clocks, node, level);

      if (mine == NULL) {
        dg_vector_unref (clocks, joined, level - 1);
        return node;
      }
      node = mine;
      dg_vector_unref (clocks, node->parts[i], level - 1);
      node->parts[i] = joined;
    } else {
      dg_vector_unref (clocks, joined, level - 1);
    }
  }
  if (!is_other)
    return node;
  dg_vector_unref (clocks, node, level);
  return dg_vector_ref (other);
}

static struct dg_vector *
join (struct dg_clocks *clocks, struct dg_vector *node,
      struct dg_vector *other, unsigned level)
{
  if (node == other || other == NULL)
    return node;
  if (node == NULL)
    return dg_vector_ref (other);
  if (clocks->steps >= clocks->most_steps) {
    clocks->is_short = true;
    return node;
  }
  clocks->steps++;
  return level > 1 ? join_parts (clocks, node, other, level)
                   : join_counts (clocks, node, other);
}

struct dg_vector *
dg_vector_join (struct dg_clocks *clocks, struct dg_vector *vector,
                struct dg_vector *other)
{
  return join (clocks, vector, other, clocks->levels);
}
