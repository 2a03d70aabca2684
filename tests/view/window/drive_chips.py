# drive_chips.py: conditions as chips: typed, completed, edited, negated and
# removed, by mouse and keyboard.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

from drive import Atspi, View, assemble, ok, run, same, shot, until, xdo

PAGES = [0x10000, 0x20000, 0x30000, 0x40000]


def make_log():
    """Four pages, each accessed in an event of its own; the last two by
    another thread."""
    lines = ['process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" '
             '["prog"]', 'bbdef [0x400000+3] [R8@0]', 'context 0 [0x400000]',
             'thread_start 1 0 100', 'thread_start 2 1 101',
             'thread_name 2 "worker"']
    for i, page in enumerate(PAGES):
        if i == 2:
            lines.append('thread_switch 2')
        lines += ['track_range %d 4096 "" "table %d"' % (page, i),
                  'start_event "phase %d"' % i]
        lines += ['bbrun 0 1 [%d]' % (page + 64 * k) for k in range(20)]
        lines += ['end_event "phase %d"' % i]
    lines.append('end')
    assemble('phases.dg', '\n'.join(lines) + '\n')


def first_page(view):
    state = view.view()
    return state and state[0]


def pages(view, first, last):
    """Whether the plot has these pages, the first and the last."""
    return until(lambda: (lambda v: v and v[0] == first and
                          v[1] // 4096 * 4096 == last)(view.view()))


def focus(view, name):
    node = view.wait_for(name, 'text')
    node.grab_focus()
    until(lambda: node.get_state_set().contains(Atspi.StateType.FOCUSED))
    return node


def keys(*words):
    xdo('key', *words)


def text(view, name):
    return Atspi.Text.get_text(view.find(name, 'text'), 0, -1)


def offered(view, wanted):
    """What the list of completions has, when it is this."""
    def names():
        for table in view.find_all('', 'table', showing=True):
            yield [row[0] for row in view.cells(table)]
    return until(lambda: wanted if wanted in names() else None)


def test_typing():
    view = View('phases.dg')
    view.settled()
    focus(view, 'Events')
    xdo('type', 'thread:worker')
    keys('Return')
    ok(pages(view, PAGES[2], PAGES[3]), 'thread:NAME filters', view.view())
    same(view.chips('Events'), ['thread:worker'], 'and is a chip')
    same(text(view, 'Events'), '', 'the entry is empty again')
    # A comma ends a condition, but does not filter yet.
    focus(view, 'Events')
    xdo('type', 'user:phase 3,')
    same(until(lambda: view.chips('Events') ==
               ['thread:worker', 'user:phase 3'] and 'so') , 'so',
         'a comma makes a chip')
    keys('Return')
    ok(pages(view, PAGES[3], PAGES[3]), 'both hold', view.view())
    shot('chips')
    focus(view, 'Events')
    xdo('type', 'nonsense:x')
    keys('Return')
    ok(until(lambda: view.says('unknown condition')), 'what is wrong is said')
    same(text(view, 'Events'), 'nonsense:x', 'and stays to be mended')
    # Editing a chip does not overwrite it.
    view.press('user:phase 3', 'push button')
    view.handled()
    same((text(view, 'Events'), view.chips('Events')),
         ('nonsense:x', ['thread:worker', 'user:phase 3']),
         'what cannot be understood yet is kept')
    view.close()


def test_keyboard():
    view = View('--events=user:phase 1,user:phase 2', 'phases.dg')
    ok(pages(view, PAGES[1], PAGES[2]), 'conditions of the command line')
    same(view.chips('Events'), ['user:phase 1', 'user:phase 2'],
         'are chips')
    # Backspace at the start edits the last one.
    focus(view, 'Events')
    keys('BackSpace')
    same(until(lambda: text(view, 'Events')), 'user:phase 2',
         'Backspace edits the last')
    keys('BackSpace')
    xdo('type', '3')
    keys('Return')
    ok(pages(view, PAGES[1], PAGES[3]), 'the edited one counts', view.view())
    # To the chip, which n negates and Delete removes.
    focus(view, 'Events')
    keys('Left')
    view.handled()
    keys('n')
    ok(pages(view, PAGES[1], PAGES[1]), 'n negates', view.view())
    same(view.chips('Events'), ['user:phase 1', 'not user:phase 3'],
         'it says so')
    keys('Delete')
    same(until(lambda: len(view.chips('Events')) == 1 and
               view.chips('Events')), ['user:phase 1'], 'Delete removes')
    view.close()


def test_mouse():
    view = View('--ranges=user:table 0,user:table 3', 'phases.dg')
    ok(pages(view, PAGES[0], PAGES[3]), 'two ranges')
    view.press('user:table 3', 'push button')
    same(until(lambda: text(view, 'Ranges')), 'user:table 3',
         'a click edits')
    focus(view, 'Ranges')
    keys('ctrl+a')
    xdo('type', 'addr:0x20000..0x21000')
    keys('Return')
    ok(pages(view, PAGES[0], PAGES[1]), 'addr:A..B', view.view())
    view.press('Remove user:table 0', 'push button')
    ok(pages(view, PAGES[1], PAGES[1]), 'the cross removes', view.view())
    # The menu of a chip.
    box = view.find('addr:0x20000..0x21000', 'push button').get_extents(
        Atspi.CoordType.SCREEN)
    xdo('mousemove', box.x + 8, box.y + box.height // 2, 'click', 3)
    view.press('It Must Not Hold', 'menu item')
    ok(pages(view, PAGES[0], PAGES[3]), 'the menu negates', view.view())
    view.close()


def test_open_menu():
    """A chip goes while its menu is open."""
    view = View('--ranges=user:table 0,user:table 3', 'phases.dg')
    ok(pages(view, PAGES[0], PAGES[3]), 'two ranges, again')
    box = view.find('user:table 3', 'push button').get_extents(
        Atspi.CoordType.SCREEN)
    xdo('mousemove', box.x + 8, box.y + box.height // 2, 'click', 3)
    view.wait_for('It Must Not Hold', 'menu item')
    view.press('Remove user:table 3', 'push button')
    ok(until(lambda: not view.find('It Must Not Hold', 'menu item',
                                   showing=True)),
       'its menu goes, too')
    ok(pages(view, PAGES[0], PAGES[0]), 'the other one stays', view.view())
    view.close()


def test_completion():
    view = View('phases.dg')
    view.settled()
    focus(view, 'Events')
    xdo('type', 'work')
    same(offered(view, ['thread:worker']), ['thread:worker'],
         'the name of a thread is offered')
    keys('Down')
    view.handled()
    keys('Return')
    ok(pages(view, PAGES[2], PAGES[3]), 'choosing it filters', view.view())
    same(view.chips('Events'), ['thread:worker'], 'as a chip')
    view.close()


make_log()
run(test_typing, test_keyboard, test_mouse, test_open_menu,
    test_completion)
