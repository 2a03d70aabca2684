/* answer_state.c: names and stacks for answers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer_state.h"

#include "format.h"

#define MAX_INLINED 32

/* ---- Names ----------------------------------------------------------- */

char *
dv_answer_base_name (const char *path)
{
  if (path == NULL || *path == '\0')
    return g_strdup ("");
  char *base = g_path_get_basename (path);
  char *shown = dv_format_shown (base);
  g_free (base);
  return shown;
}

struct dg_symbols *
dv_answer_symbols (const struct dv_answer_asking *asking, uint64_t address,
                   uint64_t icount)
{
  struct dg_symbols *symbols = asking->data->symbols;
  if (symbols != NULL && asking->is_brief
      && dg_symbols_is_busy (symbols, address, icount)) {
    asking->answer->lacks_names = true;
    return NULL;
  }
  return symbols;
}

char *
dv_answer_thread_text (uint32_t number, const struct dg_thread *thread)
{
  if (thread == NULL || *thread->name == '\0')
    return g_strdup_printf ("%u", number);
  char *name = dv_format_shown (thread->name);
  char *text = g_strdup_printf ("%u (%s)", number, name);
  g_free (name);
  return text;
}

char *
dv_answer_thread (struct dv_data *data, uint32_t number)
{
  return dv_answer_thread_text (number, dg_log_thread (data->log, number));
}

/* ---- Stacks ---------------------------------------------------------- */

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

static struct dv_frame *
frame_new (const struct dg_frame *from, uint64_t address)
{
  struct dv_frame *frame = g_new0 (struct dv_frame, 1);
  char *module = dv_answer_base_name (from->module);
  char *file = dv_answer_base_name (from->file);
  frame->function = from->function != NULL
                      ? dv_format_shown (from->function)
                      : g_strdup_printf (DV_ADDRESS, address);
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
add_frames (GPtrArray *stack, const struct dv_answer_asking *asking,
            uint64_t address, uint64_t icount)
{
  struct dg_frame frames[MAX_INLINED] = { 0 };
  struct dg_symbols *symbols = dv_answer_symbols (asking, address, icount);
  size_t n = 1;
  if (symbols != NULL)
    n = dg_symbols_frames (symbols, address, icount, frames, MAX_INLINED);
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (stack, frame_new (&frames[i], address));
}

GPtrArray *
dv_answer_stack (const struct dv_answer_asking *asking, const uint64_t *sites,
                 size_t n, uint64_t icount)
{
  GPtrArray *stack = g_ptr_array_new_with_free_func (frame_free);
  for (size_t i = 0; i < n; i++)
    add_frames (stack, asking, sites[i], icount);
  return stack;
}

char *
dv_answer_place (const struct dv_frame *frame)
{
  return *frame->where != '\0'
         ? g_strdup_printf ("%s (%s)", frame->function, frame->where)
         : g_strdup (frame->function);
}
