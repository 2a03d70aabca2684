/* symbols_find.c: finds executables and separate debug information, and opens
   regular files only.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_find.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular.h"
#include "log/bundled.h"
#include "symbols_private.h"
#include "symbols_probe.h"

#define DEBUG_DIR "/usr/lib/debug"

/* What is looked for.  */
struct wanted {
  const struct dg_find *find;
  const uint8_t *id;       /* the build-id that it has to have */
  size_t n_id;             /* 0: none is known */
  uint32_t crc;            /* else this; 0: any file will do */
  struct stat self;        /* this file is not it */
};

/* ---- Is it the one? --------------------------------------------------- */

static bool
has_id (int fd, const uint8_t *id, size_t n_id)
{
  /* Not mapped: it may be anybody's.  */
  Elf *elf = elf_begin (fd, ELF_C_READ, NULL);
  const void *found;
  bool result = elf != NULL && elf_kind (elf) == ELF_K_ELF
                && dwelf_elf_gnu_build_id (elf, &found) == (ssize_t) n_id
                && memcmp (found, id, n_id) == 0;

  elf_end (elf);
  return result;
}

/* The CRC of .gnu_debuglink, which is that of Ethernet and zip.  */
static bool
has_crc (int fd, uint32_t wanted)
{
  uint32_t table[256], crc = UINT32_MAX;
  uint8_t *bytes = g_malloc (65536);
  off_t at = 0;
  ssize_t n;

  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
  }
  while ((n = pread (fd, bytes, 65536, at)) > 0) {
    for (ssize_t i = 0; i < n; i++)
      crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    at += n;
  }
  g_free (bytes);
  return n == 0 && ~crc == wanted;
}

/* The descriptor, or -1.  */
static int
try (const struct wanted *wanted, const char *path)
{
  struct stat status;
  int fd = dg_regular_open (path, NULL);

  if (fd < 0)
    return -1;
  if (fstat (fd, &status) == 0
      && (status.st_dev != wanted->self.st_dev
          || status.st_ino != wanted->self.st_ino)
      && (wanted->n_id > 0 ? has_id (fd, wanted->id, wanted->n_id)
                           : wanted->crc == 0 || has_crc (fd, wanted->crc)))
    return dg_symbols_private (fd);
  close (fd);
  return -1;
}

/* Takes the path.  */
static int
try_and_free (const struct wanted *wanted, char *path, char **name)
{
  int fd = path != NULL ? try (wanted, path) : -1;

  if (fd >= 0)
    /* As libdwfl frees it.  */
    *name = strdup (path);
  g_free (path);
  return fd;
}

/* ---- Where it may be -------------------------------------------------- */

static const struct dg_places_kept *
places_of (const struct dg_find *find)
{
  return dg_bundled_places (find->log);
}

char *
dg_symbols_find_rooted (const struct dg_find *find, const char *path)
{
  const struct dg_places_kept *places = places_of (find);

  return places != NULL && places->sysroot != NULL
           ? g_build_filename (places->sysroot, path, NULL)
           : NULL;
}

char *
dg_symbols_find_module (const struct dg_find *find, bool is_first)
{
  char *path = dg_symbols_find_rooted (find, find->path);

  if (path != NULL && is_first)
    return path;
  g_free (path);
  return path != NULL || is_first ? g_strdup (find->path) : NULL;
}

char *
dg_symbols_find_debug_dir (const struct dg_find *find, size_t i)
{
  const struct dg_places_kept *places = places_of (find);
  size_t n = places != NULL ? g_strv_length (places->debug_dirs) : 0;
  char *rooted;

  if (i < n)
    return g_strdup (places->debug_dirs[i]);
  rooted = dg_symbols_find_rooted (find, DEBUG_DIR);
  if (rooted != NULL && i == n)
    return rooted;
  n += rooted != NULL;
  g_free (rooted);
  return i == n ? g_strdup (DEBUG_DIR) : NULL;
}

/* Below one of them; NULL for an id that is too short.  */
static char *
build_id_path (const char *dir, const uint8_t *id, size_t n)
{
  GString *path;

  if (n < 2)
    return NULL;
  path = g_string_new (dir);
  g_string_append (path, "/.build-id/");
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (path, "%02x%s", id[i], i == 0 ? "/" : "");
  g_string_append (path, ".debug");
  return g_string_free (path, FALSE);
}

/* In one folder of debug files after the other.  */
static int
try_build_id (const struct wanted *wanted, char **name)
{
  char *dir;
  int fd = -1;

  for (size_t i = 0;
       wanted->n_id > 0 && fd < 0
       && (dir = dg_symbols_find_debug_dir (wanted->find, i)) != NULL;
       i++) {
    fd = try_and_free (wanted,
                       build_id_path (dir, wanted->id, wanted->n_id), name);
    g_free (dir);
  }
  return fd;
}

int
dg_symbols_find_by_build_id (const struct dg_find *find, const uint8_t *id,
                             size_t n, char **path)
{
  const struct wanted wanted = {.find = find, .id = id, .n_id = n};

  *path = NULL;
  return try_build_id (&wanted, path);
}

/* What a link of a file of the folder `dir` may mean in a folder of debug
   files.  */
static int
try_below (const struct wanted *wanted, const char *debug, const char *dir,
           const char *link, char **name)
{
  const char *below = dir;
  int fd = -1;

  /* Where the root was elsewhere, some of the first folders are not there. */
  while (fd < 0 && dir[0] == '/' && below != NULL) {
    fd = try_and_free (wanted, g_build_filename (debug, below, link, NULL),
                       name);
    below += strspn (below, "/");
    if (below[0] == '\0')
      break;
    below = strchr (below, '/');
    if (below == NULL)
      below = "";
  }
  return fd;
}

/* What a debug link that stands in `file` may mean.  */
static int
try_link (const struct wanted *wanted, const char *file, const char *link,
          char **name)
{
  char *dir = g_path_get_dirname (file), *debug;
  int fd;

  if (g_path_is_absolute (link))
    fd = try_and_free (wanted, g_strdup (link), name);
  else
    fd = try_and_free (wanted, g_build_filename (dir, link, NULL), name);
  if (fd < 0)
    fd = try_and_free (wanted, g_build_filename (dir, ".debug", link, NULL),
                       name);
  for (size_t i = 0;
       fd < 0
       && (debug = dg_symbols_find_debug_dir (wanted->find, i)) != NULL;
       i++) {
    fd = try_below (wanted, debug, dir, link, name);
    g_free (debug);
  }
  g_free (dir);
  return fd;
}

/* And where the file is a link to another, beside that.  */
static int
try_links (const struct wanted *wanted, const char *file, const char *link,
           char **name)
{
  int fd = try_link (wanted, file, link, name);
  char *real;

  if (fd >= 0)
    return fd;
  real = realpath (file, NULL);
  if (real != NULL && strcmp (real, file) != 0)
    fd = try_link (wanted, real, link, name);
  free (real);
  return fd;
}

char *
dg_symbols_find_in (const char *dir, const char *name)
{
  return g_path_is_absolute (name) ? g_strdup (name)
                                   : g_build_filename (dir, name, NULL);
}

/* The file that has parts of the debug information of several.  */
static int
find_shared (const struct dg_find *find, Dwfl_Module *module,
             const char *file, const char *link, char **name)
{
  struct wanted wanted = {.find = find};
  Dwarf_Addr bias;
  const char *again;
  const void *id;
  ssize_t n = dwelf_dwarf_gnu_debugaltlink (
    dwfl_module_getdwarf (module, &bias), &again, &id);
  char *dir;
  int fd;

  if (n <= 0 || file == NULL)
    return -1;
  wanted.id = id;
  wanted.n_id = (size_t) n;
  fd = try_build_id (&wanted, name);
  if (fd >= 0)
    return fd;
  dir = g_path_get_dirname (file);
  fd = try_and_free (&wanted, dg_symbols_find_in (dir, link), name);
  g_free (dir);
  return fd;
}

static int
find_own (const struct dg_find *find, Dwfl_Module *module,
          const char *file, const char *link, uint32_t crc, char **name)
{
  struct wanted wanted = {.find = find, .crc = link != NULL ? crc : 0};
  const unsigned char *id;
  GElf_Addr address;
  int n = dwfl_module_build_id (module, &id, &address), fd;
  char *made = NULL;

  if (file == NULL)
    return -1;
  if (stat (file, &wanted.self) < 0)
    memset (&wanted.self, 0, sizeof wanted.self);
  if (n > 0) {
    wanted.id = id;
    wanted.n_id = (size_t) n;
  }
  fd = try_build_id (&wanted, name);
  if (fd >= 0)
    return fd;
  if (link == NULL) {
    char *base = g_path_get_basename (file);

    link = made = g_strconcat (base, ".debug", NULL);
    g_free (base);
  }
  fd = try_links (&wanted, file, link, name);
  g_free (made);
  return fd;
}

const struct dg_bundle_file *
dg_symbols_find_bundled_debug (const struct dg_find *find)
{
  return dg_bundle_lookup (dg_bundled_files (find->log), DG_BUNDLE_DEBUG,
                           find->path, find->build_id, find->n_build_id);
}

/* Both, of a module that comes from the log: nothing else is read.  */
static int
find_bundled (struct dg_find *find, Dwfl_Module *module, bool is_own,
              char **name)
{
  struct dg_error error;
  const struct dg_table *files = dg_bundled_files (find->log);
  const struct dg_bundle_file *file;
  Dwarf_Addr bias;
  const char *link;
  const void *id = NULL;
  ssize_t n = 0;
  int fd;

  if (!is_own)
    n = dwelf_dwarf_gnu_debugaltlink (dwfl_module_getdwarf (module, &bias),
                                      &link, &id);
  if (is_own)
    file = dg_symbols_find_bundled_debug (find);
  else
    file = n > 0 ? dg_bundle_lookup (files, DG_BUNDLE_SHARED, NULL, id,
                                     (size_t) n)
                 : NULL;
  if (is_own && find->debug_fd >= 0)
    fd = fcntl (find->debug_fd, F_DUPFD_CLOEXEC, 0);
  else
    fd = file != NULL ? dg_bundled_open (find->log, file, &error) : -1;
  if (fd >= 0) {
    *name = strdup (file->name);
  } else if (file != NULL) {
    g_free (find->problem);
    find->problem = g_strdup (error.message);
  }
  return fd;
}

void
dg_symbols_find_unsafe (struct dg_find *find, char *why)
{
  find->is_unsafe = true;
  g_free (find->problem);
  find->problem = why;
}

/* What libdwfl is to get: it, or -1 if it cannot be read safely.  Once one
   file cannot, none of the others is of use.  */
static int
tried (struct dg_find *find, int fd, bool is_own)
{
  int *kept = is_own ? &find->debug_fd : &find->shared_fd;
  char *why = NULL;

  if (!find->is_unsafe && fd >= 0)
    why = dg_symbols_probe_module (find->module_fd,
                                   is_own ? fd : find->debug_fd,
                                   is_own ? -1 : fd, false);
  if (why != NULL)
    dg_symbols_find_unsafe (find, why);
  if (find->is_unsafe && fd >= 0) {
    close (fd);
    return -1;
  }
  if (fd >= 0 && *kept < 0)
    *kept = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  return fd;
}

/* From servers only, as its search path leads nowhere.  Where the files are
   kept they are the user's, but not from him.  */
static int
ask_servers (Dwfl_Module *module, void **user, const char *module_name,
             Dwarf_Addr base, const char *file, const char *link,
             GElf_Word crc, char **name)
{
  int fd = dwfl_standard_find_debuginfo (module, user, module_name, base,
                                         file, link, crc, name);

  return fd >= 0 ? dg_symbols_sealed (fd) : -1;
}

/* The callback of libdwfl.  It is called for the file's own debug information,
   with the link that the file has, and then perhaps for what that shares with
   others, with another.  */
static int
find_debug_info (Dwfl_Module *module, void **user, const char *module_name,
                 Dwarf_Addr base, const char *file, const char *link,
                 GElf_Word crc, char **name)
{
  struct dg_find *find = *user;
  GElf_Addr bias;
  GElf_Word again;
  Elf *elf = dwfl_module_getelf (module, &bias);
  bool is_own = link == NULL
                || (elf != NULL
                    && dwelf_elf_gnu_debuglink (elf, &again) == link);
  char **kept = is_own ? &find->debug_file : &find->shared_file;
  bool is_copy = is_own && find->copy >= 0 && find->debug_file != NULL;
  int fd;

  /* It asks again where it could not read what it was given, and would forget
     the name.  */
  if (is_own) {
    free (*name);
    *name = NULL;
  }
  if (is_copy) {
    fd = fcntl (find->copy, F_DUPFD_CLOEXEC, 0);
    *name = strdup (find->debug_file);
  } else if (find->is_bundled) {
    fd = find_bundled (find, module, is_own, name);
  } else {
    fd = is_own ? find_own (find, module, file, link, crc, name)
                : find_shared (find, module, file, link, name);
  }
  if (fd < 0 && !find->is_bundled)
    fd = ask_servers (module, user, module_name, base, file, link, crc, name);
  /* A copy is ours, of what has been tried.  */
  if (!is_copy)
    fd = tried (find, fd, is_own);
  if (fd >= 0 && *name != NULL) {
    g_free (*kept);
    *kept = g_strdup (*name);
  }
  return fd >= 0 ? fd : -1;
}

void
dg_symbols_find_for (Dwfl_Module *module, struct dg_find *find)
{
  void **user;

  dwfl_module_info (module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
  *user = find;
}

static const char *const search_path = "/nonexistent";

const Dwfl_Callbacks dg_find_callbacks = {
  .find_elf = dwfl_build_id_find_elf,
  .find_debuginfo = find_debug_info,
  .section_address = dwfl_offline_section_address,
  /* Nobody writes there.  */
  .debuginfo_path = (char **) &search_path};

/* ---- What libdw opens ------------------------------------------------- */

/* Takes the path; returns it if it is bad.  */
static char *
if_bad (char *path)
{
  if (path != NULL && dg_regular_is_other (path))
    return path;
  g_free (path);
  return NULL;
}

static char *
bad_shared (Dwarf *dwarf, const char *dir)
{
  const char *link;
  const void *id;
  ssize_t n = dwelf_dwarf_gnu_debugaltlink (dwarf, &link, &id);
  char *bad;

  if (n <= 0)
    return NULL;
  bad = if_bad (build_id_path (DEBUG_DIR, id, (size_t) n));
  return bad != NULL ? bad : if_bad (dg_symbols_find_in (dir, link));
}

/* Of a unit whose rest is in a file of its own.  */
static char *
bad_split (Dwarf_Die *unit, const char *dir)
{
  Dwarf_Attribute attribute;
  const char *name, *compiled;
  char *bad, *folder;

  name = dwarf_formstring (dwarf_attr (unit, DW_AT_dwo_name, &attribute));
  if (name == NULL)
    name =
      dwarf_formstring (dwarf_attr (unit, DW_AT_GNU_dwo_name, &attribute));
  if (name == NULL)
    return NULL;
  bad = if_bad (dg_symbols_find_in (dir, name));
  compiled = dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute));
  if (bad != NULL || compiled == NULL || g_path_is_absolute (name))
    return bad;
  folder = dg_symbols_find_in (dir, compiled);
  bad = if_bad (dg_symbols_find_in (folder, name));
  g_free (folder);
  return bad;
}

/* Without links.  */
char *
dg_symbols_find_folder (Dwfl_Module *module)
{
  const char *file = NULL, *debug = NULL;
  char *real, *dir;

  dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, &file, &debug);
  if (debug == NULL)
    debug = file;
  real = debug != NULL ? realpath (debug, NULL) : NULL;
  dir = g_path_get_dirname (real != NULL ? real : "/");
  free (real);
  return dir;
}

/* Later versions of libdw look for it.  */
static char *
bad_package (Dwfl_Module *module)
{
  const char *file = NULL, *debug = NULL;
  char *bad;

  dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, &file, &debug);
  bad = file != NULL ? if_bad (g_strconcat (file, ".dwp", NULL)) : NULL;
  return bad != NULL || debug == NULL
           ? bad
           : if_bad (g_strconcat (debug, ".dwp", NULL));
}

char *
dg_symbols_find_outside (const struct dg_find *find, Dwfl_Module *module)
{
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (module, &bias);
  const char *link;
  const void *id;

  return dwarf != NULL && find->shared_file == NULL
             && dwelf_dwarf_gnu_debugaltlink (dwarf, &link, &id) != 0
           ? g_strdup (link)
           : NULL;
}

char *
dg_symbols_find_bad_name (const struct dg_find *find, Dwfl_Module *module)
{
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (module, &bias);
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  uint8_t type;
  char *dir, *bad;

  if (dwarf == NULL)
    return NULL;
  if (find->is_bundled)
    return dg_symbols_find_outside (find, module);
  dir = dg_symbols_find_folder (module);
  bad = bad_shared (dwarf, dir);
  /* Without asking for the other half of a unit, which would open it.  */
  while (bad == NULL
         && dwarf_get_units (dwarf, unit, &unit, NULL, &type, &die, NULL)
              == 0)
    if (type == DW_UT_skeleton)
      bad = bad_split (&die, dir) ?: bad_package (module);
  g_free (dir);
  return bad;
}
