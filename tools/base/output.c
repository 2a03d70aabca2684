/* output.c: standard output, or a file instead, fast and with every failure
   noticed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "output.h"

#include "cli_message.h"
#include "libdatagrind.h"
#include "terminal.h"
#include "printable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELP_WIDTH 79

void
output_init (struct output *out)
{
  out->at = out->buffer;
  out->end = out->buffer + OUTPUT_SIZE;
  out->error = 0;
  out->width = 0;
  out->fd = STDOUT_FILENO;
  out->path = NULL;
  out->file = NULL;
}

static bool
is_same (const struct stat *one, const struct stat *other)
{
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* As /dev/stdout is, or the name of the file that it goes to: what that holds,
   as after >>, is not to be replaced.  */
static bool
is_standard_output (const struct stat *there)
{
  struct stat out;

  return fstat (STDOUT_FILENO, &out) == 0 && is_same (there, &out);
}

bool
output_is_standard (const char *path)
{
  struct stat there;

  return stat (path, &there) == 0 && S_ISREG (there.st_mode)
         && is_standard_output (&there);
}

int
output_check_input (const char *path, const char *input)
{
  struct stat there, other;

  if (stat (path, &there) == 0 && stat (input, &other) == 0
      && is_same (&there, &other))
    return cli_fail ("%s: input and output are the same file", path);
  return CLI_OK;
}

int
output_open (struct output *out, const char *path, const char *not)
{
  struct stat there;
  struct dg_error error;

  output_init (out);
  if (path == NULL || strcmp (path, "-") == 0)
    return CLI_OK;
  if (stat (path, &there) == 0 && is_standard_output (&there))
    return not != NULL ? output_check_input (path, not) : CLI_OK;
  if (stat (path, &there) < 0 || S_ISREG (there.st_mode)) {
    if (not != NULL && output_check_input (path, not) != CLI_OK)
      return CLI_FAILURE;
    if (dg_output_open (path, -1, &out->file, &error) < 0)
      return cli_fail ("%s: %s", path, error.message);
    out->fd = dg_output_fd (out->file);
  } else {
    /* A device or a pipe: there is nothing beside it.  */
    out->fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (out->fd < 0)
      return cli_fail ("%s: %s", path, g_strerror (errno));
  }
  out->path = g_strdup (path);
  return CLI_OK;
}

static void
output_fini (struct output *out)
{
  g_clear_pointer (&out->path, g_free);
  g_clear_pointer (&out->file, dg_output_close);
}

void
output_drop (struct output *out)
{
  if (out->path != NULL && out->file == NULL)
    close (out->fd);
  output_fini (out);
}

static void
write_all (struct output *out, const char *bytes, size_t n)
{
  while (n > 0 && out->error == 0) {
    ssize_t written = write (out->fd, bytes, n);

    if (written >= 0) {
      bytes += written;
      n -= (size_t) written;
    } else if (errno != EINTR) {
      out->error = errno;
    }
  }
}

void
output_style (struct output *out, enum output_style style)
{
  /* Those that both light and dark terminals show well.  */
  static const char *const codes[] = {
    [OUTPUT_PLAIN] = "\033[0m", [OUTPUT_TITLE] = "\033[1m",
    [OUTPUT_HEAD] = "\033[4m", [OUTPUT_BAR] = "\033[36m",
    [OUTPUT_CAUTION] = "\033[33m"};

  if (out->path == NULL && out->width == 0 && terminal_has_colours ())
    output_text (out, codes[style]);
}

void
output_fit (struct output *out)
{
  out->width = out->path == NULL ? terminal_width () : 0;
}

static void
append_fitted (const struct output *out, GString *text, const char *line,
               size_t n)
{
  char *copy = g_strndup (line, n), *shorter;

  if (g_utf8_validate (copy, -1, NULL)
      && printable_width (copy) > (int) out->width) {
    shorter = printable_shorten (copy, (int) out->width);
    g_string_append (text, shorter);
    g_free (shorter);
  } else {
    g_string_append_len (text, line, (gssize) n);
  }
  g_free (copy);
}

/* The whole lines of the buffer; what follows them moves to its beginning.  */
static void
flush_fitted (struct output *out)
{
  GString *text = g_string_new (NULL);
  char *line = out->buffer, *end;

  while ((end = memchr (line, '\n', (size_t) (out->at - line))) != NULL) {
    append_fitted (out, text, line, (size_t) (end - line));
    g_string_append_c (text, '\n');
    line = end + 1;
  }
  write_all (out, text->str, text->len);
  memmove (out->buffer, line, (size_t) (out->at - line));
  out->at -= line - out->buffer;
  g_string_free (text, TRUE);
}

void
output_flush (struct output *out)
{
  if (out->width > 0) {
    flush_fitted (out);
    /* The rest of a line stays while there is room for more of it.  */
    if (out->at < out->buffer + OUTPUT_SIZE / 2)
      return;
  }
  write_all (out, out->buffer, (size_t) (out->at - out->buffer));
  out->at = out->buffer;
}

int
output_finish (struct output *out)
{
  struct dg_error error;
  bool is_broken;

  output_flush (out);
  write_all (out, out->buffer, (size_t) (out->at - out->buffer));
  out->at = out->buffer;
  /* Some failures are only told when the file is closed.  */
  if (out->file == NULL && close (out->fd) < 0 && out->error == 0
      && errno != EBADF)
    out->error = errno;
  is_broken = out->error != 0;
  if (is_broken && out->error != EPIPE)
    cli_fail ("%s: %s", out->path != NULL ? out->path : "standard output",
              dg_output_error (out->error));
  if (!is_broken && out->file != NULL
      && dg_output_commit (out->file, &error) < 0) {
    cli_fail ("%s: %s", out->path, error.message);
    is_broken = true;
  }
  output_fini (out);
  return is_broken ? CLI_FAILURE : CLI_OK;
}

void
output_bytes (struct output *out, const char *bytes, size_t n)
{
  /* What was put after output_reserve may have gone beyond the end.  */
  if (out->at >= out->end || n > (size_t) (out->end - out->at))
    output_flush (out);
  if (n > (size_t) (out->end - out->at)) {
    write_all (out, out->buffer, (size_t) (out->at - out->buffer));
    out->at = out->buffer;
    write_all (out, bytes, n);
  } else {
    memcpy (out->at, bytes, n);
    out->at += n;
  }
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

void
output_name (struct output *out, const char *name)
{
  char *safe = printable_text (name);

  output_text (out, safe);
  g_free (safe);
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
    } else if (printable_is_control (text, is_utf8)) {
      char code[4] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
      output_bytes (out, code, 4);
    } else {
      output_bytes (out, text, 1);
    }
  }
  output_bytes (out, "\"", 1);
}

void
output_wrapped (struct output *out, const char *text, size_t at,
                size_t indent)
{
  char **words = g_strsplit (text, " ", -1);

  for (char **word = words; *word != NULL; word++) {
    size_t gap = word == words ? 2 : 1;

    if (word > words && at + gap + strlen (*word) > HELP_WIDTH) {
      output_format (out, "\n%*s", (int) indent, "");
      at = indent;
      gap = 0;
    }
    output_format (out, "%*s%s", (int) gap, "", *word);
    at += gap + strlen (*word);
  }
  output_text (out, "\n");
  g_strfreev (words);
}

void
output_decimal (struct output *out, uint64_t number)
{
  output_reserve (out);
  out->at = output_put_decimal (out->at, number);
}

void
output_counted (struct output *out, uint64_t n, const char *one,
                const char *several)
{
  output_decimal (out, n);
  output_text (out, " ");
  output_text (out, n == 1 ? one : several);
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
