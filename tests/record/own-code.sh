#!/bin/bash
# Own code in dg patterns and dg sharing: what the C++ library does is told as
# the line of the program that wants it.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest own-code -O0 -pthread || skip_all "the compiler cannot make the program"
record log ./own-code

# line MARK: where that stands in the source.
line ()
{
  grep -n "/\* $1 \*/" "$guests/own-code.cpp" | cut -d: -f1
}

for jobs in 1 ${DG_TEST_LONG:+2} 8; do
  "$DG" patterns --mine --top=0 --json -j$jobs log > patterns$jobs
  "$DG" sharing --by=line --mine --top=0 --json -j$jobs log > sharing$jobs
done
for jobs in ${DG_TEST_LONG:+2} 8; do
  check "patterns: $jobs workers" cmp patterns1 patterns$jobs
  check "sharing: $jobs workers" cmp sharing1 sharing$jobs
done
"$DG" patterns --top=0 --json log > patterns
"$DG" sharing --by=line --top=0 --json log > sharing

check "patterns --mine" python3 - "$(line pushed)" << 'END'
import json, sys
def rows (name):
    for value in json.load (open (name)).values ():
        if isinstance (value, list):
            yield from (x for x in value if isinstance (x, dict)
                        and 'function' in x and 'accesses' in x)
all, mine = list (rows ('patterns')), list (rows ('patterns1'))
library = lambda x: 'include/c++' in (x.get ('file') or '') \
    and (x.get ('module') or '').endswith ('/own-code')
assert any (map (library, all)) and not any (map (library, mine))
assert sum (x['accesses'] for x in all) == sum (x['accesses'] for x in mine)
assert any (x['line'] == int (sys.argv[1])
            and x['file'].endswith ('own-code.cpp')
            and x['pattern'] == 'sequential' and x['accesses'] >= 500
            for x in mine), mine
END
check "sharing --mine" python3 - "$(line counted)" << 'END'
import json, sys
def counted (name):
    found = []
    def look (value):
        if isinstance (value, dict):
            if 'total' in str (value.get ('variable')) and 'file' in value:
                found.append ((value['file'].split ('/')[-1], value['line'],
                               value['accesses']))
            value = list (value.values ())
        if isinstance (value, list):
            for x in value:
                look (x)
    look (json.load (open (name)))
    return found
assert all (x[0] != 'own-code.cpp' for x in counted ('sharing'))
mine = counted ('sharing1')
assert len (mine) == 1, mine
assert mine[0][:2] == ('own-code.cpp', int (sys.argv[1])), mine
END
# What a function of a library costs is its callers', not the first one's.
"$DG" counts --mine --by=line --top=0 --json log > counts
"$DG" cache --mine --by=line --top=0 --json log > cache
"$DG" tlb --mine --by=line --top=0 --json log > tlb
check "counts, cache and tlb --mine" python3 - << 'END'
import json
def rows (name, key):
    for value in json.load (open (name)).values ():
        if isinstance (value, list):
            for x in value:
                if isinstance (x, dict) and key in x \
                        and str (x.get ('file')).endswith ('own-code.cpp'):
                    yield (x['line'], x['function']), x[key]
counts = dict (rows ('counts', 'instructions'))
assert len (counts) > 5
for name, key in ('cache', 'Ir'), ('tlb', 'fetches'):
    told = dict (rows (name, key))
    assert len (told) > 1, name
    for k, n in told.items ():
        assert counts[k] == n, (name, k, n, counts[k])
END

# One function calls a library's with many strides, from places that workers
# come upon in any order: which strides have room does not depend on that.
cat > touch.c << 'END'
void
touch (volatile char *p, long stride, long n)
{
  for (long i = 0; i < n; i++)
    p[(i * stride) & 0xffffff] = 1;
}
END
python3 - > strides.c << 'END'
print ('#include <stdlib.h>\nvoid touch (volatile char *, long, long);')
print ('void work (volatile char *p)\n{')
for r in range (6):
    for k in range (12):
        n = 75000 if k == 5 else 10000 + 500 * r + 150 * k
        print (f'  touch (p, {100 + 36 * k}, {n});')
print ('}\nint main (void) { work (malloc (1 << 24)); return 0; }')
END
if $CC -g -O1 -fPIC -shared touch.c -o libtouch.so &&
    $CC -g -O0 strides.c -o strides -L. -ltouch -Wl,-rpath,"$PWD"; then
  record strides.dg ./strides
  is "many strides: any number of workers, always" "$(
    for jobs in 1 2 8 ${DG_TEST_LONG:+2 8 2 8}; do
      "$DG" patterns --program --by=function --top=0 --json -j$jobs \
        strides.dg | md5sum
    done | sort -u | wc -l)" 1
  rm -f strides.dg
else
  skip "many strides" "the compiler cannot make the library"
fi
check "an instruction is what it is" sh -c \
  "! \"$DG\" patterns --mine --by=instruction log 2> error &&
   grep -q 'need --by=line or function' error"
done_testing
