/* model.h: what is known of a program's memory.  A byte of which nothing
   is known is taken for 0, as fresh memory is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MODEL_H
#define DG_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "libdatagrind.h"

#define DG_MODEL_LINE 64 /* bytes */
/* With more lines than these, all are forgotten: 40 MiB with their table.  */
#define DG_MODEL_LINES_MAX (UINT32_C (1) << 19)

/* So many lines that were found are found again without the table.  */
#define DG_MODEL_NEAR 1024

struct dg_model_line {
  uint64_t number;         /* address / DG_MODEL_LINE */
  uint8_t bytes[DG_MODEL_LINE];
};

/* All zero, then dg_model_clear.  */
struct dg_model {
  struct dg_model_line *lines; /* in the order in which they were met */
  uint32_t n, room;
  uint32_t *slots;         /* of a hash table: number in lines plus 1 */
  unsigned bits;           /* there are 2^bits slots */
  uint64_t seed;           /* of hashes */
  uint32_t near[DG_MODEL_NEAR]; /* by number: one that was found, in lines */
};

void dg_model_fini (struct dg_model *model);
/* Nothing is known any more.  */
int dg_model_clear (struct dg_model *model, struct dg_error *err);

/* The line, which is made if it is not there; NULL: no memory.  Those that
   were found before are not valid any more.  The first function asks the table
   only.  */
struct dg_model_line *dg_model_find_far (struct dg_model *model,
                                         uint64_t number);
static inline struct dg_model_line *
dg_model_find (struct dg_model *model, uint64_t number)
{
  struct dg_model_line *line
    = model->lines + model->near[number % DG_MODEL_NEAR];

  if (model->n > 0 && line->number == number)
    return line;
  return dg_model_find_far (model, number);
}

/* The bytes from an address on.  False: no memory.  */
bool dg_model_get (struct dg_model *model, uint64_t address, unsigned size,
                   uint8_t *bytes);
bool dg_model_set (struct dg_model *model, uint64_t address, unsigned size,
                   const uint8_t *bytes);
/* They are not known any more.  */
bool dg_model_forget (struct dg_model *model, uint64_t address, unsigned size);

#endif /* DG_MODEL_H */
