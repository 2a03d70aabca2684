/* answer_memory.c: the owner of memory: block, variable, range; and the field
   of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer.h"

#include <stdlib.h>
#include <string.h>

#include <dg_record.h>
#include <libdatagrind.h>

#include "answer_make.h"
#include "format.h"
#include "i18n.h"

/* Characters of what a program calls its ranges, which can be anything.
   Laying out many more takes seconds.  */
#define MOST_TEXT 500

/* ---- Owners without names -------------------------------------------- */

static char *
mapping_text (const struct dg_mapping *mapping, uint64_t offset)
{
  char *base = dv_answer_base_name (mapping->file);
  char *at = g_strdup_printf (
    DV_ADDRESS, *base != '\0' ? mapping->offset + offset : offset);
  char *text;
  if (*base != '\0')
    text = g_strdup_printf (_ ("file %s + %s"), base, at);
  else if (mapping->what == DG_MAP_BRK)
    text = g_strdup_printf (_ ("program break area + %s"), at);
  else
    text = g_strdup_printf (_ ("mapped memory + %s"), at);
  g_free (at);
  g_free (base);
  return text;
}

static char *
locals_text (struct dv_data *data, const struct dg_thread_local *copy)
{
  size_t n;
  char *base = dv_answer_base_name (
    dg_log_modules (data->log, &n)[copy->module].file);
  char *thread = dv_answer_thread (data, copy->thread);
  /* Translators: a thread, and a file.  */
  char *text = g_strdup_printf (_ ("data of thread %s in %s"), thread, base);
  g_free (thread);
  g_free (base);
  return text;
}

static char *
owner_text (struct dv_data *data, const struct dg_owner *owner)
{
  size_t n;
  char size[32], offset[32];
  char *base, *text;
  switch (owner->kind) {
  case DG_OWNER_BLOCK:
    dv_format_bytes (size, sizeof size,
                     dg_log_block_extent (data->log, owner->index).size);
    dg_number_text (offset, sizeof offset, owner->offset);
    /* Translators: the size of the block, and the place in it.  */
    return g_strdup_printf (_ ("heap block of %s + %s"), size, offset);
  case DG_OWNER_STACK:
    base = dv_answer_thread (
      data, dg_log_threads (data->log, &n)[owner->index].number);
    text = g_strdup_printf (_ ("stack of thread %s"), base);
    g_free (base);
    return text;
  case DG_OWNER_MODULE:
    base = dv_answer_base_name (
      dg_log_modules (data->log, &n)[owner->index].file);
    text = g_strdup_printf (_ ("data of %s"), base);
    g_free (base);
    return text;
  case DG_OWNER_LOCALS:
    return locals_text (
      data, &dg_log_thread_locals (data->log, &n)[owner->index]);
  case DG_OWNER_MAPPING:
    return mapping_text (&dg_log_mappings (data->log, &n)[owner->index],
                         owner->offset);
  case DG_OWNER_NONE:
    break;
  }
  return g_strdup (_ ("no known owner"));
}

char *
dv_answer_owner (struct dv_data *data, uint64_t address, uint64_t icount)
{
  struct dg_owner owner;
  if (data->space == NULL)
    return g_strdup (_ ("the log is still being read"));
  dg_space_find (data->space, address, icount, &owner);
  return owner_text (data, &owner);
}

/* ---- Fields ---------------------------------------------------------- */

/* ".limits[3].soft" without the dot.  */
static const char *
bare (const char *path)
{
  return *path == '.' ? path + 1 : path;
}

/* The fields that an access touches, from its first byte's to its last's, as
   "x", "x + 2", "x to z"; NULL if that is all of the thing.  */
static char *
fields_text (const struct dg_field *first, const struct dg_field *last)
{
  GString *text = g_string_new (NULL);
  if (first->is_padding && *first->path == '\0')
    g_string_append (text, _ ("padding"));
  else if (first->is_padding)
    g_string_append_printf (text, _ ("padding in %s"), bare (first->path));
  else
    g_string_append (text, bare (first->path));
  if (first->within > 0 && !first->is_padding)
    g_string_append_printf (text, "%s+ %" G_GUINT64_FORMAT,
                            text->len > 0 ? " " : "", first->within);
  if (last != NULL && strcmp (last->path, first->path) != 0
      && !last->is_padding && text->len > 0) {
    char *whole =
      g_strdup_printf (_ ("%s to %s"), text->str, bare (last->path));
    g_string_assign (text, whole);
    g_free (whole);
  }
  if (text->len > 0)
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return NULL;
}

static char *
valid (const char *text)
{
  return text != NULL ? dv_format_shown (text) : NULL;
}

/* Sets what the panel says of the field.  `whole` stands before its path.  */
static void
set_field (struct dv_answer *answer, const char *whole,
           const struct dg_field *field)
{
  char *path = g_strconcat (whole, *whole != '\0' ? field->path
                                                  : bare (field->path), NULL);
  if (*path == '\0')
    answer->field = NULL;
  else if (field->is_padding)
    answer->field = g_strdup_printf (_ ("padding in %s"), path);
  else if (field->within > 0)
    answer->field = g_strdup_printf ("%s + %" G_GUINT64_FORMAT, path,
                                     field->within);
  else
    answer->field = g_strdup (path);
  if (answer->field != NULL) {
    char *text = dv_format_shown (answer->field);
    g_free (answer->field);
    answer->field = text;
  }
  answer->field_type = valid (field->type);
  answer->field_holder = valid (field->holder);
  answer->field_also = valid (field->also);
  g_free (path);
}

/* ---- Variables ------------------------------------------------------- */

/* "main program", or the library's name.  */
static char *
module_text (struct dv_data *data, const char *path)
{
  const struct dg_process *process = dg_log_process (data->log);
  char *base = dv_answer_base_name (path);
  char *exe = dv_answer_base_name (process != NULL ? process->exe : NULL);
  char *text = *exe != '\0' && strcmp (base, exe) == 0
                 ? g_strdup (_ ("main program"))
                 : g_strdup (base);
  g_free (base);
  g_free (exe);
  return text;
}

/* "limits[3].soft in config, main program".  */
static char *
variable_text (struct dv_data *data, const struct dg_variable *variable,
               const struct dg_field *last)
{
  char *module = module_text (data, variable->module);
  char *field = NULL, *text;
  if (variable->thread != 0) {
    char *thread = dv_answer_thread (data, variable->thread);
    /* Translators: a module, and a thread.  */
    char *whole = g_strdup_printf (_ ("%s, thread %s"), module, thread);
    g_free (thread);
    g_free (module);
    module = whole;
  }
  if (variable->has_field)
    field = fields_text (&variable->field, last);
  else if (variable->offset > 0)
    field = g_strdup_printf ("+ " DV_ADDRESS, variable->offset);
  if (field == NULL)
    text = g_strdup_printf (_ ("variable %s, %s"), variable->name, module);
  else
    /* Translators: a field, its variable, and the module of that.  */
    text = g_strdup_printf (_ ("%s in %s, %s"), field, variable->name, module);
  g_free (module);
  g_free (field);
  return text;
}

/* "section .dynsym of libc.so.6"; where it is not a section of a file, such as
   Valgrind's own memory, the name says all.  */
static char *
section_text (struct dv_data *data, const struct dg_variable *variable)
{
  char *base = dv_answer_base_name (variable->module);
  size_t length = strlen (base);
  char *text;
  if (length > 0 && strncmp (variable->name, base, length) == 0
      && variable->name[length] == ' ') {
    char *module = module_text (data, variable->module);
    /* Translators: a section of a file, such as ".dynsym", and its file.  */
    text = g_strdup_printf (_ ("section %s of %s"),
                            variable->name + length + 1, module);
    g_free (module);
  } else
    text = g_strdup (variable->name);
  g_free (base);
  return text;
}

static void
set_owner (struct dv_answer *answer, char *text)
{
  g_free (answer->owner);
  answer->owner = dv_format_shown (text);
  g_free (text);
}

static void
set_variable (struct dv_answer_asking *asking)
{
  struct dv_answer *answer = asking->answer;
  const struct dg_access *access = &answer->access;
  struct dg_symbols *symbols = dv_answer_symbols (asking, access->address,
                                                  access->icount);
  struct dg_variable v, end;
  if (symbols == NULL
      || !dg_symbols_data (symbols, access->address, access->icount,
                           access->size, &v))
    return;
  /* "data of thread 2 in libc.so.6" says as much.  */
  if (v.is_section && v.thread != 0)
    return;
  if (v.is_section) {
    set_owner (answer, section_text (asking->data, &v));
    return;
  }
  bool has_end = access->size > 1 && v.has_field
                 && access->size > v.field.size - v.field.within
                 && dg_symbols_data (symbols,
                                     access->address + access->size - 1,
                                     access->icount, 0, &end)
                 && end.address == v.address && end.has_field;
  set_owner (answer, variable_text (asking->data, &v,
                                    has_end ? &end.field : NULL));
  answer->variable = valid (v.name);
  answer->variable_type = valid (v.type);
  answer->variable_module = module_text (asking->data, v.module);
  answer->variable_file = g_strdup (v.file != NULL ? v.file : "");
  answer->variable_line = v.line;
  char *base = dv_answer_base_name (v.file);
  answer->variable_place = *base != '\0' && v.line > 0
                           ? g_strdup_printf ("%s:%u", base, v.line)
                           : g_strdup (base);
  g_free (base);
  if (v.has_field)
    set_field (answer, v.name, &v.field);
}

/* ---- Ranges ---------------------------------------------------------- */

/* The fields by the range's type; NULL if that is not known.  */
static char *
range_field (struct dv_answer_asking *asking, const struct dg_range *range,
             uint64_t offset)
{
  struct dv_answer *answer = asking->answer;
  const struct dg_access *access = &answer->access;
  const struct dg_type *type;
  struct dg_field field, last;
  /* The module that defines the type is not known before it is looked for,
     so the code's stands for all.  */
  struct dg_symbols *symbols = dv_answer_symbols (
    asking, access->instruction, access->icount);
  if (symbols == NULL || *range->type == '\0'
      || (type = dg_symbols_type (symbols, range->type)) == NULL
      || !dg_symbols_field (symbols, type, range->size, offset, access->size,
                            &field))
    return NULL;
  bool has_last = access->size > field.size - field.within
                  && dg_symbols_field (symbols, type, range->size,
                                       offset + access->size - 1, 0, &last);
  char *text = fields_text (&field, has_last ? &last : NULL);
  if (text == NULL)
    text = valid (field.type);
  g_free (answer->field);
  g_free (answer->field_type);
  g_free (answer->field_holder);
  g_free (answer->field_also);
  set_field (answer, "", &field);
  return text;
}

static void
set_range (struct dv_answer_asking *asking, const struct dg_range *range)
{
  struct dv_answer *answer = asking->answer;
  uint64_t offset = answer->access.address - range->address;
  bool is_within = answer->access.address >= range->address
                   && offset < range->size;
  char *field = is_within ? range_field (asking, range, offset) : NULL;
  answer->has_range = true;
  answer->range_label = dv_format_label (range->label, MOST_TEXT);
  answer->range_type = dv_format_label (range->type, MOST_TEXT);
  answer->range_offset = offset;
  answer->range_address = range->address;
  answer->range_size = range->size;
  char *known = *answer->range_type != '\0'
                ? g_strdup_printf (" (%s)", answer->range_type)
                : g_strdup ("");
  char *text, number[32];
  dg_number_text (number, sizeof number, offset);
  /* Translators: its label, the field or place in it, " (TYPE)" or "".  */
  if (field != NULL)
    text = g_strdup_printf (_ ("range %s: %s%s"), answer->range_label, field,
                            known);
  else
    text = g_strdup_printf (_ ("range %s + %s%s"), answer->range_label, number,
                            known);
  answer->range_text = dv_format_label (text, MOST_TEXT);
  g_free (text);
  g_free (known);
  g_free (field);
}

/* ---- Heap blocks ----------------------------------------------------- */

/* The frame of a stack that a site is, whose text is that of the site then:
   several sites on a line are distinguished.  NULL: it is not there.  */
static const struct dv_frame *
take_site (GPtrArray *stack, const struct dg_site_frame *site)
{
  uint32_t index = 0, depth = 0;
  for (guint i = 0; i < stack->len; i++) {
    struct dv_frame *frame = g_ptr_array_index (stack, i);
    if (index == site->index && depth == site->depth) {
      if (site->column != 0 || site->call != 0 || site->folders != 0) {
        char *where = dg_site_where (site);
        g_free (frame->where);
        frame->where = dv_format_shown (where);
        free (where);
      }
      return frame;
    }
    depth = frame->inlined ? depth + 1 : 0;
    index += !frame->inlined;
  }
  return stack->len > 0 ? g_ptr_array_index (stack, 0) : NULL;
}

static char *
thread_or_null (struct dv_data *data, uint32_t number)
{
  return number > 0 ? dv_answer_thread (data, number) : NULL;
}

static void
set_block (struct dv_answer_asking *asking, size_t index, uint64_t offset)
{
  struct dv_answer *answer = asking->answer;
  const struct dg_block *block = &answer->block;
  answer->has_block = true;
  answer->block = dg_log_block (asking->data->log, index);
  size_t n = block->alloc_stack.n;
  struct dg_site_frame site = { .index = 0 };
  if (n > 0)
    dv_data_site (asking->data,
                  dv_answer_symbols (asking, block->alloc_stack.sites[0],
                                     block->alloc_icount), block, &site);
  answer->block_offset = offset;
  answer->alloc_stack = dv_answer_stack (asking, block->alloc_stack.sites,
                                         asking->is_brief
                                         ? MIN (n, site.index + 1) : n,
                                         block->alloc_icount);
  const struct dv_frame *frame = take_site (answer->alloc_stack, &site);
  answer->site = frame;
  if (frame != NULL) {
    char *place = dv_answer_place (frame);
    char *text =
      g_strdup_printf (_ ("%s, allocated by %s"), answer->owner, place);
    g_free (answer->owner);
    answer->owner = text;
    g_free (place);
  }
  answer->alloc_thread = thread_or_null (asking->data, block->alloc_thread);
  if (block->free_icount == DG_NEVER || asking->is_brief)
    return;
  answer->free_thread = thread_or_null (asking->data, block->free_thread);
  if (block->free_stack.n > 0)
    answer->free_stack = dv_answer_stack (asking, block->free_stack.sites,
                                          block->free_stack.n,
                                          block->free_icount);
}

/* ---- All of it ------------------------------------------------------- */

void
dv_answer_set_memory (struct dv_answer_asking *asking)
{
  struct dv_data *data = asking->data;
  struct dv_answer *answer = asking->answer;
  struct dg_owner owner;
  size_t n;
  if (data->space == NULL) {
    answer->owner = g_strdup (_ ("the log is still being read"));
    return;
  }
  dg_space_find (data->space, answer->access.address, answer->access.icount,
                 &owner);
  answer->owner = owner_text (data, &owner);
  if (owner.kind == DG_OWNER_BLOCK)
    set_block (asking, owner.index, owner.offset);
  else if (owner.kind == DG_OWNER_LOCALS || owner.kind == DG_OWNER_MODULE
           || owner.kind == DG_OWNER_NONE)
    /* Logs without mappings do not tell whose the data are; the files do.  */
    set_variable (asking);
  if (owner.range != DG_NONE)
    set_range (asking, &dg_log_ranges (data->log, &n)[owner.range]);
}
