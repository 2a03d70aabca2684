/* symbols_probe.h: lets another process read first what libdw is to read here,
   since a damaged file could end the process that reads it.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_PROBE_H
#define DG_SYMBOLS_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: they can be read, an executable or library, its debug information and
   what that shares with others, each -1 if there is none; else why not, to be
   freed.  Not is_whole: only code is asked for, functions, lines and inlined
   calls, but no types, variables or frames.  What is not sealed
   (dg_symbols_is_sealed) is trusted: if all are, nothing is tried.  For any
   thread.  */
char *dg_symbols_probe_module (int module, int debug, int shared,
                               bool is_whole);
/* Whether anything would be tried.  */
bool dg_symbols_probe_is_needed (int module, int debug, int shared);

/* Files of split units, several at a time.  Closes those that cannot be read,
   which are then -1, as are those that were; returns why the last of them
   cannot, or NULL.  */
char *dg_symbols_probe_units (int *fds, size_t n);

/* ---- For tests ---------------------------------------------------------- */

/* The program, with one letter for each of the descriptors, which are 3 and so
   on there: m, a module, c, only what it has about code, with d and s behind
   these if it has that; u, units.  It writes a byte for each m, c and u that
   it has read.  */
struct dg_symbols_probe_limits {
  unsigned cpu_seconds, wall_seconds;
  uint64_t bytes;          /* of address space */
};

/* Returns how many of them it has read; *why receives why not all, to be
   freed, or NULL.  */
size_t
dg_symbols_probe_run (const char *program, const char *letters,
                      const int *fds,
                      const struct dg_symbols_probe_limits *limits,
                      char **why);

#endif /* DG_SYMBOLS_PROBE_H */
