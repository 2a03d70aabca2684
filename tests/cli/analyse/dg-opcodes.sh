# dg-opcodes.sh: executed instructions by opcode and category, of logs by hand.
# How real code is named is compared with objdump in tests/record/opcodes.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# A block that is left early; an access that is not made; code that is not known;
# rep movsb of three repetitions.
head='process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/no/p" "/" ["p"]'
assemble log << END
$head
thread_start 1 0 42
# lock xadd %eax,(%rdi); jne; addsd %xmm1,%xmm0; call
bbdef [0x400000+4 0x400004+2 0x400006+4 0x40000a+5] [R4@0 W4@0 W8@3]
bbcode 0x400000 4 3 [0xf0 0x0f 0xc1 0x07 0x75 0x0b 0xf2 0x0f 0x58 0xc1 0xe8 0 0 0 0]
context 0 [0x400000]
bbdef [0x500000+3] [R8@0]
context 1 [0x500000]
bbdef [0x600000+2] [R1@0 W1@0]
bbcode 0x600000 1 2 [0xf3 0xa4]
context 2 [0x600000]
bbrun 0 4 [0x1000 0x1000 0x7000]
bbrun 0 2 [0x1000 0x1000]
bbrun 0 4 [0x1000 0 0x7000]
bbrun 1 1 [0x2000]
bbrun 2 1 [0x3000 0x4000]
bbrun 2 1 [0x3001 0x4001]
bbrun 2 1 []
end
END
run dg opcodes log
status 0
no_err
out << 'END'
Log        log
Command    p

Instructions       12
  of unknown code   1
Reads               6
Writes              6

By category
 Share  Instructions  Reads  Writes  Category
33.3 %             4      5       4  integer
25.0 %             3      0       0  conditional branch
16.7 %             2      0       2  call
16.7 %             2      0       0  floating-point add
 8.3 %             1      1       0  unknown

By opcode
 Share  Instructions  Reads  Writes  Category            Opcode
25.0 %             3      0       0  conditional branch  jne
25.0 %             3      3       2  integer             lock xadd
16.7 %             2      0       0  floating-point add  addsd
16.7 %             2      0       2  call                call
 8.3 %             1      2       2  integer             rep movsb
 8.3 %             1      1       0  unknown             unknown
END
run dg opcodes --repetitions=each log
status 0
out_has '3      2       2  integer             rep movsb'
run dg opcodes --instructions=1..6 --top=2 log
status 0
out << 'END'
Log        log
Command    p
Only       --instructions=1..6

Instructions       5
  of unknown code  0
Reads              1
Writes             2

By category
 Share  Instructions  Reads  Writes  Category
40.0 %             2      0       0  conditional branch
20.0 %             1      0       1  call
... 2 more (--top=0 shows all)

By opcode
 Share  Instructions  Reads  Writes  Category            Opcode
40.0 %             2      0       0  conditional branch  jne
20.0 %             1      0       0  floating-point add  addsd
... 2 more (--top=0 shows all)
END
run dg export --csv --table=opcodes/opcodes --columns=opcode,instructions log
out << 'END'
opcode,instructions
jne,3
lock xadd,3
addsd,2
call,2
rep movsb,1
unknown,1
END

# Another architecture; no instruction.
assemble other << END
${head/amd64/s390x}
bbdef [0x400000+4] [R4@0]
bbcode 0x400000 1 1 [1 2 3 4]
context 0 [0x400000]
bbrun 0 1 [0x1000]
end
END
run dg opcodes other
status 0
out_has 'Machine code of s390x is not understood.'
out_has '100.0 %             1      1       0  unknown   unknown'
assemble nothing << 'END'
end
END
run dg opcodes nothing
status 0
out_has 'By opcode: none'

# Workers and parts of the log make no difference: sums of parts.
command -v python3 > /dev/null && {
  python3 - << 'END' > text
import random
random.seed(7)
print('process 42 1 7 8 4096 64 0 8 "1" "3" "amd64" "/no/p" "/" ["p"]')
print('thread_start 1 0 42')
codes = ["90", "50", "89d8", "f20f58c1", "0fafc3", "c3", "06"]
blocks = []
for i in range(20):
    n = random.randrange(1, 6)
    parts = [random.choice(codes) for _ in range(n)]
    at, instrs, accesses = 0x400000 + 64 * i, [], []
    for k, code in enumerate(parts):
        instrs.append(f"{at:#x}+{len(code) // 2}")
        at += len(code) // 2
        if code == "50":
            accesses.append(f"W8@{k}")
    print(f"bbdef [{' '.join(instrs)}] [{' '.join(accesses)}]")
    data = " ".join("0x" + c[j:j + 2] for c in parts
                    for j in range(0, len(c), 2))
    print(f"bbcode {0x400000 + 64 * i:#x} {n} {len(accesses)} [{data}]")
    print(f"context {i} [{0x400000 + 64 * i:#x}]")
    blocks.append(parts)
for _ in range(5000):
    i = random.randrange(20)
    n = random.randrange(1, len(blocks[i]) + 1)
    made = sum(c == "50" for c in blocks[i][:n])
    print(f"bbrun {i} {n} [{' '.join(['0x1000'] * made)}]")
print("end")
END
  assemble random < text
  cat > expected.py << 'END'
import collections, re, sys
names = {"90": "nop", "50": "push", "89d8": "mov", "f20f58c1": "addsd",
         "0fafc3": "imul", "c3": "ret", "06": "unknown"}
blocks, sizes, counts = [], [], collections.Counter()
for line in open("text"):
    if match := re.match(r"bbdef \[(.*?)\]", line):
        sizes = [int(x.split("+")[1]) for x in match[1].split()]
    elif match := re.match(r"bbcode .*\[(.*)\]", line):
        data = "".join(x[2:] for x in match[1].split())
        blocks.append([])
        for size in sizes:
            blocks[-1].append(names[data[:2 * size]])
            data = data[2 * size:]
    elif match := re.match(r"bbrun (\d+) (\d+)", line):
        counts.update(blocks[int(match[1])][:int(match[2])])
print("opcode,instructions")
for name, count in sorted(counts.items(), key=lambda x: (-x[1], x[0])):
    print(f"{name},{count}")
END
  python3 expected.py > model
  dg pack random -o random.dgz > /dev/null 2>&1
  for log in random random.dgz; do
    for jobs in 1 4; do
      run dg export --csv --table=opcodes/opcodes -j $jobs \
        --columns=opcode,instructions $log
      status 0
      cmp model stdout > difference 2>&1
      report "as a plain model, with $jobs workers" difference
    done
  done
}
finish
