/* replace_place.h: checks whether a file can be replaced or created.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPLACE_PLACE_H
#define DG_REPLACE_PLACE_H

#include "libdatagrind.h"

/* Would the kernel go where dg_output_path goes?  0, also if there is nothing
   yet, or DG_ERR_IO.  To be asked of the path as it was given.  */
int dg_output_reach (const char *path, struct dg_error *err);

/* Where everybody may make files, only their owners may replace them: 0 or
   DG_ERR_IO for what is, or is not, at the path where links lead.  */
int dg_replace_check_owner (const char *path, struct dg_error *err);

#endif /* DG_REPLACE_PLACE_H */
