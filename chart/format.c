/* format.c: numbers to text, and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "format.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "i18n.h"
#include "libdatagrind.h"

void
dv_format_about_percent (char *text, size_t size, double share)
{
  dg_number_text_real (text, size, 100 * share, 0);
  g_strlcat (text, " %", size);
}

/* In the unit that suits it; returns that, and *value.  */
static const char *
size_unit (uint64_t bytes, double *value)
{
  static const char *const names[] = { "KiB", "MiB", "GiB", "TiB" };
  unsigned i = 0;
  *value = (double) bytes / 1024;
  while (*value >= 1024 && i + 1 < G_N_ELEMENTS (names)) {
    *value /= 1024;
    i++;
  }
  return names[i];
}

static void
format_in_units (char *text, size_t size, uint64_t bytes)
{
  double value;
  const char *unit = size_unit (bytes, &value);
  dg_number_text_real (text, size, value, value < 100 ? 1 : 0);
  g_strlcat (text, " ", size);
  g_strlcat (text, unit, size);
}

void
dv_format_bytes (char *text, size_t size, uint64_t bytes)
{
  char number[40];
  if (bytes >= 16 * 1024) {
    format_in_units (text, size, bytes);
    return;
  }
  dg_number_text (number, sizeof number, bytes);
  g_snprintf (text, (gulong) size,
              ngettext ("%s byte", "%s bytes", (gulong) bytes), number);
}

void
dv_format_size (char *text, size_t size, uint64_t bytes)
{
  if (bytes >= 1024) {
    format_in_units (text, size, bytes);
    return;
  }
  dg_number_text (text, size, bytes);
  g_strlcat (text, " B", size);
}

char *
dv_format_shown (const char *bytes)
{
  char *valid = g_utf8_make_valid (bytes, -1);
  GString *text = g_string_new (NULL);
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    g_string_append_unichar (text, !dg_character_is_unseen (c) ? c
                                   : g_unichar_isspace (c) ? ' ' : 0xfffd);
  }
  g_free (valid);
  return g_string_free (text, FALSE);
}

char *
dv_format_printable (const char *bytes)
{
  GString *text = g_string_new (NULL);
  const char *end = bytes + strlen (bytes);
  while (bytes < end) {
    gunichar c = g_utf8_get_char_validated (bytes, end - bytes);
    const char *next = (c & 0x80000000u) != 0 ? bytes + 1
                                              : g_utf8_next_char (bytes);
    if ((c & 0x80000000u) == 0 && !dg_character_is_unseen (c))
      g_string_append_len (text, bytes, next - bytes);
    else
      for (; bytes < next; bytes++)
        g_string_append_printf (text, "\\x%02x", (unsigned char) *bytes);
    bytes = next;
  }
  return g_string_free (text, FALSE);
}

/* As Unicode has it: for a program's own use, never in texts.  XML and cairo
   refuse them.  */
static bool
is_noncharacter (gunichar c)
{
  return (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
}

char *
dv_format_label (const char *bytes, size_t most)
{
  /* Not all of what is huge needs to be looked at.  */
  char *start = g_strndup (bytes, most * 6 + 6);
  char *valid = g_utf8_make_valid (start, -1);
  GString *text = g_string_new (NULL);
  const char *at = valid;
  for (size_t n = 0; n < most && *at != '\0'; n++) {
    gunichar c = g_utf8_get_char (at);
    g_string_append_unichar (text, dg_character_is_unseen (c) ? ' '
                                   : is_noncharacter (c) ? 0xfffd : c);
    at = g_utf8_next_char (at);
  }
  if (*at != '\0' && text->len > 0) {
    const char *last = g_utf8_prev_char (text->str + text->len);
    g_string_truncate (text, (gsize) (last - text->str));
    g_string_append (text, "…");
  }
  g_free (valid);
  g_free (start);
  return g_string_free (text, FALSE);
}

bool
dv_parse_number (const char *text, uint64_t *number)
{
  return dg_number_parse (text, DG_QUANTITY_COUNT, number);
}

bool
dv_parse_interval (const char *text, uint64_t *start, uint64_t *end)
{
  *start = 0;
  *end = UINT64_MAX;
  return dg_number_parse_span (text, DG_QUANTITY_COUNT, start, end);
}

bool
dv_parse_size (const char *text, uint32_t most, uint32_t *width,
               uint32_t *height)
{
  unsigned w, h;
  int used = 0;
  if (sscanf (text, "%5u%*1[xX]%5u%n", &w, &h, &used) != 2
      || text[used] != '\0' || !g_ascii_isdigit (*text))
    return false;
  *width = w;
  *height = h;
  return w >= 1 && h >= 1 && w <= most && h <= most;
}

const char *
dv_format_base (const char *path)
{
  const char *slash = path != NULL ? strrchr (path, '/') : NULL;
  return slash != NULL ? slash + 1 : path != NULL ? path : "";
}
