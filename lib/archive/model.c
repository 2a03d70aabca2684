/* model.c: what is known of a program's memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model.h"

#include <glib.h>

#include "base/error.h"
#include "base/hash.h"
#include "program.h"

#define BITS_MIN 12

void
dg_model_fini (struct dg_model *model)
{
  g_free (model->lines);
  g_free (model->slots);
  memset (model, 0, sizeof *model);
}

static bool
set_bits (struct dg_model *model, unsigned bits)
{
  uint32_t *slots = g_try_new0 (uint32_t, (size_t) 1 << bits);

  if (!slots)
    return false;
  g_free (model->slots);
  model->slots = slots;
  model->bits = bits;
  return true;
}

int
dg_model_clear (struct dg_model *model, struct dg_error *err)
{
  if (!model->slots) {
    if (!set_bits (model, BITS_MIN))
      return dg_error_nomem (err);
    /* No archive can be made so that all its lines meet in one slot.  */
    model->seed = dg_hash_seed ();
  }
  memset (model->slots, 0, sizeof *model->slots << model->bits);
  model->n = 0;
  memset (model->near, 0, sizeof model->near);
  return 0;
}

/* The slot of a line, or the empty one where it would be.  */
static uint32_t *
slot_of (const struct dg_model *model, uint64_t number)
{
  uint32_t mask = (UINT32_C (1) << model->bits) - 1;
  uint32_t i = dg_hash (number ^ model->seed) >> (64 - model->bits);

  while (model->slots[i] != 0
         && model->lines[model->slots[i] - 1].number != number)
    i = (i + 1) & mask;
  return &model->slots[i];
}

static bool
grow (struct dg_model *model)
{
  uint32_t room = model->room > 0 ? 2 * model->room : 1 << (BITS_MIN - 1);
  struct dg_model_line *lines
    = g_try_realloc (model->lines, room * sizeof *lines + DG_VALUE_SLACK);

  if (!lines)
    return false;
  model->lines = lines;
  model->room = room;
  while (model->room > UINT32_C (1) << (model->bits - 1)) {
    if (!set_bits (model, model->bits + 1))
      return false;
    for (uint32_t i = 0; i < model->n; i++)
      *slot_of (model, lines[i].number) = i + 1;
  }
  return true;
}

struct dg_model_line *
dg_model_find_far (struct dg_model *model, uint64_t number)
{
  uint32_t *slot = slot_of (model, number);

  if (*slot == 0) {
    if (model->n == DG_MODEL_LINES_MAX)
      dg_model_clear (model, NULL);
    if (model->n == model->room && !grow (model))
      return NULL;
    slot = slot_of (model, number);
    model->lines[model->n] = (struct dg_model_line) { .number = number };
    *slot = ++model->n;
  }
  model->near[number % DG_MODEL_NEAR] = *slot - 1;
  return &model->lines[*slot - 1];
}

/* ---- Bytes ---- */

/* Goes through the bytes from an address on, line by line: `to` gets what they
   are; or they become those of `from`; or 0.  */
static bool
each_line (struct dg_model *model, uint64_t address, unsigned size,
           uint8_t *to, const uint8_t *from)
{
  for (unsigned done = 0, n; done < size; done += n) {
    unsigned at = (address + done) % DG_MODEL_LINE;
    struct dg_model_line *line
      = dg_model_find (model, (address + done) / DG_MODEL_LINE);

    if (!line)
      return false;
    n = MIN (size - done, DG_MODEL_LINE - at);
    if (to)
      memcpy (to + done, line->bytes + at, n);
    else if (from)
      memcpy (line->bytes + at, from + done, n);
    else
      memset (line->bytes + at, 0, n);
  }
  return true;
}

bool
dg_model_get (struct dg_model *model, uint64_t address, unsigned size,
              uint8_t *bytes)
{
  return each_line (model, address, size, bytes, NULL);
}

bool
dg_model_set (struct dg_model *model, uint64_t address, unsigned size,
              const uint8_t *bytes)
{
  return each_line (model, address, size, NULL, bytes);
}

bool
dg_model_forget (struct dg_model *model, uint64_t address, unsigned size)
{
  return each_line (model, address, size, NULL, NULL);
}
