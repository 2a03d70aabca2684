/* option.h: values of options, as they are typed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_OPTION_H
#define DG_OPTION_H

#include "dg_analysis.h"

struct dg_option_value {
  uint64_t number;         /* of NUMBER, BYTES; of CHOICE, which, from 0 */
  double real;
};

/* Reads a value; NULL: none was given, as it must be for flags.  */
int dg_option_parse (const struct dg_option *option, const char *text,
                     struct dg_option_value *value, struct dg_error *err);

/* The option of that name, or NULL; options may be NULL.  */
const struct dg_option *dg_option_find (const struct dg_option *options,
                                        const char *name);

#endif /* DG_OPTION_H */
