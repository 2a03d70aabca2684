/* invariants_calls.c: blocks, contexts, and how one run of a thread follows
   the other.

   A log does not say what an instruction is, and after a whole block a program
   may be anywhere.  But a call path that no run had before can only have come
   about by a call: its innermost site is the end of what ran just before, the
   rest of it is the path of that, and the call wrote its return address to
   the thread's stack.  And a run that left its last instruction before that
   was done (a repeated one, at count zero) goes on behind it.

   Paths that were there before may come back in any way (returns, longjmp,
   exceptions, coroutines).  Nothing is asked of a thread's first run, after a
   signal, and where runs are left out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "invariants.h"

#include <inttypes.h>
#include <string.h>

#include "format/decode.h"
#include "base/error.h"
#include "log/arch.h"
#include "space/space_cover.h"

/* A call path: the sites of a context.  */
struct path {
  uint32_t n;
  uint64_t sites[DG_STACK_MAX];
};

struct inv_calls {
  uint64_t n_contexts, n_bbdefs;
  bool *has_run;           /* by path */
  bool *has_block_run;     /* by block */
  bool checks_paths;
  bool pushes;             /* calls write a return address */
  bool begins_again;       /* instructions may, that were left early */
  uint64_t mask;           /* of addresses */
  uint64_t place;          /* of those of code, without their generation */
  unsigned word_size, max_depth;
  struct dg_cover *code;   /* what may be executed; NULL: unknown */
};

static void
path_of (const struct dg_log *log, uint32_t context, struct path *path)
{
  path->n = dg_log_path_sites (log, dg_log_context (log, context).path,
                               path->sites, DG_STACK_MAX);
}

/* ---- Beginning ---- */

/* The mappings that may be executed.  */
static int
cover_code (struct inv_calls *calls, const struct dg_log *log)
{
  size_t n, n_rects = 0;
  const struct dg_mapping *maps = dg_log_mappings (log, &n);
  struct dg_rect *rects = g_try_new (struct dg_rect, n + 1);
  int code = 0;

  if (rects == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    if (maps[i].protection & DG_PROT_EXEC)
      rects[n_rects++] = dg_rect_make (maps[i].address, maps[i].size,
                                       maps[i].start_icount,
                                       maps[i].end_icount, i);
  if (n_rects > 0)
    code = dg_cover_new (rects, n_rects, &calls->code);
  g_free (rects);
  return code;
}

struct inv_calls *
invariants_calls_new (const struct dg_log *log, struct dg_error *err)
{
  const struct dg_process *process = dg_log_process (log);
  const struct dg_summary *summary = dg_log_summary (log);
  struct inv_calls *calls = g_new0 (struct inv_calls, 1);

  calls->n_contexts = summary->contexts;
  calls->n_bbdefs = summary->bbdefs;
  calls->word_size = dg_log_header (log)->word_size;
  calls->mask = calls->word_size == 8 ? UINT64_MAX : UINT32_MAX;
  calls->place = calls->mask & DG_PLACE_MASK;
  calls->max_depth = UINT8_MAX - 1;
  if (process != NULL) {
    calls->pushes = dg_arch_of (log)->call_pushes;
    calls->begins_again = dg_arch_of (log)->begins_again;
    calls->max_depth = process->stack_depth;
    /* Where calls were left out or folded, paths are not what they seem.  */
    calls->checks_paths = summary->lost_calls == 0
                          && !(process->flags & DG_PROCESS_FOLDED);
  }
  calls->has_run = g_try_new0 (bool, (size_t) dg_log_n_call_paths (log) + 1);
  calls->has_block_run = g_try_new0 (bool, calls->n_bbdefs + 1);
  if (calls->has_run != NULL && calls->has_block_run != NULL
      && cover_code (calls, log) == 0)
    return calls;
  invariants_calls_free (calls);
  dg_error_nomem (err);
  return NULL;
}

void
invariants_calls_free (struct inv_calls *calls)
{
  if (calls == NULL)
    return;
  dg_cover_free (calls->code);
  g_free (calls->has_run);
  g_free (calls->has_block_run);
  g_free (calls);
}

/* ---- Definitions ---- */

static void
take_block (struct invariants *inv)
{
  const struct dg_bbdef *bbdef;

  if (inv->bbdefs >= inv->calls->n_bbdefs)
    return;
  bbdef = dg_log_bbdef (inv->log, inv->bbdefs);
  for (unsigned i = 0; i < bbdef->n_instrs; i++)
    if (bbdef->instrs[i].size == 0)
      invariants_find (inv, INV_BLOCK,
                       "block %" PRIu64 " has an instruction of no "
                       "bytes at 0x%" PRIx64,
                       inv->bbdefs, bbdef->instrs[i].address);
  for (unsigned i = 0; i < bbdef->n_slots; i++)
    if (bbdef->slots[i].size == 0)
      invariants_find (inv, INV_BLOCK,
                       "block %" PRIu64 " has an access of no bytes "
                       "at 0x%" PRIx64,
                       inv->bbdefs,
                       bbdef->instrs[bbdef->slots[i].iseq].address);
}

static void
take_context (struct invariants *inv)
{
  const struct dg_bbdef *bbdef;
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack;

  if (inv->contexts >= inv->calls->n_contexts)
    return;
  bbdef = dg_log_bbdef (inv->log,
                        dg_log_context (inv->log, inv->contexts).bbdef);
  n_stack = dg_log_context_stack (inv->log, inv->contexts, stack);
  if (n_stack > 0 && bbdef->n_instrs > 0
      && stack[0] != bbdef->instrs[0].address)
    invariants_find (inv, INV_CONTEXT,
                     "context %" PRIu64 " begins at 0x%" PRIx64
                     ", its block at 0x%" PRIx64,
                     inv->contexts, stack[0], bbdef->instrs[0].address);
}

/* ---- Runs ---- */

/* Behind the last instruction that the thread executed.  */
static const struct dg_instr *
last_instr (const struct invariants *inv, const struct inv_thread *thread)
{
  const struct dg_context context
    = dg_log_context (inv->log, thread->context);

  return &dg_log_bbdef (inv->log, context.bbdef)->instrs[thread->n_instrs - 1];
}

static uint64_t
end_of_last (const struct invariants *inv, const struct inv_thread *thread)
{
  const struct dg_instr *instr = last_instr (inv, thread);

  return (instr->address + instr->size) & inv->calls->place;
}

/* A run that was left within an instruction goes on behind it, or with it
   once more.  */
static bool
goes_on (const struct invariants *inv, const struct inv_thread *thread,
         uint64_t address)
{
  uint64_t place = inv->calls->place;

  return (address & place) == end_of_last (inv, thread)
         || (inv->calls->begins_again
             && ((address ^ last_instr (inv, thread)->address) & place) == 0);
}

/* Is this path that of before with one more call?  */
static bool
is_call (const struct inv_calls *calls, const struct path *path,
         const struct path *before)
{
  if (path->n == 0
      || (path->n != before->n + 1
          && (path->n != calls->max_depth || before->n != path->n)))
    return false;
  return path->n == 1
         || memcmp (path->sites + 1, before->sites,
                    (path->n - 1) * sizeof *path->sites) == 0;
}

/* The return address is not written to the stack of another thread.  */
static void
check_pushed (struct invariants *inv, const struct inv_thread *thread)
{
  GHashTableIter iter;
  gpointer value;

  if (thread->pushed == 0) {
    invariants_find (inv, INV_CALL, "a call wrote no return address");
    return;
  }
  g_hash_table_iter_init (&iter, inv->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct inv_thread *other = value;

    if (other != thread && other->is_started && !other->is_ended
        && thread->pushed >= other->stack_low
        && thread->pushed < other->stack_high
        && (thread->pushed < thread->stack_low
            || thread->pushed >= thread->stack_high))
      invariants_find (inv, INV_STACK,
                       "a call wrote its return address to 0x%" PRIx64
                       ", which is in the stack of thread %u",
                       thread->pushed, other->number);
  }
}

/* A path that no run had before.  */
static void
check_path (struct invariants *inv, uint32_t context)
{
  const struct inv_calls *calls = inv->calls;
  const struct inv_thread *thread = inv->thread;
  uint64_t end = end_of_last (inv, thread);
  struct path path, before;

  path_of (inv->log, context, &path);
  path_of (inv->log, thread->context, &before);
  /* A coroutine begins without one, and functions of scripts are entered by
     their interpreter.  */
  if (path.n == 0 || DG_IS_SCRIPT (path.sites[0]))
    return;
  if (!is_call (calls, &path, &before))
    invariants_find (inv, INV_CALL,
                     "the path of context %u was entered without a "
                     "call from context %u",
                     context, thread->context);
  else if (((path.sites[0] + 1) & calls->place) != end)
    invariants_find (inv, INV_CALL,
                     "the call of context %u returns to 0x%" PRIx64
                     ", but the caller ended at 0x%" PRIx64,
                     context, path.sites[0] + 1, end);
  else if (calls->pushes)
    check_pushed (inv, thread);
}

static void
check_code (struct invariants *inv, uint32_t number,
            const struct dg_bbdef *bbdef)
{
  struct inv_calls *calls = inv->calls;

  if (calls->has_block_run[number] || bbdef->n_instrs == 0)
    return;
  calls->has_block_run[number] = true;
  if (calls->code != NULL
      && !dg_cover_overlaps (calls->code,
                             bbdef->instrs[0].address & calls->place, 1,
                             inv->icount))
    invariants_find (inv, INV_CODE, "block %u at 0x%" PRIx64
                     " ran in memory that is not executable", number,
                     bbdef->instrs[0].address);
}

/* The run's accesses; how many entries it has.  */
static void
take_accesses (struct invariants *inv, const struct dg_bbdef *bbdef,
               const uint64_t *addresses, unsigned n, unsigned last)
{
  const struct inv_calls *calls = inv->calls;
  struct inv_thread *thread = inv->thread;

  thread->pushed = 0;
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    unsigned end = dg_slot_end (slot);
    uint64_t address;

    if (end > n)
      break;
    address = addresses[slot->entry];
    if (address == 0)
      continue;
    thread->reads += slot->kind == DG_ACC_READ;
    thread->writes += slot->kind == DG_ACC_WRITE;
    if (slot->size > 0 && slot->size - UINT64_C (1) > calls->mask - address)
      invariants_find (inv, INV_ACCESS, "an access of %u bytes at 0x%" PRIx64
                       " goes beyond the address space", slot->size, address);
    if (slot->kind == DG_ACC_WRITE && slot->iseq == last
        && slot->size == calls->word_size)
      thread->pushed = address;
  }
}

static void
take_run (struct invariants *inv, const struct dg_record *rec)
{
  struct inv_calls *calls = inv->calls;
  struct inv_thread *thread = inv->thread;
  uint32_t context = rec->words[0];
  const struct dg_context of = dg_log_context (inv->log, context);
  const struct dg_bbdef *bbdef = dg_log_bbdef (inv->log, of.bbdef);
  unsigned n_instrs = rec->words[1], n_entries = rec->n_words - 2;

  if (n_instrs == 0)
    return;
  check_code (inv, of.bbdef, bbdef);
  if (thread->generation == inv->generation) {
    if (thread->left_early
        && !goes_on (inv, thread, bbdef->instrs[0].address))
      invariants_find (inv, INV_CONTINUITY,
                       "a run that stopped early at 0x%" PRIx64
                       ", continues at 0x%" PRIx64,
                       end_of_last (inv, thread), bbdef->instrs[0].address);
    if (calls->checks_paths && !calls->has_run[of.path])
      check_path (inv, context);
  }
  calls->has_run[of.path] = true;
  thread->generation = inv->generation;
  thread->context = context;
  thread->n_instrs = n_instrs;
  thread->left_early = n_entries < dg_bbdef_entries (bbdef, n_instrs);
  thread->instructions += n_instrs;
  take_accesses (inv, bbdef, rec->words + 2, n_entries, n_instrs - 1);
}

void
invariants_calls_take (struct invariants *inv, const struct dg_record *rec)
{
  switch (rec->type) {
  case DG_R_BBRUN:
    inv->runs++;
    take_run (inv, rec);
    break;
  case DG_R_BBDEF:
    take_block (inv);
    inv->bbdefs++;
    break;
  case DG_R_CONTEXT:
    take_context (inv);
    inv->contexts++;
    break;
  default:
    break;
  }
}
