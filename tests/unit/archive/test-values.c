/* test-values.c: values packed and unpacked again, compared with what the
   descriptors of a program say, byte by byte; bytes that were changed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/values.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "long_test.h"
#include "unit_main.h"

#define ENTRIES_MAX 24
#define WORDS_MAX 8
#define MEMORY 4096 /* bytes, which addresses wrap around in */

/* A program, runs of it, and what is known of each of their entries.  */
struct world {
  GRand *rand;
  struct dg_format format;
  struct dg_program program;
  struct dg_program_view view;
  uint8_t memory[MEMORY + DG_VALUE_MAX];
  GArray *words;     /* uint64_t */
  GByteArray *bytes; /* that come with them */
  GArray *starts;    /* size_t, of each run: its words, bytes and images */
  GByteArray *known; /* of each entry */
  GByteArray *images; /* of those that are known */
};

static unsigned
below (struct world *w, unsigned n)
{
  return g_rand_int_range (w->rand, 0, n);
}

static uint64_t
quad (struct world *w)
{
  return (uint64_t) g_rand_int (w->rand) << 32 | g_rand_int (w->rand);
}

static uint64_t
mask_of (const struct world *w)
{
  return w->format.word_size == 8 ? UINT64_MAX : UINT32_MAX;
}

/* ---- Programs ---- */

/* Can the entry's value be one of the kinds?  */
static bool
may_be_known (const struct dg_program_entry *entries, unsigned i)
{
  return entries[i].size >= 1 && entries[i].size <= DG_VALUE_MAX
         && (i == 0 || entries[i - 1].size != 255);
}

static struct dg_program_value
make_value (struct world *w, const struct dg_program_block *block,
            const struct dg_program_value *values, unsigned i)
{
  const struct dg_program_entry *entries = block->entries;
  struct dg_program_value value = {.disp = quad (w) >> below (w, 64)};
  unsigned size = entries[i].size, from = i > 0 ? below (w, i) : 0;

  if (!may_be_known (entries, i))
    return (struct dg_program_value){0};
  value.kind = below (w, 5);
  switch (value.kind) {
  case DG_VALUE_CONSTANT:
    value.disp = below (w, 2) ? value.disp : -value.disp;
    return value;
  case DG_VALUE_WORD:
    value.from = block->n_words > 0 ? below (w, block->n_words) : 0;
    if (block->n_words > 0 && size <= w->format.word_size)
      return value;
    break;
  case DG_VALUE_ENTRY:
    value.from = from;
    value.disp = size > 8 || below (w, 2) ? 0 : value.disp;
    if (i > 0 && values[from].kind != DG_VALUE_UNKNOWN
        && entries[from].size >= size)
      return value;
    break;
  case DG_VALUE_UNKNOWN:
    return (struct dg_program_value){0};
  }
  return (struct dg_program_value){.kind = DG_VALUE_BYTES};
}

static void
make_entries (struct world *w, struct dg_program_block *block,
              struct dg_program_entry *entries)
{
  static const uint8_t sizes[] = {1, 1, 2, 4, 4, 8, 8, 8, 16, 32, 64,
                                  3, 5, 6, 7, 12, 0, 100, 255};
  bool goes_on = false;

  for (unsigned i = 0; i < block->n_entries; i++) {
    struct dg_program_entry *e = &entries[i];

    *e = (struct dg_program_entry){
      .kind = below (w, 2) ? DG_ACC_READ : DG_ACC_WRITE,
      .size = sizes[below (w, G_N_ELEMENTS (sizes))],
      .word = DG_PROGRAM_NO_WORD,
      .disp = below (w, 20) ? below (w, MEMORY) : 0};
    if (goes_on)
      e->kind = e[-1].kind;
    else if (below (w, 12) == 0)
      *e = (struct dg_program_entry){.kind = DG_ACC_SP, .word = e->word};
    if (block->n_words > 0 && below (w, 4)) {
      e->word = below (w, block->n_words);
      e->disp = (int) below (w, 40) - 20;
      e->guarded = below (w, 4) == 0;
    }
    if (i + 1 == block->n_entries && e->size == 255)
      e->size = 8;
    goes_on = e->size == 255;
  }
}

static void
add_block (struct world *w, unsigned number)
{
  struct dg_program_instr instr = {0x400000, 4};
  struct dg_program_entry entries[ENTRIES_MAX];
  struct dg_program_value values[ENTRIES_MAX];
  struct dg_program_block block = {.n_instrs = 1,
                                   .n_entries = below (w, ENTRIES_MAX) + 1,
                                   .instrs = &instr,
                                   .entries = entries};
  struct dg_error err = {0};

  block.n_words = below (w, MIN (block.n_entries, WORDS_MAX) + 1);
  make_entries (w, &block, entries);
  for (unsigned i = 0; i < block.n_entries; i++)
    values[i] = make_value (w, &block, values, i);
  block.values = below (w, 10) ? values : NULL;
  dg_program_add_block (&w->program, &block, &err);
  g_assert_cmpstr (err.message, ==, "");
  dg_program_add_variant (&w->program, number, 1, block.n_entries,
                          block.n_words, &err);
  g_assert_cmpstr (err.message, ==, "");
  /* Left within its only instruction.  */
  dg_program_add_variant (&w->program, number, 1, below (w, block.n_entries),
                          block.n_words, &err);
  g_assert_cmpstr (err.message, ==, "");
}

static void
world_init (struct world *w, uint32_t seed, unsigned word_size,
            bool big_endian)
{
  struct dg_error err = {0};

  memset (w, 0, sizeof *w);
  w->rand = g_rand_new_with_seed (seed);
  w->format = (struct dg_format){
    .word_size = word_size,
    .big_endian = big_endian,
    .swap = big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN)};
  g_assert_cmpint (dg_program_init (&w->program, &err), ==, 0);
  w->words = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  w->starts = g_array_new (FALSE, FALSE, 3 * sizeof (size_t));
  w->bytes = g_byte_array_new ();
  w->known = g_byte_array_new ();
  w->images = g_byte_array_new ();
}

static void
world_fini (struct world *w)
{
  g_rand_free (w->rand);
  dg_program_fini (&w->program);
  g_array_unref (w->words);
  g_array_unref (w->starts);
  g_byte_array_unref (w->bytes);
  g_byte_array_unref (w->known);
  g_byte_array_unref (w->images);
}

/* ---- What values are ---- */

/* Byte i of the memory image of a number's low bytes, from the lowest one.  */
static unsigned
place_of (const struct world *w, unsigned i, unsigned size)
{
  return w->format.big_endian ? size - 1 - i : i;
}

static void
put_number (const struct world *w, uint64_t number, uint8_t *image,
            unsigned size)
{
  for (unsigned i = 0; i < size; i++)
    image[place_of (w, i, size)]
      = i < 8 ? number >> 8 * i : (number >> 63 ? 0xff : 0);
}

static void
put_entry (const struct world *w, const uint8_t *from, unsigned from_size,
           int64_t disp, uint8_t *image, unsigned size)
{
  unsigned carry = 0;

  for (unsigned i = 0; i < size; i++) {
    unsigned sum = from[place_of (w, i, from_size)] + carry
                   + (i < 8 ? (uint8_t) ((uint64_t) disp >> 8 * i) : 0);

    image[place_of (w, i, size)] = sum;
    carry = sum >> 8;
  }
}

/* The bytes that come with an entry: mostly what is in memory.  */
static void
make_bytes (struct world *w, const struct dg_program_entry *entry,
            uint64_t address, uint8_t *image)
{
  bool is_seen = entry->kind == DG_ACC_READ && below (w, 10);

  for (unsigned i = 0; i < entry->size; i++)
    image[i] = g_rand_int (w->rand);
  if (below (w, 3) == 0)
    memset (image, below (w, 3) - 1, entry->size);
  if (below (w, 4) == 0)
    put_number (w, below (w, 5) + w->bytes->len / 100, image, entry->size);
  if (is_seen)
    memcpy (image, w->memory + address % MEMORY, entry->size);
}

/* Adds a run, and what is known of it.  */
static void
add_run (struct world *w, uint32_t number)
{
  const struct dg_program_variant *variant = &w->view.variants[number];
  const struct dg_program_block *block = w->view.blocks[variant->block];
  size_t start[3] = {w->words->len, w->bytes->len, w->images->len};
  uint64_t head = (uint64_t) number << DG_RUN_LENGTH_BITS, words[WORDS_MAX];
  uint8_t images[ENTRIES_MAX][DG_VALUE_MAX], is_known[ENTRIES_MAX] = {0};

  g_array_append_vals (w->starts, start, 1);
  head |= variant->n_words + 1u;
  g_array_append_val (w->words, head);
  for (unsigned i = 0; i < variant->n_words; i++) {
    words[i] = below (w, 6) ? 0x7000 + below (w, 300) : 0;
    if (below (w, 50) == 0)
      words[i] = quad (w) & mask_of (w);
    g_array_append_val (w->words, words[i]);
  }
  for (unsigned i = 0; i < variant->n_entries; i++) {
    const struct dg_program_entry *e = &block->entries[i];
    struct dg_program_value value = {0};
    uint64_t address = dg_program_address (e, words, mask_of (w));

    if (block->values)
      value = block->values[i];
    if (value.kind == DG_VALUE_BYTES) {
      make_bytes (w, e, address, images[i]);
      g_byte_array_append (w->bytes, images[i], e->size);
    }
    if (address == 0 || value.kind == DG_VALUE_UNKNOWN
        || (value.kind == DG_VALUE_ENTRY && !is_known[value.from]))
      continue;
    is_known[i] = 1;
    if (value.kind == DG_VALUE_CONSTANT)
      put_number (w, value.disp, images[i], e->size);
    else if (value.kind == DG_VALUE_WORD)
      put_number (w, words[value.from] + value.disp, images[i], e->size);
    else if (value.kind == DG_VALUE_ENTRY)
      put_entry (w, images[value.from], block->entries[value.from].size,
                 value.disp, images[i], e->size);
    g_byte_array_append (w->images, images[i], e->size);
    memcpy (w->memory + address % MEMORY, images[i], e->size);
  }
  g_byte_array_append (w->known, is_known, variant->n_entries);
}

static void
make_runs (struct world *w, unsigned n)
{
  g_array_set_size (w->words, 0);
  g_array_set_size (w->starts, 0);
  g_byte_array_set_size (w->bytes, 0);
  g_byte_array_set_size (w->known, 0);
  g_byte_array_set_size (w->images, 0);
  w->view = dg_program_view (&w->program);
  for (unsigned i = 0; i < n; i++)
    add_run (w, below (w, 3) ? 1 + i % 5 % (w->view.n.variants - 1)
                             : 1 + below (w, w->view.n.variants - 1));
}

/* ---- There and back ---- */

static const size_t *
start_of (const struct world *w, size_t run)
{
  return &g_array_index (w->starts, size_t, 3 * run);
}

/* Packs the runs in calls of some of them.  */
static void
pack (struct world *w, struct dg_values_packer *packer, struct dg_table *out)
{
  struct dg_error err = {0};
  size_t run = 0, n = w->starts->len;

  dg_values_packer_begin (packer, &w->view, &w->format, &err);
  g_assert_cmpstr (err.message, ==, "");
  while (run < n) {
    size_t next = MIN (n, run + 1 + below (w, 200));
    size_t words = start_of (w, run)[0], bytes = start_of (w, run)[1];
    size_t n_words = w->words->len - words, n_bytes = w->bytes->len - bytes;
    uint8_t *copy;

    if (next < n) {
      n_words = start_of (w, next)[0] - words;
      n_bytes = start_of (w, next)[1] - bytes;
    }
    copy = g_malloc0 (n_bytes + DG_VALUE_SLACK);
    if (n_bytes > 0)
      memcpy (copy, w->bytes->data + bytes, n_bytes);
    dg_values_packer_runs (packer, &g_array_index (w->words, uint64_t, words),
                           n_words, copy, n_bytes, &err);
    g_assert_cmpstr (err.message, ==, "");
    g_free (copy);
    run = next;
  }
  out->n = 0;
  dg_values_packer_end (packer, out, &err);
  g_assert_cmpstr (err.message, ==, "");
}

/* Unpacks all, until something is wrong; compares, if nothing should be.  */
static int
unpack (const struct world *w, struct dg_values_unpacker *unpacker,
        const struct dg_table *bytes, bool is_good)
{
  uint8_t *payload = g_malloc (bytes->n + 1);
  struct dg_error err = {0};
  size_t at = 0, entry = 0;
  int code;

  if (bytes->n > 0)
    memcpy (payload, bytes->items, bytes->n);
  code = dg_values_unpacker_begin (unpacker, &w->view, &w->format, payload,
                                   bytes->n, &err);
  g_free (payload);
  for (size_t i = 0; i < w->starts->len && code == 0; i++) {
    const uint64_t *run
      = &g_array_index (w->words, uint64_t, start_of (w, i)[0]);
    const struct dg_program_variant *variant
      = &w->view.variants[dg_run_variant (run[0])];
    const struct dg_program_block *block = w->view.blocks[variant->block];
    struct dg_values_of_run values;

    code = dg_values_unpacker_run (unpacker, run, &values, &err);
    for (unsigned k = 0; k < variant->n_entries && code == 0; k++) {
      bool is_known = w->known->data[entry++];

      g_assert_cmpint (values.at[k] != DG_VALUE_NONE, ==, is_known);
      if (!is_known)
        continue;
      if (is_good)
        g_assert_cmpmem (values.bytes + values.at[k], block->entries[k].size,
                         w->images->data + at, block->entries[k].size);
      at += block->entries[k].size;
    }
  }
  if (code == 0)
    code = dg_values_unpacker_end (unpacker, &err);
  g_assert_cmpint (code, ==, err.code);
  if (is_good)
    g_assert_cmpstr (err.message, ==, "");
  return code;
}

/* What comes with accesses that were not made becomes something else.  */
static void
spoil_unmade (struct world *w)
{
  size_t at = 0;

  for (size_t i = 0; i < w->starts->len; i++) {
    const uint64_t *run
      = &g_array_index (w->words, uint64_t, start_of (w, i)[0]);
    const struct dg_program_variant *variant
      = &w->view.variants[dg_run_variant (run[0])];
    const struct dg_program_block *block = w->view.blocks[variant->block];

    for (unsigned k = 0; block->values && k < variant->n_entries; k++) {
      const struct dg_program_entry *e = &block->entries[k];

      if (block->values[k].kind != DG_VALUE_BYTES)
        continue;
      if (dg_program_address (e, run + 1, mask_of (w)) == 0)
        memset (w->bytes->data + at, 0xa5, e->size);
      at += e->size;
    }
  }
  g_assert_cmpuint (at, ==, w->bytes->len);
}

/* What is read of the program's bytes.  */
static void
read_back (struct world *w, struct dg_program *back)
{
  struct dg_program_counts from = {0, 1, 1};
  struct dg_table bytes = {0};
  struct dg_error err = {0};

  *back = (struct dg_program){.has_values = true};
  w->program.has_values = true;
  g_assert_cmpint (dg_program_init (back, &err), ==, 0);
  g_assert_cmpint (dg_program_write (&w->program, from, &bytes, &err), ==, 0);
  dg_program_read (back, bytes.items, bytes.n, &err);
  g_assert_cmpstr (err.message, ==, "");
  for (unsigned i = 0; i < w->view.n.variants; i++)
    g_assert_cmpuint (dg_program_view (back).variants[i].value_bytes, ==,
                      w->view.variants[i].value_bytes);
  dg_table_fini (&bytes);
}

static void
test_random (void)
{
  struct dg_error err = {0};
  struct dg_values_packer *packer = dg_values_packer_new (1, &err);
  struct dg_values_unpacker *unpacker = dg_values_unpacker_new (&err);
  struct dg_table bytes = {0}, again = {0};

  for (unsigned seed = 0; seed < (is_long_test () ? 2000 : 200); seed++) {
    struct dg_program back;
    struct world w;

    world_init (&w, seed, seed & 1 ? 4 : 8, seed >> 1 & 1);
    for (unsigned i = 0; i < 1 + seed % 40; i++)
      add_block (&w, i);
    w.view = dg_program_view (&w.program);
    read_back (&w, &back);
    for (unsigned chunk = 0; chunk < 2; chunk++) {
      make_runs (&w, 1 + below (&w, 500));
      pack (&w, packer, &bytes);
      w.view = dg_program_view (&back);
      g_assert_cmpint (unpack (&w, unpacker, &bytes, true), ==, 0);
      /* In other calls, and with other bytes that mean nothing.  */
      spoil_unmade (&w);
      pack (&w, packer, &again);
      g_assert_cmpmem (bytes.items, bytes.n, again.items, again.n);
    }
    dg_program_fini (&back);
    world_fini (&w);
  }
  dg_table_fini (&bytes);
  dg_table_fini (&again);
  dg_values_packer_free (packer);
  dg_values_unpacker_free (unpacker);
}

/* Anything may come of changed bytes but a crash, or entries that are known
   where they are not.  */
static void
test_hostile (void)
{
  struct dg_error err = {0};
  struct dg_values_packer *packer = dg_values_packer_new (1, &err);
  struct dg_values_unpacker *unpacker = dg_values_unpacker_new (&err);
  struct dg_table bytes = {0};
  unsigned n_bad = 0;

  for (unsigned seed = 0; seed < 20; seed++) {
    struct world w;
    size_t n;

    world_init (&w, 1000 + seed, seed & 1 ? 4 : 8, seed >> 1 & 1);
    for (unsigned i = 0; i < 10; i++)
      add_block (&w, i);
    make_runs (&w, 20);
    pack (&w, packer, &bytes);
    n = bytes.n;
    for (bytes.n = 0; bytes.n < n; bytes.n++)
      g_assert_cmpint (unpack (&w, unpacker, &bytes, false), <, 0);
    for (unsigned k = 0; k < (is_long_test () ? 2000 : 200); k++) {
      uint8_t *byte = (uint8_t *) bytes.items + below (&w, n), old = *byte;

      *byte = g_rand_int (w.rand);
      n_bad += unpack (&w, unpacker, &bytes, false) < 0;
      if (k % 4 != 0)
        *byte = old;
    }
    world_fini (&w);
  }
  g_assert_cmpuint (n_bad, >, 0);
  dg_table_fini (&bytes);
  dg_values_packer_free (packer);
  dg_values_unpacker_free (unpacker);
}

/* ---- Long chunks ---- */

/* A block of one instruction with n entries of that size, all of which come
   as bytes, `stride` apart from word 0 on.  */
static void
add_row (struct world *w, unsigned number, unsigned n, unsigned size,
         unsigned stride, uint8_t kind)
{
  struct dg_program_instr instr = {0x400000, 4};
  struct dg_program_entry entries[ENTRIES_MAX] = {{0}};
  struct dg_program_value values[ENTRIES_MAX] = {{0}};
  struct dg_program_block block = {.n_instrs = 1, .n_entries = n,
                                   .n_words = 1, .instrs = &instr,
                                   .entries = entries, .values = values};
  struct dg_error err = {0};

  for (unsigned i = 0; i < n; i++) {
    entries[i].kind = kind;
    entries[i].size = size;
    entries[i].disp = i * stride;
    values[i].kind = DG_VALUE_BYTES;
  }
  dg_program_add_block (&w->program, &block, &err);
  dg_program_add_variant (&w->program, number, 1, n, 1, &err);
  g_assert_cmpstr (err.message, ==, "");
}

/* Adds a run of a row whose bytes are all of `fill`.  */
static void
add_row_run (struct world *w, uint32_t number, uint64_t word, uint8_t fill)
{
  const struct dg_program_variant *variant = &w->view.variants[number];
  size_t start[3] = {w->words->len, w->bytes->len, w->images->len};
  uint64_t head = (uint64_t) number << DG_RUN_LENGTH_BITS | 2;
  uint8_t bytes[ENTRIES_MAX * DG_VALUE_MAX], known[ENTRIES_MAX];

  memset (bytes, fill, sizeof bytes);
  memset (known, 1, sizeof known);
  g_array_append_vals (w->starts, start, 1);
  g_array_append_val (w->words, head);
  g_array_append_val (w->words, word);
  g_byte_array_append (w->bytes, bytes, variant->value_bytes);
  g_byte_array_append (w->images, bytes, variant->value_bytes);
  g_byte_array_append (w->known, known, variant->n_entries);
}

static size_t
check_long (struct world *w)
{
  struct dg_error err = {0};
  struct dg_values_packer *packer = dg_values_packer_new (1, &err);
  struct dg_values_unpacker *unpacker = dg_values_unpacker_new (&err);
  struct dg_table bytes = {0};
  size_t n;

  pack (w, packer, &bytes);
  g_assert_cmpint (unpack (w, unpacker, &bytes, true), ==, 0);
  n = bytes.n;
  dg_table_fini (&bytes);
  dg_values_packer_free (packer);
  dg_values_unpacker_free (unpacker);
  return n;
}

/* As many accesses as a chunk has, all as wide as can be and foreseen: their
   codes become very few bytes, which must be taken back.  */
static void
test_foreseen (void)
{
  struct world w;

  world_init (&w, 1, 8, false);
  add_row (&w, 0, 16, 64, 64, DG_ACC_READ);
  w.view = dg_program_view (&w.program);
  for (unsigned i = 0; i < 1 << 16; i++)
    add_row_run (&w, 1, 0x10000, 7);
  g_assert_cmpuint (check_long (&w), <, 4096);
  world_fini (&w);
}

/* More lines than the model keeps, twice.  */
static void
test_many_lines (void)
{
  struct world w;

  world_init (&w, 1, 8, false);
  add_row (&w, 0, 16, 8, 64, DG_ACC_WRITE);
  add_row (&w, 1, 16, 8, 64, DG_ACC_READ);
  w.view = dg_program_view (&w.program);
  for (unsigned kind = 1; kind <= 2; kind++)
    for (unsigned i = 0; i < 600000 / 16; i++)
      add_row_run (&w, kind, 0x10000 + 1024 * (uint64_t) i, i);
  check_long (&w);
  world_fini (&w);
}

/* What is stored costs nothing when it is loaded: no more than a code of two
   bits for each.  */
static void
test_loads_of_stores (void)
{
  struct world w;
  size_t stores, both;

  world_init (&w, 1, 8, false);
  add_row (&w, 0, 16, 8, 8, DG_ACC_WRITE);
  add_row (&w, 1, 16, 8, 8, DG_ACC_READ);
  w.view = dg_program_view (&w.program);
  for (unsigned i = 0; i < 2000; i++)
    add_row_run (&w, 1, 0x10000 + 128 * i, i * 7);
  stores = check_long (&w);
  for (unsigned i = 0; i < 2000; i++)
    add_row_run (&w, 2, 0x10000 + 128 * i, i * 7);
  both = check_long (&w);
  g_assert_cmpuint (both, <, stores + 2000 * 16 / 4);
  world_fini (&w);
}

/* Bytes that are more or fewer than those of the runs.  */
static void
test_refused (void)
{
  struct dg_error err = {0};
  struct dg_values_packer *packer = dg_values_packer_new (1, &err);
  uint8_t bytes[256 + DG_VALUE_SLACK] = {0};
  struct world w;

  world_init (&w, 1, 8, false);
  add_row (&w, 0, 16, 8, 8, DG_ACC_WRITE);
  w.view = dg_program_view (&w.program);
  add_row_run (&w, 1, 0x10000, 1);
  for (size_t n = 0; n <= 256; n++) {
    int code;

    dg_values_packer_begin (packer, &w.view, &w.format, &err);
    code = dg_values_packer_runs (packer, (uint64_t *) (void *) w.words->data,
                                  w.words->len, bytes, n, &err);
    g_assert_cmpint (code, ==, n == 128 ? 0 : DG_ERR_DAMAGED);
  }
  dg_values_packer_free (packer);
  world_fini (&w);
}

/* Descriptors that no block may have; each is that of the last entry.  */
static void
test_descriptors (void)
{
  static const struct {
    struct dg_program_value value;
    uint8_t size, kind; /* of the last entry */
    bool is_good;
  } cases[] = {
    {{0, 0, DG_VALUE_BYTES}, 8, DG_ACC_READ, true},
    {{0, 0, DG_VALUE_BYTES}, 64, DG_ACC_WRITE, true},
    {{0, 0, DG_VALUE_BYTES}, 65, DG_ACC_WRITE, false},
    {{0, 0, DG_VALUE_BYTES}, 0, DG_ACC_WRITE, false},
    {{0, 0, DG_VALUE_BYTES}, 0, DG_ACC_SP, false},
    {{0, 0, DG_VALUE_BYTES + 1}, 8, DG_ACC_READ, false},
    {{-1, 0, DG_VALUE_CONSTANT}, 32, DG_ACC_WRITE, true},
    {{1, 2, DG_VALUE_WORD}, 8, DG_ACC_WRITE, true},
    {{1, 2, DG_VALUE_WORD}, 16, DG_ACC_WRITE, false},
    {{1, 3, DG_VALUE_WORD}, 8, DG_ACC_WRITE, false},
    {{1, 0, DG_VALUE_ENTRY}, 4, DG_ACC_WRITE, true},
    {{1, 0, DG_VALUE_ENTRY}, 8, DG_ACC_WRITE, false}, /* it has 4 bytes */
    {{0, 1, DG_VALUE_ENTRY}, 4, DG_ACC_WRITE, false}, /* not known */
    {{0, 2, DG_VALUE_ENTRY}, 16, DG_ACC_WRITE, true},
    {{1, 2, DG_VALUE_ENTRY}, 16, DG_ACC_WRITE, false},
    {{0, 4, DG_VALUE_ENTRY}, 4, DG_ACC_WRITE, false}, /* itself */
    {{0, 5, DG_VALUE_ENTRY}, 4, DG_ACC_WRITE, false},
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    for (unsigned is_part = 0; is_part < 2; is_part++) {
      struct dg_program_instr instr = {0x400000, 4};
      const struct dg_program_entry entries[5] = {
        {.word = 0, .size = 4},
        {.word = 1, .size = 8},
        {.word = 1, .size = 16},
        {.word = 1, .size = is_part ? 255 : 8, .kind = cases[i].kind},
        {.word = DG_PROGRAM_NO_WORD, .disp = 8, .size = cases[i].size,
         .kind = cases[i].kind}};
      const struct dg_program_value values[5] = {
        {.kind = DG_VALUE_BYTES}, {0}, {.kind = DG_VALUE_BYTES}, {0},
        cases[i].value};
      const struct dg_program_block block = {1, 5, 3, &instr, entries, values};
      bool is_good = cases[i].is_good && !is_part;
      struct dg_error err = {0};
      struct world w;

      world_init (&w, 1, 8, false);
      if (is_part && cases[i].kind == DG_ACC_SP) {
        world_fini (&w);
        continue;
      }
      g_assert_cmpint (dg_program_add_block (&w.program, &block, &err), ==,
                       is_good ? 0 : DG_ERR_DAMAGED);
      /* A variant must have the words that values need.  */
      if (is_good && cases[i].value.kind == DG_VALUE_WORD)
        for (unsigned n = 2; n <= 3; n++)
          g_assert_cmpint (
            dg_program_add_variant (&w.program, 0, 1, 5, n, &err), ==,
            n == 2 ? DG_ERR_DAMAGED : 0);
      world_fini (&w);
    }
}

/* A payload with the values of more runs than there are.  */
static void
test_left_over (void)
{
  struct dg_error err = {0};
  struct dg_values_packer *packer = dg_values_packer_new (1, &err);
  struct dg_values_unpacker *unpacker = dg_values_unpacker_new (&err);

  for (unsigned kind = 0; kind < 2; kind++)
    for (unsigned n = 1; n <= 9; n++) {
      struct dg_table bytes = {0};
      struct world w;

      world_init (&w, 1, 8, false);
      add_row (&w, 0, n, 8, 8, kind ? DG_ACC_READ : DG_ACC_WRITE);
      w.view = dg_program_view (&w.program);
      for (unsigned i = 0; i < 5; i++)
        add_row_run (&w, 1, 0x10000, i + 1);
      pack (&w, packer, &bytes);
      g_assert_cmpint (unpack (&w, unpacker, &bytes, true), ==, 0);
      g_array_set_size (w.starts, 4);
      g_assert_cmpint (unpack (&w, unpacker, &bytes, false), ==,
                       DG_ERR_DAMAGED);
      dg_table_fini (&bytes);
      world_fini (&w);
    }
  dg_values_packer_free (packer);
  dg_values_unpacker_free (unpacker);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/values/random", test_random);
  g_test_add_func ("/values/hostile", test_hostile);
  g_test_add_func ("/values/foreseen", test_foreseen);
  g_test_add_func ("/values/many-lines", test_many_lines);
  g_test_add_func ("/values/loads-of-stores", test_loads_of_stores);
  g_test_add_func ("/values/refused", test_refused);
  g_test_add_func ("/values/descriptors", test_descriptors);
  g_test_add_func ("/values/left-over", test_left_over);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
