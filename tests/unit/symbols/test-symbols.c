/* test-symbols.c: names of code, compared with addr2line on programs that are
   compiled here; files that are not what was recorded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "unit_main.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* ---- Against addr2line ------------------------------------------------ */

static char *
demangle (const char *name)
{
  char *result =
    cplus_demangle (name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO | DMGL_RET_DROP);
  return result != NULL ? result : strdup (name);
}

/* Takes "./" and "//" out, as the library does.  */
static char *
clean (const char *path)
{
  GString *text = g_string_new (path);

  g_string_replace (text, "/./", "/", 0);
  return g_string_free (text, FALSE);
}

/* One frame of addr2line: a line with the function, a line with
   FILE:LINE, perhaps followed by a discriminator.  */
static void
compare_frame (const struct dg_frame *frame, const char *function,
               const char *place, uint64_t address)
{
  char *name = demangle (function);
  char **parts = g_strsplit (place, " ", 2);
  char *colon = strrchr (parts[0], ':');
  char *file;
  uint32_t line;

  g_assert_nonnull (colon);
  *colon = '\0';
  line = (uint32_t) strtoul (colon + 1, NULL, 10);
  file = clean (parts[0]);
  g_test_message ("0x%" G_GINT64_MODIFIER "x: %s %s:%u, addr2line %s %s:%u",
                  address, frame->function, frame->file, frame->line, name,
                  file, line);
  /* For padding between functions addr2line names the one before; for an
     inlined function that has no mangled name, the one that holds it.  */
  if (strcmp (file, "??") != 0 && line != 0) {
    if (frame->function != NULL
        && (!frame->inlined || strchr (frame->function, '(') != NULL))
      g_assert_cmpstr (frame->function, ==, name);
    g_assert_cmpstr (frame->file, ==, file);
    g_assert_cmpuint (frame->line, ==, line);
  }
  g_free (file);
  free (name);
  g_strfreev (parts);
}

/* Compares all addresses of instructions in .text.  Returns how many had
   inlined frames.  */
static unsigned
compare_all (struct fixture *f, const char *name, uint64_t bias)
{
  char *text = shell (
    "objdump -d -j .text %s | sed -n 's/^ *\\([0-9a-f]*\\):\\t.*/\\1/p' >l;"
    "addr2line -afie %s <l",
    name, name);
  char **lines = g_strsplit (text != NULL ? text : "", "\n", 0);
  unsigned n_inlined = 0, n_addresses = 0, n_deep = 0, n_named = 0;

  for (size_t i = 0; lines[i] != NULL && lines[i][0] != '\0';) {
    uint64_t address = g_ascii_strtoull (lines[i++], NULL, 16);
    struct dg_frame frames[16];
    size_t n = dg_symbols_frames (f->symbols, address + bias, 10, frames, 16);

    n_addresses++;
    n_named += frames[0].function != NULL;
    n_inlined += n > 1;
    for (size_t k = 0; lines[i] != NULL && lines[i][0] != '\0'
                       && !g_str_has_prefix (lines[i], "0x");
         k++, i += 2) {
      g_assert_cmpuint (k, <, n);
      compare_frame (&frames[k], lines[i], lines[i + 1], address);
      g_assert_cmpstr (frames[k].module, ==, f->path);
      g_assert_cmpuint (frames[k].module_offset, ==, address);
    }
    for (size_t k = 0; k < n; k++)
      g_assert_cmpint (frames[k].inlined, ==, k + 1 < n);
    if (n == 3) {
      g_assert_cmpstr (frames[0].function, ==, "ns::innermost");
      g_assert_cmpstr (frames[1].function, ==, "ns::middle");
      g_assert_cmpstr (frames[2].function, ==, "ns::Counter::slow(int) const");
      n_deep++;
    }
  }
  g_strfreev (lines);
  g_free (text);
  g_assert_cmpuint (n_addresses, >, 50);
#ifdef __aarch64__
  /* There is more between functions.  */
  g_assert_cmpuint (n_named, >, n_addresses * 7 / 8);
#else
  g_assert_cmpuint (n_named, >, n_addresses * 9 / 10);
#endif
  g_assert_cmpuint (n_deep, >, 0);
  return n_inlined;
}

static void
test_flags (gconstpointer data)
{
  const char *flags = data;
  bool is_fixed = strstr (flags, "-no-pie") != NULL;
  uint64_t bias = is_fixed ? 0 : 0x7f1234560000;
  struct fixture f;

  if (!compile_program ("program", flags))
    return;
  fixture_init (&f, "program", bias, true);
  g_assert_cmpuint (compare_all (&f, "program", bias), >, 5);
  g_assert_null (dg_symbols_problem (f.symbols, 0));
  fixture_fini (&f);
}

/* A log of the first kind has the address of .text only.  */
static void
test_no_detail (void)
{
  struct fixture f;

  if (!compile_program ("program", "-O2 -g -pie -fPIE"))
    return;
  fixture_init (&f, "program", 0x400000, false);
  g_assert_cmpuint (compare_all (&f, "program", 0x400000), >, 5);
  fixture_fini (&f);
}

static void
test_debuglink (void)
{
  struct fixture f;

  if (!compile_program ("whole", "-O2 -g -shared -fPIC"))
    return;
  g_free (shell ("cp whole linked;"
                 "objcopy --only-keep-debug whole linked.debug;"
                 "strip linked;"
                 "objcopy --add-gnu-debuglink=linked.debug linked"));
  fixture_init (&f, "linked", 0x10000000, true);
  g_assert_cmpuint (compare_all (&f, "whole", 0x10000000), >, 5);
  fixture_fini (&f);
}

/* The distribution's debug package of the C library, where installed.  */
static void
test_build_id (void)
{
  char *path = shell ("ldd /bin/sh | awk '/libc.so/ {printf \"%%s\", $3}'");
  uint8_t id[64];
  size_t n = path != NULL && path[0] != '\0' ? read_build_id (path, id) : 0;
  char *debug =
    n > 1 ? shell ("ls /usr/lib/debug/.build-id/%02x/%02x*", id[0], id[1])
          : NULL;

  if (debug == NULL) {
    g_test_skip ("no debug file of the C library");
  } else {
    char *found = shell ("nm -D %s | awk '$3 ~ /^qsort@/ {print $1}'", path);
    uint64_t address = g_ascii_strtoull (found, NULL, 16);
    struct dg_module module = {.text_address = 0x7f0000001000,
                               .text_size = 1 << 20,
                               .bias = 0x7f0000000000,
                               .build_id = id,
                               .n_build_id = (uint8_t) n,
                               .unload_icount = DG_NEVER,
                               .file = path,
                               .soname = "",
                               .has_detail = true};
    struct dg_log log = {.modules = &module, .n_modules = 1};
    struct dg_symbols *symbols = dg_symbols_new (&log, NULL, NULL);
    struct dg_frame frame;

    dg_symbols_frames (symbols, address + module.bias, 0, &frame, 1);
    g_assert_cmpstr (frame.function, ==, "qsort");
    g_assert_nonnull (frame.file);
    g_assert_true (g_str_has_suffix (frame.file, "msort.c")
                   || g_str_has_suffix (frame.file, "qsort.c"));
    dg_symbols_free (symbols);
    g_free (found);
  }
  g_free (debug);
  g_free (path);
}

/* ---- Files that are not what was recorded ----------------------------- */

static void
check_no_names (struct fixture *f, const char *why)
{
  struct dg_frame frame;

  g_assert_cmpuint (
    dg_symbols_frames (f->symbols, f->module.text_address, 10, &frame, 1), ==,
    1);
  g_assert_null (frame.function);
  g_assert_null (frame.file);
  g_assert_cmpstr (frame.module, ==, f->path);
  g_assert_cmpuint (frame.module_offset, ==, f->text);
  g_assert_nonnull (strstr (dg_symbols_problem (f->symbols, 0), why));
  g_assert_nonnull (strstr (dg_symbols_problem (f->symbols, 0), f->path));
  g_assert_cmpint (dg_symbols_problem_is_of_valgrind (f->symbols, 0), ==,
                   strstr (f->path, "/vgpreload_") != NULL);
  g_assert_null (dg_symbols_problem (f->symbols, 1));
  g_assert_false (dg_symbols_problem_is_of_valgrind (f->symbols, 1));
}

static void
test_changed (void)
{
  struct fixture f;
  char *path;

  if (!compile_program ("program", "-O1 -g -pie -fPIE"))
    return;
  fixture_init (&f, "program", 0x100000, true);
  if (f.module.n_build_id == 0) {
    g_test_skip ("the linker writes no build-id");
    fixture_fini (&f);
    return;
  }
  compile_program ("program", "-O2 -g -pie -fPIE");
  check_no_names (&f, "changed since it was recorded");
  fixture_fini (&f);

  fixture_init (&f, "program", 0x100000, true);
  path = in_dir ("program");
  g_unlink (path);
  check_no_names (&f, "No such file");
  fixture_fini (&f);

  compile_program ("program", "-O2 -g -pie -fPIE");
  fixture_init (&f, "program", 0x100000, true);
  g_file_set_contents (path, "not an executable", -1, NULL);
  check_no_names (&f, "not an executable");
  fixture_fini (&f);
  g_free (path);

  /* What Valgrind puts into every program is another file with each build.  */
  compile_program ("vgpreload_changed.so", "-O1 -g -shared -fPIC");
  fixture_init (&f, "vgpreload_changed.so", 0x100000, true);
  compile_program ("vgpreload_changed.so", "-O2 -g -shared -fPIC");
  check_no_names (&f, "changed since it was recorded");
  fixture_fini (&f);
}

/* Damage anywhere in the file must be harmless.  */
static void
test_damaged (void)
{
  char *path = in_dir ("program"), *contents;
  gsize size;

  if (!compile_program ("program", "-O2 -g -pie -fPIE")) {
    g_free (path);
    return;
  }
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  for (int round = 0; round < 60; round++) {
    char *copy = g_memdup2 (contents, size);
    struct fixture f;
    struct dg_frame frames[8];

    g_file_set_contents (path, contents, (gssize) size, NULL);
    fixture_init (&f, "program", 0, false);
    for (int i = 0; i < 40; i++)
      copy[g_test_rand_int_range (0, round % 2 ? (gint32) size : 1024)] =
        (char) g_test_rand_int_range (0, 256);
    g_file_set_contents (path, copy,
                         round % 3 ? (gssize) size
                                   : g_test_rand_int_range (0, (gint32) size),
                         NULL);
    for (uint64_t a = f.text - 0x200; a < f.text + f.text_size; a += 3) {
      dg_symbols_frames (f.symbols, a, 10, frames, 8);
      dg_symbols_variable (f.symbols, a + 0x3000, 10, NULL, NULL);
    }
    fixture_fini (&f);
    g_free (copy);
  }
  g_free (contents);
  g_free (path);
}

/* ---- Moments, mapping of sources, threads ----------------------------- */

static void
test_moments (void)
{
  struct fixture f;
  struct dg_module modules[2];
  struct dg_frame frame;
  uint64_t address;

  if (!compile_program ("program", "-O2 -g -pie -fPIE"))
    return;
  fixture_init (&f, "program", 0, true);
  modules[0] = modules[1] = f.module;
  modules[0].unload_icount = 20;
  modules[1].file = "/nonexistent/library.so";
  modules[1].load_icount = 30;
  f.log.modules = modules;
  f.log.n_modules = 2;
  address = address_of ("program", "plain");
  dg_symbols_frames (f.symbols, address, 19, &frame, 1);
  g_assert_cmpstr (frame.module, ==, f.path);
  dg_symbols_frames (f.symbols, address, 30, &frame, 1);
  g_assert_cmpstr (frame.module, ==, "/nonexistent/library.so");
  /* Between them and before both: better than nothing.  */
  dg_symbols_frames (f.symbols, address, 25, &frame, 1);
  g_assert_nonnull (frame.module);
  dg_symbols_frames (f.symbols, 0x10, 10, &frame, 1);
  dg_symbols_frames (f.symbols, UINT64_MAX, 10, &frame, 1);
  g_assert_null (frame.module);
  g_assert_null (frame.function);
  fixture_fini (&f);
}

static void
test_source_paths (void)
{
  char *pair = g_strdup_printf ("%s=/elsewhere/src", work_dir);
  const char *good[] = {"/nowhere=/x", pair, NULL};
  const char *bad[] = {"/nowhere", NULL};
  struct fixture f;
  struct dg_frame frame;
  struct dg_error err;

  if (compile_program ("program", "-O2 -g -pie -fPIE")) {
    fixture_init (&f, "program", 0, true);
    dg_symbols_free (f.symbols);
    f.symbols = dg_symbols_new (&f.log, good, NULL);
    dg_symbols_frames (f.symbols, address_of ("program", "plain"), 10, &frame,
                       1);
    g_assert_cmpstr (frame.file, ==, "/elsewhere/src/program.cc");
    g_assert_null (dg_symbols_new (&f.log, bad, &err));
    g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
    fixture_fini (&f);
  }
  g_free (pair);
}

static gpointer
ask_much (gpointer data)
{
  struct fixture *f = data;

  for (uint64_t a = f->text; a < f->text + f->text_size; a++) {
    struct dg_frame one[8], two[8];
    size_t n = dg_symbols_frames (f->symbols, a, 10, one, 8);

    g_assert_cmpuint (dg_symbols_frames (f->symbols, a, 10, two, 8), ==, n);
    /* Interned: the same pointers.  */
    for (size_t i = 0; i < n; i++) {
      g_assert_true (one[i].function == two[i].function);
      g_assert_true (one[i].file == two[i].file);
    }
  }
  return NULL;
}

static void
test_threads (void)
{
  struct fixture f;
  GThread *threads[4];

  if (!compile_program ("program", "-O2 -g -pie -fPIE"))
    return;
  fixture_init (&f, "program", 0, true);
  for (size_t i = 0; i < 4; i++)
    threads[i] = g_thread_new ("ask", ask_much, &f);
  for (size_t i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  fixture_fini (&f);
}

/* ---- Lines -------------------------------------------------------------- */

static int
note_line (void *user, const char *file, uint32_t line)
{
  g_assert_true (g_str_has_suffix (file, "/program.cc") || file[0] == '/');
  if (g_str_has_suffix (file, "/program.cc"))
    g_hash_table_add (user, GUINT_TO_POINTER (line));
  return 0;
}

static int
stop (void *user, const char *file, uint32_t line)
{
  (void) file;
  (void) line;
  ++*(unsigned *) user;
  return 7;
}

/* The lines of all addresses, and no other.  */
static void
test_lines (gconstpointer flags)
{
  GHashTable *listed = g_hash_table_new (NULL, NULL);
  GHashTable *found = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer line;
  unsigned n = 0;
  struct fixture f;

  if (!compile_program ("program", flags))
    return;
  fixture_init (&f, "program", 0x10000, true);
  g_assert_cmpint (
    dg_symbols_lines (f.symbols, f.module.file, note_line, listed), ==, 0);
  for (uint64_t i = 0; i < f.text_size; i++) {
    struct dg_frame frame;

    dg_symbols_frames (f.symbols, f.text + 0x10000 + i, 10, &frame, 1);
    if (frame.file != NULL && g_str_has_suffix (frame.file, "/program.cc"))
      g_hash_table_add (found, GUINT_TO_POINTER (frame.line));
  }
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    g_assert_true (g_hash_table_contains (listed, line));
  g_assert_cmpuint (g_hash_table_size (found), >, 15);
  /* puts; a declaration.  */
  g_assert_true (g_hash_table_contains (listed, GUINT_TO_POINTER (37)));
  g_assert_false (g_hash_table_contains (listed, GUINT_TO_POINTER (4)));
  g_assert_cmpint (dg_symbols_lines (f.symbols, f.module.file, stop, &n), ==,
                   7);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (dg_symbols_lines (f.symbols, "/no/such", stop, &n), ==, 0);
  g_assert_cmpuint (n, ==, 1);
  fixture_fini (&f);
  g_hash_table_unref (listed);
  g_hash_table_unref (found);
}

static int
run_tests (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  /* Nothing here may ask the network.  */
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-symbols-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  g_test_add_data_func ("/symbols/lines/plain", "-O0 -g -pie -fPIE",
                        test_lines);
  g_test_add_data_func ("/symbols/lines/split",
                        "-O0 -g -gsplit-dwarf -pie -fPIE", test_lines);
  g_test_add_data_func ("/symbols/lines/dwarf4",
                        "-O0 -gdwarf-4 -pie -fPIE", test_lines);
  g_test_add_data_func ("/symbols/pie", "-O2 -g -pie -fPIE", test_flags);
  g_test_add_data_func ("/symbols/dwarf4", "-O2 -gdwarf-4 -pie -fPIE",
                        test_flags);
  g_test_add_data_func ("/symbols/split", "-O2 -g -gsplit-dwarf -pie -fPIE",
                        test_flags);
  g_test_add_data_func ("/symbols/fixed", "-O2 -g -no-pie -fno-pie",
                        test_flags);
  g_test_add_data_func ("/symbols/static",
                        "-O2 -g -static -no-pie -nostdlib"
                        " -Wl,-emain -Wl,--unresolved-symbols=ignore-all",
                        test_flags);
  g_test_add_data_func ("/symbols/shared", "-O2 -g -shared -fPIC", test_flags);
  g_test_add_data_func ("/symbols/32-bit", "-m32 -O2 -g -pie -fPIE",
                        test_flags);
  g_test_add_data_func ("/symbols/unoptimised-inline",
                        "-O1 -g3 -pie -fPIE -finline-functions", test_flags);
  g_test_add_func ("/symbols/no-detail", test_no_detail);
  g_test_add_func ("/symbols/debuglink", test_debuglink);
  g_test_add_func ("/symbols/build-id", test_build_id);
  g_test_add_func ("/symbols/changed", test_changed);
  g_test_add_func ("/symbols/damaged", test_damaged);
  g_test_add_func ("/symbols/moments", test_moments);
  g_test_add_func ("/symbols/source-paths", test_source_paths);
  g_test_add_func ("/symbols/threads", test_threads);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
