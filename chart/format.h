/* format.h: numbers to text for people, and back, by the rules of
   libdatagrind's section 11: signs are those of LC_NUMERIC.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FORMAT_H
#define DV_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction count, exact to a multiple of `step` (1: fully), with the
   unit that suits it: "12.5 M".  */
void dv_format_count (char *text, size_t size, uint64_t count, uint64_t step);
/* The same to three digits or so: "12.5 M".  */
void dv_format_about (char *text, size_t size, uint64_t count);
/* With groups of three: "12,345,678".  */
void dv_format_exact (char *text, size_t size, uint64_t count);
/* A share of 1: "73.9 %".  */
void dv_format_percent (char *text, size_t size, double share);
/* "920 ns", "1.25 ms".  */
void dv_format_ns (char *text, size_t size, uint64_t ns);
/* "4,096 bytes", "1 byte", "2.5 MiB".  */
void dv_format_bytes (char *text, size_t size, uint64_t bytes);

/* Shorter, for columns of figures: "920 B", "2.5 KiB", "12.0 MiB".  */
void dv_format_size (char *text, size_t size, uint64_t bytes);

/* For a terminal: valid UTF-8 on one line; bytes that are none, and control
   characters, stand there as \xNN.  A new string.  */
char *dv_format_printable (const char *bytes);
/* For a picture, a title or the like: valid UTF-8 on one line, of at most so
   many characters; what is longer ends with an ellipsis.  Controls become
   spaces, and what no file may contain (U+FFFE and its like) U+FFFD.  A new
   string.  */
char *dv_format_label (const char *bytes, size_t most);

/* Of what is counted, and of addresses.  */
bool dv_parse_number (const char *text, uint64_t *number);
/* "A..B", "A..", "..B" with A < B; what is left out is 0 or UINT64_MAX.  */
bool dv_parse_interval (const char *text, uint64_t *start, uint64_t *end);
/* "1200x800", each side from 1 to `most`.  */
bool dv_parse_size (const char *text, uint32_t most, uint32_t *width,
                    uint32_t *height);

#endif /* DV_FORMAT_H */
