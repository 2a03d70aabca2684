/* bundle_sources.c: the source files of all code that was executed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundle_sources.h"

#include <glib.h>

#define MOST_FRAMES 64

struct gather {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  int (*each) (void *user, const char *name, struct dg_error *err);
  void *user;
  GHashTable *addresses;   /* that were asked for */
  GHashTable *names;       /* interned by the symbols */
  size_t n_missing;
};

static int
take_address (struct gather *gather, uint64_t address, struct dg_error *err)
{
  struct dg_frame frames[MOST_FRAMES];
  size_t n;
  int code = 0;

  /* Of addresses of 64 bits, of which this is the key.  */
  if (!g_hash_table_add (gather->addresses, (gpointer) (uintptr_t) address))
    return 0;
  n = dg_symbols_frames (gather->symbols, address, 0, frames, MOST_FRAMES);
  for (size_t i = 0; i < n && code >= 0; i++)
    if (frames[i].file != NULL
        && g_hash_table_add (gather->names, (gpointer) frames[i].file)) {
      code = gather->each (gather->user, frames[i].file, err);
      gather->n_missing += code == 1;
    }
  return code < 0 ? code : 0;
}

static int
take_code (struct gather *gather, struct dg_error *err)
{
  uint64_t n = dg_log_summary (gather->log)->bbdefs;
  uint32_t n_paths = dg_log_n_call_paths (gather->log);
  int code = 0;

  for (uint64_t i = 0; i < n && code == 0; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (gather->log, (uint32_t) i);

    for (unsigned k = 0; k < bbdef->n_instrs && code == 0; k++)
      code = take_address (gather, bbdef->instrs[k].address, err);
  }
  for (uint32_t i = 1; i < n_paths && code == 0; i++)
    code = take_address (gather, dg_log_call_path (gather->log, i).site, err);
  return code;
}

int
dg_bundle_sources (const struct dg_log *log, struct dg_symbols *symbols,
                   int (*each) (void *user, const char *name,
                                struct dg_error *err),
                   void *user, size_t *n_missing, struct dg_error *err)
{
  struct gather gather = {
    .log = log, .symbols = symbols, .each = each, .user = user,
    .addresses = g_hash_table_new (NULL, NULL),
    .names = g_hash_table_new (NULL, NULL)
  };
  int code = take_code (&gather, err);

  *n_missing = gather.n_missing;
  g_hash_table_unref (gather.addresses);
  g_hash_table_unref (gather.names);
  return code;
}
