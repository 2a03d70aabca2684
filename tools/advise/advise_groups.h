/* advise_groups.h: streams that are one finding, since they go to the same
   memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_GROUPS_H
#define DG_ADVISE_GROUPS_H

#include "advise_finding.h"

struct advise_group {
  const struct advise_stream *top;       /* the most costly one; of several
                                            that cost nearly as much, the
                                            first in the source */
  double misses, ll_misses, cost;        /* of all of them */
  uint64_t accesses;
  GPtrArray *streams;      /* the most costly first */
};

typedef bool (*advise_stream_fn) (const struct advise_facts *facts,
                                  const struct advise_stream *stream);

/* The streams of own code that `takes` accepts, by memory, or by line if that
   is not known; those of lines in `without` (or NULL) are left out.  In the
   order of their most costly streams.  To be unreffed.  */
GPtrArray *advise_groups (const struct advise_facts *facts,
                          advise_stream_fn takes, GHashTable *without);

/* The finding at the most costly line; the others of its file are added.  */
struct advise_finding *
advise_group_finding (const struct advise_group *group);
/* Marks its lines.  */
void advise_group_explain (const struct advise_group *group,
                           GHashTable *explained);

/* Its lines, as dg whatif takes them; NULL: the code is not known.  To be
   freed.  */
char *advise_group_where (const struct advise_group *group);

#endif /* DG_ADVISE_GROUPS_H */
