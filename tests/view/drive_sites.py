# drive_sites.py: places of allocation that share a line, in the window: they
# have the names that dg has for them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import json
import re

import real
from drive import View, ok, run, same, until
from drive_tables import rows

SOURCE = 'site-lines.c'


def known():
    """Their places on lines of the program, by dg."""
    sites = json.loads(real.run(real.DG, 'heap', '--sites', '--json',
                                'sites.dgz'))['sites']
    found = [re.fullmatch(r'(\w+) \((%s:.*)\)' % re.escape(SOURCE),
                          site['site']) for site in sites]
    return sorted((m.group(1), m.group(2)) for m in found if m)


def test_sites():
    real.build(real.HERE + '/../record/guests/' + SOURCE, 'sites', '-O0')
    facts = real.Facts(real.record('sites.dgz', './sites'))
    names = known()
    line = real.line_of('HERE two ', SOURCE)
    two = [where for function, where in names
           if re.match(r'%s:%d:\d+$' % (SOURCE, line), where)]
    same(len(two), 2, 'two places on a line have two names')

    view = View('sites.dgz')
    view.settled()
    table, _ = rows(view, 'Heap Blocks')
    until(lambda: view.cells(table, [0]))
    got = [(row[0], cell) for row in view.cells(table, rows=60)
           for cell in row if cell.startswith(SOURCE)]
    same(sorted(got), names, 'the table of places')
    view.close()
    for size in 11, 12:
        check_access(facts, size, two)


def check_access(facts, size, two):
    """The only access to the block of so many bytes."""
    block = next(b for b in facts.blocks if b.size == size)
    i = facts.find(lambda i: facts.address[i] == block.address)[0]
    view = View('--addresses=0x%x..0x%x' % (block.address,
                                            block.address + size),
                'sites.dgz')
    view.settled()
    plot = real.Plot(view, facts)
    view.click(*plot.at(i))
    text = 'block of %d bytes from main, %s' % (size, two[size - 11])
    ok(until(lambda: text in (view.text('In short') or '')),
       'the access to %d bytes: its block' % size,
       '%r, wanted %r' % (view.text('In short'), text))
    view.close()


real.need_tool()
run(test_sites)
