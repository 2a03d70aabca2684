/* dgasm.c: the assembler of asm.c as a program, for tests that are scripts.

   Usage: dgasm [-b] [-w 32|64] [-l] [-o OUTPUT] [INPUT]
     -b  big-endian, -w bits of a word, where the text does not say
     -l  print the labels: "NAME OFFSET" on standard output
     -o  the log; with neither -o nor -l it goes to standard output

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm.h"

static char *
read_all (const char *path)
{
  FILE *file = path ? fopen (path, "rb") : stdin;
  GString *text = g_string_new (NULL);
  char buffer[4096];
  size_t n;

  if (!file) {
    perror (path);
    exit (1);
  }
  while ((n = fread (buffer, 1, sizeof buffer, file)) > 0)
    g_string_append_len (text, buffer, n);
  return g_string_free (text, FALSE);
}

static bool
write_all (const char *path, const GByteArray *bytes)
{
  FILE *file = path ? fopen (path, "wb") : stdout;

  if (!file)
    return false;
  if (fwrite (bytes->data, 1, bytes->len, file) != bytes->len) {
    fclose (file);
    return false;
  }
  return fclose (file) == 0;
}

int
main (int argc, char **argv)
{
  gboolean big = FALSE, labels = FALSE;
  gint bits = 64;
  char *output = NULL, *text, *message = NULL;
  const GOptionEntry options[] = {
    { "big-endian", 'b', 0, G_OPTION_ARG_NONE, &big, NULL, NULL },
    { "word", 'w', 0, G_OPTION_ARG_INT, &bits, NULL, "BITS" },
    { "labels", 'l', 0, G_OPTION_ARG_NONE, &labels, NULL, NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, NULL, "FILE" },
    { NULL }
  };
  GOptionContext *context = g_option_context_new ("[INPUT]");
  struct dg_asm as;
  GHashTableIter iter;
  gpointer name, offset;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL) || argc > 2
      || (bits != 32 && bits != 64)) {
    fputs ("usage: dgasm [-b] [-w 32|64] [-l] [-o OUTPUT] [INPUT]\n", stderr);
    return 2;
  }
  dg_asm_init (&as);
  as.word_size = bits / 8;
  as.big_endian = big;
  text = read_all (argv[1]);
  if (!dg_asm_text (&as, text, &message)) {
    fprintf (stderr, "dgasm: %s: %s\n", argv[1] ? argv[1] : "input", message);
    return 1;
  }
  if ((output || !labels) && !write_all (output, as.bytes)) {
    perror (output ? output : "dgasm");
    return 1;
  }
  g_hash_table_iter_init (&iter, as.labels);
  while (labels && g_hash_table_iter_next (&iter, &name, &offset))
    printf ("%s %zu\n", (char *) name, GPOINTER_TO_SIZE (offset));
  dg_asm_fini (&as);
  g_free (text);
  g_free (output);
  g_option_context_free (context);
  return 0;
}
