/* replace_beside.c: names of files that are written beside their places.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace_beside.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a file system does not say how long a name may be.  */
#define NAME_BYTES 255

#define BESIDE_BYTES strlen (".01234567.tmp")

/* How much of a base name fits before so many bytes more.  */
static size_t
part_of_name (const char *folder, const char *base, size_t more)
{
  long most = pathconf (folder, _PC_NAME_MAX);
  size_t n = strlen (base), room;

  if (most <= (long) more)
    most = NAME_BYTES;
  room = (size_t) most - more;
  if (n <= room)
    return n;
  /* No part of a character.  */
  while (room > 1 && ((unsigned char) base[room] & 0xc0) == 0x80)
    room--;
  return room;
}

char *
dg_beside_suffix (const char *path, const char *suffix)
{
  char *folder = g_path_get_dirname (path), *base = g_path_get_basename (path);
  char *name = g_strdup_printf (
    "%.*s%s", (int) part_of_name (folder, base, strlen (suffix)), base,
    suffix);
  char *made = g_build_filename (folder, name, NULL);

  g_free (name);
  g_free (base);
  g_free (folder);
  return made;
}

char *
dg_beside_name (const char *path)
{
  char *suffix = g_strdup_printf (".%08x.tmp", g_random_int ());
  char *name = dg_beside_suffix (path, suffix);

  g_free (suffix);
  return name;
}

/* Does another process have it, by a lock that goes with the process?  Where
   there are no locks, nobody can tell.  */
static bool
is_owned (int fd)
{
  return flock (fd, LOCK_EX | LOCK_NB) < 0;
}

bool
dg_beside_is_still (int fd, const char *name)
{
  struct stat own, there;

  return fstat (fd, &own) == 0 && lstat (name, &there) == 0
         && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

/* Is it the name of a new file for the first n bytes of `base`, as
   dg_beside_name makes them?  */
static bool
is_beside (const char *name, const char *base, size_t n)
{
  if (strncmp (name, base, n) != 0 || name[n] != '.'
      || strlen (name + n) != BESIDE_BYTES
      || strcmp (name + n + 9, ".tmp") != 0)
    return false;
  for (unsigned i = 1; i <= 8; i++)
    if (!g_ascii_isxdigit (name[n + i]))
      return false;
  return true;
}

static void
remove_if_left (const char *name)
{
  int fd = open (name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
                         | O_NOCTTY);
  struct stat st;

  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && !is_owned (fd)
      && dg_beside_is_still (fd, name))
    unlink (name);
  close (fd);
}

void
dg_beside_remove_left (const char *path)
{
  char *folder = g_path_get_dirname (path), *base = g_path_get_basename (path);
  GDir *dir = g_dir_open (folder, 0, NULL);
  size_t n = part_of_name (folder, base, BESIDE_BYTES);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    if (is_beside (name, base, n)) {
      char *left = g_build_filename (folder, name, NULL);

      remove_if_left (left);
      g_free (left);
    }
  if (dir)
    g_dir_close (dir);
  g_free (folder);
  g_free (base);
}
