/* bundle_sources.c: the source files of all code that was executed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundle_sources.h"

#include <glib.h>

#define MOST_FRAMES 64

struct gather {
  struct dg_symbols *symbols;
  int (*each) (void *user, const char *name, struct dg_error *err);
  void *user;
  GHashTable *names;       /* interned by the symbols */
  size_t n_missing;
};

static int
take_address (struct gather *gather, uint64_t address, struct dg_error *err)
{
  struct dg_frame frames[MOST_FRAMES];
  size_t n;
  int code = 0;

  n = dg_symbols_frames (gather->symbols, address, 0, frames, MOST_FRAMES);
  for (size_t i = 0; i < n && code >= 0; i++)
    if (frames[i].file != NULL
        && g_hash_table_add (gather->names, (gpointer) frames[i].file)) {
      code = gather->each (gather->user, frames[i].file, err);
      gather->n_missing += code == 1;
    }
  return code < 0 ? code : 0;
}

int
dg_bundle_sources (struct dg_symbols *symbols,
                   const struct dg_symbols_used *used,
                   int (*each) (void *user, const char *name,
                                struct dg_error *err),
                   void *user, size_t *n_missing, struct dg_error *err)
{
  struct gather gather = {
    .symbols = symbols, .each = each, .user = user,
    .names = g_hash_table_new (NULL, NULL)
  };
  int code = 0;

  for (size_t i = 0; i < used->n_code && code == 0; i++)
    code = take_address (&gather, used->code[i], err);
  *n_missing = gather.n_missing;
  g_hash_table_unref (gather.names);
  return code;
}
