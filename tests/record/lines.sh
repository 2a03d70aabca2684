#!/bin/bash
# dg export --format=lcov beside gcov: the counts of lines are the same.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ "$guest_arch" = amd64 ] || skip_all "gcov is that of this machine"

cat > lines.h << 'END'
static inline __attribute__ ((always_inline)) int
twice (int x)
{
  return 2 * x;
}
END
cat > lines.c << 'END'
#include <stdio.h>
#include <string.h>
#include "lines.h"
static int
never (int x)
{
  return x + 1;
}
int (*keep) (int) = never;
static int
choose (int n)
{
  switch (n % 4) {
  case 0:
    return 1;
  case 1:
    return twice (n);
  default:
    n += 2;
    break;
  }
  return n;
}
static char from[5000], to[5000];
int
main (int argc, char **argv)
{
  int sum = 0;
  (void) argv;
  for (int i = 0; i < 10; i++)
    sum += twice (i);
  for (int i = 0; i < 25; i++)
    sum += choose (i);
  if (argc > 5)
    sum++;
  __asm__ volatile ("rep movsb" : : "S" (from), "D" (to), "c" (3000L) : "memory");
  printf ("%d\n", sum + to[7]);
  return 0;
}
END
$CC -g -O0 --coverage -o counted lines.c > compiled 2>&1 && ./counted > printed &&
  gcov -t *.gcda > lines.gcov 2> gcov.err ||
  skip_all "no gcov: $(head -n 1 compiled gcov.err | tr '\n' ' ')"
$CC -g -O0 -o lines lines.c
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o log.dgz ./lines \
  > printed 2> log.err || skip_all "cannot record: $(cat log.err)"
check "there are lines" "$DG" export --format=lcov -o log.info log.dgz
cat > compare.py << 'END'
import re
import sys

# gcov counts a function at the line of its name, debug information at that or
# at its brackets; gcov also counts labels, which have no code.
counted, file = {}, None
for line in open("lines.gcov", encoding="utf-8"):
    count, number, text = line.split(":", 2)
    if number.strip() == "0":
        if text.startswith("Source:"):
            file = text[7:].strip()
    elif count.strip() != "-":
        count = count.strip().rstrip("*")
        counted[file, int(number)] = 0 if count.startswith(("#", "=")) \
            else int(count)
found, file, totals = {}, None, []
for line in open("log.info", encoding="utf-8"):
    key, _, rest = line.strip().partition(":")
    if key == "SF":
        file = rest.rpartition("/")[2]
        assert rest.startswith("/"), rest
    elif key == "DA":
        number, count = rest.split(",")
        assert (file, int(number)) not in found
        found[file, int(number)] = int(count)
    elif key in ("LF", "LH"):
        totals.append(int(rest))
source = {name: open(name, encoding="utf-8").read().split("\n")
          for name in ("lines.c", "lines.h")}
bracket = re.compile(r"^[{}]$")
wrong = []
for name, number in sorted(set(counted) | set(found)):
    text = source[name][number - 1]
    is_head = re.match(r"^\w+ \(.*\)$|^ *case .*:$|^ *default:$", text) \
        or bracket.match(text)
    if not is_head and counted.get((name, number)) != \
            found.get((name, number)):
        wrong.append(f"{name}:{number}: {found.get((name, number))}, not "
                     f"{counted.get((name, number))}: {text}")
print("\n".join(wrong))
both = set(counted) & set(found)
assert len(both) > 15, both
assert sum(totals[::2]) == len(found)
assert sum(totals[1::2]) == sum(count > 0 for count in found.values())
assert set(name for name, _ in found) == {"lines.c", "lines.h"}
sys.exit(bool(wrong))
END
check "counts are those of gcov" python3 compare.py
"$DG" export --format=lcov --events=fn:choose -o part.info log.dgz
is "of a part, only that" \
  "$(sed -n '/lines.c$/,/^end/s/^DA:\(13\|28\|6\|39\),//p' part.info |
    tr '\n' ' ')" "0 25 0 0 "
strip -g lines -o bare
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o bare.dgz ./bare \
  > printed 2> log.err
"$DG" export --format=lcov bare.dgz > bare.info 2> bare.err
is "without debug information, a warning" \
  "$(cat bare.info; grep -c 'compile with -g' bare.err)" "TN:
1"

done_testing
