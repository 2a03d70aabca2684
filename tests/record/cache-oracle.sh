#!/bin/bash
# dg cache beside cachegrind: programs that are laid out alike under both, as
# they are linked statically and allocate nothing, have the same nine figures,
# whatever the caches.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
. "$record_dir/cache_oracle.sh"
find_oracle cachegrind

compare () # NAME
{
  local name=$1 geometry got expected i=0
  ours --datagrind-out-file="$name.dg" "./$name" > "$name.out" \
    2> "$name.err"
  for geometry in "${geometries[@]}"; do
    i=$((i + 1))
    # All caches by the program that misses much; the others by two of them.
    [ -n "$DG_TEST_LONG" ] || [ "$name" = misses ] || [ $i = 2 ] || [ $i = 5 ] ||
      continue
    # shellcheck disable=SC2086
    theirs --cache-sim=yes -q --cachegrind-out-file="$name.cg" $geometry \
      "./$name" > "$name.cgout" 2> /dev/null
    expected=$(cachegrind_figures "$name.cg")
    # shellcheck disable=SC2086
    got=$(dg_figures "$name.dg" $geometry)
    if [ -z "$expected" ]; then
      not_ok "$name, caches $i: cachegrind's figures"
    elif ! some_misses "$expected"; then
      not_ok "$name, caches $i: there are misses to compare" "$expected"
    else
      is "$name, caches $i: $events: $expected" "$got" "$expected"
    fi
  done
  is "$name prints the same" "$(cat "$name.out")" "$(cat "$name.cgout")"
}

avx=
grep -qw avx2 /proc/cpuinfo && avx="-mavx2 -mfma"

as=environment guest bare-environment "${bare[@]}" \
  || skip_all "the compiler cannot make bare programs"
fill ./environment --cachegrind-out-file=/dev/null ||
  skip_all "environments cannot be made alike"
for name in $bare_names; do
  flags=
  [ $name = float ] && flags=$avx
  # shellcheck disable=SC2086
  if as=$name guest bare-$name "${bare[@]}" $flags; then
    compare $name
  else
    not_ok "$name: compiles"
  fi
done
if [ "$guest_arch" = s390x ]; then
  skip "libc" "it swaps a thing with itself by MVC, a modify for dg only"
elif as=libc guest static-libc -static; then
  compare libc
else
  skip "libc" "no static C library"
fi
# Caches that hold less than what is touched, in every way.
if as=misses guest cache-misses "${bare[@]}"; then
  compare misses
else
  not_ok "misses: compiles"
fi
done_testing
