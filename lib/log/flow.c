/* flow.c: BBFLOW records: checking and reading.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flow.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* ---- Values ---- */

/* The value at `at`, which moves; false: there is none, or one that names an
   entry that does not stand before.  */
static bool
take_value (const uint8_t **at, const uint8_t *end, uint64_t n_entries,
            struct dg_flow_value *value)
{
  const uint8_t *p = *at;

  *value = (struct dg_flow_value) { 0 };
  if (p == end)
    return false;
  value->what = *p++;
  if (value->what > DG_FLOW_OF_LOAD)
    return false;
  if (value->what >= DG_FLOW_REGISTER) {
    if (p == end)
      return false;
    value->of = *p++;
    if ((value->what == DG_FLOW_LOAD || value->what == DG_FLOW_OF_LOAD)
        && value->of >= n_entries)
      return false;
  }
  *at = p;
  return true;
}

/* Goes through all of it; the arrays may be NULL.  */
static bool
walk (const struct dg_block_note *note, struct dg_flow_access *accesses,
      struct dg_flow_change *changes, uint32_t *n_changes)
{
  const uint8_t *at = note->bytes, *end = at + note->n;
  struct dg_flow_access access;
  struct dg_flow_change change;
  unsigned n;

  for (uint32_t i = 0; i < note->n_entries; i++) {
    if (!take_value (&at, end, i, &access.base)
        || !take_value (&at, end, i, &access.index)
        || !take_value (&at, end, i, &access.data))
      return false;
    if (accesses)
      accesses[i] = access;
  }
  if (at == end)
    return false;
  n = *at++;
  *n_changes = n;
  if (n == DG_FLOW_LOST) {
    *n_changes = DG_FLOW_CHANGES_LOST;
    n = 0;
  }
  for (unsigned i = 0; i < n; i++) {
    if (at == end)
      return false;
    change.reg = *at++;
    if (!take_value (&at, end, note->n_entries, &change.value))
      return false;
    if (changes)
      changes[i] = change;
  }
  return at == end;
}

void
dg_flow_read (const struct dg_block_note *note,
              struct dg_flow_access *accesses, struct dg_flow_change *changes,
              uint32_t *n_changes)
{
  walk (note, accesses, changes, n_changes);
}

int
dg_flow_add (struct dg_contents *contents, const struct dg_fields *fields,
             uint64_t offset, struct dg_error *err)
{
  const uint64_t *words = fields->words;
  struct dg_block_note note;
  uint32_t n_changes;
  int code = dg_block_notes_read (&contents->arena, fields, &note, err);

  if (code < 0)
    return code;
  if (words[2] > DG_ENTRIES_MAX || !walk (&note, NULL, NULL, &n_changes))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBFLOW of %" PRIu64 " entries has %" PRIu64
                        " bytes that do not match them", words[2],
                        words[3]);
  return dg_block_notes_add (&contents->flows, &note, err);
}
