/* sizes.c: an analysis as a plug-in: how many accesses there are of each size,
   and how many of them lie in two cache lines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Build: cc -O2 -shared -fPIC $(pkg-config --cflags datagrind) \
             -o sizes.so sizes.c
   Run:   dg sizes --plugin=./sizes.so LOG
      or: DATAGRIND_PLUGIN_PATH=. dg sizes LOG  */

#include <dg_analysis.h>
#include <dg_record.h>

#include <stdlib.h>
#include <string.h>

#define SIZES 256          /* larger accesses count as of this size */

struct sums {
  uint64_t reads[SIZES + 1], writes[SIZES + 1];
  uint64_t split;          /* in two lines */
};

struct snapshot {
  struct dg_snapshot base; /* must be first */
  struct sums sums;        /* of the interval */
};

/* What `create` makes: the same for everybody, and the result.  */
struct sizes {
  uint64_t line;           /* bytes */
  struct sums sums;
};

static const struct dg_option options[] = {
  { "line", DG_OPTION_BYTES, "BYTES", NULL, NULL,
    "size of a cache line; by default that of the log" },
  { .name = NULL }
};

static void *
no_memory (struct dg_error *err)
{
  if (err) {
    err->code = DG_ERR_NOMEM;
    strcpy (err->message, "not enough memory");
  }
  return NULL;
}

static void
add (struct sums *to, const struct sums *from)
{
  for (size_t i = 0; i <= SIZES; i++) {
    to->reads[i] += from->reads[i];
    to->writes[i] += from->writes[i];
  }
  to->split += from->split;
}

/* ---- Before the log is read ---- */

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct sizes *self = calloc (1, sizeof *self);

  if (!self)
    return no_memory (err);
  self->line = dg_log_line_size (dg_setup_log (setup));
  if (dg_setup_has (setup, "line"))
    self->line = dg_setup_number (setup, "line");
  if (self->line == 0 || (self->line & (self->line - 1)) != 0) {
    err->code = DG_ERR_INVALID;
    strcpy (err->message, "--line: not a power of two");
    free (self);
    return NULL;
  }
  return self;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  /* Sums do not depend on the order, so chunks can be shared out.  */
  plan->shard = DG_SHARD_CHUNK;
  plan->view = DG_VIEW_ACCESSES;
  return 0;
}

/* ---- While it is read ---- */

static void *
worker_new (void *self, struct dg_error *err)
{
  struct sums *sums = calloc (1, sizeof *sums);

  return sums ? sums : no_memory (err);
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  /* All chunks of a worker go to the same sums.  */
  return worker;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  const struct sizes *sizes = self;
  struct sums *sums = shard;
  uint64_t mask = sizes->line - 1;

  for (size_t i = 0; i < batch->n_accesses; i++) {
    const struct dg_access *access = &batch->accesses[i];
    uint32_t size = access->size < SIZES ? access->size : SIZES;

    if (access->kind == DG_ACC_READ)
      sums->reads[size]++;
    else
      sums->writes[size]++;
    sums->split += (access->address & mask) + access->size > sizes->line;
  }
  return 0;
}

/* What is in a worker's sums at the end of an interval is of this interval, of
   this chunk: they are taken out each time.  */
static struct dg_snapshot *
snapshot (void *self, void *shard, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct snapshot *snapshot = calloc (1, sizeof *snapshot);

  if (!snapshot)
    return no_memory (err);
  snapshot->sums = *(struct sums *) shard;
  memset (shard, 0, sizeof (struct sums));
  return &snapshot->base;
}

/* ---- When all of it was read ---- */

static int
worker_merge (void *self, void *worker, struct dg_error *err)
{
  struct sizes *sizes = self;

  add (&sizes->sums, worker);
  return 0;
}

static void
worker_free (void *self, void *worker)
{
  free (worker);
}

static struct dg_snapshot *
combine (void *self, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  struct sizes *sizes = self;
  struct snapshot *whole = calloc (1, sizeof *whole);

  if (!whole)
    return no_memory (err);
  for (size_t i = 0; i < n; i++)
    add (&whole->sums, &((struct snapshot *) parts[i])->sums);
  add (&sizes->sums, &whole->sums);
  return &whole->base;
}

static int
print (void *self, struct dg_snapshot *const *snapshots, size_t n,
       struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "interval", "interval", DG_UNIT_NUMBER, 0 },
    { "end_icount", "to instruction", DG_UNIT_COUNT, 0 },
    { "accesses", "accesses", DG_UNIT_COUNT, 0 },
    { "split", "in two lines", DG_UNIT_COUNT, 0 }
  };
  struct dg_rows *rows = dg_report_table (report, "intervals", "Intervals",
                                          columns, 4);

  for (size_t i = 0; i < n; i++) {
    const struct snapshot *snapshot = (struct snapshot *) snapshots[i];
    uint64_t accesses = 0;

    for (size_t k = 0; k <= SIZES; k++)
      accesses += snapshot->sums.reads[k] + snapshot->sums.writes[k];
    dg_rows_add (rows, (struct dg_cell[]) {
                         DG_CELL_NUMBER (snapshot->base.interval),
                         DG_CELL_NUMBER (snapshot->base.end_icount),
                         DG_CELL_NUMBER (accesses),
                         DG_CELL_NUMBER (snapshot->sums.split) });
  }
  return 0;
}

static void
release (void *self, struct dg_snapshot *snapshot)
{
  free (snapshot);
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "size", "size", DG_UNIT_NUMBER, 0 },
    { "reads", "reads", DG_UNIT_COUNT, 0 },
    { "writes", "writes", DG_UNIT_COUNT, 0 },
    { "share", "share", DG_UNIT_PERCENT, 0 }
  };
  const struct sizes *sizes = self;
  const struct sums *sums = &sizes->sums;
  struct dg_rows *rows;
  uint64_t all = 0;

  for (size_t i = 0; i <= SIZES; i++)
    all += sums->reads[i] + sums->writes[i];
  dg_report_count (report, "accesses", "Accesses", all);
  dg_report_count (report, "split", "in two lines", sums->split);
  rows = dg_report_table (report, "sizes", "Sizes, in bytes", columns, 4);
  for (size_t i = 0; i <= SIZES; i++) {
    uint64_t n = sums->reads[i] + sums->writes[i];

    if (n > 0)
      dg_rows_add (rows, (struct dg_cell[]) {
                           DG_CELL_NUMBER (i),
                           DG_CELL_NUMBER (sums->reads[i]),
                           DG_CELL_NUMBER (sums->writes[i]),
                           DG_CELL_REAL ((double) n / all) });
  }
  if (sums->split > 0)
    dg_report_note (report, "An access in two lines costs two: see whether "
                    "structs are packed, or buffers not aligned.");
  return 0;
}

static const struct dg_analysis sizes = {
  .version = DG_ANALYSIS_VERSION, .size = sizeof (struct dg_analysis),
  .name = "sizes",
  .summary = "Counts accesses by size, and those in two cache lines",
  .options = options, .create = create, .plan = plan,
  .worker_new = worker_new, .shard_new = shard_new,
  .shard_feed = shard_feed, .worker_merge = worker_merge,
  .worker_free = worker_free, .snapshot = snapshot, .combine = combine,
  .print = print, .release = release, .report = report, .free = free
};

DG_PLUGIN (&sizes);
