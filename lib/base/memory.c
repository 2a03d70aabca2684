/* memory.c: how malloc returns free memory to the system.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* glibc raises the size from which blocks are given back at once to that of
   the largest that was freed, 32 MiB at most.  What is made while tables grow
   then lies between small blocks for good: up to half of what is resident.  */
void
dg_memory_trim (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 256 << 10);
  mallopt (M_TRIM_THRESHOLD, 256 << 10);
#endif
}
