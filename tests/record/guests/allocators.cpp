/* allocators.cpp: every way to allocate and to free, and a list of what was
   asked for on stdout, as lines "A kinds size alignment address old" and
   "F kinds address", kinds being numbers of enum dg_allocator.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <valgrind.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <unistd.h>

static char text[65536];
static size_t length;

/* Makes no allocation: the list is for later.  */
#define SAY(...)                                                        \
  (length += (size_t) std::snprintf (text + length, sizeof text - length, \
                                     __VA_ARGS__))

#define HIDE(p) __asm__ volatile ("" : "+r" (p) : : "memory")

static void
made (const char *kinds, size_t size, size_t align, void *p, void *old)
{
  SAY ("A %s %zu %zu %lx %lx\n", kinds, size, align, (unsigned long) p,
       (unsigned long) old);
}

static void
gone (const char *kinds, void *p)
{
  SAY ("F %s %lx\n", kinds, (unsigned long) p);
}

struct Plain { int n[9]; };
struct alignas (128) Wide { char c[300]; };
struct Full { int *p; Full () : p (nullptr) {} ~Full () { p = nullptr; } };

static char pool[4096];

__attribute__ ((noinline)) static void
c_ways ()
{
  char *p = (char *) std::malloc (100);
  made ("1", 100, 0, p, nullptr);
  char *q = (char *) std::realloc (p, 5000);
  gone ("3", p);
  made ("3", 5000, 0, q, p);
  p = (char *) std::realloc (q, 20);
  gone ("3", q);
  made ("3", 20, 0, p, q);
  q = (char *) std::realloc (p, 25);
  gone ("3", p);
  made ("3", 25, 0, q, p);
  p = (char *) std::realloc (nullptr, 33);
  made ("1,3", 33, 0, p, nullptr);
  HIDE (p);
  gone ("3,11", p);
  std::free (std::realloc (p, 0));
  std::free (q);
  gone ("11", q);
  p = (char *) std::calloc (7, 11);
  made ("2", 77, 0, p, nullptr);
  for (int i = 0; i < 77; i++)
    if (p[i])
      std::abort ();
  std::free (p);
  gone ("11", p);
  p = (char *) memalign (256, 300);
  made ("4", 300, 256, p, nullptr);
  std::free (p);
  gone ("11", p);
  void *r = nullptr;
  if (posix_memalign (&r, 64, 50) != 0)
    std::abort ();
  made ("4", 50, 64, r, nullptr);
  std::free (r);
  gone ("11", r);
  r = std::aligned_alloc (32, 96);
  made ("4", 96, 32, r, nullptr);
  std::free (r);
  gone ("11", r);
  r = std::malloc (0);
  made ("1", 0, 0, r, nullptr);
  std::free (r);
  gone ("11", r);
  r = std::malloc (3000000);
  made ("1", 3000000, 0, r, nullptr);
  if (malloc_usable_size (r) < 3000000)
    std::abort ();
  std::free (r);
  gone ("11", r);
  /* No blocks.  */
  std::free (nullptr);
  size_t huge = SIZE_MAX / 2 + 2;
  HIDE (huge);
  r = std::malloc (huge);
  if (r || std::calloc (huge, 4))
    std::abort ();
}

__attribute__ ((noinline)) static void
cxx_ways ()
{
  Plain *p = new Plain;
  HIDE (p);
  made ("5", sizeof (Plain), 0, p, nullptr);
  delete p;
  gone ("12", p);
  p = new Plain[5];
  HIDE (p);
  made ("6", 5 * sizeof (Plain), 0, p, nullptr);
  delete[] p;
  gone ("13", p);
  Full *f = new Full[4];
  HIDE (f);
  made ("6", 4 * sizeof (Full) + sizeof (size_t), 0, (char *) f - 8, nullptr);
  delete[] f;
  gone ("13", (char *) f - 8);
  Wide *w = new Wide;
  HIDE (w);
  made ("7,4", sizeof (Wide), 128, w, nullptr);
  delete w;
  gone ("12,11", w);
  w = new Wide[3];
  HIDE (w);
  made ("8,4", 3 * sizeof (Wide), 128, w, nullptr);
  delete[] w;
  gone ("13,11", w);
  p = new (std::nothrow) Plain;
  HIDE (p);
  made ("5", sizeof (Plain), 0, p, nullptr);
  ::operator delete (p, sizeof (Plain));
  gone ("12", p);
  p = (Plain *) ::operator new (48, std::align_val_t (64), std::nothrow);
  HIDE (p);
  made ("7,4", 48, 64, p, nullptr);
  ::operator delete (p, std::align_val_t (64));
  gone ("12,11", p);
}

__attribute__ ((noinline)) static void
own_ways ()
{
  VALGRIND_MALLOCLIKE_BLOCK (pool, 64, 0, 0);
  made ("9", 64, 0, pool, nullptr);
  VALGRIND_MALLOCLIKE_BLOCK (pool + 128, 256, 16, 1);
  made ("9", 256, 0, pool + 128, nullptr);
  VALGRIND_RESIZEINPLACE_BLOCK (pool + 128, 256, 512, 16);
  gone ("10", pool + 128);
  made ("10", 512, 0, pool + 128, pool + 128);
  VALGRIND_FREELIKE_BLOCK (pool, 0);
  gone ("14", pool);
  VALGRIND_FREELIKE_BLOCK (pool + 128, 16);
  gone ("14", pool + 128);
  /* No such blocks.  */
  VALGRIND_FREELIKE_BLOCK (pool + 5, 0);
  VALGRIND_RESIZEINPLACE_BLOCK (pool + 5, 1, 2, 0);
}

int
main ()
{
  c_ways ();
  cxx_ways ();
  own_ways ();
  return write (1, text, length) != (ssize_t) length;
}
