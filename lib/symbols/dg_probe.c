/* dg_probe.c: the program that reads debug information first, in a process of
   its own: libdatagrind starts it, gives it files and limits, and reads files
   only that it has come through.

     dg-probe LETTERS

   A letter for each descriptor from 3 on: m, a module, c, only what it has
   about code, with d and s behind these for its debug information and what
   that shares; u, split units.  Writes a byte for each m, c and u.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "probe_confine.h"
#include "symbols_walk.h"

#define FIRST_FD 3

int
main (int argc, char **argv)
{
  const char *letters = argc == 2 ? argv[1] : "";
  int fd = FIRST_FD;

  if (letters[0] == '\0')
    return 2;
  dg_probe_confine (FIRST_FD + (int) strlen (letters));
  while (*letters != '\0') {
    int first = fd++, debug = -1, shared = -1;
    char kind = *letters++;

    if (kind != 'u' && *letters == 'd') {
      debug = fd++;
      letters++;
    }
    if (kind != 'u' && *letters == 's') {
      shared = fd++;
      letters++;
    }
    if (kind == 'u')
      dg_symbols_walk_units (first);
    else
      dg_symbols_walk_module (first, debug, shared, kind == 'm');
    if (write (STDOUT_FILENO, ".", 1) != 1)
      return 1;
  }
  return 0;
}
