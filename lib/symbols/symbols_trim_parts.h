/* symbols_trim_parts.h: what is known of the units of debug information while
   it is trimmed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_TRIM_PARTS_H
#define DG_SYMBOLS_TRIM_PARTS_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symbols_object.h"

/* Sections of which units have parts.  */
enum dg_trim_section {
  DG_TRIM_ABBREV, DG_TRIM_LINE, DG_TRIM_LOC, DG_TRIM_LOCLISTS, DG_TRIM_RANGES,
  DG_TRIM_RNGLISTS, DG_TRIM_STR
};
#define DG_TRIM_SECTIONS 7

struct dg_trim_unit {
  uint64_t start, end;     /* in .debug_info */
  uint64_t abbrev;
  uint16_t version;
  bool is_needed;
  Dwarf_Die die;
};

/* A unit has something there; it ends where the next thing begins, whosever
   that is.  */
struct dg_trim_ref {
  uint64_t offset;
  uint32_t unit;
};

struct dg_trim_edge {
  uint32_t from, to;
};

struct dg_trim_declared {
  uint32_t unit;
  Dwarf_Die die;
};

struct dg_trim_range {
  uint64_t low, high;
};

struct dg_trim {
  struct dg_object *object;
  Dwarf *dwarf;
  Dwarf_Addr bias;
  const char *strings;     /* .debug_str */
  bool is_strange;         /* it has what is not understood here */
  GArray *units;           /* struct dg_trim_unit, ascending */
  GArray *edges;           /* struct dg_trim_edge, by `from` */
  GArray *declared;        /* struct dg_trim_declared, by unit */
  GArray *ranges;          /* struct dg_trim_range: code, the object's own
                              addresses */
  GArray *refs[DG_TRIM_SECTIONS];   /* struct dg_trim_ref; of strings those of
                                       needed units only */
};

#endif /* DG_SYMBOLS_TRIM_PARTS_H */
