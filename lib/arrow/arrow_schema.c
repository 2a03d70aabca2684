/* arrow_schema.c: the schema of a stream.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_schema.h"

#include <glib.h>
#include <string.h>

#include "arrow_array.h"
#include "base/error.h"

struct owned {
  char *name;
  struct ArrowSchema **children, *dictionary;
  size_t n_children;
};

static void
free_schema (struct ArrowSchema *schema)
{
  if (schema && schema->release)
    schema->release (schema);
  g_free (schema);
}

static void
release (struct ArrowSchema *schema)
{
  struct owned *owned = schema->private_data;

  for (size_t i = 0; i < owned->n_children; i++)
    free_schema (owned->children[i]);
  free_schema (owned->dictionary);
  g_free (owned->children);
  g_free (owned->name);
  g_free (owned);
  schema->release = NULL;
}

/* format: a constant.  */
static int
make (struct ArrowSchema *out, const char *format, const char *name,
      size_t n_children, struct dg_error *err)
{
  struct owned *owned = g_try_new0 (struct owned, 1);
  size_t size = strlen (name) + 1;

  out->release = NULL;
  if (!owned)
    return dg_error_nomem (err);
  *out = (struct ArrowSchema) { .format = format, .release = release,
                                .private_data = owned };
  owned->name = g_try_malloc (size);
  owned->children = g_try_new0 (struct ArrowSchema *, n_children + 1);
  if (!owned->name || !owned->children) {
    release (out);
    return dg_error_nomem (err);
  }
  memcpy (owned->name, name, size);
  out->name = owned->name;
  out->children = owned->children;
  return 0;
}

static struct ArrowSchema *
add_child (struct ArrowSchema *parent)
{
  struct owned *owned = parent->private_data;
  struct ArrowSchema *child = g_try_new0 (struct ArrowSchema, 1);

  if (child) {
    owned->children[owned->n_children++] = child;
    parent->n_children = owned->n_children;
  }
  return child;
}

static int
make_child (struct ArrowSchema *parent, const char *format, const char *name,
            size_t n_children, struct dg_error *err)
{
  struct ArrowSchema *child = add_child (parent);

  return child ? make (child, format, name, n_children, err)
               : dg_error_nomem (err);
}

static int
make_dictionary (struct ArrowSchema *of, struct dg_error *err)
{
  struct owned *owned = of->private_data;

  owned->dictionary = g_try_new0 (struct ArrowSchema, 1);
  if (!owned->dictionary)
    return dg_error_nomem (err);
  of->dictionary = owned->dictionary;
  return make (of->dictionary, "u", "", 0, err);
}

static int
make_items (struct ArrowSchema *list, enum dg_arrow_type type,
            const char *number, struct dg_error *err)
{
  int code;

  if (type == DG_ARROW_LIST)
    return make_child (list, number, "item", 0, err);
  code = make_child (list, "+s", "item", 2, err);
  if (code == 0)
    code = make_child (list->children[0], number, "key", 0, err);
  if (code == 0)
    code = make_child (list->children[0], number, "count", 0, err);
  return code;
}

static const char *
format_of (enum dg_arrow_type type, bool is_signed)
{
  switch (type) {
  case DG_ARROW_U32:
    return is_signed ? "i" : "I";
  case DG_ARROW_U64:
    return is_signed ? "l" : "L";
  case DG_ARROW_I64:
    return "l";
  case DG_ARROW_REAL:
    return "g";
  case DG_ARROW_BOOL:
    return "b";
  case DG_ARROW_TEXT:
    return "u";
  case DG_ARROW_INDEX:
    return "i";
  default:
    return "+l";
  }
}

static int
add_column (struct ArrowSchema *out, const struct dg_arrow_column *column,
            bool is_signed, struct dg_error *err)
{
  enum dg_arrow_type type = dg_arrow_type (column);
  struct ArrowSchema *child;
  int code = make_child (out, format_of (type, is_signed), column->name, 1,
                         err);

  if (code < 0)
    return code;
  child = out->children[out->n_children - 1];
  if (column->flags & DG_ARROW_NULLABLE)
    child->flags |= ARROW_FLAG_NULLABLE;
  if (type == DG_ARROW_INDEX)
    return make_dictionary (child, err);
  if (type == DG_ARROW_LIST || type == DG_ARROW_PAIRS)
    return make_items (child, type, is_signed ? "l" : "L", err);
  return 0;
}

int
dg_arrow_schema_make (const struct dg_arrow_column *columns,
                      const uint32_t *numbers, size_t n, bool is_signed,
                      struct ArrowSchema *out, struct dg_error *err)
{
  int code = make (out, "+s", "", n, err);

  for (size_t i = 0; i < n && code == 0; i++)
    code = add_column (out, &columns[numbers[i]], is_signed, err);
  if (code < 0 && out->release)
    out->release (out);
  return code;
}
