/* allocs.cpp: every line that allocates or frees says so itself: with what
   function, as dg allocs calls it, and how many bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <datagrind.h>
#include <cstdlib>
#include <malloc.h>
#include <memcheck.h>
#include <new>
#include <pthread.h>
#include <vector>

#define APART __attribute__ ((noinline)) static

struct alignas (64) Wide { char c[320]; };
struct Node { int value[27]; };

/* What nobody may find out is not used.  */
static void *volatile kept[16];
static char pool[4096];

APART void
c_ways ()
{
  char *p = (char *) malloc (101);            // allocates malloc() 101
  p[0] = 1;
  p = (char *) realloc (p, 20002);            // reallocates 101 20002
  p[1] = 2;
  kept[0] = calloc (3, 111);                  // allocates calloc() 333
  kept[1] = memalign (256, 404);              // allocates memalign() 404
  free (p);                                   // frees free() 20002
}

APART void
cpp_ways ()
{
  Node *one = new Node;                       // allocates new 108
  int *several = new int[77];                 // allocates new[] 308
  Wide *wide = new Wide;                      // allocates new(aligned) 320
  Wide *wides = new Wide[3];                  // allocates new[](aligned) 960
  kept[2] = one, kept[3] = several, kept[4] = wide, kept[5] = wides;
  delete one;                                 // frees delete 108
  delete[] several;                           // frees delete[] 308
  delete[] wides;                             // frees delete[] 960
}

APART void
own_ways ()
{
  VALGRIND_MALLOCLIKE_BLOCK (pool, 55, 0, 0); // allocates MALLOCLIKE 55
  VALGRIND_FREELIKE_BLOCK (pool, 0);          // frees FREELIKE 55
  VALGRIND_MALLOCLIKE_BLOCK (pool, 66, 0, 0); // allocates MALLOCLIKE 66
}

/* What the header has inlined is not what allocates.  */
APART void
header_way ()
{
  /* That nobody destroys.  */
  alignas (std::vector<int>) static char place[sizeof (std::vector<int>)];
  std::vector<int> &numbers = *new (place) std::vector<int>;
  numbers.reserve (1234);                     // allocates new 4936
  kept[6] = &numbers[0];
}

/* A leak is of those who called this.  */
__attribute__ ((noinline)) void *
wrapper (size_t n)
{
  return malloc (n);
}

APART void
leak (int n)
{
  for (int i = 0; i < n; i++) {
    char *p = (char *) wrapper (1000);
    p[i] = 1;
    kept[7 + i % 8] = p;
  }
}

static void *
worker (void *)
{
  pthread_setname_np (pthread_self (), "the worker");
  kept[15] = malloc (777);                    // allocates malloc() 777
  return NULL;
}

int
main ()
{
  pthread_t thread;

  DATAGRIND_START_EVENT ("ways");
  c_ways ();
  cpp_ways ();
  own_ways ();
  header_way ();
  DATAGRIND_END_EVENT ("ways");
  if (pthread_create (&thread, NULL, worker, NULL) == 0)
    pthread_join (thread, NULL);
  DATAGRIND_START_EVENT ("leaks");
  leak (5);
  DATAGRIND_END_EVENT ("leaks");
  return ((char *) kept[8])[1] == 1 ? 0 : 1;  // uses what leaked last
}
