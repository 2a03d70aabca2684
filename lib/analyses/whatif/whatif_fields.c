/* whatif_fields.c: the fields of a type, and its layout after a change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Of types whose fields are looked at.  */
#define MOST_PERIOD 65536
/* Alignments of scalars.  */
#define MOST_ALIGN 16

static void
clear_field (void *data)
{
  g_free (((struct dg_whatif_field *) data)->name);
}

/* The outermost member of a path: "pos" of "[0].pos.x".  */
static char *
member_of (const char *path)
{
  const char *bound;

  while (*path == '[' && (bound = strchr (path, ']')) != NULL)
    path = bound + 1;
  path += *path == '.';
  return g_strndup (path, strcspn (path, ".["));
}

/* The alignment that a scalar needs at such a place.  */
static uint32_t
align_of (const struct dg_field *leaf)
{
  uint64_t align = MIN (leaf->size & -leaf->size, MOST_ALIGN);

  while (align > 1 && leaf->offset % align != 0)
    align /= 2;
  return (uint32_t) MAX (align, 1);
}

static void
add_byte (GArray *fields, const struct dg_field *leaf, uint64_t offset)
{
  struct dg_whatif_field *last = NULL, field;
  char *name = member_of (leaf->path);

  if (fields->len > 0)
    last = &g_array_index (fields, struct dg_whatif_field, fields->len - 1);
  if (last != NULL && strcmp (last->name, name) == 0) {
    last->new_size = last->size = offset + 1 - last->offset;
    last->align = MAX (last->align, align_of (leaf));
    g_free (name);
    return;
  }
  field = (struct dg_whatif_field){ .name = name,
                                    .offset = offset,
                                    .size = 1,
                                    .new_size = 1,
                                    .align = align_of (leaf) };
  g_array_append_val (fields, field);
}

GArray *
dg_whatif_fields_list (struct dg_symbols *symbols, const struct dg_type *type,
                       uint64_t period)
{
  GArray *fields =
    g_array_new (FALSE, TRUE, sizeof (struct dg_whatif_field));
  struct dg_field leaf;

  g_array_set_clear_func (fields, clear_field);
  for (uint64_t i = 0; i < period && period <= MOST_PERIOD; i++)
    if (dg_symbols_field (symbols, type, 0, i, 0, &leaf) && !leaf.is_padding
        && leaf.member != NULL)
      add_byte (fields, &leaf, i);
  return fields;
}

static struct dg_whatif_field *
find (GArray *fields, const char *name)
{
  for (guint i = 0; i < fields->len; i++) {
    struct dg_whatif_field *field =
      &g_array_index (fields, struct dg_whatif_field, i);

    if (strcmp (field->name, name) == 0)
      return field;
  }
  return NULL;
}

static int
refuse_field (const struct dg_whatif_target *target, GArray *fields,
              const char *name, struct dg_error *err)
{
  struct dg_nearest *nearest = dg_nearest_new (name, NULL);
  char *hint = NULL;
  int code;

  for (guint i = 0; nearest != NULL && i < fields->len; i++)
    dg_nearest_add (nearest,
                    g_array_index (fields, struct dg_whatif_field, i).name);
  if (nearest != NULL)
    hint = dg_nearest_hint (nearest);
  code = dg_error_set (err, DG_ERR_INVALID, "'%s' has no field '%s'%s",
                       target->what, name, hint != NULL ? hint : "");
  dg_nearest_free (nearest);
  free (hint);
  return code;
}

/* Whether all names are those of fields; sets new sizes.  */
static int
check (const struct dg_whatif_target *target, GArray *fields,
       struct dg_error *err)
{
  if (fields->len == 0)
    return dg_error_set (err, DG_ERR_INVALID, "'%s' has no fields",
                         target->what);
  for (char **name = target->names; name != NULL && *name != NULL; name++)
    if (find (fields, *name) == NULL)
      return refuse_field (target, fields, *name, err);
  for (guint i = 0; i < target->narrowed->len; i++) {
    const char *name = g_ptr_array_index (target->narrowed, i);
    struct dg_whatif_field *field = find (fields, name);

    if (field == NULL)
      return refuse_field (target, fields, name, err);
    field->new_size =
      MIN (field->size, g_array_index (target->widths, uint64_t, i));
    field->align = (uint32_t) MIN (field->align,
                                   field->new_size & -field->new_size);
  }
  return 0;
}

struct dg_whatif_layout *
dg_whatif_fields_layout (struct dg_symbols *symbols,
                         const struct dg_whatif_target *target,
                         const struct dg_type *type, uint64_t period,
                         struct dg_error *err)
{
  GArray *fields = dg_whatif_fields_list (symbols, type, period);
  struct dg_whatif_layout *layout = NULL;

  if (check (target, fields, err) == 0) {
    layout = dg_whatif_layout_new (
      target->how, period,
      &g_array_index (fields, struct dg_whatif_field, 0), fields->len,
      target->names);
    if (layout == NULL)
      dg_error_nomem (err);
  }
  g_array_unref (fields);
  return layout;
}
