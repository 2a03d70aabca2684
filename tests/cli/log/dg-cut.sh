# dg-cut.sh: parts of logs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
run dg cut log --instructions=4..7 -o part
status 0
no_out
no_err
run dg check part
status 0
out << 'END'
part: good
END
run dg dump --accesses part
out << 'END'
I  00400003,5
 S 00002008,8
 L 00002030,16
I  00400008,2
I  00400000,3
 L 00001000,4
END

# What was there when it begins is told first; then what happened.
run dg dump part
sed 's/^0x[0-9a-f]* //; s/ back=[0-9]*//' stdout > records
title='the records of a part'
diff records - > difference << 'END'
PROCESS pid=42 ppid=1 start_ticks=7 wall_ns=8 page_size=4096 line_size=64 flags=0x0 stack_depth=8 tool_version="1.0" valgrind_version="3.19.0" arch="amd64" exe="/bin/prog" cwd="/home" argv=["prog" "two words" "it's"]
WINDOW on=0 why=cut icount=0
THREAD_START thread=1 parent=0 os_tid=42
THREAD_NAME thread=1 name="main"
STACK thread=1 low=0x70000 high=0x80000
TEXT_AVMA text_address=0x400000 file="/bin/prog"
MODULE text_address=0x400000 text_size=4096 bias=0x0 build_id=abcd soname="prog"
MAP address=0x400000 length=4096 protection=r-x what=startup offset=0x0 file="/bin/prog"
WINDOW on=0 why=cut icount=3
MALLOC_BLOCK address=0x2000 size=64 stack=[0x400000 0x400100]
HEAP_ALLOC seqno=1 thread=1 allocator=malloc usable=72 alignment=0 old_address=0x0
TRACK_RANGE address=0x2000 length=16 type="int" label="a \"b\"\n"
START_EVENT label="sort"
BBDEF index=0 instrs=[0x400003+5 0x400008+2] accesses=[W8@0 R16@0]
CONTEXT index=0 bbdef=0 stack=[0x400003 0x400100]
WINDOW on=1 why=cut icount=4
BBRUN context=0 n_instrs=2 addresses=[0x2008 0x2030]
UNTRACK_RANGE address=0x2000 length=16
END_EVENT label="sort"
KERNEL_ACCESS kind=read address=0x2000 length=16 number=1
FREE_BLOCK address=0x2000
HEAP_FREE seqno=2 thread=1 allocator=free stack=[0x400000]
CLOCK ns=12345
SIGNAL thread=1 signal=10 what=begins
FORK pid=43
WINDOW on=0 why=request icount=6
WINDOW on=1 why=request icount=6
BBDEF index=1 instrs=[0x400000+3 0x400003+5 0x400008+2] accesses=[R4@0 W8@1 R16@1]
CONTEXT index=1 bbdef=1 stack=[0x400000 0x400100]
BBRUN context=1 n_instrs=1 addresses=[0x1000]
THREAD_NAME thread=1 name="main"
STACK thread=1 low=0x70000 high=0x80000
END why=cut exit_code=0 icount=7 instructions=3 reads=2 writes=1 runs=2 bbdefs=2 contexts=2 heap_allocs=1 heap_frees=1 threads=1 lost_calls=0
END
report 'are these' difference

# Of archives, and to archives, for every kind of log.
for kind in '' '-b' '-w 32' '-b -w 32'; do
  assemble_small log $kind
  dg pack log -o log.dgz
  # A third of them for each kind; with DG_TEST_LONG all.
  for range in 0.. ..8 ..7 1..4 3..4 2..3 6..100 8..; do
    in_turn yes no no
    [ "${chosen[0]}" = yes ] || continue
    run dg cut log --instructions=$range -o raw
    status 0
    run dg cut log.dgz --instructions=$range -o from-archive
    status 0
    cmp raw from-archive > difference 2>&1
    report 'a log and its archive have the same parts' difference
    run dg cut log --instructions=$range -o part.dgz
    status 0
    run dg check part.dgz
    status 0
    dg dump --accesses raw > accesses
    run dg dump --accesses part.dgz
    out < accesses
  done
done

# All of it.
assemble_small log
dg dump --accesses log > all
run dg cut log -o whole
status 0
run dg dump --accesses whole
out < all
run dg info whole
out_has 'Complete        yes: the program exited'
out_has 'Exit status     3'

# By addresses, and by conditions.
run dg cut log --addresses=0x1008..0x2001 -o part
status 0
run dg dump --accesses part
grep -v ^I stdout > accesses
title='accesses to addresses'
diff accesses - > difference << 'END'
 S 00001008,8
 L 00001010,16
 L 00002000,4
END
report 'are these' difference
dg dump --accesses --events=user:sort --ranges=malloc log | grep -v ^I > want
run dg cut log --events=user:sort --ranges=malloc -o part
status 0
run dg dump --accesses part
grep -v ^I stdout | diff - want > difference
report 'accesses that --events and --ranges choose' difference
run dg check part
status 0

# A log that is cut short stays incomplete, if that is in the part.
size=$(stat -c %s log)
head -c $((size - 20)) log > short
run dg cut short --instructions=1..3 -o part
status 1
err_has 'dg: short: offset 0x'
run dg check part
status 0
run dg cut short --instructions=1.. -o part
status 1
run dg check part
status 1
err_has 'recording ended early'

# What is not known stays where it is; bytes are the same with any number of
# threads.
assemble odd << 'END'
bbdef [0x10+1 0x11+1] [W4@0 R4@1]
context 0 [0x10]
record 99 "before"
bbrun 0 2 [0x100 0x200]
record 100 "at the start"
bbrun 0 2 [0x100 0x200]
chunk
long record 101 "between"
record 200 "x"
bbrun 0 2 [0x100 0x200]
record 102 "behind"
END
dg pack odd -o odd.dgz
for log in odd odd.dgz; do
  run dg cut $log --instructions=2..5 -o part
  status 0
  tail -c +17 part | grep -a -o 'at the start\|between\|before\|behind' > texts
  printf 'at the start\nbetween\n' | diff - texts > difference
  report 'unknown records of the part' difference
  run dg cut $log --instructions=2..5 --jobs=3 -o other
  status 0
  cmp part other > difference 2>&1
  report 'the same bytes with three threads' difference
done

# ---- What goes wrong ----

rm -f part
run dg cut log
status 2
err << 'END'
dg: cut: no output is given (-o FILE)
Try 'dg cut --help'.
END
for range in 5 5..5 7..5 .. x..5 5..x 5...7 -1..5 5..99999999999999999999; do
  run dg cut log --instructions=$range -o part
  status 2
  err << END
dg: cut: '$range' is not a range of instructions
Try 'dg cut --help'.
END
  run dg cut log --addresses=$range -o part
  status 2
  err_has "'$range' is not a range of addresses"
done
run dg cut log -o log
status 1
err << 'END'
dg: log: input and output are the same file
END
run dg cut log --events=what: -o part
status 2
rm -f part*
assemble big << 'END'
bbdef [0x10+1 0x11+1] [W4@0 R4@1]
context 0 [0x10]
repeat 10000
bbrun 0 2 [0x100 0x200]
done
END
title='dg cut to a full disk'
(ulimit -f 64; "$DG" cut big -o part 2> stderr)
exit_status=$?
status 1
err << 'END'
dg: part: the file size limit (ulimit -f) is reached
END
ls | grep -e part -e tmp > listing
[ ! -s listing ]
report 'nothing is left' listing
finish
