/* allocs_format.c: the language of -f, and the record that is shown without
   it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include <string.h>

/* ---- Reading a format ------------------------------------------------- */

#define LEVELS_MAX 8

static void
free_segment (gpointer data)
{
  g_free (((struct allocs_segment *) data)->text);
}

static void
add_text (GArray *segments, GString *text)
{
  struct allocs_segment segment = {0, 0, NULL};

  if (text->len == 0)
    return;
  segment.text = g_strdup (text->str);
  g_array_append_val (segments, segment);
  g_string_truncate (text, 0);
}

/* A conversion, behind its '%'.  Returns its end, or NULL with *why.  */
static const char *
add_conversion (GArray *segments, const char *at, char **why)
{
  struct allocs_segment segment = {*at, 0, NULL};

  if (*at == '\0') {
    *why = g_strdup ("it ends with a '%'; write '%%' for a percent sign");
    return NULL;
  }
  if (strchr ("bfwl", *at) != NULL) {
    at++;
    if (*at < '1' || *at > '0' + LEVELS_MAX || g_ascii_isdigit (at[1])) {
      *why = g_strdup_printf ("'%%%c' needs a level from 1 to %d, as in"
                              " '%%%c1'",
                              segment.what, LEVELS_MAX, segment.what);
      return NULL;
    }
    segment.level = (uint8_t) (*at - '0');
  } else if (strchr ("pnmosaTthN", *at) == NULL) {
    const char *end = g_utf8_validate (at, -1, NULL) ? g_utf8_next_char (at)
                                                     : at + 1;

    *why = g_strdup_printf ("'%%%.*s' is not a conversion",
                            (int) (end - at), at);
    return NULL;
  }
  g_array_append_val (segments, segment);
  return at + 1;
}

GArray *
allocs_format_parse (const char *text, char **why)
{
  GArray *segments =
    g_array_new (FALSE, FALSE, sizeof (struct allocs_segment));
  GString *plain = g_string_new (NULL);

  g_array_set_clear_func (segments, free_segment);
  while (text != NULL && *text != '\0') {
    static const char escapes[] = "n\nt\t\"\"\\\\";
    const char *escape = NULL;

    if (text[0] == '\\' && text[1] != '\0')
      for (const char *e = escapes; *e != '\0' && escape == NULL; e += 2)
        escape = *e == text[1] ? e : NULL;
    if (text[0] == '\\' && escape == NULL) {
      *why = g_strdup ("a '\\' must be followed by n, t, \" or \\");
      text = NULL;
    } else if (escape != NULL) {
      g_string_append_c (plain, escape[1]);
      text += 2;
    } else if (text[0] == '%' && text[1] != '%') {
      add_text (segments, plain);
      text = add_conversion (segments, text + 1, why);
    } else {
      g_string_append_c (plain, *text);
      text += text[0] == '%' ? 2 : 1;
    }
  }
  add_text (segments, plain);
  g_string_free (plain, TRUE);
  if (text != NULL)
    return segments;
  g_array_unref (segments);
  return NULL;
}

unsigned
allocs_format_levels (const GArray *segments)
{
  unsigned most = 0;

  for (guint i = 0; i < segments->len; i++)
    most =
      MAX (most, g_array_index (segments, struct allocs_segment, i).level);
  return most;
}

char
allocs_format_needs_details (const GArray *segments)
{
  for (guint i = 0; i < segments->len; i++) {
    char what = g_array_index (segments, struct allocs_segment, i).what;

    if (what != '\0' && strchr ("moathN", what) != NULL)
      return what;
  }
  return '\0';
}

/* ---- Writing ---------------------------------------------------------- */

void
allocs_put_address (struct output *out, uint64_t address)
{
  output_reserve (out);
  *out->at++ = '0';
  *out->at++ = 'x';
  out->at = output_put_hex (out->at, address, 8);
}

void
allocs_put_bytes (struct output *out, uint64_t bytes)
{
  if (bytes < 1024) {
    output_counted (out, bytes, "byte", "bytes");
    return;
  }
  output_decimal (out, bytes / 1024);
  output_text (out, "K (");
  output_decimal (out, bytes);
  output_text (out, " bytes)");
}

/* Levels that a stack does not have are 0 and empty.  */
static void
put_level (struct output *out, const struct allocs_segment *segment,
           const struct stack_trace *trace)
{
  static const struct stack_level none;
  const struct stack_level *level =
    segment->level <= trace->n ? trace->levels[segment->level - 1] : &none;
  const char *text = segment->what == 'f'   ? level->function
                     : segment->what == 'w' ? level->where
                                            : level->source;

  if (segment->what == 'b')
    allocs_put_address (out, level->address);
  else if (text != NULL)
    output_text (out, text);
}

static void
put_conversion (struct output *out, const struct allocs_segment *segment,
                const struct allocs_record *record)
{
  const struct dg_block block = allocs_block (record);
  const struct dg_thread *thread;

  switch (segment->what) {
  case 'p':
    allocs_put_address (out, block.address);
    break;
  case 'n':
    output_decimal (out, block.size);
    break;
  case 'm':
    output_decimal (out, allocs_actual (record));
    break;
  case 'o':
    output_decimal (out, allocs_overhead (record));
    break;
  case 's':
    output_decimal (out, allocs_seqno (record));
    break;
  case 'a':
    output_text (out, allocs_function (record));
    break;
  case 'T':
    allocs_put_time (out, record->log, allocs_icount (record), "unknown");
    break;
  case 't':
    output_decimal (out, allocs_thread (record));
    break;
  case 'h':
    thread = dg_log_thread (record->log->log.log, allocs_thread (record));
    output_decimal (out, thread != NULL ? thread->os_tid : 0);
    break;
  case 'N':
    thread = dg_log_thread (record->log->log.log, allocs_thread (record));
    output_name (out, thread != NULL ? thread->name : "");
    break;
  default:
    put_level (out, segment, allocs_trace (record));
  }
}

static void
put_formatted (struct output *out, const struct allocs_record *record)
{
  const GArray *segments = record->log->options->segments;

  for (guint i = 0; i < segments->len; i++) {
    const struct allocs_segment *segment =
      &g_array_index (segments, struct allocs_segment, i);

    if (segment->what == '\0')
      output_text (out, segment->text);
    else
      put_conversion (out, segment, record);
  }
  output_bytes (out, "\n", 1);
}

void
allocs_put_trace (struct output *out, const struct stack_trace *trace)
{
  for (uint32_t i = 0; i < trace->n; i++) {
    output_text (out, "  ");
    output_decimal (out, i + 1);
    output_text (out, ") ");
    output_bytes (out, trace->levels[i]->text, trace->levels[i]->length);
  }
}

void
allocs_put_record (struct output *out, const struct allocs_record *record,
                   bool is_event)
{
  const struct dg_block block = allocs_block (record);
  bool has_details = record->log->has_details;

  if (record->log->options->segments != NULL) {
    put_formatted (out, record);
    return;
  }
  if (!is_event) {
    allocs_put_address (out, block.address);
    output_text (out, " : ");
  }
  output_text (out, allocs_function (record));
  output_text (out, " ");
  output_decimal (out, block.size);
  output_text (out, " bytes");
  if (is_event) {
    output_text (out, ": ");
    allocs_put_address (out, block.address);
    output_text (out, record->is_freed ? " (freed) " : " ");
  }
  if (has_details) {
    output_text (out, ", actual size ");
    output_decimal (out, allocs_actual (record));
    output_text (out, " (+");
    output_decimal (out, allocs_overhead (record));
    output_text (out, ")");
  }
  output_text (out, ", seqno ");
  output_decimal (out, allocs_seqno (record));
  output_text (out, ", time ");
  allocs_put_time (out, record->log, allocs_icount (record), "unknown");
  output_text (out, "\n");
  if (has_details)
    output_text (out, allocs_log_thread_text (record->log,
                                              allocs_thread (record)));
  allocs_put_trace (out, allocs_trace (record));
}
