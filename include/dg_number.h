/* dg_number.h: numbers as people type them and read them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_NUMBER_H
#define LIBDATAGRIND_NUMBER_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What people type: one grammar, for all programs.  NUMBERS of dg(1) has it.
     12345678  12,345,678  1.5M  0x1f  64Ki  250ms
   k, M, G, T are powers of 1000, Ki (or ki), Mi, Gi, Ti of 1024; B may come
   behind these, or alone, where bytes are meant.  A fraction needs such a unit
   and is rounded to the nearest; digits in groups of three, set apart by ',',
   '_', "'" or a blank, take none.  Hexadecimal numbers have no fraction.  A
   blank may come before the unit.  What LC_NUMERIC writes instead is read as
   well, where that leaves no doubt.  */
enum dg_quantity {
  DG_QUANTITY_COUNT = 0, /* instructions, accesses, rows; addresses */
  DG_QUANTITY_BYTES,
  DG_QUANTITY_NS /* needs a unit: ns, us, ms, s, min */
};
/* False, with *number as it was, if the text is none or is too large.  */
DG_API bool dg_number_parse (const char *text, enum dg_quantity quantity,
                             uint64_t *number);
/* "0.01", "5", "1e-3": what has no unit, decimal sign '.'; finite.  */
DG_API bool dg_number_parse_real (const char *text, double *real);
/* "A..B" with A < B, where either may be missing, but not both: then its value
   stays.  */
DG_API bool dg_number_parse_span (const char *text, enum dg_quantity quantity,
                                  uint64_t *start, uint64_t *end);
/* A count into *instructions, or a time into *ns; the other becomes 0.  Not
   0 of either.  */
DG_API bool dg_number_parse_interval (const char *text, uint64_t *instructions,
                                      uint64_t *ns);

/* What people read.  Groups of digits and the decimal sign are those of
   LC_NUMERIC, "12.345,6" if it is German; a locale without groups has ','
   beside a decimal '.', else a narrow blank.  So a program that sets no locale
   writes English numbers.  What programs read is never written by these.
   `size` bytes hold what fits; DG_NUMBER_TEXT are enough but for reals.  */
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
/* A count, exact to a multiple of `step` (1: fully), with the unit that suits
   it: "12.5 M".  */
DG_API void dg_number_text_count (char *text, size_t size, uint64_t count,
                                  uint64_t step);
/* The same to three digits: "12.5 M".  */
DG_API void dg_number_text_about (char *text, size_t size, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_NUMBER_H */
