# dg-dump.sh: records as text, and the choice among them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
run dg dump log
status 0
no_err
out << 'END'
0x10 PROCESS pid=42 ppid=1 start_ticks=7 wall_ns=8 page_size=4096 line_size=64 flags=0x0 stack_depth=8 tool_version="1.0" valgrind_version="3.19.0" arch="amd64" exe="/bin/prog" cwd="/home" argv=["prog" "two words" "it's"]
0x81 THREAD_START thread=1 parent=0 os_tid=42
0x9b THREAD_NAME thread=1 name="main"
0xaa TEXT_AVMA text_address=0x400000 file="/bin/prog"
0xbe MODULE text_address=0x400000 text_size=4096 bias=0x0 build_id=abcd soname="prog"
0xe0 MAP address=0x400000 length=4096 protection=r-x what=startup offset=0x0 file="/bin/prog"
0x106 STACK thread=1 low=0x70000 high=0x80000
0x120 BBDEF index=0 instrs=[0x400000+3 0x400003+5 0x400008+2] accesses=[R4@0 W8@1 R16@1]
0x14f CONTEXT index=0 bbdef=0 stack=[0x400000 0x400100]
0x16a BBRUN context=0 n_instrs=3 addresses=[0x1000 0x1008 0x1010]
0x18d START_EVENT label="sort"
0x194 MALLOC_BLOCK address=0x2000 size=64 stack=[0x400000 0x400100]
0x1be HEAP_ALLOC seqno=1 thread=1 allocator=malloc usable=72 alignment=0 old_address=0x0
0x1e9 TRACK_RANGE address=0x2000 length=16 type="int" label="a \"b\"\n"
0x206 BBRUN context=0 n_instrs=3 addresses=[0x2000 0x2008 0x2030]
0x229 UNTRACK_RANGE address=0x2000 length=16
0x23b END_EVENT label="sort"
0x242 KERNEL_ACCESS kind=read address=0x2000 length=16 number=1
0x25d FREE_BLOCK address=0x2000
0x267 HEAP_FREE seqno=2 thread=1 allocator=free stack=[0x400000]
0x28a CLOCK ns=12345
0x294 SIGNAL thread=1 signal=10 what=begins
0x2a7 FORK pid=43
0x2b1 WINDOW on=0 why=request icount=6
0x2bd WINDOW on=1 why=request icount=6
0x2c9 BBRUN context=0 n_instrs=2 addresses=[0x1000 0x0 0x0]
0x2ec MAP address=0x500000 length=4096 protection=rw- what=mmap offset=0x0 file=""
0x309 UNMAP address=0x500000 length=4096
0x31b MODULE_UNLOAD text_address=0x400000
0x325 THREAD_EXIT thread=1
0x32f END why=exit exit_code=3 back=815 icount=8 instructions=8 reads=5 writes=2 runs=3 bbdefs=1 contexts=1 heap_allocs=1 heap_frees=1 threads=2 lost_calls=0
END

# Unknown types, long records, strings of bytes that are not text.
assemble odd << 'END'
header
record 99 1 2 3
record 200 7
long start_event "long"
start_event "\x1b\x7f\xff\\"
start_event "\xc3\xa4\xc2\x9b"
chunk
END
run dg dump odd
status 0
out << 'END'
0x10 TYPE_99 length=3
0x15 TYPE_200 length=1
0x17 START_EVENT label="long"
0x26 START_EVENT label="\x1b\x7f\xff\\"
0x2d START_EVENT label="ä\xc2\x9b"
0x34 CHUNK back=52 icount=0 instructions=0 accesses=0 runs=0 bbdefs=0 contexts=0 thread=1 recording=1
END

# Pools, stack pointers, and who maps memory.
assemble memory << 'END'
header
map 0x1000 0x1000 3 1 0 ""
map_stack 1 [0x400000 0x400100]
pool 0 0x9000 0
malloc_block 0x1000 16 []
heap_alloc 1 1 15 16 0 0
pool_block 0x9000
pool 2 0x9000 0xa000
pool 1 0xa000 0
bbdef [0x400000+1 0x400001+2] [S0@0 W8@0 S0@1]
stack_pointer 1 0x7000 0
stack_pointer 1 0x6000 1
thread_runs 2 44
thread_join 1 2
meet 0 1 1 0x9000 2 16777216
meet 1 0 1 0 0 5
thread_local 1 0x5000 0x7000 24 0x6ff0
END
run dg dump memory
status 0
out << 'END'
0x10 MAP address=0x1000 length=4096 protection=rw- what=mmap offset=0x0 file=""
0x2d MAP_STACK thread=1 stack=[0x400000 0x400100]
0x4f POOL what=create pool=0x9000 other=0x0
0x62 MALLOC_BLOCK address=0x1000 size=16 stack=[]
0x7c HEAP_ALLOC seqno=1 thread=1 allocator=pool usable=16 alignment=0 old_address=0x0
0xa7 POOL_BLOCK pool=0x9000
0xb1 POOL what=move pool=0x9000 other=0xa000
0xc4 POOL what=destroy pool=0xa000 other=0x0
0xd7 BBDEF index=0 instrs=[0x400000+1 0x400001+2] accesses=[SP@0 W8@0 SP@1]
0xfd STACK_POINTER thread=1 sp=0x7000 what=is
0x110 STACK_POINTER thread=1 sp=0x6000 what=moved
0x123 THREAD_RUNS thread=2 os_tid=44
0x135 THREAD_JOIN thread=1 joined=2
0x147 MEET what=barrier step=1 thread=1 address=0x9000 count=2 number=16777216
0x16b MEET what=team-begin step=0 thread=1 address=0x0 count=0 number=5
0x18f THREAD_LOCAL thread=1 text_address=0x5000 address=0x7000 size=24 block=0x6ff0
END

# Runs without an access that passes are left out, and nothing else is.
run dg dump --ranges=malloc log
status 0
[ "$(grep -c BBRUN stdout)" = 1 ] && [ "$(wc -l < stdout)" = 29 ]
report 'one run' stdout
out_has '0x206 BBRUN context=0'
run dg dump --events=user:sort log
out_has '0x206 BBRUN context=0'
[ "$(grep -c BBRUN stdout)" = 1 ]
report 'one run' stdout
run dg dump --ranges=user:none log
[ "$(grep -c BBRUN stdout)" = 0 ]
report 'no run' stdout
run dg dump --events= --ranges= log
[ "$(grep -c BBRUN stdout)" = 3 ]
report 'all runs' stdout

run dg dump --events=foo:bar log
status 2
no_out
err << 'END'
dg: dump: --events: unknown condition 'foo'; valid are: fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL, thread:NAME, not CONDITION
Try 'dg dump --help'.
END
run dg dump --events=user:sort,range log
status 2
err_has "character 11: 'range' is for --ranges only"
run dg dump --ranges=user: log
status 2
err_has "--ranges: 'user' needs a name: user:LABEL"
finish
