#!/bin/bash
# dg cache of imported traces of lackey beside cachegrind: the nine figures of
# the very same accesses are equal, whatever the caches.  Nothing is recorded,
# so that this runs wherever there is a Valgrind.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

if ! command -v valgrind > /dev/null; then
  echo "1..0 # SKIP no valgrind"
  exit 0
fi
unset VALGRIND_LIB
VALGRIND_DG=valgrind
. "$(dirname "$0")/record.sh"
. "$record_dir/cache_oracle.sh"
for tool in lackey cachegrind; do
  valgrind --tool=$tool --version > /dev/null 2>&1 || skip_all "no $tool"
done

# The same environment and places for both.
fixed=
if setarch -R true 2> /dev/null; then
  fixed="setarch -R"
fi
run () # TOOL OPTIONS... PROGRAM
{
  # shellcheck disable=SC2086
  env -i PATH="$PATH" HOME="$T" $fixed valgrind --vex-guest-chase=no \
    --vex-iropt-unroll-thresh=0 --tool="$@" 2> /dev/null
}

compare () # NAME PROGRAM
{
  local name=$1 program=$2 geometry got expected i=0
  run lackey --trace-mem=yes --basic-counts=no --log-file="$name.lk" \
    "$program" > "$name.out"
  check "$name: dg import" "$DG" import --lackey "$name.lk" -o "$name.dg"
  for geometry in "${geometries[@]}"; do
    i=$((i + 1))
    # shellcheck disable=SC2086
    run cachegrind --cache-sim=yes --cachegrind-out-file="$name.cg" \
      $geometry "$program" > "$name.cgout"
    expected=$(cachegrind_figures "$name.cg")
    # shellcheck disable=SC2086
    got=$(dg_figures "$name.dg" $geometry)
    if [ -z "$expected" ]; then
      not_ok "$name, caches $i: cachegrind's figures"
    else
      is "$name, caches $i: $events: $expected" "$got" "$expected"
    fi
  done
}

bare=(-static -nostdlib -fno-pie -no-pie -ffreestanding -fno-stack-protector
      -fcf-protection=none -fno-tree-loop-distribute-patterns)
# Each is run once by lackey and once for each cache, so only programs will do
# of which every run is the same to the last access: a dynamic linker is not.
for name in cache-misses bare-recurse bare-string; do
  if guest $name "${bare[@]}"; then
    compare $name ./$name
  else
    not_ok "$name: compiles"
  fi
done
done_testing
