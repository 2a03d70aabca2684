/* calibrate_system.h: what the system knows of the caches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_SYSTEM_H
#define DG_CALIBRATE_SYSTEM_H

#include <stdint.h>

/* 0: not known.  */
struct dg_calibrate_cache {
  uint64_t bytes;
  uint32_t ways;
};

struct dg_calibrate_system {
  struct dg_calibrate_cache code, l1, l2, l3;
  uint64_t available;      /* bytes of memory that may be used; 0: not known */
};

/* folder: "/sys/devices/system/cpu/cpu0/cache", or another of that form.  */
void dg_calibrate_system_caches (struct dg_calibrate_system *system,
                                 const char *folder);
/* Caches and memory of this machine.  */
void dg_calibrate_system_read (struct dg_calibrate_system *system);

#endif /* DG_CALIBRATE_SYSTEM_H */
