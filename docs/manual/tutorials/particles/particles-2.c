/* particles-2.c: what is used in each step lies together.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000, STEPS = 20 };

struct particle
{
  double y, z;           /* not used yet */
  char name[24];
  long id;
};

struct particles
{
  double *x, *v;         /* COUNT each: place, speed */
  struct particle *rest; /* COUNT */
};

static struct particles
make_particles (void)
{
  struct particles all = { malloc (COUNT * sizeof *all.x),
                           malloc (COUNT * sizeof *all.v),
                           malloc (COUNT * sizeof *all.rest) };
  for (long i = 0; i < COUNT; i++)
    {
      all.x[i] = i;
      all.v[i] = i % 7 - 3;
      all.rest[i] = (struct particle) { .id = i };
      strcpy (all.rest[i].name, i % 2 ? "odd" : "even");
    }
  return all;
}

static void
move (struct particles *all, double dt)
{
  for (long i = 0; i < COUNT; i++)
    all->x[i] += all->v[i] * dt;
}

static double
centre (const struct particles *all)
{
  double sum = 0;
  for (long i = 0; i < COUNT; i++)
    sum += all->x[i];
  return sum / COUNT;
}

int
main (void)
{
  struct particles particles = make_particles ();
  double last = 0;
  for (int step = 0; step < STEPS; step++)
    {
      move (&particles, 1.0 / STEPS);
      last = centre (&particles);
    }
  printf ("centre %.3f, last %s\n", last, particles.rest[COUNT - 1].name);
  free (particles.x);
  free (particles.v);
  free (particles.rest);
  return 0;
}
