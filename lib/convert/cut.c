/* cut.c: dg_log_cut: a part of a log as a new log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/bundle_write.h"
#include "cut.h"
#include "log/bundled.h"
#include "pack_log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/ordered.h"
#include "base/replace.h"
#include "base/sized.h"

/* Runs without any access that is kept are left out when they would take more
   than this; what tells of the gap takes some bytes, too, and readers keep
   all gaps in memory.  */
#define GAP_BYTES 256

/* Reading is this part of the work, packing what was read the rest.  */
#define READ_PART 0.5

/* A run of which nothing was kept, and that may stay all the same.  */
struct empty_run {
  uint64_t icount;
  uint32_t context, thread;
  uint16_t n_entries;
  uint8_t first, end;
};

struct cut {
  struct dg_cut_reading reading;
  struct dg_cut_options options;
  struct dg_pack_options pack; /* of the archive that becomes of it */
  struct dg_cut_out out;
  uint64_t *zeros;         /* the addresses of any run without accesses */
  struct dg_table strings; /* const char *: of a record */
  struct dg_table empty;   /* struct empty_run */
  size_t empty_bytes;
  uint64_t icount;         /* of the latest item */
  struct dg_progress progress;           /* of all */
  struct dg_progress_part reading_part;  /* of that */
};

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
    += 2 + (run->n_entries + 1) * (size_t) cut->out.log->format.word_size + 1;
  if (cut->empty_bytes > GAP_BYTES)
    return 0;
  empty = dg_table_add (&cut->empty, sizeof *empty);
  if (!empty)
    return dg_error_nomem (err);
  *empty = (struct empty_run) { run->icount, run->context, run->thread,
                                run->n_entries, run->first, run->end };
  return 0;
}

static int
put_run (struct cut *cut, const struct dg_cut_item *item,
         const uint64_t *addresses, struct dg_error *err)
{
  const struct dg_cut_run run = { .icount = item->icount,
                                  .context = item->what,
                                  .thread = item->thread,
                                  .first = item->first, .end = item->end,
                                  .addresses = addresses,
                                  .n_entries = item->n_words };
  int code;

  if (item->kind == DG_CUT_EMPTY)
    return leave_out (cut, &run, err);
  code = put_empty (cut, err);
  return code < 0 ? code : dg_cut_out_run (&cut->out, &run, err);
}

/* ---- Records ---- */

static int
put_record (struct cut *cut, const struct dg_cut_item *item, uint64_t *words,
            struct dg_error *err)
{
  struct dg_fields fields = { .words = words, .n_words = item->n_words,
                              .n_strings = item->n_strings };
  const char *bytes = (const char *) (words + item->n_words), *at = bytes;

  if (dg_table_reserve (&cut->strings, sizeof at, item->n_strings) < 0)
    return dg_error_nomem (err);
  fields.strings = cut->strings.items;
  for (uint32_t i = 0; i < item->n_strings; i++) {
    fields.strings[i] = at;
    at += strlen (at) + 1;
  }
  fields.behind = (const uint8_t *) at;
  fields.n_behind = item->n_bytes - (at - bytes);
  return dg_cut_out_record (&cut->out, item->what, &fields, item->icount, err);
}

static int
put_item (struct cut *cut, const struct dg_cut_item *item, uint64_t *words,
          struct dg_error *err)
{
  int code = 0;

  if (item->kind == DG_CUT_RUN || item->kind == DG_CUT_EMPTY)
    return put_run (cut, item, words, err);
  code = put_empty (cut, err);
  if (code == 0 && (item->kind == DG_CUT_UNKNOWN
                    || item->what == DG_R_KERNEL_ACCESS
                    || item->what == DG_R_THREAD_SWITCH))
    code = dg_cut_out_thread (&cut->out, item->thread, err);
  if (code < 0 || item->what == DG_R_THREAD_SWITCH)
    return code;
  if (item->kind == DG_CUT_UNKNOWN)
    return dg_cut_out_unknown (&cut->out, item->what, words, item->n_bytes,
                               item->icount, err);
  return put_record (cut, item, words, err);
}

/* ---- Chunks ---- */

/* The last chunk that begins before the start: what happens just there may
   stand in one that ends there.  */
static size_t
first_chunk (const struct dg_cut_reading *reading)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (reading->log, &n);

  return DG_BISECT (1, n, i, chunks[i].icount < reading->options->start_icount)
         - 1;
}

/* Chunks from the first one on that do not begin behind the end.  */
static size_t
count_chunks (const struct dg_cut_reading *reading)
{
  size_t n, end = reading->first_chunk;
  const struct dg_chunk *chunks = dg_log_chunks (reading->log, &n);

  while (end < n && chunks[end].icount <= reading->end_icount)
    end++;
  return end - reading->first_chunk;
}

/* 1: all that follows is behind the end.  */
static int
take (void *user, size_t job, void *result, struct dg_error *err)
{
  struct cut *cut = user;
  const struct dg_cut_items *items = result;
  uint64_t *word = items->words.items, *end = word + items->words.n;
  int code = 0;

  while (word < end && code == 0) {
    const struct dg_cut_item *item = (const void *) word;

    word += DG_CUT_ITEM_WORDS;
    cut->icount = item->icount;
    code = put_item (cut, item, word, err);
    word += dg_cut_item_rest (item);
  }
  return code < 0 ? code : items->ends;
}

static int
pace (void *user, struct dg_error *err)
{
  struct cut *cut = user;
  const struct dg_progress part = {dg_progress_part_fn, &cut->reading_part, 0};
  uint64_t start = cut->options.start_icount, end, icount;

  end = MIN (cut->reading.end_icount,
             cut->out.log->contents.summary.last_icount);
  end = MAX (end, start);
  icount = CLAMP (cut->icount, start, end);
  return dg_progress_tell (&part, icount - start, end - start, err);
}

static void *
read_new (void *user, struct dg_error *err)
{
  struct cut *cut = user;

  return dg_cut_read_new (&cut->reading, err);
}

static int
read_work (void *user, void *state, size_t job, void *items,
           struct dg_error *err)
{
  struct cut *cut = user;

  return dg_cut_read_work (&cut->reading, state, job, items, err);
}

/* Everything from the start on: 1 if that ends before the log does, 0 if the
   log ended.  */
static int
copy (struct cut *cut, struct dg_error *err)
{
  const struct dg_ordered ordered = {
    .jobs = count_chunks (&cut->reading), .workers = cut->options.workers,
    .result_size = sizeof (struct dg_cut_items), .user = cut,
    .state_new = read_new, .state_free = dg_cut_read_free,
    .work = read_work, .take = take, .result_fini = dg_cut_items_fini,
    .pace = pace
  };
  int ended = dg_ordered_run (&ordered, err);
  int code = ended < 0 ? ended : put_empty (cut, err);

  return code < 0 ? code : ended;
}

static int
finish (struct cut *cut, bool is_cut, struct dg_error *err)
{
  const struct dg_summary *summary = &cut->out.log->contents.summary;
  uint64_t icount = MIN (cut->reading.end_icount, summary->last_icount);
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

  if (code == 0)
    code = dg_cut_codes (&cut->out, err);
  if (code == 0 && cut->options.start_icount > 0)
    code = dg_cut_state (&cut->out, cut->options.start_icount, err);
  if (code == 0 && cut->reading.chooses)
    code = dg_cut_out_sieve (&cut->out, err);
  if (code == 0)
    code = copy (cut, err);
  return code < 0 ? code : finish (cut, code > 0, err);
}

/* ---- The whole ---- */

static int
write_to (struct cut *cut, int fd, struct dg_error *err)
{
  const struct dg_log *log = cut->reading.log;
  int code;

  cut->zeros = g_try_new0 (uint64_t, log->contents.defs.max_entries + 1);
  code = cut->zeros ? dg_cut_out_init (&cut->out, log, fd, err)
                    : dg_error_nomem (err);
  if (code == 0)
    code = write_cut (cut, err);
  dg_cut_out_fini (&cut->out);
  dg_table_fini (&cut->empty);
  dg_table_fini (&cut->strings);
  g_free (cut->zeros);
  return code;
}

/* A part of a log needs the files that the log brings.  */
static int
add_files (void *user, struct dg_archive_writer *writer, struct dg_error *err)
{
  const struct cut *cut = user;
  const struct dg_table *files = dg_bundled_files (cut->reading.log);

  return files ? dg_bundle_copy (writer, &cut->reading.log->source, files, err)
               : 0;
}

/* Packs the raw log at `from`.  */
static int
pack (struct cut *cut, const char *from, const char *to,
      struct dg_error *err)
{
  struct dg_progress_part part = {cut->progress, READ_PART, 1};
  struct dg_log *log;
  struct dg_error error;
  int code = dg_log_open (from, &log, err);

  if (code < 0)
    return code;
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  /* That it is incomplete is not news.  */
  code = dg_log_load (log, cut->pack.workers, NULL, NULL, &error);
  if (code < 0 && code != DG_ERR_TRUNCATED)
    code = dg_error_copy (err, &error);
  else
    code = dg_pack_log_with (log, to, &cut->pack, dg_progress_part_fn, &part,
                             add_files, cut, err);
  dg_log_close (log);
  return code;
}

int
dg_log_cut (const struct dg_log *log, const char *path,
            const struct dg_cut_options *options, dg_progress_fn progress,
            void *user, struct dg_error *err)
{
  struct cut cut = { .progress = { progress, user, 0 } };
  struct dg_cut_reading *reading = &cut.reading;
  struct dg_replace replace;
  int code;

  if (DG_SIZED_TAKE (&cut.options, workers, options, err) < 0
      || DG_SIZED_TAKE (&cut.pack, no_index, cut.options.pack, err) < 0)
    return DG_ERR_INVALID;
  options = &cut.options;
  cut.reading_part = (struct dg_progress_part) {
    cut.progress, 0, options->pack != NULL ? READ_PART : 1};
  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (log->blocks == DG_BLOCKS_NONE
      || (log->blocks == DG_BLOCKS_LIVE
          && log->blocks_icount != options->start_icount))
    return dg_error_set (err, DG_ERR_INVALID,
                         "the log does not keep the blocks that live where "
                         "the cut starts");
  *reading = (struct dg_cut_reading) {
    .log = log, .options = &cut.options,
    .end_icount = options->end_icount > 0 ? options->end_icount : DG_NEVER,
    .chooses = options->low > 0 || options->high > 0 || options->filter
  };
  if (reading->end_icount <= options->start_icount
      || (options->high > 0 && options->high <= options->low))
    return dg_error_set (err, DG_ERR_INVALID,
                         "the cut ends before it starts");
  if (options->start_icount > 0)
    reading->first_chunk = first_chunk (reading);
  cut.icount = options->start_icount;
  code = dg_replace_begin (&replace, path, options->pack != NULL, &log->source,
                           err);
  if (code < 0)
    return code;
  code = write_to (&cut, replace.fd, err);
  if (code == 0)
    code = options->pack ? pack (&cut, replace.temporary, path, err)
                         : dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  return code;
}
