/* unpack_runs.h: the loop that makes the addresses of runs, for
   unpack_addresses.c and unpack_avx2.c, which include it once each.

   Before that they define, to be inlined:
     RUNS_INLINE   how functions are
     move_group    moves a group of words on
     move_first    the same with a run's first group, and makes its first
                   addresses

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* Only behind runs that are not short is it asked whether the slice is full:
   it has no more than DG_TAKE_RUNS of these.  The first addresses of each are
   made at once; some of them may have to be made again from the entries.  */
RUNS_INLINE void
make_runs (struct dg_unpacker *unpacker, struct dg_unpack_making *making,
           uint64_t mask)
{
  const struct dg_unpack_form *const forms = unpacker->forms;
  uint64_t *const values = unpacker->values;
  struct dg_unpack_making m = *making;

  do {
    const struct dg_unpack_form *form = &forms[*m.numbers++];
    uint64_t *last = values + form->place;
    uint64_t *stride = last + DG_FORM_WORDS * (size_t) form->strides;
    uint32_t first = m.sums;

    move_first (unpacker, &m, form, last, stride,
                dg_unpack_codes_of (dg_unpack_load_codes (m.codes, first),
                                    form->group),
                mask);
    m.sums += form->sums;
    if (form->kind != DG_FORM_SHORT) {
      uint32_t n = (uint32_t) form->sums;

      for (uint32_t i = DG_FORM_WORDS; i < n; i += DG_FORM_WORDS) {
        unsigned part = MIN (n - i, DG_FORM_WORDS);

        move_group (
          unpacker, &m, last + i, stride + i, part,
          dg_unpack_codes_of (dg_unpack_load_codes (m.codes, first + i),
                              part));
      }
      dg_unpack_listed (unpacker, form, last, mask, m.out);
      if ((uint32_t) m.sums >= DG_TAKE_WORDS || m.out >= m.full)
        m.end = m.numbers;
    }
    m.out += form->n_entries;
  } while (m.numbers < m.end);
  *making = m;
}
