/* cut.c: dg_log_cut: a part of a log as a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cut.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "replace.h"

/* Runs without any access that is kept are left out when they would take more
   than this; what tells of the gap takes some bytes, too, and readers keep
   all gaps in memory.  */
#define GAP_BYTES 256
/* How often the caller is told of progress: looked at so often.  */
#define PACE_RECORDS 4096
#define PROGRESS_US  40000

/* A run of which nothing was kept, and that may stay all the same.  */
struct empty_run {
  uint64_t icount;
  uint32_t context, thread;
  uint16_t n_entries;
  uint8_t first, end;
};

struct cut {
  const struct dg_log *log;
  struct dg_cut_options options;
  uint64_t end_icount;
  bool chooses;            /* accesses, not just instructions */
  struct dg_cut_out out;
  uint64_t *addresses;     /* of a run, as they are kept */
  uint64_t *zeros;
  struct dg_table empty;   /* struct empty_run */
  size_t empty_bytes;
  dg_progress_fn progress;
  void *user;
  unsigned records;        /* since progress was looked at */
  gint64 last_progress;    /* monotonic time, us */
};

/* ---- Accesses ---- */

static bool
touches (const struct cut *cut, uint64_t address, uint64_t size)
{
  const struct dg_cut_options *o = &cut->options;

  if (o->high > 0 && address >= o->high)
    return false;
  return address >= o->low || o->low - address < size;
}

static bool
is_kept (const struct cut *cut, const struct dg_access *access)
{
  return touches (cut, access->address, access->size)
         && (!cut->options.filter
             || dg_filter_access (cut->options.filter, access));
}

/* The addresses of a run's accesses that stay, 0 for the others.  Returns
   whether there are any.  */
static bool
choose (struct cut *cut, const struct dg_record *rec, unsigned first,
        unsigned end)
{
  const struct dg_context *context = dg_log_context (cut->log, rec->words[0]);
  const struct dg_bbdef *bbdef = dg_log_bbdef (cut->log, context->bbdef);
  const uint64_t *addresses = rec->words + 2;
  unsigned n = rec->n_words - 2;
  bool any = false;

  memset (cut->addresses, 0, n * sizeof *addresses);
  if (cut->options.filter
      && !dg_filter_run (cut->options.filter, rec->words[0], rec->icount))
    return false;
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    unsigned to = i + 1 < bbdef->n_slots ? slot[1].entry : bbdef->n_entries;
    struct dg_access access = {
      .icount = rec->icount + slot->iseq,
      .instruction = bbdef->instrs[slot->iseq].address,
      .size = slot->size, .context = rec->words[0], .thread = rec->thread,
      .kind = slot->kind
    };

    if (to > n || slot->iseq >= end)
      break;
    access.address = addresses[slot->entry];
    if (slot->iseq < first || access.address == 0 || !is_kept (cut, &access))
      continue;
    memcpy (cut->addresses + slot->entry, addresses + slot->entry,
            (to - slot->entry) * sizeof *addresses);
    any = true;
  }
  return any;
}

/* ---- Runs ---- */

/* What was left out so far is little: it stays, without its accesses.  */
static int
put_empty (struct cut *cut, struct dg_error *err)
{
  const struct empty_run *empty = cut->empty.items;
  size_t n = cut->empty.n;
  int code = 0;

  cut->empty.n = 0;
  if (n == 0 || cut->empty_bytes > GAP_BYTES || !cut->out.now.recording
      || cut->out.now.icount != empty->icount + empty->first)
    n = 0;
  cut->empty_bytes = 0;
  for (; n > 0 && code == 0; n--, empty++) {
    const struct dg_cut_run run = { empty->icount, empty->context,
                                    empty->thread, empty->first, empty->end,
                                    cut->zeros, empty->n_entries };

    code = dg_cut_out_run (&cut->out, &run, err);
  }
  return code;
}

static int
leave_out (struct cut *cut, const struct dg_cut_run *run, struct dg_error *err)
{
  struct empty_run *empty;

  cut->empty_bytes
    += 2 + (run->n_entries + 1) * (size_t) cut->log->format.word_size + 1;
  if (cut->empty_bytes > GAP_BYTES)
    return 0;
  empty = dg_table_add (&cut->empty, sizeof *empty);
  if (!empty)
    return dg_error_nomem (err);
  *empty = (struct empty_run) { run->icount, run->context, run->thread,
                                run->n_entries, run->first, run->end };
  return 0;
}

/* 1, or 0 if this and all that follows is behind the end.  */
static int
take_run (struct cut *cut, const struct dg_record *rec, struct dg_error *err)
{
  uint64_t start = cut->options.start_icount, icount = rec->icount;
  struct dg_cut_run run = { .icount = icount, .context = rec->words[0],
                            .thread = rec->thread, .end = rec->words[1],
                            .addresses = rec->words + 2,
                            .n_entries = rec->n_words - 2 };
  int code;

  if (icount >= cut->end_icount)
    return 0;
  if (icount + run.end <= start && icount < start)
    return 1;
  if (icount < start)
    run.first = start - icount;
  if (run.end > cut->end_icount - icount)
    run.end = cut->end_icount - icount;
  if (cut->chooses && !choose (cut, rec, run.first, run.end)) {
    code = leave_out (cut, &run, err);
  } else {
    if (cut->chooses)
      run.addresses = cut->addresses;
    code = put_empty (cut, err);
    if (code == 0)
      code = dg_cut_out_run (&cut->out, &run, err);
  }
  if (code < 0)
    return code;
  return run.end == rec->words[1];
}

/* ---- Records ---- */

static int
take_record (struct cut *cut, const struct dg_record *rec,
             struct dg_error *err)
{
  const struct dg_fields fields = {
    .words = (uint64_t *) rec->words, .n_words = rec->n_words,
    .strings = (const char **) rec->strings, .n_strings = rec->n_strings
  };
  uint64_t start = cut->options.start_icount;
  int code;

  if (rec->icount > cut->end_icount)
    return 0;
  /* What came before is told already.  */
  if (start > 0 && rec->icount <= start)
    return 1;
  switch (rec->type) {
  case DG_R_PROCESS:
  case DG_R_THREAD_SWITCH:
  case DG_R_BBDEF:
  case DG_R_CONTEXT:
  case DG_R_CHUNK:
  case DG_R_END:
    return 1;
  case DG_R_KERNEL_ACCESS:
    if (!touches (cut, rec->words[1], rec->words[2]))
      return 1;
    break;
  default:
    if (!dg_decode_layout (rec->type))
      return 1;
    break;
  }
  code = put_empty (cut, err);
  if (code == 0 && rec->type == DG_R_KERNEL_ACCESS)
    code = dg_cut_out_thread (&cut->out, rec->thread, err);
  if (code == 0)
    code = dg_cut_out_record (&cut->out, rec->type, &fields, rec->icount, err);
  return code < 0 ? code : 1;
}

static int
tell_progress (struct cut *cut, uint64_t icount, struct dg_error *err)
{
  uint64_t start = cut->options.start_icount, end;
  gint64 now;

  if (!cut->progress || cut->records++ % PACE_RECORDS != 0)
    return 0;
  now = g_get_monotonic_time ();
  if (cut->records > 1 && now - cut->last_progress < PROGRESS_US)
    return 0;
  cut->last_progress = now;
  end = MIN (cut->end_icount, cut->log->contents.summary.last_icount);
  end = MAX (end, start);
  icount = CLAMP (icount, start, end);
  if (cut->progress (cut->user, icount - start, end - start) != 0)
    return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
  return 0;
}

/* The last chunk that begins not behind the start.  */
static size_t
first_chunk (const struct cut *cut)
{
  size_t n, low = 0, high;
  const struct dg_chunk *chunks = dg_log_chunks (cut->log, &n);

  high = n > 0 ? n - 1 : 0;
  while (low < high) {
    size_t middle = high - (high - low) / 2;

    if (chunks[middle].icount <= cut->options.start_icount)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Everything from the start on: 1 if that ends before the log does, 0 if the
   log ended.  */
static int
copy (struct cut *cut, struct dg_error *err)
{
  struct dg_reader *reader
    = dg_reader_new (cut->log, cut->options.start_icount > 0
                                 ? first_chunk (cut) : 0, SIZE_MAX, err);
  struct dg_record rec;
  int more, goes_on = 1;

  if (!reader)
    return DG_ERR_NOMEM;
  while (goes_on > 0 && (more = dg_reader_record (reader, &rec, err)) != 0) {
    goes_on = more < 0 ? more : tell_progress (cut, rec.icount, err);
    if (goes_on == 0)
      goes_on = rec.type == DG_R_BBRUN ? take_run (cut, &rec, err)
                                       : take_record (cut, &rec, err);
  }
  dg_reader_free (reader);
  if (goes_on >= 0) {
    int code = put_empty (cut, err);

    if (code < 0)
      goes_on = code;
  }
  return goes_on < 0 ? goes_on : goes_on == 0;
}

static int
finish (struct cut *cut, bool is_cut, struct dg_error *err)
{
  const struct dg_summary *summary = &cut->log->contents.summary;
  uint64_t icount = MIN (cut->end_icount, summary->last_icount);
  uint8_t why = DG_END_CUT, exit_code = 0;
  int code = 0;

  icount = MAX (icount, cut->out.now.icount);
  if (is_cut) {
    code = dg_cut_threads (&cut->out, icount, err);
  } else if (summary->end_why >= 0) {
    why = summary->end_why;
    exit_code = summary->exit_code;
  } else if (summary->complete == DG_COMPLETE_NO) {
    /* More was recorded, and is lost.  */
    why = DG_END_OUTPUT;
  }
  return code < 0 ? code : dg_cut_out_end (&cut->out, why, exit_code, icount,
                                           summary->lost_calls, err);
}

static int
write_cut (struct cut *cut, struct dg_error *err)
{
  int code = dg_cut_process (&cut->out, err);

  if (code == 0 && cut->options.start_icount > 0)
    code = dg_cut_state (&cut->out, cut->options.start_icount, err);
  if (code == 0)
    code = copy (cut, err);
  return code < 0 ? code : finish (cut, code > 0, err);
}

/* ---- The whole ---- */

static int
write_to (struct cut *cut, const char *path, struct dg_error *err)
{
  size_t room = cut->log->contents.defs.max_entries + 1;
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  int code;

  if (fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  cut->addresses = g_try_new (uint64_t, room);
  cut->zeros = g_try_new0 (uint64_t, room);
  code = cut->addresses && cut->zeros
           ? dg_cut_out_init (&cut->out, cut->log, fd, err)
           : dg_error_nomem (err);
  if (code == 0)
    code = write_cut (cut, err);
  dg_cut_out_fini (&cut->out);
  dg_table_fini (&cut->empty);
  g_free (cut->addresses);
  g_free (cut->zeros);
  if (close (fd) < 0 && code == 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return code;
}

/* Packs the raw log at `from`.  */
static int
pack (const struct cut *cut, const char *from, const char *to,
      struct dg_error *err)
{
  const struct dg_pack_options *options = cut->options.pack;
  struct dg_log *log;
  struct dg_error error;
  int code = dg_log_open (from, &log, err);

  if (code < 0)
    return code;
  /* That it is incomplete is no news.  */
  code = dg_log_load (log, options->workers, NULL, NULL, &error);
  if (code < 0 && code != DG_ERR_TRUNCATED)
    code = dg_error_copy (err, &error);
  else
    code = dg_log_pack (log, to, options, cut->progress, cut->user, err);
  dg_log_close (log);
  return code;
}

int
dg_log_cut (const struct dg_log *log, const char *path,
            const struct dg_cut_options *options, dg_progress_fn progress,
            void *user, struct dg_error *err)
{
  struct cut cut = { .log = log, .options = *options, .progress = progress,
                     .user = user };
  struct dg_replace replace;
  int code;

  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  cut.end_icount = options->end_icount > 0 ? options->end_icount : DG_NEVER;
  if (cut.end_icount <= options->start_icount
      || (options->high > 0 && options->high <= options->low))
    return dg_error_set (err, DG_ERR_INVALID,
                         "the cut ends before it begins");
  cut.chooses = options->low > 0 || options->high > 0 || options->filter;
  code = dg_replace_begin (&replace, path, &log->source, err);
  if (code < 0)
    return code;
  code = write_to (&cut, replace.temporary, err);
  if (code == 0)
    code = options->pack ? pack (&cut, replace.temporary, path, err)
                         : dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  return code;
}
