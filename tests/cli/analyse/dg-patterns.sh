# dg-patterns.sh: how instructions walk, and which fields go together.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# 200 nodes of 96 bytes that are not neighbours; then rounds of the list, in
# each of which an instruction reads the next element of an array, one writes
# each 64 bytes, one writes the same place, one goes from node to node, and
# one writes a field of the node in another line.
walk ()
{
  python3 - "$@" << 'END'
import sys
nodes = [0x100000 + i * 7919 % 200 * 128 for i in range(200)]
print('process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/"'
      ' ["prog"]')
for node in nodes:
    print('malloc_block %#x 96 [0x400100 0x400200]' % node)
print('bbdef [0x400000+4 0x400004+4 0x400008+4 0x40000c+4 0x400010+4]'
      ' [R8@0 W4@1 W2@2 R8@3 W4@4]')
# The fourth address is what register 3 had, plus a constant; then it has what
# the fourth has read.
if 'flow' in sys.argv:
    print('bbflow 0x400000 5 5 [2 1 0 0  2 2 0 0  1 0 0  2 3 0 0  2 3 0 0'
          '  1 3 3 3]')
print('context 0 [0x400000]')
for i in range(1000):
    node = nodes[i % 200]
    print('bbrun 0 5 [%#x %#x 0x600000 %#x %#x]'
          % (0x500000 + 8 * i, 0x510000 + 64 * i, node + 8, node + 80))
print('end why=0 exit_code=0')
END
}
walk > text
assemble old < text
walk flow > text
assemble log < text

run dg patterns --by=instruction --json log
status 0
no_err
python3 - << 'END' > difference
import json
report = json.load(open('stdout'))
rows = {(r['instruction'], r['kind']): r for r in report['rows']}
def expect(what, is_so):
    if not is_so:
        print(what, json.dumps(report, indent=1)[:4000])
for instruction, kind, pattern, stride in [
        ('0x400000', 'read', 'sequential', '+8'),
        ('0x400004', 'write', 'strided', '+64'),
        ('0x400008', 'write', 'constant', None),
        ('0x40000c', 'read', 'pointer-chasing', None),
        ('0x400010', 'write', 'pointer-chasing', None)]:
    row = rows[instruction, kind]
    expect(instruction, row['pattern'] == pattern and row['accesses'] == 1000)
    expect('its stride', stride is None or row['stride'] == stride)
expect('accesses', report['accesses'] == 5000)
shares = {p['pattern']: p['accesses'] for p in report['patterns']}
expect('sums', sum(shares.values()) == 5000 and shares['sequential'] == 1000)
site, = report['sites']
expect('site', site['accesses'] == 2000 and site['reads'] == 0.5)
fields = {f['offset']: f for f in report['fields'] if f['field']}
expect('fields', fields[8]['reads'] == 1000 and fields[8]['visit_share'] == 1
       and fields[80]['writes'] == 1000 and fields[0]['reads'] == 0)
hints = {h['hint']: h['text'] for h in report['hints']}
expect('split', '12 of 96 bytes are hot (+8, +12, +80)' in hints['split'])
expect('together', '+8 and +80 are touched together in 100 %'
       in hints['together'])
expect('unused', '84 of 96 bytes are never touched' in hints['unused'])
END
[ ! -s difference ]
report 'every instruction, site and field is what it is' difference

# A log without it does not tell.
run dg patterns --by=instruction --json old
status 0
[ "$(grep -c '"access".*"random or pointer-chasing"' stdout)" = 2 ] \
  && ! grep '"access"' stdout | grep -q '"pointer-chasing"'
report 'random or pointer-chasing, where the flow is not known' stdout

# Pointers are followed through the stack, where compilers keep them, and
# through calls; neither indices nor pointers out of an array are a chain.
flows ()
{
  python3 - << 'END'
import random
random.seed (1)
print('process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/"'
      ' ["prog"]')
print('stack 1 0x7000000 0x8000000')
# a[b[i]]; *v[i]
print('bbdef [0x400000+4 0x400004+4 0x400008+4 0x40000c+4]'
      ' [R4@0 R8@1 R8@2 R8@3]')
print('bbflow 0x400000 4 4 [2 1 0 0  2 2 5 0 0  2 3 0 0  3 2 0 0  0]')
print('context 0 [0x400000]')
# for (; p; p = p->next) with p on the stack
print('bbdef [0x401000+4 0x401004+4 0x401008+4] [R8@0 R8@1 W8@2]')
print('bbflow 0x401000 3 3 [2 5 0 0  3 0 0 0  2 5 0 3 1  2 0 3 1 2 3 0]')
print('context 1 [0x401000]')
# p = p->child[i], p goes to another register; what else is known is lost
print('bbdef [0x402000+4] [R8@0]')
print('bbflow 0x402000 1 1 [2 6 4 1 0  1 7 3 0]')
print('context 2 [0x402000]')
print('bbdef [0x403000+4] []')
print('bbflow 0x403000 1 0 [1 6 2 7]')
print('context 3 [0x403000]')
# a pointer from somewhere else each time, by system calls
print('bbdef [0x404000+4] [R8@0]')
print('bbflow 0x404000 1 1 [2 6 0 0 255]')
print('context 4 [0x404000]')
def far():
    return random.randrange(0x100000, 0x4000000) * 64
for i in range(300):
    print('bbrun 0 4 [%#x %#x %#x %#x]'
          % (0x500000 + 4 * i, far(), 0x600000 + 8 * i, far()))
for i in range(300):
    print('bbrun 1 3 [0x7ff0000 %#x 0x7ff0000]' % far())
for i in range(300):
    print('bbrun 2 1 [%#x]' % far())
    print('bbrun 3 1 []')
for i in range(300):
    print('bbrun 4 1 [%#x]' % far())
print('end why=0 exit_code=0')
END
}
flows > text
assemble flow < text
dg pack flow -o flow.dgz
dg unpack flow.dgz -o again
cmp flow again
report 'unpacked as it was'
dg cut --instructions=0.. flow -o cut.dgz
for form in flow flow.dgz cut.dgz; do
  run dg patterns --by=instruction --json $form
  python3 - << 'END' > difference
import json
rows = {r['instruction']: r for r in json.load(open('stdout'))['rows']}
for instruction, pattern in [
        ('0x400000', 'sequential'), ('0x400004', 'gather'),
        ('0x400008', 'sequential'), ('0x40000c', 'gather'),
        ('0x401000', 'stack'), ('0x401004', 'pointer-chasing'),
        ('0x401008', 'stack'), ('0x402000', 'pointer-chasing'),
        ('0x404000', 'random')]:
    if rows[instruction]['pattern'] != pattern:
        print(instruction, rows[instruction]['pattern'], 'not', pattern)
END
  [ ! -s difference ]
  report "$form: gathers, chains and neither" difference
done

# Two that differ tell nothing; one that makes no sense is damage.
(cat text; echo 'bbflow 0x402000 1 1 [0 0 0 0]') | sed '/^end/d' > two
assemble log2 < two
run dg patterns --by=instruction --json log2
python3 - << 'END' > difference
import json
rows = {r['instruction']: r for r in json.load(open('stdout'))['rows']}
if rows['0x402000']['pattern'] != 'random or pointer-chasing' \
        or rows['0x401004']['pattern'] != 'pointer-chasing':
    print(rows['0x402000']['pattern'], rows['0x401004']['pattern'])
END
[ ! -s difference ]
report 'two that differ tell nothing of their blocks' difference
for bytes in '' '0' '0 0 0' '3 0 0 0 0' '6 0 0 0' '2 0 0' '0 0 0 1 1' \
             '0 0 0 0 0' '0 0 0 1 1 3 1'; do
  assemble bad << END
bbdef [0x400000+4] [R8@0]
bbflow 0x400000 1 1 [$bytes]
END
  run dg check bad
  status 1
  err_has 'BBFLOW'
done

# The same for any number of workers, of both forms, and in text.
dg pack log -o log.dgz
for form in log log.dgz; do
  for options in '' '--json' '--by=function' '--instructions=100..4000'; do
    dg patterns -j1 $options $form > one
    in_turn 2 8
    for jobs in "${chosen[@]}"; do
      run dg patterns -j$jobs $options $form
      diff one stdout > difference
      report 'the same as with -j1' difference
    done
  done
done

# Nothing to tell of.
assemble empty << 'END'
END
run dg patterns empty
status 0
out_has 'Accesses  0'
run dg patterns --json --instructions=1..2 empty
status 0
assemble one << 'END'
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
bbrun 0 1 [0x1000]
END
run dg patterns --json one
status 0
out_has '"few"'
run dg patterns --json --threads=7 log
status 0
out_has '"accesses": 0'
head -c 20000 log > cut
run dg patterns cut
status 1
out_has 'Accesses'
err_has 'offset'

# What stays where it is, the stack, and what hardly moves have no stride.
{
  echo 'stack 1 0x7ff0000 0x8000000'
  echo 'malloc_block 0x20000 64 [0x400100 0x400200]'
  echo 'bbdef [0x400000+4 0x400004+4 0x400008+4] [R8@0 W8@1 R8@2]'
  echo 'context 0 [0x400000]'
  for i in $(seq 200); do
    printf 'bbrun 0 3 [%#x %#x %#x]\n' $((0x20000 + (i % 25 == 0) * 8)) \
      $((0x7fff000 - i * 16)) $((0x20010 + (i > 190) * (i - 190)))
  done
} > text
assemble still < text
run dg patterns --json --by=instruction still
status 0
python3 - > difference << 'END'
import json
report = json.load(open('stdout'))
rows = {row['instruction']: row for row in report['rows']}
for code, pattern in (('0x400000', 'constant'), ('0x400004', 'stack'),
                      ('0x400008', 'constant')):
    row = rows[code]
    if (row['pattern'], row['stride'], row['stride_share']) \
            != (pattern, None, None):
        print(row)
for row in report['rows'] + report['sites']:
    if row['pattern'] in ('constant', 'stack', 'few') and row['stride']:
        print(row)
END
report 'no stride where nothing strides' difference

finish
