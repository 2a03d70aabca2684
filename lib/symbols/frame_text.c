/* frame_text.c: a frame of a call stack as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frame_text.h"

#include <glib.h>
#include <string.h>

#include "code_name.h"
#include "sites.h"
#include "base/path.h"

char *
dg_frame_text (const struct dg_frame *frame, uint64_t address)
{
  GString *text = g_string_new (NULL);

  if (frame->function == NULL) {
    g_string_printf (text, "0x%" G_GINT64_MODIFIER "x", address);
    if (frame->module != NULL)
      g_string_append_printf (text, " (%s)", dg_path_base (frame->module));
  } else if (frame->file == NULL) {
    dg_code_name_append (text, frame->function, frame->module);
  } else {
    g_string_printf (text, "%s (%s:%u)", frame->function,
                     dg_path_base (frame->file), frame->line);
  }
  return g_string_free (text, FALSE);
}
