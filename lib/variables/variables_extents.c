/* variables_extents.c: the variable at an address, and the names of its parts.

   The elements of an array are one variable, and so is each of their fields.
   Of members that share bytes, as in unions, the same one is always named:
   otherwise names would depend on which access came first.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/sites.h"
#include "space/space.h"
#include "symbols/symbols_layout.h"
#include "variables.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------ */

/* Appends the way to a field, without indices.  */
static void
append_field (GString *text, const struct dg_field *field)
{
  int depth = 0;

  for (const char *c = field->path; *c != '\0'; c++) {
    depth += *c == '[';
    if (depth == 0)
      g_string_append_c (text, *c);
    depth -= *c == ']';
  }
  if (field->is_padding)
    g_string_append (text, ".<NA>");
}

/* "struct node" is called node.  */
static const char *
bare_type (const char *type)
{
  static const char *const words[] = {"struct ", "union ", "class ", "enum "};

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (type, words[i]))
      return type + strlen (words[i]);
  return type;
}

/* ---- Things ----------------------------------------------------------- */

/* All of a range or global variable, whatever it is made of.  */
static void
set_owner (struct dg_variables *variables, struct dg_extent *out,
           struct dg_named *named)
{
  named->kind = out->variable_kind;
  named->name = named->whole = out->whole;
  named->is_runtime = out->is_runtime;
  out->owner = dg_variables_number (variables, named);
}

static void
set_one (struct dg_variables *variables, struct dg_extent *out,
         struct dg_named *named)
{
  named->kind = out->variable_kind;
  named->whole = named->name;
  named->is_runtime = out->is_runtime;
  out->kind = DG_EXTENT_ONE;
  out->number = dg_variables_number (variables, named);
  if (out->variable_kind != DG_VARIABLE_HEAP)
    out->owner = out->number;
}

/* Memory that holds one or several of a type.  */
static void
set_typed (struct dg_extent *out, const struct dg_type *type,
           const char *type_text, uint64_t total)
{
  uint64_t element = dg_type_element (type);

  out->kind = DG_EXTENT_FIELDS;
  out->type_text = type_text;
  out->type = type;
  out->layout = type;
  out->total = total;
  out->period = total;
  if (element > 0 && !dg_type_is_open (type)
      && (total == element || total / 2 >= element))
    out->period = element;
}

static bool
set_range (struct dg_variables *variables, const struct dg_range *range,
           struct dg_extent *out)
{
  struct dg_named named = {.name = range->label};

  if (*range->type == '\0' && *range->label == '\0')
    return false;
  out->variable_kind = DG_VARIABLE_RANGE;
  out->origin = range->address;
  if (*range->type != '\0') {
    const struct dg_type *type =
      dg_symbols_type (variables->symbols, range->type);

    out->whole = bare_type (range->type);
    if (type != NULL && dg_type_element (type) > 0) {
      named.type = range->type;
      set_owner (variables, out, &named);
      set_typed (out, type, range->type, range->size);
      return true;
    }
    named.name = out->whole;
    named.type = range->type;
  }
  set_one (variables, out, &named);
  return true;
}

/* Narrows what was found to low .. high - 1.  */
static void
narrow (struct dg_extent *out, uint64_t low, uint64_t high)
{
  out->low = MAX (out->low, low);
  out->high = MIN (out->high, high);
}

/* What new[] keeps before the elements is not one of them; false: it is asked
   for.  */
static bool
pass_cookie (struct dg_extent *out, uint64_t cookie, uint64_t address)
{
  if (address - out->origin < cookie) {
    narrow (out, out->origin, out->origin + cookie);
    return false;
  }
  out->origin += cookie;
  out->total -= cookie;
  narrow (out, out->origin, UINT64_MAX);
  return true;
}

static void
set_block (struct dg_variables *variables, uint64_t address,
           struct dg_extent *out)
{
  const struct dg_site *site = dg_variables_named_site (variables, out->site);
  struct dg_named named = {.name = site->place,
                           .type = site->type == NULL ? site->type_text : NULL,
                           .file = site->named.file,
                           .line = site->named.line,
                           .column = site->named.column};

  out->variable_kind = DG_VARIABLE_HEAP;
  out->is_runtime = site->named.is_runtime;
  if (site->type != NULL
      && (!site->has_cookie || pass_cookie (out, site->cookie, address))
      && out->total % dg_type_element (site->type) == 0) {
    out->whole = bare_type (dg_type_name (site->type));
    set_typed (out, site->type, site->type_text, out->total);
    return;
  }
  set_one (variables, out, &named);
}

/* Each thread's copy of a variable is another one.  */
static const char *
global_name (struct dg_variables *variables, const struct dg_variable *v)
{
  char *text =
    v->thread == 0
      ? g_strconcat (v->is_section ? "" : "<global>.", v->name, NULL)
      : g_strdup_printf ("<thread %u>.%s", v->thread, v->name);
  const char *kept;

  g_mutex_lock (&variables->lock);
  kept = dg_variables_keep (variables, text);
  g_mutex_unlock (&variables->lock);
  g_free (text);
  return kept;
}

/* Of a module whose file cannot be read.  */
static void
set_unread_local (struct dg_variables *variables, uint32_t copy,
                  struct dg_extent *out)
{
  struct dg_named named = {.kind = DG_VARIABLE_THREAD};
  size_t n;
  const struct dg_thread_local *copies =
    dg_log_thread_locals (variables->log, &n);
  const struct dg_module *modules = dg_log_modules (variables->log, &n);
  char *text =
    g_strdup_printf ("<thread %u>.%s", copies[copy].thread,
                     dg_path_base (modules[copies[copy].module].file));

  named.name = named.whole = text;
  named.is_runtime = dg_module_is_runtime (modules[copies[copy].module].file);
  out->variable_kind = DG_VARIABLE_THREAD;
  out->number = out->owner = dg_variables_number (variables, &named);
  g_free (text);
}

/* As what the dynamic linker takes of the last page of its own data.  */
static void
set_no_section (struct dg_variables *variables, const struct dg_owner *owner,
                struct dg_extent *out)
{
  struct dg_named named = {.kind = DG_VARIABLE_NONE};
  size_t n;
  const struct dg_module *modules = dg_log_modules (variables->log, &n);
  char *text;

  if (owner->kind == DG_OWNER_LOCALS) {
    set_unread_local (variables, owner->index, out);
    return;
  }
  if (owner->kind != DG_OWNER_MODULE)
    return;
  text = g_strconcat (dg_path_base (modules[owner->index].file),
                      " (no section)", NULL);
  named.name = named.whole = text;
  named.is_runtime = dg_module_is_runtime (modules[owner->index].file);
  out->number = out->owner = dg_variables_number (variables, &named);
  g_free (text);
}

/* Sections that the dynamic linker reads and fills.  */
static bool
is_linker_table (const char *name)
{
  static const char *const starts[] = {".dyn", ".gnu.", ".got", ".hash",
                                       ".plt", ".rel"};
  const char *section = strrchr (name, ' ');

  for (size_t i = 0; section != NULL && i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_prefix (section + 1, starts[i]))
      return true;
  return false;
}

static void
set_global (struct dg_variables *variables, const struct dg_owner *owner,
            uint64_t address, uint64_t icount, struct dg_extent *out)
{
  struct dg_named named = {.type = NULL};
  struct dg_variable v;
  uint64_t low, high;
  bool is_module =
    dg_symbols_part (variables->symbols, address, icount, &low, &high);

  narrow (out, low, high);
  if (!is_module) {
    set_no_section (variables, owner, out);
    return;
  }
  if (!dg_symbols_data (variables->symbols, address, icount, 0, &v)) {
    /* How far there is none is not known.  */
    narrow (out, address, address + 1);
    set_no_section (variables, owner, out);
    return;
  }
  out->variable_kind = v.thread != 0 ? DG_VARIABLE_THREAD : DG_VARIABLE_GLOBAL;
  out->is_runtime = (v.module != NULL && dg_module_is_runtime (v.module))
                    || (v.is_section && is_linker_table (v.name));
  if (v.is_section) {
    narrow (out, address, v.until);
    out->origin = address;
    out->total = out->high - address;
    out->whole = named.name = global_name (variables, &v);
    set_one (variables, out, &named);
    return;
  }
  narrow (out, v.address,
          v.size > UINT64_MAX - v.address ? UINT64_MAX : v.address + v.size);
  out->origin = v.address;
  out->total = v.size;
  out->whole = global_name (variables, &v);
  named.file = v.file;
  named.line = v.line;
  named.type = v.type;
  if (v.has_field) {
    uint64_t period = dg_symbols_data_period (variables->symbols, &v, icount);

    out->kind = DG_EXTENT_FIELDS;
    out->period = period > 0 && period < v.size ? period : v.size;
    set_owner (variables, out, &named);
    return;
  }
  named.name = out->whole;
  set_one (variables, out, &named);
}

/* Of what the runtime libraries map: stacks of threads, with what the library
   keeps of a thread, and what the dynamic linker keeps of modules.  Arenas of
   malloc are the program's.  */
static bool
is_runtime_mapping (const struct dg_mapping *mapping, const char *text)
{
  static const char *const starts[] = {"pages from _dl_",
                                       "pages from allocate_stack",
                                       "pages from pthread_create",
                                       "pages from __pthread_create"};

  if (*mapping->file != '\0')
    return dg_module_is_runtime (mapping->file);
  for (size_t i = 0; i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_prefix (text, starts[i]))
      return true;
  return false;
}

static void
set_mapping (struct dg_variables *variables, const struct dg_mapping *mapping,
             struct dg_extent *out)
{
  bool is_file = *mapping->file != '\0';
  gpointer key =
    is_file ? (gpointer) mapping->file : (gpointer) mapping->stack.sites;
  const struct dg_site_options how = {.size = sizeof how,
                                      .allocators = variables->allocators,
                                      .symbols = variables->symbols,
                                      .mine = variables->mine};
  struct dg_named named = {.kind = DG_VARIABLE_NONE};
  gpointer known = NULL;
  char *text;

  out->variable_kind = DG_VARIABLE_NONE;
  if (!is_file && mapping->stack.n == 0)
    return; /* there at startup, or the log does not say */
  g_mutex_lock (&variables->lock);
  known = g_hash_table_lookup (variables->by_mapping, key);
  g_mutex_unlock (&variables->lock);
  out->number = out->owner = GPOINTER_TO_UINT (known);
  if (known != NULL)
    return;
  text = is_file ? g_strconcat ("file ", dg_path_base (mapping->file), NULL)
                 : dg_sites_pages (&how, mapping);
  named.name = named.whole = text;
  named.is_runtime = is_runtime_mapping (mapping, text);
  out->number = out->owner = dg_variables_number (variables, &named);
  g_free (text);
  g_mutex_lock (&variables->lock);
  g_hash_table_insert (variables->by_mapping, key,
                       GUINT_TO_POINTER (out->number));
  g_mutex_unlock (&variables->lock);
}

void
dg_variables_extent (struct dg_variables *variables, uint64_t address,
                     uint64_t icount, struct dg_extent *out)
{
  struct dg_owner owner;
  uint64_t low, high;
  size_t n;

  memset (out, 0, sizeof *out);
  out->block = dg_space_block (variables->space, address, icount, &low, &high);
  dg_space_find_part (variables->space, address, icount, &owner, &out->low,
                      &out->high);
  narrow (out, low, high);
  if (out->block != DG_NONE) {
    const struct dg_block_extent at =
      dg_log_block_extent (variables->log, out->block);

    out->site = dg_variables_block_site (variables, out->block);
    out->origin = at.address;
    out->total = at.size;
  }
  if (owner.range != DG_NONE) {
    const struct dg_range *range =
      &dg_log_ranges (variables->log, &n)[owner.range];

    if (set_range (variables, range, out))
      return;
  }
  switch (owner.kind) {
  case DG_OWNER_BLOCK:
    set_block (variables, address, out);
    break;
  case DG_OWNER_STACK:
    out->kind = DG_EXTENT_STACK;
    out->number = DG_VARIABLE_STACK;
    out->thread = dg_log_threads (variables->log, &n)[owner.index].number;
    break;
  case DG_OWNER_LOCALS:
  case DG_OWNER_MODULE:
  case DG_OWNER_NONE:
    /* Logs without mappings do not tell whose the data are; the files do.  */
    set_global (variables, &owner, address, icount, out);
    break;
  case DG_OWNER_MAPPING:
    set_mapping (variables, &dg_log_mappings (variables->log, &n)[owner.index],
                 out);
    break;
  }
}

/* ---- Fields ----------------------------------------------------------- */

static uint32_t
number_field (struct dg_variables *variables, const struct dg_extent *thing,
              const struct dg_field *field, struct dg_named *named)
{
  GString *text = g_string_new (thing->whole);
  uint32_t number;

  if (field != NULL)
    append_field (text, field);
  else
    g_string_append (text, ".<NA>");
  named->kind = thing->variable_kind;
  named->is_runtime = thing->is_runtime;
  named->name = text->str;
  named->whole = thing->whole;
  number = dg_variables_number (variables, named);
  g_string_free (text, TRUE);
  return number;
}

/* The bytes of a field, or the one that was asked for.  */
static void
set_bytes (const struct dg_field *field, uint64_t offset, uint64_t *first,
           uint64_t *size)
{
  *first = offset;
  *size = 1;
  if (field->is_padding || field->size == 0 || field->also != NULL)
    return;
  *first = field->offset;
  *size = field->size;
}

uint32_t
dg_variables_field (struct dg_variables *variables,
                    const struct dg_extent *thing, uint64_t offset,
                    uint64_t icount, uint64_t *first, uint64_t *size)
{
  struct dg_named named = {.type = NULL};
  struct dg_field field;

  *first = offset;
  *size = 1;
  if (thing->type != NULL) {
    named.type = thing->type_text;
    named.file = thing->file;
    named.line = thing->line;
    if (!dg_symbols_field (variables->symbols, thing->type, thing->total,
                           offset, 0, &field))
      return number_field (variables, thing, NULL, &named);
  } else {
    struct dg_variable v;

    if (!dg_symbols_data (variables->symbols, thing->origin + offset, icount,
                          0, &v)
        || v.address != thing->origin)
      return DG_VARIABLE_UNKNOWN;
    named.file = v.file;
    named.line = v.line;
    named.type = v.type;
    if (!v.has_field)
      return number_field (variables, thing, NULL, &named);
    field = v.field;
  }
  set_bytes (&field, offset, first, size);
  return number_field (variables, thing, &field, &named);
}
