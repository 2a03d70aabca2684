# drive_narrow.py: windows below 1000 pixels: one panel is to be seen, the other
# one is a button; nothing is cut off, and what is asked for is remembered.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import drive
from drive import Atspi, View, is_showing, ok, same, until, walk, xdo

TABLES = 'Show the tables (Ctrl+F9)'
SIDE = 'Show the side panel (F9)'


def seen(view):
    """[side panel, tables, button of the side panel, of the tables]"""
    return [view.find(name, role, showing=True) is not None
            for name, role in (('Side panel', 'page tab list'),
                               ('Tables below', 'page tab list'),
                               (SIDE, 'push button'),
                               (TABLES, 'push button'))]


def is_seen(view, wanted):
    until(lambda: seen(view) == wanted)
    return seen(view)


BOTH = [True, True, False, False]
ONLY_SIDE = [True, False, False, True]
ONLY_TABLES = [False, True, True, False]


def cut(view, width, height):
    """What is not wholly in the window."""
    found = []
    for node in walk(view.app):
        if not is_showing(node) or node.get_role_name() not in (
                'push button', 'toggle button', 'text', 'drawing area',
                'scroll bar'):
            continue
        box = node.get_extents(Atspi.CoordType.SCREEN)
        if box.x + box.width > width or box.y + box.height > height:
            found.append((node.get_role_name(), node.get_name(), box.x, box.y,
                          box.width, box.height))
    return found


def cut_at_last(view, width, height):
    """The same, once the window has come to rest."""
    found = ['there is no answer']

    def is_whole():
        found[0] = cut(view, width, height)
        return not found[0]

    until(is_whole)
    return found[0]


def test_folding():
    drive.make_known(drive.build_program())
    view = View('known.dg', '--size=1300x800')
    view.settled()
    same(is_seen(view, BOTH), BOTH, 'a wide window has both panels')
    view.resize(980, 700)
    same(is_seen(view, ONLY_SIDE), ONLY_SIDE,
         'below 1000 pixels the tables are a button')
    view.press(TABLES, 'push button')
    same(is_seen(view, ONLY_TABLES), ONLY_TABLES,
         'which shows them, and folds the side panel')
    view.settled()
    xdo('key', 'F9')
    same(is_seen(view, ONLY_SIDE), ONLY_SIDE, 'F9 shows the side panel')
    xdo('key', 'ctrl+F9')
    same(is_seen(view, ONLY_TABLES), ONLY_TABLES, 'Ctrl+F9 the tables')
    xdo('key', 'ctrl+F9')
    same(is_seen(view, [True, False, False, False]),
         [True, False, False, False],
         'and hides them: nothing is folded any more')
    xdo('key', 'ctrl+F9')
    same(is_seen(view, ONLY_TABLES), ONLY_TABLES, 'again, they are there')
    view.resize(1300, 800)
    same(is_seen(view, BOTH), BOTH, 'with room, both are')
    view.resize(800, 600)
    same(is_seen(view, ONLY_TABLES), ONLY_TABLES,
         'without, that which was asked for last')
    view.close()


def is_answered(view):
    """A click; the panel may still be on its way, and the plot with it."""
    view.click(0.25, 0.25)
    view.handled()
    return drive.soon(lambda: view.shown('Address'))


def test_usable():
    for theme in 'light', 'dark':
        view = View('known.dg', '--size=800x600', '--theme=' + theme)
        view.settled()
        for width, height in ((800, 600), (640, 480)):
            # Buttons go on the way, and then there is room for less.
            view.resize(715, 500)
            view.settled()
            view.resize(width, height)
            size = '%dx%d, %s' % (width, height, theme)
            for button in TABLES, SIDE:
                same(cut_at_last(view, width, height), [],
                     size + ': nothing is cut off')
                plot = until(lambda: view.plot().get_extents(
                    Atspi.CoordType.SCREEN))
                ok(plot.width >= 240 and plot.height >= 150,
                   size + ': the plot has room', (plot.width, plot.height))
                view.press(button, 'push button')
                until(lambda: not view.find(button, 'push button',
                                            showing=True))
                view.settled()
        ok(until(lambda: is_answered(view)), theme + ': a click is answered',
           view.state())
        view.close()


def has_source(view):
    return view.find('Source', 'page tab list', showing=True) is not None


def test_source():
    """A source is beside its access only where both can be read."""
    if drive.build_program() is None:
        drive.skip('a source', 'no compiler')
        return
    view = View('known.dg', '--size=1300x800')
    view.settled()
    view.click(0.25, 0.25)
    ok(until(lambda: has_source(view)), 'a large window has room for a source')
    view.resize(900, 560)
    ok(until(lambda: not has_source(view)), 'a low one has not')
    ok(until(lambda: view.shown('Address')), 'and the access can be read')
    view.resize(1300, 800)
    ok(until(lambda: has_source(view)), 'with room, it is there again')
    view.close()


def test_remembered():
    view = View('known.dg')
    view.settled()
    view.resize(900, 640)
    view.press(TABLES, 'push button')
    is_seen(view, ONLY_TABLES)
    xdo('mousemove', *view.point(0.5, 0.5))
    xdo('key', 'ctrl+w')
    same(view.status(), 0, 'the end')
    view.close()
    view = View('known.dg')
    view.settled()
    same(is_seen(view, ONLY_TABLES), ONLY_TABLES,
         'the next start folds the same panel')
    view.close()


drive.run(test_folding, test_usable, test_source, test_remembered)
