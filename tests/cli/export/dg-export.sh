# dg-export.sh: what dg export writes of a log by hand, what it asks for, and
# what it says is missing.  How other programs read its files is tested in
# tests/record/export.sh, Parquet and Arrow in tests/python.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# ---- Formats ----------------------------------------------------------------

# A read, which a branch follows; an access that is read and written, one of two
# lines, a call through memory; a system call that wrote three lines.
assemble log << 'END'
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" ["prog"]
thread_start 1 0 42
clock 0
# mov (%rbx),%eax; jne
bbdef [0x400000+2 0x400002+2] [R4@0]
bbcode 0x400000 2 1 [0x8b 0x03 0x75 0x06]
context 0 [0x400000]
# add %rax,8(%rcx); movups (%rdx),%xmm0; call *8(%rip)
bbdef [0x400004+4 0x400008+3 0x40000b+6] [R8@0 W8@0 R16@1 R8@2 W8@2]
bbcode 0x400004 3 5 [0x48 0x01 0x41 0x08 0x0f 0x10 0x02 0xff 0x15 8 0 0 0]
context 1 [0x400004]
bbrun 0 2 [0x1000]
bbrun 1 3 [0x2008 0x2008 0x103c 0x3000 0x7ff8]
kernel_access 1 0x5030 0x60 0
bbrun 0 2 [0x1040]
clock 3000000000
end
END

# show FORMAT FILE: a binary file as text.
show ()
{
  python3 "${abs_srcdir:?}/cli/export/export_read.py" "$@"
}

run dg export --format=din log
status 0
no_err
out << 'END'
0 1000
0 2008
1 2008
0 103c
0 1040
0 3000
1 7ff8
0 1040
END
run dg export --format=pinatrace log
status 0
no_err
out << 'END'
0x400000: R 0x1000
0x400004: R 0x2008
0x400004: W 0x2008
0x400008: R 0x103c
0x40000b: R 0x3000
0x40000b: W 0x7ff8
0x400000: R 0x1040
#eof
END
run dg export --format=ramulator-loadstore log
status 0
no_err
out << 'END'
LD 0x1000
LD 0x2008
ST 0x2008
LD 0x103c
LD 0x1040
LD 0x3000
ST 0x7ff8
LD 0x1040
END
run dg export --format=ramulator-simpleo3 log
status 0
no_err
out << 'END'
0 4096
1 8200 8200
0 4156
0 4160
0 12288 32760
0 4160
END
run dg export --format=dramsim3 log
status 0
no_err
out << 'END'
0x1000 READ 0
0x2008 READ 2
0x2008 WRITE 2
0x103c READ 3
0x1040 READ 3
0x3000 READ 4
0x7ff8 WRITE 4
0x1040 READ 5
END
run dg export --format=champsim -o file log
status 0
no_err
show champsim file > stdout
out << 'END'
0x400000 branch=00 writes=10 reads=7 W R 0x1000
0x400002 branch=10 writes=26 reads=26,25 W R
0x400004 branch=00 writes=25 reads=10,9 W 0x2008 R 0x2008
0x400008 branch=00 writes=49 reads=8 W R 0x103c 0x1040
0x40000b branch=11 writes=26,6 reads=26,6,255 W 0x7ff8 R 0x3000
0x400000 branch=00 writes=10 reads=7 W R 0x1040
0x400002 branch=10 writes=26 reads=26,25 W R
END
run dg export --format=drmemtrace -o file log
status 0
no_err
show drmemtrace file > stdout
out << 'END'
header 0 0x4
marker 12 0x4
marker 9 0x240
thread 4 0x2a
pid 4 0x2a
marker 10 0x40
marker 18 0x1000
marker 2 0x3e8
marker 3 0xffffffffffffffff
encoding 2 0x38b
instr 2 0x400000
read 4 0x1000
encoding 2 0x675
conditional 2 0x400002
encoding 4 0x8410148
instr 4 0x400004
read 8 0x2008
write 8 0x2008
encoding 3 0x2100f
instr 3 0x400008
read 16 0x103c
encoding 6 0x815ff
indirect-call 6 0x40000b
read 8 0x3000
write 8 0x7ff8
instr 2 0x400000
read 4 0x1040
conditional 2 0x400002
exit 0 0x2a
footer 0 0x0
END
run dg export --format=oracle-general -o file log
status 0
no_err
show oracle file > stdout
out << 'END'
0 64 64 4
0 128 64 3
0 128 64 -1
0 64 64 -1
0 65 64 8
0 192 64 -1
0 511 64 -1
0 65 64 -1
END
run dg export --format=gem5 -o file log
status 0
no_err
show gem5 file > stdout
out << 'END'
obj_id=b'datagrind' tick_freq=1000000000000
tick=0 cmd=1 addr=4096 size=4 pkt_id=1 pc=4194304
tick=2000 cmd=1 addr=8200 size=8 pkt_id=1 pc=4194308
tick=2000 cmd=4 addr=8200 size=8 pkt_id=1 pc=4194308
tick=3000 cmd=1 addr=4156 size=4 pkt_id=1 pc=4194312
tick=3000 cmd=1 addr=4160 size=12 pkt_id=1 pc=4194312
tick=4000 cmd=1 addr=12288 size=8 pkt_id=1 pc=4194315
tick=4000 cmd=4 addr=32760 size=8 pkt_id=1 pc=4194315
tick=5000 cmd=1 addr=4160 size=4 pkt_id=1 pc=4194304
END

# ---- With more, or less -----------------------------------------------------

run dg export --format=din --fetches --kernel log
status 0
no_err
out << 'END'
2 400000
0 1000
2 400002
2 400004
0 2008
1 2008
2 400008
0 103c
0 1040
2 40000b
0 3000
1 7ff8
1 5030
1 5040
1 5080
2 400000
0 1040
2 400002
END
run dg export --format=pinatrace --kernel log
status 0
no_err
out << 'END'
0x400000: R 0x1000
0x400004: R 0x2008
0x400004: W 0x2008
0x400008: R 0x103c
0x40000b: R 0x3000
0x40000b: W 0x7ff8
0x0: W 0x5030
0x0: W 0x5040
0x0: W 0x5080
0x400000: R 0x1040
#eof
END
run dg export --format=gem5 --kernel --instructions=4.. -o file log
status 0
no_err
show gem5 file > stdout
out << 'END'
obj_id=b'datagrind' tick_freq=1000000000000
tick=0 cmd=1 addr=12288 size=8 pkt_id=1 pc=4194315
tick=0 cmd=4 addr=32760 size=8 pkt_id=1 pc=4194315
tick=1000 cmd=4 addr=20528 size=16 pkt_id=1
tick=1000 cmd=4 addr=20544 size=64 pkt_id=1
tick=1000 cmd=4 addr=20608 size=16 pkt_id=1
tick=1000 cmd=1 addr=4160 size=4 pkt_id=1 pc=4194304
END
run dg export --format=drmemtrace --kernel --instructions=4..6 -o file log
status 0
no_err
show drmemtrace file > stdout
out << 'END'
header 0 0x4
marker 12 0x4
marker 9 0x240
thread 4 0x2a
pid 4 0x2a
marker 10 0x40
marker 18 0x1000
marker 2 0x3ec
marker 3 0xffffffffffffffff
encoding 6 0x815ff
indirect-call 6 0x40000b
read 8 0x3000
write 8 0x7ff8
write 16 0x5030
write 64 0x5040
write 16 0x5080
encoding 2 0x38b
instr 2 0x400000
read 4 0x1040
exit 0 0x2a
footer 0 0x0
END
run dg export --format=din --line=16 log
status 0
no_err
out << 'END'
0 1000
0 2008
1 2008
0 103c
0 1040
0 3000
1 7ff8
0 1040
END
run dg export --format=dramsim3 --instructions=2..5 log
status 0
no_err
out << 'END'
0x2008 READ 0
0x2008 WRITE 0
0x103c READ 1
0x1040 READ 1
0x3000 READ 2
0x7ff8 WRITE 2
END
run dg export --format=oracle-general --line=4Ki -o file log
status 0
no_err
show oracle file > stdout
out << 'END'
0 1 4096 4
0 2 4096 3
0 2 4096 -1
0 1 4096 7
0 3 4096 -1
0 7 4096 -1
0 1 4096 -1
END
run dg export --format=din --level=D1 --D1=128,1,64 log
status 0
no_err
out << 'END'
0 1000
0 2000
0 1000
1 2000
0 1040
0 3000
0 7fc0
0 1040
1 7fc0
END
run dg export --format=ramulator-simpleo3 --level=LL --I1=64,1,32 --D1=64,1,32 --LL=256,2,64 log
status 0
no_err
out << 'END'
0 4194304
0 4096
1 8192
0 4160
0 12288 8192
0 32704
END

# Threads; conditions; both leave out what they say.
assemble two << 'END'
thread_start 1 0 42
bbdef [0x400000+2 0x400002+2] [R4@0 W4@1]
context 0 [0x400000]
bbrun 0 2 [0x1000 0x1004]
thread_start 2 1 43
thread_switch 2
start_event "e"
bbrun 0 2 [0x2000 0]
end_event "e"
thread_switch 1
bbrun 0 2 [0x3000 0x3004]
END
run dg export --format=din --threads=2 two
out << 'END'
0 2000
END
run dg export --format=din --events=user:e two
out << 'END'
0 2000
END
run dg export --format=drmemtrace -o file two
err << 'END'
dg: warning: the code of the program is not known, neither from the log nor from its files: registers and branches are missing
END
show drmemtrace file > stdout
out << 'END'
header 0 0x3
marker 12 0x3
marker 9 0x40
thread 4 0x2a
pid 4 0x1
marker 10 0x40
marker 18 0x1000
marker 2 0x1
marker 3 0xffffffffffffffff
instr 2 0x400000
read 4 0x1000
instr 2 0x400002
write 4 0x1004
thread 4 0x2b
pid 4 0x1
marker 2 0x3
marker 3 0xffffffffffffffff
instr 2 0x400000
read 4 0x2000
instr 2 0x400002
thread 4 0x2a
pid 4 0x1
marker 2 0x5
marker 3 0xffffffffffffffff
instr 2 0x400000
read 4 0x3000
instr 2 0x400002
write 4 0x3004
exit 0 0x2a
exit 0 0x2b
footer 0 0x0
END
run dg export --format=champsim -o file two
status 2
err_has 'champsim has one thread, but 2 are in the log: choose one, as by --threads=1'
run dg export --format=champsim --threads=2 -o file two
status 0
show champsim file > stdout
out << 'END'
0x400000 branch=00 writes= reads= W R 0x2000
0x400002 branch=00 writes= reads= W R
END

# A file for each thread is that of --threads; threads that did nothing have
# none.
assemble three << 'END'
thread_start 1 0 42
bbdef [0x400000+2 0x400002+2] [R4@0 W4@1]
context 0 [0x400000]
bbrun 0 2 [0x1000 0x1004]
thread_start 2 1 43
thread_start 12 1 44
thread_switch 12
bbrun 0 2 [0x2000 0]
thread_switch 1
bbrun 0 2 [0x3000 0x3004]
END
for format in $(dg export --help |
  sed -n '/^Formats/,/^ *speedscope/s/^  \([a-z0-9-]*\) .*/\1/p' |
  sed '/speedscope/d'); do
  rm -rf folder
  run dg export --format=$format --each-thread three -o folder
  status 0
  suffix=$(ls folder | sed -n '1s/^thread-01//p')
  [ "$(ls folder | tr '\n' ' ')" = "thread-01$suffix thread-12$suffix " ]
  report "$format: a file for each thread that ran" stderr
  for number in 1 12; do
    dg export --format=$format --threads=$number three -o one$suffix 2> /dev/null
    cmp one$suffix folder/thread-$(printf %02d $number)$suffix \
      > difference 2>&1
    report "$format: as with --threads=$number" difference
  done
done
rm -rf folder
dg export --format=drmemtrace --each-thread three -o folder 2> /dev/null
gzip -dc folder/thread-01.memtrace.gz > file
show drmemtrace file | grep '^marker 2 ' > stdout
out << 'END'
marker 2 0x1
marker 2 0x5
END
gzip -dc folder/thread-12.memtrace.gz > file
show drmemtrace file | grep '^marker 2 ' > stdout
out << 'END'
marker 2 0x3
END
rm -rf folder
run dg export --format=din --each-thread --threads=12 three -o some/folder
status 0
[ "$(ls some/folder)" = thread-12.din ]
report 'only the chosen threads' stderr
run dg export --format=din --each-thread three -o some/folder
status 1
err_has 'there are files in this folder'
run dg export --format=din --each-thread --threads=2 three -o empty
status 1
err_has 'no thread has instructions there'
run dg export --format=din --each-thread three -o two
status 1
run dg export --format=din --each-thread three
status 2
err_has '--each-thread needs -o with a folder'
run dg export --csv --each-thread three
status 2
err_has 'csv does not have --each-thread'
run dg export --format=firefox --each-thread three -o folder
status 2
err_has 'firefox does not have --each-thread'

# Branches before another thread runs, at a gap of the recording, and where
# filters exclude what follows: jne to 0x400000.
assemble branches << 'END'
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["p"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+2] []
bbcode 0x400000 1 0 [0x75 0xfe]
context 0 [0x400000]
bbdef [0x400002+1] [R1@0]
bbcode 0x400002 1 1 [0xac]
context 1 [0x400002]
bbrun 0 1 []
thread_switch 2
bbrun 1 1 [0x1000]
thread_switch 1
bbrun 0 1 []
thread_switch 2
bbrun 1 1 [0x1000]
thread_switch 1
bbrun 1 1 [0x1000]
bbrun 0 1 []
window 0 0 6
window 1 0 10
bbrun 0 1 []
start_event "e"
bbrun 0 1 []
thread_switch 2
bbrun 1 1 [0x1000]
thread_switch 1
bbrun 0 1 []
end_event "e"
end
END
run dg export --format=champsim --threads=1 -o file branches
status 0
show champsim file | cut -d ' ' -f 1,2 > stdout
out << 'END'
0x400000 branch=11
0x400000 branch=10
0x400002 branch=00
0x400000 branch=10
0x400000 branch=11
0x400000 branch=11
0x400000 branch=10
END
dg export --format=champsim --threads=1 --events=user:e -o file branches
show champsim file | cut -d ' ' -f 1,2 > stdout
out << 'END'
0x400000 branch=10
0x400000 branch=10
END

# What only Valgrind accesses: lock add reads once, bt of registers nothing;
# movs that reads and writes one place, and others that read twice, stay.
assemble extra << 'END'
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["p"]
thread_start 1 0 42
# lock add %eax,(%rdi); bts %rbx,%rax; bts %ebx,(%rdi); cmpsl; add %eax,(%rdi)
bbdef [0x400000+3 0x400003+4 0x400007+3 0x40000a+1 0x40000b+2] [R4@0 R4@0 W4@0 W8@1 R1@1 W1@1 R8@1 R1@2 W1@2 R4@3 R4@3 R4@4 W4@4]
bbcode 0x400000 5 13 [0xf0 0x01 0x07 0x48 0x0f 0xab 0xd8 0x0f 0xab 0x1f 0xa7 0x01 0x07]
context 0 [0x400000]
bbrun 0 5 [0x1000 0x1000 0x1000 0x2000 0x2001 0x2001 0x2000 0x3000 0x3000 0x1000 0x1000 0x1000 0x1000]
bbrun 0 5 [0x1000 0x1000 0x1000 0x2000 0x2001 0x2001 0x2000 0x3000 0x3000 0x1000 0x4000 0x1000 0x1000]
bbdef [0x400100+3] [R4@0 R4@0 W4@0]
context 1 [0x400100]
bbrun 1 1 [0x1000 0x1000 0x1000]
bbrun 1 1 [0x1000 0x1004 0x1004]
end
END
run dg export --format=lackey extra
status 0
no_err
out << 'END'
I  00400000,3
 M 00001000,4
I  00400003,4
I  00400007,3
 M 00003000,1
I  0040000a,1
 L 00001000,4
 L 00001000,4
I  0040000b,2
 M 00001000,4
I  00400000,3
 M 00001000,4
I  00400003,4
I  00400007,3
 M 00003000,1
I  0040000a,1
 L 00001000,4
 L 00004000,4
I  0040000b,2
 M 00001000,4
I  00400100,3
 M 00001000,4
I  00400100,3
 L 00001000,4
 M 00001004,4
END
dg export --format=lackey extra > file
dg import --lackey=file -o again > /dev/null
run dg export --format=lackey again
status 0
cmp stdout file > difference 2>&1
report 'imported again, it is the same' difference
run dg export --format=din-extended extra --instructions=0..2
out << 'END'
r 1000 4
w 1000 4
END
run dg export --format=din-extended --fetches log
status 0
out << 'END'
i 400000 2
r 1000 4
i 400002 2
i 400004 4
r 2008 8
w 2008 8
i 400008 3
r 103c 10
i 40000b 6
r 3000 8
w 7ff8 8
i 400000 2
r 1040 4
i 400002 2
END
run dg export --format=lackey --kernel log
status 0
out << 'END'
I  00400000,2
 L 00001000,4
I  00400002,2
I  00400004,4
 M 00002008,8
I  00400008,3
 L 0000103c,16
I  0040000b,6
 L 00003000,8
 S 00007ff8,8
 S 00005030,16
 S 00005040,64
 S 00005080,16
I  00400000,2
 L 00001040,4
I  00400002,2
END

# The ratio of instructions to the time of a format.
run dg export --format=dramsim3 --rate=2.5 log
status 0
out << 'END'
0x1000 READ 0
0x2008 READ 0
0x2008 WRITE 0
0x103c READ 1
0x1040 READ 1
0x3000 READ 1
0x7ff8 WRITE 1
0x1040 READ 2
END
run dg export --format=dramsim3 --rate=0.5 log
out << 'END'
0x1000 READ 0
0x2008 READ 4
0x2008 WRITE 4
0x103c READ 6
0x1040 READ 6
0x3000 READ 8
0x7ff8 WRITE 8
0x1040 READ 10
END
dg export --format=gem5 --rate=4 --instructions=3.. log -o file
show gem5 file | sed -n 's/ cmd.*//p' | uniq > stdout
out << 'END'
tick=0
tick=250
tick=500
END
dg export --format=oracle-general --rate=2 -o file log
show oracle file | cut -d ' ' -f 1 | tr '\n' ' ' > seconds
[ "$(cat seconds)" = '0 1 1 1 1 2 2 2 ' ]
report 'seconds are of two instructions' seconds

# Physical memory.
run dg export --format=din --physical=in-order log
status 0
out << 'END'
0 0
0 1008
1 1008
0 3c
0 40
0 2000
1 3ff8
0 40
END
run dg export --format=din --physical=in-order --memory=16Ki log
status 0
run dg export --format=din --physical=in-order --memory=12Ki log
status 2
err_has 'more pages than there are frames'
run dg export --format=din --physical=scattered --memory=16Ki log
status 0
# Each page has a frame of its own, and within the memory.
assemble pages << END
bbdef [0x400000+2] [R1@0]
context 0 [0x400000]
$(for i in $(seq 0 999); do
  printf 'bbrun 0 1 [%#x]\n' $((0x7f0000000000 + i * 7 * 4096 + i))
done)
bbrun 0 1 [0x7f0000000ffc]
END
for memory in 1000 1024 1025 1048576; do
  for order in in-order scattered; do
    dg export --format=din --physical=$order --memory=$((memory * 4096)) pages \
      > $order 2> difference
    perl -e '
      my @at = map { hex ((split)[1]) } <STDIN>;
      my %seen;
      print "$#at addresses\n" if @at != 1001;
      for my $i (0 .. 999) {
        printf "%d: %x\n", $i, $at[$i]
          if $at[$i] % 4096 != $i || $seen{$at[$i] >> 12}++
             || $at[$i] >= $ARGV[0] * 4096;
      }
      printf "again: %x\n", $at[1000] if $at[1000] != ($at[0] | 4092);' \
      $memory < $order >> difference
    [ ! -s difference ]
    report "$order in $memory frames" difference
  done
done
perl -ne 'my $at = hex ((split)[1]) >> 12; $near += $at == $last + 1; $last = $at;
  END { print $near + 0 }' scattered > near
[ "$(cat near)" -lt 10 ]
report 'scattered frames are not in order' near
dg export --format=din --physical=scattered --memory=4Gi pages > again
cmp scattered again > difference 2>&1
report 'nor by the run' difference
# All threads have the pages of one process.
run dg export --format=din --physical=in-order --each-thread two -o frames
status 0
cat frames/* > stdout
out << 'END'
0 0
1 4
0 1000
1 1004
0 2000
END

# More accesses than a record of ChampSim's has room for.
assemble many << 'END'
bbdef [0x400000+2] [R4@0 R4@0 R4@0 R4@0 R4@0 W4@0 W4@0 W192@0]
context 0 [0x400000]
bbrun 0 1 [0x1000 0x2000 0x3000 0x4000 0x5000 0x6000 0x7000 0x8020]
END
run dg export --format=champsim -o file many
status 0
show champsim file > stdout
out << 'END'
0x400000 branch=00 writes= reads= W R 0x1000 0x2000 0x3000 0x4000
0x400000 branch=00 writes= reads= W 0x6000 0x7000 R 0x5000
0x400000 branch=00 writes= reads= W 0x8020 0x8040 R
0x400000 branch=00 writes= reads= W 0x8080 0x80c0 R
END

# Valgrind takes a client request for one instruction: readers of drmemtrace
# refuse more than 15 bytes.  What is not known, or not decoded, is cut.
for arch in amd64 other; do
  assemble request-$arch << END
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "$arch" "/bin/prog" "/" ["p"]
thread_start 1 0 42
bbdef [0x400000+19 0x400013+1] [W8@1]
bbcode 0x400000 2 1 [0x48 0xc1 0xc7 3 0x48 0xc1 0xc7 13 0x48 0xc1 0xc7 61 0x48 0xc1 0xc7 51 0x48 0x87 0xdb 0x50]
context 0 [0x400000]
bbrun 0 2 [0x1000]
bbrun 0 2 [0x1000]
end
END
  dg export --format=drmemtrace request-$arch -o file 2> /dev/null
  show drmemtrace file | sed -n '/^marker 3 /,$p' | sed '1d; /^footer/d' > $arch
done
cp amd64 stdout
out << 'END'
encoding 4 0x3c7c148
instr 4 0x400000
encoding 4 0xdc7c148
instr 4 0x400004
encoding 4 0x3dc7c148
instr 4 0x400008
encoding 4 0x33c7c148
instr 4 0x40000c
encoding 3 0xdb8748
instr 3 0x400010
encoding 1 0x50
instr 1 0x400013
write 8 0x1000
instr 4 0x400000
instr 4 0x400004
instr 4 0x400008
instr 4 0x40000c
instr 3 0x400010
instr 1 0x400013
write 8 0x1000
exit 0 0x2a
END
cp other stdout
out << 'END'
instr 15 0x400000
instr 4 0x40000f
instr 1 0x400013
write 8 0x1000
instr 15 0x400000
instr 4 0x40000f
instr 1 0x400013
write 8 0x1000
exit 0 0x2a
END

# The ends of memory; sizes of 0; a system call of many lines.
assemble ends << 'END'
process 1 0 0 0 4096 64 0 8 "" "" "" "" "" []
bbdef [0xffffffffffffffff+2] [R16@0 W0@0 R0@0]
context 0 [0xffffffffffffffff]
bbrun 0 1 [0xfffffffffffffff8 0xffffffffffffffff 0]
kernel_access 0 0xffffffffffff0000 0xffffffffffffffff 0
kernel_access 1 0x1000 0 0
kernel_access 1 0x10000 0x10001 0
end
END
run dg export --format=din --kernel --fetches ends
status 0
[ "$(wc -l < stdout)" = 2052 ] && [ "$(head -n 3 stdout | tr '\n' ' ')" = \
  '2 ffffffffffffffff 0 fffffffffffffff8 1 ffffffffffffffff ' ]
report 'lines up to the end of memory' stdout
for format in $(dg export --help |
  sed -n '/^Formats/,/^$/s/^  \([a-z0-9-]*\) .*/\1/p'); do
  for log in log two many ends; do
    run dg export --format=$format --threads=1 -o file $log
    status 0
    [ -e file ] && [ ! -e "$(find . -name '*.tmp')" ]
    report 'a file'
  done
done

# ---- Files ------------------------------------------------------------------

dg export --format=pinatrace log > plain
for suffix in gz xz zst; do
  case $suffix in
  gz) program=gzip ;; xz) program=xz ;; zst) program=zstd ;;
  esac
  command -v $program > /dev/null || {
    skip "no $program"
    continue
  }
  run dg export --format=pinatrace log -o file.$suffix
  status 0
  no_err
  $program -dc file.$suffix | cmp - plain > difference 2>&1
  report 'what it has' difference
done
# What the simulators decompress themselves; of others, a warning.
for row in champsim:.gz:.xz drmemtrace:.gz gem5:.gz oracle-general:.zst din: \
           din-extended: dramsim3: ramulator-loadstore: ramulator-simpleo3:; do
  for suffix in gz xz zst; do
    command -v $(case $suffix in gz) echo gzip ;; xz) echo xz ;; zst) echo zstd
      esac) > /dev/null || continue
    run dg export --format=${row%%:*} log -o file.$suffix
    status 0
    case $row in
    *.$suffix*) no_err ;;
    *) err_has "does not decompress .$suffix files" ;;
    esac
  done
done
dg export --format=oracle-general log -o plain
run dg export --format=oracle-general log -o -
status 0
cmp plain stdout > difference 2>&1
report 'the same by a pipe' difference
if command -v gzip > /dev/null; then
  run dg export --format=oracle-general log -o file.gz
  gzip -dc file.gz | cmp - plain > difference 2>&1
  report 'and compressed' difference
  PATH=$PWD run "$DG" export --format=din log -o none.gz
  status 1
  [ ! -e none.gz ]
  report 'without gzip, there is no file' stderr
fi
run dg export --format=din log -o log
status 1
err_has 'same file'
run dg export --format=din log -o no/file
status 1
run sh -c '"$DG" export --format=gem5 log > /dev/full'
status 1
err_has 'No space left'

# Damaged logs: all formats say so, and have what is before.
head -c $(($(wc -c < log) - 40)) log > cut
for format in din drmemtrace; do
  run dg export --format=$format cut -o file
  status 1
  err_has 'cut'
  [ -s file ]
  report 'has what is before'
done

# ---- Wrong usage ------------------------------------------------------------

wrong () # MESSAGE OPTION...
{
  local message=$1

  shift
  run dg export "$@" log
  status 2
  err_has "$message"
  no_out
}
wrong "there is no format 'dinn'; did you mean 'din'?" --format=dinn
wrong 'champsim does not have --fetches' --format=champsim --fetches
wrong 'champsim does not have --level' --format=champsim --level=LL
wrong 'drmemtrace does not have --level' --format=drmemtrace --level=LL
wrong '--D1 needs --level' --format=din --D1=1Ki,2,64
wrong '--level=L2: there is no such cache' --format=din --level=L2
wrong "must be one of" --format=din --level=L4
wrong '--level cannot be combined with --kernel' --format=din --level=LL \
  --kernel
wrong '--kernel cannot be combined with --events' --format=din --kernel \
  --events=user:e
wrong "'48' is not a size of lines" --format=din --line=48
wrong 'din does not have --rate' --format=din --rate=2
wrong 'ramulator-simpleo3 does not have --rate' --format=ramulator-simpleo3 \
  --rate=2
wrong 'must be above 0' --format=gem5 --rate=0
wrong 'from 1e-6 to 1e12' --format=dramsim3 --rate=1e-300
wrong '--rate' --format=gem5 --rate=x
wrong 'champsim does not have --physical' --format=champsim --physical=in-order
wrong 'lackey does not have --physical' --format=lackey --physical=in-order
wrong 'drmemtrace does not have --memory' --format=drmemtrace --memory=1Gi
wrong '--memory needs --physical' --format=din --memory=1Gi
wrong '--physical' --format=din --physical=random
wrong '--memory: must be a page at least' --format=din --physical=in-order \
  --memory=1Ki
wrong 'a line is larger than a page' --format=din --physical=in-order \
  --line=8Ki
wrong 'lcov does not have --fetches' --format=lcov --fetches
wrong 'lcov does not have --physical' --format=lcov --physical=in-order
wrong 'lackey does not have --fetches' --format=lackey --fetches
wrong 'lackey does not have --level' --format=lackey --level=LL
wrong 'firefox is not compressed' --format=firefox -o f.gz
wrong 'din does not have --signed' --format=din --signed
wrong '--parquet does not have --output' --parquet=d -o file
wrong '--arrow does not have --kernel' --arrow=d --kernel
wrong '--arrow does not have --with' --arrow=d --with=by=line
wrong '--csv writes one table: give --table once' --csv --table=blocks --table=events
wrong 'jsonl does not have --signed' --jsonl --signed
wrong 'csv does not have --line' --csv --line=64
wrong 'one of --format, --csv' --csv --jsonl
wrong "there is no format 'other'; there are din, champsim" --format=other

# ---- Tables of text ---------------------------------------------------------

# What CSV and JSON say is the same, and what dg says itself; names with quotes,
# commas and line ends come back.
assemble table << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
stack 1 0x70000 0x80000
bbdef [0x400000+4 0x400004+4] [R4@0 W8@1]
context 0 [0x400000]
start_event "a, \"b\"\nc"
bbrun 0 2 [0x1000 0x2008]
malloc_block 0x5000 100 [0x400000]
end_event "a, \"b\"\nc"
start_event ""
bbrun 0 2 [0x1004 0xffffffffffffff00]
end
END
cat > same.py << 'END'
import csv, json, sys
rows = list (csv.DictReader (open (sys.argv[1], newline="")))
objects = [json.loads (line) for line in open (sys.argv[2])]
assert len (rows) == len (objects) == int (sys.argv[3]), (rows, objects)
def text (value):
    if value is None:
        return ""
    if isinstance (value, bool):
        return str (value).lower ()
    if isinstance (value, list):
        return " ".join (":".join (map (str, v)) if isinstance (v, list)
                         else str (v) for v in value)
    return str (value)
for row, values in zip (rows, objects):
    assert list (row) == list (values)
    for key, value in values.items ():
        if isinstance (value, float):
            assert float (row[key]) == value
        else:
            assert row[key] == text (value), (key, row[key], value)
END
for table in accesses:4 blocks:1 events:2 threads:1 contexts:1 counts:1 \
             sharing:0 cache:5 time/thread_cycles:1; do
  "$DG" export --csv --table=${table%:*} -o rows.csv table &&
    "$DG" export --jsonl --table=${table%:*} table > rows.jsonl &&
    python3 same.py rows.csv rows.jsonl ${table#*:} 2> wrong
  report "${table%:*} as CSV and as JSON" wrong
done
run dg export --csv --columns=address,size,kind table
status 0
out << 'END'
address,size,kind
0x1000,4,read
0x2008,8,write
0x1004,4,read
0xffffffffffffff00,8,write
END
run dg export --csv --table=events --columns=label table
out << 'END'
label
"a, ""b""
c"
""
END
run dg export --csv --table=counts --with=by=thread --columns=reads,writes table
out << 'END'
reads,writes
2,2
END
run dg export --csv --table=counts --with=by=instruction \
  --columns=instruction,reads table
out << 'END'
instruction,reads
0x400000,2
0x400004,0
END
run dg export --csv --table=counts --with=bi=thread table
status 1
err_has 'counts has no option bi'
run dg export --csv --threads=7-9 --columns=address table
status 0
err_has 'there is no thread 7 to 9'
out << 'END'
address
END
run dg export --csv --table=none table
status 1
err_has "there is no table 'none'"
"$DG" export --csv -o rows.csv.gz table && gzip -dc rows.csv.gz | wc -l > lines
[ "$(tr -d ' ' < lines)" = 5 ]
report 'compressed, as the name says' lines

# ---- Tables -----------------------------------------------------------------

assemble_small log

# A Python without the module, one without pyarrow, one that prints what it is
# to do.
printf '#!/bin/sh\nexit 3\n' > without
printf '#!/bin/sh\nexit 4\n' > half
cat > python << 'END'
#!/bin/sh
[ "$1" != -c ] || exit 0
printf '%s\n' "$@"
END
chmod +x without half python
here=$PWD

run dg export log
status 2
err_has 'one of --format, --csv, --jsonl, --parquet and --arrow is needed'
run dg export --parquet=d --arrow=f log
status 2
err_has 'one of --format, --csv, --jsonl, --parquet and --arrow is needed'
run dg export --arrow=f --instructions=1..x log
status 2
err_has "'1..x' is not a range of instructions"
run dg export --arrow=f --threads=x log
status 2
err_has "'x' is not a list of threads"
run dg export --parquet=d missing
status 1
err_has 'missing'
no_out

export DATAGRIND_PYTHON
unset VIRTUAL_ENV
DATAGRIND_PYTHON=$here/without
run dg export --parquet=d log
status 1
err_has 'it has no module datagrind; in the sources of Datagrind: pip install ./python'
DATAGRIND_PYTHON=$here/half
run dg export --parquet=d log
status 1
err_has 'it has no module pyarrow; pip install pyarrow'
mkdir -p active/bin
cp half active/bin/python
DATAGRIND_PYTHON='' VIRTUAL_ENV=$here/active run dg export --parquet=d log
status 1
err_has 'active/bin/python: it has no module pyarrow'
DATAGRIND_PYTHON=/nowhere/python
run dg export --parquet=d log
status 1
err_has '/nowhere/python: it cannot be run; set DATAGRIND_PYTHON to a Python 3'
[ ! -e d ]
report 'nothing was written'

DATAGRIND_PYTHON=$here/python
run dg export --arrow=- --table=counts --table=blocks --columns=a,b --signed \
  --threads=1,3 --instructions=5k.. --events=fn:f --ranges=malloc -j 2 log
status 0
no_err
out << 'END'
-m
datagrind
export
--arrow=-
--table=counts
--table=blocks
--columns=a,b
--signed
--threads=1,3
--instructions=5000..
--events=fn:f
--ranges=malloc
--jobs=2
--
log
END
run dg export --arrow=f --instructions=..1.5Ki log
status 0
out_has '--instructions=0..1536'
finish
