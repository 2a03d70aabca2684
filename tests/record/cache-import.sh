#!/bin/bash
# dg cache of imported traces of lackey beside cachegrind: the nine figures of
# the very same accesses are equal, whatever the caches.  Nothing is recorded,
# so that this runs wherever there is a Valgrind.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/imported.sh"
. "$record_dir/cache_oracle.sh"

compare () # NAME PROGRAM
{
  local name=$1 program=$2 geometry got expected i=0
  run lackey --trace-mem=yes --basic-counts=no --log-file="$name.lk" \
    "$program" > "$name.out"
  check "$name: dg import" "$DG" import --lackey "$name.lk" -o "$name.dg"
  for geometry in "${geometries[@]}"; do
    i=$((i + 1))
    # What is compared is the import; cache-oracle.sh compares the caches.
    [ -n "$DG_TEST_LONG" ] || [ $i = 2 ] || continue
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

compare_programs
done_testing
