/* keys.cc: each call makes a string that the callee only measures

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: temporary */

#include <cstdio>
#include <string>
#include <string_view>

static bool
is_short (const std::string &text)
{
  return text.size () < 30;
}

static bool
is_short (std::string_view text)
{
  return text.size () < 30;
}

int
main ()
{
  const char *names[] = {"a name that does not fit the object itself",
                         "another name, which is as long as the first"};
  long n = 0;

  for (int i = 0; i < 60000; i++)
#ifdef REPAIRED
    n += is_short (std::string_view (names[i & 1], 20 + i % 20));
#else
    n += is_short (std::string (names[i & 1], 20 + i % 20)); /* FLAW */
#endif
  std::printf ("%ld\n", n);
}
