/* usable.cpp: blocks of many sizes, made and resized in all ways, and on
   stdout "size usable" of each in turn.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <unistd.h>

static char text[1 << 18];
static size_t length;

static char *
tell (void *p, size_t size)
{
  if (!p)
    std::abort ();
  length += (size_t) std::snprintf (text + length, sizeof text - length,
                                    "%zu %zu\n", size,
                                    malloc_usable_size (p));
  char *c = (char *) p;
  if (malloc_usable_size (p) > 0)
    c[0] = c[malloc_usable_size (p) - 1] = 1;
  return c;
}

static void
aligned (void *p, size_t size, size_t alignment)
{
  if ((uintptr_t) p % alignment != 0)
    std::abort ();
  std::free (tell (p, size));
}

static void
resize ()
{
  static const size_t sizes[] = { 10, 12, 16, 17, 8, 1, 30, 40, 39, 24, 100,
                                  50, 49, 3, 5000, 4999, 2, 1, 60, 100000,
                                  70000, 10, 5, 2000000, 1, 2 };
  char *p = tell (std::realloc (nullptr, 5), 5), *q;
  for (size_t size : sizes) {
    size_t had = malloc_usable_size (p);
    q = (char *) std::realloc (p, size);
    /* What fits stays.  */
    if ((size <= had) != (p == q) || (size > 0 && q[0] != 1))
      std::abort ();
    p = tell (q, size);
  }
  if (std::realloc (p, 0) != nullptr)
    std::abort ();
}

int
main ()
{
  for (size_t size = 0; size < 300; size++)
    std::free (tell (std::malloc (size), size));
  for (size_t size = 1; size < 5000000; size *= 5) {
    std::free (tell (std::malloc (size), size));
    std::free (tell (std::calloc (1, size), size));
    operator delete (tell (operator new (size), size), size);
    operator delete[] (tell (operator new[] (size, std::nothrow), size));
    for (size_t a = 8; a <= 4096; a *= 2) {
      void *p = nullptr;
      aligned (memalign (a, size), size, a);
      if (posix_memalign (&p, a, size) != 0)
        std::abort ();
      aligned (p, size, a);
      size_t whole = (size + a - 1) / a * a;
      aligned (std::aligned_alloc (a, whole), whole, a);
      std::align_val_t v = std::align_val_t (a);
      p = operator new (size, v);
      if ((uintptr_t) p % a != 0)
        std::abort ();
      operator delete (tell (p, size), size, v);
    }
  }
  resize ();
  /* What cannot be had is no block.  */
  volatile size_t huge = SIZE_MAX - 100, half = SIZE_MAX / 2 + 1;
  void *p = std::malloc (7);
  if (std::malloc (huge) || std::malloc (half) || std::calloc (half, 2)
      || std::realloc (p, half) || ::operator new (half, std::nothrow)
      || memalign (64, half))
    std::abort ();
  std::free (p);
  return write (1, text, length) != (ssize_t) length;
}
