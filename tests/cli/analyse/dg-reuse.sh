# dg-reuse.sh: distances of touches of lines, beside a plain list of lines.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# The plain way, for accesses (icount, thread, function, address, size):
# what is expected of the members of --json.
cat > model.py << 'END'
import json, math

def stack(accesses, shift):
    """Yields for each access its distance (None: cold) and the accesses in
    between; of several lines, the largest."""
    order, when = [], {}
    for now, (icount, thread, function, address, size) in enumerate(accesses):
        worst, longest = 0, 0
        size = min(size, 1 << shift)
        for line in range(address >> shift, ((address + size - 1) >> shift) + 1):
            if line in when:
                at = order.index(line)
                del order[at]
                worst = max(worst, at)
                longest = max(longest, now - when[line])
            else:
                worst = math.inf
            order.insert(0, line)
            when[line] = now
        yield worst, longest - 1

def bucket(n):
    return 0 if n == 0 else 1 << (n.bit_length() - 1)

def expect(accesses, sizes, shift=6, per_thread=False):
    found = []
    for thread in sorted({a[1] for a in accesses}) if per_thread else [None]:
        of = [a for a in accesses if thread in (None, a[1])]
        found += zip(of, stack(of, shift))
    distances = sorted(d for a, (d, t) in found if d < math.inf)
    times = [t for a, (d, t) in found if d < math.inf]
    histogram, rows = {}, {}
    time_histogram = {}
    for d in distances:
        histogram[bucket(d)] = histogram.get(bucket(d), 0) + 1
    for t in times:
        time_histogram[bucket(t)] = time_histogram.get(bucket(t), 0) + 1
    for (icount, thread, function, address, size), (d, t) in found:
        row = rows.setdefault(function, [0, 0, 0])
        row[0] += 1
        row[1] += d == math.inf
        row[2] += d < math.inf and d >= 512
    result = {
        'accesses': len(found),
        'cold': len(found) - len(distances),
        'histogram': sorted(map(list, histogram.items())),
        'time_histogram': sorted(map(list, time_histogram.items())),
        'misses_by_lines': [[n, sum(d >= n for a, (d, t) in found)]
                            for n in sizes],
        'rows': rows}
    if distances:
        mean = sum(distances) / len(distances)
        result['mean'] = mean
        result['median'] = distances[(len(distances) - 1) // 2]
        result['deviation'] = math.sqrt(
            sum((d - mean) ** 2 for d in distances) / len(distances))
        result['time_mean'] = sum(times) / len(times)
    return result

def differences(expected, path):
    report = json.load(open(path))
    for key, value in expected.items():
        got = report[key]
        if key == 'rows':
            got = {r['instruction']: [r['accesses'], r['cold'], r['far']]
                   for r in got}
        same = (abs(got - value) < 1e-9 * max(1, abs(value))
                if isinstance(value, float) else got == value)
        if not same:
            print(key, 'is', got, 'not', value)
END

# Two threads in blocks of two instructions; scans, hot lines, wild ones, and
# accesses that lie in two lines or more.
cat > make.py << 'END'
import pickle, random
random.seed(5)
print('process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/"'
      ' ["prog"]')
for b in range(4):
    print('bbdef [%#x+4 %#x+4] [R8@0 W%d@1]'
          % (0x400000 + 16 * b, 0x400004 + 16 * b, [4, 8, 64, 200][b]))
    print('context %d [%#x]' % (b, 0x400000 + 16 * b))
accesses, icount, thread = [], 0, 1
for i in range(3000):
    if i % 250 == 0:
        thread = 1 + i // 250 % 2
        print('thread_switch %d' % thread)
    b = random.choice([0, 0, 1, 1, 2, 3])
    r = 0x10000 + random.choice([i % 900 * 64, random.randrange(20) * 64,
                                 random.randrange(60000)])
    w = 0x10000 + random.choice([i % 700 * 64, random.randrange(4) * 64,
                                 random.randrange(60000)])
    print('bbrun %d 2 [%#x %#x]' % (b, r, w))
    code = 0x400000 + 16 * b
    accesses.append((icount, thread, hex(code), r, 8))
    accesses.append((icount + 1, thread, hex(code + 4), w,
                     [4, 8, 64, 200][b]))
    icount += 2
print('end why=0 exit_code=0')
pickle.dump(accesses, open('accesses', 'wb'))
END
python3 make.py > text
assemble log < text
dg pack log -o log.dgz

# beside EXPECTED OPTION...: the report is as the model's expression has it.
beside ()
{
  local expected=$1

  shift
  run dg reuse --json --by=instruction "$@" log
  status 0
  no_err
  python3 - "$expected" << 'END' > difference
import pickle, sys
sys.path.insert(0, '.')
from model import *
accesses = pickle.load(open('accesses', 'rb'))
differences(eval(sys.argv[1]), 'stdout')
END
  [ ! -s difference ]
  report 'as a list of lines has it' difference
}
beside 'expect(accesses, [1, 2, 7, 64, 500, 512, 1000])' \
  --lines=64,1,2,7,512,500,1000
beside 'expect(accesses, [16], 12)' --line-size=4ki --lines=16 --far=512
beside 'expect(accesses, [100], 6, True)' --per-thread --lines=100
beside 'expect([a for a in accesses if a[1] == 2], [100])' \
  --threads=2 --lines=100
beside 'expect([a for a in accesses if 1000 <= a[0] < 4001], [100])' \
  --instructions=1000..4001 --lines=100

# Intervals add up, and know what came before.
run dg reuse --json --interval=1001 --lines=64,100 log
python3 - << 'END' > difference
import json
report = json.load(open('stdout'))
parts = report['intervals']
for key in ['accesses', 'cold', 'far_misses']:
    if sum(p[key] for p in parts) != report[key]:
        print(key, [p[key] for p in parts], report[key])
whole = dict(report['misses_by_lines'])
for n in [64, 100]:
    if sum(dict(p['misses_by_lines'])[n] for p in parts) != whole[n]:
        print(n)
sums = {}
for p in parts:
    for distance, count in p['histogram']:
        sums[distance] = sums.get(distance, 0) + count
if sorted(map(list, sums.items())) != report['histogram']:
    print(sums)
if len(parts) != 6:
    print(parts)
END
[ ! -s difference ]
report 'intervals add up to the whole' difference

# A sample of everything is everything; of less, a range that holds the truth.
run dg reuse --json --approx=1 log
cp stdout all
run dg reuse --json log
out < all
dg reuse --json --lines=100,400,800 log > exact
run dg reuse --json --lines=100,400,800 --approx=0.3 log
python3 - << 'END' > difference
import json
exact, sample = json.load(open('exact')), json.load(open('stdout'))
low_of = dict(sample['least_misses_by_lines'])
high_of = dict(sample['most_misses_by_lines'])
for n, misses in exact['misses_by_lines']:
    low, high = low_of[n], high_of[n]
    if not low <= misses <= high:
        print(n, low, misses, high)
END
[ ! -s difference ]
report 'the truth is in the range' difference

# A row of few accesses, of a line that is in the sample: its misses are
# estimated to be more than its accesses.
{
  echo 'thread_start 1 0 1'
  for i in $(seq 40); do
    echo "bbdef [$((0x400000 + 4 * i))+4] [R8@0]"
    echo "context $((i - 1)) [0x400000]"
  done
  for i in $(seq 40); do
    echo "bbrun $((i - 1)) 1 [$((0x10000 + 64 * i))]"
  done
  echo end
} | assemble once
run dg reuse --json --by=instruction --approx=0.3 once
holds 'all(row["miss_share"] <= 1 for row in r["rows"])' \
  'any(row["cold"] > row["accesses"] for row in r["rows"])'

# The same for any number of workers, of both forms.
for form in log log.dgz; do
  for options in '' '--json' '--per-thread --json' '--approx=0.1 --json' \
    '--interval=100 --by=variable' '--mrc --by=thread'; do
    dg reuse -j1 $options $form > one
    in_turn 2 8
    for jobs in "${chosen[@]}"; do
      run dg reuse -j$jobs $options $form
      diff one stdout > difference
      report 'the same as with -j1' difference
    done
  done
done

# The lines that are far most often, and who comes back to them.
run dg reuse --worst=2 --far=1 --json log
python3 - << 'END' > difference
import json
worst = json.load(open('stdout'))['worst']
if len(worst) != 2 or worst[0]['far'] < worst[1]['far'] \
   or not 0x10000 <= int(worst[0]['address'], 16) < 0x10100:
    print(worst)
END
[ ! -s difference ]
report 'the hot lines are far most often' difference
run dg reuse --worst=0 --json log
[ -z "$(grep '"worst"' stdout)" ]
report 'no lines with --worst=0' stdout

# Nothing, little, and what was cut off.
assemble empty < /dev/null
assemble one << 'END'
bbdef [0x400000+4] [R4@0]
context 0 [0x400000]
bbrun 0 1 [0x1000]
END
head -c 30000 log > cut
run dg reuse --json empty
status 0
[ "$(grep -c '"accesses": 0,' stdout)" = 1 ]
report 'no accesses' stdout
run dg reuse --json one
status 0
[ "$(grep -c -e '"accesses": 1,' -e '"cold": 1,' -e '"histogram": \[\]' \
  stdout)" -ge 3 ]
report 'one access, cold' stdout
run dg reuse --json log --events=user:nobody
status 0
[ "$(grep -c '"accesses": 0,' stdout)" = 1 ]
report 'no accesses' stdout
run dg reuse --json cut
status 1
grep -q '"accesses": [1-9]' stdout
report 'as far as it goes' stdout

# Wrong options.
for wrong in --line-size=48 --line-size=8 --lines=0 --lines=, --lines=a \
  --lines=$(seq -s, 64) --far=0 --approx=0 --approx=2 --approx=nan --by=x; do
  run dg reuse $wrong log
  status 2
  no_out
done
finish
