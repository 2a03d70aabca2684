"""A made-up run that allocates, and what `dg heap` must tell of it.

heap_model.py make SEED OUT-TEXT OUT-MODEL < NM
    the run in dgasm's language, and all of its states; NM: addresses and names
    of its functions, of 64 bytes each, of which `main` is the outermost
heap_model.py check MODEL [OPTION=VALUE...] < MASSIF
    compares a file of `dg heap` with it, of these options

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import random
import sys

MALLOC, REALLOC, FREE = 1, 3, 11


class Run:
    """The text of a log, and the states of the heap behind each event."""

    def __init__(self, functions):
        self.functions, self.lines, self.states = functions, [], []
        self.live = {}           # address -> (asked for, usable, stack)
        self.icount = self.number = 0
        self.place = 0x100000

    def remember(self):
        # Who has nothing any more is still in trees.
        sums = dict.fromkeys(self.states[-1]['sums'] if self.states else [], 0)
        for size, _, stack in self.live.values():
            key = ' '.join(map(str, stack[1:]))
            sums[key] = sums.get(key, 0) + size
        self.states.append({
            'icount': self.icount, 'sums': sums,
            'heap': sum(b[0] for b in self.live.values()),
            'slack': sum(b[1] - b[0] for b in self.live.values()),
            'blocks': len(self.live)})

    def stack(self):
        inner = random.choices([n for n in self.functions if n != 'main'],
                               k=random.randrange(0, 5))
        return [self.functions[n] + random.randrange(60)
                for n in ['malloc'] + inner + ['main', 'start']]

    def allocate(self, allocator=MALLOC, old=0):
        size = random.choice([0, 1, 24, 100, 1000, random.randrange(5000)])
        usable = (size + 15) // 16 * 16 + 8
        stack = self.stack()
        self.number += 1
        self.lines.append('malloc_block 0x%x %d [%s]' % (
            self.place, size, ' '.join(map(str, stack))))
        self.lines.append('heap_alloc %d 1 %d %d 0 %d' % (
            self.number, allocator, usable, old))
        self.live[self.place] = (size, usable, stack)
        self.place += 0x2000
        self.remember()

    def free(self, address, allocator=FREE):
        self.number += 1
        self.lines.append('free_block 0x%x' % address)
        self.lines.append('heap_free %d 1 %d [%d]' % (
            self.number, allocator, self.functions['main']))
        del self.live[address]

    def step(self):
        what = random.random()
        if what < 0.5 or not self.live:
            self.allocate()
        elif what < 0.85:
            self.free(random.choice(list(self.live)))
            self.remember()
        else:
            old = random.choice(list(self.live))
            self.free(old, REALLOC)
            self.allocate(REALLOC, old)
        for _ in range(random.randrange(3)):
            self.lines.append('bbrun 0 2 [0x1000]')
            self.icount += 2


def make(seed, text, model):
    random.seed(seed)
    functions = {}
    for line in sys.stdin:
        address, _, name = line.split()
        functions[name] = int(address, 16)
    run = Run(functions)
    run.remember()
    for _ in range(random.choice([0, 1, 5, 90, 400, 1500])):
        run.step()
    with open(text, 'w', encoding='utf-8') as f:
        f.write('bbdef [0x%x+3 0x%x+5] [R4@0]\n' % (functions['main'],
                                                   functions['main'] + 3))
        f.write('context 0 [0x%x]\n' % functions['main'])
        f.write('\n'.join(run.lines) + '\nend why=0 exit_code=0\n')
    with open(model, 'w', encoding='utf-8') as f:
        json.dump({'functions': functions, 'states': run.states}, f)


# ---- What the file says ---------------------------------------------------

def read_tree(lines):
    """(children, bytes, label, nodes) of the next line and those below."""
    words = next(lines).lstrip().split(' ', 2)
    return (int(words[1]), words[2],
            [read_tree(lines) for _ in range(int(words[0][1:-1]))])


def read(lines):
    """The snapshots of a file of Massif's, as dictionaries."""
    snapshots = []
    for line in lines:
        key, _, value = line.partition('=')
        if key == 'snapshot':
            snapshots.append({})
        elif key == 'heap_tree':
            snapshots[-1]['kind'] = value
            if value != 'empty':
                snapshots[-1]['tree'] = read_tree(lines)
        elif snapshots and not line.startswith('#'):
            snapshots[-1][key] = int(value)
    return snapshots


class Checker:
    """What the model expects, with the options that were given."""

    def __init__(self, model, options):
        self.options = options
        self.names = {a: n for n, a in model['functions'].items()}
        self.states = model['states']
        self.admin = int(options.get('heap-admin', 8))
        before = moved = 0
        for state, after in zip(self.states, self.states[1:] + [None]):
            state['extra'] = state['slack'] + self.admin * state['blocks']
            state['total'] = state['heap'] + state['extra']
            moved += abs(state['total'] - before)
            before = state['total']
            # A peak is told when something is freed, as it was before.
            state['times'] = [moved, moved]
            if 'time-unit' not in options:
                state['times'] = [s['icount'] for s in (state, after or state)]

    def name(self, address):
        return self.names[address // 64 * 64]

    def frames(self, stack):
        """What is left of a stack that a tree has."""
        frames = [int(a) for a in stack.split()]
        alloc = ['malloc', self.options.get('alloc-fn')]
        while frames and self.name(frames[0]) in alloc:
            frames.pop(0)
        names = [self.name(a) for a in frames]
        frames = frames[:names.index('main') + 1]
        return frames[:int(self.options.get('depth', 30))]

    def tree(self, state):
        """A node: bytes by address, and what is below."""
        def node():
            return [0, collections.defaultdict(node)]
        top = node()
        for stack, n in state['sums'].items():
            at = top
            at[0] += n
            for address in self.frames(stack):
                at = at[1][address]
                at[0] += n
        return top

    def compare_tree(self, node, tree):
        """Of threshold 0: nothing is merged."""
        assert node[0] == tree[0], (node, tree)
        order = sorted(tree[1].items(), key=lambda i: (-i[1][0], i[0]))
        labels = ['0x%X: %s ' % (a, self.name(a)) for a, _ in order]
        assert len(labels) == len(node[2]), (labels, node)
        for label, child, below in zip(labels, node[2], order):
            assert child[1].startswith(label), (label, child)
            self.compare_tree(child, below[1])

    def compare_merged(self, node, least):
        """Sums are kept, nothing small is left, the most comes first."""
        bytes_, label, children = node
        assert not children or bytes_ == sum(c[0] for c in children), node
        sizes = [c[0] for c in children]
        merged = [c for c in children if c[1].startswith('in ')]
        assert sizes == sorted(sizes, reverse=True), node
        assert len(merged) <= 1, node
        assert all(c[0] >= least or c in merged for c in children), node
        for child in children:
            self.compare_merged(child, least)

    def is_of(self, snapshot, state):
        return (snapshot['mem_heap_B'] == state['heap']
                and snapshot['mem_heap_extra_B'] == state['extra']
                and state['times'][0] <= snapshot['time'] <= state['times'][1])

    def is_alike(self, snapshot, state):
        """Is it of this state, and of no other with the same sums?"""
        if not self.is_of(snapshot, state):
            return False
        share = float(self.options.get('threshold', 1))
        if snapshot['kind'] == 'empty':
            return True
        try:
            if share == 0:
                self.compare_tree(snapshot['tree'], self.tree(state))
            else:
                self.compare_merged(snapshot['tree'], max(
                    int(state['total'] * share / 100), 1))
        except AssertionError:
            return False
        return True

    def compare(self, snapshots):
        """Each of them is a state, in the same order."""
        at = 0
        limit = int(self.options.get('max-snapshots', 100))
        assert len(snapshots) < limit + ('exact-peak' in self.options)
        for s in snapshots:
            while not self.is_alike(s, self.states[at]):
                at += 1
                assert at < len(self.states), ('no such state', s)
        most = max(s['total'] for s in self.states)
        peaks = [s for s in snapshots if s['kind'] == 'peak']
        assert len(peaks) <= 1
        if 'exact-peak' in self.options and most:
            assert most == peaks[0]['mem_heap_B'] + peaks[0]['mem_heap_extra_B']


def check(model, options):
    with open(model, encoding='utf-8') as f:
        checker = Checker(json.load(f), dict(
            (o.partition('=')[0], o.partition('=')[2]) for o in options))
    lines = iter(sys.stdin.read().splitlines())
    assert next(lines).startswith('desc: ')
    assert next(lines) == 'cmd: p'
    assert next(lines) == 'time_unit: ' + checker.options.get('time-unit', 'i')
    checker.compare(read(lines))


if sys.argv[1] == 'make':
    make(int(sys.argv[2]), *sys.argv[3:5])
else:
    check(sys.argv[2], sys.argv[3:])
