# drive_streams.py: how instructions walk through memory, and what caches make
# of it: the table of streams, and colours for misses, reuse, use of lines.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

from drive import Screen, View, assemble, ok, run, same, until, xdo


def make_log():
    """One instruction reads word by word, one each line, one at random; each
    in a region of its own, one after the other."""
    lines = ['process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" '
             '["prog"]']
    lines += ['bbdef [0x4000%d0+4] [R8@0]' % i for i in range(3)]
    lines += ['context %d [0x4000%d0]' % (i, i) for i in range(3)]
    n, seed = 4096, 1
    for i in range(n):
        lines.append('bbrun 0 1 [%d]' % (0x100000 + i * 8 % 0x40000))
    for i in range(n):
        lines.append('bbrun 1 1 [%d]' % (0x200000 + i * 64 % 0x40000))
    for i in range(n):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        lines.append('bbrun 2 1 [%d]' % (0x300000 + (seed >> 8) % 0x8000 * 8))
    lines.append('end')
    assemble('walks.dg', '\n'.join(lines) + '\n')


def test_streams():
    view = View('walks.dg')
    view.settled()
    view.tab('Streams')
    rows = until(lambda: view.cells('Streams in view'))
    found = sorted(row[1:4] for row in rows)
    same(found, [['random or pointer chase', '', '4,096'], ['sequential', '+8', '4,096'],
                 ['strided', '+64', '4,096']], 'three streams')
    table = view.find('Streams in view', 'table') or \
        view.find('Streams in view', 'tree table')
    number = [row[1] for row in rows].index('strided')
    box = view.cell_box(table, number, 1)
    xdo('mousemove', box.x + 5, box.y + box.height // 2, 'click', 1)
    view.handled()
    view.settled()
    ok(True, 'a stream stands out, with its label')
    # In a part of the time, only what runs there.
    view.plot().grab_focus()
    xdo('key', 'Escape')
    view.drag((-0.03, 0.02), (-0.03, 0.2))
    few = until(lambda: (lambda r: r if len(r) == 1 else None)(
        view.cells('Streams in view')))
    same([row[1] for row in few], ['sequential'], 'streams of a part')
    view.close()


def data_pixels(view):
    """What is drawn in the data area, left of where the menu opens."""
    (x, y), (right, bottom) = view.point(0, 0), view.point(0.9, 1)
    return Screen().area(x, y, right - x, bottom - y)


def test_colours():
    view = View('walks.dg')
    view.settled()
    # It stays open, so that all can be compared.
    view.press('Menu')
    view.press('View')
    for name in 'Cache Misses', 'Reuse Distances', 'Use of Cache Lines':
        before = data_pixels(view)
        view.press(name)
        ok(until(lambda: view.settled() and data_pixels(view) != before), name)
    view.close()


make_log()
run(test_streams, test_colours)
