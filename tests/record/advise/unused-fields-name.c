/* unused-fields-name.c: a field of 56 bytes that is never used

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* also: sparse-walk */

#include <stdio.h>
#include <stdlib.h>

#define N 5000

struct person {
  long age;
#ifndef REPAIRED
  char name[56];
#endif
};

int
main (void)
{
  struct person *people = malloc (N * sizeof *people); /* FLAW */
  long sum = 0;

  for (int i = 0; i < N; i++)
    people[i].age = i % 90;
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < N; i++)
      sum += people[i].age;
  printf ("%ld\n", sum);
  free (people);
  return 0;
}
