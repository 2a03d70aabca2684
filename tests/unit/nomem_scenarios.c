/* nomem_scenarios.c: what a program may ask of the library, to be done while
   memory runs out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "nomem_scenarios.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "dg_analysis.h"
#include "libdatagrind.h"
#include "variables/frames.h"

static void
note (struct world *world, uint64_t number)
{
  world->sum = (world->sum ^ number) * 0x9e3779b97f4a7c15u;
}

static void
note_file (struct world *world, const char *path)
{
  char *bytes;
  gsize n;

  if (!g_file_get_contents (path, &bytes, &n, NULL))
    return;
  note (world, n);
  for (gsize i = 0; i < n; i++)
    note (world, (unsigned char) bytes[i]);
  g_free (bytes);
  g_unlink (path);
}

static int
read_log (struct world *world, const struct dg_log *log, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, err);
  struct dg_run run;
  int code;

  if (!reader)
    return err->code;
  while ((code = dg_reader_run (reader, &run, err)) > 0) {
    note (world, run.icount);
    for (unsigned i = 0; i < run.n_slots; i++)
      note (world, run.addresses[run.bbdef->slots[i].entry]);
  }
  dg_reader_free (reader);
  return code;
}

static int
load_path (struct world *world, const char *path, struct dg_error *err)
{
  struct dg_log *log;
  int code = dg_log_open (path, &log, err);

  if (code < 0) {
    g_assert_null (log);
    return code;
  }
  code = dg_log_load (log, world->workers, NULL, NULL, err);
  if (code == 0)
    code = read_log (world, log, err);
  if (code == 0) {
    note (world, dg_log_summary (log)->accesses);
    note (world, dg_log_n_blocks (log));
  }
  dg_log_close (log);
  return code;
}

static int
load_raw (struct world *world, struct dg_error *err)
{
  return load_path (world, world->path, err);
}

static int
load_packed (struct world *world, struct dg_error *err)
{
  return load_path (world, world->packed_path, err);
}

static int
load_summary (struct world *world, struct dg_error *err)
{
  struct dg_log *log;
  int code = dg_log_open (world->packed_path, &log, err);

  if (code < 0)
    return code;
  code = dg_log_load_summary (log, world->workers, NULL, NULL, err);
  if (code == 0)
    note (world, dg_log_summary (log)->accesses);
  dg_log_close (log);
  return code;
}

static int
verify (struct world *world, struct dg_error *err)
{
  return dg_log_verify (world->packed, world->workers, NULL, NULL, err);
}

static int
grow (struct world *world, struct dg_error *err)
{
  struct dg_error flaw = {0};
  struct dg_log *log, *grown = NULL;
  char *part = g_build_filename (world->folder, "growing", NULL);
  gsize half = world->bytes->len / 2;
  FILE *file = fopen (part, "w");
  int code;

  fwrite (world->bytes->data, 1, half, file);
  fflush (file);
  code = dg_log_open (part, &log, err);
  if (code == 0) {
    code = dg_log_load_growing (log, world->workers, NULL, NULL, &flaw);
    if (code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED)
      code = 0;
    else if (code < 0)
      *err = flaw;
  }
  fwrite (world->bytes->data + half, 1, world->bytes->len - half, file);
  fclose (file);
  if (code == 0)
    code = dg_log_grow (log, world->workers, NULL, NULL, &grown, &flaw, err);
  if (code > 0) {
    code = flaw.code == DG_ERR_NOMEM ? flaw.code : 0;
    if (code < 0)
      *err = flaw;
    note (world, dg_log_summary (grown)->accesses);
    note (world, dg_log_n_blocks (grown));
  }
  dg_log_close (grown);
  dg_log_close (log);
  g_unlink (part);
  g_free (part);
  return code;
}

static int
pack (struct world *world, struct dg_error *err)
{
  const struct dg_pack_options options = {.size = sizeof options,
                                          .workers = world->workers};
  int code = dg_log_pack (world->log, world->out, &options, NULL, NULL, err);

  note_file (world, world->out);
  return code;
}

static int
repack (struct world *world, struct dg_error *err)
{
  const struct dg_pack_options options = {
    .size = sizeof options, .level = 5, .workers = world->workers};
  int code =
    dg_log_pack (world->packed, world->out, &options, NULL, NULL, err);

  note_file (world, world->out);
  return code;
}

static int
unpack (struct world *world, struct dg_error *err)
{
  int code =
    dg_log_unpack (world->packed, world->out, world->workers, NULL, NULL, err);

  note_file (world, world->out);
  return code;
}

static int
cut (struct world *world, struct dg_error *err)
{
  const struct dg_pack_options pack = {.size = sizeof pack,
                                       .workers = world->workers};
  const struct dg_cut_options options = {.size = sizeof options,
                                         .start_icount = 4,
                                         .end_icount = 12,
                                         .workers = world->workers,
                                         .pack = &pack};
  int code = dg_log_cut (world->packed, world->out, &options, NULL, NULL, err);

  note_file (world, world->out);
  return code;
}

static int
build_index (struct world *world, struct dg_error *err)
{
  struct dg_index *index;
  uint64_t *pages;
  size_t n;
  int code =
    dg_index_build (world->log, NULL, world->workers, NULL, NULL, &index, err);

  if (code == 0) {
    code = dg_index_pages (index, 12, &pages, &n, err);
    if (code == 0) {
      for (size_t i = 0; i < n; i++)
        note (world, pages[i]);
      free (pages);
    }
  }
  dg_index_close (index);
  return code;
}

static int
open_index (struct world *world, struct dg_error *err)
{
  struct dg_index *index;
  const struct dg_line_list *list;
  int code = dg_index_open (world->packed, &index, err);

  for (unsigned level = 0; code == 0 && level < dg_index_levels (index);
       level++)
    for (size_t i = 0; code == 0 && i < dg_index_lists (index, level); i++) {
      list = dg_index_borrow (index, level, i, err);
      if (list) {
        note (world, list->n);
        dg_index_return (index, list);
      } else {
        code = err->code;
      }
    }
  dg_index_close (index);
  return code;
}

static int
analyse (struct world *world, struct dg_error *err)
{
  const struct dg_analyse_options options = {.size = sizeof options,
                                             .workers = world->workers};
  struct dg_report *report = dg_report_new (err);
  const struct dg_report_item *item;
  int code;

  if (!report)
    return err->code;
  code = dg_analyse (world->packed, &world->analysis, 1, &options, NULL, NULL,
                     report, err);
  for (size_t i = 0; code == 0 && (item = dg_report_at (report, i)); i++) {
    note (world, item->kind);
    note (world, item->n_rows);
    if (item->text)
      note (world, g_str_hash (item->text));
  }
  dg_report_free (report);
  return code;
}

static int
phases (struct world *world, struct dg_error *err)
{
  struct dg_phases *phases = dg_phases_new (world->log, err);
  struct dg_contention *contention = dg_contention_new (1000);
  const struct dg_line_verdict *verdicts;
  int64_t n = phases && contention ? 0 : DG_ERR_NOMEM;

  if (!contention && phases)
    err->code = DG_ERR_NOMEM, g_strlcpy (err->message, "x", 2);
  for (uint64_t i = 0; n == 0 && i < 300; i++) {
    struct dg_spot spot = {.line = i % 70,
                           .thread = 1 + i % 2,
                           .phase = 0,
                           .first = 8 * (i % 2),
                           .last = 8 * (i % 2) + 7,
                           .writes = i};

    n = dg_contention_add (contention, &spot);
    if (n < 0)
      err->code = n, g_strlcpy (err->message, "x", 2);
  }
  if (n == 0)
    n = dg_contention_judge (contention, phases, err);
  if (n > 0) {
    verdicts = dg_contention_verdicts (contention);
    for (int64_t i = 0; i < n; i++) {
      note (world, verdicts[i].line);
      note (world, verdicts[i].kind);
    }
  }
  dg_contention_free (contention);
  dg_phases_free (phases);
  return n < 0 ? n : 0;
}

/* What is told of blocks before memory runs out is not a result yet.  */
static void
note_block (void *user, uint32_t block, const struct dg_usage_block *use)
{
  const uint64_t numbers[] = {block, use->reads, use->untouched};

  g_byte_array_append (user, (const guint8 *) numbers, sizeof numbers);
}

static int
use (struct world *world, struct dg_error *err)
{
  GByteArray *numbers = g_byte_array_new ();
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = note_block,
                                           .ended_user = numbers,
                                           .workers = world->workers,
                                           .want_bytes = true};
  int code = dg_usage_run (world->log, &options, NULL, NULL, err);

  for (guint i = 0; i < numbers->len && code == 0; i++)
    note (world, numbers->data[i]);
  g_byte_array_unref (numbers);
  return code;
}

static int
curve (struct world *world, struct dg_error *err)
{
  struct dg_curve_source *source;
  struct dg_curve *curve = NULL;
  int code;

  source = dg_curve_source_new (world->log, NULL, NULL, NULL, NULL, err);
  if (!source)
    return err->code;
  code = dg_curve_build (source, NULL, NULL, NULL, &curve, err);
  if (code == 0) {
    note (world, curve->n_columns);
    for (size_t i = 0; i < curve->n_columns; i++)
      note (world, curve->columns[i].total);
  }
  dg_curve_free (curve);
  dg_curve_source_free (source);
  return code;
}

static int
massif (struct world *world, struct dg_error *err)
{
  struct dg_massif_options options;
  struct dg_massif *massif;
  struct dg_massif_tree *tree;
  size_t n;
  int code;

  dg_massif_defaults (&options, sizeof options);
  code = dg_massif_run (world->log, NULL, &options, NULL, NULL, &massif, err);
  if (code < 0)
    return code;
  dg_massif_snapshots (massif, &n);
  note (world, n);
  if (dg_massif_peak (massif) != SIZE_MAX) {
    tree = dg_massif_tree_new (massif, dg_massif_peak (massif), err);
    code = tree ? 0 : err->code;
    dg_massif_tree_free (tree);
  }
  dg_massif_free (massif);
  return code;
}

static int
space (struct world *world, struct dg_error *err)
{
  struct dg_space *space = dg_space_new (world->log, err);
  struct dg_owner owner;

  if (!space)
    return err->code;
  for (uint64_t at = 0; at < 0x10000; at += 0x100) {
    dg_space_find (space, at, 9, &owner);
    note (world, owner.kind);
    note (world, owner.offset);
  }
  dg_space_free (space);
  return 0;
}

static int
filter (struct world *world, struct dg_error *err)
{
  struct dg_filter *filter = dg_filter_new (
    world->log, NULL, NULL, "user:phase", "malloc,range", NULL, NULL, err);

  if (!filter)
    return err->code;
  for (uint64_t i = 0; i < 20; i++)
    note (world, dg_filter_run (filter, 0, i));
  dg_filter_free (filter);
  return 0;
}

/* A stream, of which what was handed out before a failure is used.  */
static int
read_table (struct world *world, const struct dg_arrow_query *query,
            struct dg_error *err)
{
  struct dg_arrow_status status = {.size = sizeof status};
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  int code = dg_arrow_open (world->log, query, &stream, err);

  if (code < 0)
    return code;
  code = stream.get_schema (&stream, &schema);
  if (code == 0) {
    note (world, (uint64_t) schema.n_children);
    schema.release (&schema);
  }
  while (code == 0 && (code = stream.get_next (&stream, &batch)) == 0
         && batch.release) {
    note (world, (uint64_t) batch.length);
    batch.release (&batch);
  }
  if (code != 0) {
    dg_arrow_status (&stream, &status, NULL);
    *err = status.error;
  }
  stream.release (&stream);
  return code == 0 ? 0 : err->code;
}

static int
arrow (struct world *world, struct dg_error *err)
{
  static const char *const tables[] = {"accesses", "runs", "contexts",
                                       "blocks", "events"};
  static const struct dg_arrow_span span = {0x1000, 0x2000};
  int code = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (tables) && code == 0; i++) {
    const struct dg_arrow_query query = {.size = sizeof query,
                                         .table = tables[i],
                                         .addresses = &span,
                                         .n_addresses = i == 0,
                                         .batch_rows = 3};

    code = read_table (world, &query, err);
  }
  return code;
}

static int
frames (struct world *world, struct dg_error *err)
{
  struct dg_frames *frames
    = dg_frames_new (world->calls, NULL, world->workers, err);
  struct dg_frame_cursor *cursor = NULL;
  struct dg_reader *reader = NULL;
  struct dg_frame_place place;
  struct dg_access some[256];
  ptrdiff_t n = 0;
  int code = frames ? 0 : err->code;

  if (code == 0 && !(cursor = dg_frame_cursor_new (frames, err)))
    code = err->code;
  if (code == 0 && !(reader = dg_reader_new (world->calls, 0, SIZE_MAX, err)))
    code = err->code;
  while (code >= 0 && cursor && reader
         && (n = dg_reader_accesses (reader, some, 256, err)) > 0)
    for (ptrdiff_t i = 0; i < n && code >= 0; i++) {
      memset (&place, 0, sizeof place);
      code = some[i].size == 4 ? dg_frame_cursor_find (
               cursor, &some[i], some[i].thread, &place, err)
                               : 0;
      note (world, place.cfa);
    }
  dg_reader_free (reader);
  dg_frame_cursor_free (cursor);
  dg_frames_free (frames);
  return MIN (code, n < 0 ? (int) n : 0);
}

/* Where something of this program is in its file.  */
static uint64_t
in_file (const void *here)
{
  extern const char __executable_start;

  return (uintptr_t) here - (uintptr_t) &__executable_start;
}

static int here = 1;

static void
symbols_here (void)
{
}

/* Names may be missing then, but nothing else happens.  */
static int
symbols (struct world *world, struct dg_error *err)
{
  struct dg_symbols *symbols;
  struct dg_frame frames[8];
  struct dg_variable variable;
  size_t n = 0;

  symbols = dg_symbols_new (world->program, NULL, err);
  if (!symbols)
    return err->code;
  n += dg_symbols_frames (symbols, in_file (symbols_here), 9, frames, 8);
  dg_symbols_data (symbols, in_file (&here), 9, 4, &variable);
  dg_symbols_type (symbols, "struct world[4]");
  dg_symbols_free (symbols);
  g_assert_cmpuint (n, >, 0);
  return 0;
}

static int
align (struct world *world, struct dg_error *err)
{
  static const char *const names[] = {"f"};
  static const double measures[] = {1, 2, 3};
  const struct dg_align_row rows[] = {{names, 1, 0, &measures[0]},
                                      {names, 2, 0, &measures[1]},
                                      {names, 3, 0, &measures[2]}};
  const struct dg_align_table tables[] = {{rows, 3}, {rows, 2}};
  const struct dg_align_options options = {
    .size = sizeof options, .n_names = 1, .n_measures = 1};
  uint32_t *groups;
  size_t n;
  int code = dg_align (&options, tables, 2, &groups, &n, err);

  for (size_t i = 0; i < n * 2; i++)
    note (world, groups[i]);
  free (groups);
  return code;
}

static const struct scenario scenarios[] = {
  {"load", load_raw},
  {"load-packed", load_packed},
  {"summary", load_summary},
  {"verify", verify},
  {"grow", grow},
  {"pack", pack},
  {"pack-again", repack},
  {"unpack", unpack},
  {"cut", cut},
  {"index", build_index},
  {"index-open", open_index},
  {"contention", phases},
  {"use", use},
  {"curve", curve},
  {"massif", massif},
  {"space", space},
  {"filter", filter},
  {"arrow", arrow},
  {"frames", frames},
  {"align", align},
  {"symbols", symbols, true, true},
};

const struct scenario *
nomem_scenarios (size_t *n)
{
  *n = G_N_ELEMENTS (scenarios);
  return scenarios;
}

const struct scenario nomem_analysis = {"analysis", analyse};
