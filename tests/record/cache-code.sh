#!/bin/bash
# What dg cache says of code: callgrind's file beside what callgrind itself
# finds, sources with the figures of their lines.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# costs FILE: from a file in callgrind's format, the instructions of each
# function by itself, and calls and instructions of each pair of functions.
costs ()
{
  python3 - "$1" << 'END'
import re, sys
names = {'fn': {}, 'fl': {}}
own, calls = {}, {}
def name(kind, text):
    number, text = re.match(r'(?:\((\d+)\))? ?(.*)', text).groups()
    if number is None:
        return text
    if text:
        names[kind][number] = text
    return names[kind][number]
called = None
for line in open(sys.argv[1]):
    match = re.match(r'(c?)(fn|ob|fl|fi|fe)=(.*)', line)
    if match:
        if match.group(2) == 'fn':
            text = name('fn', match.group(3))
            if match.group(1):
                callee = text
            else:
                function = text
    elif line.startswith('calls='):
        called = int(line[6:].split()[0])
    elif re.match(r'[+*-]?\d*\s*\d*', line) and line[0] in '+-*0123456789':
        instructions = int((line.split() + ['0'])[1])
        if called is None:
            own[function] = own.get(function, 0) + instructions
        else:
            sums = calls.setdefault((function, callee), [0, 0])
            sums[0] += called
            sums[1] += instructions
            called = None
for function in sorted(own):
    print(function, own[function])
for pair in sorted(calls):
    print(*pair, *calls[pair])
END
}

bare=(-static -nostdlib -fno-pie -no-pie -ffreestanding -fno-stack-protector
      -fcf-protection=none -fno-tree-loop-distribute-patterns)
guest cache-misses "${bare[@]}" || skip_all "the compiler cannot make it"
record log ./cache-misses
check "dg cache --callgrind-out" "$DG" cache --callgrind-out=ours log
if env -u VALGRIND_LIB valgrind --tool=callgrind --version \
     > /dev/null 2>&1; then
  env -u VALGRIND_LIB valgrind --tool=callgrind -q \
    --callgrind-out-file=theirs ./cache-misses 2> /dev/null
  # The block that ends the program is not one of callgrind's, so that the
  # function around it, and what calls that, are not compared.
  for file in ours theirs; do
    costs $file | grep -v -e '^bare_start [0-9]' -e '^_start' \
      -e '^(below main)' > $file.costs
  done
  note "$(wc -l < theirs.costs) functions and calls"
  if [ "$(grep -c '^bare_start f' theirs.costs)" -lt 60 ]; then
    not_ok "callgrind tells of the calls" "$(cat theirs.costs)"
  else
    is "functions, calls and all that they cost are callgrind's" \
      "$(diff ours.costs theirs.costs)" ""
  fi
else
  skip "no callgrind"
fi

# The line that reads the same places of many pages misses most.
"$DG" cache --annotate --D1=4096,1,64 log > annotated 2> err
source=$guests/cache-misses.c
number=$(grep -n 'x += \*(volatile uint32_t' "$source" | cut -d: -f1)
line=$(grep -E "^ .* +$number  +x \+=" annotated)
note "$line"
check "a source with figures" grep -qF "$source: " annotated
# 6 rounds, 97 pages, three times each; at the end of a line, so that each is
# two lines; but the first of three is the only one to miss.
is "reads and misses of its line" \
  "$(printf '%s\n' "$line" | awk '{ print $2, $3 }')" "1,746 582"
# Only what is shown of the rest; no source is said.
check "lines far away are left out" test "$(grep -c ' SPDX-' annotated)" = 0
cp "$source" .
sed -i 's|^|/* new */ |' cache-misses.c
# Newer than the recording, however quick that was.
touch -d '1 hour' cache-misses.c
"$DG" cache --annotate --source-map="$guests=$T" log > mapped
check "sources are looked for elsewhere" grep -q '  /\* new \*/' mapped
check "a source that is newer is told" grep -q 'was changed after' mapped
"$DG" cache --annotate --source-map="$guests=/nowhere" log |
  tr '\n' ' ' > none
check "no source is told" \
  grep -q ' /nowhere/cache-misses.c: [^:]* cannot be read here' none
done_testing
