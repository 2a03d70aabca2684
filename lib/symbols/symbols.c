/* symbols.c: from addresses of a log to functions, lines and variables.

   Here: which file an address belongs to at a moment, and what was answered
   before.  What a file says is symbols_object.c, symbols_debug.c,
   symbols_plt.c and symbols_table.c; symbols_names.c makes it readable.  What
   lies within variables, and types, are symbols_types.c's affair.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols.h"

#include "allocator_names.h"
#include "code_name.h"
#include "base/error.h"
#include "space/space_cover.h"

#include <inttypes.h>
#include <string.h>

/* The most frames that an address is given.  */
#define MAX_FRAMES 64
/* Places of an object that are remembered.  */
#define MOST_PLACES 65536

/* What is known of an address of a file.  */
struct dg_code_place {
  uint64_t address;
  size_t n;
  struct dg_frame frames[];
};

struct dg_symbols *
dg_symbols_new (const struct dg_log *log, const char *const *source_paths,
                struct dg_error *err)
{
  struct dg_symbols *symbols;

  for (const char *const *p = source_paths; p != NULL && *p != NULL; p++) {
    const char *sign = strchr (*p, '=');

    if (sign == NULL || sign == *p) {
      dg_error_set (err, DG_ERR_INVALID,
                    "source path '%.80s' is not of the form FROM=TO", *p);
      return NULL;
    }
  }
  symbols = g_try_new0 (struct dg_symbols, 1);
  if (symbols == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  symbols->log = log;
  g_mutex_init (&symbols->lock);
  dg_names_init (&symbols->names, source_paths);
  symbols->code_names = dg_code_names_new (log, symbols);
  symbols->problems = g_array_new (FALSE, FALSE, sizeof (struct dg_problem));
  symbols->types =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, dg_type_free);
  symbols->die_types =
    g_hash_table_new_full (NULL, NULL, NULL, dg_type_free);
  return symbols;
}

void
dg_symbols_free (struct dg_symbols *symbols)
{
  if (symbols == NULL)
    return;
  g_hash_table_unref (symbols->types);
  g_hash_table_unref (symbols->die_types);
  dg_code_names_free (symbols->code_names);
  if (symbols->objects != NULL)
    g_ptr_array_unref (symbols->objects);
  dg_cover_free (symbols->now);
  dg_cover_free (symbols->ever);
  g_array_unref (symbols->problems);
  dg_names_fini (&symbols->names);
  g_mutex_clear (&symbols->lock);
  g_free (symbols->loaded);
  g_free (symbols);
}

/* ---- Modules ---------------------------------------------------------- */

/* Under the lock.  */
static void
add_problem (struct dg_symbols *symbols, const struct dg_object *object,
             const char *text)
{
  struct dg_problem problem = {text, dg_module_is_preload (object->path)};

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
static void
tell_hint (struct dg_symbols *symbols, struct dg_object *object,
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

/* Under the lock of the object, which was asked.  */
static void
tell_bad_name (struct dg_symbols *symbols, const struct dg_object *object)
{
  const char *problem;
  char *text;

  if (object->bad_name == NULL)
    return;
  text = g_strdup_printf ("%s: its debug information is in %s, which is not a "
                          "regular file: there are no names",
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
  object = dg_object_new (&symbols->names, module->file, module->build_id,
                          module->n_build_id);
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
static void
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
  dg_cover_new (all, kept, &symbols->ever);
}

/* Finds the files of all modules; their contents stay for later.  */
static void
open_objects (struct dg_symbols *symbols)
{
  size_t n, n_locals;
  const struct dg_module *modules = dg_log_modules (symbols->log, &n);
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (struct dg_rect));
  GHashTable *by_key =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

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
  dg_cover_new ((struct dg_rect *) (void *) rects->data, rects->len,
                &symbols->now);
  make_ever (symbols, rects, n);
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

/* ---- Frames ----------------------------------------------------------- */

/* Fills frames for an address of a file.  */
static size_t
ask_object (struct dg_symbols *symbols, struct dg_object *object,
            uint64_t address, struct dg_frame *frames)
{
  const char *stub = NULL;
  size_t n;

  if (dg_plt_find (object, &symbols->names, address, &stub)) {
    frames[0].function = stub;
    return 1;
  }
  n = dg_debug_frames (object, &symbols->names, address, frames, MAX_FRAMES);
  if (n == 0)
    n = 1;
  if (frames[n - 1].function == NULL && !frames[n - 1].inlined)
    frames[n - 1].function =
      dg_symtab_function (object, &symbols->names, address);
  return n;
}

static const struct dg_code_place *
find_place (struct dg_symbols *symbols, struct dg_object *object,
            uint64_t address)
{
  struct dg_frame frames[MAX_FRAMES];
  struct dg_code_place *place;
  size_t n;

  if (object->places == NULL)
    object->places =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  place = g_hash_table_lookup (object->places, &address);
  if (place != NULL)
    return place;
  memset (frames, 0, sizeof frames);
  n = dg_symbols_can_ask (symbols, object)
        ? ask_object (symbols, object, address, frames)
        : 1;
  tell_bad_name (symbols, object);
  for (size_t i = 0; i < n; i++) {
    frames[i].module = object->path;
    frames[i].module_offset = address;
  }
  if (g_hash_table_size (object->places) >= MOST_PLACES)
    g_hash_table_remove_all (object->places);
  place = g_malloc (sizeof *place + n * sizeof *frames);
  place->address = address;
  place->n = n;
  memcpy (place->frames, frames, n * sizeof *frames);
  g_hash_table_insert (object->places, &place->address, place);
  return place;
}

size_t
dg_symbols_plain_frames (struct dg_symbols *symbols, uint64_t address,
                         uint64_t icount, struct dg_frame *out, size_t max)
{
  const struct dg_loaded *loaded;
  size_t n = 1;

  if (max == 0)
    return 0;
  memset (&out[0], 0, sizeof out[0]);
  loaded = dg_symbols_loaded (symbols, address, icount);
  if (loaded != NULL && loaded->has_bias) {
    const struct dg_code_place *place;
    const char *hint;

    g_mutex_lock (&loaded->object->lock);
    place = find_place (symbols, loaded->object, address - loaded->bias);
    n = MIN (place->n, max);
    memcpy (out, place->frames, n * sizeof *out);
    hint = loaded->object->hint;
    g_mutex_unlock (&loaded->object->lock);
    tell_hint (symbols, loaded->object, hint);
  } else if (loaded != NULL) {
    dg_symbols_can_ask (symbols, loaded->object);
    out[0].module = loaded->object->path;
  }
  return n;
}

size_t
dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, struct dg_frame *out, size_t max)
{
  size_t n = dg_symbols_plain_frames (symbols, address, icount, out, max);

  if (n > 0)
    dg_code_names_fill (symbols->code_names, address, icount, &out[n - 1]);
  return n;
}

size_t
dg_symbols_valgrind (struct dg_symbols *symbols, uint64_t address,
                     uint64_t icount, struct dg_frame *out, size_t max)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);
  size_t n = 1;

  if (max == 0)
    return 0;
  memset (&out[0], 0, sizeof out[0]);
  if (loaded == NULL)
    return n;
  if (dg_symbols_can_ask (symbols, loaded->object) && loaded->has_bias) {
    g_mutex_lock (&loaded->object->lock);
    n = dg_valgrind_frames (loaded->object, &symbols->names,
                            address - loaded->bias, out, max);
    tell_bad_name (symbols, loaded->object);
    g_mutex_unlock (&loaded->object->lock);
  }
  for (size_t i = 0; i < n; i++)
    out[i].module = loaded->object->path;
  return n;
}

enum dg_begins
dg_symbols_begins (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount)
{
  const struct dg_loaded *loaded
    = dg_symbols_loaded (symbols, address, icount);
  enum dg_begins begins = DG_BEGINS_NOTHING;
  const char *name;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return begins;
  g_mutex_lock (&loaded->object->lock);
  address -= loaded->bias;
  if (dg_plt_find (loaded->object, &symbols->names, address, &name))
    begins = DG_BEGINS_STUB;
  else if (dg_symtab_begins (loaded->object, address))
    begins = DG_BEGINS_FUNCTION;
  g_mutex_unlock (&loaded->object->lock);
  return begins;
}

/* ---- Variables -------------------------------------------------------- */

static const char *
variable_text (struct dg_symbols *symbols, const struct dg_datum *variable,
               uint64_t offset)
{
  const char *name = dg_names_symbol (&symbols->names, variable->symbol);
  const char *result = name;

  if (offset != 0) {
    char *text = g_strdup_printf ("%s+0x%" PRIx64, name, offset);

    result = dg_names_intern (&symbols->names, text);
    g_free (text);
  }
  return result;
}

const char *
dg_symbols_variable (struct dg_symbols *symbols, uint64_t address,
                     uint64_t icount, uint64_t *offset, uint64_t *size)
{
  const struct dg_loaded *loaded;
  const char *text = NULL;

  loaded = dg_symbols_loaded (symbols, address, icount);
  if (loaded != NULL && loaded->has_bias
      && dg_symbols_can_ask (symbols, loaded->object)) {
    uint64_t own = address - loaded->bias;
    const struct dg_datum *variable;

    g_mutex_lock (&loaded->object->lock);
    variable = dg_symtab_variable (loaded->object, own);
    if (variable != NULL) {
      if (offset != NULL)
        *offset = own - variable->address;
      if (size != NULL)
        *size = variable->size;
      text = variable_text (symbols, variable, own - variable->address);
    }
    g_mutex_unlock (&loaded->object->lock);
  }
  return text;
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
