/* symbols_type_name.h: the names of types, as compilers and people write
   them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_TYPE_NAME_H
#define DG_SYMBOLS_TYPE_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* One spelling for all that mean the same: no needless spaces, "unsigned long"
   for "long unsigned int", "char const*" for "const char *", no "struct", no
   suffixes of numbers.  A new string.  Names that are not understood come back
   as they are.  */
char *dg_type_name_canonical (const char *text);

/* What a keyword in front of a name says.  */
enum dg_type_word {
  DG_TYPE_ANY,
  DG_TYPE_STRUCT,   /* or class */
  DG_TYPE_UNION,
  DG_TYPE_ENUM
};

#define DG_TYPE_DIMS 8

/* A name as users give it, taken apart.  */
struct dg_type_name {
  char *base;              /* canonical, without what follows */
  enum dg_type_word word;
  bool is_pointer;         /* or reference: of elements, if there are dims */
  unsigned n_dims;
  uint64_t dims[DG_TYPE_DIMS];   /* the first may be 0: "[]" */
};

/* False, and nothing to free, if it is not a type's name.  */
bool dg_type_name_parse (const char *text, struct dg_type_name *out);
void dg_type_name_fini (struct dg_type_name *name);

#endif /* DG_SYMBOLS_TYPE_NAME_H */
