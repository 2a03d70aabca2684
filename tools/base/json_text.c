/* json_text.c: values of JSON, written as they come.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "json_text.h"

#include "libdatagrind.h"

#include <math.h>

/* Bytes that are not escaped in a string, whatever follows.  */
static inline bool
is_plain (unsigned char c)
{
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static size_t
plain_length (const char *text)
{
  size_t n = 0;

  while (is_plain ((unsigned char) text[n]))
    n++;
  return n;
}

/* JSON is shown on terminals, too: what could be a command to one is escaped,
   as are characters that turn the direction of writing.  */
static void
append_escaped (GString *to, const char *text)
{
  while (*text != '\0') {
    size_t n = plain_length (text);
    gunichar c = g_utf8_get_char (text + n);

    g_string_append_len (to, text, (gssize) n);
    text += n;
    if (c == '\0')
      return;
    if (c == '\n')
      g_string_append (to, "\\n");
    else if (c == '"' || c == '\\')
      g_string_append_printf (to, "\\%c", (char) c);
    else if (dg_character_is_unseen (c))
      g_string_append_printf (to, "\\u%04x", c);
    else
      g_string_append_unichar (to, c);
    text = g_utf8_next_char (text);
  }
}

void
json_text_append (GString *to, const char *text)
{
  g_string_append_c (to, '"');
  if (g_utf8_validate (text, -1, NULL)) {
    append_escaped (to, text);
  } else {
    char *valid = g_utf8_make_valid (text, -1);

    append_escaped (to, valid);
    g_free (valid);
  }
  g_string_append_c (to, '"');
}

void
json_text_string (struct output *out, const char *text)
{
  size_t n = plain_length (text);
  GString *quoted;

  /* Usually nothing needs to be escaped.  */
  if (text[n] == '\0') {
    output_bytes (out, "\"", 1);
    output_bytes (out, text, n);
    output_bytes (out, "\"", 1);
    return;
  }
  quoted = g_string_new (NULL);
  json_text_append (quoted, text);
  output_bytes (out, quoted->str, quoted->len);
  g_string_free (quoted, TRUE);
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
