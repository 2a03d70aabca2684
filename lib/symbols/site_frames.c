/* site_frames.c: the frames of a stack, from the site on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "site_frames.h"

#include <string.h>

#include "allocator_names.h"
#include "allocators_file.h"
#include "dg_record.h"
#include "symbols_frames.h"

/* The most frames that one code address has.  */
#define MOST_FRAMES 16

bool
dg_site_is_call (uint8_t allocator)
{
  switch (allocator) {
  case DG_ALLOC_MALLOCLIKE:
  case DG_ALLOC_FREELIKE:
  case DG_ALLOC_RESIZE_IN_PLACE:
  case DG_ALLOC_POOL:
  case DG_ALLOC_POOL_FREE:
    return false;
  default:
    return true;
  }
}

/* ---- Frames ----------------------------------------------------------- */

/* Goes over the frames of a stack, from some site on.  */
struct cursor {
  const struct dg_site_options *how;
  const struct dg_stack *stack;
  uint64_t icount;
  uint32_t site;           /* of the next frame */
  size_t at, n;            /* of the frames of that site; n 0: not asked for */
  struct dg_frame frames[MOST_FRAMES];
};

/* False at the end.  */
static bool
next_frame (struct cursor *cursor, struct dg_site_frame *out)
{
  const struct dg_stack *stack = cursor->stack;

  if (cursor->n > 0 && cursor->at == cursor->n) {
    cursor->site++;
    cursor->n = 0;
  }
  if (cursor->site >= stack->n)
    return false;
  if (cursor->n == 0) {
    size_t (*ask) (struct dg_symbols *, uint64_t, uint64_t, struct dg_frame *,
                   size_t) =
      cursor->how->is_plain ? dg_symbols_plain_frames : dg_symbols_frames;

    cursor->at = 0;
    cursor->n = 1;
    memset (&cursor->frames[0], 0, sizeof cursor->frames[0]);
    if (cursor->how->symbols != NULL)
      cursor->n = ask (cursor->how->symbols, stack->sites[cursor->site],
                       cursor->icount, cursor->frames, MOST_FRAMES);
  }
  *out = (struct dg_site_frame){.frame = cursor->frames[cursor->at],
                                .address = stack->sites[cursor->site],
                                .index = cursor->site,
                                .depth = (uint32_t) cursor->at};
  cursor->at++;
  return true;
}

/* What is inlined into a function that is named as an allocator belongs to it,
   other than what the C++ library calls back: the cursor goes to the outermost
   such function of the address.  */
static void
pass_inlined (struct cursor *cursor)
{
  for (size_t k = cursor->n; k-- > cursor->at;) {
    const char *function = cursor->frames[k].function;

    if (function != NULL
        && (dg_allocator_is_known (function)
            || (cursor->how->allocators != NULL
                && dg_allocators_find (cursor->how->allocators, function)
                     != NULL))) {
      cursor->at = k + 1;
      return;
    }
  }
}

/* Stacks of calls begin in the allocator, whose name may not be known; where
   what stands there has another's name, it is taken for what it is.  */
static bool
begins_in_allocator (const struct dg_site_options *how,
                     const struct dg_stack *stack, uint64_t icount)
{
  struct dg_frame frames[MOST_FRAMES];

  if (stack->n < 2)
    return false;
  if (how->symbols == NULL)
    return true;
  dg_symbols_plain_frames (how->symbols, stack->sites[0], icount, frames,
                           MOST_FRAMES);
  return frames[0].function == NULL;
}

/* Puts the cursor before the site and fills *out with it.  */
static void
find_site (struct cursor *cursor, struct dg_site_frame *out)
{
  const struct dg_site_options *how = cursor->how;
  struct cursor found;
  bool is_found = false;

  while (next_frame (cursor, out)) {
    size_t at = cursor->at;

    if (out->depth == 0)
      pass_inlined (cursor);
    if (cursor->at != at
        || dg_frame_is_allocator (how->allocators, &out->frame))
      continue;
    if (how->mine == NULL || dg_mine_has (how->mine, &out->frame))
      return;
    /* It will do if nothing is mine.  */
    if (!is_found) {
      found = *cursor;
      is_found = true;
    }
  }
  /* Of allocators alone, *out is the outermost.  */
  if (is_found) {
    *cursor = found;
    out->depth = (uint32_t) cursor->at - 1;
    out->frame = cursor->frames[out->depth];
    out->address = cursor->stack->sites[cursor->site];
    out->index = cursor->site;
  }
}

/* Whatever called it belongs to how programs begin.  */
static bool
is_start (const struct dg_frame *frame)
{
  static const char *const starts[] = { "main", "MAIN__", "runtime.main",
                                        "__libc_start_main" };

  for (size_t i = 0; frame->function != NULL && i < G_N_ELEMENTS (starts); i++)
    if (strcmp (frame->function, starts[i]) == 0)
      return true;
  return false;
}

/* Between main of Rust and that of C.  */
static bool
is_before_main (const struct dg_frame *frame)
{
  return frame->function != NULL
         && (strstr (frame->function, "__rust_begin_short_backtrace") != NULL
             || g_str_has_prefix (frame->function, "std::rt::lang_start"));
}

/* The frame around the innermost call of Rust's main is the closure that it
   was given as.  */
static size_t
without_closures (const struct dg_site_frame *out, size_t n)
{
  while (n > 1 && out[n - 1].frame.function != NULL
         && g_str_has_prefix (out[n - 1].frame.function,
                              "core::ops::function::FnOnce::call_once"))
    n--;
  return n;
}

size_t
dg_site_frames_list (const struct dg_site_options *how,
                     const struct dg_stack *stack, uint64_t icount,
                     bool is_call, struct dg_site_frame *out, size_t max)
{
  struct cursor cursor = { .how = how, .stack = stack, .icount = icount,
                           .site = is_call
                                   && begins_in_allocator (how, stack,
                                                           icount) };
  size_t n = 1;

  if (stack->n == 0)
    return 0;
  find_site (&cursor, &out[0]);
  if (how->has_inlined && out[0].depth > 0) {
    cursor.at = 1;
    out[0].depth = 0;
    out[0].frame = cursor.frames[0];
  }
  while (n < max && !is_start (&out[n - 1].frame)
         && next_frame (&cursor, &out[n])) {
    if (is_before_main (&out[n].frame))
      return without_closures (out, n);
    n++;
  }
  return n;
}
