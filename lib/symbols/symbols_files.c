/* symbols_files.c: the files that the names of a log are read from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_files.h"

#include <elfutils/libdwelf.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/error.h"
#include "base/regular.h"
#include "symbols.h"
#include "symbols_private.h"
#include "symbols_probe.h"
#include "symbols_split.h"
#include "symbols_trim.h"
#include "symbols_types.h"

#define LINE_BYTES 64

struct visit {
  struct dg_symbols *symbols;
  const struct dg_symbols_used *used;
  int (*each) (void *user, const struct dg_symbols_file *file,
               struct dg_error *err);
  void *user;
  GHashTable *shared;      /* names of those that were visited */
};

/* Addresses of the program within a segment that was loaded, as the object's
   own.  step: of the numbers.  */
static void
add_addresses (GArray *out, const uint64_t *all, size_t n, uint64_t step,
               const struct dg_segment *segment, uint64_t bias)
{
  uint64_t low = segment->low + bias, high = segment->high + bias;
  size_t i = DG_BISECT ((size_t) 0, n, k, all[k] * step + (step - 1) < low);

  for (; i < n && all[i] * step < high; i++) {
    uint64_t address = all[i] * step - bias;

    g_array_append_val (out, address);
  }
}

static GArray *
addresses_of (struct dg_symbols *symbols, const struct dg_object *object,
              const uint64_t *all, size_t n, uint64_t step)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  size_t n_modules, n_locals;
  const struct dg_thread_local *locals =
    dg_log_thread_locals (symbols->log, &n_locals);

  dg_log_modules (symbols->log, &n_modules);
  for (size_t i = 0; i < n_modules; i++) {
    const struct dg_loaded *loaded = &symbols->loaded[i];

    if (loaded->object != object || !loaded->has_bias)
      continue;
    for (guint k = 0; k < object->segments->len; k++)
      add_addresses (out, all, n, step,
                     &g_array_index (object->segments, struct dg_segment, k),
                     loaded->bias);
  }
  for (size_t i = 0; i < n_locals; i++) {
    const struct dg_loaded *loaded = &symbols->loaded[n_modules + i];
    const struct dg_segment segment = {
      locals[i].address - loaded->bias,
      locals[i].address - loaded->bias + locals[i].size};

    if (loaded->object == object)
      add_addresses (out, all, n, step, &segment, loaded->bias);
  }
  return out;
}

static int
visit_units (struct visit *visit, struct dg_object *object,
             struct dg_error *err)
{
  uint8_t id[DG_SPLIT_ID_BYTES];
  struct dg_symbols_file file = {.object = object,
                                 .kind = DG_SYMBOLS_FILE_SPLIT,
                                 .module = object->path,
                                 .id = id,
                                 .n_id = sizeof id};
  size_t n_found, n = dg_split_count (object->split, &n_found);
  int code = 0;

  for (size_t i = 0; i < n && code == 0; i++)
    if (dg_split_unit (object->split, i, &file.unit, &file.path)) {
      dg_split_id_bytes (file.unit, id);
      code = visit->each (visit->user, &file, err);
    }
  return code;
}

static int
visit_debug_files (struct visit *visit, struct dg_object *object,
                   struct dg_error *err)
{
  struct dg_symbols_file file = {.object = object,
                                 .kind = DG_SYMBOLS_FILE_DEBUG,
                                 .module = object->path,
                                 .path = object->find.debug_file,
                                 .id = object->find.build_id,
                                 .n_id = object->find.n_build_id};
  Dwarf_Addr bias;
  const char *link;
  const void *id;
  ssize_t n;
  int code = 0;

  if (object->find.debug_file != NULL)
    code = visit->each (visit->user, &file, err);
  if (code == 0 && object->split != NULL)
    code = visit_units (visit, object, err);
  if (code < 0 || object->find.shared_file == NULL
      || !g_hash_table_add (visit->shared, object->find.shared_file))
    return code;
  n = dwelf_dwarf_gnu_debugaltlink (
    dwfl_module_getdwarf (object->module, &bias), &link, &id);
  file.kind = DG_SYMBOLS_FILE_SHARED;
  file.path = object->find.shared_file;
  file.id = id;
  file.n_id = n > 0 ? (size_t) n : 0;
  return visit->each (visit->user, &file, err);
}

/* Whether anything of it was executed or accessed.  */
static bool
is_used (const struct visit *visit, const struct dg_object *object)
{
  const struct dg_symbols_used *used = visit->used;
  GArray *code =
    addresses_of (visit->symbols, object, used->code, used->n_code, 1);
  GArray *lines = addresses_of (visit->symbols, object, used->lines,
                                used->n_lines, LINE_BYTES);
  bool is_there = code->len > 0 || lines->len > 0;

  g_array_unref (code);
  g_array_unref (lines);
  return is_there;
}

/* What is only partly there would have no names where it is read.  */
static bool
tell_outside (const struct visit *visit, struct dg_object *object)
{
  char *name = object->module != NULL
                 ? dg_symbols_find_outside (&object->find, object->module)
                 : NULL;
  char *text;

  if (name == NULL)
    return false;
  text = g_strdup_printf ("%s: not in the bundle, since a part of its debug "
                          "information is in %s", object->path, name);
  dg_symbols_tell_hint (visit->symbols, object,
                        dg_names_intern (&visit->symbols->names, text));
  g_free (text);
  g_free (name);
  return true;
}

static int
visit_object (struct visit *visit, struct dg_object *object,
              struct dg_error *err)
{
  const struct dg_symbols_file file = {.object = object,
                                       .kind = DG_SYMBOLS_FILE_MODULE,
                                       .module = object->path,
                                       .path = object->file,
                                       .id = object->find.build_id,
                                       .n_id = object->find.n_build_id};
  int code;

  if (object->find.is_bundled || object->file == NULL
      || !is_used (visit, object))
    return 0;
  g_mutex_lock (&object->lock);
  dg_object_module (object);
  g_mutex_unlock (&object->lock);
  if (object->bad_name != NULL || object->find.is_unsafe
      || tell_outside (visit, object))
    return 0;
  code = visit->each (visit->user, &file, err);
  if (code < 0 || object->module == NULL)
    return code;
  return visit_debug_files (visit, object, err);
}

/* The file may have changed since it was read for names.  */
static int
open_whole (const char *path, struct dg_error *err)
{
  int fd = dg_regular_open (path, err), own;
  char *why;

  if (fd < 0)
    return fd;
  own = dg_symbols_private (fd);
  if (own < 0)
    return dg_error_nomem (err);
  why = dg_symbols_probe_module (own, -1, -1, false);
  if (why == NULL)
    return own;
  dg_error_set (err, DG_ERR_IO, "%s", why);
  g_free (why);
  close (own);
  return DG_ERR_IO;
}

int
dg_symbols_file_open (const struct dg_symbols_file *file,
                      struct dg_error *err)
{
  int fd;

  if (file->kind != DG_SYMBOLS_FILE_SPLIT)
    return open_whole (file->path, err);
  g_mutex_lock (&file->object->lock);
  fd = dg_split_open (file->object->split, file->unit);
  g_mutex_unlock (&file->object->lock);
  return fd >= 0 ? fd
                 : dg_error_set (err, DG_ERR_IO, "its unit %016" PRIx64
                                 " cannot be read", file->unit);
}

int
dg_symbols_files (struct dg_symbols *symbols,
                  const struct dg_symbols_used *used,
                  int (*each) (void *user, const struct dg_symbols_file *file,
                               struct dg_error *err),
                  void *user, struct dg_error *err)
{
  struct visit visit = {.symbols = symbols, .used = used, .each = each,
                        .user = user};
  int code = 0;

  /* Finds the files.  */
  dg_symbols_loaded (symbols, 0, 0);
  visit.shared = g_hash_table_new (dg_hash_text, g_str_equal);
  for (guint i = 0; i < symbols->objects->len && code == 0; i++) {
    struct dg_object *object = g_ptr_array_index (symbols->objects, i);

    dg_symbols_can_ask (symbols, object);
    code = visit_object (&visit, object, err);
    dg_symbols_tell_bad_name (symbols, object);
  }
  g_hash_table_unref (visit.shared);
  return code;
}

/* Those that the program has named, as far as the object defines them.  */
static GArray *
types_of (struct dg_symbols *symbols, const struct dg_object *object,
          const struct dg_symbols_used *used)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (Dwarf_Die));

  for (size_t i = 0; i < used->n_types; i++) {
    const struct dg_type *type = dg_symbols_type (symbols, used->types[i]);
    Dwarf_Die die;

    if (type != NULL && dg_type_in (type, object, &die))
      g_array_append_val (out, die);
  }
  return out;
}

void
dg_symbols_file_trim (struct dg_symbols *symbols,
                      const struct dg_symbols_file *file,
                      const struct dg_symbols_used *used,
                      struct dg_symbols_image *image)
{
  struct dg_object *object = file->object;
  GArray *code = addresses_of (symbols, object, used->code, used->n_code, 1);
  GArray *lines =
    addresses_of (symbols, object, used->lines, used->n_lines, LINE_BYTES);
  GArray *types = types_of (symbols, object, used);
  struct dg_trim *trim = NULL;

  g_mutex_lock (&object->lock);
  if (object->find.debug_file != NULL)
    trim = dg_trim_new (object, code, lines, types);
  if (file->kind == DG_SYMBOLS_FILE_DEBUG && trim != NULL)
    dg_trim_debug (trim, image);
  /* Debug information reads code, too: how frames are aligned.  */
  if (file->kind == DG_SYMBOLS_FILE_MODULE
      && (trim != NULL
          || (!object->has_debug_info && object->find.debug_file == NULL)))
    dg_trim_code (trim, code, image);
  g_mutex_unlock (&object->lock);
  dg_trim_free (trim);
  g_array_unref (types);
  g_array_unref (lines);
  g_array_unref (code);
}
