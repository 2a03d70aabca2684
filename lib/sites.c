/* sites.c: finding the place that wants memory, and what it is called.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sites.h"

#include <string.h>

/* The most frames that one code address has.  */
#define MOST_FRAMES 16

const char *
dg_sites_base (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

void
dg_sites_find (const struct dg_allocators *allocators,
               struct dg_symbols *symbols, const struct dg_stack *stack,
               uint64_t icount, struct dg_frame *out, uint64_t *address)
{
  memset (out, 0, sizeof *out);
  *address = stack->n > 0 ? stack->sites[0] : 0;
  for (uint32_t i = 0; i < stack->n && symbols != NULL; i++) {
    struct dg_frame frames[MOST_FRAMES];
    size_t n = dg_symbols_frames (symbols, stack->sites[i], icount, frames,
                                  MOST_FRAMES);

    for (size_t k = 0; k < n; k++) {
      bool is_other = !dg_frame_is_allocator (allocators, &frames[k]);

      if (is_other || (i == 0 && k == 0)) {
        *out = frames[k];
        *address = stack->sites[i];
      }
      if (is_other)
        return;
    }
  }
}

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
dg_sites_name (GString *text, const struct dg_frame *frame, uint64_t address,
               const char *nothing)
{
  dg_sites_function (text, frame, address, nothing);
  if (frame->file != NULL)
    g_string_append_printf (text, " (%s:%u)", dg_sites_base (frame->file),
                            frame->line);
  else if (frame->module != NULL)
    g_string_append_printf (text, " (%s)", dg_sites_base (frame->module));
}
