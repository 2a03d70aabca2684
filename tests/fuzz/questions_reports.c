/* questions_reports.c: analyses, tables and columns, with any options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "dg_analysis.h"
#include "dg_arrow.h"
#include "dg_columns.h"
#include "questions.h"

#define SETTINGS_MOST 24

struct settings {
  struct dg_setting all[SETTINGS_MOST];
  char *values[SETTINGS_MOST];
  size_t n;
};

/* ---- Options ----------------------------------------------------------- */

static const char *const numbers[] = { "0", "1", "2", "3", "7", "10", "64",
                                       "1000", "1M", "18446744073709551615" };
static const char *const sizes[] = { "1", "32", "64", "4Ki", "64Ki", "3",
                                     "1Gi" };
static const char *const reals[] = { "0", "0.001", "0.5", "1", "100" };
/* Of options with texts, by what their help calls the value; and what is none
   of these.  */
static const struct {
  const char *choices, *values;      /* values: with spaces between */
} texts[] = {
  { "SIZE", "32Ki,8,64 64,1,16 1Ki,2,32 1Mi,16,64 128,2,64" },
  { "ENTRIES", "16,4 1,1 128,8 8,0 3,1" },
  { "N|threads", "threads threads 2 1 5" },
  { "N,M", "1,8,64 1 2,2 64,1000" },
  { "FUNCTION", "main _start inner descend count fill take run" },
  { "NAME", "table points pair arena thread_stack used" },
};
static const char *const odd_texts[] = {
  "128,8", "threads", "-1", "x", "", "0", "1,2,3,4", "18446744073709551616"
};

static char *
value_of (struct questions *q, const struct dg_option *option)
{
  char text[64];

#define ONE_OF(all) \
  g_strdup (all[dg_fuzz_below (&q->random, G_N_ELEMENTS (all))])
  switch (option->type) {
  case DG_OPTION_FLAG: return NULL;
  case DG_OPTION_NUMBER: return ONE_OF (numbers);
  case DG_OPTION_BYTES: return ONE_OF (sizes);
  case DG_OPTION_REAL: return ONE_OF (reals);
  case DG_OPTION_CHOICE:
    return g_strdup (dg_questions_choice (q, option->choices, text));
  case DG_OPTION_FILE: return dg_questions_path (q);
  default: break;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    if (option->choices != NULL && !dg_fuzz_chance (&q->random, 8)
        && g_str_has_prefix (option->choices, texts[i].choices)) {
      char **all = g_strsplit (texts[i].values, " ", -1);
      char *one = g_strdup (
        all[dg_fuzz_below (&q->random, g_strv_length (all))]);

      g_strfreev (all);
      return one;
    }
  return ONE_OF (odd_texts);
#undef ONE_OF
}

static void
add_settings (struct questions *q, const struct dg_analysis *analysis,
              struct settings *settings)
{
  /* Many at once mostly contradict each other.  */
  static const unsigned rarities[] = { 2, 5, 12, 12, 30 };
  unsigned rarity =
    rarities[dg_fuzz_below (&q->random, G_N_ELEMENTS (rarities))];

  for (const struct dg_option *o = analysis->options; o != NULL && o->name;
       o++) {
    size_t i = settings->n;

    if (i == SETTINGS_MOST || !dg_fuzz_chance (&q->random, rarity))
      continue;
    settings->values[i] = value_of (q, o);
    settings->all[i] = (struct dg_setting){ o->name, settings->values[i] };
    settings->n++;
  }
}

static void
free_settings (struct settings *settings)
{
  for (size_t i = 0; i < settings->n; i++)
    g_free (settings->values[i]);
}

/* ---- Analyses ---------------------------------------------------------- */

static void
read_report (const struct dg_report *report)
{
  const struct dg_report_item *item;
  size_t length = 0;

  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    if (item->text != NULL)
      length += strlen (item->text);
    for (uint64_t row = 0; row < MIN (item->n_rows, 100); row++) {
      struct dg_cell cells[64];

      dg_report_row (item, row, cells);
    }
  }
  if (length == 42)
    g_debug ("42");
}

void
dg_questions_analyse (struct questions *q)
{
  size_t n;
  const struct dg_analysis *const *all = dg_analyses (&n);
  const struct dg_analysis *some[3];
  size_t n_some = dg_fuzz_chance (&q->random, 2)
                    ? 1 : dg_fuzz_up_to (&q->random, 3, 3);
  uint32_t threads[] = { 1, 2 };
  struct settings settings = { .n = 0 };
  struct dg_error err = { 0 };
  struct dg_report *report = dg_report_new (&err);
  struct dg_analyse_options options = {
    .size = sizeof options,
    .workers = dg_fuzz_chance (&q->random, 3) ? 3 : 1,
    .filter = q->filter,
    .threads = threads,
    .n_threads = dg_fuzz_chance (&q->random, 8) ? 2 : 0,
    .symbols = dg_fuzz_chance (&q->random, 8) ? NULL : q->symbols,
    .top = dg_fuzz_below (&q->random, 3),
    .scales = dg_fuzz_chance (&q->random, 4)
  };

  MUST (report != NULL);
  if (dg_fuzz_chance (&q->random, 4)) {
    options.start_icount = dg_questions_moment (q);
    options.end_icount = dg_questions_moment (q);
  }
  for (size_t i = 0; i < n_some; i++) {
    some[i] = all[dg_fuzz_below (&q->random, n)];
    add_settings (q, some[i], &settings);
  }
  if (dg_fuzz_chance (&q->random, 5))
    options.interval_instructions = 1 + dg_fuzz_below (&q->random, 100);
  else if (dg_fuzz_chance (&q->random, 6))
    options.interval_ns = 1 + dg_fuzz_below (&q->random, 10000);
  options.settings = settings.all;
  options.n_settings = settings.n;
  if (dg_analyse (q->log, some, n_some, &options, NULL, NULL, report, &err)
      < 0)
    MUST (err.message[0] != '\0');
  else
    read_report (report);
  dg_report_free (report);
  free_settings (&settings);
}

/* ---- Tables ------------------------------------------------------------ */

static bool
pick_table (struct questions *q, struct dg_arrow_table *table)
{
  size_t n = 0;

  while (dg_arrow_table_at (n, table))
    n++;
  return n > 0
         && dg_arrow_table_at (dg_fuzz_chance (&q->random, 2)
                                 ? 0 : dg_fuzz_below (&q->random, n), table);
}

static size_t
pick_columns (struct questions *q, const struct dg_arrow_table *table,
              const char **columns, size_t most)
{
  size_t n = 0;

  for (size_t i = 0; i < table->n_columns && n < most; i++)
    if (dg_fuzz_chance (&q->random, 3))
      columns[n++] = table->columns[i].name;
  return n;
}

static void
limit (struct questions *q, const struct dg_arrow_table *table,
       struct dg_arrow_query *query)
{
  static const uint32_t threads[] = { 2, 1 };
  static const struct dg_arrow_span spans[] = { { 0x20000, 0x21000 },
                                                { 0, 0x6000 } };

#define MAY(what) \
  ((table->limits & DG_ARROW_##what) != 0 && dg_fuzz_chance (&q->random, 4))
  if (MAY (THREADS)) {
    query->threads = threads;
    query->n_threads = 1;
  }
  if (MAY (ICOUNTS))
    query->icounts = (struct dg_arrow_span){ dg_questions_moment (q),
                                             dg_questions_moment (q) };
  if (MAY (ADDRESSES)) {
    query->addresses = spans;
    query->n_addresses = 2;
  }
  if (MAY (KINDS))
    query->kinds = 1 + (unsigned) dg_fuzz_below (&q->random, 3);
  if (MAY (FILTER))
    query->ranges = "malloc,range,var:table";
  if (MAY (CHUNKS))
    query->end_chunk = dg_fuzz_below (&q->random, 4);
#undef MAY
}

static void
read_stream (struct ArrowArrayStream *stream)
{
  struct dg_arrow_status status = { .size = sizeof status };
  struct ArrowSchema schema;
  struct ArrowArray batch;
  struct dg_error err = { 0 };
  int code = stream->get_schema (stream, &schema);

  if (code == 0)
    schema.release (&schema);
  while (code == 0 && (code = stream->get_next (stream, &batch)) == 0
         && batch.release != NULL)
    batch.release (&batch);
  MUST (code == 0 || stream->get_last_error (stream)[0] != '\0');
  MUST (dg_arrow_status (stream, &status, &err) == 0);
  stream->release (stream);
}

void
dg_questions_stream (struct questions *q)
{
  struct dg_arrow_table table;
  const char *columns[16];
  struct settings settings = { .n = 0 };
  struct ArrowArrayStream stream;
  struct dg_error err = { 0 };
  struct dg_arrow_query query = {
    .size = sizeof query,
    .is_signed = dg_fuzz_chance (&q->random, 2),
    .is_empty = dg_fuzz_chance (&q->random, 10),
    .batch_rows = dg_fuzz_below (&q->random, 3) * 5,
    .columns = columns,
    .workers = 1
  };
  int code;

  if (!pick_table (q, &table))
    return;
  query.table = table.name;
  query.n_columns = pick_columns (q, &table, columns, 16);
  limit (q, &table, &query);
  if (table.columns == NULL && dg_analysis_find (table.name) != NULL)
    add_settings (q, dg_analysis_find (table.name), &settings);
  query.settings = settings.all;
  query.n_settings = settings.n;
  code = dg_arrow_open (q->log, &query, &stream, &err);
  dg_questions_answer (code, &err);
  if (code == 0)
    read_stream (&stream);
  free_settings (&settings);
}

/* ---- Columns ----------------------------------------------------------- */

void
dg_questions_columns (struct questions *q)
{
  static const struct dg_columns_span spans[] = { { 0x1000, 0x1010 },
                                                  { 0x20000, 0 } };
  static const uint32_t threads[] = { 1 };
  struct dg_columns_options options = {
    .size = sizeof options,
    .filter = q->filter,
    .threads = threads,
    .n_threads = dg_fuzz_below (&q->random, 2),
    .start_icount = dg_questions_moment (q),
    .end_icount = dg_questions_moment (q),
    .kinds = (unsigned) dg_fuzz_below (&q->random, 4),
    .no_contexts = dg_fuzz_chance (&q->random, 3),
    .addresses = spans,
    .n_addresses = dg_fuzz_chance (&q->random, 4) ? 2 : 0
  };
  uint64_t icounts[64], addresses[64], instructions[64];
  uint32_t bytes[64], contexts[64], of_thread[64];
  uint8_t kinds[64];
  const struct dg_columns_arrays arrays = {
    icounts, addresses, instructions, bytes,
    options.no_contexts ? NULL : contexts, of_thread, kinds
  };
  struct dg_error err = { 0 };
  struct dg_columns *columns = dg_columns_new (q->log, &options, &err);
  ptrdiff_t n;
  size_t chunk;

  MUST (columns != NULL || err.message[0] != '\0');
  if (columns == NULL)
    return;
  while ((n = dg_columns_read (columns, &arrays, 64, &chunk, &err)) > 0)
    MUST (n <= 64);
  dg_questions_answer ((int) n, &err);
  if (dg_columns_seek (columns, 1, 2, &err) == 0)
    dg_columns_read (columns, &arrays, 64, NULL, &err);
  dg_columns_free (columns);
}
