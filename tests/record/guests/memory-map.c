/* memory-map.c: maps, protects, moves and unmaps memory, grows and shrinks
   the break, and loads and unloads a library twice (argument: its name).
   On stdout, what it did, in hexadecimal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include "datagrind.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static char text[4096];
static int length;
#define SAY(...) \
  (length += snprintf (text + length, sizeof text - (size_t) length, \
                       __VA_ARGS__))

int
main (int argc, char **argv)
{
  int fd = open (argv[0], O_RDONLY);
  char *brk0 = sbrk (0);
  DATAGRIND_START_EVENT ("maps");
  char *a = mmap (NULL, 0x5000, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SAY ("map %lx 5000 3 1 0 \n", (long) a);
  char *f = mmap (NULL, 0x3000, PROT_READ, MAP_PRIVATE, fd, 0x1000);
  SAY ("map %lx 3000 1 1 1000 file\n", (long) f);
  mprotect (a + 0x1000, 0x2000, PROT_READ);
  SAY ("map %lx 2000 1 4 0 \n", (long) a + 0x1000);
  munmap (a + 0x3000, 0x1000);
  SAY ("unmap %lx 1000\n", (long) a + 0x3000);
  char *b = mremap (f, 0x3000, 0x8000, MREMAP_MAYMOVE);
  if (b != f)
    SAY ("moved\n");
  munmap (b, 0x8000);
  SAY ("unmap %lx 8000\n", (long) b);
  sbrk (0x4000);
  SAY ("brk\n");
  sbrk (-0x2000);
  DATAGRIND_END_EVENT ("maps");
  for (int k = 0; k < 2; k++) {
    void *library = dlopen (argv[1], RTLD_NOW);
    int (*work) (int) = (int (*) (int)) dlsym (library, "plugin_work");
    if (!work || work (300) != 300)
      return 1;
    dlclose (library);
  }
  return write (1, text, (size_t) length) != length || brk0 == (char *) -1;
}
