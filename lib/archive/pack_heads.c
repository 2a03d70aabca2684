/* pack_heads.c: the heads of a chunk's runs, each once, with what is known of
   its block and variant.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/aligned.h"
#include "base/error.h"
#include "base/hash.h"
#include "pack_state.h"

/* Heads are looked up in a table of slots, a power of two, of which at most
   half are used.  A slot is no more than a head's number and some bits of its
   hash, or 0: so the table of a large program stays in a near cache, while
   most of the heads that are looked up are new and are not there.  */
#define SLOTS_FIRST ((uint32_t) 1 << 10)
#define TAG_BITS 9

_Static_assert (DG_PACK_WORDS_MAX < 1u << (32 - TAG_BITS), "numbers");

/* Room for one more head.  */
static bool
grow_heads (struct dg_packer *packer)
{
  size_t room = packer->heads_room * (size_t) 2 + 256;
  struct dg_pack_head *heads;

  if (packer->n_heads < packer->heads_room)
    return true;
  heads = dg_aligned_grow (packer->heads, sizeof *heads,
                           packer->n_heads * sizeof *heads,
                           room * sizeof *heads);
  if (!heads)
    return false;
  packer->heads = heads;
  packer->heads_room = room;
  return true;
}

/* ---- Slots ---- */

/* What is in a slot besides a head's number: other bits of the hash than those
   that say which slot it is.  */
static uint32_t
hash_tag (uint64_t hash)
{
  return (uint32_t) hash >> (32 - TAG_BITS);
}

/* The slot of a head, or the free one where it would go.  */
static uint32_t *
find_slot (const struct dg_packer *packer, uint64_t head, uint64_t hash)
{
  const uint32_t tag = hash_tag (hash), mask = packer->slots_mask;
  uint32_t i = dg_hash_top (hash) & mask;

  for (;; i = (i + 1) & mask) {
    uint32_t slot = packer->slots[i], number = slot >> TAG_BITS;

    if (slot == 0
        || ((slot ^ tag) % (1u << TAG_BITS) == 0
            && packer->heads[number].head == head))
      return &packer->slots[i];
  }
}

/* n slots, all free.  */
static bool
make_slots (struct dg_packer *packer, uint32_t n)
{
  if (!packer->slots || n != packer->slots_mask + 1) {
    uint32_t *slots = g_try_new (uint32_t, n);

    if (!slots)
      return false;
    g_free (packer->slots);
    packer->slots = slots;
    packer->slots_mask = n - 1;
  }
  memset (packer->slots, 0, n * sizeof *packer->slots);
  return true;
}

/* Puts a head into its slot.  */
static void
fill_slot (struct dg_packer *packer, uint32_t number)
{
  uint64_t head = packer->heads[number].head;
  uint64_t hash = dg_hash (head ^ packer->seed);

  *find_slot (packer, head, hash) = number << TAG_BITS | hash_tag (hash);
}

/* Room for one more.  */
static bool
grow_slots (struct dg_packer *packer)
{
  if (packer->n_heads <= packer->slots_mask / 2)
    return true;
  if (!make_slots (packer, 2 * (packer->slots_mask + 1)))
    return false;
  for (uint32_t i = 1; i < packer->n_heads; i++)
    fill_slot (packer, i);
  return true;
}

bool
dg_packer_begin_heads (struct dg_packer *packer)
{
  uint32_t n = packer->slots ? packer->slots_mask + 1 : SLOTS_FIRST;

  if (!packer->slots)
    packer->seed = dg_hash_seed ();
  /* Of a chunk with many heads, not all chunks after it must clear them.  */
  if (n > SLOTS_FIRST && packer->n_heads < n / 8)
    n /= 2;
  packer->n_heads = 0;
  if (!make_slots (packer, n) || !grow_heads (packer))
    return false;
  memset (packer->heads, 0, sizeof *packer->heads);
  packer->n_heads = 1;
  return true;
}

/* ---- Heads ---- */

/* Index of the first word of a block.  */
static int
find_words (struct dg_packer *packer, uint32_t block, uint32_t *words,
            struct dg_error *err)
{
  struct dg_pack_known *known = &packer->blocks[block];

  if (known->chunk != packer->chunk) {
    size_t n = packer->words.n, more = packer->program.blocks[block]->n_words;

    if (n + more > packer->words.room
        && dg_table_reserve (&packer->words, sizeof (struct dg_pack_word),
                             n + more + packer->words.room / 2)
             < 0)
      return dg_error_nomem (err);
    if (more > 0)
      memset ((struct dg_pack_word *) packer->words.items + n, 0,
              more * sizeof (struct dg_pack_word));
    packer->words.n += more;
    known->chunk = packer->chunk;
    known->index = n;
  }
  *words = known->index;
  return 0;
}

static int
find_info (struct dg_packer *packer, uint32_t variant, uint32_t *index,
           struct dg_error *err)
{
  struct dg_pack_known *known = &packer->variants[variant];

  if (known->chunk != packer->chunk) {
    struct dg_pack_info *info = dg_table_add (&packer->infos, sizeof *info);

    if (!info)
      return dg_error_nomem (err);
    if (dg_pack_info_fill (packer, info, variant, err) < 0)
      return DG_ERR_NOMEM;
    known->chunk = packer->chunk;
    known->index = packer->infos.n - 1;
  }
  *index = known->index;
  return 0;
}

/* Does the head, of `left` words and more, name what there is, with as many
   words as there are?  */
static int
check_head (const struct dg_packer *packer, uint64_t head, size_t left,
            struct dg_error *err)
{
  uint32_t number = dg_run_variant (head), node = dg_run_node (head);
  unsigned length;

  if (number == 0 || number >= packer->program.n.variants
      || node >= packer->program.n.nodes)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a run names variant %u of %u and call path %u of "
                         "%u",
                         number, packer->program.n.variants, node,
                         packer->program.n.nodes);
  length = packer->program.variants[number].n_words + 1u;
  if ((head & DG_RUN_LENGTH_MASK)
      != (length > DG_RUN_LENGTH_MASK ? 0 : length))
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a run of variant %u has %u words in its header, not "
                         "%u",
                         number, (unsigned) (head & DG_RUN_LENGTH_MASK),
                         length);
  if (length > left)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "the last run has only %zu of its %u words", left,
                         length);
  return 0;
}

static void
fill_head (const struct dg_packer *packer, struct dg_pack_head *head,
           uint64_t value, uint32_t words, uint32_t info_index)
{
  const struct dg_pack_info *info =
    (const struct dg_pack_info *) packer->infos.items + info_index;

  memcpy (head->sums, info->sums, sizeof head->sums);
  for (unsigned i = 0; i < DG_COPY; i++)
    head->places[i] = words + i;
  head->head = value;
  /* Nothing has followed yet: itself is as good a guess as any.  */
  head->first = head->second = packer->n_heads;
  head->steps = info->steps;
  head->n_steps = info->n_steps;
  head->is_slow = info->is_slow;
  head->has_constants = info->has_constants;
  head->runs = 0;
  head->variant = dg_run_variant (value);
}

/* Adds a head that the chunk meets for the first time, at `run`.  Its number,
   or 0: no memory.  */
static uint32_t
add_head (struct dg_packer *packer, uint64_t head, uint64_t run,
          struct dg_error *err)
{
  uint32_t variant = dg_run_variant (head), words = 0, info = 0;
  uint32_t block = packer->program.variants[variant].block;
  struct dg_pack_new_context *new_context;

  if (find_words (packer, block, &words, err) < 0
      || find_info (packer, variant, &info, err) < 0)
    return 0;
  new_context = dg_table_add (&packer->new_contexts, sizeof *new_context);
  if (!new_context || !grow_heads (packer) || !grow_slots (packer)) {
    dg_error_nomem (err);
    return 0;
  }
  new_context->block = block;
  new_context->node = dg_run_node (head);
  new_context->run = run;
  fill_head (packer, &packer->heads[packer->n_heads], head, words, info);
  fill_slot (packer, packer->n_heads);
  return packer->n_heads++;
}

uint32_t
dg_packer_find (struct dg_packer *packer, uint64_t head, size_t left,
                uint64_t run, int *result, struct dg_error *err)
{
  uint64_t hash = dg_hash (head ^ packer->seed);
  uint32_t number = *find_slot (packer, head, hash) >> TAG_BITS;
  unsigned length = head & DG_RUN_LENGTH_MASK;

  if (G_LIKELY (number != 0 && length != 0 && length <= left))
    return number;
  /* Before anything is changed.  */
  *result = check_head (packer, head, left, err);
  if (*result < 0)
    return 0;
  if (number == 0) {
    number = add_head (packer, head, run, err);
    if (number == 0)
      *result = DG_ERR_NOMEM;
  }
  return number;
}
