/* index_sample.c: logs of which every access is known, with the indexes that
   they should have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_sample.h"

#include <stdlib.h>
#include <unistd.h>

#include "dg_record.h"

struct dg_log *
index_sample_load (const char *path)
{
  struct dg_error err = {0};
  struct dg_log *log;
  int code = dg_log_open (path, &log, &err);

  if (code == 0)
    code = dg_log_load (log, 1, NULL, NULL, &err);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED)
    g_error ("%s", err.message);
  return log;
}

struct index_sample *
index_sample_new (unsigned word_size, bool big_endian, unsigned n_runs)
{
  struct index_sample *sample = g_new0 (struct index_sample, 1);

  sample->random = random_log_new (word_size, big_endian, n_runs);
  sample->log = index_sample_load (sample->random->path);
  sample->sidecar = dg_index_sidecar (sample->log);
  return sample;
}

void
index_sample_free (struct index_sample *sample)
{
  unlink (sample->sidecar);
  free (sample->sidecar);
  dg_log_close (sample->log);
  random_log_free (sample->random);
  g_free (sample);
}

static int
compare_counts (const void *a, const void *b)
{
  const struct dg_line_count *x = a, *y = b;

  return (x->line > y->line) - (x->line < y->line);
}

GArray *
index_sample_lines (const struct random_log *log, uint64_t start, uint64_t end)
{
  GHashTable *lines = g_hash_table_new (NULL, NULL);
  GArray *list = g_array_new (FALSE, TRUE, sizeof (struct dg_line_count));

  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *access =
      &g_array_index (log->accesses, struct random_access, i);
    uint64_t last = (access->address + access->size - 1) / DG_LINE_BYTES;

    if (access->icount < start || access->icount >= end)
      continue;
    for (uint64_t line = access->address / DG_LINE_BYTES; line <= last;
         line++) {
      gpointer key = GSIZE_TO_POINTER (line + 1);
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (lines, key));

      if (at == 0) {
        g_array_set_size (list, list->len + 1);
        at = list->len;
        g_array_index (list, struct dg_line_count, at - 1).line = line;
        g_hash_table_insert (lines, key, GUINT_TO_POINTER (at));
      }
      if (access->kind == DG_ACC_READ)
        g_array_index (list, struct dg_line_count, at - 1).reads++;
      else
        g_array_index (list, struct dg_line_count, at - 1).writes++;
    }
  }
  g_array_sort (list, compare_counts);
  g_hash_table_unref (lines);
  return list;
}

static bool
is_right (const struct dg_line_list *list, const GArray *right)
{
  if (list->n != right->len)
    return false;
  for (guint i = 0; i < right->len; i++) {
    const struct dg_line_count *a = &list->counts[i];
    const struct dg_line_count *b =
      &g_array_index (right, struct dg_line_count, i);

    if (a->line != b->line || a->reads != b->reads || a->writes != b->writes)
      return false;
  }
  return true;
}

unsigned
index_sample_check (const struct index_sample *sample, struct dg_index *index,
                    bool may_fail)
{
  size_t n, below = 0;
  const struct dg_chunk *chunks = dg_log_chunks (sample->log, &n);
  unsigned bad = 0;

  g_assert_cmpuint (dg_index_lists (index, 0), ==, n);
  for (unsigned k = 0; k < dg_index_levels (index); k++) {
    size_t lists = dg_index_lists (index, k), chunk = 0;

    if (k > 0)
      g_assert_cmpuint (lists, ==, (below + 7) / 8);
    for (size_t i = 0; i < lists; i++) {
      struct dg_index_span span = dg_index_span (index, k, i);
      const struct dg_line_list *list = dg_index_borrow (index, k, i, NULL);
      GArray *right = index_sample_lines (sample->random, span.start_icount,
                                          span.end_icount);

      g_assert_cmpuint (span.first_chunk, ==, chunk);
      g_assert_cmpuint (span.start_icount, ==, chunks[chunk].icount);
      chunk = span.end_chunk;
      if (list)
        g_assert_true (is_right (list, right));
      else
        bad++;
      dg_index_return (index, list);
      g_array_unref (right);
    }
    g_assert_cmpuint (chunk, ==, n);
    below = lists;
  }
  g_assert_cmpuint (below, ==, n > 0);
  if (!may_fail)
    g_assert_cmpuint (bad, ==, 0);
  return bad;
}

struct dg_index *
index_sample_index (const struct index_sample *sample, const char *path,
                    unsigned workers)
{
  struct dg_error err = {0};
  struct dg_index *index;

  if (dg_index_build (sample->log, path, workers, NULL, NULL, &index, &err)
      < 0)
    g_error ("%s", err.message);
  return index;
}
