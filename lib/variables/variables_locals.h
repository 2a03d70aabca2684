/* variables_locals.h: the variables of a frame, by number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VARIABLES_LOCALS_H
#define DG_VARIABLES_LOCALS_H

#include "frames.h"
#include "symbols/symbols_frames.h"
#include "symbols/symbols_locals.h"
#include "variables.h"

/* A variable in a frame.  */
struct dg_frame_part {
  int64_t low, end;        /* bytes, from the CFA */
  uint32_t period;         /* 1: it is one variable */
  uint32_t *numbers;       /* atomic; by byte % period; UINT32_MAX: not
                              asked */
  struct dg_extent thing;  /* if it has several */
};

/* What is in a frame while its code is at one address.  Belongs to the
   variables; read-only but for `numbers`.  */
struct dg_frame_parts {
  struct dg_symbols_code code;
  uint32_t unknown;        /* the number of "function().<NA>" */
  struct dg_local_align align;
  uint32_t n;
  struct dg_frame_part parts[];    /* by place */
};

/* Those of a code address.  Any thread.  */
const struct dg_frame_parts *
dg_variables_frame_parts (struct dg_variables *variables, uint64_t pc,
                          uint64_t icount);
/* The place of an address in a frame, from its CFA, as it would be in one that
   needs no alignment; INT64_MAX: what the alignment takes, which is nothing's.
   */
static inline int64_t
dg_frame_parts_place (const struct dg_frame_parts *parts, uint64_t address,
                      uint64_t cfa)
{
  const struct dg_local_align *align = &parts->align;
  int64_t place = (int64_t) (address - cfa), moved;
  uint64_t lost, above = (uint64_t) align->above;

  if (align->align == 0)
    return place;
  lost = (cfa - above) & (align->align - 1);
  if (align->size == 0) {
    moved = (int64_t) ((uint64_t) place + lost);
    return place >= -align->limit ? place
           : moved < -align->limit ? moved : INT64_MAX;
  }
  moved = (int64_t) ((uint64_t) place - (-lost & (align->align - 1)));
  if ((uint64_t) moved + above < (uint64_t) align->size)
    return moved;
  return (uint64_t) place + above < (uint64_t) align->size ? INT64_MAX : place;
}

/* The variable at such a place; false: none is known.  Any thread.  */
bool dg_variables_frame_number (struct dg_variables *variables,
                                const struct dg_frame_parts *parts,
                                int64_t place, uint64_t icount,
                                uint32_t *number);

/* Where frames are, which takes a pass over the log when it is first asked
   for; NULL: that failed.  Any thread.  */
const struct dg_frames *dg_variables_frames (struct dg_variables *variables);

/* Gives them frames that somebody else has found, unless they have some.  */
void dg_variables_give_frames (struct dg_variables *variables,
                               struct dg_frames *frames);

#endif /* DG_VARIABLES_LOCALS_H */
