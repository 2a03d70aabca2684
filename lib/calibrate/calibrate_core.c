/* calibrate_core.c: loops in registers and in the first cache.

   Each run has some ten thousand operations: a fraction of a millisecond,
   which is long for the clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate_core.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "calibrate_keep.h"

#define ROUNDS 4000
/* Words of 64 outcomes of branches.  */
#define WORDS  512
#define COPIES 1000
/* Cells that are written and read in turn, a power of two.  */
#define ORDER  1024
#define CELLS  8
#define LINE   64
#define MOST_COPIED 8192

struct state {
  uint64_t one, large, small;    /* not known to the compiler */
  double float_one, float_step;
  volatile uint64_t cells[16];
  volatile uint64_t *volatile at[2];   /* both are those cells */
  uint64_t outcomes[WORDS];
  uint64_t random;               /* never 0 */
  uint8_t order[ORDER];          /* of cells, at random, below 2 * CELLS */
  size_t size;                   /* to copy */
  char *from, *to;               /* at multiples of a line */
  char copied[2 * MOST_COPIED + LINE];
};

/* ---- Registers ---- */

static void
run_multiply (void *user)
{
  const struct state *state = user;
  uint64_t x = state->one, y = state->one;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x *= y; KEEP (x);)
  }
}

/* One cycle of each is that of the `or`, which makes the next dividend as
   large.  */
static void
run_divide (void *user)
{
  const struct state *state = user;
  uint64_t large = state->large, x = large, y = state->small;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x = x / y | large; KEEP (x);)
  }
}

static void
run_float_add (void *user)
{
  const struct state *state = user;
  double x = state->float_one, y = state->float_one;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x += y; KEEP_FLOAT (x);)
  }
}

static void
run_float_multiply (void *user)
{
  const struct state *state = user;
  double x = state->float_one, y = state->float_one;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x *= y; KEEP_FLOAT (x);)
  }
}

static void
run_float_divide (void *user)
{
  const struct state *state = user;
  double x = state->float_one, y = state->float_step;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x /= y; KEEP_FLOAT (x);)
  }
}

/* With an addition, so that the root is not that of 1.  */
static void
run_root (void *user)
{
  const struct state *state = user;
  double x = state->float_one, y = state->float_step;

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (x = sqrt (x) + y; KEEP_FLOAT (x);)
  }
}

/* Four additions, two loads and two additions of floating-point numbers, of
   which none waits for another of the same round: more units than one kind
   has.  */
static void
run_width (void *user)
{
  struct state *state = user;
  size_t a = 1, b = 1, c = 1, d = 1, y = state->one;
  double p = 1, q = 1, r = 1, s = 1, t = 1, u = 1, z = state->float_one;
  const volatile uint64_t *cell = state->cells;

  KEEP (cell);
#define FOUR_ADDITIONS \
  a += y; KEEP (a); b += y; KEEP (b); c += y; KEEP (c); d += y; KEEP (d);
#define TWO_LOADS (void) cell[0]; (void) cell[1];
  for (unsigned i = 0; i < ROUNDS / 4; i++) {
    TIMES16 (
      FOUR_ADDITIONS TWO_LOADS
      p += z; KEEP_FLOAT (p); q += z; KEEP_FLOAT (q);
      FOUR_ADDITIONS TWO_LOADS
      r += z; KEEP_FLOAT (r); s += z; KEEP_FLOAT (s);
      FOUR_ADDITIONS TWO_LOADS
      t += z; KEEP_FLOAT (t); u += z; KEEP_FLOAT (u);)
  }
}

/* ---- Memory that was just written ---- */

static void
run_locked (void *user)
{
  struct state *state = user;
  uint64_t *cell = (uint64_t *) &state->cells[0];

  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (__atomic_fetch_add (cell, 1, __ATOMIC_SEQ_CST);)
  }
}

/* The address of the load is in another register than that of the store, and
   is another one each time.  */
static void
run_forward (void *user)
{
  struct state *state = user;
  volatile uint64_t *store = state->at[0], *load = state->at[1];
  const uint8_t *order = state->order;
  uint64_t x = state->one, y = state->one;

  for (unsigned i = 0; i < ROUNDS; i++) {
    const uint8_t *cell = order + i * 16 % ORDER;

    TIMES16 (store[*cell % CELLS] = x; x = load[*cell % CELLS]; x += y;
             KEEP (x); cell++;)
  }
}

/* Of two stores, only one is to the cell that is loaded, and it cannot be
   foreseen which.  */
static void
run_forward_either (void *user)
{
  struct state *state = user;
  volatile uint64_t *store = state->at[0], *load = state->at[1];
  const uint8_t *order = state->order;
  uint64_t x = state->one, y = state->one;

  for (unsigned i = 0; i < ROUNDS; i++) {
    const uint8_t *cell = order + i * 16 % ORDER;

    TIMES16 (store[*cell & CELLS] = x; store[~*cell & CELLS] = x;
             x = load[0]; x += y; KEEP (x); cell++;)
  }
}

static void
run_forward_same (void *user)
{
  struct state *state = user;
  volatile uint64_t *at = state->cells;
  uint64_t x = state->one, y = state->one;

  KEEP (at);
  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (at[1] = x; x = at[1]; x += y; KEEP (x);)
  }
}

static void
run_forward_fails (void *user)
{
  struct state *state = user;
  volatile uint64_t *word = &state->cells[2];
  volatile uint8_t *byte = (volatile uint8_t *) word + 3;
  uint64_t x = state->one, y = state->one;

  KEEP (word);
  KEEP (byte);
  for (unsigned i = 0; i < ROUNDS; i++) {
    TIMES16 (*byte = (uint8_t) x; x = *word; x += y; KEEP (x);)
  }
}

/* ---- Branches ---- */

static void
make_outcomes (void *user)
{
  struct state *state = user;

  for (unsigned i = 0; i < WORDS; i++) {
    state->random ^= state->random << 13;
    state->random ^= state->random >> 7;
    state->random ^= state->random << 17;
    state->outcomes[i] = state->random;
  }
}

/* 64 branches, so that none of them is that of a loop.  */
static void
run_branches (void *user)
{
  const struct state *state = user;
  uint64_t x = 0, y = state->one, bits;

  for (unsigned i = 0; i < WORDS; i++) {
    bits = state->outcomes[i];
    TIMES64 (if (bits & 1) { x += y; KEEP (x); } bits >>= 1; KEEP (bits);)
  }
}

/* ---- All ---- */

static struct state *
state_new (void)
{
  struct state *state = g_new0 (struct state, 1);

  state->one = 1;
  state->at[0] = state->at[1] = state->cells;
  state->large = (uint64_t) 0x5f3759df << 9;
  state->small = 1021;
  state->float_one = 1;
  state->float_step = 1.0000001;
  state->random = 88172645463325252u;
  make_outcomes (state);
  for (unsigned i = 0; i < ORDER; i++)
    state->order[i] = (uint8_t) (state->outcomes[i / 2 % WORDS]
                                 >> (8 + i % 2 * 8) & (2 * CELLS - 1));
  memset (state->outcomes, 0, sizeof state->outcomes);
  state->from = state->copied + LINE - (uintptr_t) state->copied % LINE;
  state->to = state->from + MOST_COPIED;
  KEEP (state);
  return state;
}

bool
dg_calibrate_core_measure (struct dg_calibrate_clock *clock,
                           enum dg_calibrate_core which,
                           struct dg_calibrate_sample *sample)
{
  static const struct {
    void (*run) (void *user);
    void (*prepare) (void *user);
    double operations;
    bool is_float;
  } loops[DG_CALIBRATE_CORES] = {
    [DG_CALIBRATE_WIDTH] = {run_width, NULL, ROUNDS / 4 * 16.0 * 24, true},
    [DG_CALIBRATE_MULTIPLY] = {run_multiply, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_DIVIDE] = {run_divide, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_FLOAT_ADD] = {run_float_add, NULL, ROUNDS * 16.0, true},
    [DG_CALIBRATE_FLOAT_MULTIPLY]
    = {run_float_multiply, NULL, ROUNDS * 16.0, true},
    [DG_CALIBRATE_FLOAT_DIVIDE]
    = {run_float_divide, NULL, ROUNDS * 16.0, true},
    [DG_CALIBRATE_ROOT] = {run_root, NULL, ROUNDS * 16.0, true},
    [DG_CALIBRATE_LOCKED] = {run_locked, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_FORWARD] = {run_forward, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_FORWARD_EITHER]
    = {run_forward_either, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_FORWARD_SAME]
    = {run_forward_same, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_FORWARD_FAILS]
    = {run_forward_fails, NULL, ROUNDS * 16.0, false},
    [DG_CALIBRATE_BRANCH_RANDOM]
    = {run_branches, make_outcomes, WORDS * 64.0, false},
    [DG_CALIBRATE_BRANCH_KNOWN] = {run_branches, NULL, WORDS * 64.0, false},
  };
  struct dg_calibrate_loop loop;
  struct state *state;

  if (loops[which].is_float && !CALIBRATE_FLOATS)
    return false;
  state = state_new ();
  loop = (struct dg_calibrate_loop) {loops[which].prepare, loops[which].run,
                                     state, loops[which].operations};
  /* Code, predictors and the frequency are warm then.  */
  loop.run (state);
  *sample = dg_calibrate_measure (clock, &loop);
  g_free (state);
  return true;
}

#if defined (__x86_64__) || defined (__i386__)
static void
run_repeat (void *user)
{
  struct state *state = user;

  for (unsigned i = 0; i < COPIES; i++) {
    void *to = state->to, *from = state->from;
    size_t n = state->size;

    __asm__ volatile ("rep movsb" : "+D" (to), "+S" (from), "+c" (n)
                      : : "memory");
  }
}
#endif

bool
dg_calibrate_core_repeat (struct dg_calibrate_clock *clock, size_t size,
                          struct dg_calibrate_sample *sample)
{
#if defined (__x86_64__) || defined (__i386__)
  struct state *state = state_new ();
  struct dg_calibrate_loop loop = {NULL, run_repeat, state, COPIES};

  g_assert (size <= MOST_COPIED);
  state->size = size;
  loop.run (state);
  *sample = dg_calibrate_measure (clock, &loop);
  g_free (state);
  return true;
#else
  (void) clock;
  (void) size;
  (void) sample;
  return false;
#endif
}
