/* allocs_json.c: allocations for programs.  A history has millions: they are
   written as they come.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "base/json_text.h"
#include "base/partial.h"
#include "base/schema.h"

void
allocs_json_begin (struct output *out, const char *part)
{
  char *name = g_strconcat ("allocs-", part, NULL);

  output_text (out, "{");
  allocs_json_key (out, "schema", true);
  json_text_string (out, schema_id (name));
  g_free (name);
}

void
allocs_json_key (struct output *out, const char *key, bool is_first)
{
  output_text (out, is_first ? "\"" : ", \"");
  output_text (out, key);
  output_text (out, "\": ");
}

void
allocs_json_number (struct output *out, const char *key, uint64_t number)
{
  allocs_json_key (out, key, false);
  output_decimal (out, number);
}

void
allocs_json_string (struct output *out, const char *key, const char *text)
{
  allocs_json_key (out, key, false);
  if (text != NULL)
    json_text_string (out, text);
  else
    output_text (out, "null");
}

void
allocs_json_address (struct output *out, const char *key, uint64_t address)
{
  allocs_json_key (out, key, false);
  output_text (out, "\"");
  output_hex (out, address);
  output_text (out, "\"");
}

void
allocs_json_moment (struct output *out, const char *key, const char *text,
                    const struct moment *moment)
{
  allocs_json_string (out, key, text != NULL ? text : "end");
  allocs_json_key (out, "icount", false);
  if (moment->icount != DG_NEVER)
    output_decimal (out, moment->icount);
  else
    output_text (out, "null");
}

void
allocs_json_partial (struct output *out, const struct allocs_log *log)
{
  output_text (out, ", ");
  partial_json (out, log->log.log);
}

void
allocs_json_trace (struct output *out, const struct stack_trace *trace)
{
  allocs_json_key (out, "backtrace", false);
  output_text (out, "[");
  for (uint32_t i = 0; i < trace->n; i++) {
    if (i > 0)
      output_bytes (out, ", ", 2);
    output_bytes (out, trace->levels[i]->text, trace->levels[i]->length);
  }
  output_text (out, "]");
}

/* Records are many: keys are put together when this is compiled.  */
#define KEY(key) ", \"" key "\": "

/* What the detail records say.  */
static void
put_details (struct output *out, const struct allocs_record *record)
{
  const struct dg_block block = allocs_block (record);

  output_text (out, KEY ("allocator"));
  output_text (out, "\"");
  output_text (out, allocs_function (record));
  output_text (out, "\"" KEY ("actual_size"));
  output_decimal (out, allocs_actual (record));
  output_text (out, KEY ("overhead"));
  output_decimal (out, allocs_overhead (record));
  output_text (out, KEY ("alignment"));
  output_decimal (out, block.alignment);
  if (block.old_address != 0)
    allocs_json_address (out, "old_address", block.old_address);
  else
    output_text (out, KEY ("old_address") "null");
  output_text (out, allocs_log_thread_text (record->log,
                                            allocs_thread (record)));
}

void
allocs_json_record (struct output *out, const struct allocs_record *record,
                    bool is_event, bool is_first)
{
  output_text (out, is_first ? "\n  {\"address\": \""
                             : ",\n  {\"address\": \"");
  output_hex (out, allocs_block (record).address);
  output_text (out, "\"" KEY ("size"));
  output_decimal (out, allocs_block (record).size);
  output_text (out, KEY ("seqno"));
  output_decimal (out, allocs_seqno (record));
  output_text (out, KEY ("time"));
  allocs_put_time (out, record->log, allocs_icount (record), "null");
  if (is_event) {
    output_text (out, record->is_free ? KEY ("event") "\"free\""
                                      : KEY ("event") "\"alloc\"");
    output_text (out, record->is_freed || record->is_free
                        ? KEY ("is_freed") "true"
                        : KEY ("is_freed") "false");
  }
  if (record->log->has_details)
    put_details (out, record);
  allocs_json_trace (out, allocs_trace (record));
  output_text (out, "}");
}
