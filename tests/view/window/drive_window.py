# drive_window.py: the window itself: what it shows of a small known log,
# the mouse and the keys, the filter, with and without an index, bad logs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import subprocess

import drive
from drive import View, ok, same, walk, xdo


def test_known():
    names = drive.make_known(drive.build_program())
    view = View('--editor=sh -c "echo %f %l >edited"', 'known.dg')
    same(view.view(), [0x1000, 0x9fff, 0, 999], 'the whole log is shown')
    same(view.find(role='frame').get_name(), 'prog -x',
         'the title names the program')
    ok(view.find(name='known.dg', role='label'), 'and the log')

    # 0x1800 is a quarter of the way, 0x9100 a bit over a half.
    view.click(0.25, 0.25)
    view.until(lambda: view.shown('Address'))
    same(view.text('Address'), '0x1800', 'click: the address')
    same(view.text('Access'), 'read of 8 bytes', 'click: kind and size')
    same(view.text('Thread'), '1', 'click: the thread')
    row = int(view.text('Instruction'))
    ok(abs(row - 250) < 5, 'click: the instruction', row)
    same(view.stack('Call stack'), [names['victim'], names['main']],
         'click: the call stack')
    ok(not view.shown('Block'), 'click: no block there')

    # Beside an access, the nearest one is meant.
    view.click(0.54, 0.75)
    view.until(lambda: view.text('Address') == '0x9100')
    same(view.text('Access'), 'write of 4 bytes', 'nearest: kind and size')
    same(view.text('Block'), '0x9080, 512 bytes', 'nearest: the block')
    same(view.text('Offset'), '128 (0x80)', 'nearest: the offset in it')
    same(view.stack('Call stack'), [names['main']], 'nearest: the call stack')
    same(view.stack('Allocation stack'), [names['victim'], names['main']],
         'nearest: the allocation stack')

    # Under the pointer.
    x, y = view.point(0.25, 0.25)
    xdo('mousemove', x, y + 1)
    hover = view.until(lambda: view.text('Under the pointer')
                       if names['victim'][0] in
                       (view.text('Under the pointer') or '') else None)
    ok(hover and '0x1800' in hover and 'read' in hover,
       'hover: address, count and function',
       view.text('Under the pointer'))

    if names['victim'][1]:
        table = view.find(name='Call stack', role='table')
        box = view.cell_box(table, 0)
        xdo('mousemove', box.x + 20, box.y + box.height // 2, 'click',
            '--repeat', 2, '--delay', 60, 1)
        edited = view.until(lambda: os.path.exists('edited') and
                            open('edited').read())
        ok(edited and edited.endswith('prog.c 5\n'),
           'a double click on a frame opens its source', edited)
    test_zoom(view)
    test_filter(view)
    view.close()


def test_zoom(view):
    whole = view.view()
    view.drag((0.2, 0.1), (0.4, 0.6))
    zoomed = view.changed(whole)
    page = 0x2000
    wanted = [0x1000 + page * 0.2, 0x1000 + page * 0.4, 100, 600]
    ok(all(abs(a - b) < c for a, b, c in zip(zoomed, wanted,
                                             [60, 60, 8, 8])),
       'a drag zooms to its rectangle', '%r, not %r' % (zoomed, wanted))
    view.click((0x1804 - zoomed[0]) / (zoomed[1] + 1 - zoomed[0]), 0.5)
    view.until(lambda: view.text('Address') == '0x1800')
    same(view.text('Address'), '0x1800', 'a click in there: the address')
    row = int(view.text('Instruction'))
    ok(abs(row - (zoomed[2] + zoomed[3]) / 2) < 5,
       'a click in there: the instruction', row)

    xdo('key', 'alt+Left')
    same(view.changed(zoomed), whole, 'Alt+Left goes back')
    xdo('key', 'alt+Right')
    same(view.changed(whole), zoomed, 'Alt+Right goes forward')
    xdo('key', 'Home')
    same(view.changed(zoomed), whole, 'Home shows everything')

    view.drag((0.2, 0.3), (0.4, 0.305))
    flat = view.changed(whole)
    ok(flat[2:] == whole[2:] and flat[:2] != whole[:2],
       'a flat drag zooms the addresses only', flat)
    xdo('key', 'Home')
    view.changed(flat)
    view.drag((0.3, 0.2), (0.301, 0.6))
    steep = view.changed(whole)
    ok(steep[:2] == whole[:2] and steep[2:] != whole[2:],
       'a steep drag zooms the instructions only', steep)
    view.drag((0.5, 0.5), (0.5, 0.3), button=2)
    moved = view.changed(steep)
    ok(moved[2] > steep[2] and moved[3] - moved[2] == steep[3] - steep[2],
       'a middle drag moves', '%r %r' % (steep, moved))
    xdo('key', 'Home')
    view.changed(moved)

    xdo('mousemove', *view.point(0.25, 0.25), 'click', 4)
    wheel = view.changed(whole)
    ok(wheel[0] > whole[0] and wheel[1] < whole[1] and wheel[2] > 0 and
       wheel[3] < 999, 'the wheel zooms at the pointer', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    xdo('keydown', 'shift', 'click', 4, 'keyup', 'shift')
    wheel = view.changed(whole)
    ok(wheel[2:] == whole[2:] and wheel[:2] != whole[:2],
       'with Shift, the addresses only', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    xdo('keydown', 'ctrl', 'click', 4, 'keyup', 'ctrl')
    wheel = view.changed(whole)
    ok(wheel[:2] == whole[:2] and wheel[2:] != whole[2:],
       'with Control, the instructions only', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    button = view.find(name='Show fewer addresses (X)', role='push button')
    button.do_action(0)
    narrow = view.changed(whole)
    ok(narrow[2:] == whole[2:] and narrow[:2] != whole[:2],
       'a button of the toolbar zooms one axis', narrow)
    xdo('key', 'Right')
    right = view.changed(narrow)
    ok(right[0] > narrow[0], 'an arrow key moves', right)
    xdo('key', 'Home')
    view.changed(right)


def test_filter(view):
    view.type('Ranges', 'malloc')
    view.until(lambda: view.view() == [0x9000, 0x9fff, 500, 999])
    same(view.view(), [0x9000, 0x9fff, 500, 999],
         'a condition for the memory')
    view.type('Ranges', 'user:nothing')
    said = view.until(lambda: 'No accesses match the filters.' in
                      view.settled())
    ok(said, 'nothing matches: it says so', view.state())
    view.type('Ranges', 'nonsense')
    said = view.until(lambda: view.find(role='info bar') and
                      [n.get_name() for n in walk(view.find(role='info bar'))
                       if 'nonsense' in (n.get_name() or '')])
    ok(said, 'a wrong condition: it says so', said)
    view.type('Ranges', '')
    view.until(lambda: view.view() == [0x1000, 0x9fff, 0, 999])
    same(view.view(), [0x1000, 0x9fff, 0, 999], 'without conditions again')


def check_click(view, what):
    """The first answer to a click on known.dg, whenever it comes."""
    same(view.view(), [0x1000, 0x9fff, 0, 999], what + ': everything is shown')
    view.click(0.25, 0.25)
    view.until(lambda: view.text('Address') == '0x1800')
    same(view.text('Access'), 'read of 8 bytes', what + ': a click')
    view.click(0.54, 0.75)
    view.until(lambda: view.text('Address') == '0x9100')
    same(view.text('Block'), '0x9080, 512 bytes', what + ': the block')


def temporary(path):
    """Files that are written and shall be called so."""
    return [name for name in os.listdir('.') if name.startswith(path + '.')]


def test_index():
    """As if the log were so large that an index is worth it."""
    os.environ['DG_VIEW_FEW_ACCESSES'] = '0'
    view = View('known.dg')
    check_click(view, 'without an index')
    ok(view.until(lambda: os.path.exists('known.dg.dgx')),
       'an index is made meanwhile')
    view.close()
    made = os.stat('known.dg.dgx').st_mtime_ns
    view = View('known.dg')
    check_click(view, 'with an index')
    # Behind the index come the sums of the view.
    view.until(lambda: 'in view' in
               (view.text('Accesses of the call tree') or ''))
    same(temporary('known.dg.dgx'), [], 'with an index: none is being made')
    view.close()
    same(os.stat('known.dg.dgx').st_mtime_ns, made, 'it is not made again')

    # It cannot be written where a folder has its name.
    os.mkdir('cut.dg.dgx')
    view = View('cut.dg')
    same(view.view()[0], 0x1000, 'where no index can be: a picture')
    view.click(0.25, 0.25)
    view.until(lambda: view.shown('Address'))
    ok(view.until(lambda: not temporary('cut.dg.dgx')),
       'nothing is left behind', os.listdir('.'))
    view.close()
    same(temporary('cut.dg.dgx'), [], 'nor when the window is closed')

    subprocess.check_call([os.environ['DG'], 'pack', '-o', 'known.dgz',
                           'known.dg'])
    view = View('known.dgz')
    check_click(view, 'an archive')
    view.type('Ranges', 'malloc')
    view.until(lambda: view.view() == [0x9000, 0x9fff, 500, 999])
    same(view.view(), [0x9000, 0x9fff, 500, 999], 'an archive: filtered')
    view.close()
    ok(not os.path.exists('known.dgz.dgx'), 'it has its index itself')
    view = View('--ranges=malloc', 'known.dgz')
    same(view.view(), [0x9000, 0x9fff, 500, 999],
         'an archive: filtered from the start')
    view.close()
    del os.environ['DG_VIEW_FEW_ACCESSES']


def test_flaws():
    view = View('cut.dg')
    view.settled()
    told = view.until(lambda: [n.get_name() for n in walk(view.app)
                               if 'cut short' in (n.get_name() or '')])
    ok(told and 'offset 0x' in told[0],
       'a log that is cut short: the place is told', told)
    same(view.view()[:2], [0x1000, 0x9fff] if view.view()[3] > 500
         else [0x1000, 0x1fff], 'a log that is cut short: the rest is shown')
    view.close()

    view = View('bad.dg')
    told = view.until(lambda: view.find(role='alert') and
                      [n.get_name() for n in walk(view.find(role='alert'))
                       if 'bad.dg' in (n.get_name() or '')])
    ok(told, 'no log: a dialog names the file', told)
    xdo('key', 'Escape')
    view.until(lambda: view.find(role='alert') is None)
    xdo('key', 'ctrl+w')
    same(view.status(), 1, 'no log: the exit status')
    view.close()

    view = View('--events=user:nothing', 'known.dg')
    same(view.settled(), 'No accesses match the filters.',
         'an empty selection from the start')
    frame = view.find(role='frame')
    ok(frame is not None, 'the window is there')
    xdo('key', 'ctrl+w')
    same(view.status(), 0, 'closing it: the exit status')
    view.close()


drive.run(test_known, test_index, test_flaws)
