/* calibrate_memory.c: loads that follow one another, loads side by side,
   streams, and pages.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate_memory.h"

#include <glib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "calibrate_keep.h"

#define LARGE_PAGE ((size_t) 2 << 20)
/* Loads of a run that follow one another: of small rings, several rounds,
   since the clock has no fine hand; of large ones, a part.  */
#define SMALL_RING  32768
#define SMALL_STEPS 65536
#define LARGE_STEPS 8192
/* Those before the first run, at most: the larger rings need none, since they
   do not fit anyway.  */
#define WARM_STEPS ((size_t) 1 << 19)
#define GATHERED 4096
/* Bytes of a run of a stream, at most.  */
#define STREAMED ((size_t) 4 << 20)
#define TOUCHED_PAGES 256

int
dg_calibrate_memory_init (struct dg_calibrate_memory *memory, size_t bytes,
                          bool is_large, struct dg_error *err)
{
  *memory = (struct dg_calibrate_memory) {
    .bytes = bytes, .mapped = bytes + LARGE_PAGE, .is_large = is_large,
    .random = 88172645463325252u};
  memory->mapping = mmap (NULL, memory->mapped, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory->mapping == MAP_FAILED)
    return dg_error_nomem (err);
  memory->base = (char *) (((uintptr_t) memory->mapping + LARGE_PAGE - 1)
                           & ~(uintptr_t) (LARGE_PAGE - 1));
#if defined (MADV_HUGEPAGE) && defined (MADV_NOHUGEPAGE)
  if (madvise (memory->base, bytes,
               is_large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) < 0)
    memory->is_large = false;
#endif
  return 0;
}

void
dg_calibrate_memory_fini (struct dg_calibrate_memory *memory)
{
  if (memory->base != NULL)
    munmap (memory->mapping, memory->mapped);
  memory->base = NULL;
}

static uint64_t
random_below (struct dg_calibrate_memory *memory, uint64_t n)
{
  memory->random ^= memory->random << 13;
  memory->random ^= memory->random >> 7;
  memory->random ^= memory->random << 17;
  return memory->random % n;
}

/* ---- One after the other ---- */

/* Line i: if lines are on pages of their own, each has another place in its
   page, so that they are in all sets of the first cache.  */
static void **
line_at (const struct dg_calibrate_memory *memory, size_t i, size_t apart)
{
  size_t place = apart >= DG_CALIBRATE_PAGE
                   ? i % (DG_CALIBRATE_PAGE / DG_CALIBRATE_LINE)
                   : 0;

  return (void **) (memory->base + i * apart + place * DG_CALIBRATE_LINE);
}

/* Each line gets the address of another, all in one ring (Sattolo).  First
   the numbers of lines are mixed in the lines themselves.  */
static void
make_ring (struct dg_calibrate_memory *memory, size_t n, size_t apart)
{
  for (size_t i = 0; i < n; i++)
    *line_at (memory, i, apart) = line_at (memory, i, apart);
  for (size_t i = n - 1; i > 0; i--) {
    void **a = line_at (memory, i, apart),
         **b = line_at (memory, random_below (memory, i), apart), *kept = *a;

    *a = *b;
    *b = kept;
  }
}

static void *
follow (void *at, size_t steps)
{
  for (size_t i = 0; i < steps; i += 16) {
    TIMES16 (at = *(void *volatile *) at;)
  }
  return at;
}

struct chase {
  void *at;
  size_t steps;
};

static void
run_chase (void *user)
{
  struct chase *chase = user;

  chase->at = follow (chase->at, chase->steps);
}

struct dg_calibrate_sample
dg_calibrate_chase (struct dg_calibrate_clock *clock,
                    struct dg_calibrate_memory *memory, size_t n, size_t apart)
{
  struct chase chase
    = {.steps = n <= SMALL_RING ? SMALL_STEPS : LARGE_STEPS};
  struct dg_calibrate_loop loop
    = {NULL, run_chase, &chase, (double) chase.steps};

  g_assert (n * apart <= memory->bytes);
  make_ring (memory, n, apart);
  chase.at = follow (*line_at (memory, 0, apart), MIN (2 * n, WARM_STEPS));
  return dg_calibrate_measure (clock, &loop);
}

/* ---- Side by side ---- */

struct gather {
  struct dg_calibrate_memory *memory;
  size_t lines;
  uint32_t index[GATHERED];
  uint64_t sum;
};

static void
choose_lines (void *user)
{
  struct gather *gather = user;

  for (unsigned i = 0; i < GATHERED; i++)
    gather->index[i] = (uint32_t) random_below (gather->memory, gather->lines);
}

static void
run_gather (void *user)
{
  struct gather *gather = user;
  const char *base = gather->memory->base;
  const uint32_t *index = gather->index;
  uint64_t sum = 0;

  for (unsigned i = 0; i < GATHERED; i += 16) {
    TIMES16 (sum += *(const volatile uint64_t *)
                       (base + (size_t) *index++ * DG_CALIBRATE_LINE);)
  }
  gather->sum += sum;
}

struct dg_calibrate_sample
dg_calibrate_gather (struct dg_calibrate_clock *clock,
                     struct dg_calibrate_memory *memory, size_t bytes)
{
  struct gather *gather = g_new0 (struct gather, 1);
  struct dg_calibrate_loop loop
    = {choose_lines, run_gather, gather, GATHERED};
  struct dg_calibrate_sample sample;

  gather->memory = memory;
  gather->lines = bytes / DG_CALIBRATE_LINE;
  sample = dg_calibrate_measure (clock, &loop);
  g_free (gather);
  return sample;
}

/* ---- Streams ---- */

struct stream {
  const char *base;
  size_t bytes, step, at;  /* all; of a run; where the next run begins */
  uint64_t sum;
};

static void
run_stream (void *user)
{
  struct stream *stream = user;
  const char *at = stream->base + stream->at,
             *end = at + stream->step;
  uint64_t sum = 0;

  for (; at < end; at += 4 * DG_CALIBRATE_LINE) {
    const volatile uint64_t *words = (const volatile uint64_t *) at;

    sum += words[0] + words[8] + words[16] + words[24];
  }
  stream->sum += sum;
  stream->at = (stream->at + stream->step) % stream->bytes;
}

struct dg_calibrate_sample
dg_calibrate_stream (struct dg_calibrate_clock *clock,
                     struct dg_calibrate_memory *memory, size_t bytes)
{
  struct stream stream = {.base = memory->base};
  struct dg_calibrate_loop loop = {NULL, run_stream, &stream, 0};

  bytes = MAX (bytes, DG_CALIBRATE_PAGE) & ~(size_t) (DG_CALIBRATE_PAGE - 1);
  stream.step = MIN (bytes, STREAMED);
  stream.bytes = bytes - bytes % stream.step;
  loop.operations = (double) (stream.step / DG_CALIBRATE_LINE);
  do
    run_stream (&stream);
  while (stream.at != 0);
  return dg_calibrate_measure (clock, &loop);
}

/* ---- Pages ---- */

static void
renew_pages (void *user)
{
  struct dg_calibrate_memory *memory = user;

  dg_calibrate_memory_fini (memory);
  dg_calibrate_memory_init (memory, TOUCHED_PAGES * DG_CALIBRATE_PAGE, false,
                            NULL);
}

static void
run_touch (void *user)
{
  const struct dg_calibrate_memory *memory = user;

  for (size_t i = 0; memory->base != NULL && i < TOUCHED_PAGES; i++)
    *(volatile char *) (memory->base + i * DG_CALIBRATE_PAGE) = 1;
}

bool
dg_calibrate_touch (struct dg_calibrate_clock *clock,
                    struct dg_calibrate_sample *sample)
{
  struct dg_calibrate_memory memory = {0};
  struct dg_calibrate_loop loop
    = {renew_pages, run_touch, &memory, TOUCHED_PAGES};
  bool is_good;

  *sample = dg_calibrate_measure (clock, &loop);
  is_good = memory.base != NULL;
  dg_calibrate_memory_fini (&memory);
  return is_good;
}
