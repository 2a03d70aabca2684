/* ring_folder.c: the private folder in which rings are asked for and given
   (dg_ring.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ring_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/foreign.h"
#include "base/process.h"

#define PREFIX "datagrind-rings-"
/* A folder without an owner that is younger may be about to get one.  */
#define YOUNG_SECONDS 60

/* ---- Folders that nobody owns any more ---- */

static bool
has_owner (const char *path)
{
  char *name = g_build_filename (path, "owner", NULL);
  char *text = NULL, *end;
  bool result = false;
  uint64_t pid;

  if (g_file_get_contents (name, &text, NULL, NULL)) {
    pid = g_ascii_strtoull (text, &end, 10);
    result = pid > 0
             && g_ascii_strtoull (end, NULL, 10)
                  == dg_process_start_ticks (pid);
  }
  g_free (text);
  g_free (name);
  return result;
}

/* Only what such a folder may hold.  Takes `dir`.  */
static void
remove_folder (const char *path, GDir *dir)
{
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL) {
    if (g_str_has_suffix (name, ".want") || g_str_has_suffix (name, ".ring")
        || g_str_has_suffix (name, ".none") || g_str_has_suffix (name, ".new")
        || strcmp (name, "owner") == 0) {
      char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
      g_free (file);
    }
  }
  if (dir)
    g_dir_close (dir);
  g_rmdir (path);
}

static void
remove_old_folders (const char *directory)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL) {
    char *path;
    GStatBuf st;

    if (!g_str_has_prefix (name, PREFIX))
      continue;
    path = g_build_filename (directory, name, NULL);
    if (g_lstat (path, &st) == 0 && S_ISDIR (st.st_mode)
        && st.st_uid == geteuid () && (st.st_mode & 0777) == 0700
        && now - st.st_mtime > YOUNG_SECONDS
        && !has_owner (path))
      remove_folder (path, g_dir_open (path, 0, NULL));
    g_free (path);
  }
  if (dir)
    g_dir_close (dir);
}

/* ---- Ours ---- */

/* A new folder there, to be freed; NULL: errno says why.  Not where another
   user may put one of his own in its place, whom the program would then tell
   what it does.  */
static char *
make_folder (const char *directory)
{
  char *path = g_build_filename (directory, PREFIX "XXXXXX", NULL);
  struct stat status;
  int error = 0;

  if (stat (directory, &status) < 0)
    error = errno;
  else if (dg_foreign_may_replace (&status))
    error = EPERM;
  else if (g_mkdtemp_full (path, 0700))
    return path;
  else
    error = errno;
  g_free (path);
  errno = error;
  return NULL;
}

static bool
has_room (const char *directory, uint64_t bytes)
{
  struct statvfs fs;

  return statvfs (directory, &fs) == 0
         && (uint64_t) fs.f_bavail * fs.f_frsize >= bytes;
}

/* Where there is room, or else where anything can be made at all.  */
static char *
find_folder (uint64_t bytes)
{
  const char *const candidates[] = { "/dev/shm",
                                     g_getenv ("XDG_RUNTIME_DIR"),
                                     g_getenv ("TMPDIR"), "/tmp" };
  char *path = NULL;

  for (int need_room = 1; need_room >= 0 && !path; need_room--)
    for (size_t i = 0; i < G_N_ELEMENTS (candidates) && !path; i++)
      if (candidates[i] && g_path_is_absolute (candidates[i])
          && (!need_room || has_room (candidates[i], bytes))) {
        path = make_folder (candidates[i]);
        if (path)
          remove_old_folders (candidates[i]);
      }
  return path;
}

static int
write_owner (const struct dg_ring_folder *folder, struct dg_error *err)
{
  char *name = g_build_filename (folder->path, "owner", NULL);
  char *text = g_strdup_printf ("%d %" PRIu64 "\n", (int) getpid (),
                                dg_process_start_ticks (getpid ()));
  GError *error = NULL;
  int code = 0;

  if (!g_file_set_contents_full (name, text, -1, G_FILE_SET_CONTENTS_NONE,
                                 0600, &error)) {
    code = dg_error_set (err, DG_ERR_IO, "%s", error->message);
    g_error_free (error);
  }
  g_free (text);
  g_free (name);
  return code;
}

int
dg_ring_folder_init (struct dg_ring_folder *folder, const char *directory,
                     uint64_t bytes, struct dg_error *err)
{
  folder->watch = -1;
  folder->dir = NULL;
  if (directory) {
    /* The tool looks there from wherever it is.  */
    char *absolute = g_canonicalize_filename (directory, NULL);

    folder->path = make_folder (absolute);
    if (folder->path)
      remove_old_folders (absolute);
    g_free (absolute);
  } else {
    folder->path = find_folder (bytes);
    directory = "/dev/shm, $XDG_RUNTIME_DIR, $TMPDIR, /tmp";
  }
  if (!folder->path)
    return dg_error_set (err, DG_ERR_IO,
                         "cannot create a folder for rings in %s: %s",
                         directory,
                         errno == EPERM ? "another user may replace what is "
                                          "there"
                                        : g_strerror (errno));
  folder->dir = g_dir_open (folder->path, 0, NULL);
  if (!folder->dir)
    return dg_error_set (err, DG_ERR_IO, "cannot open %s: %s", folder->path,
                         g_strerror (errno));
  folder->watch = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  if (folder->watch < 0
      || inotify_add_watch (folder->watch, folder->path,
                            IN_CREATE | IN_MOVED_TO) < 0)
    return dg_error_set (err, DG_ERR_IO, "cannot watch %s: %s", folder->path,
                         g_strerror (errno));
  return write_owner (folder, err);
}

void
dg_ring_folder_fini (struct dg_ring_folder *folder)
{
  if (folder->watch >= 0)
    close (folder->watch);
  if (folder->dir)
    g_dir_rewind (folder->dir);
  if (folder->path)
    remove_folder (folder->path, folder->dir);
  g_free (folder->path);
}

char *
dg_ring_folder_file (const struct dg_ring_folder *folder, uint64_t pid,
                     const char *suffix)
{
  return g_strdup_printf ("%s/%" PRIu64 ".%s", folder->path, pid, suffix);
}

/* The pid of "PID.want", 0 for other names.  */
static uint64_t
wanting (const char *name)
{
  char *end;
  uint64_t pid;

  if (!g_ascii_isdigit (name[0]) || name[0] == '0')
    return 0;
  pid = g_ascii_strtoull (name, &end, 10);
  return strcmp (end, ".want") == 0 && pid <= G_MAXINT32 ? pid : 0;
}

static void
add_wanting (GArray *pids, const char *name)
{
  uint64_t pid = wanting (name);

  if (pid > 0)
    g_array_append_val (pids, pid);
}

/* When there were more events than the kernel keeps.  */
static void
add_all (const struct dg_ring_folder *folder, GArray *pids)
{
  GDir *dir = g_dir_open (folder->path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    add_wanting (pids, name);
  if (dir)
    g_dir_close (dir);
}

void
dg_ring_folder_requests (const struct dg_ring_folder *folder, GArray *pids)
{
  char buffer[4096];
  ssize_t n;

  while ((n = read (folder->watch, buffer, sizeof buffer)) > 0) {
    const char *at = buffer;

    while (at < buffer + n) {
      struct inotify_event event;

      memcpy (&event, at, sizeof event);
      if (event.mask & IN_Q_OVERFLOW)
        add_all (folder, pids);
      else if (event.len > 0)
        add_wanting (pids, at + sizeof event);
      at += sizeof event + event.len;
    }
  }
}

void
dg_ring_folder_forget (const struct dg_ring_folder *folder, uint64_t pid)
{
  char *want = dg_ring_folder_file (folder, pid, "want");

  g_unlink (want);
  g_free (want);
}

void
dg_ring_folder_refuse (const struct dg_ring_folder *folder, uint64_t pid,
                       const char *text)
{
  char *none = dg_ring_folder_file (folder, pid, "none");

  /* Nothing else can be done where that fails: the program asks for a while
     and then runs on.  */
  g_file_set_contents_full (none, text, -1, G_FILE_SET_CONTENTS_NONE, 0600,
                            NULL);
  dg_ring_folder_forget (folder, pid);
  g_free (none);
}
