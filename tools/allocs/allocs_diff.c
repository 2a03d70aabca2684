/* allocs_diff.c: `dg allocs diff`: the heap at two moments of a log, or in two
   logs.

   In one log, and in two parts of one run, blocks with the same sequence
   number are the same.  Sequence numbers of different runs cannot be compared;
   there, blocks match if they have the same size and allocation site, and the
   numbers of these blocks are compared.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "base/json_text.h"

#include <inttypes.h>

/* One of the two.  */
struct side {
  const struct allocs_log *log;
  const char *moment_text; /* NULL: the end */
  struct moment moment;
  uint64_t bytes, blocks; /* of all blocks, not filtered */
  GArray *records;        /* all blocks, then those that only this side has */
};

/* ---- States ----------------------------------------------------------- */

static GArray *
all_blocks (struct side *side)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (struct allocs_record));

  for (size_t i = 0; i < side->log->n_blocks; i++) {
    const struct allocs_record record = {.log = side->log,
                                         .index = (uint32_t) i};
    const struct dg_block block = allocs_block (&record);

    if (!moment_has_block (&side->moment, block))
      continue;
    side->bytes += block.size;
    g_array_append_val (records, record);
  }
  side->blocks = records->len;
  return records;
}

/* ---- Matching blocks ---------------------------------------------------  */

/* The identity of a record: its sequence number, or the number of its site and
   its size.  */
struct identity {
  uint64_t number, size;
  const struct allocs_record *record;
};

/* Numbers for sites, the same in both logs.  */
struct sites {
  GHashTable *by_text;
  GHashTable *by_trace; /* struct stack_trace -> number */
};

/* The program itself may have been built under another name.  */
static const char *
module_of (const struct dg_frame *frame, const char *program)
{
  if (frame->module == NULL || g_strcmp0 (frame->module, program) == 0)
    return "";
  return frame->module;
}

static void
add_level (GString *text, const struct dg_frame *frame, const char *program)
{
  if (frame->function != NULL)
    g_string_append_printf (text, "%s\n%s\n%" PRIu32 "\n", frame->function,
                            frame->file != NULL ? frame->file : "",
                            frame->line);
  else
    g_string_append_printf (text, "\n%s\n%" PRIu64 "\n",
                            module_of (frame, program),
                            frame->module_offset);
}

/* Addresses differ between runs; names and lines do not.  */
static uint64_t
number_of_site (struct sites *sites, const struct allocs_record *record)
{
  const struct stack_trace *trace = allocs_trace (record);
  gpointer number = g_hash_table_lookup (sites->by_trace, trace);
  const char *program = dg_log_program (record->log->log.log);
  GString *text;

  if (number != NULL)
    return GPOINTER_TO_UINT (number);
  text = g_string_new (NULL);
  for (uint32_t i = 0; i < MIN (trace->n, record->log->options->levels); i++)
    add_level (text, &trace->levels[i]->site.frame, program);
  number = g_hash_table_lookup (sites->by_text, text->str);
  if (number == NULL) {
    number = GUINT_TO_POINTER (g_hash_table_size (sites->by_text) + 1);
    g_hash_table_insert (sites->by_text, g_strdup (text->str), number);
  }
  g_hash_table_insert (sites->by_trace, (gpointer) trace, number);
  g_string_free (text, TRUE);
  return GPOINTER_TO_UINT (number);
}

static int
compare_identities (const struct identity *x, const struct identity *y)
{
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* Of matching blocks, the oldest first.  */
static int
compare_for_sort (const void *a, const void *b)
{
  const struct identity *x = a, *y = b;
  int result = compare_identities (x, y);

  if (result == 0 && x->record->index != y->record->index)
    result = x->record->index < y->record->index ? -1 : 1;
  return result;
}

/* sites: NULL in one run.  */
static GArray *
identities_of (const GArray *records, struct sites *sites)
{
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (struct identity),
                                    records->len);

  for (guint i = 0; i < records->len; i++) {
    const struct allocs_record *record =
      &g_array_index (records, struct allocs_record, i);
    struct identity identity = {allocs_seqno (record), 0, record};

    if (sites != NULL) {
      identity.number = number_of_site (sites, record);
      identity.size = allocs_block (record).size;
    }
    g_array_append_val (list, identity);
  }
  g_array_sort (list, compare_for_sort);
  return list;
}

/* ---- Differences -------------------------------------------------------  */

static void
set_records (struct side *side, GArray *records)
{
  g_array_unref (side->records);
  side->records = records;
}

/* Removes the blocks that both logs have.  */
static void
subtract (struct side *from, struct side *to, struct sites *sites)
{
  GArray *olds = identities_of (from->records, sites);
  GArray *news = identities_of (to->records, sites);
  GArray *gone = g_array_new (FALSE, FALSE, sizeof (struct allocs_record));
  GArray *made = g_array_new (FALSE, FALSE, sizeof (struct allocs_record));
  guint i = 0, k = 0;

  while (i < olds->len || k < news->len) {
    const struct identity *x = &g_array_index (olds, struct identity, i);
    const struct identity *y = &g_array_index (news, struct identity, k);
    int order = i == olds->len   ? 1
                : k == news->len ? -1
                                 : compare_identities (x, y);

    if (order < 0)
      g_array_append_vals (gone, x->record, 1);
    if (order > 0)
      g_array_append_vals (made, y->record, 1);
    i += order <= 0;
    k += order >= 0;
  }
  g_array_unref (olds);
  g_array_unref (news);
  set_records (from, gone);
  set_records (to, made);
}

static void
subtract_runs (struct side *from, struct side *to)
{
  struct sites sites = {
    .by_text = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL),
    .by_trace = g_hash_table_new (NULL, NULL)};

  subtract (from, to, &sites);
  g_hash_table_unref (sites.by_text);
  g_hash_table_unref (sites.by_trace);
}

/* The blocks that do not exist at the other moment of the same log.  */
static void
subtract_moment (struct side *side, const struct moment *other)
{
  GArray *records = side->records;
  guint n = 0;

  for (guint i = 0; i < records->len; i++) {
    struct allocs_record *record =
      &g_array_index (records, struct allocs_record, i);

    if (!moment_has_block (other, allocs_block (record)))
      g_array_index (records, struct allocs_record, n++) = *record;
  }
  g_array_set_size (records, n);
}

/* Removes the blocks that the filter excludes.  */
static void
filter (struct side *side)
{
  GArray *records = side->records;
  guint n = 0;

  for (guint i = 0; i < records->len; i++) {
    struct allocs_record *record =
      &g_array_index (records, struct allocs_record, i);

    if (allocs_filter_passes (&side->log->options->filter, record))
      g_array_index (records, struct allocs_record, n++) = *record;
  }
  g_array_set_size (records, n);
}

/* ---- Output ------------------------------------------------------------  */

/* The name of a side: a file, or a moment.  */
static void
put_name (struct output *out, const struct side *side, bool is_one_log)
{
  const char *moment = side->moment_text;

  if (!is_one_log)
    output_name (out, side->log->log.path);
  if (!is_one_log && moment != NULL)
    output_text (out, " at ");
  if (moment != NULL)
    output_name (out, moment);
  else if (is_one_log)
    output_text (out, "end");
}

static void
put_side (struct output *out, const struct side *side, bool is_one_log)
{
  output_text (out, is_one_log ? "Moment " : "File ");
  put_name (out, side, is_one_log);
  output_text (out, " : ");
  allocs_put_bytes (out, side->bytes);
  output_text (out, " used in ");
  output_counted (out, side->blocks, "allocation.\n", "allocations.\n");
}

/* "allocations in A but freed in B", which is also the title of the list.  */
static void
put_phrase (struct output *out, const char *what, const struct side *side,
            const char *but, const struct side *other, bool is_one_log)
{
  const char *in = is_one_log ? " at " : " in ";

  output_text (out, what);
  output_text (out, in);
  put_name (out, side, is_one_log);
  output_text (out, but);
  output_text (out, in);
  put_name (out, other, is_one_log);
  output_text (out, "\n");
}

static int
put_text (struct output *out, struct side *from, struct side *to,
          bool is_one_log, bool is_same_run)
{
  const struct allocs_options *options = to->log->options;
  const char *freed = is_same_run ? " but freed" : " but not";
  int status;

  put_side (out, from, is_one_log);
  put_side (out, to, is_one_log);
  output_counted (out, to->records->len, "new allocation", "new allocations");
  put_phrase (out, "", to, " but not", from, is_one_log);
  output_counted (out, from->records->len, "allocation", "allocations");
  put_phrase (out, "", from, freed, to, is_one_log);
  filter (from);
  filter (to);
  output_text (out, "\n");
  put_phrase (out, "New allocations", to, " but not", from, is_one_log);
  status = allocs_put_sorted (out, to->records, options);
  output_text (out, "\n");
  put_phrase (out, "Allocations", from, freed, to, is_one_log);
  if (status == CLI_OK)
    status = allocs_put_sorted (out, from->records, options);
  return status;
}

static void
put_json_side (struct output *out, const char *key, const struct side *side)
{
  output_text (out, ",\n ");
  allocs_json_key (out, key, true);
  output_text (out, "{");
  allocs_json_key (out, "log", true);
  json_text_string (out, side->log->log.path);
  allocs_json_partial (out, side->log);
  allocs_json_moment (out, "at", side->moment_text, &side->moment);
  allocs_json_number (out, "bytes", side->bytes);
  allocs_json_number (out, "blocks", side->blocks);
  output_text (out, "}");
}

static int
put_json (struct output *out, struct side *from, struct side *to,
          bool is_same_run)
{
  const struct allocs_options *options = to->log->options;
  guint n_new = to->records->len, n_freed = from->records->len;
  int status;

  allocs_json_begin (out, "diff");
  put_json_side (out, "from", from);
  put_json_side (out, "to", to);
  output_text (out, ",\n ");
  allocs_json_key (out, "identity", true);
  json_text_string (out, is_same_run ? "seqno" : "site and size");
  allocs_json_string (out, "time_unit", options->in_ms ? "ms" : "i");
  allocs_json_number (out, "n_new", n_new);
  allocs_json_number (out, "n_freed", n_freed);
  filter (from);
  filter (to);
  allocs_json_key (out, "new_blocks", false);
  output_text (out, "[");
  status = allocs_put_sorted (out, to->records, options);
  output_text (out, "]");
  allocs_json_key (out, "freed_blocks", false);
  output_text (out, "[");
  if (status == CLI_OK)
    status = allocs_put_sorted (out, from->records, options);
  output_text (out, "]}\n");
  return status;
}

/* ---- The sub-command -------------------------------------------------- */

static int
compare (struct side *from, struct side *to, struct output *out)
{
  const struct allocs_options *options = to->log->options;
  bool is_one_log = from->log == to->log, is_same_run;
  int status;

  from->moment_text =
    options->from == NULL && is_one_log ? "0" : options->from;
  to->moment_text = options->to;
  status = allocs_log_moment (from->log, from->moment_text, &from->moment);
  if (status == CLI_OK)
    status = allocs_log_moment (to->log, to->moment_text, &to->moment);
  if (status != CLI_OK)
    return status;
  is_same_run = is_one_log
                || (allocs_log_is_same_run (from->log, to->log)
                    && from->log->has_details && to->log->has_details);
  if (!is_same_run)
    cli_warn ("warning: %s and %s are from different runs: blocks match if "
              "their sizes and allocation sites do (--levels=%u)",
              from->log->log.path, to->log->log.path, options->levels);
  from->records = all_blocks (from);
  to->records = all_blocks (to);
  if (is_one_log) {
    subtract_moment (from, &to->moment);
    subtract_moment (to, &from->moment);
  } else if (is_same_run) {
    subtract (from, to, NULL);
  } else {
    subtract_runs (from, to);
  }
  status = options->as_json
             ? put_json (out, from, to, is_same_run)
             : put_text (out, from, to, is_one_log, is_same_run);
  g_array_unref (from->records);
  g_array_unref (to->records);
  return status;
}

int
allocs_diff (const struct cli_command *command, int argc, char **argv)
{
  struct allocs_options options;
  struct allocs_log logs[2];
  size_t n = 0;
  int status = allocs_options_parse (
    &options, command,
    ALLOCS_HAS_FROM_TO | ALLOCS_HAS_SORT | ALLOCS_HAS_FILTER
      | ALLOCS_HAS_FORMAT | ALLOCS_HAS_NAMES | ALLOCS_HAS_TIME,
    1, 1, 2, &argc, argv);

  if (status < 0) {
    status = CLI_OK;
    options.needs_names = argc > 2;
    for (int i = 1; i < argc && status == CLI_OK; i++)
      if (allocs_log_open (&logs[n], &options, argv[i], &status))
        n++;
    if (status == CLI_OK) {
      struct side from = {.log = &logs[0]}, to = {.log = &logs[n - 1]};
      struct output out;
      int finished;

      output_init (&out);
      allocs_fit (&options, &out);
      status = compare (&from, &to, &out);
      finished = output_finish (&out);
      status = status != CLI_OK ? status : finished;
    }
    while (n-- > 0)
      status = allocs_log_finish (&logs[n], status);
  }
  allocs_options_fini (&options);
  return status;
}
