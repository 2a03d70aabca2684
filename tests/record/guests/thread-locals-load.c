/* thread-locals-load.c: libraries with thread-local variables that come and
   go, or pretend to.

   thread-locals-load again LIBRARY: opens it three times, and each time
   writes its variable 500 times.
   fork LIBRARY OTHER: leaves the block of a library that is gone behind, and
   forks; the child gets that block from malloc and writes it 700 times, then
   the variable of the other one 300 times.  Prints the child's number.
   same LIBRARY: writes a variable of its own 500 times, that of the library
   300 times, and in a child that of its own 200 times.
   ring LIBRARY, cut LIBRARY: the list of what is loaded has no end, or is in a
   file that has become empty.

   With -DNAME=... -DSIZE=... it is such a library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef NAME

__thread volatile char NAME[SIZE];

volatile char *
touch (void)
{
  NAME[0] = 1;
  return NAME;
}

#else

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread volatile int own;

static void *
open_library (const char *file, volatile char *(**touch) (void))
{
  void *library = dlopen (file, RTLD_NOW);

  if (library == NULL)
    exit (1);
  *touch = (volatile char *(*) (void)) dlsym (library, "touch");
  return library;
}

static void
write_bytes (volatile char *bytes, int n)
{
  for (int i = 0; i < n; i++)
    bytes[i % 200] = i;
}

static void
open_again (char **files)
{
  volatile char *(*touch) (void);

  for (int i = 0; i < 3; i++) {
    void *library = open_library (files[0], &touch);

    write_bytes (touch (), 500);
    getppid ();
    dlclose (library);
  }
}

static void
leave_block (char **files)
{
  volatile char *(*touch) (void), *bytes, *left;
  void *library = open_library (files[0], &touch);
  pid_t child;

  left = touch ();
  dlclose (library);
  open_library (files[1], &touch);
  getppid ();
  child = fork ();
  if (child == 0) {
    getppid ();
    bytes = touch ();
    getppid ();
    for (int i = 0; i < 10; i++) {
      volatile char *block = malloc (200);

      if (block == left)
        write_bytes (block, 700);
    }
    write_bytes (bytes, 300);
    _exit (0);
  }
  waitpid (child, NULL, 0);
  printf ("%d\n", (int) child);
}

static void
open_same (char **files)
{
  volatile char *(*touch) (void);
  pid_t child;

  open_library (files[0], &touch);
  write_bytes (touch (), 300);
  for (int i = 0; i < 500; i++)
    own = i;
  getppid ();
  child = fork ();
  if (child == 0) {
    for (int i = 0; i < 200; i++)
      own = i;
    _exit (0);
  }
  waitpid (child, NULL, 0);
  printf ("%d\n", (int) child);
}

static struct r_debug *
find_debug (void)
{
  for (const ElfW (Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_DEBUG)
      return (struct r_debug *) d->d_un.d_ptr;
  exit (1);
}

/* So is the list of such lists; the library is in none.  */
static void
make_ring (char **files)
{
  static struct link_map item;
  volatile char *(*touch) (void);
  struct r_debug *debug = find_debug ();

  item.l_next = &item;
  debug->r_map = &item;
  debug->r_version = 2;
  ((void **) debug)[5] = debug;
  open_library (files[0], &touch);
  for (int i = 0; i < 20000; i++)
    getppid ();
  _exit (0);
}

static void
cut_list (char **files)
{
  volatile char *(*touch) (void);
  int fd = open ("cut.map", O_RDWR | O_CREAT | O_TRUNC, 0600);
  char *p;

  if (ftruncate (fd, 8192) < 0)
    exit (1);
  p = mmap (NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  find_debug ()->r_map = (struct link_map *) (p + 4096);
  open_library (files[0], &touch);
  if (ftruncate (fd, 0) < 0)
    exit (1);
  getppid ();
  /* Nor is there a string.  */
  if (chdir (p) == 0)
    exit (1);
  _exit (7);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (char **files);
  } modes[] = {
    {"again", open_again}, {"fork", leave_block}, {"same", open_same},
    {"ring", make_ring}, {"cut", cut_list}
  };

  for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 2 && strcmp (argv[1], modes[i].name) == 0) {
      modes[i].run (argv + 2);
      return 0;
    }
  return 2;
}

#endif
