/* ring_order.h: messages of a program whose byte order is not this host's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RING_ORDER_H
#define DG_RING_ORDER_H

#include "dg_ring.h"

#include <stddef.h>

/* The numbers of a message's payload, a copy of it, in this host's order.
   Records stay as they are, as in a log of that order, and so do runs
   (capture_runs.h).  What is damaged stays so.  */
void dg_ring_order_swap (uint32_t kind, void *payload, size_t size);

#endif /* DG_RING_ORDER_H */
