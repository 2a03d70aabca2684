# drive_tour.py: each step of the manual's tour of the window (docs/manual/
# tour.md) does what the page says.  With DG_VIEW_TOUR=FOLDER, the pictures of
# the page are written there.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re

import drive
import real
from drive import View, ok, run, until
from drive_tables import rows

TOP = os.environ['abs_top_srcdir']
PAGE = TOP + '/docs/manual/tour.md'


def picture(view, name):
    """One of the page's, once the window has come to rest."""
    view.handled()
    if os.environ.get('DG_VIEW_TOUR'):
        drive.Screen().save('%s/%s.png' % (os.environ['DG_VIEW_TOUR'], name))
    with open(PAGE) as file:
        ok('](tour/%s.png)' % name in file.read(),
           'the page has the picture ' + name)


def test_plot():
    real.build(TOP + '/demo/sorts.c', 'sorts')
    real.record('sorts.dgz', './sorts')
    view = View('--events=user:sorting', '--ranges=range', '--size=1380x870',
                'sorts.dgz')
    view.settled()
    picture(view, 'plot')
    view.click(0.2, 0.3)
    ok(until(lambda: view.says(r'^(read|write) of array\[\d+\]')),
       'a click says whose memory the access is')
    ok(until(lambda: view.says('selection_sort')), 'and which function it is')
    picture(view, 'access')
    whole = view.view()
    view.drag((0.0, 0.2), (0.3, 0.6))
    ok(until(lambda: view.view() != whole), 'a drag zooms')
    view.settled()
    check_functions(view)
    check_flame(view)
    view.close()


def check_functions(view):
    table, _ = rows(view, 'Functions')
    view.press('Cycles', 'toggle button')
    ok(until(lambda: re.search('estimated cycles of', view.text(
        'What the table shows'))), 'the cycles of functions')
    # Eight instructions a cycle at most: those without an access, too.
    row = until(lambda: [row for row in view.cells(table)
                         if row[0] == 'selection_sort' and row[3] != ''])
    reads, cycles = (int(row[0][i].replace(',', '')) for i in (2, 3))
    ok(cycles > 3 * reads // 8, 'are of all of its instructions',
       '%d reads, %d cycles' % (reads, cycles))
    picture(view, 'functions')


def check_flame(view):
    view.tab('Flame Graph')
    view.choose('What the widths show', 'L1 misses')
    ok(until(lambda: re.search('estimated cycles', view.text(
        'Cycles of the flame graph'))), 'the flame graph of misses')
    picture(view, 'flame')


def test_compare():
    for number in ('', '-2'):
        real.build(TOP + '/docs/manual/tutorials/particles/particles%s.c'
                   % number, 'particles' + number)
        real.record('particles%s.dgz' % number, './particles' + number)
    view = View('--size=1380x870', 'particles.dgz', 'particles-2.dgz')
    ok(until(lambda: view.find(re.compile('Functions'), showing=True)),
       'two logs have tables, too')
    table = view.wait_for('Functions', 'table', showing=True)
    until(lambda: len(view.cells(table, [0])) > 1)
    picture(view, 'compare')
    view.close()


real.need_tool()
run(test_plot, test_compare)
