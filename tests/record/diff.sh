#!/bin/bash
# dg diff: what differs between two runs of which that is known.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# twin NAME SOURCE [FLAGS...]: compiles and records a variant.
twin ()
{
  local name=$1 source=$2
  shift 2
  mkdir -p "$name"
  # shellcheck disable=SC2086
  $CC -std=gnu11 -g -O1 -w -pie -fPIE -DPASSES=3 -DBYTES=1000 "$@" "$source" \
    -o "$name/twins" 2> compile || return 1
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o "$name.dgz" \
    "$name/twins" 2> "$name.err"
}

twin a "$guests/twins.c" || skip_all "the compiler cannot make it: $(cat compile)"
twin b "$guests/twins.c"
# The same lines behind others, in a file of another name.
{ yes '' | head -n 40; cat "$guests/twins.c"; } > shifted.c
twin shifted shifted.c
# A line more within a function.
sed 's,/\* here: .*,sum = 0;,' "$guests/twins.c" > line.c
twin line line.c
# One pass more over the array, a larger block.
twin pass "$guests/twins.c" -UPASSES -DPASSES=4
twin block "$guests/twins.c" -UBYTES -DBYTES=1500

# changed LOG LOG ANALYSIS...: rows of the JSON output that changed, as "table:
# status name", without those of libraries' start-up code.
changed ()
{
  local before=$1 after=$2
  shift 2
  "$DG" diff "$@" --json "$before" "$after" > diff.json || return
  python3 -c '
import json
d = json.load (open ("diff.json"))
for name, rows in d["tables"].items ():
    if isinstance (rows, list):
        for r in rows:
            print ("%s: %s %s" % (name, r["status"] or "changed",
                                  r.get ("name") or r.get ("function")
                                  or r.get ("variable")))
for f in d["figures"] + d["ratios"]:
    if f["change"] != 0:
        print ("figure:", f["figure"], f["change"])'
}

for analysis in 'counts --by=line' 'counts --by=function' 'counts --by=variable' \
  'counts --by=site' sharing calls patterns; do
  # shellcheck disable=SC2086
  is "two runs of one program: $analysis" "$(changed a.dgz b.dgz $analysis)" ''
done
# How the stack lies in cache lines is not the same in each run.
for analysis in cache 'cache --by=line' reuse pages tlb; do
  # shellcheck disable=SC2086
  is "one run: $analysis" "$(changed a.dgz a.dgz $analysis)" ''
done
for analysis in 'counts --by=line' 'counts --by=function' calls; do
  # shellcheck disable=SC2086
  is "a file renamed, its lines moved: $analysis" \
    "$(changed a.dgz shifted.dgz $analysis | grep -E 'twins|shifted|add_up|clear')" ''
done
is 'moved, and other: the line that is new' \
  "$(changed a.dgz line.dgz counts --by=line | grep 'rows: new .*add_up')" \
  'rows: new line.c:17 (add_up)'

# Exactly what a pass reads, in the first row.
"$DG" diff counts --by=line --json a.dgz pass.dgz > pass.json
is 'a pass more' "$(python3 -c '
import json
r = json.load (open ("pass.json"))["tables"]["rows"][0]
print (r["name"], r["reads_change"], r["writes_change"], r["status"])')" \
  'twins.c:19 (add_up) 8192 4096 None'
"$DG" diff counts --by=function a.dgz pass.dgz > text
check 'the text says so, too' grep -q '+8,194 .*add_up$' text
for n in 1 2; do
  "$DG" diff counts,cache --by=line -j $n a.dgz pass.dgz > text.$n
done
check 'any number of threads says the same' cmp text.1 text.2
is 'a larger block is at the same site' \
  "$(changed a.dgz block.dgz pages | grep -c 'sites: changed main')" 1

"$DG" diff heap --json a.dgz block.dgz > heap.json
is 'so much higher is the peak' "$(python3 -c '
import json
d = json.load (open ("heap.json"))
print ([f["change"] for f in d["figures"] if f["figure"] == "peak"],
       [(r["name"], r["peak_bytes_change"]) for r in d["tables"]["rows"]])')" \
  "[500] [('main (twins.c:33)', 500)]"
"$DG" diff counts,heap --fail-if='peak>+499' --fail-if='heap.peak>+500' a.dgz \
  block.dgz > out 2> err
is 'a limit for the peak' "$? $(cat err)" \
  '3 dg: peak>+499: peak was 1,000 B and is 1.46 KiB (+500 B, +50.0 %)'

# What the program's file is called makes no difference, with or without debug
# information.
for how in -g -s; do
  $CC -std=gnu11 -O1 -w $how -pthread "$record_dir/advise/false-sharing-array.c" \
    -o shared$how 2> compile || skip_all "the compiler cannot make it: $(cat compile)"
  cp shared$how other-name$how
  for name in shared other-name; do
    "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o "$name$how.dgz" \
      "./$name$how" > "$name.out" 2> "$name.err"
  done
  # Threads do not run in the same order in each run.
  for analysis in 'counts --by=module' 'counts --by=variable' 'sharing' heap \
    'heap --by=module' 'calls --edges'; do
    # shellcheck disable=SC2086
    is "the program under another name, $how: $analysis" \
      "$(changed shared$how.dgz other-name$how.dgz $analysis \
         | grep -E ': (new|gone) .*(shared|other-name)')" ''
  done
  "$DG" diff allocs shared$how.dgz other-name$how.dgz 2> err \
    | grep -E '^[0-9]+ (new )?allocations' | cut -d ' ' -f 1 > counts
  is "... its heap blocks, $how" "$(tr '\n' ' ' < counts)" '0 0 '
done

# False sharing without being asked for, and first.
$CC -std=gnu11 -O1 -w -g -pthread -DREPAIRED \
  "$record_dir/advise/false-sharing-array.c" -o repaired
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o repaired.dgz ./repaired \
  > repaired.out 2> repaired.err
"$DG" diff sharing shared-g.dgz repaired.dgz > text
is 'false sharing comes first' \
  "$(grep ': changes$' text | head -n 1)" 'Falsely shared cache lines: changes'
is 'what was mended is told' \
  "$(changed shared-g.dgz repaired.dgz sharing | grep '^line_list')" \
  'line_list: changed <global>.counts'
is 'and what only the order of threads changes is not told' \
  "$(changed shared-g.dgz other-name-g.dgz sharing | grep '^line_list')" ''

# Findings.
"$DG" diff advise shared-g.dgz repaired.dgz > text
is 'a finding is gone' "$(grep -c '^1  Gone: False sharing  (false-sharing, ' text)" 1
check 'with what it cost beyond the estimate' \
  grep -q '^Estimated cycles: .* with what' text
"$DG" diff advise repaired.dgz shared-g.dgz > text
is 'and new the other way round' "$(grep -c '^1  New: False sharing' text)" 1
check 'with what to do' grep -q '^  What to do: Give each thread' text
"$DG" diff advise shared-g.dgz other-name-g.dgz > text
is 'the same under another name' "$(grep -E '^([0-9]  |No finding)' text)" \
  'No finding is gone, new or changed.'
sed 's/work/labour/g' "$record_dir/advise/false-sharing-array.c" > labour.c
$CC -std=gnu11 -O1 -w -g -pthread labour.c -o labour
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o labour.dgz ./labour \
  > labour.out 2> labour.err
"$DG" diff advise shared-g.dgz labour.dgz > text
check 'the same memory in another function' grep -q '^No finding' text
for limit in 'new>0 0' 'gone>0 3' 'share@false-sharing>5% 0' \
  'share@false-sharing<5% 3' 'estimated_cycles>+2% 0' 'share@nothing>5% 2'; do
  "$DG" diff advise --fail-if="${limit% *}" shared-g.dgz repaired.dgz > out 2> err
  is "the limit ${limit% *}" $? "${limit#* }"
done

# fills SIZE SIZE [LINES]: a program that fills two blocks for
# nothing, in one function, with lines above it.
fills ()
{
  yes '' | head -n "${3:-0}"
  cat << END
#include <stdlib.h>
#include <string.h>
char *volatile kept;
__attribute__ ((noinline)) static void
fill (void)
{
  kept = memset (malloc ($1), 1, $1);
  kept = memset (malloc ($2), 1, $2);
}
int
main (void)
{
  fill ();
  kept = 0;
  return 0;
}
END
}

# found LOG LOG: which findings about that are gone, new and changed.
found ()
{
  "$DG" diff advise --json "$@" > found.json || return
  python3 -c '
import json
for r in json.load (open ("found.json"))["tables"]["findings"]:
    if r["rule"] == "write-only":
        print (r["status"], r["amount_before"], r["amount_after"], r["line"])'
}

fills 40000 9000 > first.c
fills 9000 40000 > swapped.c
fills 40000 9000 30 > moved.c
fills 40000 30000 > more.c
fills 40000 1 > less.c
for name in first swapped moved more less; do
  twin $name $name.c -fno-builtin
done
is 'two findings of one function' \
  "$("$DG" advise first.dgz | grep -c '(write-only, ')" 2
is 'each is found by its cost' "$(found first.dgz swapped.dgz)" ''
is 'on other lines of another file' "$(found first.dgz moved.dgz)" ''
is 'one of them costs more' "$(found first.dgz more.dgz)" 'None 9000 30000 8'
is 'one of them is gone' "$(found first.dgz less.dgz)" 'gone 9000 None 8'

# Limits.
"$DG" diff counts --fail-if='reads>+1%' a.dgz b.dgz > out 2> err
is 'a limit that holds' "$? $(cat err)" '0 '
"$DG" diff counts --fail-if='reads>+9Ki' --fail-if='writes>+0.1%' a.dgz pass.dgz \
  > out 2> err
is 'one that is broken, and one that is just met' "$? $(wc -l < err)" '3 1'
check 'the line that says so' grep -q '^dg: writes>+0.1%: writes was ' err
"$DG" diff counts --by=function --fail-if='reads@add_up>+30%' a.dgz pass.dgz \
  > out 2> err
is 'a limit for one function' "$?" 3
"$DG" diff counts --fail-if='nothing>1' a.dgz b.dgz > out 2> err
is 'a limit about nothing' "$?" 2

"$DG" diff counts --by=variable --fail-if='reads@<global>.table>+30%' a.dgz \
  pass.dgz > out 2> err
is 'a limit for a name with the sign of a comparison' "$?" 3
for wrong in --fail-if='reads>2%' --fail-if='>1' --min=x --interval=1M; do
  "$DG" diff counts "$wrong" a.dgz b.dgz > out 2> err
  is "$wrong" "$? $(wc -c < out)" '2 0'
done
"$DG" diff calls --folded=file a.dgz b.dgz > out 2> err
is 'one file for two logs' "$? $(ls file 2> /dev/null)" '2 '
"$DG" diff counts --by=line --sort=reads_change a.dgz b.dgz > out 2> err
is 'sorted, though nothing changed' "$? $(cat err)" '0 '
cp a.dgz kept.dgz
for log in a.dgz b.dgz; do
  "$DG" diff counts -o $log a.dgz b.dgz > out 2> err
  is 'no log is replaced' "$? $(cat err)" \
    "1 dg: $log: input and output are the same file"
done
check 'it is what it was' cmp a.dgz kept.dgz
"$DG" diff counts a.dgz nothing > out 2> err
is 'a log that is not there' "$? $(wc -c < out)" '1 0'
head -c 20000 pass.dgz > cut.dgz
"$DG" diff counts --json a.dgz cut.dgz > out 2> err
is 'one that was cut is compared' "$? $(grep -c '"figure": "reads"' out)" '1 1'

# Several logs of a side: what differs among them is noise.
"$DG" diff counts --by=function --after=pass.dgz --after=pass.dgz \
  a.dgz b.dgz > out
check 'what changes within a side is noise' grep -q '^No figure changed' out
check 'and is said to be' grep -q 'rows* changed by no more than' out
"$DG" diff counts --before=b.dgz --after=pass.dgz a.dgz pass.dgz > out
check 'what changes between them is not' grep -q '^Reads ' out
"$DG" diff counts --by=function --min=50 a.dgz pass.dgz > out
check 'small changes are left out' grep -q 'rows* changed by less' out
done_testing
