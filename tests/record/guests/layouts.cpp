/* layouts.cpp: structures with hot and cold fields, in memory of all kinds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#define N 200
#define APART __attribute__ ((noinline, noclone))

struct Plain {
  double x, v;
  char name[68];
  int id;
};

struct Cleaned {
  double x, v;
  char name[68];
  int id;
  ~Cleaned () { id = 0; }
};

struct Element {
  double x, v;
  char name[68];
  int id;
};

struct Ranged {
  double x, v;
  char name[68];
  int id;
};

template <typename T> APART double
use (T *p)
{
  double sum = 0;

  for (int round = 0; round < 10; round++)
    for (int i = 0; i < N; i++)
      sum += p[i].x += p[i].v;
  return sum;
}

APART Plain *
make_plain ()
{
  Plain *p = new Plain[N] ();

  return p;
}

APART Cleaned *
make_cleaned ()
{
  Cleaned *p = new Cleaned[N] ();

  return p;
}

APART double
use_vector ()
{
  std::vector<Element> elements (N);

  return use (elements.data ());
}

APART double
use_range ()
{
  void *memory = calloc (N, sizeof (Ranged));
  double sum;

  DATAGRIND_TRACK_RANGE (memory, N * sizeof (Ranged), "Ranged", "memory");
  sum = use (static_cast<Ranged *> (memory));
  DATAGRIND_UNTRACK_RANGE (memory, N * sizeof (Ranged));
  free (memory);
  return sum;
}

int
main ()
{
  Plain *plain = make_plain ();
  Cleaned *cleaned = make_cleaned ();

  printf ("%g\n", use (plain) + use (cleaned) + use_vector () + use_range ());
  delete[] plain;
  delete[] cleaned;
  return 0;
}
