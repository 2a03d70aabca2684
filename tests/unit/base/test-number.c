/* test-number.c: numbers as people type them, and as they read them, in
   English and in German.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/number.h"
#include "unit_main.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include <glib.h>
#include <glib/gstdio.h>

/* ---- Typed ------------------------------------------------------------ */

struct typed { const char *text; uint64_t number; };

static void
check_all (const struct typed *good, size_t n, enum dg_quantity quantity)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t number = 7;

    g_test_message ("%s", good[i].text);
    g_assert_true (dg_number_parse (good[i].text, quantity, &number));
    g_assert_cmpuint (number, ==, good[i].number);
  }
}

static void
check_none (const char *const *bad, enum dg_quantity quantity)
{
  for (; *bad != NULL; bad++) {
    uint64_t number = 7;

    g_test_message ("'%s'", *bad);
    g_assert_false (dg_number_parse (*bad, quantity, &number));
    g_assert_cmpuint (number, ==, 7);
  }
}

static void
test_counts (void)
{
  static const struct typed good[] = {
    { "0", 0 }, { "42", 42 }, { "010", 10 }, { "0x10", 16 }, { "0XfF", 255 },
    { "3k", 3000 }, { "3ki", 3072 }, { "3Ki", 3072 }, { "2M", 2000000 },
    { "2Mi", 2 << 20 }, { "4G", UINT64_C (4000000000) }, { "1Gi", 1 << 30 },
    { "1T", UINT64_C (1000000000000) }, { "1Ti", UINT64_C (1) << 40 },
    { "0x10k", 16000 }, { "0x10Ki", 16384 },
    { "1.5M", 1500000 }, { "1.5Ki", 1536 }, { "0.3Ki", 307 },
    { "12.5 M", 12500000 }, { "1.23456k", 1235 }, { "2 k", 2000 },
    { "0.123456789012345678901234567890k", 123 },
    { "1,234", 1234 }, { "12,345,678", 12345678 }, { "12_345", 12345 },
    { "12'345", 12345 }, { "12 345", 12345 },
    { "18446744073709551615", UINT64_MAX },
    { "18,446,744,073,709,551,615", UINT64_MAX },
    { "0xffffffffffffffff", UINT64_MAX },
    { "0x00000000000000000001", 1 },
  };
  static const char *const bad[] = {
    "", " 1", "-1", "+1", "1 ", "1.5", "k", "1K", "1m", "1KiB", "1B", "x10",
    "0x", "0x1.5", "0x1,000", "18446744073709551616", "18446744073709551615k",
    "0x10000000000000000", "1ii", "12a", "1,2", "1,23", "1,2345", "1234,567",
    "12,345k", "1,234,56", ",123", "1.k", ".5k", "1.5.2", "1e3", "99999999T",
    "1s", "1  k", "inf", "nan",
    "00000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000001",
    NULL
  };

  check_all (good, G_N_ELEMENTS (good), DG_QUANTITY_COUNT);
  check_none (bad, DG_QUANTITY_COUNT);
}

static void
test_quantities (void)
{
  static const struct typed bytes[] = {
    { "64", 64 }, { "64B", 64 }, { "64 B", 64 }, { "2kB", 2000 },
    { "2KiB", 2048 }, { "2Ki", 2048 }, { "1.5 MiB", 3 << 19 },
    { "0x1B", 27 }, { "1,024 B", 1024 }, { "1TiB", UINT64_C (1) << 40 },
  };
  static const char *const no_bytes[] = { "B", "2KB", "2b", "1.5B", "2BB",
                                          "1s", NULL };
  static const struct typed ns[] = {
    { "7ns", 7 }, { "1us", 1000 }, { "1\302\265s", 1000 }, { "2ms", 2000000 },
    { "1.5 s", 1500000000 }, { "1,234ms", 1234000000 },
    { "2min", UINT64_C (120000000000) }, { "0s", 0 },
  };
  static const char *const no_ns[] = { "7", "1m", "1S", "1h", "0.5ns", "1k",
                                       "1ks", "", NULL };

  check_all (bytes, G_N_ELEMENTS (bytes), DG_QUANTITY_BYTES);
  check_none (no_bytes, DG_QUANTITY_BYTES);
  check_all (ns, G_N_ELEMENTS (ns), DG_QUANTITY_NS);
  check_none (no_ns, DG_QUANTITY_NS);
}

static void
test_spans (void)
{
  static const struct { const char *text; uint64_t start, end; } good[] = {
    { "0x1000..0x2000", 0x1000, 0x2000 }, { "1.5M..2M", 1500000, 2000000 },
    { "5..", 5, 99999 }, { "100000..", 100000, 99999 }, { "..7", 3, 7 },
    { "1Ki..2Ki", 1024, 2048 },
    { "1,000..2,000", 1000, 2000 },
  };
  static const char *const bad[] = { "", "..", "7..7", "9..7", "1-2",
                                     "1..2..3", "1...2", "x..2", "1..y",
                                     "..3", "..2", "1 ..2" };

  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    uint64_t start = 3, end = 99999;

    g_test_message ("%s", good[i].text);
    g_assert_true (dg_number_parse_span (good[i].text, DG_QUANTITY_COUNT,
                                         &start, &end));
    if (i == 1) {
      g_assert_cmpuint (start, ==, 1500000);
      g_assert_cmpuint (end, ==, 2000000);
    }
    g_assert_cmpuint (start, ==, good[i].start);
    g_assert_cmpuint (end, ==, good[i].end);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    uint64_t start = 3, end = 99999;

    g_test_message ("'%s'", bad[i]);
    g_assert_false (dg_number_parse_span (bad[i], DG_QUANTITY_COUNT, &start,
                                          &end));
    g_assert_cmpuint (start, ==, 3);
    g_assert_cmpuint (end, ==, 99999);
  }
}

static void
test_intervals (void)
{
  static const struct { const char *text; uint64_t n, ns; } good[] = {
    { "1Mi", 1 << 20, 0 }, { "1M", 1000000, 0 }, { "1ki", 1024, 0 },
    { "1Ki", 1024, 0 }, { "0x100", 256, 0 }, { "250ms", 0, 250000000 },
    { "1.5s", 0, 1500000000 },
  };
  static const char *const bad[] = { "0", "0ms", "1m", "x", "", "1B" };
  uint64_t n, ns;

  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    g_test_message ("%s", good[i].text);
    g_assert_true (dg_number_parse_interval (good[i].text, &n, &ns));
    g_assert_cmpuint (n, ==, good[i].n);
    g_assert_cmpuint (ns, ==, good[i].ns);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (dg_number_parse_interval (bad[i], &n, &ns));
}

static void
test_lists (void)
{
  const char *at = "32Ki,8,64";
  uint64_t number;
  double real;

  g_assert_true (dg_number_take (&at, ",", DG_QUANTITY_BYTES, &number));
  g_assert_cmpuint (number, ==, 32768);
  g_assert_cmpint (*at++, ==, ',');
  g_assert_true (dg_number_take (&at, ",", DG_QUANTITY_COUNT, &number));
  g_assert_cmpint (*at++, ==, ',');
  g_assert_true (dg_number_take (&at, ",", DG_QUANTITY_BYTES, &number));
  g_assert_cmpuint (number, ==, 64);
  g_assert_cmpint (*at, ==, '\0');
  g_assert_false (dg_number_take (&at, ",", DG_QUANTITY_BYTES, &number));
  at = "12_345,1";
  g_assert_false (dg_number_take (&at, ",", DG_QUANTITY_BYTES, &number));
  g_assert_true (dg_number_parse_real ("0.25", &real) && real == 0.25);
  g_assert_true (dg_number_parse_real ("-1e-3", &real) && real == -1e-3);
  g_assert_false (dg_number_parse_real ("0x10", &real));
  g_assert_false (dg_number_parse_real ("inf", &real));
  g_assert_false (dg_number_parse_real ("1 %", &real));
  g_assert_false (dg_number_parse_real ("", &real));
  g_assert_false (dg_number_parse_real ("1e999", &real));
}

/* ---- Read ------------------------------------------------------------- */

#define CHECK(text, call, ...)                        \
  do {                                                \
    char got[64];                                     \
    dg_number_##call (got, sizeof got, __VA_ARGS__);  \
    g_assert_cmpstr (got, ==, text);                  \
  } while (0)

static void
test_text (void)
{
  char small[6];

  CHECK ("0", text, 0);
  CHECK ("999", text, 999);
  CHECK ("1,000", text, 1000);
  CHECK ("12,345,678", text, 12345678);
  CHECK ("18,446,744,073,709,551,615", text, UINT64_MAX);
  CHECK ("1,234.50", text_real, 1234.5, 2);
  CHECK ("-1,234.5", text_real, -1234.5, 1);
  CHECK ("-123.5", text_real, -123.5, 1);
  CHECK ("-", text_real, NAN, 1);
  CHECK ("-inf", text_real, -INFINITY, 1);
  CHECK ("73.9 %", text_percent, 0.7391);
  CHECK ("<0.1 %", text_percent, 0.0001);
  CHECK ("0.0 %", text_percent, 0.0);
  CHECK ("100.0 %", text_percent, 1.0);
  CHECK ("0 B", text_bytes, 0);
  CHECK ("1,023 B", text_bytes, 1023);
  CHECK ("1.00 KiB", text_bytes, 1024);
  CHECK ("12.0 MiB", text_bytes, 12 << 20);
  CHECK ("150 MiB", text_bytes, 150 << 20);
  CHECK ("16.0 EiB", text_bytes, UINT64_MAX);
  CHECK ("920 ns", text_ns, 920);
  CHECK ("2.50 us", text_ns, 2500);
  CHECK ("1.25 ms", text_ns, 1250000);
  CHECK ("12,346 s", text_ns, UINT64_C (12345600000000));
  CHECK ("12.5 M", text_count, 12500000, 100000);
  CHECK ("126 k", text_about, 126674);
  CHECK ("12.6 M", text_about, 12667400);
  dg_number_text (small, sizeof small, 1234567);
  g_assert_cmpstr (small, ==, "1,234");
}

/* A German locale: that of the system, or one made in `folder`.  */
static bool
set_german (const char *folder)
{
  char *path, *command;
  bool is_made;

  if (setlocale (LC_ALL, "de_DE.UTF-8") != NULL)
    return true;
  path = g_build_filename (folder, "de_DE.UTF-8", NULL);
  command = g_strdup_printf ("localedef -c -i de_DE -f UTF-8 %s", path);
  g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
  g_setenv ("LOCPATH", folder, TRUE);
  is_made = setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
  g_free (command);
  g_free (path);
  return is_made;
}

static void
check_german (void)
{
  static const struct typed good[] = {
    { "12345", 12345 }, { "12.345.678", 12345678 }, { "12,5 M", 12500000 },
    { "12,345 M", 12345000 }, { "1.5M", 1500000 }, { "1,5k", 1500 },
    { "472.112", 472112 }, { "472,112", 472112 },
  };
  static const char *const bad[] = { "1,5", "1.5", "12.34", "1.234k5", NULL };

  check_all (good, G_N_ELEMENTS (good), DG_QUANTITY_COUNT);
  check_none (bad, DG_QUANTITY_COUNT);
  CHECK ("12.345.678", text, 12345678);
  CHECK ("1.234,50", text_real, 1234.5, 2);
  CHECK ("73,9 %", text_percent, 0.7391);
  CHECK ("<0,1 %", text_percent, 0.0001);
  CHECK ("2,50 KiB", text_bytes, 2560);
  CHECK ("2,50 \302\265s", text_ns, 2500);
  CHECK ("12.346 s", text_ns, UINT64_C (12345600000000));
  CHECK ("12,5 M", text_count, 12500000, 100000);
}

static void
test_german (void)
{
  char *folder = g_dir_make_tmp ("dg-number-XXXXXX", NULL), *path;
  char *remove;

  g_assert_nonnull (folder);
  path = g_shell_quote (folder);
  remove = g_strdup_printf ("rm -rf %s", path);
  if (set_german (folder))
    check_german ();
  else
    g_test_skip ("no German locale, and localedef cannot make one");
  setlocale (LC_ALL, "C");
  g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL);
  g_free (remove);
  g_free (path);
  g_free (folder);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/counts", test_counts);
  g_test_add_func ("/number/quantities", test_quantities);
  g_test_add_func ("/number/spans", test_spans);
  g_test_add_func ("/number/intervals", test_intervals);
  g_test_add_func ("/number/lists", test_lists);
  g_test_add_func ("/number/text", test_text);
  g_test_add_func ("/number/german", test_german);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
