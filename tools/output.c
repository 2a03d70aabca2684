/* output.c: standard output, fast and with every failure noticed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "output.h"

#include "cli.h"

#include <errno.h>
#include <unistd.h>

void
output_init (struct output *out)
{
  out->at = out->buffer;
  out->end = out->buffer + OUTPUT_SIZE;
  out->error = 0;
}

static void
write_all (struct output *out, const char *bytes, size_t n)
{
  while (n > 0 && out->error == 0) {
    ssize_t written = write (STDOUT_FILENO, bytes, n);

    if (written >= 0) {
      bytes += written;
      n -= (size_t) written;
    } else if (errno != EINTR) {
      out->error = errno;
    }
  }
}

void
output_flush (struct output *out)
{
  write_all (out, out->buffer, (size_t) (out->at - out->buffer));
  out->at = out->buffer;
}

int
output_finish (struct output *out)
{
  output_flush (out);
  /* Some failures are only told when the file is closed.  */
  if (out->error == 0 && close (STDOUT_FILENO) < 0 && errno != EBADF)
    out->error = errno;
  if (out->error == 0)
    return CLI_OK;
  if (out->error != EPIPE)
    cli_fail ("standard output: %s", g_strerror (out->error));
  return CLI_FAILURE;
}

void
output_bytes (struct output *out, const char *bytes, size_t n)
{
  if (n > (size_t) (out->end - out->at))
    output_flush (out);
  if (n > OUTPUT_SIZE) {
    write_all (out, bytes, n);
  } else {
    memcpy (out->at, bytes, n);
    out->at += n;
  }
}

void
output_text (struct output *out, const char *text)
{
  output_bytes (out, text, strlen (text));
}

void
output_format (struct output *out, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  output_text (out, text);
  g_free (text);
}

/* Could this byte be a command to a terminal, or part of one?  In UTF-8 the
   second byte of U+0080 to U+009F could: 0x9b is "ESC [" to some.  */
static bool
is_control (const char *at, bool is_utf8)
{
  unsigned char c = (unsigned char) *at;

  if (c < 0x20 || c == 0x7f)
    return true;
  if (!is_utf8)
    return c >= 0x80;
  /* The one before it is there: 0x80 to 0x9f never come first.  */
  return (c == 0xc2 && (unsigned char) at[1] < 0xa0)
         || (c >= 0x80 && c < 0xa0 && (unsigned char) at[-1] == 0xc2);
}

char *
output_printable (const char *text)
{
  bool is_utf8 = g_utf8_validate (text, -1, NULL);
  GString *safe = g_string_new (NULL);

  for (; *text != '\0'; text++) {
    if (is_control (text, is_utf8))
      g_string_append_printf (safe, "\\x%02x", (unsigned char) *text);
    else
      g_string_append_c (safe, *text);
  }
  return g_string_free (safe, FALSE);
}

void
output_quoted (struct output *out, const char *text)
{
  static const char hex[] = "0123456789abcdef";
  bool is_utf8 = g_utf8_validate (text, -1, NULL);

  output_bytes (out, "\"", 1);
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char) *text;

    if (c == '"' || c == '\\') {
      output_bytes (out, "\\", 1);
      output_bytes (out, text, 1);
    } else if (c == '\n') {
      output_bytes (out, "\\n", 2);
    } else if (c == '\t') {
      output_bytes (out, "\\t", 2);
    } else if (is_control (text, is_utf8)) {
      char code[4] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
      output_bytes (out, code, 4);
    } else {
      output_bytes (out, text, 1);
    }
  }
  output_bytes (out, "\"", 1);
}

void
output_decimal (struct output *out, uint64_t number)
{
  output_reserve (out);
  out->at = output_put_decimal (out->at, number);
}

void
output_hex (struct output *out, uint64_t number)
{
  output_reserve (out);
  *out->at++ = '0';
  *out->at++ = 'x';
  out->at = output_put_hex (out->at, number, 1);
}

char *
output_put_decimal (char *at, uint64_t number)
{
  char digits[20];
  unsigned n = 0;

  do
    digits[n++] = (char) ('0' + number % 10);
  while ((number /= 10) != 0);
  while (n > 0)
    *at++ = digits[--n];
  return at;
}

char *
output_put_hex (char *at, uint64_t number, unsigned width)
{
  static const char hex[] = "0123456789abcdef";
  unsigned needed = (67 - (unsigned) __builtin_clzll (number | 1)) / 4;
  unsigned n = MAX (width, needed);

  for (unsigned i = n; i-- > 0; number >>= 4)
    at[i] = hex[number & 15];
  return at + n;
}
