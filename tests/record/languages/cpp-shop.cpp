// cpp-shop.cpp: the second unit of the C++ program.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cpp.h"

namespace shop {

thread_local long of_thread[4];

namespace {
box<long> hidden;

[[gnu::always_inline]] inline base *
create (int i)
{
  hidden.put (i); // LINE put
  return new square; // LINE new
}
}

[[gnu::noinline]] base *
make (int i)
{
  of_thread[i & 3]++;
  return create (i); // LINE create
}

[[gnu::noinline]] box<double> *
boxed (int i)
{
  return new box<double> {double (i), 1}; // LINE box
}

}
