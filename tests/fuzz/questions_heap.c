/* questions_heap.c: curves, Massif's snapshots, uses and sites of blocks, with
   any options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "dg_allocations.h"
#include "dg_curve.h"
#include "dg_massif.h"
#include "dg_sites.h"
#include "dg_temporary.h"
#include "dg_usage.h"
#include "questions.h"

static const char *const functions[] = { "main", "inner", "xmalloc",
                                         "_start" };

/* ---- Curves ------------------------------------------------------------ */

static void
read_curve (struct questions *q, const struct dg_curve *curve)
{
  MUST (curve->n_columns >= 1);
  for (size_t c = 0; c < curve->n_columns; c++) {
    uint64_t sum = 0;

    for (size_t s = 0; s < curve->n_series; s++)
      sum += curve->bytes[c * curve->n_series + s];
    MUST (sum == curve->columns[c].total);
  }
  for (size_t s = 0; s < curve->n_series; s++)
    MUST (curve->series[s].name != NULL);
  for (size_t i = 0; i < MIN (dg_log_n_blocks (q->log), 100); i++) {
    const struct dg_block block = dg_log_block (q->log, i);
    struct dg_curve_series series;
    uint32_t id = dg_curve_id_of (curve, &block);
    double at = dg_curve_position (curve, block.alloc_icount);

    MUST (at >= 0 && at <= 1);
    MUST (dg_curve_column_at (curve, dg_curve_moment (curve, at))
          < curve->n_columns);
    dg_curve_series_of (curve, &block);
    if (id != DG_NONE)
      dg_curve_describe (curve, id, &series);
  }
}

void
dg_questions_curve (struct questions *q)
{
  const struct dg_curve_source_options how = {
    .size = sizeof how,
    .alloc_fns = functions,
    .n_alloc_fns = dg_fuzz_below (&q->random, 3),
    .ignore_fns = functions + 1,
    .n_ignore_fns = dg_fuzz_chance (&q->random, 3) ? 1 : 0
  };
  struct dg_error err = { 0 };
  struct dg_curve_source *source =
    dg_curve_source_new (q->log, q->symbols, &how, NULL, NULL, &err);

  MUST (source != NULL || err.message[0] != '\0');
  for (int i = 0; source != NULL && i < 3; i++) {
    struct dg_curve *curve;
    const struct dg_curve_options options = {
      .size = sizeof options,
      .start_icount = dg_questions_moment (q),
      .end_icount = dg_questions_moment (q),
      .columns = (uint32_t) dg_fuzz_below (&q->random, 200),
      .series = (uint32_t) dg_fuzz_below (&q->random, 4),
      .by = dg_fuzz_below (&q->random, DG_CURVE_BY_THREAD + 1),
      .time = dg_fuzz_below (&q->random, DG_CURVE_NS + 1)
    };
    int code = dg_curve_build (source, &options, NULL, NULL, &curve, &err);

    dg_questions_answer (code, &err);
    if (code == 0) {
      read_curve (q, curve);
      dg_curve_free (curve);
    }
  }
  dg_curve_source_free (source);
}

/* ---- Massif ------------------------------------------------------------ */

static void
set_massif (struct questions *q, struct dg_massif_options *options,
            const struct dg_massif_moment *at)
{
  static const double percents[] = { 0, 0.5, 1, 10, 100 };

  dg_massif_defaults (options, sizeof *options);
  options->heap = !dg_fuzz_chance (&q->random, 6);
  options->stacks = dg_fuzz_chance (&q->random, 3);
  options->pages_as_heap = dg_fuzz_chance (&q->random, 5);
  options->exact_peak = dg_fuzz_chance (&q->random, 2);
  options->heap_admin = (uint32_t) dg_fuzz_below (&q->random, 20);
  options->depth = 1 + (uint32_t) dg_fuzz_below (&q->random, 30);
  options->detailed_freq = 1 + (uint32_t) dg_fuzz_below (&q->random, 3);
  options->max_snapshots = 10 + (uint32_t) dg_fuzz_below (&q->random, 20);
  options->threshold = percents[dg_fuzz_below (&q->random, 5)];
  options->peak_inaccuracy = percents[dg_fuzz_below (&q->random, 5)];
  options->time_unit = dg_fuzz_below (&q->random, 3);
  options->ignore_fns = functions;
  options->n_ignore_fns = dg_fuzz_chance (&q->random, 4) ? 2 : 0;
  options->at = at;
  options->n_at = dg_fuzz_below (&q->random, 3);
  options->workers = 1;
}

static void
read_tree (const struct dg_massif_node *node)
{
  uint64_t sum = 0;

  MUST (node->label != NULL);
  for (uint32_t i = 0; i < node->n_children; i++) {
    sum += node->children[i].bytes;
    read_tree (&node->children[i]);
  }
  MUST (node->n_children == 0 || sum <= node->bytes);
}

static void
read_massif (const struct dg_massif *massif)
{
  size_t n;
  const struct dg_massif_snapshot *all = dg_massif_snapshots (massif, &n);
  struct dg_error err = { 0 };
  char *text;
  size_t length;
  FILE *file = open_memstream (&text, &length);

  MUST (n >= 1);
  for (size_t i = 0; i < n; i++) {
    struct dg_massif_tree *tree = dg_massif_tree_new (massif, i, &err);

    MUST (all[i].kind == DG_MASSIF_NORMAL || tree != NULL);
    if (tree != NULL)
      read_tree (dg_massif_tree_top (tree));
    dg_massif_tree_free (tree);
  }
  MUST (dg_massif_write (massif, "fuzz", file, &err) == 0);
  fclose (file);
  free (text);
  MUST (dg_massif_command (massif) != NULL);
  for (size_t i = 0; dg_massif_note (massif, i) != NULL; i++)
    MUST (dg_massif_note (massif, i)[0] != '\0');
}

void
dg_questions_massif (struct questions *q)
{
  const struct dg_massif_moment at[] = { { dg_questions_moment (q), 0, "a" },
                                         { DG_NEVER, 0, NULL } };
  struct dg_massif_options options;
  struct dg_massif *massif;
  struct dg_error err = { 0 };
  int code;

  set_massif (q, &options, at);
  code = dg_massif_run (q->log, q->symbols, &options, NULL, NULL, &massif,
                        &err);
  dg_questions_answer (code, &err);
  if (code == 0) {
    read_massif (massif);
    dg_massif_free (massif);
  }
}

/* ---- Uses -------------------------------------------------------------- */

static void
note_ended (void *user, uint32_t block, const struct dg_usage_block *use)
{
  const struct questions *q = user;

  MUST (block < dg_log_n_blocks (q->log));
  MUST (use->untouched <= use->unread && use->untouched <= use->unwritten);
}

static void
note_counts (void *user, uint32_t block, const uint16_t *counts, size_t n)
{
  const struct questions *q = user;

  MUST (dg_log_block (q->log, block).size == n && counts != NULL);
}

void
dg_questions_usage (struct questions *q)
{
  size_t n = dg_log_n_blocks (q->log);
  uint8_t *wanted = g_malloc0 (n + 1);
  bool wants = dg_fuzz_chance (&q->random, 2);
  const struct dg_usage_options options = {
    .size = sizeof options,
    .ended = note_ended,
    .ended_user = q,
    .workers = dg_fuzz_chance (&q->random, 3) ? 3 : 1,
    .want_bytes = dg_fuzz_chance (&q->random, 2),
    .filter = q->filter,
    .counts = wants ? note_counts : NULL,
    .counts_user = q,
    .wants = wanted,
    .only = dg_fuzz_chance (&q->random, 4) ? wanted : NULL
  };
  struct dg_error err = { 0 };

  for (size_t i = 0; i < n; i++)
    wanted[i] = dg_log_block (q->log, i).size < 1 << 16
                && dg_fuzz_chance (&q->random, 2);
  dg_questions_answer (dg_usage_run (q->log, &options, NULL, NULL, &err),
                       &err);
  g_free (wanted);
}

/* ---- Sites ------------------------------------------------------------- */

static void
name_sites (struct questions *q, const struct dg_allocation *all, size_t n)
{
  struct dg_error err = { 0 };
  struct dg_mine *mine = dg_mine_new (
    q->log, dg_fuzz_below (&q->random, DG_MINE_SCRIPT + 1), &err);
  struct dg_site_lines *lines = dg_site_lines_new (
    q->log, 1 + (uint32_t) dg_fuzz_below (&q->random, 3));
  const struct dg_site_options how = {
    .size = sizeof how,
    .symbols = q->symbols,
    .mine = dg_fuzz_chance (&q->random, 2) ? mine : NULL,
    .has_inlined = dg_fuzz_chance (&q->random, 2),
    .lines = dg_fuzz_chance (&q->random, 2) ? lines : NULL,
    .is_plain = dg_fuzz_chance (&q->random, 4)
  };
  struct dg_site_frame frames[8];

  for (size_t i = 0; i < MIN (n, 50); i++) {
    size_t n_frames = dg_site_frames (&how, &all[i].stack, all[i].icount,
                                      all[i].is_call, frames, 8);

    if (n_frames > 0) {
      g_free (dg_site_text (frames, n_frames));
      g_free (dg_site_where (frames));
    }
  }
  dg_site_lines_free (lines);
  dg_mine_free (mine);
}

void
dg_questions_sites (struct questions *q)
{
  struct dg_allocation *all;
  size_t n;
  uint8_t *are;
  struct dg_error err = { 0 };
  int code = dg_allocations_find (q->log, dg_questions_moment (q), DG_NEVER,
                                  NULL, NULL, &all, &n, &err);

  dg_questions_answer (code, &err);
  if (code == 0) {
    name_sites (q, all, n);
    free (all);
  }
  code = dg_temporary_find (q->log, &are, &err);
  dg_questions_answer (code, &err);
  if (code == 0)
    free (are);
}
