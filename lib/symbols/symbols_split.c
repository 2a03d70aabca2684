/* symbols_split.c: units of debug information that stand in files of their own
   (.dwo), or in a package of these (.dwp).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_split.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/regular.h"
#include "log/bundled.h"
#include "symbols_dwo.h"
#include "symbols_image.h"
#include "symbols_private.h"
#include "symbols_probe.h"

/* Files that are tried by one process.  */
#define AT_ONCE 32

/* Where a unit's file is.  */
struct unit {
  uint64_t id;
  char *path;                             /* or NULL */
  struct dg_dwo_package *package;         /* or NULL; path is its */
  const struct dg_bundle_file *bundled;   /* or NULL */
  bool is_usual;                          /* libdw finds and reads it */
};

struct dg_split {
  struct dg_find *find;
  GArray *units;           /* struct unit */
  GHashTable *by_id;       /* id of a unit -> the first that has it */
  GPtrArray *packages;     /* struct dg_dwo_package */
  GPtrArray *package_names;
  int place;               /* the descriptor that all units name, or -1 */
  bool is_open;
};

static struct unit *
unit_at (const struct dg_split *split, size_t i)
{
  return &g_array_index (split->units, struct unit, i);
}

/* The next unit of which the rest is elsewhere; it is not opened.  */
static bool
next_unit (Dwarf *dwarf, Dwarf_CU **cu, Dwarf_Die *die, uint64_t *id)
{
  uint8_t type;

  while (dwarf_get_units (dwarf, *cu, cu, NULL, &type, die, NULL) == 0)
    if (type == DW_UT_skeleton
        && dwarf_cu_info (*cu, NULL, NULL, NULL, NULL, id, NULL, NULL) == 0)
      return true;
  return false;
}

static Dwarf_Attribute *
name_of (Dwarf_Die *die, Dwarf_Attribute *attribute)
{
  return dwarf_attr (die, DW_AT_dwo_name, attribute)
           ?: dwarf_attr (die, DW_AT_GNU_dwo_name, attribute);
}

/* ---- Files on this machine --------------------------------------------- */

/* Takes the path.  */
static bool
try (struct unit *unit, char *path, bool is_usual)
{
  int fd = path != NULL ? dg_regular_open (path, NULL) : -1;

  if (fd < 0) {
    g_free (path);
    return false;
  }
  unit->path = path;
  /* What libdw opens itself it maps.  */
  unit->is_usual =
    is_usual && !dg_symbols_is_foreign (fd) && dg_dwo_is_plain (fd);
  close (fd);
  return true;
}

/* The two places that libdw knows, then those that the user named.  */
static void
find_file (const struct dg_split *split, struct unit *unit, Dwarf_Die *die,
           const char *dir)
{
  Dwarf_Attribute attribute;
  const char *name = dwarf_formstring (name_of (die, &attribute));
  const char *compiled =
    dwarf_formstring (dwarf_attr (die, DW_AT_comp_dir, &attribute));
  char *folder, *there, *base, *debug;
  bool found;

  if (name == NULL)
    return;
  folder = compiled != NULL ? dg_symbols_find_in (dir, compiled)
                            : g_strdup (dir);
  there = dg_symbols_find_in (folder, name);
  base = g_path_get_basename (name);
  found = try (unit, dg_symbols_find_in (dir, name), true)
          || try (unit, g_strdup (there), true)
          || try (unit, dg_symbols_find_rooted (split->find, there), false);
  for (size_t i = 0;
       !found
       && (debug = dg_symbols_find_debug_dir (split->find, i)) != NULL;
       i++) {
    found = try (unit, g_build_filename (debug, name, NULL), false)
            || try (unit, g_build_filename (debug, base, NULL), false);
    g_free (debug);
  }
  g_free (base);
  g_free (there);
  g_free (folder);
}

/* Takes the path.  */
static void
open_package (struct dg_split *split, char *path)
{
  int fd = dg_symbols_private (dg_regular_open (path, NULL));
  struct dg_dwo_package *package = fd >= 0 ? dg_dwo_package_open (fd) : NULL;

  if (package == NULL) {
    g_free (path);
    return;
  }
  g_ptr_array_add (split->packages, package);
  g_ptr_array_add (split->package_names, path);
}

/* Beside the file, where links of its name lead, beside its debug file, and in
   the folders of debug files.  */
static void
open_packages (struct dg_split *split, const char *file)
{
  char *real = realpath (file, NULL), *base = g_path_get_basename (file);
  char *debug;

  open_package (split, g_strconcat (file, ".dwp", NULL));
  if (real != NULL && strcmp (real, file) != 0)
    open_package (split, g_strconcat (real, ".dwp", NULL));
  if (split->find->debug_file != NULL)
    open_package (split,
                  g_strconcat (split->find->debug_file, ".dwp", NULL));
  for (size_t i = 0;
       (debug = dg_symbols_find_debug_dir (split->find, i)) != NULL; i++) {
    char *name = g_strconcat (base, ".dwp", NULL);

    open_package (split, g_build_filename (debug, name, NULL));
    g_free (name);
    g_free (debug);
  }
  g_free (base);
  free (real);
}

static void
find_in_packages (struct dg_split *split, const char *file)
{
  bool is_opened = false;

  for (guint i = 0; i < split->units->len; i++) {
    struct unit *unit = unit_at (split, i);

    if (unit->path != NULL || unit->bundled != NULL)
      continue;
    if (!is_opened)
      open_packages (split, file);
    is_opened = true;
    for (guint k = 0; k < split->packages->len && unit->path == NULL; k++) {
      if (!dg_dwo_package_has (g_ptr_array_index (split->packages, k),
                               unit->id))
        continue;
      unit->package = g_ptr_array_index (split->packages, k);
      unit->path = g_strdup (g_ptr_array_index (split->package_names, k));
    }
  }
}

/* ---- Files in the log --------------------------------------------------- */

static void
find_bundled (const struct dg_split *split, struct unit *unit)
{
  const struct dg_table *files = dg_bundled_files (split->find->log);
  uint8_t id[DG_SPLIT_ID_BYTES];

  dg_split_id_bytes (unit->id, id);
  if (files != NULL)
    unit->bundled = dg_bundle_lookup (files, DG_BUNDLE_SPLIT,
                                      split->find->path, id, sizeof id);
}

void
dg_split_id_bytes (uint64_t id, uint8_t bytes[DG_SPLIT_ID_BYTES])
{
  for (unsigned i = 0; i < DG_SPLIT_ID_BYTES; i++)
    bytes[i] = (uint8_t) (id >> (8 * i));
}

/* ---- All of it ---------------------------------------------------------- */

static void
unit_fini (gpointer data)
{
  struct unit *unit = data;

  g_free (unit->path);
}

static void
free_package (gpointer package)
{
  dg_dwo_package_free (package);
}

/* Once there are all, so that they stay where they are.  */
static void
enter_units (struct dg_split *split)
{
  split->by_id = g_hash_table_new (dg_hash_uint64, g_int64_equal);
  for (guint i = split->units->len; i-- > 0;) {
    struct unit *unit = unit_at (split, i);

    g_hash_table_replace (split->by_id, &unit->id, unit);
  }
}

struct dg_split *
dg_split_new (struct dg_find *find, Dwfl_Module *module, const char *file)
{
  struct dg_split *split;
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (module, &bias);
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;
  uint64_t id;
  char *dir;

  if (dwarf == NULL || !next_unit (dwarf, &cu, &die, &id))
    return NULL;
  split = g_new0 (struct dg_split, 1);
  split->find = find;
  split->place = -1;
  split->units = g_array_new (FALSE, FALSE, sizeof (struct unit));
  g_array_set_clear_func (split->units, unit_fini);
  split->packages = g_ptr_array_new_with_free_func (free_package);
  split->package_names = g_ptr_array_new_with_free_func (g_free);
  dir = dg_symbols_find_folder (module);
  do {
    struct unit unit = {.id = id};

    if (find->is_bundled)
      find_bundled (split, &unit);
    else
      find_file (split, &unit, &die, dir);
    g_array_append_val (split->units, unit);
  } while (next_unit (dwarf, &cu, &die, &id));
  g_free (dir);
  if (!find->is_bundled)
    find_in_packages (split, file);
  enter_units (split);
  return split;
}

void
dg_split_free (struct dg_split *split)
{
  if (split == NULL)
    return;
  if (split->place >= 0)
    close (split->place);
  g_hash_table_unref (split->by_id);
  g_array_unref (split->units);
  g_ptr_array_unref (split->packages);
  g_ptr_array_unref (split->package_names);
  g_free (split);
}

size_t
dg_split_count (const struct dg_split *split, size_t *n_found)
{
  *n_found = 0;
  for (guint i = 0; i < split->units->len; i++) {
    const struct unit *unit = unit_at (split, i);

    *n_found += unit->path != NULL || unit->bundled != NULL;
  }
  return split->units->len;
}

bool
dg_split_unit (const struct dg_split *split, size_t i, uint64_t *id,
               const char **path)
{
  const struct unit *unit = unit_at (split, i);

  *id = unit->id;
  *path = unit->path;
  return unit->path != NULL;
}

static int
open_file (const struct unit *unit)
{
  int fd = dg_symbols_private (dg_regular_open (unit->path, NULL)), made;

  if (fd < 0 || dg_dwo_is_plain (fd))
    return fd;
  made = dg_dwo_make_plain (fd);
  if (made >= 0 && dg_symbols_is_sealed (fd))
    made = dg_symbols_sealed (made);
  close (fd);
  return made;
}

static int
open_unit (const struct dg_split *split, const struct unit *unit)
{
  struct dg_error error;
  int fd;

  if (unit->package != NULL)
    return dg_dwo_package_unit (unit->package, unit->id);
  if (unit->path != NULL)
    return open_file (unit);
  if (unit->bundled == NULL)
    return -1;
  fd = dg_bundled_open (split->find->log, unit->bundled, &error);
  if (fd < 0 && split->find->problem == NULL)
    split->find->problem = g_strdup (error.message);
  return fd;
}

int
dg_split_open (const struct dg_split *split, uint64_t id)
{
  const struct unit *unit = g_hash_table_lookup (split->by_id, &id);

  return unit != NULL ? open_unit (split, unit) : -1;
}

/* ---- The copy ----------------------------------------------------------- */

bool
dg_split_needs_copy (const struct dg_split *split)
{
  for (guint i = 0; i < split->units->len; i++) {
    const struct unit *unit = unit_at (split, i);

    /* Of a module that is in the log nothing else is read.  */
    if (split->find->is_bundled || (unit->path != NULL && !unit->is_usual))
      return true;
  }
  return false;
}

/* Names of units, and where they are in the image.  */
struct renaming {
  struct dg_symbols_image image;
  const char *name;
  uint64_t info, n_info;           /* .debug_info */
  uint64_t offsets, n_offsets;     /* .debug_str_offsets */
  uint64_t at_str, at_line_str;    /* of the new name in its section */
  bool has_str, has_line_str;
};

static bool
begin_renaming (struct renaming *renaming)
{
  struct dg_symbols_image *image = &renaming->image;
  size_t n = strlen (renaming->name) + 1;

  renaming->has_str = dg_symbols_image_extend (
    image, ".debug_str", renaming->name, n, &renaming->at_str);
  renaming->has_line_str = dg_symbols_image_extend (
    image, ".debug_line_str", renaming->name, n, &renaming->at_line_str);
  if (!dg_symbols_image_section (image, ".debug_str_offsets",
                                 &renaming->offsets, &renaming->n_offsets))
    renaming->n_offsets = 0;
  return dg_symbols_image_section (image, ".debug_info", &renaming->info,
                                   &renaming->n_info);
}

/* Sets an offset of a section of the image, which has the byte order of this
   machine.  */
static bool
set_offset (struct renaming *renaming, uint64_t section, uint64_t n,
            uint64_t at, uint8_t size, uint64_t offset)
{
  uint8_t *to = renaming->image.bytes + section + at;
  uint32_t word = (uint32_t) offset;

  if (size != sizeof word || offset > UINT32_MAX || at > n || n - at < size)
    return false;
  memcpy (to, &word, sizeof word);
  return true;
}

/* Which entry of .debug_str_offsets the name is.  */
static bool
index_of (const Dwarf_Attribute *attribute, uint64_t *index)
{
  const uint8_t *at = attribute->valp;

  switch (attribute->form) {
  case DW_FORM_strx1:
    *index = at[0];
    return true;
  case DW_FORM_strx2: {
    uint16_t number;

    memcpy (&number, at, sizeof number);
    *index = number;
    return true;
  }
  case DW_FORM_strx4: {
    uint32_t number;

    memcpy (&number, at, sizeof number);
    *index = number;
    return true;
  }
  case DW_FORM_strx:
    *index = 0;
    for (unsigned shift = 0; shift < 28; shift += 7, at++) {
      *index |= (uint64_t) (*at & 127) << shift;
      if ((*at & 128) == 0)
        return true;
    }
    return false;
  default:
    return false;
  }
}

/* Whether the unit has the new name.  That libdw has read the old one shows
   that the attribute is whole.  */
static bool
rename_unit (struct renaming *renaming, Dwarf_Die *die)
{
  Dwarf_Attribute attribute, base;
  const char *info = (const char *) die->addr - dwarf_dieoffset (die);
  Dwarf_Word start = 8;
  uint8_t size = 0;
  uint64_t index, at;

  if (name_of (die, &attribute) == NULL
      || dwarf_formstring (&attribute) == NULL
      || dwarf_cu_info (die->cu, NULL, NULL, NULL, NULL, NULL, NULL, &size)
           != 0)
    return false;
  at = (uint64_t) ((const char *) attribute.valp - info);
  if (attribute.form == DW_FORM_strp)
    return renaming->has_str
           && set_offset (renaming, renaming->info, renaming->n_info, at, size,
                          renaming->at_str);
  if (attribute.form == DW_FORM_line_strp)
    return renaming->has_line_str
           && set_offset (renaming, renaming->info, renaming->n_info, at, size,
                          renaming->at_line_str);
  if (!renaming->has_str || !index_of (&attribute, &index))
    return false;
  dwarf_formudata (dwarf_attr (die, DW_AT_str_offsets_base, &base), &start);
  return start <= renaming->n_offsets
         && set_offset (renaming, renaming->offsets, renaming->n_offsets,
                        start + index * size, size, renaming->at_str);
}

/* Where the units are.  */
static int
open_skeletons (const struct dg_find *find)
{
  int fd = find->debug_file != NULL ? find->debug_fd : find->module_fd;

  return fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : -1;
}

static int
write_image (const struct dg_symbols_image *image)
{
  int fd = memfd_create ("datagrind-split", MFD_CLOEXEC);
  uint64_t at = 0;

  while (fd >= 0 && at < image->size) {
    ssize_t n = write (fd, image->bytes + at, image->size - at);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      close (fd);
      return -1;
    }
    at += (uint64_t) n;
  }
  return fd;
}

static int
copy (struct dg_split *split, Dwarf *dwarf, struct renaming *renaming)
{
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;
  uint64_t id;

  if (!begin_renaming (renaming))
    return -1;
  while (next_unit (dwarf, &cu, &die, &id))
    if (!rename_unit (renaming, &die))
      split->is_open = true;
  return write_image (&renaming->image);
}

int
dg_split_copy (struct dg_split *split, Dwfl_Module *module)
{
  Dwarf_Addr bias;
  struct renaming renaming = {.has_str = false};
  char name[64];
  int fd = open_skeletons (split->find), made = -1;

  split->is_open = fd < 0;
  if (fd < 0)
    return -1;
  split->place = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_snprintf (name, sizeof name, "/proc/self/fd/%d", split->place);
  renaming.name = name;
  if (split->place >= 0
      && dg_symbols_image_read (&renaming.image, fd, NULL) == 0) {
    made = copy (split, dwfl_module_getdwarf (module, &bias), &renaming);
    dg_symbols_image_fini (&renaming.image);
  }
  close (fd);
  split->is_open |= made < 0;
  return made;
}

bool
dg_split_is_open (const struct dg_split *split)
{
  return split->is_open;
}

/* Whatever is the name of all units when it is first asked for the rest of
   one, or nothing.  */
static void
link_units (struct dg_split *split, Dwarf_CU *const *units, const int *fds,
            size_t n, int nothing)
{
  Dwarf_Die rest;

  for (size_t i = 0; i < n; i++) {
    if (dup3 (fds[i] >= 0 ? fds[i] : nothing, split->place, O_CLOEXEC) >= 0)
      dwarf_cu_info (units[i], NULL, NULL, NULL, &rest, NULL, NULL, NULL);
    if (fds[i] >= 0)
      close (fds[i]);
  }
}

/* Each unit keeps what it finds when it is first asked, also nothing; so the
   descriptor may then be another's.  */
void
dg_split_link (struct dg_split *split, Dwfl_Module *module)
{
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (module, &bias);
  int nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  Dwarf_CU *units[AT_ONCE], *cu = NULL;
  int fds[AT_ONCE];
  size_t n = 0;
  Dwarf_Die die;
  uint64_t id;
  bool has_next = dwarf != NULL && nothing >= 0;

  while (has_next) {
    has_next = next_unit (dwarf, &cu, &die, &id);
    if (has_next) {
      units[n] = cu;
      fds[n++] = dg_split_open (split, id);
    }
    if (n == AT_ONCE || !has_next) {
      char *why = dg_symbols_probe_units (fds, n);

      if (why != NULL) {
        g_free (split->find->problem);
        split->find->problem = why;
      }
      link_units (split, units, fds, n, nothing);
      n = 0;
    }
  }
  if (nothing >= 0)
    close (nothing);
  close (split->place);
  split->place = -1;
}
