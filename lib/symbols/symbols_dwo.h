/* symbols_dwo.h: split debug information, a file for each unit, as libdw reads
   it.

   Compilers write some of it otherwise: many sections of one name, or units
   of many files in a package (.dwp), which libdw reads from version 0.191 on.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_DWO_H
#define DG_SYMBOLS_DWO_H

#include <stdbool.h>
#include <stdint.h>

/* Whether libdw reads the file as it is.  */
bool dg_dwo_is_plain (int fd);
/* A descriptor of one that it reads, in memory; -1: it cannot be made.  */
int dg_dwo_make_plain (int fd);

/* Takes the descriptor, also if it fails; NULL: it is not a package.  */
struct dg_dwo_package *dg_dwo_package_open (int fd);
void dg_dwo_package_free (struct dg_dwo_package *package);
bool dg_dwo_package_has (const struct dg_dwo_package *package, uint64_t id);
/* Like dg_dwo_make_plain.  */
int dg_dwo_package_unit (struct dg_dwo_package *package, uint64_t id);

#endif /* DG_SYMBOLS_DWO_H */
