# drive_intent.py: that the window does what was meant: keys that follow one
# another quickly, clicks where nothing is, Enter on what is wrong; and that
# what it says of the picture is so.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re

import drive
from drive import Atspi, View, ok, same, until, xdo

WHOLE = [0x1000, 0x9fff, 0, 999]


def icount(view):
    text = view.text('Instruction')
    return int(re.sub('[^0-9]', '', text)) if text else None


def is_at(view, wanted):
    return until(lambda: icount(view) == wanted) or icount(view)


def test_steps():
    """As many steps as keys were pressed, though each takes longer than the
    next key."""
    view = View('known.dg')
    view.settled()
    view.click(0.25, 0.2)
    until(lambda: view.text('Address') == '0x1800')
    first = icount(view)
    xdo('key', '--delay', 0, *['bracketright'] * 10)
    same(is_at(view, first + 10), True, 'ten times ] are ten accesses')
    xdo('key', '--delay', 0, *['bracketleft'] * 7, *['bracketright'] * 2)
    same(is_at(view, first + 5), True, 'and back, and on again')
    view.handled()
    same(icount(view), first + 5, 'no further')
    # What is pointed at may itself still be looked for.
    view.click(0.25, 0.4)
    clicked = until(lambda: (icount(view) or 0) > first + 100 and icount(view))
    view.click(0.25, 0.2)
    same(is_at(view, first), True, 'a click back')
    x, y = view.point(0.25, 0.4)
    xdo('mousemove', x, y, 'click', 1, 'key', '--delay', 0, 'bracketright',
        'bracketright')
    same(is_at(view, clicked + 2), True,
         'keys after a click begin at what was clicked on')
    view.close()


def which(view):
    """[number, of how many] under the pixel"""
    return [int(x.replace(',', '')) for x in
            re.findall('[0-9,]+', view.text('Which access') or '')]


def test_pixel():
    drive.assemble('many.dg', 'process 7 1 0 0 4096 64 0 8 "t" "v" "a" '
                   '"/prog" "/" ["prog"]\nbbdef [0x400000+4] [R8@0]\n'
                   'context 0 [0x400000]\nrepeat 20000\n'
                   '  bbrun 0 1 [0x1800]\ndone\nend\n')
    view = View('many.dg')
    view.settled()
    view.click(0.5, 0.5)
    until(lambda: len(which(view)) == 2)
    total = which(view)[1]
    ok(total > 8, 'a pixel with many accesses', total)
    xdo('key', '--delay', 0, *['p'] * (total + 2))
    same(until(lambda: which(view) == [1, total]) or which(view), True,
         'p, often: to the first of them')
    xdo('key', '--delay', 0, *['n'] * 7, 'p')
    same(until(lambda: which(view) == [7, total]) or which(view), True,
         'n and p: each counts')
    view.close()


def test_click():
    view = View('known.dg')
    view.settled()
    view.click(0.25, 0.25)
    until(lambda: view.text('Address') == '0x1800')
    said = view.text('Summary')
    ok(said.startswith('read of 8 bytes, '),
       'the panel begins with a sentence', said)
    view.click(0.27, 0.25)
    until(lambda: view.text('Address') == '0x1800')
    same(view.text('Summary'), said, 'a click beside it means it')
    view.click(0.8, 0.75)
    told = until(lambda: 'no access here' in (view.text('Summary') or '') and
                 view.text('Summary'))
    ok(told, 'far from all accesses there is none', view.text('Summary'))
    ok(view.text('Address') != '0x9100' and not view.shown('Access'),
       'and none is taken', view.text('Address'))
    view.click(0.5313, 0.75)
    said = until(lambda: 'block of 512 bytes' in (view.text('Summary') or '')
                 and view.text('Summary'))
    ok(said and 'no access here' not in said, 'whose memory it is', said)
    box, panel = (view.find(description=name, role='label').get_extents(
        Atspi.CoordType.SCREEN) for name in ('Summary', 'Address'))
    ok(box.y < panel.y, 'the sentence stands above all else')
    # A block that nobody accesses there.
    view.type('Ranges', 'malloc')
    until(lambda: view.view() == [0x9000, 0x9fff, 500, 999])
    view.click(0.1, 0.5)
    told = until(lambda: 'block of 512 bytes' in (view.text('Summary') or '')
                 and 'no matching access' in view.text('Summary') and
                 view.text('Summary'))
    ok(told, 'an untouched part of a block: it says whose it is',
       view.text('Summary'))
    xdo('key', 'Escape')
    ok(until(lambda: not view.shown('Address')), 'Escape leaves it')
    view.close()


def entry_text(view, name):
    return Atspi.Text.get_text(view.find(name, 'text'), 0, -1)


def test_wrong_filter():
    view = View('known.dg')
    view.settled()
    view.type('Ranges', 'nonsense')
    ok(until(lambda: view.says('nonsense')), 'a wrong condition: it says so')
    xdo('key', '--delay', 0, 'x', 'bracketright', 'plus')
    ok(until(lambda: 'x]+' in entry_text(view, 'Ranges')),
       'what is typed next goes where it stands', entry_text(view, 'Ranges'))
    same(view.view(), WHOLE, 'and not to the plot')
    xdo('key', 'ctrl+a')
    xdo('type', '--delay', 0, 'malloc')
    xdo('key', 'Return')
    ok(until(lambda: view.view() == [0x9000, 0x9fff, 500, 999]),
       'corrected there, it holds', view.state())
    xdo('key', '--delay', 0, 'x')
    ok(until(lambda: view.view()[1] - view.view()[0] < 0xfff),
       'and then keys are the plot\'s', view.state())
    view.close()


def test_stands_out(program):
    if program is None:
        drive.skip('what stands out', 'there is no compiler')
        return
    view = View('known.dg')
    view.settled()
    # victim reads in the first half only.
    view.drag((0.0, 0.6), (0.9999, 0.9))
    until(lambda: view.view()[2] > 500)
    xdo('key', 'ctrl+f')
    view.wait_for('Search', 'text', showing=True)
    xdo('type', '--delay', 0, 'victim')
    xdo('key', 'Return')
    status = until(lambda: 'None of its accesses' in
                   (view.text('Search status') or '') and
                   view.text('Search status'))
    ok(status, 'what stands out is not in view: it says so',
       view.text('Search status'))
    xdo('key', 'alt+Home')
    ok(until(lambda: 'are highlighted' in (view.text('Search status') or '')),
       'once it is, it says that', view.text('Search status'))
    view.close()


def test_nothing():
    drive.assemble('empty.dg', 'process 7 1 0 0 4096 64 0 8 "t" "v" "a" '
                   '"/prog" "/" ["prog"]\nend\n')
    view = View('empty.dg')
    same(view.settled(), 'There are no accesses in this log.',
         'an empty log: no criteria are blamed')
    view.close()
    with open('empty.dg', 'rb') as file:
        whole = file.read()
    with open('emptycut.dg', 'wb') as file:
        file.write(whole[:-1])
    view = View('emptycut.dg')
    ok('cut short' in (view.settled() or ''), 'a cut one: it says that',
       view.state())
    view.close()


def test_source(program):
    if program is None:
        drive.skip('a source that is missing', 'there is no compiler')
        return
    os.rename('prog.c', 'moved.c')
    view = View('known.dg')
    view.settled()
    view.click(0.25, 0.25)
    told = until(lambda: view.says('prog.c\n') and view.says('prog.c\n'))
    ok(told and 'not on this machine' in told and '--source-map=' in told,
       'a source that is missing: which, and how to say where it is', told)
    view.close()
    os.rename('moved.c', 'prog.c')


def share(view):
    """Of the plot, in the window as it is seen: of its frame, the shadow takes
    five pixels on each side."""
    box, frame = (node.get_extents(Atspi.CoordType.SCREEN)
                  for node in (view.plot(), view.find(role='frame')))
    return box.width * box.height / (frame.width - 10) / (frame.height - 10)


def test_small():
    """However small the window: the plot has half of it."""
    # With its title, the first one has 600 lines.
    for size in ('800x553', '1024x720', '1280x752'):
        if os.path.exists('datagrind'):
            for name in os.listdir('datagrind'):
                if name.endswith('.ini'):
                    os.remove('datagrind/' + name)
        view = View('--size=' + size, 'known.dg')
        view.settled()
        ok(until(lambda: share(view) >= 0.5),
           size + ': the plot has half of the window', share(view))
        view.click(0.25, 0.25)
        ok(until(lambda: view.text('Summary')), 'a click is answered')
        view.handled()
        ok(until(lambda: share(view) >= 0.5), size + ': with a source, too',
           share(view))
        drive.shot(size)
        view.close()


program = drive.build_program()
drive.make_known(program)
drive.run(test_steps, test_pixel, test_click, test_wrong_filter,
          lambda: test_stands_out(program), test_nothing,
          lambda: test_source(program), test_small)
