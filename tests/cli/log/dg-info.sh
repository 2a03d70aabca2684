# dg-info.sh: what dg info shows of good logs of each kind.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
run dg info log
status 0
no_err
out << 'END'
Log             log
Command         prog 'two words' 'it'\''s'
Process         42
Complete        yes: the program exited
Exit status     3

Instructions                      8
Accesses                          7
  reads                           5
  writes                          2
  kernel reads                    1  not included above
Threads                           1
Heap blocks                       1
  freed                           1
User events                       1
User ranges                       1
Modules                           1
Blocks of code                    1
  contexts                        1
  runs                            3
Windows                           2  changes of recording

Size            923 bytes
Recording       0e78d9e51c493f39a40874aad3406cf5
Recorded by     datagrind 1.0, Valgrind 3.19.0, on amd64
Directory       /home
Format          version 1, 64-bit, little-endian
END

run dg info --json log
status 0
no_err
out << 'END'
{
  "schema": "datagrind/info/1",
  "version": 1,
  "endian": "little",
  "word_size": 8,
  "form": "raw",
  "is_complete": true,
  "recording": "0e78d9e51c493f39a40874aad3406cf5",
  "pid": 42,
  "command": "prog 'two words' 'it'\\''s'",
  "argv": [
    "prog",
    "two words",
    "it's"
  ],
  "cwd": "/home",
  "arch": "amd64",
  "tool": "1.0",
  "valgrind": "3.19.0",
  "has_stacks": false,
  "has_values": false,
  "instructions": 8,
  "accesses": 7,
  "reads": 5,
  "writes": 2,
  "runs": 3,
  "bbdefs": 1,
  "contexts": 1,
  "threads": 1,
  "heap_allocs": 1,
  "heap_frees": 1,
  "pools": 0,
  "modules": 1,
  "icount": 8,
  "kernel_reads": 1,
  "kernel_writes": 0,
  "events": 1,
  "events_ended": 1,
  "ranges": 1,
  "ranges_untracked": 1,
  "windows": 2,
  "lost_calls": 0,
  "unknown_records": 0,
  "good_bytes": 923,
  "sampling": null,
  "file_size": 923,
  "chunks": 1,
  "files": 0,
  "files_bytes": 0,
  "page_size": 4096,
  "line_size": 64,
  "end": "exit",
  "exit_status": 3,
  "signal": null,
  "undecoded": null,
  "error": null
}
END

# An archive of it: the same, but for its form.
run dg pack -o log.dgz log
status 0
bytes=$(stat -c %s log.dgz)
dg info --json log | sed '/"form"/d; /"file_size"/d; /"good_bytes"/d; /"version"/d' \
  > wanted
run dg info --json log.dgz
status 0
no_err
out_has '"form": "archive"'
out_has "\"file_size\": $bytes,"
sed -i '/"form"/d; /"file_size"/d; /"good_bytes"/d; /"version"/d' stdout
out < wanted
run dg info log.dgz
status 0
out_has 'Chunks          1'
out_has "Per access      $(awk "BEGIN { printf \"%.3f\", $bytes / 7 }") bytes"
out_has 'archive of version 2, 64-bit, little-endian'
# What is unpacked from it and cut from that is of the same recording.
dg unpack -o unpacked log.dgz
dg cut --instructions=2..5 -o part unpacked
run dg info --json part
status 0
out_has '"recording": "0e78d9e51c493f39a40874aad3406cf5"'
# Damage in its chunks is not seen by that, but by those who read them.
cp log.dgz damaged.dgz
printf '\377' | dd of=damaged.dgz bs=1 seek=300 conv=notrunc status=none
run dg info damaged.dgz
status 0
run dg check damaged.dgz
status 1
err_has 'is damaged: its checksum does not match'

# The same text as logs of other machines: the same numbers.
dg info log | sed '/^Size/,$d' > numbers
for kind in '-b' '-w 32' '-b -w 32'; do
  assemble_small foreign $kind
  run dg info foreign
  status 0
  no_err
  sed -i '/^Size/,$d; s/^\(Log .*\)foreign/\1log/' stdout
  out < numbers
done

assemble_small foreign -b -w 32
run dg info foreign
out_has 'version 1, 32-bit, big-endian'
run dg info --json foreign
out_has '"endian": "big"'
out_has '"word_size": 4'

# Pools, and stack pointers.
assemble pools << 'END'
process 1 0 0 0 4096 64 8 8 "" "" "" "" "" []
pool 0 0x1000 0
pool 0 0x2000 0
pool 1 0x1000 0
end
END
run dg pack -o pools.dgz pools
status 0
for log in pools pools.dgz; do
  run dg info "$log"
  status 0
  out_has '  pools                           2'
  out_has 'Stacks          values of the stack pointer are recorded'
  run dg info --json "$log"
  out_has '"pools": 2,'
  out_has '"has_stacks": true,'
done

# A log of the first kind, without a process and an end.
assemble old << 'END'
header
bbdef [0x10+1] [R4@0]
context 0 [0x10]
bbrun 0 1 [0x1000]
END
run dg info old
status 0
no_err
out_has 'Complete        unknown: its recorder wrote no end record'
run dg info --json old
status 0
out_has '"is_complete": null'
out_has '"recording": null'
out_has '"pid": null'
out_has '"command": null'

# What the program chose must not reach the terminal as it is.
assemble rude << 'END'
process 1 0 0 0 4096 64 0 8 "1" "2" "amd64" "/x" "/d\x1b[31m\nir" ["a\x1b[2J" "\xff"]
end
END
run dg info rude
status 0
[ "$(tr -d '[:print:]\n\377' < stdout | wc -c)" = 0 ]
report 'no control characters' stdout
name=$(printf 'a\033[31m\302\233b')
cp rude "$name"
for command in info check; do
  run dg $command "$name"
  status 0
  out_has 'a\x1b[31m\xc2\x9bb'
done
run dg check "$name.not"
status 1
err << 'END'
dg: a\x1b[31m\xc2\x9bb.not: No such file or directory
END
run dg info -
status 1
err << 'END'
dg: a log cannot be read from a pipe, only from a file
END
run dg info --json rude
status 0
python3 -c 'import json; json.load (open ("stdout", encoding="utf-8"))'
report 'valid JSON' stdout

# An instruction that Valgrind does not know; one of a set that nobody knows,
# without its code.
ends_at () # TEXT
{
  assemble ended << END
process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
bbrun 0 1 [0x1100]
undecoded 1 $1
end why=4 exit_code=4
END
  run dg info --json ended
  status 0
  python3 -c '
import json
ended = json.load (open ("stdout"))["undecoded"]
text = ended.pop ("text")
print (json.dumps (ended))
print (ended["remedy"] in text and ended["address"] in text)' > members
  cp members stdout
  sed -z 's/\\\n//g' > wanted
  out < wanted
}
ends_at '0x400003 "AVX-512" [0x62 0xf1]' << 'END'
{"address": "0x400003", "code_bytes": "62 f1", "instruction_set": "AVX-512", \
"function": null, "module": null, "file": null, "line": null, \
"remedy": "build the code without AVX-512, for example with -march=x86-64-v3"}
True
END
ends_at '0x0 "" []' << 'END'
{"address": "0x0", "code_bytes": null, "instruction_set": null, \
"function": null, "module": null, "file": null, "line": null, \
"remedy": "the program jumped to a wrong address, or was built for newer \
processors (-march=native)"}
True
END

# Whatever the number of threads.
for jobs in '-j 1' -j2 --jobs=8 '--jobs 3'; do
  run dg info $jobs log
  status 0
  dg info log > expected.log
  out < expected.log
done
finish
