/* jit_names.c: names of code of no file, as what a compiler makes while the
   program runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "jit_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "dg_record.h"
#include "named_code.h"
#include "sites.h"
#include "space/space_cover.h"
#include "symbols.h"

struct dg_jit_names {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const struct dg_code_name *told;     /* of the log */
  struct dg_named_code *code;  /* which of these an address has */
  struct known *known;     /* of each of these; by atomic pointers */
  GMutex lock;             /* guards all below */
  struct dg_cover *mappings;   /* NULL: not asked for yet */
  bool has_failed;         /* memory was short: nothing is found */
  GHashTable *texts;       /* what was mapped -> its text in `strings` */
  GStringChunk *strings;
};

/* Interned; NULL: not asked for yet.  */
struct known {
  const char *function, *file;
};

struct dg_jit_names *
dg_jit_names_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_jit_names *names = g_new0 (struct dg_jit_names, 1);
  size_t n;

  names->log = log;
  names->symbols = symbols;
  g_mutex_init (&names->lock);
  names->texts = g_hash_table_new (NULL, NULL);
  names->told = dg_log_code_names (log, &n);
  names->code = dg_named_code_new (log);
  names->known = g_new0 (struct known, n + 1);
  names->strings = g_string_chunk_new (256);
  return names;
}

void
dg_jit_names_free (struct dg_jit_names *names)
{
  if (names == NULL)
    return;
  g_string_chunk_free (names->strings);
  g_hash_table_unref (names->texts);
  dg_named_code_free (names->code);
  g_free (names->known);
  dg_cover_free (names->mappings);
  g_mutex_clear (&names->lock);
  g_free (names);
}

/* With the lock held.  Code that was left at the moment at which its pages
   were unmapped is still theirs.  */
static void
cover_mappings (struct dg_jit_names *names)
{
  size_t n;
  const struct dg_mapping *mappings = dg_log_mappings (names->log, &n);
  struct dg_rect *rects = g_new (struct dg_rect, n + 1);

  for (size_t i = 0; i < n; i++) {
    uint64_t end = mappings[i].end_icount;

    rects[i] = dg_rect_make (mappings[i].address, mappings[i].size,
                             mappings[i].start_icount,
                             end != DG_NEVER ? end + 1 : end, (uint32_t) i);
  }
  names->has_failed = dg_cover_new (rects, n, &names->mappings) < 0;
  g_free (rects);
}

/* With the lock held.  */
static const struct dg_mapping *
find (struct dg_jit_names *names, uint64_t address, uint64_t icount)
{
  size_t n;
  const struct dg_mapping *mappings = dg_log_mappings (names->log, &n);
  uint32_t index;

  if (names->mappings == NULL && !names->has_failed)
    cover_mappings (names);
  if (names->mappings == NULL)
    return NULL;
  index = dg_cover_find (names->mappings, address, icount);
  return index != DG_NONE ? &mappings[index] : NULL;
}

static char *
text_of (struct dg_jit_names *names, const struct dg_mapping *mapping)
{
  /* Code of pages that such code mapped, and so on, would have no end.  */
  const struct dg_site_options how = { .size = sizeof how,
                                       .symbols = names->symbols,
                                       .is_plain = true };
  char *pages, *text;

  if (*mapping->file != '\0')
    return g_strconcat ("code in file ", dg_path_base (mapping->file), NULL);
  pages = dg_sites_pages (&how, mapping);
  text = g_strconcat ("code in ", pages, NULL);
  g_free (pages);
  return text;
}

/* NULL: the log does not say.  */
static const char *
name_of (struct dg_jit_names *names, uint64_t address, uint64_t icount)
{
  const struct dg_mapping *mapping;
  const char *known = NULL;
  gconstpointer key = NULL;
  char *text;

  g_mutex_lock (&names->lock);
  mapping = find (names, address, icount);
  if (mapping != NULL)
    key = *mapping->file != '\0' ? (gconstpointer) mapping->file
                                 : mapping->stack.sites;
  if (key != NULL && (*mapping->file != '\0' || mapping->stack.n > 0))
    known = g_hash_table_lookup (names->texts, key);
  else
    key = NULL;
  g_mutex_unlock (&names->lock);
  if (key == NULL || known != NULL)
    return known;
  /* Names are looked up without the lock: that may take long.  */
  text = text_of (names, mapping);
  g_mutex_lock (&names->lock);
  known = g_string_chunk_insert_const (names->strings, text);
  g_hash_table_insert (names->texts, (gpointer) key, (gpointer) known);
  g_mutex_unlock (&names->lock);
  g_free (text);
  return known;
}

/* Functions of scripts are marked by their language.  */
static void
learn (struct dg_jit_names *names, const struct dg_code_name *told,
       struct known *known)
{
  struct dg_names *strings = &names->symbols->names;
  const char *file = *told->file != '\0'
                       ? dg_names_source (strings, NULL, told->file) : NULL;
  const char *function;
  char *text = NULL;

  if (*told->language != '\0')
    text = g_strconcat (told->language, ":", told->name, NULL);
  function = dg_names_intern (strings, text != NULL ? text : told->name);
  g_free (text);
  g_atomic_pointer_set (&known->file, file);
  g_atomic_pointer_set (&known->function, function);
}

/* What the program, or its interpreter, said it is.  */
static bool
fill_told (struct dg_jit_names *names, uint64_t address,
           struct dg_frame *frame)
{
  uint32_t line, index = dg_named_code_find (names->code, address, &line);
  const struct dg_code_name *told;
  struct known *known;

  if (index == DG_NONE)
    return false;
  told = &names->told[index];
  known = &names->known[index];
  if (g_atomic_pointer_get (&known->function) == NULL)
    learn (names, told, known);
  frame->function = g_atomic_pointer_get (&known->function);
  frame->file = g_atomic_pointer_get (&known->file);
  frame->line = frame->file != NULL ? line : 0;
  frame->module = *told->language != '\0' ? DG_SCRIPT_MODULE : DG_JIT_MODULE;
  frame->module_offset = address - told->start;
  return true;
}

void
dg_jit_names_fill (struct dg_jit_names *names, uint64_t address,
                    uint64_t icount, struct dg_frame *frame)
{
  if (frame->module != NULL || frame->function != NULL
      || fill_told (names, address, frame))
    return;
  if (!DG_IS_SCRIPT (address))
    frame->function = name_of (names, address & DG_PLACE_MASK, icount);
}
