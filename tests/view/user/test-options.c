/* test-options.c: the command line: what is taken, what is refused, and that
   what is printed can be read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "parse_options.h"

#include <locale.h>

#include <glib.h>

#include "format.h"
#include "unit_main.h"

#define MOST_WORDS 8

/* Words are separated by "|".  What is printed goes to stderr.  */
static enum dv_parse
parse (struct dv_options *options, const char *line)
{
  char **words = g_strsplit (line, "|", MOST_WORDS);
  int argc = (int) g_strv_length (words);
  char **argv = g_memdup2 (words, sizeof *argv * (size_t) (argc + 1));
  char **left = argv;
  enum dv_parse result = dv_parse_options (options, &argc, &left);
  g_free (argv);
  g_strfreev (words);
  return result;
}

static void
test_good (void)
{
  struct dv_options o;
  g_assert_cmpint (parse (&o, "dg_view"), ==, DV_PARSE_GO);
  g_assert_null (o.path);
  g_assert_false (o.colour_given);
  g_assert_cmpint (o.theme, ==, DV_THEME_DESKTOP);
  dv_options_fini (&o);

  g_assert_cmpint (parse (&o, "dg_view|--events=fn:ü|--ranges=malloc|--title="
                              "Größe|--theme=light|--colour=kind|a.dg"), ==,
                   DV_PARSE_GO);
  g_assert_cmpstr (o.events, ==, "fn:ü");
  g_assert_cmpstr (o.ranges, ==, "malloc");
  g_assert_cmpstr (o.title, ==, "Größe");
  g_assert_cmpint (o.theme, ==, DV_THEME_LIGHT);
  g_assert_true (o.colour_given && o.colouring == DV_COLOUR_KIND);
  g_assert_cmpstr (o.path, ==, "a.dg");
  dv_options_fini (&o);

  g_assert_cmpint (parse (&o, "dg_view|--colour=thread|--source-map=/a=/b|"
                              "--source-map=/c=|--palette=classic"), ==,
                   DV_PARSE_GO);
  g_assert_true (o.colour_given && o.colouring == DV_COLOUR_THREAD);
  g_assert_cmpstr (o.source_map[1], ==, "/c=");
  g_assert_false (o.quick);
  dv_options_fini (&o);

  g_assert_cmpint (parse (&o, "dg_view|--render=x.png|--quick|a.dg"), ==,
                   DV_PARSE_GO);
  g_assert_true (o.quick);
  dv_options_fini (&o);
  g_assert_cmpint (parse (&o, "dg_view|--render=x.png|--exact|a.dg"), ==,
                   DV_PARSE_GO);
  g_assert_false (o.quick);
  dv_options_fini (&o);
  g_assert_cmpint (parse (&o, "dg_view|--x-axis=blocks|a.dg|b.dg"), ==,
                   DV_PARSE_GO);
  g_assert_cmpstr (o.path, ==, "a.dg");
  g_assert_cmpstr (o.second, ==, "b.dg");
  g_assert_cmpint (o.x_axis, ==, DV_X_BLOCKS);
  dv_options_fini (&o);
  g_assert_cmpint (parse (&o, "dg_view|--colour=reuse|a.dg"), ==,
                   DV_PARSE_GO);
  g_assert_cmpint (o.colouring, ==, DV_COLOUR_REUSE);
  dv_options_fini (&o);
}

/* Names of files are bytes.  */
static void
test_file_names (void)
{
  struct dv_options o;
  g_assert_cmpint (parse (&o, "dg_view|--render=\xff.png|\xfe"), ==,
                   DV_PARSE_GO);
  g_assert_cmpstr (o.path, ==, "\xfe");
  g_assert_cmpstr (o.render, ==, "\xff.png");
  dv_options_fini (&o);
}

static void
test_bad (void)
{
  static const char *const lines[] = {
    "a.dg|b.dg|c.dg", "a.dg|b.dg|--follow", "--x-axis=x",
    "--theme=blue", "--colour=red", "--palette=none",
    "--source-map=/a", "--source-map==/a", "--size=10x10", "--size=x",
    "--addresses=2..1", "--instructions=x", "--render=a.gif|a.dg",
    "--render=a.png", "--no-such-option", "--quick|a.dg",
    "--render=a.png|--quick|--exact|a.dg",
    /* Not UTF-8, in a locale that is.  */
    "--title=\xff", "--events=fn:\xe4", "--ranges=\xc0\x80",
    "--editor=\xff", "--palette=\xff", "--source-map=\xff=/a",
    "--theme=\xff", "--\xff",
  };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    struct dv_options o;
    char *line = g_strconcat ("dg_view|", lines[i], NULL);
    g_assert_cmpint (parse (&o, line), ==, DV_PARSE_USAGE);
    dv_options_fini (&o);
    g_free (line);
  }
}

static void
test_messages (void)
{
  if (g_test_subprocess ()) {
    struct dv_options o;
    parse (&o, "dg_view|--title=a\xff\nb\033[2J");
    dv_options_fini (&o);
    return;
  }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr (
    "dg_view: --title 'a\\xff\\x0ab\\x1b[2J': is not valid UTF-8\n*");
}

static void
test_printable (void)
{
  static const struct { const char *bytes, *wanted; } texts[] = {
    { "", "" },
    { "plain text.dg", "plain text.dg" },
    { "Größe – 表", "Größe – 表" },
    { "a\nb\tc\033[0m", "a\\x0ab\\x09c\\x1b[0m" },
    { "\xff\xfe", "\\xff\\xfe" },
    { "a\xc3", "a\\xc3" },                  /* cut short */
    { "\xc2\x9b" "0m", "\\xc2\\x9b0m" },    /* a control character, too */
    { "\xed\xa0\x80", "\\xed\\xa0\\x80" },  /* a surrogate */
    { "\x7f", "\\x7f" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    char *text = dv_format_printable (texts[i].bytes);
    g_assert_cmpstr (text, ==, texts[i].wanted);
    g_free (text);
  }
}

static int
run_tests (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/options/good", test_good);
  g_test_add_func ("/options/file-names", test_file_names);
  g_test_add_func ("/options/bad", test_bad);
  g_test_add_func ("/options/messages", test_messages);
  g_test_add_func ("/format/printable", test_printable);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
