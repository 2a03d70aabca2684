#!/bin/bash
# "dg counts" beside lackey, which prints every instruction and access of the
# same program, and beside cachegrind, which has them by function and line.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
command -v python3 > /dev/null || skip_all "no python3"
find_oracle lackey
as=environment guest bare-environment "${bare[@]}" ||
  skip_all "the compiler makes no static programs"

figures ()
{
  awk -F '[ ,]+' '
    /^I / { i++ }
    /^ L / { r++; rb += $4 }
    /^ S / { w++; wb += $4 }
    /^ M / { r++; rb += $4; w++; wb += $4 }
    END { print i, r, w, rb, wb }' "$1"
}
told ()
{
  "$DG" counts --json "$@" | python3 -c '
import json, sys
t = json.load(sys.stdin)
print(*(t[k] for k in ("instructions", "reads", "writes", "read_bytes",
                       "write_bytes")))'
}

as_lackey () # NAME GUEST FLAGS...
{
  local name=$1 source=$2
  shift 2
  if ! as=$name guest "$source" "$@"; then
    skip "$name" "the compiler cannot make it"
    return
  fi
  theirs --trace-mem=yes --basic-counts=no --log-file="$name.lk" "$T/$name" \
    > /dev/null 2>&1
  ours --datagrind-out-file="$name.dg" "$T/$name" > /dev/null 2>&1
  local expected got
  expected=$(figures "$name.lk")
  got=$(told "$name.dg")
  if [ "$expected" = "$got" ]; then
    # shellcheck disable=SC2086
    set -- $got
    ok "$name: lackey's $1 instructions, $2 reads, $3 writes, and bytes"
  else
    not_ok "$name: as lackey" "lackey $expected" "dg     $got"
  fi
  "$DG" pack "$name.dg" -o "$name.dgz" > /dev/null
  check "$name: the same in an archive, by thread, instruction, variable" \
    same_rows "$name" "$got"
}
same_rows () # NAME FIGURES
{
  [ "$(told "$1.dgz")" = "$2" ] &&
    [ "$(told --by=thread "$1.dgz")" = "$2" ] &&
    [ "$(told --by=instruction -j3 "$1.dgz")" = "$2" ] &&
    [ "$(told --by=variable "$1.dgz")" = "$2" ]
}

fill "$T/environment" || note "environments cannot be made alike"
for name in $bare_names; do
  as_lackey $name bare-$name "${bare[@]}"
done
as_lackey libc call-shapes -static -O1 -fno-inline

find_oracle cachegrind
fill "$T/environment" --cachegrind-out-file=/dev/null ||
  note "environments cannot be made alike"
theirs --cache-sim=yes --cachegrind-out-file=libc.cg "$T/libc" \
  > /dev/null 2>&1
for by in function line; do
  "$DG" counts --json --by=$by libc.dg > libc.json
  if found=$(python3 "$record_dir/counts_compare.py" libc.cg libc.json $by \
    2>&1); then
    ok "by $by: instructions and reads are cachegrind's: $found"
  else
    not_ok "by $by: as cachegrind" "$found"
  fi
done
done_testing
