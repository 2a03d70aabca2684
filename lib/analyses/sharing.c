/* sharing.c: "dg sharing": which variables threads share, how evenly, from
   which lines of code, and which only share a cache line.

   A pass before the others finds the cache lines that several threads touch
   (sharers.c); everything else is passed over.  Accesses to these are counted
   by address, variable and thread in a table of each worker, which is emptied
   into a common one when it is full.  How lines go from thread to thread
   depends on the order: chunks note it, and are put together in theirs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <string.h>

#include <dg_record.h>

#include "analysis.h"

/* Keys in a worker's table.  */
#define WORKER_KEYS (128u << 10)
/* Keys that "--addresses" allows, at least.  */
#define FEWEST 1000
#define RECENT 256

static const struct dg_option options[] = {
  { "uniform", DG_OPTION_FLAG, NULL, NULL, NULL,
    "only what is shared evenly: the busiest thread has less than twice "
    "the accesses of the second" },
  { "variable", DG_OPTION_TEXT, "NAME", NULL, NULL,
    "only the variable of this name, or all fields of it" },
  { "by", DG_OPTION_CHOICE, "line", NULL, "line",
    "also the lines of code, each with the variable that it accesses" },
  { "false", DG_OPTION_FLAG, NULL, NULL, NULL,
    "also cache lines in which threads disturb each other, and how" },
  { "addresses", DG_OPTION_NUMBER, "N", "4M", NULL,
    "counts to keep, of 60 bytes each; beyond, addresses are taken "
    "together" },
  { NULL }
};

struct recent {
  uint64_t page, shared;
};

struct worker {
  struct sharing *sharing;
  struct dg_finder *finder;
  struct sharing_counts counts;
  struct recent recent[RECENT];
  uint64_t accesses, shared;
  GHashTable *wanted;                  /* of --variable: number -> answer */
};

/* Of a chunk, with --false.  */
struct shard {
  struct worker *worker;
  struct sharing_lines lines;
};

/* ---- Making ------------------------------------------------------------- */

static void
sharing_free (void *self)
{
  struct sharing *sharing = self;

  if (sharing->has_sharers)
    dg_sharers_fini (&sharing->sharers);
  sharing_counts_fini (&sharing->counts);
  sharing_lines_fini (&sharing->lines);
  g_mutex_clear (&sharing->lock);
  g_free (sharing);
}

static void *
sharing_create (struct dg_setup *setup, struct dg_error *err)
{
  struct sharing *sharing = g_new0 (struct sharing, 1);
  const struct dg_services *services = setup->services;
  uint64_t most = dg_setup_number (setup, "addresses");

  sharing->log = dg_setup_log (setup);
  sharing->variable = dg_setup_text (setup, "variable");
  sharing->is_uniform = dg_setup_flag (setup, "uniform");
  sharing->by_line = dg_setup_has (setup, "by");
  sharing->wants_false = dg_setup_flag (setup, "false");
  g_mutex_init (&sharing->lock);
  sharing_counts_init (&sharing->counts,
                       (uint32_t) CLAMP (most, FEWEST, UINT32_MAX / 4));
  sharing->lines.most_users = sharing->counts.most / 4;
  sharing->symbols = dg_setup_symbols (setup, err);
  if (sharing->symbols == NULL
      || dg_sharers_find (&sharing->sharers, sharing->log,
                          dg_setup_workers (setup), services->pace,
                          services->pace_user, err) < 0) {
    sharing_free (sharing);
    return NULL;
  }
  sharing->has_sharers = true;
  if (sharing->sharers.n_lines > 0) {
    sharing->variables = dg_setup_variables (setup, err);
    if (sharing->variables == NULL) {
      sharing_free (sharing);
      return NULL;
    }
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
  return 0;
}

static void
worker_free (void *self, void *data)
{
  struct worker *worker = data;

  (void) self;
  dg_finder_free (worker->finder);
  sharing_counts_fini (&worker->counts);
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
  if (sharing->variable != NULL)
    worker->wanted = g_hash_table_new (NULL, NULL);
  if (sharing->variables == NULL)
    return worker;
  worker->finder = dg_finder_new (sharing->variables, err);
  if (worker->finder == NULL) {
    worker_free (self, worker);
    return NULL;
  }
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

static void
follow_lines (struct worker *worker, struct sharing_lines *lines,
              const struct dg_access *access)
{
  const struct dg_sharers *sharers = &worker->sharing->sharers;
  unsigned shift = sharers->line_shift;
  uint64_t size = (uint64_t) 1 << shift;
  uint64_t address = access->address;
  uint64_t end = access->size > UINT64_MAX - address
                   ? UINT64_MAX : address + access->size;

  while (address < end) {
    uint64_t line = address >> shift;
    uint64_t first = address & (size - 1);
    uint64_t n = MIN (end - address, size - first);
    uint64_t shared =
      dg_sharers_page (sharers, address >> sharers->page_shift);

    if (shared >> (line & (DG_SHARER_LINES - 1)) & 1)
      sharing_lines_access (lines, line, access->thread,
                            line_bits (shift, first, first + n - 1),
                            access->kind == DG_ACC_WRITE, access->icount);
    if (address > UINT64_MAX - n)
      break;
    address += n;
  }
}

/* An access whose first byte is in a shared line.  */
static void
count (struct worker *worker, const struct dg_access *access)
{
  struct sharing *sharing = worker->sharing;
  struct sharing_key key = { .address = access->address,
                             .thread = access->thread };
  struct sharing_count *entry;

  worker->shared++;
  key.variable = dg_finder_variable (worker->finder, access);
  if (!is_wanted (worker, key.variable))
    return;
  if (sharing->by_line || sharing->wants_false)
    key.instruction = access->instruction;
  if (G_UNLIKELY (worker->counts.n >= WORKER_KEYS))
    hand_over (worker);
  entry = sharing_counts_find (&worker->counts, &key);
  if (entry->reads + entry->writes == 0 || access->icount < entry->icount)
    entry->icount = access->icount;
  if (access->kind == DG_ACC_WRITE)
    entry->writes++;
  else
    entry->reads++;
}

static inline uint64_t
shared_lines_of (struct worker *worker, uint64_t page)
{
  struct recent *recent = &worker->recent[page % RECENT];

  if (G_UNLIKELY (recent->page != page)) {
    recent->page = page;
    recent->shared = dg_sharers_page (&worker->sharing->sharers, page);
  }
  return recent->shared;
}

static void
take_run (struct worker *worker, struct sharing_lines *lines,
          const struct dg_run *run)
{
  const struct dg_sharers *sharers = &worker->sharing->sharers;
  const struct dg_bbdef *bbdef = run->bbdef;
  unsigned line_shift = sharers->line_shift;
  unsigned page_shift = sharers->page_shift;
  unsigned first = 0;

  while (first < run->n_slots && bbdef->slots[first].iseq < run->first_instr)
    first++;
  for (unsigned i = first; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry];
    uint64_t shared, last;
    bool is_shared, straddles;

    if (address == 0)
      continue;
    worker->accesses++;
    shared = shared_lines_of (worker, address >> page_shift);
    is_shared =
      shared >> (address >> line_shift & (DG_SHARER_LINES - 1)) & 1;
    last = address + slot->size - 1;
    straddles = lines != NULL
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
        count (worker, &access);
      if (lines != NULL)
        follow_lines (worker, lines, &access);
    }
  }
}

/* Without addresses, all that counts is how many there were.  */
static void
take_heads (struct worker *worker, const struct dg_batch *batch)
{
  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];

    for (unsigned k = 0; k < run->n_slots; k++)
      if (run->bbdef->slots[k].iseq >= run->first_instr
          && (run->addresses == NULL
              || run->addresses[run->bbdef->slots[k].entry] != 0))
        worker->accesses++;
  }
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = g_new0 (struct shard, 1);

  (void) feed;
  (void) err;
  (void) sharing;
  shard->worker = worker;
  return shard;
}

static int
shard_feed (void *self, void *data, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = data;

  (void) feed;
  (void) err;
  if (sharing->variables == NULL) {
    take_heads (shard->worker, batch);
    return 0;
  }
  for (size_t i = 0; i < batch->n_runs; i++)
    take_run (shard->worker, sharing->wants_false ? &shard->lines : NULL,
              &batch->runs[i]);
  return 0;
}

static int
merge (void *self, void *data, const struct dg_feed *feed,
       struct dg_error *err)
{
  struct sharing *sharing = self;
  struct shard *shard = data;

  (void) feed;
  (void) err;
  sharing_lines_append (&sharing->lines, &shard->lines);
  return 0;
}

static void
shard_free (void *self, void *data)
{
  struct shard *shard = data;

  (void) self;
  sharing_lines_fini (&shard->lines);
  g_free (shard);
}

static int
worker_merge (void *self, void *data, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct worker *worker = data;

  (void) err;
  hand_over (worker);
  sharing->accesses += worker->accesses;
  sharing->shared += worker->shared;
  return 0;
}

const struct dg_analysis dg_analysis_sharing = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "sharing",
  .summary = "Which variables threads share, and which only share a line",
  .details =
    "Rows are addresses that more than one thread accessed, while one\n"
    "variable was there.  With --by=line, also where in the code that is.\n"
    "With --false, also cache lines in which threads write bytes that\n"
    "others do not need but lose the line for.\n",
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
