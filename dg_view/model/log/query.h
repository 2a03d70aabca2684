/* query.h: what somebody who searches means.

   An address (0x4a65420, 4a65420, a:1000), an instruction count (12.5M,
   12,345,678, i:123), two with ".." between, or a part of a name, of a
   certain kind after fn:, user:, thread: or dso:.  A text may mean more than
   one thing.  Knows neither logs nor GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_QUERY_H
#define DV_QUERY_H

#include <stdbool.h>
#include <stdint.h>

enum dv_name_kind {
  DV_NAME_FUNCTION, DV_NAME_EVENT, DV_NAME_RANGE, DV_NAME_THREAD,
  DV_NAME_MODULE, DV_NAME_KINDS
};

struct dv_query {
  bool has_address, has_addresses, has_icount, has_icounts;
  uint64_t address, icount;
  uint64_t address_start, address_end;   /* [start, end); end UINT64_MAX: */
  uint64_t icount_start, icount_end;     /* open */
  char *name;               /* folded as dv_query_fold does; NULL: no name is
                               meant */
  unsigned kinds;           /* of the name: bits 1 << enum dv_name_kind */
};

/* Any text can be parsed.  dv_query_clear is due.  */
void dv_query_parse (struct dv_query *query, const char *text);
void dv_query_clear (struct dv_query *query);
/* It means nothing at all.  */
bool dv_query_is_empty (const struct dv_query *query);

/* As names are compared: without case.  A new string, of valid UTF-8 whatever
   comes in.  */
char *dv_query_fold (const char *name);

/* How well a name (folded) is what was asked for (folded, not empty): 0, not
   at all; 1, within a word; 2, from the beginning of a word; 3, from the
   beginning; 4, all of it, but for parameters.  */
int dv_query_rank (const char *name, const char *asked);

#endif /* DV_QUERY_H */
