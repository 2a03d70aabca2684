/* py_log.c: a log as a Python object: open, grow, stream, close.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_log.h"

#include "py_handle.h"
#include "py_info.h"
#include "py_progress.h"
#include "py_stream.h"

struct log {
  PyObject_HEAD
  PyObject *module;
  struct py_handle *handle;  /* NULL: closed */
  struct dg_error flaw;      /* code 0: none */
  PyObject *source_paths;    /* for logs that it becomes, or NULL */
  unsigned workers;
  bool is_growing_now;       /* in a call */
};

/* ---- Opening ---- */

/* Without the GIL.  Returns the code of loading, which may be that of a log
   that is cut short or damaged: it is then in *flaw.  */
static int
load (const char *path, bool follow, unsigned workers,
      struct py_progress *progress, struct dg_log **log,
      struct dg_error *flaw, struct dg_error *err)
{
  int code = dg_log_open (path, log, err);

  if (code < 0)
    return code;
  code = (follow ? dg_log_load_growing : dg_log_load) (
    *log, workers, py_progress_show, progress, err);
  if (code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    *flaw = *err;
    return 0;
  }
  if (code < 0) {
    dg_log_close (*log);
    *log = NULL;
  }
  return code;
}

/* Takes the log.  NULL and an exception.  */
static struct py_handle *
make_handle (PyObject *module, struct dg_log *log, PyObject *source_paths)
{
  PyObject *kept = PyList_New (0);
  const char **paths = NULL;
  struct py_handle *handle = NULL;
  struct dg_error err;

  if (kept && source_paths)
    paths = py_query_texts (source_paths, kept, NULL);
  if (!kept || (source_paths && !paths))
    dg_log_close (log);
  else {
    handle = py_handle_new (log, paths, &err);
    if (!handle)
      py_error_raise (module, &err, NULL);
  }
  PyMem_Free (paths);
  Py_XDECREF (kept);
  return handle;
}

/* Takes the handle.  */
static PyObject *
new_log (PyObject *module, struct py_handle *handle,
         const struct dg_error *flaw, PyObject *source_paths, unsigned workers)
{
  PyTypeObject *type = (PyTypeObject *) py_state_get (module)->log_type;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  struct log *self = (struct log *) alloc (type, 0);

  if (!self) {
    py_handle_drop (handle);
    return NULL;
  }
  Py_INCREF (module);
  self->module = module;
  self->handle = handle;
  self->flaw = *flaw;
  Py_XINCREF (source_paths);
  self->source_paths = source_paths;
  self->workers = workers;
  return (PyObject *) self;
}

static PyObject *
none_is_null (PyObject *object)
{
  return object == Py_None ? NULL : object;
}

PyObject *
py_log_open (PyObject *module, PyObject *args)
{
  PyObject *path, *source_paths, *callback;
  struct py_progress progress = { .is_own_call = true };
  struct dg_error flaw = { .code = 0 }, err = { .code = 0 };
  struct py_handle *handle;
  struct dg_log *log = NULL;
  int follow, code;
  unsigned workers;

  if (!PyArg_ParseTuple (args, "O&pOIO", PyUnicode_FSConverter, &path,
                         &follow, &source_paths, &workers, &callback))
    return NULL;
  progress.callback = none_is_null (callback);
  source_paths = none_is_null (source_paths);
  Py_BEGIN_ALLOW_THREADS
  code = load (PyBytes_AsString (path), follow, workers, &progress, &log,
               &flaw, &err);
  Py_END_ALLOW_THREADS
  if (code < 0)
    py_error_raise (module, &err, PyBytes_AsString (path));
  Py_DECREF (path);
  if (code < 0)
    return NULL;
  handle = make_handle (module, log, source_paths);
  return handle ? new_log (module, handle, &flaw, source_paths, workers)
                : NULL;
}

/* ---- Methods ---- */

/* NULL and an exception: it is closed.  */
static struct py_handle *
open_handle (PyObject *self)
{
  struct log *log = (struct log *) self;

  if (!log->handle)
    PyErr_SetString (PyExc_ValueError, "the log is closed");
  return log->handle;
}

/* Drops the handle, which may free much, without the GIL.  */
static void
drop_handle (struct py_handle *handle)
{
  Py_BEGIN_ALLOW_THREADS
  py_handle_drop (handle);
  Py_END_ALLOW_THREADS
}

static PyObject *
log_close (PyObject *self, PyObject *unused)
{
  struct log *log = (struct log *) self;
  struct py_handle *handle = log->handle;

  log->handle = NULL;
  drop_handle (handle);
  Py_RETURN_NONE;
}

static PyObject *
log_stream (PyObject *self, PyObject *args)
{
  struct log *log = (struct log *) self;
  struct py_handle *handle;
  struct py_query query = { .kept = NULL };
  PyObject *dict, *callback, *result = NULL;

  if (!PyArg_ParseTuple (args, "O!O", &PyDict_Type, &dict, &callback))
    return NULL;
  if (py_query_init (&query, dict) == 0) {
    handle = open_handle (self);
    if (handle) {
      py_handle_keep (handle);
      result = py_stream_open (log->module, handle, &query,
                               none_is_null (callback));
      drop_handle (handle);
    }
  }
  py_query_fini (&query);
  return result;
}

/* Without the GIL.  1: *grown; 0; < 0.  */
static int
grow (struct dg_log *log, unsigned workers, struct py_progress *progress,
      struct dg_log **grown, struct dg_error *flaw, struct dg_error *err)
{
  if (!dg_log_can_grow (log))
    return 0;
  return dg_log_grow (log, workers, py_progress_show, progress, grown, flaw,
                      err);
}

/* Takes the grown log in place of the old one.  */
static PyObject *
become (struct log *self, struct dg_log *grown, const struct dg_error *flaw)
{
  struct py_handle *new
    = make_handle (self->module, grown, self->source_paths), *old;

  if (!new)
    return NULL;
  /* Making it may have run code that closes the log.  */
  old = self->handle;
  if (!old) {
    drop_handle (new);
    return PyBool_FromLong (0);
  }
  self->handle = new;
  self->flaw = *flaw;
  drop_handle (old);
  return PyBool_FromLong (1);
}

static PyObject *
log_grow (PyObject *object, PyObject *args)
{
  struct log *self = (struct log *) object;
  struct py_progress progress = { .is_own_call = true };
  struct dg_error flaw = { .code = 0 }, err = { .code = 0 };
  struct py_handle *handle = open_handle (object);
  struct dg_log *grown = NULL;
  PyObject *callback;
  int code;

  if (!handle || !PyArg_ParseTuple (args, "O", &callback))
    return NULL;
  if (self->is_growing_now) {
    PyErr_SetString (PyExc_RuntimeError,
                     "the log is growing on another thread");
    return NULL;
  }
  progress.callback = none_is_null (callback);
  self->is_growing_now = true;
  py_handle_keep (handle);
  Py_BEGIN_ALLOW_THREADS
  code = grow (handle->log, self->workers, &progress, &grown, &flaw, &err);
  Py_END_ALLOW_THREADS
  self->is_growing_now = false;
  if (code < 0)
    py_error_raise (self->module, &err, dg_log_path (handle->log));
  drop_handle (handle);
  if (code > 0 && !self->handle)
    dg_log_close (grown);
  else if (code > 0)
    return become (self, grown, &flaw);
  return code < 0 ? NULL : PyBool_FromLong (0);
}

/* Objects that are made can start the collection of garbage, which runs code
   of anybody and other threads: they may close the log.  */
static PyObject *
made_of (PyObject *self, PyObject *(*make) (const struct dg_log *log))
{
  struct py_handle *handle = open_handle (self);
  PyObject *result;

  if (!handle)
    return NULL;
  py_handle_keep (handle);
  result = make (handle->log);
  drop_handle (handle);
  return result;
}

static PyObject *
log_info (PyObject *self, PyObject *unused)
{
  return made_of (self, py_info_log);
}

static PyObject *
log_chunks (PyObject *self, PyObject *unused)
{
  return made_of (self, py_info_chunks);
}

/* ---- Attributes ---- */

static PyObject *
get_problem (PyObject *self, void *unused)
{
  struct log *log = (struct log *) self;

  if (log->flaw.code == 0)
    Py_RETURN_NONE;
  return py_error_tuple (&log->flaw);
}

static PyObject *
get_n_chunks (PyObject *self, void *unused)
{
  struct py_handle *handle = open_handle (self);
  size_t n;

  if (!handle)
    return NULL;
  dg_log_chunks (handle->log, &n);
  return PyLong_FromSize_t (n);
}

static PyObject *
get_is_growing (PyObject *self, void *unused)
{
  struct py_handle *handle = open_handle (self);

  if (!handle)
    return NULL;
  return PyBool_FromLong (dg_log_can_grow (handle->log)
                          && dg_log_writer (handle->log) != DG_WRITER_NONE);
}

static PyObject *
get_is_closed (PyObject *self, void *unused)
{
  return PyBool_FromLong (!((struct log *) self)->handle);
}

static void
log_free (PyObject *object)
{
  struct log *self = (struct log *) object;
  PyTypeObject *type = Py_TYPE (object);
  freefunc free_it = (freefunc) PyType_GetSlot (type, Py_tp_free);

  drop_handle (self->handle);
  Py_XDECREF (self->source_paths);
  Py_XDECREF (self->module);
  free_it (object);
  Py_DECREF (type);
}

static PyMethodDef log_methods[] = {
  { "close", log_close, METH_NOARGS,
    "Closes the log; streams that are open keep it." },
  { "stream", log_stream, METH_VARARGS,
    "stream (query, progress) -> (stream, status, schema)" },
  { "grow", log_grow, METH_VARARGS,
    "grow (progress) -> whether something was appended" },
  { "info", log_info, METH_NOARGS, "Process and totals, as a dict." },
  { "chunks", log_chunks, METH_NOARGS,
    "(icount, accesses before, runs before) of each chunk." },
  { NULL }
};
static PyGetSetDef log_members[] = {
  { "problem", get_problem, NULL, "(code, offset, message) or None", NULL },
  { "n_chunks", get_n_chunks, NULL, "Number of chunks", NULL },
  { "is_growing", get_is_growing, NULL,
    "Whether more may be appended", NULL },
  { "is_closed", get_is_closed, NULL, "Whether it is closed", NULL },
  { NULL }
};
static PyType_Slot log_slots[] = {
  { Py_tp_dealloc, log_free },
  { Py_tp_methods, log_methods },
  { Py_tp_getset, log_members },
  { Py_tp_doc, (void *) "A loaded log." },
  { 0, NULL }
};
PyType_Spec py_log_spec = {
  .name = "datagrind._native.Log",
  .basicsize = sizeof (struct log),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = log_slots
};
