# dg-calls.sh: calls, what they cost, who makes them, and pictures of them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

calls_program

# run_of SEED NAME: a made-up run and what it comes to.
run_of ()
{
  python3 "$abs_srcdir/cli/analyse/calls_model.py" "$1" body model < symbols
  {
    echo 'process 42 1 7 8 4096 64 0 30 "1" "3.19.0" "amd64" "prog" "/" ["p"]'
    echo "text_avma $text \"$PWD/prog\""
    echo "module $text 0x140 0 [] \"\""
    cat body
  } > "$2.text"
  assemble "$2" < "$2.text"
}

check_model ()
{
  python3 - << 'END' > difference 2>&1
import json
told, model = json.load(open('stdout')), json.load(open('model'))
for key in 'calls', 'instructions', 'accesses', 'deepest':
    if told[key] != model[key]:
        print(key, told[key], model[key])
ours = {r['function']: [r[k] for k in (
    'calls', 'inclusive_instructions', 'self_instructions',
    'inclusive_accesses', 'self_accesses', 'longest')] for r in told['rows']}
edges = {e['caller'] + '>' + e['callee']: [e[k] for k in (
    'calls', 'inclusive_instructions', 'inclusive_accesses')]
    for e in told['edges']}
for name, a, b in ('rows', ours, model['rows']), ('edges', edges,
                                                 model['edges']):
    for key in sorted(set(a) | set(b)):
        if a.get(key) != b.get(key):
            print(name, key, a.get(key), b.get(key))
folded = dict(line.rstrip('\n').rsplit(' ', 1) for line in open('folded'))
if {k: int(v) for k, v in folded.items()} != model['folded']:
    print('folded stacks differ')
if list(folded) != sorted(folded, key=lambda k: k.split(';')):
    print('folded stacks are not in order')
END
  [ ! -s difference ]
}

# Each thread has its own time only, and the process its number.
check_firefox ()
{
  python3 - << 'END' > difference 2>&1
import json
told, profile = json.load(open('stdout')), json.load(open('fox'))
own = {}
for t in profile['threads']:
    samples, names = t['samples'], t['stringArray']
    weights = samples['weight']
    if t['pid'] != '42':
        print('process', t['pid'])
    if samples['threadCPUDelta'] != [0] + weights[:-1]:
        print('thread', t['tid'], samples)
    for stack, weight in zip(samples['stack'], weights):
        if stack is not None:
            name = names[t['stackTable']['frame'][stack]]
            own[name] = own.get(name, 0) + weight
if profile['meta']['sampleUnits']['threadCPUDelta'] != 'ns':
    print(profile['meta'])
for r in told['rows']:
    if own.get(r['function'], 0) != r['self_instructions']:
        print(r['function'], own.get(r['function']), r['self_instructions'])
END
  [ ! -s difference ]
}

for seed in 1 2 3; do
  run_of $seed log
  dg pack log -o log.dgz
  for form in log log.dgz; do
    run dg calls --json --edges --folded=folded $form
    check_model
    report "calls of seed $seed are as they were made" difference stderr
  done
  run dg calls --json --firefox=fox log
  check_firefox
  report "the processor time of seed $seed is in the Firefox Profiler's file" \
    difference stderr
done

# The same for any number of workers, as text and as JSON, and in files.
all='--edges --outliers --interval=500 --folded=f --dot=d --chrome=c --spans=99'
for options in '' '--json' '--inlined' '--threads=2' '--instructions=90..900' \
  '--sort=calls' '--events=fn:beta'; do
  dg calls -j1 $all $options log.dgz > one
  cat f d c > files
  in_turn 2 8
  for jobs in "${chosen[@]}"; do
    run dg calls -j$jobs $all $options log.dgz
    cat f d c | diff files - > difference && diff one stdout >> difference
    report 'the same as with -j1' difference
  done
done
grep -q 'digraph calls' d && grep -q 'n0 -> n' d
report 'the graph has edges' d

# Over time: calls of a thread are within each other; all are there if that
# is asked for.
run dg calls --json --chrome=trace log
status 0
python3 - << 'END' > difference 2>&1
import json
told, trace = json.load(open('stdout')), json.load(open('trace'))
events = trace['traceEvents']
spans = [e for e in events if e['ph'] == 'X']
if len(spans) != told['calls']:
    print(len(spans), 'spans of', told['calls'], 'calls')
for tid in {e['tid'] for e in spans}:
    open_until, last = [], 0
    for e in (e for e in spans if e['tid'] == tid):
        start, end = round(e['ts'] * 1000), round((e['ts'] + e['dur']) * 1000)
        if start < last:
            print('not in order', e)
        last = start
        while open_until and open_until[-1] <= start:
            open_until.pop()
        if open_until and open_until[-1] < end:
            print('not within another', e, open_until)
        open_until.append(end)
names = {e['tid'] for e in events if e['name'] == 'thread_name'}
if names != {1, 2, 3}:
    print('threads', names)
END
[ ! -s difference ]
report 'the trace is JSON whose calls nest' difference
run dg calls --chrome=trace --shortest=30 log
python3 -c '
import json
spans = [e for e in json.load(open("trace"))["traceEvents"] if e["ph"] == "X"]
assert spans and all(round(e["dur"] * 1000) >= 30 for e in spans)'
report 'short calls are left out' stderr
out_has 'calls of less than 30 instructions are omitted'

run dg calls --chrome=trace --clock log
status 2
err_has 'the log has no clock'

# With a clock, events, heap blocks and a name that needs care.
sed 's/^end .*/clock 500000/' log.text > clocked
cat >> clocked << 'END'
start_event "a \"name\"\\ \n"
malloc_block 0x9000 0x40 [0x400000]
end_event "a \"name\"\\ \n"
end why=0 exit_code=0
END
assemble clocked.log < clocked
run dg calls --chrome=- --clock clocked.log
status 0
python3 - << 'END' > difference 2>&1
import json
events = json.load(open('stdout'))['traceEvents']
begin, = [e for e in events if e['ph'] == 'b']
end, = [e for e in events if e['ph'] == 'e']
if begin['name'] != 'a "name"\\ \n' or begin['id'] != end['id']:
    print(begin, end)
heap = [e['args']['bytes'] for e in events if e['ph'] == 'C']
if heap[-1] != 64:
    print('heap', heap)
if max(e['ts'] for e in events if 'ts' in e) > 500:
    print('later than the end')
END
[ ! -s difference ]
report 'events, heap and time are in the trace' difference

# What a strict reader asks of the times, with a clock and without.
for options in '' '--clock'; do
  run dg calls --chrome=trace $options clocked.log
  status 0
  python3 - << 'END' > difference 2>&1
import json
events = json.load(open('trace'))['traceEvents']
for e in events:
    for key in 'ts', 'dur':
        if key in e and (type(e[key]) is not int or e[key] < 0):
            print('no whole number', e)
for tid in {e['tid'] for e in events}:
    around, last = [], 0
    for e in events:
        if e['ph'] != 'X' or e['tid'] != tid:
            continue
        if e['ts'] < last:
            print('not in order', e)
        last = e['ts']
        while around and around[-1] <= e['ts']:
            around.pop()
        if around and around[-1] < e['ts'] + e['dur']:
            print('crosses another', e)
        around.append(e['ts'] + e['dur'])
waiting = {}
for e in events:
    if e['ph'] == 'b':
        waiting[e['id']] = e
    elif e['ph'] == 'e' and waiting.pop(e['id'])['ts'] > e['ts']:
        print('ends before it begins', e)
if waiting:
    print('no end', waiting)
END
  [ ! -s difference ]
  report "times are whole, calls nest $options" difference
done

# Between two steps of the heap's curve it had fifty times as much, and less.
{
  echo 'bbdef [0x400000+4] []'
  echo 'context 0 [0x400000]'
  echo 'malloc_block 0x1000 100000 [0x400000]'
  for i in $(seq 1 2000); do
    echo 'bbrun 0 1 []'
  done
  echo 'malloc_block 0x900000 4900000 [0x400000]'
  echo 'bbrun 0 1 []'
  echo 'free_block 0x900000'
  for i in $(seq 1 2000); do
    echo 'bbrun 0 1 []'
  done
  echo 'free_block 0x1000'
  echo 'malloc_block 0x1000 100000 [0x400000]'
  for i in $(seq 1 5000); do
    echo 'bbrun 0 1 []'
  done
  echo 'end why=0 exit_code=0'
} > peaks
assemble peaks.log < peaks
run dg calls --chrome=trace peaks.log
status 0
python3 -c '
import json
heap = [(e["ts"], e["args"]["bytes"])
        for e in json.load(open("trace"))["traceEvents"] if e["ph"] == "C"]
assert [b for t, b in heap] == [100000, 5000000, 100000, 0, 100000], heap
assert heap == sorted(heap, key=lambda h: h[0]), heap
assert heap[1][0] == 2000, heap' > difference 2>&1
report 'peaks and gaps of the heap within a step are there' difference
# Blocks of a damaged log are larger than any memory.
assemble large.log << 'END'
process 42 1 7 8 4096 64 0 30 "1.0" "3.19" "amd64" "/exe" "/cwd" ["exe"]
thread_start 1 0 42
bbdef [0x400000+3] [R4@0]
context 0 [0x400000]
malloc_block 0x1000 0x7fffffffffffffff [0x400000]
bbrun 0 1 [0x1000]
malloc_block 0x2000 0x7fffffffffffffff [0x400000]
bbrun 0 1 [0x1000]
free_block 0x1000
malloc_block 0x1000 0x8000000000000000 [0x400000]
bbrun 0 1 [0x1000]
free_block 0x1000
end why=0 exit_code=0
END
run dg calls --chrome=trace large.log
status 0
no_err

# Who calls whom.
run dg calls --callers=beta --top=2 log
out_has 'Callers of beta'
run dg calls --callers=betta log
out_has "no function named betta was called; did you mean 'beta'?"
run dg calls --json --callees=main log
python3 -c '
import json
told = json.load(open("stdout"))["callees"]
assert told and {e["caller"] for e in told} == {"main"}'
report 'only what it calls' stdout

# Intervals add up.
run dg calls --json --interval=500 log
python3 -c '
import json
told = json.load(open("stdout"))
for key in "calls", "instructions", "accesses":
    assert sum(i[key] for i in told["intervals"]) == told[key], key
assert max(i["deepest"] for i in told["intervals"]) == told["deepest"]
assert len(told["intervals"]) == -(-told["instructions"] // 500)'
report 'intervals add up to all' stderr stdout

# Nothing to tell of.
grep -v '^bbrun' log.text > none.text
assemble none < none.text
echo 'process 1 1 7 8 4096 64 0 8 "1" "3" "amd64" "p" "/" ["p"]' > empty.text
assemble empty < empty.text
head -c 3000 log > cut
for options in 'none' 'empty' 'cut' '--events=fn:nobody log' \
  '--ranges=malloc log' '--threads=9 log'; do
  dg calls -j1 --json $all $options > one 2> errors
  run dg calls --json -j2 $all $options
  [ $exit_status -le 1 ] && cmp one stdout
  report 'the same with -j2' stderr
done
run dg calls empty
status 1
run dg calls none
status 0
out_has 'Calls                  0'
# Contexts of one block and one path, which archives cannot have, and contexts
# without a stack: packing them changes nothing that is told.
site ()
{
  printf '0x%x' $((text + 64 * $1 + 9))
}
assemble odd << END
process 42 1 7 8 4096 64 0 254 "1" "3.19.0" "amd64" "prog" "/" ["p"]
text_avma $text "$PWD/prog"
module $text 0x140 0 [] ""
bbdef [$text+3 $((text + 3))+1] []
bbdef [$((text + 64))+3 $((text + 67))+1] []
context 0 [$text $(site 1) $(site 2)]
context 0 [$text $(site 1) $(site 2)]
context 1 []
context 0 [$((text + 1)) $(site 1) $(site 2)]
bbrun 0 2 []
bbrun 1 2 []
bbrun 2 2 []
bbrun 3 2 []
end
END
run dg calls --folded=folded odd
status 0
run dg pack -o odd.dgz odd
status 0
run dg calls --folded=folded.z odd.dgz
status 0
run cmp folded folded.z
status 0
run cat folded
out << END
beta 2
gamma;beta;alpha 6
END
# What would change nothing is refused.
for option in --spans=5 --shortest=30; do
  run dg calls $option log
  status 2
  no_out
  err_has ' needs --chrome'
done
run dg calls --weight=reads log
status 2
err_has '--weight=reads needs --folded or --pprof'

# Cycles and misses by the time model: those of dg time in all, and of each
# function and each path.
check_times ()
{
  python3 - << 'END' > difference 2>&1
import json
told, time = json.load(open('stdout')), json.load(open('time'))
keys = 'cycles', 'memory_cycles', 'l1_misses', 'l2_misses', 'l3_misses'
for key in keys:
    if not told[key] == time[key] == sum(r['self_' + key]
                                         for r in told['rows']):
        print(key, told[key], time[key])
    for r in told['rows']:
        if not r['inclusive_' + key] <= told[key]:
            print(r)
own = {}
for r in time['rows']:
    name = r['function'], r['module']
    own[name] = [a + r[k] for a, k in zip(own.get(name, [0] * 5), keys)]
for r in told['rows']:
    if [r['self_' + k] for k in keys] != own.get((r['function'],
                                                  r['module'])):
        print(r, own.get((r['function'], r['module'])))
folded = [line.rsplit(' ', 1) for line in open('folded')]
if sum(int(n) for _, n in folded) != told[open('key').read().strip()]:
    print('folded', folded)
END
  [ ! -s difference ]
}

for weight in cycles memory-cycles l1-misses l2-misses l3-misses; do
  echo $weight | tr - _ > key
  for inlined in '' --inlined; do
    dg time --json log > time
    # shellcheck disable=SC2086
    run dg calls --json --weight=$weight --folded=folded $inlined log.dgz
    status 0
    err_has 'no debug information'
    check_times
    report "$weight $inlined are those of dg time" difference stderr
  done
done
all='--edges --outliers --interval=500 --folded=f --dot=d --chrome=c
  --speedscope=s --firefox=x --perfetto=p'
for options in '' '--json' '--inlined' '--threads=2' '--sample=2' \
  '--machine=skylake' '--sort=inclusive'; do
  # shellcheck disable=SC2086
  dg calls -j1 --weight=cycles $all $options log.dgz > one
  cat f d c s x p > files
  # shellcheck disable=SC2086
  run dg calls -j4 --weight=cycles $all $options log.dgz
  cat f d c s x p | diff -a files - > difference
  diff one stdout >> difference
  report 'cycles are the same as with -j1' difference
done
# A profile for pprof has the stacks and the weights of folded ones, by its
# profile.proto, and all weights.
cat > read_pprof.py << 'END'
import sys
def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return number, at
def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value
def numbers(data):
    at = 0
    while at < len(data):
        number, at = varint(data, at)
        yield number
profile = list(fields(open(sys.argv[1], 'rb').read()))
texts = [value.decode() for field, value in profile if field == 6]
types = [texts[dict(fields(value))[1]] for field, value in profile if field == 1]
functions = {}
for field, value in profile:
    if field == 5:
        function = dict(fields(value))
        functions[function[1]] = texts[function[2]]
locations = {}
for field, value in profile:
    if field == 4:
        location = dict(fields(value))
        locations[location[1]] = functions[dict(fields(location[4]))[1]]
assert texts[0] == '' and types[0] == 'instructions', types
wanted = types.index(sys.argv[2])
assert [value for field, value in profile if field == 14] \
    == [texts.index(sys.argv[2])]
for field, value in profile:
    if field == 2:
        sample = dict(fields(value))
        n = list(numbers(sample[2]))[wanted]
        if n > 0:
            print(';'.join(locations[i].replace(';', ':')
                           for i in reversed(list(numbers(sample[1])))), n)
END
for weight in instructions accesses reads writes bytes cycles l1-misses; do
  for inlined in '' --inlined; do
    # shellcheck disable=SC2086
    dg calls $inlined --weight=$weight --folded=f --pprof=p log.dgz > stdout &&
      python3 read_pprof.py p $weight > samples 2>&1
    sort samples | LC_ALL=C diff <(sort f) - > difference
    [ -s f ] && [ ! -s difference ]
    report "pprof, $weight $inlined: the stacks that are folded" difference
  done
done
run dg calls --json --weight=cycles --firefox=x --speedscope=s --chrome=c log
python3 - << 'END' > difference 2>&1
import json
told = json.load(open('stdout'))
n = sum(w for t in json.load(open('x'))['threads']
        for w in t['samples']['weight'])
if n != told['cycles']:
    print('Firefox', n, told['cycles'])
for p in json.load(open('s'))['profiles']:
    at = [e['at'] for e in p['events']]
    if p['unit'] != 'none' or at != sorted(at) or at[-1] != p['endValue']:
        print('speedscope', p)
spans = [e for e in json.load(open('c'))['traceEvents'] if e['ph'] == 'X']
if not spans or any('cycles' not in e['args'] for e in spans):
    print('Chrome', spans)
END
[ ! -s difference ]
report 'files over time have cycles' difference
run dg calls --weight=cycles --machine=abacus log
status 2
err_has abacus

# In a comparison, and as its limit.
run dg diff calls --weight=cycles --json log log
status 0
holds '[f["change"] for f in r["figures"] if f["figure"] == "cycles"] == [0]'
run dg diff calls --weight=cycles '--fail-if=cycles>+1%' log log
status 0
run dg diff time '--fail-if=cycles>+1%' log log
status 0

finish
