/* repeats.c: which superblocks end with an instruction that repeats itself.

   VEX makes a loop of rep movs: a superblock of this one instruction that is
   left to itself, as long as the register with the count is not 0.  The first
   repetition is the end of the superblock before.  A run says by its accesses
   whether the instruction goes on, so nobody has to look at other runs: counts
   are the same in any order, and however the log is divided.

   repe cmps and repne scas may also end after an access, which no run shows.
   But they begin, as a rule, at the end of a superblock with other
   instructions; then the superblock of this instruction alone only repeats it.
   If there is no such superblock, each repetition counts.

   An instruction without a superblock of its own was never repeated.  So these
   are looked at first, of which BBCODE has the bytes of the instruction; then
   others that end where one of them is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "repeats.h"

#include <string.h>

#include "arch.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/table.h"
#include "block_notes.h"
#include "log.h"

/* Such an instruction.  */
struct repeated {
  uint64_t address;
  const struct dg_block_note *note;
  bool is_unknown;         /* at another time, the address had other bytes */
  bool is_begun;           /* it also ends a superblock of several
                              instructions */
  enum dg_arch_repeats how;
};

/* All of them, ascending by address and size.  */
struct all_repeated {
  struct dg_table table;   /* struct repeated */
  uint64_t seen[16];       /* bits by address: most addresses are none */
};

enum dg_repetitions
dg_repeats_wanted (void)
{
  const char *text = g_getenv (DG_REPETITIONS);

  return text != NULL && strcmp (text, "each") == 0 ? DG_REPETITIONS_EACH
                                                    : DG_REPETITIONS_ONCE;
}

int
dg_log_set_repetitions (struct dg_log *log, enum dg_repetitions repetitions,
                        struct dg_error *err)
{
  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  log->repetitions = repetitions;
  return 0;
}

/* ---- Instructions ------------------------------------------------------ */

static unsigned
bit_of (uint64_t address)
{
  return (address ^ address >> 10) & 1023;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const struct repeated *x = a, *y = b;

  return x->address != y->address ? DG_COMPARE (x->address, y->address)
                                  : DG_COMPARE (x->note->n, y->note->n);
}

/* The first one at an address; NULL: there is none.  */
static struct repeated *
find (const struct all_repeated *all, uint64_t address)
{
  struct repeated *items = all->table.items;
  size_t low;

  if ((all->seen[bit_of (address) / 64] >> bit_of (address) % 64 & 1) == 0)
    return NULL;
  low = DG_BISECT (0, all->table.n, i, items[i].address < address);
  return low < all->table.n && items[low].address == address ? &items[low]
                                                             : NULL;
}

/* Marks instructions whose address had other code at another time.  */
static void
note_unknown (const struct all_repeated *all, const struct dg_block_note *note)
{
  struct repeated *first = find (all, note->address);
  const struct repeated *end
    = (struct repeated *) all->table.items + all->table.n;

  for (struct repeated *at = first;
       at != NULL && at < end && at->address == first->address; at++)
    if (at->note->n != note->n
        || memcmp (at->note->bytes, note->bytes, note->n) != 0)
      at->is_unknown = true;
}

static int
collect (const struct dg_table *codes, const struct dg_arch *arch,
         struct all_repeated *all)
{
  const struct dg_block_note *notes = codes->items;

  for (size_t i = 0; i < codes->n; i++) {
    const struct dg_block_note *note = &notes[i];
    enum dg_arch_repeats how
      = note->n_instrs == 1 ? arch->repeats (note->bytes, note->n)
                            : DG_ARCH_REPEATS_NOT;
    struct repeated *repeated;

    if (how == DG_ARCH_REPEATS_NOT)
      continue;
    repeated = dg_table_add (&all->table, sizeof *repeated);
    if (repeated == NULL)
      return DG_ERR_NOMEM;
    *repeated = (struct repeated) { .address = note->address, .note = note,
                                    .how = how };
    all->seen[bit_of (note->address) / 64]
      |= (uint64_t) 1 << bit_of (note->address) % 64;
  }
  if (all->table.n == 0)
    return 0;
  qsort (all->table.items, all->table.n, sizeof (struct repeated), compare);
  for (size_t i = 0; i < codes->n; i++)
    if (notes[i].n_instrs == 1)
      note_unknown (all, &notes[i]);
  return 0;
}

/* ---- Superblocks ------------------------------------------------------- */

/* The instruction that ends one.  */
static struct repeated *
find_last (const struct all_repeated *all, const struct dg_bbdef *bbdef)
{
  const struct dg_instr *last;
  struct repeated *found;

  if (bbdef->n_instrs == 0)
    return NULL;
  last = &bbdef->instrs[bbdef->n_instrs - 1];
  found = find (all, last->address);
  return found != NULL && !found->is_unknown && found->note->n == last->size
           ? found : NULL;
}

static enum dg_repeats
judge (const struct repeated *repeated, const struct dg_bbdef *bbdef)
{
  if (repeated == NULL)
    return DG_REPEATS_NOT;
  if (repeated->how == DG_ARCH_REPEATS_TO_ZERO)
    return DG_REPEATS_TO_ZERO;
  return bbdef->n_instrs == 1 && repeated->is_begun ? DG_REPEATS_FURTHER
                                                    : DG_REPEATS_NOT;
}

static void
note_blocks (struct dg_contents *contents, const struct all_repeated *all)
{
  struct dg_definition **definitions = contents->defs.bbdefs.items;
  size_t n = contents->defs.bbdefs.n;

  for (size_t i = 0; i < n; i++) {
    const struct dg_bbdef *bbdef = &definitions[i]->bbdef;
    struct repeated *repeated
      = bbdef->n_instrs > 1 ? find_last (all, bbdef) : NULL;

    if (repeated != NULL)
      repeated->is_begun = true;
  }
  for (size_t i = contents->n_judged; i < n; i++) {
    struct dg_bbdef *bbdef = &definitions[i]->bbdef;

    bbdef->repeats = judge (find_last (all, bbdef), bbdef);
  }
}

int
dg_repeats_note (struct dg_log *log, struct dg_error *err)
{
  struct dg_contents *contents = &log->contents;
  const struct dg_arch *arch = dg_arch_of (log);
  struct all_repeated all = { .table = { 0 } };
  int code = 0;

  if (arch->repeats != NULL && log->repetitions == DG_REPETITIONS_ONCE)
    code = collect (&contents->codes, arch, &all);
  if (code == 0 && all.table.n > 0)
    note_blocks (contents, &all);
  contents->n_judged = contents->defs.bbdefs.n;
  dg_table_fini (&all.table);
  return code < 0 ? dg_error_nomem (err) : 0;
}
