/* site-lines-cpp.cpp: expressions with two allocations.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

struct shape {
  int size;
};

/* So that nothing is optimised away.  */
static shape *volatile kept[2];

static __attribute__ ((noinline)) void
take (shape *a, shape *b)
{
  kept[0] = a;
  kept[1] = b;
}

template <class T> __attribute__ ((noinline)) T *
make ()
{
  return new T (); /* HERE make */
}

int
main ()
{
  take (new shape, new shape); /* HERE two */
  take (make<shape> (), new shape); /* HERE one */
  return *make<long> ();
}
