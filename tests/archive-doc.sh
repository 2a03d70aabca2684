#!/bin/bash
# docs/archive.md says what lib/archive/archive_format.h says, and its example
# is one.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

doc=$abs_top_srcdir/docs/archive.md
header=$abs_top_srcdir/lib/archive/archive_format.h
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

sed -n '/^| type | part/,/^$/s/^| \([0-9]*\) | \([A-Z]*\) |.*/\1 \2/p' "$doc" \
  >"$dir/doc"
sed -n 's/^ *DG_PART_\([A-Z]*\) = \([0-9]*\).*/\2 \1/p' "$header" \
  >"$dir/header"
same "every type of part has its row" header doc

# The example's bytes, from the dump and from the table.
sed -n '/^The log that is the example/,/^|/s/^    00[0-9a-f]* //p' "$doc" |
  tr -s ' ' '\n' | grep . >"$dir/bytes"
sed -n '/^## An example/,$s/^| 0x[0-9a-f]* | \([0-9a-f ]*\) | .*/\1/p' "$doc" |
  tr ' ' '\n' >"$dir/table"
same "the table explains every byte of the example" bytes table

# Offsets of the rows.
sed -n '/^## An example/,$s/^| 0x\([0-9a-f]*\) | \([0-9a-f ]*\) | .*/\1 \2/p' \
  "$doc" | while read -r offset bytes; do
    set -- $bytes
    echo "$((16#$offset)) $#"
  done | awk 'BEGIN { at = 0 } $1 != at { print "row at " $1 ", not " at }
              { at = $1 + $2 }' >"$dir/offsets"
: >"$dir/nothing"
same "and says where they are" nothing offsets

# What it is: the log of the other example.
printf '%b' "$(sed 's/^/\\x/' "$dir/bytes" | tr -d '\n')" >"$dir/example.dgz"
sed -n '/^## An example/,/^The bytes/s/^    //p' \
  "$abs_top_srcdir/docs/format.md" >"$dir/example.dgt"
"$DGASM" -o "$dir/example.dg" "$dir/example.dgt"
"$DG" check "$dir/example.dgz" 2>&1 | sed 's/^.*example.dgz: \([a-z]*\).*/\1/' \
  >"$dir/check"
echo good >"$dir/good"
same "it is a good archive" good check
"$DG" unpack -o "$dir/unpacked" "$dir/example.dgz"
od -An -tx1 -v "$dir/unpacked" >"$dir/unpacked.od"
od -An -tx1 -v "$dir/example.dg" >"$dir/example.od"
same "of the log that is the example of format.md" example.od unpacked.od
echo "1..$n"
