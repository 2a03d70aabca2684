/* frame_text.c: a frame as the text of a cell.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frame_text.h"

#include <glib.h>
#include <string.h>

char *
dg_frame_text (const struct dg_frame *frame, uint64_t address)
{
  const char *base = frame->file != NULL ? strrchr (frame->file, '/') : NULL;

  base = base != NULL ? base + 1 : frame->file;
  if (frame->function == NULL)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
  if (base == NULL)
    return g_strdup (frame->function);
  return g_strdup_printf ("%s (%s:%u)", frame->function, base, frame->line);
}
