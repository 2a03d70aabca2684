/* symbols_place.c: where the bytes of a variable are that has a place of its
   own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_place.h"

#include <dwarf.h>
#include <string.h>

/* Go writes blocks, as before DWARF 4, which libdw does not take from version
   4 on.  Up to 127 bytes their length looks the same.  */
Dwarf_Attribute *
dg_place_expression (Dwarf_Die *die, unsigned attribute, bool integrate,
                     Dwarf_Attribute *out)
{
  Dwarf_Block block;

  if ((integrate ? dwarf_attr_integrate (die, attribute, out)
                 : dwarf_attr (die, attribute, out))
      == NULL)
    return NULL;
  if (dwarf_whatform (out) == DW_FORM_block1
      && dwarf_formblock (out, &block) == 0 && block.length < 128)
    out->form = DW_FORM_exprloc;
  return out;
}

/* Where a location is read.  */
struct reading {
  Dwarf_Attribute *attribute;
  Dwarf_Op *ops;
  size_t n, at;
};

/* What an operation gets from a table of the unit.  */
static bool
indirect_address (const struct reading *reading, Dwarf_Op *op,
                  uint64_t *address)
{
  Dwarf_Attribute indirect;
  Dwarf_Addr found;

  if (dwarf_getlocation_attr (reading->attribute, op, &indirect) != 0
      || dwarf_formaddr (&indirect, &found) != 0)
    return false;
  *address = found;
  return true;
}

static bool
indirect_number (const struct reading *reading, Dwarf_Op *op,
                 uint64_t *number)
{
  Dwarf_Attribute indirect;
  Dwarf_Word found;

  if (dwarf_getlocation_attr (reading->attribute, op, &indirect) != 0
      || dwarf_formudata (&indirect, &found) != 0)
    return false;
  *number = found;
  return true;
}

/* Whether the next operation is one of these; then it is read.  */
static bool
take (struct reading *reading, unsigned atom, unsigned other)
{
  if (reading->at == reading->n
      || (reading->ops[reading->at].atom != atom
          && reading->ops[reading->at].atom != other))
    return false;
  reading->at++;
  return true;
}

/* An address, and perhaps what is to be added.  */
static bool
read_fixed (struct reading *reading, struct dg_place *place)
{
  Dwarf_Op *op = &reading->ops[reading->at];

  if (take (reading, DW_OP_addr, DW_OP_addr))
    place->address = op->number;
  else if (!take (reading, DW_OP_addrx, DW_OP_GNU_addr_index)
           || !indirect_address (reading, op, &place->address))
    return false;
  op = &reading->ops[reading->at];
  if (take (reading, DW_OP_plus_uconst, DW_OP_plus_uconst))
    place->address += op->number;
  return true;
}

/* A place among what each thread has of its own.  */
static bool
read_of_thread (struct reading *reading, struct dg_place *place)
{
  Dwarf_Op *op = &reading->ops[reading->at];

  switch (op->atom) {
  case DW_OP_const4u:
  case DW_OP_const8u:
  case DW_OP_constu:
  case DW_OP_addr:
    place->address = op->number;
    break;
  case DW_OP_constx:
  case DW_OP_GNU_const_index:
    if (!indirect_number (reading, op, &place->address))
      return false;
    break;
  default:
    return false;
  }
  reading->at++;
  if (!take (reading, DW_OP_form_tls_address, DW_OP_GNU_push_tls_address))
    return false;
  place->is_of_thread = true;
  return true;
}

static bool
read_place (struct reading *reading, struct dg_place *place)
{
  size_t start = reading->at;

  memset (place, 0, sizeof *place);
  if (reading->at == reading->n)
    return false;
  if (read_of_thread (reading, place))
    return true;
  reading->at = start;
  memset (place, 0, sizeof *place);
  if (read_fixed (reading, place))
    return true;
  reading->at = start;
  return false;
}

/* Moves on behind the next piece, past what is not an address: a constant, a
   register, or nothing.  False: there is no other piece.  */
static bool
end_piece (struct reading *reading, uint64_t *size)
{
  while (reading->at < reading->n) {
    const Dwarf_Op *op = &reading->ops[reading->at++];

    if (op->atom == DW_OP_piece) {
      *size = op->number;
      return *size > 0;
    }
    if (op->atom == DW_OP_bit_piece)
      return false;
  }
  return false;
}

static size_t
read_pieces (struct reading *reading, struct dg_place *places)
{
  uint64_t skip = 0, size;
  size_t n = 0;

  while (n < DG_PLACE_MOST) {
    bool has_place = read_place (reading, &places[n])
                     && reading->at < reading->n
                     && reading->ops[reading->at].atom == DW_OP_piece;

    if (!end_piece (reading, &size) || size > INT64_MAX - skip)
      return n;
    places[n].skip = skip;
    places[n].size = size;
    n += has_place;
    skip += size;
  }
  return n;
}

size_t
dg_place_find (Dwarf_Die *variable, struct dg_place places[DG_PLACE_MOST])
{
  Dwarf_Attribute attribute;
  struct reading reading = {.attribute = &attribute};

  if (dg_place_expression (variable, DW_AT_location, false, &attribute) == NULL
      || dwarf_getlocation (&attribute, &reading.ops, &reading.n) != 0)
    return 0;
  if (read_place (&reading, &places[0]) && reading.at == reading.n)
    return 1;
  reading.at = 0;
  return read_pieces (&reading, places);
}
