/* frames.c: the frames of all threads at the beginning of each chunk, and from
   there on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames.h"

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "feed/feed.h"
#include "frames_stack.h"
#include "base/ordered.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* A frame that outlived a chunk.  */
struct node {
  uint64_t cfa, site;
  uint32_t parent;         /* + 1; 0: none */
};

/* A thread at the beginning of a chunk and of those that follow.  */
struct moment {
  size_t chunk;
  uint32_t node;           /* the innermost frame, + 1 */
  bool may_return;
  uint64_t read, last_pc, leaf, leaf_cfa;
};

/* What is known of a thread of the log.  */
struct history {
  uint32_t thread;
  uint64_t low, high;      /* its stack */
  uint64_t top;            /* no frame is above that */
  struct dg_table moments; /* struct moment, by chunk */
};

struct dg_frames {
  const struct dg_log *log;
  struct dg_frame_blocks blocks;
  struct dg_feed_plan plan;
  struct dg_table nodes;   /* struct node */
  struct dg_table histories;           /* struct history, by thread */
  size_t n_chunks;
};

/* ---- Stacks of several threads ---------------------------------------- */

static struct history *
history_at (const struct dg_frames *frames, size_t i)
{
  return (struct history *) frames->histories.items + i;
}

/* The index of a thread's history; that of none, behind all, if the log does
   not know the thread.  */
static size_t
find_history (const struct dg_frames *frames, uint32_t thread)
{
  size_t low = DG_BISECT (0, frames->histories.n, i,
                          history_at (frames, i)->thread < thread);

  return low < frames->histories.n
             && history_at (frames, low)->thread == thread
           ? low : frames->histories.n;
}

/* The stacks of threads.  */
struct stacks {
  struct dg_frame_stack **stacks;      /* as histories, and one behind them for
                                          what the log does not know */
  struct dg_table used;    /* size_t: which of them there are */
  bool lacks;              /* there was no memory for one */
};

static int
stacks_init (struct stacks *stacks, const struct dg_frames *frames,
             struct dg_error *err)
{
  stacks->stacks =
    g_try_new0 (struct dg_frame_stack *, frames->histories.n + 1);
  return stacks->stacks != NULL ? 0 : dg_error_nomem (err);
}

static void
stacks_clear (struct stacks *stacks)
{
  const size_t *used = stacks->used.items;

  for (size_t i = 0; i < stacks->used.n; i++) {
    dg_frame_stack_fini (stacks->stacks[used[i]]);
    g_clear_pointer (&stacks->stacks[used[i]], g_free);
  }
  stacks->used.n = 0;
  stacks->lacks = false;
}

static void
stacks_fini (struct stacks *stacks)
{
  stacks_clear (stacks);
  g_clear_pointer (&stacks->stacks, g_free);
  dg_table_fini (&stacks->used);
}

/* Whether something is missing for lack of memory.  */
static bool
stacks_lack (const struct stacks *stacks)
{
  const size_t *used = stacks->used.items;
  bool lacks = stacks->lacks;

  for (size_t i = 0; i < stacks->used.n && !lacks; i++)
    lacks = stacks->stacks[used[i]]->lacks;
  return lacks;
}

/* A thread's, which is made if it is not there; NULL: no memory.  */
static struct dg_frame_stack *
stack_of (const struct dg_frames *frames, struct stacks *stacks,
          uint32_t thread, bool *is_new)
{
  size_t i = find_history (frames, thread);
  struct dg_frame_stack *stack = stacks->stacks[i];
  size_t *used;

  *is_new = false;
  if (stack != NULL)
    return stack;
  used = dg_table_add (&stacks->used, sizeof *used);
  stack = used != NULL ? g_try_new0 (struct dg_frame_stack, 1) : NULL;
  if (stack == NULL) {
    stacks->used.n -= used != NULL;
    stacks->lacks = true;
    return NULL;
  }
  if (i < frames->histories.n) {
    stack->low = history_at (frames, i)->low;
    stack->high = history_at (frames, i)->high;
  }
  *used = i;
  *is_new = true;
  return stacks->stacks[i] = stack;
}

/* ---- The first pass --------------------------------------------------- */

struct dg_frame_chunk {
  const struct dg_frames *frames;
  struct stacks stacks;
  uint32_t thread;         /* of `stack` */
  struct dg_frame_stack *stack;        /* the latest, or NULL */
};

struct dg_frame_chunk *
dg_frame_chunk_new (const struct dg_frames *frames, struct dg_error *err)
{
  struct dg_frame_chunk *chunk = g_try_new0 (struct dg_frame_chunk, 1);

  if (chunk == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  chunk->frames = frames;
  if (stacks_init (&chunk->stacks, frames, err) < 0)
    g_clear_pointer (&chunk, g_free);
  return chunk;
}

void
dg_frame_chunk_free (struct dg_frame_chunk *chunk)
{
  if (chunk == NULL)
    return;
  stacks_fini (&chunk->stacks);
  g_free (chunk);
}

void
dg_frame_chunk_clear (struct dg_frame_chunk *chunk)
{
  stacks_clear (&chunk->stacks);
  chunk->stack = NULL;
}

void
dg_frame_chunk_run (struct dg_frame_chunk *chunk, const struct dg_run *run)
{
  bool is_new;

  if (G_UNLIKELY (chunk->stack == NULL || run->thread != chunk->thread)) {
    chunk->thread = run->thread;
    chunk->stack =
      stack_of (chunk->frames, &chunk->stacks, run->thread, &is_new);
    if (chunk->stack == NULL)
      return;
  }
  dg_frame_stack_run (chunk->stack, &chunk->frames->blocks, run);
}

struct state {
  const struct dg_frames *frames;
  struct dg_feeder *feeder;
};

struct result {
  struct dg_frame_chunk *chunk;
};

static void *
state_new (void *user, struct dg_error *err)
{
  struct dg_frames *frames = user;
  struct state *state = g_try_new0 (struct state, 1);

  if (state == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  state->frames = frames;
  state->feeder = dg_feeder_new (&frames->plan, err);
  if (state->feeder != NULL)
    return state;
  g_free (state);
  return NULL;
}

static void
state_free (void *data)
{
  struct state *state = data;

  dg_feeder_free (state->feeder);
  g_free (state);
}

static int
work (void *user, void *data, size_t job, void *out, struct dg_error *err)
{
  struct dg_frames *frames = user;
  struct state *state = data;
  struct result *result = out;
  struct dg_batch batch;
  int code = dg_feeder_open (state->feeder, job, err);

  if (code < 0)
    return code;
  if (result->chunk == NULL)
    result->chunk = dg_frame_chunk_new (frames, err);
  if (result->chunk == NULL)
    return DG_ERR_NOMEM;
  dg_frame_chunk_clear (result->chunk);
  while ((code = dg_feeder_next (state->feeder, &batch, err)) > 0)
    for (size_t i = 0; i < batch.n_runs; i++)
      dg_frame_chunk_run (result->chunk, &batch.runs[i]);
  return code;
}

static const struct node *
node_at (const struct dg_frames *frames, uint32_t node)
{
  return (const struct node *) frames->nodes.items + node - 1;
}

static int
add_frames (struct dg_frames *frames, const struct dg_frame_stack *stack,
            uint32_t *innermost, struct dg_error *err)
{
  for (size_t i = 0; i < stack->n; i++) {
    struct node *node;

    if (frames->nodes.n >= DG_FRAMES_MOST) {
      *innermost = 0;
      return 0;
    }
    node = dg_table_add (&frames->nodes, sizeof *node);
    if (node == NULL)
      return dg_error_nomem (err);
    *node = (struct node){stack->items[i].cfa, stack->items[i].site,
                          *innermost};
    *innermost = (uint32_t) frames->nodes.n;
  }
  return 0;
}

/* As dg_frame_stack_settle, when the thread goes on in a later chunk: its
   innermost frame then.  */
static uint32_t
settle (const struct dg_frames *frames, const struct history *history,
        uint64_t behind)
{
  const struct moment *before =
    (const struct moment *) history->moments.items + history->moments.n - 1;
  uint64_t cfa = before->read + frames->blocks.word;
  uint32_t node = before->node;

  if (!before->may_return || behind == 0)
    return node;
  if (frames->blocks.accesses != NULL)
    return node != 0 && node_at (frames, node)->site == behind
             ? node_at (frames, node)->parent : node;
  while (node != 0 && node_at (frames, node)->cfa < cfa)
    node = node_at (frames, node)->parent;
  if (node == 0)
    return before->read >= history->low && before->read < history->high
             ? 0 : before->node;
  return node_at (frames, node)->cfa == cfa ? node_at (frames, node)->parent
                                            : before->node;
}

/* Puts what a chunk does to a thread behind what was there.  */
static int
append (struct dg_frames *frames, size_t chunk, struct history *history,
        const struct dg_frame_stack *stack, struct dg_error *err)
{
  struct moment *to, moment = {.chunk = chunk + 1,
                          .may_return = stack->may_return,
                          .read = stack->read,
                          .last_pc = stack->last_pc,
                          .leaf = stack->leaf,
                          .leaf_cfa = stack->leaf_cfa};

  history->top = MAX (history->top, stack->top);
  if (history->moments.n > 0)
    moment.node = settle (frames, history, stack->behind);
  while (moment.node != 0
         && node_at (frames, moment.node)->cfa <= stack->popped)
    moment.node = node_at (frames, moment.node)->parent;
  if (add_frames (frames, stack, &moment.node, err) < 0)
    return DG_ERR_NOMEM;
  to = dg_table_add (&history->moments, sizeof *to);
  if (to == NULL)
    return dg_error_nomem (err);
  *to = moment;
  return 0;
}

int
dg_frames_take (struct dg_frames *frames, size_t number,
                struct dg_frame_chunk *chunk, struct dg_error *err)
{
  const size_t *used = chunk->stacks.used.items;

  if (stacks_lack (&chunk->stacks))
    return dg_error_nomem (err);
  for (size_t i = 0; i < chunk->stacks.used.n; i++)
    if (used[i] < frames->histories.n
        && append (frames, number, history_at (frames, used[i]),
                   chunk->stacks.stacks[used[i]], err) < 0)
      return DG_ERR_NOMEM;
  return 0;
}

static int
take (void *user, size_t job, void *out, struct dg_error *err)
{
  return dg_frames_take (user, job, ((struct result *) out)->chunk, err);
}

static void
result_fini (void *out)
{
  struct result *result = out;

  g_clear_pointer (&result->chunk, dg_frame_chunk_free);
}

DG_COMPARE_BY (compare_histories, struct history, thread)

/* All threads of the log: workers only look them up.  */
static int
list_threads (struct dg_frames *frames, struct dg_error *err)
{
  struct dg_table *all = &frames->histories;
  struct history *to;
  size_t n, kept = 0;
  const struct dg_thread *threads = dg_log_threads (frames->log, &n);

  for (size_t i = 0; i < n; i++) {
    to = dg_table_add (all, sizeof *to);
    if (to == NULL)
      return dg_error_nomem (err);
    to->thread = threads[i].number;
    if (threads[i].stack_high <= threads[i].stack_low)
      continue;
    to->low = threads[i].stack_low;
    to->high = threads[i].stack_high;
  }
  if (n == 0)
    return 0;
  qsort (all->items, n, sizeof *to, compare_histories);
  to = all->items;
  for (size_t i = 1; i < n; i++) {
    if (to[i].thread != to[kept].thread) {
      to[++kept] = to[i];
      continue;
    }
    if (to[i].high == 0)
      continue;
    to[kept].low = to[kept].high == 0 ? to[i].low
                                      : MIN (to[kept].low, to[i].low);
    to[kept].high = MAX (to[kept].high, to[i].high);
  }
  all->n = kept + 1;
  return 0;
}

struct dg_frames *
dg_frames_begin (const struct dg_log *log, struct dg_symbols *symbols,
                 struct dg_error *err)
{
  struct dg_frames *frames = g_try_new0 (struct dg_frames, 1);

  if (frames == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  frames->log = log;
  frames->plan = (struct dg_feed_plan){.log = log,
                                       .end_icount = DG_NEVER,
                                       .needs_addresses = true,
                                       .needs_contexts = true};
  dg_log_chunks (log, &frames->n_chunks);
  if (list_threads (frames, err) == 0
      && dg_frame_blocks_init (&frames->blocks, log, symbols, err) == 0)
    return frames;
  dg_frames_free (frames);
  return NULL;
}

struct dg_frames *
dg_frames_new (const struct dg_log *log, struct dg_symbols *symbols,
               unsigned workers, struct dg_error *err)
{
  struct dg_frames *frames = dg_frames_begin (log, symbols, err);
  struct dg_ordered ordered = {.workers = workers,
                               .result_size = sizeof (struct result),
                               .user = frames,
                               .state_new = state_new,
                               .state_free = state_free,
                               .work = work,
                               .take = take,
                               .result_fini = result_fini};

  if (frames == NULL)
    return NULL;
  ordered.jobs = frames->n_chunks;
  if (dg_ordered_run (&ordered, err) == 0)
    return frames;
  dg_frames_free (frames);
  return NULL;
}

void
dg_frames_free (struct dg_frames *frames)
{
  if (frames == NULL)
    return;
  dg_frame_blocks_fini (&frames->blocks);
  dg_table_fini (&frames->nodes);
  for (size_t i = 0; i < frames->histories.n; i++)
    dg_table_fini (&history_at (frames, i)->moments);
  dg_table_fini (&frames->histories);
  g_free (frames);
}

/* ---- Following -------------------------------------------------------- */

struct dg_frame_cursor {
  const struct dg_frames *frames;
  struct dg_feeder *feeder;
  size_t chunk;            /* n_chunks: none yet */
  bool is_told;            /* of the runs of the chunk */
  const struct dg_run *run;            /* is_told: the one that was begun */
  bool is_over;            /* the chunk was read to its end */
  struct dg_batch batch;
  size_t next;             /* run of the batch */
  uint64_t until;          /* the runs that were followed end there */
  uint64_t end;            /* of the chunk */
  uint64_t run_end;        /* of the run that was come to */
  struct stacks stacks;
  uint32_t thread;         /* of `stack` */
  struct dg_frame_stack *stack;
  uint32_t owner;          /* who was asked for last, and no frame of whom is
                              above top; 0: nobody */
  uint64_t top;
};

struct dg_frame_cursor *
dg_frame_cursor_new (const struct dg_frames *frames, struct dg_error *err)
{
  struct dg_frame_cursor *cursor = g_try_new0 (struct dg_frame_cursor, 1);

  if (cursor == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  cursor->frames = frames;
  cursor->chunk = frames->n_chunks;
  if (stacks_init (&cursor->stacks, frames, err) == 0)
    cursor->feeder = dg_feeder_new (&frames->plan, err);
  if (cursor->feeder != NULL)
    return cursor;
  dg_frame_cursor_free (cursor);
  return NULL;
}

void
dg_frame_cursor_free (struct dg_frame_cursor *cursor)
{
  if (cursor == NULL)
    return;
  dg_feeder_free (cursor->feeder);
  stacks_fini (&cursor->stacks);
  g_free (cursor);
}

/* Pushes what a thread had when the chunk began.  */
static void
restore (const struct dg_frame_cursor *cursor, uint32_t thread,
         struct dg_frame_stack *stack)
{
  const struct dg_frames *frames = cursor->frames;
  size_t at = find_history (frames, thread), low, high = 0, n = 0;
  const struct moment *moments = NULL, *moment;

  if (at < frames->histories.n) {
    moments = history_at (frames, at)->moments.items;
    high = history_at (frames, at)->moments.n;
  }
  low = DG_BISECT (0, high, i, moments[i].chunk <= cursor->chunk);
  if (low == 0)
    return;
  moment = &moments[low - 1];
  for (uint32_t i = moment->node; i != 0; i = node_at (frames, i)->parent)
    n++;
  if (dg_frame_stack_reserve (stack, n) < 0)
    return;
  stack->n = n;
  for (uint32_t i = moment->node; i != 0; i = node_at (frames, i)->parent)
    stack->items[--n] = (struct dg_frame_slot){node_at (frames, i)->cfa,
                                                node_at (frames, i)->site};
  stack->may_return = moment->may_return;
  stack->read = moment->read;
  stack->last_pc = moment->last_pc;
  stack->leaf = moment->leaf;
  stack->leaf_cfa = moment->leaf_cfa;
}

/* NULL: no memory.  */
static struct dg_frame_stack *
current_stack (struct dg_frame_cursor *cursor, uint32_t thread)
{
  struct dg_frame_stack *stack;
  bool is_new;

  if (cursor->stack != NULL && cursor->thread == thread)
    return cursor->stack;
  stack = stack_of (cursor->frames, &cursor->stacks, thread, &is_new);
  if (is_new)
    restore (cursor, thread, stack);
  cursor->thread = thread;
  cursor->stack = stack;
  return stack;
}

/* The chunk that has the instruction after `icount`.  */
static size_t
chunk_of (const struct dg_frame_cursor *cursor, uint64_t icount)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (cursor->frames->log, &n);
  size_t low = DG_BISECT (0, n, i, chunks[i].icount <= icount);

  return low > 0 ? low - 1 : 0;
}

static int
open_chunk (struct dg_frame_cursor *cursor, size_t chunk,
            struct dg_error *err)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (cursor->frames->log, &n);

  cursor->chunk = chunk;
  cursor->is_over = false;
  cursor->until = chunks[chunk].icount;
  cursor->end = chunk + 1 < n ? chunks[chunk + 1].icount : DG_NEVER;
  cursor->batch.n_runs = cursor->next = 0;
  cursor->stack = NULL;
  stacks_clear (&cursor->stacks);
  return dg_feeder_open (cursor->feeder, chunk, err);
}

/* Follows the runs that began before or at `icount`, but for what the last of
   them does at its end.  */
static int
follow (struct dg_frame_cursor *cursor, uint64_t icount, struct dg_error *err)
{
  const struct dg_frames *frames = cursor->frames;

  while (cursor->until <= icount) {
    struct dg_frame_stack *stack;
    const struct dg_run *run;

    if (cursor->next == cursor->batch.n_runs) {
      int code = cursor->is_over
                   ? 0 : dg_feeder_next (cursor->feeder, &cursor->batch, err);

      if (code < 0)
        return code;
      if (code == 0) {
        cursor->is_over = true;
        cursor->batch.n_runs = 0;
        cursor->next = 0;
        return 0;
      }
      cursor->next = 0;
      continue;
    }
    run = &cursor->batch.runs[cursor->next];
    stack = current_stack (cursor, run->thread);
    if (stack == NULL)
      return dg_error_nomem (err);
    if (run->icount + run->n_instrs > icount) {
      /* The run of the access: it has come there, and no further.  */
      if (run->icount <= icount)
        dg_frame_stack_settle (stack, &frames->blocks, run);
      cursor->run_end = run->icount + run->n_instrs;
      return 0;
    }
    dg_frame_stack_run (stack, &frames->blocks, run);
    cursor->until = run->icount + run->n_instrs;
    cursor->next++;
  }
  return 0;
}

void
dg_frame_cursor_begin_chunk (struct dg_frame_cursor *cursor, size_t chunk)
{
  cursor->chunk = chunk;
  cursor->is_told = true;
  cursor->run = NULL;
  cursor->stack = NULL;
  stacks_clear (&cursor->stacks);
}

void
dg_frame_cursor_begin_run (struct dg_frame_cursor *cursor,
                           const struct dg_run *run)
{
  cursor->run = run;
}

void
dg_frame_cursor_end_run (struct dg_frame_cursor *cursor)
{
  const struct dg_run *run = cursor->run;
  struct dg_frame_stack *stack =
    cursor->is_told && run != NULL ? current_stack (cursor, run->thread)
                                   : NULL;

  if (stack != NULL)
    dg_frame_stack_run (stack, &cursor->frames->blocks, run);
  cursor->run = NULL;
}

/* Comes to an access in the run that was begun; false: it is in no such.  */
static bool
be_in_run (struct dg_frame_cursor *cursor, uint64_t icount)
{
  const struct dg_run *run = cursor->run;
  struct dg_frame_stack *stack;

  if (run == NULL || icount - run->icount >= run->n_instrs) {
    cursor->is_told = false;
    cursor->chunk = cursor->frames->n_chunks;
    return false;
  }
  stack = current_stack (cursor, run->thread);
  if (stack != NULL)
    dg_frame_stack_settle (stack, &cursor->frames->blocks, run);
  cursor->run_end = run->icount + run->n_instrs;
  return true;
}

/* Likewise, by reading the log up to there.  */
static int
read_up_to (struct dg_frame_cursor *cursor, uint64_t icount,
            struct dg_error *err)
{
  int code = 0;

  if (cursor->chunk == cursor->frames->n_chunks || icount < cursor->until
      || icount >= cursor->end)
    code = open_chunk (cursor, chunk_of (cursor, icount), err);
  cursor->run_end = icount;
  return code < 0 ? code : follow (cursor, icount, err);
}

int
dg_frame_cursor_find (struct dg_frame_cursor *cursor,
                      const struct dg_access *access, uint32_t owner,
                      struct dg_frame_place *out, struct dg_error *err)
{
  const struct dg_frames *frames = cursor->frames;
  uint64_t caller, expected;
  struct dg_frame_stack *stack;
  size_t i;
  int code = 0;

  out->since = access->icount;
  out->span = 0;
  if (owner != cursor->owner) {
    size_t at = find_history (frames, owner);

    cursor->owner = owner;
    cursor->top = at < frames->histories.n ? history_at (frames, at)->top : 0;
  }
  /* Such as what a thread has for itself above its first frame.  */
  if (frames->n_chunks == 0 || access->address >= cursor->top)
    return 0;
  if (!cursor->is_told || !be_in_run (cursor, access->icount))
    code = read_up_to (cursor, access->icount, err);
  if (code < 0)
    return code;
  stack = current_stack (cursor, owner);
  /* A frame that is missing could be that of anything in the stack.  */
  if (stack == NULL || stack->lacks || cursor->stacks.lacks)
    return dg_error_nomem (err);
  i = stack->n;
  while (i > 0 && stack->items[i - 1].cfa <= access->address)
    i--;
  if (i == 0)
    return 0;
  out->span = cursor->run_end - access->icount;
  out->cfa = stack->items[i - 1].cfa;
  if (i < stack->n) {
    out->pc = stack->items[i].site;
    out->low = out->inner_cfa = stack->items[i].cfa;
    out->inner_pc = i + 1 < stack->n ? stack->items[i + 1].site
                    : owner == access->thread ? 0 : stack->last_pc;
    return 1;
  }
  out->low = stack->low;
  out->inner_cfa = 0;
  out->pc = stack->leaf != 0            ? stack->leaf
            : owner == access->thread ? 0 : stack->last_pc;
  if (stack->leaf != 0 && access->address < stack->leaf_cfa) {
    out->cfa = stack->leaf_cfa;
    out->pc = owner == access->thread ? 0 : stack->last_pc;
  } else if (stack->leaf != 0 && stack->leaf_cfa != 0) {
    out->low = stack->leaf_cfa;
  }
  expected = stack->leaf != 0 ? stack->leaf : stack->items[i - 1].site;
  if (owner != access->thread || expected == 0)
    return 1;
  /* What the recorder's own stack of calls says must agree: signal handlers
     and the like are not called by anybody.  */
  return dg_log_path_sites (frames->log,
                            dg_log_context (frames->log,
                                            access->context).path,
                            &caller, 1) > 0
         && caller == expected;
}
