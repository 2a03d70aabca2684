// paired.cpp: a vector that only one variant has, strings, and a vector that
// the other variant reserves: which of them are the same in two runs.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

#include <cstdio>
#include <string>
#include <vector>

int
main ()
{
  std::vector<std::string> words;
#ifndef REPAIRED
  std::vector<int> unused (50000, 1); // HERE unused
  long all = unused[7];
#else
  long all = 1;
#endif
  for (int i = 0; i < 500; i++)
    words.push_back (std::string (40 + i % 7, 'a')); // HERE strings
  std::vector<long> sums;
#ifdef REPAIRED
  sums.reserve (2000);
#endif
  for (int i = 0; i < 2000; i++)
    sums.push_back (i + (long) words[i % 500].size ()); // HERE sums
  for (int k = 0; k < 10; k++)
    for (long x : sums)
      all += x;
  std::printf ("%ld\n", all);
}
