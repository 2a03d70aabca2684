/* calls_speedscope.c: calls over time, in speedscope's own JSON: a profile for
   each thread, of events that open and close frames.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include "calls_walk.h"

#include <inttypes.h>

#include "base/error.h"

struct writer {
  FILE *file;
  GHashTable *frames;      /* function + 1 -> frame + 1 */
  GArray *functions;       /* uint32_t, by frame */
  uint64_t end_icount;
  bool has_profile, has_event;
  const struct calls *calls;
};

static guint
frame_of (struct writer *writer, uint32_t function)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) function + 1);
  guint frame = GPOINTER_TO_UINT (g_hash_table_lookup (writer->frames, key));

  if (frame == 0) {
    g_array_append_val (writer->functions, function);
    frame = writer->functions->len;
    g_hash_table_insert (writer->frames, key, GUINT_TO_POINTER (frame));
  }
  return frame - 1;
}

static void
end_profile (struct writer *writer)
{
  if (writer->has_profile)
    fputs ("]}", writer->file);
}

/* Where the profile of a thread ends.  */
static uint64_t
end_of (const struct writer *writer, uint32_t thread)
{
  const struct calls_spans *spans = &writer->calls->spans;
  uint64_t end = 0;

  if (writer->calls->meter == NULL)
    return writer->end_icount;
  for (size_t i = 0; i < spans->n; i++)
    if (spans->spans[i].thread == thread)
      end = MAX (end, spans->spans[i].end_own);
  return calls_shown (writer->calls, end);
}

static void
write_thread (void *user, uint32_t thread, const char *name)
{
  struct writer *writer = user;

  end_profile (writer);
  if (writer->has_profile)
    putc (',', writer->file);
  fprintf (writer->file,
           "\n{\"type\":\"evented\",\"unit\":\"%s\",\"startValue\":0,"
           "\"endValue\":%" PRIu64 ",\"name\":",
           writer->calls->meter != NULL ? "none" : "nanoseconds",
           end_of (writer, thread));
  calls_walk_text (writer->file, name);
  fputs (",\"events\":[", writer->file);
  writer->has_profile = true;
  writer->has_event = false;
}

static void
write_event (struct writer *writer, char type, uint32_t function,
             uint64_t icount, uint64_t own)
{
  const struct calls *calls = writer->calls;
  fprintf (writer->file,
           "%s\n{\"type\":\"%c\",\"frame\":%u,\"at\":%" PRIu64 "}",
           writer->has_event ? "," : "", type, frame_of (writer, function),
           calls->meter != NULL ? calls_shown (calls, own) : icount);
  writer->has_event = true;
}

static void
write_begin (void *user, uint32_t function, uint64_t icount,
             uint64_t own)
{
  write_event (user, 'O', function, icount, own);
}

static void
write_end (void *user, uint32_t function, uint64_t icount,
           uint64_t own)
{
  write_event (user, 'C', function, icount, own);
}

static void
write_frames (struct writer *writer, struct calls *calls)
{
  fputs ("\n],\"shared\":{\"frames\":[", writer->file);
  for (guint i = 0; i < writer->functions->len; i++) {
    uint32_t number = g_array_index (writer->functions, uint32_t, i);
    struct calls_function function =
      calls_code_function (calls->code, number);

    fputs (i > 0 ? ",\n{\"name\":" : "\n{\"name\":", writer->file);
    calls_walk_text (writer->file, function.label);
    if (function.module != NULL) {
      fputs (",\"file\":", writer->file);
      calls_walk_text (writer->file, function.module);
    }
    putc ('}', writer->file);
  }
  fputs ("\n]}}\n", writer->file);
}

int
calls_write_speedscope (struct calls *calls, struct dg_report *report,
                        struct dg_error *err)
{
  struct writer writer = {
    .calls = calls,
    .file = dg_report_file (report, calls->speedscope, err),
    .end_icount = dg_log_summary (calls->log)->last_icount};
  const struct calls_walker walker = {&writer, write_thread, write_begin,
                                      write_end};
  int code;

  if (writer.file == NULL)
    return DG_ERR_IO;
  writer.frames = g_hash_table_new (NULL, NULL);
  writer.functions = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fputs ("{\"$schema\":"
         "\"https://www.speedscope.app/file-format-schema.json\","
         "\"exporter\":\"datagrind\",\"name\":", writer.file);
  calls_walk_text (writer.file, calls_walk_program (calls->log));
  fputs (",\"profiles\":[", writer.file);
  code = calls_walk (calls->log, &calls->spans, &walker, report, err);
  end_profile (&writer);
  write_frames (&writer, calls);
  calls_walk_note (&calls->spans, calls->speedscope, report);
  g_array_unref (writer.functions);
  g_hash_table_unref (writer.frames);
  return code;
}
