# dg-pages.sh: pages, lines and bytes that are touched, beside plain sets.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# Blocks that come and go in the same places, and accesses in and around
# them; the expected figures by sets of bytes.
cat > make.py << 'END'
import json, random, sys
page_size = int(sys.argv[1])
PAGE = page_size.bit_length() - 1 - 6       # of a line's number
random.seed(11)
print('process 42 1 7 8 %d 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/"'
      ' ["prog"]' % page_size)
sizes = [1, 8, 40, 200]
for b, size in enumerate(sizes):
    print('bbdef [%#x+4 %#x+4] [R4@0 W%d@1]'
          % (0x400000 + 16 * b, 0x400004 + 16 * b, size))
    print('context %d [%#x]' % (b, 0x400000 + 16 * b))

events, live, icount = [], {}, 0
ended = []                              # size, touched bytes, lines
accesses = []
def end(address):
    size, touched = live.pop(address)
    ended.append((size, len(touched), len({a >> 6 for a in touched})))
for i in range(2500):
    if random.random() < 0.3:
        address = 0x100000 + random.randrange(60) * 1000
        size = random.choice([0, 1, 24, 500, 1000])
        if address in live:
            print('free_block %#x' % address)
            end(address)
        else:
            print('malloc_block %#x %d [0x400100 0x400200]' % (address, size))
            live[address] = size, set()
    b = random.randrange(4)
    place = lambda: random.choice(
        [0x100000 + random.randrange(60) * 1000 + random.randrange(40),
         0x100000 + random.randrange(60000),
         0x800000 + i * 8])
    r, w = place(), place()
    print('bbrun %d 2 [%#x %#x]' % (b, r, w))
    for k, address, size in (0, r, 4), (1, w, sizes[b]):
        accesses.append((icount + k, hex(0x400000 + 16 * b + 4 * k),
                         address, size))
        for base, (length, touched) in live.items():
            touched.update(range(max(address, base),
                                 min(address + size, base + length)))
    icount += 2
for address in list(live):
    end(address)
print('end why=0 exit_code=0')

# Without --interval, what a block does is where it begins.
def figures(accesses, span, block=2):
    seen, pages, by = set(), set(), {}
    counts, result, intervals = {}, {}, {}
    for icount, code, address, size in accesses:
        interval = intervals.setdefault(icount // block * block // span + 1,
                                        [0, set(), set(), 0, 0])
        interval[0] += 1
        for line in range(address >> 6, (address + size - 1 >> 6) + 1):
            counts[line] = counts.get(line, 0) + 1
            interval[1].add(line)
            interval[2].add(line >> PAGE)
            if line not in seen:
                seen.add(line)
                row = by.setdefault(code, [0, 0])
                row[0] += 1
                interval[3] += 1
                if line >> PAGE not in pages:
                    pages.add(line >> PAGE)
                    row[1] += 1
                    interval[4] += 1
    used = {a for i, c, address, size in accesses
            for a in range(address, address + size)}
    return {'accesses': len(accesses), 'lines': len(seen),
            'pages': len(pages), 'line_bytes': 64 * len(seen),
            'used_bytes': len(used), 'first': by,
            'hot': sorted(counts.values(), reverse=True)[:10],
            'peak_lines': max(len(i[1]) for i in intervals.values()),
            'peak_pages': max(len(i[2]) for i in intervals.values()),
            'intervals': [[n, i[0], len(i[1]), len(i[2]), i[3], i[4]]
                          for n, i in sorted(intervals.items())]}
json.dump({'all': figures(accesses, icount // 50 + 1),
           'spans': figures(accesses, 777, 1),
           'late': figures([a for a in accesses if a[0] >= 2000],
                           icount // 50 + 1),
           'site': [len(ended), sum(s for s, t, l in ended),
                    sum(s - t for s, t, l in ended),
                    sum(t == 0 for s, t, l in ended),
                    64 * sum(l for s, t, l in ended)]},
          open('expected', 'w'))
END
made () # BYTES-OF-A-PAGE
{
  python3 make.py $1 > text
  assemble log < text
  dg pack log -o log.dgz
}

# beside WHAT OPTION...: the figures are those of the model.
beside ()
{
  local what=$1

  shift
  run dg pages --json --by=instruction "$@"
  status 0
  no_err
  python3 - "$what" << 'END' > difference
import json, sys
expected = json.load(open('expected'))
site, expected = expected['site'], expected[sys.argv[1]]
report = json.load(open('stdout'))
got = dict(report)
got['first'] = {r['instruction']: [r['lines'], r['pages']]
                for r in report['first']}
got['hot'] = [r['touches'] for r in report['hot']]
got['intervals'] = [[r[key] for key in ('interval', 'accesses', 'lines',
                                        'pages', 'new_lines', 'new_pages')]
                    for r in report['intervals']]
for key in expected:
    if got[key] != expected[key]:
        print(key, 'is', got[key], 'not', expected[key])
if sys.argv[1] != 'late':
    row, = report['sites']
    row = [row[key] for key in ('blocks', 'bytes', 'unused_bytes',
                                'untouched_blocks', 'fetched_bytes')]
    if row != site:
        print('site', row, site)
lines = sum(r['line_bytes'] for r in report['variables'])
unused = sum(r['unused_bytes'] for r in report['variables'])
touches = sum(r['touches'] for r in report['variables'])
if lines != report['line_bytes'] or unused != lines - report['used_bytes']:
    print('variables', lines, unused)
END
  [ ! -s difference ]
  report 'as sets of bytes have it' difference
}
# Those of arm64, which processes tell.
for page in 16384 65536; do
  made $page
  beside all log
  beside all -j2 log.dgz
done
made 4096
beside all log
beside all -j2 log.dgz
beside spans --interval=777 log
beside late --instructions=2000.. log

# The same for any number of workers, of both forms.
for form in log log.dgz; do
  for options in '' '--json' '--interval=100' '--by=thread --hot=3' \
    '--instructions=100..4000 --json'; do
    dg pages -j1 $options $form > one
    in_turn 2 8
    for jobs in "${chosen[@]}"; do
      run dg pages -j$jobs $options $form
      diff one stdout > difference
      report 'the same as with -j1' difference
    done
  done
done

# Blocks of absurd sizes cost nothing.
assemble huge << 'END'
bbdef [0x400000+4] [W8@0]
context 0 [0x400000]
malloc_block 0x10000 0x7fffffffffff0000 [0x400100]
bbrun 0 1 [0x20000]
free_block 0x10000
malloc_block 0x10000 0xffffffffffffffff [0x400100]
bbrun 0 1 [0x20000]
END
run dg pages --json huge
status 0
out_has '"untouched_blocks": 1'

# Nothing, little, and what was cut off.
assemble empty < /dev/null
assemble one << 'END'
bbdef [0x400000+4] [R4@0]
context 0 [0x400000]
bbrun 0 1 [0x103e]
END
head -c 30000 log > cut
run dg pages --json empty
status 0
out_has '"accesses": 0,'
run dg pages --json one
status 0
out_has '"lines": 2,'
out_has '"used_bytes": 4,'
run dg pages --json --threads=7 log
status 0
out_has '"accesses": 0,'
run dg pages --json cut
status 1
grep -q '"accesses": [1-9]' stdout
report 'as far as it goes' stdout
finish
