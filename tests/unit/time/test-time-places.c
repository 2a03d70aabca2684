/* test-time-places.c: threads that live at the same time have cores of their
   own, up to a number; others have those of threads that have ended.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"
#include "time/time_places.h"
#include "unit_main.h"

#define CODE "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n"
#define RUN "bbrun 0 1 [0x1000]\n"

static void
begin (GString *text, unsigned thread)
{
  g_string_append_printf (text, "thread_start %u 1 %u\nthread_switch %u\n" RUN,
                          thread, 1000 + thread, thread);
}

static void
end (GString *text, unsigned thread)
{
  g_string_append_printf (text, "thread_switch 1\n" RUN "thread_exit %u\n" RUN,
                          thread);
}

/* A log, and its cores.  */
struct world {
  GByteArray *bytes;
  struct dg_log *log;
  struct dg_time_places places;
};

static struct world
world_of (GString *text)
{
  struct world world = { 0 };

  world.log = core_test_log (text->str, &world.bytes);
  world.places.log = world.log;
  g_string_free (text, TRUE);
  return world;
}

static void
world_end (struct world *world)
{
  dg_time_places_fini (&world->places);
  dg_log_close (world->log);
  g_byte_array_unref (world->bytes);
}

static void
expect (struct world *world, unsigned thread, uint32_t core)
{
  g_assert_cmpuint (dg_time_places_take (&world->places, thread), ==, core);
}

/* One after the other, beside the one that starts them.  */
static void
test_sequence (void)
{
  GString *text = g_string_new (CODE RUN);
  struct world world;

  for (unsigned i = 2; i < 1000; i++) {
    begin (text, i);
    end (text, i);
  }
  world = world_of (text);
  expect (&world, 1, 0);
  for (unsigned i = 2; i < 1000; i++)
    expect (&world, i, 1);
  world_end (&world);
}

/* Two at a time: who begins has the core of the one that has ended.  */
static void
test_overlap (void)
{
  GString *text = g_string_new (CODE RUN);
  struct world world;

  begin (text, 2);
  begin (text, 3);
  end (text, 2);
  begin (text, 4);
  end (text, 3);
  end (text, 4);
  begin (text, 5);
  begin (text, 6);
  world = world_of (text);
  expect (&world, 1, 0);
  expect (&world, 2, 1);
  expect (&world, 3, 2);
  expect (&world, 4, 1);
  expect (&world, 5, 1);
  expect (&world, 6, 2);
  /* It is not in the log.  */
  expect (&world, 7, 3);
  expect (&world, 8, 4);
  world_end (&world);
}

static void
test_many (void)
{
  GString *text = g_string_new (CODE RUN);
  struct world world;

  for (unsigned i = 2; i <= 2 * DG_TIME_PLACES_MAX; i++)
    begin (text, i);
  world = world_of (text);
  for (unsigned i = 1; i <= DG_TIME_PLACES_MAX; i++)
    expect (&world, i, i - 1);
  for (unsigned i = DG_TIME_PLACES_MAX + 1; i <= 2 * DG_TIME_PLACES_MAX; i++)
    expect (&world, i, i % DG_TIME_PLACES_MAX);
  world_end (&world);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-places/sequence", test_sequence);
  g_test_add_func ("/time-places/overlap", test_overlap);
  g_test_add_func ("/time-places/many", test_many);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
