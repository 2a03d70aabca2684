/* json_text.c: values of JSON, written as they come.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "json_text.h"

#include <math.h>

/* Bytes that stand for themselves in a string.  */
static inline bool
is_plain (unsigned char c)
{
  return c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

static void
write_escaped (struct output *out, const char *text)
{
  static const char hex[] = "0123456789abcdef";

  while (*text != '\0') {
    size_t n = 0;

    while (is_plain ((unsigned char) text[n]))
      n++;
    output_bytes (out, text, n);
    text += n;
    if (*text == '\0')
      return;
    if (*text == '\n') {
      output_bytes (out, "\\n", 2);
    } else if (*text == '"' || *text == '\\') {
      char escaped[2] = {'\\', *text};

      output_bytes (out, escaped, 2);
    } else {
      unsigned char c = (unsigned char) *text;
      char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

      output_bytes (out, code, 6);
    }
    text++;
  }
}

void
json_text_string (struct output *out, const char *text)
{
  output_bytes (out, "\"", 1);
  if (g_utf8_validate (text, -1, NULL)) {
    write_escaped (out, text);
  } else {
    char *valid = g_utf8_make_valid (text, -1);

    write_escaped (out, valid);
    g_free (valid);
  }
  output_bytes (out, "\"", 1);
}

void
json_text_real (struct output *out, double real)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (real)) {
    output_text (out, "null");
    return;
  }
  g_ascii_formatd (text, sizeof text, "%.15g", real);
  if (g_ascii_strtod (text, NULL) != real)
    g_ascii_formatd (text, sizeof text, "%.17g", real);
  output_text (out, text);
}
