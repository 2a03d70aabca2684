/* test-allocator-names.c: which functions pass memory on, by their names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/allocator_names.h"
#include "unit_main.h"

#include <glib.h>

static void
test_known (void)
{
  static const char *const known[] = {
    "malloc", "operator new(unsigned long)", "operator new[](unsigned long)",
    "xmalloc.part.0", "g_try_malloc0_n", "tcc_malloc", "sqlite3MallocZero",
    "my_malloc_n", "do_xmalloc", "checked_calloc", "runtime.mallocgc",
    "__rust_alloc", "_gfortrani_xmallocarray", "pool<int>::safe_malloc(int)",
    "PyMem_RawMalloc", "zstrdup", "rtesting_malloc"
  };
  static const char *const users[] = {
    "main", "", "mallocs", "test_malloc", "test::malloc(int)", "bench_calloc",
    "stress_realloc", "use_malloc", "malloc_stats", "malloc_trim_test",
    "after_malloc_hook", "std::vector<int>::push_back(int)", "newest",
    "runtime.main", "PyMemory"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (!dg_allocator_is_known (known[i]))
      g_error ("%s is an allocator", known[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (users); i++)
    if (dg_allocator_is_known (users[i]))
      g_error ("%s is a user", users[i]);
}

/* What stands between a program and the memory it gets from its runtime, as
   the symbols of Go 1.22 and CPython 3.6 to 3.13 have it, and what stands
   beside that.  */
static void
test_runtimes (void)
{
  static const char *const known[] = {
    "runtime.mallocgc", "runtime.mallocgcSmallNoscan", "runtime.newobject",
    "runtime.newarray", "runtime.makeslice", "runtime.makeslice64",
    "runtime.makeslicecopy", "runtime.growslice", "runtime.makemap_small",
    "runtime.makemap", "runtime.mapassign_faststr", "runtime.makechan64",
    "runtime.convTstring", "runtime.convT64", "runtime.concatstrings",
    "runtime.concatstring2", "runtime.rawstring", "runtime.rawstringtmp",
    "runtime.rawbyteslice", "runtime.slicebytetostring",
    "runtime.stringtoslicebyte", "runtime.persistentalloc.func1",
    "runtime.persistentalloc1", "runtime.sysAlloc", "runtime.sysAllocOS",
    "runtime.malg", "runtime.allocm", "runtime.allocManual", "_cgo_topofstack",
    "x_cgo_thread_start", "crosscall2",
    "PyMem_Malloc", "PyMem_Calloc", "PyMem_Realloc", "PyMem_RawCalloc",
    "_PyMem_RawMalloc", "_PyMem_DebugRawAlloc", "_PyMem_Strdup",
    "_PyMem_RawWcsdup", "PyObject_Malloc", "_PyObject_Malloc",
    "PyObject_Calloc", "PyObject_Realloc", "PyObject_Free", "_PyObject_Free",
    "_PyObject_GC_Alloc", "_PyObject_GC_Malloc", "_PyObject_GC_New",
    "_PyObject_GC_NewVar", "_PyObject_GC_Resize", "_PyObject_New",
    "_PyObject_NewVar", "PyType_GenericAlloc", "_PyType_AllocNoTrack",
    "_PyObject_Malloc.cold", "_PyObject_GC_New.part.0"
  };
  static const char *const users[] = {
    "main.main", "main.makeslice", "runtime.schedinit", "runtime.newproc1",
    "runtime.gcStart", "runtime.mapaccess1_faststr", "runtime.memmove",
    "strings.(*Builder).grow", "main.mallocgc2test",
    "PyList_New", "PyDict_New", "PyTuple_New", "PyUnicode_New",
    "PyBytes_FromStringAndSize", "_PyObject_GC_TRACK",
    "PyMemoryView_FromObject",
    "PyObject_Call", "PyType_GenericNew", "_PyEval_EvalFrameDefault", "py_main"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (!dg_allocator_is_known (known[i]))
      g_error ("%s is an allocator", known[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (users); i++)
    if (dg_allocator_is_known (users[i]))
      g_error ("%s is a user", users[i]);
}

static void
test_standard (void)
{
  static const char *const standard[] = {
    "std::vector<int>::push_back(int)", "__gnu_cxx::pool::get()",
    "alloc::vec::Vec<T>::push", "<alloc::vec::Vec<T> as core::clone::Clone>",
    "<T as core::convert::Into<U>>::into", "<&mut core::fmt::Formatter>::new"
  };
  static const char *const others[] = {
    "main", "stdx::get()", "core::run(int)", "<sites::Node as Clone>::clone",
    "<Tree as core::clone::Clone>::clone", "my::std::vector"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (standard); i++)
    if (!dg_allocator_function_is_standard (standard[i]))
      g_error ("%s is a library's", standard[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (dg_allocator_function_is_standard (others[i]))
      g_error ("%s is a program's", others[i]);
  g_assert_true (
    dg_allocator_source_is_standard ("/usr/include/c++/12/bits/alloc.h"));
  g_assert_true (
    dg_allocator_source_is_standard ("/rustc/9fc/library/core/src/x.rs"));
  g_assert_false (dg_allocator_source_is_standard ("/src/include/c.h"));
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/allocator-names/known", test_known);
  g_test_add_func ("/allocator-names/runtimes", test_runtimes);
  g_test_add_func ("/allocator-names/standard", test_standard);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
