/* sites.c: finds and names the allocation site of a call stack.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sites.h"

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "allocator_names.h"
#include "code_name.h"
#include "dg_record.h"
#include "site_lines.h"
#include "base/path.h"
#include "site_frames.h"

/* The most frames that one code address has.  */
#define MOST_FRAMES 16
/* Frames that may only pass on what is mapped.  */
#define MOST_MAPPERS 16

static size_t
list_frames (const struct dg_site_options *how, const struct dg_stack *stack,
             uint64_t icount, bool is_call, struct dg_site_frame *out,
             size_t max)
{
  size_t n = dg_site_frames_list (how, stack, icount, is_call, out, max);

  if (how->lines != NULL)
    dg_site_lines_tell (how, out, n);
  return n;
}

size_t
dg_site_frames (const struct dg_site_options *how,
                const struct dg_stack *stack, uint64_t icount, bool is_call,
                struct dg_site_frame *out, size_t max)
{
  struct dg_site_options own;

  return DG_SIZED_TAKE (&own, is_plain, how, NULL) < 0
           ? 0
           : list_frames (&own, stack, icount, is_call, out, max);
}

void
dg_sites_find (const struct dg_site_options *how, const struct dg_stack *stack,
               uint64_t icount, bool is_call, struct dg_site_frame *out)
{
  if (list_frames (how, stack, icount, is_call, out, 1) == 0)
    memset (out, 0, sizeof *out);
}

/* ---- Runtime libraries ------------------------------------------------ */

/* Of stdio, which nobody frees when the program ends; the FILE of who forgets
   to close it is a block of its own.  */
static bool
is_stdio_buffer (const struct dg_frame *frame)
{
  return g_strcmp0 (frame->function, "_IO_file_doallocate") == 0
         || g_strcmp0 (frame->function, "_IO_wfile_doallocate") == 0;
}

bool
dg_stack_is_runtime (struct dg_symbols *symbols, const struct dg_stack *stack,
                     uint64_t icount)
{
  bool is_runtime = stack->n > 0;

  for (uint32_t i = 0; i < stack->n; i++) {
    struct dg_frame frame;

    if (dg_symbols_frames (symbols, stack->sites[i], icount, &frame, 1) == 0
        || frame.module == NULL)
      return false;
    if (is_stdio_buffer (&frame))
      return true;
    is_runtime = is_runtime
                 && (dg_module_is_runtime (frame.module)
                     || g_strcmp0 (frame.function, "_start") == 0);
  }
  return is_runtime;
}

/* ---- Pages ------------------------------------------------------------ */

/* Functions that pass on what the system maps, by a part of their names.  */
static bool
only_maps (const struct dg_frame *frame)
{
  static const char *const parts[] = { "mmap",       "Mmap",   "mremap",
                                       "brk",        "sysReserve", "sysMap",
                                       "sysAlloc",   "__minimal_" };

  for (size_t i = 0; frame->function != NULL && i < G_N_ELEMENTS (parts); i++)
    if (strstr (frame->function, parts[i]) != NULL)
      return true;
  return false;
}

char *
dg_sites_pages (const struct dg_site_options *how,
                const struct dg_mapping *mapping)
{
  struct dg_site_frame frames[MOST_MAPPERS];
  size_t n = list_frames (how, &mapping->stack, mapping->start_icount, false,
                          frames, MOST_MAPPERS);
  size_t i = 0;
  char *site, *text;

  while (i + 1 < n
         && (only_maps (&frames[i].frame)
             || dg_frame_is_allocator (how->allocators, &frames[i].frame)))
    i++;
  site = dg_site_text (frames + i, n > 0 ? 1 : 0);
  text = g_strconcat ("pages from ", site, NULL);
  free (site);
  return text;
}

/* ---- Names ------------------------------------------------------------ */

void
dg_sites_function (GString *text, const struct dg_frame *frame,
                   uint64_t address, const char *nothing)
{
  if (frame->function != NULL)
    g_string_append (text, frame->function);
  else if (frame->module != NULL || address != 0)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x",
                            frame->module != NULL ? frame->module_offset
                                                  : address);
  else
    g_string_append (text, nothing);
}

void
dg_sites_where (GString *text, const struct dg_site_frame *site)
{
  if (site->frame.file == NULL)
    return;
  g_string_append_printf (text, "%s:%u",
                          dg_path_tail (site->frame.file, site->folders),
                          site->frame.line);
  if (site->column != 0)
    g_string_append_printf (text, ":%u", site->column);
  if (site->call != 0)
    g_string_append_printf (text, ", call %u", site->call);
}

void
dg_sites_name (GString *text, const struct dg_site_frame *site,
               const char *nothing)
{
  const struct dg_frame *frame = &site->frame;

  dg_sites_function (text, frame, site->address, nothing);
  if (frame->file == NULL && frame->module == NULL)
    return;
  g_string_append (text, " (");
  if (frame->file != NULL)
    dg_sites_where (text, site);
  else
    g_string_append (text, dg_path_base (frame->module));
  g_string_append_c (text, ')');
}

/* To be freed with free.  */
static char *
take_text (GString *text)
{
  char *copy = strdup (text->str);

  g_string_free (text, TRUE);
  g_assert (copy != NULL);
  return copy;
}

char *
dg_site_where (const struct dg_site_frame *frame)
{
  GString *text = g_string_new (NULL);

  dg_sites_where (text, frame);
  return take_text (text);
}

char *
dg_site_text (const struct dg_site_frame *frames, size_t n)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      g_string_append (text, " < ");
    dg_sites_name (text, &frames[i], "unknown");
  }
  if (n == 0)
    g_string_append (text, "unknown");
  return take_text (text);
}
