/* never-freed-nodes.c: blocks that are lost

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

struct job { long number, cost; char data[48]; };

static struct job *
new_job (long number)
{
  struct job *job = calloc (1, sizeof *job); /* FLAW */

  job->number = number;
  job->cost = number * 3;
  return job;
}

int
main (void)
{
  long sum = 0;

  for (long i = 0; i < 900; i++) {
    struct job *job = new_job (i);

    for (int k = 0; k < 48; k++)
      sum += job->data[k];
    sum += job->number + job->cost;
#ifdef REPAIRED
    free (job);
#endif
  }
  printf ("%ld\n", sum);
  return 0;
}
