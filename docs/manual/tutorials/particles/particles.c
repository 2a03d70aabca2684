/* particles.c: moves particles on a line until a second has passed.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000, STEPS = 20 };

struct particle
{
  double x, v;           /* place, speed */
  double y, z;           /* not used yet */
  char name[24];
  long id;
};

static struct particle *
make_particles (void)
{
  struct particle *all = malloc (COUNT * sizeof *all);
  for (long i = 0; i < COUNT; i++)
    {
      all[i] = (struct particle) { .x = i, .v = i % 7 - 3, .id = i };
      strcpy (all[i].name, i % 2 ? "odd" : "even");
    }
  return all;
}

static void
move (struct particle *all, double dt)
{
  for (long i = 0; i < COUNT; i++)
    all[i].x += all[i].v * dt;
}

static double
centre (const struct particle *all)
{
  double sum = 0;
  for (long i = 0; i < COUNT; i++)
    sum += all[i].x;
  return sum / COUNT;
}

int
main (void)
{
  struct particle *particles = make_particles ();
  double last = 0;
  for (int step = 0; step < STEPS; step++)
    {
      move (particles, 1.0 / STEPS);
      last = centre (particles);
    }
  printf ("centre %.3f, last %s\n", last, particles[COUNT - 1].name);
  free (particles);
  return 0;
}
