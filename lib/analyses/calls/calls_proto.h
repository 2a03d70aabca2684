/* calls_proto.h: Protocol Buffers, written field by field.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_PROTO_H
#define DG_CALLS_PROTO_H

#include <glib.h>
#include <string.h>

/* A field's number with its wire type.  */
#define CALLS_PROTO_FIELD(number, type) ((number) << 3 | (type))
#define CALLS_PROTO_NUMBER 0
#define CALLS_PROTO_BYTES 2

static inline void
calls_proto_varint (GByteArray *to, uint64_t number)
{
  uint8_t bytes[10];
  guint n = 0;

  for (; number >= 0x80; number >>= 7)
    bytes[n++] = (uint8_t) (number | 0x80);
  bytes[n++] = (uint8_t) number;
  g_byte_array_append (to, bytes, n);
}

static inline void
calls_proto_number (GByteArray *to, unsigned field, uint64_t number)
{
  calls_proto_varint (to, field);
  calls_proto_varint (to, number);
}

static inline void
calls_proto_bytes (GByteArray *to, unsigned field, const void *bytes, size_t n)
{
  calls_proto_number (to, field, n);
  g_byte_array_append (to, bytes, (guint) n);
}

/* Replaces bytes that are not UTF-8.  */
static inline void
calls_proto_text (GByteArray *to, unsigned field, const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  calls_proto_bytes (to, field, valid, strlen (valid));
  g_free (valid);
}

#endif /* DG_CALLS_PROTO_H */
