/* named_code.c: which of the names that a log has for code of no file an
   address has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "named_code.h"

#include <glib.h>

#include "dg_record.h"

#include "space/space_cover.h"

struct dg_named_code {
  const struct dg_code_name *names;
  struct dg_cover *cover;
};

struct dg_named_code *
dg_named_code_new (const struct dg_log *log)
{
  struct dg_named_code *code;
  struct dg_rect *rects;
  size_t n;
  const struct dg_code_name *names = dg_log_code_names (log, &n);
  int failed;

  if (n == 0 || n >= DG_NONE)
    return NULL;
  code = g_new0 (struct dg_named_code, 1);
  code->names = names;
  rects = g_new (struct dg_rect, n);
  /* The last one is on top, so the time of each is its place.  */
  for (size_t i = 0; i < n; i++)
    rects[i] = dg_rect_make (names[i].address, names[i].size, i, DG_NEVER,
                             (uint32_t) i);
  failed = dg_cover_new (rects, n, &code->cover);
  g_free (rects);
  if (failed < 0) {
    g_free (code);
    return NULL;
  }
  return code;
}

void
dg_named_code_free (struct dg_named_code *code)
{
  if (code == NULL)
    return;
  dg_cover_free (code->cover);
  g_free (code);
}

static uint32_t
line_at (const struct dg_code_name *name, uint64_t address)
{
  uint32_t low = 0, high = name->n_lines;

  if (*name->language != '\0')
    return address & ((1u << DG_SCRIPT_LINE_BITS) - 1);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;

    if (name->lines[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? name->lines[low - 1].line : 0;
}

uint32_t
dg_named_code_find (const struct dg_named_code *code, uint64_t address,
                    uint32_t *line)
{
  uint32_t index = DG_NONE;

  if (code != NULL)
    index = dg_cover_find (code->cover, address, DG_NEVER - 1);
  *line = index != DG_NONE ? line_at (&code->names[index], address) : 0;
  return index;
}
