/* main.c: dg_view, the viewer: what to do and with which exit status.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "i18n.h"
#include "options.h"
#include "render.h"
#include "window.h"

/* glibc raises the size from which blocks are given back at once to that of
   the largest that was freed, 32 MiB at most.  What is made while tables grow
   then lies between small blocks for good: up to half of what is resident.  */
static void
give_memory_back (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 256 << 10);
  mallopt (M_TRIM_THRESHOLD, 256 << 10);
#endif
}

int
main (int argc, char **argv)
{
  give_memory_back ();
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
