/* options.c: what the user asked for on the command line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "options.h"

#include <glib.h>

void
dv_options_fini (struct dv_options *options)
{
  g_free (options->path);
  g_free (options->second);
  g_free (options->events);
  g_free (options->ranges);
  g_free (options->title);
  g_free (options->editor);
  g_free (options->palette);
  g_strfreev (options->source_map);
  g_free (options->render);
}
