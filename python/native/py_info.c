/* py_info.c: what a log and the library know, as dicts and lists.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_info.h"

#include "dg_record.h"

#define N_ELEMENTS(array) (sizeof (array) / sizeof (array)[0])

/* ---- Pieces ---- */

static int
put_text (PyObject *dict, const char *key, const char *text)
{
  return py_put (dict, key, py_text (text));
}

static int
put_number (PyObject *dict, const char *key, uint64_t number)
{
  return py_put (dict, key, PyLong_FromUnsignedLongLong (number));
}

/* Less than 0 is None.  */
static int
put_small (PyObject *dict, const char *key, int number)
{
  return py_put (dict, key,
                 number < 0 ? Py_BuildValue ("") : PyLong_FromLong (number));
}

static PyObject *
arguments (const struct dg_process *process)
{
  PyObject *list, *text;

  if (!process)
    return Py_BuildValue ("");
  list = PyList_New (process->argc);
  for (uint32_t i = 0; list && i < process->argc; i++) {
    text = py_text (process->argv[i]);
    if (!text || PyList_SetItem (list, i, text) < 0)
      Py_CLEAR (list);
  }
  return list;
}

/* ---- A log ---- */

static int
put_format (PyObject *dict, const struct dg_log *log)
{
  const struct dg_header *header = dg_log_header (log);
  enum dg_complete complete = dg_log_summary (log)->complete;
  PyObject *is_complete =
    complete == DG_COMPLETE_UNKNOWN
      ? Py_BuildValue ("")
      : PyBool_FromLong (complete == DG_COMPLETE_YES);

  return put_number (dict, "version", header->version) < 0
             || put_text (dict, "endian",
                          header->big_endian ? "big" : "little")
                  < 0
             || put_number (dict, "word_size", header->word_size) < 0
             || put_text (dict, "form", header->is_archive ? "archive" : "raw")
                  < 0
             || py_put (dict, "is_complete", is_complete) < 0
           ? -1
           : 0;
}

static int
put_process (PyObject *dict, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  bool has_stacks = process && process->flags & DG_PROCESS_STACKS;
  char id[DG_LOG_ID_SIZE];
  const struct {
    const char *key, *text;
  } texts[] = {
    { "recording", dg_log_id (log, id) ? id : NULL },
    { "cwd", process ? process->cwd : NULL },
    { "exe", process ? process->exe : NULL },
    { "arch", process ? process->arch : NULL },
    { "tool", process ? process->tool_version : NULL },
    { "valgrind", process ? process->valgrind_version : NULL },
  };

  for (size_t i = 0; i < N_ELEMENTS (texts); i++)
    if (put_text (dict, texts[i].key, texts[i].text) < 0)
      return -1;
  if (py_put (dict, "argv", arguments (process)) < 0
      || py_put (dict, "pid",
                 process ? PyLong_FromUnsignedLongLong (process->pid)
                         : Py_BuildValue (""))
           < 0)
    return -1;
  if (py_put (dict, "has_values", PyBool_FromLong (dg_log_has_values (log)))
      < 0)
    return -1;
  return py_put (dict, "has_stacks", PyBool_FromLong (has_stacks));
}

static int
put_counts (PyObject *dict, const struct dg_summary *s)
{
  const struct {
    const char *key;
    uint64_t number;
  } counts[] = {
    { "instructions", s->instructions },
    { "accesses", s->accesses },
    { "reads", s->reads },
    { "writes", s->writes },
    { "runs", s->runs },
    { "bbdefs", s->bbdefs },
    { "contexts", s->contexts },
    { "threads", s->threads },
    { "heap_allocs", s->heap_allocs },
    { "heap_frees", s->heap_frees },
    { "pools", s->pools },
    { "modules", s->modules },
    { "icount", s->last_icount },
    { "kernel_reads", s->kernel_reads },
    { "kernel_writes", s->kernel_writes },
    { "events", s->events_started },
    { "events_ended", s->events_ended },
    { "ranges", s->ranges_tracked },
    { "ranges_untracked", s->ranges_untracked },
    { "windows", s->windows },
    { "lost_calls", s->lost_calls },
    { "unknown_records", s->unknown_records },
    { "good_bytes", s->good_bytes },
    { "min_address", s->min_address },
    { "max_address", s->max_address },
  };

  for (size_t i = 0; i < N_ELEMENTS (counts); i++)
    if (put_number (dict, counts[i].key, counts[i].number) < 0)
      return -1;
  return 0;
}

/* Why the log ends, and what it lacks.  */
static int
put_end (PyObject *dict, const struct dg_log *log)
{
  static const char *const words[] = { "exit",     "exec",   "output",
                                       "max-size", "signal", "cut" };
  const struct dg_summary *s = dg_log_summary (log);
  bool is_known = s->end_why >= 0 && s->end_why < (int) N_ELEMENTS (words);
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = dg_log_gaps (log, gaps);
  PyObject *list = PyList_New (0), *text;

  for (size_t i = 0; list && i < n; i++) {
    text = py_text (dg_gap_name (gaps[i].kind));
    if (!text || PyList_Append (list, text) < 0)
      Py_CLEAR (list);
    Py_XDECREF (text);
  }
  return put_text (dict, "end", is_known ? words[s->end_why] : NULL) < 0
             || put_small (dict, "exit_status",
                           s->end_why == DG_END_SIGNAL ? -1 : s->exit_code)
                  < 0
             || put_small (dict, "signal",
                           s->end_why == DG_END_SIGNAL ? s->exit_code : -1)
                  < 0
             || py_put (dict, "gaps", list) < 0
           ? -1
           : 0;
}

PyObject *
py_info_log (const struct dg_log *log)
{
  PyObject *dict = PyDict_New ();
  size_t n_chunks;

  dg_log_chunks (log, &n_chunks);
  if (dict
      && (put_format (dict, log) < 0 || put_process (dict, log) < 0
          || put_counts (dict, dg_log_summary (log)) < 0
          || put_number (dict, "file_size", dg_log_header (log)->file_size) < 0
          || put_number (dict, "chunks", n_chunks) < 0
          || put_number (dict, "page_size", dg_log_page_size (log)) < 0
          || put_number (dict, "line_size", dg_log_line_size (log)) < 0
          || put_end (dict, log) < 0))
    Py_CLEAR (dict);
  return dict;
}

PyObject *
py_info_chunks (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  PyObject *list = PyList_New (0), *item;

  for (size_t i = 0; list && i <= n; i++) {
    struct dg_chunk end = { .icount = s->last_icount,
                            .accesses = s->accesses,
                            .runs = s->runs };
    const struct dg_chunk *chunk = i < n ? &chunks[i] : &end;

    item = Py_BuildValue ("(KKK)", (unsigned long long) chunk->icount,
                          (unsigned long long) chunk->accesses,
                          (unsigned long long) chunk->runs);
    if (!item || PyList_Append (list, item) < 0)
      Py_CLEAR (list);
    Py_XDECREF (item);
  }
  return list;
}

/* ---- Tables ---- */

static PyObject *
columns_of (const struct dg_arrow_table *table)
{
  PyObject *list = PyList_New (0), *item;

  for (size_t i = 0; list && i < table->n_columns; i++) {
    const struct dg_arrow_column *column = &table->columns[i];

    item = Py_BuildValue ("(ssIs)", column->name, column->format,
                          column->flags, column->help);
    if (!item || PyList_Append (list, item) < 0)
      Py_CLEAR (list);
    Py_XDECREF (item);
  }
  return list;
}

static PyObject *
limits_of (const struct dg_arrow_table *table)
{
  static const struct {
    unsigned limit;
    const char *name;
  } names[] = {
    { DG_ARROW_THREADS, "threads" },     { DG_ARROW_ICOUNTS, "instructions" },
    { DG_ARROW_ADDRESSES, "addresses" }, { DG_ARROW_KINDS, "kinds" },
    { DG_ARROW_FILTER, "events" },       { DG_ARROW_FILTER, "ranges" },
    { DG_ARROW_CHUNKS, "chunks" },
  };
  PyObject *list = PyList_New (0), *name;

  for (size_t i = 0; list && i < N_ELEMENTS (names); i++)
    if (table->limits & names[i].limit) {
      name = PyUnicode_FromString (names[i].name);
      if (!name || PyList_Append (list, name) < 0)
        Py_CLEAR (list);
      Py_XDECREF (name);
    }
  return list;
}

PyObject *
py_info_tables (PyObject *module, PyObject *unused)
{
  struct dg_arrow_table table;
  PyObject *list = PyList_New (0), *item;

  for (size_t i = 0; list && dg_arrow_table_at (i, &table); i++) {
    item = Py_BuildValue ("(ssNN)", table.name, table.help,
                          columns_of (&table), limits_of (&table));
    if (!item || PyList_Append (list, item) < 0)
      Py_CLEAR (list);
    Py_XDECREF (item);
  }
  return list;
}
