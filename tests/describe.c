/* describe.c: everything that the library says of a log, as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "describe.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#define P(...) g_string_append_printf (out, __VA_ARGS__)

static void
describe_summary (GString *out, const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);

  P ("complete %d end %d exit %d icount %" PRIu64 "\n", s->complete,
     s->end_why, s->exit_code, s->last_icount);
  P ("instructions %" PRIu64 " accesses %" PRIu64 " reads %" PRIu64
     " writes %" PRIu64 " kernel %" PRIu64 " %" PRIu64 "\n",
     s->instructions, s->accesses, s->reads, s->writes, s->kernel_reads,
     s->kernel_writes);
  P ("runs %" PRIu64 " bbdefs %" PRIu64 " contexts %" PRIu64
     " threads %" PRIu64 " heap %" PRIu64 " %" PRIu64 "\n",
     s->runs, s->bbdefs, s->contexts, s->threads, s->heap_allocs,
     s->heap_frees);
  P ("modules %" PRIu64 " events %" PRIu64 " %" PRIu64 " ranges %" PRIu64
     " %" PRIu64 " windows %" PRIu64 " unknown %" PRIu64 " lost %" PRIu64
     "\n",
     s->modules, s->events_started, s->events_ended, s->ranges_tracked,
     s->ranges_untracked, s->windows, s->unknown_records, s->lost_calls);
  P ("addresses %" PRIx64 " %" PRIx64 "\n", s->min_address, s->max_address);
}

static void
describe_process (GString *out, const struct dg_log *log)
{
  const struct dg_process *p = dg_log_process (log);

  P ("sizes %u %u\n", dg_log_page_size (log), dg_log_line_size (log));
  if (!p)
    return;
  P ("process %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
     " %u %u %s|%s|%s|%s|%s", p->pid, p->ppid, p->start_ticks, p->wall_ns,
     p->flags, p->stack_depth, p->tool_version, p->valgrind_version, p->arch,
     p->exe, p->cwd);
  for (uint32_t i = 0; i < p->argc; i++)
    P ("|%s", p->argv[i]);
  P ("\n");
}

static void
describe_stack (GString *out, uint32_t n, const uint64_t *sites)
{
  P (" [");
  for (uint32_t i = 0; i < n; i++)
    P (" %" PRIx64, sites[i]);
  P (" ]");
}

static void
describe_definitions (GString *out, const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);

  for (uint64_t i = 0; i < s->bbdefs; i++) {
    const struct dg_bbdef *b = dg_log_bbdef (log, i);

    P ("bbdef %u %u %u:", b->n_instrs, b->n_slots, b->n_entries);
    for (unsigned j = 0; j < b->n_instrs; j++)
      P (" %" PRIx64 "+%u", b->instrs[j].address, b->instrs[j].size);
    for (unsigned j = 0; j < b->n_slots; j++)
      P (" %u,%u@%u#%u", b->slots[j].kind, b->slots[j].size,
         b->slots[j].iseq, b->slots[j].entry);
    for (unsigned j = 0; j < b->n_sps; j++)
      P (" sp@%u#%u", b->sps[j].iseq, b->sps[j].entry);
    P ("\n");
  }
  for (uint64_t i = 0; i < s->contexts; i++) {
    uint64_t stack[DG_STACK_MAX];
    uint32_t n = dg_log_context_stack (log, i, stack);

    P ("context %u", dg_log_context (log, i).bbdef);
    describe_stack (out, n, stack);
    P ("\n");
  }
}

static void
describe_blocks (GString *out, const struct dg_log *log)
{
  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    const struct dg_block block = dg_log_block (log, i), *b = &block;

    P ("block %" PRIx64 "+%" PRIu64 " %" PRIu64 "..%" PRIu64, b->address,
       b->size, b->alloc_icount, b->free_icount);
    describe_stack (out, b->alloc_stack.n, b->alloc_stack.sites);
    describe_stack (out, b->free_stack.n, b->free_stack.sites);
    P (" %" PRIu64 " %" PRIu64 " %u %u %u %u %" PRIu64 " %" PRIu64 " %"
       PRIx64 " pool %u order %u %u\n", b->alloc_seqno, b->free_seqno,
       b->alloc_thread, b->free_thread, b->allocator, b->deallocator,
       b->usable, b->alignment, b->old_address, b->pool, b->alloc_order,
       b->free_order);
  }
}

/* The timelines of memory beside blocks, and the order of all.  */
static void
describe_memory (GString *out, const struct dg_log *log)
{
  const struct dg_mapping *m;
  const struct dg_page_change *c;
  const struct dg_mempool *p;
  const struct dg_stack_pointer *s;
  struct dg_replay_step *steps;
  struct dg_error err;
  size_t n;

  for (m = dg_log_mappings (log, &n); n > 0; n--, m++) {
    P ("mapping %" PRIx64 "+%" PRIu64 " %" PRIu64 "..%" PRIu64 " %u %u %"
       PRIx64 " %s by %u", m->address, m->size, m->start_icount,
       m->end_icount, m->protection, m->what, m->offset, m->file, m->thread);
    describe_stack (out, m->stack.n, m->stack.sites);
    P ("\n");
  }
  for (c = dg_log_page_changes (log, &n); n > 0; n--, c++) {
    P ("pages %" PRIx64 "+%" PRIu64 " %" PRIu64 " %u %u order %u by %u",
       c->address, c->size, c->icount, c->what, c->protection, c->order,
       c->thread);
    describe_stack (out, c->stack.n, c->stack.sites);
    P ("\n");
  }
  for (p = dg_log_pools (log, &n); n > 0; n--, p++)
    P ("pool %" PRIx64 " %" PRIx64 " %" PRIu64 "..%" PRIu64
       " order %u %u\n", p->address, p->last_address, p->start_icount,
       p->end_icount, p->start_order, p->end_order);
  for (s = dg_log_stack_pointers (log, &n); n > 0; n--, s++)
    P ("stack pointer %" PRIx64 " %" PRIu64 " %u %u order %u\n", s->sp,
       s->icount, s->thread, s->what, s->order);
  if (dg_log_replay (log, UINT_MAX, &steps, &n, &err) < 0)
    return;
  P ("order");
  for (size_t i = 0; i < n; i++)
    P (" %u:%u", steps[i].kind, steps[i].index);
  P ("\n");
  free (steps);
}

static void
describe_modules (GString *out, const struct dg_log *log)
{
  size_t n;
  const struct dg_module *m = dg_log_modules (log, &n);

  for (; n > 0; n--, m++) {
    P ("module %" PRIx64 "+%" PRIu64 " bias %" PRIx64 " %" PRIu64 "..%"
       PRIu64 " %s|%s %d ", m->text_address, m->text_size, m->bias,
       m->load_icount, m->unload_icount, m->file, m->soname, m->has_detail);
    for (unsigned i = 0; i < m->n_build_id; i++)
      P ("%02x", m->build_id[i]);
    P ("\n");
  }
}

static void
describe_timelines (GString *out, const struct dg_log *log)
{
  const struct dg_thread *t;
  const struct dg_range *r;
  const struct dg_event *e;
  const struct dg_window_change *w;
  const struct dg_clock *c;
  size_t n;

  for (t = dg_log_threads (log, &n); n > 0; n--, t++)
    P ("thread %u %u %" PRIu64 " %" PRIu64 "..%" PRIu64 " %" PRIx64 "..%"
       PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", t->number,
       t->parent, t->os_tid, t->start_icount, t->end_icount, t->stack_low,
       t->stack_high, t->instructions, t->reads, t->writes, t->name);
  for (r = dg_log_ranges (log, &n); n > 0; n--, r++)
    P ("range %" PRIx64 "+%" PRIu64 " %" PRIu64 "..%" PRIu64 " %s|%s\n",
       r->address, r->size, r->start_icount, r->end_icount, r->type,
       r->label);
  for (e = dg_log_events (log, &n); n > 0; n--, e++)
    P ("event %" PRIu64 "..%" PRIu64 " %s order %u %u\n", e->start_icount,
       e->end_icount, e->label, e->start_order, e->end_order);
  for (w = dg_log_windows (log, &n); n > 0; n--, w++)
    P ("window %" PRIu64 " %d %u order %u\n", w->icount, w->on, w->why,
       w->order);
  for (c = dg_log_clock (log, &n); n > 0; n--, c++)
    P ("clock %" PRIu64 " %" PRIu64 "\n", c->icount, c->ns);
}

char *
describe_contents (const struct dg_log *log, bool with_offsets)
{
  GString *out = g_string_new (NULL);
  const struct dg_chunk *c;
  size_t n;

  describe_summary (out, log);
  describe_process (out, log);
  describe_definitions (out, log);
  describe_timelines (out, log);
  describe_blocks (out, log);
  describe_memory (out, log);
  describe_modules (out, log);
  for (c = dg_log_chunks (log, &n); n > 0; n--, c++) {
    P ("chunk %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %d\n", c->icount,
       c->accesses, c->runs, c->thread, c->recording);
    if (with_offsets)
      P ("at %" PRIu64 "\n", c->offset);
  }
  if (with_offsets)
    P ("good %" PRIu64 "\n", dg_log_summary (log)->good_bytes);
  return g_string_free (out, FALSE);
}

static void
read_accesses (GString *out, const struct dg_log *log, size_t first,
               size_t end)
{
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, first, end, &err);
  struct dg_access a[256];
  ptrdiff_t n = 0;

  if (!reader) {
    P ("no reader: %s\n", err.message);
    return;
  }
  while ((n = dg_reader_accesses (reader, a, G_N_ELEMENTS (a), &err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++)
      P ("%" PRIu64 " %u %" PRIx64 " %" PRIx64 " %u %u %u\n", a[i].icount,
         a[i].kind, a[i].address, a[i].instruction, a[i].size, a[i].context,
         a[i].thread);
  if (n < 0)
    P ("error %s\n", err.message);
  dg_reader_free (reader);
}

char *
describe_accesses (const struct dg_log *log)
{
  GString *out = g_string_new (NULL);

  read_accesses (out, log, 0, SIZE_MAX);
  return g_string_free (out, FALSE);
}

char *
describe_chunked (const struct dg_log *log)
{
  GString *out = g_string_new (NULL);
  size_t n;

  dg_log_chunks (log, &n);
  for (size_t i = 0; i < n; i++)
    read_accesses (out, log, i, i + 1);
  return g_string_free (out, FALSE);
}

char *
describe_sps (const struct dg_log *log)
{
  GString *out = g_string_new (NULL);
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_run run;
  int code = 0;

  while (reader && (code = dg_reader_run (reader, &run, &err)) > 0)
    for (unsigned i = 0; i < run.n_sps; i++) {
      const struct dg_sp_entry *sp = &run.bbdef->sps[i];

      P ("%" PRIu64 " %u %" PRIx64 "\n", run.icount + sp->iseq, run.thread,
         run.addresses[sp->entry]);
    }
  if (!reader || code < 0)
    P ("error %s\n", err.message);
  dg_reader_free (reader);
  return g_string_free (out, FALSE);
}

char *
describe_records (const struct dg_log *log)
{
  GString *out = g_string_new (NULL);
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_record r;
  int code = 0;

  while (reader && (code = dg_reader_record (reader, &r, &err)) > 0) {
    const char *name = dg_record_name (r.type);

    P ("%s %" PRIu64 " %u:", name ? name : "?", r.icount, r.thread);
    for (uint32_t i = 0; i < r.n_words; i++)
      P (" %" PRIx64, r.words[i]);
    for (uint32_t i = 0; i < r.n_strings; i++)
      P (" %s", r.strings[i]);
    P ("\n");
  }
  if (!reader || code < 0)
    P ("error %s\n", err.message);
  dg_reader_free (reader);
  return g_string_free (out, FALSE);
}
