# dg-invariants.sh: each kind of what does not fit together is found, and
# nothing in a log in which all does.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# A good log: main at 0x400000 calls 0x400100, which calls 0x400200 and comes
# back; a thread; a heap that is used in all ways.
good ()
{
  cat << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
map 0x400000 0x1000 5 0 0 "/bin/prog"
thread_start 1 0 42
stack 1 0x7000 0x8000
text_avma 0x400000 "/bin/prog"
module 0x400000 0x1000 0 [1 2] "prog"
bbdef [0x400000+4 0x400004+5] [W8@1]
bbdef [0x400100+4 0x400104+5] [R4@0 W8@1]
bbdef [0x400200+4 0x400204+1] [R8@1]
bbdef [0x400009+3] [R8@0 W8@0]
bbdef [0x40000c+2] []
context 0 [0x400000]
context 1 [0x400100 0x400008]
context 2 [0x400200 0x400108 0x400008]
context 3 [0x400009]
context 4 [0x40000c]
clock 5
bbrun 0 2 [0x7ff0]
bbrun 1 2 [0x5000 0x7fe0]
bbrun 2 2 [0x7fe0]
bbrun 3 1 [0x5000]
bbrun 4 1 []
malloc_block 0x9000 16 [0x400000]
heap_alloc 1 1 1 24 0 0
malloc_block 0x9100 64 [0x400000]
heap_alloc 2 1 1 64 0 0
malloc_block 0x9110 8 [0x400000]
heap_alloc 3 1 9 8 0 0
free_block 0x9000
heap_free 4 1 11 [0x400000]
malloc_block 0x9000 32 [0x400000]
heap_alloc 5 1 3 40 0 0x9000
track_range 0x5000 8 "int" "r"
start_event "e"
thread_start 2 1 43
stack 2 0x6000 0x7000
thread_switch 2
bbrun 0 2 [0x6ff0]
signal 2 10 0
bbrun 2 2 [0x6fe0]
signal 2 10 1
bbrun 0 2 [0x6ff0]
thread_exit 2
thread_switch 1
untrack_range 0x5000 8
end_event "e"
free_block 0x9000
free_block 0x9110
clock 6
module_unload 0x400000
end why=0 exit_code=0 threads=2
END
}

good > text
assemble log < text
run dg invariants log
status 0
no_err
out << 'END'
Log        log
Command    prog

Records   51
Findings   0

Findings: none

The log is consistent.
END

# A thread may begin to run when the one that has made it has ended.
good | sed 's/^thread_exit 2/&\nthread_start 3 2 44/; s/threads=2/threads=3/' \
  > text
assemble log < text
run dg invariants log
status 0
out_has 'Findings: none'

# found KIND TEXT SED...: what a change of the good log leads to.
found ()
{
  local kind=$1 text=$2

  shift 2
  good | sed "$@" > text
  cmp -s text <(good) && { false; report "$kind: a change" text; }
  assemble log < text
  run dg invariants --json log
  title="$kind: $text"
  status 1
  python3 - "$kind" "$text" << 'END' > difference
import json, sys
report = json.load(open('stdout'))
if [f['kind'] for f in report['findings']] != [sys.argv[1]] \
   or sys.argv[2] not in report['findings'][0]['what'] \
   or report['kinds'][0]['kind'] != sys.argv[1] or report['count'] != 1:
    print(json.dumps(report, indent=1))
END
  [ ! -s difference ]
  report 'it is found, and nothing else' difference
}

found time 'clock goes backwards from 5 to 4' 's/^clock 6/clock 4/'
found thread 'of thread 3, which has not started' \
  's/^thread_exit 2/&\nthread_switch 3/'
found thread 'to thread 2, which has ended' \
  's/^untrack.*/thread_name 2 "x"\n&/'
found thread 'starts a second time' 's/^thread_start 2 1 43/&\n&/'
found thread 'started by thread 7' 's/^thread_start 2 1 /thread_start 2 7 /'
found signal 'returns in thread 2' '/^signal 2 10 0/d'
found heap 'overlaps that of 64 bytes at 0x9100' \
  's/^malloc_block 0x9000 32/malloc_block 0x90f0 32/; /^free_block 0x9000$/{
    x; s/^/x/; /^xx$/{x; s/0x9000/0x90f0/; x}; x}'
found heap 'no block begins at 0x9008' 's/^free_block 0x9110/free_block 0x9008/'
found heap "heap call 2 comes after 4" \
  's/^heap_alloc 5 1 3 40/heap_alloc 2 1 3 40/'
found heap '24 were asked for' \
  's/^malloc_block 0x9000 16/malloc_block 0x9000 24/; s/^heap_alloc 1 1 1 24/heap_alloc 1 1 1 16/'
found heap 'replaces that at 0x9200' \
  's/^heap_alloc 5 1 3 40 0 0x9000/heap_alloc 5 1 3 40 0 0x9200/'
found range 'no range is tracked at 0x5008' \
  's/^untrack_range 0x5000/untrack_range 0x5008/'
found event "the event 'f' ends" 's/^end_event "e"/end_event "f"/'
found module 'no module is loaded at 0x400010' \
  's/^module_unload.*/module_unload 0x400010/'
found block 'an access of no bytes at 0x400100' \
  's/R4@0 W8@1/R0@0 W8@1/'
found block 'an instruction of no bytes at 0x400200' 's/0x400200+4/0x400200+0/'
found context 'begins at 0x400104, its block at 0x400100' \
  's/^context 1 \[0x400100/context 1 [0x400104/'
found access 'beyond the address space' \
  's/^bbrun 1 2 \[0x5000/bbrun 1 2 [0xfffffffffffffffe/'
found code 'block 4 at 0x40200c' 's/0x40000c/0x40200c/; s/0x40000c\]/0x40200c]/
  s/^bbdef \[0x400009+3\]/&/; s/^context 4 .*/context 4 [0x40200c]/
  s/^bbrun 3 1 \[0x5000\]/bbrun 3 1 [0x5000 0x5000]/'
found continuity 'stopped early at 0x40000c, continues at 0x400100' \
  's/^bbrun 4 1 \[\]/bbrun 1 2 [0x5000 0x7fe0]/'
again='s/^bbrun 3 1 \[0x5000\]/&\n&/'
found continuity 'stopped early at 0x40000c, continues at 0x400009' "$again"
# Of s390x, that is how an instruction is executed that executes another one.
good | sed "$again; s/\"amd64\"/\"s390x\"/" > text
grep -q '"s390x"' text
report 'a log of s390x' text
assemble log < text
run dg invariants log
status 0
out_has 'Findings: none'
found call 'entered without a call from context 0' \
  '/^bbrun 1 2/d'
found call 'returns to 0x40010b, but the caller ended at 0x400109' \
  's/0x400108 0x400008/0x40010a 0x400008/'
found call 'wrote no return address' 's/^bbrun 0 2 \[0x7ff0\]/bbrun 0 2 [0]/'
found stack 'in the stack of thread 2' \
  's/^stack 1 .*/&\nthread_start 2 1 43\nstack 2 0x6000 0x7000/
   s/^bbrun 0 2 \[0x7ff0\]/bbrun 0 2 [0x6ff0]/
   /^thread_start 2/d; /^stack 2/d'
found stack 'is from 0x8000 to 0x7000' \
  's/^stack 1 .*/stack 1 0x8000 0x7000/'
found whole 'ends early' '/^end why/d'

# Totals of an archive whose runs are not what they were.
good > text
assemble log < text
run dg pack -o log.dgz log
status 0
run dg invariants log.dgz
status 0

# Nothing at all; and filters, which make no sense.
assemble empty < /dev/null
run dg invariants empty
status 0
run dg invariants --threads=1 log
status 2
err_has 'filters are not possible'
run dg invariants -j2 --json log
status 0
mv stdout two
run dg invariants -j8 --json log
out < two

finish
