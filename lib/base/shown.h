/* shown.h: which parts of a name can be shown as they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHOWN_H
#define DG_SHOWN_H

#include <stdbool.h>

/* *at moves over a character, or a byte that is not UTF-8; there is one.
   Whether that is harmless where text is shown: false for such bytes, for what
   could be a command to a terminal or end a line, and for what turns the
   direction of writing.  */
bool dg_shown_next (const char **at);

#endif /* DG_SHOWN_H */
