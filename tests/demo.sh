#!/bin/bash
# The demo records, and its archive and its picture hold what they should.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

if [ -z "$VALGRIND_DG" ]; then
  echo "1..0 # SKIP the Valgrind tool is not built"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0

check ()
{
  local name=$1
  shift
  n=$((n + 1))
  if "$@" >"$dir/out" 2>&1; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' "$dir/out" | tail -n 20
  fi
}

# Headers as they will be installed, beside those of the tree.
mkdir "$dir/valgrind"
cp "$abs_top_srcdir/include/datagrind.h" "$dir/valgrind"
cp "$VALGRIND_TREE/include/valgrind.h" "$dir/valgrind"

info_has ()
{
  "$DG" info --json "$dir/demo/sorts.dgz" | grep -E "\"$1\" *: *$2\\b"
}

# reads EVENT: how many reads of the array an algorithm makes.
reads ()
{
  "$DG" dump --accesses --events="user:$1" --ranges=user:array \
    "$dir/demo/sorts.dgz" | grep -c '^ L'
}

few_reads_many ()
{
  local quick selection
  quick=$(reads quick) selection=$(reads selection)
  echo "quick $quick, selection $selection"
  # Selection sort of 320 compares 320 * 319 / 2 pairs and reads at least one
  # of each.
  [ "$selection" -ge 51040 ] && [ "$quick" -gt 320 ] &&
    [ "$quick" -lt "$selection" ]
}

check "records and draws" env DEMO_NO_WINDOW=1 VALGRIND="$VALGRIND_DG" \
  DG="$DG" DG_VIEW="${DG_VIEW:-none}" \
  "$abs_top_srcdir/demo/run" "$dir/demo" "$dir"
check "the archive is whole" "$DG" check "$dir/demo/sorts.dgz"
check "nine events" info_has events 9
check "five ranges" info_has ranges 5
check "selection sort reads as often as it must" few_reads_many
if [ -n "$DG_VIEW" ]; then
  check "the picture is there" test -s "$dir/demo/sorts.png"
fi
echo "1..$n"
