# calls_model.py SEED OUT-TEXT OUT-JSON < NM: a made-up run of functions that
# call each other, as a log in dgasm's language, and what "dg calls" must tell
# of it.  NM: addresses and names of the functions, of 64 bytes each.
#
# A function's blocks, by offset:
#    0  A  calls;  or L, a leaf that returns;  or T, jumps to another function
#          behind it
#    9  B  behind the call, jumps over the next one or does not
#   15  C  calls
#   24  D  behind the call, and where B jumps to; returns
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import collections
import json
import random
import sys

random.seed(int(sys.argv[1]))
functions = []
for line in sys.stdin:
    address, _, name = line.split()
    functions.append((name, int(address, 16)))
SHAPES = {  # instructions (offset, size), then accesses
    'A': ([(0, 4), (4, 5)], 'W8@1'),
    'L': ([(0, 4), (28, 1)], 'R4@0 R8@1'),
    'T': ([(0, 4), (40, 5)], 'R4@0'),
    'B': ([(9, 4), (13, 2)], 'R4@0'),
    'C': ([(15, 4), (19, 5)], 'W8@1'),
    'D': ([(24, 3), (27, 1)], 'W4@0 R8@1'),
}
text, blocks, contexts = [], {}, {}
calls = collections.Counter()
own = collections.defaultdict(lambda: [0, 0])
whole = collections.defaultdict(lambda: [0, 0])
edges = collections.defaultdict(lambda: [0, 0, 0])
longest = collections.Counter()
folded = collections.Counter()
deepest = 0


class Thread:
    def __init__(self):
        self.done = [0, 0]
        self.stack = []      # (function, done before, jumped)
        self.path = ()


def enter(thread, function, jumped=False):
    global deepest
    if thread.stack:
        edges[thread.stack[-1][0], function][0] += 1
    calls[function] += 1
    thread.stack.append((function, list(thread.done), jumped))
    deepest = max(deepest, len(thread.stack))


def leave(thread):
    function, before, jumped = thread.stack.pop()
    cost = [a - b for a, b in zip(thread.done, before)]
    longest[function] = max(longest[function], cost[0])
    if function not in [f for f, _, _ in thread.stack]:
        whole[function] = [a + b for a, b in zip(whole[function], cost)]
    if thread.stack:
        edge = (thread.stack[-1][0], function)
        pairs = zip(thread.stack, thread.stack[1:])
        if edge not in [(a[0], b[0]) for a, b in pairs]:
            edges[edge][1] += cost[0]
            edges[edge][2] += cost[1]
    if jumped:
        leave(thread)


def block(thread, function, shape):
    """A run of it; the site of the call that it ends with."""
    name, base = functions[function]
    instrs, accesses = SHAPES[shape]
    key = (function, shape)
    if key not in blocks:
        blocks[key] = len(blocks)
        text.append('bbdef [%s] [%s]' % (' '.join(
            '%#x+%d' % (base + o, s) for o, s in instrs), accesses))
    start = base + instrs[0][0]
    context = (blocks[key],) + thread.path
    if context not in contexts:
        contexts[context] = len(contexts)
        text.append('context %d [%s]' % (blocks[key], ' '.join(
            '%#x' % a for a in (start,) + thread.path)))
    n = len(accesses.split())
    text.append('bbrun %d %d [%s]' % (
        contexts[context], len(instrs), ' '.join(['0x7000'] * n)))
    for i, cost in enumerate((len(instrs), n)):
        thread.done[i] += cost
        own[function][i] += cost
    # By call paths, which have no jumps.
    names = [functions[(a - functions[0][1]) // 64][0]
             for a in reversed(thread.path)] + [name]
    folded[';'.join(names)] += len(instrs)
    return base + instrs[-1][0] + instrs[-1][1] - 1


def call(thread, site, depth):
    """One that the block which ended at site makes."""
    before = thread.path
    if site in before:
        thread.path = before[before.index(site):]
    else:
        thread.path = (site,) + before
    yield from function(thread, random.randrange(len(functions)), depth + 1)
    thread.path = before


def function(thread, number, depth, jumped=False):
    """Each step is a run."""
    enter(thread, number, jumped)
    shape = random.choice('AAALLT' if depth < 9 else 'L')
    if depth > 0 and shape == 'T' and number + 1 < len(functions):
        block(thread, number, 'T')
        yield
        yield from function(
            thread, random.randrange(number + 1, len(functions)), depth, True)
        return
    if depth == 0:
        shape = 'A'
    if shape != 'A':
        block(thread, number, 'L')
        yield
    # The outermost does so again and again.
    while shape == 'A':
        site = block(thread, number, 'A')
        yield
        yield from call(thread, site, depth)
        block(thread, number, 'B')
        yield
        if random.random() < 0.5:
            site = block(thread, number, 'C')
            yield
            yield from call(thread, site, depth)
        block(thread, number, 'D')
        yield
        if depth > 0:
            break
    leave(thread)


threads = [Thread() for _ in range(3)]
running = [function(t, i % len(functions), 0) for i, t in enumerate(threads)]
for i in range(3):
    text.append('thread_start %d %d %d' % (i + 1, min(i, 1), 100 + i))
text.append('thread_switch 1')
current = 0
for _ in range(3000):
    if random.random() < 0.02:
        current = random.randrange(3)
        text.append('thread_switch %d' % (current + 1))
    next(running[current])
for thread in threads:
    while thread.stack:
        leave(thread)
with open(sys.argv[2], 'w') as out:
    out.write('\n'.join(text) + '\nend why=0 exit_code=0\n')
with open(sys.argv[3], 'w') as out:
    json.dump({
        'deepest': deepest, 'calls': sum(calls.values()),
        'instructions': sum(t.done[0] for t in threads),
        'accesses': sum(t.done[1] for t in threads),
        'rows': {functions[f][0]: [calls[f], whole[f][0], own[f][0],
                                   whole[f][1], own[f][1], longest[f]]
                 for f in calls},
        'edges': {functions[a][0] + '>' + functions[b][0]: e
                  for (a, b), e in edges.items()},
        'folded': dict(folded),
    }, out)
