# drive_tables_real.py: the tables of dg_view, on a log of a real program;
# compared with what real.py finds by walking all accesses.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import collections
import json
import os
import subprocess

import drive
import real
from drive import View, ok, run, same, until
from drive_tables import rows


def number(n):
    return format(n, ',')


def test_real():
    facts = real.Facts(real.record_shelf())
    view = View('shelf.dgz')
    view.settled()
    check_places(view, facts)
    check_functions(view, facts)
    check_blocks(view, facts)
    check_costs(view)
    table, _ = rows(view, 'Threads')
    wanted = collections.Counter(facts.thread)
    until(lambda: len(view.cells(table)) == len(wanted))
    same({int(row[1].split()[0]): row[3] for row in view.cells(table)},
         {thread: number(n) for thread, n in wanted.items()},
         'a real log: the threads')
    view.close()


def check_places(view, facts):
    """The busiest page and cache line, and how many there are."""
    for tab, unit in (('Pages', facts.page_size), ('Cache Lines', 64)):
        counter = collections.Counter()
        for address, size in zip(facts.address, facts.size):
            for place in range(address // unit,
                               (address + size - 1) // unit + 1):
                counter[place * unit] += 1
        most = max(counter.values())
        table, summary = rows(view, tab)
        first = until(lambda: [row for row in view.cells(table)[:1]
                               if row[3] == number(most)])
        ok(first and counter[int(first[0][0], 16)] == most,
           'a real log, %s: the busiest' % tab,
           'wanted %d, %r' % (most, view.cells(table)[:1]))
        ok(summary.startswith('%s accesses in view · %s ' % (
            number(len(facts.address)), number(len(counter)))),
           'a real log, %s: how many there are' % tab, summary)


def check_functions(view, facts):
    """What the program's own functions do, by addr2line."""
    table, summary = rows(view, 'Functions')
    until(lambda: view.cells(table, [0]))
    cells = view.cells(table, [0, 2, 8])
    same(sum(int(row[1].replace(',', '')) for row in cells),
         len(facts.address),
         'a real log: the functions have all accesses')
    base, size = next((text, size) for file, text, size, bias
                      in facts.modules if file.endswith('/shelf'))
    wanted = collections.Counter()
    for code, n in collections.Counter(facts.instruction).items():
        if base <= code < base + size:
            wanted[facts.frame(code)[0][0]] += n
    wanted = {name: n for name, n in wanted.items() if name != '??'}
    got = {row[0]: int(row[1].replace(',', '')) for row in cells
           if row[2] == 'shelf' and row[1] != '0'}
    same({name: n for name, n in got.items() if name in wanted}, wanted,
         'a real log: the functions of the program')


def dg_time(by, *options):
    """What dg time says of each function, or line: cycles and misses."""
    report = json.loads(subprocess.check_output(
        [os.environ['DG'], 'time', '--json', '--by=' + by, '--top=0', *options,
         'shelf.dgz']))
    costs = {}
    for row in report['rows']:
        name = row['function'] if by == 'function' else row['file'] and \
            '%s:%d' % (os.path.basename(row['file']), row['line'])
        # A line may be of several functions; a function's name of several
        # modules.
        key = (name, row['module'] if by == 'function' else None, row['file']
               if by == 'line' else None)
        sums = [row['cycles'], row['l1_misses'], row['l3_misses']]
        costs[key] = [a + b for a, b in zip(costs.get(key, (0, 0, 0)), sums)]
    named = {}
    for key, sums in costs.items():
        named.setdefault(key[0], set()).add(tuple(sums))
    return named


def check_estimates(view, table, by, columns, what, *options):
    """The estimates of a table are those of dg time.  Names may be those of
    functions of several modules."""
    costs = dg_time(by, *options)
    cells = view.cells(table, [0, *columns])
    got = [row for row in cells if row[1] != '']
    wrong = [row for row in got if tuple(
        int(text.replace(',', '')) for text in row[1:]) not in
        costs.get(row[0], ())]
    ok(len(got) > 10 and not wrong, what, '%r' % wrong[:3])


def says(view, ending):
    """Whether the line above the table that is shown ends so."""
    return any(drive.text_of(node).endswith(ending) for node in view.find_all(
        description='What the table shows', showing=True))


def check_costs(view):
    columns = 3, 4, 5
    for tab, by in ('Functions', 'function'), ('Source Lines', 'line'):
        table, summary = rows(view, tab)
        until(lambda: view.cells(table, [0]))
        view.press('Cycles', 'toggle button')
        ok(until(lambda: says(view, ' · estimated cycles of zen5')),
           tab + ': cycles are estimated')
        check_estimates(view, table, by, columns,
                        tab + ': the cycles are those of dg time')
        whole = view.view()
        view.drag((0.5, 0.05), (0.55, 0.4))
        part = view.changed(whole)
        limits = '--instructions=%d..%d' % (part[2], part[3] + 1)
        ok(until(lambda: says(view, ' · estimated cycles of zen5')),
           tab + ': those of the view, too')
        check_estimates(view, table, by, columns,
                        tab + ': they follow the plot', limits)
        view.press('Cycles', 'toggle button')
        ok(until(lambda: not says(view, 'zen5')), tab + ': and they go')
        view.press('Show everything (Home)')
        until(lambda: view.view() == whole)


def check_blocks(view, facts):
    """How much is in heap blocks, and how many of these there are."""
    owners = [facts.block_of(i) for i in range(len(facts.address))]
    table, summary = rows(view, 'Heap Blocks')
    until(lambda: view.cells(table, [0]))
    cells = view.cells(table, [0, 2, 5])
    same([row[1] for row in cells if row[0] == 'not in a heap block'],
         [number(owners.count(None))], 'a real log: what is in no heap block')
    same(sum(int((row[2] or '0').replace(',', '')) for row in cells),
         len({id(block) for block in owners if block is not None}),
         'a real log: how many blocks were touched')


real.need_tool()
run(test_real)
