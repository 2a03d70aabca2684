// cpp.h: types of the C++ program.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

#include <concepts>

namespace shop {

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

template <Number T>
struct box {
  T content;
  long count;

  __attribute__ ((noinline)) void put (T what)
  {
    content += what; // LINE content
    count++;
  }
};

struct base {
  long id = 1;
  virtual ~base () = default;
  virtual double area () const = 0;
};

struct square : base {
  double side = 2;
  __attribute__ ((noinline)) double area () const override
  {
    return side * side; // LINE side
  }
};

inline long n_sold;
extern thread_local long of_thread[4];

base *make (int i);
box<double> *boxed (int i);

}
