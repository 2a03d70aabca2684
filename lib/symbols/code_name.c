/* code_name.c: the name of a function for people, with its module if needed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "code_name.h"

#include <string.h>

#include "base/path.h"

#define MADE_UP "func_0x"

bool
dg_code_name_is_made_up (const char *function)
{
  const char *digits = function + strlen (MADE_UP);

  return g_str_has_prefix (function, MADE_UP) && *digits != '\0'
         && digits[strspn (digits, "0123456789abcdef")] == '\0';
}

void
dg_code_name_append (GString *text, const char *function, const char *module)
{
  g_string_append (text, function != NULL ? function : "???");
  if (module != NULL
      && (function == NULL || dg_code_name_is_made_up (function)))
    g_string_append_printf (text, " (%s)", dg_path_base (module));
}
