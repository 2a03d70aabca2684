/* image.c: the mean of each column of an image.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdio.h>

enum { WIDTH = 700, HEIGHT = 900 };

static float image[HEIGHT][WIDTH];
static float means[WIDTH];

static void
paint (void)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      image[y][x] = (x * y) % 256;
}

static void
average (void)
{
#ifdef EXCHANGED
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      means[x] += image[y][x];
#else
  for (int x = 0; x < WIDTH; x++)
    for (int y = 0; y < HEIGHT; y++)
      means[x] += image[y][x];
#endif
}

int
main (void)
{
  paint ();
  average ();
  printf ("%.1f\n", means[WIDTH / 2] / HEIGHT);
  return 0;
}
