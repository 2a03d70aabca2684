# drive_heap.py: the panel with the heap over time: it follows the plot, and
# the plot follows it; on a log made for this, and on one without heap blocks.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shlex
import subprocess
from xml.etree import ElementTree

import drive
from drive import Atspi, View, ok, same, until, xdo

NOTE = 'The heap at the selected time'
TABLE = 'Heap by allocation site'
PEAK = 'Peak in view: 4,000 bytes in 2 blocks at instruction 400'


def make_log(program):
    """1000 instructions.  main has 1000 bytes from the beginning, victim 3000
    from 400 to 600."""
    head, victim, main = drive.heap_head(program)
    runs = 'repeat %d\n  bbrun 0 1 [%#x]\ndone\n'
    first = head + 'malloc_block 0x9080 1000 [%#x]\n' % main + \
        runs % (400, 0x9100)
    drive.assemble('first.dg', first)
    drive.assemble('heap.dg', first +
                   'malloc_block 0xa000 3000 [%#x %#x]\n' % (victim, main) +
                   runs % (200, 0xa100) + 'free_block 0xa000\n' +
                   runs % (400, 0x9100) + 'end\n')
    drive.assemble('none.dg', head + runs % (100, 0x9100) + 'end\n')
    return ['victim (prog.c:1)', 'main (prog.c:5)'] if program else \
        ['%#x' % victim, '%#x' % main]


def says(view, text):
    """The line above the picture, when it is that."""
    until(lambda: view.text(NOTE) == text)
    return view.text(NOTE)


def box_of(view):
    return view.find('Heap over time').get_extents(Atspi.CoordType.SCREEN)


def point(view, fx, fy):
    """On the screen, as fractions of the picture, which has its scale at the
    left and below."""
    box = box_of(view)
    return round(box.x + fx * box.width), round(box.y + fy * box.height)


def pixels(node):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    return drive.Screen().area(box.x, box.y, box.width, box.height)


def still(node):
    """Its picture, when it does not change any more."""
    last = []

    def question():
        now = pixels(node)
        is_still = last == [now]
        last[:] = [now]
        return is_still
    until(question)
    return last[0]


def leave(view):
    """The pointer is over neither, nor over what has a tip, which could cover
    them: it is beside the window."""
    xdo('mousemove', 1398, 898)


def check_room(view):
    """Beside the side panel, which is there at first."""
    ok(until(lambda: view.find('Side panel', showing=True)),
       'the side panel is beside it')
    frame = view.find(role='frame').get_extents(Atspi.CoordType.SCREEN)
    ok(until(lambda: box_of(view).height >= frame.height / 5),
       'the picture of the heap is large enough to be read',
       (box_of(view).height, frame.height))
    plot = view.plot().get_extents(Atspi.CoordType.SCREEN)
    ok(plot.width * plot.height >= frame.width * frame.height / 3,
       'the plot keeps a third of the window', (plot.width, plot.height))
    view.tab('Functions')
    ok(until(lambda: view.plot().get_extents(
        Atspi.CoordType.SCREEN).height > plot.height),
       'other panels give it back')
    view.tab('Heap')
    ok(until(lambda: box_of(view).height >= frame.height / 5),
       'and take it again')
    view.handled()
    view.settled()


def check_rows(view, names):
    same(says(view, PEAK), PEAK, 'the line tells the peak')
    until(lambda: len(view.cells(TABLE)) == 2)
    where = [re.search(r'\((.*)\)', name) for name in names]
    where = [match.group(1) if match else '' for match in where]
    same([row[1:10] for row in view.cells(TABLE)],
         [[names[0], '75.0 %', '3,000', '1', '1', '100.0 %', '3,000', '1',
           where[0]],
          [names[1], '25.0 %', '1,000', '1', '0', '0.0 %', '1,000', '1',
           where[1]]],
         'the table tells who has what')
    same(view.find('Heap over time').get_description(), PEAK,
         'those who cannot see the picture hear it')


def check_links(view, names):
    plot, area = view.plot(), view.find('Heap over time')
    leave(view)
    before = still(plot)
    x, y = point(view, 0.5, 0.75)
    xdo('mousemove', x, y - 1, 'mousemove', x, y)
    text = until(lambda: (lambda now: now if now and 'all: ' in now else None)
                 (view.text(NOTE)))
    ok(text and re.match(r'.+ · \d,\d{3} bytes, (75|25)\.0 % · all: 4,000 '
                         r'bytes in 2 blocks · instruction [45]\d\d$', text),
       'pointing at an area tells whose it is', text)
    ok(until(lambda: pixels(plot) != before),
       'and draws a line in the plot')
    leave(view)
    ok(until(lambda: pixels(plot) == before), 'which goes away')
    says(view, PEAK)
    before = still(area)
    view.hover(0.5, 0.7)
    ok(until(lambda: pixels(area) != before),
       'pointing at the plot marks the moment here')
    leave(view)
    ok(until(lambda: pixels(area) == before), 'until it leaves')


def check_choice(view, names, has_names):
    plot = view.plot()
    before = still(plot)
    xdo('mousemove', *point(view, 0.2, 0.75), 'click', 1)
    wanted = '1,000 bytes in 1 block at instruction '
    ok(until(lambda: view.text(NOTE) and ' · peak in view: 4,000 bytes' in
             view.text(NOTE)) and wanted in view.find(
                 'Heap over time').get_description(),
       'a click chooses a moment', view.text(NOTE))
    table = view.find(TABLE, 'table')
    ok(until(lambda: [row[1] for row in view.cells(TABLE)] and
             view.cells(TABLE)[0][1:4] == [names[1], '100.0 %', '1,000']),
       'and the table is about that', view.cells(TABLE))
    ok(until(lambda: table.is_row_selected(0)),
       'it selects what is there, too')
    stack = until(lambda: view.stack('Allocated by'))
    same(stack and stack[0][0], names[1].split()[0],
         'whose call stack is shown')
    if has_names:
        ok(until(lambda: view.find('Source', 'text', showing=True)),
           'and its source')
    leave(view)
    ok(until(lambda: still(plot) != before), 'its blocks stand out')
    area = view.find('Heap over time')
    area.grab_focus()
    xdo('key', 'p')
    same(says(view, PEAK), PEAK, 'a key goes to the peak')
    xdo('key', 'Up')
    ok(until(lambda: table.is_row_selected(0) and
             view.cells(TABLE)[0][1] == names[0]),
       'another to the next area', view.cells(TABLE))
    xdo('key', 'End')
    text = until(lambda: view.text(NOTE) and
                 '1,000 bytes in 1 block' in view.text(NOTE) and
                 view.text(NOTE))
    ok(text, 'another to the last moment', view.text(NOTE))
    xdo('key', 'Escape')
    ok(until(lambda: not any(table.is_row_selected(i) for i in range(2))),
       'Escape selects nothing')
    view.press('Peak', 'toggle button')
    same(says(view, PEAK), PEAK, 'the button goes to the peak')


def check_zoom(view):
    whole = view.view()
    x0, y0 = point(view, 0.7, 0.6)
    x1, y1 = point(view, 0.9, 0.6)
    xdo('mousemove', x0, y0, 'mousedown', 1)
    for i in range(1, 5):
        xdo('mousemove', x0 + (x1 - x0) * i // 4, y1)
    view.handled()
    xdo('mouseup', 1)
    zoomed = view.changed(whole)
    ok(zoomed and 600 < zoomed[2] < zoomed[3] < 1000 and
       zoomed[:2] == whole[:2],
       'dragging zooms the instructions of the plot', zoomed)
    leave(view)
    wanted = r'Peak in view: 1,000 bytes|peak in view: 1,000 bytes'
    ok(until(lambda: re.search(wanted, view.text(NOTE) or '')),
       'and the panel follows', view.text(NOTE))
    view.press('Peak', 'toggle button')
    view.press('Peak', 'toggle button')
    view.press('Peak', 'toggle button')
    moved = view.changed(zoomed)
    ok(moved and moved[2] <= 400 <= moved[3],
       'the peak is that of all, and the plot goes there', moved)
    same(says(view, PEAK), PEAK, 'with the panel')
    view.press('Show all instructions (0)', 'push button')
    same(view.changed(moved), whole, 'a button shows everything again')
    view.plot().grab_focus()
    xdo('key', 'y')
    zoomed = view.changed(whole)
    xdo('mousemove', *point(view, 0.5, 0.9), 'click', '--repeat', 2, 1)
    same(view.changed(zoomed), whole, 'so does a double click')
    leave(view)


def check_series(view, names, has_names):
    for item, wanted in (
            ('By function', names[0].split()[0]),
            ('By module', 'prog' if has_names else None),
            ('By site', names[0])):
        view.choose('What each area stands for', item)
        ok(until(lambda: wanted is None or
                 [row[1] for row in view.cells(TABLE)][:1] == [wanted]),
           item, view.cells(TABLE))
    view.press('Peak', 'toggle button')
    view.choose('Number of areas', '5 largest')
    ok(until(lambda: len(view.cells(TABLE)) == 2), '5 largest')


def menu_item(view, name):
    view.press('Actions for the heap', 'push button')
    view.wait_for(name, 'menu item', showing=True).do_action(0)


def check_menu(view):
    menu_item(view, 'Save Picture…')
    chooser = view.wait_for(re.compile('Save the Picture of the Heap'),
                            'file chooser')
    entry = until(lambda: view.find(role='text', within=chooser))
    Atspi.EditableText.set_text_contents(entry, os.path.abspath('heap.svg'))
    view.wait_for('Save', 'push button',
                  within=chooser).do_action(0)

    def texts():
        try:
            return [''.join(node.itertext()) for node in
                    ElementTree.parse('heap.svg').iter(
                        '{http://www.w3.org/2000/svg}text')]
        except (OSError, ElementTree.ParseError):
            return None
    ok(any('Peak' in text for text in until(texts) or []),
       'the picture is saved', texts())
    menu_item(view, 'Copy Command Line of the Picture')
    view.handled()
    events = view.find(name='Events', role='text')
    events.grab_focus()
    until(lambda: events.get_state_set().contains(Atspi.StateType.FOCUSED))
    xdo('key', 'ctrl+v')
    until(lambda: 'dg heap' in Atspi.Text.get_text(events, 0, -1))
    line = Atspi.Text.get_text(events, 0, -1)
    ok(re.match('dg heap --render=heap.svg --by=site --series=5 .*heap.dg',
                line), 'the command line is copied', line)
    Atspi.EditableText.set_text_contents(events, '')
    saved = texts()
    os.remove('heap.svg')
    words = shlex.split(line)
    subprocess.check_call([os.environ['DG']] + words[1:],
                          stdout=subprocess.DEVNULL)
    same(texts(), saved, 'and makes the same picture')


def test_heap():
    program = drive.build_program()
    names = make_log(program)
    view = View('heap.dg')
    view.settled()
    view.tab('Heap')
    check_room(view)
    check_rows(view, names)
    check_links(view, names)
    check_choice(view, names, program is not None)
    check_zoom(view)
    check_series(view, names, program is not None)
    check_menu(view)
    view.close()


def test_growing():
    with open('heap.dg', 'rb') as file:
        whole = file.read()
    with open('first.dg', 'rb') as file:
        first = file.read()
    view = View('--follow', 'first.dg')
    view.settled()
    view.tab('Heap')
    alone = 'Partial log: it is still being written · ' \
        'Peak in view: 1,000 bytes in 1 block at instruction 0'
    same(says(view, alone), alone, 'a log that grows')
    with open('first.dg', 'ab') as file:
        file.write(whole[len(first):])
    same(says(view, PEAK), PEAK, 'the panel grows with it')
    view.close()


def test_partial():
    """What a log does not hold need not be what was not."""
    with open('heap.dg', 'rb') as file:
        whole = file.read()
    with open('cut.dg', 'wb') as file:
        file.write(whole[:-8])
    drive.assemble('off.dg', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "p" "/" []
bbdef [0x401000+4] [R8@0]
context 0 [0x401000]
malloc_block 0x9080 1000 [0x401000]
repeat 100
  bbrun 0 1 [0x9100]
done
window 0 2 100
window 1 2 200
repeat 100
  bbrun 0 1 [0x9100]
done
end
''')
    for log, why in (('cut.dg', 'it was cut short'),
                     ('off.dg', 'recording was off for some time')):
        wanted = 'Partial log: %s · ' % why
        view = View(log)
        view.settled()
        view.tab('Heap')
        ok(until(lambda: (view.text(NOTE) or '').startswith(
            wanted + 'Peak in view: ')), 'the heap: ' + why, view.text(NOTE))
        for name in 'Heap Blocks', 'Cache Lines', 'Calls', 'Flame Graph':
            view.tab(name)
            ok(until(lambda: view.says('^' + wanted + '[0-9,]* accesses in')),
               '%s: %s' % (name, why))
        view.click(0.9, 0.05)
        ok(until(lambda: view.text('What is missing from the log')
                 == wanted[:-3]),
           'where nothing is found, or a block is never freed: ' + why,
           (view.text('What is missing from the log'), view.text('Summary')))
        view.close()


def test_without():
    view = View('none.dg')
    view.settled()
    view.tab('Heap')
    ok(until(lambda: view.says('The log contains no heap blocks')),
       'a log without heap blocks says so')
    view.close()


drive.run(test_heap, test_growing, test_partial, test_without)
