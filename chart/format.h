/* format.h: what dg_number_text_* lacks of texts for people: quantities in
   their language, and labels; and numbers from texts.  No number gets into a
   text by another way, so that all of them have the signs of LC_NUMERIC.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FORMAT_H
#define DV_FORMAT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

/* Of an address, for printf.  */
#define DV_ADDRESS "0x%" PRIx64
/* A share of 1 without decimals, for what moves: "74 %".  */
void dv_format_about_percent (char *text, size_t size, double share);
/* "4,096 bytes", "1 byte", "2.5 MiB".  */
void dv_format_bytes (char *text, size_t size, uint64_t bytes);

/* Shorter, for columns of figures: "920 B", "2.5 KiB", "12.0 MiB".  */
void dv_format_size (char *text, size_t size, uint64_t bytes);

/* For a terminal: valid UTF-8 on one line; bytes that are none, and characters
   that are not seen, stand there as \xNN.  A new string.  */
char *dv_format_printable (const char *bytes);
/* A name as the window shows it: valid UTF-8 in one line, U+FFFD or a blank in
   place of such characters; to be freed.  */
char *dv_format_shown (const char *bytes);
/* For a picture, a title or the like: valid UTF-8 on one line, of at most so
   many characters; what is longer ends with an ellipsis.  Controls become
   spaces, and what no file may contain (U+FFFE and its like) U+FFFD.  A new
   string.  */
char *dv_format_label (const char *bytes, size_t most);

/* The last part of a path, within it; "" for NULL.  */
const char *dv_format_base (const char *path);

/* Of what is counted, and of addresses.  */
bool dv_parse_number (const char *text, uint64_t *number);
/* "A..B", "A..", "..B" with A < B; what is left out is 0 or UINT64_MAX.  */
bool dv_parse_interval (const char *text, uint64_t *start, uint64_t *end);
/* "1200x800", each side from 1 to `most`.  */
bool dv_parse_size (const char *text, uint32_t most, uint32_t *width,
                    uint32_t *height);

#endif /* DV_FORMAT_H */
