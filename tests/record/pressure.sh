#!/bin/bash
# A disk that takes nothing more: the program waits, the packer's memory stays
# small, and no more is lost with the packer than its ring can hold.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
[ -z "${DATAGRIND_CROSS:-}" ] || skip_all "the disk is shut for this processor"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
guest pressure || skip_all "the compiler cannot make the program"
$CC -shared -fPIC -O1 -o shut_disk.so "$record_dir/shut_disk.c" \
  2> .compile || skip_all "the compiler makes no libraries"
mkdir rings

# Blocks after which a program that has not waited for the disk will not.
many=1500000
# Kilobytes of the packer's own memory, of which it needs half.
memory=120000

run () # NAME RING BLOCKS: in the background
{
  : > count
  SHUT=$T/shut LD_PRELOAD=$T/shut_disk.so \
    "$DG" record --ring-dir="$T/rings" --ring="$2" -j 2 -o "$1.dgz" \
    -- ./pressure "$3" count &
  recorder=$!
}
count ()
{
  local n
  n=$(od -An -t u8 count)
  echo $((${n:-0}))
}
has_ended () # PID
{
  ! kill -0 "$1"
}
# The process that runs the program of this dg record.
find_program ()
{
  program=$(pgrep -P $recorder) && [ "$(count)" -gt 0 ] || has_ended $recorder
}
# It sleeps where it waits for its ring, a millisecond at a time.
sleeps ()
{
  sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$program/status"
}
has_waited ()
{
  [ "$(count)" -ge $many ] || [ "$(sleeps)" -ge 500 ] || has_ended "$program"
}
wait_for_program ()
{
  wait_until find_program && wait_until has_waited && ! has_ended "$program"
}
at_most () # FIGURE LIMIT
{
  echo "$1, at most $2"
  [ "$1" -le "$2" ]
}

# ---- What a block costs ----

for n in 10000 20000; do
  run $n 32 $n
  wait $recorder
  is "$n blocks: exit status" $? 0
done
each=$((($(info 20000.dgz accesses) - $(info 10000.dgz accesses)) / 10000))
note "$each accesses a block"
check "accesses of a block" test $each -gt 10

# ---- The packer is killed while it waits for the disk ----

# An access takes a word of the ring.
for ring in 8 32; do
  : > shut
  run $ring $ring 0
  check "ring of $ring MiB: the program waits" wait_for_program
  own=$(awk '/^VmHWM/ { n += $2 } /^RssShmem/ { n -= $2 } END { print n }' \
    /proc/$recorder/status)
  check "ring of $ring MiB: memory of the packer" at_most "$own" $memory
  kill -KILL $recorder "$program"
  wait $recorder 2> /dev/null
  rm -r rings/*
  kept=$(info $ring.dgz accesses)
  check "ring of $ring MiB: the archive has a beginning" test "$kept" -gt 0
  lost=$(($(count) * each - kept))
  check "ring of $ring MiB: what is lost" at_most $lost $((ring << 17))
  note "memory of the packer: $own KB; lost: $lost of $(count) blocks"
done

# ---- The disk goes on ----

rm -f shut
run open 8 100000
wait $recorder
: > shut
run late 8 100000
check "disk that goes on: the program waits" wait_for_program
rm shut
wait $recorder
is "disk that goes on: exit status" $? 0
check "disk that goes on: the archive" "$DG" check late.dgz
is "disk that goes on: its accesses" "$(info late.dgz accesses)" \
  "$(info open.dgz accesses)"

done_testing
