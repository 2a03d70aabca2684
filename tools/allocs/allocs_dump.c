/* allocs_dump.c: `dg allocs dump`: the heap blocks at a moment.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "base/json_text.h"

GArray *
allocs_state (const struct allocs_log *log, const struct moment *moment)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (struct allocs_record));

  for (size_t i = 0; i < log->n_blocks; i++) {
    const struct allocs_record record = {.log = log,
                                         .index = (uint32_t) i};

    if (moment_has_block (moment, allocs_block (&record))
        && allocs_filter_passes (&log->options->filter, &record))
      g_array_append_val (records, record);
  }
  return records;
}

int
allocs_put_sorted (struct output *out, GArray *records,
                   const struct allocs_options *options)
{
  struct allocs_record *all = (struct allocs_record *) (void *) records->data;

  if (!allocs_sort (all, records->len, options->sort))
    return cli_fail ("not enough memory to sort %u records", records->len);
  for (guint i = 0; i < records->len && !output_failed (out); i++)
    if (options->as_json)
      allocs_json_record (out, &all[i], false, i == 0);
    else
      allocs_put_record (out, &all[i], false);
  return CLI_OK;
}

static int
dump (struct allocs_log *log, struct output *out)
{
  const struct allocs_options *options = log->options;
  struct moment moment;
  GArray *records;
  int status = allocs_log_moment (log, options->at, &moment);

  if (status != CLI_OK)
    return status;
  records = allocs_state (log, &moment);
  if (options->as_json) {
    allocs_json_begin (out, "dump");
    allocs_json_string (out, "log", log->log.path);
    allocs_json_partial (out, log);
    allocs_json_moment (out, "at", options->at, &moment);
    allocs_json_string (out, "time_unit", options->in_ms ? "ms" : "i");
    allocs_json_key (out, "block_list", false);
    output_text (out, "[");
  }
  status = allocs_put_sorted (out, records, options);
  if (options->as_json)
    output_text (out, "]}\n");
  g_array_unref (records);
  return status;
}

int
allocs_dump (const struct cli_command *command, int argc, char **argv)
{
  return allocs_run_one (command,
                         ALLOCS_HAS_AT | ALLOCS_HAS_SORT | ALLOCS_HAS_FILTER
                           | ALLOCS_HAS_FORMAT | ALLOCS_HAS_NAMES
                           | ALLOCS_HAS_TIME,
                         1, argc, argv, dump);
}
