# drive_nav.py: finding one's way: mouse, touchpad and keyboard on the plot,
# the overview, search, bookmarks, the menu of the plot.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shlex
import subprocess

import drive
from drive import Atspi, View, is_sensitive, is_showing, ok, same, skip, \
    until, xdo

WHOLE = [0x1000, 0x9fff, 0, 3999]
PROGRAM = drive.build_program()


def make_log():
    """nav.dg: 4000 instructions in two pages far from one another.  The first
    2000 read 0x1800, the others write 0x9100, in a heap block.  The event
    "phase one" is active twice."""
    where = PROGRAM or {'text': 0x401000, 'size': 0x1000,
                        'victim': 0x401100, 'main': 0x401200}
    victim, main = where['victim'] + 4, where['main'] + 8
    drive.assemble('nav.dg', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" "/" ["prog" "-x"]
text_avma %#x "%s"
module %#x %#x 0 [] ""
bbdef [%#x+4] [R8@0]
bbdef [%#x+4] [W4@0]
context 0 [%#x %#x]
context 1 [%#x]
malloc_block 0x9080 512 [%#x %#x]
heap_alloc 1 1 1 520 0 0
track_range 0x1800 64 "int" "my table"
repeat 500
  bbrun 0 1 [0x1800]
done
start_event "phase one"
repeat 1000
  bbrun 0 1 [0x1800]
done
end_event "phase one"
repeat 500
  bbrun 0 1 [0x1800]
done
start_event "phase one"
repeat 100
  bbrun 1 1 [0x9100]
done
end_event "phase one"
repeat 1900
  bbrun 1 1 [0x9100]
done
end
''' % (where['text'], os.path.abspath('prog'), where['text'], where['size'],
       victim, main, victim, main, main, victim, main))


def open_log(*arguments, **environment):
    view = View(*arguments, 'nav.dg', **environment)
    view.strips(ranges=True, events=True)
    view.settled()
    return view


def home(view):
    before = view.view()
    if before != WHOLE:
        xdo('key', 'Home')
        until(lambda: view.view() == WHOLE)


def entry_text(view, name):
    return view.conditions(name)


def near(got, wanted, slack):
    return all(abs(a - b) <= s for a, b, s in zip(got, wanted, slack))


def beside(view):
    """A point in the window where nothing can be clicked."""
    label = view.find('Events', 'label').get_extents(Atspi.CoordType.SCREEN)
    return label.x + 5, label.y + 5


# ---- Mouse -----------------------------------------------------------------


def test_mouse():
    view = open_log()
    same(view.view(), WHOLE, 'everything is shown')
    view.drag((0.2, 1.03), (0.6, 1.03))
    got = view.changed(WHOLE)
    ok(near(got, [0x1000 + 0x2000 * 0.2, 0x9000 + 0x2000 * 0.1, 0, 3999],
            [40, 40, 0, 0]), 'a drag on the X axis selects addresses', got)
    home(view)
    view.drag((-0.03, 0.25), (-0.03, 0.5))
    got = view.changed(WHOLE)
    ok(near(got, [0x1000, 0x9fff, 1000, 2000], [0, 0, 20, 20]),
       'a drag on the Y axis selects instructions', got)
    home(view)

    view.hold((0.2, 0.2), (0.5, 0.6))
    drive.shot('band')
    xdo('key', 'Escape')
    xdo('mouseup', 1)
    view.handled()
    same(view.view(), WHOLE, 'Escape ends a drag without effect')
    x0, y0 = view.point(0.5, 0.5)
    view.drag((0.4, 0.4), (0.6, 0.6))
    zoomed = view.changed(WHOLE)
    xdo('mousemove', x0, y0, 'mousedown', 2, 'mousemove', x0 + 80, y0 + 80)
    moved = view.changed(zoomed)
    ok(moved != zoomed, 'a middle drag has moved the picture')
    xdo('key', 'Escape')
    same(until(lambda: view.view() == zoomed and view.view()), zoomed,
         'Escape brings it back')
    xdo('mouseup', 2)
    home(view)

    xdo('mousemove', *view.point(0.25, 0.25), 'click', '--repeat', 2,
        '--delay', 60, 1)
    zoomed = view.changed(WHOLE)
    ok(zoomed[0] < 0x1800 < zoomed[1] < WHOLE[1] and
       zoomed[2] < 1000 < zoomed[3] < WHOLE[3],
       'a double click zooms in there', zoomed)
    # A click elsewhere: these would be the third and fourth of a row.
    xdo('mousemove', *beside(view), 'click', 1)
    xdo('mousemove', *view.point(0.25, 0.25), 'keydown', 'shift', 'click',
        '--repeat', 2, '--delay', 60, 1, 'keyup', 'shift')
    same(until(lambda: view.view() == WHOLE and view.view()), WHOLE,
         'with Shift it zooms out again')

    # In and out come back, whatever was rounded.
    view.drag((0.213, 0.117), (0.421, 0.333))
    start = view.changed(WHOLE)
    xdo('mousemove', *view.point(0.37, 0.61))
    xdo('click', '--repeat', 7, '--delay', 30, 4)
    inside = view.changed(start)
    xdo('click', '--repeat', 7, '--delay', 30, 5)
    until(lambda: view.view() == start)
    same(view.view(), start, 'the wheel goes in and comes back exactly')
    ok(inside != start, 'and was somewhere else between', inside)
    home(view)
    xdo('mousemove', *view.point(0.5, 1.03), 'click', 4)
    got = view.changed(WHOLE)
    ok(got[2:] == WHOLE[2:] and got[:2] != WHOLE[:2],
       'the wheel over an axis zooms that one', got)
    view.close()


# ---- Keys ------------------------------------------------------------------


def test_keys():
    view = open_log()
    # In the window, but not on the plot: nothing is under the pointer.
    xdo('mousemove', *beside(view))
    until(lambda: not view.text('Under the pointer'))
    xdo('key', 'ctrl+Right', 'ctrl+Left')
    middle = until(lambda: re.search('0x9000|0x1ff',
                                     view.text('Under the pointer') or ''))
    ok(middle, 'the cursor of the keyboard points at the middle',
       view.text('Under the pointer'))
    # From there to 0x1800, a quarter of the way, above the middle.
    width = view.point(1, 0)[0] - view.point(0, 0)[0]
    xdo('key', '--repeat', round(width / 40), '--delay', 12,
        'ctrl+shift+Left')
    xdo('key', '--repeat', 10, '--delay', 12, 'ctrl+shift+Up')
    told = until(lambda: '0x1800' in (view.text('Under the pointer') or '')
                 and view.text('Under the pointer'))
    ok(told, 'the line tells what is there', view.text('Under the pointer'))
    drive.shot('cursor')
    xdo('key', 'Return')
    until(lambda: view.text('Address') == '0x1800')
    same(view.text('Address'), '0x1800', 'Enter selects it')
    row = view.text('Instruction')
    xdo('key', 'n')
    until(lambda: view.text('Instruction') != row)
    second = view.text('Instruction')
    ok(int(second.replace(',', '')) > int(row.replace(',', '')),
       'n: the next access under the pixel', (row, second))
    xdo('key', 'p')
    same(until(lambda: view.text('Instruction') == row and row), row,
         'p: back again')
    xdo('key', 'bracketright')
    later = str(int(row.replace(',', '')) + 1)
    same(until(lambda: view.text('Instruction').replace(',', '') == later
               and later), later, ']: the next of the same cache line')
    xdo('key', 'bracketleft')
    same(until(lambda: view.text('Instruction') == row and row), row,
         '[: the one before')

    # The zoom follows the cursor.
    xdo('key', 'x', 'x', 'x', 'x')
    got = view.changed(WHOLE)
    ok(got[0] < 0x1800 < got[1] < 0x9000, 'keys zoom at the cursor', got)
    xdo('key', 'Home')
    until(lambda: view.view() == WHOLE)
    xdo('key', 'Escape')
    until(lambda: not view.shown('Address'))
    ok(not view.shown('Address'), 'Escape selects nothing')
    xdo('key', 'bracketright')
    view.handled()
    ok(not view.shown('Address'), 'without a selection ] does nothing')
    view.close()


# ---- The menu --------------------------------------------------------------


def menu_item(view, name):
    return view.wait_for(name, 'menu item', showing=True)


def test_menu():
    view = open_log()
    view.click(0.25, 0.25, button=3)
    head = view.wait_for(re.compile('^0x1800, instruction'), 'menu item',
                         showing=True)
    ok(head, 'the menu tells what is there')
    ok(not is_sensitive(menu_item(view, 'Zoom to This Heap Block')),
       'no heap block there: its entry is insensitive')
    ok(is_sensitive(menu_item(view, 'Show Only This Range')),
       'but the entry of the range is sensitive')
    drive.shot('menu')
    menu_item(view, 'Zoom to This Cache Line').do_action(0)
    same(view.changed(WHOLE)[:2], [0x1800, 0x183f],
         'it zooms to the cache line')
    view.click(0.5, 0.2, button=3)
    menu_item(view, 'Back').do_action(0)
    same(until(lambda: view.view() == WHOLE and view.view()), WHOLE,
         'and back')

    xdo('mousemove', *view.point(0.55, 0.75))
    xdo('key', 'shift+F10')
    ok(view.wait_for('no access near the pointer', 'menu item',
                     showing=True),
       'Shift+F10: a point without an access')
    menu_item(view, 'Zoom to This Heap Block').do_action(0)
    same(view.changed(WHOLE), [0x9080, 0x927f, 0, 3999],
         'but in a heap block: it zooms there')
    home(view)
    xdo('mousemove', *view.point(0.532, 0.75))
    xdo('key', 'Menu')
    view.wait_for(re.compile('^0x9100, instruction'), 'menu item',
                  showing=True)
    until(lambda: is_sensitive(menu_item(view, 'Zoom to This Heap Block')))
    menu_item(view, 'Zoom to This Heap Block').do_action(0)
    same(view.changed(WHOLE), [0x9080, 0x927f, 0, 3999],
         'the menu key: the heap block of an access')
    home(view)
    view.click(0.25, 0.25, button=3)
    until(lambda: is_sensitive(menu_item(view, 'Show Only This Range')))
    menu_item(view, 'Show Only This Range').do_action(0)
    got = until(lambda: view.view() == [0x1000, 0x1fff, 0, 1999] and
                view.view())
    same(got, [0x1000, 0x1fff, 0, 1999], 'it filters by the range')
    same(entry_text(view, 'Ranges'), 'user:my table',
         'the condition is in the entry')
    view.type('Ranges', '')
    until(lambda: view.view() == WHOLE)
    if PROGRAM:
        view.click(0.532, 0.75, button=3)
        name = 'Show Only This Function'
        until(lambda: is_sensitive(menu_item(view, name)))
        menu_item(view, name).do_action(0)
        until(lambda: view.view() == [0x1000, 0x9fff, 0, 3999])
        same(until(lambda: entry_text(view, 'Events') == 'fn:main' and
                   'fn:main'), 'fn:main',
             'it filters by the function')
        view.type('Events', '')
        until(lambda: view.view() == WHOLE)
    else:
        skip('it filters by the function', 'there is no compiler')
    view.close()


# ---- The overview ----------------------------------------------------------


def settings():
    """What dg_view remembers by now."""
    path = os.environ['XDG_CONFIG_HOME'] + '/datagrind/dg_view.ini'
    if not os.path.exists(path):
        return ''
    with open(path) as file:
        return file.read()


def overview(view):
    return view.find('Overview')


def test_overview():
    view = open_log()
    ok(is_showing(overview(view)), 'the overview is shown')
    same(until(lambda: overview(view).get_description() ==
               'The plot shows everything.' and 1), 1, 'it says what it shows')
    view.drag((0.1, 0.1), (0.2, 0.2))
    zoomed = view.changed(WHOLE)
    told = until(lambda: 'The plot shows 1' in
                 overview(view).get_description() and
                 overview(view).get_description())
    ok(told and 'from 10' in told, 'and where the view is', told)
    box = overview(view).get_extents(Atspi.CoordType.SCREEN)
    drive.shot('overview')

    def spot(fx, fy):
        return round(box.x + fx * box.width), round(box.y + fy * box.height)
    xdo('mousemove', *spot(0.75, 0.5), 'click', 1)
    got = view.changed(zoomed)
    ok(near([(got[2] + got[3]) / 2, (got[0] + got[1]) / 2], [2000, 0x9800],
            [60, 60]), 'a click centres the view there', got)
    size = got[3] - got[2]
    xdo('mousemove', *spot(0.75, 0.5), 'mousedown', 1)
    for fraction in (0.6, 0.7, 0.8):
        xdo('mousemove', *spot(0.75, fraction))
        view.handled()
    xdo('mouseup', 1)
    moved = view.changed(got)
    ok(near([(moved[2] + moved[3]) / 2], [3200], [80]) and
       moved[3] - moved[2] == size, 'a drag moves it', moved)
    xdo('mousemove', *spot(0.75, 0.8), 'click', 4)
    closer = view.changed(moved)
    ok(closer[3] - closer[2] < size, 'the wheel zooms', closer)
    xdo('key', 'shift+F9')
    ok(until(lambda: not is_showing(overview(view))), 'Shift+F9 hides it')
    until(lambda: 'minimap=false' in settings())
    view.close()
    view = open_log()
    ok(not is_showing(overview(view)), 'which is remembered')
    xdo('key', 'shift+F9')
    ok(until(lambda: is_showing(overview(view))), 'Shift+F9 shows it again')
    view.close()

    # The window begins with a part: the picture is made for the overview.
    view = open_log('--instructions=1000..1100')
    view.until(lambda: view.view() == [0x1000, 0x9fff, 1000, 1099])
    ok('2.5 % of the instructions, from 25.0 %' in
       overview(view).get_description(), 'the command line\'s part is told',
       overview(view).get_description())
    drive.shot('part')
    view.close()


# ---- Search ----------------------------------------------------------------


def search(view, text):
    """Types it there; nothing is chosen yet."""
    xdo('key', 'ctrl+f')
    entry = view.wait_for('Search', 'text', showing=True)
    until(lambda: entry.get_state_set().contains(Atspi.StateType.FOCUSED))
    Atspi.EditableText.set_text_contents(entry, text)
    until(lambda: Atspi.Text.get_text(entry, 0, -1) == text)
    return entry


def rows(view):
    table = view.find('Results')
    return [node.get_name() for node in drive.walk(table)
            if node.get_role_name() == 'list item'] if table else []


def go_to(view, text):
    before = view.view()
    search(view, text)
    until(lambda: rows(view))
    xdo('key', 'Return')
    return view.changed(before)


def test_search_numbers():
    view = open_log()
    got = go_to(view, '0x9100..0x9200')
    same(got, [0x9100, 0x91ff, 0, 3999], 'addresses from A to B')
    home_by_search(view)
    same(go_to(view, '1,000..2k'), [0x1000, 0x9fff, 1000, 1999],
         'instructions from I to J')
    home_by_search(view)
    search(view, '0x9110')
    ok(until(lambda: '0x9110' in rows(view) and
             [r for r in rows(view) if 'at 0x9080' in r]),
       'an address, and the heap block that it was in', rows(view))
    drive.shot('address')
    xdo('key', 'Down', 'Return')
    same(view.changed(WHOLE)[2:], [0, 3999], 'the block\'s lifetime')
    got = view.view()
    ok(got[0] <= 0x9080 and got[1] >= 0x927f and got[1] - got[0] < 0x400,
       'and its addresses', got)
    home_by_search(view)
    search(view, '0x5000')
    until(lambda: rows(view) == ['0x5000'])
    xdo('key', 'Return')
    told = until(lambda: 'nearest' in (view.text('Search status') or '') and
                 view.text('Search status'))
    ok(told and '0x1fff' in told, 'a page never touched: the nearest', told)
    search(view, 'i:99999')
    until(lambda: rows(view))
    xdo('key', 'Return')
    told = until(lambda: '3,999' in (view.text('Search status') or '') and
                 view.text('Search status'))
    ok(told, 'beyond the end: it says how far the log goes', told)
    search(view, 'zzzz')
    same(until(lambda: view.text('Search status') == 'No results' and 1), 1,
         'nothing found: it says so')
    xdo('key', 'Escape', 'Escape')
    entry = view.find('Search', 'text')
    ok(until(lambda: not is_showing(entry)), 'Escape leaves')
    view.close()


def home_by_search(view):
    """While the entry has the focus."""
    xdo('key', 'alt+Home')
    until(lambda: view.view() == WHOLE)


def test_search_names():
    view = open_log()
    search(view, 'phase')
    same(until(lambda: rows(view) == ['phase one'] and rows(view)),
         ['phase one'], 'an event by a part of its label')
    xdo('key', 'Return')
    got = view.changed(WHOLE)
    ok(got[2] < 500 and got[3] >= 1499 and got[3] < 1700,
       'its first time', got)
    xdo('key', 'Return')
    second = view.changed(got)
    ok(second[2] < 2000 and 2099 <= second[3] < 2200, 'its second time',
       second)
    xdo('key', 'F3')
    same(view.changed(second), got, 'F3: the first one again')
    home_by_search(view)
    search(view, 'MY TAB')
    until(lambda: rows(view) == ['my table'])
    xdo('key', 'Return')
    got = view.changed(WHOLE)
    ok(got[0] <= 0x1800 and 0x183f <= got[1] < 0x1900, 'a range, in any case',
       got)
    home_by_search(view)
    search(view, 'thread:1')
    same(until(lambda: rows(view) == ['Thread 1'] and rows(view)),
         ['Thread 1'], 'a thread')
    if PROGRAM is None:
        skip('functions', 'there is no compiler')
        view.close()
        return
    search(view, 'fn:i')
    same(until(lambda: sorted(rows(view)) == ['main', 'victim'] and
               sorted(rows(view))), ['main', 'victim'], 'functions by a part')
    search(view, 'VICTIM')
    until(lambda: rows(view) == ['victim'])
    drive.shot('function')
    xdo('key', 'Return')
    until(lambda: 'are highlighted' in (view.text('Search status') or ''))
    ok('are highlighted' in view.text('Search status'), 'it stands out',
       view.text('Search status'))
    drive.shot('highlight')
    xdo('key', 'Return')
    until(lambda: view.text('Instruction') == '0')
    same(view.text('Address'), '0x1800', 'Enter: its first access')
    xdo('key', 'Return')
    same(until(lambda: view.text('Instruction') == '1' and '1'), '1',
         'Enter: its second access')
    xdo('key', 'shift+F3')
    same(until(lambda: view.text('Instruction') == '0' and '0'), '0',
         'Shift+F3: back')
    search(view, 'prog')
    ok(until(lambda: 'prog' in rows(view)), 'a module', rows(view))
    view.close()


# ---- Bookmarks -------------------------------------------------------------


def bookmarks(view):
    table = view.find('Bookmarks', 'list box')
    return [node.get_name() for node in drive.walk(table)
            if node.get_role_name() == 'list item'] if table else []


def add_bookmark(view, name=None):
    xdo('key', 'ctrl+d')
    entry = view.wait_for('Name of this view', 'text', showing=True)
    until(lambda: entry.get_state_set().contains(Atspi.StateType.FOCUSED))
    preset = Atspi.Text.get_text(entry, 0, -1)
    if name:
        Atspi.EditableText.set_text_contents(entry, name)
        until(lambda: Atspi.Text.get_text(entry, 0, -1) == name)
    xdo('key', 'Return')
    until(lambda: not is_showing(entry))
    return preset


def test_bookmarks():
    view = open_log()
    view.drag((0.213, 0.117), (0.421, 0.333))
    place = view.changed(WHOLE)
    preset = add_bookmark(view, 'my place; [x] = “ü”')
    ok(preset, 'a name is proposed', preset)
    home(view)
    view.type('Ranges', 'malloc')
    heap = [0x9000, 0x9fff, 0, 3999]
    until(lambda: view.view() and view.view()[0] == 0x9000)
    heap = view.view()
    add_bookmark(view, 'the heap')
    view.type('Ranges', '')
    until(lambda: view.view() == WHOLE)
    xdo('key', 'alt+1')
    same(view.changed(WHOLE), place, 'Alt+1: the view of the first')
    xdo('key', 'alt+2')
    same(until(lambda: view.view() == heap and heap), heap,
         'Alt+2: the second, with its filter')
    same(entry_text(view, 'Ranges'), 'malloc',
         'the condition is in the entry')
    xdo('key', 'alt+1')
    same(until(lambda: view.view() == place and place), place,
         'Alt+1: without the filter again')
    view.close()

    view = open_log()
    xdo('key', 'alt+1')
    same(until(lambda: view.view() == place and place), place,
         'they are there the next time')
    view.press('Bookmarks (Ctrl+D)')
    same(until(lambda: len(bookmarks(view)) == 2 and bookmarks(view)),
         ['my place; [x] = “ü”', 'the heap'], 'the list')
    drive.shot('bookmarks')
    view.press('Rename (F2): the heap')
    entry = view.wait_for('New name', 'text', showing=True)
    until(lambda: entry.get_state_set().contains(Atspi.StateType.FOCUSED))
    Atspi.EditableText.set_text_contents(entry, 'heap')
    xdo('key', 'Return')
    ok(until(lambda: 'heap' in bookmarks(view)), 'one is renamed',
       bookmarks(view))
    view.press('Remove (Delete): my place; [x] = “ü”')
    same(until(lambda: bookmarks(view) == ['heap'] and 1), 1,
         'one is removed')
    xdo('key', 'Escape')
    until(lambda: not view.find('Rename (F2): heap', showing=True))
    xdo('key', 'alt+1')
    same(until(lambda: view.view() == heap and heap), heap,
         'Alt+1 is the one that is left')
    view.close()


def test_command():
    view = open_log('--theme=light', '--palette=classic')
    view.drag((0.213, 0.117), (0.721, 0.333))
    place = view.changed(WHOLE)
    view.type('Events', 'user:phase one')
    until(lambda: view.view() and view.view()[2:] != place[2:] or
          view.view() != place)
    view.settled()
    before = view.view()
    view.drag((0.313, 0.217), (0.621, 0.433))
    place = view.changed(before)
    xdo('key', 'ctrl+shift+c')
    search(view, '')
    xdo('key', 'ctrl+v')
    entry = view.find('Search', 'text')
    line = until(lambda: Atspi.Text.get_text(entry, 0, -1))
    words = shlex.split(line)
    ok(words[0] == 'dg_view' and words[-1] == os.path.abspath('nav.dg') and
       '--theme=light' in words and '--events=user:phase one' in words,
       'the command line', line)
    view.close()
    again = View(*words[1:])
    same(until(lambda: again.view() == place and place), place,
         'it shows the same, to the byte and instruction')
    again.close()
    picture = [os.environ['DG_VIEW'], '--render=part.png', *words[1:]]
    same(subprocess.call(picture), 0, 'and --render understands it')


make_log()
drive.run(test_mouse, test_keys, test_menu, test_overview,
          test_search_numbers, test_search_names, test_bookmarks,
          test_command)
