/* cut_read.c: what a cut takes of the chunks of a log, each by itself, so
   that several threads can work on it.  cut.c puts it together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "cut.h"
#include "base/error.h"
#include "log/reader.h"

/* Records of unknown types that are larger are left out: their memory would
   only be bounded by the log's size.  */
#define PAYLOAD_MAX ((uint64_t) 16 << 20)

/* Of one worker.  */
struct state {
  uint64_t *addresses;     /* of a run, as they are kept */
};

/* One chunk that is being read.  */
struct chunk {
  const struct dg_cut_reading *reading;
  struct dg_reader *reader;
  uint64_t *addresses;     /* the worker's */
  struct dg_cut_items *items;
};

void *
dg_cut_read_new (void *user, struct dg_error *err)
{
  const struct dg_cut_reading *reading = user;
  size_t room = reading->log->contents.defs.max_entries + 1;
  struct state *state = g_try_new0 (struct state, 1);

  if (state)
    state->addresses = g_try_new (uint64_t, room);
  if (state && state->addresses)
    return state;
  g_free (state);
  dg_error_nomem (err);
  return NULL;
}

void
dg_cut_read_free (void *data)
{
  struct state *state = data;

  g_free (state->addresses);
  g_free (state);
}

void
dg_cut_items_fini (void *result)
{
  struct dg_cut_items *items = result;

  dg_table_fini (&items->words);
}

/* ---- Items ---- */

/* One with room for n words behind it; NULL: no memory.  */
static struct dg_cut_item *
add_item (struct dg_cut_items *items, const struct dg_cut_item *item,
          uint64_t **words)
{
  struct dg_table *table = &items->words;
  size_t room = table->n + DG_CUT_ITEM_WORDS + dg_cut_item_rest (item);
  uint64_t *at;

  if (room > table->room
      && dg_table_reserve (table, sizeof *at, room + room / 2) < 0)
    return NULL;
  at = (uint64_t *) table->items + table->n;
  memcpy (at, item, sizeof *item);
  table->n = room;
  *words = at + DG_CUT_ITEM_WORDS;
  return (struct dg_cut_item *) (void *) at;
}

static int
add_run (struct chunk *chunk, const struct dg_cut_item *item,
         const uint64_t *addresses, struct dg_error *err)
{
  uint64_t *words;

  if (!add_item (chunk->items, item, &words))
    return dg_error_nomem (err);
  if (item->kind == DG_CUT_RUN)
    memcpy (words, addresses, item->n_words * sizeof *words);
  return 1;
}

/* A record of a known type: its numbers and strings, one behind the other,
   and what only a later library knows.  */
static int
add_record (struct chunk *chunk, const struct dg_record *rec,
            struct dg_error *err)
{
  struct dg_cut_item item = { .icount = rec->icount, .thread = rec->thread,
                              .what = rec->type, .kind = DG_CUT_RECORD,
                              .n_words = rec->n_words,
                              .n_strings = rec->n_strings };
  uint64_t *words;
  char *bytes;

  item.n_bytes = rec->n_behind;
  for (uint32_t i = 0; i < rec->n_strings; i++)
    item.n_bytes += strlen (rec->strings[i]) + 1;
  if (!add_item (chunk->items, &item, &words))
    return dg_error_nomem (err);
  if (rec->n_words > 0)
    memcpy (words, rec->words, rec->n_words * sizeof *words);
  bytes = (char *) (words + rec->n_words);
  for (uint32_t i = 0; i < rec->n_strings; i++)
    bytes = g_stpcpy (bytes, rec->strings[i]) + 1;
  if (rec->n_behind > 0)
    memcpy (bytes, rec->behind, rec->n_behind);
  return 1;
}

/* Of an unknown type: its payload, as it is.  */
static int
add_unknown (struct chunk *chunk, const struct dg_record *rec,
             struct dg_error *err)
{
  struct dg_cut_item item = { .icount = rec->icount, .thread = rec->thread,
                              .what = rec->type, .kind = DG_CUT_UNKNOWN,
                              .n_bytes = rec->length };
  const uint8_t *payload = dg_reader_payload (chunk->reader);
  uint64_t *words;

  if (!payload)
    return 1;
  if (!add_item (chunk->items, &item, &words))
    return dg_error_nomem (err);
  memcpy (words, payload, rec->length);
  return 1;
}

/* ---- Accesses ---- */

static bool
touches (const struct dg_cut_reading *reading, uint64_t address,
         uint64_t size)
{
  const struct dg_cut_options *o = reading->options;

  if (o->high > 0 && address >= o->high)
    return false;
  return address >= o->low || o->low - address < size;
}

static bool
is_kept (const struct dg_cut_reading *reading, const struct dg_access *access)
{
  return touches (reading, access->address, access->size)
         && (!reading->options->filter
             || dg_filter_access (reading->options->filter, access));
}

/* The addresses of a run's accesses that stay, 0 for the others.  Returns
   whether there are any.  */
static bool
choose (struct chunk *chunk, const struct dg_record *rec, unsigned first,
        unsigned end)
{
  const struct dg_cut_reading *reading = chunk->reading;
  const struct dg_context context = dg_log_context (reading->log,
                                                     rec->words[0]);
  const struct dg_bbdef *bbdef = dg_log_bbdef (reading->log, context.bbdef);
  const uint64_t *addresses = rec->words + 2;
  unsigned n = rec->n_words - 2;
  bool any = false;

  memset (chunk->addresses, 0, n * sizeof *addresses);
  if (reading->options->filter
      && !dg_filter_run (reading->options->filter, rec->words[0],
                         rec->icount))
    return false;
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    unsigned to = dg_slot_end (slot);
    struct dg_access access = {
      .icount = rec->icount + slot->iseq,
      .instruction = bbdef->instrs[slot->iseq].address,
      .size = slot->size, .context = rec->words[0], .thread = rec->thread,
      .kind = slot->kind
    };

    if (to > n || slot->iseq >= end)
      break;
    access.address = addresses[slot->entry];
    if (slot->iseq < first || access.address == 0
        || !is_kept (reading, &access))
      continue;
    memcpy (chunk->addresses + slot->entry, addresses + slot->entry,
            (to - slot->entry) * sizeof *addresses);
    any = true;
  }
  for (unsigned i = 0; i < bbdef->n_sps; i++) {
    const struct dg_sp_entry *sp = &bbdef->sps[i];

    if (sp->entry >= n || sp->iseq >= end)
      break;
    if (sp->iseq >= first)
      chunk->addresses[sp->entry] = addresses[sp->entry];
  }
  return any;
}

/* ---- Records ---- */

/* 1, or 0 if this and all that follows is behind the end.  */
static int
take_run (struct chunk *chunk, const struct dg_record *rec,
          struct dg_error *err)
{
  const struct dg_cut_reading *reading = chunk->reading;
  uint64_t start = reading->options->start_icount, icount = rec->icount;
  struct dg_cut_item item = { .icount = icount, .thread = rec->thread,
                              .what = rec->words[0], .end = rec->words[1],
                              .n_words = rec->n_words - 2,
                              .kind = DG_CUT_RUN };
  const uint64_t *addresses = rec->words + 2;
  int code;

  /* Behind one of no instructions, something may happen just at the end.  */
  if (icount >= reading->end_icount)
    return icount == reading->end_icount && item.end == 0;
  if (icount + item.end <= start && icount < start)
    return 1;
  if (icount < start)
    item.first = start - icount;
  if (item.end > reading->end_icount - icount)
    item.end = reading->end_icount - icount;
  if (reading->chooses) {
    addresses = chunk->addresses;
    if (!choose (chunk, rec, item.first, item.end))
      item.kind = DG_CUT_EMPTY;
  }
  code = add_run (chunk, &item, addresses, err);
  return code < 0 ? code : item.end == rec->words[1];
}

/* Likewise.  Of what came before the start, and just there, all that still
   holds is told by the cut; what only happens is not.  */
static int
take_record (struct chunk *chunk, const struct dg_record *rec,
             struct dg_error *err)
{
  const struct dg_cut_reading *reading = chunk->reading;
  uint64_t start = reading->options->start_icount;
  bool happens = rec->type == DG_R_KERNEL_ACCESS || rec->type == DG_R_SIGNAL
                 || rec->type == DG_R_FORK || rec->type == DG_R_UNDECODED
                 || !dg_decode_is_known (rec->type);

  if (rec->icount > reading->end_icount)
    return 0;
  if (start > 0 && (happens ? rec->icount < start : rec->icount <= start))
    return 1;
  switch (rec->type) {
  case DG_R_THREAD_SWITCH:
    /* Where runs are left out, before those that stay.  */
    if (reading->chooses)
      return 1;
    break;
  case DG_R_PROCESS:
  case DG_R_BBDEF:
  case DG_R_CONTEXT:
  case DG_R_BBFLOW:
  case DG_R_BBCODE:
  case DG_R_CODE:
  case DG_R_CHUNK:
  case DG_R_END:
  case DG_R_RUN_VALUES:
    return 1;
  case DG_R_KERNEL_ACCESS:
    if (!touches (reading, rec->words[1], rec->words[2]))
      return 1;
    break;
  default:
    break;
  }
  return dg_decode_is_known (rec->type) ? add_record (chunk, rec, err)
                                        : add_unknown (chunk, rec, err);
}

int
dg_cut_read_work (void *user, void *data, size_t job, void *result,
                  struct dg_error *err)
{
  const struct dg_cut_reading *reading = user;
  size_t first = reading->first_chunk + job;
  struct chunk chunk = { .reading = reading,
                         .addresses = ((struct state *) data)->addresses,
                         .items = result };
  struct dg_record rec;
  int goes_on = 1, more;

  chunk.items->words.n = 0;
  chunk.items->ends = false;
  chunk.reader = dg_reader_new (reading->log, first, first + 1, err);
  if (!chunk.reader)
    return DG_ERR_NOMEM;
  chunk.reader->payload_max = PAYLOAD_MAX;
  while (goes_on > 0
         && (more = dg_reader_record (chunk.reader, &rec, err)) != 0) {
    goes_on = more;
    if (more > 0)
      goes_on = rec.type == DG_R_BBRUN ? take_run (&chunk, &rec, err)
                                       : take_record (&chunk, &rec, err);
  }
  dg_reader_free (chunk.reader);
  chunk.items->ends = goes_on == 0;
  return MIN (goes_on, 0);
}
