#!/bin/bash
# Several places of allocation on one line are distinguished, by all commands
# in the same words; others are called as ever.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

command -v python3 > /dev/null || skip_all "no python3"

# What the program says of itself, and what the commands say.
cat > ask.py << 'END'
import json, re, subprocess, sys

dg, source, log, compiler = sys.argv[1:]
lines = {}
text = open(source).read().split('\n')
for number, line in enumerate(text, 1):
    found = re.search(r'HERE (\w+)', line)
    if found:
        lines[found.group(1)] = number
base = source.split('/')[-1]


def ask(*args):
    return json.loads(subprocess.run([dg, *args, '--json', log], check=True,
                                     capture_output=True, text=True).stdout)


def columns(mark, word):
    """Where the calls of a line may begin, by one compiler or another."""
    line = text[lines[mark] - 1]
    assign = [m.start() + 1 for m in re.finditer(r'\b' + word + r'\b', line)]
    return [{at, at + len(word) + 1, at - 1} for at in assign]


def names(rows, mark, key):
    """The names of those of a line."""
    where = re.compile(r'\(' + re.escape(base) + ':%d(\\D|$)' % lines[mark])
    return sorted({row[key] for row in rows if where.search(row[key])})
END

# The same sites by all commands.
cat > c.py << 'END'
exec(open('ask.py').read())
heap = ask('heap', '--sites')['sites']
stack = ask('heap', '--sites', '--by=stack')['sites']
sites = ask('counts', '--by=site')['rows']
cache = ask('cache', '--by=site')['rows']
bytes_of = {}
for row in heap:
    bytes_of.setdefault(row['site'], []).append(row['bytes'])
assert all(len(rows) == 1 for rows in bytes_of.values()), bytes_of
bytes_of = {name: rows[0] for name, rows in bytes_of.items()}

for mark in lines:
    told = names(heap, mark, 'site')
    assert told == names(sites, mark, 'name'), (told, sites)
    assert told == names(cache, mark, 'name'), (told, cache)

plain = lambda f, mark: '%s (%s:%d)' % (f, base, lines[mark])


def by_columns(function, mark, expected):
    told = names(heap, mark, 'site')
    at = [int(re.fullmatch(r'%s \(%s:%d:(\d+)\)' % (
        function, re.escape(base), lines[mark]), name).group(1))
        for name in told]
    assert len(at) == 2, told
    in_order = [name for _, name in sorted(zip(at, told))]
    assert [bytes_of[name] for name in in_order] == expected, bytes_of
    for one, may_be in zip(sorted(at), columns(mark, 'malloc')):
        assert one in may_be, (one, may_be)


has_columns = compiler != 'none'
if has_columns:
    by_columns('main', 'two', [11, 12])
    # Inlined twice: still two, with the bytes of both.
    by_columns('two_inlined', 'two_inlined', [41 + 51, 42 + 52])
else:
    for function, mark, expected in (
            ('main', 'two', [11, 12]),
            ('two_inlined', 'two_inlined', [41 + 51, 42 + 52])):
        told = names(heap, mark, 'site')
        place = '%s (%s:%d, call ' % (function, base, lines[mark])
        assert told == [place + '1)', place + '2)'], told
        assert sorted(bytes_of[t] for t in told) == expected, bytes_of
told = names(heap, 'two_of_a_macro', 'site')
assert told == ['two_of_a_macro (%s:%d, call %d)'
                % (base, lines['two_of_a_macro'], i) for i in (1, 2)], told
assert sorted(bytes_of[t] for t in told) == [31, 32]
# What is alone on its line keeps its name, wherever it is inlined.
for function, mark, expected in (('main', 'one', 13),
                                 ('one_inlined', 'one_inlined', 121),
                                 ('one_called', 'one_called', 141)):
    assert bytes_of[plain(function, mark)] == expected, bytes_of
# Callers are distinguished where they are shown.
inner = plain('one_called', 'one_called') + ' < '
callers = sorted(row['site'][len(inner):] for row in stack
                 if row['site'].startswith(inner))
assert len(set(callers)) == 2 and all(
    c.startswith('main (%s:%d' % (base, lines['callers'])) for c in callers)
assert {row['site'] for row in stack if row['bytes'] == 13} \
    == {plain('main', 'one')}

# Columns in JSON, where they are known.
for row in sites:
    if (row['file'] or '').endswith(base):
        assert (row['column'] is not None) == has_columns, row
    told = re.search(base + r':\d+:(\d+)', row['name'])
    assert not told or row['column'] == int(told.group(1)), row
for row in ask('counts', '--by=variable')['rows']:
    told = re.search(base + r':\d+:(\d+)', row['name'])
    assert not told or row['column'] == int(told.group(1)), row
places = {row['name'] for row in ask('counts', '--by=variable')['rows']}
for name in bytes_of:
    if base in name:
        assert name.replace(' (', ' at ', 1)[:-1] in places, (name, places)

# A line is one, by line.
found = [row for row in ask('counts', '--by=line')['rows']
         if (row['file'] or '').endswith(base)
         and row['line'] == lines['two']]
assert len(found) == 1, found
END

cat > cpp.py << 'END'
exec(open('ask.py').read())
heap = ask('heap', '--sites')['sites']
two = names(heap, 'two', 'site')
assert len(two) == 2 and all(re.fullmatch(
    r'main \(%s:%d:\d+\)' % (re.escape(base), lines['two']), t) for t in two)
assert names(heap, 'one', 'site') == ['main (%s:%d)' % (base, lines['one'])]
# Instances of a template are functions of their own.
assert sorted(t.split(' (')[0].split('<')[1] for t in
              names(heap, 'make', 'site')) == ['long>()', 'shape>()']
assert all(t.endswith(' (%s:%d)' % (base, lines['make']))
           for t in names(heap, 'make', 'site'))
END

# tell WHAT PROGRAM SOURCE [COMPILER]
tell ()
{
  check "$1" python3 "$2.py" "$DG" "$guests/$3" log "${4:-some}"
}

# The textbook case, and what dg allocs and pictures say of it.
CC=$CC guest site-lines -O0 || skip_all "the compiler cannot make the program"
record log ./site-lines
tell "gcc -O0" c site-lines.c
line=$(grep -n "HERE two " "$guests/site-lines.c" | cut -d: -f1)
"$DG" allocs leaks --levels=1 log > leaks
check "dg allocs: two places" \
  test "$(grep -c "/site-lines.c:$line:[0-9]*\$" leaks)" = 2
"$DG" allocs leaks --levels=1 --json log > leaks
check "dg allocs: columns in JSON" python3 -c "
import json
rows = [r for s in json.load(open('leaks'))['sites'] for r in s['backtrace'][:1]
        if r['line'] == $line]
assert len({r['column'] for r in rows}) == 2, rows"
"$DG" heap --render=heap.svg --series=20 log > out
"$DG" heap --sites --json log > heap.json
check "pictures: the same names" python3 - "$line" << 'END'
import json, sys
told = [s['site'] for s in json.load(open('heap.json'))['sites']
        if 'site-lines.c:' + sys.argv[1] in s['site']]
picture = open('heap.svg').read()
assert len(told) == 2 and all(t in picture for t in told), told
END
CC=$CC guest site-lines -O2 -fno-builtin && record log ./site-lines
tell "gcc -O2" c site-lines.c
CC=$CC guest site-lines -O2 -fno-builtin -gno-column-info \
  && record log ./site-lines
tell "without columns, calls are counted" c site-lines.c none
if [ -n "$DG_TEST_LONG" ]; then
  guest site-lines-cpp -O0 && record log ./site-lines-cpp
  tell "g++ -O0" cpp site-lines-cpp.cpp
fi
guest site-lines-cpp -O2 && record log ./site-lines-cpp
tell "g++ -O2" cpp site-lines-cpp.cpp
for level in ${DG_TEST_LONG:+-O0} -O2; do
  if ! command -v clang > /dev/null; then
    skip "clang $level" "no clang"
  elif CC=clang guest site-lines $level -fno-builtin \
       && record log ./site-lines; then
    tell "clang $level" c site-lines.c
  else
    not_ok "clang $level" "cannot compile or record"
  fi
  [ -n "$DG_TEST_LONG" ] || continue
  if ! command -v clang++ > /dev/null; then
    skip "clang++ $level" "no clang++"
  elif CXX=clang++ guest site-lines-cpp $level \
       && record log ./site-lines-cpp; then
    tell "clang++ $level" cpp site-lines-cpp.cpp
  else
    not_ok "clang++ $level" "cannot compile or record"
  fi
done

# Two files of one name, with the same line: rows of their own everywhere.
mkdir a b
cat > a/same.c << 'END'
#include <stdlib.h>
static char *make (int n) { return malloc (n); }
char *NAME (void) { return make (SIZE); }
END
cp a/same.c b/same.c
echo 'char *fa (void), *fb (void);
      int main (void) { fa ()[0] = 1; fb ()[0] = 2; return 0; }' > two.c
for name in a b; do
  $CC -g -O0 -DNAME=f$name -DSIZE=$((30 + ${#name})) -c $name/same.c \
    -o $name.o || exit 99
done
$CC -g -O0 two.c a.o b.o -o two || exit 99
record log ./two
for ask in 'heap --sites' pages 'counts --by=site' 'cache --by=site'; do
  # shellcheck disable=SC2086
  "$DG" $ask --json log > told
  for folder in a b; do
    check "dg $ask: $folder/same.c" grep -q "\"make ($folder/same.c:2)\"" told
  done
done

"$DG" counts --by=line --json log > told
for folder in a b; do
  check "dg counts --by=line: $folder/same.c" \
    grep -q "\"same.c:2 (make) in .*/$folder/same.c\"" told
done

done_testing
