/* found.h: what a search has found, and what choosing it does.

   A part of search.c's.  Main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FOUND_H
#define DV_FOUND_H

#include "model/log/names.h"
#include "stepping.h"

enum dv_found_kind {
  DV_FOUND_ADDRESS, DV_FOUND_ADDRESSES, DV_FOUND_ICOUNT, DV_FOUND_ICOUNTS,
  DV_FOUND_BLOCK, DV_FOUND_NAME
};

struct dv_found {
  enum dv_found_kind kind;
  const char *group;       /* translated heading */
  char *title, *detail;
  uint64_t start, end;     /* address or icount; an interval [start, end) */
  uint32_t block;          /* of dg_log_block */
  struct dv_match match;   /* DV_FOUND_NAME: its strings are the names' */
  uint32_t turn;           /* which event or range of that label was shown
                              last, as an index in the timeline */
};

/* One more part of a line that tells several; "": none.  */
void dv_found_append (GString *text, const char *part);

/* For struct dv_found *, which it frees.  */
GPtrArray *dv_found_new (void);

/* What the numbers of a query mean, for the window's scene.  */
void dv_found_add_numbers (GPtrArray *found, struct dv_host *host,
                           const struct dv_query *query);
/* Names that match, the best kind first, at most `most` of each kind.
   Returns how many there are.  */
guint64 dv_found_add_names (GPtrArray *found, struct dv_names *names,
                            const struct dv_query *query, guint most);

/* In the background: the heap blocks that an address was part of.  The result
   is such an array.  */
struct dv_job *dv_found_blocks (struct dv_data *data, uint64_t address,
                                dv_job_done done, void *user);

/* Shows it: moves the view, makes things stand out.  `again`: it was the last
   one chosen, so go on to the next access or event of it, or the one before
   that if `backward`.  Returns a line about it, a new string; or NULL.  */
char *dv_found_choose (struct dv_host *host, struct dv_stepping *stepping,
                       struct dv_names *names, struct dv_found *found,
                       bool again, bool backward);

/* Whether choosing it makes accesses stand out; and what there is to be said
   of them, a new string, which may be another when the canvas has drawn
   them.  */
bool dv_found_stands_out (const struct dv_found *found);
char *dv_found_bright_text (const struct dv_host *host);

#endif /* DV_FOUND_H */
