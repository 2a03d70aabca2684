# counts_compare.py CACHEGRIND-OUT DG-JSON function|line: instructions and
# reads of each function, or line of call-shapes.c, as cachegrind and "dg
# counts" have them.  (A modify is one read and no write to cachegrind.)
# Prints how many there are, or what differs.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import collections
import json
import sys

theirs = collections.defaultdict(lambda: [0, 0])
name = file = None
for line in open(sys.argv[1]):
    if line.startswith('events:'):
        events = line.split()[1:]
    elif line.startswith('fl='):
        file = line[3:].rstrip('\n')
    elif line.startswith('fn='):
        name = line[3:].rstrip('\n')
    elif line[0].isdigit():
        number, *costs = map(int, line.split())
        cost = dict(zip(events, costs))
        if sys.argv[3] == 'function':
            key = name
        elif file.endswith('call-shapes.c') and number > 0:
            key = number
        else:
            continue
        theirs[key][0] += cost['Ir']
        theirs[key][1] += cost['Dr']
ours = collections.defaultdict(lambda: [0, 0])
told = json.load(open(sys.argv[2]))
for row in told['rows']:
    key = row['function'] if sys.argv[3] == 'function' else row['line']
    if sys.argv[3] == 'line' and not (
            row['file'] or '').endswith('call-shapes.c'):
        continue
    ours[key][0] += row['instructions']
    ours[key][1] += row['reads']
for key in ('instructions', 'reads', 'writes', 'read_bytes', 'write_bytes'):
    if sum(row[key] for row in told['rows']) != told[key]:
        sys.exit('rows do not add up to all ' + key)
# What is known by several names, or by none, is compared only in all.
common = [key for key in theirs if key in ours]
wrong = ['%s: cachegrind %s, dg %s' % (key, theirs[key], ours[key])
         for key in common if theirs[key] != ours[key]]
if wrong:
    sys.exit('\n'.join(wrong))
if len(common) < 10 or (sys.argv[3] == 'line' and set(ours) != set(theirs)):
    sys.exit('only %d of %d' % (len(common), len(theirs)))
print('%d of %d' % (len(common), len(theirs)))
