/* ring_order.c: messages of a program whose byte order is not this host's.

   Programs run on this host, so they only come from an emulator of another
   processor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ring_order.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define SWAP(bits, at)                                                       \
  do {                                                                       \
    uint##bits##_t number_;                                                  \
    memcpy (&number_, at, sizeof number_);                                   \
    number_ = GUINT##bits##_SWAP_LE_BE (number_);                            \
    memcpy (at, &number_, sizeof number_);                                   \
  } while (0)

/* Those of the three structures whose numbers are all of 32 bits, but for the
   first.  */
static void
swap_numbers (uint8_t *at, size_t size, size_t each, bool has_quad)
{
  for (; size >= each; at += each, size -= each) {
    if (has_quad)
      SWAP (64, at);
    for (size_t i = has_quad ? 8 : 0; i < each; i += 4)
      SWAP (32, at + i);
  }
}

static void
swap_block (uint8_t *at, size_t size)
{
  struct dg_ring_block block;
  size_t instrs;

  if (size < sizeof block)
    return;
  swap_numbers (at, sizeof block, sizeof block, false);
  memcpy (&block, at, sizeof block);
  at += sizeof block;
  size -= sizeof block;
  instrs = (size_t) block.n_instrs * sizeof (struct dg_ring_instr);
  if (size < instrs)
    return;
  swap_numbers (at, instrs, sizeof (struct dg_ring_instr), true);
  at += instrs;
  size -= instrs;
  /* Values have the numbers of entries at the same places.  */
  for (; size >= sizeof (struct dg_ring_entry);
       at += sizeof (struct dg_ring_entry),
       size -= sizeof (struct dg_ring_entry)) {
    SWAP (64, at + offsetof (struct dg_ring_entry, disp));
    SWAP (16, at + offsetof (struct dg_ring_entry, word));
  }
}

void
dg_ring_order_swap (uint32_t kind, void *payload, size_t size)
{
  switch (kind) {
  case DG_RING_BLOCK:
    swap_block (payload, size);
    break;
  case DG_RING_VARIANTS:
    swap_numbers (payload, size, sizeof (struct dg_ring_variant), false);
    break;
  case DG_RING_NODES:
    swap_numbers (payload, size, sizeof (struct dg_ring_node), true);
    break;
  case DG_RING_SKIP:
    if (size >= sizeof (uint64_t))
      SWAP (64, payload);
    break;
  default:
    break;
  }
}
