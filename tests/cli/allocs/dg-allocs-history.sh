# dg-allocs-history.sh: dg allocs history, of one log and of several; diff; and
# leaks.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/cli/allocs/allocs_log.sh"

assemble_heap log

# ---- history ----------------------------------------------------------------

run dg allocs history log
status 0
out << 'END'
malloc() 256 bytes: 0x00010010 , actual size 272 (+16), seqno 1, time 0
  By thread 1, 4242 main
  1) backtrace return address 0x00400104
malloc() 131072 bytes: 0x00020010 (freed) , actual size 131080 (+8), seqno 2, time 10
  By thread 1, 4242 main
  1) backtrace return address 0x00400114
new 13 bytes: 0x00010200 (freed) , actual size 32 (+19), seqno 3, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400124
new[] 1024 bytes: 0x00010300 , actual size 1032 (+8), seqno 4, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
free() 131072 bytes: 0x00020010 , actual size 131080 (+8), seqno 5, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400144
calloc() 100 bytes: 0x00030000 (freed) , actual size 112 (+12), seqno 6, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400154
memalign() 64 bytes: 0x00031000 , actual size 72 (+8), seqno 7, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400164
realloc(free) 100 bytes: 0x00030000 , actual size 112 (+12), seqno 8, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400174
realloc() 200 bytes: 0x00032000 , actual size 208 (+8), seqno 9, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400174
MALLOCLIKE 32 bytes: 0x00040000 , actual size 40 (+8), seqno 10, time 40
  By thread 1, 4242 main
  1) backtrace return address 0x00400183
delete 13 bytes: 0x00010200 , actual size 32 (+19), seqno 11, time 40
  By thread 1, 4242 main
  1) backtrace return address 0x00400194
END
no_err
run dg allocs history -r -Fseqno_min=8 -f '%a %p, %n bytes, seqno %s' log
status 0
out << 'END'
delete 0x00010200, 13 bytes, seqno 11
MALLOCLIKE 0x00040000, 32 bytes, seqno 10
realloc() 0x00032000, 200 bytes, seqno 9
realloc(free) 0x00030000, 100 bytes, seqno 8
END
no_err
run dg allocs history --levels=3 -Fthread=2 --time-unit=ms log
status 0
out << 'END'
new 13 bytes: 0x00010200 (freed) , actual size 32 (+19), seqno 3, time 4
  By thread 2, 4243 worker
  1) backtrace return address 0x00400124
new[] 1024 bytes: 0x00010300 , actual size 1032 (+8), seqno 4, time 4
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
  2) backtrace return address 0x00400204
free() 131072 bytes: 0x00020010 , actual size 131080 (+8), seqno 5, time 4
  By thread 2, 4243 worker
  1) backtrace return address 0x00400144
  2) backtrace return address 0x00400244
END
no_err
run dg allocs history --json -Fsize_min=1024 log
status 0
out << 'END'
{"schema": "datagrind/allocs-history/1", "logs": ["log"], "time_unit": "i", "has_whole_history": true, "event_list": [
  {"address": "0x20010", "size": 131072, "seqno": 2, "time": 10, "event": "alloc", "is_freed": true, "allocator": "malloc()", "actual_size": 131080, "overhead": 8, "alignment": 0, "old_address": null, "thread": 1, "tid": 4242, "thread_name": "main", "backtrace": [{"address": "0x400114", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]},
  {"address": "0x10300", "size": 1024, "seqno": 4, "time": 20, "event": "alloc", "is_freed": false, "allocator": "new[]", "actual_size": 1032, "overhead": 8, "alignment": 0, "old_address": null, "thread": 2, "tid": 4243, "thread_name": "worker", "backtrace": [{"address": "0x400134", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]},
  {"address": "0x20010", "size": 131072, "seqno": 5, "time": 20, "event": "free", "is_freed": true, "allocator": "free()", "actual_size": 131080, "overhead": 8, "alignment": 0, "old_address": null, "thread": 2, "tid": 4243, "thread_name": "worker", "backtrace": [{"address": "0x400144", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]}]}
END
no_err
run dg allocs history log
cp stdout forward
run dg allocs history --reverse log
awk '/^[^ ]/ { n++ } { r[n] = r[n] $0 "\n" }
  END { for (; n > 0; n--) printf "%s", r[n] }' forward > backward
diff backward stdout > difference
report 'the same records, the latest first' difference

# ---- Parts of a run ---------------------------------------------------------

run dg cut --instructions=..25 -o part1 log
run dg cut --instructions=25..35 -o part2 log
run dg cut --instructions=35.. -o part3 log
run dg cut --instructions=15.. -o late log
status 0
run dg allocs history -f '%s %a %p' part1
status 0
out << 'END'
Caution: history is incomplete.

1 malloc() 0x00010010
2 malloc() 0x00020010
3 new 0x00010200
4 new[] 0x00010300
5 free() 0x00020010
END
no_err
run dg allocs history -f '%s %a %p' part2
status 0
out << 'END'
Caution: history is incomplete.

1 malloc() 0x00010010
3 new 0x00010200
4 new[] 0x00010300
6 calloc() 0x00030000
7 memalign() 0x00031000
8 realloc(free) 0x00030000
9 realloc() 0x00032000
END
no_err
run dg allocs history part1 part2 part3
status 0
diff forward stdout > difference
report 'three parts are the whole' difference
run dg allocs history part1 late part3 late
diff forward stdout > difference
report 'parts may overlap' difference
run dg allocs history -r part1 part2 part3
diff backward stdout > difference
report 'backwards' difference
for some in 'part1 part3' 'part2 part3' 'part1 part2' 'part3'; do
  run dg allocs history -f %s $some
  [ "$(head -n 2 stdout)" = 'Caution: history is incomplete.' ]
  report 'it says that it is not all' stdout
done
run dg allocs history --json -Fseqno_max=2 part1 part3
status 0
out << 'END'
{"schema": "datagrind/allocs-history/1", "logs": ["part1", "part3"], "time_unit": "i", "has_whole_history": false, "event_list": [
  {"address": "0x10010", "size": 256, "seqno": 1, "time": 0, "event": "alloc", "is_freed": false, "allocator": "malloc()", "actual_size": 272, "overhead": 16, "alignment": 0, "old_address": null, "thread": 1, "tid": 4242, "thread_name": "main", "backtrace": [{"address": "0x400104", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]},
  {"address": "0x20010", "size": 131072, "seqno": 2, "time": 10, "event": "alloc", "is_freed": true, "allocator": "malloc()", "actual_size": 131080, "overhead": 8, "alignment": 0, "old_address": null, "thread": 1, "tid": 4242, "thread_name": "main", "backtrace": [{"address": "0x400114", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]}]}
END
no_err
run dg allocs part1
mv stdout by-default
run dg allocs stats part1
diff by-default stdout > difference
report 'without a name, it is stats' difference
out_has '          : history enabled, 5 records, incomplete'
run dg allocs stats part3
out_has 'History   : 6 memory allocations, 1 free'

# Nothing was freed before the cut: then what is told of it is everything.
run dg cut --instructions=12.. -o all log
run dg allocs history all
diff forward stdout > difference
report 'a part that is the whole of the heap' difference

# Two recordings, one after the other.
sed 's/^process 42/process 43/' "$abs_srcdir/cli/allocs/allocs_log.sh" > other.sh
. ./other.sh
assemble_heap other
run dg allocs history -Fsize_min=1024 -f '%s %a' log other
status 0
out << 'END'
2 malloc()
4 new[]
5 free()
2 malloc()
4 new[]
5 free()
END
no_err
run dg allocs history -r -Fsize_min=1024 -f '%s %a' log other
status 0
out << 'END'
5 free()
4 new[]
2 malloc()
5 free()
4 new[]
2 malloc()
END
no_err

# ---- diff -------------------------------------------------------------------

run dg allocs diff --from=event:load --to=event:load#2 log
status 0
out << 'END'
Moment event:load : 256 bytes used in 1 allocation.
Moment event:load#2 : 1K (1557 bytes) used in 5 allocations.
4 new allocations at event:load#2 but not at event:load
0 allocations at event:load but freed at event:load#2

New allocations at event:load#2 but not at event:load
0x00010200 : new 13 bytes, actual size 32 (+19), seqno 3, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400124
0x00010300 : new[] 1024 bytes, actual size 1032 (+8), seqno 4, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
0x00031000 : memalign() 64 bytes, actual size 72 (+8), seqno 7, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400164
0x00032000 : realloc() 200 bytes, actual size 208 (+8), seqno 9, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400174

Allocations at event:load but freed at event:load#2
END
no_err
run dg allocs diff --from=event:load:end --to=end -Fsize_min=1000 -f '%n bytes at %p' -SN log
status 0
out << 'END'
Moment event:load:end : 1K (1293 bytes) used in 3 allocations.
Moment end : 1K (1576 bytes) used in 5 allocations.
3 new allocations at end but not at event:load:end
1 allocation at event:load:end but freed at end

New allocations at end but not at event:load:end

Allocations at event:load:end but freed at end
END
no_err
run dg allocs diff -f %s log
status 0
out << 'END'
Moment 0 : 256 bytes used in 1 allocation.
Moment end : 1K (1576 bytes) used in 5 allocations.
4 new allocations at end but not at 0
0 allocations at 0 but freed at end

New allocations at end but not at 0
4
7
9
10

Allocations at 0 but freed at end
END
no_err
run dg allocs diff --from=25 -f %s --json log
status 2
no_out
err << 'END'
dg: allocs diff: --json cannot be combined with --format
Try 'dg allocs diff --help'.
END
run dg allocs diff --from=25 -Fsize_max=200 -SN --json log
status 0
out_has '"n_new": 3, "n_freed": 1, "new_blocks": ['
run dg allocs diff -f '%s %a' part1 part3
status 0
out << 'END'
File part1 : 1K (1293 bytes) used in 3 allocations.
File part3 : 1K (1576 bytes) used in 5 allocations.
3 new allocations in part3 but not in part1
1 allocation in part1 but freed in part3

New allocations in part3 but not in part1
7 memalign()
9 realloc()
10 MALLOCLIKE

Allocations in part1 but freed in part3
3 new
END
no_err
run dg allocs diff -f '%s %a' part3 part1
status 0
out << 'END'
File part3 : 1K (1576 bytes) used in 5 allocations.
File part1 : 1K (1293 bytes) used in 3 allocations.
1 new allocation in part1 but not in part3
3 allocations in part3 but freed in part1

New allocations in part1 but not in part3
3 new

Allocations in part3 but freed in part1
7 memalign()
9 realloc()
10 MALLOCLIKE
END
no_err
run dg allocs diff -f %s log part3
out_has '0 new allocations in part3 but not in log'
out_has '0 allocations in log but freed in part3'

# The same address, but another block.
assemble again << 'END'
header
malloc_block 0x1000 16 [0x400000 0x400100]
heap_alloc 1 1 1 16 0 0
start_event "one"
free_block 0x1000
heap_free 2 1 11 [0x400000]
malloc_block 0x1000 16 [0x400000 0x400100]
heap_alloc 3 1 1 16 0 0
start_event "two"
END
run dg allocs diff --from=event:one --to=event:two -f '%p %s' again
status 0
out << 'END'
Moment event:one : 16 bytes used in 1 allocation.
Moment event:two : 16 bytes used in 1 allocation.
1 new allocation at event:two but not at event:one
1 allocation at event:one but freed at event:two

New allocations at event:two but not at event:one
0x00001000 3

Allocations at event:one but freed at event:two
0x00001000 1
END
no_err

# Different runs: by place and size.
run dg allocs diff -f '%s %n' log other
status 0
err << 'END'
dg: warning: log and other are from different runs: blocks match if their sizes and allocation sites do (--levels=1)
END
out_has '0 new allocations in other but not in log'
out_has '0 allocations in log but not in other'
run dg allocs diff --to=event:load -f '%s %n' log other
out << 'END'
File log : 1K (1576 bytes) used in 5 allocations.
File other at event:load : 256 bytes used in 1 allocation.
0 new allocations in other at event:load but not in log
4 allocations in log but not in other at event:load

New allocations in other at event:load but not in log

Allocations in log but not in other at event:load
4 1024
7 64
9 200
10 32
END
cat > many << 'END'
header
malloc_block 0x1000 16 [0x400000 0x400100 0x400200]
malloc_block 0x1010 16 [0x400000 0x400100 0x400210]
malloc_block 0x1020 16 [0x400000 0x400110 0x400200]
malloc_block 0x1030 24 [0x400000 0x400100 0x400200]
END
assemble four < many
{ cat many; echo 'malloc_block 0x1040 16 [0x400000 0x400100 0x400210]'; } | assemble five
run dg allocs diff -f %p four five
out_has '1 new allocation in five but not in four'
out_has '0 allocations in four but not in five'
out_has '0x00001040'
run dg allocs diff -f %p --levels=2 five four
out_has '1 allocation in five but not in four'
run dg allocs diff -f %p --from=end --to=0 log
out_has '4 allocations at end but freed at 0'
run dg allocs diff log other late
status 2
no_out
err << 'END'
dg: allocs diff: unexpected argument 'late'
Try 'dg allocs diff --help'.
END
run dg allocs diff --from=event:none log other
status 2
no_out
err << 'END'
dg: allocs diff: log: the log has no event 'none'
Try 'dg allocs diff --help'.
END
run dg allocs diff --at=1 log
status 2
no_out
err << 'END'
dg: allocs diff: Unknown option --at=1
Try 'dg allocs diff --help'.
END

# ---- leaks ------------------------------------------------------------------

run dg allocs leaks log
status 0
out << 'END'
log: never freed: 1K (1576 bytes) in 5 allocations at 5 sites

1K (1024 bytes), 64%, in 1 allocation by new[], seqno 4
  1) backtrace return address 0x00400134
  2) backtrace return address 0x00400204
  Never accessed

256 bytes, 16%, in 1 allocation by malloc(), seqno 1
  1) backtrace return address 0x00400104
  2) backtrace return address 0x00400204
  3) backtrace return address 0x00400304
  Last accessed 41 instructions before the end, by thread 1
     at 0x00400000

200 bytes, 12%, in 1 allocation by realloc(), seqno 9
  1) backtrace return address 0x00400174
  Last accessed 1 instruction before the end, by thread 1
     at 0x00400000

64 bytes, 4%, in 1 allocation by memalign(), seqno 7
  1) backtrace return address 0x00400164
  Never accessed

32 bytes, 2%, in 1 allocation by MALLOCLIKE, seqno 10
  1) backtrace return address 0x00400183
  2) backtrace return address 0x00400204
  Never accessed
END
no_err
run dg allocs leaks --levels=1 --top=1 --no-last log
status 0
out << 'END'
log: never freed: 1K (1576 bytes) in 5 allocations at 5 sites

1K (1024 bytes), 64%, in 1 allocation by new[], seqno 4
  1) backtrace return address 0x00400134

4 more sites (--top=0 shows all)
END
no_err
run dg allocs leaks -Fthread=2 --json log
status 0
out << 'END'
{"schema": "datagrind/allocs-leaks/1", "log": "log", "partial": [], "bytes": 1024, "blocks": 1, "n_sites": 1, "library_bytes": 0, "library_blocks": 0, "time_unit": "i", "sites": [
  {"bytes": 1024, "blocks": 1, "allocator": "new[]", "first_seqno": 4, "last_seqno": 4, "backtrace": [{"address": "0x400134", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}, {"address": "0x400204", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}], "last_time": null, "last_age": null, "last_thread": null, "last_access": null}]}
END
no_err

# By as many levels as are shown; the last access of any of the blocks.
assemble sites << 'END'
bbdef [0x400800+4] [R4@0]
context 0 [0x400800]
malloc_block 0x1000 16 [0x400000 0x400100 0x400200]
heap_alloc 1 1 1 16 0 0
malloc_block 0x1010 16 [0x400000 0x400100 0x400210]
heap_alloc 2 1 2 16 0 0
malloc_block 0x1020 16 [0x400000 0x400110 0x400200]
heap_alloc 3 1 1 16 0 0
bbrun 0 1 [0x1010]
bbrun 0 1 [0x1000]
bbrun 0 1 [0]
END
run dg allocs leaks --levels=1 sites
status 0
out << 'END'
sites: never freed: 48 bytes in 3 allocations at 2 sites

32 bytes, 66%, in 2 allocations by malloc(), seqno 1 to 2
  1) backtrace return address 0x00400101
  Last accessed 2 instructions before the end, by thread 1
     at 0x00400800

16 bytes, 33%, in 1 allocation by malloc(), seqno 3
  1) backtrace return address 0x00400111
  Never accessed
END
no_err
run dg allocs leaks --levels=2 --json sites
status 0
out << 'END'
{"schema": "datagrind/allocs-leaks/1", "log": "sites", "partial": [], "bytes": 48, "blocks": 3, "n_sites": 3, "library_bytes": 0, "library_blocks": 0, "time_unit": "i", "sites": [
  {"bytes": 16, "blocks": 1, "allocator": "malloc()", "first_seqno": 1, "last_seqno": 1, "backtrace": [{"address": "0x400101", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}, {"address": "0x400201", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}], "last_time": 1, "last_age": 2, "last_thread": 1, "last_access": {"address": "0x400800", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}},
  {"bytes": 16, "blocks": 1, "allocator": "calloc()", "first_seqno": 2, "last_seqno": 2, "backtrace": [{"address": "0x400101", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}, {"address": "0x400211", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}], "last_time": 0, "last_age": 3, "last_thread": 1, "last_access": {"address": "0x400800", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}},
  {"bytes": 16, "blocks": 1, "allocator": "malloc()", "first_seqno": 3, "last_seqno": 3, "backtrace": [{"address": "0x400111", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}, {"address": "0x400201", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}], "last_time": null, "last_age": null, "last_thread": null, "last_access": null}]}
END
no_err

# A block that libstdc++ allocates when it is loaded is not listed; one that the
# program has from libc is.
assemble kept << 'END'
process 42 1 0 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/p" "/" ["p"]
text_avma 0x400000 "/bin/p"
module 0x400000 0x1000 0 [] "p"
text_avma 0x500000 "/lib/libstdc++.so.6"
module 0x500000 0x1000 0 [] "libstdc++.so.6"
text_avma 0x600000 "/lib/ld-linux-x86-64.so.2"
module 0x600000 0x1000 0 [] "ld-linux-x86-64.so.2"
text_avma 0x700000 "/lib/libc.so.6"
module 0x700000 0x1000 0 [] "libc.so.6"
thread_start 1 0 7
malloc_block 0x1000 72704 [0x500000 0x500100 0x600100 0x600200]
heap_alloc 1 1 1 72704 0 0
malloc_block 0x20000 16 [0x500000 0x700100 0x400100]
heap_alloc 2 1 1 16 0 0
end why=0 exit_code=0
END
run dg allocs leaks --no-last --levels=1 kept
status 0
out << 'END'
kept: never freed: 16 bytes in 1 allocation at 1 site

16 bytes, 100%, in 1 allocation by malloc(), seqno 2
  1) backtrace return address 0x00700101 in /lib/libc.so.6

Left out: 71K (72704 bytes) in 1 allocation that runtime libraries keep (--libraries shows them)
END
run dg allocs leaks --json kept
holds '(r["bytes"], r["library_bytes"], r["library_blocks"])
  == (16, 72704, 1)'
run dg allocs leaks --json --libraries kept
holds '(r["bytes"], r["n_sites"], r["library_blocks"]) == (72720, 2, 0)'

run dg allocs leaks --at=1 sites
status 2
finish
