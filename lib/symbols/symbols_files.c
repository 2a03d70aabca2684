/* symbols_files.c: the files that the names of a log are read from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_files.h"

#include <elfutils/libdwelf.h>

#include "symbols.h"

struct visit {
  int (*each) (void *user, const struct dg_symbols_file *file,
               struct dg_error *err);
  void *user;
  GHashTable *shared;      /* names of those that were visited */
};

static int
visit_debug_files (struct visit *visit, struct dg_object *object,
                   struct dg_error *err)
{
  struct dg_symbols_file file = {.kind = DG_SYMBOLS_FILE_DEBUG,
                                 .module = object->path,
                                 .path = object->debug_file,
                                 .id = object->build_id,
                                 .n_id = object->n_build_id};
  Dwarf_Addr bias;
  const char *link;
  const void *id;
  ssize_t n;
  int code = 0;

  if (object->debug_file != NULL)
    code = visit->each (visit->user, &file, err);
  if (code < 0 || object->shared_file == NULL
      || !g_hash_table_add (visit->shared, object->shared_file))
    return code;
  n = dwelf_dwarf_gnu_debugaltlink (
    dwfl_module_getdwarf (object->module, &bias), &link, &id);
  file.kind = DG_SYMBOLS_FILE_SHARED;
  file.path = object->shared_file;
  file.id = id;
  file.n_id = n > 0 ? (size_t) n : 0;
  return visit->each (visit->user, &file, err);
}

static int
visit_object (struct visit *visit, struct dg_object *object,
              struct dg_error *err)
{
  const struct dg_symbols_file file = {.kind = DG_SYMBOLS_FILE_MODULE,
                                       .module = object->path,
                                       .path = object->file,
                                       .id = object->build_id,
                                       .n_id = object->n_build_id};
  int code;

  if (object->is_bundled || object->file == NULL)
    return 0;
  g_mutex_lock (&object->lock);
  dg_object_module (object);
  g_mutex_unlock (&object->lock);
  code = visit->each (visit->user, &file, err);
  if (code < 0 || object->module == NULL)
    return code;
  return visit_debug_files (visit, object, err);
}

int
dg_symbols_files (struct dg_symbols *symbols,
                  int (*each) (void *user, const struct dg_symbols_file *file,
                               struct dg_error *err),
                  void *user, struct dg_error *err)
{
  struct visit visit = {.each = each, .user = user};
  int code = 0;

  /* Finds the files.  */
  dg_symbols_loaded (symbols, 0, 0);
  visit.shared = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < symbols->objects->len && code == 0; i++) {
    struct dg_object *object = g_ptr_array_index (symbols->objects, i);

    dg_symbols_can_ask (symbols, object);
    code = visit_object (&visit, object, err);
    dg_symbols_tell_bad_name (symbols, object);
  }
  g_hash_table_unref (visit.shared);
  return code;
}
