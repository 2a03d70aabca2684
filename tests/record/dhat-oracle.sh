#!/bin/bash
# "dg heap --dhat-out" beside DHAT: blocks and bytes of each call stack are the
# same: all, at the peak, at the end.  So are the bytes read and written, and
# how often each byte was, where the two see the same accesses ("exactly").
#
# They do not where functions as memcpy and strlen work on blocks: DHAT puts
# its own in their place, which read and write by other units.  DHAT also
# leaves out accesses that are made or not (of masked vectors), and those
# within 16 KiB above the stack pointer, where no block is.  Both count an
# access where its first byte is, with all of its bytes, and what the kernel
# reads and writes.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
command -v python3 > /dev/null || skip_all "no python3"
find_oracle dhat

compare () # NAME HOW PROGRAM...
{
  local name=$1 how=$2 found
  shift 2
  run_in ours --tool=exp-datagrind -q --datagrind-out-file="$T/log" "$@" \
    > stdout.ours 2> err.ours < /dev/null ||
    note "$name: status $? of the program"
  # 30 frames, and that of the allocator.
  run_in them --tool=dhat --run-libc-freeres=no --run-cxx-freeres=no \
    --num-callers=31 --vex-guest-chase=no --dhat-out-file="$T/theirs" "$@" \
    > stdout.dhat 2> err.dhat < /dev/null
  "$DG" heap --dhat-out=ours log > heap.out 2> heap.err ||
    { not_ok "$name" "$(cat heap.err)"; return; }
  # shellcheck disable=SC2086
  if found=$(python3 "$record_dir/dhat_compare.py" theirs ours $how 2>&1)
  then
    ok "$name: as DHAT${how:+, $how}: $found"
  else
    not_ok "$name: as DHAT${how:+, $how}" "$(head -n 3 heap.err)" "$found"
  fi
  "$DG" heap -j1 --dhat-out=- log 2> /dev/null | cmp -s - ours ||
    not_ok "$name: the same with one worker"
}

build () # NAME FLAGS...
{
  guest "$@" || { skip "$1" "the compiler cannot make it"; return 1; }
}

# What heap-use.c says of itself, which DHAT does not tell.
as_written ()
{
  "$DG" heap --sites --late --json log > sites.json &&
    "$DG" heap --blocks --json log > blocks.json &&
    "$DG" heap --untouched --json -j2 log > untouched.json &&
    python3 - <<'EOS'
import json
sites = {}
for s in json.load (open ("sites.json"))["sites"]:
    of = sites.setdefault (s["site"].split ()[0], {})
    for k, v in s.items ():
        if k != "site":
            of[k] = of.get (k, 0) + (v or 0)
def is_so (name, **want):
    got = {k: sites[name][k] for k in want}
    assert got == want, (name, got, want)
is_so ("half", blocks=10, bytes=640, untouched_bytes=320, unread_bytes=560,
       unwritten_bytes=320, reads=80, writes=320, end_bytes=0)
is_so ("zeros", blocks=5, bytes=500, untouched_bytes=0, unread_bytes=0,
       unwritten_bytes=500, reads=70500, writes=0)
is_so ("kernel", blocks=1, bytes=400, untouched_bytes=100, unread_bytes=300,
       unwritten_bytes=100, reads=1, read_bytes=100, writes=1,
       write_bytes=300)
is_so ("unused", blocks=3, bytes=3000, untouched_bytes=3000)
is_so ("beyond", reads=1, read_bytes=8, unread_bytes=8, unwritten_bytes=0)
is_so ("shrink", blocks=3, bytes=520, writes=501, unwritten_bytes=0)
assert sites["grow"]["blocks"] == 9 and sites["grow"]["end_bytes"] == 4096
late = json.load (open ("sites.json"))["late"]["groups"]
assert any (g["site"].startswith ("grow ") and g["free_site"] is None
            and g["last_site"].startswith ("main ") for g in late), late
blocks = json.load (open ("blocks.json"))["block_list"]
last = [b for b in blocks if b["free_icount"] is None]
assert [b["unwritten_bytes"] for b in last] == [96], last
assert last[0]["first_icount"] < last[0]["last_icount"]
assert len (blocks) == 32
wastes = [b["untouched_bytes"] * b["lifetime"] for b in blocks]
assert wastes == sorted (wastes, reverse=True)
untouched = json.load (open ("untouched.json"))["untouched"]
assert [(s["site"].split()[0], s["blocks"]) for s in untouched["sites"]] \
       == [("unused", 3)], untouched
EOS
}
if build heap-use -O1; then
  compare heap-use exactly "$T/heap-use"
  check "heap-use: as its source says" as_written
fi
if [ -n "$DG_TEST_LONG" ]; then
  build heap-calls -O2 && compare heap-calls "" "$T/heap-calls"
  build heap-grow -O2 && compare heap-grow "" "$T/heap-grow"
fi
build heap-cpp -O2 && compare heap-cpp "" "$T/heap-cpp"
build heap-align -O0 && compare heap-align exactly "$T/heap-align"
build heap-threads -O2 -pthread && compare heap-threads exactly "$T/heap-threads"

if [ -z "$DG_TEST_LONG" ]; then
  :
elif [ -x /usr/bin/sqlite3 ]; then
  cat > query.sql <<'EOS'
create table t (a, b);
with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
  insert into t select i, i * i from n;
create index x on t (b);
select count (*), sum (a) from t where b > 100;
EOS
  compare sqlite3 "" /usr/bin/sqlite3 -init /dev/null :memory: \
    ".read query.sql"
else
  skip sqlite3 "there is no sqlite3"
fi
done_testing
