/* patterns_state.c: slots, places and their sums, by number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_state.h"

#include <string.h>

#include "base/bisect.h"

/* ---- Lists by number ---- */

void
dg_pattern_sparse_init (struct dg_pattern_sparse *sparse, size_t item_size)
{
  memset (sparse, 0, sizeof *sparse);
  sparse->item_size = item_size;
  sparse->scratch = g_malloc (item_size);
}

void
dg_pattern_sparse_fini (struct dg_pattern_sparse *sparse)
{
  dg_table_fini (&sparse->items);
  g_clear_pointer (&sparse->index, g_free);
  g_clear_pointer (&sparse->scratch, g_free);
}

void
dg_pattern_sparse_clear (struct dg_pattern_sparse *sparse)
{
  sparse->items.n = 0;
  sparse->lacks = false;
}

void *
dg_pattern_sparse_add (struct dg_pattern_sparse *sparse, uint32_t number)
{
  uint32_t *item = NULL;

  if (number != DG_NONE
      && DG_ARRAY_ROOM_ZERO (sparse->index, sparse->n_index, number))
    item = dg_table_add (&sparse->items, sparse->item_size);
  if (item) {
    sparse->index[number] = (uint32_t) sparse->items.n - 1;
  } else {
    sparse->lacks = true;
    item = sparse->scratch;
    memset (item, 0, sparse->item_size);
  }
  *item = number;
  return item;
}

/* ---- Slots ---- */

void
dg_pattern_slot_sums_add (struct dg_pattern_slot_sums *to,
                          const struct dg_pattern_slot_sums *from)
{
  if (to->place == from->place)
    to->place_lead += from->place_lead;
  else if (to->place_lead >= from->place_lead)
    to->place_lead -= from->place_lead;
  else {
    to->place = from->place;
    to->place_lead = from->place_lead - to->place_lead;
  }
  to->accesses += from->accesses;
  to->named += from->named;
  to->stack += from->stack;
  dg_pattern_moves_merge (&to->moves, &from->moves);
  dg_pattern_chase_merge (&to->chase, &from->chase);
  to->fetches.lines += from->fetches.lines;
  to->fetches.bytes += from->fetches.bytes;
}

uint32_t
dg_patterns_called (struct dg_patterns *self, uint32_t slot,
                    const struct dg_access *access)
{
  const struct dg_pattern_called_slot called = {
    .caller = dg_units_code (self->units, access->context, access->instruction,
                             access->icount),
    .slot = slot};
  uint32_t number;
  int code;

  if (called.caller == access->instruction)
    return slot;
  g_mutex_lock (&self->lock);
  code = dg_intern_add (&self->by_called, &self->called, &called,
                        sizeof called, &number);
  g_mutex_unlock (&self->lock);
  return code < 0 ? DG_NONE : self->bases[self->n_bbdefs] + number;
}

struct dg_pattern_called_slot
dg_patterns_whose (const struct dg_patterns *self, uint32_t number)
{
  uint32_t first = self->bases[self->n_bbdefs];

  return number < first ? (struct dg_pattern_called_slot){.slot = number}
                        : ((struct dg_pattern_called_slot *)
                             self->called.items)[number - first];
}

const struct dg_bbdef *
dg_patterns_slot (const struct dg_patterns *self, uint32_t number,
                  const struct dg_slot **slot, uint64_t *code)
{
  size_t low;
  const struct dg_pattern_called_slot whose = dg_patterns_whose (self, number);
  const struct dg_bbdef *bbdef;

  number = (uint32_t) whose.slot;
  /* The last definition that begins at it or before.  */
  low = DG_BISECT (1, self->n_bbdefs, i, self->bases[i] <= number) - 1;
  bbdef = dg_log_bbdef (self->log, (uint32_t) low);
  *slot = &bbdef->slots[number - self->bases[low]];
  *code =
    whose.caller != 0 ? whose.caller : bbdef->instrs[(*slot)->iseq].address;
  return bbdef;
}

/* ---- Places ---- */

bool
dg_patterns_field (const struct dg_patterns *self,
                   const struct dg_pattern_place *place, uint32_t offset,
                   struct dg_field *out)
{
  struct dg_variable variable;

  if (place->layout)
    return dg_symbols_field (self->symbols, place->layout, 0, offset, 0, out);
  if (place->origin == 0
      || !dg_symbols_data (self->symbols, place->origin + offset,
                           place->icount, 0, &variable)
      || variable.address != place->origin || !variable.has_field)
    return false;
  *out = variable.field;
  return true;
}
