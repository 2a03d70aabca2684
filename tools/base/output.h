/* output.h: buffered output to standard output or a file, with all write
   errors detected.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_OUTPUT_H
#define DG_OUTPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define OUTPUT_SIZE (256u << 10)
/* Space that output_reserve guarantees, for a line of numbers.  */
#define OUTPUT_RESERVE 64

struct output {
  char *at, *end; /* position of the next byte, and its limit */
  int error;      /* errno of the first failure, 0 if none */
  unsigned width; /* of lines; 0: as long as they are */
  int fd;
  char *path;     /* of the file; NULL: standard output */
  struct dg_output *file;    /* that; NULL: it is not a regular file */
  char buffer[OUTPUT_SIZE + OUTPUT_RESERVE];
};

void output_init (struct output *out);
/* Whether the path is that of the file that standard output goes to.  */
bool output_is_standard (const char *path);

/* Whether a file may be written while another one is read: CLI_OK, or the exit
   status after a message: they are the same.  */
int output_check_input (const char *path, const char *input);
/* Opens a file, or standard output if path is NULL or "-".  A regular file
   gets its name in output_finish. not: the path of a file that must not be
   replaced, or NULL. CLI_OK, or the exit status after a message: then do not
   call output_finish.  */
int output_open (struct output *out, const char *path, const char *not);
/* From now on, lines that are wider than the terminal are shortened in the
   middle; other output does not change.  */
void output_fit (struct output *out);
/* Writes buffered data.  Returns the exit status: after an error CLI_FAILURE
   with a message, but without one if the reader of a pipe is gone.  */
int output_finish (struct output *out);
/* Instead of output_finish: discards the file.  */
void output_drop (struct output *out);
/* Whether writing has failed; a long command should then stop.  */
static inline bool
output_failed (const struct output *out)
{
  return out->error != 0;
}

/* How text looks from now on, on a terminal with colours; elsewhere nothing is
   written.  Not together with output_fit.  */
enum output_style {
  OUTPUT_PLAIN = 0,
  OUTPUT_TITLE,            /* of a table or a part */
  OUTPUT_HEAD,             /* of columns */
  OUTPUT_BAR,              /* of a share */
  OUTPUT_CAUTION           /* what readers must know */
};
void output_style (struct output *out, enum output_style style);

void output_flush (struct output *out);
void output_bytes (struct output *out, const char *bytes, size_t n);
/* Inline, so the lengths of constants are known at compile time.  */
static inline void
output_text (struct output *out, const char *text)
{
  output_bytes (out, text, strlen (text));
}
void output_format (struct output *out, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
/* A name, which may hold anything, as printable_text has it.  */
void output_name (struct output *out, const char *name);
/* In double quotes; characters that are not printable are written as \n, \t,
   \", \\ or \xNN, except for UTF-8.  */
void output_quoted (struct output *out, const char *text);
/* A text in lines of 79 columns, and a newline.  `at` columns of the first
   line are in use; the text begins two columns later, and its other lines at
   column `indent`.  */
void output_wrapped (struct output *out, const char *text, size_t at,
                     size_t indent);
void output_decimal (struct output *out, uint64_t number);
/* "1 site", "2 sites".  */
void output_counted (struct output *out, uint64_t n, const char *one,
                     const char *several);
/* With "0x".  */
void output_hex (struct output *out, uint64_t number);

/* After this, OUTPUT_RESERVE bytes may be written at out->at, which the caller
   then moves.  */
static inline void
output_reserve (struct output *out)
{
  if (G_UNLIKELY (out->at >= out->end))
    output_flush (out);
}

/* Both return the end of the written text; they write at most 20 and 16
   bytes.  */
char *output_put_decimal (char *at, uint64_t number);
/* At least `width` digits.  */
char *output_put_hex (char *at, uint64_t number, unsigned width);

#endif /* DG_OUTPUT_H */
