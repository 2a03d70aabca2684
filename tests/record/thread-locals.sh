#!/bin/bash
# Thread-local variables: each thread's copy has a name, wherever it lies.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# names LOG: "WRITES NAME" of all variables.
names ()
{
  [ -e "$1.counts" ] ||
    "$DG" counts --by=variable --top=0 --json "$1" | python3 -c '
import json, sys
for x in json.load (sys.stdin)["rows"]:
    print (x["writes"], x["kind"], x["name"])' > "$1.counts"
  cat "$1.counts"
}

# written WHAT LOG NAME N [MORE]: so often, as a thread-local variable; and
# once or twice (MORE) when the copy is made, as the C library likes, or each
# byte (MVC of s390x).
once=2
[ "$guest_arch" != s390x ] || once=4
written ()
{
  local got
  got=$(names "$2" | sed -n "s/^\([0-9]*\) thread-local \(.*\)/\2=\1/p" |
    awk -v name="$3=" 'index ($0, name) == 1 {
      print substr ($0, length (name) + 1) }')
  if [ "${got:-0}" -ge "$4" ] && [ "$got" -le $(($4 + ${5:-$once})) ]; then
    ok "$1"
  else
    not_ok "$1" "got: $got, expected $4"
  fi
}

# of_program WHAT LOG: what is in the program itself.
of_program ()
{
  written "$1: the main thread's" "$2" '<thread 1>.counter' 100
  written "$1: another's" "$2" '<thread 2>.counter' 300
  written "$1: that of one in the same place later" "$2" \
    '<thread 3>.counter' 200
  written "$1: a field of an array" "$2" '<thread 2>.counts.misses' 300
  is "$1: a static variable is one" \
    "$(names "$2" | sed -n 's/ global <global>.same_for_all//p')" 600
}

for bits in $guest_bits; do
  if as=lib$bits.so guest thread-locals $(width $bits) -shared -fPIC -DLIBRARY &&
      as=plug$bits.so guest thread-locals $(width $bits) -shared -fPIC -DPLUGIN &&
      as=prog$bits guest thread-locals $(width $bits) -pthread "./lib$bits.so" -ldl; then
    for recorded in raw live; do
      # An archive of one width is enough.
      [ $recorded$bits != live32 ] || [ -n "$DG_TEST_LONG" ] || continue
      log=log$bits.$recorded
      LD_LIBRARY_PATH=. record $log ./prog$bits ./plug$bits.so
      what="$bits bits, $recorded"
      check_log "$what: the log is whole" $log
      of_program "$what" $log
      written "$what: of a library" $log '<thread 2>.inner' 300
      written "$what: one that others use" $log '<thread 2>.exported' 300
      for thread in 1 2 3; do
        set -- 100 300 200
        written "$what: of a file that thread $thread opens" $log \
          "<thread $thread>.plugged.value" "${!thread}"
      done
      is "$what: errno is libc's" \
        "$(names $log | awk '$3 == "<thread" && $4 == "2>.errno" && $1 >= 300' |
          wc -l)" 1
    done
    # A cut has them from its begin.
    log=log$bits.raw
    last=$("$DG" dump $log | sed -n 's/.* END .*icount=\([0-9]*\) .*/\1/p')
    "$DG" cut --instructions=$((last - 100)).. -o cut$bits $log
    is "$bits bits: a cut tells of the copies that there are" \
      "$("$DG" dump cut$bits | grep -c ' THREAD_LOCAL thread=1 ')" 3
  else
    skip "$bits bits" "the compiler cannot make the program"
  fi
done
recorded=raw

if as=static guest thread-locals -static -DSTATIC -pthread; then
  record static.log ./static
  of_program "linked statically" static.log
  printf '#!%s/static\n' "$T" > script
  chmod +x script
  record script.log ./script
  written "begun by a script" script.log '<thread 2>.counter' 300
else
  skip "linked statically" "the compiler cannot make the program"
fi

if guest thread-locals-cpp -pthread; then
  record cpp.log ./thread-locals-cpp
  # The constructor, and the destructor.
  written "an object that is made when it is asked for" cpp.log \
    '<thread 2>.pool::local.used' 301
  written "one within a function" cpp.log '<thread 2>.work::calls' 300
else
  skip "C++" "the compiler cannot make the program"
fi

# has_none WHAT LOG NAME
has_none ()
{
  is "$1" "$(names "$2" | grep -F " thread-local <thread 1>.$3" )" ""
}

# come_and_go BITS: libraries that are opened and closed, and a list of them
# that is not what it should be.
come_and_go ()
{
  local bits=$1 what="$1 bits" child parent
  record again$bits ./load$bits again ./first$bits.so
  written "$what: of a library that is opened again" again$bits \
    '<thread 1>.first' 1500 603

  child=$(record fork$bits.%p ./load$bits fork ./first$bits.so \
            ./second$bits.so)
  check_log "$what: a child's log is whole" "fork$bits.$child"
  has_none "$what: a block that a library has left is not another's" \
    "fork$bits.$child" first
  written "$what: ... which has its own, in the child" "fork$bits.$child" \
    '<thread 1>.second' 300 3001
  # Where libraries ask for copies by descriptors (TLSDESC), small ones get a
  # place beside the program's, and leave no block.
  if [ "$guest_arch" = amd64 ]; then
    is "$what: ... and the block is one of the heap" \
      "$(names "fork$bits.$child" | grep -c '^700 heap ')" 1
  fi

  mkdir plug$bits
  cp second$bits.so plug$bits/load$bits
  child=$(record same$bits.%p ./load$bits same ./plug$bits/load$bits)
  parent=$(ls same$bits.* | grep -v "\.$child\$\|\.err\$\|\.counts\$")
  written "$what: a library has the program's name" "$parent" \
    '<thread 1>.own' 500
  written "$what: ... and its own variables" "$parent" \
    '<thread 1>.second' 300 3001
  written "$what: ... in a child, too" "same$bits.$child" '<thread 1>.own' 200

  # Each call took 90 ms when all that there is was looked at.
  record ring$bits ./load$bits ring ./first$bits.so
  check_log "$what: a list that is a ring does no harm" ring$bits
  if [ -n "${DATAGRIND_CROSS:-}" ]; then
    skip "$what: a list in a file that is empty now" \
      "emulators end where memory has lost its file"
    return
  fi
  record short$bits ./load$bits cut ./first$bits.so
  is "$what: a list in a file that is empty now does no harm" $? 7
  check_log "$what: ... and its log is whole" short$bits
}

for bits in $guest_bits; do
  if as=first$bits.so guest thread-locals-load $(width $bits) -shared -fPIC \
       -DNAME=first -DSIZE=200 &&
      as=second$bits.so guest thread-locals-load $(width $bits) -shared -fPIC \
        -DNAME=second -DSIZE=3000 &&
      as=load$bits guest thread-locals-load $(width $bits) -ldl; then
    # The lists are those of one loader.
    [ $bits = 32 ] && [ -z "$DG_TEST_LONG" ] || come_and_go $bits
  else
    skip "$bits bits: libraries that come and go" \
      "the compiler cannot make the program"
  fi
done

done_testing
