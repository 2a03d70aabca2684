# dg-sampled.sh: analyses of logs that are samples: what is scaled, with which
# errors, and what is said of it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
# out_lacks TEXT: the opposite of out_has.
out_lacks ()
{
  ! grep -q -F -e "$1" stdout
  report "does not say '$1'" stdout
}
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# Periods of 100 instructions, a window of ten in each; two blocks of code,
# the first of which reads and the second of which writes.
cat > make.py << 'END'
import sys
periods, threads = int(sys.argv[1]), int(sys.argv[2])
why = sys.argv[3:] or ['8', '9']
text = ['process 42 1 7 8 4096 64 0 8 "1" "3" "amd64" "/bin/p" "/" ["p"]',
        'thread_start 1 0 7', 'thread_start 2 1 8',
        'bbdef [0x400000+4 0x400004+4] [R8@0]',
        'bbdef [0x400010+4 0x400014+4] [W4@1]',
        'context 0 [0x400000]', 'context 1 [0x400010]',
        'malloc_block 0x9000 0x400 [0x400000]', 'heap_alloc 1 1 1 1024 0 0']
for i in range(periods):
    at = 100 * i
    text.append('window 0 %s %d' % (why[1], at))
    text.append('window 1 %s %d' % (why[0], at + 7 * i % 90))
    for k in range(5):
        if threads > 1:
            text.append('thread_switch %d' % (1 + (i + k) % threads))
        block = (i * i + k) % 3 > 0
        text.append('bbrun %d 2 [%#x]'
                    % (block, 0x9000 + 64 * ((i + k) % 16)))
    text.append('window 0 %s %d' % (why[0], at + 7 * i % 90 + 10))
text.append('end why=0 exit_code=0 icount=%d' % (100 * periods))
print('\n'.join(text))
END

# What it must be, from what was recorded: groups of windows, in turn.
cat > check.py << 'END'
import json, math, sys
periods = int(sys.argv[1])
document = json.load(open(sys.argv[2]))
student = {6: 4.032, 16: 2.947}
n = min(periods, 16)

def expected(of):
    """The total, and its error, of a function of period and run."""
    groups = [0.0] * n
    for i in range(periods):
        groups[i % n] += sum(of((i * i + k) % 3 > 0) for k in range(5))
    sizes = [10 * len(range(g, periods, n)) for g in range(n)]
    total = sum(groups)
    ratio = total / sum(sizes)
    squares = sum((y - ratio * x) ** 2 for y, x in zip(groups, sizes))
    chance = student[n] * math.sqrt(squares * n / (n - 1)) / total
    return 10 * total, math.sqrt(0.9) * (chance + 1 / periods)

def compare(what, got, wanted):
    for a, b in zip(got, wanted):
        if abs(a - b) > 1e-3 * abs(b):
            print(what, got, wanted)

compare('instructions', (document['instructions'],
                         document['instructions_error']), (100 * periods, 0))
for key, of in (('reads', lambda block: not block),
                ('writes', lambda block: block)):
    got = document[key], document[key + '_error']
    compare(key, got, expected(of))
    row, = (row for row in document['rows'] if row[key] > 0)
    compare('row ' + key, (row[key], row[key + '_error']), expected(of))
sampling = document['sampling']
compare('sampling', (sampling['recorded_share'], sampling['sampled_windows'],
                     sampling['recorded_instructions'],
                     sampling['executed_instructions'], sampling['scale'],
                     sampling['confidence_share'],
                     sampling['largest_error']),
        (0.1, periods, 10 * periods, 100 * periods, 10, 0.99,
         max(document[key + '_error'] for key in (
             'reads', 'writes', 'read_bytes', 'write_bytes'))))
END

for periods in 6 16 40; do
  python3 make.py $periods 1 | assemble log$periods
  for workers in 1 3; do
    run dg counts --by=instruction --json -j $workers log$periods
    status 0
    no_err
    python3 check.py $periods stdout > wrong 2>&1
    [ ! -s wrong ]
    report 'has the totals and errors that follow from the windows' wrong
  done
done

run dg counts log40
status 0
out_has "Sampled: 10.00 % of the instructions, in 40 windows; totals are scaled by"
out_has "Instructions                 4,000  ± 0.0 %"
out_has "Reads                          540  ± 9.0 %"
run dg counts --by=instruction log40
out_has "Share  Instructions"
out_has " ± "
run dg info log40
out_has "Sampled         recorded 10.00 % of the instructions, in 40 windows"
run dg info --json log40
out_has '"sampled_windows": 40'

# A range of instructions has its own share.
run dg counts --json --instructions=100..300 log40
out_has '"executed_instructions": 200'
out_has '"largest_error": null'
# A thread that is not there has no accesses, of the same sample.
run dg counts --json --threads=2 log40
out_has '"reads": 0'

# Intervals are of what was recorded.
run dg counts --json --interval=1000 log40
status 0
out_has '"end_icount": 1000, "end_ns": null, "instructions": 100,'

# Few windows.
python3 make.py 4 1 | assemble few
run dg counts few
status 0
out_has "Their error is unknown: that takes 5 windows."
run dg counts --json few
out_has '"reads_error": null'
out_has '"scale": 10'

# Other windows are not scaled.
python3 make.py 40 1 1 1 | assemble other
run dg counts --json other
status 0
out_lacks sampling
out_lacks _error
out_has '"instructions": 400'

# Of the same log as an archive, all is the same.
dg pack -o log40.dgz log40
dg counts --by=thread log40 | sed 1d > raw.out
dg counts --by=thread log40.dgz | sed 1d | diff raw.out - > difference
report 'an archive has the same' difference
run dg info log40.dgz
out_has "Sampled         recorded 10.00 % of the instructions, in 40 windows"

# All analyses, which say what they do not scale; heap blocks are exact.
python3 make.py 40 2 | assemble two
for analysis in cache tlb time calls pages patterns reuse sharing; do
  run dg $analysis two
  status 0
  no_err
  out_has "Sampled: 10.00 % of the instructions, in 40 windows"
done
for analysis in calls pages patterns reuse sharing; do
  run dg $analysis --json two
  status 0
  out_has '"accesses": 2000'
done
run dg cache --json two
out_has '"Ir": 4000'
out_has '"Dr_error": 0.'
run dg cache two
out_has "The contents of the caches are unknown"

# What windows do not know of caches: bounds, which the error covers.  Of the
# five lines of a window, the first ones of two sets may have been there.
cat > bounds.py << 'END'
import json, sys
document = json.load(open(sys.argv[1]))
keys = sys.argv[2].split()
def check(row, what, keys):
    for key in keys:
        got, least, most, error = (row[key + suffix] for suffix in (
            '', '_least', '_most', '_error'))
        if got == 0:
            continue
        if not (least <= got <= most and 0 < least < most):
            print(what, key, least, got, most)
        if abs(error - max(most / got - 1, 1 - least / got)) > 1 / got:
            print(what, key, 'error', error, least, got, most)
check(document, 'whole', keys)
for row in document['rows']:
    check(row, row.get('thread'), keys)
first, = (row for row in document['totals'] if row['name'] == 'Reads')
check(first, 'totals', ['l1_misses'])
if not all(level['window_instructions'] > 0 for level in document['levels']):
    print(document['levels'])
END
run dg cache --D1=128,1,64 --by=thread --json two
status 0
python3 bounds.py stdout 'D1mr D1mw' > wrong 2>&1
[ ! -s wrong ]
report 'misses are between their bounds, as the error says' wrong
cp stdout cache.json
for workers in 1 3; do
  run dg cache --D1=128,1,64 --by=thread --json -j $workers two
  cmp -s stdout cache.json
  report "the same with $workers workers" stdout
done
run dg cache --D1=128,1,64 two
out_has "Misses: estimate and limits"
out_has "LL: from 0 to 240 of the recorded"
out_lacks "Windows are too short for D1"
title='no number of misses where the most is more than twice the least'
sed -n 's/^All  *LL  *//p; s/^All  *[0-9,]*  *[0-9.]* %  *//p' stdout > shown
grep -q '^0  *[1-9][0-9,]*$' shown && grep -q '^[1-9][0-9,]*  *[0-9.]* %$' shown
report "$title" shown
# What holds for the limits depends on the replacement, and so on.
out_lacks "approximate"
for option in --replacement=fifo --replacement=random --prefetch=next-line; do
  run dg cache --D1=128,1,64 $option two
  status 0
  out_has "With ${option%=next-line}, the limits"
  out_has "approximate"
done
run dg cache --cores=2 two
out_has "With several cores, the limits of D1"
# Files for other programs say that misses are estimates.
run dg cache --callgrind-out=cg.out two
status 0
grep -c '^desc: Sample: .*misses are estimates' cg.out > stdout
out << END
1
END
if command -v callgrind_annotate > /dev/null; then
  callgrind_annotate --threshold=100 cg.out > annotated 2> annotate.err
  grep -q 'PROGRAM TOTALS' annotated && [ ! -s annotate.err ]
  report 'callgrind_annotate reads it' annotate.err
else
  skip 'no callgrind_annotate'
fi
run dg cache --callgrind-out=cg.out other
status 0
grep -c 'Sample' cg.out > stdout
out << END
0
END
# Four windows: bounds are not known; nor are there any of a whole log.
run dg cache --json few
out_has '"D1mr_least": null'
out_has '"D1mr_most": null'
run dg cache --json other
out_lacks _least
out_lacks window_instructions
run dg tlb --dtlb=2,1 --json two
out_has '"read_misses_least": '
run dg diff cache two log40
status 0
out_lacks _least
run dg diff cache --json two log40
out_lacks _most
out_lacks window_instructions
run dg tlb --json two
out_has '"fetches": 4000'
run dg pages two
out_has "and not scaled"
run dg reuse two
out_has "Only accesses are scaled"
run dg calls two
out_has "those in the windows"
run dg sharing --false --by=line two
out_has "there may be more"
run dg sharing --json two
out_has '"line_accesses_error": '
run dg counts,cache,pages,invariants --json two
status 0
out_has '"sampling"'
run dg allocs stats --json two
out_has '"bytes": 1024'
run dg advise two
status 0
out_has "Sampled: 10.00 % of the instructions, in 40 windows"
run dg diff counts two log40
status 0
out_has "two: Sampled: 10.00 % of the instructions"
out_lacks _error
run dg diff counts --by=thread --json two log40
status 0
out_lacks _error
out_lacks recorded_share
run dg report -o page.html two
status 0

# Files are written once.
run dg calls --folded=folded two
status 0
run dg calls --folded=- two
status 0
out_lacks Sampled
cmp folded stdout > difference
report 'is the same as in a file' difference

# Bad logs are as bad.
head -c 1500 two > cut
run dg counts cut
status 1
out_has 'Sampled: '
finish
