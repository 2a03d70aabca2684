/* json_text.h: values of JSON, written as they come, so that nothing has to be
   built in memory first.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_JSON_TEXT_H
#define DG_JSON_TEXT_H

#include "output.h"

/* In quotes; what is no UTF-8 is replaced.  */
void json_text_string (struct output *out, const char *text);
void json_text_append (GString *to, const char *text);

/* The shortest digits that read as this number again, most often; null if it
   is none.  */
void json_text_real (struct output *out, double real);

#endif /* DG_JSON_TEXT_H */
