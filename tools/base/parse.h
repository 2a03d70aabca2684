/* parse.h: values of options that several commands have, beyond the numbers
   that libdatagrind reads (dg_number_parse).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PARSE_H
#define DG_PARSE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* From first to last.  */
struct parse_numbers { uint32_t first, last; };
/* "1,3-5": an array of struct parse_numbers, or NULL.  */
GArray *parse_list (const char *text);

#endif /* DG_PARSE_H */
