/* printable.h: text that is safe for terminals, and its width.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PRINTABLE_H
#define DG_PRINTABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A copy in which control characters, those that turn the direction of
   writing, and invalid bytes are written as \xNN; to be freed.  */
char *printable_text (const char *text);
/* Whether this applies to a byte; is_utf8: the whole text is valid.  */
bool printable_is_control (const char *at, bool is_utf8);

/* 12345678 -> "12,345,678"; to be freed.  */
char *printable_number (uint64_t number);

/* The width of a valid text in columns of a terminal.  */
int printable_width (const char *text);
/* A text shortened to this number of columns by "..." in its middle; to be
   freed.  */
char *printable_shorten (const char *text, int width);

#endif /* DG_PRINTABLE_H */
