# drive_tables.py: the tables of what is in view: functions, source lines, heap
# blocks, pages, cache lines, threads; on a log made for this.  For one of a
# real program see drive_tables_real.py.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import subprocess

import drive
from drive import Atspi, View, ok, same, until, xdo

SOURCE = '''#include <stdlib.h>
long
reader (long *p) { return *p; }
void
writer (int *p) { *p = 1; }
void *
x_malloc (size_t n) { return malloc (n); }
long *
make_table (void)
{
  return x_malloc (256);
}
int
main (void)
{
  long *p = make_table ();
  writer ((int *) p);
  return (int) reader (p);
}
'''
# What happens: (thread, writer or reader, address, how often).
HEAP, SHARED = 0x5000000, 0x6000000
WORK = [(1, 'reader', HEAP + 128, 500), (1, 'writer', SHARED, 300),
        (2, 'writer', SHARED + 8, 200), (2, 'writer', SHARED + 4096, 100),
        (1, 'reader', SHARED + 4096, 50)]


def build():
    """Where its functions are; None without a compiler."""
    with open('tables.c', 'w') as file:
        file.write(SOURCE)
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-g', '-O0', '-no-pie', '-o', 'tables',
                               'tables.c'])
        names = subprocess.check_output(['nm', 'tables'], text=True)
        sections = subprocess.check_output(['readelf', '-SW', 'tables'],
                                           text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    at = {line.split()[2]: int(line.split()[0], 16)
          for line in names.splitlines() if len(line.split()) == 3}
    text = re.search(r' \.text +PROGBITS +(\S+) (\S+) (\S+)', sections)
    at['.text'], at['.size'] = (int(text.group(i), 16) for i in (1, 3))
    return at


def make_log(at):
    log = '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/tables" "/" ["tables"]
text_avma %(.text)#x "%(path)s"
module %(.text)#x %(.size)#x 0 [] ""
thread_start 2 1 0
thread_name 2 "second"
bbdef [%(r)#x+4] [R8@0]
bbdef [%(w)#x+4] [W4@0]
context 0 [%(r)#x %(m)#x]
context 1 [%(w)#x %(m)#x]
malloc_block 0x5000000 256 [%(x)#x %(t)#x %(m)#x]
''' % {**at, 'path': os.path.abspath('tables'), 'r': at['reader'] + 4,
       'w': at['writer'] + 4, 'm': at['main'] + 8, 'x': at['x_malloc'] + 8,
       't': at['make_table'] + 4}
    for thread, function, address, times in WORK:
        log += 'thread_switch %d\nrepeat %d\n  bbrun %d 1 [%#x]\ndone\n' % (
            thread, times, 0 if function == 'reader' else 1, address)
    drive.assemble('tables.dg', log + 'end\n')


def show(view, tab):
    """Shows the panel of that name."""
    page = view.wait_for(tab, 'page tab')
    Atspi.Selection.select_child(page.get_parent(),
                                 page.get_index_in_parent())


def rows(view, tab):
    """Of the panel of that name: its table, and the line above, when all is
    in."""
    show(view, tab)
    table = until(lambda: next((
        node for node in view.find_all(re.compile(' in view$'), 'table',
                                       showing=True)), None))
    summary = until(lambda: next((
        text for text in [drive.text_of(node) for node in view.find_all(
            description='What the table shows', showing=True)]
        if text and 'partial' not in text), None))
    return table, summary


def cells(view, tab, wanted, what):
    """The first row begins so."""
    table, summary = rows(view, tab)
    first = until(lambda: [row for row in [view.cells(table)[0]]
                           if row[:len(wanted)] == wanted])
    got = first or view.cells(table)[:1] if table else None
    ok(first, what, 'got %r, wanted %r, %r' % (got, wanted, summary))
    return table, summary


def test_known():
    at = build()
    if at is None:
        drive.skip('the tables of a log that is known', 'no compiler')
        return
    make_log(at)
    view = View('tables.dg')
    view.settled()
    table, summary = cells(view, 'Functions', [
        'writer', '52.2 %', '600', '600', '0', '600', '2,400', 'tables.c:5',
        'tables'], 'functions: the first')
    same(summary, '1,150 accesses in view · 3 functions',
         'functions: the line above')
    main = [row for row in view.cells(table) if row[0] == 'main']
    same([row[1:4] for row in main], [['0.0 %', '0', '1,150']],
         'functions: one that only calls others')
    check_sorting(view, table)
    cells(view, 'Source Lines', ['tables.c:5', '52.2 %', '600', '0', '600',
                                 '2,400', 'writer', 'tables'],
          'source lines: the first')
    table, _ = cells(view, 'Heap Blocks', [
        'not in a heap block', '56.5 %', '650', '50', '600', '', ''],
        'heap blocks: the first')
    same(view.cells(table)[1], ['make_table', '43.5 %', '500', '500', '0',
                                '1', '256', 'tables.c:11', 'tables'],
         'heap blocks: what allocated, behind malloc and its like')
    cells(view, 'Pages', ['0x5000000',
                          'heap block of 256 bytes by make_table', '43.5 %',
                          '500', '500', '0', '1', '0'],
          'pages: the first (of two with as many accesses)')
    table, _ = cells(view, 'Cache Lines', ['0x5000080'],
                     'cache lines: the first')
    lines = {row[0]: row for row in view.cells(table)}
    same(lines.get('0x6000000', [])[2:],
         ['43.5 %', '500', '0', '500', '2', 'false sharing, 100.0 %',
          '1 writes 0–3; 2 writes 8–11'], 'cache lines: false sharing')
    same(lines.get('0x6001000', [])[2:],
         ['13.0 %', '150', '50', '100', '2', 'shared',
          '1 reads 0–7; 2 writes 0–3'], 'cache lines: sharing')
    table, _ = cells(view, 'Threads', ['', '1', '73.9 %', '850'],
                     'threads: the first')
    same(view.cells(table)[1][1:4], ['2 (second)', '26.1 %', '300'],
         'threads: the second')
    check_lines(view)
    check_filter(view)
    view.close()


def header(table, name):
    return next(node for node in drive.walk(table)
                if node.get_name() == name and
                node.get_role_name() == 'table column header')


def names(view, table):
    return [row[0] for row in view.cells(table, [0])]


def check_sorting(view, table):
    header(table, 'Function').do_action(0)
    ok(until(lambda: names(view, table) == ['main', 'reader', 'writer']),
       'sorting: names from A to Z', names(view, table))
    header(table, 'Function').do_action(0)
    ok(until(lambda: names(view, table) == ['writer', 'reader', 'main']),
       'sorting: and back', names(view, table))
    header(table, 'Reads').do_action(0)
    ok(until(lambda: names(view, table)[0] == 'reader'),
       'sorting: numbers, the most first', names(view, table))


def select(view, table, name):
    """Selects the row that begins so, by a click."""
    def place():
        """The row may be another by the time that it is asked for."""
        found = names(view, table)
        return name in found and table.get_accessible_at(
            found.index(name), 0).get_extents(Atspi.CoordType.SCREEN)

    def is_selected():
        """While the table is filled again, the row is not there."""
        found = names(view, table)
        return name in found and table.is_row_selected(found.index(name))

    def click():
        """The row may move between the question and the click."""
        box = place()
        if not box:
            return False
        xdo('mousemove', box.x + 20, box.y + box.height // 2, 'click', 1)
        view.handled()
        return drive.soon(is_selected)
    return until(click)


def plot_pixels(view):
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    return drive.Screen().area(box.x + 90, box.y + 40, box.width - 110,
                               box.height - 100)


def still(view):
    """The plot, when it does not change any more."""
    last = []

    def question():
        now = plot_pixels(view)
        same_as_last = now == last[0] if last else False
        last[:] = [now]
        return same_as_last
    until(question)
    return last[0]


def check_lines(view):
    table, _ = rows(view, 'Cache Lines')
    whole = view.view()
    before = still(view)
    select(view, table, '0x6000000')
    ok(until(lambda: plot_pixels(view) != before),
       'a row that is selected stands out in the plot')
    xdo('key', 'Return')
    zoomed = view.changed(whole)
    ok(zoomed and zoomed[0] <= 0x6000000 and zoomed[1] >= 0x600003f and
       zoomed[1] - zoomed[0] < 4096 and zoomed[2] <= 500 and
       zoomed[3] >= 999 and zoomed[3] - zoomed[2] < 600,
       'Enter zooms to it', zoomed)
    ok(until(lambda: names(view, table) == ['0x6000000']),
       'and the table is about that', names(view, table))
    xdo('key', 'alt+Left')
    same(view.changed(zoomed), whole, 'back again')
    ok(until(lambda: len(names(view, table)) == 3), 'with its table',
       names(view, table))


def check_filter(view):
    table, _ = rows(view, 'Functions')
    until(lambda: 'reader' in names(view, table))
    select(view, table, 'reader')
    xdo('key', 'ctrl+c')
    view.handled()
    text = view.pasted() or ''
    ok('reader' in text, 'Ctrl+C copies a row', text)
    ok('550' in text and '0.4783' not in text and '1,' not in text,
       'as plain numbers', text)
    view.type('Events', '')
    until(lambda: len(names(view, table)) == 3)
    select(view, table, 'reader')
    xdo('key', 'shift+F10')
    item = view.wait_for('Show Only This Function', 'menu item',
                         showing=True)
    item.do_action(0)
    ok(until(lambda: view.conditions('Events') == 'fn:reader'),
       'the menu filters', view.conditions('Events'))
    ok(until(lambda: sorted(names(view, table)) == ['main', 'reader']),
       'and the table follows', names(view, table))


if __name__ == '__main__':
    drive.run(test_known)
