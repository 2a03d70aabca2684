/* analyse_pass.c: what a pass over the log covers and feeds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_pass.h"

#include "base/bisect.h"
#include "base/error.h"
#include "log/block_window.h"
#include "log/log.h"

/* ---- In-order shards ---- */

struct dg_feed
dg_pass_feed (const struct dg_pass *pass, enum dg_shard_kind kind,
              uint32_t index, uint64_t first, uint64_t end)
{
  const uint32_t *threads = pass->feed.n_threads > 0 ? pass->feed.threads
                                                     : pass->threads;
  size_t n_threads = pass->feed.n_threads > 0 ? pass->feed.n_threads
                                              : pass->n_threads;

  first = CLAMP (first, pass->start_icount, pass->end_icount);
  end = CLAMP (end, first, pass->end_icount);
  return (struct dg_feed) {
    .log = pass->log, .kind = kind, .index = index,
    .thread = n_threads == 1 ? threads[0] : 0,
    .page_size = dg_log_page_size (pass->log),
    .line_size = dg_log_line_size (pass->log),
    .first_icount = first, .end_icount = end,
    .first_ns = dg_times_at (&pass->times, first),
    .end_ns = dg_times_at (&pass->times, end)
  };
}

struct dg_shard *
dg_member_thread (const struct dg_pass *pass, struct dg_member *member,
                  uint32_t thread, struct dg_error *err)
{
  size_t low = DG_BISECT (0, pass->n_threads, i, pass->threads[i] < thread);

  if (low < pass->n_threads && pass->threads[low] == thread)
    return &member->shards[low];
  dg_error_set (err, DG_ERR_DAMAGED, "the log has no thread %u",
                thread);
  return NULL;
}

static void
thread_shards (struct dg_pass *pass, struct dg_member *member)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (pass->log, &n);

  for (size_t i = 0; i < n; i++) {
    struct dg_shard *shard = dg_member_thread (pass, member,
                                               threads[i].number, NULL);

    shard->feed = dg_pass_feed (pass, DG_SHARD_THREAD,
                                shard - member->shards,
                                threads[i].start_icount,
                                threads[i].end_icount);
    shard->feed.thread = threads[i].number;
    if (threads[i].end_icount != DG_NEVER)
      shard->all = threads[i].instructions;
  }
}

int
dg_pass_shards (struct dg_pass *pass, struct dg_member *member,
                struct dg_error *err)
{
  enum dg_shard_kind kind = member->plan.shard;
  uint32_t n = kind == DG_SHARD_CHUNK ? 0
               : kind == DG_SHARD_THREAD ? pass->n_threads
               : kind == DG_SHARD_PART ? member->plan.parts : 1;

  member->shards = g_try_new0 (struct dg_shard, (size_t) n + 1);
  if (!member->shards)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < n; i++)
    member->shards[i].all = DG_NEVER;
  if (kind == DG_SHARD_THREAD)
    thread_shards (pass, member);
  else
    for (uint32_t i = 0; i < n; i++)
      member->shards[i].feed = dg_pass_feed (pass, kind, i, 0, DG_NEVER);
  for (uint32_t i = 0; i < n; i++) {
    member->shards[i].member = member;
    member->shards[i].feed.n_shards = n;
  }
  member->n_shards = n;
  return 0;
}

/* ---- Chunks ---- */

uint64_t
dg_pass_offset (const struct dg_pass *pass, size_t chunk)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);

  return chunk < n ? MIN (chunks[chunk].offset, pass->bytes) : pass->bytes;
}

/* When a chunk begins, if blocks of that moment are asked for.  */
static uint64_t
moment_of (const struct dg_pass *pass, size_t chunk)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);

  return MIN (chunks[chunk].icount, pass->end_icount);
}

bool
dg_pass_has_blocks_before (const struct dg_pass *pass, size_t chunk)
{
  uint64_t first, end, icount = moment_of (pass, chunk);

  if (dg_block_window_number (pass->log) == 0)
    return false;
  dg_block_window_moments (pass->log, &first, &end);
  return icount < first || icount >= end;
}

int
dg_pass_blocks (struct dg_pass *pass, size_t chunk, struct dg_error *err)
{
  uint64_t first, end;
  int code = 0;

  dg_block_window_moments (pass->log, &first, &end);
  for (size_t i = 0; i < pass->n && code == 0; i++) {
    struct dg_member *member = &pass->members[i];
    struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

    if (!member->analysis->pass_blocks)
      continue;
    code = member->analysis->pass_blocks (member->self, end, &error);
    if (code < 0)
      code = dg_member_error (member, NULL, code, &error, err);
  }
  return code < 0 ? code
                  : dg_analyse_go_to (pass->services, moment_of (pass, chunk),
                                      err);
}

int
dg_pass_pace (struct dg_pass *pass, uint64_t done, struct dg_error *err)
{
  pass->bytes_done = MAX (pass->bytes_done,
                          pass->bytes_before + pass->amount * (double) done);
  return dg_progress_tell (&pass->progress, (uint64_t) pass->bytes_done,
                           (uint64_t) pass->bytes_all, err);
}

bool
dg_pass_all_made (const struct dg_pass *pass, size_t chunk)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);
  const struct dg_chunk *at = &chunks[chunk];

  return !pass->feed.filter && chunk + 1 < n
         && at[1].accesses - at->accesses
              == at[1].reads - at->reads + at[1].writes - at->writes;
}
