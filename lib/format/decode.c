/* decode.c: which record types there are; their bytes -> numbers, strings.
   Runs are in decode_runs.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "decode.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/table.h"

/* The fields of each record type in their order:
     b byte   w word   q quad   s string
     * word n, n words          # byte n, n words
     % byte n, n bytes          $ word n, n strings
     & word n, n bytes          = bytes up to the end
     + words up to the end      M the end record's magic
     B the arrays of a BBDEF, after its n_instrs and n_accesses
   NULL: a type that is reserved.  */
static const struct {
  const char *name, *fields;
} record_types[] = {
  [DG_R_HEADER] = { "HEADER", NULL },
  [DG_R_READ] = { "READ", NULL },
  [DG_R_WRITE] = { "WRITE", NULL },
  [DG_R_TRACK_RANGE] = { "TRACK_RANGE", "wwss" },
  [DG_R_UNTRACK_RANGE] = { "UNTRACK_RANGE", "ww" },
  [DG_R_START_EVENT] = { "START_EVENT", "s" },
  [DG_R_END_EVENT] = { "END_EVENT", "s" },
  [DG_R_INSTR] = { "INSTR", NULL },
  [DG_R_TEXT_AVMA] = { "TEXT_AVMA", "ws" },
  [DG_R_MALLOC_BLOCK] = { "MALLOC_BLOCK", "ww*" },
  [DG_R_FREE_BLOCK] = { "FREE_BLOCK", "w" },
  [DG_R_BBDEF] = { "BBDEF", "bwB" },
  [DG_R_BBRUN] = { "BBRUN", "wb+" },
  [DG_R_CONTEXT] = { "CONTEXT", "w#" },
  [DG_R_PROCESS] = { "PROCESS", "wwqqwwbbsssss$" },
  [DG_R_THREAD_SWITCH] = { "THREAD_SWITCH", "w" },
  [DG_R_THREAD_START] = { "THREAD_START", "www" },
  [DG_R_THREAD_EXIT] = { "THREAD_EXIT", "w" },
  [DG_R_THREAD_NAME] = { "THREAD_NAME", "ws" },
  [DG_R_HEAP_ALLOC] = { "HEAP_ALLOC", "qwbwww" },
  [DG_R_HEAP_FREE] = { "HEAP_FREE", "qwb*" },
  [DG_R_MODULE] = { "MODULE", "www%s" },
  [DG_R_MODULE_UNLOAD] = { "MODULE_UNLOAD", "w" },
  [DG_R_MAP] = { "MAP", "wwbbqs" },
  [DG_R_UNMAP] = { "UNMAP", "ww" },
  [DG_R_STACK] = { "STACK", "www" },
  [DG_R_CLOCK] = { "CLOCK", "q" },
  [DG_R_KERNEL_ACCESS] = { "KERNEL_ACCESS", "bwww" },
  [DG_R_WINDOW] = { "WINDOW", "bbq" },
  [DG_R_SIGNAL] = { "SIGNAL", "wwb" },
  [DG_R_FORK] = { "FORK", "w" },
  [DG_R_CHUNK] = { "CHUNK", "qqqqqqqqq" },
  [DG_R_END] = { "END", "bbqqqqqqqqqqqqM" },
  [DG_R_MAP_STACK] = { "MAP_STACK", "w*" },
  [DG_R_POOL] = { "POOL", "bww" },
  [DG_R_POOL_BLOCK] = { "POOL_BLOCK", "w" },
  [DG_R_STACK_POINTER] = { "STACK_POINTER", "wwb" },
  [DG_R_THREAD_RUNS] = { "THREAD_RUNS", "ww" },
  [DG_R_THREAD_JOIN] = { "THREAD_JOIN", "ww" },
  [DG_R_MEET] = { "MEET", "bbwwwq" },
  [DG_R_BBFLOW] = { "BBFLOW", "wbw&" },
  [DG_R_BBCODE] = { "BBCODE", "wbw&" },
  [DG_R_CODE] = { "CODE", "wwwbsss*" },
  [DG_R_THREAD_LOCAL] = { "THREAD_LOCAL", "wwwww" },
  [DG_R_UNDECODED] = { "UNDECODED", "wws%" },
  [DG_R_RUN_VALUES] = { "RUN_VALUES", "b=" },
};

const char *
dg_record_name (uint8_t type)
{
  return type < G_N_ELEMENTS (record_types) ? record_types[type].name : NULL;
}

bool
dg_decode_is_known (uint8_t type)
{
  return type < G_N_ELEMENTS (record_types) && record_types[type].fields;
}

const char *
dg_decode_layout (uint8_t type)
{
  return type < G_N_ELEMENTS (record_types) ? record_types[type].fields : NULL;
}

/* ---- Header and heads ---- */

int
dg_decode_header (const uint8_t *bytes, size_t n, struct dg_format *format,
                  struct dg_error *err)
{
  const uint8_t *fields = bytes + 2 + DG_SIGNATURE_SIZE;
  size_t signature = DG_SIGNATURE_SIZE;

  if (n == 0)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0, "the file is empty");
  if (n < 2 + signature || bytes[0] != DG_R_HEADER
      || memcmp (bytes + 2, DG_SIGNATURE, signature) != 0)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "this is not a Datagrind log: no signature");
  if (n < DG_HEADER_SIZE)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "the log ends within its header");
  if (bytes[1] != DG_HEADER_SIZE - 2)
    return dg_error_at (err, DG_ERR_VERSION, 0,
                        "the header has %u bytes, but version 1 has %u",
                        bytes[1], DG_HEADER_SIZE - 2);
  if (fields[0] != DG_VERSION)
    return dg_error_at (err, DG_ERR_VERSION, 0,
                        "log version %u: only version %u can be read",
                        fields[0], DG_VERSION);
  if (fields[1] != DG_ENDIAN_LITTLE && fields[1] != DG_ENDIAN_BIG)
    return dg_error_at (err, DG_ERR_VERSION, 0, "unknown byte order %u",
                        fields[1]);
  if (fields[2] != 4 && fields[2] != 8)
    return dg_error_at (err, DG_ERR_VERSION, 0,
                        "words of %u bytes: only 4 and 8 can be read",
                        fields[2]);
  format->big_endian = fields[1] == DG_ENDIAN_BIG;
  format->swap = format->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  format->word_size = fields[2];
  return 0;
}

bool
dg_decode_head (const struct dg_format *format, const uint8_t *bytes, size_t n,
                struct dg_head *head)
{
  if (n < 2)
    return false;
  head->type = bytes[0];
  if (head->type >= 128) {
    head->size = 1;
    head->length = 1;
  } else if (bytes[1] != DG_LENGTH_EXTENDED) {
    head->size = 2;
    head->length = bytes[1];
  } else {
    if (n < DG_HEAD_MAX)
      return false;
    head->size = DG_HEAD_MAX;
    head->length = dg_load_quad (bytes + 2, format->swap);
  }
  return true;
}

/* ---- Fields ---- */

void
dg_fields_fini (struct dg_fields *fields)
{
  g_free (fields->words);
  g_free (fields->strings);
  memset (fields, 0, sizeof *fields);
}

/* A record being taken apart.  */
struct cursor {
  const struct dg_format *format;
  const uint8_t *at, *end;
  struct dg_fields *fields;
  uint8_t type;
  uint64_t offset;
  struct dg_error *err;
};

static int __attribute__ ((cold))
too_short (struct cursor *c)
{
  return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                      "%s is too short for its fields",
                      dg_record_name (c->type));
}

/* Words of a short record at most: each takes at least a byte.  */
#define PLAIN_MAX ((size_t) DG_LENGTH_EXTENDED - 1)

/* Room for n more words; the caller has checked that the payload holds as
   many fields.  */
static int
more_words (struct cursor *c, size_t n)
{
  struct dg_fields *f = c->fields;
  size_t need = MAX (f->n_words + n, PLAIN_MAX);
  uint64_t *words;

  if (need <= f->words_room)
    return 0;
  if (need > UINT32_MAX)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "%s has %zu fields", dg_record_name (c->type), need);
  words = g_try_realloc_n (f->words, need, sizeof *words);
  if (!words)
    return dg_error_nomem (c->err);
  f->words = words;
  f->words_room = need;
  return 0;
}

/* n numbers of `size` bytes each.  */
static int
take_numbers (struct cursor *c, uint64_t n, unsigned size)
{
  bool swap = c->format->swap;
  uint64_t *out;
  int code;

  if (n > (uint64_t) (c->end - c->at) / size)
    return too_short (c);
  code = more_words (c, n);
  if (code < 0)
    return code;
  out = c->fields->words + c->fields->n_words;
  for (size_t i = 0; i < n; i++, c->at += size)
    out[i] = size == 1 ? *c->at : dg_load_word (c->at, size, swap);
  c->fields->n_words += n;
  return 0;
}

/* A number of `count_size` bytes, then as many of `size` bytes.  */
static int
take_counted (struct cursor *c, unsigned count_size, unsigned size)
{
  int code = take_numbers (c, 1, count_size);

  if (code < 0)
    return code;
  return take_numbers (c, c->fields->words[c->fields->n_words - 1], size);
}

static int
take_string (struct cursor *c)
{
  struct dg_fields *f = c->fields;
  const uint8_t *nul = NULL;

  if (c->at < c->end)
    nul = memchr (c->at, 0, c->end - c->at);
  if (!nul)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "a string of %s is not terminated",
                        dg_record_name (c->type));
  if (f->n_strings == UINT32_MAX)
    return too_short (c);
  if (!DG_ARRAY_ROOM (f->strings, f->strings_room, f->n_strings))
    return dg_error_nomem (c->err);
  f->strings[f->n_strings++] = (const char *) c->at;
  c->at = nul + 1;
  return 0;
}

static int
take_strings (struct cursor *c)
{
  int code = take_numbers (c, 1, c->format->word_size);
  uint64_t n;

  if (code < 0)
    return code;
  n = c->fields->words[c->fields->n_words - 1];
  if (n > (uint64_t) (c->end - c->at))
    return too_short (c);
  while (n-- > 0 && code == 0)
    code = take_string (c);
  return code;
}

static int
take_bytes (struct cursor *c)
{
  return take_numbers (c, c->end - c->at, 1);
}

static int
take_magic (struct cursor *c)
{
  if (c->end - c->at < 8)
    return too_short (c);
  if (memcmp (c->at, DG_END_MAGIC, 8) != 0)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "END does not finish with its magic number");
  c->at += 8;
  return 0;
}

/* The accesses of a block: kinds, instructions, and chains of sizes.  */
static int
check_accesses (struct cursor *c, const uint64_t *access, uint64_t n,
                uint64_t n_instrs)
{
  uint64_t last = 0, chain = 0;

  for (uint64_t i = 0; i < n; i++, access += 3) {
    uint64_t kind = access[0], size = access[1], iseq = access[2];

    if (kind != DG_ACC_READ && kind != DG_ACC_WRITE && kind != DG_ACC_SP)
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " is of kind %" PRIu64, i,
                          kind);
    if (iseq >= n_instrs)
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " is of instruction %"
                          PRIu64 ", but there are only %" PRIu64, i, iseq,
                          n_instrs);
    if (iseq < last)
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " is of instruction %"
                          PRIu64 " after one of %" PRIu64, i, iseq, last);
    if (chain > 0 && (kind != access[-3] || iseq != last))
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " does not continue the "
                          "one before it", i);
    if (kind == DG_ACC_SP && size > 0)
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " is a stack pointer of %"
                          PRIu64 " bytes", i, size);
    chain = size == 255 ? chain + size : 0;
    if (chain + 255 > UINT16_MAX)
      return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                          "BBDEF access %" PRIu64 " has %" PRIu64
                          " bytes or more", i, chain);
    last = iseq;
  }
  if (chain > 0)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "the last access of BBDEF continues past its end");
  return 0;
}

/* The arrays of a BBDEF, whose n_instrs and n_accesses have been taken.  */
static int
take_block (struct cursor *c)
{
  uint64_t n_instrs = c->fields->words[0];
  uint64_t n_accesses = c->fields->words[1];
  uint64_t left = c->end - c->at;
  unsigned word_size = c->format->word_size;
  int code = 0;

  if (left < n_instrs * (word_size + 1)
      || n_accesses > (left - n_instrs * (word_size + 1)) / 3)
    return too_short (c);
  if (n_accesses > DG_ENTRIES_MAX)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "BBDEF has %" PRIu64 " accesses", n_accesses);
  code = more_words (c, n_instrs * 2 + n_accesses * 3);
  for (uint64_t i = 0; i < n_instrs && code == 0; i++) {
    code = take_numbers (c, 1, word_size);
    if (code == 0)
      code = take_numbers (c, 1, 1);
  }
  if (code == 0)
    code = take_numbers (c, n_accesses * 3, 1);
  if (code < 0)
    return code;
  return check_accesses (c, c->fields->words + 2 + 2 * n_instrs, n_accesses,
                         n_instrs);
}

static int
take_rest (struct cursor *c)
{
  unsigned word_size = c->format->word_size;

  if ((c->end - c->at) % word_size != 0)
    return dg_error_at (c->err, DG_ERR_DAMAGED, c->offset,
                        "%s ends within a word", dg_record_name (c->type));
  return take_numbers (c, (c->end - c->at) / word_size, word_size);
}

static int
take_field (struct cursor *c, char field)
{
  unsigned word_size = c->format->word_size;

  switch (field) {
  case 'b': return take_numbers (c, 1, 1);
  case 'w': return take_numbers (c, 1, word_size);
  case 'q': return take_numbers (c, 1, 8);
  case 's': return take_string (c);
  case '*': return take_counted (c, word_size, word_size);
  case '#': return take_counted (c, 1, word_size);
  case '%': return take_counted (c, 1, 1);
  case '&': return take_counted (c, c->format->word_size, 1);
  case '$': return take_strings (c);
  case '+': return take_rest (c);
  case '=': return take_bytes (c);
  case 'B': return take_block (c);
  default: return take_magic (c);
  }
}

/* A short record of numbers alone, which most are: how many words, for which
   there is room, and *at behind them; -1: it is not, or not good.  Constants
   as in parse_run.  */
static inline __attribute__ ((always_inline)) int
take_plain (const char *field, const uint8_t **at, const uint8_t *end,
            uint64_t *words, const unsigned word_size, const bool swap)
{
  const uint8_t *p = *at;
  uint64_t *out = words;

  for (; *field; field++) {
    unsigned size = *field == 'b' || *field == '#' ? 1 : word_size;
    uint64_t n = 0;

    if (*field == 'q')
      size = 8;
    if ((size_t) (end - p) < size)
      return -1;
    *out = size == 1 ? *p : size == 8 ? dg_load_quad (p, swap)
                                      : dg_load_word (p, 4, swap);
    p += size;
    if (*field == '*' || *field == '#')
      n = *out;
    else if (*field != 'b' && *field != 'w' && *field != 'q')
      return -1;
    out++;
    if (n > (size_t) (end - p) / word_size)
      return -1;
    for (; n > 0; n--, p += word_size)
      *out++ = dg_load_word (p, word_size, swap);
  }
  *at = p;
  return out - words;
}

static int
take_any_plain (const struct dg_format *format, const char *field,
                const uint8_t **at, const uint8_t *end, uint64_t *words)
{
  if (format->word_size == 8)
    return format->swap ? take_plain (field, at, end, words, 8, true)
                        : take_plain (field, at, end, words, 8, false);
  return format->swap ? take_plain (field, at, end, words, 4, true)
                      : take_plain (field, at, end, words, 4, false);
}

int
dg_decode_fields (const struct dg_format *format, const struct dg_head *head,
                  const uint8_t *payload, uint64_t offset,
                  struct dg_fields *fields, struct dg_error *err)
{
  struct cursor c = { format, payload, payload + head->length, fields,
                      head->type, offset, err };
  int n = -1;

  fields->n_words = fields->n_strings = 0;
  if (head->length <= PLAIN_MAX && fields->words_room >= PLAIN_MAX)
    n = take_any_plain (format, record_types[head->type].fields, &c.at, c.end,
                        fields->words);
  if (n >= 0) {
    fields->n_words = n;
  } else {
    for (const char *f = record_types[head->type].fields; *f; f++) {
      int code = take_field (&c, *f);

      if (code < 0)
        return code;
    }
  }
  fields->behind = c.at;
  fields->n_behind = c.end - c.at;
  /* More than this library knows of may stand behind the fields of others. */
  if (c.at != c.end && head->type < DG_R_PROCESS)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s has %td bytes after its fields",
                        dg_record_name (head->type), c.end - c.at);
  return 0;
}
