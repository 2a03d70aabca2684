/* symbols.c: which file an address belongs to at a moment.

   What a file says is symbols_object.c, symbols_debug.c, symbols_plt.c and
   symbols_table.c; symbols_names.c makes it readable; symbols_frames.c
   answers for code, symbols_types.c for variables and types.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols.h"
#include "symbols_split.h"

#include "allocator_names.h"
#include "log/bundled.h"
#include "space/space_cover.h"

#include <inttypes.h>
#include <string.h>

/* ---- Modules ---------------------------------------------------------- */

/* Under the lock.  */
static void
add_problem (struct dg_symbols *symbols, const struct dg_object *object,
             const char *text)
{
  struct dg_problem problem = {text,
                               dg_allocator_module_is_preload (object->path)};

  g_array_append_val (symbols->problems, problem);
}

/* Under the lock.  */
static bool
has_problem (const struct dg_symbols *symbols, const char *text)
{
  for (guint i = 0; i < symbols->problems->len; i++)
    if (g_array_index (symbols->problems, struct dg_problem, i).text == text)
      return true;
  return false;
}

/* Under the lock.  */
static void
tell_problem (struct dg_symbols *symbols, struct dg_object *object)
{
  if (object->problem == NULL || object->is_told)
    return;
  object->is_told = true;
  add_problem (symbols, object, object->problem);
}

/* Once a file has said how to get better names.  */
void
dg_symbols_tell_hint (struct dg_symbols *symbols, struct dg_object *object,
                      const char *hint)
{
  if (hint == NULL)
    return;
  g_mutex_lock (&symbols->lock);
  if (!object->is_hint_told)
    add_problem (symbols, object, hint);
  object->is_hint_told = true;
  g_mutex_unlock (&symbols->lock);
}

bool
dg_symbols_can_ask (struct dg_symbols *symbols, struct dg_object *object)
{
  if (object->problem == NULL)
    return true;
  g_mutex_lock (&symbols->lock);
  tell_problem (symbols, object);
  g_mutex_unlock (&symbols->lock);
  return false;
}

/* Units that stand in files of which some were not found.  */
static void
tell_split (struct dg_symbols *symbols, struct dg_object *object)
{
  size_t n_found, n;
  char *text;

  if (object->split == NULL || object->is_split_told)
    return;
  object->is_split_told = true;
  n = dg_split_count (object->split, &n_found);
  if (n_found == n)
    return;
  text = g_strdup_printf (
    "%s: %zu of its %zu units of debug information (.dwo) were not found, so "
    "their types, variables and inlined calls have no names",
    object->path, n - n_found, n);
  dg_symbols_tell_hint (symbols, object,
                        dg_names_intern (&symbols->names, text));
  g_free (text);
}

/* Under the lock of the object, which was asked.  */
void
dg_symbols_tell_bad_name (struct dg_symbols *symbols,
                          struct dg_object *object)
{
  const char *problem;
  char *text;

  tell_split (symbols, object);
  if (object->bad_name == NULL && object->find.problem == NULL)
    return;
  text = object->find.problem != NULL
           ? g_strdup_printf ("%s: its debug information%s cannot be read: %s",
                              object->path,
                              object->find.is_bundled ? " in the log" : "",
                              object->find.problem)
           : g_strdup_printf ("%s: its debug information is in %s, which is "
                              "not a regular file: there are no names",
                              object->path, object->bad_name);
  problem = dg_names_intern (&symbols->names, text);
  g_free (text);
  g_mutex_lock (&symbols->lock);
  if (!has_problem (symbols, problem))
    add_problem (symbols, object, problem);
  g_mutex_unlock (&symbols->lock);
}

/* One object per file and build-id: the same path may have held two files
   during the recording.  */
static char *
object_key (const struct dg_module *module)
{
  GString *key = g_string_new (module->file);

  g_string_append_c (key, '\n');
  for (unsigned i = 0; i < module->n_build_id; i++)
    g_string_append_printf (key, "%02x", module->build_id[i]);
  return g_string_free (key, FALSE);
}

static struct dg_object *
object_of (struct dg_symbols *symbols, GHashTable *by_key,
           const struct dg_module *module)
{
  char *key = object_key (module);
  struct dg_object *object = g_hash_table_lookup (by_key, key);

  if (object != NULL) {
    g_free (key);
    return object;
  }
  object = dg_object_new (&symbols->names, symbols->log, module->file,
                          module->build_id, module->n_build_id);
  g_hash_table_insert (by_key, key, object);
  g_ptr_array_add (symbols->objects, object);
  return object;
}

static void
set_bias (struct dg_loaded *loaded, const struct dg_module *module)
{
  if (module->has_detail) {
    loaded->bias = module->bias;
    loaded->has_bias = true;
  } else if (loaded->object->text != 0) {
    loaded->bias = module->text_address - loaded->object->text;
    loaded->has_bias = true;
  }
}

/* The addresses of a module: its segments if its file can be read, else the
   text that the log tells of.  */
static void
add_rects (GArray *rects, const struct dg_loaded *loaded,
           const struct dg_module *module, uint32_t index)
{
  const GArray *segments = loaded->object->segments;
  struct dg_rect rect =
    dg_rect_make (module->text_address, module->text_size, module->load_icount,
                  module->unload_icount, index);

  if (rect.high > rect.low)
    g_array_append_val (rects, rect);
  for (guint i = 0; loaded->has_bias && i < segments->len; i++) {
    const struct dg_segment *s =
      &g_array_index (segments, struct dg_segment, i);

    rect.low = s->low + loaded->bias;
    rect.high = s->high + loaded->bias;
    if (rect.high > rect.low)
      g_array_append_val (rects, rect);
  }
}

static void
add_locals (struct dg_symbols *symbols, GArray *rects, size_t n_modules)
{
  size_t n;
  const struct dg_thread_local *copies =
    dg_log_thread_locals (symbols->log, &n);

  for (size_t i = 0; i < n; i++) {
    struct dg_loaded *loaded = &symbols->loaded[n_modules + i];
    struct dg_rect rect =
      dg_rect_make (copies[i].address, copies[i].size, copies[i].start_icount,
                    copies[i].end_icount, (uint32_t) (n_modules + i));

    *loaded = symbols->loaded[copies[i].module];
    loaded->bias = copies[i].address - DG_LOCALS_BASE;
    loaded->has_bias = true;
    loaded->thread = copies[i].thread;
    if (rect.high > rect.low)
      g_array_append_val (rects, rect);
  }
}

/* The same rectangles for all time, but for those of threads, which come and
   go where others were.  */
static int
make_ever (struct dg_symbols *symbols, GArray *rects, size_t n_modules)
{
  struct dg_rect *all = (struct dg_rect *) (void *) rects->data;
  size_t kept = 0;

  for (guint i = 0; i < rects->len; i++) {
    if (all[i].id >= n_modules)
      continue;
    all[kept] = all[i];
    all[kept].start = 0;
    all[kept++].end = 1;
  }
  return dg_cover_new (all, kept, &symbols->ever);
}

/* Under the lock.  Without it, names would be missing silently.  */
static void
tell_nomem (struct dg_symbols *symbols)
{
  const struct dg_problem problem = {
    dg_names_intern (&symbols->names,
                     "not enough memory for names of code and data"), false};

  g_array_append_val (symbols->problems, problem);
}

/* Under the lock.  Of files that are in the log, and cannot be used.  */
static void
tell_bundle_problem (struct dg_symbols *symbols)
{
  const char *why = dg_bundled_problem (symbols->log);
  struct dg_problem problem = {NULL, false};
  char *text;

  if (why == NULL)
    return;
  text = g_strdup_printf ("the files in the log are not used: %s", why);
  problem.text = dg_names_intern (&symbols->names, text);
  g_array_append_val (symbols->problems, problem);
  g_free (text);
}

/* Finds the files of all modules; their contents stay for later.  */
static void
open_objects (struct dg_symbols *symbols)
{
  size_t n, n_locals;
  const struct dg_module *modules = dg_log_modules (symbols->log, &n);
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (struct dg_rect));
  GHashTable *by_key =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);

  tell_bundle_problem (symbols);
  symbols->objects =
    g_ptr_array_new_with_free_func ((GDestroyNotify) dg_object_free);
  dg_log_thread_locals (symbols->log, &n_locals);
  symbols->loaded = g_new0 (struct dg_loaded, n + n_locals + 1);
  for (size_t i = 0; i < n; i++) {
    symbols->loaded[i].object = object_of (symbols, by_key, &modules[i]);
    set_bias (&symbols->loaded[i], &modules[i]);
    add_rects (rects, &symbols->loaded[i], &modules[i], (uint32_t) i);
    /* Nobody knows where this one is, so any address may be its.  */
    if (modules[i].text_size == 0)
      tell_problem (symbols, symbols->loaded[i].object);
  }
  add_locals (symbols, rects, n);
  if (dg_cover_new ((struct dg_rect *) (void *) rects->data, rects->len,
                    &symbols->now)
        < 0
      || make_ever (symbols, rects, n) < 0)
    tell_nomem (symbols);
  g_array_unref (rects);
  g_hash_table_unref (by_key);
}

const struct dg_loaded *
dg_symbols_loaded (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount)
{
  uint32_t index = DG_NONE;

  g_mutex_lock (&symbols->lock);
  if (symbols->objects == NULL)
    open_objects (symbols);
  g_mutex_unlock (&symbols->lock);
  if (symbols->now != NULL)
    index = dg_cover_find (symbols->now, address, icount);
  if (index == DG_NONE && symbols->ever != NULL)
    index = dg_cover_find (symbols->ever, address, 0);
  return index != DG_NONE ? &symbols->loaded[index] : NULL;
}

bool
dg_symbols_is_busy (struct dg_symbols *symbols, uint64_t address,
                    uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);

  return loaded != NULL && g_atomic_int_get (&loaded->object->is_opening) != 0;
}

const char *
dg_symbols_problem (struct dg_symbols *symbols, size_t index)
{
  const char *text = NULL;

  g_mutex_lock (&symbols->lock);
  if (index < symbols->problems->len)
    text = g_array_index (symbols->problems, struct dg_problem, index).text;
  g_mutex_unlock (&symbols->lock);
  return text;
}

bool
dg_symbols_problem_is_of_valgrind (struct dg_symbols *symbols, size_t index)
{
  bool is_of_valgrind = false;

  g_mutex_lock (&symbols->lock);
  if (index < symbols->problems->len)
    is_of_valgrind =
      g_array_index (symbols->problems, struct dg_problem, index)
        .is_of_valgrind;
  g_mutex_unlock (&symbols->lock);
  return is_of_valgrind;
}
