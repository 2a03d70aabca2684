/* arena.c: memory that is freed all at once, and interned strings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arena.h"

#include <string.h>

#include "hash.h"

#define BLOCK_BYTES ((size_t) 64 << 10)

/* What is at least this large gets a block of its own, so that little is
   wasted.  Under the address sanitizer everything does, so that it sees
   what goes beyond.  */
#if defined (__SANITIZE_ADDRESS__)
#define OWN_BLOCK_BYTES 1
#elif defined (__has_feature)
#if __has_feature (address_sanitizer)
#define OWN_BLOCK_BYTES 1
#endif
#endif
#ifndef OWN_BLOCK_BYTES
#define OWN_BLOCK_BYTES (BLOCK_BYTES / 8)
#endif

struct dg_arena_block {
  struct dg_arena_block *next;
  uint64_t memory[];
};

static struct dg_arena_block *
block_new (struct dg_arena *arena, size_t size)
{
  struct dg_arena_block *block;

  if (size > G_MAXSIZE - sizeof *block)
    return NULL;
  block = g_try_malloc (sizeof *block + size);
  if (!block)
    return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

void *
dg_arena_alloc (struct dg_arena *arena, size_t size)
{
  struct dg_arena_block *block;
  void *memory;

  if (size > G_MAXSIZE - 7)
    return NULL;
  /* No size at all would give out the same place twice.  */
  size = size > 0 ? (size + 7) & ~(size_t) 7 : 8;
  if (size >= arena->left && size >= OWN_BLOCK_BYTES) {
    block = block_new (arena, size);
    return block ? block->memory : NULL;
  }
  if (size > arena->left) {
    block = block_new (arena, BLOCK_BYTES);
    if (!block)
      return NULL;
    arena->at = (uint8_t *) block->memory;
    arena->left = BLOCK_BYTES;
  }
  memory = arena->at;
  arena->at += size;
  arena->left -= size;
  return memory;
}

/* A string with its hash, which begins from the arena's seed: a log cannot be
   made so that its labels all meet in one place.  */
struct string {
  guint hash;
  const char *text;
};

static guint
string_hash (gconstpointer p)
{
  return ((const struct string *) p)->hash;
}

static gboolean
string_equal (gconstpointer a, gconstpointer b)
{
  const struct string *x = a, *y = b;

  return x->hash == y->hash && strcmp (x->text, y->text) == 0;
}

const char *
dg_arena_string (struct dg_arena *arena, const char *text)
{
  struct string wanted = { 0, text }, *string;
  size_t size;
  char *copy;

  if (!arena->strings) {
    arena->strings = g_hash_table_new (string_hash, string_equal);
    arena->seed = dg_hash_seed ();
  }
  wanted.hash = (guint) dg_hash_text_add (arena->seed, text);
  string = g_hash_table_lookup (arena->strings, &wanted);
  if (string)
    return string->text;
  size = strlen (text) + 1;
  copy = dg_arena_alloc (arena, size);
  string = dg_arena_alloc (arena, sizeof *string);
  if (!copy || !string)
    return NULL;
  memcpy (copy, text, size);
  string->hash = wanted.hash;
  string->text = copy;
  g_hash_table_add (arena->strings, string);
  return copy;
}

void
dg_arena_join (struct dg_arena *arena, struct dg_arena *from)
{
  struct dg_arena_block **last = &arena->blocks;

  while (*last)
    last = &(*last)->next;
  *last = from->blocks;
  from->blocks = NULL;
  dg_arena_fini (from);
}

void
dg_arena_fini (struct dg_arena *arena)
{
  struct dg_arena_block *block = arena->blocks, *next;

  for (; block; block = next) {
    next = block->next;
    g_free (block);
  }
  g_clear_pointer (&arena->strings, g_hash_table_destroy);
  memset (arena, 0, sizeof *arena);
}
