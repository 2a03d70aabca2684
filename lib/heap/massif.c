/* massif.c: the memory of a program over time, by Massif's algorithm: options,
   the two passes, and what comes of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "dg_record.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/sized.h"

#include <stdlib.h>
#include <string.h>

const char *
dg_massif_time_name (enum dg_massif_time unit)
{
  static const char *const names[] = {"i", "ms", "B"};

  return (unsigned) unit < G_N_ELEMENTS (names) ? names[unit] : "?";
}

void
dg_massif_defaults (struct dg_massif_options *options, size_t size)
{
  const struct dg_massif_options usual = {.size = size,
                                          .heap = true,
                                          .heap_admin = 8,
                                          .depth = 30,
                                          .detailed_freq = 10,
                                          .max_snapshots = 100,
                                          .threshold = 1.0,
                                          .peak_inaccuracy = 1.0,
                                          .time_unit = DG_MASSIF_TIME_I};

  dg_sized_give (options, size, &usual, sizeof usual);
}

/* ---- Options ---------------------------------------------------------- */

static bool
has_stacks (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  return process != NULL && (process->flags & DG_PROCESS_STACKS) != 0;
}

/* NULL, or what is wrong.  */
static const char *
check_ranges (const struct dg_massif_options *o)
{
  if (o->heap_admin > DG_MASSIF_MAX_ADMIN)
    return "heap-admin must be from 0 to 1024 bytes";
  if (o->depth < 1 || o->depth > DG_MASSIF_MAX_DEPTH)
    return "the depth must be from 1 to 200";
  if (o->detailed_freq < 1 || o->detailed_freq > DG_MASSIF_MAX_FREQ)
    return "the frequency of detailed snapshots must be from 1 to 1000000";
  if (o->max_snapshots < DG_MASSIF_MIN_SNAPSHOTS
      || o->max_snapshots > DG_MASSIF_MAX_SNAPSHOTS)
    return "the number of snapshots must be from 10 to 1000";
  if (!(o->threshold >= 0 && o->threshold <= 100))
    return "the threshold must be from 0 to 100 percent";
  if (!(o->peak_inaccuracy >= 0 && o->peak_inaccuracy <= 1e9))
    return "the peak inaccuracy must be 0 percent or more";
  if ((unsigned) o->time_unit > DG_MASSIF_TIME_B)
    return "there is no such unit of time";
  return NULL;
}

static bool
has_clock (const struct dg_log *log)
{
  size_t n;

  dg_log_clock (log, &n);
  return n > 0;
}

static int
check_options (const struct dg_log *log, const struct dg_massif_options *o,
               struct dg_error *err)
{
  const char *wrong = check_ranges (o);

  if (wrong == NULL && o->stacks && o->pages_as_heap)
    wrong = "stacks are pages and cannot be counted in addition";
  if (wrong == NULL && o->stacks && !has_stacks (log))
    wrong = "the log does not contain stack pointers: record it with "
            "--datagrind-stacks=yes";
  if (wrong == NULL && o->time_unit == DG_MASSIF_TIME_MS && !has_clock (log))
    wrong = "the log has no clock, so the time in ms is unknown: record the "
            "program again, or choose i or B";
  return wrong == NULL ? 0
                       : dg_error_set (err, DG_ERR_INVALID, "%s", wrong);
}

static gint
compare_moments (gconstpointer a, gconstpointer b)
{
  const struct dg_massif_moment *x = a, *y = b;

  /* The number 0 is the last: everything at that instruction is past.  */
  return DG_COMPARE (x->icount, y->icount)
           ?: DG_COMPARE (x->order - 1, y->order - 1);
}

/* As Massif understands them.  */
static void
set_options (struct dg_massif *massif,
             const struct dg_massif_options *options)
{
  struct dg_massif_moment *at =
    g_memdup2 (options->at, options->n_at * sizeof *at);

  massif->options = massif->used = *options;
  if (!options->heap)
    massif->used.pages_as_heap = false;
  if (massif->used.pages_as_heap)
    massif->used.heap_admin = 0;
  if (at != NULL)
    qsort (at, options->n_at, sizeof *at, compare_moments);
  massif->used.at = at;
}

/* ---- Entries ---------------------------------------------------------- */

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const struct dg_massif_entry *x = a, *y = b;

  return DG_COMPARE (x->told.icount, y->told.icount)
         ?: DG_COMPARE (x->told.time, y->told.time)
         ?: DG_COMPARE (x->position, y->position);
}

/* Puts an entry behind all that are not later.  */
static void
insert (struct dg_massif *massif, const struct dg_massif_entry *entry)
{
  guint at = massif->entries->len;

  while (at > 0
         && compare_entries (&g_array_index (massif->entries,
                                             struct dg_massif_entry, at - 1),
                             entry)
              > 0)
    at--;
  g_array_insert_val (massif->entries, at, *entry);
}

/* The true peak takes the place of Massif's, which becomes one of many; they
   are most often the same.  */
static void
insert_exact (struct dg_massif *massif, const struct dg_massif_entry *exact)
{
  struct dg_massif_entry entry = *exact;

  for (guint i = 0; i < massif->entries->len; i++) {
    struct dg_massif_entry *e =
      &g_array_index (massif->entries, struct dg_massif_entry, i);

    if (e->told.kind != DG_MASSIF_PEAK)
      continue;
    if (dg_massif_total (&e->told) == dg_massif_total (&exact->told))
      return;
    e->told.kind = DG_MASSIF_DETAILED;
  }
  entry.told.kind = DG_MASSIF_PEAK;
  entry.has_tree = true;
  insert (massif, &entry);
}

/* Massif tells the bytes of a tree as those of its sites, which are others
   when ignored blocks were reallocated.  */
static void
set_tree_bytes (const struct dg_massif *massif, struct dg_massif_entry *entry)
{
  entry->told.heap = 0;
  for (size_t i = 0; i < entry->n_shares; i++)
    if (dg_massif_site_at (&massif->sites, entry->shares[i].site)->n > 0)
      entry->told.heap += entry->shares[i].bytes;
}

static int
finish_entries (struct dg_massif *massif)
{
  massif->peak = SIZE_MAX;
  massif->told =
    g_try_new (struct dg_massif_snapshot, MAX (massif->entries->len, 1));
  if (massif->told == NULL || dg_massif_sort_sites (massif) < 0)
    return DG_ERR_NOMEM;
  for (guint i = 0; i < massif->entries->len; i++) {
    struct dg_massif_entry *entry =
      &g_array_index (massif->entries, struct dg_massif_entry, i);

    if (entry->has_tree)
      set_tree_bytes (massif, entry);
    if (entry->told.kind == DG_MASSIF_PEAK)
      massif->peak = i;
    massif->told[i] = entry->told;
    if (!entry->has_tree)
      massif->told[i].kind = DG_MASSIF_NORMAL;
  }
  return 0;
}

/* ---- The two passes --------------------------------------------------- */

static gint
compare_positions (gconstpointer a, gconstpointer b)
{
  const struct dg_massif_entry *x = *(const struct dg_massif_entry *const *) a;
  const struct dg_massif_entry *y = *(const struct dg_massif_entry *const *) b;

  return DG_COMPARE (x->position, y->position);
}

static int
first_pass (struct dg_massif *massif, struct dg_massif_replay *replay)
{
  struct dg_massif_table table;
  struct dg_massif_entry exact;
  size_t n_at = massif->used.n_at;
  int code;

  memset (&exact, 0, sizeof exact);
  dg_massif_table_init (&table, &massif->used);
  replay->table = &table;
  replay->exact = massif->used.exact_peak ? &exact : NULL;
  replay->moments = g_try_new (struct dg_massif_entry, MAX (n_at, 1));
  code = replay->moments != NULL ? dg_massif_replay_run (replay)
                                 : dg_error_nomem (replay->err);
  if (code == 0) {
    massif->entries = g_steal_pointer (&table.entries);
    if (massif->used.exact_peak && dg_massif_total (&exact.told) > 0)
      insert_exact (massif, &exact);
    for (size_t i = 0; i < n_at; i++)
      insert (massif, &replay->moments[i]);
  }
  g_clear_pointer (&replay->moments, g_free);
  replay->table = NULL;
  replay->exact = NULL;
  dg_massif_table_fini (&table);
  return code;
}

/* Fills the trees of what the first one left.  */
static int
second_pass (struct dg_massif *massif, struct dg_massif_replay *replay)
{
  GPtrArray *wanted = g_ptr_array_new ();
  int code = 0;

  for (guint i = 0; i < massif->entries->len; i++) {
    struct dg_massif_entry *entry =
      &g_array_index (massif->entries, struct dg_massif_entry, i);

    entry->has_tree = entry->has_tree && massif->used.heap;
    if (entry->has_tree)
      g_ptr_array_add (wanted, entry);
  }
  if (wanted->len > 0) {
    qsort (wanted->pdata, wanted->len, sizeof *wanted->pdata,
           compare_positions);
    replay->wanted = (struct dg_massif_entry **) wanted->pdata;
    replay->n_wanted = wanted->len;
    code = dg_massif_replay_run (replay);
  }
  g_ptr_array_unref (wanted);
  return code;
}

static void
replay_init (struct dg_massif_replay *replay, struct dg_massif *massif)
{
  replay->log = massif->log;
  replay->options = &massif->used;
  replay->sites = &massif->sites;
  replay->steps = massif->steps;
}

/* Between the passes, and at the end.  */
static void
replay_reset (struct dg_massif_replay *replay)
{
  dg_table_fini (&replay->sums);
  dg_massif_pages_free (replay->pages);
  replay->pages = NULL;
  dg_massif_stacks_free (replay->stacks);
  replay->stacks = NULL;
  memset (&replay->now, 0, sizeof replay->now);
  replay->moved = 0;
  replay->next_moment = 0;
  replay->has_started = false;
}

static int
run_passes (struct dg_massif *massif, dg_progress_fn progress, void *user,
            struct dg_error *err)
{
  struct dg_massif_replay replay = {
    .progress = progress, .user = user, .err = err};
  int code;

  replay_init (&replay, massif);
  code = first_pass (massif, &replay);
  replay_reset (&replay);
  if (code == 0)
    code = second_pass (massif, &replay);
  replay_reset (&replay);
  if (code == 0 && finish_entries (massif) < 0)
    code = dg_error_nomem (err);
  return code;
}

/* ---- Result ----------------------------------------------------------- */

static void
note (struct dg_massif *massif, const char *text)
{
  g_ptr_array_add (massif->notes, (gpointer) text);
}

static int
take_notes (struct dg_massif *massif, struct dg_error *err)
{
  const struct dg_process *process = dg_log_process (massif->log);
  bool has_sizes = true;
  int code = 0;

  if (massif->used.heap && !massif->used.pages_as_heap)
    code = dg_massif_steps_has_sizes (massif->steps, &has_sizes, err);
  if (code < 0)
    return code;
  if (!has_sizes)
    note (massif, "The log does not contain the actual sizes of blocks: only "
                  "requested bytes and heap-admin are counted.");
  if (process == NULL || (process->flags & DG_PROCESS_UNFOLDED_HEAP) == 0)
    note (massif, "Stacks are folded at recursive calls: trees differ there "
                  "from Massif's.");
  if (dg_log_summary (massif->log)->complete == DG_COMPLETE_NO)
    note (massif, "The log ends early: what came later is not counted.");
  return 0;
}

/* The program and its arguments, in one line.  */
static char *
make_command (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  GString *text = g_string_new (NULL);

  for (uint32_t i = 0; process != NULL && i < process->argc; i++) {
    if (i > 0)
      g_string_append_c (text, ' ');
    dg_massif_append (text, process->argv[i]);
  }
  return g_string_free (text, FALSE);
}

int
dg_massif_run (const struct dg_log *log, struct dg_symbols *symbols,
               const struct dg_massif_options *options,
               dg_progress_fn progress, void *user,
               struct dg_massif **result, struct dg_error *err)
{
  struct dg_massif_options own;
  struct dg_massif *massif;
  int code;

  *result = NULL;
  code = DG_SIZED_TAKE (&own, workers, options, err);
  options = &own;
  if (code == 0)
    code = check_options (log, options, err);
  if (code < 0)
    return code;
  massif = g_new0 (struct dg_massif, 1);
  massif->log = log;
  massif->symbols = symbols;
  set_options (massif, options);
  massif->sites.symbols = symbols;
  massif->sites.options = &massif->used;
  massif->command = make_command (log);
  massif->notes = g_ptr_array_new ();
  massif->labels =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL, g_free);
  massif->strings = g_string_chunk_new (4096);
  g_mutex_init (&massif->lock);
  massif->steps = dg_massif_steps_new (log, err);
  code = massif->steps != NULL ? take_notes (massif, err) : DG_ERR_NOMEM;
  if (code == 0)
    code = run_passes (massif, progress, user, err);
  if (code < 0)
    dg_massif_free (massif);
  else
    *result = massif;
  return code;
}

void
dg_massif_free (struct dg_massif *massif)
{
  if (massif == NULL)
    return;
  for (guint i = 0; massif->entries != NULL && i < massif->entries->len; i++)
    g_free (
      g_array_index (massif->entries, struct dg_massif_entry, i).shares);
  if (massif->entries != NULL)
    g_array_unref (massif->entries);
  dg_massif_sites_fini (&massif->sites);
  dg_massif_steps_free (massif->steps);
  g_free (massif->told);
  g_free (massif->order);
  g_free (massif->command);
  g_free ((gpointer) massif->used.at);
  g_ptr_array_unref (massif->notes);
  g_hash_table_unref (massif->labels);
  g_string_chunk_free (massif->strings);
  g_mutex_clear (&massif->lock);
  g_free (massif);
}

const struct dg_massif_options *
dg_massif_options (const struct dg_massif *massif)
{
  return &massif->options;
}

const struct dg_massif_snapshot *
dg_massif_snapshots (const struct dg_massif *massif, size_t *n)
{
  *n = massif->entries->len;
  return massif->told;
}

size_t
dg_massif_peak (const struct dg_massif *massif)
{
  return massif->peak;
}

const char *
dg_massif_command (const struct dg_massif *massif)
{
  return massif->command;
}

const char *
dg_massif_note (const struct dg_massif *massif, size_t index)
{
  return index < massif->notes->len ? g_ptr_array_index (massif->notes, index)
                                    : NULL;
}
