# drive_plot.py: the window's plot and --render are the same picture.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import subprocess

import drive
import png
from drive import Screen, View, ok, until, xdo

# Two threads, a range, an event, a heap block, two pages with a gap.
LOG = '''
process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]
thread_start 1 0 1
map 0x9000 4096 3 1 0 "/lib/libsome.so"
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
malloc_block 0x1000 2048 [0x400100]
track_range 0x9800 256 "int" "table"
start_event "phase"
repeat 300
  bbrun 0 1 [0x1100]
done
thread_start 2 1 2
thread_switch 2
repeat 300
  bbrun 1 1 [0x9880]
  bbrun 1 1 [0x9108]
done
end_event "phase"
thread_switch 1
repeat 300
  bbrun 0 1 [0x9100]
done
end
'''
HARD = 48          # a difference that is not antialiasing


def render(name, size, *arguments):
    subprocess.check_call(
        [os.environ['DG_VIEW'], '--render=' + name, '--title=',
         '--size=%dx%d' % size, *arguments],
        env={k: v for k, v in os.environ.items() if k != 'DISPLAY'})
    width, height, rows = png.read(name)
    assert (width, height) == size
    return rows


def differences(a, b):
    """Pixels that differ, and those that differ much."""
    some = much = 0
    for row, other in zip(a, b):
        if row == other:
            continue
        for p, q in zip(row, other):
            if p != q:
                some += 1
                much += max(abs(i - j) for i, j in zip(p, q)) > HARD
    return some, much


def check_same(view, what, *arguments):
    xdo('mousemove', 2, 2)
    view.settled()
    box = view.plot().get_extents(drive.Atspi.CoordType.SCREEN)
    size = (box.width, box.height)
    first, last, start, end = view.view()
    rendered = render(
        'twin.png', size, *arguments,
        '--addresses=%#x..%#x' % (first, last + 1),
        '--instructions=%d..%d' % (start, end + 1))
    found = []

    def same():
        screen = Screen().area(box.x, box.y, *size)
        found[:] = differences(screen, rendered)
        # Some pixels of letters may be another shade.
        return found[1] == 0 and found[0] < size[0] * size[1] / 500
    ok(until(same), what, '%d pixels differ, %d much' % tuple(found))


def test_twin():
    drive.assemble('twin.dg', LOG)
    for look in (['--theme=dark'],
                 ['--theme=light', '--palette=paper'],
                 ['--theme=dark', '--palette=safe', '--colour=thread']):
        view = View(*look, '--size=1100x760', 'twin.dg')
        view.strips(ranges=True, events=True)
        check_same(view, 'the window shows what --render draws: '
                   + ' '.join(look), *look, 'twin.dg')
        before = view.view()
        view.hover(0.4, 0.4)
        xdo('key', 'plus')
        view.changed(before)
        check_same(view, 'and closer', *look, 'twin.dg')
        view.close()


def test_filtered():
    drive.assemble('twin.dg', LOG)
    conditions = ['--events=user:phase', '--ranges=range']
    view = View('--theme=dark', *conditions, 'twin.dg')
    check_same(view, 'with conditions', '--theme=dark', *conditions,
               'twin.dg')
    view.close()


drive.run(test_twin, test_filtered)
