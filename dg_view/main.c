/* main.c: dg_view, the viewer: what to do and with which exit status.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <libdatagrind.h>
#include <locale.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "i18n.h"
#include "parse_options.h"
#include "plot/render.h"
#include "window/application.h"

int
main (int argc, char **argv)
{
  dg_memory_trim ();
  setlocale (LC_ALL, "");
#ifdef DG_LOCALE_DIR
  const char *elsewhere = g_getenv ("DG_VIEW_LOCALE_DIR");
  bindtextdomain ("datagrind",
                  elsewhere != NULL ? elsewhere : DG_LOCALE_DIR);
  bind_textdomain_codeset ("datagrind", "UTF-8");
  textdomain ("datagrind");
#endif
  struct dv_options options;
  int status = 0;
  switch (dv_parse_options (&options, &argc, &argv)) {
  case DV_PARSE_DONE:
    break;
  case DV_PARSE_USAGE:
    status = 2;
    break;
  case DV_PARSE_GO:
    status = options.render != NULL ? dv_render (&options)
                                    : dv_application_run (&options);
    break;
  }
  dv_options_fini (&options);
  return status;
}
