/* answer.c: an access explained.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer.h"

#include <string.h>

#include <dg_record.h>

#include "format.h"

#define MAX_INLINED 32

static void
frame_free (void *memory)
{
  struct dv_frame *frame = memory;
  g_free (frame->function);
  g_free (frame->where);
  g_free (frame->file);
  g_free (frame->module);
  g_free (frame);
}

static char *
base_name (const char *path)
{
  return path == NULL || *path == '\0' ? g_strdup ("")
                                       : g_path_get_basename (path);
}

static struct dv_frame *
frame_new (const struct dg_frame *from, uint64_t address)
{
  struct dv_frame *frame = g_new0 (struct dv_frame, 1);
  char *module = base_name (from->module);
  char *file = base_name (from->file);
  frame->function = from->function != NULL
    ? g_utf8_make_valid (from->function, -1)
    : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
  if (*file != '\0' && from->line > 0)
    frame->where = g_strdup_printf ("%s:%u", file, from->line);
  else
    frame->where = g_strdup (*file != '\0' ? file : module);
  frame->file = g_strdup (from->file != NULL ? from->file : "");
  frame->module = g_strdup (from->module != NULL ? from->module : "");
  frame->line = from->line;
  frame->address = address;
  frame->inlined = from->inlined;
  g_free (module);
  g_free (file);
  return frame;
}

static void
add_frames (GPtrArray *stack, struct dv_data *data, uint64_t address,
            uint64_t icount)
{
  struct dg_frame frames[MAX_INLINED] = { 0 };
  size_t n = 1;
  if (data->symbols != NULL)
    n = dg_symbols_frames (data->symbols, address, icount, frames,
                           MAX_INLINED);
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (stack, frame_new (&frames[i], address));
}

static GPtrArray *
stack_new (struct dv_data *data, const uint64_t *sites, size_t n,
           uint64_t icount)
{
  GPtrArray *stack = g_ptr_array_new_with_free_func (frame_free);
  for (size_t i = 0; i < n; i++)
    add_frames (stack, data, sites[i], icount);
  return stack;
}

/* The access's own instruction takes the place of its block's first.  */
static GPtrArray *
access_stack (struct dv_data *data, const struct dg_access *access)
{
  const struct dg_context *context = dg_log_context (data->log,
                                                     access->context);
  GPtrArray *stack = stack_new (data, &access->instruction, 1,
                                access->icount);
  for (uint32_t i = 1; i < context->n_stack; i++)
    add_frames (stack, data, context->stack[i], access->icount);
  return stack;
}

static char *
thread_text (struct dv_data *data, uint32_t number)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (data->log, &n);
  for (size_t i = 0; i < n; i++)
    if (threads[i].number == number && *threads[i].name != '\0')
      return g_strdup_printf ("%u (%s)", number, threads[i].name);
  return g_strdup_printf ("%u", number);
}

static char *
mapping_text (const struct dg_mapping *mapping, uint64_t offset)
{
  char *base = base_name (mapping->file);
  const char *what = mapping->what == DG_MAP_BRK ? "program break area"
                     : "mapped memory";
  char *text = *base != '\0'
    ? g_strdup_printf ("file %s + 0x%" G_GINT64_MODIFIER "x", base,
                       mapping->offset + offset)
    : g_strdup_printf ("%s + 0x%" G_GINT64_MODIFIER "x", what, offset);
  g_free (base);
  return text;
}

static char *
owner_text (struct dv_data *data, const struct dg_owner *owner)
{
  size_t n;
  char size[32];
  char *base, *text;
  switch (owner->kind) {
  case DG_OWNER_BLOCK:
    dv_format_bytes (size, sizeof size,
                     dg_log_blocks (data->log, &n)[owner->index].size);
    return g_strdup_printf ("heap block of %s + %" G_GUINT64_FORMAT, size,
                            owner->offset);
  case DG_OWNER_STACK:
    base = thread_text (data,
                        dg_log_threads (data->log, &n)[owner->index].number);
    text = g_strdup_printf ("stack of thread %s", base);
    g_free (base);
    return text;
  case DG_OWNER_MODULE:
    base = base_name (dg_log_modules (data->log, &n)[owner->index].file);
    text = g_strdup_printf ("data of %s", base);
    g_free (base);
    return text;
  case DG_OWNER_MAPPING:
    return mapping_text (&dg_log_mappings (data->log, &n)[owner->index],
                         owner->offset);
  case DG_OWNER_NONE:
    break;
  }
  return g_strdup ("no known owner");
}

char *
dv_answer_owner (struct dv_data *data, uint64_t address, uint64_t icount)
{
  struct dg_owner owner;
  if (data->space == NULL)
    return g_strdup ("the log is still being read");
  dg_space_find (data->space, address, icount, &owner);
  return owner_text (data, &owner);
}

static void
set_owner (struct dv_answer *answer, struct dv_data *data)
{
  const struct dg_access *access = &answer->access;
  struct dg_owner owner;
  size_t n;
  dg_space_find (data->space, access->address, access->icount, &owner);
  answer->owner = owner_text (data, &owner);
  if (owner.kind == DG_OWNER_BLOCK) {
    answer->has_block = true;
    answer->block = dg_log_blocks (data->log, &n)[owner.index];
    answer->block_offset = owner.offset;
    answer->alloc_stack = stack_new (data, answer->block.alloc_stack.sites,
                                     answer->block.alloc_stack.n,
                                     answer->block.alloc_icount);
  }
  if (owner.range != DG_NONE) {
    const struct dg_range *range = &dg_log_ranges (data->log,
                                                   &n)[owner.range];
    answer->has_range = true;
    answer->range_label = g_utf8_make_valid (range->label, -1);
    answer->range_type = g_utf8_make_valid (range->type, -1);
    answer->range_offset = access->address - range->address;
    answer->range_address = range->address;
    answer->range_size = range->size;
  }
  if (data->symbols != NULL && owner.kind == DG_OWNER_MODULE) {
    uint64_t offset = 0;
    const char *name = dg_symbols_variable (data->symbols, access->address,
                                            access->icount, &offset, NULL);
    if (name != NULL) {
      char *text = g_strdup_printf ("variable %s in %s", name,
                                    answer->owner + strlen ("data of "));
      g_free (answer->owner);
      answer->owner = text;
    }
  }
}

struct dv_answer *
dv_answer_new (struct dv_data *data, const struct dg_access *access)
{
  struct dv_answer *answer = g_new0 (struct dv_answer, 1);
  answer->access = *access;
  answer->stack = access_stack (data, access);
  answer->thread = thread_text (data, access->thread);
  const struct dv_frame *first = g_ptr_array_index (answer->stack, 0);
  answer->place = *first->where != '\0'
                  ? g_strdup_printf ("%s (%s)", first->function,
                                     first->where)
                  : g_strdup (first->function);
  set_owner (answer, data);
  return answer;
}

void
dv_answer_free (struct dv_answer *answer)
{
  if (answer == NULL)
    return;
  g_ptr_array_unref (answer->stack);
  if (answer->alloc_stack != NULL)
    g_ptr_array_unref (answer->alloc_stack);
  g_free (answer->owner);
  g_free (answer->range_label);
  g_free (answer->range_type);
  g_free (answer->thread);
  g_free (answer->place);
  g_free (answer);
}
