/* mutate_log.c: a raw log, changed record by record and field by field.

   The lengths of what is made are right, so that a change is met where it
   means something.  CHUNK and END tell sums over all that stands before; they
   are left out of half of what is made, else they would be where nearly all of
   it ends.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "format/decode.h"
#include "mutate.h"

#define RECORDS_MAX 2000
#define FIELDS_MAX 300
#define PAYLOAD_MAX 4096

struct records {
  struct dg_format format;
  uint8_t *bytes;
  size_t n, max;
  size_t starts[RECORDS_MAX + 1];  /* and where the last one ends */
  size_t n_records;
};

/* Where records begin, up to what is none.  */
static void
find_records (struct records *r)
{
  size_t at = DG_HEADER_SIZE;
  struct dg_head head;

  r->n_records = 0;
  while (at < r->n && r->n_records < RECORDS_MAX
         && dg_decode_head (&r->format, r->bytes + at, r->n - at, &head)
         && head.length <= r->n - at - head.size) {
    r->starts[r->n_records++] = at;
    at += head.size + head.length;
  }
  r->starts[r->n_records] = at;
}

/* Puts `new` bytes in place of the `old` ones at `at`.  */
static bool
replace (struct records *r, size_t at, size_t old, const uint8_t *bytes,
         size_t new)
{
  if (r->n - old + new > r->max)
    return false;
  memmove (r->bytes + at + new, r->bytes + at + old, r->n - at - old);
  memcpy (r->bytes + at, bytes, new);
  r->n = r->n - old + new;
  return true;
}

static unsigned
put_number (const struct records *r, uint8_t *at, unsigned width,
            uint64_t value)
{
  if (r->format.big_endian)
    value = GUINT64_TO_BE (value << (64 - 8 * width));
  else
    value = GUINT64_TO_LE (value);
  memcpy (at, &value, width);
  return width;
}

static uint64_t
get_number (const struct records *r, const uint8_t *at, unsigned width)
{
  uint64_t value = 0;

  memcpy (&value, at, width);
  if (r->format.big_endian)
    return GUINT64_FROM_BE (value) >> (64 - 8 * width);
  return GUINT64_FROM_LE (value);
}

/* A record of this payload, mostly with the shortest head.  */
static size_t
put_record (const struct records *r, uint8_t *to, uint8_t type,
            const uint8_t *payload, size_t n, struct dg_fuzz_random *random)
{
  size_t at = 0;

  to[at++] = type;
  if (type >= 128) {
    to[at++] = n > 0 ? payload[0] : 0;
    return at;
  }
  if (n < DG_LENGTH_EXTENDED && !dg_fuzz_chance (random, 50)) {
    to[at++] = (uint8_t) n;
  } else {
    to[at++] = DG_LENGTH_EXTENDED;
    at += put_number (r, to + at, 8, n);
  }
  memcpy (to + at, payload, n);
  return at + n;
}

/* ---- Fields ---- */

struct field {
  char letter;             /* as in dg_decode_layout; for arrays, the count */
  size_t at;
  unsigned width;          /* bytes; of strings with the NUL */
};

/* Fields of a payload, as far as they are there; numbers of arrays one by
   one.  */
static size_t
find_fields (const struct records *r, uint8_t type, const uint8_t *payload,
             size_t n, struct field *fields)
{
  const char *layout = dg_decode_layout (type);
  unsigned word = r->format.word_size;
  size_t at = 0, n_fields = 0;

  for (; layout != NULL && *layout != '\0' && n_fields < FIELDS_MAX;
       layout++) {
    unsigned width = strchr ("b#%", *layout) ? 1
                     : strchr ("qM", *layout) ? 8
                     : *layout == 's' || *layout == 'B' ? 0 : word;
    const uint8_t *end = at < n ? memchr (payload + at, 0, n - at) : NULL;
    uint64_t count;

    if (*layout == 's')
      width = end != NULL ? (unsigned) (end - payload - at) + 1 : 0;
    if (strchr ("B+=", *layout) != NULL)
      break;
    if (width == 0 || width > n - at)
      return n_fields;
    fields[n_fields++] = (struct field) {*layout, at, width};
    count = *layout == 's' ? 0 : get_number (r, payload + at, width);
    at += width;
    if (strchr ("*#", *layout) != NULL)
      for (; count > 0 && word <= n - at && n_fields < FIELDS_MAX;
           count--, at += word)
        fields[n_fields++] = (struct field) {'w', at, word};
    else if (strchr ("%&", *layout) != NULL)
      at += MIN (count, n - at);
  }
  /* What is left: words of runs, arrays of definitions.  */
  for (; layout != NULL && *layout == '+' && word <= n - at
         && n_fields < FIELDS_MAX; at += word)
    fields[n_fields++] = (struct field) {'w', at, word};
  for (; layout != NULL && (*layout == 'B' || *layout == '=') && at < n
         && n_fields < FIELDS_MAX; at++)
    fields[n_fields++] = (struct field) {'b', at, 1};
  return n_fields;
}

/* A string of another length, perhaps one that means something.  */
static size_t
make_string (uint8_t *to, const uint8_t *old, size_t n,
             struct dg_fuzz_random *random)
{
  static const char *const known[] = {
    "", "a", "/bin/prog", "int", "struct node [4]", "phase", "py:f", "[heap]",
    "%s%n", "\xff\xfe\x80", ",\\:", "a\nb\tc\x1b", "\xe2\x82"
  };
  const char *text = known[dg_fuzz_below (random, G_N_ELEMENTS (known))];
  size_t length;

  switch (dg_fuzz_below (random, 4)) {
  case 0:
    length = dg_fuzz_below (random, 600);
    memset (to, 'x', length);
    to[length] = '\0';
    return length + 1;
  case 1:
    memcpy (to, old, n);
    to[dg_fuzz_below (random, n)] = (uint8_t) dg_fuzz_bits (random);
    return n;
  default:
    length = strlen (text) + 1;
    memcpy (to, text, length);
    return length;
  }
}

/* A number of elements before an array, which becomes as long; or not.  */
static size_t
change_count (const struct records *r, uint8_t *payload, size_t n,
              const struct field *field, struct dg_fuzz_random *random)
{
  size_t each = strchr ("%&$", field->letter) != NULL ? 1
                                                      : r->format.word_size;
  uint64_t old = get_number (r, payload + field->at, field->width), new;
  size_t start = field->at + field->width, had = MIN (old, (n - start) / each);

  if (dg_fuzz_chance (random, 4)) {
    put_number (r, payload + field->at, field->width,
                dg_fuzz_number (random, old));
    return n;
  }
  new = dg_fuzz_below (random, dg_fuzz_chance (random, 8) ? 300 : 6);
  if (n - had * each + new * each > PAYLOAD_MAX || field->letter == '$')
    return n;
  memmove (payload + start + new * each, payload + start + had * each,
           n - start - had * each);
  for (size_t i = had; i < new; i++)
    memset (payload + start + i * each, (int) i + 1, each);
  put_number (r, payload + field->at, field->width, new);
  return n - had * each + new * each;
}

static size_t
change_field (const struct records *r, uint8_t type, uint8_t *payload,
              size_t n, struct dg_fuzz_random *random)
{
  struct field fields[FIELDS_MAX], *field;
  uint8_t text[PAYLOAD_MAX];
  size_t n_fields = find_fields (r, type, payload, n, fields), new;

  if (n_fields == 0 || dg_fuzz_chance (random, 20))
    return dg_mutate_bytes (payload, n, PAYLOAD_MAX, random);
  field = &fields[dg_fuzz_below (random, n_fields)];
  if (field->letter == 's') {
    new = make_string (text, payload + field->at, field->width, random);
    if (n - field->width + new > PAYLOAD_MAX)
      return n;
    memmove (payload + field->at + new, payload + field->at + field->width,
             n - field->at - field->width);
    memcpy (payload + field->at, text, new);
    return n - field->width + new;
  }
  if (strchr ("*#%&$", field->letter) != NULL)
    return change_count (r, payload, n, field, random);
  put_number (r, payload + field->at, field->width,
              dg_fuzz_number (random, get_number (r, payload + field->at,
                                                  field->width)));
  return n;
}

/* ---- Records ---- */

static void
change_record (struct records *r, size_t i, struct dg_fuzz_random *random)
{
  uint8_t payload[PAYLOAD_MAX], record[PAYLOAD_MAX + DG_HEAD_MAX];
  size_t start = r->starts[i], size = r->starts[i + 1] - start, n;
  struct dg_head head;

  dg_decode_head (&r->format, r->bytes + start, size, &head);
  if (head.length > PAYLOAD_MAX / 2)
    return;
  memcpy (payload, r->bytes + start + head.size, head.length);
  n = change_field (r, head.type, payload, head.length, random);
  n = put_record (r, record, head.type, payload, n, random);
  replace (r, start, size, record, n);
}

/* One that was not there, of any type that has a layout.  */
static void
make_record (struct records *r, size_t at, struct dg_fuzz_random *random)
{
  uint8_t type = (uint8_t) dg_fuzz_below (random, 46), payload[PAYLOAD_MAX];
  uint8_t record[PAYLOAD_MAX + DG_HEAD_MAX];
  const char *layout = dg_decode_layout (type);
  size_t n = 0;

  for (; layout != NULL && *layout != '\0'; layout++)
    if (*layout == 's') {
      n += make_string (payload + n, (const uint8_t *) "s", 2, random);
    } else {
      unsigned width = strchr ("b#%", *layout) ? 1
                       : strchr ("qM", *layout) ? 8 : r->format.word_size;

      n += put_number (r, payload + n, width,
                       strchr ("*#%&$", *layout) || dg_fuzz_chance (random, 2)
                         ? dg_fuzz_below (random, 2)
                         : dg_fuzz_number (random, 0x1000));
      if (n > PAYLOAD_MAX / 2)
        break;
    }
  n = put_record (r, record, type, payload, n, random);
  replace (r, at, 0, record, n);
}

static void
copy_record (struct records *r, size_t i, size_t to,
             struct dg_fuzz_random *random)
{
  size_t start = r->starts[i], size = r->starts[i + 1] - start;
  uint8_t record[PAYLOAD_MAX];

  if (size > sizeof record)
    return;
  memcpy (record, r->bytes + start, size);
  if (dg_fuzz_chance (random, 3)) {
    /* Moved.  */
    replace (r, start, size, record, 0);
    if (to > start)
      to -= size;
  }
  replace (r, to, 0, record, size);
}

static void
change (struct records *r, struct dg_fuzz_random *random)
{
  size_t i = dg_fuzz_below (random, r->n_records);
  size_t to = dg_fuzz_below (random, r->n_records + 1);

  switch (dg_fuzz_below (random, 16)) {
  case 0:
  case 1:
    copy_record (r, i, r->starts[to], random);
    break;
  case 2:
    replace (r, r->starts[i], r->starts[i + 1] - r->starts[i], r->bytes, 0);
    break;
  case 3:
    make_record (r, r->starts[to], random);
    break;
  case 4:
    if (dg_fuzz_chance (random, 4))
      r->n = r->starts[i] + dg_fuzz_below (random, 20);
    r->n = MIN (r->n, r->starts[r->n_records]);
    break;
  case 5:
    /* Any number of times.  */
    for (size_t times = dg_fuzz_below (random, 20); times > 0; times--)
      copy_record (r, i, r->starts[i], random);
    break;
  default:
    change_record (r, i, random);
    break;
  }
}

/* Leaves out what tells sums.  */
static void
forget_sums (struct records *r)
{
  find_records (r);
  for (size_t i = r->n_records; i-- > 0;) {
    uint8_t type = r->bytes[r->starts[i]];

    if (type == DG_R_CHUNK || type == DG_R_END)
      replace (r, r->starts[i], r->starts[i + 1] - r->starts[i], r->bytes, 0);
  }
}

size_t
dg_mutate_log (uint8_t *bytes, size_t n, size_t max,
               struct dg_fuzz_random *random)
{
  struct records r = {.bytes = bytes, .n = n, .max = max};

  if (n < DG_HEADER_SIZE
      || dg_decode_header (bytes, n, &r.format, NULL) < 0
      || dg_fuzz_chance (random, 100))
    return dg_mutate_bytes (bytes, n, max, random);
  for (size_t changes = dg_fuzz_below (random, 4) + 1; changes > 0;
       changes--) {
    find_records (&r);
    if (r.n_records == 0)
      make_record (&r, DG_HEADER_SIZE, random);
    else
      change (&r, random);
  }
  if (dg_fuzz_chance (random, 2))
    forget_sums (&r);
  return r.n;
}
