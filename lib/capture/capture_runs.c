/* capture_runs.c: copies the runs of a ring for the packer: those of 32-bit
   programs become as wide as others, those of another byte order are swapped,
   and bytes of values are taken apart from words.

   Runs that need none of this are packed where they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_runs.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "dg_ring.h"

#define HEAD_BYTES 8      /* bytes */

int
dg_capture_runs_init (struct dg_capture_runs *runs, struct dg_error *err)
{
  *runs = (struct dg_capture_runs) {
    .words = g_try_malloc (2 * (size_t) DG_RING_MESSAGE_MAX),
    .bytes = g_try_malloc (DG_RING_MESSAGE_MAX + DG_VALUE_SLACK)
  };
  return runs->words && runs->bytes ? 0 : dg_error_nomem (err);
}

void
dg_capture_runs_fini (struct dg_capture_runs *runs)
{
  g_free (runs->words);
  g_free (runs->bytes);
}

/* A run at the beginning of what is left: its parts.  */
struct run {
  uint64_t head;           /* as of a 64-bit program, without the length */
  unsigned n_words;        /* that are copied */
  size_t bytes;            /* offset of those of values */
  size_t n_bytes, size;
};

static int
bad_head (const struct dg_program_view *view, uint64_t head,
          struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED,
                       "a run is of variant %u and node %u, but there are "
                       "only %u and %u", dg_run_variant (head),
                       dg_run_node (head), view->n.variants, view->n.nodes);
}

static inline __attribute__ ((always_inline)) int
find_run (const struct dg_program_view *view, const uint8_t *at, size_t left,
          struct run *run, const unsigned word, const bool swap,
          struct dg_error *err)
{
  const struct dg_program_variant *variant;
  const struct dg_program_block *block;
  uint64_t head;
  size_t n;

  if (left < HEAD_BYTES)
    return dg_error_set (err, DG_ERR_DAMAGED, "a run has %zu bytes", left);
  head = word == 8 ? dg_load_quad (at, swap)
                   : dg_load_word (at, 4, swap)
                       | dg_load_word (at + 4, 4, swap) << 32;
  if (dg_run_variant (head) >= view->n.variants
      || dg_run_node (head) >= view->n.nodes)
    return bad_head (view, head, err);
  variant = &view->variants[dg_run_variant (head)];
  run->head = head & ~(uint64_t) DG_RUN_LENGTH_MASK;
  run->n_words = n = variant->n_words;
  run->n_bytes = variant->value_bytes;
  if (variant->has_values) {
    block = view->blocks[variant->block];
    n = block->n_words;
  }
  run->bytes = HEAD_BYTES + n * word;
  run->size = run->bytes + ((run->n_bytes + word - 1) & ~(size_t) (word - 1));
  if (run->size > left)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a run of %zu bytes is cut short", run->size);
  return 0;
}

static inline __attribute__ ((always_inline)) void
copy_run (struct dg_capture_runs *runs, const uint8_t *at,
          const struct run *run, const unsigned word, const bool swap)
{
  uint64_t *out = runs->words + runs->n_words;
  const uint8_t *from = at + HEAD_BYTES;
  uint8_t *bytes = runs->bytes + runs->n_bytes;
  unsigned n = run->n_words;

  *out++ = run->head | (n + 1 <= DG_RUN_LENGTH_MASK ? n + 1 : 0);
  for (unsigned i = 0; i < n; i++, from += word)
    out[i] = dg_load_word (from, word, swap);
  from = at + run->bytes;
  /* Whole words, which runs consist of, and for which there is room: most have
     few bytes.  */
  for (size_t i = 0; i < run->n_bytes; i += word)
    memcpy (bytes + i, from + i, word);
  runs->n_words += n + 1;
  runs->n_bytes += run->n_bytes;
}

static inline __attribute__ ((always_inline)) int
take (struct dg_capture_runs *runs, const struct dg_program_view *view,
      const uint8_t *at, const uint8_t *end, const unsigned word,
      const bool swap, struct dg_error *err)
{
  while (at < end) {
    struct run run = { 0 };
    int code = find_run (view, at, end - at, &run, word, swap, err);

    if (code < 0)
      return code;
    copy_run (runs, at, &run, word, swap);
    at += run.size;
  }
  return 0;
}

int
dg_capture_runs_take (struct dg_capture_runs *runs,
                      const struct dg_program_view *view,
                      const struct dg_format *format, const uint8_t *payload,
                      uint32_t size, struct dg_error *err)
{
  const uint8_t *end = payload + size;

  g_assert (size <= DG_RING_MESSAGE_MAX);
  runs->n_words = runs->n_bytes = 0;
  if (format->word_size == 4)
    return take (runs, view, payload, end, 4, format->swap, err);
  if (format->swap)
    return take (runs, view, payload, end, 8, true, err);
  return take (runs, view, payload, end, 8, false, err);
}
