# drive_sites.py: names in the window that dg has as well: of places of
# allocation that share a line, and of code that a program makes itself.
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
    real.build(real.HERE + '/../../record/guests/' + SOURCE, 'sites', '-O0')
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
    """The only access to the block of this size."""
    block = next(b for b in facts.blocks if b.size == size)
    i = facts.find(lambda i: facts.address[i] == block.address)[0]
    view = View('--addresses=0x%x..0x%x' % (block.address,
                                            block.address + size),
                'sites.dgz')
    view.settled()
    plot = real.Plot(view, facts)
    view.click(*plot.at(i))
    text = 'block of %d bytes from main, %s' % (size, two[size - 11])
    ok(until(lambda: text in (view.text('Summary') or '')),
       'the access to %d bytes: its block' % size,
       '%r, wanted %r' % (view.text('Summary'), text))
    view.close()


def test_generated():
    real.build(real.HERE + '/../../record/guests/rewrites.c', 'rewrites')
    facts = real.Facts(real.record('rewrites.dgz', './rewrites'))
    name = 'code in pages from main (rewrites.c:%d)' % real.line_of(
        '= mmap (', 'rewrites.c')
    functions = json.loads(real.run(real.DG, 'counts', '--by=function',
                                    '--json', 'rewrites.dgz'))['rows']
    mine = [row for row in functions if row['function'] == name]
    same([row['writes'] for row in mine], [165], 'dg knows generated code')
    view = View('rewrites.dgz')
    view.settled()
    table, _ = rows(view, 'Functions')
    found = until(lambda: [row for row in view.cells(table)
                           if row[0] == name])
    ok(found and '165' in found[0], 'the table of functions', found)
    view.close()
    generated = [i for i in range(len(facts.address))
                 if not any(text <= facts.instruction[i] < text + size
                            for file, text, size, bias in facts.modules) and
                 [frame[0] for frame in facts.stack(i)][:2] == ['??', 'main']]
    # The word that is written once a round, and read shortly after that.
    target = max(generated, key=lambda i: (facts.address[i], -i))
    at = facts.icount[target]
    view = View('--addresses=0x%x..0x%x' % (facts.address[target],
                                            facts.address[target] + 4),
                '--instructions=%d..%d' % (at - 20, at + 20), 'rewrites.dgz')
    view.settled()
    view.click(*real.Plot(view, facts).at(target))
    stack = until(lambda: view.stack('Call stack'))
    same([row[0] for row in stack][:2], [name, 'main'], 'the call stack')
    view.close()


real.need_tool()
run(test_sites, test_generated)
