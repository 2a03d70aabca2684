/* index_sample.h: logs of which every access is known, with the indexes that
   they should have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INDEX_SAMPLE_H
#define DG_INDEX_SAMPLE_H

#include "index/index.h"
#include "random_log.h"

struct index_sample {
  struct random_log *random;
  struct dg_log *log;
  char *sidecar; /* a file that index_sample_free removes */
};

struct index_sample *index_sample_new (unsigned word_size, bool big_endian,
                                       unsigned n_runs);
void index_sample_free (struct index_sample *sample);

/* What stands behind the end record of a log is wrong, but all before it is
   there.  */
struct dg_log *index_sample_load (const char *path);

/* As dg_index_build, without errors.  */
struct dg_index *index_sample_index (const struct index_sample *sample,
                                     const char *path, unsigned workers);

/* struct dg_line_count: the list of the accesses from one instruction count to
   another.  */
GArray *index_sample_lines (const struct random_log *log, uint64_t start,
                            uint64_t end);

/* All lists of all levels, and what they are about.  Damage may be found, but
   nothing wrong may come out.  Returns the number of bad lists.  */
unsigned index_sample_check (const struct index_sample *sample,
                             struct dg_index *index, bool may_fail);

#endif /* DG_INDEX_SAMPLE_H */
