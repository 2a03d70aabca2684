/* faults_files.c: folders of files: copied, compared, removed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include "faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
must (bool good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "faults: %s: %s\n", what, strerror (errno));
  exit (99);
}

static int
remove_one (const char *path, const struct stat *st, int type,
            struct FTW *place)
{
  (void) st;
  (void) type;
  (void) place;
  return remove (path);
}

void
faults_remove (const char *folder)
{
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
copy_file (const char *from, const char *to, const struct stat *st)
{
  /* An index knows when its log was changed.  */
  const struct timespec times[] = { st->st_atim, st->st_mtim };
  char bytes[1 << 16];
  int in = open (from, O_RDONLY | O_CLOEXEC), out;
  ssize_t n;

  out = open (to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
              st->st_mode & 07777);
  must (in >= 0 && out >= 0, to);
  while ((n = read (in, bytes, sizeof bytes)) > 0)
    must (write (out, bytes, (size_t) n) == n, to);
  must (n == 0 && futimens (out, times) == 0, to);
  close (in);
  close (out);
}

void
faults_copy (const char *from, const char *to)
{
  char one[PATH_MAX], other[PATH_MAX];
  DIR *folder = opendir (from);
  struct dirent *entry;
  struct stat st;

  must (folder != NULL && mkdir (to, 0777) == 0, to);
  while ((entry = readdir (folder)) != NULL) {
    if (!strcmp (entry->d_name, ".") || !strcmp (entry->d_name, ".."))
      continue;
    snprintf (one, sizeof one, "%s/%s", from, entry->d_name);
    snprintf (other, sizeof other, "%s/%s", to, entry->d_name);
    must (lstat (one, &st) == 0, one);
    if (S_ISDIR (st.st_mode))
      faults_copy (one, other);
    else
      copy_file (one, other, &st);
  }
  closedir (folder);
}

bool
faults_find (const char *folder, bool (*is_wanted) (const char *name),
             char *to, size_t room)
{
  DIR *all = opendir (folder);
  struct dirent *entry;
  bool is_there = false;

  while (all && !is_there && (entry = readdir (all)) != NULL) {
    is_there = is_wanted (entry->d_name);
    if (is_there)
      snprintf (to, room, "%s/%s", folder, entry->d_name);
  }
  if (all)
    closedir (all);
  return is_there;
}

bool
faults_same_file (const char *one, const char *other)
{
  static char a[1 << 16], b[1 << 16];
  int fd = open (one, O_RDONLY | O_CLOEXEC);
  int fe = open (other, O_RDONLY | O_CLOEXEC);
  ssize_t n = -1, m = -1;

  do {
    n = fd < 0 ? -1 : read (fd, a, sizeof a);
    m = fe < 0 ? -1 : read (fe, b, sizeof b);
  } while (n > 0 && n == m && memcmp (a, b, (size_t) n) == 0);
  if (fd >= 0)
    close (fd);
  if (fe >= 0)
    close (fe);
  return n == 0 && m == 0;
}

/* Whether all of one is in other, and the same.  */
static bool
is_within (const char *one, const char *other, char *why, size_t room)
{
  char mine[PATH_MAX], theirs[PATH_MAX];
  DIR *folder = opendir (one);
  struct dirent *entry;
  struct stat st;
  bool good = true;

  while (good && folder && (entry = readdir (folder)) != NULL) {
    if (!strcmp (entry->d_name, ".") || !strcmp (entry->d_name, ".."))
      continue;
    snprintf (mine, sizeof mine, "%s/%s", one, entry->d_name);
    snprintf (theirs, sizeof theirs, "%s/%s", other, entry->d_name);
    good = lstat (mine, &st) == 0
           && (S_ISDIR (st.st_mode) ? is_within (mine, theirs, why, room)
                                    : faults_same_file (mine, theirs));
    if (!good)
      snprintf (why, room, "%s", entry->d_name);
  }
  if (folder)
    closedir (folder);
  return good;
}

bool
faults_same_tree (const char *one, const char *other, bool may_have_more,
                  char *why, size_t room)
{
  return (may_have_more || is_within (one, other, why, room))
         && is_within (other, one, why, room);
}
