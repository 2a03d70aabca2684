/* test-nomem.c: memory runs out at any place, and the library says so: no
   crash, no leak (under the address sanitizer), no wrong result.

   The functions by which the library asks for memory that it can do without
   are replaced here.  Each scenario is run until it needs nothing any more
   that could fail: with the n-th request failing, and with all from the n-th
   on, for every n.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core_test.h"
#include "dg_analysis.h"
#include "dg_contention.h"
#include "dg_curve.h"
#include "dg_massif.h"
#include "dg_use.h"

/* ---- Requests ---- */

static gint left;              /* atomic: requests until one fails */
static gint failed;            /* atomic */
static bool goes_on_failing;   /* ... and those behind it */

static bool
is_refused (void)
{
  int now = g_atomic_int_add (&left, -1);

  if (now != 1 && (now > 1 || !goes_on_failing))
    return false;
  g_atomic_int_set (&failed, 1);
  return true;
}

static bool
is_too_many (gsize n, gsize size)
{
  return size > 0 && n > G_MAXSIZE / size;
}

gpointer
(g_try_malloc) (gsize n)
{
  return n == 0 || is_refused () ? NULL : malloc (n);
}

gpointer
(g_try_malloc0) (gsize n)
{
  return n == 0 || is_refused () ? NULL : calloc (1, n);
}

gpointer
(g_try_realloc) (gpointer old, gsize n)
{
  if (n == 0) {
    free (old);
    return NULL;
  }
  return is_refused () ? NULL : realloc (old, n);
}

gpointer
(g_try_malloc_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_malloc (n * size);
}

gpointer
(g_try_malloc0_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_malloc0 (n * size);
}

gpointer
(g_try_realloc_n) (gpointer old, gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_realloc (old, n * size);
}

/* ---- What is done ---- */

struct world {
  char *folder, *path, *packed_path, *out;
  GByteArray *bytes;
  struct dg_log *log, *packed;
  const struct dg_analysis *analysis;
  struct dg_log *program;      /* of this very program; NULL: unknown */
  GByteArray *program_bytes;
  unsigned workers;
  uint64_t sum;                /* of what came out */
};

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
  struct dg_error flaw = { 0 };
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
  const struct dg_pack_options options = { .workers = world->workers };
  int code = dg_log_pack (world->log, world->out, &options, NULL, NULL, err);

  note_file (world, world->out);
  return code;
}

static int
repack (struct world *world, struct dg_error *err)
{
  const struct dg_pack_options options = { .level = 5,
                                           .workers = world->workers };
  int code = dg_log_pack (world->packed, world->out, &options, NULL, NULL,
                          err);

  note_file (world, world->out);
  return code;
}

static int
unpack (struct world *world, struct dg_error *err)
{
  int code = dg_log_unpack (world->packed, world->out, world->workers, NULL,
                            NULL, err);

  note_file (world, world->out);
  return code;
}

static int
cut (struct world *world, struct dg_error *err)
{
  const struct dg_pack_options pack = { .workers = world->workers };
  const struct dg_cut_options options = { .start_icount = 4, .end_icount = 12,
                                          .workers = world->workers,
                                          .pack = &pack };
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
  int code = dg_index_build (world->log, NULL, world->workers, NULL, NULL,
                             &index, err);

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
  const struct dg_analyse_options options = { .workers = world->workers };
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
    struct dg_spot spot = { .line = i % 70, .thread = 1 + i % 2,
                            .phase = 0, .first = 8 * (i % 2),
                            .last = 8 * (i % 2) + 7, .writes = i };

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

/* What is told of blocks before memory runs out is no result yet.  */
static void
note_block (void *user, uint32_t block, const struct dg_use_block *use)
{
  const uint64_t numbers[] = { block, use->reads, use->untouched };

  g_array_append_vals (user, numbers, G_N_ELEMENTS (numbers));
}

static int
use (struct world *world, struct dg_error *err)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  const struct dg_use_options options = { .ended = note_block,
                                          .ended_user = numbers,
                                          .workers = world->workers,
                                          .want_bytes = true };
  int code = dg_use_run (world->log, &options, NULL, NULL, err);

  for (guint i = 0; i < numbers->len && code == 0; i++)
    note (world, g_array_index (numbers, uint64_t, i));
  g_array_unref (numbers);
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

  dg_massif_defaults (&options);
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
  struct dg_filter *filter
    = dg_filter_new (world->log, NULL, NULL, "user:phase", "malloc,range",
                     NULL, NULL, err);

  if (!filter)
    return err->code;
  for (uint64_t i = 0; i < 20; i++)
    note (world, dg_filter_run (filter, 0, i));
  dg_filter_free (filter);
  return 0;
}

/* Where something of this program is in its file.  */
static uint64_t
in_file (const void *here)
{
  extern const char __executable_start;

  return (uintptr_t) here - (uintptr_t) &__executable_start;
}

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
  dg_symbols_data (symbols, in_file (&left), 9, 4, &variable);
  dg_symbols_type (symbols, "struct world[4]");
  dg_symbols_free (symbols);
  g_assert_cmpuint (n, >, 0);
  return 0;
}

/* ---- Running them ---- */

struct scenario {
  const char *name;
  int (*run) (struct world *world, struct dg_error *err);
  bool may_lack;           /* what came out may be less */
};

static const struct scenario scenarios[] = {
  { "load", load_raw }, { "load-packed", load_packed },
  { "summary", load_summary }, { "verify", verify }, { "grow", grow },
  { "pack", pack }, { "pack-again", repack }, { "unpack", unpack },
  { "cut", cut }, { "index", build_index }, { "index-open", open_index },
  { "contention", phases }, { "use", use }, { "curve", curve },
  { "massif", massif }, { "space", space }, { "filter", filter },
  { "symbols", symbols, true },
};

static struct world world;

/* Nothing but these files is left.  */
static void
check_folder (void)
{
  GDir *dir = g_dir_open (world.folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".tmp"));
  g_dir_close (dir);
}

static int
run_once (const struct scenario *scenario, int n, struct dg_error *err)
{
  int code;

  memset (err, 0, sizeof *err);
  world.sum = 0;
  g_atomic_int_set (&failed, 0);
  g_atomic_int_set (&left, n);
  code = scenario->run (&world, err);
  g_atomic_int_set (&left, 0);
  return code;
}

static void
complain (int n, int code, const char *message)
{
  g_test_message ("request %d failed: %d, '%s'", n, code, message);
  g_test_fail ();
}

/* Returns how many requests there are.  */
static int
run_all (const struct scenario *scenario, bool is_lasting, int most)
{
  struct dg_error err;
  uint64_t sum;
  int n, without = 0;

  goes_on_failing = false;
  g_assert_cmpint (run_once (scenario, 0, &err), ==, 0);
  sum = world.sum;
  for (n = 1; n <= most; n++) {
    int code;

    /* 0 and less never fail: only from n on down to there.  */
    goes_on_failing = is_lasting;
    code = run_once (scenario, n, &err);
    goes_on_failing = false;
    if (!g_atomic_int_get (&failed)) {
      g_assert_cmpint (code, ==, 0);
      break;
    }
    if (code == 0) {
      if (!scenario->may_lack && world.sum != sum)
        complain (n, code, "the result is another one");
      without++;
    } else if (code != DG_ERR_NOMEM || err.code != code || !err.message[0]) {
      complain (n, code, err.message);
    }
    check_folder ();
  }
  g_test_message ("%d requests, %d of which it can do without", n - 1,
                  without);
  return n - 1;
}

static void
test_scenario (const void *data)
{
  const struct scenario *scenario = data;
  int n;

  if (scenario->run == symbols && !world.program) {
    g_test_skip ("no readelf");
    return;
  }
  world.workers = 1;
  n = run_all (scenario, false, G_MAXINT);
  g_assert_cmpint (n, >, 0);
  run_all (scenario, true, G_MAXINT);
  /* Which request is which is by chance.  */
  world.workers = 3;
  run_all (scenario, false, n + n / 2);
}

static void
test_analysis (const void *data)
{
  static const struct scenario scenario = { "analysis", analyse };

  world.analysis = data;
  test_scenario (&scenario);
}

/* ---- The world ---- */

static char *
in_folder (const char *name)
{
  return g_build_filename (world.folder, name, NULL);
}

static void
open_log (const char *path, struct dg_log **log)
{
  struct dg_error err = { 0 };

  dg_log_open (path, log, &err);
  dg_log_load (*log, 1, NULL, NULL, &err);
  g_assert_cmpstr (err.message, ==, "");
}

static void
make_program (void)
{
  char *path = g_file_read_link ("/proc/self/exe", NULL);
  char *command = g_strdup_printf (
    "sh -c \"readelf -SW '%s' | sed -n 's/.* .text  *PROGBITS  *//p'\"", path);
  char *found = NULL, *text;
  uint64_t address;

  g_spawn_command_line_sync (command, &found, NULL, NULL, NULL);
  address = found ? g_ascii_strtoull (found, NULL, 16) : 0;
  if (address > 0) {
    text = g_strdup_printf ("text_avma %" G_GUINT64_FORMAT " \"%s\"\n",
                            address, path);
    world.program = core_test_log (text, &world.program_bytes);
    g_free (text);
  }
  g_free (found);
  g_free (command);
  g_free (path);
}

/* What the text with everything does not have, before its end.  */
static GByteArray *
assemble_more (void)
{
  const char *end = strstr (core_test_everything, "end exit_code");
  char *text = g_strdup_printf (
    "%.*sbbflow 0x400000 2 2 [2 3 0 0 3 0 4 1 5 0 2 3 3 0 1 0]\n"
    "thread_start 3 1 44\nthread_runs 3 44\n"
    "meet 0 0 1 0x9000 2 0x1000000\nmeet 0 0 3 0x9000 2 0x1000000\n"
    "meet 0 1 3 0x9000 2 0x1000000\nmeet 0 1 1 0x9000 2 0x1000000\n"
    "chunk\nthread_switch 3\nbbrun 0 2 [0x1000 0x1020]\n"
    "repeat 30\nmalloc_block 0x6000 24 [0x400000 0x400100]\n"
    "thread_local 1 0x400000 0x6000 24 0x6000\n"
    "bbrun 0 2 [0x6000 0x6008]\nfree_block 0x6000\ndone\n"
    "thread_exit 3\nthread_join 1 3\nthread_switch 1\n"
    "bbrun 0 2 [0x1000 0x1020]\nclock 900000\n%s",
    (int) (end - core_test_everything), core_test_everything, end);
  GByteArray *bytes;

  bytes = core_test_assemble (text, 8, false);
  g_free (text);
  return bytes;
}

static void
make_world (void)
{
  struct dg_error err = { 0 };

  world.folder = g_dir_make_tmp ("dg-test-XXXXXX", NULL);
  world.path = in_folder ("log");
  world.packed_path = in_folder ("log.dgz");
  world.out = in_folder ("out.dgz");
  world.bytes = assemble_more ();
  g_file_set_contents (world.path, (const char *) world.bytes->data,
                       world.bytes->len, NULL);
  open_log (world.path, &world.log);
  dg_log_pack (world.log, world.packed_path, NULL, NULL, NULL, &err);
  g_assert_cmpstr (err.message, ==, "");
  open_log (world.packed_path, &world.packed);
}

static void
end_world (void)
{
  char *command = g_strdup_printf ("rm -rf '%s'", world.folder);

  dg_log_close (world.program);
  if (world.program_bytes)
    g_byte_array_unref (world.program_bytes);
  dg_log_close (world.log);
  dg_log_close (world.packed);
  g_byte_array_unref (world.bytes);
  g_assert_cmpint (system (command), ==, 0);
  g_free (command);
  g_free (world.folder);
  g_free (world.path);
  g_free (world.packed_path);
  g_free (world.out);
}

int
main (int argc, char **argv)
{
  size_t n;
  const struct dg_analysis *const *analyses = dg_analyses (&n);
  int status;

  g_test_init (&argc, &argv, NULL);
  make_world ();
  make_program ();
  for (size_t i = 0; i < G_N_ELEMENTS (scenarios); i++) {
    char *name = g_strconcat ("/nomem/", scenarios[i].name, NULL);

    g_test_add_data_func (name, &scenarios[i], test_scenario);
    g_free (name);
  }
  for (size_t i = 0; i < n; i++) {
    char *name = g_strconcat ("/nomem/analyses/", analyses[i]->name, NULL);

    g_test_add_data_func (name, analyses[i], test_analysis);
    g_free (name);
  }
  status = g_test_run ();
  end_world ();
  return status;
}
