# cache_model.py: a random log as text, and what caches must say of it, by a
# simulator that is as plain as can be.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   cache_model.py log SEED            the log, for dgasm
#   cache_model.py figures SEED LEVELS POLICY
#
# LEVELS: shapes of I1, D1 and those behind, separated by blanks.  Prints the
# nine figures, then those of each thread: {"all": {...}, "1": {...}, ...}.

import json
import random
import sys


def blocks(rand):
    """Blocks of code: instructions (address, size), accesses (kind, size,
    instruction).  Some lie over lines; some have reads and writes that may be
    modifies."""
    result = []
    for _ in range(40):
        address = 0x400000 + rand.randrange(0, 1 << 15)
        instrs, slots = [], []
        for i in range(rand.randrange(1, 30)):
            size = rand.randrange(1, 16)
            instrs.append((address, size))
            address += size
            for _ in range(rand.choice([0, 0, 1, 1, 2])):
                kind, size = rand.choice('RW'), rand.choice([1, 4, 8, 16, 32])
                slots.append((kind, size, i))
                if kind == 'R' and rand.random() < 0.3:
                    slots.append(('W', size, i))
        result.append((instrs, slots))
    return result


def address(rand):
    kind = rand.randrange(5)
    if kind == 0:
        return 0x10000 + rand.randrange(2000)
    if kind == 1:
        return 0x20000 + 4096 * rand.randrange(40) + rand.randrange(70)
    if kind == 2:
        return 0x7fff0000 - rand.randrange(500)
    if kind == 3:
        return 0                     # guarded, not made
    return 0x100000 + rand.randrange(1 << 18)


def runs(rand, defs):
    """Yields (thread, block, instructions, addresses)."""
    thread = 1
    for i in range(4000):
        if rand.random() < 0.05:
            thread = rand.randrange(1, 4)
        block = rand.randrange(len(defs)) if rand.random() < 0.5 else i % 3
        instrs, slots = defs[block]
        n = len(instrs)
        if rand.random() < 0.1:
            n = rand.randrange(1, n + 1)
        addresses = []
        for j, (kind, size, instr) in enumerate(slots):
            if instr >= n:
                break
            if kind == 'W' and j > 0 and slots[j - 1] == ('R', size, instr) \
                    and rand.random() < 0.8:
                addresses.append(addresses[-1])
            else:
                addresses.append(address(rand))
        yield thread, block, n, addresses


def print_log(seed):
    rand = random.Random(seed)
    defs = blocks(rand)
    print('process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/"'
          ' ["prog"]')
    for thread in 1, 2, 3:
        print('thread_start %d 0 %d' % (thread, 41 + thread))
    for i, (instrs, slots) in enumerate(defs):
        print('bbdef [%s] [%s]' % (
            ' '.join('%#x+%d' % instr for instr in instrs),
            ' '.join('%s%d@%d' % slot for slot in slots)))
        print('context %d [%#x 0x400100]' % (i, instrs[0][0]))
    current = 1
    for i, (thread, block, n, addresses) in enumerate(runs(rand, defs)):
        if i % 97 == 50:
            print('chunk')
        if thread != current:
            print('thread_switch %d' % thread)
            current = thread
        print('bbrun %d %d [%s]' % (block, n,
                                    ' '.join('%#x' % a for a in addresses)))
    print('end why=0 exit_code=0')


class Cache:
    def __init__(self, shape, policy):
        size, self.assoc, self.line = map(int, shape.split(','))
        self.sets = [[] for _ in range(size // self.line // self.assoc)]
        self.policy = policy

    def misses(self, address, size):
        miss = False
        for line in range(address // self.line,
                          (address + size - 1) // self.line + 1):
            lines = self.sets[line % len(self.sets)]
            if line not in lines:
                miss = True
                lines.insert(0, line)
                del lines[self.assoc:]
            elif self.policy == 'lru':
                lines.remove(line)
                lines.insert(0, line)
        return miss


NAMES = 'Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw'.split()


def print_figures(seed, shapes, policy):
    rand = random.Random(seed)
    defs = blocks(rand)
    instr, data, *lower = [Cache(shape, policy) for shape in shapes.split()]
    smallest = min(cache.line for cache in [instr, data] + lower)
    sums = {}

    def count(thread, event, first, address, size):
        levels = [first] + lower
        misses = [0, 0]
        for i, cache in enumerate(levels):
            if not cache.misses(address, size):
                break
            if i == 0:
                misses[0] = 1
            if i == len(levels) - 1:
                misses[1] = 1
        for who in 'all', str(thread):
            row = sums.setdefault(who, dict.fromkeys(NAMES, 0))
            for k, n in enumerate([1] + misses):
                row[NAMES[event + k]] += n

    for thread, block, n, addresses in runs(rand, defs):
        instrs, slots = defs[block]
        made = list(zip(slots, addresses))
        for i in range(n):
            count(thread, 0, instr, *instrs[i])
            for j, ((kind, size, at), address) in enumerate(made):
                if at != i or address == 0:
                    continue
                if kind == 'W' and j > 0 \
                        and made[j - 1] == (('R', size, i), address):
                    continue             # a modify
                count(thread, 3 if kind == 'R' else 6, data, address,
                      min(size, smallest))
    print(json.dumps(sums, sort_keys=True))


if sys.argv[1] == 'log':
    print_log(int(sys.argv[2]))
else:
    print_figures(int(sys.argv[2]), sys.argv[3], sys.argv[4])
