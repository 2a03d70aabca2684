/* py_query.c: a query of Python as one of libdatagrind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_query.h"

/* ---- Values ---- */

/* The text of a string without 0 bytes, whose bytes go to `kept`.  */
static const char *
take_text (PyObject *value, PyObject *kept)
{
  PyObject *bytes;
  char *text;

  if (!PyUnicode_Check (value)) {
    PyErr_SetString (PyExc_TypeError, "a text is expected");
    return NULL;
  }
  bytes = PyUnicode_AsEncodedString (value, "utf-8", "surrogateescape");
  if (!bytes || PyBytes_AsStringAndSize (bytes, &text, NULL) < 0
      || PyList_Append (kept, bytes) < 0)
    text = NULL;
  Py_XDECREF (bytes);
  return text;
}

static int
take_number (PyObject *value, uint64_t max, uint64_t *out)
{
  PyObject *number = PyNumber_Index (value);
  unsigned long long result;

  if (!number)
    return -1;
  result = PyLong_AsUnsignedLongLong (number);
  Py_DECREF (number);
  if (PyErr_Occurred ())
    return -1;
  if (result > max) {
    PyErr_Format (PyExc_OverflowError, "%llu is larger than %llu", result,
                  (unsigned long long) max);
    return -1;
  }
  *out = result;
  return 0;
}

static int
take_pair (PyObject *value, struct dg_arrow_span *out)
{
  PyObject *pair = PySequence_Tuple (value);
  int result = -1;

  if (pair && PyTuple_Size (pair) != 2)
    PyErr_SetString (PyExc_TypeError, "a pair of numbers is expected");
  else if (pair)
    result = take_number (PyTuple_GetItem (pair, 0), UINT64_MAX, &out->low)
                   < 0
                 || take_number (PyTuple_GetItem (pair, 1), UINT64_MAX,
                                 &out->high)
                      < 0
               ? -1
               : 0;
  Py_XDECREF (pair);
  return result;
}

/* ---- Sequences ---- */

/* Room for the items of a sequence and one more; *items is their tuple.  */
static void *
take_sequence (PyObject *value, size_t size, PyObject **items, size_t *n)
{
  void *array;

  *items = PySequence_Tuple (value);
  if (!*items)
    return NULL;
  *n = PyTuple_Size (*items);
  array = PyMem_Calloc (*n + 1, size);
  if (!array) {
    PyErr_NoMemory ();
    Py_CLEAR (*items);
  }
  return array;
}

const char **
py_query_texts (PyObject *sequence, PyObject *kept, size_t *n)
{
  PyObject *items;
  size_t count;
  const char **texts;

  texts = take_sequence (sequence, sizeof *texts, &items, &count);
  for (size_t i = 0; texts && i < count; i++) {
    texts[i] = take_text (PyTuple_GetItem (items, i), kept);
    if (!texts[i]) {
      PyMem_Free (texts);
      texts = NULL;
    }
  }
  Py_XDECREF (items);
  if (n)
    *n = texts ? count : 0;
  return texts;
}

static int
take_threads (struct py_query *query, PyObject *value)
{
  PyObject *items;
  uint64_t thread;
  int result = 0;

  query->threads = take_sequence (value, sizeof *query->threads, &items,
                                  &query->query.n_threads);
  if (!query->threads)
    return -1;
  for (size_t i = 0; i < query->query.n_threads && result == 0; i++) {
    result = take_number (PyTuple_GetItem (items, i), UINT32_MAX, &thread);
    query->threads[i] = result == 0 ? thread : 0;
  }
  Py_DECREF (items);
  query->query.threads = query->threads;
  return result;
}

static int
take_addresses (struct py_query *query, PyObject *value)
{
  PyObject *items;
  int result = 0;

  query->addresses = take_sequence (value, sizeof *query->addresses, &items,
                                    &query->query.n_addresses);
  if (!query->addresses)
    return -1;
  for (size_t i = 0; i < query->query.n_addresses && result == 0; i++)
    result = take_pair (PyTuple_GetItem (items, i), &query->addresses[i]);
  Py_DECREF (items);
  query->query.addresses = query->addresses;
  return result;
}

static int
take_setting (PyObject *value, PyObject *kept, struct dg_setting *out)
{
  PyObject *pair = PySequence_Tuple (value), *text;
  int result = -1;

  if (pair && PyTuple_Size (pair) != 2)
    PyErr_SetString (PyExc_TypeError, "a pair of texts is expected");
  else if (pair) {
    text = PyTuple_GetItem (pair, 1);
    out->name = take_text (PyTuple_GetItem (pair, 0), kept);
    out->value = out->name && text != Py_None ? take_text (text, kept) : NULL;
    result = out->name && (out->value || text == Py_None) ? 0 : -1;
  }
  Py_XDECREF (pair);
  return result;
}

static int
take_settings (struct py_query *query, PyObject *value)
{
  PyObject *items;
  int result = 0;

  query->settings = take_sequence (value, sizeof *query->settings, &items,
                                   &query->query.n_settings);
  if (!query->settings)
    return -1;
  for (size_t i = 0; i < query->query.n_settings && result == 0; i++)
    result = take_setting (PyTuple_GetItem (items, i), query->kept,
                           &query->settings[i]);
  Py_DECREF (items);
  query->query.settings = query->settings;
  return result;
}

/* ---- The query ---- */

enum member {
  TABLE, COLUMNS, IS_SIGNED, BATCH_ROWS, THREADS, ICOUNTS, ADDRESSES, KINDS,
  EVENTS, RANGES, CHUNKS, SETTINGS, TOP, WORKERS, NO_FILES, N_MEMBERS
};
static const char *const member_names[N_MEMBERS] = {
  "table", "columns", "is_signed", "batch_rows", "threads", "icounts",
  "addresses", "kinds", "events", "ranges", "chunks", "settings", "top",
  "workers", "no_files"
};

static int
take_number_member (struct dg_arrow_query *query, enum member member,
                    PyObject *value)
{
  uint64_t number;
  bool is_small = member == KINDS || member == WORKERS;

  if (take_number (value, is_small ? UINT_MAX : SIZE_MAX, &number) < 0)
    return -1;
  switch (member) {
  case BATCH_ROWS:
    query->batch_rows = number;
    break;
  case KINDS:
    query->kinds = number;
    break;
  case TOP:
    query->top = number;
    break;
  default:
    query->workers = number;
  }
  return 0;
}

static int
take_columns (struct py_query *query, PyObject *value)
{
  query->columns = py_query_texts (value, query->kept,
                                   &query->query.n_columns);
  query->query.columns = query->columns;
  query->query.is_empty = query->query.n_columns == 0;
  return query->columns ? 0 : -1;
}

static int
take_text_member (struct py_query *query, PyObject *value, const char **out)
{
  *out = take_text (value, query->kept);
  return *out ? 0 : -1;
}

static int
take_chunks (struct dg_arrow_query *query, PyObject *value)
{
  struct dg_arrow_span span = { 0, 0 };
  int result = take_pair (value, &span);

  query->first_chunk = span.low;
  query->end_chunk = span.high;
  return result;
}

static int
take_member (struct py_query *out, enum member member, PyObject *value)
{
  struct dg_arrow_query *query = &out->query;
  int truth;

  switch (member) {
  case TABLE:
    return take_text_member (out, value, &query->table);
  case EVENTS:
    return take_text_member (out, value, &query->events);
  case RANGES:
    return take_text_member (out, value, &query->ranges);
  case COLUMNS:
    return take_columns (out, value);
  case THREADS:
    return take_threads (out, value);
  case ICOUNTS:
    return take_pair (value, &query->icounts);
  case ADDRESSES:
    return take_addresses (out, value);
  case CHUNKS:
    return take_chunks (query, value);
  case SETTINGS:
    return take_settings (out, value);
  case IS_SIGNED:
  case NO_FILES:
    truth = PyObject_IsTrue (value);
    *(member == NO_FILES ? &query->no_files : &query->is_signed) = truth > 0;
    return truth < 0 ? -1 : 0;
  default:
    return take_number_member (query, member, value);
  }
}

/* A misspelt member would silently be "all".  */
static int
check_names (PyObject *dict)
{
  PyObject *key, *value;
  Py_ssize_t at = 0;

  while (PyDict_Next (dict, &at, &key, &value)) {
    size_t i = 0;

    while (i < N_MEMBERS && PyUnicode_Check (key)
           && PyUnicode_CompareWithASCIIString (key, member_names[i]) != 0)
      i++;
    if (i == N_MEMBERS || !PyUnicode_Check (key)) {
      PyErr_Format (PyExc_TypeError, "a query has no member %R", key);
      return -1;
    }
  }
  return 0;
}

int
py_query_init (struct py_query *query, PyObject *dict)
{
  *query = (struct py_query) { .query.size = sizeof query->query };
  query->kept = PyList_New (0);
  if (!query->kept || check_names (dict) < 0)
    return -1;
  for (size_t i = 0; i < N_MEMBERS; i++) {
    PyObject *value = PyDict_GetItemString (dict, member_names[i]);

    if (value && value != Py_None && take_member (query, i, value) < 0)
      return -1;
  }
  return 0;
}

void
py_query_fini (struct py_query *query)
{
  Py_CLEAR (query->kept);
  PyMem_Free (query->columns);
  PyMem_Free (query->threads);
  PyMem_Free (query->addresses);
  PyMem_Free (query->settings);
}
