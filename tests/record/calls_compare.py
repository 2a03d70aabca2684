# calls_compare.py CALLGRIND-OUT DG-JSON PATTERN: what callgrind and "dg calls"
# say of each function that both know by one name: calls, and instructions, its
# own and with callees.  Prints "N functions, M of them in cycles" or what
# differs.
#
# In three things they differ.  callgrind does not count the block whose system
# call ends the program: what then is on the stack lacks these instructions.
# Stubs of the procedure linkage
# table are part of their callers to callgrind.  And where a function jumps
# into the middle of another one, callgrind goes on counting for the first: the
# self counts of those that match PATTERN are not compared.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import collections
import json
import re
import sys


def callgrind(path):
    """Own instructions by function; calls and cost by caller and callee; all
    instructions."""
    names, own, edges = {}, collections.Counter(), {}
    function = callee = calls = None

    def name(text):
        number, given = re.match(r'\((\d+)\)(?: (.*))?$', text).groups()
        if given is not None:
            names[number] = re.sub(r"'\d+$", '', given)
        return names[number]

    for line in open(path):
        key, _, value = line.rstrip('\n').partition('=')
        if line.startswith('totals:'):
            total = int(line.split()[1])
        if key == 'fn':
            function = name(value)
        elif key == 'cfn':
            callee = name(value)
        elif key == 'calls':
            calls = int(value.split()[0])
        elif function and line[0] in '0123456789+-*':
            cost = int(line.split()[2])
            if calls is None:
                own[function] += cost
            else:
                old = edges.get((function, callee), (0, 0))
                edges[function, callee] = (old[0] + calls, old[1] + cost)
                calls = None
    return own, edges, total


def reachable(edges):
    out = collections.defaultdict(set)
    for caller, callee in edges:
        out[caller].add(callee)
    result = {}
    for function in list(out):
        seen, todo = set(), list(out[function])
        while todo:
            other = todo.pop()
            if other not in seen:
                seen.add(other)
                todo += out[other]
        result[function] = seen
    return result


own, edges, total = callgrind(sys.argv[1])
told = json.load(open(sys.argv[2]))
lost = told['instructions'] - total
if not 0 <= lost <= 10:
    sys.exit('callgrind counts %d instructions, dg %d'
             % (total, told['instructions']))
pattern = re.compile(sys.argv[3])
stubs = collections.Counter()
for edge in told['edges']:
    if edge['callee'].startswith('???') or edge['callee'].endswith('@plt'):
        stubs[edge['caller']] += edge['inclusive_instructions']
rows = collections.defaultdict(list)
for row in told['rows']:
    rows[row['function']].append(row)
reach = reachable(edges)
equal = cycles = 0
wrong = []
for f in sorted(set(own) | {callee for _, callee in edges}):
    if len(rows[f]) != 1:
        continue
    row = rows[f][0]
    calls = sum(e[0] for (_, b), e in edges.items() if b == f)
    theirs = {'calls': calls}
    # Nobody calls where the program begins.
    ours = {'calls': row['calls'] if calls else 0}
    if not pattern.match(f):
        theirs['self'] = own[f]
        ours['self'] = row['self_instructions'] + stubs[f]
    cycle = {g for g in reach.get(f, ()) if f in reach.get(g, ())}
    if not cycle:
        theirs['inclusive'] = own[f] + sum(
            e[1] for (a, _), e in edges.items() if a == f)
        ours['inclusive'] = row['inclusive_instructions']
    elif cycle == {f}:
        theirs['inclusive'] = sum(
            e[1] for (a, b), e in edges.items() if b == f and a != f)
        ours['inclusive'] = row['inclusive_instructions']
    else:
        cycles += 1
    if 'inclusive' in ours and ours['inclusive'] == theirs['inclusive'] + lost:
        ours['inclusive'] -= lost
    if ours == theirs:
        equal += 1
    else:
        wrong.append('%s: callgrind %s, dg %s' % (f, theirs, ours))
if wrong:
    sys.exit('\n'.join(wrong))
if equal < 10:
    sys.exit('only %d functions to compare' % equal)
print('%d functions, %d of them in cycles of several' % (equal, cycles))
