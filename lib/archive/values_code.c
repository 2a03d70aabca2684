/* values_code.c: what packing and unpacking values have in common.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "values_code.h"

int
dg_values_begin (struct dg_values *values,
                 const struct dg_program_view *program,
                 const struct dg_format *format, struct dg_error *err)
{
  size_t n = program->n.blocks;

  values->program = *program;
  values->format = *format;
  values->mask = format->word_size == 8 ? UINT64_MAX : UINT32_MAX;
  values->parts.n = 0;
  values->n_recent = 0;
  memset (values->recent, 0, sizeof values->recent);
  if (n > values->first_room) {
    g_free (values->first);
    values->first = g_try_new (uint32_t, n);
    values->first_room = values->first ? n : 0;
    if (!values->first)
      return dg_error_nomem (err);
  }
  if (n > 0)
    memset (values->first, 0, n * sizeof *values->first);
  return dg_model_clear (&values->model, err);
}

void
dg_values_fini (struct dg_values *values)
{
  dg_model_fini (&values->model);
  dg_table_fini (&values->parts);
  dg_table_fini (&values->bytes);
  g_free (values->first);
}

/* How many parts a block has; bytes: what its runs may have.  */
static size_t
count_parts (const struct dg_program_block *block, size_t *bytes)
{
  size_t n = 0;

  *bytes = 0;
  for (unsigned i = 0; block->values && i < block->n_entries; i++) {
    unsigned size = block->entries[i].size;

    if (block->values[i].kind == DG_VALUE_UNKNOWN)
      continue;
    *bytes += size;
    if (block->values[i].kind == DG_VALUE_BYTES)
      n += dg_values_parts (size);
  }
  return n;
}

struct dg_values_part *
dg_values_block (struct dg_values *values, uint32_t number)
{
  struct dg_table *parts = &values->parts;
  uint32_t first = values->first[number];
  size_t n, bytes;

  if (first > 0)
    return (struct dg_values_part *) parts->items + (first - 1);
  n = count_parts (values->program.blocks[number], &bytes);
  first = parts->n;
  if (parts->n + n >= UINT32_MAX
      || dg_table_reserve (&values->bytes, 1, bytes + DG_VALUE_SLACK) < 0
      || (parts->n + n + 1 > parts->room
          && dg_table_reserve (parts, sizeof (struct dg_values_part),
                               2 * parts->n + n + 1)
               < 0))
    return NULL;
  memset ((struct dg_values_part *) parts->items + first, 0,
          n * sizeof (struct dg_values_part));
  parts->n += n;
  values->first[number] = first + 1;
  return (struct dg_values_part *) parts->items + first;
}
