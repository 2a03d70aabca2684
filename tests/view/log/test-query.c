/* test-query.c: what somebody who searches means.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/query.h"
#include "unit_main.h"

#include <string.h>

#include <glib.h>

#define ALL ((1u << DV_NAME_KINDS) - 1)

static void
test_numbers (void)
{
  static const struct { const char *text; uint64_t value; } counts[] = {
    { "0", 0 }, { "123", 123 }, { " 123 ", 123 }, { "i:123", 123 },
    { "12,345,678", 12345678 }, { "12_345_678", 12345678 },
    { "12 345 678", 12345678 }, { "12'345", 12345 }, { "12.5M", 12500000 },
    { "12.5 M", 12500000 }, { "1.5k", 1500 }, { "2G", 2000000000 },
    { "i:12,345", 12345 }, { "18446744073709551615", UINT64_MAX },
  };
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    struct dv_query query;
    dv_query_parse (&query, counts[i].text);
    g_assert_true (query.has_icount);
    g_assert_cmpuint (query.icount, ==, counts[i].value);
    g_assert_false (query.has_address);
    g_assert_null (query.name);
    dv_query_clear (&query);
  }
  static const struct { const char *text; uint64_t value; } addresses[] = {
    { "0x4a65420", 0x4a65420 }, { "0X10", 0x10 }, { "a:1000", 0x1000 },
    { "a:0x1000", 0x1000 }, { "0xffffffffffffffff", UINT64_MAX },
  };
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    struct dv_query query;
    dv_query_parse (&query, addresses[i].text);
    g_assert_true (query.has_address);
    g_assert_cmphex (query.address, ==, addresses[i].value);
    g_assert_false (query.has_icount);
    g_assert_null (query.name);
    dv_query_clear (&query);
  }
}

/* What may be more than one thing.  */
static void
test_ambiguous (void)
{
  struct dv_query query;
  dv_query_parse (&query, "4a65420");
  g_assert_true (query.has_address);
  g_assert_cmphex (query.address, ==, 0x4a65420);
  g_assert_cmpstr (query.name, ==, "4a65420");
  dv_query_clear (&query);
  dv_query_parse (&query, "00401000");
  g_assert_true (query.has_address && query.has_icount);
  g_assert_cmphex (query.address, ==, 0x401000);
  g_assert_cmpuint (query.icount, ==, 401000);
  dv_query_clear (&query);
  /* A word of hexadecimal letters is a name.  */
  dv_query_parse (&query, "feed");
  g_assert_false (query.has_address);
  g_assert_cmpstr (query.name, ==, "feed");
  dv_query_clear (&query);
}

static void
test_intervals (void)
{
  struct dv_query query;
  dv_query_parse (&query, "0x1000..0x2000");
  g_assert_true (query.has_addresses && !query.has_icounts);
  g_assert_cmphex (query.address_start, ==, 0x1000);
  g_assert_cmphex (query.address_end, ==, 0x2000);
  g_assert_null (query.name);
  dv_query_parse (&query, "0x1000..");
  g_assert_true (query.has_addresses);
  g_assert_cmphex (query.address_end, ==, UINT64_MAX);
  dv_query_parse (&query, "..0x1000");
  g_assert_true (query.has_addresses);
  g_assert_cmphex (query.address_start, ==, 0);
  dv_query_parse (&query, "1.5M..2M");
  g_assert_true (query.has_icounts && !query.has_addresses);
  g_assert_cmpuint (query.icount_start, ==, 1500000);
  g_assert_cmpuint (query.icount_end, ==, 2000000);
  dv_query_parse (&query, "1,000..2,000,000");
  g_assert_true (query.has_icounts);
  g_assert_cmpuint (query.icount_start, ==, 1000);
  g_assert_cmpuint (query.icount_end, ==, 2000000);
  dv_query_parse (&query, "a:4096..8192");
  g_assert_true (query.has_addresses);
  g_assert_cmpuint (query.address_start, ==, 4096);
  dv_query_parse (&query, "i:0x10..0x20");
  g_assert_true (query.has_icounts && !query.has_addresses);
  g_assert_cmpuint (query.icount_end, ==, 32);
  /* The wrong way round it is none.  */
  dv_query_parse (&query, "0x2000..0x1000");
  g_assert_false (query.has_addresses || query.has_icounts);
  dv_query_clear (&query);
}

static void
test_names (void)
{
  static const struct { const char *text, *name; unsigned kinds; } names[] = {
    { "main", "main", ALL }, { "  Main ", "main", ALL },
    { "std::vector", "std::vector", ALL }, { "i::x", "i::x", ALL },
    { "a::b", "a::b", ALL }, { "fn::x", "fn::x", ALL },
    { "fn:main", "main", 1 << DV_NAME_FUNCTION },
    { "user:Phase 1", "phase 1",
      1 << DV_NAME_EVENT | 1 << DV_NAME_RANGE },
    { "thread:2", "2", 1 << DV_NAME_THREAD },
    { "dso:libc", "libc", 1 << DV_NAME_MODULE },
    { "operator,", "operator,", ALL }, { "f(int, char)", "f(int, char)", ALL },
    { "1,2", "1,2", ALL }, { "0..0", "0..0", ALL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    struct dv_query query;
    dv_query_parse (&query, names[i].text);
    if (g_strcmp0 (query.name, names[i].name) != 0)
      g_error ("\"%s\" gives \"%s\"", names[i].text, query.name);
    g_assert_cmpuint (query.kinds, ==, names[i].kinds);
    g_assert_false (dv_query_is_empty (&query));
    dv_query_clear (&query);
  }
}

static void
test_nothing (void)
{
  static const char *const texts[] = {
    "", "   ", "fn:", "a:", "i:", "a:xyz", "0x", "0xg", "i:12x",
    "0x11111111111111111", "99999999999999999999999..1",
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    struct dv_query query;
    dv_query_parse (&query, texts[i]);
    g_assert_false (query.has_address || query.has_addresses
                    || query.has_icount || query.has_icounts);
    dv_query_clear (&query);
    g_assert_true (dv_query_is_empty (&query));
  }
  /* Nobody means this.  */
  char *huge = g_strnfill (100000, '1');
  struct dv_query query;
  dv_query_parse (&query, huge);
  g_assert_true (dv_query_is_empty (&query));
  dv_query_clear (&query);
  g_free (huge);
  dv_query_parse (&query, "\xff\xfe");
  g_assert_true (g_utf8_validate (query.name, -1, NULL));
  dv_query_clear (&query);
}

static void
test_rank (void)
{
  static const struct { const char *name, *asked; int rank; } ranks[] = {
    { "main", "main", 4 }, { "main(int, char**)", "main", 4 },
    { "std::sort", "sort", 4 }, { "std::sort(int*)", "sort", 4 },
    { "main_loop", "main", 3 }, { "quick_sort", "sort", 2 },
    { "resort", "sort", 1 }, { "resort_sort", "sort", 2 },
    { "std::sorted", "sort", 2 }, { "main", "mainly", 0 },
    { "", "x", 0 }, { "main::main", "main", 4 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    g_assert_cmpint (dv_query_rank (ranks[i].name, ranks[i].asked), ==,
                     ranks[i].rank);
  char *folded = dv_query_fold ("Ärger MAIN");
  g_assert_cmpint (dv_query_rank (folded, "main"), ==, 2);
  char *asked = dv_query_fold ("ÄRGER");
  g_assert_cmpint (dv_query_rank (folded, asked), ==, 3);
  g_free (asked);
  g_free (folded);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/numbers", test_numbers);
  g_test_add_func ("/query/ambiguous", test_ambiguous);
  g_test_add_func ("/query/intervals", test_intervals);
  g_test_add_func ("/query/names", test_names);
  g_test_add_func ("/query/nothing", test_nothing);
  g_test_add_func ("/query/rank", test_rank);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
