# allocs_log.sh: the logs of the tests of dg allocs; to be sourced.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# A heap in which a bit of everything happens, in 50 instructions.  Allocators
# run at 0x5000.., what calls them is at 0x4001.. and 0x4002...
assemble_heap ()
{
  assemble "$@" << 'END'
process 42 1 7 8 4096 64 16 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" ["prog"]
thread_start 1 0 4242
thread_name 1 "main"
clock 0
bbdef [0x400000+4] [R4@0]
context 0 [0x400000]
malloc_block 0x10010 256 [0x500000 0x400103 0x400203 0x400303]
heap_alloc 1 1 1 264 0 0
repeat 10
bbrun 0 1 [0x10010]
done
start_event "load"
malloc_block 0x20010 131072 [0x500000 0x400113 0x400203]
heap_alloc 2 1 1 131072 0 0
thread_start 2 1 4243
thread_name 2 "worker"
thread_switch 2
repeat 10
bbrun 0 1 [0x20010]
done
clock 4000000
malloc_block 0x10200 13 [0x500010 0x400123]
heap_alloc 3 2 5 24 0 0
malloc_block 0x10300 1024 [0x500020 0x400133 0x400203]
heap_alloc 4 2 6 1024 0 0
free_block 0x20010
heap_free 5 2 11 [0x500030 0x400143 0x400243]
repeat 10
bbrun 0 1 [0x10200]
done
thread_switch 1
end_event "load"
malloc_block 0x30000 100 [0x500040 0x400153]
heap_alloc 6 1 2 104 0 0
malloc_block 0x31000 64 [0x500050 0x400163]
heap_alloc 7 1 4 64 64 0
free_block 0x30000
heap_free 8 1 3 [0x500060 0x400173]
malloc_block 0x32000 200 [0x500060 0x400173]
heap_alloc 9 1 3 200 0 0x30000
repeat 10
bbrun 0 1 [0x32000]
done
clock 8000000
start_event "load"
malloc_block 0x40000 32 [0x400183 0x400203]
heap_alloc 10 1 9 32 0 0
free_block 0x10200
heap_free 11 1 12 [0x500070 0x400193]
repeat 10
bbrun 0 1 [0x32000]
done
clock 10000000
end_event "load"
thread_exit 2
end why=0 exit_code=0
END
}
