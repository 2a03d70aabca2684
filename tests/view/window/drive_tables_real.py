# drive_tables_real.py: the tables of dg_view, on a log of a real program;
# compared with what real.py finds by walking all accesses.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import collections

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
