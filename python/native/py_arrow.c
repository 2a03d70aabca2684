/* py_arrow.c: copies of schemas, and batches without rows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_arrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Schemas ---- */

static void
release_schema (struct ArrowSchema *schema)
{
  for (int64_t i = 0; schema->children && i < schema->n_children; i++)
    if (schema->children[i]) {
      if (schema->children[i]->release)
        schema->children[i]->release (schema->children[i]);
      free (schema->children[i]);
    }
  if (schema->dictionary) {
    if (schema->dictionary->release)
      schema->dictionary->release (schema->dictionary);
    free (schema->dictionary);
  }
  free (schema->children);
  free ((char *) schema->format);
  free ((char *) schema->name);
  free ((char *) schema->metadata);
  schema->release = NULL;
}

/* Metadata have their own lengths: numbers of pairs and of bytes.  */
static size_t
metadata_size (const char *metadata)
{
  size_t size = sizeof (int32_t);
  int32_t n, length;

  memcpy (&n, metadata, sizeof n);
  for (int32_t i = 0; i < 2 * n; i++) {
    memcpy (&length, metadata + size, sizeof length);
    size += sizeof length + length;
  }
  return size;
}

static bool
copy_text (const char *text, size_t size, const char **out)
{
  char *copy = text ? malloc (size) : NULL;

  if (copy)
    memcpy (copy, text, size);
  *out = copy;
  return copy || !text;
}

int
py_arrow_copy_schema (const struct ArrowSchema *schema,
                      struct ArrowSchema *out)
{
  const char *metadata = schema->metadata;
  size_t n = schema->n_children;
  bool good;

  *out = (struct ArrowSchema) { .flags = schema->flags,
                                .n_children = schema->n_children,
                                .release = release_schema };
  good = copy_text (schema->format, strlen (schema->format) + 1, &out->format)
         && copy_text (schema->name,
                       schema->name ? strlen (schema->name) + 1 : 0,
                       &out->name)
         && copy_text (metadata, metadata ? metadata_size (metadata) : 0,
                       &out->metadata);
  out->children = good ? calloc (n + 1, sizeof *out->children) : NULL;
  good = good && out->children;
  for (size_t i = 0; i < n && good; i++) {
    out->children[i] = calloc (1, sizeof **out->children);
    good = out->children[i]
           && py_arrow_copy_schema (schema->children[i], out->children[i])
                == 0;
  }
  if (good && schema->dictionary) {
    out->dictionary = calloc (1, sizeof *out->dictionary);
    good = out->dictionary
           && py_arrow_copy_schema (schema->dictionary, out->dictionary) == 0;
  }
  if (!good)
    release_schema (out);
  return good ? 0 : ENOMEM;
}

/* ---- Batches without rows ---- */

static void
release_array (struct ArrowArray *array)
{
  for (int64_t i = 0; array->children && i < array->n_children; i++)
    if (array->children[i]) {
      if (array->children[i]->release)
        array->children[i]->release (array->children[i]);
      free (array->children[i]);
    }
  if (array->dictionary) {
    if (array->dictionary->release)
      array->dictionary->release (array->dictionary);
    free (array->dictionary);
  }
  free (array->children);
  free (array->buffers);
  array->release = NULL;
}

static int
buffers_of (const char *format)
{
  if (strcmp (format, "n") == 0)
    return 0;
  if (strcmp (format, "+s") == 0)
    return 1;
  return strcmp (format, "u") == 0 || strcmp (format, "z") == 0 ? 3 : 2;
}

int
py_arrow_empty (const struct ArrowSchema *schema, struct ArrowArray *out)
{
  /* Enough for offsets and for values.  */
  static const int64_t nothing[2];
  size_t n = schema->n_children;
  bool good;

  *out = (struct ArrowArray) { .n_buffers = buffers_of (schema->format),
                               .n_children = schema->n_children,
                               .release = release_array };
  out->buffers = calloc (out->n_buffers + 1, sizeof *out->buffers);
  out->children = calloc (n + 1, sizeof *out->children);
  good = out->buffers && out->children;
  for (int64_t i = 1; i < out->n_buffers && good; i++)
    out->buffers[i] = nothing;
  for (size_t i = 0; i < n && good; i++) {
    out->children[i] = calloc (1, sizeof **out->children);
    good = out->children[i]
           && py_arrow_empty (schema->children[i], out->children[i]) == 0;
  }
  if (good && schema->dictionary) {
    out->dictionary = calloc (1, sizeof *out->dictionary);
    good = out->dictionary
           && py_arrow_empty (schema->dictionary, out->dictionary) == 0;
  }
  if (!good)
    release_array (out);
  return good ? 0 : ENOMEM;
}
