/* contention-omp.c: what the threads of an OpenMP team count for themselves,
   in one line, and what they do in phases.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <omp.h>

#define LINE __attribute__ ((aligned (64)))

static struct { volatile long n[8]; } LINE partial, phased, regions, looped,
  sectioned;

/* Ends of loops and sections are barriers, too.  */
static void
wait_at_ends (void)
{
  volatile long done[4][8];

#pragma omp parallel num_threads (4)
  {
    int k = omp_get_thread_num ();
    for (int i = 0; k == 1 && i < 500; i++)
      looped.n[1] = sectioned.n[1] = i;
#pragma omp for schedule (dynamic)
    for (int i = 0; i < 4; i++)
      done[i][0] = i;
    for (int i = 0; k == 2 && i < 500; i++)
      looped.n[2] = i;
#pragma omp sections
    {
#pragma omp section
      done[0][1] = 1;
#pragma omp section
      done[1][1] = 1;
    }
    for (int i = 0; k == 3 && i < 500; i++)
      sectioned.n[3] = i;
  }
}

int
main (void)
{
  long sum = 0;
#pragma omp parallel num_threads (4)
  {
    int k = omp_get_thread_num ();
    for (int i = 0; i < 3000; i++)
      partial.n[k] = i;
  }
  for (int k = 0; k < 8; k++)
    sum += partial.n[k];
#pragma omp parallel num_threads (4)
  {
    int k = omp_get_thread_num ();
    for (int i = 0; k == 1 && i < 500; i++)
      phased.n[1] = i;
#pragma omp barrier
    for (int i = 0; k == 2 && i < 500; i++)
      phased.n[2] = i;
  }
  for (int turn = 0; turn < 4; turn++) {
#pragma omp parallel num_threads (4)
    for (int i = 0; omp_get_thread_num () == turn && i < 500; i++)
      regions.n[turn] = i;
  }
  wait_at_ends ();
  return sum < 0;
}
