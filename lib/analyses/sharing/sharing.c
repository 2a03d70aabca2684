/* sharing.c: "dg sharing": which variables threads share, how evenly, from
   which lines of code, and which only share a cache line.

   A pass before the others finds the cache lines that several threads touch
   (shared_lines.c); everything else is passed over.  Accesses to these are
   counted by address and thread (sharing_cells.c) until the variable there
   ends, then by address, variable and thread, in a table of each worker, which
   is emptied into a common one when it is full.  Variables on stacks come and
   go too fast, and instructions are too many, so that these go to the table at
   once. How lines went from thread to thread depends on the order: chunks note
   it, and are put together in theirs.  How they would go does not: accesses
   are added up by line, thread, phase and bytes (contention.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <string.h>

#include <dg_record.h>

#include "analysis/analysis.h"
#include "space/owner_changes.h"
#include "base/error.h"
#include "analysis/breakdown.h"
#include "sharing_cells.h"
#include "variables/variables_locals.h"

/* Keys in a worker's table.  */
#define WORKER_KEYS (128u << 10)
/* Keys that "--addresses" allows, at least.  */
#define FEWEST 1000
#define RECENT 256
/* Cells hold 32 bits.  */
#define MOST_IN_CELLS ((uint64_t) 1 << 31)

static const struct dg_option options[] = {
  { "uniform", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show only what is shared evenly: the busiest thread has less than twice "
    "the accesses of the second" },
  { "variable", DG_OPTION_TEXT, "NAME", NULL, NULL,
    "show only the variable of this name, or all of its fields" },
  { "by", DG_OPTION_CHOICE, "line", NULL, "line",
    "also show the lines of code, each with the variable that it accesses" },
  DG_MINE_OPTIONS,
  { "false", DG_OPTION_FLAG, NULL, NULL, NULL,
    "also show falsely shared cache lines" },
  { "libraries", DG_OPTION_FLAG, NULL, NULL, NULL,
    "also show memory of the C library, the dynamic linker and other runtime "
    "libraries" },
  { "addresses", DG_OPTION_NUMBER, "N", "4M", NULL,
    "keep at most N counts, of 60 bytes each; beyond that, addresses are "
    "merged" },
  { NULL }
};

struct recent {
  uint64_t page, shared;
  bool is_stack;                       /* part of it may be */
};

struct worker {
  struct sharing *sharing;
  struct dg_finder *finder;
  struct sharing_cells cells;
  uint64_t in_cells;                   /* accesses, at most */
  const struct dg_owner_changes *changes;
  struct dg_owner_changes_cursor cursor;
  uint64_t now;                        /* icount of the latest access */
  struct dg_thread_stack own;          /* of the latest thread */
  bool others_touch_own;
  struct sharing_counts counts;
  struct recent recent[RECENT];
  uint64_t accesses, shared;
  uint64_t phase_since, phase_until;   /* of the latest thread's phase */
  uint32_t phase_thread, phase;
  struct sharing_block_ends ends;
  GHashTable *wanted;                  /* of --variable: number -> answer */
};

/* Of a chunk, with --false.  */
struct shard {
  struct worker *worker;
  struct sharing_lines lines;
  struct sharing_turns turns;
  struct dg_contention *contention;    /* NULL: without */
  bool failed;                         /* no memory */
};

/* ---- Making ------------------------------------------------------------- */

static void
sharing_free (void *self)
{
  struct sharing *sharing = self;

  sharing_counts_fini (&sharing->counts);
  sharing_lines_fini (&sharing->lines);
  sharing_turns_fini (&sharing->turns);
  dg_contention_free (sharing->contention);
  dg_phases_free (sharing->phases);
  dg_thread_stacks_free (sharing->stacks);
  dg_units_free (sharing->units);
  g_mutex_clear (&sharing->lock);
  g_free (sharing);
}

/* The pass before the others, once for all windows of a sample, and what is
   needed for the next one.  */
static int
find_shared_lines (struct sharing *sharing, struct dg_setup *setup,
                   struct dg_error *err)
{
  struct dg_services *services = setup->services;
  struct dg_symbols *symbols;
  struct dg_frames *frames;
  int code;

  if (services->has_shared_lines) {
    sharing->shared_lines = services->shared_lines;
    if (sharing->shared_lines.n_lines > 0)
      sharing->variables = dg_setup_variables (setup, err);
    return sharing->variables != NULL || sharing->shared_lines.n_lines == 0
             ? 0 : DG_ERR_NOMEM;
  }
  symbols = dg_setup_symbols (setup, err);
  frames = symbols != NULL ? dg_frames_begin (sharing->log, symbols, err)
                           : NULL;
  if (frames == NULL)
    return DG_ERR_NOMEM;
  code = dg_shared_lines_find (&services->shared_lines, sharing->log, frames,
                               dg_setup_workers (setup), services->pace,
                               services->pace_user, err);
  services->has_shared_lines = code == 0;
  sharing->shared_lines = services->shared_lines;
  if (code == 0 && sharing->shared_lines.n_lines > 0) {
    sharing->variables = dg_setup_variables (setup, err);
    if (sharing->variables != NULL) {
      dg_variables_give_frames (sharing->variables, frames);
      return 0;
    }
    code = DG_ERR_NOMEM;
  }
  dg_frames_free (frames);
  return code;
}

/* What --false needs.  */
static int
make_contention (struct sharing *sharing, struct dg_error *err)
{
  if (!sharing->wants_false)
    return 0;
  sharing->phases = dg_phases_new (sharing->log, err);
  if (sharing->phases == NULL)
    return DG_ERR_NOMEM;
  sharing->contention = dg_contention_new (sharing->counts.most);
  return sharing->contention != NULL ? 0 : dg_error_nomem (err);
}

/* Lines of code, and sites, are to be mine.  */
static int
make_units (struct sharing *sharing, struct dg_setup *setup,
            struct dg_error *err)
{
  const struct dg_mine *mine;

  if (dg_setup_mine (setup, &mine, err) < 0)
    return DG_ERR_NOMEM;
  if (mine == NULL)
    return 0;
  sharing->units = dg_units_new (sharing->log, sharing->symbols, mine, err);
  return sharing->units != NULL ? 0 : DG_ERR_NOMEM;
}

static void *
sharing_create (struct dg_setup *setup, struct dg_error *err)
{
  struct sharing *sharing = g_new0 (struct sharing, 1);
  uint64_t most = dg_setup_number (setup, "addresses");

  sharing->log = dg_setup_log (setup);
  sharing->variable = dg_setup_text (setup, "variable");
  sharing->is_uniform = dg_setup_flag (setup, "uniform");
  sharing->by_line = dg_setup_has (setup, "by");
  sharing->wants_false = dg_setup_flag (setup, "false");
  /* Who names a variable wants it, whatever it belongs to.  */
  sharing->has_runtime = dg_setup_flag (setup, "libraries")
                         || sharing->variable != NULL;
  sharing->is_sampled = dg_setup_is_sampled (setup);
  sharing->is_restricted = dg_setup_is_filtered (setup);
  sharing->by_instruction = sharing->by_line || sharing->wants_false;
  g_mutex_init (&sharing->lock);
  sharing->stacks = dg_thread_stacks_new (sharing->log);
  sharing_counts_init (&sharing->counts,
                       (uint32_t) CLAMP (most, FEWEST, UINT32_MAX / 4));
  sharing->lines.most_users = sharing->counts.most / 4;
  sharing->symbols = dg_setup_symbols (setup, err);
  if (sharing->stacks == NULL)
    dg_error_nomem (err);
  if (sharing->symbols == NULL || sharing->stacks == NULL
      || make_units (sharing, setup, err) < 0
      || make_contention (sharing, err) < 0
      || find_shared_lines (sharing, setup, err) < 0) {
    sharing_free (sharing);
    return NULL;
  }
  return sharing;
}

static int
sharing_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct sharing *sharing = self;

  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  /* Without shared lines there is nothing to look at.  */
  plan->needs_addresses = sharing->variables != NULL;
  plan->needs_contexts = sharing->variables != NULL;
  plan->takes_alike = sharing->variables == NULL;
  return 0;
}

static void
worker_free (void *self, void *data)
{
  struct worker *worker = data;

  (void) self;
  dg_finder_free (worker->finder);
  sharing_counts_fini (&worker->counts);
  sharing_cells_fini (&worker->cells);
  sharing_block_ends_fini (&worker->ends);
  g_clear_pointer (&worker->wanted, g_hash_table_unref);
  g_free (worker);
}

static void *
worker_new (void *self, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct worker *worker = g_new0 (struct worker, 1);

  worker->sharing = sharing;
  for (unsigned i = 0; i < RECENT; i++)
    worker->recent[i].page = UINT64_MAX;
  sharing_counts_init (&worker->counts, 0);
  sharing_cells_init (&worker->cells);
  sharing_block_ends_init (&worker->ends, sharing->log, sharing->symbols);
  if (sharing->variable != NULL)
    worker->wanted = g_hash_table_new (NULL, NULL);
  if (sharing->variables == NULL)
    return worker;
  worker->finder = dg_finder_new (sharing->variables, err);
  if (worker->finder == NULL) {
    worker_free (self, worker);
    return NULL;
  }
  worker->changes = dg_variables_changes (sharing->variables);
  dg_owner_changes_seek (worker->changes, 0, &worker->cursor);
  return worker;
}

/* ---- Counting ----------------------------------------------------------- */

/* Whether the user wants to know of a variable.  */
static bool
is_wanted (struct worker *worker, uint32_t variable)
{
  enum { YES = 1, NO = 2 };
  const char *wanted = worker->sharing->variable;
  gpointer key = GUINT_TO_POINTER (variable);
  unsigned answer;

  if (wanted == NULL)
    return true;
  answer = GPOINTER_TO_UINT (g_hash_table_lookup (worker->wanted, key));
  if (answer == 0) {
    const struct dg_named *named =
      dg_variables_named (worker->sharing->variables, variable);
    size_t n = strlen (wanted);

    answer = strncmp (named->name, wanted, n) == 0
                 && (named->name[n] == '\0' || named->name[n] == '.')
               ? YES : NO;
    g_hash_table_insert (worker->wanted, key, GUINT_TO_POINTER (answer));
  }
  return answer == YES;
}

/* Empties a worker's table.  */
static void
hand_over (struct worker *worker)
{
  struct sharing *sharing = worker->sharing;

  g_mutex_lock (&sharing->lock);
  sharing_counts_join (&sharing->counts, &worker->counts);
  g_mutex_unlock (&sharing->lock);
  sharing_counts_clear (&worker->counts);
}

/* The bits of a line that are touched by bytes first to last of it.  */
static uint64_t
line_bits (unsigned shift, uint64_t first, uint64_t last)
{
  int scale = (int) shift - 6;

  if (scale > 0) {
    first >>= scale;
    last >>= scale;
  }
  return (last == 63 ? UINT64_MAX : ((uint64_t) 1 << (last + 1)) - 1)
         & -((uint64_t) 1 << first);
}

/* The phase of the thread that an access is by.  */
static inline uint32_t
phase_of (struct worker *worker, const struct dg_access *access)
{
  if (G_UNLIKELY (worker->phase_thread != access->thread
                  || access->icount < worker->phase_since
                  || access->icount >= worker->phase_until)) {
    worker->phase_thread = access->thread;
    worker->phase =
      dg_phases_at (worker->sharing->phases, access->thread, access->icount,
                    &worker->phase_since, &worker->phase_until);
  }
  return worker->phase;
}

/* An access to bytes of one line, which is shared.  */
static void
follow_line (struct shard *shard, const struct dg_access *access,
             uint64_t line, uint64_t first, uint64_t last)
{
  unsigned shift = shard->worker->sharing->shared_lines.line_shift;
  unsigned scale = shift > 6 ? shift - 6 : 0;
  bool is_write = access->kind == DG_ACC_WRITE;
  struct dg_spot spot = { .line = line, .thread = access->thread,
                          .phase = phase_of (shard->worker, access),
                          .first = (uint8_t) (first >> scale),
                          .last = (uint8_t) (last >> scale),
                          .reads = !is_write, .writes = is_write };

  struct sharing_touch touch = {
    .line = line, .bytes = line_bits (shift, first, last),
    .icount = access->icount, .since = shard->turns.since,
    .thread = access->thread, .is_write = is_write };

  sharing_lines_access (&shard->lines, &touch);
  if (dg_contention_add (shard->contention, &spot) < 0)
    shard->failed = true;
}

static void
follow_lines (struct worker *worker, struct shard *shard,
              const struct dg_access *access)
{
  const struct dg_shared_lines *shared_lines = &worker->sharing->shared_lines;
  unsigned shift = shared_lines->line_shift;
  uint64_t size = (uint64_t) 1 << shift;
  uint64_t address = access->address;
  uint64_t end = access->size > UINT64_MAX - address
                   ? UINT64_MAX : address + access->size;

  while (address < end) {
    uint64_t line = address >> shift;
    uint64_t first = address & (size - 1);
    uint64_t n = MIN (end - address, size - first);
    uint64_t shared =
      dg_shared_lines_page (shared_lines, address >> shared_lines->page_shift);

    if (shared >> (line & (DG_SHARED_PAGE_LINES - 1)) & 1)
      follow_line (shard, access, line, first, first + n - 1);
    if (address > UINT64_MAX - n)
      break;
    address += n;
  }
}

/* Whether an access is to the stack of the thread that makes it.  */
static inline bool
is_own (const struct worker *worker, const struct dg_access *access)
{
  return dg_thread_stack_is (&worker->own, access->thread, access->icount)
         && access->address - worker->own.low < worker->own.size;
}

/* Adds accesses of a variable to a worker's table.  */
static void
add (struct worker *worker, const struct dg_access *access, uint64_t reads,
     uint64_t writes)
{
  struct sharing *sharing = worker->sharing;
  struct sharing_key key = { .address = access->address,
                             .instruction = access->instruction,
                             .thread = access->thread };
  struct sharing_count *entry;

  key.variable = dg_finder_variable (worker->finder, access);
  if (!is_wanted (worker, key.variable))
    return;
  if (!sharing->by_instruction)
    key.instruction = 0;
  else if (sharing->units != NULL)
    key.instruction = dg_units_code (sharing->units, access->context,
                                     access->instruction, access->icount);
  if (G_UNLIKELY (worker->counts.n >= WORKER_KEYS))
    hand_over (worker);
  entry = sharing_counts_find (&worker->counts, &key);
  if (entry == NULL)
    return;
  if (entry->reads + entry->writes == 0 || access->icount < entry->icount)
    entry->icount = access->icount;
  entry->reads += reads;
  entry->writes += writes;
  entry->is_foreign |= !is_own (worker, access);
}

/* A cell of memory in which something is about to change.  */
static void
take_cell (void *user, uint64_t address, uint32_t thread,
           const struct sharing_cell *cell)
{
  struct worker *worker = user;
  struct dg_access access = { .icount = worker->now, .address = address,
                              .thread = thread, .size = 1 };

  add (worker, &access, cell->counts[DG_ACC_READ],
       cell->counts[DG_ACC_WRITE]);
}

static void
take_all_cells (struct worker *worker)
{
  sharing_cells_gather_all (&worker->cells, take_cell, worker);
  worker->in_cells = 0;
}

/* Variables end, up to a moment.  */
static __attribute__ ((noinline)) void
pass (struct worker *worker, uint64_t icount)
{
  uint64_t moment = worker->cursor.next, low, high;

  while (dg_owner_changes_next (worker->changes, &worker->cursor, icount, &low,
                                &high)) {
    /* They were there until just before.  */
    worker->now = MAX (worker->now, moment - (moment > 0));
    sharing_cells_gather (&worker->cells, low, high, take_cell, worker);
    moment = worker->cursor.next;
  }
}

/* Goes to the moment of an access.  */
static inline void
go_to (struct worker *worker, uint64_t icount)
{
  if (G_UNLIKELY (icount < worker->now)) {
    take_all_cells (worker);
    dg_owner_changes_seek (worker->changes, icount, &worker->cursor);
  } else if (G_UNLIKELY (icount >= worker->cursor.next)) {
    pass (worker, icount);
  }
  worker->now = icount;
}

/* An access whose first byte is in a shared line.  */
static inline void
count (struct worker *worker, const struct dg_access *access, bool is_stack)
{
  bool is_write = access->kind == DG_ACC_WRITE;

  go_to (worker, access->icount);
  worker->shared++;
  if (is_stack || worker->sharing->by_instruction) {
    add (worker, access, !is_write, is_write);
    return;
  }
  if (G_UNLIKELY (worker->cells.thread != access->thread))
    sharing_cells_set_thread (&worker->cells, access->thread);
  sharing_cells_count (&worker->cells, access->address, is_write);
}

static inline const struct recent *
look_up (struct worker *worker, uint64_t page)
{
  struct recent *recent = &worker->recent[page % RECENT];

  if (G_UNLIKELY (recent->page != page)) {
    const struct sharing *sharing = worker->sharing;
    unsigned shift = sharing->shared_lines.page_shift;

    recent->page = page;
    recent->shared = dg_shared_lines_page (&sharing->shared_lines, page);
    recent->is_stack =
      dg_thread_stacks_any (sharing->stacks, page << shift,
                            (page << shift) + ((uint64_t) 1 << shift) - 1);
  }
  return recent;
}

/* The stack of a thread, of which most threads use no more than that.  */
static __attribute__ ((noinline)) void
set_own (struct worker *worker, const struct dg_run *run)
{
  struct dg_thread_stack *own = &worker->own;

  dg_thread_stacks_find (worker->sharing->stacks, run->thread, run->icount,
                         own);
  worker->others_touch_own
    = dg_shared_lines_any (&worker->sharing->shared_lines, own->low,
                           own->low + own->size);
}

static void
take_run (struct worker *worker, struct shard *shard,
          const struct dg_run *run)
{
  const struct dg_shared_lines *shared_lines = &worker->sharing->shared_lines;
  const struct dg_bbdef *bbdef = run->bbdef;
  unsigned line_shift = shared_lines->line_shift;
  unsigned page_shift = shared_lines->page_shift;
  unsigned first = 0;
  uint64_t own_low, own_size;

  if (G_UNLIKELY (
        !dg_thread_stack_is (&worker->own, run->thread, run->icount)))
    set_own (worker, run);
  own_low = worker->own.low;
  own_size = worker->others_touch_own ? 0 : worker->own.size;
  while (first < run->n_slots && bbdef->slots[first].iseq < run->first_instr)
    first++;
  for (unsigned i = first; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry];
    const struct recent *recent;
    uint64_t last;
    bool is_shared, straddles;

    if (address == 0)
      continue;
    worker->accesses++;
    if (address - own_low < own_size)
      continue;
    recent = look_up (worker, address >> page_shift);
    is_shared =
      recent->shared >> (address >> line_shift & (DG_SHARED_PAGE_LINES - 1))
      & 1;
    last = address + slot->size - 1;
    straddles = shard != NULL
                && address >> line_shift != last >> line_shift;
    if (G_UNLIKELY (is_shared || straddles)) {
      struct dg_access access = {
        .icount = run->icount + slot->iseq,
        .address = address,
        .instruction = bbdef->instrs[slot->iseq].address,
        .size = slot->size,
        .context = run->context,
        .thread = run->thread,
        .kind = slot->kind,
      };

      if (is_shared)
        count (worker, &access, recent->is_stack);
      if (shard != NULL)
        follow_lines (worker, shard, &access);
    }
  }
}

/* Without addresses, all that counts is how many there were.  */
static void
take_heads (struct worker *worker, const struct dg_batch *batch)
{
  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];
    const uint64_t times = batch->times != NULL ? batch->times[i] : 1;

    if (run->addresses == NULL && run->first_instr == 0) {
      worker->accesses += times * run->n_slots;
      continue;
    }
    for (unsigned k = 0; k < run->n_slots; k++)
      if (run->bbdef->slots[k].iseq >= run->first_instr
          && (run->addresses == NULL
              || run->addresses[run->bbdef->slots[k].entry] != 0))
        worker->accesses += times;
  }
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = g_try_new0 (struct shard, 1);

  (void) feed;
  if (shard != NULL && sharing->wants_false) {
    shard->contention = dg_contention_new (0);
    if (shard->contention == NULL)
      g_clear_pointer (&shard, g_free);
  }
  if (shard == NULL)
    dg_error_nomem (err);
  else
    shard->worker = worker;
  return shard;
}

static int
shard_feed (void *self, void *data, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = data;
  struct worker *worker = shard->worker;
  uint64_t before = worker->accesses;

  (void) feed;
  if (sharing->variables == NULL) {
    take_heads (worker, batch);
    return 0;
  }
  if (worker->in_cells > MOST_IN_CELLS
      || sharing_cells_are_full (&worker->cells))
    take_all_cells (worker);
  for (size_t i = 0; i < batch->n_runs; i++) {
    if (sharing->wants_false)
      sharing_turns_run (&shard->turns, &worker->ends, &batch->runs[i]);
    take_run (worker, sharing->wants_false ? shard : NULL, &batch->runs[i]);
  }
  worker->in_cells += worker->accesses - before;
  if (shard->failed || worker->cells.failed || worker->counts.failed)
    return dg_error_nomem (err);
  return 0;
}

static int
merge (void *self, void *data, const struct dg_feed *feed,
       struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = data;

  (void) feed;
  sharing_lines_append (&sharing->lines, &shard->lines, &sharing->turns,
                        sharing->log);
  sharing_turns_append (&sharing->turns, &shard->turns);
  if (sharing->lines.failed
      || (sharing->contention != NULL
          && dg_contention_join (sharing->contention, shard->contention) < 0))
    return dg_error_nomem (err);
  return 0;
}

static void
shard_free (void *self, void *data)
{
  struct shard *shard = data;

  (void) self;
  sharing_lines_fini (&shard->lines);
  sharing_turns_fini (&shard->turns);
  dg_contention_free (shard->contention);
  g_free (shard);
}

static int
worker_merge (void *self, void *data, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct worker *worker = data;

  if (sharing->variables != NULL)
    take_all_cells (worker);
  hand_over (worker);
  sharing->accesses += worker->accesses;
  sharing->shared += worker->shared;
  return sharing->counts.failed ? dg_error_nomem (err) : 0;
}

const struct dg_analysis dg_analysis_sharing = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "sharing",
  .summary = "Shows which variables threads share, and which only share a "
             "cache line",
  .details =
    "Rows are addresses that more than one thread accessed while the same\n"
    "variable was there.  With --by=line, also the lines of code.\n"
    "With --false, also cache lines that threads lose to writes of bytes\n"
    "that they do not use.\n",
  .options = options,
  .create = sharing_create,
  .plan = sharing_plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .merge = merge,
  .shard_free = shard_free,
  .worker_merge = worker_merge,
  .worker_free = worker_free,
  .report = sharing_report,
  .free = sharing_free,
};
