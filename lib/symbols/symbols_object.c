/* symbols_object.c: opens executables and libraries, and makes sure that
   they are the ones that were recorded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_object.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"
#include "symbols_find.h"

static void
set_problem (struct dg_object *object, struct dg_names *names,
             const char *what)
{
  char *text = g_strdup_printf ("%s: %s", object->path, what);

  object->problem = dg_names_intern (names, text);
  g_free (text);
}

static void
read_segments (struct dg_object *object, Elf *elf)
{
  size_t n = 0;

  elf_getphdrnum (elf, &n);
  for (size_t i = 0; i < n; i++) {
    GElf_Phdr header;

    if (gelf_getphdr (elf, (int) i, &header) != NULL
        && header.p_type == PT_LOAD && header.p_memsz > 0) {
      struct dg_segment segment = {header.p_vaddr,
                                   header.p_vaddr + header.p_memsz};
      if (segment.high > segment.low)
        g_array_append_val (object->segments, segment);
    }
  }
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
has_build_id (Elf *elf, const uint8_t *build_id, uint8_t n_build_id)
{
  const void *id;
  ssize_t n = dwelf_elf_gnu_build_id (elf, &id);

  return n == n_build_id && memcmp (id, build_id, n_build_id) == 0;
}

/* NULL, or why the file cannot be used.  */
static const char *
read_headers (struct dg_object *object, int fd, const uint8_t *build_id,
              uint8_t n_build_id)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  const char *problem = NULL;

  if (elf == NULL || elf_kind (elf) != ELF_K_ELF)
    problem = "not an executable or library";
  else if (n_build_id > 0 && !has_build_id (elf, build_id, n_build_id))
    problem = "changed since it was recorded (another build-id): there are no "
              "names";
  else {
    read_segments (object, elf);
    read_sections (object, elf);
    read_identity (object, elf);
  }
  elf_end (elf);
  return problem;
}

/* A separate debug file has the headers and symbols of the file that it was
   taken from, and so can stand in for it.  */
static bool
try_debug_file (struct dg_object *object, const uint8_t *build_id,
                uint8_t n_build_id)
{
  char *path = dg_symbols_find_by_build_id (build_id, n_build_id);
  int fd = path != NULL ? dg_regular_open (path, NULL) : -1;
  bool good =
    fd >= 0 && read_headers (object, fd, build_id, n_build_id) == NULL;

  if (fd >= 0)
    close (fd);
  if (good)
    object->file = path;
  else
    g_free (path);
  return good;
}

struct dg_object *
dg_object_new (struct dg_names *names, const char *path,
               const uint8_t *build_id, uint8_t n_build_id)
{
  struct dg_object *object = g_new0 (struct dg_object, 1);
  struct dg_error error;
  const char *problem;
  int fd;

  elf_version (EV_CURRENT);
  g_mutex_init (&object->lock);
  object->kept = g_array_new (FALSE, FALSE, sizeof (struct dg_object_kept));
  object->path = dg_names_intern (names, path);
  object->segments = g_array_new (FALSE, FALSE, sizeof (struct dg_segment));
  fd = dg_regular_open (path, &error);
  if (fd < 0) {
    problem = error.message;
  } else {
    problem = read_headers (object, fd, build_id, n_build_id);
    close (fd);
  }
  if (problem == NULL)
    object->file = g_strdup (path);
  else if (!try_debug_file (object, build_id, n_build_id))
    set_problem (object, names, problem);
  if (!object->has_debug_info && problem == NULL) {
    char *debug = dg_symbols_find_by_build_id (build_id, n_build_id);

    object->has_debug_info = debug != NULL && access (debug, R_OK) == 0;
    g_free (debug);
  }
  return object;
}

void
dg_object_keep (struct dg_object *object, gpointer made, GDestroyNotify free)
{
  struct dg_object_kept kept = {made, free};

  g_array_append_val (object->kept, kept);
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
  g_clear_pointer (&object->units, g_hash_table_unref);
  g_clear_pointer (&object->unit_ranges, g_array_unref);
  g_clear_pointer (&object->functions, g_hash_table_unref);
  g_clear_pointer (&object->calls, g_hash_table_unref);
  g_clear_pointer (&object->stubs, g_hash_table_unref);
  g_clear_pointer (&object->stub_ranges, g_array_unref);
  g_clear_pointer (&object->elf_functions, g_array_unref);
  if (object->dwfl != NULL)
    dwfl_end (object->dwfl);
  if (object->places != NULL)
    g_hash_table_unref (object->places);
  g_array_unref (object->segments);
  g_free (object->bad_name);
  g_free (object->file);
  g_mutex_clear (&object->lock);
  g_free (object);
}

/* The module of a file that stands alone; NULL if it cannot be read.  */
static Dwfl_Module *
report_file (struct dg_object *object)
{
  Dwfl_Module *module = NULL;
  int fd = dg_regular_open (object->file, NULL);

  dwfl_report_begin (object->dwfl);
  if (fd >= 0)
    module =
      dwfl_report_elf (object->dwfl, object->file, object->file, fd, 0, true);
  dwfl_report_end (object->dwfl, NULL, NULL);
  if (module == NULL && fd >= 0)
    close (fd);
  return module;
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
  object->dwfl = dwfl_begin (&dg_find_callbacks);
  if (object->dwfl == NULL)
    return NULL;
  g_atomic_int_set (&object->is_opening, 1);
  object->module = report_file (object);
  if (object->module != NULL) {
    dwfl_module_getdwarf (object->module, &bias);
    dwfl_module_getsymtab (object->module);
    object->bad_name = dg_symbols_find_bad_name (object->module);
    /* libdw cannot be kept from opening it once it is asked for names.  */
    if (object->bad_name != NULL)
      object->module = NULL;
  }
  g_atomic_int_set (&object->is_opening, 0);
  return object->module;
}
