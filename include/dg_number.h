/* dg_number.h: parsing and formatting numbers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_NUMBER_H
#define LIBDATAGRIND_NUMBER_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parsing: one grammar for all programs, described in NUMBERS of dg(1).
     12345678  12,345,678  1.5M  0x1f  64Ki  250ms
   k, M, G, T are powers of 1000, Ki (or ki), Mi, Gi, Ti of 1024; for bytes, B
   may follow these or the number.  A fraction needs such a unit and is rounded
   to the nearest integer; it cannot be combined with groups of three digits,
   separated by ',', '_', "'" or a space.  Hexadecimal numbers have no
   fraction.  A space may precede the unit.  The separators of LC_NUMERIC are
   accepted as well, if they are unambiguous.  */
enum dg_quantity {
  DG_QUANTITY_COUNT = 0, /* instructions, accesses, rows; addresses */
  DG_QUANTITY_BYTES,
  DG_QUANTITY_NS /* needs a unit: ns, us, ms, s, min */
};
/* False if the text is not a number or too large; *number is then
   unchanged.  */
DG_API bool dg_number_parse (const char *text, enum dg_quantity quantity,
                             uint64_t *number);
/* "0.01", "5", "1e-3": without a unit, with '.' as decimal separator;
   finite.  */
DG_API bool dg_number_parse_real (const char *text, double *real);
/* "A..B" with A < B, where either may be missing, but not both; the value of a
   missing one is unchanged.  */
DG_API bool dg_number_parse_span (const char *text, enum dg_quantity quantity,
                                  uint64_t *start, uint64_t *end);
/* Stores a count in *instructions, or a time in *ns, and 0 in the other.
   Neither may be 0.  */
DG_API bool dg_number_parse_interval (const char *text, uint64_t *instructions,
                                      uint64_t *ns);

/* Formatting for people.  Groups of digits and the decimal separator are those
   of LC_NUMERIC, "12.345,6" if it is German; a locale without groups has ','
   if the decimal separator is '.', otherwise a narrow space.  So a program
   that sets no locale writes English numbers.  Do not use these for output
   that programs read.  The text is cut to `size` bytes; DG_NUMBER_TEXT bytes
   are enough, except for reals.  */
#define DG_NUMBER_TEXT 48
/* "12,345,678"  */
DG_API void dg_number_text (char *text, size_t size, uint64_t number);
/* "1,234.50"; "-" if it is not a number.  */
DG_API void dg_number_text_real (char *text, size_t size, double real,
                                 unsigned decimals);
/* A share of 1: "73.9 %", "<0.1 %"; "-" if it is not a number.  */
DG_API void dg_number_text_percent (char *text, size_t size, double share);
/* To three digits: "920 B", "2.50 KiB", "150 MiB".  */
DG_API void dg_number_text_bytes (char *text, size_t size, uint64_t bytes);
/* To three digits: "920 ns", "2.50 us", "1,234 s".  */
DG_API void dg_number_text_ns (char *text, size_t size, uint64_t ns);
/* A count with a suitable unit, exact to a multiple of `step` (1: all digits):
   "12.5 M".  */
DG_API void dg_number_text_count (char *text, size_t size, uint64_t count,
                                  uint64_t step);
/* A count to three digits: "12.5 M".  */
DG_API void dg_number_text_about (char *text, size_t size, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_NUMBER_H */
