#!/bin/bash
# docs/format.md says what dg_record.h says, and its example is one.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

doc=$abs_top_srcdir/docs/format.md
header=$abs_top_srcdir/include/dg_record.h
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0

same ()
{
  n=$((n + 1))
  if diff "$dir/$2" "$dir/$3" >"$dir/diff"; then
    echo "ok $n - $1"
  else
    echo "not ok $n - $1"
    sed 's/^/# /' "$dir/diff"
  fi
}

# "13 CONTEXT", from the tables' rows and from the enum.
sed -n 's/^| \([0-9, ]*\) | \([A-Z_, ]*\) |.*/\1|\2/p' "$doc" | tr -d ' ' |
  awk -F'|' '{ k = split ($1, number, ","); split ($2, name, ",")
               for (i = 1; i <= k; i++) print number[i], name[i] }' |
  sort -n >"$dir/doc"
sed -n 's/^ *DG_R_\([A-Z_]*\) = \([0-9]*\).*/\2 \1/p' "$header" | sort -n \
  >"$dir/header"
same "every record has its row" header doc

# The example's bytes, from the dump and from the assembler.
sed -n '/^The bytes/,/^|/s/^    0000.0 //p' "$doc" | tr -s ' ' '\n' |
  grep . >"$dir/bytes"
sed -n '/^## An example/,/^The bytes/s/^    //p' "$doc" >"$dir/example.dgt"
"$DGASM" -o "$dir/example.dg" "$dir/example.dgt"
od -An -tx1 -v "$dir/example.dg" | tr -s ' ' '\n' | grep . >"$dir/assembled"
same "the example is the log that its text gives" assembled bytes
sed -n 's/^| 0x[0-9a-f]* | \([0-9a-f ]*\) | .*/\1/p' "$doc" | tr ' ' '\n' \
  >"$dir/table"
same "the table explains every byte of it" bytes table

cat >"$dir/expected" <<'TEXT'
"accesses": 3
"instructions": 5
"is_complete": null
"runs": 2
TEXT
"$DG" info --json "$dir/example.dg" | sed 's/^ *//; s/,$//' |
  grep -E '^"(accesses|is_complete|instructions|runs)"' | sort >"$dir/info"
same "and reads as described" expected info
# BBFLOW has an example of its own.
sed -n 's/^    \(bbflow .*\)/\1/p' "$doc" >"$dir/flow.dgt"
"$DGASM" -w 32 -o "$dir/flow.dg" "$dir/flow.dgt"
od -An -tx1 -v -j16 "$dir/flow.dg" | tr -s ' ' '\n' | grep . \
  >"$dir/flow-assembled"
sed -n 's/^| [0-9]* | \([0-9a-f][0-9a-f][0-9a-f ]*\) | .*/\1/p' "$doc" |
  tr ' ' '\n' >"$dir/flow-table"
same "the example of a BBFLOW is explained byte by byte" flow-assembled \
  flow-table
echo "1..$n"
