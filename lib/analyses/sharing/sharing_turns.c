/* sharing_turns.c: since when threads could have run, while others did.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_turns.h"

#include "symbols/symbols_special.h"

#include <string.h>

/* Functions inlined into each other, and callers, that are looked at.  */
#define MOST_INLINED 8
#define MOST_CALLERS 3

/* ---- How blocks end ----------------------------------------------------- */

enum end {
  END_UNKNOWN,
  END_PLAIN,               /* the thread could have run on */
  END_WAKES,               /* a system call that does not wait but lets
                              others in: its thread may wait soon, or run on */
  END_WAITS                /* another system call, which may wait */
};

void
sharing_block_ends_init (struct sharing_block_ends *ends,
                         const struct dg_log *log, struct dg_symbols *symbols)
{
  ends->log = log;
  ends->symbols = symbols;
  ends->ends = g_array_new (FALSE, TRUE, 1);
}

void
sharing_block_ends_fini (struct sharing_block_ends *ends)
{
  g_clear_pointer (&ends->ends, g_array_unref);
}

/* Whether a name contains a word, and neither a letter nor a digit stands
   before the word: "__lll_lock_wait" contains "lock_wait", "block_wait" does
   not.  */
static bool
is_word_of (const char *name, const char *word)
{
  for (const char *at = name; (at = strstr (at, word)) != NULL; at++)
    if (at == name || !g_ascii_isalnum (at[-1]))
      return true;
  return false;
}

/* Whether a function at an address has one of the words in its name, or one
   that is inlined into it.  */
static bool
has_word (const struct sharing_block_ends *ends, uint64_t address,
          uint64_t icount, const char *const *words)
{
  struct dg_frame frames[MOST_INLINED];
  size_t n =
    dg_symbols_frames (ends->symbols, address, icount, frames, MOST_INLINED);

  for (; *words != NULL; words++)
    for (size_t i = 0; i < MIN (n, MOST_INLINED); i++)
      if (frames[i].function != NULL
          && is_word_of (frames[i].function, *words))
        return true;
  return false;
}

static enum end
find_end (const struct sharing_block_ends *ends, const struct dg_bbdef *bbdef,
          uint64_t icount)
{
  /* A thread that waits for a lock wants what another thread uses at that
     moment: both run at the same time.  */
  static const char *const runs[] = {"yield", "lock_wait", NULL};
  /* System calls for memory and for new threads do not wait either: Valgrind
     lets another thread run during each system call.  */
  static const char *const wakes[] = {"wake", "unlock", "signal", "broadcast",
                                      "post", "clone", "madvise", "mmap",
                                      "munmap", "mprotect", "brk", "sbrk",
                                      NULL};
  const unsigned last = bbdef->n_instrs - 1u;
  uint64_t address;

  if (bbdef->n_instrs == 0
      || dg_symbols_special (ends->symbols, bbdef, last, icount)
           != DG_SPECIAL_SYSCALL)
    return END_PLAIN;
  address = bbdef->instrs[last].address;
  return has_word (ends, address, icount, runs)    ? END_PLAIN
         : has_word (ends, address, icount, wakes) ? END_WAKES
                                                   : END_WAITS;
}

/* Whether a function that takes a lock has called the system call: without
   debug information, the function that waits for it has no name.  The nearest
   caller that has such a name, or one of those that wait for other things,
   says it.  */
static bool
is_for_lock (const struct sharing_block_ends *ends, uint32_t context,
             uint64_t icount)
{
  static const char *const locks[] = {"mutex_lock", "rwlock", "timedlock",
                                      "lock_slow", "lock_contended",
                                      "runtime.lock2", NULL};
  static const char *const waits[] = {"cond", "sem", "join", "barrier", NULL};
  uint64_t sites[MOST_CALLERS];
  size_t n = dg_log_path_sites (ends->log,
                                dg_log_context (ends->log, context).path,
                                sites, MOST_CALLERS);

  for (size_t i = 0; i < MIN (n, MOST_CALLERS); i++)
    if (has_word (ends, sites[i], icount, locks))
      return true;
    else if (has_word (ends, sites[i], icount, waits))
      return false;
  return false;
}

static enum end
end_of (struct sharing_block_ends *ends, uint32_t context, uint64_t icount)
{
  const struct dg_bbdef *bbdef =
    dg_log_bbdef (ends->log, dg_log_context (ends->log, context).bbdef);
  uint8_t *known;

  if (bbdef->number >= ends->ends->len)
    g_array_set_size (ends->ends, bbdef->number + 1);
  known = &g_array_index (ends->ends, uint8_t, bbdef->number);
  if (*known == END_UNKNOWN)
    *known = find_end (ends, bbdef, icount);
  return *known == END_WAITS && is_for_lock (ends, context, icount)
           ? END_PLAIN : *known;
}

/* ---- Turns -------------------------------------------------------------- */

void
sharing_turns_fini (struct sharing_turns *turns)
{
  dg_table_fini (&turns->ready);
  dg_lookup_fini (&turns->lookup);
}

/* NULL: the thread has not stopped.  */
static struct sharing_ready *
find_ready (const struct sharing_turns *turns, uint32_t thread)
{
  struct sharing_ready *all = turns->ready.items;
  struct dg_probe probe = dg_lookup_probe (&turns->lookup, dg_hash (thread));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (all[i].thread == thread)
      return &all[i];
  return NULL;
}

void
sharing_turns_set (struct sharing_turns *turns, uint32_t thread,
                   uint64_t moment)
{
  struct sharing_ready *ready = find_ready (turns, thread);

  if (ready == NULL)
    ready = dg_lookup_add_item (&turns->lookup, dg_hash (thread),
                                &turns->ready, sizeof *ready);
  if (ready != NULL)
    *ready = (struct sharing_ready){ moment, thread };
  else
    turns->failed = true;
}

uint64_t
sharing_turns_ready (const struct sharing_turns *turns,
                     const struct dg_log *log, uint32_t number)
{
  const struct sharing_ready *ready = find_ready (turns, number);
  const struct dg_thread *thread;

  if (ready != NULL && ready->moment != SHARING_UNKNOWN)
    return ready->moment;
  thread = dg_log_thread (log, number);
  return thread != NULL && thread->start_icount >= turns->begin
           ? thread->start_icount : SHARING_UNKNOWN;
}

void
sharing_turns_begin (struct sharing_turns *turns,
                     struct sharing_block_ends *ends, const struct dg_run *run)
{
  if (turns->thread == 0) {
    turns->begin = run->icount;
  } else {
    enum end end = end_of (ends, turns->latest, run->icount);

    sharing_turns_set (turns, turns->thread,
                       end == END_WAITS   ? SHARING_WAITS
                       : end == END_WAKES ? SHARING_PERHAPS
                                          : run->icount);
  }
  turns->thread = run->thread;
  turns->since = sharing_turns_ready (turns, ends->log, run->thread);
}

void
sharing_turns_append (struct sharing_turns *turns,
                      const struct sharing_turns *later)
{
  const struct sharing_ready *ready = later->ready.items;

  for (size_t i = 0; i < later->ready.n; i++)
    if (ready[i].moment != SHARING_UNKNOWN)
      sharing_turns_set (turns, ready[i].thread, ready[i].moment);
  /* Its turn goes on in the next part, or has ended here somehow.  */
  if (later->thread != 0)
    sharing_turns_set (turns, later->thread, SHARING_PERHAPS);
  turns->failed = turns->failed || later->failed;
}
