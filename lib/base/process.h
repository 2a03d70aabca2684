/* process.h: what the system says of processes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PROCESS_H
#define DG_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* When a process began, in ticks since the system did, by its /proc/PID/stat;
   0: it is not there.  */
uint64_t dg_process_start_ticks (uint64_t pid);

/* The file that a process executes, by its /proc/PID/exe; false: it is not
   there, or not ours to ask.  */
bool dg_process_exe (uint64_t pid, uint64_t *device, uint64_t *inode);

#endif /* DG_PROCESS_H */
