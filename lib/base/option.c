/* option.c: parses values of options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "option.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "libdatagrind.h"

/* Which of "a,b,c" it is; false: none.  */
static bool
parse_choice (const char *choices, const char *text, uint64_t *index)
{
  size_t n = strlen (text);

  for (*index = 0;; ++*index) {
    size_t length = strcspn (choices, ",");

    if (length == n && memcmp (choices, text, n) == 0)
      return true;
    if (choices[length] == '\0')
      return false;
    choices += length + 1;
  }
}

int
dg_option_parse (const struct dg_option *option, const char *text,
                 struct dg_option_value *value, struct dg_error *err)
{
  memset (value, 0, sizeof *value);
  if (option->type == DG_OPTION_FLAG)
    return text == NULL ? 0
                        : dg_error_set (err, DG_ERR_INVALID,
                                        "--%s takes no value", option->name);
  if (text == NULL)
    return dg_error_set (err, DG_ERR_INVALID, "--%s needs a value",
                         option->name);
  switch (option->type) {
  case DG_OPTION_NUMBER:
    if (dg_number_parse (text, DG_QUANTITY_COUNT, &value->number))
      return 0;
    return dg_error_set (err, DG_ERR_INVALID, "--%s: '%.100s' is not a number",
                         option->name, text);
  case DG_OPTION_BYTES:
    if (dg_number_parse (text, DG_QUANTITY_BYTES, &value->number))
      return 0;
    return dg_error_set (err, DG_ERR_INVALID,
                         "--%s: '%.100s' is not a number of bytes",
                         option->name, text);
  case DG_OPTION_REAL:
    if (dg_number_parse_real (text, &value->real))
      return 0;
    return dg_error_set (err, DG_ERR_INVALID, "--%s: '%.100s' is not a number",
                         option->name, text);
  case DG_OPTION_CHOICE:
    if (parse_choice (option->choices, text, &value->number))
      return 0;
    return dg_error_set (err, DG_ERR_INVALID,
                         "--%s: '%.40s' must be one of %.100s", option->name,
                         text, option->choices);
  case DG_OPTION_FILE:
    if (text[0] != '\0')
      return 0;
    return dg_error_set (err, DG_ERR_INVALID, "--%s needs the name of a file",
                         option->name);
  default:
    return 0;
  }
}

int
dg_option_check (const struct dg_option *option, const char *value,
                 struct dg_error *err)
{
  struct dg_option_value parsed;

  return dg_option_parse (option, value, &parsed, err);
}

const struct dg_option *
dg_option_find (const struct dg_option *options, const char *name)
{
  for (; options && options->name; options++)
    if (strcmp (options->name, name) == 0)
      return options;
  return NULL;
}
