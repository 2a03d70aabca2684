/* calls_walk.c: calls over time, thread by thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_walk.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/shown.h"

struct open_call {
  uint64_t end_icount, end_own;
  uint32_t function;
};

static void
end_calls (const struct calls_walker *walker, GArray *open, uint64_t icount)
{
  while (open->len > 0) {
    struct open_call call =
      g_array_index (open, struct open_call, open->len - 1);

    if (call.end_icount > icount)
      return;
    g_array_set_size (open, open->len - 1);
    walker->end (walker->user, call.function, call.end_icount, call.end_own);
  }
}

static void
begin_thread (const struct dg_log *log, const struct calls_walker *walker,
              uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (log, number);
  bool has_name = thread != NULL && thread->name[0] != '\0';
  char *name = has_name ? g_strdup_printf ("thread %" PRIu32 " (%s)", number,
                                           thread->name)
                        : g_strdup_printf ("thread %" PRIu32, number);

  walker->thread (walker->user, number, name);
  g_free (name);
}

int
calls_walk (const struct dg_log *log, struct calls_spans *spans,
            const struct calls_walker *walker, struct dg_report *report,
            struct dg_error *err)
{
  GArray *open = g_array_new (FALSE, FALSE, sizeof (struct open_call));
  uint32_t thread = 0;
  int code = 0;

  calls_spans_limit (spans);
  if (spans->has_failed)
    code = dg_error_nomem (err);
  else
    calls_spans_sort (spans);
  for (size_t i = 0; i < spans->n && code == 0; i++) {
    const struct calls_kept_span *span = &spans->spans[i];
    struct open_call call = {span->end_icount, span->end_own,
                             span->function};

    end_calls (walker, open,
               span->thread == thread ? span->start_icount : UINT64_MAX);
    if (span->thread != thread || i == 0)
      begin_thread (log, walker, span->thread);
    thread = span->thread;
    if (open->len > 0) {
      const struct open_call *caller =
        &g_array_index (open, struct open_call, open->len - 1);

      call.end_icount = MIN (call.end_icount, caller->end_icount);
      call.end_own = MIN (call.end_own, caller->end_own);
    }
    g_array_append_val (open, call);
    walker->begin (walker->user, span->function, span->start_icount,
                   span->start_own);
    if ((i & 4095) == 0)
      code = dg_report_pace (report, i, spans->n, err);
  }
  end_calls (walker, open, UINT64_MAX);
  g_array_unref (open);
  return code;
}

void
calls_walk_note (const struct calls_spans *spans, const char *path,
                 struct dg_report *report)
{
  if (spans->n_left_out > 0)
    dg_report_note (report, "%s: %" PRIu64 " calls of less than %" PRIu64
                            " instructions are omitted (--spans=N).",
                    path, spans->n_left_out, spans->shortest);
}

void
calls_walk_text (FILE *file, const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  putc ('"', file);
  for (const char *p = valid, *from = p; *p != '\0'; from = p) {
    if (*p == '"' || *p == '\\')
      putc ('\\', file);
    if (dg_shown_next (&p))
      fwrite (from, 1, (size_t) (p - from), file);
    else
      fprintf (file, "\\u%04x", g_utf8_get_char (from));
  }
  putc ('"', file);
  g_free (valid);
}

const char *
calls_walk_program (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  return process != NULL && process->exe[0] != '\0' ? process->exe
                                                    : "program";
}
