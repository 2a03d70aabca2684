/* py_value.c: values of batches as Python objects, for the first rows that are
   shown and for programs without any library for Arrow.

   It knows the formats that libdatagrind writes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_arrow.h"

#include <string.h>

static bool
is_null (const struct ArrowArray *array, int64_t row)
{
  const uint8_t *valid = array->n_buffers > 0 ? array->buffers[0] : NULL;
  int64_t i = row + array->offset;

  return valid && !(valid[i / 8] >> (i % 8) & 1);
}

static PyObject *
text_value (const struct ArrowArray *array, int64_t row)
{
  const int32_t *ends = array->buffers[1];
  const char *bytes = array->buffers[2];
  int64_t i = row + array->offset;

  return PyUnicode_DecodeUTF8 (bytes + ends[i], ends[i + 1] - ends[i],
                               "replace");
}

static PyObject *
list_value (const struct ArrowSchema *schema, const struct ArrowArray *array,
            int64_t row)
{
  const int32_t *ends = array->buffers[1];
  int64_t i = row + array->offset;
  PyObject *list = PyList_New (ends[i + 1] - ends[i]), *item;

  for (int32_t k = ends[i]; list && k < ends[i + 1]; k++) {
    item = py_arrow_value (schema->children[0], array->children[0], k);
    if (!item || PyList_SetItem (list, k - ends[i], item) < 0)
      Py_CLEAR (list);
  }
  return list;
}

static PyObject *
struct_value (const struct ArrowSchema *schema, const struct ArrowArray *array,
              int64_t row)
{
  PyObject *dict = PyDict_New ();

  for (int64_t i = 0; dict && i < schema->n_children; i++)
    if (py_put (dict, schema->children[i]->name,
                py_arrow_value (schema->children[i], array->children[i],
                                row + array->offset))
        < 0)
      Py_CLEAR (dict);
  return dict;
}

static PyObject *
number_value (char format, const void *values, int64_t i)
{
  switch (format) {
  case 'L':
    return PyLong_FromUnsignedLongLong (((const uint64_t *) values)[i]);
  case 'l':
    return PyLong_FromLongLong (((const int64_t *) values)[i]);
  case 'I':
    return PyLong_FromUnsignedLong (((const uint32_t *) values)[i]);
  case 'i':
    return PyLong_FromLong (((const int32_t *) values)[i]);
  case 'g':
    return PyFloat_FromDouble (((const double *) values)[i]);
  case 'b':
    return PyBool_FromLong (((const uint8_t *) values)[i / 8] >> (i % 8) & 1);
  }
  return PyErr_Format (PyExc_NotImplementedError,
                       "no Python values of Arrow's format %c", format);
}

PyObject *
py_arrow_value (const struct ArrowSchema *schema,
                const struct ArrowArray *array, int64_t row)
{
  const char *format = schema->format;

  if (is_null (array, row))
    Py_RETURN_NONE;
  if (schema->dictionary) {
    const int32_t *indices = array->buffers[1];

    return py_arrow_value (schema->dictionary, array->dictionary,
                           indices[row + array->offset]);
  }
  if (strcmp (format, "+s") == 0)
    return struct_value (schema, array, row);
  if (strcmp (format, "+l") == 0)
    return list_value (schema, array, row);
  if (strcmp (format, "u") == 0)
    return text_value (array, row);
  return number_value (format[0], array->buffers[1], row + array->offset);
}
