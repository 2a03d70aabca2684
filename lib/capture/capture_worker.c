/* capture_worker.c: a recording as the workers see it: chunks of the ring are
   packed, and added to the archive in their order.

   What stands in the ring is checked here, once and where it is used: runs by
   the packer, straight from the ring, records in a copy.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_worker.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "archive/lines.h"
#include "archive/values.h"
#include "capture_runs.h"
#include "format/position.h"

struct dg_capture_worker {
  struct dg_recordings *all;
  struct dg_packer *packer;
  struct dg_values_packer *values; /* NULL: there were none so far */
  struct dg_compressor *compressor;
  struct dg_fields fields;
  uint8_t *record;         /* DG_RING_MESSAGE_MAX bytes */
  struct dg_capture_runs runs;
};

struct dg_capture_worker *
dg_capture_worker_new (struct dg_recordings *all, struct dg_error *err)
{
  struct dg_capture_worker *worker = g_new0 (struct dg_capture_worker, 1);

  worker->all = all;
  worker->record = g_try_malloc (DG_RING_MESSAGE_MAX);
  worker->packer = dg_packer_new (all->options.level, err);
  worker->compressor = dg_compressor_new (all->options.level, err);
  if (dg_capture_runs_init (&worker->runs, err) == 0 && worker->packer
      && worker->compressor && worker->record)
    return worker;
  if (worker->packer)
    dg_error_nomem (err);
  dg_capture_worker_free (worker);
  return NULL;
}

void
dg_capture_worker_free (struct dg_capture_worker *worker)
{
  dg_packer_free (worker->packer);
  dg_values_packer_free (worker->values);
  dg_compressor_free (worker->compressor);
  dg_fields_fini (&worker->fields);
  g_free (worker->record);
  dg_capture_runs_fini (&worker->runs);
  g_free (worker);
}

/* ---- Runs ---- */

static int
pack_runs (struct dg_capture_worker *worker, struct dg_capture_chunk *chunk,
           const struct dg_capture_message *message, struct dg_error *err)
{
  const struct dg_recording *recording = chunk->recording;
  const struct dg_format *format = &recording->format;
  struct dg_capture_runs *runs = &worker->runs;
  bool has_values = recording->program.has_values;
  int code, packed;

  if (format->word_size == 8 && !format->swap && !has_values)
    return dg_packer_runs (worker->packer,
                           (const uint64_t *) (const void *) message->payload,
                           message->size / sizeof (uint64_t), err);
  code = dg_capture_runs_take (runs, &chunk->view, format, message->payload,
                               message->size, err);
  packed = dg_packer_runs (worker->packer, runs->words, runs->n_words,
                           code < 0 ? NULL : err);
  if (packed == 0 && has_values)
    packed = dg_values_packer_runs (worker->values, runs->words,
                                    runs->n_words, runs->bytes, runs->n_bytes,
                                    code < 0 ? NULL : err);
  return code < 0 ? code : packed;
}

/* ---- Records ---- */

/* Types that are not sent, or only once and were taken by the watcher.  */
static bool
may_be_sent (uint8_t type)
{
  return type != DG_R_HEADER && type != DG_R_BBDEF && type != DG_R_BBRUN
         && type != DG_R_CONTEXT && type != DG_R_CHUNK;
}

/* The records that a program makes by the million: their one count is all
   that can be wrong.  */
static bool
is_good_heap_record (const struct dg_format *format,
                     const struct dg_head *head, const uint8_t *payload)
{
  unsigned word = format->word_size;
  uint64_t fixed, n;

  switch (head->type) {
  case DG_R_MALLOC_BLOCK:
    fixed = 3 * word;
    break;
  case DG_R_HEAP_FREE:
    fixed = 8 + 2 * word + 1;
    break;
  case DG_R_FREE_BLOCK:
    return head->length == word;
  case DG_R_HEAP_ALLOC:
    return head->length == 8 + 4 * word + 1;
  default:
    return false;
  }
  if (head->length < fixed)
    return false;
  n = dg_load_word (payload + fixed - word, word, format->swap);
  return n <= head->length && head->length == fixed + n * word;
}

static int
check_record (struct dg_capture_worker *worker,
              const struct dg_format *format, const struct dg_head *head,
              const uint8_t *payload, struct dg_error *err)
{
  if (!may_be_sent (head->type))
    return dg_error_set (err, DG_ERR_DAMAGED, "a record has type %u",
                         head->type);
  if (is_good_heap_record (format, head, payload)
      || !dg_decode_is_known (head->type))
    return 0;
  return dg_decode_fields (format, head, payload, 0, &worker->fields, err);
}

/* WINDOW and END get an icount when the chunk's place is known.  */
static int
note_skips (struct dg_builder_chunk *packed, struct dg_error *err)
{
  uint64_t *skips = dg_table_add (&packed->skips, sizeof *skips);

  if (!skips)
    return dg_error_nomem (err);
  *skips = packed->skipped;
  return 0;
}

static int
pack_record (struct dg_capture_worker *worker, struct dg_capture_chunk *chunk,
             const struct dg_capture_message *message, struct dg_error *err)
{
  const struct dg_format *format = &chunk->recording->format;
  struct dg_builder_chunk *packed = &chunk->packed;
  struct dg_records_entry entry = { .kind = DG_ENTRY_RECORD,
                                    .record = worker->record,
                                    .size = message->size };
  const uint8_t *payload;
  struct dg_head head;
  int code = 0;

  memcpy (worker->record, message->payload, message->size);
  if (!dg_decode_head (format, worker->record, message->size, &head)
      || head.length != message->size - head.size)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a record does not fill its message");
  payload = worker->record + head.size;
  code = check_record (worker, format, &head, payload, err);
  if (code == 0 && (head.type == DG_R_WINDOW || head.type == DG_R_END)) {
    if (head.size != 2)
      return dg_error_set (err, DG_ERR_DAMAGED, "the header of %s is too long",
                           dg_record_name (head.type));
    code = note_skips (packed, err);
  }
  if (code < 0)
    return code;
  entry.at = dg_records_place (dg_packer_totals (worker->packer));
  if (dg_tally_record (&packed->tally, format, &head, payload,
                       entry.at.runs) < 0)
    return dg_error_nomem (err);
  return dg_records_add (&packed->records, &entry, err);
}

static int
pack_skip (struct dg_capture_chunk *chunk,
           const struct dg_capture_message *message, struct dg_error *err)
{
  uint64_t n;

  if (message->size != sizeof n)
    return dg_error_set (err, DG_ERR_DAMAGED, "a skip has %u bytes",
                         message->size);
  n = dg_load_quad (message->payload, chunk->recording->ring.swap);
  if (n > DG_ICOUNT_MAX >> 16 || chunk->packed.skipped > DG_ICOUNT_MAX >> 8)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a skip has %" PRIu64 " instructions", n);
  chunk->packed.skipped += n;
  return 0;
}

/* ---- Chunks ---- */

static int
pack_messages (struct dg_capture_worker *worker,
               struct dg_capture_chunk *chunk, struct dg_error *err)
{
  struct dg_recording *recording = chunk->recording;
  uint32_t at = chunk->begin;
  int code = 0;

  while (at != chunk->end && code == 0) {
    struct dg_capture_message message;

    code = dg_capture_ring_message (&recording->ring, at, chunk->end,
                                    &message, err);
    if (code < 0)
      break;
    if (message.kind == DG_RING_RUNS)
      code = pack_runs (worker, chunk, &message, err);
    else if (message.kind == DG_RING_RECORD)
      code = pack_record (worker, chunk, &message, err);
    else if (message.kind == DG_RING_SKIP)
      code = pack_skip (chunk, &message, err);
    at = message.next;
  }
  return code;
}

/* What the packers have to say of the chunk.  */
static int
take_results (struct dg_capture_worker *worker, bool has_values,
              struct dg_builder_chunk *packed, struct dg_error *err)
{
  const struct dg_pack_new_context *new_contexts;
  const struct dg_line_count *counts;
  size_t n;
  int code =
    dg_packer_end (worker->packer, &packed->runs, &new_contexts, &n, err);

  if (code == 0 && has_values)
    code = dg_values_packer_end (worker->values, &packed->values, err);
  if (code < 0)
    return code;
  packed->totals = *dg_packer_totals (worker->packer);
  if (dg_table_reserve (&packed->new_contexts, sizeof *new_contexts, n) < 0)
    return dg_error_nomem (err);
  if (n > 0)
    memcpy (packed->new_contexts.items, new_contexts,
            n * sizeof *new_contexts);
  packed->new_contexts.n = n;
  if (worker->all->options.no_index)
    return 0;
  code = dg_packer_lines (worker->packer, &counts, &n, err);
  if (code == 0)
    code = dg_lines_write_chunk (counts, n,
                                 packed->totals.reads + packed->totals.writes,
                                 &packed->lines, err);
  return code;
}

/* Compresses what is the same wherever the chunk will stand, so that the
   worker who adds it does not have to: lines, and records unless definitions
   will stand between them.  Whether they will is not known, but mostly as in
   the chunk before.  What is missing then is made later.  */
static void
compress (struct dg_capture_worker *worker,
          const struct dg_recording *recording,
          struct dg_builder_chunk *packed)
{
  const struct dg_table *records = &packed->records.bytes;

  dg_compressor_keep (worker->compressor, DG_PART_LINES, packed->lines.items,
                      packed->lines.n, &packed->compressed_lines, NULL);
  if (packed->skips.n == 0 && !g_atomic_int_get (&recording->is_defining))
    dg_compressor_keep (worker->compressor, DG_PART_RECORDS, records->items,
                        records->n, &packed->compressed_records, NULL);
}

static int
begin_values (struct dg_capture_worker *worker,
              const struct dg_capture_chunk *chunk, struct dg_error *err)
{
  if (!worker->values)
    worker->values = dg_values_packer_new (worker->all->options.level, err);
  if (!worker->values)
    return DG_ERR_NOMEM;
  return dg_values_packer_begin (worker->values, &chunk->view,
                                 &chunk->recording->format, err);
}

/* A bad message ends the chunk before it: what is good is kept.  */
static int
pack (struct dg_capture_worker *worker, struct dg_capture_chunk *chunk,
      struct dg_error *err)
{
  struct dg_recording *recording = chunk->recording;
  uint64_t mask = recording->format.word_size == 4 ? UINT32_MAX : UINT64_MAX;
  int code = dg_packer_begin (worker->packer, &chunk->view, mask, err);
  int end_code;

  if (code == 0 && recording->program.has_values)
    code = begin_values (worker, chunk, err);
  if (code < 0)
    return code;
  code = pack_messages (worker, chunk, err);
  end_code = take_results (worker, recording->program.has_values,
                           &chunk->packed, code < 0 ? NULL : err);
  chunk->is_packed = end_code == 0;
  if (chunk->is_packed)
    compress (worker, recording, &chunk->packed);
  return code < 0 ? code : end_code;
}

/* ---- Adding to the archive, in order ---- */

/* Recording goes no further; the program does.  */
static void
fail (struct dg_recording *recording, enum dg_end why, const char *text)
{
  g_atomic_int_compare_and_exchange (&recording->stop, 0, (gint) why);
  __atomic_store_n (&recording->ring.header->stop, why, __ATOMIC_RELEASE);
  if (why == DG_END_MAX_SIZE || recording->has_failed)
    return;
  recording->has_failed = true;
  dg_recording_tell (recording, DG_CAPTURE_FAILED,
                     "%s: %s; recording has stopped; the program continues",
                     recording->path, text);
}

/* By what stands in the ring, or for lack of memory.  */
static void
fail_broken (struct dg_recording *recording, const struct dg_error *error)
{
  char *text = error->code == DG_ERR_DAMAGED
                 ? g_strdup_printf ("the recorder sent invalid data (%s)",
                                    error->message)
                 : g_strdup (error->message);

  fail (recording, DG_END_OUTPUT, text);
  g_free (text);
}

static void
publish (struct dg_recording *recording)
{
  const struct dg_chunk_start *at = dg_builder_position (recording->builder);

  __atomic_store_n (&recording->instructions, at->instructions,
                    __ATOMIC_RELAXED);
  __atomic_store_n (&recording->accesses, at->reads + at->writes,
                    __ATOMIC_RELAXED);
  __atomic_store_n (&recording->size, dg_builder_size (recording->builder),
                    __ATOMIC_RELAXED);
}

static bool
is_empty (const struct dg_builder_chunk *packed)
{
  return packed->totals.runs == 0 && packed->records.bytes.n == 0
         && packed->definitions.n == 0 && packed->skipped == 0;
}

static void
add (struct dg_recording *recording, struct dg_capture_chunk *chunk)
{
  const struct dg_chunk_start *at = dg_builder_position (recording->builder);
  uint64_t contexts = at->contexts;
  struct dg_error error = { 0 };
  int code = 0;

  if (g_atomic_int_get (&recording->stop) != 0)
    return;
  if (chunk->is_packed && !is_empty (&chunk->packed))
    code = dg_builder_add (recording->builder, &chunk->packed, &error);
  g_atomic_int_set (&recording->is_defining, at->contexts > contexts);
  if (code > 0)
    fail (recording, DG_END_MAX_SIZE, NULL);
  else if (code < 0)
    fail (recording, DG_END_OUTPUT, error.message);
  else if (chunk->code < 0)
    fail_broken (recording, &chunk->error);
  publish (recording);
}

/* Why an archive that has no END has none, or NULL.  */
static const char *
missing_end (const struct dg_recording *recording)
{
  switch (recording->end) {
  case DG_RECORDING_DIED:
    return "the program was killed";
  case DG_RECORDING_STOPPED:
    return "recording was stopped";
  default:
    return "the recorder did not finish";
  }
}

/* An END of ours, in a chunk of its own.  */
static int
add_end (struct dg_capture_worker *worker, struct dg_capture_chunk *chunk,
         uint8_t why, struct dg_error *err)
{
  int code;

  dg_builder_chunk_clear (&chunk->packed);
  code = dg_packer_begin (worker->packer, &chunk->view, UINT64_MAX, err);
  if (code == 0)
    code = take_results (worker, false, &chunk->packed, err);
  if (code == 0)
    code =
      dg_builder_end (chunk->recording->builder, why, &chunk->packed, err);
  return code;
}

/* The archive gets its end; `chunk` was the last.  */
static void
finish (struct dg_capture_worker *worker, struct dg_recording *recording,
        struct dg_capture_chunk *chunk)
{
  gint stop = g_atomic_int_get (&recording->stop);
  struct dg_summary summary = { 0 };
  struct dg_error error = { 0 };
  GStatBuf st;
  int code;

  /* On a full disk that may fail, too, and has been told.  */
  if (stop != 0)
    add_end (worker, chunk, (uint8_t) stop, &error);
  code = dg_builder_finish (recording->builder, &summary, &error);
  if (code < 0)
    fail (recording, DG_END_OUTPUT, error.message);
  else if (summary.end_why < 0 && !recording->has_failed)
    dg_recording_tell (recording, DG_CAPTURE_WARNING,
                       "%s: %s: the archive is incomplete", recording->path,
                       missing_end (recording));
  if (g_stat (recording->file, &st) == 0)
    __atomic_store_n (&recording->size, (uint64_t) st.st_size,
                      __ATOMIC_RELAXED);
  else if (code == 0)
    fail (recording, DG_END_OUTPUT, "it was removed in the meantime");
  if (summary.end_why == DG_END_SIGNAL)
    g_atomic_int_set (&recording->signal, MAX (summary.exit_code, 0));
  g_atomic_int_set (&recording->is_whole,
                    !recording->has_failed
                      && summary.complete == DG_COMPLETE_YES);
}

static void
finish_and_tell (struct dg_capture_worker *worker,
                 struct dg_recording *recording,
                 struct dg_capture_chunk *chunk)
{
  struct dg_recordings *all = recording->all;

  if (recording->end == DG_RECORDING_BROKEN)
    fail_broken (recording, &recording->error);
  if (recording->builder)
    finish (worker, recording, chunk);
  /* Who sees that none is active has been told of all.  */
  if (recording->builder)
    dg_recording_tell (recording, DG_CAPTURE_ENDED, NULL);
  g_atomic_int_set (&recording->has_ended, 1);
  dg_chunk_queue_give_back (&all->queue, chunk);
  /* From here on the watcher may free it.  */
  g_atomic_int_set (&recording->is_done, 1);
  dg_recordings_wake (all);
}

/* The program may write where the chunk was: not before it is in the archive,
   so that the ring bounds what is packed and not written, and what is lost
   with this process.  */
static void
release (const struct dg_capture_chunk *chunk)
{
  __atomic_store_n (&chunk->recording->ring.header->tail, chunk->end,
                    __ATOMIC_RELEASE);
}

/* Keeps the chunk until those before it are added; adds what can be.  */
static void
add_in_order (struct dg_capture_worker *worker,
              struct dg_recording *recording, struct dg_capture_chunk *chunk)
{
  g_mutex_lock (&recording->order_lock);
  g_hash_table_insert (recording->packed, GSIZE_TO_POINTER (chunk->number),
                       chunk);
  if (recording->is_adding) {
    g_mutex_unlock (&recording->order_lock);
    return;
  }
  recording->is_adding = true;
  while ((chunk = g_hash_table_lookup (recording->packed,
                                       GSIZE_TO_POINTER (recording->next)))
         != NULL) {
    g_hash_table_remove (recording->packed,
                         GSIZE_TO_POINTER (recording->next));
    recording->next++;
    g_mutex_unlock (&recording->order_lock);
    if (recording->builder)
      add (recording, chunk);
    release (chunk);
    if (chunk->is_last) {
      finish_and_tell (worker, recording, chunk);
      return;
    }
    dg_chunk_queue_give_back (&recording->all->queue, chunk);
    g_mutex_lock (&recording->order_lock);
  }
  recording->is_adding = false;
  g_mutex_unlock (&recording->order_lock);
}

static void
pack_and_add (struct dg_capture_worker *worker,
              struct dg_capture_chunk *chunk)
{
  struct dg_recording *recording = chunk->recording;
  struct dg_error error = { 0 };
  int code = 0;

  if (chunk->code == 0 && recording->builder
      && g_atomic_int_get (&recording->stop) == 0)
    code = pack (worker, chunk, &error);
  if (code < 0) {
    chunk->code = code;
    chunk->error = error;
  }
  add_in_order (worker, recording, chunk);
}

gpointer
dg_capture_worker_run (gpointer data)
{
  struct dg_capture_worker *worker = data;
  struct dg_capture_chunk *chunk;

  while ((chunk = dg_chunk_queue_take (&worker->all->queue)) != NULL)
    pack_and_add (worker, chunk);
  return NULL;
}
