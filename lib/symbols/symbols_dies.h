/* symbols_dies.h: reading the debug information of types, which may be
   damaged or made to be: no loops, no recursion without bound.

   Private to symbols*.c; called under the lock of the object.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_DIES_H
#define DG_SYMBOLS_DIES_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symbols_object.h"
#include "symbols_type_name.h"

/* Through this number of typedefs, pointers or members of members.  */
#define DG_DIE_DEPTH 100

/* The first of a DIE's children, and the DIE that follows among them.  Only
   forward: one that would lead back is taken for the end.  */
bool dg_die_child (const Dwarf_Die *parent, Dwarf_Die *child);
bool dg_die_next (Dwarf_Die *die);

/* The DIE that an attribute of this one leads to, also if the attribute
   stands at what the DIE goes back to.  */
bool dg_die_follow (Dwarf_Die *die, unsigned attribute, Dwarf_Die *out);

/* A number; false if there is none, or it is not a constant.  */
bool dg_die_number (Dwarf_Die *die, unsigned attribute, uint64_t *value);

/* The definition behind a DIE that only declares a type, by signature or by
   name; itself if there is none.  */
void dg_die_define (struct dg_object *object, Dwarf_Die *die);

/* Follows typedefs and qualifiers to what they stand for.  Returns its tag; 0
   if that is nothing (void) or cannot be found.  */
int dg_die_peel (struct dg_object *object, Dwarf_Die *type);

/* Of a type; false if it is not known or makes no sense.  */
bool dg_die_size (struct dg_object *object, const Dwarf_Die *type,
                  uint64_t *size);

/* The element type and its size, and the bounds, outermost first.  */
struct dg_array {
  Dwarf_Die element;
  uint64_t stride;                    /* at least 1 */
  unsigned n;                         /* dimensions, at least 1 */
  uint64_t count[DG_TYPE_DIMS];       /* 0: open */
  int64_t lower[DG_TYPE_DIMS];
  bool column_major;
};
bool dg_die_array (struct dg_object *object, Dwarf_Die *type,
                   struct dg_array *out);

/* Whether it is a struct that ends with an array that takes what is left.  */
bool dg_die_is_open (struct dg_object *object, const Dwarf_Die *type);

/* Whether the language has no namespaces, and types with a keyword.  */
bool dg_die_is_c (struct dg_object *object, const Dwarf_Die *die);

bool dg_die_is_rust (struct dg_object *object, const Dwarf_Die *die);

/* Names the scopes around a declaration, with "::" behind each
   (symbols_dies_scopes.c).  */
void dg_die_append_scopes (struct dg_object *object, GString *text,
                           Dwarf_Die *die);
/* The name of a variable, with its scopes.  */
void dg_die_append_variable (struct dg_object *object, GString *text,
                             Dwarf_Die *die);
/* The type in words, as its language writes it; NULL is "void".  */
void dg_die_append_type (struct dg_object *object, GString *text,
                         const Dwarf_Die *type);

/* ---- symbols_dies_index.c --------------------------------------------- */

/* A type of the object by its canonical name; false if there is none.  */
bool dg_die_index_type (struct dg_object *object, const char *name,
                        enum dg_type_word word, Dwarf_Die *out);
/* The variable with a place of its own over an address of the object; *low
   and *size receive its bytes there, *skip how many of it come before these,
   elsewhere: compilers take structs apart.  */
bool dg_die_index_data (struct dg_object *object, uint64_t address,
                        Dwarf_Die *out, uint64_t *low, uint64_t *size,
                        uint64_t *skip);
/* Where the next one begins behind an address.  */
uint64_t dg_die_index_next_data (struct dg_object *object, uint64_t address);
/* A variable that is declared under this name, to be defined elsewhere.  */
bool dg_die_index_declared (struct dg_object *object, const char *name,
                            Dwarf_Die *out);

#endif /* DG_SYMBOLS_DIES_H */
