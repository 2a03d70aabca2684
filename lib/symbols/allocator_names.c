/* allocator_names.c: functions that are known to allocate and free for others,
   of many languages and libraries.

   A wrapper is in the list if nobody asks how it gets its memory: who calls it
   wants the memory, or gives it back.  Names are those of symbols; functions
   of the same names that a program has itself are of that kind, too.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocator_names.h"
#include "base/path.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* In the order of strcmp.  */
static const char *const names[] = {
  "CRYPTO_calloc", "CRYPTO_clear_free", "CRYPTO_free", "CRYPTO_malloc",
  "CRYPTO_memdup", "CRYPTO_realloc", "CRYPTO_strdup", "CRYPTO_strndup",
  "CRYPTO_zalloc", "PyObject_Calloc", "PyObject_Free", "PyObject_Malloc",
  "PyObject_Realloc", "PyType_GenericAlloc", "_PyObject_Calloc",
  "_PyObject_Free", "_PyObject_GC_Alloc", "_PyObject_GC_Malloc",
  "_PyObject_GC_New", "_PyObject_GC_NewVar", "_PyObject_GC_Resize",
  "_PyObject_Malloc", "_PyObject_New", "_PyObject_NewVar", "_PyObject_Realloc",
  "_PyType_AllocNoTrack", "_Znaj", "_Znam", "_Znwj", "_Znwm", "__asprintf",
  "__asprintf_chk", "__getdelim", "__getline", "__libc_calloc", "__libc_free",
  "__libc_malloc", "__libc_memalign", "__libc_realloc", "__libc_reallocarray",
  "__strdup", "__strndup", "__vasprintf", "__vasprintf_chk",
  "__vasprintf_internal", "__wcsdup", "__zend_calloc", "__zend_malloc",
  "__zend_realloc", "_ecalloc", "_efree", "_emalloc", "_erealloc", "_estrdup",
  "_estrndup", "aligned_alloc", "apr_palloc", "apr_pcalloc", "apr_pstrdup",
  "asprintf", "calloc", "cfree", "checked_calloc", "checked_free",
  "checked_malloc", "checked_realloc", "do_xmalloc", "do_xmallocz", "ecalloc",
  "efree", "emalloc", "erealloc", "estrdup", "estrndup", "free",
  "g_aligned_alloc", "g_aligned_alloc0", "g_free", "g_malloc", "g_malloc0",
  "g_malloc0_n", "g_malloc_n", "g_memdup", "g_memdup2", "g_realloc",
  "g_realloc_n", "g_slice_alloc", "g_slice_alloc0", "g_slice_copy",
  "g_slice_free1", "g_strconcat", "g_strdup", "g_strdup_printf",
  "g_strdup_vprintf", "g_strndup", "g_try_malloc", "g_try_malloc0",
  "g_try_malloc0_n", "g_try_malloc_n", "g_try_realloc", "g_try_realloc_n",
  "g_vasprintf", "getdelim", "getline", "llvm::SmallVectorBase::grow_pod",
  "llvm::SmallVectorBase::mallocForGrow", "llvm::allocate_buffer",
  "llvm::safe_calloc", "llvm::safe_malloc", "llvm::safe_realloc", "malloc",
  "memalign", "ngx_alloc", "ngx_calloc", "ngx_free", "ngx_memalign",
  "objspace_xcalloc", "objspace_xmalloc0", "objspace_xrealloc",
  "posix_memalign", "pvalloc", "realloc", "reallocarray", "ruby_xcalloc",
  "ruby_xfree", "ruby_xmalloc", "ruby_xmalloc2", "ruby_xrealloc",
  "ruby_xrealloc2", "safe_calloc", "safe_free", "safe_malloc", "safe_realloc",
  "safe_strdup", "sh_xmalloc", "sh_xrealloc", "sqlite3DbFree",
  "sqlite3DbFreeNN", "sqlite3DbMallocRaw", "sqlite3DbMallocRawNN",
  "sqlite3DbMallocZero", "sqlite3DbRealloc", "sqlite3DbStrDup",
  "sqlite3DbStrNDup", "sqlite3Malloc", "sqlite3MallocZero", "sqlite3MemFree",
  "sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Realloc", "sqlite3_free",
  "sqlite3_malloc", "sqlite3_malloc64", "sqlite3_realloc", "sqlite3_realloc64",
  "strdup", "strndup", "valloc", "vasprintf", "wcsdup", "x2nrealloc",
  "x2realloc", "xasprintf", "xcalloc", "xcharalloc", "xfree", "xicalloc",
  "ximalloc", "xirealloc", "xmalloc", "xmallocarray", "xmallocz", "xmemdup",
  "xmemdupz", "xnmalloc", "xnrealloc", "xpalloc", "xrealloc", "xreallocarray",
  "xstrdup", "xstrndup", "xvasprintf", "xzalloc", "zcalloc", "zfree",
  "zfree_usable", "zmalloc", "zmalloc_usable", "zrealloc", "zstrdup",
  "ztrycalloc", "ztrymalloc", "ztryrealloc",
};

/* What names of families begin with.  */
static const char *const families[] = {
  "operator new", "operator delete",
  /* Rust.  */
  "__rust_alloc", "__rust_realloc", "__rust_dealloc", "__rdl_alloc",
  "__rdl_realloc", "__rdl_dealloc", "__rg_", "__rustc::__r",
  /* Fortran.  */
  "_gfortran_", "_gfortrani_", "_FortranA",
  /* Go: its own heap, and C's from Go.  */
  "runtime.alloc", "runtime.concatstring", "runtime.convT",
  "runtime.growslice", "runtime.makechan", "runtime.makemap",
  "runtime.makeslice", "runtime.malg", "runtime.mallocgc",
  "runtime.mapassign", "runtime.newarray", "runtime.newobject",
  "runtime.persistentalloc", "runtime.rawbyteslice", "runtime.rawstring",
  "runtime.slicebytetostring", "runtime.stringtoslicebyte",
  "runtime.sysAlloc", "_cgo_", "x_cgo_", "crosscall2",
  /* CPython, Perl.  */
  "PyMem_", "_PyMem_", "Perl_safesys",
};

static int
compare (const void *key, const void *item)
{
  return strcmp (key, *(const char *const *) item);
}

static bool
has_name (const char *function)
{
  return bsearch (function, names, G_N_ELEMENTS (names), sizeof *names,
                  compare)
         != NULL;
}

/* "grow<int>::at (int)" -> "grow::at": without template arguments and what
   follows the name.  */
static void
strip (const char *function, char *out, size_t size)
{
  size_t n = 0;
  unsigned depth = 0;

  for (; *function != '\0' && n + 1 < size; function++) {
    if (*function == '<')
      depth++;
    else if (*function == '>')
      depth -= depth > 0;
    else if (depth == 0 && (*function == '(' || *function == ' '
                            || *function == '.'))
      break;
    else if (depth == 0)
      out[n++] = *function;
  }
  out[n] = '\0';
}

/* Names that begin so belong to who tries allocators, which is a user.  */
static bool
tries_one (const char *name)
{
  static const char *const words[] = { "bench", "benchmark", "check", "demo",
                                       "example", "exercise", "measure",
                                       "stress", "test", "use" };
  size_t n = strcspn (name, "_:");

  for (size_t i = 0; name[n] != '\0' && i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i]) == n && strncmp (name, words[i], n) == 0)
      return true;
  return false;
}

/* Programs have their own: tcc_malloc, sqlite3MallocZero, my_malloc_n.  What
   tells of malloc has other words behind it.  */
static bool
is_named_like_one (const char *bare)
{
  static const char *const words[] = { "malloc", "calloc", "realloc",
                                       "memalign", "strdup", "strndup" };
  static const char *const ends[] = {
    "", "0", "0_n", "2", "64", "_0", "_array", "_chk", "_internal", "_n",
    "_nofail", "_or_die", "_printf", "_usable", "_vprintf", "_zero", "array",
    "f", "raw", "rawnn", "z", "zero"
  };
  char *name = g_ascii_strdown (bare, -1);
  bool is_one = false;

  for (size_t i = 0;
       i < G_N_ELEMENTS (words) && !is_one && !tries_one (name); i++) {
    const char *at = g_strrstr (name, words[i]);

    for (size_t k = 0; at != NULL && k < G_N_ELEMENTS (ends); k++)
      is_one |= strcmp (at + strlen (words[i]), ends[k]) == 0;
  }
  g_free (name);
  return is_one;
}

bool
dg_allocator_is_known (const char *function)
{
  size_t room = strlen (function) + 1;
  bool is_known;
  char *bare;

  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_str_has_prefix (function, families[i]))
      return true;
  /* Also "xmalloc.part.0".  */
  bare = g_malloc (room);
  strip (function, bare, room);
  is_known = has_name (bare) || is_named_like_one (bare);
  g_free (bare);
  return is_known;
}

bool
dg_allocator_module_is_preload (const char *path)
{
  return g_str_has_prefix (dg_path_base (path), "vgpreload_");
}

/* ---- Libraries of languages ------------------------------------------- */

/* Of Rust's crates, the modules: programs in C++ have namespaces of such names
   as core, too.  */
static const char *const modules[] = {
  "alloc::alloc::", "alloc::borrow::", "alloc::boxed::",
  "alloc::collections::", "alloc::ffi::", "alloc::fmt::", "alloc::raw_vec::",
  "alloc::rc::", "alloc::slice::", "alloc::str::", "alloc::string::",
  "alloc::sync::", "alloc::vec::", "core::alloc::", "core::array::",
  "core::cell::", "core::clone::", "core::cmp::", "core::convert::",
  "core::fmt::", "core::hash::", "core::iter::", "core::mem::",
  "core::num::", "core::ops::", "core::option::", "core::ptr::",
  "core::result::", "core::slice::", "core::str::", "hashbrown::",
};

static bool
is_of_library (const char *name)
{
  if (g_str_has_prefix (name, "std::")
      || g_str_has_prefix (name, "__gnu_cxx::"))
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (modules); i++)
    if (g_str_has_prefix (name, modules[i]))
      return true;
  return false;
}

/* Rust's "<Type as Trait>::function" is the type's; of what may be any type,
   which has a short name in capitals, the trait's.  */
static bool
is_of_implementation (const char *name)
{
  const char *type = name + 1, *as = strstr (name, " as ");

  type += strspn (type, "&*[(");
  if (g_str_has_prefix (type, "mut ") || g_str_has_prefix (type, "dyn "))
    type += 4;
  if (is_of_library (type))
    return true;
  return as != NULL && g_ascii_isupper (type[0])
         && !g_ascii_isalnum (type[1]) && is_of_library (as + 4);
}

bool
dg_allocator_function_is_standard (const char *function)
{
  return is_of_library (function)
         || (function[0] == '<' && is_of_implementation (function));
}

bool
dg_allocator_source_is_standard (const char *file)
{
  return g_str_has_prefix (file, "/rustc/")
         || g_str_has_prefix (file, "/rust/deps/")
         || strstr (file, "/rustlib/src/") != NULL
         || strstr (file, "include/c++/") != NULL;
}
