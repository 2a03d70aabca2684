/* printable.h: texts as a terminal may be given them, and how wide they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PRINTABLE_H
#define DG_PRINTABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A copy in which what a terminal might obey, or could not show, stands as
   \xNN; to be freed.  */
char *printable_text (const char *text);
/* Whether that is so of a byte; is_utf8: the whole text is.  */
bool printable_is_control (const char *at, bool is_utf8);

/* 12345678 -> "12,345,678"; to be freed.  */
char *printable_number (uint64_t number);

/* Columns of a terminal that a valid text takes.  */
int printable_width (const char *text);
/* A text with "..." in its middle, in so many columns; to be freed.  */
char *printable_shorten (const char *text, int width);

#endif /* DG_PRINTABLE_H */
