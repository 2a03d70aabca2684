#!/bin/bash
# Types of heap blocks by the pointers that they are assigned to.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# written LOG NAME TYPE: the writes of blocks under that name and type.
written ()
{
  [ -e "$1.counts" ] ||
    "$DG" counts --by=variable --top=0 --json "$1" 2> /dev/null | python3 -c '
import json, sys
for x in json.load (sys.stdin)["rows"]:
    if x["kind"] == "heap":
        print ("%s|%s|%d" % (x["name"], x.get ("type"), x["writes"]))' > "$1.counts"
  awk -F '|' -v name="$2" -v type="$3 (by pointer)" \
    '$1 == name && $2 == type { print $3 }' "$1.counts"
}

# place TEXT: where that stands in the source.
place ()
{
  grep -nF "$1" "$guests/assigned.c" | cut -d: -f1
}

for bits in 64 32; do
  for level in 0 1 2; do
    what="-m$bits -O$level"
    log=log$bits-$level.dg
    if ! as=program guest assigned -m$bits -O$level; then
      skip "$what" "the compiler cannot make the program"
      continue
    fi
    record $log ./program
    is "$what: a variable" "$(written $log item.key 'struct item')" 70
    # There debug information has the parameter where it was given, on the
    # stack, and not in the register that the code uses.
    if [ "$what" != '-m32 -O1' ]; then
      is "$what: a field of what a parameter points to" \
        "$(written $log item.value 'struct item')" 150
      is "$what: ... another" "$(written $log other.b 'struct other')" 150
      is "$what: numbers have the name of their place" \
        "$(written $log "fill at assigned.c:$(place 'sums = calloc')" double)" \
        150
    fi
    is "$what: memory that a function passes on" \
      "$(written $log other.a 'struct other')" 70
    is "$what: a type that stands for a pointer" \
      "$(written $log fourth.u 'struct fourth')" 70
    is "$what: characters, too" \
      "$(written $log "local at assigned.c:$(place 'text = malloc')" char)" 70
    # Of code that may be anywhere, x86 has the address in a register.
    if [ $bits = 64 ]; then
      is "$what: a global variable" \
        "$(written $log third.y 'struct third')" 100
    fi
    rm -f program
  done
done
done_testing
