# dg-heap-use.sh: dg heap --sites, --blocks, --untouched, --late, --dhat-out on
# a small log: what they say, as text and as JSON, and what they refuse.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# Two sites: 0x401000 has blocks that are half used, one that nobody uses, and
# one that is resized; 0x402000 a pool, of which one piece is used.
cat > text << 'END'
process 42 1 7 8 4096 64 16 30 "1" "3.19.0" "amd64" "/bin/p" "/" ["p" "a \"b\"\\"]
thread_start 1 0 42
bbdef [0x400100+4 0x400104+4] [W8@0 R4@1]
bbdef [0x400200+4] []
context 0 [0x400100 0x400300]
context 1 [0x400200]
malloc_block 0x10000 16 [0x400900 0x401000 0x400300]
heap_alloc 1 1 1 24 0 0
malloc_block 0x10040 32 [0x400900 0x401000 0x400300]
heap_alloc 2 1 1 40 0 0
bbrun 0 2 [0x10000 0x10004]
bbrun 1 1 []
bbrun 0 2 [0x10000 0x10000]
malloc_block 0x20000 1024 [0x400900 0x402000 0x400300]
heap_alloc 3 1 1 1024 0 0
malloc_block 0x20100 64 [0x402000 0x400300]
heap_alloc 4 1 9 64 0 0
malloc_block 0x20200 64 [0x402000 0x400300]
heap_alloc 5 1 9 64 0 0
kernel_access 1 0x20100 32 0
bbrun 0 2 [0x20108 0x20104]
free_block 0x10000
heap_free 6 1 3 [0x400300]
malloc_block 0x10100 48 [0x400900 0x401000 0x400300]
heap_alloc 7 1 3 48 0 0x10000
bbrun 1 1 []
bbrun 1 1 []
free_block 0x10100
heap_free 8 1 11 [0x400900 0x403000 0x400300]
bbrun 1 1 []
end exit_code=0
END
assemble log < text

run dg heap --sites log
status 0
no_err
out << 'END'

Log                 log
Command             p 'a "b"\'
Blocks allocated        5
Temporary blocks        1
Bytes allocated     224 B
At the peak         208 B
At the end          160 B
Blocks at the end       3
Never touched       176 B
Wasted, on average   94 B

Allocation sites
                  At                                                                    Allocated
Wasted  Bytes   peak  Blocks  Temp.    Idle  Unread  Unwrit.  R/byte  W/byte  Lifetime  in
  48 B  128 B  128 B       2      0  75.0 %  96.9 %   75.0 %   0.031    0.31         5  0x402000
  46 B   96 B   80 B       3      1  83.3 %  83.3 %   83.3 %   0.083    0.17         6  0x401001

Wasted: bytes that were never accessed while their block was live, averaged over the run. Temp.:
blocks that the next call of an allocator freed. Idle, Unread, Unwrit.: shares of the bytes that
were never accessed, read, written. Lifetime: mean, in instructions.

Next: --blocks for single blocks, --untouched for unused ones, --late for those freed long after
their last use; --by=stack for the callers.

Blocks that a memory pool was carved from are omitted (1); the pool's own blocks are shown instead.
END

run dg heap --blocks --top=2 log
status 0
no_err
out << 'END'

Log      log
Command  p 'a "b"\'

Blocks
                                                                          Allocated
Wasted  Address  Bytes  Idle  Unread  Unwritten  Reads  Writes  Lifetime  in
  32 B  0x10040     32    32      32         32      0       0        10  0x401001
  32 B  0x20200     64    64      64         64      0       0         5  0x402000

2 blocks of 5: --top=0 for all of them.

Wasted: bytes that were never accessed (Idle) while the block was live, averaged over the run.
Lifetime: in instructions.

Next: --sites sums up by allocation site; dg dump --accesses --ranges=malloc shows accesses.

Blocks that a memory pool was carved from are omitted (1); the pool's own blocks are shown instead.
END

run dg heap --untouched log
status 0
out << 'END'

Log      log
Command  p 'a "b"\'

Blocks that were never accessed
  Blocks     2
  Bytes   96 B

  Allocation sites
                                       Allocated
  Wasted  Bytes  Blocks  Of  Lifetime  in
    32 B   64 B       1   2         5  0x402000
    32 B   32 B       1   3        10  0x401001

  Wasted: their bytes, averaged over the run. Of: all blocks of the site.

  Next: --by=stack for the callers; dg allocs history shows each of them.

Blocks that a memory pool was carved from are omitted (1); the pool's own blocks are shown instead.
END

run dg heap --late log
status 0
out << 'END'

Log      log
Command  p 'a "b"\'

Blocks freed after their last use
  Dragged  30 B

  Most bytes dragged
      26 B: 64 B in 1 block, idle for 4 instructions, 80.0 % of their lives
            allocated in  0x402000
            last used in  0x400104
            freed in      never
       5 B: 16 B in 1 block, idle for 3 instructions, 42.9 % of their lives
            allocated in  0x401001
            last used in  0x400104
            freed in      0x400300

  Dragged: bytes of blocks after their last use, until they were freed or the program ended,
  averaged over the run. Idle: mean time since the last use.

  Next: free them after their last use; --untouched for blocks that were never used at all.

Blocks that a memory pool was carved from are omitted (1); the pool's own blocks are shown instead.
END

run dg heap --sites --by=stack --json -j3 log
status 0
out << 'END'
{
  "schema": "datagrind/heap/1",
  "log": "log",
  "command": "p 'a \"b\"\\'",
  "partial": [],
  "blocks": 5,
  "temporary": 1,
  "bytes": 224,
  "peak_bytes": 208,
  "end_bytes": 160,
  "end_blocks": 3,
  "untouched_bytes": 176,
  "waste": 94,
  "sites": [
    {"waste": 48, "bytes": 128, "peak_bytes": 128, "end_bytes": 128, "end_blocks": 2, "blocks": 2, "temporary": 0, "temporary_share": 0, "untouched_share": 0.75, "reads_per_byte": 0.03125, "writes_per_byte": 0.3125, "mean_lifetime": 5, "untouched_bytes": 96, "unread_bytes": 124, "unwritten_bytes": 96, "reads": 1, "writes": 2, "read_bytes": 4, "write_bytes": 40, "site": "0x402000 < 0x400301"},
    {"waste": 46, "bytes": 96, "peak_bytes": 80, "end_bytes": 32, "end_blocks": 1, "blocks": 3, "temporary": 1, "temporary_share": 0.33333333333333331, "untouched_share": 0.83333333333333337, "reads_per_byte": 0.083333333333333329, "writes_per_byte": 0.16666666666666666, "mean_lifetime": 6, "untouched_bytes": 80, "unread_bytes": 80, "unwritten_bytes": 80, "reads": 2, "writes": 2, "read_bytes": 8, "write_bytes": 16, "site": "0x401001 < 0x400301"}
  ]
}
END

run dg heap --blocks --late --untouched --json --top=1 log
status 0
out << 'END'
{
  "schema": "datagrind/heap/1",
  "log": "log",
  "command": "p 'a \"b\"\\'",
  "partial": [],
  "untouched": {
    "blocks": 2,
    "bytes": 96,
    "sites": [
      {"waste": 32, "bytes": 64, "blocks": 1, "all_blocks": 2, "mean_lifetime": 5, "site": "0x402000"}
    ]
  },
  "block_list": [
    {"waste": 32, "address": "0x10040", "size": 32, "untouched_bytes": 32, "unread_bytes": 32, "unwritten_bytes": 32, "reads": 0, "writes": 0, "read_bytes": 0, "write_bytes": 0, "alloc_icount": 0, "lifetime": 10, "first_icount": null, "last_icount": null, "free_icount": null, "last_thread": null, "site": "0x401001"}
  ],
  "late": {
    "drag": 30,
    "groups": [
      {"drag": 26, "bytes": 64, "blocks": 1, "mean_idle": 4, "idle_share": 0.8, "site": "0x402000", "last_site": "0x400104", "free_site": null}
    ]
  }
}
END

# Call stacks of allocations; not of pieces of pools.
run dg heap --folded=- log
status 0
no_err
out << 'END'
unknown code;unknown code 1248
END
for weight in blocks:6 temporary:1 leaked:1184; do
  run dg heap --folded=- --weight=${weight%:*} log
  status 0
  out << END
unknown code;unknown code ${weight#*:}
END
done
run dg heap --folded=- --weight=blocks --instructions=5.. log
status 0
out << 'END'
unknown code;unknown code 4
END
run dg heap --folded=- --weight=all log
status 2
run dg heap --weight=blocks log
status 2
run dg heap --folded=- --sites log
status 2

run dg heap --dhat-out=%p.dhat log
status 0
no_err
out << 'END'
42.dhat: 1,248 bytes in 6 blocks of 3 call stacks; open it in dh_view.html
END
run cat 42.dhat
out << 'END'
{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"bklt":true,"bkacc":true
,"tu":"instrs","Mtu":"Minstr"
,"tuth":500
,"cmd":"p a \"b\"\\"
,"pid":42
,"te":10
,"tg":7
,"pps":
 [{"tb":1024,"tbk":1
  ,"tl":5
  ,"mb":1024,"mbk":1
  ,"gb":1024,"gbk":1
  ,"eb":1024,"ebk":1
  ,"rb":0,"wb":0
  ,"acc":[-1024,0]
  ,"fs":[1,4,3]
  }
 ,{"tb":128,"tbk":2
  ,"tl":10
  ,"mb":128,"mbk":2
  ,"gb":128,"gbk":2
  ,"eb":128,"ebk":2
  ,"rb":4,"wb":40
  ,"acc":[-4,1,-12,2,-16,1,-32,0]
  ,"fs":[4,3]
  }
 ,{"tb":96,"tbk":3
  ,"tl":19
  ,"mb":80,"mbk":2
  ,"gb":80,"gbk":2
  ,"eb":32,"ebk":1
  ,"rb":24,"wb":32
  ,"fs":[1,2,3]
  }
 ]
,"ftbl":
 ["[root]"
 ,"0x400900: ???"
 ,"0x401000: ???"
 ,"0x400300: ???"
 ,"0x402000: ???"
 ]
}
END
run python3 -m json.tool 42.dhat
status 0

# The same from an archive, with any number of threads, to a file.
dg pack log -o archive 2> errors
for part in --sites --blocks --untouched --late "--sites --by=stack"; do
  for jobs in 1 4; do
    # shellcheck disable=SC2086
    dg heap $part --json -j$jobs log | sed 1,3d > first
    # shellcheck disable=SC2086
    run dg heap $part --json -j$jobs -o file archive
    status 0
    no_out
    run cmp first <(sed 1,3d file)
    status 0
  done
done

# A log that is cut short, and one without blocks.
head -c -40 log > short
run dg heap --sites short
status 1
err_has 'short'
out_has 'Blocks allocated'
echo 'bbdef [] []' | assemble empty
run dg heap --sites --late --untouched --blocks empty
status 0
run dg heap --dhat-out=empty.dhat empty
status 0
run python3 -m json.tool empty.dhat
status 0
# Where recording was off, that is said.
sed 's/^bbrun 1 1 .*/window 0 1 9\nwindow 1 1 12/;' text | sed '0,/window/!b' \
  > windows
grep -q window windows && assemble gaps < windows 2> errors && {
  run dg heap --sites gaps
  out_has 'recording was off for a part of the run'
}

run dg heap --json log
status 2
err_has '--by, --json, --sort, --top and --wide need --sites'
run dg heap --by=stack log
status 2
run dg heap --sites --by=thread log
status 2
err_has "must be site or stack, not 'thread'"
run dg heap --sites --dhat-out=x log
status 2
run dg heap --dhat-out=/no/such/place/x log
status 1
finish
