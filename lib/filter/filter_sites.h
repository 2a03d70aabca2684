/* filter_sites.h: which code addresses meet the stack conditions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_SITES_H
#define DG_FILTER_SITES_H

#include "filter_parse.h"

/* Asks the symbols once for each address, and remembers.  Modules that were
   loaded one after the other at one address are told apart.  */
struct dg_sites;

/* `conditions`: per group the conditions, of which those that need a stack
   are used.  They and `symbols` must outlive it.  */
struct dg_sites *dg_filter_sites_new (const struct dg_log *log,
                                      struct dg_symbols *symbols,
                                      GArray *const conditions[DG_N_GROUPS]);
void dg_filter_sites_free (struct dg_sites *sites);

/* Does one module follow another at the same addresses, so that an address
   has a meaning only together with a moment?  */
bool dg_filter_sites_need_moment (const struct dg_sites *sites);

/* Does the code at this address meet a condition of this group?  */
bool dg_filter_sites_meet (struct dg_sites *sites, enum dg_filter_group group,
                           uint64_t address, uint64_t icount);

/* The same for an address that was asked before, else false.  Any number of
   threads at once, when nobody calls dg_filter_sites_meet.  */
bool dg_filter_sites_recall (const struct dg_sites *sites,
                             enum dg_filter_group group, uint64_t address,
                             uint64_t icount);

#endif /* DG_FILTER_SITES_H */
