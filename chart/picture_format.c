/* picture_format.c: kinds of files that pictures are written to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "picture_format.h"

#include <glib.h>

bool
dv_format_of_file (const char *path, enum dv_format *format)
{
  static const struct {
    const char *suffix;
    enum dv_format format;
  } formats[] = { { ".png", DV_FORMAT_PNG },
                  { ".svg", DV_FORMAT_SVG },
                  { ".pdf", DV_FORMAT_PDF } };
  char *low = g_ascii_strdown (path, -1);
  bool found = false;
  for (size_t i = 0; i < G_N_ELEMENTS (formats) && !found; i++)
    if (g_str_has_suffix (low, formats[i].suffix)) {
      *format = formats[i].format;
      found = true;
    }
  g_free (low);
  return found;
}
