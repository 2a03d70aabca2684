# drive_compare.py: two logs in one window: linked, aligned, their difference.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import re

from drive import Atspi, LAYOUT, View, assemble, ok, run, same, until, xdo

# Of pair_plot.c.
CAPTION, RIGHT, BELOW = 18, 76, 44
PLOTS = 'Plots of memory accesses'


def log(data, heap, before, walks, more):
    """A file's byte 0x100 is read `before` times; then a block is walked
    through; then, if `more`, the file's byte 0x800 is written."""
    return '''process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]
map %d 0x1000 3 3 0 "/data/table"
map %d 0x1000 3 2 0 ""
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W128@0]
bbdef [0x400020+4] [W8@0]
context 0 [0x400000 0x400050]
context 1 [0x400010 0x400050]
context 2 [0x400020 0x400050]
malloc_block %d 1024 [0x400100]
heap_alloc 1 1 1 1024 0 0
repeat %d
  bbrun 0 1 [%d]
done
start_event "walk"
repeat %d
%s
done
end_event "walk"
repeat %d
  bbrun 2 1 [%d]
done
repeat 100
  bbrun 0 1 [%d]
done
end
''' % (data, heap, heap, before, data + 0x100, walks,
       '\n'.join('bbrun 1 1 [%d]' % (heap + i * 128) for i in range(8)),
       1 if more == 0 else more, data + (0x100 if more == 0 else 0x800),
       data + 0x100)


def make_logs():
    assemble('before.dg', log(0x10000, 0x20000, 100, 10, 0))
    assemble('after.dg', log(0x70000, 0x50000, 200, 30, 50))


def plots(view):
    return view.find(name=PLOTS)


def state(view):
    """[first owner, last, from and to before, from and to after], drawn."""
    def drawn():
        text = plots(view).get_description() if plots(view) else ''
        return text if text and 'being drawn' not in text else None
    match = re.fullmatch('(.*) to (.*), instructions ([0-9,]+) to ([0-9,]+) '
                         'before, ([0-9,]+) to ([0-9,]+) after',
                         until(drawn) or '')
    return match and [match.group(1), match.group(2)] + [
        int(n.replace(',', '')) for n in match.groups()[2:]]


def point(view, part, fx, fy, parts=3):
    """On the screen: a place in one of the parts."""
    box = plots(view).get_extents(Atspi.CoordType.SCREEN)
    each = (box.height - LAYOUT['HEADER'] - BELOW) // parts - CAPTION
    top = LAYOUT['HEADER'] + CAPTION + part * (each + CAPTION)
    return (round(box.x + LAYOUT['LEFT'] +
                  fx * (box.width - LAYOUT['LEFT'] - RIGHT)),
            round(box.y + top + fy * each))


def changes(view, table, column=3):
    return until(lambda: {row[0]: row[column] for row in view.cells(table)})


def test_tables():
    view = View('before.dg', 'after.dg')
    whole = state(view)
    same(whole[2:], [0, 281, 0, 590], 'both logs are shown, all of them')
    same(changes(view, 'Functions'),
         {'0x400010': '+160', '0x400000': '+100', '0x400020': '+49',
          '0x400050': '0'},
         'functions, with the change')
    rows = until(lambda: view.cells('Memory'))
    ok(rows, 'memory')
    found = {row[0]: row[1:5] for row in rows}
    data = found.get('other data of table')
    same(data, ['201', '350', '+149', '+74.1 %'], 'a file in both logs')
    block = [row for name, row in found.items() if '0x4000ff' in name or
             '0x400100' in name]
    same(block, [['80', '240', '+160', '+200.0 %']],
         'a block in both logs, though its address differs')
    view.close()


def test_linked():
    view = View('before.dg', 'after.dg')
    whole = state(view)
    # In the first log's part: the other one follows.
    xdo('mousemove', *point(view, 0, 0.05, 0.6), 'mousedown', 1)
    x, y = point(view, 0, 0.3, 0.95)
    xdo('mousemove', x - 5, y - 5, 'mousemove', x, y)
    view.handled()
    xdo('mouseup', 1)
    part = until(lambda: state(view) != whole and state(view))
    ok(part[2] > 0 and part[4] > 0 and part[3] < 281 and part[5] < 590,
       'a rectangle in one part is a view of both logs', part)
    # Between two events, time goes in proportion.
    until(lambda: view.cells('Memory'))
    plots(view).grab_focus()
    xdo('key', 'Home')
    same(until(lambda: state(view) == whole and state(view)), whole,
         'Home shows all')
    xdo('key', 'alt+Left')
    same(until(lambda: state(view) == part and state(view)), part, 'back')
    xdo('key', 'alt+Right')
    until(lambda: state(view) == whole)
    xdo('mousemove', *point(view, 2, 0.01, 0.1))
    ok(until(lambda: view.text('Under the pointer') and
             'before, instruction' in view.text('Under the pointer')),
       'the line below tells of both', view.text('Under the pointer'))
    # A row of the memory is framed, and gone to.
    view.tab('Memory')
    table = view.find(name='Memory', role='table') or \
        view.find(name='Memory', role='tree table')
    # Of the whole view, not of the part that was shown before.
    until(lambda: any(row[1] == '201' for row in view.cells('Memory')))
    box = view.cell_box(table, 'other data of table')
    xdo('mousemove', box.x + 20, box.y + box.height // 2, 'click',
        '--repeat', 2, '--delay', 60, 1)
    now = until(lambda: state(view) != whole and state(view))
    same(now[:2], ['other data of table'] * 2,
         'a double click shows one owner, in both')
    view.close()


def test_window():
    view = View('before.dg')
    view.settled()
    view.press('Menu')
    view.press('Show by Owner')
    ok(until(lambda: plots(view) and
             'instructions 0 to 281' in plots(view).get_description()),
       'a log by owner', plots(view) and plots(view).get_description())
    view.close()
    view = View('before.dg', 'bad.dg')
    ok(until(lambda: view.says('bad.dg')), 'what is no log is refused')
    xdo('key', 'Escape')
    view.close()


make_logs()
with open('bad.dg', 'w') as file:
    file.write('This is no log.\n')
run(test_tables, test_linked, test_window)
