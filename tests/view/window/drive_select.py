# drive_select.py: a rectangle that is selected, the history of a line, and the
# ruler of fields.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import subprocess

from drive import (Atspi, Screen, View, assemble, cell_text, ok, run, same,
                   shot, skip, until, xdo)

BASE = 0x10000
ALL = 3200


def make_log():
    """One page; its lines one after the other, again and again: reads by one
    thread, writes by another."""
    lines = ['process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" '
             '["prog"]', 'bbdef [0x400000+3] [R8@0]',
             'bbdef [0x400010+3] [W4@0]', 'context 0 [0x400000]',
             'context 1 [0x400010]', 'thread_start 1 0 100',
             'thread_start 2 1 101', 'thread_name 2 "worker"']
    for turn in range(50):
        lines.append('thread_switch %d' % (1 + turn % 2))
        lines += ['bbrun %d 1 [%d]' % (turn % 2, BASE + 64 * k)
                  for k in range(64)]
    lines.append('end')
    assemble('turns.dg', '\n'.join(lines) + '\n')


def note(view):
    return view.text('Selected rectangle')


def counted(view):
    return until(lambda: note(view) and 'accesses:' in note(view) and
                 note(view))


def select_half(view):
    """Drags with Shift over all addresses in half of the time."""
    xdo('keydown', 'shift')
    view.drag((-0.0, 0.0), (1.0, 0.5))
    xdo('keyup', 'shift')


def room(view):
    """Where the plot is."""
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    return box.x, box.y, box.width, box.height


def figure(text, name):
    rest = text.split(name + ': ')[1]
    return int(rest.split(', ')[0].replace(',', ''))


def test_rectangle():
    view = View('turns.dg')
    whole = view.view()
    before = room(view)
    select_half(view)
    held = counted(view)
    ok(held and abs(figure(held, 'accesses') - ALL // 2) <= 64,
       'the line says what the rectangle holds', held)
    ok(held and figure(held, 'reads') + figure(held, 'writes') ==
       figure(held, 'accesses'), 'reads and writes', held)
    same(view.view(), whole, 'nothing is zoomed')
    shot('rectangle')
    # The tables are about it, and about the view again.
    view.tab('Threads')
    rows = until(lambda: view.cells('Threads in view'))
    full = [row for row in rows]
    view.press('Filter Tables', 'toggle button')
    ok(until(lambda: view.cells('Threads in view') != full and
             view.cells('Threads in view')), 'tables are filtered')
    view.plot().grab_focus()
    xdo('key', 'Escape')
    ok(until(lambda: not view.shown('Selected rectangle')),
       'Escape selects nothing')
    ok(until(lambda: view.cells('Threads in view') == full),
       'tables are about all again')
    # The line below it goes, but the plot has its room at the next frame only.
    until(lambda: room(view) == before)
    # Zooming to it, from the context menu.
    select_half(view)
    counted(view)
    view.click(0.5, 0.25, button=3)
    view.press('Zoom to Selection', 'menu item')
    now = view.changed(whole)
    ok(now[2] == 0 and abs(now[3] - ALL // 2) < 40, 'the menu zooms', now)
    view.close()


def test_keyboard():
    view = View('turns.dg')
    whole = view.view()
    view.click(0.5, 0.5)
    view.plot().grab_focus()
    xdo('mousemove', *view.point(0.2, 0.2))
    xdo('key', 'ctrl+Right', 'r')
    view.handled()
    xdo('key', *['ctrl+shift+Right'] * 8, *['ctrl+shift+Down'] * 8, 'r')
    held = counted(view)
    ok(held and 0 < figure(held, 'accesses') < ALL,
       'a rectangle by keyboard', held)
    same(view.view(), whole, 'nothing is zoomed by keys')
    xdo('key', 'Escape')
    ok(until(lambda: not view.shown('Selected rectangle')),
       'Escape selects nothing, by keyboard')
    view.close()


def history(view):
    return view.cells('History of this line')


def test_history():
    view = View('turns.dg')
    view.settled()
    view.tab('History')
    view.click(0.5, 0.5)
    rows = until(lambda: len(history(view)) == 50 and history(view))
    same(len(rows or []), 50, 'all accesses of a line')
    text = view.text('What the history shows')
    ok(text and '50 (reads: 25, writes: 25)' in text, 'how many', text)
    same([row[1] for row in rows[:2]], ['read of 8 bytes', 'write of 4 bytes'],
         'their kinds')
    ok('worker' in rows[1][2], 'their threads', rows[1])
    shot('history')
    # A row selects in the plot.
    table = view.find('History of this line', 'table') or \
        view.find('History of this line', 'tree table')
    row, box = next((i, box) for i in range(50)
                    for box in [view.cell_box(table, i, 1)]
                    if box.y > view.point(0, 1)[1] + 120)
    xdo('mousemove', box.x + 5, box.y + box.height // 2, 'click', 1)
    when = rows[row][5]
    ok(until(lambda: view.says('^%s' % when)), 'a row selects its access',
       when)
    # Another line.
    view.plot().grab_focus()
    view.click(0.1, 0.5)
    ok(until(lambda: history(view) and history(view)[0][4] != rows[0][4]),
       'another line has another history')
    # From the keyboard, whatever is shown.
    view.tab('Threads')
    view.plot().grab_focus()
    xdo('mousemove', *view.point(0.9, 0.5))
    xdo('key', 'h')
    ok(until(lambda: view.wait_for('History', 'page tab').get_state_set()
             .contains(Atspi.StateType.SELECTED)), 'h shows the tab')
    view.close()


def table_row(table, row):
    return [cell_text(table.get_accessible_at(row, column))
            for column in range(table.get_n_columns())]


def selected_rows(table):
    return [row for row in range(8)
            if table.get_accessible_at(row, 0).get_state_set()
            .contains(Atspi.StateType.SELECTED)]


def test_history_pages():
    """Zooming does not go back to the page that was pointed at."""
    assemble('long.dg', """bbdef [0x400000+3] [R8@0]
context 0 [0x400000]
thread_start 1 0 100
repeat 4000
  bbrun 0 1 [%d]
done
end
""" % BASE)
    view = View('long.dg')
    whole = view.settled() and view.view()
    view.tab('History')
    view.click(0.01, 0.5)

    def shown():
        found = re.search(r'shown: (.*)',
                          view.text('What the history shows') or '')
        return found and found.group(1)

    first = until(shown)
    table = view.find('History of this line', 'table') or \
        view.find('History of this line', 'tree table')
    table.grab_focus()
    xdo('key', 'End', 'Return')
    later = until(lambda: shown() != first and shown())
    ok(first and later, 'the last row leads to more', (first, later))
    # Of the rows below the one that leads back, the chosen one stays chosen
    # when the plot shows its access.
    xdo('key', 'Home', 'Down', 'Down', 'Down')
    when = table_row(table, 3)[5]
    ok(until(lambda: view.says('^%s' % when)), 'a row of a later page selects '
       'its access', when)
    same(selected_rows(table), [3], 'and it alone is selected')
    view.plot().grab_focus()
    xdo('key', 'plus')
    ok(view.changed(whole) != whole, 'zoomed', view.view())
    view.settled()
    same(shown(), later, 'zooming stays at the page')
    view.close()


def make_typed():
    """A range of four structs, whose type a program has, and one of very many,
    of which few are accessed; False without a compiler."""
    with open('typed.c', 'w') as file:
        file.write('struct node { long key; struct node *next; double w; };\n'
                   'struct node first;\n'
                   'int main (void) { return (int) first.key; }\n')
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-g', '-O0', '-no-pie', '-o', 'typed',
                               'typed.c'])
        sections = subprocess.check_output(['readelf', '-SW', 'typed'],
                                           text=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    text = re.search(r' \.text +PROGBITS +(\S+) (\S+) (\S+)', sections)
    start, size = (int(text.group(i), 16) for i in (1, 3))
    path = os.path.abspath('typed')
    for name, n in ('typed.dg', 4), ('sparse.dg', 1 << 36):
        assemble(name, """process 7 1 0 0 4096 64 0 8 "t" "v" "a" "%s" "/" ["typed"]
text_avma %#x "%s"
module %#x %#x 0 [] ""
bbdef [%#x+4] [R8@0]
context 0 [%#x]
track_range 0x10000 %d "struct node" "nodes"
repeat 20
  bbrun 0 1 [0x10000]
  bbrun 0 1 [%#x]
done
end
""" % (path, start, path, start, size, start, start, 24 * n,
       0x10000 + 24 * n - 8))
    return True


def ticks(view, share=1):
    """How many fields begin in the ruler, in this share of it."""
    left, bottom = view.point(0, 1)
    right, _ = view.point(share, 1)
    row = Screen().area(left, bottom + 45, right - left, 1)[0]
    usual = max(set(row), key=row.count)
    return sum(pixel != usual and (i == 0 or row[i - 1] == usual)
               for i, pixel in enumerate(row))


def test_ruler():
    if not make_typed():
        skip('a tick for each field', 'there is no compiler')
        return
    view = View('--addresses=0x10000..0x10060', 'typed.dg')
    view.settled()
    ok(until(lambda: ticks(view) == 12), 'a tick for each field', ticks(view))
    shot('ruler')
    view.close()
    view = View('typed.dg')
    view.settled()
    # In the middle the axis has its name.
    same(ticks(view, 0.3), 0, 'none where a block has less than 60 pixels')
    view.close()
    # What is left out of the axis takes no time.
    view = View('sparse.dg')
    view.settled()
    ok(until(lambda: ticks(view, 0.3) > 0), 'one of nearly no accessed pages')
    view.close()


make_log()
run(test_rectangle, test_keyboard, test_history, test_history_pages,
    test_ruler)
