#!/bin/bash
# What `dg record` packs does not depend on how it does it: the number of
# threads, the size of the ring, the level, the index.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/both.sh"

guest chunks -no-pie -fno-pie || skip_all "the compiler cannot make it"

# Several chunks; with DG_TEST_LONG twice as many.
rounds=200
[ -z "$DG_TEST_LONG" ] || rounds=400

# The whole once; then what differs, against the same log.
raw whole.dg ./chunks $rounds
live whole.dgz ./chunks $rounds
is "ends alike" "$(cat whole.dgz.end)" "$(cat whole.dg.end)"
note "$(info whole.dgz accesses) accesses, $(stat -c %s whole.dg) bytes raw,\
 $(stat -c %s whole.dgz) packed"
check "archive" "$DG" check whole.dgz
same "records of raw log and archive" records whole.dg whole.dgz
same "accesses of raw log and archive" accesses whole.dg whole.dgz
same "figures of raw log and archive" figures whole.dg whole.dgz
packs "the raw log" whole.dg accesses
size ()
{
  stat -c %s "$1"
}
check "the archive is a fortieth of the raw log, or less" \
  test $(($(size whole.dgz) * 40)) -le "$(size whole.dg)"
# Heap records, definitions: what is not runs is compressed as well; the code
# of blocks, which hardly is, is a large part of a short program's archive.
guest blocks -no-pie -fno-pie && raw blocks.dg ./blocks \
  && live blocks.dgz ./blocks
check "that of a short program is an eighth, or less" \
  test $(($(size blocks.dgz) * 8)) -le "$(size blocks.dg)"

# Several at once; each alone with DG_TEST_LONG.
choices=("-j 3 --ring=1 --level=12"
         "-j 1 --ring=16 --level=1 --no-index --ring-dir=$T")
[ -z "$DG_TEST_LONG" ] ||
  choices+=("-j 1" "-j 3" --ring=1 --ring=16 --level=1 --level=12
            --no-index "--ring-dir=$T")
for options in "${choices[@]}"; do
  # shellcheck disable=SC2206  # words on purpose
  live_options=($options)
  name=${options%"$T"}
  live other.dgz ./chunks $rounds
  is "$name: ends alike" "$(cat other.dgz.end)" "$(cat whole.dg.end)"
  is "$name: silent" "$(cat other.dgz.err)" ""
  note "$name: $(stat -c %s other.dgz) bytes"
  check "$name: archive" "$DG" check other.dgz
  same "$name: records" records whole.dg other.dgz
  rm -f other.dgz*
done
is "nothing is left of the rings" "$(find . -name 'datagrind-rings*')" ""

# What only an option, or a request, brings into the log.
live_options=()
large=(./blocks) without=blocks.dg
[ -z "$DG_TEST_LONG" ] || large=(./chunks $rounds) without=whole.dg
alike stacks --datagrind-stacks=yes "${large[@]}"
same "stacks: the accesses are those without" accesses stacks.dg $without
packs "stacks, raw" stacks.dg accesses
rm -f stacks.*
guest pools -no-pie -fno-pie && both pools --datagrind-stacks=yes ./pools

live_options=(--raw)
live other.dg ./chunks $rounds
same "--raw: records" records whole.dg other.dg

done_testing
