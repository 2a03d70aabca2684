/* code_name.c: what people are shown of code, where a function's name does not
   say enough.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "code_name.h"

#include <stdlib.h>
#include <string.h>

#include "sites.h"

#define MADE_UP "func_0x"
#define PAGE_SHIFT 12

struct dg_code_names {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  GMutex lock;             /* guards all below */
  GHashTable *pages;       /* page -> the last mapping of it that was asked
                              for, from 1 */
  GHashTable *texts;       /* what was mapped -> its text in `strings` */
  GStringChunk *strings;
};

bool
dg_code_name_is_made_up (const char *function)
{
  const char *digits = function + strlen (MADE_UP);

  return g_str_has_prefix (function, MADE_UP) && *digits != '\0'
         && digits[strspn (digits, "0123456789abcdef")] == '\0';
}

void
dg_code_name_append (GString *text, const char *function, const char *module)
{
  g_string_append (text, function != NULL ? function : "???");
  if (module != NULL
      && (function == NULL || dg_code_name_is_made_up (function)))
    g_string_append_printf (text, " (%s)", dg_sites_base (module));
}

/* ---- Code of no module ------------------------------------------------ */

struct dg_code_names *
dg_code_names_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_code_names *names = g_new0 (struct dg_code_names, 1);

  names->log = log;
  names->symbols = symbols;
  g_mutex_init (&names->lock);
  names->pages = g_hash_table_new (NULL, NULL);
  names->texts = g_hash_table_new (NULL, NULL);
  names->strings = g_string_chunk_new (256);
  return names;
}

void
dg_code_names_free (struct dg_code_names *names)
{
  if (names == NULL)
    return;
  g_string_chunk_free (names->strings);
  g_hash_table_unref (names->texts);
  g_hash_table_unref (names->pages);
  g_mutex_clear (&names->lock);
  g_free (names);
}

static bool
is_there (const struct dg_mapping *mapping, uint64_t address, uint64_t icount)
{
  return address - mapping->address < mapping->size
         && icount >= mapping->start_icount && icount <= mapping->end_icount;
}

/* With the lock held.  */
static const struct dg_mapping *
find (struct dg_code_names *names, uint64_t address, uint64_t icount)
{
  gpointer page = (gpointer) (uintptr_t) (address >> PAGE_SHIFT);
  size_t n, last;
  const struct dg_mapping *mappings = dg_log_mappings (names->log, &n);

  last = GPOINTER_TO_SIZE (g_hash_table_lookup (names->pages, page));
  if (last > 0 && is_there (&mappings[last - 1], address, icount))
    return &mappings[last - 1];
  for (size_t i = n; i-- > 0;)
    if (is_there (&mappings[i], address, icount)) {
      g_hash_table_insert (names->pages, page, GSIZE_TO_POINTER (i + 1));
      return &mappings[i];
    }
  return NULL;
}

static char *
text_of (struct dg_code_names *names, const struct dg_mapping *mapping)
{
  const struct dg_site_how how = { .symbols = names->symbols };
  char *pages, *text;

  if (*mapping->file != '\0')
    return g_strconcat ("code in file ", dg_sites_base (mapping->file), NULL);
  pages = dg_sites_pages (&how, mapping);
  text = g_strconcat ("code in ", pages, NULL);
  g_free (pages);
  return text;
}

/* NULL: the log does not say.  */
static const char *
name_of (struct dg_code_names *names, uint64_t address, uint64_t icount)
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

void
dg_code_names_fill (struct dg_code_names *names, uint64_t address,
                    uint64_t icount, struct dg_frame *frame)
{
  if (frame->module == NULL && frame->function == NULL)
    frame->function = name_of (names, address, icount);
}
