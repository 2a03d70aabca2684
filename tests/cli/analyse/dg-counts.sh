# dg-counts.sh: instructions, reads, writes and bytes, against plain counting.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# Output as it is, of a log that has a bit of everything.
assemble_small small
run dg counts --by=thread small
status 0
no_err
out << 'END'
Log        small
Command    prog 'two words' 'it'\''s'

Instructions                   8
Reads                          5
Writes                         2
Bytes read                  44 B
Bytes written               16 B
Reads by the kernel            1
Writes by the kernel           0
Accesses per instruction    0.88
Reads of these            71.4 %
Bytes per access            8.57

By thread, of all accesses
                                                       Per
  Share  Instructions  Reads  Writes  Read  Written  instr  Thread
100.0 %             8      5       2  44 B     16 B   0.88  thread 1 (main)

What one thread does: --threads=N --by=function.  Whether threads slow each
other down: dg sharing.
END

# Blocks that are left early, accesses that are not made, long ones, threads.
cat > make.py << 'END'
import collections, json, random, sys
random.seed(int(sys.argv[1]))
text = ['process 42 1 7 8 4096 64 0 8 "1" "3" "amd64" "/bin/p" "/" ["p"]',
        'thread_start 1 0 7', 'thread_start 2 1 8', 'thread_start 3 1 9']
blocks = []
for i in range(6):
    n = random.randrange(1, 7)
    instrs = [0x400000 + 64 * i + 4 * k for k in range(n)]
    accesses = sorted((random.randrange(n), random.choice('RW'),
                       random.choice((1, 2, 4, 8, 32, 600)))
                      for _ in range(random.randrange(5)))
    blocks.append((instrs, accesses))
    text.append('bbdef [%s] [%s]' % (
        ' '.join('%#x+4' % a for a in instrs),
        ' '.join('%s%d@%d' % (k, s, q) for q, k, s in accesses)))
    text.append('context %d [%#x]' % (i, instrs[0]))
    text.append('context %d [%#x 0x401000]' % (i, instrs[0]))
runs, thread, icount = [], 1, 0
for _ in range(2500):
    if random.random() < 0.03:
        thread = random.randrange(1, 4)
        text.append('thread_switch %d' % thread)
    context = random.randrange(12)
    instrs, accesses = blocks[context // 2]
    n = len(instrs) if random.random() < 0.8 else random.randrange(
        1, len(instrs) + 1)
    reached = [a for a in accesses if a[0] < n]
    # The last instruction may not have made all of its accesses.
    while reached and reached[-1][0] == n - 1 and random.random() < 0.1:
        reached.pop()
    made, words = [], []
    for q, kind, size in reached:
        address = 0 if random.random() < 0.1 else random.randrange(1, 9) << 12
        if address:
            made.append((q, kind, size))
        words += [address + 255 * k if address else 0
                  for k in range(size // 255 + 1)]
    text.append('bbrun %d %d [%s]' % (context, n, ' '.join(map(hex, words))))
    runs.append((icount, thread, [(instrs[q], [a[1:] for a in made
                                               if a[0] == q])
                                  for q in range(n)]))
    icount += n
text.append('end why=0 exit_code=0')
open('text', 'w').write('\n'.join(text) + '\n')
json.dump(runs, open('runs', 'w'))
END
cat > check.py << 'END'
import collections, json, sys
low, high, threads, by, every = json.loads(sys.argv[1])
told = json.load(open('stdout'))
def new():
    return [0] * 5
total, rows, parts = new(), collections.defaultdict(new), \
    collections.defaultdict(new)
for icount, thread, instrs in json.load(open('runs')):
    for i, (address, accesses) in enumerate(instrs):
        if not low <= icount + i < high or thread not in threads:
            continue
        add = [1, 0, 0, 0, 0]
        for kind, size in accesses:
            add[1 + (kind == 'W')] += 1
            add[3 + (kind == 'W')] += size
        name = thread if by == 'thread' else hex(address)
        for sums in (total, rows[name],
                     parts[(icount + i - low) // every + 1]):
            sums[:] = [a + b for a, b in zip(sums, add)]
keys = 'instructions', 'reads', 'writes', 'read_bytes', 'write_bytes'
if [told[k] for k in keys] != total:
    print('all:', [told[k] for k in keys], total)
column = {'thread': 'thread', 'instruction': 'instruction'}.get(by)
if column:
    ours = {r[column]: [r[k] for k in keys] for r in told['rows']}
    if ours != dict(rows):
        print('rows:', ours, dict(rows))
    order = [r['reads'] + r['writes'] for r in told['rows']]
    if order != sorted(order, reverse=True):
        print('order:', order)
if 'intervals' in told:
    ours = {r['interval']: [r[k] for k in keys] for r in told['intervals']}
    for i in set(ours) | set(parts):
        if ours.get(i, new()) != parts[i]:
            print('interval', i, ours.get(i), parts[i])
END
for seed in 1 2 3; do
  python3 make.py $seed
  assemble log < text
  dg pack log -o log.dgz
  for form in log log.dgz; do
    for by in thread instruction; do
      run dg counts --json --by=$by --interval=700 $form
      python3 check.py "[0, 1e9, [1, 2, 3], \"$by\", 700]" > difference 2>&1
      [ ! -s difference ]
      report "seed $seed: all, rows and intervals" difference stderr
      run dg counts --json --by=$by --instructions=777..3210 \
        --threads=1,3 --interval=333 $form
      python3 check.py "[777, 3210, [1, 3], \"$by\", 333]" > difference 2>&1
      [ ! -s difference ]
      report "seed $seed: filtered" difference stderr
      # Another analysis that needs addresses makes no difference.
      [ $by = instruction ] || continue
      dg counts --json --by=$by $form > alone
      dg counts,patterns --json --by=$by $form |
        python3 -c '
import json, sys
alone = json.load(open("alone"))
both = json.load(sys.stdin)
# What is told of the log stands beside all analyses.
both["counts"]["partial"] = both.pop("partial")
print(both["counts"] == alone)' > same 2>&1
      [ "$(cat same)" = True ]
      report "seed $seed: the same beside another analysis" same
    done
  done
done

# Variables and sites: what is known of them is in no sum twice.
cat > blocks << 'END'
process 42 1 7 8 4096 64 0 8 "1" "3" "amd64" "/bin/p" "/" ["p"]
bbdef [0x400000+4 0x400004+4] [R8@0 W8@0 W4@1]
context 0 [0x400000]
malloc_block 0x2000 0x40 [0x400100 0x400200]
malloc_block 0x3000 0x40 [0x400100 0x400204]
bbrun 0 2 [0x2000 0x2000 0x3000]
bbrun 0 2 [0x2000 0x3000 0x9000]
end why=0 exit_code=0
END
assemble blocks.log < blocks
run dg counts --json --by=site blocks.log
python3 - << 'END' > difference 2>&1
import json
rows = [(r['instructions'], r['reads'], r['writes'], r['read_bytes'],
         r['write_bytes']) for r in json.load(open('stdout'))['rows']]
# An instruction that reads and writes a block is one; one that touches two
# blocks is one of each.
if sorted(rows) != [(1, 0, 1, 0, 4), (2, 0, 2, 0, 12), (2, 2, 1, 16, 8)]:
    print(rows)
END
[ ! -s difference ]
report 'instructions that touched it' difference

# The same for any number of workers.
for options in '' --by=thread --by=function --by=line --by=module \
  --by=instruction --by=variable --by=site '--interval=500 --by=thread'; do
  in_turn '' --json
  for json in "${chosen[@]}"; do
    dg counts -j1 $json $options log.dgz > one
    in_turn 2 8
    for jobs in "${chosen[@]}"; do
      run dg counts -j$jobs $json $options log.dgz
      cmp -s one stdout
      report 'the same as with -j1' stderr
    done
  done
done

# Nothing to count, or little.
grep -v '^bbrun' text > none.text
assemble none < none.text
head -c 5000 log > cut
grep -m1 -n '^bbrun .*0x[1-9]' text | cut -d: -f1 > line
head -n "$(cat line)" text > one.text
assemble one-run < one.text
for options in 'none' 'cut' 'one-run' '--events=fn:nobody log' \
  '--ranges=malloc log' '--threads=9 log' '--instructions=90000..90001 log'; do
  dg counts -j1 --by=line --json --interval=100 $options > one 2> errors
  run dg counts -j2 --by=line --json --interval=100 $options
  [ $exit_status -le 1 ] && cmp -s one stdout
  report 'the same as with -j1' stderr
done
run dg counts none
out_has 'Accesses per instruction    -'
run dg counts --by=colour log
status 2

# Own code has functions and lines.
for options in --mine '--by=thread --program' '--by=module --mine'; do
  run dg counts $options log
  status 2
  err_has '--mine, --program and --script need --by=function, line, variable or site'
done

# What the whole log says comes before what was when; notes are the last.
run dg counts --by=function --interval=700 log
grep -nE '^(By function|Over time|Lines of a function)' stdout | cut -d: -f2 |
  cut -c1-7 | paste -sd, > order
echo 'By func,Over ti,Lines o' | diff - order > difference
report 'tables over time are behind the others' difference
finish
