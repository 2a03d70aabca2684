// Allocates as C++ programs do: strings, vectors, maps, templates, arrays, and
// before main.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace shop {

struct item {
  std::string name;
  std::vector<int> prices;
};

template <class T, int N> class shelf {
public:
  T *make () { return new T[N]; }
  static void clear (T *all) { delete[] all; }
};

struct early {
  std::string *text;
  early () : text (new std::string (500, 'x')) {}
  ~early () { delete text; }
} before_main;

struct alignas (64) wide {
  char bytes[192];
};

} // namespace shop

static std::vector<std::unique_ptr<shop::item>> all;

int
main ()
{
  std::map<int, shop::item> items;
  shop::shelf<double, 300> shelf;

  for (int i = 0; i < 120; i++) {
    items[i].name = std::string ((size_t) i * 3, 'a');
    for (int j = 0; j < i; j++)
      items[i].prices.push_back (j);
  }
  double *row = shelf.make ();
  for (int i = 0; i < 60; i++)
    all.push_back (std::make_unique<shop::item> (items[i]));
  auto *wide = new shop::wide;
  auto *maybe = new (std::nothrow) char[999];
  std::printf ("%zu %zu\n", items.size (), all.size ());
  for (int i = 0; i < 120; i += 2)
    items.erase (i);
  delete wide;
  delete[] maybe;
  shop::shelf<double, 300>::clear (row);
  return 0;
}
