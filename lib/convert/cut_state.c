/* cut_state.c: what was there when a cut begins in the middle of a log, as
   records, from what loading has gathered.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "base/compare.h"
#include "base/error.h"
#include "log/timeline_pools.h"

/* Something that is to be told, and when.  */
struct item {
  uint64_t icount;
  enum {
    THREAD, THREAD_EXIT, MODULE, MODULE_UNLOAD, MAPPING, UNMAPPING, POOL,
    BLOCK, LOCALS, RANGE, EVENT, CLOCK
  } kind;
  size_t index;
  size_t order;            /* of those at one icount */
};

struct state {
  struct dg_cut_out *out;
  const struct dg_log *log;
  uint64_t icount;
  struct dg_table items;   /* struct item */
  struct dg_table words;   /* uint64_t: of one record */
  uint64_t *pools;         /* where each is by now */
  bool failed;             /* no memory */
};

/* ---- One record ---- */

static void
add_word (struct state *state, uint64_t value)
{
  uint64_t *word = dg_table_add (&state->words, sizeof *word);

  if (word)
    *word = value;
  else
    state->failed = true;
}

static void
add_stack (struct state *state, const struct dg_stack *stack)
{
  add_word (state, stack->n);
  for (uint32_t i = 0; i < stack->n; i++)
    add_word (state, stack->sites[i]);
}

/* A record of the words that were added, and of strings.  */
static int
put (struct state *state, uint8_t type, const char *const *strings,
     unsigned n_strings, uint64_t icount, struct dg_error *err)
{
  const struct dg_fields fields = {
    .words = state->words.items, .n_words = state->words.n,
    .strings = (const char **) strings, .n_strings = n_strings
  };

  state->words.n = 0;
  if (state->failed)
    return dg_error_nomem (err);
  return dg_cut_out_record (state->out, type, &fields, icount, err);
}

static int
put_words (struct state *state, uint8_t type, const uint64_t *words,
           unsigned n, const char *const *strings, unsigned n_strings,
           uint64_t icount, struct dg_error *err)
{
  for (unsigned i = 0; i < n; i++)
    add_word (state, words[i]);
  return put (state, type, strings, n_strings, icount, err);
}

/* ---- One item ---- */

static int
put_thread (struct state *state, const struct dg_thread *thread,
            uint64_t icount, struct dg_error *err)
{
  const uint64_t start[] = { thread->number, thread->parent, thread->os_tid };
  const uint64_t stack[] = { thread->number, thread->stack_low,
                             thread->stack_high };
  int code = 0;

  if (thread->parent > 0 || thread->os_tid > 0)
    code = put_words (state, DG_R_THREAD_START, start, 3, NULL, 0, icount,
                      err);
  if (code == 0 && thread->name[0] != '\0')
    code = put_words (state, DG_R_THREAD_NAME, start, 1, &thread->name, 1,
                      icount, err);
  if (code == 0 && thread->stack_high > 0)
    code = put_words (state, DG_R_STACK, stack, 3, NULL, 0, icount, err);
  return code;
}

static int
put_module (struct state *state, const struct dg_module *module,
            struct dg_error *err)
{
  const uint64_t words[] = { module->text_address, module->text_size,
                             module->bias, module->n_build_id };
  int code = put_words (state, DG_R_TEXT_AVMA, words, 1, &module->file, 1,
                        module->load_icount, err);

  if (code < 0 || !module->has_detail)
    return code;
  for (unsigned i = 0; i < 4; i++)
    add_word (state, words[i]);
  for (unsigned i = 0; i < module->n_build_id; i++)
    add_word (state, module->build_id[i]);
  return put (state, DG_R_MODULE, &module->soname, 1, module->load_icount,
              err);
}

static int
put_mapping (struct state *state, const struct dg_mapping *mapping,
             struct dg_error *err)
{
  const uint64_t words[] = { mapping->address, mapping->size,
                             mapping->protection, mapping->what,
                             mapping->offset };
  int code = put_words (state, DG_R_MAP, words, 5, &mapping->file, 1,
                        mapping->start_icount, err);

  if (code < 0 || (mapping->thread == 0 && mapping->stack.n == 0))
    return code;
  add_word (state, mapping->thread);
  add_stack (state, &mapping->stack);
  return put (state, DG_R_MAP_STACK, NULL, 0, mapping->start_icount, err);
}

/* At the address that it has when the cut begins.  */
static int
put_pool (struct state *state, size_t index, uint64_t icount,
          struct dg_error *err)
{
  const uint64_t words[] = { DG_POOL_CREATE,
                             state->pools[index], 0 };

  return put_words (state, DG_R_POOL, words, 3, NULL, 0, icount, err);
}

static int
put_unmapping (struct state *state, const struct dg_mapping *mapping,
               struct dg_error *err)
{
  const uint64_t words[] = { mapping->address, mapping->size };

  return put_words (state, DG_R_UNMAP, words, 2, NULL, 0, mapping->end_icount,
                    err);
}

static int
put_block (struct state *state, size_t index, struct dg_error *err)
{
  const struct dg_block block = dg_log_block (state->log, index);
  const uint64_t detail[] = { block.alloc_seqno, block.alloc_thread,
                              block.allocator, block.usable,
                              block.alignment, block.old_address };
  bool has_detail = false;
  int code;

  add_word (state, block.address);
  add_word (state, block.size);
  add_stack (state, &block.alloc_stack);
  code = put (state, DG_R_MALLOC_BLOCK, NULL, 0, block.alloc_icount, err);
  for (unsigned i = 0; i < G_N_ELEMENTS (detail); i++)
    has_detail |= detail[i] != 0;
  if (code < 0 || !has_detail)
    return code;
  code = put_words (state, DG_R_HEAP_ALLOC, detail, 6, NULL, 0,
                    block.alloc_icount, err);
  if (code < 0 || block.pool == 0)
    return code;
  return put_words (state, DG_R_POOL_BLOCK, &state->pools[block.pool - 1], 1,
                    NULL, 0, block.alloc_icount, err);
}

static int
put_range (struct state *state, const struct dg_range *range,
           struct dg_error *err)
{
  const uint64_t words[] = { range->address, range->size };
  const char *const strings[] = { range->type, range->label };

  return put_words (state, DG_R_TRACK_RANGE, words, 2, strings, 2,
                    range->start_icount, err);
}

static int
put_locals (struct state *state, const struct dg_thread_local *copy,
            struct dg_error *err)
{
  const struct dg_module *modules = state->log->contents.modules.items;
  const uint64_t words[] = { copy->thread,
                             modules[copy->module].text_address,
                             copy->address, copy->size, copy->block_address };

  return put_words (state, DG_R_THREAD_LOCAL, words, 5, NULL, 0,
                    copy->start_icount, err);
}

static int
put_item (struct state *state, const struct item *item, struct dg_error *err)
{
  const struct dg_contents *contents = &state->log->contents;
  const size_t i = item->index;

  switch (item->kind) {
  case THREAD:
    return put_thread (state, (struct dg_thread *) contents->threads.items + i,
                       item->icount, err);
  case THREAD_EXIT:
    return put_words (state, DG_R_THREAD_EXIT, &(uint64_t) {
      ((struct dg_thread *) contents->threads.items)[i].number }, 1, NULL, 0,
      item->icount, err);
  case MODULE:
    return put_module (state, (struct dg_module *) contents->modules.items + i,
                       err);
  case MODULE_UNLOAD:
    return put_words (state, DG_R_MODULE_UNLOAD, &(uint64_t) {
      ((struct dg_module *) contents->modules.items)[i].text_address }, 1,
      NULL, 0, item->icount, err);
  case MAPPING:
    return put_mapping (state,
                        (struct dg_mapping *) contents->mappings.items + i,
                        err);
  case UNMAPPING:
    return put_unmapping (state,
                          (struct dg_mapping *) contents->mappings.items + i,
                          err);
  case POOL:
    return put_pool (state, i, item->icount, err);
  case BLOCK:
    return put_block (state, i, err);
  case LOCALS:
    return put_locals (
      state, (struct dg_thread_local *) contents->locals.items + i, err);
  case RANGE:
    return put_range (state, (struct dg_range *) contents->ranges.items + i,
                      err);
  case EVENT:
    return put_words (state, DG_R_START_EVENT, NULL, 0,
                      &((struct dg_event *) contents->events.items)[i].label,
                      1, item->icount, err);
  default:
    return put_words (state, DG_R_CLOCK,
                      &((struct dg_clock *) contents->clock.items)[i].ns, 1,
                      NULL, 0, item->icount, err);
  }
}

/* ---- All items ---- */

static void
add_item (struct state *state, uint64_t icount, int kind, size_t index)
{
  struct item *item = dg_table_add (&state->items, sizeof *item);

  if (item)
    *item = (struct item) { icount, kind, index, state->items.n };
  else
    state->failed = true;
}

/* Something that lives from `start` to `end`.  */
static void
add_if_there (struct state *state, uint64_t start, uint64_t end, int kind,
              size_t index)
{
  if (start <= state->icount && state->icount < end)
    add_item (state, start, kind, index);
}

/* Modules and threads also when they are gone: what is still there may have
   call stacks of theirs.  */
static void
add_if_begun (struct state *state, uint64_t start, uint64_t end, int kind,
              int end_kind, size_t index)
{
  if (start > state->icount)
    return;
  add_item (state, start, kind, index);
  if (end <= state->icount)
    add_item (state, end, end_kind, index);
}

static int
compare_ends (const void *a, const void *b)
{
  const struct dg_mapping *x = *(const struct dg_mapping **) a;
  const struct dg_mapping *y = *(const struct dg_mapping **) b;

  return DG_COMPARE (x->end_icount, y->end_icount);
}

/* What is mapped, and what was: a module's memory is known from all mappings
   of its file, and its .bss by where they ended.  Each ends before others
   take its place, so that none is cut in two again.  */
static void
gather_mappings (struct state *state)
{
  size_t n, ended = 0, next = 0, i;
  const struct dg_mapping *m = dg_log_mappings (state->log, &n);
  const struct dg_mapping **ends = g_try_new (const struct dg_mapping *,
                                              n + 1);

  if (!ends) {
    state->failed = true;
    return;
  }
  for (i = 0; i < n; i++)
    if (m[i].start_icount < m[i].end_icount
        && m[i].end_icount <= state->icount)
      ends[ended++] = &m[i];
  qsort (ends, ended, sizeof *ends, compare_ends);
  for (i = 0; i < n && m[i].start_icount <= state->icount; i++) {
    for (; next < ended && ends[next]->end_icount <= m[i].start_icount; next++)
      add_item (state, ends[next]->end_icount, UNMAPPING, ends[next] - m);
    add_item (state, m[i].start_icount, MAPPING, i);
    if (m[i].start_icount == m[i].end_icount)
      add_item (state, m[i].end_icount, UNMAPPING, i);
  }
  for (; next < ended; next++)
    add_item (state, ends[next]->end_icount, UNMAPPING, ends[next] - m);
  g_free (ends);
}

static void
gather_pools (struct state *state)
{
  const struct dg_contents *contents = &state->log->contents;
  const struct dg_timeline_pool_move *move = contents->pool_moves.items;
  const struct dg_mempool *pool = contents->pools.items;
  size_t n = contents->pools.n;

  state->pools = g_try_new (uint64_t, n + 1);
  if (!state->pools) {
    state->failed = true;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    state->pools[i] = pool[i].address;
    add_if_there (state, pool[i].start_icount, pool[i].end_icount, POOL, i);
  }
  for (size_t i = 0; i < contents->pool_moves.n; i++)
    if (move[i].icount <= state->icount)
      state->pools[move[i].pool] = move[i].address;
}

static void
gather (struct state *state)
{
  const struct dg_thread *t;
  const struct dg_module *m;
  const struct dg_thread_local *l;
  const struct dg_range *r;
  const struct dg_event *e;
  const struct dg_clock *c;
  size_t n, i;

  for (t = dg_log_threads (state->log, &n), i = 0; i < n; i++)
    add_if_begun (state, t[i].start_icount, t[i].end_icount, THREAD,
                  THREAD_EXIT, i);
  for (m = dg_log_modules (state->log, &n), i = 0; i < n; i++)
    add_if_begun (state, m[i].load_icount, m[i].unload_icount, MODULE,
                  MODULE_UNLOAD, i);
  gather_mappings (state);
  gather_pools (state);
  for (n = dg_log_n_blocks (state->log), i = 0; i < n; i++) {
    const struct dg_block_extent b = dg_log_block_extent (state->log, i);

    add_if_there (state, b.alloc_icount, b.free_icount, BLOCK, i);
  }
  for (l = dg_log_thread_locals (state->log, &n), i = 0; i < n; i++)
    add_if_there (state, l[i].start_icount, l[i].end_icount, LOCALS, i);
  for (r = dg_log_ranges (state->log, &n), i = 0; i < n; i++)
    add_if_there (state, r[i].start_icount, r[i].end_icount, RANGE, i);
  for (e = dg_log_events (state->log, &n), i = 0; i < n; i++)
    add_if_there (state, e[i].start_icount, e[i].end_icount, EVENT, i);
  for (c = dg_log_clock (state->log, &n), i = 0;
       i < n && c[i].icount <= state->icount; i++)
    ;
  if (i > 0)
    add_item (state, c[i - 1].icount, CLOCK, i - 1);
}

static int
compare_items (const void *a, const void *b)
{
  const struct item *x = a, *y = b;

  return DG_COMPARE (x->icount, y->icount) ?: DG_COMPARE (x->order, y->order);
}

int
dg_cut_state (struct dg_cut_out *out, uint64_t icount, struct dg_error *err)
{
  struct state state = { .out = out, .log = out->log, .icount = icount };
  const struct item *items;
  int code = dg_cut_out_pause (out, err);

  gather (&state);
  if (state.failed && code == 0)
    code = dg_error_nomem (err);
  items = state.items.items;
  if (state.items.n > 0)
    qsort (state.items.items, state.items.n, sizeof *items, compare_items);
  for (size_t i = 0; i < state.items.n && code == 0; i++)
    code = put_item (&state, &items[i], err);
  g_free (state.pools);
  dg_table_fini (&state.items);
  dg_table_fini (&state.words);
  return code;
}

int
dg_cut_codes (struct dg_cut_out *out, struct dg_error *err)
{
  struct state state = { .out = out, .log = out->log };
  size_t n;
  const struct dg_code_name *names = dg_log_code_names (out->log, &n);
  int code = 0;

  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_code_name *name = &names[i];
    const char *const strings[] = { name->language, name->name, name->file };
    const uint64_t words[] = { name->address, name->size, name->start,
                               name->source, 2 * (uint64_t) name->n_lines };

    for (unsigned k = 0; k < G_N_ELEMENTS (words); k++)
      add_word (&state, words[k]);
    for (uint32_t k = 0; k < name->n_lines; k++) {
      add_word (&state, name->lines[k].address);
      add_word (&state, name->lines[k].line);
    }
    code = put (&state, DG_R_CODE, strings, 3, 0, err);
  }
  dg_table_fini (&state.words);
  return code;
}

int
dg_cut_threads (struct dg_cut_out *out, uint64_t icount, struct dg_error *err)
{
  struct state state = { .out = out, .log = out->log };
  const struct dg_thread *threads;
  size_t n;
  int code = 0;

  threads = dg_log_threads (out->log, &n);
  for (size_t i = 0; i < n && code == 0; i++) {
    struct dg_thread known = threads[i];

    /* That they began has been told.  */
    known.parent = 0;
    known.os_tid = 0;
    if (known.start_icount <= icount)
      code = put_thread (&state, &known, icount, err);
  }
  dg_table_fini (&state.words);
  return code;
}

int
dg_cut_process (struct dg_cut_out *out, struct dg_error *err)
{
  const struct dg_process *p = dg_log_process (out->log);
  struct state state = { .out = out, .log = out->log };
  const char **strings;
  int code;

  if (!p)
    return 0;
  strings = g_try_new (const char *, 5 + (size_t) p->argc);
  if (!strings)
    return dg_error_nomem (err);
  memcpy (strings, (const char *[]) { p->tool_version, p->valgrind_version,
                                      p->arch, p->exe, p->cwd },
          5 * sizeof *strings);
  if (p->argc > 0)
    memcpy (strings + 5, p->argv, p->argc * sizeof *strings);
  code = put_words (&state, DG_R_PROCESS,
                    (const uint64_t[]) { p->pid, p->ppid, p->start_ticks,
                                         p->wall_ns, p->page_size,
                                         p->line_size,
                                         p->flags & ~DG_PROCESS_VALUES,
                                         p->stack_depth, p->argc },
                    9, strings, 5 + p->argc, 0, err);
  g_free (strings);
  dg_table_fini (&state.words);
  return code;
}
