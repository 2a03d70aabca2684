/* symbols_dies.c: from one piece of debug information to the next: children,
   definitions, what typedefs stand for, sizes and bounds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"

#include <string.h>

bool
dg_die_child (const Dwarf_Die *parent, Dwarf_Die *child)
{
  Dwarf_Die from = *parent;

  return dwarf_child (&from, child) == 0
         && (const char *) child->addr > (const char *) from.addr;
}

bool
dg_die_next (Dwarf_Die *die)
{
  Dwarf_Die from = *die;

  return dwarf_siblingof (&from, die) == 0
         && (const char *) die->addr > (const char *) from.addr;
}

bool
dg_die_follow (Dwarf_Die *die, unsigned attribute, Dwarf_Die *out)
{
  Dwarf_Attribute found;

  return dwarf_formref_die (dwarf_attr_integrate (die, attribute, &found),
                            out)
         != NULL;
}

bool
dg_die_number (Dwarf_Die *die, unsigned attribute, uint64_t *value)
{
  Dwarf_Attribute found;
  Dwarf_Word word;

  if (dwarf_formudata (dwarf_attr_integrate (die, attribute, &found), &word)
      != 0)
    return false;
  *value = word;
  return true;
}

static bool
is_declaration (Dwarf_Die *die)
{
  Dwarf_Attribute found;
  bool flag = false;

  return dwarf_formflag (dwarf_attr (die, DW_AT_declaration, &found), &flag)
           == 0
         && flag;
}

static bool
is_named_type (int tag)
{
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type
         || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

void
dg_die_define (struct dg_object *object, Dwarf_Die *die)
{
  Dwarf_Attribute found;
  Dwarf_Die other;
  GString *name;
  char *canonical;

  if (!is_named_type (dwarf_tag (die)))
    return;
  if (dwarf_hasattr (die, DW_AT_signature)
      && dwarf_formref_die (dwarf_attr (die, DW_AT_signature, &found), &other)
           != NULL) {
    *die = other;
    return;
  }
  if (!is_declaration (die) || dwarf_diename (die) == NULL)
    return;
  name = g_string_new (NULL);
  dg_die_append_scopes (object, name, die);
  g_string_append (name, dwarf_diename (die));
  canonical = dg_type_name_canonical (name->str);
  if (dg_die_index_type (object, canonical, DG_TYPE_ANY, &other))
    *die = other;
  g_free (canonical);
  g_string_free (name, TRUE);
}

static bool
is_alias (int tag)
{
  switch (tag) {
  case DW_TAG_typedef:
  case DW_TAG_const_type:
  case DW_TAG_volatile_type:
  case DW_TAG_restrict_type:
  case DW_TAG_atomic_type:
  case DW_TAG_packed_type:
  case DW_TAG_shared_type:
  case DW_TAG_immutable_type:
  case DW_TAG_template_alias:
    return true;
  default:
    return false;
  }
}

int
dg_die_peel (struct dg_object *object, Dwarf_Die *type)
{
  for (int steps = 0; steps < DG_DIE_DEPTH; steps++) {
    int tag = dwarf_tag (type);
    Dwarf_Die next;

    if (!is_alias (tag)) {
      dg_die_define (object, type);
      tag = dwarf_tag (type);
      return tag > 0 ? tag : 0;
    }
    if (!dg_die_follow (type, DW_AT_type, &next))
      return 0;
    *type = next;
  }
  return 0;
}

/* The bytes of a pointer.  */
static uint64_t
word_size (const Dwarf_Die *die)
{
  uint8_t size = 0;

  if (dwarf_cu_info (die->cu, NULL, NULL, NULL, NULL, NULL, &size, NULL) != 0
      || size == 0)
    size = 8;
  return size;
}

static int
own_language (Dwarf_Die *unit)
{
  int language = dwarf_srclang (unit);

  return language > 0 ? language : 0;
}

/* All that a unit imports has its language, unless it says its own.  */
static void
add_imports (GHashTable *languages, Dwarf_Die *unit, int language, int depth)
{
  Dwarf_Die die, target, imported;
  Dwarf_Attribute found;

  if (depth > DG_DIE_DEPTH || !dg_die_child (unit, &die))
    return;
  do {
    /* dwz writes them before everything else.  */
    if (dwarf_tag (&die) != DW_TAG_imported_unit)
      return;
    if (dwarf_formref_die (dwarf_attr (&die, DW_AT_import, &found), &target)
          == NULL
        || dwarf_diecu (&target, &imported, NULL, NULL) == NULL
        || g_hash_table_contains (languages, target.cu))
      continue;
    g_hash_table_insert (languages, target.cu, GINT_TO_POINTER (language));
    add_imports (languages, &imported, language, depth + 1);
  } while (dg_die_next (&die));
}

static void
read_imports (struct dg_object *object)
{
  Dwarf_Addr bias;
  Dwarf *dwarf = object->module != NULL
                   ? dwfl_module_getdwarf (object->module, &bias)
                   : NULL;
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;
  uint8_t type;

  while (dwarf != NULL
         && dwarf_get_units (dwarf, cu, &cu, NULL, &type, &die, NULL) == 0)
    if (type == DW_UT_compile && own_language (&die) != 0)
      add_imports (object->languages, &die, own_language (&die), 0);
}

/* Of the unit that the DIE stands in; 0 if unknown.  What dwz has put together
   of several units does not say it.  */
static int
language_of (struct dg_object *object, const Dwarf_Die *die)
{
  Dwarf_Die unit, from = *die;
  int language;

  if (dwarf_diecu (&from, &unit, NULL, NULL) == NULL)
    return 0;
  language = own_language (&unit);
  if (language != 0 || dwarf_tag (&unit) != DW_TAG_partial_unit)
    return language;
  if (object->languages == NULL) {
    object->languages = g_hash_table_new (NULL, NULL);
    read_imports (object);
  }
  return GPOINTER_TO_INT (g_hash_table_lookup (object->languages, die->cu));
}

bool
dg_die_is_c (struct dg_object *object, const Dwarf_Die *die)
{
  switch (language_of (object, die)) {
  case DW_LANG_C89:
  case DW_LANG_C:
  case DW_LANG_C99:
  case DW_LANG_C11:
  case DW_LANG_ObjC:
  case DW_LANG_Mips_Assembler:
    return true;
  default:
    return false;
  }
}

bool
dg_die_is_rust (struct dg_object *object, const Dwarf_Die *die)
{
  return language_of (object, die) == DW_LANG_Rust;
}

/* ---- Sizes ------------------------------------------------------------ */

static bool size_of (struct dg_object *object, const Dwarf_Die *type,
                     int depth, uint64_t *size);

/* A bound.  Those of few bytes that are not said to have a sign have none:
   "char name[200]" ends at 199, in one byte.  Before there were counts, the
   end of arrays without elements was -1.  */
static bool
bound_of (Dwarf_Die *range, unsigned attribute, int64_t *bound)
{
  Dwarf_Attribute found;
  Dwarf_Sword number;
  Dwarf_Word word;
  unsigned form;

  if (dwarf_attr (range, attribute, &found) == NULL)
    return false;
  form = dwarf_whatform (&found);
  if ((form == DW_FORM_data1 || form == DW_FORM_data2
       || form == DW_FORM_data4)
      && dwarf_formudata (&found, &word) == 0 && word != UINT32_MAX) {
    *bound = (int64_t) word;
    return true;
  }
  if (dwarf_formsdata (&found, &number) != 0)
    return false;
  *bound = number;
  return true;
}

/* One dimension: 0 if it has no bound, or a negative one.  */
static void
read_bound (Dwarf_Die *range, int64_t default_lower, uint64_t *count,
            int64_t *lower)
{
  int64_t low = default_lower, high;
  uint64_t number;

  *count = 0;
  bound_of (range, DW_AT_lower_bound, &low);
  *lower = low;
  if (dg_die_number (range, DW_AT_count, &number))
    *count = number;
  else if (bound_of (range, DW_AT_upper_bound, &high) && high >= low
           && (uint64_t) high - (uint64_t) low < INT64_MAX)
    *count = (uint64_t) high - (uint64_t) low + 1;
}

/* An array that is indexed by an enumeration has as many elements as that.  */
static void
read_enumeration (Dwarf_Die *type, uint64_t *count, int64_t *lower)
{
  Dwarf_Die die;

  *lower = 0;
  *count = 0;
  if (!dg_die_child (type, &die))
    return;
  do
    *count += dwarf_tag (&die) == DW_TAG_enumerator;
  while (dg_die_next (&die));
}

static bool
array_of (struct dg_object *object, Dwarf_Die *type, int depth,
          struct dg_array *out)
{
  Dwarf_Attribute found;
  Dwarf_Sword lower = 0;
  Dwarf_Die die;
  int language = language_of (object, type);
  uint64_t order;

  memset (out, 0, sizeof *out);
  if (!dg_die_follow (type, DW_AT_type, &out->element))
    return false;
  if (language == 0 || dwarf_default_lower_bound (language, &lower) != 0)
    lower = 0;
  out->column_major = language == DW_LANG_Fortran77
                      || language == DW_LANG_Fortran90
                      || language == DW_LANG_Fortran95
                      || language == DW_LANG_Fortran03
                      || language == DW_LANG_Fortran08;
  if (dg_die_number (type, DW_AT_ordering, &order))
    out->column_major = order == DW_ORD_col_major;
  if (dwarf_hasattr (type, DW_AT_byte_stride)
      && dg_die_number (type, DW_AT_byte_stride, &out->stride)) {
    if (out->stride == 0)
      return false;
  } else if (dwarf_attr (type, DW_AT_bit_stride, &found) != NULL
             || !size_of (object, &out->element, depth + 1, &out->stride)
             || out->stride == 0) {
    return false;
  }
  if (dg_die_child (type, &die)) {
    do {
      int tag = dwarf_tag (&die);

      if (out->n == DG_TYPE_DIMS)
        return false;
      if (tag == DW_TAG_subrange_type) {
        read_bound (&die, lower, &out->count[out->n], &out->lower[out->n]);
        out->n++;
      } else if (tag == DW_TAG_enumeration_type) {
        read_enumeration (&die, &out->count[out->n], &out->lower[out->n]);
        out->n++;
      }
    } while (dg_die_next (&die));
  }
  if (out->n == 0)
    out->n = 1;
  return true;
}

bool
dg_die_array (struct dg_object *object, Dwarf_Die *type, struct dg_array *out)
{
  return array_of (object, type, 0, out);
}

static bool
array_size (struct dg_object *object, Dwarf_Die *type, int depth,
            uint64_t *size)
{
  struct dg_array array;

  if (!array_of (object, type, depth, &array))
    return false;
  *size = array.stride;
  for (unsigned i = 0; i < array.n; i++)
    if (array.count[i] == 0
        || __builtin_mul_overflow (*size, array.count[i], size))
      return false;
  return true;
}

static bool
size_of (struct dg_object *object, const Dwarf_Die *given, int depth,
         uint64_t *size)
{
  Dwarf_Die type = *given, next;
  uint64_t bits;
  int tag;

  if (depth > DG_DIE_DEPTH)
    return false;
  tag = dg_die_peel (object, &type);
  if (tag == 0)
    return false;
  if (dg_die_number (&type, DW_AT_byte_size, size))
    return *size <= INT64_MAX;
  if (dg_die_number (&type, DW_AT_bit_size, &bits)) {
    *size = bits / 8 + (bits % 8 != 0);
    return true;
  }
  switch (tag) {
  case DW_TAG_pointer_type:
  case DW_TAG_reference_type:
  case DW_TAG_rvalue_reference_type:
    *size = word_size (&type);
    return true;
  case DW_TAG_ptr_to_member_type:
    *size = word_size (&type);
    /* Of a function: also what is to be added to `this`.  */
    if (dg_die_follow (&type, DW_AT_type, &next)
        && dg_die_peel (object, &next) == DW_TAG_subroutine_type)
      *size *= 2;
    return true;
  case DW_TAG_array_type:
    return array_size (object, &type, depth, size);
  case DW_TAG_enumeration_type:
  case DW_TAG_subrange_type:
    return dg_die_follow (&type, DW_AT_type, &next)
           && size_of (object, &next, depth + 1, size);
  default:
    return false;
  }
}

bool
dg_die_size (struct dg_object *object, const Dwarf_Die *type, uint64_t *size)
{
  return size_of (object, type, 0, size);
}

bool
dg_die_is_open (struct dg_object *object, const Dwarf_Die *given)
{
  Dwarf_Die type = *given, die, last;

  for (int depth = 0; depth < DG_DIE_DEPTH; depth++) {
    int tag = dg_die_peel (object, &type);
    struct dg_array array;
    bool has_member = false;

    if (tag == DW_TAG_array_type && depth > 0)
      return dg_die_array (object, &type, &array) && array.count[0] == 0;
    if ((tag != DW_TAG_structure_type && tag != DW_TAG_class_type)
        || !dg_die_child (&type, &die))
      return false;
    do {
      if (dwarf_tag (&die) == DW_TAG_member
          && !dwarf_hasattr (&die, DW_AT_external)) {
        last = die;
        has_member = true;
      }
    } while (dg_die_next (&die));
    if (!has_member || !dg_die_follow (&last, DW_AT_type, &type))
      return false;
  }
  return false;
}
