/* code_names.c: what the log says of code that is in no file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "code_names.h"

#include <inttypes.h>

#include "base/error.h"

/* Pairs of address and line: ascending, or a search in them would miss some.
   What is behind a pair that is not is left out.  */
static int
copy_lines (struct dg_arena *arena, const uint64_t *words, uint64_t n,
            struct dg_code_name *name)
{
  struct dg_code_line *lines;

  if (n == 0)
    return 0;
  lines = dg_arena_alloc (arena, n * sizeof *lines);
  if (!lines)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < n; i++, words += 2) {
    if (i > 0 && words[0] <= lines[i - 1].address)
      break;
    lines[i].address = words[0];
    lines[i].line = MIN (words[1], UINT32_MAX);
    name->n_lines = i + 1;
  }
  name->lines = lines;
  return 0;
}

int
dg_code_names_add (struct dg_contents *contents,
                   const struct dg_fields *fields, uint64_t offset,
                   struct dg_error *err)
{
  struct dg_arena *arena = &contents->arena;
  const uint64_t *words = fields->words;
  struct dg_code_name *added;
  struct dg_code_name name = { .address = words[0], .size = words[1],
                               .start = words[2], .source = words[3] };

  if (name.size == 0 || name.address > UINT64_MAX - name.size)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "CODE of %" PRIu64 " bytes at 0x%" PRIx64, name.size,
                        name.address);
  name.language = dg_arena_string (arena, fields->strings[0]);
  name.name = dg_arena_string (arena, fields->strings[1]);
  name.file = dg_arena_string (arena, fields->strings[2]);
  if (!name.language || !name.name || !name.file
      || copy_lines (arena, words + 5, words[4] / 2, &name) < 0)
    return dg_error_nomem (err);
  added = dg_table_add (&contents->code_names, sizeof *added);
  if (!added)
    return dg_error_nomem (err);
  *added = name;
  return 0;
}
