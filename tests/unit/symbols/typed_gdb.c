/* typed_gdb.c: what the debugger says of the offsets and sizes of fields.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "typed_gdb.h"

#include "long_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "symbols_test.h"

void
questions_init (struct questions *q)
{
  q->all = g_array_new (FALSE, TRUE, sizeof (struct question));
  q->script = g_string_new ("set print address off\nset language c++\n");
}

char *
without_bases (const char *path)
{
  GRegex *regex = g_regex_new ("[A-Za-z_][A-Za-z_0-9]*::", 0, 0, NULL);
  char *plain = g_regex_replace_literal (regex, path, -1, 0, "", 0, NULL);

  g_regex_unref (regex);
  return plain;
}

void
ask_gdb (struct questions *q, const char *whole, const char *path,
         uint64_t offset, uint64_t size)
{
  char *plain = without_bases (path);
  struct question question = {g_strconcat (whole, plain, NULL), offset, size};

  g_free (plain);
  g_string_append_printf (q->script,
                          "printf \"@%u %%lu %%lu\\n\", "
                          "(unsigned long) &(%s) - (unsigned long) &(%s), "
                          "(unsigned long) sizeof (%s)\n",
                          q->all->len, question.expression, whole,
                          question.expression);
  g_array_append_val (q->all, question);
}

char **
run_gdb (const char *script, const char *program)
{
  char *path = in_dir ("script"), *output;
  char **lines;

  g_file_set_contents (path, script, -1, NULL);
  output = shell ("gdb -nx -batch -x script %s 2>&1 || :", program);
  lines = g_strsplit (output != NULL ? output : "", "\n", 0);
  g_free (output);
  g_free (path);
  return lines;
}

void
compare_with_gdb (struct questions *q, const char *program)
{
  char **lines = run_gdb (q->script->str, program);
  unsigned n = 0;

  for (char **line = lines; *line != NULL; line++) {
    unsigned i;
    uint64_t offset, size;
    const struct question *question;

    if (sscanf (*line, "@%u %" SCNu64 " %" SCNu64, &i, &offset, &size) != 3) {
      if (**line != '\0')
        g_test_message ("gdb: %s", *line);
      continue;
    }
    g_assert_cmpuint (i, <, q->all->len);
    question = &g_array_index (q->all, struct question, i);
    g_test_message ("%s", question->expression);
    g_assert_cmpuint (question->offset, ==, offset);
    g_assert_cmpuint (question->size, ==, size);
    n++;
  }
  g_assert_cmpuint (n, ==, q->all->len);
  for (guint i = 0; i < q->all->len; i++)
    g_free (g_array_index (q->all, struct question, i).expression);
  g_strfreev (lines);
  g_array_unref (q->all);
  g_string_free (q->script, TRUE);
}

bool
has_gdb (void)
{
  char *output = shell ("gdb -nx -batch -ex 'print 1' 2>&1");
  bool found = output != NULL;

  g_free (output);
  return found;
}

void
add_flags (const char *name, void (*test) (gconstpointer))
{
  static const char *const all[][2] = {
    {"dwarf5", "-O0 -g -gdwarf-5 -pie -fPIE"},
    {"dwarf4", "-O0 -g -gdwarf-4 -pie -fPIE"},
    {"dwarf3", "-O0 -g -gdwarf-3 -gstrict-dwarf -pie -fPIE"},
    {"type-units", "-O0 -gdwarf-5 -fdebug-types-section -pie -fPIE"},
    {"type-units-4", "-O0 -gdwarf-4 -fdebug-types-section -pie -fPIE"},
    {"split", "-O0 -g -gsplit-dwarf -pie -fPIE"},
    {"fixed", "-O0 -g -no-pie -fno-pie"},
  };
  /* In turn for one language and the other; in a long test all for both.  */
  static size_t turn;

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    char *path;

    if (!is_long_test () && i % 2 != turn % 2)
      continue;
    path = g_strdup_printf ("/symbols-types/%s/%s", name, all[i][0]);
    g_test_add_data_func (path, all[i][1], test);
    g_free (path);
  }
  turn++;
}
