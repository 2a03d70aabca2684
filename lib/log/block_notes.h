/* block_notes.h: records about blocks that name them by what they are: BBFLOW
   and BBCODE.

   Such a record applies to all blocks that begin at its address and have its
   numbers of instructions and entries, wherever their definitions are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BLOCK_NOTES_H
#define DG_BLOCK_NOTES_H

#include "contents.h"

/* What a log has of one, checked.  */
struct dg_block_note {
  uint64_t address;        /* of the first instruction */
  const uint8_t *bytes;    /* as they stand in it; of the log */
  uint32_t n, n_entries;
  uint8_t n_instrs;
};

/* Copies the fields of a record "word address; byte n_instrs; word n_accesses;
   word n; byte bytes[n]": 0 or DG_ERR_NOMEM.  */
int dg_block_notes_read (struct dg_arena *arena,
                         const struct dg_fields *fields,
                         struct dg_block_note *note, struct dg_error *err);
int dg_block_notes_add (struct dg_table *notes,
                        const struct dg_block_note *note,
                        struct dg_error *err);

/* Checks a BBCODE and adds it: 0, DG_ERR_DAMAGED or DG_ERR_NOMEM.  */
int dg_block_notes_add_code (struct dg_contents *contents,
                             const struct dg_fields *fields, uint64_t offset,
                             struct dg_error *err);

/* Which note is about which block.  The table must outlive it.  */
struct dg_block_notes_index;
struct dg_block_notes_index *
dg_block_notes_index_new (const struct dg_table *notes);
void dg_block_notes_index_free (struct dg_block_notes_index *index);
/* NULL: nothing is known of the block.  Any thread.  */
const struct dg_block_note *
dg_block_notes_index_find (const struct dg_block_notes_index *index,
                           const struct dg_bbdef *bbdef);

#endif /* DG_BLOCK_NOTES_H */
