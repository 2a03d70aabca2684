/* whatif_writes.c: the writes of a source line, which a changed program would
   not make.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_writes.h"

#include <string.h>

#include "base/error.h"
#include "dg_record.h"

int
dg_whatif_writes_init (struct dg_whatif_writes *writes, const char *text,
                       struct dg_error *err)
{
  const char *colon = text != NULL ? strrchr (text, ':') : NULL;
  uint64_t line;

  memset (writes, 0, sizeof *writes);
  if (text == NULL)
    return 0;
  if (colon == NULL || colon == text
      || !dg_number_parse (colon + 1, DG_QUANTITY_COUNT, &line) || line == 0
      || line > UINT32_MAX)
    return dg_error_set (err, DG_ERR_INVALID,
                         "'%s' does not fit --remove-writes, which takes "
                         "FILE:LINE", text);
  writes->file = g_strndup (text, (size_t) (colon - text));
  writes->line = (uint32_t) line;
  writes->blocks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return 0;
}

void
dg_whatif_writes_fini (struct dg_whatif_writes *writes)
{
  g_free (writes->file);
  if (writes->blocks != NULL)
    g_hash_table_unref (writes->blocks);
}

/* Whether a path ends with the file.  */
static bool
is_file (const struct dg_whatif_writes *writes, const char *path)
{
  size_t n, m = strlen (writes->file);

  if (path == NULL)
    return false;
  n = strlen (path);
  return n >= m && strcmp (path + n - m, writes->file) == 0
         && (n == m || path[n - m - 1] == '/');
}

static uint8_t *
find (const struct dg_whatif_writes *writes, const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  uint8_t *found = NULL;

  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    struct dg_frame frame;

    if (slot->kind != DG_ACC_WRITE
        || dg_symbols_frames (writes->symbols,
                              bbdef->instrs[slot->iseq].address, run->icount,
                              &frame, 1) == 0
        || frame.line != writes->line || !is_file (writes, frame.file))
      continue;
    if (found == NULL)
      found = g_new0 (uint8_t, bbdef->n_slots);
    found[i] = 1;
  }
  return found;
}

const uint8_t *
dg_whatif_writes_of (struct dg_whatif_writes *writes,
                     const struct dg_run *run)
{
  gpointer key = GUINT_TO_POINTER (run->bbdef->number + 1), known;

  if (writes->file == NULL)
    return NULL;
  if (!g_hash_table_lookup_extended (writes->blocks, key, NULL, &known)) {
    known = find (writes, run);
    g_hash_table_insert (writes->blocks, key, known);
  }
  return known;
}
