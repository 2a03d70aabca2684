# dg-allocs-logs.sh: dg allocs on logs of all kinds: empty, without details, of
# other machines, cut, damaged, of forked children, and with hostile contents.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/cli/allocs/allocs_log.sh"

# ---- Nothing ----------------------------------------------------------------

echo header | assemble empty
run dg allocs stats empty
status 0
out << 'END'
empty: statistics
Heap      : none
History   : 0 memory allocations, 0 frees
Current   : 0 bytes used in 0 allocations
Actual    : approximately 0 bytes
Overhead  : approximately 0 bytes, 0%
Debugdata : 16 bytes of log, none in the program's memory
Allocators:
Threads   :
Options   : actual_size enabled, time stamps enabled, thread info enabled
          : backtrace disabled
          : history enabled, 0 records
END
no_err
run dg allocs dump empty
status 0
no_out
no_err
run dg allocs history empty
status 0
no_out
no_err
run dg allocs diff empty
status 0
out << 'END'
Moment 0 : 0 bytes used in 0 allocations.
Moment end : 0 bytes used in 0 allocations.
0 new allocations at end but not at 0
0 allocations at 0 but freed at end

New allocations at end but not at 0

Allocations at 0 but freed at end
END
no_err
run dg allocs leaks empty
status 0
out << 'END'
empty: never freed: 0 bytes in 0 allocations at 0 sites
END
no_err
run dg allocs dump --json empty
status 0
out << 'END'
{"schema": "datagrind/allocs-dump/1", "log": "empty", "partial": [], "at": "end", "icount": null, "time_unit": "i", "block_list": []}
END
no_err
run dg allocs history -r --json empty
status 0
out << 'END'
{"schema": "datagrind/allocs-history/1", "logs": ["empty"], "time_unit": "i", "has_whole_history": true, "event_list": []}
END
no_err
run dg allocs leaks --json empty
status 0
out << 'END'
{"schema": "datagrind/allocs-leaks/1", "log": "empty", "partial": [], "bytes": 0, "blocks": 0, "n_sites": 0, "library_bytes": 0, "library_blocks": 0, "time_unit": "i", "sites": []}
END
no_err
run dg allocs dump --time-unit=ms empty
status 2
no_out
err << 'END'
dg: allocs dump: empty: this log has no clock
Try 'dg allocs dump --help'.
END
run dg allocs dump none
status 1
err_has 'dg: none: No such file or directory'
: > zero
run dg allocs stats zero
status 1
no_out

# ---- Without details --------------------------------------------------------

assemble bare << 'END'
header
bbdef [0x400800+4] [R4@0]
context 0 [0x400800]
malloc_block 0x1000 16 [0x400000 0x400100 0x400200]
bbrun 0 1 [0x1000]
start_event "x"
malloc_block 0x2000 32 []
free_block 0x1000
free_block 0x7000
malloc_block 0x1000 8 [0x400000]
END
run dg allocs stats bare
status 0
out << 'END'
bare: statistics
Heap      : 0x00001000 to 0x0000201f, size 8K (8192 bytes)
History   : 3 memory allocations, 1 free
Current   : 40 bytes used in 2 allocations
Debugdata : 211 bytes of log, none in the program's memory
Options   : actual_size disabled, time stamps enabled, thread info disabled
          : backtrace enabled, 2 levels
          : history enabled, 4 records
END
no_err
run dg allocs dump --levels=all bare
status 0
out << 'END'
0x00001000 : allocated 8 bytes, seqno 4, time 1
  1) backtrace return address 0x00400000
0x00002000 : allocated 32 bytes, seqno 2, time 1
END
no_err
run dg allocs history bare
status 0
out << 'END'
allocated 16 bytes: 0x00001000 (freed) , seqno 1, time 0
  1) backtrace return address 0x00400101
allocated 32 bytes: 0x00002000 , seqno 2, time 1
freed 16 bytes: 0x00001000 , seqno 3, time 1
allocated 8 bytes: 0x00001000 , seqno 4, time 1
  1) backtrace return address 0x00400000
END
no_err
run dg allocs history -r -Fseqno_max=3 -f '%s %p %n %T %b1' bare
status 0
out << 'END'
3 0x00001000 16 1 0x00000000
2 0x00002000 32 1 0x00000000
1 0x00001000 16 0 0x00400101
END
no_err
run dg allocs diff --from=event:x bare
status 0
out << 'END'
Moment event:x : 16 bytes used in 1 allocation.
Moment end : 40 bytes used in 2 allocations.
2 new allocations at end but not at event:x
1 allocation at event:x but freed at end

New allocations at end but not at event:x
0x00001000 : allocated 8 bytes, seqno 4, time 1
  1) backtrace return address 0x00400000
0x00002000 : allocated 32 bytes, seqno 2, time 1

Allocations at event:x but freed at end
0x00001000 : allocated 16 bytes, seqno 1, time 0
  1) backtrace return address 0x00400101
END
no_err
run dg allocs leaks bare
status 0
out << 'END'
bare: never freed: 40 bytes in 2 allocations at 2 sites

32 bytes, 80%, in 1 allocation, seqno 2
  Never accessed

8 bytes, 20%, in 1 allocation, seqno 4
  1) backtrace return address 0x00400000
  Never accessed
END
no_err
run dg allocs dump --json -Fsize_max=8 bare
status 0
out << 'END'
{"schema": "datagrind/allocs-dump/1", "log": "bare", "partial": [], "at": "end", "icount": null, "time_unit": "i", "block_list": [
  {"address": "0x1000", "size": 8, "seqno": 4, "time": 1, "backtrace": [{"address": "0x400000", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]}]}
END
no_err
run dg allocs stats --json bare
status 0
out << 'END'
{"schema": "datagrind/allocs-stats/1", "log": "bare", "partial": [], "at": "end", "icount": null, "heap_start": "0x1000", "heap_end": "0x201f", "heap_bytes": 8192, "heap_allocs": 3, "heap_frees": 1, "blocks": 2, "bytes": 40, "stack_levels": 2, "has_whole_history": true}
END
no_err
run dg allocs dump -f '%m' bare
status 2
no_out
err << 'END'
dg: allocs dump: bare: this log has no details of the heap, which are needed by '%m'
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%n %a' bare
status 2
no_out
err << 'END'
dg: allocs dump: bare: this log has no details of the heap, which are needed by '%a'
Try 'dg allocs dump --help'.
END
run dg allocs dump -SpT bare
status 2
no_out
err << 'END'
dg: allocs dump: bare: this log has no details of the heap, which are needed by the sort key 'T'
Try 'dg allocs dump --help'.
END
run dg allocs history -Fthread=1 bare
status 2
no_out
err << 'END'
dg: allocs history: bare: this log has no details of the heap, which are needed by the filter 'thread'
Try 'dg allocs history --help'.
END
run dg allocs dump -f '%b2' bare
status 0
run dg allocs dump -f '%b3' bare
status 2
err_has 'there is no level 3: call stacks in this log have at most 2'

# ---- Other machines ---------------------------------------------------------

assemble_heap log
run dg allocs history --levels=all log
cp stdout history
run dg allocs stats log
grep -v Debugdata stdout > stats
run dg allocs leaks log
cp stdout leaks
for how in '-w 32' '-b' '-b -w 32'; do
  assemble_heap other $how
  run dg allocs history --levels=all other
  diff history stdout > difference
  report "$how" difference
  run dg allocs stats other
  sed 's/^other/log/' stdout | grep -v Debugdata | diff stats - > difference
  report "$how" difference
  run dg allocs leaks other
  sed 's/^other/log/' stdout | diff leaks - > difference
  report "$how" difference
done
run dg pack -o log.dgz log
for command in 'history --levels=all' leaks 'dump -SNs' 'diff --from=25'; do
  run dg allocs $command log
  cp stdout expected
  in_turn 1 2 8
  for jobs in "${chosen[@]}"; do
    run dg allocs $command -j$jobs log.dgz
    sed 's/^log.dgz/log/' stdout | diff expected - > difference
    report 'the archive says the same' difference
  done
done

# ---- Cut short, damaged -----------------------------------------------------

size=$(wc -c < log)
head -c $((size - 200)) log > short
run dg allocs history -f '%s %a' short
status 1
out << 'END'
Caution: history is incomplete.

1 malloc()
2 malloc()
3 new
4 new[]
5 free()
6 calloc()
7 memalign()
8 realloc(free)
9 realloc()
10 MALLOCLIKE
11 delete
END
err << 'END'
dg: short: offset 0x810: the log ends within BBRUN of 17 bytes
END
run dg allocs stats short
status 1
out_has ', incomplete'
err_has 'dg: short: '
sed 's/^end_event "load"$/bbrun 9 1 []/' "$abs_srcdir/cli/allocs/allocs_log.sh" > damage.sh
. ./damage.sh
assemble_heap damaged
run dg allocs history -f '%s %a' damaged
status 1
out << 'END'
Caution: history is incomplete.

1 malloc()
2 malloc()
3 new
4 new[]
5 free()
END
err << 'END'
dg: damaged: offset 0x50a: BBRUN names context 9, only 1 are defined
END
run dg allocs dump damaged
status 1
run dg allocs history -f '%s %a' log short
status 1
err_has 'dg: short: '
# Wherever it is cut, it is told as far as it goes.
bad=
for n in $(seq 16 97 $size); do
  head -c $n log > short
  in_turn stats dump history diff leaks
  for command in "${chosen[@]}"; do
    "$DG" allocs $command short > stdout 2> stderr
    [ $? -le 1 ] || bad="$bad $command:$n"
  done
done
title='cut anywhere'
[ -z "$bad" ]
report "no worse than a failure:$bad" stderr

# ---- Parts of a run that began late -----------------------------------------

# forked FLAGS NAME
forked ()
{
  assemble $2 << END
process 42 1 7 8 4096 64 $1 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" []
malloc_block 0x1000 16 [0x400000 0x400100]
heap_alloc 1 1 1 16 0 0
end why=0 exit_code=0
END
}
forked 16 whole
forked 17 child
run dg allocs history -f %s whole
out << 'END'
1
END
run dg allocs history -f %s child
status 0
out << 'END'
Caution: history is incomplete.

1
END
no_err
# An incomplete log, by what it says of its end.
for why in 2 3 5; do
  assemble ends << END
process 42 1 7 8 4096 64 16 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" []
malloc_block 0x1000 16 [0x400000 0x400100]
heap_alloc 1 1 1 16 0 0
end why=$why exit_code=0
END
  run dg allocs history -f %s ends
  out_has 'Caution: history is incomplete.'
done
# The recorder's windows leave out nothing of the heap.
assemble windows << 'END'
process 42 1 7 8 4096 64 16 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" []
window 0 4 0
malloc_block 0x1000 16 [0x400000 0x400100]
heap_alloc 1 1 1 16 0 0
window 1 4 10
end why=0 exit_code=0
END
run dg allocs history -f %s windows
out << 'END'
1
END
# Without sequence numbers, a part says that it is one.
run dg cut --instructions=1.. -o late bare
run dg allocs history -f %s late
out_has 'Caution: history is incomplete.'

# ---- Hostile ----------------------------------------------------------------

assemble hostile << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" []
thread_start 1 0 18446744073709551615
thread_name 1 "\x1b[31mred\n\xff"
thread_start 7 1 0
thread_name 7 "only a name"
start_event "\x1b]0;title\x07"
malloc_block 0xffffffffffffffff 18446744073709551615 [0x400000 0x400100]
heap_alloc 18446744073709551615 1 200 0 0 0
malloc_block 0 0 []
heap_alloc 0 9 0 0 0 0
malloc_block 0 18446744073709551615 [0xffffffffffffffff]
heap_alloc 3 7 255 18446744073709551615 0 0
malloc_block 0 18446744073709551615 [0xffffffffffffffff 0xffffffffffffffff]
heap_alloc 3 7 15 18446744073709551615 0 0
free_block 0
heap_free 3 7 16 []
end why=0 exit_code=0
END
run dg allocs stats hostile
status 0
out << 'END'
hostile: statistics
Heap      : 0x00000000 to 0xffffffffffffffff, size 18014398509481983K (18446744073709551615 bytes)
History   : 4 memory allocations, 2 frees
Current   : 18014398509481983K (18446744073709551614 bytes) used in 2 allocations
Actual    : approximately 15 bytes
Overhead  : approximately 0 bytes, 0%
Debugdata : 678 bytes of log, none in the program's memory
Allocators:
            allocated 2
Threads   :
        1 : handle 18446744073709551615, \x1b[31mred\x0a\xff
        7 : handle unknown, only a name
Options   : actual_size enabled, time stamps enabled, thread info enabled
          : backtrace enabled, 2 levels
          : history enabled, 6 records, incomplete
END
no_err
run dg allocs dump --levels=all hostile
status 0
out << 'END'
0x00000000 : allocated 18446744073709551615 bytes, actual size 7 (+0), seqno 3, time 0
  By thread 7, only a name
  1) backtrace return address 0xffffffffffffffff
0xffffffffffffffff : allocated 18446744073709551615 bytes, actual size 8 (+0), seqno 18446744073709551615, time 0
  By thread 1, 18446744073709551615 \x1b[31mred\x0a\xff
  1) backtrace return address 0x00400101
END
no_err
run dg allocs history -f '%s %a %n %m %o %t %h %N %b1 %b2' hostile
status 0
out << 'END'
Caution: history is incomplete.

18446744073709551615 allocated 18446744073709551615 8 0 1 18446744073709551615 \x1b[31mred\x0a\xff 0x00400101 0x00000000
0 allocated 0 8 8 9 0  0x00000000 0x00000000
3 allocated 18446744073709551615 7 0 7 0 only a name 0xffffffffffffffff 0x00000000
3 MEMPOOL_ALLOC 18446744073709551615 7 0 7 0 only a name 0xffffffffffffffff 0x00000000
3 MEMPOOL_FREE 18446744073709551615 7 0 7 0 only a name 0x00000000 0x00000000
END
no_err
run dg allocs history --json -Fptr_min=1 hostile
status 0
out << 'END'
{"schema": "datagrind/allocs-history/1", "logs": ["hostile"], "time_unit": "i", "has_whole_history": false, "event_list": [
  {"address": "0xffffffffffffffff", "size": 18446744073709551615, "seqno": 18446744073709551615, "time": 0, "event": "alloc", "is_freed": false, "allocator": "allocated", "actual_size": 8, "overhead": 0, "alignment": 0, "old_address": null, "thread": 1, "tid": 18446744073709551615, "thread_name": "\u001b[31mred\n�", "backtrace": [{"address": "0x400101", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]}]}
END
no_err
run dg allocs stats --at="$(printf 'event:\033]0;title\a')" hostile
status 0
out << 'END'
hostile: statistics at event:\x1b]0;title\x07
Heap      : none
History   : 0 memory allocations, 0 frees
Current   : 0 bytes used in 0 allocations
Actual    : approximately 0 bytes
Overhead  : approximately 0 bytes, 0%
Debugdata : 678 bytes of log, none in the program's memory
Allocators:
Threads   :
Options   : actual_size enabled, time stamps enabled, thread info enabled
          : backtrace enabled, 2 levels
          : history enabled, 0 records, incomplete
END
no_err
run dg allocs dump --at="$(printf 'event:\033x')" hostile
status 2
no_out
err << 'END'
dg: allocs dump: hostile: the log has no event '\x1bx'
Try 'dg allocs dump --help'.
END
run dg allocs leaks --no-last hostile
status 0
out << 'END'
hostile: never freed: 18014398509481983K (18446744073709551614 bytes) in 2 allocations at 2 sites

18014398509481983K (18446744073709551615 bytes), 100%, in 1 allocation by allocated, seqno 18446744073709551615
  1) backtrace return address 0x00400101

18014398509481983K (18446744073709551615 bytes), 100%, in 1 allocation by allocated, seqno 3
  1) backtrace return address 0xffffffffffffffff
END
no_err
run bash -c 'ulimit -t 60; exec "$@"' sh "$DG" allocs leaks hostile
status 0
out_has 'Never accessed'
run dg allocs diff --from=event: --json hostile
status 2
finish
