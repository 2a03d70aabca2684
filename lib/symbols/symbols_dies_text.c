/* symbols_dies_text.c: types of debug information as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"

#include <inttypes.h>
#include <string.h>

/* Types in types in types; then "...".  */
#define MAX_WORDS 24
#define MAX_ARGUMENTS 16
#define MAX_TEXT 2000

/* ---- Variables -------------------------------------------------------- */

/* Where a text begins with this, what is behind it; else NULL.  */
static const char *
behind (const char *text, const char *start)
{
  return g_str_has_prefix (text, start) ? text + strlen (start) : NULL;
}

/* Whether these scopes and this name are what thread_local! of Rust makes of a
   static: "::__getit::VAL", "::{constant#0}::{closure#1}::__RUST_STD_...".  */
static bool
is_of_macro (const char *text)
{
  const char *next = behind (text, "__getit::");

  if (next != NULL)
    return strcmp (next, "VAL") == 0 || strcmp (next, "__KEY") == 0;
  while (text[0] == '{') {
    next = strstr (text, "}::");
    if (next == NULL)
      return false;
    text = next + 3;
  }
  return strcmp (text, "__RUST_STD_INTERNAL_VAL") == 0;
}

void
dg_die_append_variable (struct dg_object *object, GString *text,
                        Dwarf_Die *die)
{
  gsize start = text->len;

  dg_die_append_scopes (object, text, die);
  g_string_append (text, dwarf_diename (die));
  if (!dg_die_is_rust (object, die))
    return;
  for (const char *colons = strstr (text->str + start, "::"); colons != NULL;
       colons = strstr (colons + 2, "::"))
    if (is_of_macro (colons + 2)) {
      g_string_truncate (text, (gsize) (colons - text->str));
      return;
    }
}

/* ---- Types ------------------------------------------------------------ */

static void append_type (struct dg_object *object, GString *text,
                         const Dwarf_Die *type, int depth);

static void
append_target (struct dg_object *object, GString *text, Dwarf_Die *die,
               int depth)
{
  Dwarf_Die target;

  if (dg_die_follow (die, DW_AT_type, &target))
    append_type (object, text, &target, depth + 1);
  else
    g_string_append (text, "void");
}

static void
append_arguments (struct dg_object *object, GString *text, Dwarf_Die *function,
                  int depth)
{
  Dwarf_Die die;
  int n = 0;

  g_string_append_c (text, '(');
  if (dg_die_child (function, &die)) {
    do {
      int tag = dwarf_tag (&die);

      if (tag != DW_TAG_formal_parameter
          && tag != DW_TAG_unspecified_parameters)
        continue;
      if (n > 0)
        g_string_append (text, ", ");
      if (tag == DW_TAG_unspecified_parameters || n == MAX_ARGUMENTS)
        g_string_append (text, "...");
      else
        append_target (object, text, &die, depth);
    } while (n++ < MAX_ARGUMENTS && dg_die_next (&die));
  }
  if (n == 0 && dg_die_is_c (object, function))
    g_string_append (text, "void");
  g_string_append_c (text, ')');
}

/* "T *", and "T (*)(...)" for a function.  */
static void
append_pointer (struct dg_object *object, GString *text, Dwarf_Die *die,
                const char *sign, int depth)
{
  Dwarf_Die target;

  if (dwarf_diename (die) != NULL) {
    g_string_append (text, dwarf_diename (die));
    return;
  }
  if (dg_die_follow (die, DW_AT_type, &target)
      && dwarf_tag (&target) == DW_TAG_subroutine_type) {
    append_target (object, text, &target, depth);
    g_string_append_printf (text, " (%s)", sign);
    append_arguments (object, text, &target, depth);
    return;
  }
  append_target (object, text, die, depth);
  if (text->len > 0 && strchr ("*&", text->str[text->len - 1]) == NULL)
    g_string_append_c (text, ' ');
  g_string_append (text, sign);
}

static void
append_array (struct dg_object *object, GString *text, Dwarf_Die *die,
              int depth)
{
  struct dg_array array;

  append_target (object, text, die, depth);
  if (!dg_die_array (object, die, &array)) {
    g_string_append (text, " []");
    return;
  }
  /* An array of arrays: "int [2][3]".  */
  if (text->len == 0 || text->str[text->len - 1] != ']') {
    if (!g_str_has_suffix (text->str, "*"))
      g_string_append_c (text, ' ');
    for (unsigned i = 0; i < array.n; i++)
      if (array.count[i] > 0)
        g_string_append_printf (text, "[%" PRIu64 "]", array.count[i]);
      else
        g_string_append (text, "[]");
  } else {
    GString *bounds = g_string_new (NULL);
    const char *first = strchr (text->str, '[');

    for (unsigned i = 0; i < array.n; i++)
      g_string_append_printf (bounds, "[%" PRIu64 "]", array.count[i]);
    g_string_insert (text, first - text->str, bounds->str);
    g_string_free (bounds, TRUE);
  }
}

/* A qualifier stands before a name and behind a pointer's star.  */
static void
append_qualified (struct dg_object *object, GString *text, Dwarf_Die *die,
                  const char *word, int depth)
{
  GString *target = g_string_new (NULL);

  append_target (object, target, die, depth);
  if (target->len > 0
      && strchr ("*&", target->str[target->len - 1]) != NULL)
    g_string_append_printf (text, "%s%s", target->str, word);
  else
    g_string_append_printf (text, "%s %s", word, target->str);
  g_string_free (target, TRUE);
}

static void
append_named (struct dg_object *object, GString *text, Dwarf_Die *die,
              const char *word)
{
  const char *name = dwarf_diename (die);

  if (name == NULL) {
    g_string_append_printf (text, "%s {...}", word);
    return;
  }
  if (dg_die_is_c (object, die))
    g_string_append_printf (text, "%s ", word);
  else
    dg_die_append_scopes (object, text, die);
  g_string_append (text, name);
}

static void
append_plain (struct dg_object *object, GString *text, Dwarf_Die *die, int tag)
{
  const char *name = dwarf_diename (die);

  if (name == NULL) {
    g_string_append (text, "?");
    return;
  }
  if (tag == DW_TAG_base_type) {
    /* "long unsigned int" is what only compilers say.  */
    char *spelling = dg_type_name_canonical (name);

    g_string_append (text, spelling);
    g_free (spelling);
    return;
  }
  if (tag == DW_TAG_typedef && !dg_die_is_c (object, die))
    dg_die_append_scopes (object, text, die);
  g_string_append (text, name);
}

static void
append_type (struct dg_object *object, GString *text, const Dwarf_Die *given,
             int depth)
{
  Dwarf_Die type = *given;
  int tag = dwarf_tag (&type);

  if (depth > MAX_WORDS || text->len > MAX_TEXT) {
    g_string_append (text, "...");
    return;
  }
  if (dwarf_diename (&type) == NULL) {
    dg_die_define (object, &type);
    tag = dwarf_tag (&type);
  }
  switch (tag) {
  case DW_TAG_const_type:
    append_qualified (object, text, &type, "const", depth);
    break;
  case DW_TAG_volatile_type:
    append_qualified (object, text, &type, "volatile", depth);
    break;
  case DW_TAG_atomic_type:
    append_qualified (object, text, &type, "_Atomic", depth);
    break;
  case DW_TAG_restrict_type:
  case DW_TAG_packed_type:
  case DW_TAG_immutable_type:
    append_target (object, text, &type, depth);
    break;
  case DW_TAG_pointer_type:
    append_pointer (object, text, &type, "*", depth);
    break;
  case DW_TAG_reference_type:
    append_pointer (object, text, &type, "&", depth);
    break;
  case DW_TAG_rvalue_reference_type:
    append_pointer (object, text, &type, "&&", depth);
    break;
  case DW_TAG_ptr_to_member_type:
    append_target (object, text, &type, depth);
    g_string_append (text, " ::*");
    break;
  case DW_TAG_array_type:
    append_array (object, text, &type, depth);
    break;
  case DW_TAG_subroutine_type:
    append_target (object, text, &type, depth);
    g_string_append_c (text, ' ');
    append_arguments (object, text, &type, depth);
    break;
  case DW_TAG_structure_type:
  case DW_TAG_interface_type:
    append_named (object, text, &type, "struct");
    break;
  case DW_TAG_class_type:
    append_named (object, text, &type, "class");
    break;
  case DW_TAG_union_type:
    append_named (object, text, &type, "union");
    break;
  case DW_TAG_enumeration_type:
    append_named (object, text, &type, "enum");
    break;
  default:
    append_plain (object, text, &type, tag);
    break;
  }
}

void
dg_die_append_type (struct dg_object *object, GString *text,
                    const Dwarf_Die *type)
{
  if (type == NULL)
    g_string_append (text, "void");
  else
    append_type (object, text, type, 0);
}
