/* terminal.h: how wide standard output is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TERMINAL_H
#define DG_TERMINAL_H

/* Columns of the terminal that standard output is, as COLUMNS or it itself
   says; 0 if it is none.  */
unsigned terminal_width (void);

#endif /* DG_TERMINAL_H */
