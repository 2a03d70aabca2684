/* symbols_test.c: programs that the tests of symbols compile and ask about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"

#include <glib/gstdio.h>
#include <string.h>

char *work_dir;

char *
in_dir (const char *name)
{
  return g_build_filename (work_dir, name, NULL);
}

/* What a shell command writes, NULL if it fails.  */
char *
shell (const char *format, ...)
{
  char *command, *output = NULL;
  va_list args;
  int status = -1;
  gchar *argv[] = {(char *) "sh", (char *) "-c", NULL, NULL};

  va_start (args, format);
  command = g_strdup_vprintf (format, args);
  va_end (args);
  argv[2] = command;
  if (!g_spawn_sync (work_dir, argv, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                     NULL, &output, NULL, &status, NULL)
      || status != 0)
    g_clear_pointer (&output, g_free);
  g_free (command);
  return output;
}

const char *
compiler (const char *variable, const char *fallback)
{
  const char *name = g_getenv (variable);

  return name != NULL && name[0] != '\0' ? name : fallback;
}

bool
compile_text (const char *source, const char *text, const char *name,
              const char *flags)
{
  char *path = in_dir (source), *output;
  bool is_c = g_str_has_suffix (source, ".c");

  g_file_set_contents (path, text, -1, NULL);
  g_free (path);
  output = shell ("%s %s %s -o %s",
                  is_c ? compiler ("CC", "gcc") : compiler ("CXX", "g++"),
                  flags, source, name);
  if (output == NULL) {
    g_test_skip ("cannot compile with these flags");
    return false;
  }
  g_free (output);
  return true;
}

static const char program_text[] =
  "#include <stdio.h>\n"
  "namespace ns {\n"
  "struct Counter {\n"
  "  int n;\n"
  "  explicit Counter (int k) : n (k) {}\n"
  "  inline int twice (int x) { return n += x * 2; }\n"
  "  __attribute__ ((noinline)) int slow (int x) const;\n"
  "};\n"
  "int table[100];\n"
  "static double weights[7] = { 1 };\n"
  "static inline int innermost (volatile int *p) { return *p + *p; }\n"
  "static inline int middle (volatile int *p)\n"
  "{\n"
  "  int sum = 0;\n"
  "  for (int i = 0; i < 10; i++)\n"
  "    sum += innermost (p) * i;\n"
  "  return sum;\n"
  "}\n"
  "int Counter::slow (int x) const\n"
  "{\n"
  "  volatile int v = x;\n"
  "  return middle (&v) + n;\n"
  "}\n"
  "template <typename T> __attribute__ ((noinline))\n"
  "T pick (T a, T b) { volatile T c = a; return c < b ? b : c; }\n"
  "}\n"
  "extern \"C\" __attribute__ ((noinline)) int plain (int x)\n"
  "{\n"
  "  ns::Counter c (x);\n"
  "  return c.twice (x) + c.slow (x) + ns::table[x % 100];\n"
  "}\n"
  "int main (int argc, char **argv)\n"
  "{\n"
  "  ns::weights[argc % 7] += ns::pick (argc, 3);\n"
  "  printf (\"%d %f\\n\", plain (argc), ns::weights[argc % 7]);\n"
  "  puts (argv[0]);\n"
  "  return 0;\n"
  "}\n";

bool
compile_program (const char *name, const char *flags)
{
  return compile_text ("program.cc", program_text, name, flags);
}

bool
find_section (const char *file, const char *section, uint64_t *address,
              uint64_t *size)
{
  char *text =
    shell ("objdump -h %s | awk '$2 == \"%s\" {print $4, $3}'", file, section);
  bool found = false;

  if (text != NULL && text[0] != '\0') {
    char *end;
    *address = g_ascii_strtoull (text, &end, 16);
    *size = g_ascii_strtoull (end, NULL, 16);
    found = true;
  }
  g_free (text);
  return found;
}

uint64_t
address_of (const char *file, const char *symbol)
{
  char *text = shell ("nm %s | awk '$3 == \"%s\" {print $1}'", file, symbol);
  uint64_t address = text != NULL ? g_ascii_strtoull (text, NULL, 16) : 0;

  g_free (text);
  return address;
}

size_t
read_build_id (const char *file, uint8_t *id)
{
  char *text = shell ("readelf -n %s | awk '/Build ID/ {print $3}'", file);
  size_t n = 0;

  for (; text != NULL && g_ascii_isxdigit (text[2 * n]); n++)
    id[n] = (uint8_t) (g_ascii_xdigit_value (text[2 * n]) * 16
                       + g_ascii_xdigit_value (text[2 * n + 1]));
  g_free (text);
  return n;
}

void
fixture_init (struct fixture *f, const char *name, uint64_t bias,
              bool has_detail)
{
  memset (f, 0, sizeof *f);
  f->path = in_dir (name);
  g_assert_true (find_section (name, ".text", &f->text, &f->text_size));
  f->module = (struct dg_module){
    .text_address = f->text + bias,
    .text_size = has_detail ? f->text_size : 0,
    .bias = has_detail ? bias : 0,
    .load_icount = 5,
    .unload_icount = DG_NEVER,
    .file = f->path,
    .soname = "",
    .has_detail = has_detail,
  };
  if (has_detail) {
    f->module.build_id = f->build_id;
    f->module.n_build_id = (uint8_t) read_build_id (name, f->build_id);
  }
  f->log.modules = &f->module;
  f->log.n_modules = 1;
  f->log.header.word_size = 8;
  f->symbols = dg_symbols_new (&f->log, NULL, NULL);
  g_assert_nonnull (f->symbols);
}

void
fixture_fini (struct fixture *f)
{
  dg_symbols_free (f->symbols);
  g_free (f->path);
}
