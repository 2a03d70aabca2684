/* unpack_log.h: what the two files that make raw logs of archives share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_UNPACK_LOG_H
#define DG_UNPACK_LOG_H

#include "archive/archive.h"
#include "log/log.h"
#include "archive/pack.h"
#include "log/packed.h"

/* One archive being unpacked.  Workers only read it.  */
struct dg_unpack_log {
  const struct dg_log *log;
  struct dg_packed *packed;
  uint64_t address_mask;   /* 2^(8 * word size) - 1 */
  bool is_live;            /* markers are to be made */
};

/* The bytes of a chunk; used again for the next.  */
struct dg_unpack_result {
  struct dg_table bytes;
  /* Of a live archive: where CHUNK and END records stand in them, whose
     `back` is not known yet (size_t).  */
  struct dg_table backs;
};

/* Workers.  The functions are those of struct dg_ordered; user is the struct
   dg_unpack_log.  */
void *dg_unpack_log_new (void *user, struct dg_error *err);
void dg_unpack_log_free (void *state);
int dg_unpack_log_work (void *user, void *state, size_t job, void *out,
                        struct dg_error *err);

#endif /* DG_UNPACK_LOG_H */
