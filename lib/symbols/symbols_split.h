/* symbols_split.h: units of debug information that stand in files of their own
   (.dwo), or in a package of these (.dwp).

   libdw opens such a file by the name that the unit has for it.  Where this
   leads to nothing that libdw reads (it is elsewhere, in a package, in the
   log), what libdw is given is a copy of the module in which all units have
   one name, that of a descriptor: it is, in turn, each of the files.

   Private to symbols*.c; called under the lock of the object.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_SPLIT_H
#define DG_SYMBOLS_SPLIT_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols_find.h"

/* Finds the files of a module's units, without opening them by libdw; file:
   what the module was read from.  NULL: it has no such units.  */
struct dg_split *dg_split_new (struct dg_find *find, Dwfl_Module *module,
                               const char *file);
void dg_split_free (struct dg_split *split);

/* Whether libdw has to read a copy; then makes it: another descriptor of it,
   or -1 if it cannot be made.  */
bool dg_split_needs_copy (const struct dg_split *split);
int dg_split_copy (struct dg_split *split, Dwfl_Module *module);
/* Whether libdw would open a file by itself though it has the copy.  */
bool dg_split_is_open (const struct dg_split *split);
/* Lets libdw read the files of all units, when it has the copy.  */
void dg_split_link (struct dg_split *split, Dwfl_Module *module);

/* How many units there are, and of how many there is a file.  */
size_t dg_split_count (const struct dg_split *split, size_t *n_found);
/* The number of one of them, and the name of its file on this machine; false:
   there is no file.  */
bool dg_split_unit (const struct dg_split *split, size_t i, uint64_t *id,
                    const char **path);
/* The number as the id of a file in a log.  */
#define DG_SPLIT_ID_BYTES 8
void dg_split_id_bytes (uint64_t id, uint8_t bytes[DG_SPLIT_ID_BYTES]);
/* A descriptor of the file of a unit, as libdw reads it; -1: there is none. */
int dg_split_open (const struct dg_split *split, uint64_t id);

#endif /* DG_SYMBOLS_SPLIT_H */
