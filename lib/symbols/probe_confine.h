/* probe_confine.h: takes from the program dg-probe what it does not need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PROBE_CONFINE_H
#define DG_PROBE_CONFINE_H

/* Closes descriptors from this one on.  From then on the process can read and
   write those that it has, and have memory; it opens nothing and starts
   nothing, where the kernel can see to that.  */
void dg_probe_confine (int end);

#endif /* DG_PROBE_CONFINE_H */
