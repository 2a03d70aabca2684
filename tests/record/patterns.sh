#!/bin/bash
# The patterns of textbook loops, and the layout of structures: what dg patterns
# says of a program in which both are known.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# compare LEVEL JSON: what is not as it has to be.  Lines are found by the
# remark that ends them.
compare ()
{
  python3 - "$guests/textbook.c" "$@" << 'END'
import json, re, sys
source, level, path = sys.argv[1:]
report = json.load(open(path))
lines = {}
for number, text in enumerate(open(source), 1):
    mark = re.search(r'/\* (\w+) \*/$', text.rstrip())
    if mark:
        lines[mark.group(1)] = number
# Of each line: what reads are, with the variable; locals do not count.
found = {}
for row in report['rows']:
    if row['file'] and row['file'].endswith('textbook.c') \
            and row['access'] == 'read' \
            and row['pattern'] not in ('stack', 'constant', 'few'):
        for mark, line in lines.items():
            if line == row['line']:
                found.setdefault(mark, set()).add(
                    (row['pattern'], row['stride'], row['site']))

def expect(mark, pattern, site=None, stride=None):
    for p, s, name in found.get(mark, ()):
        if p == pattern and site in (None, name) and stride in (None, s):
            return
    print('%s: no %s %s %s, but %s'
          % (mark, pattern, site, stride, sorted(map(str, found.get(mark, ())))))

expect('ijk', 'sequential', '<global>.a', 8)
expect('ijk', 'strided', '<global>.b', 320)
expect('ikj', 'sequential', '<global>.b')
expect('ikj', 'sequential', '<global>.c')
expect('sum', 'sequential', '<global>.values')
# Unrolled, it is strided.
expect('gather', 'strided' if level == '2' else 'sequential',
       '<global>.indices')
expect('gather', 'gather', '<global>.table')
expect('pointers', 'sequential', '<global>.pointers', 8)
expect('pointers', 'gather', '<global>.table')
expect('anywhere', 'random', '<global>.table')
for mark in 'once', 'again', 'search', 'descend', 'visit', 'chain':
    expect(mark, 'pointer-chasing')
    for p, stride, name in found.get(mark, ()):
        if p in ('random', 'gather') or p.startswith('random or'):
            print(mark, 'is also', p, name)
expect('aos', 'strided', None, 128)
expect('soa', 'sequential', None, 8)
for p, stride, name in found.get('soa', ()):
    if p != 'sequential' or stride not in (8, 16):
        print('soa is also', p, stride, name)
for row in report['rows']:
    if row['pattern'].startswith('random or'):
        print('unsure:', row)

# Structures: a constructor is not a use, an array one field.
for name in '<global>.fixed', 'make_particles':
    hints = {h['hint']: h['text'] for h in report['hints']
             if 'particle' in h['structure'] and name in h['structure']}
    if 'are hot (x, v); 112 are in less' not in hints.get('split', '') \
            or '(name, id, more)' not in hints['split']:
        print(name, hints)
    fields = [(f['offset'], f['size'], f['field']) for f in report['fields']
              if 'particle' in f['structure'] and name in f['structure']
              and f['field']]
    if fields != [(0, 8, 'x'), (8, 8, 'v'), (16, 68, 'name'), (84, 4, 'id'),
                  (88, 40, 'more')]:
        print(name, fields)
END
}

for level in 0 1 2; do
  as=textbook$level guest textbook -fno-inline -O$level ||
    skip_all "the compiler cannot make the program"
  record log$level.dg ./textbook$level > out$level
  check_log "-O$level: the log is whole" log$level.dg
  "$DG" patterns --json log$level.dg > json$level
  is "-O$level: loops are what they are" "$(compare $level json$level)" ""
done

# An archive has the same, but for the places where chunks begin.
"$DG" record --valgrind="${VALGRIND_DG%% *}" -o log.dgz -- ./textbook1 \
  > out 2> err
check "the archive is good" "$DG" check log.dgz
"$DG" patterns --json log.dgz > json
is "the same of an archive" "$(compare 1 json)" ""

# Structures of C++: arrays with and without the number of their elements in
# front, vectors, and what the program says the type of.
for level in 0 1 2; do
  # shellcheck disable=SC2086
  as=layouts$level guest layouts $client_flags -O$level || {
    skip "-O$level: structures of C++" "the compiler cannot make the program"
    continue
  }
  record layouts$level.dg ./layouts$level > out$level
  "$DG" patterns --json layouts$level.dg > json$level
  is "-O$level: structures of C++ in heap blocks, vectors and ranges" \
    "$(python3 - json$level << 'END'
import json, sys
report = json.load(open(sys.argv[1]))
# 2000 reads are by use (); a vector copies all but the first of the first.
for name in 'Plain', 'Cleaned', 'Element', 'Ranged':
    fields = [(f['offset'], f['size'], f['field'], f['reads'])
              for f in report['fields']
              if f['structure'].split(',')[0].split(' (')[0] == name
              and f['field']]
    if [f[:3] for f in fields] != [(0, 8, 'x'), (8, 8, 'v'), (16, 68, 'name'),
                                   (84, 4, 'id')] \
            or not 2000 <= fields[1][3] < 2000 + 200:
        print(name, fields)
    hints = {h['hint']: h['text'] for h in report['hints']
             if h['structure'].split(',')[0].split(' (')[0] == name}
    if '(x, v)' not in hints.get('split', ''):
        print(name, hints)
END
)" ""
done

done_testing
