#!/bin/bash
# dg allocs on a program whose own source says what each line allocates and
# frees.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

source=$guests/allocs.cpp
guest allocs -pthread || skip_all "the compiler cannot make the program"
record log.dg ./allocs
is "the program ends well" $? 0
check_log "the log is whole" log.dg

allocs ()
{
  "$DG" allocs "$@" 2> allocs.err
}
# The records of this source, by lines: "LINE|FUNCTION|BYTES|TEXT".
of_source ()
{
  grep -F "allocs.cpp:" | sed -E 's/^[^|]*allocs\.cpp:([0-9]+)\|/\1|/'
}

# ---- Every line says what it does -------------------------------------------

nl -ba -s'|' "$source" | sed -E 's/^ *([0-9]+)\|(.*)$/\1|\2/' > lines
sed -nE -e 's/^([0-9]+)\|(.* \/\/ (allocates|frees) (.+) ([0-9]+))$/\1|\4|\5|\2/p' \
  -e 's/^([0-9]+)\|(.* \/\/ reallocates ([0-9]+) ([0-9]+))$/\1|realloc(free)|\3|\2\n\1|realloc()|\4|\2/p' \
  lines > expected
allocs history -f '%w1|%a|%n|%l1' log.dg | of_source > all
grep -v '|wrapper\|wrapper\|return malloc (n)' all > got
# The worker runs behind all of main's ways; its line stands before them.
if diff <(sort expected) <(sort got) > difference && [ "$(wc -l < got)" = 18 ]
then
  ok "each line that allocates or frees, its function, bytes and text"
else
  not_ok "each line that allocates or frees, its function, bytes and text" \
    "$(cat difference)"
fi
is "in the order of the program" \
  "$(grep -v '|777|' got | cut -d'|' -f1 | sort -n -c 2>&1)" ""
is "all sequence numbers, by one counter" "$(allocs history -f %s log.dg)" \
  "$(seq "$(allocs history -f %s log.dg | wc -l)")"
is "no caution" "$(allocs history log.dg | grep -c Caution)" 0
is "functions" \
  "$(allocs history -f '%a %n %f1' log.dg | grep -E ' (101|20002|108|4936|777) ')" \
  "malloc() 101 c_ways
realloc(free) 101 c_ways
realloc() 20002 c_ways
free() 20002 c_ways
new 108 cpp_ways
delete 108 cpp_ways
new 4936 header_way
malloc() 777 worker"
is "the thread by its name" \
  "$(allocs dump -Fsize_min=777 -Fsize_max=777 -f '%t %N' log.dg)" \
  "2 the worker"
is "no other thread has allocated in it" \
  "$(allocs history -Fthread=2 -f '%n %a' log.dg | grep -c '^777 ')" 1

# ---- Headers ----------------------------------------------------------------

is "with -n, inlined code of the header" \
  "$(allocs dump -n -Fsize_min=4936 -Fsize_max=4936 -f '%w1' log.dg \
     | grep -c allocs.cpp)" 0
is "without, its caller" \
  "$(allocs dump -Fsize_min=4936 -Fsize_max=4936 -f '%w1' log.dg \
     | sed 's,.*/,,')" \
  "allocs.cpp:$(grep -n 'numbers.reserve' "$source" | cut -d: -f1)"

# ---- Figures ----------------------------------------------------------------

for at in event:ways event:ways:end event:leaks event:leaks:end end; do
  check "at $at: the figures add up" python3 - "$DG" "$at" << 'END'
import json, subprocess, sys
dg, at = sys.argv[1:]
def tell (what):
    return json.loads (subprocess.run (
        [dg, "allocs", what, "--at=" + at, "--json", "log.dg"],
        capture_output=True, check=True).stdout)
stats, blocks = tell ("stats"), tell ("dump")["block_list"]
assert stats["heap_allocs"] - stats["heap_frees"] == stats["blocks"]
assert stats["blocks"] == len (blocks)
assert stats["blocks"] == sum (a["blocks"] for a in stats["allocators"])
assert stats["bytes"] == sum (b["size"] for b in blocks)
assert stats["actual_bytes"] == sum (b["actual_size"] for b in blocks)
assert all (b["overhead"] >= 8 for b in blocks)
assert len (set (b["seqno"] for b in blocks)) == len (blocks)
assert all (int (b["address"], 16) >= int (stats["heap_start"], 16)
            and int (b["address"], 16) + b["size"] - 1
                <= int (stats["heap_end"], 16) for b in blocks)
assert stats["has_whole_history"]
END
done
is "what an event left" \
  "$(allocs diff --from=event:leaks --to=event:leaks:end -f '%a %n %f1' \
     log.dg | sed -n '3,4p;6,20p')" \
  "5 new allocations at event:leaks:end but not at event:leaks
0 allocations at event:leaks but freed at event:leaks:end
New allocations at event:leaks:end but not at event:leaks
$(yes 'malloc() 1000 wrapper(unsigned long)' | head -n 5)

Allocations at event:leaks but freed at event:leaks:end"
is "dg info counts the same" \
  "$(info log.dg heap_allocs) memory allocations, $(info log.dg heap_frees) frees" \
  "$(allocs stats log.dg | sed -n 's/^History   : //p')"

# ---- Leaks ------------------------------------------------------------------

allocs leaks --levels=2 log.dg > leaks
sed -n '/^[0-9]*K (5000 bytes)/,/^$/p' leaks > got
is "leaks: together, by function" \
  "$(sed -n '1s/, [0-9]*%.*in/ in/;1s/, seqno.*//p' got)" \
  "4K (5000 bytes) in 5 allocations by malloc()"
is "... whoever called it" "$(grep -c ') backtrace 0x.* function leak' got)" 1
is "... who used it last" "$(sed -n '/Last accessed/,/"/p' got | tail -n +2 \
  | sed -e 's/at 0x[0-9a-f]* //' -e 's,/[^ ]*/allocs,allocs,')" \
  "     function main
     allocs.cpp:$(grep -n 'uses what leaked' "$source" | cut -d: -f1)
     \"$(grep 'uses what leaked' "$source")\""
age=$(sed -n 's/.*Last accessed \([0-9,]*\) instruction.*/\1/p' got | tr -d ,)
if [ "${age:-0}" -gt 0 ] && [ "$age" -lt 1000000 ]; then
  ok "... and when: $age instructions before the end"
else
  not_ok "... and when" "$(cat got)"
fi
is "what nobody used" \
  "$(sed -n '/^777 bytes/,/^$/p' leaks | grep -c 'Never accessed')" 1

# ---- Two runs, raw and packed -----------------------------------------------

record again.dg ./allocs
is "another run of the program has the same places" \
  "$(allocs diff -f %n log.dg again.dg | sed -n 3,4p)" \
  "0 new allocations in again.dg but not in log.dg
0 allocations in log.dg but not in again.dg"
"$DG" pack log.dg -o log.dgz
for what in 'history --levels=all' 'dump -SNs' leaks; do
  # shellcheck disable=SC2086  # words on purpose
  is "$what: raw and packed, any number of threads" "$(
    for jobs in 1 ${DG_TEST_LONG:+2} 8; do
      for log in log.dg log.dgz; do
        [ -n "$DG_TEST_LONG" ] || case $jobs$log in
          1log.dg | 8log.dgz) ;;
          *) continue ;;
        esac
        allocs $what -j$jobs $log | sed 's/^log.dgz*//' | md5sum
      done
    done | sort -u | wc -l)" 1
done
is "parts of it are the whole" "$(
  n=$(info log.dg icount)
  "$DG" cut --instructions=..$((n / 2)) -o part1 log.dg
  "$DG" cut --instructions=$((n / 2)).. -o part2 log.dg
  allocs history part1 part2 | md5sum)" "$(allocs history log.dg | md5sum)"
done_testing
