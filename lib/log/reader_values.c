/* reader_values.c: what the accesses of a run read or wrote.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "base/error.h"
#include "reader.h"

static bool
was_recorded_with (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  return process && (process->flags & DG_PROCESS_VALUES) != 0;
}

bool
dg_log_has_values (const struct dg_log *log)
{
  const struct dg_packed *packed = log->contents.packed;

  return log->header.is_archive
           ? packed && packed->archive->head.has_values
           : was_recorded_with (log);
}

int
dg_reader_want_values (struct dg_reader *reader, struct dg_error *err)
{
  if (!dg_log_has_values (reader->log))
    return dg_error_set (err, DG_ERR_INVALID, "%s",
                         was_recorded_with (reader->log)
                           ? "the values of a raw log that was packed cannot "
                             "be read; remedy: unpack it"
                           : "the log has no values of accesses; remedy: "
                             "record with --values");
  reader->wants_values = true;
  return reader->packed ? dg_packed_reader_want_values (reader->packed, err)
                        : 0;
}

/* ---- Of a raw log ---- */

/* A RUN_VALUES, taken apart.  */
struct record {
  const uint8_t *known;    /* NULL: all are */
  const uint8_t *bytes, *end;
  uint64_t offset;
};

/* The payload of the record behind the run, if it is one.  1, 0, < 0.  */
static int
find_record (struct dg_reader *reader, unsigned n_entries,
             struct record *record, struct dg_error *err)
{
  struct dg_head head;
  int code = dg_reader_head (reader, &head, err);
  const uint8_t *at;
  size_t fixed = 1;

  if (code <= 0 || head.type != DG_R_RUN_VALUES)
    return MIN (code, 0);
  at = reader->stream.at + head.size;
  if (head.length > 0 && at[0] == 0)
    fixed += (n_entries + 7) / 8;
  record->offset = reader->stream.offset;
  if (head.length < fixed)
    return dg_error_at (err, DG_ERR_DAMAGED, record->offset,
                        "RUN_VALUES is too short");
  record->known = fixed > 1 ? at + 1 : NULL;
  record->bytes = at + fixed;
  record->end = at + head.length;
  return 1;
}

static bool
is_known (const struct record *record, const struct dg_slot *slot)
{
  return !record->known
         || (record->known[slot->entry / 8] >> slot->entry % 8 & 1);
}

static int
take_values (struct dg_reader *reader, const struct record *record,
             struct dg_error *err)
{
  const struct dg_run *run = &reader->run;
  uint32_t *at = reader->values.items;
  const uint8_t *p = record->bytes;

  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];

    if (slot->size == 0 || run->addresses[slot->entry] == 0
        || !is_known (record, slot))
      continue;
    if (slot->size > record->end - p || slot->size >= DG_LENGTH_EXTENDED)
      return dg_error_at (err, DG_ERR_DAMAGED, record->offset,
                          "RUN_VALUES has %td bytes, which are too few",
                          record->end - record->bytes);
    at[i] = p - record->bytes;
    p += slot->size;
  }
  if (p != record->end)
    return dg_error_at (err, DG_ERR_DAMAGED, record->offset,
                        "RUN_VALUES has %td bytes too many", record->end - p);
  return 0;
}

static int
values_of_raw (struct dg_reader *reader, struct dg_run_values *values,
               struct dg_error *err)
{
  const struct dg_run *run = &reader->run;
  struct record record = { 0 };
  int code;

  if (dg_table_reserve (&reader->values, sizeof (uint32_t), run->n_slots + 1)
      < 0)
    return dg_error_nomem (err);
  for (unsigned i = 0; i < run->n_slots; i++)
    ((uint32_t *) reader->values.items)[i] = DG_NO_VALUE;
  code = find_record (reader, dg_run_entries (run), &record, err);
  if (code > 0)
    code = take_values (reader, &record, err);
  if (code < 0)
    return code;
  values->bytes = record.bytes;
  values->at = reader->values.items;
  return 0;
}

int
dg_reader_values (struct dg_reader *reader, struct dg_run_values *values,
                  struct dg_error *err)
{
  if (!reader->wants_values)
    return dg_error_set (err, DG_ERR_INVALID, "values were not asked for");
  if (!reader->packed)
    return values_of_raw (reader, values, err);
  return dg_packed_values_take (dg_packed_reader_values (reader->packed),
                                &reader->run, values, err);
}
