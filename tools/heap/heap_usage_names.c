/* heap_usage_names.c: the code that allocated, freed and last used blocks, as
   shown in tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_usage.h"

#include <stdlib.h>
#include <string.h>

#include "libdatagrind.h"

/* "parse (input.c:120)", or the known part of it.  */
static void
add_level (GString *text, const struct stack_level *level)
{
  struct dg_site_frame site = level->site;
  char *name;

  /* Safe for terminals; and with the return address.  */
  site.frame.function = level->function;
  site.address = level->address;
  name = dg_site_text (&site, 1);
  g_string_append (text, name);
  free (name);
}

static const char *
keep (struct heap_usage *use, GString *text)
{
  const char *kept = g_string_chunk_insert_const (use->strings, text->str);

  g_string_free (text, TRUE);
  return kept;
}

static const char *
name_of (struct heap_usage *use, const struct stack_trace *trace)
{
  const char *name = g_hash_table_lookup (use->sites, trace);
  GString *text;

  if (name != NULL)
    return name;
  text = g_string_new (NULL);
  for (uint32_t i = 0; i < trace->n; i++) {
    if (i > 0)
      g_string_append (text, " < ");
    add_level (text, trace->levels[i]);
  }
  if (text->len == 0)
    g_string_append (text, "unknown");
  name = keep (use, text);
  g_hash_table_insert (use->sites, (gpointer) trace, (gpointer) name);
  return name;
}

const char *
heap_usage_site_of (struct heap_usage *use, const struct dg_block *block)
{
  const bool is_call = dg_site_is_call (block->allocator);

  return name_of (use, stack_names_trace (use->names, &block->alloc_stack,
                                           block->alloc_icount, is_call));
}

const char *
heap_usage_site (struct heap_usage *use, struct heap_usage_block *block)
{
  if (block->site == NULL)
    block->site = heap_usage_site_of (use, &block->block);
  return block->site;
}

const char *
heap_usage_freed (struct heap_usage *use, const struct heap_usage_block *block)
{
  const struct dg_block *b = &block->block;
  const bool is_call = dg_site_is_call (b->deallocator);

  if (b->free_icount == DG_NEVER)
    return HEAP_USAGE_NEVER;
  return name_of (use, stack_names_trace (use->names, &b->free_stack,
                                           b->free_icount, is_call));
}

/* ---- Last uses -------------------------------------------------------- */

/* Key of the name of a last use.  */
struct heap_last {
  uint64_t instruction;
  uint32_t context, epoch;
  const char *name;
};

static guint
hash_last (gconstpointer data)
{
  const struct heap_last *last = data;
  uint64_t bits = last->instruction ^ (uint64_t) last->context << 40;

  return (guint) ((bits + last->epoch) * UINT64_C (0x9e3779b97f4a7c15) >> 32);
}

static gboolean
equal_lasts (gconstpointer a, gconstpointer b)
{
  const struct heap_last *x = a, *y = b;

  return x->instruction == y->instruction && x->context == y->context
         && x->epoch == y->epoch;
}

GHashTable *
heap_usage_lasts_new (void)
{
  return g_hash_table_new_full (hash_last, equal_lasts, g_free, NULL);
}

/* Whether a frame is code of the program itself, not of a library.  */
static bool
is_of_program (const struct heap_usage *use, const struct stack_level *level)
{
  return use->program == NULL || level->site.frame.module == NULL
         || strcmp (level->site.frame.module, use->program) == 0;
}

/* For library code, such as memcpy, also the innermost caller outside of that
   library.  */
static const char *
name_last (struct heap_usage *use, const struct dg_usage_block *block)
{
  const struct dg_log *log = use->log;
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack = dg_log_context_stack (log, block->last_context, stack);
  const struct stack_level *caller;
  const struct stack_level *level = stack_names_level (
    use->names, block->last_instruction, block->last_icount);
  GString *text;

  if (level == NULL)
    return "unknown";
  text = g_string_new (NULL);
  add_level (text, level);
  for (uint32_t k = 1; !is_of_program (use, level) && k < n_stack; k++) {
    caller = stack_names_level (use->names, stack[k], block->last_icount);
    if (caller != NULL
        && caller->site.frame.module != level->site.frame.module) {
      g_string_append (text, " < ");
      add_level (text, caller);
      break;
    }
  }
  return keep (use, text);
}

const char *
heap_usage_last (struct heap_usage *use, const struct heap_usage_block *block)
{
  const struct dg_usage_block *last = block->use;
  struct heap_last key = {.instruction = last->last_instruction,
                          .context = last->last_context};
  struct heap_last *known;

  if (last->last_icount == DG_NEVER)
    return HEAP_USAGE_NEVER;
  if (last->last_context == DG_NONE)
    return "the kernel, in a system call";
  key.epoch = stack_names_epoch (use->names, last->last_icount);
  known = g_hash_table_lookup (use->lasts, &key);
  if (known == NULL) {
    key.name = name_last (use, last);
    known = g_memdup2 (&key, sizeof key);
    g_hash_table_add (use->lasts, known);
  }
  return known->name;
}
