/* calls_firefox.c: calls over time for the Firefox Profiler, in its processed
   format of version 48: samples where the call stack changes, weighted with
   the thread's instructions, or what --weight says, until it changes again.
   The processor time of a sample is that since the one before, so that a last
   one has no stack.

   Memory: 100 bytes for each call stack of a thread, 24 for each sample.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include "calls_walk.h"

#include <inttypes.h>

#include "base/error.h"

#define NO_STACK UINT32_MAX
#define NS_PER_MS 1000000

struct sample {
  uint64_t icount, weight;
  uint32_t stack;
};

struct node {
  uint32_t prefix;         /* NO_STACK: none */
  uint32_t function;       /* of `functions` */
};

struct writer {
  struct calls *calls;
  FILE *file;
  bool has_thread;
  /* Of the thread in hand: */
  uint32_t thread;
  char *name;
  GHashTable *known;       /* prefix and function -> stack + 1 */
  GHashTable *function_known;      /* function + 1 -> index + 1 */
  GArray *functions;       /* uint32_t */
  GArray *nodes;           /* struct node: stacks */
  GArray *samples;         /* struct sample */
  uint32_t stack;          /* now */
  uint64_t icount, own;    /* since then */
};

/* ---- Stacks ----------------------------------------------------------- */

static uint32_t
index_of (struct writer *writer, uint32_t function)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) function + 1);
  guint index =
    GPOINTER_TO_UINT (g_hash_table_lookup (writer->function_known, key));

  if (index == 0) {
    g_array_append_val (writer->functions, function);
    index = writer->functions->len;
    g_hash_table_insert (writer->function_known, key,
                         GUINT_TO_POINTER (index));
  }
  return index - 1;
}

static uint32_t
stack_of (struct writer *writer, uint32_t prefix, uint32_t function)
{
  struct node node = {prefix, index_of (writer, function)};
  uint64_t key = (uint64_t) prefix << 32 | node.function;
  guint stack = GPOINTER_TO_UINT (g_hash_table_lookup (writer->known, &key));

  if (stack == 0) {
    g_array_append_val (writer->nodes, node);
    stack = writer->nodes->len;
    g_hash_table_insert (writer->known, g_memdup2 (&key, sizeof key),
                         GUINT_TO_POINTER (stack));
  }
  return stack - 1;
}

/* The stack was that up to here.  */
static void
take_sample (struct writer *writer, uint64_t icount, uint64_t own)
{
  uint64_t before = calls_shown (writer->calls, writer->own);
  uint64_t now = calls_shown (writer->calls, own);
  struct sample sample = {writer->icount, now - before, writer->stack};

  if (icount > writer->icount && writer->stack != NO_STACK)
    g_array_append_val (writer->samples, sample);
  writer->icount = icount;
  writer->own = own;
}

static void
write_begin (void *user, uint32_t function, uint64_t icount, uint64_t own)
{
  struct writer *writer = user;

  take_sample (writer, icount, own);
  writer->stack = stack_of (writer, writer->stack, function);
}

static void
write_end (void *user, uint32_t function, uint64_t icount, uint64_t own)
{
  struct writer *writer = user;

  (void) function;
  take_sample (writer, icount, own);
  writer->stack =
    g_array_index (writer->nodes, struct node, writer->stack).prefix;
}

/* ---- Tables ----------------------------------------------------------- */

/* Of a table: "key":[0,0,0] and so on.  */
static void
write_same (FILE *file, const char *key, guint n, const char *value)
{
  fprintf (file, ",\"%s\":[", key);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      putc (',', file);
    fputs (value, file);
  }
  putc (']', file);
}

static void
write_counting (FILE *file, const char *key, guint n)
{
  fprintf (file, ",\"%s\":[", key);
  for (guint i = 0; i < n; i++)
    fprintf (file, "%s%u", i > 0 ? "," : "", i);
  putc (']', file);
}

static void
write_samples (struct writer *writer)
{
  FILE *file = writer->file;
  const struct sample *samples =
    (const struct sample *) (void *) writer->samples->data;
  guint n = writer->samples->len;

  fprintf (file, ",\n\"samples\":{\"length\":%u,\"weightType\":\"samples\","
                 "\"stack\":[", n);
  for (guint i = 0; i < n; i++) {
    fputs (i > 0 ? "," : "", file);
    if (samples[i].stack == NO_STACK)
      fputs ("null", file);
    else
      fprintf (file, "%" PRIu32, samples[i].stack);
  }
  fputs ("],\"threadCPUDelta\":[", file);
  for (guint i = 0; i < n; i++)
    fprintf (file, "%s%" PRIu64, i > 0 ? "," : "",
             i > 0 ? samples[i - 1].weight : 0);
  fputs ("],\"weight\":[", file);
  for (guint i = 0; i < n; i++)
    fprintf (file, "%s%" PRIu64, i > 0 ? "," : "", samples[i].weight);
  fputs ("],\"time\":[", file);
  for (guint i = 0; i < n; i++)
    fprintf (file, "%s%" PRIu64 ".%06" PRIu64, i > 0 ? "," : "",
             samples[i].icount / NS_PER_MS, samples[i].icount % NS_PER_MS);
  fputs ("]}", file);
}

static void
write_stacks (struct writer *writer)
{
  FILE *file = writer->file;
  const struct node *nodes =
    (const struct node *) (void *) writer->nodes->data;
  guint n = writer->nodes->len;

  fprintf (file, ",\n\"stackTable\":{\"length\":%u,\"prefix\":[", n);
  for (guint i = 0; i < n; i++) {
    fputs (i > 0 ? "," : "", file);
    if (nodes[i].prefix == NO_STACK)
      fputs ("null", file);
    else
      fprintf (file, "%" PRIu32, nodes[i].prefix);
  }
  fputs ("],\"frame\":[", file);
  for (guint i = 0; i < n; i++)
    fprintf (file, "%s%" PRIu32, i > 0 ? "," : "", nodes[i].function);
  putc (']', file);
  write_same (file, "category", n, "0");
  write_same (file, "subcategory", n, "0");
  putc ('}', file);
}

/* A function has one frame, and its name is the text of its number.  */
static void
write_functions (struct writer *writer)
{
  FILE *file = writer->file;
  guint n = writer->functions->len;
  static const char *const frame_nulls[] = {
    "nativeSymbol", "innerWindowID", "implementation", "line", "column"};
  static const char *const func_nulls[] = {"fileName", "lineNumber",
                                           "columnNumber"};

  fprintf (file, ",\n\"frameTable\":{\"length\":%u", n);
  write_counting (file, "func", n);
  write_same (file, "address", n, "-1");
  write_same (file, "inlineDepth", n, "0");
  write_same (file, "category", n, "0");
  write_same (file, "subcategory", n, "0");
  for (guint i = 0; i < G_N_ELEMENTS (frame_nulls); i++)
    write_same (file, frame_nulls[i], n, "null");
  fprintf (file, "},\n\"funcTable\":{\"length\":%u", n);
  write_counting (file, "name", n);
  write_same (file, "isJS", n, "false");
  write_same (file, "relevantForJS", n, "false");
  write_same (file, "resource", n, "-1");
  for (guint i = 0; i < G_N_ELEMENTS (func_nulls); i++)
    write_same (file, func_nulls[i], n, "null");
  fputs ("},\n\"stringArray\":[", file);
  for (guint i = 0; i < n; i++) {
    uint32_t function = g_array_index (writer->functions, uint32_t, i);

    fputs (i > 0 ? ",\n" : "\n", file);
    calls_walk_text (
      file, calls_code_function (writer->calls->code, function).label);
  }
  putc (']', file);
}

/* ---- Threads ---------------------------------------------------------- */

static void
end_thread (struct writer *writer)
{
  FILE *file = writer->file;
  const struct dg_process *process = dg_log_process (writer->calls->log);
  const struct sample last = {writer->icount, 0, NO_STACK};

  if (writer->name == NULL)
    return;
  if (writer->samples->len > 0)
    g_array_append_val (writer->samples, last);
  fputs (writer->has_thread ? ",\n{\"name\":" : "\n{\"name\":", file);
  calls_walk_text (file, writer->name);
  fprintf (file, ",\"tid\":%" PRIu32 ",\"isMainThread\":%s", writer->thread,
           writer->thread == 1 ? "true" : "false");
  fprintf (file, ",\"pid\":\"%" PRIu64 "\",\"processName\":",
           process != NULL ? process->pid : 1);
  calls_walk_text (file, calls_walk_program (writer->calls->log));
  fputs (",\"processType\":\"default\",\"processStartupTime\":0,"
         "\"processShutdownTime\":null,\"registerTime\":0,"
         "\"unregisterTime\":null,\"pausedRanges\":[],\n"
         "\"markers\":{\"length\":0,\"data\":[],\"name\":[],"
         "\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]},"
         "\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],"
         "\"host\":[],\"type\":[]},"
         "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
         "\"name\":[],\"functionSize\":[]}", file);
  write_samples (writer);
  write_stacks (writer);
  write_functions (writer);
  putc ('}', file);
  writer->has_thread = true;
  g_clear_pointer (&writer->name, g_free);
}

static void
write_thread (void *user, uint32_t thread, const char *name)
{
  struct writer *writer = user;

  end_thread (writer);
  writer->thread = thread;
  writer->name = g_strdup (name);
  writer->stack = NO_STACK;
  writer->icount = writer->own = 0;
  g_hash_table_remove_all (writer->known);
  g_hash_table_remove_all (writer->function_known);
  g_array_set_size (writer->functions, 0);
  g_array_set_size (writer->nodes, 0);
  g_array_set_size (writer->samples, 0);
}

static void
write_meta (struct writer *writer)
{
  fputs ("{\"meta\":{\"interval\":0.000001,\"startTime\":0,\"processType\":0,"
         "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
         "\"threadCPUDelta\":\"ns\"},"
         "\"stackwalk\":1,\"debug\":false,\"version\":28,"
         "\"preprocessedProfileVersion\":48,\"symbolicated\":true,"
         "\"usesOnlyOneStackType\":true,\"doesNotUseFrameImplementation\":"
         "true,\"sourceCodeIsNotOnSearchfox\":true,"
         "\"importedFrom\":\"Datagrind\",\"markerSchema\":[],"
         "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
         "\"subcategories\":[\"Other\"]}],\"product\":", writer->file);
  calls_walk_text (writer->file, calls_walk_program (writer->calls->log));
  fputs ("},\"libs\":[],\"pages\":[],\"threads\":[", writer->file);
}

int
calls_write_firefox (struct calls *calls, struct dg_report *report,
                     struct dg_error *err)
{
  struct writer writer = {
    .calls = calls, .file = dg_report_file (report, calls->firefox, err)};
  const struct calls_walker walker = {&writer, write_thread, write_begin,
                                      write_end};
  int code;

  if (writer.file == NULL)
    return DG_ERR_IO;
  writer.known =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, NULL);
  writer.function_known = g_hash_table_new (NULL, NULL);
  writer.functions = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  writer.nodes = g_array_new (FALSE, FALSE, sizeof (struct node));
  writer.samples = g_array_new (FALSE, FALSE, sizeof (struct sample));
  write_meta (&writer);
  code = calls_walk (calls->log, &calls->spans, &walker, report, err);
  end_thread (&writer);
  fputs ("\n]}\n", writer.file);
  calls_walk_note (&calls->spans, calls->firefox, report);
  g_hash_table_unref (writer.known);
  g_hash_table_unref (writer.function_known);
  g_array_unref (writer.functions);
  g_array_unref (writer.nodes);
  g_array_unref (writer.samples);
  return code;
}
