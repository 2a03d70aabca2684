/* parse_options.h: the command line, checked.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PARSE_OPTIONS_H
#define DV_PARSE_OPTIONS_H

#include "model/user/options.h"

enum dv_parse { DV_PARSE_GO, DV_PARSE_DONE, DV_PARSE_USAGE };

/* DV_PARSE_DONE: --help or --version, which has been printed.
   DV_PARSE_USAGE: the error has been printed.  dv_options_fini is due in any
   case.  Opens no display.  */
enum dv_parse dv_parse_options (struct dv_options *options, int *argc,
                                char ***argv);

#endif /* DV_PARSE_OPTIONS_H */
