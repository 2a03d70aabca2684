/* symbols_sections.h: the sections of a file, and code without symbols.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_SECTIONS_H
#define DG_SYMBOLS_SECTIONS_H

#include "symbols_object.h"

/* A section that is loaded.  */
struct dg_section {
  uint64_t low, high;
  const char *name;
  size_t index;        /* in the file */
  bool is_code;
};
/* NULL: between sections.  */
const struct dg_section *dg_section_find (struct dg_object *object,
                                          uint64_t address);
/* "func_0x1234" for code that only the tables for unwinding know of; NULL if
   its function begins before `above`, or is not known.  */
const char *dg_section_function (struct dg_object *object,
                                 struct dg_names *names, uint64_t address,
                                 uint64_t above);

#endif /* DG_SYMBOLS_SECTIONS_H */
