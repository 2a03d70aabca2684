/* symbols_object.c: opens executables and libraries, and makes sure that
   they are the ones that were recorded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_object.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"
#include "log/bundled.h"
#include "symbols_find.h"
#include "symbols_private.h"
#include "symbols_probe.h"
#include "symbols_split.h"

static void
set_problem (struct dg_object *object, struct dg_names *names,
             const char *what)
{
  char *text = g_strdup_printf ("%s: %s", object->path, what);

  object->problem = dg_names_intern (names, text);
  g_free (text);
}

/* False if not all of them can be read: it could not be said where anything
   is.  */
static bool
read_segments (struct dg_object *object, Elf *elf)
{
  size_t n;

  g_array_set_size (object->segments, 0);
  if (elf_getphdrnum (elf, &n) < 0)
    return false;
  for (size_t i = 0; i < n; i++) {
    GElf_Phdr header;

    struct dg_segment segment;

    if (gelf_getphdr (elf, (int) i, &header) == NULL)
      return false;
    segment.low = header.p_vaddr;
    segment.high = header.p_vaddr + header.p_memsz;
    if (segment.high <= segment.low)
      continue;
    if (header.p_type == PT_LOAD)
      g_array_append_val (object->segments, segment);
    else if (header.p_type == PT_TLS)
      object->locals = segment;
  }
  return true;
}

static void
read_sections (struct dg_object *object, Elf *elf)
{
  size_t names;
  Elf_Scn *section = NULL;

  if (elf_getshdrstrndx (elf, &names) < 0)
    return;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name;

    if (gelf_getshdr (section, &header) == NULL)
      continue;
    name = elf_strptr (elf, names, header.sh_name);
    if (name == NULL)
      continue;
    if (strcmp (name, ".text") == 0)
      object->text = header.sh_addr;
    else if (strcmp (name, ".debug_info") == 0
             || strcmp (name, ".zdebug_info") == 0)
      object->has_debug_info = true;
  }
}

static void
read_identity (struct dg_object *object, Elf *elf)
{
  GElf_Ehdr header;

  object->is_big_endian = gelf_getehdr (elf, &header) != NULL
                          && header.e_ident[EI_DATA] == ELFDATA2MSB;
}

static bool
has_build_id (const struct dg_object *object, Elf *elf)
{
  const void *id;
  ssize_t n = dwelf_elf_gnu_build_id (elf, &id);

  return n == object->find.n_build_id
         && memcmp (id, object->find.build_id, object->find.n_build_id) == 0;
}

static void
append_id (GString *text, const uint8_t *id, size_t n)
{
  if (n == 0)
    g_string_append (text, "none");
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", id[i]);
}

/* Which file it is, and which was recorded.  */
static const char *
told_as_changed (struct dg_object *object, Elf *elf)
{
  GString *text;
  const void *id;
  ssize_t n = dwelf_elf_gnu_build_id (elf, &id);

  /* The first file that was looked at is the one that people know of.  */
  if (object->changed != NULL)
    return object->changed;
  if (n < 0)
    return "its build-id cannot be read";
  text = g_string_new ("changed since it was recorded (build-id ");
  append_id (text, id, n > 0 ? (size_t) n : 0);
  g_string_append (text, ", not ");
  append_id (text, object->find.build_id, object->find.n_build_id);
  g_string_append (text, "): there are no names");
  object->changed = g_string_free (text, FALSE);
  return object->changed;
}

/* NULL, or why the file cannot be used.  */
static const char *
read_headers (struct dg_object *object, int fd)
{
  /* Not mapped: it may be anybody's, and little of it is read.  */
  Elf *elf = elf_begin (fd, ELF_C_READ, NULL);
  const char *problem = NULL;

  if (elf == NULL || elf_kind (elf) != ELF_K_ELF)
    problem = "not an executable or library";
  else if (object->find.n_build_id > 0 && !has_build_id (object, elf))
    problem = told_as_changed (object, elf);
  else if (!read_segments (object, elf))
    problem = "its program headers cannot be read";
  else {
    read_sections (object, elf);
    read_identity (object, elf);
  }
  elf_end (elf);
  return problem;
}

/* ---- On this machine --------------------------------------------------- */

/* A separate debug file has the headers and symbols of the file that it was
   taken from, and so can stand in for it.  */
static bool
try_debug_file (struct dg_object *object)
{
  char *path;
  int fd = dg_symbols_find_by_build_id (&object->find, object->find.build_id,
                                        object->find.n_build_id, &path);
  bool good = fd >= 0 && read_headers (object, fd) == NULL;

  if (fd >= 0)
    close (fd);
  if (good)
    object->file = g_strdup (path);
  /* As libdw has it.  */
  free (path);
  return good;
}

/* NULL, or why the file cannot be used.  Takes the path, which may be
   NULL.  */
static const char *
try_file (struct dg_object *object, char *path, struct dg_error *error)
{
  const char *problem = NULL;
  int fd;

  if (path == NULL)
    return "no such file";
  fd = dg_regular_open (path, error);
  if (fd < 0) {
    problem = error->message;
  } else {
    problem = read_headers (object, fd);
    close (fd);
  }
  if (problem == NULL)
    object->file = path;
  else
    g_free (path);
  return problem;
}

static void
find_file (struct dg_object *object, struct dg_names *names)
{
  struct dg_error error, other;
  const char *problem =
    try_file (object, dg_symbols_find_module (&object->find, true), &error);
  char *path;
  int fd;

  /* Outside of the sysroot only what is certain to be the same.  */
  if (problem != NULL && object->find.n_build_id > 0
      && try_file (object, dg_symbols_find_module (&object->find, false),
                   &other)
           == NULL)
    problem = NULL;
  if (problem != NULL) {
    if (!try_debug_file (object))
      set_problem (object, names, problem);
    return;
  }
  if (object->has_debug_info)
    return;
  fd = dg_symbols_find_by_build_id (&object->find, object->find.build_id,
                                    object->find.n_build_id, &path);
  object->has_debug_info = fd >= 0;
  if (fd >= 0)
    close (fd);
  free (path);
}

/* ---- In the log -------------------------------------------------------- */

static const struct dg_bundle_file *
bundled (const struct dg_object *object, enum dg_bundle_kind kind)
{
  const struct dg_find *find = &object->find;
  const struct dg_table *files = dg_bundled_files (find->log);
  const struct dg_bundle_file *file =
    files != NULL ? dg_bundle_lookup (files, kind, find->path, find->build_id,
                                      find->n_build_id)
                  : NULL;

  return file != NULL && file->n_id == find->n_build_id ? file : NULL;
}

/* Whether the log brings it.  */
static bool
find_bundled (struct dg_object *object, struct dg_names *names)
{
  const struct dg_bundle_file *file = bundled (object, DG_BUNDLE_MODULE);
  const char *problem;
  struct dg_error error;
  int fd;

  if (file == NULL)
    return false;
  object->find.is_bundled = true;
  fd = dg_bundled_open (object->find.log, file, &error);
  problem = fd < 0 ? error.message : read_headers (object, fd);
  /* It is had again when it is asked, as there may be many.  */
  if (fd >= 0)
    close (fd);
  if (problem != NULL) {
    set_problem (object, names, problem);
    return true;
  }
  object->file = g_strdup (object->path);
  object->has_debug_info |= bundled (object, DG_BUNDLE_DEBUG) != NULL;
  return true;
}

struct dg_object *
dg_object_new (struct dg_names *names, const struct dg_log *log,
               const char *path, const uint8_t *build_id, uint8_t n_build_id)
{
  struct dg_object *object = g_new0 (struct dg_object, 1);

  elf_version (EV_CURRENT);
  g_mutex_init (&object->lock);
  object->kept = g_array_new (FALSE, FALSE, sizeof (struct dg_object_kept));
  object->path = dg_names_intern (names, path);
  object->segments = g_array_new (FALSE, FALSE, sizeof (struct dg_segment));
  object->find.path = object->path;
  object->find.log = log;
  object->find.build_id = build_id;
  object->find.n_build_id = n_build_id;
  object->find.copy = object->find.module_fd = -1;
  object->find.debug_fd = object->find.shared_fd = -1;
  if (!find_bundled (object, names))
    find_file (object, names);
  return object;
}

void
dg_object_keep (struct dg_object *object, gpointer made, GDestroyNotify free)
{
  struct dg_object_kept kept = {made, free};

  g_array_append_val (object->kept, kept);
}

static void
close_one (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
close_tried (struct dg_find *find)
{
  close_one (&find->module_fd);
  close_one (&find->debug_fd);
  close_one (&find->shared_fd);
}

void
dg_object_free (struct dg_object *object)
{
  if (object == NULL)
    return;
  for (guint i = 0; i < object->kept->len; i++) {
    const struct dg_object_kept *kept =
      &g_array_index (object->kept, struct dg_object_kept, i);

    kept->free (kept->made);
  }
  g_array_unref (object->kept);
  g_clear_pointer (&object->languages, g_hash_table_unref);
  g_clear_pointer (&object->units, g_hash_table_unref);
  g_clear_pointer (&object->unit_ranges, g_array_unref);
  g_clear_pointer (&object->functions, g_hash_table_unref);
  g_clear_pointer (&object->calls, g_hash_table_unref);
  g_clear_pointer (&object->stubs, g_array_unref);
  g_clear_pointer (&object->stub_ranges, g_array_unref);
  g_clear_pointer (&object->elf_functions, g_array_unref);
  if (object->dwfl != NULL)
    dwfl_end (object->dwfl);
  dg_split_free (object->split);
  close_tried (&object->find);
  if (object->places != NULL)
    g_hash_table_unref (object->places);
  g_array_unref (object->segments);
  g_free (object->bad_name);
  g_free (object->changed);
  g_free (object->find.debug_file);
  g_free (object->find.shared_file);
  g_free (object->find.problem);
  g_free (object->file);
  g_mutex_clear (&object->lock);
  g_free (object);
}

/* What libdwfl reads.  */
static int
open_file (struct dg_object *object, struct dg_error *error)
{
  if (object->find.copy >= 0 && object->find.debug_file == NULL)
    return fcntl (object->find.copy, F_DUPFD_CLOEXEC, 0);
  if (object->find.module_fd >= 0)
    return fcntl (object->find.module_fd, F_DUPFD_CLOEXEC, 0);
  if (object->find.is_bundled)
    return dg_bundled_open (object->find.log,
                            bundled (object, DG_BUNDLE_MODULE), error);
  return dg_symbols_private (dg_regular_open (object->file, error));
}

/* It was there and good before.  */
static void
set_unreadable (struct dg_object *object, const char *why)
{
  if (object->find.problem == NULL)
    object->find.problem = g_strdup (why);
}

/* Whether libdw may read a file that was just opened, and of a module that
   comes from the log also its debug information, which is opened.  */
static bool
is_safe (struct dg_object *object, int fd)
{
  struct dg_find *find = &object->find;
  const struct dg_bundle_file *debug =
    find->is_bundled ? dg_symbols_find_bundled_debug (find) : NULL;
  struct dg_error error;
  char *why;

  find->module_fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (debug != NULL)
    find->debug_fd = dg_bundled_open (find->log, debug, &error);
  why = dg_symbols_probe_module (fd, find->debug_fd, -1, false);
  if (why != NULL)
    dg_symbols_find_unsafe (find, why);
  return why == NULL;
}

/* The module of a file that stands alone; NULL if it cannot be read.  */
static Dwfl_Module *
report_file (struct dg_object *object)
{
  Dwfl_Module *module = NULL;
  struct dg_error error = { .message = "it cannot be opened" };
  int fd = open_file (object, &error);

  object->dwfl = dwfl_begin (&dg_find_callbacks);
  if (object->dwfl == NULL) {
    if (fd >= 0)
      close (fd);
    set_unreadable (object, "not enough memory");
    return NULL;
  }
  if (fd < 0) {
    set_unreadable (object, error.message);
  } else if (object->find.module_fd < 0 && !is_safe (object, fd)) {
    close (fd);
    return NULL;
  }
  dwfl_report_begin (object->dwfl);
  if (fd >= 0)
    module =
      dwfl_report_elf (object->dwfl, object->file, object->file, fd, 0, true);
  if (fd >= 0 && module == NULL)
    set_unreadable (object, dwfl_errmsg (-1));
  dwfl_report_end (object->dwfl, NULL, NULL);
  if (module == NULL && fd >= 0)
    close (fd);
  if (module != NULL)
    dg_symbols_find_for (module, &object->find);
  return module;
}

/* Makes sure that names of files in the debug information lead to what libdw
   reads.  */
static void
check_names (struct dg_object *object)
{
  object->bad_name = dg_symbols_find_bad_name (&object->find, object->module);
  if (object->bad_name != NULL)
    return;
  object->split =
    dg_split_new (&object->find, object->module, object->file);
  if (object->split == NULL || !dg_split_needs_copy (object->split))
    return;
  object->find.copy = dg_split_copy (object->split, object->module);
  if (object->find.copy >= 0) {
    dwfl_end (object->dwfl);
    object->module = report_file (object);
    close (object->find.copy);
    object->find.copy = -1;
    if (object->module != NULL)
      dg_split_link (object->split, object->module);
  }
  if (dg_split_is_open (object->split) && object->find.is_bundled)
    object->bad_name = g_strdup ("a .dwo file");
}

/* Finds the debug information and symbols here, and not at the first question
   that happens to need them: it can take long.

   Each file has a Dwfl of its own and is placed at its own addresses, so
   that it is read once, wherever and however often it was loaded.  */
Dwfl_Module *
dg_object_module (struct dg_object *object)
{
  Dwarf_Addr bias;

  if (object->is_reported || object->file == NULL)
    return object->module;
  object->is_reported = true;
  g_atomic_int_set (&object->is_opening, 1);
  object->module = report_file (object);
  if (object->module != NULL) {
    dwfl_module_getdwarf (object->module, &bias);
    if (!object->find.is_unsafe)
      check_names (object);
  }
  object->is_whole = object->module == NULL || object->find.is_unsafe
                     || !dg_symbols_probe_is_needed (object->find.module_fd,
                                                     object->find.debug_fd,
                                                     object->find.shared_fd);
  if (object->is_whole)
    close_tried (&object->find);
  /* libdw cannot be kept from opening it once it is asked for names.  */
  if (object->bad_name != NULL || object->find.is_unsafe)
    object->module = NULL;
  if (object->module != NULL)
    dwfl_module_getsymtab (object->module);
  g_atomic_int_set (&object->is_opening, 0);
  return object->module;
}

bool
dg_object_whole (struct dg_object *object)
{
  struct dg_find *find = &object->find;
  char *why;

  if (dg_object_module (object) == NULL)
    return false;
  if (!object->is_whole) {
    g_atomic_int_set (&object->is_opening, 1);
    why = dg_symbols_probe_module (find->module_fd, find->debug_fd,
                                   find->shared_fd, true);
    g_atomic_int_set (&object->is_opening, 0);
    object->is_whole = true;
    object->is_code_only = why != NULL;
    if (why != NULL) {
      g_free (find->problem);
      find->problem = why;
    }
    close_tried (find);
  }
  return !object->is_code_only;
}
