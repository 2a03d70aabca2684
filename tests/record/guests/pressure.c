/* pressure.c: allocates and frees N blocks, or any number of them if N is 0,
   and keeps count of them in FILE, where others can read it meanwhile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIVE 1000

int
main (int argc, char **argv)
{
  static char *blocks[LIVE];
  uint64_t n = strtoull (argv[1], NULL, 0), random = 88172645463325252u;
  int fd = open (argv[2], O_RDWR | O_CREAT, 0600);
  volatile uint64_t *count;

  if (fd < 0 || ftruncate (fd, sizeof *count) < 0)
    return 1;
  count = mmap (NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                0);
  if (count == MAP_FAILED)
    return 1;
  while (n == 0 || *count < n) {
    char **block;

    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    block = &blocks[random % LIVE];
    free (*block);
    *block = malloc (16 + (random >> 40) % 200);
    **block = 1;
    ++*count;
  }
  return 0;
}
