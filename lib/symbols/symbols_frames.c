/* symbols_frames.c: from addresses of a log to functions, lines and variables
   of the symbol table, and what was answered before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_frames.h"

#include <inttypes.h>
#include <string.h>

#include "symbols_debug.h"
#include "symbols_plt.h"
#include "symbols_table.h"

/* The most frames that an address is given.  */
#define MAX_FRAMES 64
/* Places of an object that are remembered.  */
#define MOST_PLACES 65536

/* What is known of an address of a file.  */
struct dg_symbols_known {
  uint64_t address;
  size_t n;
  struct dg_frame frames[];
};

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

/* Advises to compile the program with -g if it has functions, but no lines.
   Libraries get no advice: other people have compiled them.  */
static void
set_hint (struct dg_symbols *symbols, struct dg_object *object,
          const struct dg_frame *frame)
{
  Dwarf_Addr bias;
  char *text;

  if (object->hint != NULL || frame->file != NULL || frame->function == NULL
      || g_str_has_prefix (frame->function, "func_0x")
      || g_strcmp0 (object->path, dg_log_program (symbols->log)) != 0
      || object->module == NULL
      || dwfl_module_getdwarf (object->module, &bias) != NULL)
    return;
  text = g_strdup_printf (
    "%s: no debug information, so lines, types and local variables are "
    "missing.  Compile it with -g, or install its debug package",
    object->path);
  object->hint = dg_names_intern (&symbols->names, text);
  g_free (text);
}

static const struct dg_symbols_known *
find_place (struct dg_symbols *symbols, struct dg_object *object,
            uint64_t address)
{
  struct dg_frame frames[MAX_FRAMES];
  struct dg_symbols_known *place;
  size_t n;

  if (object->places == NULL)
    object->places =
      g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL, g_free);
  place = g_hash_table_lookup (object->places, &address);
  if (place != NULL)
    return place;
  memset (frames, 0, sizeof frames);
  n = dg_symbols_can_ask (symbols, object)
        ? ask_object (symbols, object, address, frames)
        : 1;
  dg_symbols_tell_bad_name (symbols, object);
  set_hint (symbols, object, &frames[n - 1]);
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
    const struct dg_symbols_known *place;
    const char *hint;

    g_mutex_lock (&loaded->object->lock);
    place = find_place (symbols, loaded->object, address - loaded->bias);
    n = MIN (place->n, max);
    memcpy (out, place->frames, n * sizeof *out);
    hint = loaded->object->hint;
    g_mutex_unlock (&loaded->object->lock);
    dg_symbols_tell_hint (symbols, loaded->object, hint);
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
    symbols->name_code (symbols->jit_names, address, icount, &out[n - 1]);
  return n;
}

struct dg_symbols_code
dg_symbols_code_at (struct dg_symbols *symbols, uint64_t address,
                    uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);

  return loaded != NULL && loaded->has_bias
           ? (struct dg_symbols_code) { loaded->object,
                                        address - loaded->bias }
           : (struct dg_symbols_code) { NULL, address };
}

enum dg_symbols_begin
dg_symbols_begins (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount)
{
  const struct dg_loaded *loaded
    = dg_symbols_loaded (symbols, address, icount);
  enum dg_symbols_begin begins = DG_BEGINS_NOTHING;
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
