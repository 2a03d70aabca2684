/* code_name.h: what people are shown of code, where a function's name does not
   say enough: names made up of addresses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CODE_NAME_H
#define DG_CODE_NAME_H

#include <glib.h>

#include "libdatagrind.h"

/* Is it "func_0x1234", which says nothing without its module?  */
bool dg_code_name_is_made_up (const char *function);

/* "f"; "func_0x1234 (libx.so)" of a name that is made up; "??? (libx.so)" of
   code of no function, and "???" of none of either.  Both may be NULL.  */
void dg_code_name_append (GString *text, const char *function,
                          const char *module);

#endif /* DG_CODE_NAME_H */
