/* number.h: numbers as people type and read them, lib's part of section 11 of
   libdatagrind.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_NUMBER_H
#define DG_NUMBER_H

#include "libdatagrind.h"

/* A number up to the first of `ends` or the end of the text, without digits in
   groups, as lists have them: "32Ki,8,64".  Moves *text behind it.  */
bool dg_number_take (const char **text, const char *ends,
                     enum dg_quantity quantity, uint64_t *number);

/* Does the text, of which dg_number_take took none, begin with digits that are
   too many for a number?  */
bool dg_number_is_too_large (const char *text);

#endif /* DG_NUMBER_H */
