/* unpack_forms.c: how the addresses of a head's runs follow from the values of
   its block's words, put together when the head is met (unpack_addresses.c,
   unpack_avx2.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/aligned.h"
#include "base/error.h"
#include "unpack_state.h"

/* Words of a block with some more behind them, which are always 0.  */
static inline uint32_t
padded (uint32_t n_words)
{
  return (n_words + DG_FORM_WORDS) / DG_FORM_WORDS * DG_FORM_WORDS;
}

static bool
grow_forms (struct dg_unpacker *unpacker)
{
  size_t room = unpacker->n_heads * (size_t) 2 + 256;
  struct dg_unpack_form *forms;

  if (unpacker->n_heads <= unpacker->forms_room)
    return true;
  forms = dg_aligned_grow (unpacker->forms, sizeof *forms,
                           unpacker->n_forms * sizeof *forms,
                           room * sizeof *forms);
  if (!forms)
    return false;
  unpacker->forms = forms;
  unpacker->forms_room = room;
  return true;
}

/* Where the words of a block are.  */
static bool
find_values (struct dg_unpacker *unpacker, uint32_t block, uint32_t *place)
{
  uint32_t *of = &unpacker->blocks[block];

  if (*of == 0) {
    size_t n = unpacker->n_values;
    size_t more = 2 * padded (unpacker->program.blocks[block]->n_words);

    if (n + more >= UINT32_MAX)
      return false;
    if (n + more > unpacker->values_room) {
      size_t room = (n + more + n / 2 + 1024) / 8 * 8;
      uint64_t *values = dg_aligned_grow (unpacker->values, 64,
                                          n * sizeof *values,
                                          room * sizeof *values);

      if (!values)
        return false;
      unpacker->values = values;
      unpacker->values_room = room;
    }
    memset (unpacker->values + n, 0, more * sizeof *unpacker->values);
    unpacker->n_values += more;
    *of = n + 1;
  }
  *place = *of - 1;
  return true;
}

static void
fill_first (struct dg_unpack_form *form,
            const struct dg_program_entry *entries, unsigned n, unsigned zero)
{
  for (unsigned i = 0; i < n; i++) {
    unsigned value = entries[i].word;

    value = value == DG_PROGRAM_NO_WORD ? zero : value;
    if (value >= DG_FORM_WORDS) {
      form->kind = DG_FORM_LISTED;
      return;
    }
    form->pick[2 * i] = 2 * value;
    form->pick[2 * i + 1] = 2 * value + 1;
    form->disp[i] = entries[i].disp;
  }
}

static bool
add_form (struct dg_unpacker *unpacker, size_t number)
{
  uint32_t number_of = dg_run_variant (unpacker->heads[number].head);
  const struct dg_program_variant *variant =
    &unpacker->program.variants[number_of];
  const struct dg_program_block *block =
    unpacker->program.blocks[variant->block];
  const struct dg_program_entry *entries = block->entries;
  unsigned n = MIN (variant->n_entries, DG_FORM_ADDRESSES);
  struct dg_unpack_form form
    = { .sums = variant->n_words | (uint64_t) variant->n_instrs << 32,
        .block = variant->block,
        .strides = padded (block->n_words) / DG_FORM_WORDS,
        .n_entries = variant->n_entries,
        .group = MIN (variant->n_words, DG_FORM_WORDS),
        .kind = variant->n_words > DG_FORM_WORDS || variant->n_entries > n
                  ? DG_FORM_LONG : DG_FORM_SHORT };

  if (!find_values (unpacker, variant->block, &form.place))
    return false;
  fill_first (&form, entries, n, block->n_words);
  for (unsigned i = 0; i < variant->n_entries; i++)
    if (entries[i].guarded && entries[i].word != DG_PROGRAM_NO_WORD)
      form.kind = DG_FORM_GUARDED;
  unpacker->forms[number] = form;
  return true;
}

int
dg_unpacker_add_forms (struct dg_unpacker *unpacker, struct dg_error *err)
{
  size_t i = unpacker->n_forms;

  if (i == unpacker->n_heads)
    return 0;
  if (!grow_forms (unpacker))
    return dg_error_nomem (err);
  if (i == 0)
    unpacker->forms[i++] = (struct dg_unpack_form){.place = 0};
  for (; i < unpacker->n_heads; i++)
    if (!add_form (unpacker, i))
      return dg_error_nomem (err);
  unpacker->n_forms = i;
  return 0;
}
