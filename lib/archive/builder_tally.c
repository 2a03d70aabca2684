/* builder_tally.c: what the records of a chunk add to the summary.

   Nothing is kept of a record but that it was there, so that a program with
   millions of heap blocks costs no memory here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "builder.h"

#include <string.h>

static int
tally_thread (struct dg_tally *tally, const struct dg_format *format,
              const struct dg_head *head, const uint8_t *payload,
              uint64_t runs)
{
  struct dg_tally_thread *thread;

  thread = dg_table_add (&tally->threads, sizeof *thread);
  if (!thread)
    return DG_ERR_NOMEM;
  thread->number = (uint32_t) dg_load_word (payload, format->word_size,
                                            format->swap);
  thread->runs = runs;
  thread->is_switch = head->type == DG_R_THREAD_SWITCH;
  return 0;
}

int
dg_tally_record (struct dg_tally *tally, const struct dg_format *format,
                 const struct dg_head *head, const uint8_t *payload,
                 uint64_t runs)
{
  switch (head->type) {
  case DG_R_MALLOC_BLOCK:
    tally->heap_allocs++;
    return 0;
  case DG_R_FREE_BLOCK:
    tally->heap_frees++;
    return 0;
  case DG_R_KERNEL_ACCESS:
    if (payload[0] == DG_ACC_READ)
      tally->kernel_reads++;
    else
      tally->kernel_writes++;
    return 0;
  case DG_R_TEXT_AVMA:
    tally->modules++;
    return 0;
  case DG_R_START_EVENT:
    tally->events_started++;
    return 0;
  case DG_R_END_EVENT:
    tally->events_ended++;
    return 0;
  case DG_R_TRACK_RANGE:
    tally->ranges_tracked++;
    return 0;
  case DG_R_UNTRACK_RANGE:
    tally->ranges_untracked++;
    return 0;
  case DG_R_WINDOW:
    tally->windows++;
    return 0;
  case DG_R_POOL:
    tally->pools += payload[0] == DG_POOL_CREATE;
    return 0;
  case DG_R_THREAD_SWITCH:
  case DG_R_THREAD_START:
  case DG_R_THREAD_EXIT:
  case DG_R_THREAD_NAME:
  case DG_R_STACK:
    return tally_thread (tally, format, head, payload, runs);
  default:
    tally->unknown_records += !dg_decode_is_known (head->type);
    return 0;
  }
}

void
dg_tally_clear (struct dg_tally *tally)
{
  struct dg_table threads = tally->threads;

  threads.n = 0;
  *tally = (struct dg_tally){.threads = threads};
}

void
dg_tally_fini (struct dg_tally *tally)
{
  dg_table_fini (&tally->threads);
}
