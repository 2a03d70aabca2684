/* symbols_types.c: the questions about variables, types and their fields.

   Which file is asked, and what users' names of types mean; what the file
   says is symbols_dies_index.c's and symbols_fields.c's affair.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols.h"
#include "allocator_names.h"
#include "symbols_dies.h"
#include "symbols_fields.h"
#include "symbols_layout.h"
#include "symbols_operand.h"
#include "symbols_sections.h"
#include "symbols_table.h"
#include "symbols_types.h"
#include "base/path.h"

#include <string.h>

struct dg_type {
  const char *name;          /* interned */
  struct dg_object *object;  /* NULL: there is no such type */
  Dwarf_Die die;
  bool has_die;              /* else it is a pointer */
  const char *pointer;       /* its name without bounds; interned */
  bool is_open;              /* ends with an array that has no bound */
  uint64_t element;          /* bytes of what the bounds count, or of all */
  uint64_t size;             /* 0 if there is an open bound */
  struct dg_bounds bounds;
};

/* ---- Variables -------------------------------------------------------- */

/* Not by dwarf_decl_file, which ends the program where a unit has no table of
   its files, and does not know that from DWARF 5 on the first has number
   0.  */
static void
set_declaration (struct dg_symbols *symbols, Dwarf_Die *die,
                 struct dg_variable *out)
{
  Dwarf_Attribute attribute;
  Dwarf_Die unit;
  Dwarf_Half version;
  Dwarf_Files *files;
  const char *dir;
  uint64_t number, line;
  size_t n;

  if (dg_die_number (die, DW_AT_decl_line, &line) && line <= UINT32_MAX)
    out->line = (uint32_t) line;
  if (!dg_die_number (die, DW_AT_decl_file, &number)
      || dwarf_cu_info (die->cu, &version, NULL, &unit, NULL, NULL, NULL, NULL)
           != 0
      || (number == 0 && version < 5)
      || dwarf_getsrcfiles (&unit, &files, &n) != 0 || number >= n)
    return;
  dir = dwarf_formstring (dwarf_attr (&unit, DW_AT_comp_dir, &attribute));
  out->file = dg_names_source (&symbols->names, dir,
                               dwarf_filesrc (files, number, NULL, NULL));
}

static void
set_name (struct dg_symbols *symbols, struct dg_object *object,
          Dwarf_Die *die, struct dg_variable *out)
{
  GString *text = g_string_new (NULL);

  dg_die_append_variable (object, text, die);
  out->name = dg_names_intern (&symbols->names, text->str);
  g_string_free (text, TRUE);
}

/* Of a variable of which at least so many bytes are known.  */
static uint64_t
whole_size (struct dg_object *object, const Dwarf_Die *type, uint64_t least)
{
  uint64_t size;

  return dg_die_size (object, type, &size) ? MAX (size, least) : least;
}

/* The type, and the field in it.  */
static void
set_type (struct dg_symbols *symbols, struct dg_object *object,
          Dwarf_Die *variable, uint64_t skip, uint32_t access_size,
          struct dg_variable *out)
{
  GString *text;
  Dwarf_Die type;
  uint64_t size;

  if (!dg_die_follow (variable, DW_AT_type, &type))
    return;
  text = g_string_new (NULL);
  dg_die_append_type (object, text, &type);
  out->type = dg_names_intern (&symbols->names, text->str);
  g_string_free (text, TRUE);
  size = whole_size (object, &type, skip + out->size);
  out->has_field =
    dg_field_find (object, &symbols->names, &type, size, skip + out->offset,
                   access_size, &out->field);
}

/* What no variable has: by its section, but for code.  */
static bool
ask_section (struct dg_symbols *symbols, struct dg_object *object,
             uint64_t address, struct dg_variable *out)
{
  const struct dg_section *section = dg_section_find (object, address);
  bool is_valgrind = dg_allocator_module_is_preload (object->path);

  if (section == NULL
      || (section->is_code && !g_str_has_prefix (section->name, ".plt")))
    return false;
  if (is_valgrind) {
    out->name = "<valgrind's malloc>";
    out->until = section->high;
  } else {
    char *text =
      g_strdup_printf ("%s %s", dg_path_base (object->path), section->name);

    out->name = dg_names_intern (&symbols->names, text);
    g_free (text);
    out->until = MIN (section->high,
                      MIN (dg_symtab_next_variable (object, address),
                           dg_die_index_next_data (object, address)));
  }
  out->is_section = true;
  out->module = object->path;
  out->address = section->low;
  out->size = section->high - section->low;
  out->offset = address - section->low;
  return true;
}

/* A thread's own, of which the file does not tell what it is.  */
static void
set_nameless_local (struct dg_symbols *symbols, struct dg_object *object,
                    uint64_t address, struct dg_variable *out)
{
  char *text =
    g_strdup_printf ("%s thread-local data", dg_path_base (object->path));

  out->name = dg_names_intern (&symbols->names, text);
  g_free (text);
  out->until = MIN (dg_symtab_next_variable (object, address),
                    dg_die_index_next_data (object, address));
  out->is_section = true;
  out->module = object->path;
  out->address = address;
  out->size = out->until - address;
}

/* Everything about the address of an object, and the DIE that has the
   variable's type; under its lock.  *skip: bytes of the variable before those
   that `out` has.  */
static bool
ask_data (struct dg_symbols *symbols, struct dg_object *object,
          uint64_t address, uint32_t access_size, struct dg_variable *out,
          Dwarf_Die *variable, uint64_t *skip)
{
  const struct dg_datum *symbol;
  uint64_t low = 0, size = 0;
  Dwarf_Die die;
  bool has_die;

  *skip = 0;
  if (dg_allocator_module_is_preload (object->path))
    return ask_section (symbols, object, address, out);
  symbol = dg_symtab_variable (object, address);
  has_die = dg_die_index_data (object, address, &die, &low, &size, skip);
  /* The symbol is larger where a flexible array has elements.  */
  if (has_die && symbol != NULL && symbol->address == low && *skip == 0)
    size = MAX (size, symbol->size);
  if (has_die && address - low >= size)
    has_die = false;
  /* A symbol in the middle of a variable is another one: a common block, or
     what the linker has merged.  */
  if (has_die && symbol != NULL && symbol->address > low)
    has_die = false;
  if (!has_die && symbol == NULL && address >= DG_LOCALS_BASE) {
    set_nameless_local (symbols, object, address, out);
    return true;
  }
  if (!has_die && symbol == NULL)
    return ask_section (symbols, object, address, out);
  if (!has_die) {
    low = symbol->address;
    size = symbol->size;
    *skip = 0;
  }
  out->address = low;
  out->size = size;
  out->offset = address - low;
  out->module = object->path;
  if (has_die)
    set_name (symbols, object, &die, out);
  else
    out->name = dg_names_symbol (&symbols->names, symbol->symbol);
  /* The definition is in a library's file; a copy of it, and its declaration,
     are here.  */
  if (has_die || dg_die_index_declared (object, symbol->symbol, &die)) {
    set_declaration (symbols, &die, out);
    set_type (symbols, object, &die, *skip, access_size, out);
    *variable = die;
  }
  return true;
}

bool
dg_symbols_data (struct dg_symbols *symbols, uint64_t address, uint64_t icount,
                 uint32_t access_size, struct dg_variable *out)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);
  Dwarf_Die die;
  uint64_t skip;
  bool found;

  memset (out, 0, sizeof *out);
  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return false;
  g_mutex_lock (&loaded->object->lock);
  found = ask_data (symbols, loaded->object, address - loaded->bias,
                    access_size, out, &die, &skip);
  dg_symbols_tell_bad_name (symbols, loaded->object);
  g_mutex_unlock (&loaded->object->lock);
  if (found) {
    out->address += loaded->bias;
    out->until += out->is_section ? loaded->bias : 0;
    out->thread = loaded->thread;
  }
  return found;
}

const struct dg_type *
dg_symbols_data_type (struct dg_symbols *symbols, uint64_t address,
                      uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);
  struct dg_variable v = {NULL};
  Dwarf_Die variable = {NULL}, whole, type;
  uint64_t skip;
  bool found;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return NULL;
  g_mutex_lock (&loaded->object->lock);
  found = ask_data (symbols, loaded->object, address - loaded->bias, 0, &v,
                    &variable, &skip)
          && variable.addr != NULL
          && dg_die_follow (&variable, DW_AT_type, &whole)
          && dg_field_type (loaded->object, &whole,
                            whole_size (loaded->object, &whole,
                                        skip + v.size),
                            skip + v.offset, &type);
  g_mutex_unlock (&loaded->object->lock);
  return found ? dg_type_of_die (symbols, loaded->object, &type) : NULL;
}

/* ---- Types ------------------------------------------------------------ */

/* Sets what follows from the bounds; false if that is more than there are
   addresses.  */
static bool
set_bounds (struct dg_type *type, const struct dg_type_name *name)
{
  type->size = type->element;
  type->bounds.n = name->n_dims;
  for (unsigned i = 0; i < name->n_dims; i++) {
    type->bounds.count[i] = name->dims[i];
    if (__builtin_mul_overflow (type->size, name->dims[i], &type->size)
        || type->size > INT64_MAX)
      return false;
  }
  return true;
}

/* Looks in one object; under its lock.  */
static bool
ask_type (struct dg_object *object, const struct dg_type_name *name,
          struct dg_type *type)
{
  if (!dg_die_index_type (object, name->base, name->word, &type->die)
      || !dg_die_size (object, &type->die, &type->element)
      || type->element == 0)
    return false;
  type->has_die = true;
  type->is_open = name->n_dims == 0 && dg_die_is_open (object, &type->die);
  if (!set_bounds (type, name))
    return false;
  type->object = object;
  return true;
}

/* The size of pointers of the program.  */
static void
set_pointer (struct dg_symbols *symbols, const struct dg_type_name *name,
             const char *text, struct dg_type *type)
{
  char *plain = g_strdup (text), *bound = strchr (plain, '[');

  /* "int (*[4]) (int)" stays as it is.  */
  if (bound != NULL && strchr (plain, '(') == NULL)
    *bound = '\0';
  type->pointer = dg_names_intern (&symbols->names, g_strstrip (plain));
  g_free (plain);
  type->object = g_ptr_array_index (symbols->objects, 0);
  type->element = dg_log_header (symbols->log)->word_size;
  if (!set_bounds (type, name))
    type->object = NULL;
}

enum rank { RANK_PROGRAM, RANK_LIBRARY, RANK_VALGRIND, N_RANKS };

/* Valgrind's own files are among the modules of a log.  */
static enum rank
rank_of (const struct dg_process *process, const struct dg_object *object)
{
  const char *base = dg_path_base (object->path);

  if (process != NULL && strcmp (base, dg_path_base (process->exe)) == 0)
    return RANK_PROGRAM;
  return g_str_has_prefix (base, "exp-datagrind-")
             || dg_allocator_module_is_preload (object->path)
           ? RANK_VALGRIND
           : RANK_LIBRARY;
}

/* All but the program are asked only if that takes no server: nobody knows
   whether they have the type.  */
static void
search (struct dg_symbols *symbols, const struct dg_type_name *name,
        struct dg_type *type)
{
  const struct dg_process *process = dg_log_process (symbols->log);

  for (int rank = 0; rank < N_RANKS; rank++) {
    for (guint i = 0; i < symbols->objects->len; i++) {
      struct dg_object *object = g_ptr_array_index (symbols->objects, i);
      bool found;

      if ((int) rank_of (process, object) != rank
          || (process != NULL && rank != RANK_PROGRAM
              && !object->has_debug_info)
          || !dg_symbols_can_ask (symbols, object))
        continue;
      g_mutex_lock (&object->lock);
      found = ask_type (object, name, type);
      dg_symbols_tell_bad_name (symbols, object);
      g_mutex_unlock (&object->lock);
      if (found)
        return;
    }
  }
}

static struct dg_type *
new_type (struct dg_symbols *symbols, const char *text)
{
  struct dg_type *type = g_new0 (struct dg_type, 1);
  struct dg_type_name name;

  type->name = dg_names_intern (&symbols->names, text);
  if (symbols->objects->len == 0 || !dg_type_name_parse (text, &name))
    return type;
  if (name.is_pointer)
    set_pointer (symbols, &name, text, type);
  else
    search (symbols, &name, type);
  dg_type_name_fini (&name);
  return type;
}

const struct dg_type *
dg_symbols_type (struct dg_symbols *symbols, const char *name)
{
  struct dg_type *type, *known;

  if (name == NULL || name[0] == '\0')
    return NULL;
  /* Makes sure that the objects are there.  */
  dg_symbols_loaded (symbols, 0, 0);
  g_mutex_lock (&symbols->lock);
  type = g_hash_table_lookup (symbols->types, name);
  g_mutex_unlock (&symbols->lock);
  if (type == NULL) {
    type = new_type (symbols, name);
    g_mutex_lock (&symbols->lock);
    known = g_hash_table_lookup (symbols->types, name);
    if (known == NULL)
      g_hash_table_insert (symbols->types, (gpointer) type->name, type);
    g_mutex_unlock (&symbols->lock);
    if (known != NULL) {
      g_free (type);
      type = known;
    }
  }
  return type->object != NULL ? type : NULL;
}

const struct dg_type *
dg_type_of_die (struct dg_symbols *symbols, struct dg_object *object,
                const Dwarf_Die *die)
{
  struct dg_type *type, *known;
  GString *text;
  bool is_good;

  g_mutex_lock (&symbols->lock);
  type = g_hash_table_lookup (symbols->die_types, die->addr);
  g_mutex_unlock (&symbols->lock);
  if (type != NULL)
    return type;
  type = g_new0 (struct dg_type, 1);
  type->object = object;
  type->die = *die;
  type->has_die = true;
  text = g_string_new (NULL);
  g_mutex_lock (&object->lock);
  dg_die_append_type (object, text, die);
  is_good =
    dg_die_size (object, die, &type->element) && type->element > 0;
  type->is_open = is_good && dg_die_is_open (object, die);
  g_mutex_unlock (&object->lock);
  type->size = type->element;
  type->name = dg_names_intern (&symbols->names, text->str);
  g_string_free (text, TRUE);
  if (!is_good) {
    g_free (type);
    return NULL;
  }
  g_mutex_lock (&symbols->lock);
  known = g_hash_table_lookup (symbols->die_types, die->addr);
  if (known == NULL)
    g_hash_table_insert (symbols->die_types, die->addr, type);
  g_mutex_unlock (&symbols->lock);
  if (known != NULL) {
    g_free (type);
    type = known;
  }
  return type;
}

const char *
dg_type_name (const struct dg_type *type)
{
  return type->name;
}

uint64_t
dg_type_size (const struct dg_type *type)
{
  return type->size;
}

bool
dg_type_is_open (const struct dg_type *type)
{
  return type->is_open;
}

uint64_t
dg_type_period (const struct dg_type *type)
{
  uint64_t period = type->element;
  struct dg_array array;
  Dwarf_Die die = type->die;

  if (!type->has_die)
    return period;
  g_mutex_lock (&type->object->lock);
  if (dg_die_peel (type->object, &die) == DW_TAG_array_type
      && dg_die_array (type->object, &die, &array))
    period = array.stride;
  g_mutex_unlock (&type->object->lock);
  return period;
}

static bool
is_qualifier (Dwarf_Die *die)
{
  int tag = dwarf_tag (die);

  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type
         || tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

const struct dg_type *
dg_type_pointee (struct dg_symbols *symbols, const struct dg_type *type)
{
  Dwarf_Die die = type->die, target;
  bool found;

  if (!type->has_die)
    return NULL;
  g_mutex_lock (&type->object->lock);
  found = dg_die_peel (type->object, &die) == DW_TAG_pointer_type
          && dg_die_follow (&die, DW_AT_type, &target);
  for (int i = 0; i < DG_DIE_DEPTH && found && is_qualifier (&target); i++) {
    die = target;
    found = dg_die_follow (&die, DW_AT_type, &target);
  }
  g_mutex_unlock (&type->object->lock);
  return found ? dg_type_of_die (symbols, type->object, &target) : NULL;
}

const struct dg_type *
dg_type_at (struct dg_symbols *symbols, const struct dg_type *type,
            uint64_t offset)
{
  Dwarf_Die field;
  bool found;

  if (!type->has_die)
    return NULL;
  g_mutex_lock (&type->object->lock);
  found =
    dg_field_type (type->object, &type->die, type->size, offset, &field);
  g_mutex_unlock (&type->object->lock);
  return found ? dg_type_of_die (symbols, type->object, &field) : NULL;
}

uint64_t
dg_type_element (const struct dg_type *type)
{
  return type->element;
}

/* ---- Fields ----------------------------------------------------------- */

bool
dg_symbols_field (struct dg_symbols *symbols, const struct dg_type *type,
                  uint64_t total, uint64_t offset, uint32_t access_size,
                  struct dg_field *out)
{
  struct dg_bounds bounds = type->bounds;
  bool found;

  if (total == 0)
    total = type->size;
  if (offset >= total)
    return false;
  /* More bytes than one takes: one bound more.  */
  if (total > type->size && type->size > 0 && !type->is_open) {
    if (total - type->size < type->size && offset >= type->size)
      return false;
    if (bounds.n == DG_TYPE_DIMS)
      return false;
    if (total - type->size >= type->size) {
      memmove (bounds.count + 1, bounds.count,
               bounds.n * sizeof *bounds.count);
      bounds.count[0] = 0;
      bounds.n++;
    }
  }
  g_mutex_lock (&type->object->lock);
  found = dg_field_find_in (type->object, &symbols->names,
                            type->has_die ? &type->die : NULL, type->pointer,
                            type->element, &bounds, total, offset, access_size,
                            out);
  g_mutex_unlock (&type->object->lock);
  return found;
}

bool
dg_type_in (const struct dg_type *type, const struct dg_object *object,
            Dwarf_Die *out)
{
  bool is_in = type->has_die && type->object == object;

  if (is_in)
    *out = type->die;
  return is_in;
}
