/* faults_state.c: which call fails, and whose calls do; what was written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include "faults.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RANGES_MAX 64

const char *const faults_names[FAULTS_KINDS] = {
  "none",       "alloc",  "write", "read",  "open",  "mmap",
  "truncate",   "sync",   "close", "rename", "unlink", "stat",
  "dup",        "lock",   "pipe",  "fork",  "thread", "short-read",
  "short-write", "eintr", "kill",  "tear"
};

static const int numbers[FAULTS_KINDS] = {
  [FAULTS_ALLOC] = ENOMEM,    [FAULTS_WRITE] = ENOSPC,
  [FAULTS_READ] = EIO,        [FAULTS_OPEN] = EMFILE,
  [FAULTS_MMAP] = ENOMEM,     [FAULTS_TRUNCATE] = ENOSPC,
  [FAULTS_SYNC] = EIO,        [FAULTS_CLOSE] = EIO,
  [FAULTS_RENAME] = EIO,      [FAULTS_UNLINK] = EACCES,
  [FAULTS_STAT] = EIO,        [FAULTS_DUP] = EMFILE,
  [FAULTS_LOCK] = ENOLCK,     [FAULTS_PIPE] = EMFILE,
  [FAULTS_FORK] = EAGAIN,     [FAULTS_THREAD] = EAGAIN,
  [FAULTS_EINTR] = EINTR
};

struct faults_state *faults_state;

/* Code: of ours, of libraries that report a lack of memory, and of those that
   read files for us.  */
enum { OURS = 1, REPORTS = 2, READS = 4 };
static struct range {
  uintptr_t start, end;
  int is;
} ranges[RANGES_MAX];
static unsigned n_ranges;

static int
what_is (const char *name)
{
  if (*name == '\0' || strstr (name, "libdatagrind"))
    return OURS;
  if (strstr (name, "libzstd"))
    return REPORTS;
  if (strstr (name, "libglib") || strstr (name, "libdw")
      || strstr (name, "libelf"))
    return READS;
  return 0;
}

static int
add_object (struct dl_phdr_info *info, size_t size, void *user)
{
  int is = what_is (info->dlpi_name);

  (void) size;
  (void) user;
  for (int i = 0; is != 0 && i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *head = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + head->p_vaddr;

    if (head->p_type == PT_LOAD && (head->p_flags & PF_X) != 0
        && n_ranges < RANGES_MAX)
      ranges[n_ranges++] = (struct range) { start, start + head->p_memsz, is };
  }
  return 0;
}

void
faults_find_callers (void)
{
  void *callers[4];

  dl_iterate_phdr (add_object, NULL);
  /* It loads a library the first time.  */
  backtrace (callers, 4);
}

bool
faults_may_fail (enum faults_kind kind, const void *caller)
{
  uintptr_t at = (uintptr_t) caller;
  int wanted = OURS;

  if (caller == NULL)
    return true;
  if (kind == FAULTS_ALLOC)
    wanted |= REPORTS;
  else if (kind != FAULTS_WRITE && kind != FAULTS_EINTR
           && kind != FAULTS_SHORT_WRITE && kind != FAULTS_PIPE
           && kind != FAULTS_THREAD)
    wanted |= READS;
  for (unsigned i = 0; i < n_ranges; i++)
    if (ranges[i].start <= at && at < ranges[i].end)
      return (ranges[i].is & wanted) != 0;
  return false;
}

bool
faults_hit (enum faults_kind kind, const void *caller)
{
  struct faults_state *state = faults_state;
  long n;

  if (!state || !state->is_armed || !faults_may_fail (kind, caller))
    return false;
  __atomic_add_fetch (&state->all[kind], 1, __ATOMIC_RELAXED);
  if (state->kind != kind)
    return false;
  n = __atomic_add_fetch (&state->calls, 1, __ATOMIC_RELAXED);
  if (state->n == 0 || n < state->n || (n > state->n && !state->is_lasting))
    return false;
  if (__atomic_add_fetch (&state->failed, 1, __ATOMIC_RELAXED) == 1)
    state->n_callers = backtrace (state->callers, 24);
  errno = numbers[kind];
  return true;
}

/* ---- What is written ---- */

static int trace = -1;

/* Each entry is its head and what follows it.  */
struct head {
  uint64_t what, file, at, n;
};

void
faults_trace_open (const char *path)
{
  trace = (int) syscall (SYS_openat, AT_FDCWD, path,
                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND,
                         0666);
}

void
faults_trace (char what, int fd, uint64_t at, const void *bytes, size_t n)
{
  struct head head = { (uint64_t) what, 0, at, n };
  struct stat st;
  int error = errno;
  char *all;

  if (trace < 0 || fd <= STDERR_FILENO || syscall (SYS_fstat, fd, &st) < 0
      || !S_ISREG (st.st_mode))
    return;
  head.file = st.st_ino;
  all = malloc (sizeof head + n);
  memcpy (all, &head, sizeof head);
  if (n > 0)
    memcpy (all + sizeof head, bytes, n);
  if (syscall (SYS_write, trace, all, sizeof head + n) < 0)
    abort ();
  free (all);
  errno = error;
}

void
faults_trace_name (char what, int fd, const char *path)
{
  faults_trace (what, fd, 0, path, strlen (path));
}
