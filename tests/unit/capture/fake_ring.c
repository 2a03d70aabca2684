/* fake_ring.c: the recorder's side of a ring, for tests of the packer's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "fake_ring.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core_test.h"
#include "format/decode.h"

#define TRIES 600000       /* ms, if nothing else happens */

struct fake_ring *
fake_ring_open (const char *directory, uint64_t pid)
{
  char *name = g_strdup_printf ("%s/%" PRIu64 ".ring", directory, pid);
  struct dg_ring_header header;
  struct fake_ring *ring = NULL;
  void *memory;
  int fd = -1;

  for (int i = 0; i < TRIES && fd < 0; i++) {
    fd = open (name, O_RDWR);
    if (fd < 0)
      g_usleep (1000);
  }
  if (fd >= 0) {
    g_assert_cmpint (read (fd, &header, sizeof header), ==, sizeof header);
    g_assert_cmpmem (header.magic, 8, DG_RING_MAGIC, 8);
    g_assert_cmpuint (header.version, ==, DG_RING_VERSION);
    g_assert_cmpuint (lseek (fd, 0, SEEK_END), ==,
                      header.header_size + header.data_size);
    memory = mmap (NULL, header.header_size + header.data_size,
                   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    g_assert_true (memory != MAP_FAILED);
    close (fd);
    g_assert_cmpint (g_unlink (name), ==, 0);
    ring = g_new0 (struct fake_ring, 1);
    ring->header = memory;
    ring->data = (uint8_t *) memory + header.header_size;
    ring->word_size = 8;
    ring->header->pid = pid;
    __atomic_store_n (&ring->header->attached, 1, __ATOMIC_RELEASE);
  }
  g_free (name);
  return ring;
}

void
fake_ring_free (struct fake_ring *ring)
{
  munmap (ring->header, ring->header->header_size + ring->header->data_size);
  g_free (ring);
}

void
fake_ring_tell (struct fake_ring *ring)
{
  __atomic_store_n (&ring->header->head, ring->head, __ATOMIC_RELEASE);
}

/* Until there is room for so many units, or the packer wants no more.  */
static bool
wait_for_room (struct fake_ring *ring, uint32_t units)
{
  uint32_t all = ring->header->data_size / DG_RING_UNIT;

  for (int i = 0; i < TRIES * 2; i++) {
    uint32_t tail = __atomic_load_n (&ring->header->tail, __ATOMIC_ACQUIRE);

    if (__atomic_load_n (&ring->header->stop, __ATOMIC_ACQUIRE) != 0) {
      ring->is_stopped = true;
      return false;
    }
    if (all - (ring->head - tail) >= units)
      return true;
    fake_ring_tell (ring);
    ring->header->waits++;
    g_usleep (500);
  }
  g_error ("the packer does not read its ring");
}

static uint8_t *
place (struct fake_ring *ring)
{
  uint32_t all = ring->header->data_size / DG_RING_UNIT;

  return ring->data + (size_t) (ring->head % all) * DG_RING_UNIT;
}

/* Numbers as the program has them.  */

static uint16_t
half (const struct fake_ring *ring, uint16_t n)
{
  return ring->swap ? GUINT16_SWAP_LE_BE (n) : n;
}

static uint32_t
number (const struct fake_ring *ring, uint32_t n)
{
  return ring->swap ? GUINT32_SWAP_LE_BE (n) : n;
}

static uint64_t
quad (const struct fake_ring *ring, uint64_t n)
{
  return ring->swap ? GUINT64_SWAP_LE_BE (n) : n;
}

static void
put_head (struct fake_ring *ring, uint32_t kind, uint32_t size)
{
  const struct dg_ring_message head = { number (ring, kind),
                                        number (ring, size) };

  memcpy (place (ring), &head, sizeof head);
}

void
fake_ring_put (struct fake_ring *ring, uint32_t kind, const void *payload,
               size_t size)
{
  uint32_t all = ring->header->data_size / DG_RING_UNIT;
  uint32_t units = 1 + (size + 7) / 8, left = all - ring->head % all;

  if (ring->is_stopped)
    return;
  if (left < units) {
    if (!wait_for_room (ring, left))
      return;
    put_head (ring, DG_RING_PAD, (left - 1) * 8);
    ring->head += left;
  }
  if (!wait_for_room (ring, units))
    return;
  put_head (ring, kind, size);
  if (size > 0)
    memcpy (place (ring) + 8, payload, size);
  ring->head += units;
  fake_ring_tell (ring);
}

void
fake_ring_close (struct fake_ring *ring)
{
  fake_ring_tell (ring);
  __atomic_store_n (&ring->header->closed, 1, __ATOMIC_RELEASE);
}

/* ---- Logs ---- */

/* What has been sent of a log.  */
struct sending {
  struct fake_ring *ring;
  GArray *blocks;          /* uint32_t: entries of each */
  GArray *contexts;        /* uint64_t: block << 32 | node */
  GHashTable *variants;    /* "block n_instrs n_entries" -> number */
  uint32_t n_nodes, n_variants;
  uint64_t icount;
};

static void
send_block (struct sending *s, const struct dg_fields *fields)
{
  const uint64_t *words = fields->words;
  uint32_t n_instrs = words[0], n_entries = words[1];
  struct dg_ring_block block = { number (s->ring, n_instrs),
                                 number (s->ring, n_entries),
                                 number (s->ring, n_entries), 0 };
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (uint8_t *) &block, sizeof block);
  words += 2;
  for (uint32_t i = 0; i < n_instrs; i++, words += 2) {
    struct dg_ring_instr instr = { quad (s->ring, words[0]),
                                   number (s->ring, words[1]), 0 };

    g_byte_array_append (bytes, (uint8_t *) &instr, sizeof instr);
  }
  for (uint32_t i = 0; i < n_entries; i++, words += 3) {
    struct dg_ring_entry entry = { .word = half (s->ring, i),
                                   .kind = words[0],
                                   .size = words[1], .iseq = words[2],
                                   .guarded = 1 };

    g_byte_array_append (bytes, (uint8_t *) &entry, sizeof entry);
  }
  fake_ring_put (s->ring, DG_RING_BLOCK, bytes->data, bytes->len);
  g_array_append_val (s->blocks, n_entries);
  g_byte_array_unref (bytes);
}

static void
send_context (struct sending *s, const struct dg_fields *fields)
{
  uint64_t context = fields->words[0] << 32;
  uint32_t node = 0;

  for (uint32_t i = fields->n_words - 1; i > 2; i--) {
    struct dg_ring_node in = { quad (s->ring, fields->words[i]),
                               number (s->ring, node), 0 };

    fake_ring_put (s->ring, DG_RING_NODES, &in, sizeof in);
    node = ++s->n_nodes;
  }
  context |= node;
  g_array_append_val (s->contexts, context);
}

static uint32_t
variant_of (struct sending *s, uint32_t block, uint32_t n_instrs,
            uint32_t n_entries)
{
  char *key = g_strdup_printf ("%u %u %u", block, n_instrs, n_entries);
  uint32_t found = GPOINTER_TO_UINT (g_hash_table_lookup (s->variants, key));
  struct dg_ring_variant in = { number (s->ring, block),
                                number (s->ring, n_instrs),
                                number (s->ring, n_entries),
                                number (s->ring, n_entries) };

  if (found > 0) {
    g_free (key);
    return found;
  }
  fake_ring_put (s->ring, DG_RING_VARIANTS, &in, sizeof in);
  found = ++s->n_variants;
  g_hash_table_insert (s->variants, key, GUINT_TO_POINTER (found));
  return found;
}

static void
send_run (struct sending *s, const struct dg_fields *fields)
{
  uint64_t context = g_array_index (s->contexts, uint64_t, fields->words[0]);
  uint32_t n = fields->n_words - 2;
  uint32_t variant = variant_of (s, context >> 32, fields->words[1], n);
  GByteArray *bytes = g_byte_array_new ();
  unsigned heads = s->ring->word_size == 8 ? 1 : 2;
  uint32_t run = variant << 5 | (n + heads <= 31 ? n + heads : 0);

  s->icount += fields->words[1];
  if (s->ring->word_size == 8) {
    uint64_t head = quad (s->ring, context << 32 | run);

    g_byte_array_append (bytes, (uint8_t *) &head, 8);
    for (uint32_t i = 0; i < n; i++) {
      uint64_t word = quad (s->ring, fields->words[2 + i]);

      g_byte_array_append (bytes, (uint8_t *) &word, 8);
    }
  } else {
    uint32_t head[2] = { number (s->ring, run),
                         number (s->ring, (uint32_t) context) };

    g_byte_array_append (bytes, (uint8_t *) head, 8);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t word = number (s->ring, (uint32_t) fields->words[2 + i]);

      g_byte_array_append (bytes, (uint8_t *) &word, 4);
    }
  }
  fake_ring_put (s->ring, DG_RING_RUNS, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

/* Instructions that are not recorded, before a record that tells icount.  */
static void
send_skip (struct sending *s, uint64_t icount)
{
  uint64_t n = quad (s->ring, icount - s->icount);

  if (n > 0)
    fake_ring_put (s->ring, DG_RING_SKIP, &n, sizeof n);
  s->icount = icount;
}

/* What the recorder does not know is 0.  */
static void
send_record (struct sending *s, const uint8_t *record, size_t size,
             const struct dg_fields *fields)
{
  uint8_t *copy = g_memdup2 (record, size);

  if (record[0] == DG_R_WINDOW)
    send_skip (s, fields->words[2]);
  else if (record[0] == DG_R_END)
    send_skip (s, fields->words[3]);
  if (record[0] == DG_R_WINDOW)
    memset (copy + 4, 0, 8);
  if (record[0] == DG_R_END)
    memset (copy + 4, 0, 8 * 8);
  fake_ring_put (s->ring, DG_RING_RECORD, copy, size);
  g_free (copy);
}

/* While recording is off, the recorder sends a skip before whatever record
   comes next, which may be long before the one that tells icount.  Returns
   what that will be.  */
static uint64_t
next_icount (const GByteArray *log, const struct dg_format *format, size_t at)
{
  struct dg_fields fields = { 0 };
  uint64_t icount = 0;

  while (at < log->len && icount == 0) {
    const uint8_t *record = log->data + at;
    struct dg_head head;

    g_assert_true (dg_decode_head (format, record, log->len - at, &head));
    at += head.size + head.length;
    if (head.type != DG_R_WINDOW && head.type != DG_R_END)
      continue;
    g_assert_cmpint (dg_decode_fields (format, &head, record + head.size, 0,
                                       &fields, NULL), ==, 0);
    icount = fields.words[head.type == DG_R_WINDOW ? 2 : 3];
  }
  dg_fields_fini (&fields);
  return icount;
}

void
fake_ring_put_log (struct fake_ring *ring, const GByteArray *log)
{
  struct sending s = { .ring = ring };
  struct dg_fields fields = { 0 };
  struct dg_format format;
  size_t at = DG_HEADER_SIZE;

  g_assert_cmpint (dg_decode_header (log->data, log->len, &format, NULL), ==,
                   0);
  ring->word_size = ring->header->word_size = format.word_size;
  ring->swap = format.swap;
  ring->header->order = number (ring, DG_RING_ORDER);
  s.blocks = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  s.contexts = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  s.variants = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fake_ring_put (ring, DG_RING_RECORD, log->data, DG_HEADER_SIZE);
  while (at < log->len) {
    const uint8_t *record = log->data + at;
    struct dg_head head;

    g_assert_true (dg_decode_head (&format, record, log->len - at, &head));
    if (dg_decode_is_known (head.type))
      g_assert_cmpint (dg_decode_fields (&format, &head, record + head.size,
                                         0, &fields, NULL), ==, 0);
    at += head.size + head.length;
    if (head.type == DG_R_BBDEF)
      send_block (&s, &fields);
    else if (head.type == DG_R_CONTEXT)
      send_context (&s, &fields);
    else if (head.type == DG_R_BBRUN)
      send_run (&s, &fields);
    else if (head.type != DG_R_CHUNK)
      send_record (&s, record, head.size + head.length, &fields);
    if (head.type == DG_R_WINDOW && fields.words[0] == 0) {
      uint64_t next = next_icount (log, &format, at);

      if (next > s.icount)
        send_skip (&s, next);
    }
  }
  dg_fields_fini (&fields);
  g_array_unref (s.blocks);
  g_array_unref (s.contexts);
  g_hash_table_destroy (s.variants);
}

void
fake_ring_put_text (struct fake_ring *ring, const char *text,
                    unsigned word_size)
{
  GByteArray *log = core_test_assemble (text, word_size,
                                        G_BYTE_ORDER == G_BIG_ENDIAN);

  fake_ring_put_log (ring, log);
  g_byte_array_unref (log);
}
