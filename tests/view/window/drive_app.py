# drive_app.py: the window as a program of its desktop: start page, menu,
# preferences, what is remembered, recent logs, files dropped on it, reload,
# keys, dialogs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import configparser
import os
import select
import shutil
import subprocess

import drive
from drive import (Atspi, Screen, View, is_sensitive, is_showing, ok, same,
                   text_of, until, walk, xdo)

WHOLE = [0x1000, 0x9fff, 0, 999]
TESTS = os.environ['abs_builddir'] + '/view/window/'
SETTINGS = 'datagrind/dg_view.ini'


def settings():
    """What is remembered."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(SETTINGS)
    return dict(parser['dg_view']) if 'dg_view' in parser else {}


def plot_size(view):
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    return [box.width, box.height]


def other_height(view):
    """Of what is above and below the plot."""
    return view.find(role='frame').get_extents(
        Atspi.CoordType.SCREEN).height - plot_size(view)[1]


def quit_by_key(view):
    xdo('mousemove', *view.point(0.5, 0.5))
    xdo('key', 'ctrl+w')
    status = view.status()
    view.close()
    return status


def click_on(node, count=1):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    xdo('mousemove', box.x + box.width // 2, box.y + box.height // 2, 'click',
        '--repeat', count, '--delay', 60, 1)


def menu(view, *names):
    """Opens the menu by its key and takes items by their names."""
    xdo('key', 'F10')
    for name in names:
        item = until(lambda: next(
            (node for node in view.find_all(name=name, showing=True)
             if node.get_role_name() in ('push button', 'check box', 'check '
                                         'menu item', 'radio button',
                                         'menu item')), None))
        if item is None:
            raise RuntimeError('no menu item ' + name)
        until(lambda: item.do_action(0))
    return item


def brightness(view):
    """Of the plot's margin, 0 to 255."""
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    return sum(Screen().at(box.x + 3, box.y + box.height - 3)[:3]) / 3


def frames(view):
    """The windows and dialogs that can be seen, but no tooltips."""
    return [node for i in range(view.app.get_child_count())
            for node in [view.app.get_child_at_index(i)]
            if node is not None and is_showing(node) and
            node.get_role_name() != 'window']


def dialog(view, pattern):
    """The dialog, or other window but the first, that says so."""
    for frame in frames(view)[1:]:
        for node in walk(frame):
            if is_showing(node) and pattern in (
                    text_of(node) if node.get_role_name() == 'label'
                    else node.get_name() or ''):
                return frame
    return None


# ---- Opening ---------------------------------------------------------------


def test_start_page():
    drive.make_known(drive.build_program())
    os.mkdir('here')
    shutil.copy('known.dg', 'here/datagrind.out.7')
    shutil.copy('known.dg', 'here/datagrind.out.7.dgx')
    shutil.copy('known.dg', 'here/other.txt')
    os.chdir('here')
    view = View()
    ok(view.wait_for('No Log Is Open', showing=True),
       'without a log: a page says so')
    for command in ('valgrind --tool=exp-datagrind', 'dg record -o'):
        label = next((node for node in view.find_all(role='label')
                      if (text_of(node) or '').startswith(command)), None)
        ok(label and label.get_state_set().contains(
            Atspi.StateType.FOCUSABLE),
           'it tells the command, to be copied: ' + command)
    ok(not is_sensitive(view.find('Show everything (Home)')),
       'there is nothing to zoom')
    row = view.wait_for('datagrind.out.7', 'list item', showing=True)
    ok(row, 'a log of the folder is offered')
    same([node.get_name() for node in view.find_all(role='list item')
          if is_showing(node)], ['datagrind.out.7'], 'and nothing else')
    click_on(row)
    same(until(view.view), WHOLE, 'a click opens it')
    same(quit_by_key(view), 0, 'Ctrl+W ends the program')
    os.chdir('..')


def test_recent():
    view = View()
    row = view.wait_for('datagrind.out.7', 'list item', showing=True)
    ok(row and row.get_description().endswith('/here'),
       'a log that was opened is among the recent ones, with its folder',
       row and row.get_description())
    row.grab_focus()
    until(lambda: row.get_state_set().contains(Atspi.StateType.FOCUSED))
    xdo('mousemove', 640, 60, 'key', 'Return')
    same(until(view.view), WHOLE, 'the keyboard opens it')
    view.close()

    view = View('known.dg')
    view.settled()
    menu(view, 'Open Recent', 'datagrind.out.7')
    ok(until(lambda: '/here/' in ' '.join(
        text_of(node) or '' for node in view.find_all(role='label'))),
       'the menu has recent logs')
    same(view.view(), WHOLE, 'and opens them')
    view.close()
    shutil.rmtree('here')
    view = View()
    view.wait_for('known.dg', 'list item', showing=True)
    same([node.get_name() for node in view.find_all(role='list item')
          if is_showing(node)], ['known.dg'], 'logs that are gone are not')
    view.close()


def drop(view, *uris):
    """Drags files to the middle of the plot or the start page."""
    source = subprocess.Popen([TESTS + 'drag_source', '1330', '830', *uris],
                              stdout=subprocess.PIPE)
    until(lambda: Screen().at(1331, 831) != (0, 0, 0))
    xdo('mousemove', 1350, 850, 'mousedown', 1)
    for x, y in ((1340, 840), (1250, 780), (1000, 600), (700, 500),
                 (690, 490), (680, 480)):
        xdo('mousemove', x, y)
        view.handled()
    # It says so when what is under the pointer would take them.
    select.select([source.stdout], [], [], drive.PATIENCE)
    xdo('mouseup', 1)
    try:
        source.communicate(timeout=drive.PATIENCE)
    except subprocess.TimeoutExpired:
        source.kill()


def uri(name):
    return 'file://' + os.path.abspath(name)


def test_drop():
    shutil.copy('known.dg', 'a ü.dg')
    view = View()
    view.wait_for('No Log Is Open', showing=True)
    drop(view, uri('a%20%C3%BC.dg'))
    same(until(view.view), WHOLE, 'a file that is dropped is opened')
    drop(view, 'sftp://nowhere.invalid/x.dg')
    ok(until(lambda: dialog(view, 'not a file of this machine')),
       'one that is elsewhere: a dialog says so')
    xdo('key', 'Escape')
    ok(until(lambda: not dialog(view, 'not a file of this machine')),
       'Escape closes the dialog')
    same(view.view(), WHOLE, 'and the log stays')
    drop(view, uri('known.dg'), uri('cut.dg'))
    ok(until(lambda: len(frames(view)) == 2),
       'two files: the second has a window of its own')
    until(view.settled)
    xdo('key', 'ctrl+w')
    ok(until(lambda: len(frames(view)) == 1), 'Ctrl+W closes one of them')
    xdo('key', 'ctrl+0')
    same(view.view(), WHOLE, 'and the other one works')
    drop(view, uri('known.dg'), uri('cut.dg'), uri('bad.dg'))
    ok(until(lambda: dialog(view, 'bad.dg')),
       'three files, one of them no log: a dialog of its window')
    xdo('key', 'Escape')
    until(lambda: not dialog(view, 'bad.dg'))
    xdo('key', 'ctrl+q')
    same(view.status(), 1, 'Ctrl+Q closes all')
    view.close()


def test_reload():
    shutil.copy('known.dg', 'reload.dg')
    view = View('--ranges=malloc', 'reload.dg')
    before = [0x9000, 0x9fff, 500, 999]
    same(until(view.view), before, 'filtered')
    view.drag((0.01, 0.2), (0.6, 0.7))
    zoomed = view.changed(before)
    # 0x9100 is a sixteenth of the page.
    view.click((1 / 16 - 0.01) / 0.59, 0.5)
    until(lambda: view.text('Address') == '0x9100')
    row = view.text('Instruction')
    ok(row, 'an access is selected')
    # Another log by the same name, as its title shows.
    with open('known.dg', 'rb') as file:
        data = file.read()
    with open('other.dg', 'wb') as file:
        file.write(data.replace(b'-x', b'-y', 1))
    os.rename('other.dg', 'reload.dg')
    xdo('key', 'ctrl+r')
    ok(until(lambda: view.find(role='frame').get_name() == 'prog -y'),
       'Ctrl+R reads the log again', view.find(role='frame').get_name())
    same(view.view(), zoomed, 'reload keeps the view')
    same(view.conditions('Ranges'), 'malloc', 'and the filter')
    ok(until(lambda: view.text('Instruction') == row),
       'and the selection', view.text('Instruction'))
    view.close()


# ---- Menu, preferences, keys -----------------------------------------------


def test_menu():
    view = View('known.dg')
    view.settled()
    for names, title in ((['Keyboard Shortcuts'], 'Back to the last view'),
                         (['About Datagrind'], 'the Datagrind developers'),
                         (['Preferences'], 'Preferences')):
        menu(view, *names)
        ok(until(lambda: dialog(view, title)),
           'the menu opens: ' + names[0])
        drive.shot(names[0])
        xdo('key', 'Escape')
        ok(until(lambda: len(frames(view)) == 1), 'Escape closes it')
    for key, title in (('F1', 'Back to the last view'),
                       ('ctrl+question', 'Back to the last view'),
                       ('ctrl+comma', 'Preferences')):
        xdo('key', key)
        ok(until(lambda: len(frames(view)) == 2), key + ' opens it')
        xdo('key', 'Escape')
        until(lambda: len(frames(view)) == 1)
    view.close()
    shown = subprocess.run([TESTS + 'test-shortcuts', '--tap', '-p',
                            '/shortcuts/actions'], capture_output=True,
                           text=True)
    ok(shown.returncode == 0 and 'SKIP' not in shown.stdout,
       'every action that has keys is there', shown.stdout + shown.stderr)


def combo_of(view, name):
    """The combo box of the preferences with that label."""
    return next((node for node in view.find_all(role='combo box')
                 if is_showing(node) and name in labels_of(node)), None)


def choose(view, name, value):
    combo = until(lambda: combo_of(view, name))
    ok(combo, 'preferences: ' + name + ' has a label')
    # Its items may be made late, and the first request be lost with them.
    until(lambda: value in items(combo))
    until(lambda: chosen(combo) == value or
          (Atspi.Selection.select_child(combo, items(combo).index(value)) and
           chosen(combo) == value))
    return combo


def items(combo):
    return [node.get_name() for node in walk(combo)
            if node.get_role_name() == 'menu item']


def chosen(combo):
    child = Atspi.Selection.get_selected_child(combo, 0)
    return child.get_name() if child is not None else None


def labels_of(node):
    """The names of what labels it."""
    return [relation.get_target(i).get_name()
            for relation in node.get_relation_set()
            if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY
            for i in range(relation.get_n_targets())]


def folders(view):
    return view.cells(next(view.find_all(role='table', showing=True)))


def test_preferences():
    if os.path.exists(SETTINGS):
        os.remove(SETTINGS)
    view = View('known.dg')
    view.settled()
    ok(until(lambda: brightness(view) > 200),
       'the desktop of the tests is light',
       brightness(view))
    xdo('key', 'ctrl+comma')
    view.wait_for('Preferences', showing=True)
    choose(view, 'Theme', 'Dark')
    ok(until(lambda: brightness(view) < 80), 'the dark theme comes at once',
       brightness(view))
    drive.shot('dark')
    choose(view, 'Theme', 'Light')
    ok(until(lambda: brightness(view) > 200), 'and the light one',
       brightness(view))
    choose(view, 'Theme', 'Dark')
    x, y = view.point(0.25, 0.25)
    before = Screen().at(x, y)
    choose(view, 'Palette', 'Blue and orange')
    ok(until(lambda: Screen().at(x, y) != before),
       'another palette changes the picture at once', before)
    choose(view, 'Colours show', 'Threads')
    entry = until(lambda: next(
        (node for node in view.find_all(role='text')
         if 'Editor' in labels_of(node)), None))
    Atspi.EditableText.set_text_contents(entry, 'my-editor +%l %f')
    view.press('Add a folder')
    # The cell that is edited is not shown to those who ask; its row is, and
    # both come at once.
    until(lambda: folders(view) == [['', '']])
    xdo('type', '/build')
    xdo('key', 'Return')
    until(lambda: '/build=' in settings().get('source-map', ''))
    drive.shot('preferences')
    wanted = {'theme': 'dark', 'colour': 'thread',
              'editor': 'my-editor +%l %f', 'source-map': '/build=;'}
    ok(until(lambda: wanted.items() <= settings().items()),
       'the settings have it all', settings())
    ok(settings().get('palette') not in (None, 'classic'), 'the palette, too',
       settings())
    xdo('key', 'Escape')
    until(lambda: len(frames(view)) == 1)
    same(quit_by_key(view), 0, 'the end')

    view = View('known.dg')
    view.settled()
    ok(until(lambda: brightness(view) < 80),
       'the next start is dark, as was chosen')
    xdo('key', 'ctrl+comma')
    view.wait_for('Preferences', showing=True)
    same([chosen(until(lambda: combo_of(view, name)))
          for name in ('Theme', 'Palette', 'Colours show')],
         ['Dark', 'Blue and orange', 'Threads'], 'all choices are there')
    same(until(lambda: folders(view) == [['/build', '']]) and folders(view),
         [['/build', '']], 'the folders, too')
    xdo('key', 'Escape')
    view.close()
    view = View('--theme=light', '--colour=kind', 'known.dg')
    view.settled()
    ok(until(lambda: brightness(view) > 200), 'the command line wins')
    view.close()
    same(settings().get('theme'), 'dark', 'for that start only')
    os.remove(SETTINGS)
    for theme, least, most in (('Adwaita:dark', 0, 80),
                               ('HighContrast', 200, 255),
                               ('HighContrastInverse', 0, 80)):
        view = View('known.dg', GTK_THEME=theme)
        same(until(view.view), WHOLE, 'GTK_THEME=' + theme)
        ok(least <= brightness(view) <= most, 'the plot goes with it',
           brightness(view))
        view.close()


def test_remembered():
    view = View('known.dg')
    view.settled()
    plot = view.plot().get_extents(Atspi.CoordType.SCREEN)
    xdo('key', 'F9')
    ok(until(lambda: view.plot().get_extents(
        Atspi.CoordType.SCREEN).width > plot.width + 200),
       'F9 hides the side panel, and the plot has its room')
    xdo('key', 'F9')
    ok(until(lambda: view.plot().get_extents(
        Atspi.CoordType.SCREEN).width == plot.width),
       'F9 shows it again, as wide as it was')
    # GTK does not show what stands beside tabs to those who ask.
    tab = next(node for node in view.find_all(role='page tab')
               if is_showing(node))
    box, tab = (node.get_extents(Atspi.CoordType.SCREEN)
                for node in (tab.get_parent(), tab))
    xdo('mousemove', box.x + box.width - 20, tab.y + tab.height // 2, 'click',
        1)
    ok(until(lambda: view.plot().get_extents(
        Atspi.CoordType.SCREEN).height > plot.height + 80),
       'a button hides the tables')
    menu(view, 'View', 'Grid of Pages and Lines')
    xdo('key', 'Escape')
    others = other_height(view)
    view.resize(1100, 700)
    ok(until(lambda: other_height(view) == others),
       'the plot follows the size of the window', plot_size(view))
    size = plot_size(view)
    same(quit_by_key(view), 0, 'the end')
    # Without the shadow and the title, which GTK adds.
    width, height = int(settings()['width']), int(settings()['height'])
    ok(1060 < width <= 1100 and 600 < height <= 700,
       'the settings have the size', settings())
    same([settings().get(name) for name in ('side-panel', 'tables', 'grid')],
         ['true', 'false', 'false'], 'and what is to be seen')
    view = View('known.dg')
    view.settled()
    frame = view.find(role='frame').get_extents(Atspi.CoordType.SCREEN)
    same([frame.width, frame.height], [1100, 700],
         'the next start has the same size')
    ok(until(lambda: plot_size(view) == size), 'and the panels, too',
       plot_size(view))
    view.close()

    # What nobody can have meant, and what cannot be written.
    with open(SETTINGS, 'wb') as file:
        file.write(b'[dg_view]\nwidth=-7\nheight=999999999\nside-width=x\n'
                   b'theme=\xff\ntables-tab=nothing\n\x00\xff[[[')
    view = View('known.dg')
    same(until(view.view), WHOLE, 'damaged settings do no harm')
    view.close()
    os.remove(SETTINGS)
    os.rmdir('datagrind')
    with open('datagrind', 'w'):
        pass
    view = View('known.dg')
    view.settled()
    same(quit_by_key(view), 0, 'settings that cannot be written do not, too')
    os.remove('datagrind')


def test_names():
    """Everything that can be reached has a name."""
    view = View('known.dg')
    view.settled()
    view.click(0.25, 0.25)
    until(lambda: view.shown('Address'))
    nameless = [(node.get_role_name(), node.get_parent().get_name())
                for node in walk(view.app)
                if node.get_role_name() in (
                    'push button', 'toggle button', 'text', 'page tab',
                    'page tab list', 'scroll bar', 'table', 'combo box')
                and is_showing(node) and not node.get_name()
                and not labels_of(node)
                and node.get_parent().get_role_name() != 'scroll pane']
    same(nameless, [], 'what can be reached has a name')
    view.close()


def test_small():
    """Nothing is cut off at 800 and 1024 pixels."""
    view = View('known.dg')
    view.settled()
    for width, height in ((1024, 600), (800, 600)):
        view.resize(width, height)
        view.settled()

        def cut():
            found = []
            for node in walk(view.app):
                if not is_showing(node) or node.get_role_name() not in (
                        'push button', 'toggle button', 'text',
                        'drawing area', 'scroll bar', 'page tab'):
                    continue
                box = node.get_extents(Atspi.CoordType.SCREEN)
                if box.x + box.width > width or box.y + box.height > height:
                    found.append((node.get_role_name(), node.get_name(),
                                  box.x, box.y, box.width, box.height))
            return found
        # The parts take their places after the window has its size.
        until(lambda: not cut())
        size = '%dx%d' % (width, height)
        same(cut(), [], size + ': nothing is cut off')
        plot = view.plot().get_extents(Atspi.CoordType.SCREEN)
        ok(plot.width > 300 and plot.height > 150,
           size + ': the plot has room', (plot.width, plot.height))
        drive.shot(size)
    view.close()


# ---- Keys ------------------------------------------------------------------


def test_focus():
    """Tab and back through everything; GTK complains of a focus that cannot
    be seen."""
    view = View('known.dg')
    view.settled()
    xdo('mousemove', *view.point(0.5, 0.5))
    for key in 'Tab', 'shift+Tab':
        lost = []
        for _ in range(45):
            xdo('key', key)
            focused = next((node for node in walk(view.app)
                            if node.get_state_set().contains(
                                Atspi.StateType.FOCUSED)), None)
            if focused is not None and not is_showing(focused):
                lost.append((focused.get_role_name(), focused.get_name()))
        same(lost, [], key + ' goes to what can be seen only')
    same(view.messages(), '', 'without complaints')
    view.close()


# ---- Dialogs ---------------------------------------------------------------


def test_dialogs():
    view = View('bad.dg')
    ok(until(lambda: view.says('bad.dg')), 'a bad log: a dialog')
    label = next(node for node in view.find_all(role='label')
                 if 'not a Datagrind log' in (text_of(node) or ''))
    ok(label.get_state_set().contains(Atspi.StateType.FOCUSABLE),
       'its text can be copied')
    xdo('key', 'Escape')
    ok(view.wait_for('No Log Is Open', showing=True),
       'then the start page is there')
    xdo('key', 'ctrl+w')
    same(view.status(), 1, 'the exit status')
    view.close()
    name = b'\xff\x1b[31m.dg'
    with open(name, 'wb') as file:
        file.write(b'nothing')
    view = View(name)
    ok(until(lambda: view.says('This log cannot be opened')),
       'a name that is no text: a dialog')
    view.close()
    refused = subprocess.run([os.environ['DG_VIEW'], '--render=x.png', name],
                             capture_output=True)
    ok(refused.returncode == 1 and b'\\xff\\x1b[31m.dg' in refused.stderr
       and b'\x1b' not in refused.stderr,
       'printed, it is harmless', refused.stderr)


drive.run(test_start_page, test_recent, test_drop, test_reload, test_menu,
          test_preferences, test_remembered, test_names, test_small,
          test_focus, test_dialogs)
