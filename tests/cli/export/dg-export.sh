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
marker 2 0x3e8
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
instr 2 0x400000
read 4 0x2000
instr 2 0x400002
thread 4 0x2a
pid 4 0x1
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

dg export --format=din log > plain
for suffix in gz xz zst; do
  case $suffix in
  gz) program=gzip ;; xz) program=xz ;; zst) program=zstd ;;
  esac
  command -v $program > /dev/null || {
    skip "no $program"
    continue
  }
  run dg export --format=din log -o file.$suffix
  status 0
  no_err
  $program -dc file.$suffix | cmp - plain > difference 2>&1
  report 'what it has' difference
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
