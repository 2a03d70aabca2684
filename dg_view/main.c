/* main.c: dg_view, the viewer: what to do and with which exit status.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <locale.h>

#include "options.h"
#include "render.h"
#include "window.h"

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  struct dv_options options;
  int status = 0;
  switch (dv_options_parse (&options, &argc, &argv)) {
  case DV_PARSE_DONE:
    break;
  case DV_PARSE_USAGE:
    status = 2;
    break;
  case DV_PARSE_GO:
    status = options.render != NULL ? dv_render (&options)
                                    : dv_window_run (&options);
    break;
  }
  dv_options_fini (&options);
  return status;
}
