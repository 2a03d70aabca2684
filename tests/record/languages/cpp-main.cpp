// cpp-main.cpp: the C++ program.  Lines with "=" say what is to be told of it.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later
//
// = functions: main; shop::make(int); shop::square::area() const
// = functions: shop::box<double>::put(double); Stack<16>::push(long)
// = functions: add_all<double>(shop::box<double>*, int) | _ZL7add_all*
// = functions: main::*operator*
// = inlined: shop::(anonymous namespace)::create(int) (new) < shop::make(int) (create) < main (make)
// = lines: content; side; put; top; lambda; value
// = globals: <global>.shop::n_sold; <global>.stack.items
// = statics: <global>.shop::(anonymous namespace)::hidden.content; <global>.Stack<16>::n_pushed
// = thread-local: <thread 1>.shop::of_thread
// = locals: main().boxes.count
// = heap types: shop::square; shop::box<double>
// = fields: shop::square.side; shop::square.base::id; shop::box<double>.content

#include <coroutine>
#include <cstdio>

#include "cpp.h"

template <int N>
struct Stack {
  long items[N];
  int top;
  static inline volatile long n_pushed;

  [[gnu::noinline]] void push (long item)
  {
    items[top++ % N] = item; // LINE top
    n_pushed = n_pushed + 1;
  }
};

Stack<16> stack;

// A coroutine that counts.
struct counter {
  struct promise_type {
    long value = 0;
    counter get_return_object ()
    {
      return {std::coroutine_handle<promise_type>::from_promise (*this)};
    }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (long now)
    {
      value = now; // LINE value
      return {};
    }
    void return_void () {}
    void unhandled_exception () {}
  };
  std::coroutine_handle<promise_type> handle;
};

[[gnu::noinline]] static counter
count_to (long end)
{
  for (long i = 0; i < end; i++)
    co_yield i;
}

template <shop::Number T>
[[gnu::noinline]] static void
add_all (shop::box<T> *box, int n)
{
  for (int i = 0; i < n; i++)
    box->put (T (i));
}

int
main ()
{
  volatile shop::box<int> boxes[4] = {};
  double area = 0;
  auto scaled = [&] (int i) __attribute__ ((noinline)) {
    shop::n_sold += i; // LINE lambda
    boxes[i & 3].count = i;
  };
  counter counter = count_to (100);

  for (int i = 0; i < 100; i++) {
    shop::base *one = shop::make (i); // LINE make

    area += one->area ();
    add_all (shop::boxed (i), 3);
    stack.push (i);
    scaled (i);
    counter.handle.resume ();
    area += counter.handle.promise ().value;
  }
  counter.handle.destroy ();
  std::printf ("%g %ld\n", area, shop::n_sold);
  return 0;
}
