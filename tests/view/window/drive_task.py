# drive_task.py: a whole task, by keys alone, and by names and roles alone as a
# screen reader has them: open a log, find who writes most to heap blocks, go to
# the source, come back, and take the table along.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os

import drive
from drive import Atspi, View, is_showing, ok, same, until, walk, xdo

TABLE = 'Functions in view'
ACTIONS = 'Actions for the table'


def make_log():
    """main writes a heap block 500 times, victim 200 times; victim reads
    elsewhere 900 times.  Returns whether there are names."""
    program = drive.build_program()
    where = program or {'text': 0x401000, 'size': 0x1000,
                        'victim': 0x401100, 'main': 0x401200}
    victim, main = where['victim'] + 4, where['main'] + 8
    drive.assemble('datagrind.out.7', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" "/" ["prog"]
text_avma %#x "%s"
module %#x %#x 0 [] ""
bbdef [%#x+4] [R8@0]
bbdef [%#x+4] [W4@0]
bbdef [%#x+4] [W4@0]
context 0 [%#x %#x]
context 1 [%#x]
context 2 [%#x %#x]
malloc_block 0x9080 400 [%#x]
repeat 900
  bbrun 0 1 [0x1800]
done
repeat 500
  bbrun 1 1 [0x9100]
done
repeat 200
  bbrun 2 1 [0x9104]
done
end
''' % (where['text'], os.path.abspath('prog'), where['text'], where['size'],
       victim, main, victim, victim, main, main, victim, main, main))
    return program is not None


def focused(view):
    return next((node for node in walk(view.app)
                 if node.get_state_set().contains(Atspi.StateType.FOCUSED)
                 and is_showing(node)), None)


def what_is(node):
    """Name and role, as a screen reader says them."""
    labels = [r.get_target(0).get_name() for r in node.get_relation_set()
              if r.get_relation_type() == Atspi.RelationType.LABELLED_BY]
    return (node.get_name() or ' '.join(labels), node.get_role_name())


def within(node, name, role):
    """Whether it, or what it is in, is called so."""
    while node is not None:
        if what_is(node) == (name, role):
            return True
        node = node.get_parent()
    return False


def is_itself(node, name, role):
    return what_is(node) == (name, role)


def tab_to(view, name, role, key='Tab', most=60, is_in=within):
    """Presses Tab until the focus is there.  All on the way has a name."""
    nameless = []
    for _ in range(most):
        node = focused(view)
        if node is not None:
            if is_in(node, name, role):
                return nameless
            if not what_is(node)[0] and node.get_role_name() not in (
                    'table cell', 'tree table', 'scroll pane', 'split pane'):
                nameless.append(what_is(node))
        xdo('key', key)
        view.handled()
    node = focused(view)
    return ['not found: %s (%s), at last %s' % (name, role,
                                                node and what_is(node))]


def writes(view):
    """Of each function; the column is known by its title."""
    table = view.find(TABLE, 'table')
    titles = [Atspi.Table.get_column_header(table, i).get_name()
              for i in range(Atspi.Table.get_n_columns(table))]
    at = titles.index('Writes')
    return {row[0]: row[at] for row in view.cells(table)}


def test_keys():
    has_names = make_log()
    view = View()
    view.wait_for('No Log Is Open', showing=True)
    view.wait_for('Logs in this folder', showing=True)
    for _ in range(40):
        node = focused(view)
        if node is not None and node.get_role_name() == 'list item':
            break
        xdo('key', 'Tab')
        view.handled()
    ok('datagrind.out.7' in [node.get_name() for node in
                             walk(focused(view))],
       'Tab goes to the logs of the folder')
    xdo('key', 'Return')
    ok(until(lambda: view.plot() is not None and view.view()),
       'Enter opens one')
    # Only heap blocks.
    xdo('key', 'ctrl+l')
    until(lambda: focused(view) and what_is(focused(view))[0] == 'Events')
    same(tab_to(view, 'Ranges', 'text'), [], 'Ctrl+L, Tab: the ranges')
    xdo('type', 'malloc')
    xdo('key', 'Return')
    ok(until(lambda: (view.view() or [0])[0] >= 0x9000),
       'the picture is of heap blocks', view.state())
    # The tables are reached by Tab, their pages by Left and Right.
    same(tab_to(view, 'Tables below', 'page tab list', is_in=is_itself), [],
         'Tab goes to the tables')
    functions = view.find('Functions', 'page tab')
    for _ in range(12):
        if functions.get_state_set().contains(Atspi.StateType.SELECTED):
            break
        xdo('key', 'Right')
        view.handled()
    ok(functions.get_state_set().contains(Atspi.StateType.SELECTED),
       'Right goes to the functions')
    same(tab_to(view, TABLE, 'table'), [], 'Tab into the table')
    until(lambda: len(view.cells(TABLE)) == 2)
    xdo('key', 'Home')
    rows = view.cells(TABLE, rows=1)
    most = rows[0][0] if rows else None
    ok(most and (most == 'main' or not has_names) and
       writes(view)[most] == '500', 'who writes most comes first',
       (most, writes(view)))
    xdo('key', 'Return')
    if has_names:
        ok(until(lambda: view.find('Source', 'text', showing=True)),
           'Enter shows the source')
        same(tab_to(view, 'Source', 'text'), [], 'Tab goes there')
        same(tab_to(view, TABLE, 'table', 'shift+Tab'), [],
             'and Shift+Tab comes back')
    xdo('key', 'shift+F10')
    view.wait_for('Copy Table', 'menu item', showing=True)
    xdo('key', 'Up', 'Return')
    until(lambda: not view.find('Copy Table', 'menu item', showing=True))
    text = view.pasted()
    ok(text and 'Writes' in text and '500' in text and '200' in text,
       'the menu copies the table', text)
    view.close()


def test_names():
    """No key and no place on the screen: what a screen reader could do."""
    has_names = make_log()
    view = View('datagrind.out.7')
    view.settled()
    entry = next(node for node in view.find_all(role='text', showing=True)
                 if what_is(node)[0] == 'Ranges')
    Atspi.EditableText.set_text_contents(entry, 'malloc')
    entry.do_action(0)
    ok(until(lambda: (view.view() or [0])[0] >= 0x9000),
       'the entry of ranges: an action takes the conditions', view.state())
    view.tab('Functions')
    until(lambda: len(view.cells(TABLE)) == 2)
    same(sorted(writes(view).values()), ['200', '500'],
         'columns are known by their titles')
    table = view.find(TABLE, 'table')
    most = max(writes(view), key=lambda name: int(writes(view)[name]))
    row = next(i for i, cells in enumerate(view.cells(TABLE))
               if cells[0] == most)
    Atspi.Table.add_row_selection(table, row)
    ok(until(lambda: Atspi.Table.is_row_selected(table, row)),
       'a row can be selected')
    view.press(ACTIONS, 'push button')
    if has_names:
        view.wait_for('Show Source', 'menu item', showing=True).do_action(0)
        source = until(lambda: view.find('Source', 'text', showing=True))
        ok(source and until(lambda: 'return victim' in Atspi.Text.get_text(
            source, 0, -1)),
           'the source can be read')
        view.press(ACTIONS, 'push button')
    view.wait_for('Copy Table', 'menu item', showing=True).do_action(0)
    text = view.pasted()
    ok(text and 'Writes' in text and '500' in text, 'the table is copied',
       text)
    view.close()


drive.run(test_keys, test_names)
