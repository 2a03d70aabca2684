/* test-ticks.c: ticks; numbers to text and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ticks.h"

#include <string.h>
#include <libdatagrind.h>

#include "format.h"
#include "unit_main.h"

static void
test_count (void)
{
  static const struct {
    uint64_t count, step;
    const char *text;
  } cases[] = {
    { 0, 100, "0" },             { 999, 1, "999" },
    { 1000, 1000, "1 k" },       { 1500, 500, "1.5 k" },
    { 1234567, 1, "1.234567 M" }, { 2000000, 1000000, "2 M" },
    { 2500000000, 500000000, "2.5 G" }, { 100000, 100000, "100 k" },
    { 1050000, 50000, "1.05 M" }, { 3000000000000, 1000000000000, "3 T" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char text[40];
    dg_number_text_count (text, sizeof text, cases[i].count, cases[i].step);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
  char text[40];
  dg_number_text (text, sizeof text, 1234567);
  g_assert_cmpstr (text, ==, "1,234,567");
  dg_number_text (text, sizeof text, 12);
  g_assert_cmpstr (text, ==, "12");
  dg_number_text (text, sizeof text, UINT64_MAX);
  g_assert_cmpstr (text, ==, "18,446,744,073,709,551,615");
  dg_number_text_about (text, sizeof text, 126674);
  g_assert_cmpstr (text, ==, "126 k");
  dv_format_bytes (text, sizeof text, 1);
  g_assert_cmpstr (text, ==, "1 byte");
  dv_format_bytes (text, sizeof text, 3 << 20);
  g_assert_cmpstr (text, ==, "3.0 MiB");
}

/* What is not text is made one, and what is endless is cut.  */
static void
test_label (void)
{
  static const struct {
    const char *bytes;
    size_t most;
    const char *label;
  } cases[] = {
    { "plain", 5, "plain" },          { "plain", 4, "pla…" },
    { "", 5, "" },                    { "a\nb\x1b\x7f", 9, "a b  " },
    { "\xef\xbf\xbf|\xef\xbf\xbe", 9, "\xef\xbf\xbd|\xef\xbf\xbd" },
    { "\xef\xb7\x90", 9, "\xef\xbf\xbd" },
    { "\xff" "x", 9, "\xef\xbf\xbdx" }, { "äöü", 3, "äöü" },
    { "äöüß", 3, "äö…" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *label = dv_format_label (cases[i].bytes, cases[i].most);
    g_assert_cmpstr (label, ==, cases[i].label);
    g_free (label);
  }
  char *huge = g_strnfill (1 << 20, 'x');
  char *label = dv_format_label (huge, 2000);
  g_assert_cmpint (g_utf8_strlen (label, -1), ==, 2000);
  g_free (label);
  g_free (huge);
}

static void
test_parse (void)
{
  uint64_t a, b;
  uint32_t w, h;
  g_assert_true (dv_parse_number ("0x10", &a) && a == 16);
  g_assert_true (dv_parse_number ("1.5M", &a) && a == 1500000);
  g_assert_true (dv_parse_number ("2k", &a) && a == 2000);
  g_assert_true (dv_parse_number ("18446744073709551615", &a)
                 && a == UINT64_MAX);
  static const char *const bad[] = { "", "x", "-1", "1x", "0x", "1.5.2",
                                     "k", " 1", "99999999T" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (dv_parse_number (bad[i], &a));
  g_assert_true (dv_parse_interval ("0x1000..0x2000", &a, &b)
                 && a == 0x1000 && b == 0x2000);
  g_assert_true (dv_parse_interval ("1.5M..2M", &a, &b) && a == 1500000
                 && b == 2000000);
  g_assert_true (dv_parse_interval ("5..", &a, &b) && a == 5
                 && b == UINT64_MAX);
  g_assert_true (dv_parse_interval ("..7", &a, &b) && a == 0 && b == 7);
  g_assert_false (dv_parse_interval ("7..7", &a, &b));
  g_assert_false (dv_parse_interval ("9..7", &a, &b));
  g_assert_false (dv_parse_interval ("1-2", &a, &b));
  g_assert_false (dv_parse_interval ("1..2..3", &a, &b));
  g_assert_true (dv_parse_size ("1200x800", 5000, &w, &h) && w == 1200
                 && h == 800);
  g_assert_false (dv_parse_size ("1200", 5000, &w, &h));
  g_assert_false (dv_parse_size ("0x800", 5000, &w, &h));
  g_assert_false (dv_parse_size ("6000x10", 5000, &w, &h));
  g_assert_false (dv_parse_size ("10x10x10", 5000, &w, &h));
  g_assert_false (dv_parse_size ("-5x10", 5000, &w, &h));
}

static void
test_counts_axis (void)
{
  static const struct { uint64_t y0, y1; } views[] = {
    { 0, 1000000 },  { 123456, 123470 }, { 0, 1 }, { 999999999, 5000000000 },
    { 0, (uint64_t) 1 << 62 }, { 5, UINT64_MAX },
    { UINT64_MAX - 9, UINT64_MAX }
  };
  for (guint v = 0; v < G_N_ELEMENTS (views); v++) {
    GArray *ticks = dv_ticks_counts (views[v].y0, views[v].y1, 700, 46);
    g_assert_cmpuint (ticks->len, <=, 16);
    for (guint i = 0; i < ticks->len; i++) {
      const struct dv_tick *t = &g_array_index (ticks, struct dv_tick, i);
      double span = (double) (views[v].y1 - views[v].y0);
      g_assert_cmpuint (t->value, >=, views[v].y0);
      g_assert_cmpuint (t->value, <, views[v].y1);
      g_assert_cmpfloat (ABS (t->pixel - (double) (t->value - views[v].y0)
                                           * 700 / span), <, 0.01);
      if (i > 0) {
        const struct dv_tick *u = t - 1;
        g_assert_cmpfloat (t->pixel - u->pixel, >=, 45.9);
        g_assert_cmpstr (t->label, !=, u->label);
      }
    }
    g_array_unref (ticks);
  }
  GArray *ticks = dv_ticks_counts (0, 1000000, 700, 46);
  g_assert_cmpuint (ticks->len, >=, 8);
  g_array_unref (ticks);
}

/* Half of the time goes by in a tenth of the instructions.  */
static void
test_times (void)
{
  const struct dg_clock clock[] = { { 0, 0 }, { 100, 500000 },
                                    { 1000, 1000000 } };
  GArray *ticks = dv_ticks_times (0, 1000, clock, 3, 1000, 50);
  g_assert_cmpuint (ticks->len, >, 4);
  double last = -1000;
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    g_assert_cmpfloat (tick->pixel, >=, last + 50.0 / 3);
    last = tick->pixel;
    double ms = g_ascii_strtod (tick->label, NULL);
    g_assert_true (g_str_has_suffix (tick->label, " ms"));
    double icount = ms <= 0.5 ? ms * 200 : 100 + (ms - 0.5) * 1800;
    g_assert_cmpfloat_with_epsilon (tick->pixel, icount, 1);
    g_assert_cmpfloat_with_epsilon ((double) tick->value, icount, 1);
  }
  g_array_unref (ticks);
  /* Where there is no clock, and where it stands still.  */
  ticks = dv_ticks_times (0, 1000, clock, 1, 1000, 50);
  g_assert_cmpuint (ticks->len, ==, 0);
  g_array_unref (ticks);
  const struct dg_clock still[] = { { 0, 7 }, { 1000, 7 } };
  ticks = dv_ticks_times (0, 1000, still, 2, 1000, 50);
  g_assert_cmpuint (ticks->len, ==, 0);
  g_array_unref (ticks);
}

static void
test_size (void)
{
  static const struct { uint64_t bytes; const char *text; } cases[] = {
    { 0, "0 B" }, { 1, "1 B" }, { 1023, "1,023 B" }, { 1024, "1.0 KiB" },
    { 1536, "1.5 KiB" }, { 200 << 10, "200 KiB" }, { 3 << 20, "3.0 MiB" },
    { (uint64_t) 5 << 40, "5.0 TiB" }, { (uint64_t) 5 << 50, "5,120 TiB" }
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char text[40];
    dv_format_size (text, sizeof text, cases[i].bytes);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

/* Equal steps, in one unit, from the first multiple to the end.  */
static void
check_bytes (uint64_t first, uint64_t end, const char *a, const char *b,
             const char *last)
{
  GArray *ticks = dv_ticks_bytes (first, end, 500, 50);
  const struct dv_tick *t = (const struct dv_tick *) (void *) ticks->data;
  g_assert_cmpuint (ticks->len, >=, 3);
  g_assert_cmpuint (ticks->len, <=, 11);
  g_assert_cmpstr (t[0].label, ==, a);
  g_assert_cmpstr (t[1].label, ==, b);
  g_assert_cmpstr (t[ticks->len - 1].label, ==, last);
  for (guint i = 0; i < ticks->len; i++) {
    g_assert_cmpuint (t[i].value, >=, first);
    g_assert_cmpuint (t[i].value, <=, end);
    g_assert_cmpfloat_with_epsilon (t[i].pixel,
                                    (double) (t[i].value - first) * 500
                                      / (double) (end - first), 1);
    if (i > 0)
      g_assert_cmpfloat (t[i].pixel - t[i - 1].pixel, >=, 49.9);
  }
  g_array_unref (ticks);
}

static void
test_bytes_axis (void)
{
  check_bytes (0, 16, "0", "2 B", "16 B");
  check_bytes (0, 2000, "0", "200 B", "2000 B");
  check_bytes (0, 2100, "0", "0.5 KiB", "2.0 KiB");
  check_bytes (0, 100000, "0", "10 KiB", "90 KiB");
  check_bytes (0, 3 << 20, "0", "0.5 MiB", "3.0 MiB");
  check_bytes (1 << 20, 3 << 20, "1.0 MiB", "1.2 MiB", "3.0 MiB");
  check_bytes (0, (uint64_t) 15 << 60, "0", "2 EiB", "14 EiB");
  GArray *ticks = dv_ticks_bytes (5, 5, 500, 50);
  g_assert_cmpuint (ticks->len, ==, 0);
  g_array_unref (ticks);
}

static void
test_ns_axis (void)
{
  GArray *ticks = dv_ticks_ns (1500000, 9000000, 800, 92);
  const struct dv_tick *t = (const struct dv_tick *) (void *) ticks->data;
  g_assert_cmpuint (ticks->len, ==, 7);
  g_assert_cmpstr (t[0].label, ==, "2 ms");
  g_assert_cmpstr (t[6].label, ==, "8 ms");
  g_assert_cmpfloat_with_epsilon (t[0].pixel, 500000.0 * 800 / 7500000, 0.01);
  g_array_unref (ticks);
  ticks = dv_ticks_ns (UINT64_MAX - 100, UINT64_MAX, 800, 92);
  g_assert_cmpuint (ticks->len, <, 10);
  g_array_unref (ticks);
  ticks = dv_ticks_ns (7, 7, 800, 92);
  g_assert_cmpuint (ticks->len, ==, 0);
  g_array_unref (ticks);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/format/count", test_count);
  g_test_add_func ("/format/label", test_label);
  g_test_add_func ("/format/size", test_size);
  g_test_add_func ("/format/parse", test_parse);
  g_test_add_func ("/ticks/counts", test_counts_axis);
  g_test_add_func ("/ticks/times", test_times);
  g_test_add_func ("/ticks/bytes", test_bytes_axis);
  g_test_add_func ("/ticks/ns", test_ns_axis);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
