/* py_module.c: the extension module datagrind._native.

   It is what the Python of the package is written with, not an interface for
   users: arguments are exact, and there are no defaults.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_handle.h"
#include "py_info.h"
#include "py_log.h"
#include "py_native.h"
#include "py_stream.h"

#include <string.h>

struct py_state *
py_state_get (PyObject *module)
{
  return PyModule_GetState (module);
}

/* ---- What all files use ---- */

int
py_put (PyObject *dict, const char *key, PyObject *value)
{
  int result = value ? PyDict_SetItemString (dict, key, value) : -1;

  Py_XDECREF (value);
  return result;
}

PyObject *
py_text (const char *text)
{
  if (!text)
    return Py_BuildValue ("");
  return PyUnicode_DecodeUTF8 (text, strlen (text), "surrogateescape");
}

PyObject *
py_error_tuple (const struct dg_error *failed)
{
  return Py_BuildValue ("(sKN)", dg_code_name (failed->code),
                        (unsigned long long) failed->offset,
                        py_text (failed->message));
}

PyObject *
py_error_raise (PyObject *module, const struct dg_error *failed,
                const char *path)
{
  PyObject *class = py_state_get (module)->error, *error;

  if (PyErr_Occurred ())
    return NULL;
  error = PyObject_CallFunction (class, "sKNN", dg_code_name (failed->code),
                                 (unsigned long long) failed->offset,
                                 py_text (failed->message), py_text (path));
  if (error) {
    PyErr_SetObject (class, error);
    Py_DECREF (error);
  }
  return NULL;
}

/* ---- The module ---- */

static PyObject *
count_handles (PyObject *module, PyObject *unused)
{
  return PyLong_FromSize_t (py_handle_count ());
}

static PyMethodDef functions[] = {
  { "open", py_log_open, METH_VARARGS,
    "open (path, follow, source_paths, workers, progress) -> Log" },
  { "tables", py_info_tables, METH_NOARGS,
    "(name, help, columns, limits) of each table" },
  { "copy_schema", py_stream_copy_schema, METH_O,
    "copy_schema (capsule) -> capsule" },
  { "schema_columns", py_stream_columns, METH_O,
    "schema_columns (capsule) -> (name, format, is_dictionary, is_nullable) "
    "of each column" },
  { "read_rows", py_stream_read, METH_VARARGS,
    "read_rows (stream, max) -> (n, columns) of the next batch, or None" },
  { "count_handles", count_handles, METH_NOARGS,
    "How many logs this process keeps open." },
  { NULL }
};

static int
add_type (PyObject *module, PyType_Spec *spec, const char *name,
          PyObject **type)
{
  *type = PyType_FromSpec (spec);
  if (!*type)
    return -1;
  Py_INCREF (*type);
  if (PyModule_AddObject (module, name, *type) == 0)
    return 0;
  Py_DECREF (*type);
  return -1;
}

static int
start (PyObject *module)
{
  struct py_state *state = py_state_get (module);
  PyObject *errors = PyImport_ImportModule ("datagrind.error");

  if (!errors)
    return -1;
  state->error = PyObject_GetAttrString (errors, "Error");
  Py_DECREF (errors);
  if (!state->error
      || add_type (module, &py_log_spec, "Log", &state->log_type) < 0
      || add_type (module, &py_stream_status_spec, "Status",
                   &state->status_type)
           < 0)
    return -1;
#ifdef DATAGRIND_BINDIR
  if (PyModule_AddStringConstant (module, "bindir", DATAGRIND_BINDIR) < 0)
    return -1;
#endif
  return PyModule_AddStringConstant (module, "version",
                                     dg_version (NULL, NULL, NULL));
}

static int
traverse (PyObject *module, visitproc visit, void *arg)
{
  struct py_state *state = py_state_get (module);

  Py_VISIT (state->error);
  Py_VISIT (state->log_type);
  Py_VISIT (state->status_type);
  return 0;
}

static int
clear (PyObject *module)
{
  struct py_state *state = py_state_get (module);

  Py_CLEAR (state->error);
  Py_CLEAR (state->log_type);
  Py_CLEAR (state->status_type);
  return 0;
}

static void
clear_all (void *module)
{
  clear (module);
}

static PyModuleDef_Slot slots[] = { { Py_mod_exec, start }, { 0, NULL } };
static struct PyModuleDef definition = {
  PyModuleDef_HEAD_INIT,
  .m_name = "datagrind._native",
  .m_doc = "The tables of a log as streams of Arrow, by libdatagrind.",
  .m_size = sizeof (struct py_state),
  .m_methods = functions,
  .m_slots = slots,
  .m_traverse = traverse,
  .m_clear = clear,
  .m_free = clear_all
};

PyMODINIT_FUNC PyInit__native (void);

PyMODINIT_FUNC
PyInit__native (void)
{
  return PyModuleDef_Init (&definition);
}
