/* py_stream.c: a stream of batches as a capsule, and its status.

   A consumer moves the stream out of its capsule and uses it on any thread.
   So that the status can be read afterwards, and so that an exception of a
   signal reaches Python, the consumer gets a stream of our own around that of
   libdatagrind.

   A consumer cannot be made to raise an exception of ours: pyarrow makes its
   own error from an error code.  The exception is delivered by a pending call,
   which Python does before the next instruction of the main thread.  The call
   that was cancelled returns a batch without rows, and if the consumer calls
   again before that, its end: so an iteration in Python is left in its body,
   and a loop in C returns to Python.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "py_arrow.h"
#include "py_progress.h"

struct stream {
  atomic_size_t references;      /* the stream, its status, a pending call */
  pthread_mutex_t lock;          /* of the status */
  struct dg_arrow_status status;
  char **problems;               /* conditions without a match; NULL: none */
  struct ArrowArrayStream inner; /* release NULL: released */
  struct ArrowSchema schema;
  struct py_progress progress;
  /* Whether an exception is on its way to the main thread.  */
  atomic_bool is_interrupted;
};

static void
drop (struct stream *stream)
{
  if (atomic_fetch_sub (&stream->references, 1) > 1)
    return;
  if (stream->schema.release)
    stream->schema.release (&stream->schema);
  for (char **problem = stream->problems; problem && *problem; problem++)
    free (*problem);
  free (stream->problems);
  py_progress_fini (&stream->progress);
  pthread_mutex_destroy (&stream->lock);
  free (stream);
}

static void
update_status (struct stream *stream)
{
  struct dg_arrow_status status = { .size = sizeof status };
  struct dg_error err;

  if (dg_arrow_status (&stream->inner, &status, &err) < 0)
    return;
  pthread_mutex_lock (&stream->lock);
  stream->status = status;
  pthread_mutex_unlock (&stream->lock);
}

/* ---- What consumers call, without the GIL or with it ---- */

static int
get_schema (struct ArrowArrayStream *out, struct ArrowSchema *schema)
{
  struct stream *stream = out->private_data;

  return py_arrow_copy_schema (&stream->schema, schema);
}

/* By Python, on the main thread, with the GIL.  */
static int
deliver (void *arg)
{
  struct stream *stream = arg;
  struct py_progress raised = stream->progress;

  stream->progress.type = NULL;
  stream->progress.value = stream->progress.traceback = NULL;
  atomic_store (&stream->is_interrupted, false);
  drop (stream);
  PyErr_Restore (raised.type, raised.value, raised.traceback);
  return -1;
}

/* Whether the exception that cancelled a call is delivered.  */
static bool
interrupt (struct stream *stream)
{
  if (!stream->progress.was_raised)
    return false;
  stream->progress.was_raised = false;
  atomic_store (&stream->is_interrupted, true);
  atomic_fetch_add (&stream->references, 1);
  if (Py_AddPendingCall (deliver, stream) == 0)
    return true;
  atomic_store (&stream->is_interrupted, false);
  drop (stream);
  return false;
}

static int
get_next (struct ArrowArrayStream *out, struct ArrowArray *batch)
{
  struct stream *stream = out->private_data;
  int code;

  *batch = (struct ArrowArray) { .release = NULL };
  if (atomic_load (&stream->is_interrupted))
    return 0;
  code = stream->inner.get_next (&stream->inner, batch);
  update_status (stream);
  if (code == ECANCELED && interrupt (stream))
    return py_arrow_empty (&stream->schema, batch);
  return code;
}

static const char *
get_last_error (struct ArrowArrayStream *out)
{
  struct stream *stream = out->private_data;

  return stream->inner.get_last_error (&stream->inner);
}

static void
release (struct ArrowArrayStream *out)
{
  struct stream *stream = out->private_data;

  out->release = NULL;
  out->private_data = NULL;
  update_status (stream);
  stream->inner.release (&stream->inner);
  drop (stream);
}

/* ---- Capsules ---- */

static void
free_stream_capsule (PyObject *capsule)
{
  struct ArrowArrayStream *stream =
    PyCapsule_GetPointer (capsule, "arrow_array_stream");

  if (stream && stream->release) {
    /* The last reference to a large log frees much.  */
    Py_BEGIN_ALLOW_THREADS
    stream->release (stream);
    Py_END_ALLOW_THREADS
  }
  free (stream);
}

static void
free_schema_capsule (PyObject *capsule)
{
  struct ArrowSchema *schema =
    PyCapsule_GetPointer (capsule, "arrow_schema");

  if (schema && schema->release)
    schema->release (schema);
  free (schema);
}

static PyObject *
schema_capsule (const struct ArrowSchema *schema)
{
  struct ArrowSchema *copy = calloc (1, sizeof *copy);
  PyObject *capsule;

  if (!copy || py_arrow_copy_schema (schema, copy) != 0) {
    free (copy);
    return PyErr_NoMemory ();
  }
  capsule = PyCapsule_New (copy, "arrow_schema", free_schema_capsule);
  if (!capsule) {
    copy->release (copy);
    free (copy);
  }
  return capsule;
}

/* Takes the stream, also if it fails.  */
static PyObject *
stream_capsule (struct stream *stream)
{
  struct ArrowArrayStream *out = calloc (1, sizeof *out), alone;
  PyObject *capsule;

  alone = (struct ArrowArrayStream) { .get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release,
                                      .private_data = stream };
  if (!out) {
    release (&alone);
    return PyErr_NoMemory ();
  }
  *out = alone;
  capsule = PyCapsule_New (out, "arrow_array_stream", free_stream_capsule);
  if (!capsule) {
    out->release (out);
    free (out);
  }
  return capsule;
}

/* ---- Opening ---- */

static void
handle_closed (void *owner)
{
  py_handle_drop (owner);
}

static struct stream *
new_stream (PyObject *progress)
{
  struct stream *stream = calloc (1, sizeof *stream);

  if (!stream) {
    PyErr_NoMemory ();
    return NULL;
  }
  atomic_init (&stream->references, 1);
  atomic_init (&stream->is_interrupted, false);
  pthread_mutex_init (&stream->lock, NULL);
  stream->progress.is_own_call = true;
  Py_XINCREF (progress);
  stream->progress.callback = progress;
  return stream;
}

/* Copies what the filter says, before others use the stream.  0, or
   DG_ERR_NOMEM.  */
static int
keep_problems (struct stream *stream)
{
  size_t n = 0;

  while (dg_arrow_problem (&stream->inner, n))
    n++;
  stream->problems = n > 0 ? calloc (n + 1, sizeof (char *)) : NULL;
  for (size_t i = 0; i < n; i++)
    if (!stream->problems
        || !(stream->problems[i]
             = strdup (dg_arrow_problem (&stream->inner, i))))
      return DG_ERR_NOMEM;
  return 0;
}

/* Without the GIL.  */
static int
start (struct stream *stream, struct py_handle *handle,
       const struct dg_arrow_query *query, struct dg_error *err)
{
  int code = dg_arrow_open (handle->log, query, &stream->inner, err);

  if (code < 0) {
    py_handle_drop (handle);
    return code;
  }
  if ((query->events || query->ranges) && keep_problems (stream) < 0) {
    stream->inner.release (&stream->inner);
    err->code = DG_ERR_NOMEM;
    strcpy (err->message, "not enough memory");
    return DG_ERR_NOMEM;
  }
  code = stream->inner.get_schema (&stream->inner, &stream->schema);
  update_status (stream);
  if (code == 0)
    return 0;
  *err = stream->status.error;
  stream->inner.release (&stream->inner);
  return err->code < 0 ? err->code : DG_ERR_NOMEM;
}

/* (capsule, status, schema).  */
static PyObject *
wrap (PyObject *module, struct stream *stream, PyObject *status)
{
  PyObject *schema = schema_capsule (&stream->schema), *capsule, *result;

  capsule = stream_capsule (stream);
  if (!capsule || !schema) {
    Py_XDECREF (capsule);
    Py_XDECREF (schema);
    return NULL;
  }
  result = PyTuple_Pack (3, capsule, status, schema);
  Py_DECREF (capsule);
  Py_DECREF (schema);
  return result;
}

struct status {
  PyObject_HEAD
  struct stream *stream;
};

PyObject *
py_stream_open (PyObject *module, struct py_handle *handle,
                struct py_query *query, PyObject *progress)
{
  PyTypeObject *type = (PyTypeObject *) py_state_get (module)->status_type;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  struct status *status = (struct status *) alloc (type, 0);
  struct stream *stream = status ? new_stream (progress) : NULL;
  struct dg_error err = { .code = 0 };
  PyObject *result;
  int code;

  if (!stream) {
    Py_XDECREF ((PyObject *) status);
    return NULL;
  }
  status->stream = stream;
  atomic_fetch_add (&stream->references, 1);
  query->query.shared = handle->shared;
  query->query.progress = py_progress_show;
  query->query.user = &stream->progress;
  query->query.closed = handle_closed;
  query->query.owner = py_handle_keep (handle);
  Py_BEGIN_ALLOW_THREADS
  code = start (stream, handle, &query->query, &err);
  Py_END_ALLOW_THREADS
  stream->progress.is_own_call = stream->progress.was_raised = false;
  if (code < 0) {
    drop (stream);
    result = py_error_raise (module, &err, dg_log_path (handle->log));
  } else
    result = wrap (module, stream, (PyObject *) status);
  Py_DECREF ((PyObject *) status);
  return result;
}

/* ---- What Python reads ---- */

PyObject *
py_stream_copy_schema (PyObject *module, PyObject *capsule)
{
  struct ArrowSchema *schema =
    PyCapsule_GetPointer (capsule, "arrow_schema");

  return schema ? schema_capsule (schema) : NULL;
}

PyObject *
py_stream_columns (PyObject *module, PyObject *capsule)
{
  struct ArrowSchema *schema =
    PyCapsule_GetPointer (capsule, "arrow_schema");
  PyObject *list = schema ? PyList_New (0) : NULL, *item;

  for (int64_t i = 0; list && i < schema->n_children; i++) {
    const struct ArrowSchema *child = schema->children[i];

    item = Py_BuildValue ("(ssNN)", child->name,
                          child->dictionary ? child->dictionary->format
                                            : child->format,
                          PyBool_FromLong (child->dictionary != NULL),
                          PyBool_FromLong (child->flags
                                           & ARROW_FLAG_NULLABLE));
    if (!item || PyList_Append (list, item) < 0)
      Py_CLEAR (list);
    Py_XDECREF (item);
  }
  return list;
}

static PyObject *
column_values (const struct ArrowSchema *schema,
               const struct ArrowArray *array, int64_t n)
{
  PyObject *list = PyList_New (n), *value;

  for (int64_t i = 0; list && i < n; i++) {
    value = py_arrow_value (schema, array, i);
    if (!value || PyList_SetItem (list, i, value) < 0)
      Py_CLEAR (list);
  }
  return list;
}

static PyObject *
batch_values (const struct ArrowSchema *schema,
              const struct ArrowArray *batch, int64_t n)
{
  PyObject *columns = PyList_New (schema->n_children), *column;

  for (int64_t i = 0; columns && i < schema->n_children; i++) {
    column = column_values (schema->children[i], batch->children[i], n);
    if (!column || PyList_SetItem (columns, i, column) < 0)
      Py_CLEAR (columns);
  }
  if (columns)
    return Py_BuildValue ("(LN)", (long long) n, columns);
  return NULL;
}

PyObject *
py_stream_read (PyObject *module, PyObject *args)
{
  struct ArrowArray batch = { .release = NULL };
  struct ArrowArrayStream *out;
  struct stream *stream;
  struct dg_error err;
  PyObject *capsule, *result;
  Py_ssize_t max;
  int code;

  if (!PyArg_ParseTuple (args, "On", &capsule, &max))
    return NULL;
  out = PyCapsule_GetPointer (capsule, "arrow_array_stream");
  if (!out)
    return NULL;
  if (out->get_next != get_next || !out->release) {
    PyErr_SetString (PyExc_ValueError, "the stream is closed or moved");
    return NULL;
  }
  stream = out->private_data;
  stream->progress.is_own_call = true;
  Py_BEGIN_ALLOW_THREADS
  code = stream->inner.get_next (&stream->inner, &batch);
  Py_END_ALLOW_THREADS
  stream->progress.is_own_call = stream->progress.was_raised = false;
  update_status (stream);
  if (code != 0) {
    err = stream->status.error;
    return py_error_raise (module, &err, NULL);
  }
  if (!batch.release)
    Py_RETURN_NONE;
  result = batch_values (&stream->schema, &batch,
                         batch.length < max ? batch.length : max);
  batch.release (&batch);
  return result;
}

/* ---- Status ---- */

static void
status_free (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc free_it = (freefunc) PyType_GetSlot (type, Py_tp_free);

  if (((struct status *) self)->stream)
    drop (((struct status *) self)->stream);
  free_it (self);
  Py_DECREF (type);
}

/* A list of texts.  */
static PyObject *
problems_list (const struct stream *stream)
{
  PyObject *list = PyList_New (0);

  for (char **problem = stream->problems; list && problem && *problem;
       problem++) {
    PyObject *text = PyUnicode_DecodeUTF8 (*problem, (Py_ssize_t)
                                           strlen (*problem), "replace");

    if (!text || PyList_Append (list, text) < 0)
      Py_CLEAR (list);
    Py_XDECREF (text);
  }
  return list;
}

static PyObject *
status_get (PyObject *self, PyObject *unused)
{
  struct stream *stream = ((struct status *) self)->stream;
  struct dg_arrow_status status;
  PyObject *error;

  if (!stream) {
    PyErr_SetString (PyExc_ValueError, "this is the status of no stream");
    return NULL;
  }
  pthread_mutex_lock (&stream->lock);
  status = stream->status;
  pthread_mutex_unlock (&stream->lock);
  error = status.error.code < 0 ? py_error_tuple (&status.error)
                                : Py_BuildValue ("");
  return Py_BuildValue ("{sKsKsKsKsKsNsN}", "rows",
                        (unsigned long long) status.rows, "batches",
                        (unsigned long long) status.batches, "chunks",
                        (unsigned long long) status.chunks, "chunks_excluded",
                        (unsigned long long) status.chunks_excluded,
                        "chunks_read", (unsigned long long) status.chunks_read,
                        "error", error, "problems", problems_list (stream));
}

static PyMethodDef status_methods[] = {
  { "get", status_get, METH_NOARGS, "The state of the stream, as a dict." },
  { NULL }
};
static PyType_Slot status_slots[] = {
  { Py_tp_dealloc, status_free },
  { Py_tp_methods, status_methods },
  { Py_tp_doc, (void *) "The state of a stream, also when it is gone." },
  { 0, NULL }
};
PyType_Spec py_stream_status_spec = {
  .name = "datagrind._native.Status",
  .basicsize = sizeof (struct status),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = status_slots
};
