/* pack_log_names.h: the blocks and contexts of a raw log as a program: the
   numbers that its runs get when they are packed.

   Block i is definition i, entry j of a run its word j.  All is numbered
   before the first run is packed, so the numbers do not depend on who packs
   what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_LOG_NAMES_H
#define DG_PACK_LOG_NAMES_H

#include "log/log.h"
#include "archive/program.h"

struct dg_pack_names {
  struct dg_program program;
  struct dg_program_counts first;   /* what every program has */
  struct dg_program_view view;
  /* For each context: the head of its block's whole runs.  */
  struct dg_run_word *heads;
  /* For each definition: its first variant of those that are not whole; 0 if
     no run of it was left early.  */
  uint32_t *part_variants;
};

/* Of a loaded raw log.  0, DG_ERR_NOMEM, or DG_ERR_INVALID: more variants
   than runs can name.  */
int dg_pack_names_init (struct dg_pack_names *names, const struct dg_log *log,
                        struct dg_error *err);
void dg_pack_names_fini (struct dg_pack_names *names);

/* The head of a run of a context that is not whole; 0 if there should be none
   such: the log has changed.  */
uint64_t dg_pack_names_part (const struct dg_pack_names *names,
                             const struct dg_log *log, uint32_t context,
                             unsigned n_instrs, unsigned n_entries);

/* The node of a context.  */
static inline uint32_t
dg_pack_names_node (const struct dg_pack_names *names, uint32_t context)
{
  return dg_run_node (names->heads[context].word);
}

#endif /* DG_PACK_LOG_NAMES_H */
