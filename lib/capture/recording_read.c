/* recording_read.c: a recording as the watcher sees it: messages of the ring
   are passed over, definitions applied, and chunks cut.  Runs and records are
   looked at by the workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "recording_read.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/process.h"
#include "ring_order.h"

/* A chunk is cut at this age, however small it is: so much of a long run is
   lost at most when the packer is killed.  */
#define CHUNK_US (3 * G_USEC_PER_SEC)
/* Of a hundredth of a second, as start_ticks are.  */
#define EMULATOR_TICKS 1000

/* ---- Chunks ---- */

static void
broken (struct dg_recording *recording, const struct dg_error *error)
{
  recording->error = *error;
  dg_recording_end (recording, DG_RECORDING_BROKEN);
}

/* Hands what was read since the last cut to the workers.  */
static void
cut (struct dg_recording *recording, bool is_last)
{
  struct dg_recordings *all = recording->all;
  struct dg_capture_chunk *chunk = dg_chunk_queue_new (&all->queue);

  chunk->recording = recording;
  chunk->number = recording->n_chunks++;
  chunk->begin = recording->chunk_begin;
  chunk->end = recording->read;
  chunk->is_last = is_last;
  chunk->view = dg_program_view (&recording->program);
  if (memcmp (&chunk->view.n, &recording->written, sizeof chunk->view.n) != 0)
    chunk->code = dg_program_write (&recording->program, recording->written,
                                    &chunk->packed.definitions,
                                    &chunk->error);
  recording->written = chunk->view.n;
  g_atomic_int_set (&recording->is_cut, is_last);
  recording->chunk_begin = recording->read;
  dg_chunk_queue_add (&all->queue, chunk);
}

void
dg_recording_end (struct dg_recording *recording, enum dg_recording_ending end)
{
  if (g_atomic_int_get (&recording->is_cut))
    return;
  recording->end = end;
  /* Who is still there need not wait for room.  */
  if (g_atomic_int_get (&recording->stop) == 0)
    __atomic_store_n (&recording->ring.header->stop, DG_END_OUTPUT,
                      __ATOMIC_RELEASE);
  cut (recording, true);
}

void
dg_recording_age (struct dg_recording *recording, gint64 now)
{
  if (!g_atomic_int_get (&recording->is_cut)
      && recording->read != recording->chunk_begin
      && now - recording->chunk_since > CHUNK_US)
    cut (recording, false);
}

/* ---- The first two records ---- */

static int
begin_archive (struct dg_recording *recording, struct dg_error *err)
{
  struct dg_recordings *all = recording->all;
  struct dg_ring_header *header = recording->ring.header;
  struct dg_builder_options options = {.path = recording->file,
                                       .format = recording->format,
                                       .level = all->options.level,
                                       .has_index = !all->options.no_index,
                                       .has_values =
                                         recording->program.has_values,
                                       .max_bytes =
                                         all->options.max_bytes};
  struct dg_error why;

  if (options.max_bytes == 0)
    options.max_bytes = __atomic_load_n (&header->max_size, __ATOMIC_RELAXED);
  recording->builder = dg_builder_new (&options, &why);
  if (!recording->builder)
    return dg_error_copy (err, &why);
  /* The tool's own program, by which an exec into another is seen.  */
  dg_process_exe (recording->pid, &recording->exe_device,
                  &recording->exe_inode);
  g_mutex_lock (&all->lock);
  all->gone.begun++;
  g_mutex_unlock (&all->lock);
  dg_recording_tell (recording, DG_CAPTURE_BEGUN, NULL);
  return 0;
}

/* A private copy of a payload, in this host's order unless it is a record.  */
static int
copy (struct dg_recording *recording, const struct dg_capture_message *message,
      struct dg_error *err)
{
  struct dg_table *scratch = &recording->scratch;

  if (dg_table_reserve (scratch, 1, DG_RING_MESSAGE_MAX) < 0)
    return dg_error_nomem (err);
  memcpy (scratch->items, message->payload, message->size);
  scratch->n = message->size;
  if (recording->ring.swap)
    dg_ring_order_swap (message->kind, scratch->items, scratch->n);
  return 0;
}

/* Of another process of that number, in a place where numbers are its own (a
   container) or long ago.  Emulators of processors say when they were ready,
   which is a little later than when they were started.  */
static bool
is_another (const struct dg_recording *recording, uint64_t start_ticks)
{
  return start_ticks != 0
         && start_ticks - recording->start_ticks > EMULATOR_TICKS;
}

static int
take_header (struct dg_recording *recording,
             const struct dg_capture_message *message, struct dg_error *err)
{
  const struct dg_ring_header *header = recording->ring.header;
  struct dg_format *format = &recording->format;
  int code = copy (recording, message, err);

  /* Nor would we see its end.  */
  if (is_another (recording, header->start_ticks))
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "it is not the process %" PRIu64 " that we see",
                         recording->pid);
  if (code == 0)
    code = dg_decode_header (recording->scratch.items, recording->scratch.n,
                             format, err);
  if (code == 0 && (format->swap != recording->ring.swap
                    || recording->scratch.n != DG_HEADER_SIZE))
    code = dg_error_set (err, DG_ERR_DAMAGED,
                         "the header has another byte order");
  return code;
}

static bool
tells_values (const struct dg_recording *recording)
{
  const uint8_t *record = recording->scratch.items;
  size_t at = 4 * recording->format.word_size + 2 * 8;
  struct dg_head head;

  return dg_decode_head (&recording->format, record, recording->scratch.n,
                         &head)
         && head.size + at < recording->scratch.n
         && (record[head.size + at] & DG_PROCESS_VALUES) != 0;
}

static int
take_process (struct dg_recording *recording,
              const struct dg_capture_message *message, struct dg_error *err)
{
  int code = copy (recording, message, err);
  const uint8_t *record = recording->scratch.items;

  if (code == 0 && (message->size < 2 || record[0] != DG_R_PROCESS))
    code = dg_error_set (err, DG_ERR_DAMAGED,
                         "the second record is not PROCESS");
  if (code < 0)
    return code;
  recording->program.has_values = tells_values (recording);
  code = begin_archive (recording, err);
  if (code < 0)
    return code;
  return dg_builder_set_process (recording->builder, record,
                                 recording->scratch.n, err);
}

/* ---- Records that matter here ---- */

/* Their first bytes only; whether they are good is for the workers to say. */
static int
take_record (struct dg_recording *recording,
             const struct dg_capture_message *message, struct dg_error *err)
{
  uint64_t n = recording->n_records++, pid = 0;
  uint8_t start[16] = { 0 };

  if (n < 2)
    return n == 0 ? take_header (recording, message, err)
                  : take_process (recording, message, err);
  memcpy (start, message->payload, MIN (message->size, sizeof start));
  if (message->size > 0 && start[0] == DG_R_PROCESS)
    return dg_error_set (err, DG_ERR_DAMAGED, "there is a second PROCESS");
  recording->may_leave = start[0] == DG_R_END && start[2] == DG_END_EXEC;
  if (start[0] == DG_R_FORK) {
    pid = dg_load_word (start + 2, recording->format.word_size,
                        recording->format.swap);
    if (pid > 0 && pid <= G_MAXINT32)
      dg_recordings_announce (recording->all, pid, 2);
  }
  return 0;
}

/* ---- Definitions ---- */

G_STATIC_ASSERT ((int) DG_RING_VALUE_UNKNOWN == (int) DG_VALUE_UNKNOWN
                 && (int) DG_RING_VALUE_CONSTANT == (int) DG_VALUE_CONSTANT
                 && (int) DG_RING_VALUE_WORD == (int) DG_VALUE_WORD
                 && (int) DG_RING_VALUE_ENTRY == (int) DG_VALUE_ENTRY
                 && (int) DG_RING_VALUE_BYTES == (int) DG_VALUE_BYTES);

static struct dg_program_instr
instr_of (const uint8_t *at)
{
  struct dg_ring_instr in;

  memcpy (&in, at, sizeof in);
  return (struct dg_program_instr) { .address = in.address,
                                     .size = (uint8_t) MIN (in.size, 255) };
}

static struct dg_program_entry
entry_of (const uint8_t *at)
{
  struct dg_ring_entry in;

  memcpy (&in, at, sizeof in);
  return (struct dg_program_entry) { .disp = in.disp, .word = in.word,
                                     .kind = in.kind, .size = in.size,
                                     .iseq = in.iseq, .guarded = in.guarded };
}

static struct dg_program_value
value_of (const uint8_t *at)
{
  struct dg_ring_value in;

  memcpy (&in, at, sizeof in);
  return (struct dg_program_value) { .disp = in.disp, .from = in.from,
                                     .kind = in.kind };
}

/* What follows the head of a block, whose numbers are good.  */
static int
add_block_of (struct dg_recording *recording, const struct dg_ring_block *in,
              const uint8_t *at, struct dg_error *err)
{
  struct dg_program_instr instrs[256];
  struct dg_program_entry *entries
    = g_try_new (struct dg_program_entry, MAX (in->n_entries, 1));
  struct dg_program_value *values
    = g_try_new (struct dg_program_value, MAX (in->n_entries, 1));
  struct dg_program_block block = {
    .n_instrs = in->n_instrs, .n_entries = in->n_entries,
    .n_words = in->n_words, .instrs = instrs, .entries = entries,
    .values = in->has_values ? values : NULL
  };
  int code;

  if (!entries || !values) {
    code = dg_error_nomem (err);
    goto out;
  }
  for (uint32_t i = 0; i < in->n_instrs; i++)
    instrs[i] = instr_of (at + i * sizeof (struct dg_ring_instr));
  at += in->n_instrs * sizeof (struct dg_ring_instr);
  for (uint32_t i = 0; i < in->n_entries; i++)
    entries[i] = entry_of (at + i * sizeof (struct dg_ring_entry));
  at += in->n_entries * sizeof (struct dg_ring_entry);
  for (uint32_t i = 0; in->has_values && i < in->n_entries; i++)
    values[i] = value_of (at + i * sizeof (struct dg_ring_value));
  code = dg_program_add_block (&recording->program, &block, err);
out:
  g_free (entries);
  g_free (values);
  return code;
}

static int
add_block (struct dg_recording *recording, struct dg_error *err)
{
  const uint8_t *at = recording->scratch.items;
  size_t left = recording->scratch.n;
  struct dg_ring_block in;
  size_t entry = sizeof (struct dg_ring_entry);

  if (left < sizeof in)
    return dg_error_set (err, DG_ERR_DAMAGED, "a block has no header");
  memcpy (&in, at, sizeof in);
  left -= sizeof in;
  if (in.has_values)
    entry += sizeof (struct dg_ring_value);
  if (in.n_instrs > 255 || in.n_entries > DG_ENTRIES_MAX || in.has_values > 1
      || left != in.n_instrs * sizeof (struct dg_ring_instr)
                   + in.n_entries * entry)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a block has %u instructions and %u entries in %zu "
                         "bytes", in.n_instrs, in.n_entries, left);
  if (in.has_values && !recording->program.has_values)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a block has values, but PROCESS says that there are "
                         "none");
  return add_block_of (recording, &in, at + sizeof in, err);
}

static int
add_variants (struct dg_recording *recording, struct dg_error *err)
{
  const uint8_t *at = recording->scratch.items;
  struct dg_ring_variant in;
  int code = 0;

  if (recording->scratch.n % sizeof in != 0)
    return dg_error_set (err, DG_ERR_DAMAGED, "variants have %zu bytes",
                         recording->scratch.n);
  for (size_t n = recording->scratch.n / sizeof in; n > 0 && code == 0; n--) {
    memcpy (&in, at, sizeof in);
    at += sizeof in;
    code = dg_program_add_variant (&recording->program, in.block, in.n_instrs,
                                   in.n_entries, in.n_words, err);
  }
  return code;
}

static int
add_nodes (struct dg_recording *recording, struct dg_error *err)
{
  const uint8_t *at = recording->scratch.items;
  struct dg_ring_node in;
  int code = 0;

  if (recording->scratch.n % sizeof in != 0)
    return dg_error_set (err, DG_ERR_DAMAGED, "nodes have %zu bytes",
                         recording->scratch.n);
  for (size_t n = recording->scratch.n / sizeof in; n > 0 && code == 0; n--) {
    struct dg_program_node node = { 0 };

    memcpy (&in, at, sizeof in);
    at += sizeof in;
    node.site = in.site;
    node.parent = in.parent;
    code = dg_program_add_node (&recording->program, &node, err);
  }
  return code;
}

/* ---- Reading ---- */

static int
take_message (struct dg_recording *recording,
              const struct dg_capture_message *message, struct dg_error *err)
{
  int code;

  if (message->kind == DG_RING_RECORD)
    return take_record (recording, message, err);
  if (message->kind == DG_RING_PAD)
    return 0;
  if (recording->n_records < 2)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "the recording does not start with its header");
  switch (message->kind) {
  case DG_RING_RUNS:
  case DG_RING_SKIP:
    recording->may_leave = false;
    return 0;
  default:
    code = copy (recording, message, err);
    if (code < 0)
      return code;
    if (message->kind == DG_RING_BLOCK)
      return add_block (recording, err);
    if (message->kind == DG_RING_VARIANTS)
      return add_variants (recording, err);
    return add_nodes (recording, err);
  }
}

/* Bytes of the ring that make a chunk.  */
static uint32_t
chunk_bytes (const struct dg_recording *recording)
{
  uint32_t most = recording->program.has_values ? DG_CAPTURE_VALUES_BYTES
                                                : DG_CAPTURE_CHUNK_BYTES;

  return MIN (most, recording->ring.bytes / 4);
}

/* Nothing of it will be looked at.  */
static bool
throw_away (struct dg_recording *recording)
{
  if (!g_atomic_int_get (&recording->is_cut))
    dg_recording_end (recording, DG_RECORDING_STOPPED);
  return false;
}

bool
dg_recording_read (struct dg_recording *recording)
{
  const struct dg_capture_ring *ring = &recording->ring;
  uint32_t head = dg_capture_ring_head (ring);
  uint32_t limit = chunk_bytes (recording) / DG_RING_UNIT;
  bool any = head != recording->read;
  struct dg_error error = { 0 };

  if (g_atomic_int_get (&recording->is_cut))
    return false;
  if (g_atomic_int_get (&recording->stop) != 0)
    return throw_away (recording);
  if (any && head - recording->chunk_begin > ring->bytes / DG_RING_UNIT) {
    dg_error_set (&error, DG_ERR_DAMAGED, "the ring's counter is wrong");
    broken (recording, &error);
    return true;
  }
  if (any && recording->n_records == 0)
    dg_capture_ring_take_order (&recording->ring);
  if (any && recording->read == recording->chunk_begin)
    recording->chunk_since = g_get_monotonic_time ();
  while (recording->read != head) {
    struct dg_capture_message message;

    if (dg_capture_ring_message (ring, recording->read, head, &message, &error)
          < 0
        || take_message (recording, &message, &error) < 0) {
      broken (recording, &error);
      return true;
    }
    recording->read = message.next;
    /* The archive says it, the first chunk begins behind it.  */
    if (recording->n_records == 1)
      recording->chunk_begin = recording->read;
    if (recording->read - recording->chunk_begin >= limit)
      cut (recording, false);
  }
  return any;
}
