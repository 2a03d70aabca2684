#!/bin/bash
# dg calls: neither stubs of the PLT nor what binds functions when they are
# first called are callers, also where the code that a stub leads to has no
# symbol.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

cat > library.c << 'END'
/* Functions that the library chooses when it is loaded have no symbol.  */
static int
chosen (int n)
{
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static void *
choose (void)
{
  return chosen;
}
int with_choice (int n) __attribute__ ((ifunc ("choose")));
int
without (int n)
{
  volatile int sum = n;
  return sum;
}
END
cat > main.c << 'END'
int with_choice (int n), without (int n);
int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 20; i++)
    sum += with_choice (100) + without (i);
  return sum & 1;
}
END
{ $CC -g0 -O1 -shared -fPIC -s library.c -o libchosen.so &&
  $CC -g -O1 -fcf-protection=none -Wl,-z,lazy main.c ./libchosen.so -o main ||
  $CC -g -O1 -Wl,-z,lazy main.c ./libchosen.so -o main; } > made 2>&1 ||
  skip_all "the compiler cannot make the program"

for bind in lazily now; do
  now=
  [ $bind = lazily ] || now=1
  LD_BIND_NOW=$now record $bind.dg ./main
  "$DG" calls --json --top=0 $bind.dg 2> err | python3 -c '
import json, sys
for row in json.load (sys.stdin)["rows"]:
    print (row["function"], row["module"].rpartition ("/")[2] or "-",
           row["calls"], row["self_instructions"],
           row["inclusive_instructions"])' > rows
  chosen=$(awk '$1 ~ /^func_/ && $2 == "libchosen.so" && $4 > 5000 {
    print $1 }' rows)
  is "$bind: the function without a symbol was called" \
    "$(awk -v name="$chosen" '$1 == name && $4 == $5 { print $3 }' rows)" 20
  is "$bind: ... and the one that has one" \
    "$(awk '$1 == "without" { print $3 }' rows)" 20
  "$DG" calls --folded=- $bind.dg 2> err > folded
  is "$bind: their caller is main" \
    "$(grep -E ";(without|$chosen \(libchosen.so\)) " folded |
      sed 's/;[^;]*$//; s/.*;//' | sort -u)" main
done
done_testing
