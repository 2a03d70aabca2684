/* whatif_layout.c: where the bytes of objects are after a change of their
   type.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_layout.h"

#include <string.h>

struct dg_whatif_layout *
dg_whatif_layout_plain (uint64_t period, uint64_t stride)
{
  struct dg_whatif_layout *layout = g_new0 (struct dg_whatif_layout, 1);

  layout->period = period;
  layout->n_parts = 1;
  layout->parts = g_new0 (struct dg_whatif_part, 1);
  layout->parts[0].stride = stride;
  layout->parts[0].align = 1;
  return layout;
}

void
dg_whatif_layout_free (struct dg_whatif_layout *layout)
{
  if (layout == NULL)
    return;
  g_free (layout->parts);
  g_free (layout->cells);
  g_free (layout);
}

/* Puts a field at the end of a part.  */
static void
append (struct dg_whatif_layout *layout, unsigned part,
        const struct dg_whatif_field *field)
{
  struct dg_whatif_part *to = &layout->parts[part];
  uint64_t at = dg_whatif_up (to->stride, field->align);

  to->align = MAX (to->align, field->align);
  to->stride = at + field->new_size;
  for (uint64_t i = 0; i < field->size; i++)
    layout->cells[field->offset + i] = (struct dg_whatif_cell){
      part, (uint32_t) (at + MIN (i, field->new_size - 1))
    };
}

/* Bytes between fields are at the end of the field before them.  */
static void
fill_gaps (struct dg_whatif_layout *layout,
           const struct dg_whatif_field *fields, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t end = i + 1 < n ? fields[i + 1].offset : layout->period;

    for (uint64_t at = fields[i].offset + fields[i].size; at < end; at++)
      layout->cells[at] = layout->cells[at - 1];
  }
}

static size_t
find (const struct dg_whatif_field *fields, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (fields[i].name, name) == 0)
      return i;
  return n;
}

static void
append_named (struct dg_whatif_layout *layout,
              const struct dg_whatif_field *fields, size_t n,
              char *const *names, unsigned rest)
{
  bool *is_done = g_new0 (bool, n + 1);

  for (; names != NULL && *names != NULL; names++) {
    size_t i = find (fields, n, *names);

    if (i < n && !is_done[i])
      append (layout, 0, &fields[i]);
    is_done[i] = true;
  }
  for (size_t i = 0; i < n; i++)
    if (!is_done[i])
      append (layout, rest, &fields[i]);
  g_free (is_done);
}

static void
append_packed (struct dg_whatif_layout *layout,
               const struct dg_whatif_field *fields, size_t n)
{
  for (uint32_t align = UINT32_C (1) << 31; align > 0; align >>= 1)
    for (size_t i = 0; i < n; i++)
      if (fields[i].align == align)
        append (layout, 0, &fields[i]);
}

struct dg_whatif_layout *
dg_whatif_layout_new (enum dg_whatif_how how, uint64_t period,
                      const struct dg_whatif_field *fields, size_t n,
                      char *const *names)
{
  struct dg_whatif_layout *layout = g_new0 (struct dg_whatif_layout, 1);

  layout->period = period;
  layout->n_parts = how == DG_WHATIF_SOA     ? (unsigned) n
                    : how == DG_WHATIF_SPLIT ? 2
                                             : 1;
  layout->parts = g_new0 (struct dg_whatif_part, layout->n_parts);
  layout->cells = g_try_new0 (struct dg_whatif_cell, period);
  if (layout->cells == NULL) {
    dg_whatif_layout_free (layout);
    return NULL;
  }
  for (unsigned i = 0; i < layout->n_parts; i++)
    layout->parts[i].align = 1;
  if (how == DG_WHATIF_SOA)
    for (size_t i = 0; i < n; i++)
      append (layout, (unsigned) i, &fields[i]);
  else if (how == DG_WHATIF_PACK)
    append_packed (layout, fields, n);
  else
    append_named (layout, fields, n, names, layout->n_parts - 1);
  fill_gaps (layout, fields, n);
  /* All fields may be named.  */
  if (layout->parts[layout->n_parts - 1].stride == 0)
    layout->n_parts--;
  for (unsigned i = 0; i < layout->n_parts; i++)
    layout->parts[i].stride =
      dg_whatif_up (layout->parts[i].stride, layout->parts[i].align);
  return layout;
}

void
dg_whatif_layout_round (struct dg_whatif_layout *layout, uint64_t unit)
{
  for (unsigned i = 0; i < layout->n_parts; i++)
    layout->parts[i].stride = dg_whatif_up (layout->parts[i].stride, unit);
}
