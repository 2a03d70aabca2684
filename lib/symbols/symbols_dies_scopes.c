/* symbols_dies_scopes.c: the namespaces, classes and functions around a DIE.

   A DIE does not say what it stands in.  What does is found from its unit
   down, by a bisection at each step: the children of what was met on the way
   are kept, since units of some compilers (Go) have ten thousand of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"

#include "base/bisect.h"

#define MAX_SCOPES 64
#define MAX_ORIGINS 3

/* What is known of an object: where a DIE stands in memory -> GArray of where
   its children do, ascending.  */
struct dg_object_scopes {
  GHashTable *children;
};

static void
free_children (gpointer data)
{
  g_array_unref (data);
}

static void
free_scopes (gpointer data)
{
  struct dg_object_scopes *scopes = data;

  g_hash_table_unref (scopes->children);
  g_free (scopes);
}

/* They are walked only once, and only forward.  */
static const GArray *
children_of (struct dg_object *object, const Dwarf_Die *parent)
{
  struct dg_object_scopes *scopes = object->scopes;
  GArray *children;
  Dwarf_Die die;

  if (scopes == NULL) {
    scopes = object->scopes = g_new (struct dg_object_scopes, 1);
    scopes->children =
      g_hash_table_new_full (NULL, NULL, NULL, free_children);
    dg_object_keep (object, scopes, free_scopes);
  }
  children = g_hash_table_lookup (scopes->children, parent->addr);
  if (children != NULL)
    return children;
  children = g_array_new (FALSE, FALSE, sizeof (void *));
  if (dg_die_child (parent, &die)) {
    do
      g_array_append_val (children, die.addr);
    while (dg_die_next (&die));
  }
  g_hash_table_insert (scopes->children, parent->addr, children);
  return children;
}

/* The DIEs around one, outermost first, without its unit; returns how many.
   A step goes to the child whose part of the unit holds it.  */
static unsigned
scopes_of (struct dg_object *object, Dwarf_Die *die, Dwarf_Die *out)
{
  Dwarf_Die at;
  unsigned n = 0;

  if (dwarf_diecu (die, &at, NULL, NULL) == NULL)
    return 0;
  while (n < MAX_SCOPES) {
    const GArray *children = children_of (object, &at);
    guint behind = DG_BISECT (0, children->len, i,
                              (const char *) g_array_index (children, void *,
                                                            i)
                                <= (const char *) die->addr);
    void *child;

    if (behind == 0)
      break;
    child = g_array_index (children, void *, behind - 1);
    if (child == die->addr)
      break;
    at = (Dwarf_Die){.addr = child, .cu = at.cu};
    out[n++] = at;
  }
  return n;
}

/* A definition can stand outside of the scope that declares it; so can the
   functions around a variable.  */
static void
append_scopes (struct dg_object *object, GString *text, Dwarf_Die *die,
               int depth)
{
  Dwarf_Die scopes[MAX_SCOPES], from = *die, origin;
  gsize start = text->len;
  unsigned n;

  if (dg_die_follow (die, DW_AT_specification, &origin)
      || dg_die_follow (die, DW_AT_abstract_origin, &origin))
    from = origin;
  n = scopes_of (object, &from, scopes);
  for (unsigned i = 0; i < n; i++) {
    const char *name = dwarf_diename (&scopes[i]);
    Dwarf_Die whole;

    /* Of a type of a unit of its own there may be no more.  */
    if (name == NULL
        && dg_die_follow (&scopes[i], DW_AT_signature, &whole))
      name = dwarf_diename (&whole);

    switch (dwarf_tag (&scopes[i])) {
    case DW_TAG_namespace:
      g_string_append (text, name != NULL ? name : "(anonymous namespace)");
      break;
    case DW_TAG_subprogram:
      if (name == NULL)
        continue;
      if (depth < MAX_ORIGINS) {
        g_string_truncate (text, start);
        append_scopes (object, text, &scopes[i], depth + 1);
      }
      g_string_append (text, name);
      break;
    /* One for the whole program, whatever functions name it.  */
    case DW_TAG_common_block:
      g_string_truncate (text, start);
      G_GNUC_FALLTHROUGH;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
      if (name == NULL)
        continue;
      g_string_append (text, name);
      break;
    default:
      continue;
    }
    g_string_append (text, "::");
  }
}

void
dg_die_append_scopes (struct dg_object *object, GString *text, Dwarf_Die *die)
{
  append_scopes (object, text, die, 0);
}
