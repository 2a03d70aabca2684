/* faults_calls.c: the system's functions, of which one fails.

   Of memory, only requests by our own code fail, and those of zstd, which
   reports them: GLib ends the process when it gets none, by design.  So
   g_try_* are here as well, and calls of malloc count by who made them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define CALLER __builtin_return_address (0)
/* The system's own, found once.  */
#define REAL(type, name, args)                                        \
  static type (*real) args;                                           \
  if (!real)                                                          \
    real = (type (*) args) dlsym (RTLD_NEXT, name)

/* ---- Memory ---- */

/* Of the C library, or, where it is loaded as well, of the leak sanitizer.  */
#define MEMORY(name, params, args)                                    \
  void *__libc_##name params;                                         \
  void *__interceptor_##name params __attribute__ ((weak));           \
  static void *real_##name params                                     \
  {                                                                   \
    return __interceptor_##name ? __interceptor_##name args           \
                                : __libc_##name args;                 \
  }

MEMORY (malloc, (size_t n), (n))
MEMORY (calloc, (size_t n, size_t size), (n, size))
MEMORY (realloc, (void *old, size_t n), (old, n))
MEMORY (memalign, (size_t alignment, size_t n), (alignment, n))

void *
malloc (size_t n)
{
  return faults_hit (FAULTS_ALLOC, CALLER) ? NULL : real_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  return faults_hit (FAULTS_ALLOC, CALLER) ? NULL : real_calloc (n, size);
}

void *
realloc (void *old, size_t n)
{
  return faults_hit (FAULTS_ALLOC, CALLER) ? NULL : real_realloc (old, n);
}

int
posix_memalign (void **out, size_t alignment, size_t n)
{
  void *memory = faults_hit (FAULTS_ALLOC, CALLER)
                   ? NULL
                   : real_memalign (alignment, n);

  if (!memory)
    return ENOMEM;
  *out = memory;
  return 0;
}

void *
aligned_alloc (size_t alignment, size_t n)
{
  return faults_hit (FAULTS_ALLOC, CALLER) ? NULL
                                           : real_memalign (alignment, n);
}

#define TRY(name, args, ...)                                          \
  void *name args;                                                    \
  void *name args                                                     \
  {                                                                   \
    REAL (void *, #name, args);                                       \
    return faults_hit (FAULTS_ALLOC, CALLER) ? NULL                   \
                                             : real (__VA_ARGS__);    \
  }

TRY (g_try_malloc, (size_t n), n)
TRY (g_try_malloc0, (size_t n), n)
TRY (g_try_realloc, (void *old, size_t n), old, n)
TRY (g_try_malloc_n, (size_t n, size_t size), n, size)
TRY (g_try_malloc0_n, (size_t n, size_t size), n, size)
TRY (g_try_realloc_n, (void *old, size_t n, size_t size), old, n, size)

/* ---- Reading and writing ---- */

/* A stream of the C library hands EINTR on, as an error, and only a handler of
   ours could cause it in a file: there is none.  */
static bool
is_interrupted (const void *caller)
{
  return caller != NULL && faults_hit (FAULTS_EINTR, caller);
}

/* What tells of events in this process cannot fail.  */
static bool
is_file (int fd)
{
  struct stat st;

  return syscall (SYS_fstat, fd, &st) == 0 && (st.st_mode & S_IFMT) != 0;
}

/* No disk is behind it.  */
static bool
is_pipe (int fd)
{
  struct stat st;

  return syscall (SYS_fstat, fd, &st) == 0 && S_ISFIFO (st.st_mode);
}

static size_t
half (size_t n)
{
  return (n + 1) / 2;
}

static ssize_t
do_read (int fd, void *bytes, size_t n, off_t at, const void *caller)
{
  REAL (ssize_t, "read", (int, void *, size_t));
  static ssize_t (*real_at) (int, void *, size_t, off_t);

  if (!real_at)
    real_at = (ssize_t (*) (int, void *, size_t, off_t)) dlsym (RTLD_NEXT,
                                                                "pread");
  if (is_file (fd)
      && ((!is_pipe (fd) && faults_hit (FAULTS_READ, caller))
          || is_interrupted (caller)))
    return -1;
  if (n > 1 && is_file (fd) && faults_hit (FAULTS_SHORT_READ, caller))
    n = half (n);
  return at < 0 ? real (fd, bytes, n) : real_at (fd, bytes, n, at);
}

ssize_t
read (int fd, void *bytes, size_t n)
{
  return do_read (fd, bytes, n, -1, CALLER);
}

ssize_t
pread (int fd, void *bytes, size_t n, off_t at)
{
  return do_read (fd, bytes, n, at, CALLER);
}

ssize_t
pread64 (int fd, void *bytes, size_t n, off_t at)
{
  return do_read (fd, bytes, n, at, CALLER);
}

ssize_t __read_chk (int fd, void *bytes, size_t n, size_t room);
ssize_t
__read_chk (int fd, void *bytes, size_t n, size_t room)
{
  return n > room ? -1 : do_read (fd, bytes, n, -1, CALLER);
}

ssize_t __pread64_chk (int fd, void *bytes, size_t n, off_t at, size_t room);
ssize_t
__pread64_chk (int fd, void *bytes, size_t n, off_t at, size_t room)
{
  return n > room ? -1 : do_read (fd, bytes, n, at, CALLER);
}

/* The first n bytes; at < 0: where the file is.  */
static ssize_t
put (int fd, const struct iovec *from, int n_from, size_t n, off_t at)
{
  REAL (ssize_t, "write", (int, const void *, size_t));
  static ssize_t (*real_at) (int, const void *, size_t, off_t);
  char *bytes = real_malloc (n > 0 ? n : 1);
  size_t have = 0;
  ssize_t got;

  if (!real_at)
    real_at = (ssize_t (*) (int, const void *, size_t, off_t)) dlsym (
      RTLD_NEXT, "pwrite");
  for (int i = 0; i < n_from && have < n; i++) {
    size_t more = from[i].iov_len < n - have ? from[i].iov_len : n - have;

    if (more > 0)
      memcpy (bytes + have, from[i].iov_base, more);
    have += more;
  }
  faults_trace ('w', fd, at >= 0 ? (uint64_t) at
                                 : (uint64_t) lseek (fd, 0, SEEK_CUR),
                bytes, n);
  got = at < 0 ? real (fd, bytes, n) : real_at (fd, bytes, n, at);
  free (bytes);
  return got;
}

static ssize_t
do_write (int fd, const struct iovec *from, int n_from, off_t at,
          const void *caller)
{
  size_t n = 0;

  for (int i = 0; i < n_from; i++)
    n += from[i].iov_len;
  if (!is_file (fd))
    return put (fd, from, n_from, n, at);
  if (faults_hit (FAULTS_WRITE, caller) || is_interrupted (caller))
    return -1;
  if (fd > STDERR_FILENO && faults_hit (FAULTS_KILL, caller))
    kill (getpid (), SIGKILL);
  if (fd > STDERR_FILENO && faults_hit (FAULTS_TEAR, caller)) {
    put (fd, from, n_from, n / 2, at);
    kill (getpid (), SIGKILL);
  }
  if (n > 1 && faults_hit (FAULTS_SHORT_WRITE, caller))
    n = half (n);
  return put (fd, from, n_from, n, at);
}

ssize_t
write (int fd, const void *bytes, size_t n)
{
  return do_write (fd, &(struct iovec) { (void *) bytes, n }, 1, -1, CALLER);
}

ssize_t
pwrite (int fd, const void *bytes, size_t n, off_t at)
{
  return do_write (fd, &(struct iovec) { (void *) bytes, n }, 1, at, CALLER);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t n, off_t at)
{
  return do_write (fd, &(struct iovec) { (void *) bytes, n }, 1, at, CALLER);
}

ssize_t
writev (int fd, const struct iovec *from, int n)
{
  return do_write (fd, from, n, -1, CALLER);
}

/* ---- Opening and closing ---- */

typedef int open_fn (int, const char *, int, ...);

static int
do_open (int folder, const char *path, int flags, mode_t mode,
         const void *caller)
{
  REAL (int, "openat", (int, const char *, int, ...));
  int fd;

  if (faults_hit (FAULTS_OPEN, caller))
    return -1;
  fd = real (folder, path, flags, mode);
  if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY)
    faults_trace_name ('o', fd, (flags & O_TMPFILE) == O_TMPFILE ? "" : path);
  return fd;
}

#define OPEN(name, args, last, folder)                                \
  int name args;                                                      \
  int name args                                                       \
  {                                                                   \
    va_list more;                                                     \
    mode_t mode;                                                      \
    va_start (more, last);                                            \
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (more, mode_t) : 0; \
    va_end (more);                                                    \
    return do_open (folder, path, flags, mode, CALLER);               \
  }

OPEN (open, (const char *path, int flags, ...), flags, AT_FDCWD)
OPEN (open64, (const char *path, int flags, ...), flags, AT_FDCWD)
OPEN (openat, (int folder, const char *path, int flags, ...), flags, folder)
OPEN (openat64, (int folder, const char *path, int flags, ...), flags, folder)

int __open_2 (const char *path, int flags);
int
__open_2 (const char *path, int flags)
{
  return do_open (AT_FDCWD, path, flags, 0, CALLER);
}

int __open64_2 (const char *path, int flags);
int
__open64_2 (const char *path, int flags)
{
  return do_open (AT_FDCWD, path, flags, 0, CALLER);
}

DIR *
opendir (const char *path)
{
  REAL (DIR *, "opendir", (const char *) );
  return faults_hit (FAULTS_OPEN, CALLER) ? NULL : real (path);
}

static int
do_close (int fd, const void *caller)
{
  REAL (int, "close", (int) );
  int failed = faults_hit (FAULTS_CLOSE, caller), error = errno;

  /* As the system does: it is closed nonetheless.  */
  if (real (fd) < 0)
    return -1;
  errno = error;
  return failed ? -1 : 0;
}

int
close (int fd)
{
  return do_close (fd, CALLER);
}

/* ---- Streams: what the C library does by itself cannot be replaced ---- */

static ssize_t
stream_read (void *fd, char *bytes, size_t n)
{
  return do_read ((int) (intptr_t) fd, bytes, n, -1, NULL);
}

static ssize_t
stream_write (void *fd, const char *bytes, size_t n)
{
  size_t done = 0;

  while (done < n) {
    struct iovec rest = { (void *) (bytes + done), n - done };
    ssize_t got = do_write ((int) (intptr_t) fd, &rest, 1, -1, NULL);

    if (got < 0)
      return 0;
    done += (size_t) got;
  }
  return (ssize_t) n;
}

static int
stream_seek (void *fd, off64_t *at, int whence)
{
  *at = lseek ((int) (intptr_t) fd, *at, whence);
  return *at < 0 ? -1 : 0;
}

static int
stream_close (void *fd)
{
  return do_close ((int) (intptr_t) fd, NULL);
}

static FILE *
stream_new (int fd, const char *mode)
{
  const cookie_io_functions_t calls = { stream_read, stream_write,
                                        stream_seek, stream_close };

  return fopencookie ((void *) (intptr_t) fd, mode, calls);
}

static int
stream_flags (const char *mode)
{
  int flags = strchr (mode, 'e') ? O_CLOEXEC : 0;

  switch (*mode) {
  case 'r':
    return flags | (strchr (mode, '+') ? O_RDWR : O_RDONLY);
  case 'w':
    return flags | O_CREAT | O_TRUNC
           | (strchr (mode, '+') ? O_RDWR : O_WRONLY);
  default:
    return flags | O_CREAT | O_APPEND | O_WRONLY;
  }
}

FILE *
fopen (const char *path, const char *mode)
{
  int fd = do_open (AT_FDCWD, path, stream_flags (mode), 0666, CALLER);

  return fd < 0 ? NULL : stream_new (fd, mode);
}

FILE *
fopen64 (const char *path, const char *mode)
{
  int fd = do_open (AT_FDCWD, path, stream_flags (mode), 0666, CALLER);

  return fd < 0 ? NULL : stream_new (fd, mode);
}

/* ---- The others ---- */

#define SIMPLE(kind, type, name, params, types, ...)                  \
  type name params;                                                   \
  type name params                                                    \
  {                                                                   \
    REAL (type, #name, types);                                        \
    return faults_hit (kind, CALLER) ? (type) -1 : real (__VA_ARGS__); \
  }

SIMPLE (FAULTS_MMAP, void *, mmap,
        (void *at, size_t n, int prot, int flags, int fd, off_t offset),
        (void *, size_t, int, int, int, off_t), at, n, prot, flags, fd,
        offset)
SIMPLE (FAULTS_MMAP, void *, mmap64,
        (void *at, size_t n, int prot, int flags, int fd, off_t offset),
        (void *, size_t, int, int, int, off_t), at, n, prot, flags, fd,
        offset)
SIMPLE (FAULTS_UNLINK, int, unlink, (const char *path), (const char *), path)
SIMPLE (FAULTS_UNLINK, int, rmdir, (const char *path), (const char *), path)
SIMPLE (FAULTS_LOCK, int, flock, (int fd, int what), (int, int), fd, what)
SIMPLE (FAULTS_PIPE, int, pipe2, (int fds[2], int flags), (int *, int), fds,
        flags)
SIMPLE (FAULTS_PIPE, int, eventfd, (unsigned n, int flags), (unsigned, int),
        n, flags)
SIMPLE (FAULTS_PIPE, int, signalfd, (int fd, const void *mask, int flags),
        (int, const void *, int), fd, mask, flags)
SIMPLE (FAULTS_PIPE, int, inotify_init1, (int flags), (int), flags)
SIMPLE (FAULTS_FORK, pid_t, fork, (void), (void))
SIMPLE (FAULTS_DUP, int, dup, (int fd), (int), fd)
SIMPLE (FAULTS_DUP, int, dup2, (int fd, int to), (int, int), fd, to)
SIMPLE (FAULTS_STAT, int, stat, (const char *path, struct stat *to),
        (const char *, struct stat *), path, to)
SIMPLE (FAULTS_STAT, int, stat64, (const char *path, struct stat64 *to),
        (const char *, struct stat64 *), path, to)
SIMPLE (FAULTS_STAT, int, lstat, (const char *path, struct stat *to),
        (const char *, struct stat *), path, to)
SIMPLE (FAULTS_STAT, int, lstat64, (const char *path, struct stat64 *to),
        (const char *, struct stat64 *), path, to)
SIMPLE (FAULTS_STAT, int, fstat, (int fd, struct stat *to),
        (int, struct stat *), fd, to)
SIMPLE (FAULTS_STAT, int, fstat64, (int fd, struct stat64 *to),
        (int, struct stat64 *), fd, to)
SIMPLE (FAULTS_STAT, int, fstatfs, (int fd, void *to), (int, void *), fd, to)

/* Cairo writes it to PDF files, which shall be the same each time.  */
time_t
time (time_t *to)
{
  if (to)
    *to = 1;
  return 1;
}

/* Pango's threads end the process if there are none; those that we ask for are
   what matters.  */
static __thread bool is_our_thread;

#define THREAD(name, args, ...)                                       \
  void *name args;                                                    \
  void *name args                                                     \
  {                                                                   \
    void *made;                                                       \
    REAL (void *, #name, args);                                       \
    is_our_thread = faults_may_fail (FAULTS_THREAD, CALLER);          \
    made = real (__VA_ARGS__);                                        \
    is_our_thread = false;                                            \
    return made;                                                      \
  }

THREAD (g_thread_new, (const char *name, void *start, void *user), name,
        start, user)
THREAD (g_thread_try_new,
        (const char *name, void *start, void *user, void *err), name, start,
        user, err)

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*start) (void *), void *user)
{
  REAL (int, "pthread_create",
        (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) );
  return faults_hit (FAULTS_THREAD, is_our_thread ? NULL : CALLER)
           ? EAGAIN
           : real (thread, attributes, start, user);
}

static int
do_truncate (int fd, off_t size, const void *caller)
{
  REAL (int, "ftruncate", (int, off_t));

  if (faults_hit (FAULTS_TRUNCATE, caller))
    return -1;
  faults_trace ('t', fd, (uint64_t) size, NULL, 0);
  return real (fd, size);
}

int
ftruncate (int fd, off_t size)
{
  return do_truncate (fd, size, CALLER);
}

int
ftruncate64 (int fd, off_t size)
{
  return do_truncate (fd, size, CALLER);
}

int
posix_fallocate (int fd, off_t at, off_t n)
{
  REAL (int, "posix_fallocate", (int, off_t, off_t));
  return faults_hit (FAULTS_TRUNCATE, CALLER) ? ENOSPC : real (fd, at, n);
}

int
fsync (int fd)
{
  REAL (int, "fsync", (int) );

  if (faults_hit (FAULTS_SYNC, CALLER))
    return -1;
  faults_trace ('s', fd, 0, NULL, 0);
  return real (fd);
}

int
fdatasync (int fd)
{
  REAL (int, "fdatasync", (int) );

  if (faults_hit (FAULTS_SYNC, CALLER))
    return -1;
  faults_trace ('s', fd, 0, NULL, 0);
  return real (fd);
}

int
rename (const char *from, const char *to)
{
  REAL (int, "rename", (const char *, const char *) );
  int fd, code;

  if (faults_hit (FAULTS_RENAME, CALLER))
    return -1;
  fd = openat (AT_FDCWD, from, O_PATH | O_CLOEXEC);
  code = real (from, to);
  if (code == 0)
    faults_trace_name ('n', fd, to);
  if (fd >= 0)
    do_close (fd, faults_state);
  return code;
}

int
linkat (int folder, const char *from, int other, const char *to, int flags)
{
  REAL (int, "linkat", (int, const char *, int, const char *, int));
  int fd, code;

  if (faults_hit (FAULTS_RENAME, CALLER))
    return -1;
  code = real (folder, from, other, to, flags);
  if (code < 0)
    return code;
  fd = openat (other, to, O_PATH | O_CLOEXEC);
  faults_trace_name ('n', fd, to);
  if (fd >= 0)
    do_close (fd, faults_state);
  return code;
}

int
fcntl (int fd, int command, ...)
{
  REAL (int, "fcntl", (int, int, ...));
  va_list more;
  void *last;

  va_start (more, command);
  last = va_arg (more, void *);
  va_end (more);
  if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC)
      && faults_hit (FAULTS_DUP, CALLER))
    return -1;
  return real (fd, command, last);
}

int fcntl64 (int fd, int command, ...) __attribute__ ((alias ("fcntl")));
