/* time_host.h: files of dg calibrate: the figures of one machine.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_HOST_H
#define DG_TIME_HOST_H

#include "time_processor.h"

/* Where dg calibrate keeps the figures of this machine, if nothing else is
   asked for; to be freed.  */
char *dg_time_host_path (void);

/* A file: lines with '#' first are not read, "processor=TEXT" says where it
   was measured, and all others are, in their order, what --machine takes
   between commas: a processor of the table, and figures.
   must_be: what the file must say of its processor; NULL: anything.
   0; or DG_ERR_IO; or DG_ERR_INVALID, with the file and the line.  */
int dg_time_host_read (const char *path, const char *must_be,
                       struct dg_time_machine *machine, struct dg_error *err);

/* The figures of this machine: of the file, or, if there is none, of the
   processor that is most like its own.  Errors as above.  */
int dg_time_host_find (struct dg_time_machine *machine, struct dg_error *err);

/* What people must know of figures that are not those of a processor of the
   table; NULL: nothing.  To be freed.  */
char *dg_time_host_note (const struct dg_time_machine *machine);

#endif /* DG_TIME_HOST_H */
