/* sleeps.c: works and sleeps in turns.  No memory is accessed in the system
   call, so that the work is in the buffer all the time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <poll.h>
#include <stddef.h>

static volatile int work[1000];

int
main (void)
{
  for (int i = 0; i < 40; i++) {
    for (int j = 0; j < 500; j++)
      work[j % 1000] = i;
    poll (NULL, 0, 10);
  }
  return 0;
}
