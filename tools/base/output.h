/* output.h: standard output, or a file instead, fast and with every failure
   noticed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_OUTPUT_H
#define DG_OUTPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define OUTPUT_SIZE (256u << 10)
/* Room that output_reserve gives, for a line of numbers.  */
#define OUTPUT_RESERVE 64

struct output {
  char *at, *end; /* where the next byte goes, and the last such place */
  int error;      /* errno of the first failure, 0 if none */
  unsigned width; /* of lines; 0: as long as they are */
  int fd;
  char *path;     /* of the file; NULL: standard output */
  struct dg_output *file;    /* that; NULL: it is not a regular file */
  char buffer[OUTPUT_SIZE + OUTPUT_RESERVE];
};

void output_init (struct output *out);
/* Is it a file, and the one where standard output goes to?  */
bool output_is_standard (const char *path);

/* To a file, or to standard output if path is NULL or "-".  A regular file is
   written beside its place, and put there by output_finish.  not: the path of
   a file that it must not be, or NULL.  CLI_OK, or the exit status after a
   message: then there is nothing to finish.  */
int output_open (struct output *out, const char *path, const char *not);
/* From now on, lines that are wider than the terminal to which they go are
   shortened in the middle; elsewhere nothing changes.  */
void output_fit (struct output *out);
/* Writes what is left.  Returns the exit status: after a failure CLI_FAILURE
   with a message, but without one for a reader that went away.  */
int output_finish (struct output *out);
/* Instead of it: what was written to a file is lost.  */
void output_drop (struct output *out);
/* Has writing failed?  Then a long command may as well stop.  */
static inline bool
output_failed (const struct output *out)
{
  return out->error != 0;
}

void output_flush (struct output *out);
void output_bytes (struct output *out, const char *bytes, size_t n);
/* The length of what stands in the program is known when that is compiled.  */
static inline void
output_text (struct output *out, const char *text)
{
  output_bytes (out, text, strlen (text));
}
void output_format (struct output *out, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
/* In double quotes; what is not printable as \n, \t, \", \\ or \xNN, but
   UTF-8 stays.  */
void output_quoted (struct output *out, const char *text);
/* A text in lines of 79 columns, and a newline.  `at` columns of the first one
   are taken already; the text begins two columns on, and its other lines at
   column `indent`.  */
void output_wrapped (struct output *out, const char *text, size_t at,
                     size_t indent);
void output_decimal (struct output *out, uint64_t number);
/* "1 place", "2 places".  */
void output_counted (struct output *out, uint64_t n, const char *one,
                     const char *several);
/* With "0x".  */
void output_hex (struct output *out, uint64_t number);

/* From here on OUTPUT_RESERVE bytes may be put at out->at, which the caller
   moves.  */
static inline void
output_reserve (struct output *out)
{
  if (G_UNLIKELY (out->at >= out->end))
    output_flush (out);
}

/* Both return where they end; they write at most 20 and 16 bytes.  */
char *output_put_decimal (char *at, uint64_t number);
/* At least `width` digits.  */
char *output_put_hex (char *at, uint64_t number, unsigned width);

#endif /* DG_OUTPUT_H */
