# What the two comparisons of dg reuse with cachegrind share.  To be sourced
# behind record.sh; the caller has a function `cachegrind`.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash

# Lines of a cache with one set.
sizes="8 128 1024"
[ -z "$DG_TEST_LONG" ] || sizes="8 32 128 512 1024 2048"

# Misses of data, from cachegrind's file.
cachegrind_misses () # FILE
{
  awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
       /^summary:/ { print $at["D1mr"] + $at["D1mw"] }' "$1"
}

# For each line size: all caches.
compare_sizes () # NAME LOG PROGRAM
{
  local name=$1 log=$2 program=$3 line size got expected
  for line in 64 32; do
    # shellcheck disable=SC2086
    "$DG" reuse --json --line-size=$line --worst=0 --by=thread \
      --lines="$(echo $sizes | tr ' ' ,)" "$log" > "$name.json"
    for size in $sizes; do
      [ $line = 64 ] || [ "$size" = 128 ] ||
        { [ -n "$DG_TEST_LONG" ] && [ "$size" = 1024 ]; } || continue
      rm -f "$name.cg"
      cachegrind --cachegrind-out-file="$name.cg" \
        --D1=$((size * line)),"$size",$line --I1=32768,8,64 \
        --LL=8388608,16,64 "$program" > /dev/null
      expected=$(cachegrind_misses "$name.cg")
      got=$(perl -MJSON::PP -0777 -e '
        my $all = decode_json (<STDIN>)->{misses_by_lines};
        print map { $_->[1] } grep { $_->[0] == $ARGV[0] } @$all' "$size" \
        < "$name.json")
      if [ "${expected:-0}" -gt 0 ]; then
        is "$name: $size lines of $line bytes miss as cachegrind's do: $expected" \
          "$got" "$expected"
      else
        not_ok "$name, $size lines: cachegrind's figures"
      fi
    done
  done
}
