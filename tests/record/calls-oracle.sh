#!/bin/bash
# "dg calls" beside callgrind: how often each function was called, and how many
# instructions it executed, itself and with all that it called.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
command -v python3 > /dev/null || skip_all "no python3"
find_oracle callgrind
as=environment guest bare-environment "${bare[@]}" ||
  skip_all "the compiler makes no static programs"
fill "$T/environment" --callgrind-out-file=/dev/null ||
  note "environments cannot be made alike"

compare () # NAME GUEST FLAGS...
{
  local name=$1 source=$2 found
  shift 2
  if ! as=$name guest "$source" -g -static "$@"; then
    skip "$name" "the compiler cannot make it"
    return
  fi
  theirs --dump-instr=yes --show-below-main=yes \
    --callgrind-out-file="$name.cg" "$T/$name" > /dev/null 2> "$name.err"
  ours --datagrind-out-file="$name.dg" "$T/$name" > /dev/null 2>> "$name.err"
  "$DG" calls --json --edges "$name.dg" > "$name.json" 2>> "$name.err"
  if found=$(python3 "$record_dir/calls_compare.py" "$name.cg" "$name.json" \
    '__mem' 2>&1); then
    ok "$name: calls, self and inclusive instructions are callgrind's: $found"
  else
    not_ok "$name: as callgrind" "$found"
  fi
  cmp -s "$name.json" <("$DG" calls --json --edges -j1 "$name.dg") ||
    not_ok "$name: the same with one worker"
}

compare shapes-O1 call-shapes -O1 -fno-optimize-sibling-calls
compare shapes-O2 call-shapes -O2
compare shapes-O0 call-shapes -O0
compare siblings tailcall -O2
compare libc static-libc -O2
compare chunks chunks -O1
done_testing
