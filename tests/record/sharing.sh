#!/bin/bash
# dg sharing: programs of which it is known which threads share what, and how
# often.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest sharing -pthread || skip_all "the compiler cannot make the program"
record sharing.dg ./sharing > sharing.out
check_log "the log is whole" sharing.dg
"$DG" pack sharing.dg -o sharing.dgz

# The same from a raw log and an archive, with any number of workers.
for log in sharing.dg sharing.dgz; do
  for jobs in 1 2 8; do
    "$DG" sharing -j$jobs --by=line --false --json $log |
      sed '/"log"/d' > got.$log.$jobs
    "$DG" sharing -j$jobs --uniform --by=line --false --top=40 $log |
      sed 1d > text.$log.$jobs
  done
done
for of in got text; do
  is "$of: raw log and archive, one, two and eight workers tell the same" \
    "$(md5sum < $of.sharing.dg.1) $(cat $of.* | wc -c)" \
    "$(md5sum < $of.sharing.dgz.8) $(($(wc -c < $of.sharing.dg.1) * 6))"
  for file in $of.*; do
    cmp -s $file $of.sharing.dg.1 || not_ok "$file differs"
  done
done

# show OPTIONS -- CODE: runs CODE (Python) on the report as `r`.
show ()
{
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  "$DG" sharing "${options[@]}" --json sharing.dgz > report.json
  python3 -c '
import json, sys
r = json.load (open ("report.json"))
line = [n for n, l in enumerate (open (sys.argv[2]), 1)
        if "the line that costs" in l][0]
at = dict (l.split () for l in open ("sharing.out"))
def row (address):
    return [x for x in r["rows"] if x["address"] == address]
exec (sys.argv[1])' "$2" "$guests/sharing.c"
}

# 32 threads, the log's 2 to 33, add 3000 times: 6000 accesses each; the main
# thread has written it once.
is "the statistics come first, with their field and the counts of 33 threads" \
  "$(show --uniform -- '
x = r["rows"][0]
print (x["variable"], x["accesses"], x["writes"], x["threads"],
       x["address"] == at["v"], x["is_uniform"],
       x["accesses_by_thread"] == [[t, 6000] for t in range (2, 34)] + [[1, 1]])')" \
  "connection.cursor_next.v 192001 96001 33 True True True"
is "by line, the one that costs comes first" \
  "$(show --by=line --uniform -- '
x = r["code_lines"][0]
print (x["variable"], x["accesses"], x["threads"], x["line"] == line,
       x["file"].split ("/")[-1], x["function"],
       x["accesses_by_thread"] == [[t, 6000] for t in range (2, 34)])')" \
  "connection.cursor_next.v 192000 32 True sharing.c advance True"
is "of one variable, all of its lines and nothing else" \
  "$(show --variable=connection.cursor_next --by=line -- '
print ([x["variable"] for x in r["rows"]],
       [(x["function"], x["accesses"], x["accesses_by_thread"][0]) for x in r["code_lines"]])'
  )" \
  "['connection.cursor_next.v'] [('advance', 192000, [2, 6000]), ('main', 1, [1, 1])]"
is "a field that all read is shared, too" \
  "$(show -- '
x = row (at["flags"])[0]
print (x["variable"], x["accesses"], x["writes"], x["threads"])')" \
  "connection.flags 33 1 33"

# The rule is A[0] < 2 A[1]: 1000 is not less than 2 * 500, but 999 is.
is "twice as many is not uniform, one less is" \
  "$(show -- '
for name in ("dropped", "kept"):
    x = row (at[name])[0]
    print (x["variable"], x["accesses_by_thread"], x["is_uniform"])' | paste -sd' ')" \
  "<global>.edge_dropped [[2, 1000], [3, 500]] False <global>.edge_kept [[2, 999], [3, 500]] True"
is "--uniform leaves out just what is not" \
  "$(show --uniform -- '
print (len (row (at["dropped"])), len (row (at["kept"])),
       all (x["is_uniform"] for x in r["rows"]))')" "0 1 True"
is "what one thread alone accessed is not listed" \
  "$(show -- '
print (all (x["threads"] > 1 for x in r["rows"]),
       [x for x in r["rows"] if "slots" in x["variable"]
        or x["variable"].startswith ("main at")])')" "True []"

# Eight elements of 8 bytes in a line, each of a thread that makes 6000
# accesses, half of them writes: 8 * 6000 * 21000 / (6000 + 21000).
is "elements of an array, one for each thread, share lines falsely" \
  "$(show --false -- '
mine = [x for x in r["line_list"] if x["variable"] == "<global>.slots.hits"]
print (len (mine), set (x["verdict"] for x in mine),
       set (x["estimated_false"] for x in mine),
       set (x["accesses"] for x in mine),
       all (x in r["line_list"][:4] for x in mine))
c = [x for x in r["contents"] if x["variable"] == "<global>.slots.hits"]
print (len (c), all (len (x["accesses_by_thread"]) == 1 and x["reads"] == 3000
                     and x["writes"] == 3000 for x in c),
       "64 bytes" in mine[0]["advice"])' | paste -sd' ')" \
  "4 {'false'} {37333} {48000} True 32 True True"
is "the statistics are shared truly, which is no false sharing" \
  "$(show --false -- '
v = int (at["v"], 16) // 64 * 64
print ([x["verdict"] for x in r["line_list"] if int (x["address"], 16) == v])')" \
  "[]"

is "threads can be chosen" \
  "$(show --threads=2,3 -- '
print (row (at["v"])[0]["accesses_by_thread"])')" "[[2, 6000], [3, 6000]]"
is "nothing matches: no rows" \
  "$(show --events=fn:no_such_function -- '
print (r["accesses"], r["rows"])')" "0 []"
done_testing
