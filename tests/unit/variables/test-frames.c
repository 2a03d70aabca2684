/* test-frames.c: frames that follow from a log's runs are those of a program
   that is simulated: calls, returns, recursion, jumps out of several frames,
   threads in turn, over several chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "unit_main.h"
#include "variables/frames.h"

/* Function f begins at CODE (f) with a block that calls another and ends in a
   call; it goes on behind that with a block that touches its frame, and one
   that returns.  */
#define FUNCTIONS 6
#define THREADS   3
#define CODE(f)   (0x400000u + 0x100u * (f))
#define SITE(f)   (CODE (f) + 7)

struct thread {
  uint64_t sp;
  GArray *frames;          /* struct frame */
};

struct frame {
  uint64_t cfa;
  unsigned function, context;
};

/* An access of which the frame is known.  */
struct known {
  uint64_t cfa;            /* 0: nobody's */
  uint64_t pc;
};

struct program {
  GRand *rand;
  GString *text;
  GArray *known;           /* struct known, for each access that is not a call
                              or return */
  GHashTable *contexts;    /* (function, caller) -> number + 1 */
  unsigned n_contexts;
  struct thread threads[THREADS];
};

/* Blocks 3 f to 3 f + 2 are those of function f.  */
static void
define_blocks (GString *text)
{
  for (unsigned f = 0; f < FUNCTIONS; f++)
    g_string_append_printf (text,
                            "bbdef [%#x+4 %#x+4] [W8@1]\n"
                            "bbdef [%#x+4] [W4@0 R4@0]\n"
                            "bbdef [%#x+1] [R8@0]\n",
                            CODE (f), CODE (f) + 4, CODE (f) + 8,
                            CODE (f) + 12);
}

/* The context of a block whose function was called from `caller`.  */
static unsigned
context_of (struct program *program, unsigned block, unsigned caller)
{
  gpointer key = GUINT_TO_POINTER (block * 64 + caller + 1);
  unsigned known =
    GPOINTER_TO_UINT (g_hash_table_lookup (program->contexts, key));

  if (known != 0)
    return known - 1;
  if (caller < FUNCTIONS)
    g_string_append_printf (program->text, "context %u [%#x %#x]\n", block,
                            CODE (block / 3), SITE (caller));
  else
    g_string_append_printf (program->text, "context %u [%#x]\n", block,
                            CODE (block / 3));
  g_hash_table_insert (program->contexts, key,
                       GUINT_TO_POINTER (++program->n_contexts));
  return program->n_contexts - 1;
}

static struct frame *
top (struct thread *thread)
{
  return &g_array_index (thread->frames, struct frame,
                         thread->frames->len - 1);
}

static unsigned
caller_of_top (struct thread *thread)
{
  return thread->frames->len > 1
           ? g_array_index (thread->frames, struct frame,
                            thread->frames->len - 2).function
           : FUNCTIONS;
}

static void
run (struct program *program, struct thread *thread, unsigned part,
     uint64_t a, uint64_t b)
{
  unsigned block = top (thread)->function * 3 + part;
  unsigned context = context_of (program, block, caller_of_top (thread));

  g_string_append_printf (program->text,
                          part == 1 ? "bbrun %u 1 [%#" G_GINT64_MODIFIER
                                      "x %#" G_GINT64_MODIFIER "x]\n"
                          : part == 0 ? "bbrun %u 2 [%#" G_GINT64_MODIFIER
                                        "x]\n"
                                      : "bbrun %u 1 [%#" G_GINT64_MODIFIER
                                        "x]\n", context, a, b);
}

static void
call (struct program *program, struct thread *thread)
{
  struct frame frame = {
    .function = (unsigned) g_rand_int_range (program->rand, 0, FUNCTIONS)
  };

  thread->sp -= 16 * (uint64_t) g_rand_int_range (program->rand, 1, 5);
  run (program, thread, 0, thread->sp, 0);
  frame.cfa = thread->sp + 8;
  g_array_append_val (thread->frames, frame);
}

static void
leave (struct program *program, struct thread *thread)
{
  uint64_t cfa = top (thread)->cfa;

  if (thread->frames->len < 2)
    return;
  run (program, thread, 2, cfa - 8, 0);
  g_array_set_size (thread->frames, thread->frames->len - 1);
  thread->sp = cfa;
  /* A block behind the call, or nobody knows that it has returned.  */
  run (program, thread, 1, cfa + 1024 * 1024, cfa + 1024 * 1024);
  for (unsigned i = 0; i < 2; i++) {
    struct known known = { 0 };

    g_array_append_val (program->known, known);
  }
}

/* Touches the frame on top, and another.  */
static void
touch (struct program *program, struct thread *thread)
{
  guint other = (guint) g_rand_int_range (program->rand, 0,
                                          (gint) thread->frames->len);
  struct frame *frames = (struct frame *) (void *) thread->frames->data;
  struct known known = { top (thread)->cfa, CODE (top (thread)->function)
                                            + 8 };

  run (program, thread, 1, top (thread)->cfa - 12, frames[other].cfa - 4);
  g_array_append_val (program->known, known);
  known.cfa = frames[other].cfa;
  if (other + 1 < thread->frames->len)
    known.pc = SITE (frames[other].function);
  g_array_append_val (program->known, known);
}

static void
simulate (struct program *program, unsigned steps)
{
  unsigned now = 0;

  for (unsigned i = 0; i < steps; i++) {
    struct thread *thread = &program->threads[now];

    switch (g_rand_int_range (program->rand, 0, 12)) {
    case 0: case 1: case 2:
      call (program, thread);
      break;
    case 3: case 4:
      leave (program, thread);
      break;
    case 5:
      if (thread->frames->len > 30)
        while (thread->frames->len > 3)
          leave (program, thread);
      break;
    case 6:
      if (g_rand_int_range (program->rand, 0, 20) == 0) {
        now = (unsigned) g_rand_int_range (program->rand, 0, THREADS);
        g_string_append_printf (program->text, "thread_switch %u\n", now + 1);
      }
      break;
    default:
      touch (program, thread);
      break;
    }
  }
}

static void
program_init (struct program *program, guint32 seed)
{
  program->rand = g_rand_new_with_seed (seed);
  program->text = g_string_new (
    "process 1 1 7 8 4096 64 0 8 \"1\" \"3\" \"amd64\" \"/p\" \"/\" [\"p\"]"
    "\n");
  program->known = g_array_new (FALSE, FALSE, sizeof (struct known));
  program->contexts = g_hash_table_new (NULL, NULL);
  program->n_contexts = 0;
  define_blocks (program->text);
  for (unsigned i = 0; i < THREADS; i++) {
    struct thread *thread = &program->threads[i];
    uint64_t high = 0x700000000000 + 0x10000000 * (uint64_t) i;
    struct frame outermost = { .cfa = high, .function = i };

    /* Room above, for accesses to no frame.  */
    g_string_append_printf (program->text,
                            "thread_start %u 0 %u\nstack %u %#"
                            G_GINT64_MODIFIER "x %#" G_GINT64_MODIFIER "x\n",
                            i + 1, i + 1, i + 1, high - 0x1000000,
                            high + 0x200000);
    thread->sp = high - 64;
    thread->frames = g_array_new (FALSE, FALSE, sizeof (struct frame));
    g_array_append_val (thread->frames, outermost);
  }
}

static void
program_fini (struct program *program)
{
  for (unsigned i = 0; i < THREADS; i++)
    g_array_unref (program->threads[i].frames);
  g_hash_table_unref (program->contexts);
  g_array_unref (program->known);
  g_string_free (program->text, TRUE);
  g_rand_free (program->rand);
}

/* Goes through all accesses; `step` of them at a time are left out.  */
static void
check (const struct dg_log *log, const struct dg_frames *frames,
       const GArray *known, guint step)
{
  struct dg_access some[256];
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_frame_cursor *cursor = dg_frame_cursor_new (frames, &err);
  guint next = 0;
  ptrdiff_t n;

  g_assert_nonnull (reader);
  g_assert_nonnull (cursor);
  while ((n = dg_reader_accesses (reader, some, 256, &err)) > 0) {
    for (ptrdiff_t i = 0; i < n; i++) {
      const struct dg_access *access = &some[i];
      struct dg_frame_place place;
      const struct known *k;
      int found;

      if (access->size != 4)
        continue;
      k = &g_array_index (known, struct known, next);
      if (next++ % step != 0)
        continue;
      found = dg_frame_cursor_find (cursor, access, access->thread, &place,
                                    &err);
      /* Nobody called the outermost function.  */
      if (k->cfa == 0 || (k->cfa & 0xfffffff) == 0) {
        g_assert_cmpint (found, ==, 0);
        continue;
      }
      g_assert_cmpint (found, ==, 1);
      g_assert_cmphex (place.cfa, ==, k->cfa);
      g_assert_cmphex (place.pc != 0 ? place.pc : access->instruction, ==,
                       k->pc);
    }
  }
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpuint (next, ==, known->len);
  dg_frame_cursor_free (cursor);
  dg_reader_free (reader);
}

static void
check_program (guint32 seed, unsigned steps, size_t chunks)
{
  struct program program;
  GByteArray *bytes;
  struct dg_log *log;
  struct dg_error err;
  size_t n;

  program_init (&program, seed);
  simulate (&program, steps);
  g_string_append (program.text, "end why=0 exit_code=0\n");
  log = core_test_log (program.text->str, &bytes);
  dg_log_chunks (log, &n);
  g_assert_cmpuint (n, >=, chunks);
  for (unsigned workers = 1; workers <= 3; workers += 2) {
    struct dg_frames *frames = dg_frames_new (log, NULL, workers, &err);

    g_assert_nonnull (frames);
    check (log, frames, program.known, 1);
    check (log, frames, program.known, 1000);
    dg_frames_free (frames);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
  program_fini (&program);
}

static void
test_small (void)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    check_program (seed, 50 * seed, 1);
}

static void
test_chunks (void)
{
  check_program (1, 450000, 3);
}

static void
test_nothing (void)
{
  check_program (1, 0, 0);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frames/nothing", test_nothing);
  g_test_add_func ("/frames/small", test_small);
  g_test_add_func ("/frames/chunks", test_chunks);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
