/* gaps.c: the gaps in a log: what is missing from the run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <string.h>

#include "dg_record.h"
#include "log.h"

static const struct {
  const char *name, *text;
  enum dg_lack lacks;
} known[DG_GAP_KINDS] = {
  [DG_GAP_GROWING] = { "growing",
    "the log is still being written",
    DG_LACKS_LATER },
  [DG_GAP_DAMAGED] = { "damaged",
    "the log is damaged, and everything after the damage is lost",
    DG_LACKS_LATER },
  [DG_GAP_TRUNCATED] = { "truncated",
    "the log was cut short, and the rest is lost", DG_LACKS_LATER },
  [DG_GAP_OUTPUT] = { "output",
    "the log could not be written any further, and the rest is lost",
    DG_LACKS_LATER },
  [DG_GAP_MAX_SIZE] = { "max-size",
    "--datagrind-max-size was reached, and the rest was not recorded",
    DG_LACKS_LATER },
  [DG_GAP_KILLED] = { "killed",
    "the program was killed before it ended", DG_LACKS_LATER },
  [DG_GAP_UNDECODED] = { "undecoded",
    "the program ended at an instruction that Valgrind does not know",
    DG_LACKS_LATER },
  [DG_GAP_NO_END] = { "no-end",
    "the recorder of the log does not say whether it is complete",
    DG_LACKS_LATER },
  [DG_GAP_CUT_END] = { "cut-end",
    "the log is a part that dg cut took from another, and the rest is missing",
    DG_LACKS_LATER },
  [DG_GAP_FORKED] = { "forked",
    "the process was forked, and what happened before is in the log of its "
    "parent", DG_LACKS_EARLIER },
  [DG_GAP_CUT] = { "cut",
    "the log is a part that dg cut took from another, and accesses outside of "
    "it are missing", DG_LACKS_ACCESSES },
  [DG_GAP_SKIP] = { "skip",
    "--datagrind-skip left out the accesses of the first instructions",
    DG_LACKS_ACCESSES },
  [DG_GAP_STOP_AFTER] = { "stop-after",
    "--datagrind-stop-after was reached, and later accesses were not "
    "recorded", DG_LACKS_ACCESSES },
  [DG_GAP_OFF] = { "off",
    "recording was off for a part of the run, and accesses during it were not "
    "recorded", DG_LACKS_ACCESSES },
  [DG_GAP_PERIODIC] = { "periodic",
    "--datagrind-window recorded a part of each period, and accesses in the "
    "rest were not recorded", DG_LACKS_ACCESSES }
};

const char *
dg_gap_name (enum dg_gap_kind kind)
{
  return (unsigned) kind < DG_GAP_KINDS ? known[kind].name : "unknown";
}

const char *
dg_gap_text (enum dg_gap_kind kind)
{
  return (unsigned) kind < DG_GAP_KINDS ? known[kind].text
                                        : "a part of the run is missing";
}

/* ---- Where it ends ---------------------------------------------------- */

const struct dg_undecoded *
dg_log_undecoded (const struct dg_log *log)
{
  const struct dg_table *all = &log->contents.undecoded;

  return log->contents.summary.end_why == DG_END_SIGNAL && all->n > 0
           ? (const struct dg_undecoded *) all->items + all->n - 1 : NULL;
}

/* DG_GAP_KINDS: nothing is missing there.  */
static enum dg_gap_kind
gap_at_end (const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);

  switch (summary->end_why) {
  case DG_END_OUTPUT: return DG_GAP_OUTPUT;
  case DG_END_MAX_SIZE: return DG_GAP_MAX_SIZE;
  case DG_END_SIGNAL:
    return dg_log_undecoded (log) != NULL ? DG_GAP_UNDECODED : DG_GAP_KILLED;
  case DG_END_CUT: return DG_GAP_CUT_END;
  default: break;
  }
  if (log->contents.load_code == DG_ERR_DAMAGED)
    return DG_GAP_DAMAGED;
  if (summary->complete == DG_COMPLETE_UNKNOWN)
    return DG_GAP_NO_END;
  if (summary->complete == DG_COMPLETE_YES)
    return DG_GAP_KINDS;
  return dg_log_writer (log) == DG_WRITER_ACTIVE ? DG_GAP_GROWING
                                                 : DG_GAP_TRUNCATED;
}

/* ---- Where it was off ------------------------------------------------- */

static enum dg_gap_kind
gap_of_window (uint8_t why)
{
  switch (why) {
  case DG_WINDOW_SKIP: return DG_GAP_SKIP;
  case DG_WINDOW_STOP_AFTER: return DG_GAP_STOP_AFTER;
  case DG_WINDOW_MAX_SIZE: return DG_GAP_MAX_SIZE;
  case DG_WINDOW_CUT: return DG_GAP_CUT;
  case DG_WINDOW_PERIODIC:
  case DG_WINDOW_PERIOD: return DG_GAP_PERIODIC;
  default: return DG_GAP_OFF;
  }
}

/* What passed while nothing was recorded: instructions, by the kind of the
   gap; and whether there are such gaps.  */
static void
add_windows (const struct dg_log *log, bool *is, uint64_t *instructions)
{
  const uint64_t end = dg_log_summary (log)->last_icount;
  enum dg_gap_kind kind = DG_GAP_OFF;
  uint64_t since = 0;
  bool on = true;
  size_t n;
  const struct dg_window_change *windows = dg_log_windows (log, &n);

  for (size_t i = 0; i <= n; i++) {
    uint64_t icount = i < n ? windows[i].icount : end;

    if (!on && icount > since) {
      is[kind] = true;
      instructions[kind] += icount - since;
    }
    if (i == n)
      break;
    /* What is recorded already goes on, without some accesses.  */
    if (on && windows[i].on && windows[i].why == DG_WINDOW_CUT)
      is[DG_GAP_CUT] = true;
    if (on || windows[i].on || windows[i].why != DG_WINDOW_CUT)
      kind = gap_of_window (windows[i].why);
    since = icount;
    on = windows[i].on;
  }
}

/* ---- All of it -------------------------------------------------------- */

size_t
dg_log_gaps (const struct dg_log *log, struct dg_gap gaps[DG_GAP_KINDS])
{
  const struct dg_process *process = dg_log_process (log);
  const enum dg_gap_kind end = gap_at_end (log);
  uint64_t instructions[DG_GAP_KINDS] = { 0 };
  bool is[DG_GAP_KINDS] = { false };
  size_t n = 0;

  add_windows (log, is, instructions);
  if (end != DG_GAP_KINDS)
    is[end] = true;
  if (process && process->flags & DG_PROCESS_FORKED)
    is[DG_GAP_FORKED] = true;
  for (unsigned kind = 0; kind < DG_GAP_KINDS; kind++)
    if (is[kind])
      gaps[n++] = (struct dg_gap) { kind, known[kind].lacks,
                                    instructions[kind] };
  return n;
}

unsigned
dg_log_lacks (const struct dg_log *log)
{
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = dg_log_gaps (log, gaps);
  unsigned lacks = 0;

  for (size_t i = 0; i < n; i++)
    lacks |= gaps[i].lacks;
  return lacks;
}
