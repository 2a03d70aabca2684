/* parse.h: values of options that several commands have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PARSE_H
#define DG_PARSE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* "A..B" with A < B, decimal or 0x, where either may be missing, but not both:
   then its value stays.  */
bool parse_span (const char *text, uint64_t *start, uint64_t *end);

/* From first to last.  */
struct parse_numbers { uint32_t first, last; };
/* "1,3-5": an array of struct parse_numbers, or NULL.  */
GArray *parse_list (const char *text);

/* A number with k, M, G (1000) or ki, Mi, Gi (1024) behind it, or not.  */
bool parse_number (const char *text, uint64_t *number);

/* "N", "Nki", "NMi", "NGi" into *instructions, "Nns", "Nus", "Nms", "Ns" into
   *ns; the other becomes 0.  N is not 0.  */
bool parse_interval (const char *text, uint64_t *instructions, uint64_t *ns);

#endif /* DG_PARSE_H */
