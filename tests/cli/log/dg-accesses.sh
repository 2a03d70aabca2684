# dg-accesses.sh: the trace of lackey, from logs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
cat > all << 'END'
I  00400000,3
 L 00001000,4
I  00400003,5
 S 00001008,8
 L 00001010,16
I  00400008,2
I  00400000,3
 L 00002000,4
I  00400003,5
 S 00002008,8
 L 00002030,16
I  00400008,2
I  00400000,3
 L 00001000,4
I  00400003,5
END
run dg dump --accesses log
status 0
no_err
out < all

for kind in '-b' '-w 32' '-b -w 32'; do
  assemble_small foreign $kind
  run dg dump --accesses foreign
  status 0
  out < all
done

# Wide addresses, large accesses, blocks left early, "rep" at count zero.
assemble wide << 'END'
header
bbdef [0xffffffff80000000+15 0x1+1] [R1@0 W600@1]
context 0 [0xffffffff80000000]
bbrun 0 2 [0x123456789abcdef0 0x1ffefff000 0x1ffefff0ff 0x1ffefff1fe]
bbrun 0 1 [0xffffffffffffffff]
bbrun 0 1 []
bbrun 0 2 [0x10]
END
run dg dump --accesses wide
status 0
out << 'END'
I  ffffffff80000000,15
 L 123456789abcdef0,1
I  00000001,1
 S 1ffefff000,600
I  ffffffff80000000,15
 L ffffffffffffffff,1
I  ffffffff80000000,15
I  ffffffff80000000,15
 L 00000010,1
I  00000001,1
END

# Instructions only where something of them passes.
run dg dump --accesses --ranges=malloc log
status 0
out << 'END'
I  00400000,3
 L 00002000,4
I  00400003,5
 S 00002008,8
 L 00002030,16
END
run dg dump --accesses --ranges=range log
out << 'END'
I  00400000,3
 L 00002000,4
I  00400003,5
 S 00002008,8
END
run dg dump --accesses --events=user:sort --ranges='user:a "b"
' log
out << 'END'
I  00400000,3
 L 00002000,4
I  00400003,5
 S 00002008,8
END
run dg dump --accesses --events=user:other log
status 0
no_out
err_has '--events: user:other matches nothing'

# Ranges are half-open, and so are the lives of blocks.
assemble edges << 'END'
header
bbdef [0x10+1] [W4@0]
context 0 [0x10]
malloc_block 0x100 8 [0x10]
bbrun 0 1 [0xfc]
bbrun 0 1 [0xfd]
bbrun 0 1 [0x107]
bbrun 0 1 [0x108]
free_block 0x100
bbrun 0 1 [0x100]
END
run dg dump --accesses --ranges=malloc edges
out << 'END'
I  00000010,1
 S 000000fd,4
I  00000010,1
 S 00000107,4
END
finish
