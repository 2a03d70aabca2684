/* test-pack.c: runs packed and unpacked again; what is told of them against a
   model (pack_model.h); bytes that were changed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/archive_format.h"
#include "archive/pack.h"
#include "archive/pack_code.h"
#include "base/hash.h"
#include "base/varint.h"
#include "long_test.h"
#include "dg_record.h"
#include "pack_model.h"
#include "random_runs.h"
#include "unit_main.h"

/* Packs the words in calls of about `step` words, at most.  */
static void
pack (struct dg_packer *packer, const struct dg_program_view *view,
      const GArray *words, size_t step, uint64_t mask, struct dg_table *out)
{
  const uint64_t *at = (const uint64_t *) (void *) words->data;
  const uint64_t *end = at + words->len;
  const struct dg_pack_new_context *new_contexts;
  struct dg_error err = {0};
  struct pack_model model;
  size_t n;

  g_assert_cmpint (dg_packer_begin (packer, view, mask, &err), ==, 0);
  while (at < end) {
    const uint64_t *next = at;

    do
      next += random_run_length (view, *next);
    while (next < end && (size_t) (next - at) < step);
    dg_packer_runs (packer, at, next - at, &err);
    g_assert_cmpstr (err.message, ==, "");
    at = next;
  }
  g_assert_cmpint (dg_packer_end (packer, out, &new_contexts, &n, &err), ==,
                   0);
  pack_model_init (&model, view, words, mask);
  pack_model_check (&model, packer, new_contexts, n);
  pack_model_fini (&model);
}

/* Are the runs' heads those of the numbers?  */
static void
check_numbers (const struct dg_unpacker *unpacker,
               const struct dg_program_view *view, const uint64_t *words,
               const uint32_t *numbers, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (numbers[i], >, 0);
    g_assert_cmpuint (numbers[i], <, dg_unpacker_heads (unpacker));
    g_assert_cmphex (dg_unpacker_head (unpacker, numbers[i]), ==, *words);
    words += random_run_length (view, *words);
  }
}

/* Unpacks into *words; the code of the end.  */
static int
unpack (struct dg_unpacker *unpacker, const struct dg_program_view *view,
        const struct dg_table *bytes, size_t max_runs, GArray *words)
{
  static uint64_t room[DG_UNPACK_ROOM];
  static uint32_t numbers[1000000];
  struct dg_error err = {0};
  size_t n_words;
  uint64_t runs = 0;
  ptrdiff_t n;

  g_assert_cmpuint (max_runs, <=, G_N_ELEMENTS (numbers));
  n = dg_unpacker_begin (unpacker, view, bytes->items, bytes->n, &err);
  while (n == 0
         && (n = dg_unpacker_numbered (unpacker, room, DG_UNPACK_ROOM,
                                       max_runs, &n_words, numbers, &err))
              > 0) {
    g_assert_cmpuint (n, <=, max_runs);
    g_assert_cmpuint (n_words, <=, DG_UNPACK_ROOM);
    runs += n;
    g_array_append_vals (words, room, n_words);
    check_numbers (unpacker, view, room, numbers, n);
    n = 0;
    if (runs == dg_unpacker_totals (unpacker)->runs)
      break;
  }
  g_assert_cmpint (n, ==, err.code);
  if (n == 0) {
    g_assert_cmpuint (runs, ==, dg_unpacker_totals (unpacker)->runs);
    g_assert_cmpint (
      dg_unpacker_runs (unpacker, room, DG_UNPACK_ROOM, 1, &n_words, &err), ==,
      0);
  }
  return n;
}

/* Makes the addresses of a chunk; appends them to *made, and the numbers of
   its runs' heads to *numbers.  The code of the end.  */
static int
make_addresses (struct dg_unpacker *unpacker,
                const struct dg_program_view *view,
                const struct dg_table *bytes, size_t max_runs, size_t enough,
                uint64_t mask, GArray *made, GArray *numbers)
{
  uint64_t *room = g_new (uint64_t, enough + DG_UNPACK_ADDRESSES_ROOM);
  uint32_t *heads = g_new (uint32_t, max_runs);
  struct dg_error err = {0};
  ptrdiff_t n = dg_unpacker_begin_addresses (unpacker, view, bytes->items,
                                             bytes->n, &err);

  while (n == 0
         && (n = dg_unpacker_addresses (unpacker, mask, max_runs, heads, room,
                                        enough, &err))
              > 0) {
    size_t n_made = 0;

    g_assert_cmpuint (n, <=, max_runs);
    for (ptrdiff_t i = 0; i < n; i++) {
      uint64_t head = dg_unpacker_head (unpacker, heads[i]);

      g_assert_cmpuint (dg_run_variant (head), <, view->n.variants);
      n_made += view->variants[dg_run_variant (head)].n_entries;
    }
    g_assert_cmpuint (n_made, <, enough + DG_UNPACK_ADDRESSES_ROOM);
    g_array_append_vals (made, room, n_made);
    g_array_append_vals (numbers, heads, n);
    n = numbers->len == dg_unpacker_totals (unpacker)->runs;
    if (n)
      break;
  }
  g_assert_cmpint (n < 0 ? n : 0, ==, err.code);
  g_free (room);
  g_free (heads);
  return n < 0 ? n : 0;
}

/* They are those that the words say.  */
static void
check_addresses (struct dg_unpacker *unpacker,
                 const struct dg_program_view *view,
                 const struct dg_table *bytes, const GArray *words,
                 size_t max_runs, size_t enough, uint64_t mask)
{
  GArray *made = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  const uint64_t *at = (const uint64_t *) (void *) words->data;
  uint64_t *expected = g_new (uint64_t, UINT16_MAX);
  size_t runs = 0, n = 0;

  g_assert_cmpint (make_addresses (unpacker, view, bytes, max_runs, enough,
                                   mask, made, numbers),
                   ==, 0);
  for (const uint64_t *end = at + words->len; at < end; runs++) {
    const struct dg_program_variant *variant =
      &view->variants[dg_run_variant (*at)];
    size_t more = variant->n_entries;

    g_assert_cmpuint (runs, <, numbers->len);
    g_assert_cmphex (
      dg_unpacker_head (unpacker, g_array_index (numbers, uint32_t, runs)), ==,
      *at);
    g_assert_cmpuint (n + more, <=, made->len);
    dg_unpack_addresses (view->blocks[variant->block], variant, at + 1, mask,
                         expected);
    g_assert_cmpmem (&g_array_index (made, uint64_t, n), more * 8, expected,
                     more * 8);
    n += more;
    at += random_run_length (view, *at);
  }
  g_assert_cmpuint (runs, ==, numbers->len);
  g_assert_cmpuint (n, ==, made->len);
  g_free (expected);
  g_array_unref (made);
  g_array_unref (numbers);
}

/* The heads alone, of a chunk that holds these words.  */
static void
check_heads (struct dg_unpacker *unpacker, const struct dg_program_view *view,
             const struct dg_table *bytes, const GArray *words)
{
  struct dg_error err = {0};
  const uint64_t *at = (const uint64_t *) (void *) words->data;
  const uint64_t *end = at + words->len;
  uint64_t slots = 0, runs = 0;
  uint32_t *numbers;

  g_assert_cmpint (
    dg_unpacker_begin_heads (unpacker, view, bytes->items, bytes->n, &err), ==,
    0);
  numbers = g_new (uint32_t, dg_unpacker_totals (unpacker)->runs + 1);
  g_assert_cmpint (dg_unpacker_numbers (unpacker, numbers, &err), ==, 0);
  for (; at < end; at += random_run_length (view, *at), runs++) {
    const struct dg_program_variant *variant =
      &view->variants[dg_run_variant (*at)];

    g_assert_cmphex (dg_unpacker_head (unpacker, numbers[runs]), ==, *at);
    slots += variant->reads + variant->writes;
  }
  g_assert_cmpuint (runs, ==, dg_unpacker_totals (unpacker)->runs);
  g_assert_cmpuint (slots, ==, dg_unpacker_slots (unpacker));
  g_assert_cmpint (dg_unpacker_numbers (unpacker, numbers, &err), ==,
                   DG_ERR_DAMAGED);
  g_free (numbers);
}

/* Runs of a head, or of a variant, and the instructions before them.  */
struct counted {
  uint64_t times, first;
};

/* g_int64_hash takes the lower half only, in which many heads are alike.  */
static guint
hash_head (gconstpointer head)
{
  return (guint) (dg_hash (*(const uint64_t *) head) >> 32);
}

static GHashTable *
count_runs (const struct dg_program_view *view, const GArray *words,
            bool by_variant)
{
  GHashTable *all
    = g_hash_table_new_full (hash_head, g_int64_equal, g_free, g_free);
  const uint64_t *at = (const uint64_t *) (void *) words->data;
  const uint64_t *end = at + words->len;
  uint64_t instructions = 0;

  for (; at < end; at += random_run_length (view, *at)) {
    uint64_t key = by_variant ? dg_run_variant (*at) : *at;
    struct counted *counted = g_hash_table_lookup (all, &key);

    if (counted == NULL) {
      counted = g_new0 (struct counted, 1);
      counted->first = instructions;
      g_hash_table_insert (all, g_memdup2 (&key, sizeof key), counted);
    }
    counted->times++;
    instructions += view->variants[dg_run_variant (*at)].n_instrs;
  }
  return all;
}

typedef int begin_fn (struct dg_unpacker *, const struct dg_program_view *,
                      const uint8_t *, size_t, struct dg_error *);

/* How many runs of each head there are, of a chunk that holds these words.  */
static void
check_counts (struct dg_unpacker *unpacker, begin_fn *begin,
              const struct dg_program_view *view, const struct dg_table *bytes,
              const GArray *words, bool by_variant)
{
  GHashTable *all = count_runs (view, words, by_variant);
  struct dg_error err = {0};
  uint64_t before = 0;
  size_t n;

  g_assert_cmpint (begin (unpacker, view, bytes->items, bytes->n, &err), ==,
                   0);
  g_assert_cmpint (dg_unpacker_count (unpacker, by_variant, &err), ==, 0);
  n = dg_unpacker_heads (unpacker);
  g_assert_cmpuint (n, ==, g_hash_table_size (all) + 1);
  for (size_t i = 1; i < n; i++) {
    uint64_t head = dg_unpacker_head (unpacker, i);
    uint64_t key = by_variant ? dg_run_variant (head) : head;
    const struct counted *counted = g_hash_table_lookup (all, &key);

    g_assert_nonnull (counted);
    g_assert_cmpuint (dg_unpacker_times (unpacker, i), ==, counted->times);
    g_assert_cmpuint (dg_unpacker_first (unpacker, i), ==, counted->first);
    g_assert_cmpuint (counted->first, >=, before);
    before = counted->first;
  }
  g_assert_cmpint (dg_unpacker_count (unpacker, by_variant, &err), ==,
                   DG_ERR_DAMAGED);
  g_hash_table_unref (all);
}

static void
check_equal (const GArray *a, const GArray *b)
{
  g_assert_cmpmem (a->data, a->len * sizeof (uint64_t), b->data,
                   b->len * sizeof (uint64_t));
}

struct codec {
  struct dg_packer *packer;
  struct dg_unpacker *unpacker, *plain; /* the second one without AVX2 */
  struct dg_unpacker *first;            /* of archives of version 1 */
};

static void
codec_init (struct codec *codec)
{
  struct dg_error err = {0};

  codec->packer = dg_packer_new (1, &err);
  codec->unpacker = dg_unpacker_new (DG_ARCHIVE_VERSION, &err);
  codec->plain = dg_unpacker_new (DG_ARCHIVE_VERSION, &err);
  codec->first = dg_unpacker_new (1, &err);
  dg_unpacker_avoid_avx2 (codec->plain);
  g_assert_cmpstr (err.message, ==, "");
}

static void
codec_fini (struct codec *codec)
{
  dg_packer_free (codec->packer);
  dg_unpacker_free (codec->unpacker);
  dg_unpacker_free (codec->plain);
  dg_unpacker_free (codec->first);
}

/* The bytes of a chunk as archives of version 1 have them, which lack the last
   two streams.  */
static void
make_first_version (const struct dg_table *bytes, struct dg_table *first)
{
  const uint8_t *at = bytes->items, *end = at + bytes->n, *kept = at;
  uint64_t value, size[2];

  for (unsigned i = 0; i < 8; i++)
    g_assert_true (dg_varint_get (&at, end, &value));
  for (unsigned i = 0; i < DG_STREAMS; i++) {
    for (unsigned k = 0; k < 2; k++)
      g_assert_true (dg_varint_get (&at, end, &size[k]));
    if (i < DG_STREAMS_VERSION_1)
      kept = at;
    else
      end -= size[1];
  }
  g_assert_cmpint (dg_table_reserve (first, 1, bytes->n), ==, 0);
  memcpy (first->items, bytes->items, kept - (uint8_t *) bytes->items);
  first->n = kept - (uint8_t *) bytes->items;
  memcpy ((uint8_t *) first->items + first->n, at, end - at);
  first->n += end - at;
}

/* In an archive of version 1, the same runs are there.  */
static void
check_first_version (struct codec *codec, const struct dg_program_view *view,
                     const struct dg_table *bytes, const GArray *words,
                     uint64_t mask)
{
  struct dg_table first = {0};
  GArray *back = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  make_first_version (bytes, &first);
  g_assert_cmpint (unpack (codec->first, view, &first, 1000, back), ==, 0);
  check_equal (words, back);
  check_addresses (codec->first, view, &first, words, 1000, 2048, mask);
  check_heads (codec->first, view, &first, words);
  check_counts (codec->first, dg_unpacker_begin_counts, view, &first, words,
                false);
  g_array_set_size (back, 0);
  g_assert_cmpint (unpack (codec->first, view, bytes, 1000, back), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpint (unpack (codec->unpacker, view, &first, 1000, back), ==,
                   DG_ERR_DAMAGED);
  g_array_unref (back);
  dg_table_fini (&first);
}

static void
there_and_back (struct codec *codec, const struct dg_program *program,
                const GArray *words, size_t step, size_t max_runs,
                uint64_t mask)
{
  struct dg_program_view view = dg_program_view (program);
  GArray *back = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  struct dg_table bytes = {0};

  pack (codec->packer, &view, words, step, mask, &bytes);
  g_assert_cmpint (unpack (codec->unpacker, &view, &bytes, max_runs, back), ==,
                   0);
  check_equal (words, back);
  pack_model_check_totals (dg_packer_totals (codec->packer),
                           dg_unpacker_totals (codec->unpacker));
  for (unsigned i = 0; i < 2; i++) {
    struct dg_unpacker *unpacker = i ? codec->plain : codec->unpacker;

    check_addresses (unpacker, &view, &bytes, words, max_runs, 2048, mask);
    check_addresses (unpacker, &view, &bytes, words, 10000, 1, mask);
  }
  check_heads (codec->unpacker, &view, &bytes, words);
  for (unsigned i = 0; i < 2; i++) {
    check_counts (codec->unpacker, dg_unpacker_begin_heads, &view, &bytes,
                  words, i);
    check_counts (codec->unpacker, dg_unpacker_begin_counts, &view, &bytes,
                  words, i);
  }
  check_first_version (codec, &view, &bytes, words, mask);
  dg_table_fini (&bytes);
  g_array_unref (back);
}

static const struct random_shape shapes[] = {
  {1, 1, 0, false, false, false},    {3, 2, 3, false, false, false},
  {20, 5, 6, false, false, true},    {20, 50, 40, true, true, true},
  {200, 300, 100, true, true, true},
};

/* Streams of all kinds over programs of all kinds, by one codec.  */
static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (1);
  struct codec codec;

  codec_init (&codec);
  for (unsigned i = 0; i < G_N_ELEMENTS (shapes) * RANDOM_KINDS * 4; i++) {
    struct dg_program program = {0};
    uint64_t mask = i & 1 ? UINT64_MAX : UINT32_MAX;
    GArray *words;

    random_program (rand, &shapes[i / 4 % G_N_ELEMENTS (shapes)], &program);
    words = random_runs (rand, &program, i % RANDOM_KINDS, 3000, mask);
    there_and_back (&codec, &program, words, i % 3 == 0 ? 1 : 700,
                    i % 2 ? 100 : 10000, mask);
    g_array_unref (words);
    dg_program_fini (&program);
  }
  codec_fini (&codec);
  g_rand_free (rand);
}

/* Every number of runs from none on.  */
static void
test_lengths (void)
{
  GRand *rand = g_rand_new_with_seed (2);
  struct dg_program program = {0};
  struct codec codec;

  codec_init (&codec);
  random_program (rand, &shapes[2], &program);
  for (unsigned n = 0; n < 700; n += n < 300 ? 1 : 13) {
    GArray *words = random_runs (rand, &program, RANDOM_STEADY, n, UINT64_MAX);

    there_and_back (&codec, &program, words, 100000, 64, UINT64_MAX);
    g_array_unref (words);
  }
  dg_program_fini (&program);
  codec_fini (&codec);
  g_rand_free (rand);
}

/* A block of n words, each of which is read.  */
static void
add_wide_block (struct dg_program *program, unsigned n_words)
{
  struct dg_program_instr instr = {0x400000, 4};
  struct dg_program_entry *entries =
    g_new0 (struct dg_program_entry, n_words + 1);
  struct dg_program_block block = {1, n_words, n_words, &instr, entries};
  struct dg_error err = {0};
  uint32_t number = program->blocks.n;

  for (unsigned i = 0; i < n_words; i++)
    entries[i] = (struct dg_program_entry){0, i, DG_ACC_READ, 1};
  g_assert_cmpint (dg_program_add_block (program, &block, &err), ==, 0);
  g_assert_cmpint (
    dg_program_add_variant (program, number, 1, n_words, n_words, &err), ==,
    0);
  g_free (entries);
}

static void
test_wide (void)
{
  static const unsigned widths[] = {0, 1, 29, 30, 31, 32, 33, 127, 65535};
  GRand *rand = g_rand_new_with_seed (3);
  struct dg_program program = {0};
  struct dg_error err = {0};
  struct codec codec;

  codec_init (&codec);
  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (widths); i++)
    add_wide_block (&program, widths[i]);
  for (int kind = 0; kind < RANDOM_KINDS; kind++) {
    GArray *words = random_runs (rand, &program, kind, 100, UINT64_MAX);

    there_and_back (&codec, &program, words, 100, 3, UINT64_MAX);
    there_and_back (&codec, &program, words, 100000, 1000, UINT64_MAX);
    g_array_unref (words);
  }
  dg_program_fini (&program);
  codec_fini (&codec);
  g_rand_free (rand);
}

/* More heads than two bytes number.  */
static void
test_many_heads (void)
{
  static const struct random_shape shape = {4, 70000, 2, false, false, true};
  GRand *rand = g_rand_new_with_seed (4);
  struct dg_program program = {0};
  struct codec codec;
  GArray *words;

  codec_init (&codec);
  random_program (rand, &shape, &program);
  words = random_runs (rand, &program, RANDOM_NEAR, 300000, UINT64_MAX);
  there_and_back (&codec, &program, words, 30000, 1000000, UINT64_MAX);
  g_array_unref (words);
  dg_program_fini (&program);
  codec_fini (&codec);
  g_rand_free (rand);
}

/* Bad runs are refused, and the chunk has what stood before them.  */
static void
test_refused (void)
{
  GRand *rand = g_rand_new_with_seed (5);
  struct dg_program program = {0};
  struct dg_program_view view;
  struct codec codec;
  struct dg_error err = {0};
  GArray *words;

  codec_init (&codec);
  random_program (rand, &shapes[2], &program);
  view = dg_program_view (&program);
  words = random_runs (rand, &program, RANDOM_STEADY, 500, UINT64_MAX);
  for (unsigned i = 0; i < 6; i++) {
    struct dg_table bytes = {0};
    GArray *back = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    uint64_t bad[] = {
      1,
      (uint64_t) view.n.variants << 5 | 1,
      (uint64_t) view.n.nodes << 32
        | (((uint64_t *) (void *) words->data)[0] & UINT32_MAX),
      0,
      ((uint64_t *) (void *) words->data)[0] ^ 2,
      UINT64_MAX};
    uint64_t last = bad[i];
    GArray *with = g_array_copy (words);

    g_array_append_val (with, last);
    g_assert_cmpint (dg_packer_begin (codec.packer, &view, UINT64_MAX, &err),
                     ==, 0);
    /* As the first, then as the last of all.  */
    g_assert_cmpint (dg_packer_runs (codec.packer, &last, 1, &err), ==,
                     DG_ERR_DAMAGED);
    g_assert_cmpint (
      dg_packer_runs (codec.packer, (void *) with->data, with->len, &err), ==,
      DG_ERR_DAMAGED);
    g_assert_cmpint (dg_packer_end (codec.packer, &bytes, NULL, NULL, &err),
                     ==, 0);
    g_assert_cmpint (unpack (codec.unpacker, &view, &bytes, 1000, back), ==,
                     0);
    check_equal (words, back);
    g_array_unref (with);
    g_array_unref (back);
    dg_table_fini (&bytes);
  }
  g_array_unref (words);
  dg_program_fini (&program);
  codec_fini (&codec);
  g_rand_free (rand);
}

/* A chunk has an end.  */
static void
test_too_many (void)
{
  struct dg_program program = {0};
  struct dg_program_view view;
  struct dg_error err = {0};
  struct dg_table bytes = {0};
  struct codec codec;
  const size_t n = 100000;
  uint64_t *words = g_new (uint64_t, n);
  uint64_t taken = 0;

  codec_init (&codec);
  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  add_wide_block (&program, 0);
  view = dg_program_view (&program);
  for (size_t i = 0; i < n; i++)
    words[i] = 1 << DG_RUN_LENGTH_BITS | 1;
  dg_packer_begin (codec.packer, &view, UINT64_MAX, &err);
  while (dg_packer_runs (codec.packer, words, n, &err) == 0)
    taken += n;
  g_assert_cmpint (err.code, ==, DG_ERR_LIMIT);
  g_assert_cmpuint (taken, ==, DG_PACK_WORDS_MAX / n * n);
  g_assert_cmpint (dg_packer_end (codec.packer, &bytes, NULL, NULL, &err), ==,
                   0);
  g_assert_cmpint (
    dg_unpacker_begin (codec.unpacker, &view, bytes.items, bytes.n, &err), ==,
    0);
  g_assert_cmpuint (dg_unpacker_totals (codec.unpacker)->runs, ==, taken);
  g_free (words);
  dg_table_fini (&bytes);
  dg_program_fini (&program);
  codec_fini (&codec);
}

/* Runs without all of their words, at every place.  */
static void
test_cut_runs (void)
{
  GRand *rand = g_rand_new_with_seed (6);
  struct dg_program program = {0};
  struct dg_program_view view;
  struct codec codec;
  GArray *words;

  codec_init (&codec);
  random_program (rand, &shapes[3], &program);
  view = dg_program_view (&program);
  words = random_runs (rand, &program, RANDOM_NEAR, 100, UINT64_MAX);
  for (size_t n = 0, whole = 0; n < words->len; n++) {
    const uint64_t *items = (const uint64_t *) (void *) words->data;
    GArray *back = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    struct dg_error err = {0};
    struct dg_table bytes = {0};

    if (whole + random_run_length (&view, items[whole]) <= n)
      whole += random_run_length (&view, items[whole]);
    dg_packer_begin (codec.packer, &view, UINT64_MAX, &err);
    g_assert_cmpint (dg_packer_runs (codec.packer, items, n, &err), ==,
                     n == whole ? 0 : DG_ERR_DAMAGED);
    g_assert_cmpint (dg_packer_end (codec.packer, &bytes, NULL, NULL, &err),
                     ==, 0);
    g_assert_cmpint (unpack (codec.unpacker, &view, &bytes, 1000, back), ==,
                     0);
    g_assert_cmpmem (items, whole * sizeof *items, back->data,
                     back->len * sizeof *items);
    g_array_unref (back);
    dg_table_fini (&bytes);
  }
  g_array_unref (words);
  dg_program_fini (&program);
  codec_fini (&codec);
  g_rand_free (rand);
}

/* One begins with what the other has.  */
static void
check_begins (GArray *a, GArray *b)
{
  if (a->len > 0 && b->len > 0)
    g_assert_true (memcmp (a->data, b->data,
                           MIN (a->len, b->len)
                             * g_array_get_element_size (a))
                   == 0);
}

/* Counts the runs of a chunk whose bytes may be wrong: all are counted, or
   none.  */
static void
count_all (struct dg_unpacker *unpacker, const struct dg_program_view *view,
           const struct dg_table *bytes, int expected)
{
  struct dg_error err = {0};
  uint64_t runs = 0;
  int code = dg_unpacker_begin_counts (unpacker, view, bytes->items, bytes->n,
                                       &err);

  if (code == 0)
    code = dg_unpacker_count (unpacker, false, &err);
  g_assert_cmpint (code, ==, err.code);
  if (expected != 0)
    g_assert_cmpint (code, ==, expected);
  if (code < 0)
    return;
  for (size_t i = 1; i < dg_unpacker_heads (unpacker); i++) {
    g_assert_cmpuint (dg_unpacker_times (unpacker, i), >, 0);
    g_assert_cmpuint (dg_unpacker_first (unpacker, i), <=,
                      dg_unpacker_totals (unpacker)->instructions);
    runs += dg_unpacker_times (unpacker, i);
  }
  g_assert_cmpuint (runs, ==, dg_unpacker_totals (unpacker)->runs);
}

/* Unpacks words, and addresses in both ways, which find the same faults.  */
static void
unpack_all (struct codec *codec, const struct dg_program_view *view,
            const struct dg_table *bytes, size_t max_runs, int expected)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  GArray *made[2], *numbers[2];
  int code = unpack (codec->unpacker, view, bytes, max_runs, words);

  if (expected != 0)
    g_assert_cmpint (code, ==, expected);
  count_all (codec->unpacker, view, bytes, expected);
  count_all (codec->first, view, bytes, 0);
  for (unsigned i = 0; i < 2; i++) {
    made[i] = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    numbers[i] = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_assert_cmpint (make_addresses (i ? codec->plain : codec->unpacker, view,
                                     bytes, max_runs, 100, UINT64_MAX, made[i],
                                     numbers[i]),
                     ==, code);
  }
  check_begins (made[0], made[1]);
  check_begins (numbers[0], numbers[1]);
  if (code == 0) {
    g_assert_cmpuint (made[0]->len, ==, made[1]->len);
    g_assert_cmpuint (numbers[0]->len, ==, numbers[1]->len);
  }
  for (unsigned i = 0; i < 2; i++) {
    g_array_unref (made[i]);
    g_array_unref (numbers[i]);
  }
  g_array_unref (words);
}

/* Every truncation and many changes of a chunk: an error, or some runs.  Of
   each byte one bit or two are changed, in a long test all.  */
static void
test_hostile (void)
{
  GRand *rand = g_rand_new_with_seed (7);
  struct codec codec;

  codec_init (&codec);
  for (unsigned i = 0; i < 4; i++) {
    struct dg_program program = {0};
    struct dg_table bytes = {0}, part;
    GArray *words;
    struct dg_program_view view;

    random_program (rand, &shapes[i], &program);
    view = dg_program_view (&program);
    words = random_runs (rand, &program, RANDOM_NEAR, 20 + 60 * i, UINT64_MAX);
    pack (codec.packer, &view, words, 1000, UINT64_MAX, &bytes);
    for (size_t n = 0; n < bytes.n; n++) {
      part = bytes;
      part.n = n;
      unpack_all (&codec, &view, &part, 7, DG_ERR_DAMAGED);
    }
    for (size_t bit = 0; bit < bytes.n * 8;
         bit += is_long_test () ? 1 : 7) {
      uint8_t *byte = (uint8_t *) bytes.items + bit / 8;

      *byte ^= 1 << bit % 8;
      unpack_all (&codec, &view, &bytes, 1000, 0);
      *byte ^= 1 << bit % 8;
    }
    for (unsigned k = 0; k < (is_long_test () ? 2000 : 400); k++) {
      uint8_t *byte =
        (uint8_t *) bytes.items + g_rand_int_range (rand, 0, bytes.n);
      uint8_t old = *byte;

      *byte = g_rand_int (rand);
      unpack_all (&codec, &view, &bytes, 1000, 0);
      if (k % 4 != 0)
        *byte = old;
    }
    g_array_unref (words);
    dg_table_fini (&bytes);
    dg_program_fini (&program);
  }
  codec_fini (&codec);
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pack/random", test_random);
  g_test_add_func ("/pack/lengths", test_lengths);
  g_test_add_func ("/pack/wide", test_wide);
  g_test_add_func ("/pack/many-heads", test_many_heads);
  g_test_add_func ("/pack/refused", test_refused);
  g_test_add_func ("/pack/too-many", test_too_many);
  g_test_add_func ("/pack/cut-runs", test_cut_runs);
  g_test_add_func ("/pack/hostile", test_hostile);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
