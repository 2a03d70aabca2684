/* advise_groups.c: streams that are one finding, since they go to the same
   memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_groups.h"

static void
group_free (void *data)
{
  struct advise_group *group = data;

  g_ptr_array_unref (group->streams);
  g_free (group);
}

static struct advise_group *
group_of (GPtrArray *groups, const struct advise_stream *stream)
{
  struct advise_group *group;

  for (guint i = 0; i < groups->len; i++) {
    group = groups->pdata[i];
    if (stream->memory != NULL
          ? g_strcmp0 (group->top->memory, stream->memory) == 0
          : group->top->memory == NULL && group->top->line == stream->line)
      return group;
  }
  group = g_new0 (struct advise_group, 1);
  group->top = stream;
  group->streams = g_ptr_array_new ();
  g_ptr_array_add (groups, group);
  return group;
}

/* A stream that costs nearly as much as the one that costs most.  */
#define NEARLY 0.9

/* A finding names one line of its group.  Which of two lines costs a little
   more depends on the compiler; so the finding names the line that stands
   first in the source, of those that cost nearly the most.  */
static void
choose_top (struct advise_group *group)
{
  const struct advise_stream *most = group->top;

  for (guint i = 1; i < group->streams->len; i++) {
    const struct advise_stream *stream = group->streams->pdata[i];

    if (stream->cycles >= NEARLY * most->cycles
        && g_strcmp0 (stream->line->code.file, most->line->code.file) == 0
        && stream->line->code.line < group->top->line->code.line)
      group->top = stream;
  }
}

/* Streams that cost less than this share of the run need no group.  */
#define LEAST_SHARE 0.001

GPtrArray *
advise_groups (const struct advise_facts *facts, advise_stream_fn takes,
               GHashTable *without)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    struct advise_group *group;

    if (stream->cycles < LEAST_SHARE * facts->cycles)
      break;
    if (!stream->line->is_own || !takes (facts, stream)
        || (without != NULL
            && g_hash_table_contains (without, stream->line)))
      continue;
    group = group_of (groups, stream);
    group->misses += stream->misses;
    group->ll_misses += stream->ll_misses;
    group->cost += stream->cycles;
    group->accesses += stream->accesses;
    g_ptr_array_add (group->streams, (gpointer) stream);
  }
  for (guint i = 0; i < groups->len; i++)
    choose_top (groups->pdata[i]);
  return groups;
}

struct advise_finding *
advise_group_finding (const struct advise_group *group)
{
  const struct advise_code *code = &group->top->line->code;
  struct advise_finding *finding =
    advise_finding_new (code, group->top->memory);

  for (guint i = 0; i < group->streams->len; i++) {
    const struct advise_stream *stream = group->streams->pdata[i];
    uint32_t line = stream->line->code.line;
    bool is_known = line == code->line
                    || g_strcmp0 (stream->line->code.file, code->file) != 0;

    for (guint j = 0; j < finding->others->len && !is_known; j++)
      is_known = g_array_index (finding->others, uint32_t, j) == line;
    if (!is_known)
      g_array_append_val (finding->others, line);
  }
  return finding;
}

void
advise_group_explain (const struct advise_group *group, GHashTable *explained)
{
  for (guint i = 0; i < group->streams->len; i++) {
    const struct advise_stream *stream = group->streams->pdata[i];

    g_hash_table_add (explained, stream->line);
  }
}

static void
add_where (GString *text, GHashTable *known, const struct advise_line *line)
{
  char *where;

  if (!g_hash_table_add (known, (gpointer) line))
    return;
  where = advise_code_where (&line->code);
  if (where != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ";" : "", where);
  g_free (where);
}

char *
advise_group_where (const struct advise_group *group)
{
  GString *text = g_string_new (NULL);
  GHashTable *known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < group->streams->len; i++) {
    const struct advise_stream *stream = group->streams->pdata[i];

    add_where (text, known, stream->line);
  }
  g_hash_table_unref (known);
  return g_string_free (text, text->len == 0);
}
