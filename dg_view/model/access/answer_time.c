/* answer_time.c: when an access was, and how old its heap block.

   Instructions are what a log counts; where it has a clock, time is worked
   out between the clock's readings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer_make.h"

#include <libdatagrind.h>

#include "i18n.h"

/* Ns since recording began; false if the log's clock does not tell.  */
static bool
time_at (struct dv_data *data, uint64_t icount, uint64_t *ns)
{
  return dg_log_ns (data->log, icount, ns);
}

/* How long it is from one moment to another, as "12 instructions, 1.25 ms";
   a new string.  */
static char *
span_text (struct dv_data *data, uint64_t from, uint64_t to)
{
  char number[40], time[40];
  uint64_t start, end;
  uint64_t n = to > from ? to - from : 0;
  dg_number_text (number, sizeof number, n);
  char *count = g_strdup_printf (ngettext ("%s instruction",
                                           "%s instructions", n), number);
  if (!time_at (data, from, &start) || !time_at (data, to, &end))
    return count;
  dg_number_text_ns (time, sizeof time, end > start ? end - start : 0);
  char *text = g_strdup_printf ("%s, %s", count, time);
  g_free (count);
  return text;
}

static void
set_block_times (struct dv_answer_asking *asking)
{
  struct dv_answer *answer = asking->answer;
  const struct dg_block *block = &answer->block;
  char start[40], end[40];
  bool is_freed = block->free_icount != DG_NEVER;
  uint64_t last = is_freed ? block->free_icount
                           : dg_log_summary (asking->data->log)->last_icount;
  char *span = span_text (asking->data, block->alloc_icount, last);
  dg_number_text (start, sizeof start, block->alloc_icount);
  dg_number_text (end, sizeof end, block->free_icount);
  if (is_freed)
    answer->life =
      g_strdup_printf (_ ("instruction %s to %s (%s)"), start, end, span);
  else
    answer->life =
      g_strdup_printf ((dg_log_lacks (asking->data->log) & DG_LACKS_LATER) != 0
                         ? _ ("instruction %s to the end of the log (%s)")
                         : _ ("instruction %s to the end (%s)"),
                       start, span);
  answer->age = span_text (asking->data, block->alloc_icount,
                           answer->access.icount);
  g_free (span);
}

void
dv_answer_set_times (struct dv_answer_asking *asking)
{
  struct dv_answer *answer = asking->answer;
  char time[40];
  uint64_t ns;
  if (asking->is_brief)
    return;
  if (time_at (asking->data, answer->access.icount, &ns)) {
    dg_number_text_ns (time, sizeof time, ns);
    answer->time = g_strdup_printf (_ ("%s after the start"), time);
  }
  if (answer->has_block)
    set_block_times (asking);
}
