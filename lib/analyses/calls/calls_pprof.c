/* calls_pprof.c: call stacks with what was done on each, as a profile of
   pprof, by the numbers of the fields in its profile.proto.

   A location is a function: the log knows call paths by function.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include <string.h>

#include "base/error.h"
#include "calls_proto.h"

#define NUMBER(n) CALLS_PROTO_FIELD (n, CALLS_PROTO_NUMBER)
#define BYTES(n) CALLS_PROTO_FIELD (n, CALLS_PROTO_BYTES)
#define PROFILE_SAMPLE_TYPE BYTES (1)
#define PROFILE_SAMPLE BYTES (2)
#define PROFILE_LOCATION BYTES (4)
#define PROFILE_FUNCTION BYTES (5)
#define PROFILE_STRINGS BYTES (6)
#define PROFILE_DEFAULT NUMBER (14)
#define TYPE_NAME NUMBER (1)
#define TYPE_UNIT NUMBER (2)
#define SAMPLE_LOCATIONS BYTES (1)
#define SAMPLE_VALUES BYTES (2)
#define LOCATION_ID NUMBER (1)
#define LOCATION_LINE BYTES (4)
#define LINE_FUNCTION NUMBER (1)
#define FUNCTION_ID NUMBER (1)
#define FUNCTION_NAME NUMBER (2)
#define FUNCTION_FILE NUMBER (4)

/* The names of CALLS_WEIGHTS, and what pprof counts them in.  */
static const struct { const char *name, *unit; } types[CALLS_N_WEIGHTS] = {
  [CALLS_INSTRUCTIONS] = { "instructions", "count" },
  [CALLS_ACCESSES] = { "accesses", "count" },
  [CALLS_READS] = { "reads", "count" },
  [CALLS_WRITES] = { "writes", "count" },
  [CALLS_BYTES] = { "bytes", "bytes" },
  [CALLS_CYCLES] = { "cycles", "count" },
  [CALLS_MEMORY_CYCLES] = { "memory-cycles", "count" },
  [CALLS_L1_MISSES] = { "l1-misses", "count" },
  [CALLS_L2_MISSES] = { "l2-misses", "count" },
  [CALLS_L3_MISSES] = { "l3-misses", "count" },
};

struct writer {
  const struct calls *calls;
  FILE *file;
  GByteArray *part, *inner;  /* in hand */
  GHashTable *strings;     /* text -> its number, + 1 */
  GPtrArray *texts;        /* by number; owned */
  unsigned n_types;        /* the first of CALLS_WEIGHTS */
};

/* ---- Parts ---- */

static uint64_t
number_of (struct writer *writer, const char *text)
{
  gpointer known = g_hash_table_lookup (writer->strings, text);
  char *copy;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  copy = g_strdup (text);
  g_ptr_array_add (writer->texts, copy);
  g_hash_table_insert (writer->strings, copy,
                       GUINT_TO_POINTER (writer->texts->len));
  return writer->texts->len - 1;
}

/* Writes the part in hand as a field of the profile.  */
static void
write_part (struct writer *writer, unsigned field)
{
  GByteArray *head = writer->inner;

  g_byte_array_set_size (head, 0);
  calls_proto_number (head, field, writer->part->len);
  fwrite (head->data, 1, head->len, writer->file);
  fwrite (writer->part->data, 1, writer->part->len, writer->file);
  g_byte_array_set_size (writer->part, 0);
}

static void
write_types (struct writer *writer)
{
  for (unsigned i = 0; i < writer->n_types; i++) {
    calls_proto_number (writer->part, TYPE_NAME,
                        number_of (writer, types[i].name));
    calls_proto_number (writer->part, TYPE_UNIT,
                        number_of (writer, types[i].unit));
    write_part (writer, PROFILE_SAMPLE_TYPE);
  }
}

/* A function, and the location that stands for it; both are numbered from
   1.  */
static void
write_function (struct writer *writer, uint32_t number)
{
  struct calls_function function =
    calls_code_function (writer->calls->code, number);
  GByteArray *line = writer->inner;

  calls_proto_number (writer->part, FUNCTION_ID, number + 1);
  calls_proto_number (writer->part, FUNCTION_NAME,
                      number_of (writer, function.label));
  if (function.module != NULL)
    calls_proto_number (writer->part, FUNCTION_FILE,
                        number_of (writer, function.module));
  write_part (writer, PROFILE_FUNCTION);
  g_byte_array_set_size (line, 0);
  calls_proto_number (line, LINE_FUNCTION, number + 1);
  calls_proto_number (writer->part, LOCATION_ID, number + 1);
  calls_proto_bytes (writer->part, LOCATION_LINE, line->data, line->len);
  write_part (writer, PROFILE_LOCATION);
}

static void
write_sample (void *user, const uint32_t *path, size_t n,
              const uint64_t self[CALLS_N_WEIGHTS])
{
  struct writer *writer = user;
  const struct dg_time_meter *meter = writer->calls->meter;
  GByteArray *packed = writer->inner;

  g_byte_array_set_size (packed, 0);
  for (size_t i = 0; i < n; i++)
    calls_proto_varint (packed, (uint64_t) path[i] + 1);
  calls_proto_bytes (writer->part, SAMPLE_LOCATIONS, packed->data,
                     packed->len);
  g_byte_array_set_size (packed, 0);
  for (unsigned i = 0; i < writer->n_types; i++)
    calls_proto_varint (packed,
                        calls_weight_is_time (i)
                          ? dg_time_meter_scaled (meter, self[i]) : self[i]);
  calls_proto_bytes (writer->part, SAMPLE_VALUES, packed->data, packed->len);
  write_part (writer, PROFILE_SAMPLE);
}

static void
write_strings (struct writer *writer)
{
  for (guint i = 0; i < writer->texts->len; i++) {
    g_byte_array_set_size (writer->part, 0);
    calls_proto_text (writer->part, PROFILE_STRINGS, writer->texts->pdata[i]);
    fwrite (writer->part->data, 1, writer->part->len, writer->file);
  }
}

int
calls_write_pprof (struct calls *calls, struct dg_report *report,
                   struct dg_error *err)
{
  bool is_timed = calls_weight_is_time (calls->weight);
  struct writer writer = {
    .calls = calls,
    .file = dg_report_file (report, calls->pprof, err),
    .part = g_byte_array_new (),
    .inner = g_byte_array_new (),
    .strings = g_hash_table_new (dg_hash_text, g_str_equal),
    .texts = g_ptr_array_new_with_free_func (g_free),
    .n_types = is_timed ? CALLS_N_WEIGHTS : CALLS_COUNTED,
  };
  int result = writer.file != NULL ? 0 : DG_ERR_IO;

  if (result == 0) {
    number_of (&writer, "");
    write_types (&writer);
    result = calls_tree_each (calls->tree, write_sample, &writer, report, err);
  }
  for (uint32_t i = 0; result == 0 && i < calls_code_n_functions (calls->code);
       i++)
    write_function (&writer, i);
  if (result == 0) {
    uint64_t name = number_of (&writer, types[calls->weight].name);

    write_strings (&writer);
    g_byte_array_set_size (writer.part, 0);
    calls_proto_number (writer.part, PROFILE_DEFAULT, name);
    fwrite (writer.part->data, 1, writer.part->len, writer.file);
  }
  g_byte_array_unref (writer.part);
  g_byte_array_unref (writer.inner);
  g_hash_table_unref (writer.strings);
  g_ptr_array_unref (writer.texts);
  return result;
}
