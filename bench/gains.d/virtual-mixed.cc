/* Objects of four classes in no order; repaired: by class.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

struct shape {
  int size, kind;
  shape (int s, int k) : size (s), kind (k) {}
  virtual ~shape () {}
  virtual long area () const = 0;
};
struct square : shape {
  using shape::shape;
  long area () const override { return (long) size * size; }
};
struct circle : shape {
  using shape::shape;
  long area () const override { return (long) size * size * 3; }
};
struct line : shape {
  using shape::shape;
  long area () const override { return 0; }
};
struct bar : shape {
  using shape::shape;
  long area () const override { return size * 7L; }
};

static unsigned
dice ()
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main ()
{
  std::vector<std::unique_ptr<shape>> all;
  long sum = 0;

  for (int i = 0; i < 20000; i++) {
    int kind = dice () % 4, size = dice () % 100;

    switch (kind) {
    case 0: all.emplace_back (new square (size, kind)); break;
    case 1: all.emplace_back (new circle (size, kind)); break;
    case 2: all.emplace_back (new line (size, kind)); break;
    default: all.emplace_back (new bar (size, kind)); break;
    }
  }
#ifdef REPAIRED
  std::stable_sort (all.begin (), all.end (),
                    [] (const auto &a, const auto &b) {
                      return a->kind < b->kind;
                    });
#endif
  for (int k = 0; k < 100; k++)
    for (const auto &s : all)
      sum += s->area ();
  printf ("%ld\n", sum);
}
