/* terminal.h: how wide standard output is, and whether it has colours.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TERMINAL_H
#define DG_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal that standard output is, as COLUMNS or it itself
   says; 0 if it is none.  */
unsigned terminal_width (void);

/* Its lines, at least 2.  */
unsigned terminal_height (void);

/* Another one of the same size, for a program: what is written to `to` comes
   from `from`.  False: there is none.  */
bool terminal_pair (int *from, int *to);

/* Whether standard output is a terminal with colours, and NO_COLOR is not
   set.  */
bool terminal_has_colours (void);

#endif /* DG_TERMINAL_H */
