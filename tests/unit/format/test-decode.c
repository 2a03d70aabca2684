/* test-decode.c: headers, heads, fields, and runs added up fast and one by
   one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "unit_main.h"

static void
test_header (void)
{
  uint8_t bytes[] = "\0\016DATAGRIND1\0\001\000\010";
  struct dg_format format;
  struct dg_error err;

  for (unsigned n = 0; n < DG_HEADER_SIZE; n++)
    g_assert_cmpint (dg_decode_header (bytes, n, &format, &err), ==,
                     DG_ERR_NOT_A_LOG);
  g_assert_cmpint (dg_decode_header (bytes, DG_HEADER_SIZE, &format, NULL),
                   ==, 0);
  g_assert_cmpint (format.word_size, ==, 8);
  g_assert_false (format.big_endian);
  g_assert_cmpint (format.swap, ==, G_BYTE_ORDER == G_BIG_ENDIAN);
  bytes[14] = 1;
  bytes[15] = 4;
  g_assert_cmpint (dg_decode_header (bytes, DG_HEADER_SIZE, &format, NULL),
                   ==, 0);
  g_assert_cmpint (format.word_size, ==, 4);
  g_assert_true (format.big_endian);
}

static void
test_head (void)
{
  const uint8_t plain[] = { 12, 254 }, byte[] = { 128, 77 };
  const uint8_t extended[] = { 12, 255, 1, 2, 0, 0, 0, 0, 0, 0 };
  struct dg_format little = { 8, false, G_BYTE_ORDER == G_BIG_ENDIAN };
  struct dg_format big = { 8, true, G_BYTE_ORDER == G_LITTLE_ENDIAN };
  struct dg_head head;

  g_assert_false (dg_decode_head (&little, plain, 0, &head));
  g_assert_false (dg_decode_head (&little, plain, 1, &head));
  g_assert_true (dg_decode_head (&little, plain, 2, &head));
  g_assert_cmpuint (head.size, ==, 2);
  g_assert_cmpuint (head.length, ==, 254);
  g_assert_true (dg_decode_head (&little, byte, 2, &head));
  g_assert_cmpuint (head.size, ==, 1);
  g_assert_cmpuint (head.length, ==, 1);
  g_assert_false (dg_decode_head (&little, extended, 9, &head));
  g_assert_true (dg_decode_head (&little, extended, 10, &head));
  g_assert_cmpuint (head.size, ==, 10);
  g_assert_cmpuint (head.length, ==, 0x201);
  g_assert_true (dg_decode_head (&big, extended, 10, &head));
  g_assert_cmphex (head.length, ==, UINT64_C (0x0102000000000000));
}

/* Any type from PROCESS on may grow; its fields are those of a record without
   what stands behind them.  The layouts are all good with zeros.  */
static void
grow_type (uint8_t type, const struct dg_format *format, unsigned behind)
{
  const char *layout = dg_decode_layout (type);
  struct dg_head head = { .type = type, .size = 2 };
  struct dg_fields fields = { 0 };
  uint8_t payload[512] = { 0 };

  for (const char *f = layout; *f; f++)
    head.length += strchr ("bs#%", *f) ? 1 : strchr ("qM", *f) ? 8
                                             : format->word_size;
  if (strchr (layout, 'M'))
    memcpy (payload + head.length - 8, DG_END_MAGIC, 8);
  memset (payload + head.length, 0x5a, behind);
  head.length += behind;
  /* Slowly at first, then with room for the fast way.  */
  for (unsigned i = 0; i < 2; i++) {
    g_assert_cmpint (dg_decode_fields (format, &head, payload, 0, &fields,
                                       NULL), ==, 0);
    g_assert_cmpuint (fields.n_behind, ==, behind);
    g_assert_true (fields.behind == payload + head.length - behind);
    g_assert_cmpuint (fields.n_words, >=, strlen (layout)
                                          - fields.n_strings
                                          - !!strchr (layout, 'M'));
  }
  dg_fields_fini (&fields);
}

static void
test_grown (void)
{
  const struct dg_format formats[] = {
    { 4, false, G_BYTE_ORDER == G_BIG_ENDIAN },
    { 8, true, G_BYTE_ORDER == G_LITTLE_ENDIAN }
  };

  /* RUN_VALUES goes up to its end.  */
  for (unsigned type = DG_R_PROCESS; type < 128; type++)
    for (unsigned i = 0; i < 2 && dg_decode_is_known (type)
                         && type != DG_R_RUN_VALUES; i++) {
      grow_type (type, &formats[i], 0);
      grow_type (type, &formats[i], 1);
      grow_type (type, &formats[i], 300);
    }
}

/* A block with accesses of any size, and runs of it that end anywhere.  */
static void
random_block (GString *text, GRand *rand, unsigned number)
{
  unsigned n = g_rand_int_range (rand, 1, 12), n_accesses = 0;
  unsigned parts[64], iseqs[64];

  g_string_append (text, "bbdef [");
  for (unsigned i = 0; i < n; i++)
    g_string_append (text, " 1+1");
  g_string_append (text, "] [");
  for (unsigned i = 0; i < n; i++)
    for (int k = g_rand_int_range (rand, 0, 4); k > 0; k--) {
      unsigned size = g_rand_int_range (rand, 0, 6) > 0
                        ? g_rand_int_range (rand, 1, 255)
                        : g_rand_int_range (rand, 255, 1300);

      g_string_append_printf (text, " %c%u@%u",
                              g_rand_boolean (rand) ? 'R' : 'W', size, i);
      parts[n_accesses] = size / 255 + 1;
      iseqs[n_accesses++] = i;
    }
  g_string_append_printf (text, "]\ncontext %u [1]\n", number);
  for (unsigned run = 0; run < 20; run++) {
    unsigned n_run = g_rand_int_range (rand, 0, n + 1);

    g_string_append_printf (text, "%sbbrun %u %u [",
                            g_rand_int_range (rand, 0, 9) ? "" : "long ",
                            number, n_run);
    /* The last instruction may have been left at any entry.  */
    for (unsigned i = 0; i < n_accesses && iseqs[i] < n_run; i++)
      for (unsigned k = 0; k < parts[i]; k++) {
        if (iseqs[i] + 1 == n_run && g_rand_int_range (rand, 0, 12) == 0) {
          i = n_accesses;
          break;
        }
        g_string_append_printf (text, " %d",
                                g_rand_int_range (rand, 0, 5)
                                  ? g_rand_int_range (rand, 1, 1 << 30)
                                  : 0);
      }
    g_string_append (text, "]\n");
  }
}

/* Adds up with dg_reader, slot by slot, what loading adds up by tables.  */
static void
check_sums (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  uint64_t runs = 0, instructions = 0, reads = 0, writes = 0;
  struct dg_run run;

  while (dg_reader_run (reader, &run, NULL) > 0) {
    runs++;
    instructions += run.n_instrs;
    for (unsigned i = 0; i < run.n_slots; i++) {
      const struct dg_slot *slot = &run.bbdef->slots[i];

      g_assert_cmpuint (slot->iseq, <, run.n_instrs);
      if (run.addresses[slot->entry] != 0 && slot->kind == DG_ACC_READ)
        reads++;
      else if (run.addresses[slot->entry] != 0)
        writes++;
    }
  }
  g_assert_cmpuint (s->runs, ==, runs);
  g_assert_cmpuint (s->instructions, ==, instructions);
  g_assert_cmpuint (s->reads, ==, reads);
  g_assert_cmpuint (s->writes, ==, writes);
  g_assert_cmpuint (s->accesses, ==, reads + writes);
  dg_reader_free (reader);
}

static void
test_runs (void)
{
  for (unsigned seed = 0; seed < 60; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    GString *text = g_string_new (NULL);
    struct dg_summary first = { 0 };

    for (unsigned i = 0; i < 8; i++)
      random_block (text, rand, i);
    /* The assembler counts for itself, and tells at the end.  */
    g_string_append (text, "process 1 0 0 0 0 0 0 8 \"\" \"\" \"\" \"\" \"\" "
                     "[]\nend\n");
    for (unsigned variant = 0; variant < 4; variant++) {
      GByteArray *bytes = core_test_assemble (text->str,
                                              variant & 1 ? 4 : 8,
                                              variant & 2);
      struct dg_error err;
      int code;
      struct dg_log *log = core_test_load (bytes, 1, &code, &err);

      g_assert_cmpstr (err.message, ==, "");
      check_sums (log);
      if (variant == 0)
        first = *dg_log_summary (log);
      g_assert_cmpuint (dg_log_summary (log)->reads, ==, first.reads);
      g_assert_cmpuint (dg_log_summary (log)->max_address, ==,
                        first.max_address);
      g_assert_cmpuint (dg_log_summary (log)->min_address, ==,
                        first.min_address);
      dg_log_close (log);
      g_byte_array_unref (bytes);
    }
    g_string_free (text, TRUE);
    g_rand_free (rand);
  }
}

static void
test_skip_runs (void)
{
  GByteArray *bytes = core_test_assemble (
    "bbrun 0 1 [1 2]\nlong bbrun 0 1 [1]\nbbrun 0 1 []\nclock 1\n", 8,
    false);
  struct dg_format format = { 8, false, G_BYTE_ORDER == G_BIG_ENDIAN };
  const uint8_t *runs = bytes->data + DG_HEADER_SIZE;
  const size_t ends[] = { 27, 54, 65 };

  for (size_t n = 0; n <= bytes->len - DG_HEADER_SIZE; n++) {
    size_t expected = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS (ends); i++)
      if (n >= ends[i])
        expected = ends[i];
    g_assert_cmpuint (dg_decode_skip_runs (&format, runs, n), ==, expected);
  }
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decode/header", test_header);
  g_test_add_func ("/decode/head", test_head);
  g_test_add_func ("/decode/grown", test_grown);
  g_test_add_func ("/decode/runs", test_runs);
  g_test_add_func ("/decode/skip-runs", test_skip_runs);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
