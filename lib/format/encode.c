/* encode.c: numbers -> the bytes of records that the library itself makes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "encode.h"

#include <glib.h>
#include <string.h>

uint8_t *
dg_encode_grow (struct dg_table *bytes, size_t n)
{
  if (n > G_MAXSIZE / 4 - bytes->n
      || dg_table_reserve (bytes, 1, bytes->n + n + bytes->n / 2) < 0)
    return NULL;
  return (uint8_t *) bytes->items + bytes->n;
}

int
dg_encode_bytes (struct dg_table *bytes, const void *from, size_t n)
{
  uint8_t *at = dg_encode_room (bytes, n);

  if (!at)
    return DG_ERR_NOMEM;
  if (n > 0)
    memcpy (at, from, n);
  bytes->n += n;
  return 0;
}

/* ---- Numbers ---- */

static inline uint8_t *
put_quad (uint8_t *at, uint64_t value, bool swap)
{
  if (swap)
    value = __builtin_bswap64 (value);
  memcpy (at, &value, 8);
  return at + 8;
}

static inline uint8_t *
put_word (uint8_t *at, uint64_t value, unsigned word_size, bool swap)
{
  uint32_t half = value;

  if (word_size == 8)
    return put_quad (at, value, swap);
  if (swap)
    half = __builtin_bswap32 (half);
  memcpy (at, &half, 4);
  return at + 4;
}

static inline uint8_t *
put_head (uint8_t *at, uint8_t type, uint64_t length, bool is_long, bool swap)
{
  *at++ = type;
  if (!is_long && length < DG_LENGTH_EXTENDED) {
    *at++ = length;
    return at;
  }
  *at++ = DG_LENGTH_EXTENDED;
  return put_quad (at, length, swap);
}

void
dg_encode_quad_at (uint8_t *at, const struct dg_format *format, uint64_t value)
{
  put_quad (at, value, format->swap);
}

void
dg_encode_header (const struct dg_format *format, uint8_t *at)
{
  *at++ = DG_R_HEADER;
  *at++ = DG_HEADER_SIZE - 2;
  memcpy (at, DG_SIGNATURE, DG_SIGNATURE_SIZE);
  at += DG_SIGNATURE_SIZE;
  *at++ = DG_VERSION;
  *at++ = format->big_endian ? DG_ENDIAN_BIG : DG_ENDIAN_LITTLE;
  *at++ = format->word_size;
}

/* ---- Records ---- */

/* A record's head, with room for its payload behind it.  */
static uint8_t *
begin (struct dg_table *bytes, const struct dg_format *format, uint8_t type,
       size_t length, bool is_long)
{
  uint8_t *at = dg_encode_room (bytes, DG_HEAD_MAX + length);

  return at ? put_head (at, type, length, is_long, format->swap) : NULL;
}

static int
finish (struct dg_table *bytes, const uint8_t *end)
{
  bytes->n = end - (uint8_t *) bytes->items;
  return 0;
}

int
dg_encode_payload (struct dg_table *bytes, const struct dg_format *format,
                   uint8_t type, const void *payload, size_t n)
{
  uint8_t *at = dg_encode_room (bytes, DG_HEAD_MAX + n);

  if (!at)
    return DG_ERR_NOMEM;
  if (type < 128)
    at = put_head (at, type, n, false, format->swap);
  else
    *at++ = type;
  if (n > 0)
    memcpy (at, payload, n);
  return finish (bytes, at + n);
}

/* Entry number i of a block, whose entries begin at `at`.  */
static void
put_entry (uint8_t *at, unsigned i, uint8_t kind, uint8_t size, uint8_t iseq)
{
  at += 3 * i;
  at[0] = kind;
  at[1] = size;
  at[2] = iseq;
}

int
dg_encode_bbdef (struct dg_table *bytes, const struct dg_format *format,
                 const struct dg_bbdef *bbdef, bool is_long)
{
  const unsigned word_size = format->word_size;
  size_t length = 1 + word_size + bbdef->n_instrs * (word_size + 1u)
                  + 3 * (size_t) bbdef->n_entries;
  uint8_t *at = begin (bytes, format, DG_R_BBDEF, length, is_long);

  if (!at)
    return DG_ERR_NOMEM;
  *at++ = bbdef->n_instrs;
  at = put_word (at, bbdef->n_entries, word_size, format->swap);
  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    at = put_word (at, bbdef->instrs[i].address, word_size, format->swap);
    *at++ = bbdef->instrs[i].size;
  }
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    unsigned left = slot->size;

    /* In parts of 255 bytes; one of less, or nothing, is the last.  */
    for (unsigned k = slot->entry; k < dg_slot_end (slot); k++, left -= 255)
      put_entry (at, k, slot->kind, MIN (left, 255), slot->iseq);
  }
  for (unsigned i = 0; i < bbdef->n_sps; i++)
    put_entry (at, bbdef->sps[i].entry, DG_ACC_SP, 0, bbdef->sps[i].iseq);
  return finish (bytes, at + 3 * (size_t) bbdef->n_entries);
}

int
dg_encode_context (struct dg_table *bytes, const struct dg_format *format,
                   uint32_t bbdef, const uint64_t *stack, unsigned n_stack,
                   bool is_long)
{
  const unsigned word_size = format->word_size;
  size_t length = word_size * (n_stack + 1) + 1;
  uint8_t *at = begin (bytes, format, DG_R_CONTEXT, length, is_long);

  if (!at)
    return DG_ERR_NOMEM;
  at = put_word (at, bbdef, word_size, format->swap);
  *at++ = n_stack;
  for (unsigned i = 0; i < n_stack; i++)
    at = put_word (at, stack[i], word_size, format->swap);
  return finish (bytes, at);
}

int
dg_encode_quads (struct dg_table *bytes, const struct dg_format *format,
                 uint8_t type, const uint8_t *first, unsigned n_first,
                 const uint64_t *quads, unsigned n_quads)
{
  uint8_t *at = begin (bytes, format, type, n_first + 8 * n_quads, false);

  if (!at)
    return DG_ERR_NOMEM;
  for (unsigned i = 0; i < n_first; i++)
    *at++ = first[i];
  for (unsigned i = 0; i < n_quads; i++)
    at = put_quad (at, quads[i], format->swap);
  return finish (bytes, at);
}

/* ---- Any record ---- */

/* Fields on their way into a payload.  */
struct source {
  const uint64_t *words, *words_end;
  const char **strings, **strings_end;
};

static int
put_numbers (struct dg_table *bytes, const struct dg_format *format,
             struct source *source, uint64_t n, unsigned size)
{
  uint8_t *at;

  g_assert (n <= (uint64_t) (source->words_end - source->words));
  at = dg_encode_room (bytes, n * size);
  if (!at)
    return DG_ERR_NOMEM;
  for (; n > 0; n--) {
    if (size == 1)
      *at++ = *source->words++;
    else
      at = put_word (at, *source->words++, size, format->swap);
  }
  return finish (bytes, at);
}

static int
put_strings (struct dg_table *bytes, struct source *source, uint64_t n)
{
  int code = 0;

  g_assert (n <= (uint64_t) (source->strings_end - source->strings));
  for (; n > 0 && code == 0; n--, source->strings++)
    code = dg_encode_bytes (bytes, *source->strings,
                            strlen (*source->strings) + 1);
  return code;
}

static int
put_field (struct dg_table *bytes, const struct dg_format *format,
           struct source *source, char field)
{
  const unsigned word_size = format->word_size;
  unsigned count_size
    = field == '*' || field == '$' || field == '&' ? word_size : 1;
  uint64_t n = source->words < source->words_end ? *source->words : 0;
  int code;

  switch (field) {
  case 'b': return put_numbers (bytes, format, source, 1, 1);
  case 'w': return put_numbers (bytes, format, source, 1, word_size);
  case 'q': return put_numbers (bytes, format, source, 1, 8);
  case 's': return put_strings (bytes, source, 1);
  case 'M': return dg_encode_bytes (bytes, DG_END_MAGIC, 8);
  default: break;
  }
  code = put_numbers (bytes, format, source, 1, count_size);
  if (code < 0)
    return code;
  if (field == '$')
    return put_strings (bytes, source, n);
  return put_numbers (bytes, format, source, n,
                      field == '%' || field == '&' ? 1 : word_size);
}

int
dg_encode_fields (struct dg_table *bytes, const struct dg_format *format,
                  uint8_t type, const struct dg_fields *fields)
{
  struct source source = { fields->words, fields->words, fields->strings,
                           fields->strings };
  size_t start = bytes->n, length;
  uint8_t head[DG_HEAD_MAX], *end;
  int code = 0;

  if (fields->n_words > 0)
    source.words_end += fields->n_words;
  if (fields->n_strings > 0)
    source.strings_end += fields->n_strings;
  for (const char *f = dg_decode_layout (type); *f && code == 0; f++)
    code = put_field (bytes, format, &source, *f);
  if (code == 0 && fields->n_behind > 0)
    code = dg_encode_bytes (bytes, fields->behind, fields->n_behind);
  /* The head is as long as the payload makes it.  */
  length = bytes->n - start;
  end = put_head (head, type, length, false, format->swap);
  if (code < 0 || !dg_encode_room (bytes, end - head))
    return DG_ERR_NOMEM;
  memmove ((uint8_t *) bytes->items + start + (end - head),
           (uint8_t *) bytes->items + start, length);
  memcpy ((uint8_t *) bytes->items + start, head, end - head);
  bytes->n += end - head;
  return 0;
}

/* ---- Runs ---- */

/* dg_encode_run for one word size and byte order.  */
static inline __attribute__ ((always_inline)) uint8_t *
put_run (uint8_t *at, uint32_t context, unsigned n_instrs,
         const uint64_t *addresses, unsigned n, bool is_long,
         const unsigned word_size, const bool swap)
{
  at = put_head (at, DG_R_BBRUN, word_size + 1 + n * (size_t) word_size,
                 is_long, swap);
  at = put_word (at, context, word_size, swap);
  *at++ = n_instrs;
  for (unsigned i = 0; i < n; i++)
    at = put_word (at, addresses[i], word_size, swap);
  return at;
}

uint8_t *
dg_encode_run (uint8_t *at, const struct dg_format *format, uint32_t context,
               unsigned n_instrs, const uint64_t *addresses, unsigned n,
               bool is_long)
{
  if (format->word_size == 8)
    return format->swap ? put_run (at, context, n_instrs, addresses, n,
                                   is_long, 8, true)
                        : put_run (at, context, n_instrs, addresses, n,
                                   is_long, 8, false);
  return format->swap ? put_run (at, context, n_instrs, addresses, n, is_long,
                                 4, true)
                      : put_run (at, context, n_instrs, addresses, n, is_long,
                                 4, false);
}
