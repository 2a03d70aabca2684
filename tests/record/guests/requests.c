/* requests.c: the client requests of datagrind.h, as C and as C++.  main ()
   makes 100 accesses to array[] before, 200 in, and 400 after the event
   "inner"; "outer" is around all and started twice.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

volatile int array[64], other[64];

__attribute__ ((noinline)) static void
touch (int n)
{
  for (int i = 0; i < n; i++)
    array[i % 64] = i;
}

static void
bad (void)
{
  char *page = (char *) mmap (NULL, 8192, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap (page + 4096, 4096);
  memset (page, 'x', 4096);
  /* No pointer, nobody's memory, no end before the page's end, none.  */
  DATAGRIND_START_EVENT (NULL);
  DATAGRIND_START_EVENT ((char *) 12345);
  DATAGRIND_START_EVENT (page + 4000);
  DATAGRIND_END_EVENT ((char *) -1L);
  DATAGRIND_TRACK_RANGE (array, sizeof array, (char *) 1, "bad type");
  DATAGRIND_TRACK_RANGE (array, sizeof array, "int", (char *) 1);
  DATAGRIND_TRACK_RANGE (array, sizeof array, NULL, NULL);
  /* The last byte of a page is the end of the string: all is well.  */
  strcpy (page + 4096 - 5, "edge");
  DATAGRIND_START_EVENT (page + 4096 - 5);
  DATAGRIND_END_EVENT (page + 4096 - 5);
}

static void
longish (void)
{
  static char label[1000];
  for (int n = 240; n < 262; n++) {
    memset (label, 'a', sizeof label);
    label[n] = 0;
    DATAGRIND_START_EVENT (label);
    DATAGRIND_END_EVENT (label);
  }
  memset (label, 'b', sizeof label - 1);
  label[sizeof label - 1] = 0;
  DATAGRIND_TRACK_RANGE (array, 4, label, label);
  DATAGRIND_UNTRACK_RANGE (array, 4);
  /* Cut between characters, not within one.  */
  for (int i = 0; i + 2 < 900; i += 2)
    memcpy (label + i, "\xc3\xa4", 3);
  DATAGRIND_START_EVENT (label);
  DATAGRIND_END_EVENT (label);
  DATAGRIND_START_EVENT ("");
  DATAGRIND_END_EVENT ("");
}

int
main (int argc, char **argv)
{
  char label[20];
  int size = sizeof array;
  if (argc > 1 && !strcmp (argv[1], "bad")) {
    bad ();
    return 5;
  }
  if (argc > 1 && !strcmp (argv[1], "long")) {
    longish ();
    return 5;
  }
  DATAGRIND_TRACK_RANGE (array, size, "int", "the array");
  DATAGRIND_TRACK_RANGE (&other[8], 8 * sizeof (int), "int", "part");
  DATAGRIND_TRACK_RANGE (array, 0, "", "empty");
  strcpy (label, "outer");
  DATAGRIND_START_EVENT (label);
  DATAGRIND_START_EVENT (label);
  strcpy (label, "changed");
  touch (100);
  DATAGRIND_START_EVENT ("inner");
  touch (200);
  DATAGRIND_END_EVENT ("inner");
  DATAGRIND_END_EVENT ("outer");
  touch (400);
  DATAGRIND_END_EVENT ("outer");
  DATAGRIND_END_EVENT ("never started");
  DATAGRIND_START_EVENT ("never ended");
  for (int i = 0; i < 64; i++)
    other[i] = i;
  DATAGRIND_UNTRACK_RANGE (array, size);
  DATAGRIND_UNTRACK_RANGE (array, 12345);
  touch (50);
  if (argc > 1 && !strcmp (argv[1], "windows")) {
    DATAGRIND_STOP_RECORDING;
    DATAGRIND_START_RECORDING;
  }
  printf ("done\n");
  return 0;
}
