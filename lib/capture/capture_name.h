/* capture_name.h: names of archives: one for each process image.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_NAME_H
#define DG_CAPTURE_NAME_H

#include <glib.h>

#include "libdatagrind.h"

/* The name of an archive, to be freed; NULL: the template is bad.  used: the
   names given so far, into which this one goes.  */
char *dg_capture_name (const char *template, uint64_t pid, GHashTable *used,
                       struct dg_error *err);

#endif /* DG_CAPTURE_NAME_H */
