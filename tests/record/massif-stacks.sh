#!/bin/bash
# "dg heap" beside Massif where every instruction counts: --stacks=yes,
# --time-unit=i and --pages-as-heap=yes.  The whole file is the same, but for
# the line "desc:".
#
# For that, programs must do the same to the instruction, the loader, too: so
# Massif is run under the recorder's name and with its preloaded library, but
# for pages, where both preload nothing.  Other superblocks would see other
# values of the stack pointer, so Massif has to make those that the recorder
# has.  Threads take turns differently each time, so they are not compared here.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
command -v python3 > /dev/null || skip_all "no python3"
find_oracle massif

# Each program with one set of options, and each of these with some program;
# all with all with DG_TEST_LONG.
is_wanted () # NUMBER-OF-PROGRAM NUMBER-OF-OPTIONS HOW-MANY
{
  [ -n "$DG_TEST_LONG" ] || [ $(($1 % $3)) = "$2" ]
}

# A program is recorded once for all that follow each other.
in_log=
compare () # WHAT OPTIONS-OF-BOTH OPTIONS-OF-RECORDER PROGRAM...
{
  local what=$1 both=$2 recorder=$3 found
  shift 3
  # shellcheck disable=SC2086
  theirs --massif-out-file="$T/theirs" --run-libc-freeres=no \
    --run-cxx-freeres=no --read-inline-info=yes $both "$@" \
    > theirs.out 2> theirs.err < /dev/null
  massif_wrote theirs
  if [ "$in_log" != "$recorder $* $filled" ]; then
    # shellcheck disable=SC2086
    ours --datagrind-out-file="$T/log" $recorder "$@" \
      > ours.out 2> ours.err < /dev/null
    in_log="$recorder $* $filled"
  fi
  # shellcheck disable=SC2086
  "$DG" heap $both -o "$T/ours" log > heap.out 2> heap.err ||
    { not_ok "$what" "$(cat heap.err)"; return; }
  if found=$(python3 "$record_dir/massif_compare.py" theirs ours --any 2>&1)
  then
    ok "$what: as massif: $found"
  else
    not_ok "$what: as massif" "$(head -n 3 heap.err)" "$found"
  fi
  # shellcheck disable=SC2086
  "$DG" heap -j1 $both -o - log 2> /dev/null | cmp -s - ours ||
    not_ok "$what: the same with one worker"
}

detailed="--threshold=0 --depth=4 --detailed-freq=1 --max-snapshots=20"
many="--threshold=0.1 --depth=100 --detailed-freq=3 --max-snapshots=300"

# ---- Pages ------------------------------------------------------------------

if as=environment guest bare-environment "${bare[@]}" &&
   fill "$T/environment" --massif-out-file=/dev/null &&
   as=static-grow guest heap-grow -static &&
   as=static-align guest heap-align -static &&
   as=static-map guest memory-map -static -w; then
  n=0
  for name in static-grow static-align static-map; do
    k=0
    for options in "" "$detailed" "$many"; do
      is_wanted $n $((k++)) 3 || continue
      compare "$name: pages, $options" \
        "--time-unit=B --pages-as-heap=yes $options" "" "$T/$name"
    done
    n=$((n + 1))
  done
else
  skip "pages" "no static programs, or environments that differ"
fi

# Both leave malloc to the program, and take what they preload out again.
filled=LD_PRELOAD=
dynamic=()
for name in heap-grow heap-cpp; do
  if guest $name -O2; then
    dynamic+=("$T/$name")
  else
    skip "$name: pages" "the compiler cannot make it"
  fi
done
sqlite=$(system_program sqlite3)
[ -z "$sqlite" ] || dynamic+=("$sqlite")
# Below the loader's first function Valgrind takes the number of arguments and
# their addresses for callers, so these programs have none.
n=0
for program in "${dynamic[@]}"; do
  k=0
  for options in "" "$detailed" "$many"; do
    is_wanted $n $((k++)) 3 || continue
    compare "${program##*/}: pages, $options" \
      "--time-unit=B --pages-as-heap=yes $options" \
      --datagrind-replace-malloc=no "$program"
  done
  n=$((n + 1))
done

# ---- Stacks, and time in instructions ---------------------------------------

rm -f "$T/lib-them"
mkdir "$T/lib-them"
for file in "$oracle_lib"/*; do
  ln -s "$file" "$T/lib-them/"
done
ln -sf "$oracle_lib/massif-$guest_arch-linux" \
  "$T/lib-them/exp-datagrind-$guest_arch-linux"
ln -sf "$vg_lib/vgpreload_exp-datagrind-$guest_arch-linux.so" "$T/lib-them/"
oracle=exp-datagrind filled=LD_PRELOAD=

programs=()
for name in heap-calls heap-grow heap-cpp deep; do
  if guest $name -O2; then
    programs+=("$T/$name")
  else
    skip "$name" "the compiler cannot make it"
  fi
done
[ -z "$sqlite" ] || programs+=("$sqlite")
n=0
for program in "${programs[@]}"; do
  arguments=()
  [ "$program" != "$sqlite" ] ||
    arguments=(-init /dev/null :memory: "create table t (a); select 1;")
  k=0
  for options in "--time-unit=B" "--time-unit=B --heap=no $many" \
                 "--time-unit=B $detailed"; do
    is_wanted $n $((k++)) 3 || continue
    compare "${program##*/}: stacks, $options" "--stacks=yes $options" \
      --datagrind-stacks=yes "$program" "${arguments[@]}"
  done
  k=0
  for options in "" "$many --peak-inaccuracy=0"; do
    # Two of the first four, and the last one, which has other allocators.
    is_wanted $n $((k++)) 4 || continue
    compare "${program##*/}: instructions, $options" \
      "--time-unit=i $options" "" "$program" "${arguments[@]}"
  done
  n=$((n + 1))
done
done_testing
