#!/bin/bash
# Places of allocation: the innermost frame that is not an allocator, whatever
# is inlined, in all commands; and the program's own lines.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# at FILE MARK: the line of a mark.
at ()
{
  grep -n "HERE $2\b" "$guests/$1" | cut -d: -f1
}

# has WHAT TEXT FILE: a file has it.
has ()
{
  check "$1" grep -qF -- "$2" "$3"
}

guest sites -O2 || skip_all "the compiler cannot make the program"
record log ./sites > out
"$DG" heap --sites --json log > told.heap
"$DG" heap --sites --by=stack --json log > told.stack
"$DG" heap --late --json log > told.late
"$DG" counts --by=site --json log > told.counts
"$DG" cache --by=site --json log > told.cache
"$DG" allocs leaks --json --levels=2 log > told.leaks
for name in reserve_numbers push_numbers make_node; do
  place="$name (sites.cpp:$(at sites.cpp $name))"
  for told in heap late counts cache; do
    has "$told: $place" "\"$place\"" told.$told
  done
  has "--by=stack: $place, called by main" "\"$place < main (sites.cpp:" \
    told.stack
done
check "stacks end with main" \
  sh -c '! grep -E "< main \(sites.cpp:[0-9]*\) <" told.stack'
last='"last_site": "main (sites.cpp:[0-9]*)", "free_site": "main'
check "the last use by the program itself names nobody else" \
  grep -q "$last" told.late
has "who freed it" \
  "\"free_site\": \"main (sites.cpp:$(at sites.cpp free_node))\"" told.late

# Whatever the program is called by.
mkdir bin
cp sites bin/program
ln -s bin/program link
record log.link ./link > out
record log.relative bin/../bin/program > out
for log in log.link log.relative; do
  "$DG" heap --late --json $log > told
  check "$log: the program is the program" grep -q "$last" told
done

# Own lines: what std::vector does is done by them, and nothing is lost.
"$DG" counts --by=line --json log > all
"$DG" counts --by=line --mine --json log > mine
"$DG" counts --by=line --mine --json -j1 log > mine1
"$DG" counts --by=function --program --json log > program
check "any number of workers" cmp mine mine1
check "--mine" python3 - "$(at sites.cpp sum_numbers)" << 'END'
import json, sys
all, mine = (json.load(open(x))['rows'] for x in ('all', 'mine'))
for key in 'instructions', 'reads', 'writes':
    assert sum(r[key] for r in all) == sum(r[key] for r in mine), key
own = lambda r: (r['file'] or '').endswith('sites.cpp')
assert sum(r['reads'] for r in mine if own(r)) \
  > sum(r['reads'] for r in all if own(r))
assert any('include/c++/' in (r['file'] or '') for r in all)
# Only what no own frame stands around may be left.
assert not [r for r in mine if 'include/c++/' in (r['file'] or '')
            and r['module'].endswith('/sites')]
assert [r for r in mine if own(r) and r['line'] == int(sys.argv[1])
        and r['reads'] >= 500]
END
check "--program" python3 - << 'END'
import json
rows = json.load(open('program'))['rows']
all = json.load(open('all'))['rows']
assert sum(r['reads'] for r in rows) == sum(r['reads'] for r in all)
# printf is what main does.
assert not [r for r in rows if r['function'] == 'printf']
END

# Names of many.
if guest sites_wrap; then
  record log.wrap ./sites_wrap
  for options in '' --alloc-fn=grab; do
    "$DG" heap --sites --json $options log.wrap > told
    for name in xmalloc our_realloc _gfortrani_xmallocarray __rdl_alloc; do
      check "$options $name is an allocator" sh -c "! grep -q '\"$name (' told"
    done
    for mark in xmalloc our_realloc fortran rust; do
      has "$options $mark: main" \
        "\"main (sites_wrap.c:$(at sites_wrap.c $mark))\"" told
    done
    has "a copy of a text" \
      "\"copy (sites_wrap.c:$(at sites_wrap.c strdup))\"" told
    for mark in like resize; do
      has "a request is made where it is made: $mark" \
        "\"ask (sites_wrap.c:$(at sites_wrap.c $mark))\"" told
    done
    grep -c '"grab (' told
  done > counted
  cat counted | grep -v '^[0-9]*$'
  is "--alloc-fn" "$(grep '^[0-9]*$' counted | paste -sd' ')" "1 0"
else
  skip "wrappers" "the compiler cannot make the program"
fi

# Rust.
if ! command -v rustc > /dev/null; then
  skip "Rust's library" "there is no rustc"
elif ! HOME=$(getent passwd "$(id -u)" | cut -d: -f6) rustc -g -O -o sites_rust "$guests/sites.rs" > rust.err 2>&1; then
  skip "Rust's library" "rustc cannot make the program"
else
  record log.rust ./sites_rust > out
  "$DG" heap --sites --by=stack --json log.rust > told
  for name in numbers table boxed; do
    check "Rust: $name" grep -q "\"sites[a-z_]*::$name (sites.rs:[0-9]*)" told
  done
  check "Rust: stacks end with main" sh -c '! grep -q lang_start told'
fi

# CPython, whose objects are blocks if it takes them from malloc.
python=$(python3 -c 'import sys; print (sys.executable)' 2> /dev/null)
if [ -z "$python" ]; then
  skip "CPython" "there is no python3"
elif ! PYTHONMALLOC=malloc record log.python "$python" -S -E \
    -c 'kept = [bytearray (i) for i in range (200)]' 2> python.err; then
  skip "CPython" "it does not run"
else
  "$DG" heap --sites --json log.python > told
  check "CPython: sites" grep -q '"sites"' told
  check "CPython: no allocator is a site" sh -c \
    "! grep -E '\"_?Py(Mem_|Object_(Malloc|Calloc|Realloc|GC_|New)|Type_GenericAlloc)[A-Za-z]* \\(' told"
fi
# Two allocations on one line are two rows; see also site-lines.sh.
cat > two.c << 'END'
#include <stdlib.h>
struct first { long a[4]; };
struct second { long b[7]; };
int main (void)
{
  struct first *p = malloc (sizeof *p); struct second *q = malloc (sizeof *q);
  p->a[1] = 1; q->b[2] = 2;
  return (int) (p->a[1] + q->b[2]) - 3;
}
END
if ${CC:-cc} -g -O0 two.c -o two 2> two.err; then
  record log.two ./two
  "$DG" counts --by=site --top=0 log.two > told
  grep -o 'main (two.c:6[:)].*' told | sort > names
  is "two allocations on a line: rows" "$(wc -l < names)" 2
  is "two allocations on a line: names" "$(uniq names | wc -l)" 2
fi

done_testing
