# drive_tree.py: calls, flame graph and sources, on a log of a real program;
# compared with what real.py finds by walking all accesses, with addr2line.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shutil
import time
from xml.etree import ElementTree

import drive
import real
from drive import Screen, View, ok, same, until, xdo

from gi.repository import Atspi

PROGRAM = '''#include <stdlib.h>
struct node { struct node *left, *right; unsigned key; };
static inline __attribute__ ((always_inline)) unsigned
mix (unsigned *state)
{
  *state = *state * 1103515245 + 12345;
  return *state >> 8;
}
__attribute__ ((noinline)) static struct node *
new_node (unsigned *state)
{
  struct node *node = calloc (1, sizeof *node);
  node->key = mix (state);                       /* inlined */
  return node;
}
__attribute__ ((noinline)) static void
insert (struct node **at, struct node *node)
{
  if (*at == NULL)
    *at = node;
  else if (node->key < (*at)->key)               /* compared */
    insert (&(*at)->left, node);
  else
    insert (&(*at)->right, node);
}
__attribute__ ((noinline)) static unsigned
sum (const struct node *node)
{
  if (node == NULL)
    return 0;
  return sum (node->left) + node->key + sum (node->right);
}
static int
compare (const void *a, const void *b)
{
  const struct node *const *x = a, *const *y = b;
  return ((*x)->key > (*y)->key) - ((*x)->key < (*y)->key);
}
int
main (void)
{
  static struct node *all[300];
  struct node *root = NULL;
  unsigned state = 1;
  for (int i = 0; i < 300; i++) {
    all[i] = new_node (&state);
    insert (&root, all[i]);
  }
  qsort (all, 300, sizeof *all, compare);
  return sum (root) == 7;
}
'''
OWN = ('main', 'compare', 'sum', 'insert', 'mix', 'new_node')


class Tree:
    """What the accesses add up to, by path."""

    def __init__(self, facts):
        self.facts = facts
        self.paths = {}                 # ('_start', ..., 'sum') to accesses
        counts = {}
        for context in facts.context:
            counts[context] = counts.get(context, 0) + 1
        for context, n in counts.items():
            path = self.path(context)
            self.paths[path] = self.paths.get(path, 0) + n

    def path(self, context):
        """The outermost first.  Only the program's own names are known for
        sure: what lies between them is one '*'."""
        names = [name for name, place in
                 self.facts.frames(self.facts.contexts[context])]
        return shorten(reversed(names))


def shorten(names):
    path = []
    for name in names:
        name = name if name in OWN else '*'
        if name != '*' or path[-1:] != ['*']:
            path.append(name)
    return tuple(path)


def make_log():
    real.need_tool()
    with open('tree.c', 'w') as file:
        file.write(PROGRAM)
    drive.subprocess.check_call(
        os.environ.get('CC', 'cc').split() +
        ['-g', '-O1', '-fno-optimize-sibling-calls', '-o', 'tree',
         os.path.abspath('tree.c')])
    return real.record('tree.dgz', './tree')


LOG = make_log()
FACTS = real.Facts(LOG)
TREE = Tree(FACTS)


def exact(n):
    return '{:,}'.format(n)


def opened(*arguments, tab='Calls', **environment):
    view = View(*arguments, LOG, **environment)
    view.settled()
    page = view.wait_for(tab, 'page tab')

    def is_open():
        if not page.get_state_set().contains(Atspi.StateType.SELECTED):
            click_at(page)
            return False
        return True
    until(is_open)
    return view


def click_at(node, fx=0.5, fy=0.5):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    xdo('mousemove', round(box.x + fx * box.width),
        round(box.y + fy * box.height), 'click', 1)


def total(view, what='call tree'):
    """Of the panel, when all is counted."""
    return until(lambda: re.fullmatch(
        '([0-9,]+) access(es)? in view',
        view.text('Accesses of the ' + what) or '')).group(1)


def table(view):
    """The tree table, when it has rows."""
    return until(lambda: next((node for node in view.find_all(
        name='Calls', role='tree table') if node.get_n_rows() > 0), None))


def rows(view):
    """[function, share, accesses, self, ...] of the rows that are there."""
    return view.cells(table(view))


def functions(view):
    return [row[0] for row in view.cells(table(view), [0])]


def has_row(view, name):
    return until(lambda: name in functions(view))


def picture(view):
    """The data area, as it is on the screen."""
    view.settled()
    x0, y0 = view.point(0, 0)
    x1, y1 = view.point(1, 1)
    return Screen().area(x0, y0, x1 - x0, y1 - y0)


def selected(view):
    node = table(view)
    for row in range(node.get_n_rows()):
        if node.is_row_selected(row):
            return node.get_accessible_at(row, 0).get_name()
    return None


def flame(view):
    return view.find(name='Flame graph', role='drawing area') or \
        view.find(name='Flame graph', showing=True)


def focus(node):
    until(node.grab_focus)
    drive.soon(lambda: node.get_state_set().contains(Atspi.StateType.FOCUSED))


def paste(view, entry):
    """What is in the clipboard, by way of an entry."""
    node = view.wait_for(entry, 'text')
    focus(node)
    Atspi.EditableText.set_text_contents(node, '')
    xdo('key', 'ctrl+v')
    until(lambda: Atspi.Text.get_text(node, 0, -1))
    text = Atspi.Text.get_text(node, 0, -1)
    Atspi.EditableText.set_text_contents(node, '')
    return text


def share_of(part, whole):
    return '%.1f %%' % (100 * part / whole)


# ---- Calls -----------------------------------------------------------------


def inclusive(name):
    """Accesses of all paths through a function, each once."""
    return sum(n for path, n in TREE.paths.items() if name in path)


def test_calls():
    view = opened()
    same(total(view), exact(len(FACTS.icount)),
         'calls: the total is that of the log')
    ok(has_row(view, 'main'), 'calls: the heaviest path is expanded',
       functions(view))
    main = next(row for row in rows(view) if row[0] == 'main')
    same(main[1], share_of(inclusive('main'), len(FACTS.icount)),
         'calls: the share of main, with what it called')
    before = len(functions(view))
    plain = picture(view)

    # Left and right collapse and expand.
    xdo_select(view, 'main')
    same(selected(view), 'main', 'calls: a row is selected by key')
    ok(until(lambda: picture(view) != plain),
       'calls: its accesses stand out in the plot')
    xdo('key', 'Left')
    ok(until(lambda: len(functions(view)) < before),
       'calls: Left collapses a row')
    xdo('key', 'Right')
    ok(until(lambda: 'insert' in functions(view)
             and 'sum' in functions(view)), 'calls: Right expands it',
       functions(view))

    # The view changes, what is expanded and selected stays.
    view.drag((0.02, 0.3), (0.98, 0.99))
    until(lambda: view.text('Accesses of the call tree') != exact(
        len(FACTS.icount)) + ' accesses in view')
    a0, a1, i0, i1 = view.view()
    x0, x1 = FACTS.position(a0), FACTS.position(a1)
    part = sum(1 for i in FACTS.during(i0, i1 + 1)
               if x0 <= FACTS.x[i] <= x1 or
               FACTS.x[i] < x0 < FACTS.x[i] + FACTS.size[i])
    got = total(view)
    ok(until(lambda: total(view) == exact(part)),
       'calls: the total of a part of the plot', '%s, %s' % (
           total(view), exact(part)))
    ok('sum' in functions(view), 'calls: what was expanded still is',
       functions(view))
    same(selected(view), 'main', 'calls: what was selected still is')
    view.close()
    return got


def xdo_select(view, name):
    """By keyboard: to the row of that name."""
    focus(table(view))
    xdo('key', 'Home')
    until(lambda: selected(view) is not None)
    for _ in range(60):
        at = selected(view)
        if at == name:
            return True
        xdo('key', 'Down')
        view.handled()
    return False


def test_callers():
    view = opened()
    total(view)
    view.press('Callers')
    ok(until(lambda: 'compare' in functions(view)
             and len(functions(view)) > 40),
       'callers: all functions that access memory come first',
       functions(view))
    wanted = sum(n for path, n in TREE.paths.items() if path[-1] == 'compare')
    row = next(row for row in rows(view) if row[0] == 'compare')
    same(row[1], share_of(wanted, len(FACTS.icount)),
         'callers: the share of a function by itself')
    view.type('Find a function in the calls', 'new_no')
    same(until(lambda: selected(view)), 'new_node', 'callers: found by name')
    view.close()


def test_search():
    view = opened()
    total(view)
    entry = view.wait_for('Find a function in the calls', 'text')
    focus(entry)
    Atspi.EditableText.set_text_contents(entry, 'compare')
    same(until(lambda: selected(view)), 'compare',
         'search: rows on the way are made and expanded')
    view.close()


# ---- Flame graph -----------------------------------------------------------


def parse_folded(text):
    paths = {}
    for line in text.splitlines():
        names, n = line.rsplit(' ', 1)
        path = shorten(names.split(';'))
        paths[path] = paths.get(path, 0) + int(n)
    return paths


def copied(view):
    """Folded stacks, by the menu and the clipboard."""
    focus(flame(view))
    xdo('key', 'Menu')
    menu_item(view, 'Copy Folded Stacks')
    return paste(view, 'Mark functions in the flame graph')


def menu_item(view, label):
    item = view.wait_for(label, 'menu item', showing=True)
    item.do_action(0)


def walk_to(view, name):
    """By keyboard, down and to the right, to a frame of that name."""
    area = flame(view)
    focus(area)
    xdo('key', 'Home')
    until(lambda: area.get_description().startswith('everything,'))
    for _ in range(80):
        at = area.get_description()
        if at.startswith(name + ','):
            return at
        xdo('key', 'Down')
        view.handled()
        if area.get_description() == at:
            xdo('key', 'Right')
            view.handled()
            if area.get_description() == at:
                return None
    return None


def test_flame():
    view = opened(tab='Flame Graph')
    same(total(view, 'flame graph'), exact(len(FACTS.icount)),
         'flame: the total is that of the log')
    area = flame(view)
    focus(area)
    xdo('key', 'Home')
    same(until(lambda: area.get_description()
               if 'everything' in area.get_description() else None),
         'everything, 100.0 % of everything in view',
         'flame: the root, by key')
    at = walk_to(view, 'main')
    same(at, 'main, %s of everything in view' % share_of(
        inclusive('main'), len(FACTS.icount)), 'flame: down to main')

    # All paths below main, as other programs read them.
    xdo('key', 'Return')
    got = until(lambda: parse_folded(copied(view)))
    wanted = {path: n for path, n in TREE.paths.items() if 'main' in path}
    same({path: (n, wanted.get(path)) for path, n in got.items()
          if wanted.get(path) != n}, {},
         'flame: paths and counts are those of addr2line and dg dump')
    same([path for path in wanted if path not in got], [],
         'flame: and they are all of them')
    ok(len(got) > 10 and ('*', 'main', 'sum', 'sum') in got,
       'flame: with recursion', got)
    focus(area)
    xdo('key', 'Escape')

    # Zooming, and back.
    full = view.wait_for('Show all frames (Escape)')
    walk_to(view, 'main')
    ok(not drive.is_sensitive(full), 'flame: nothing is zoomed at first')
    xdo('key', 'Return')
    ok(until(lambda: drive.is_sensitive(full)), 'flame: Return zooms')
    xdo('key', 'Down', 'Return')
    until(lambda: not area.get_description().startswith('main,'))
    xdo('key', 'BackSpace')
    ok(until(lambda: area.get_description().startswith('main,')),
       'flame: Backspace goes to the caller', area.get_description())
    xdo('key', 'Escape')
    ok(until(lambda: not drive.is_sensitive(full)),
       'flame: Escape shows everything')

    # Searching tells the share.
    entry = view.wait_for('Mark functions in the flame graph', 'text')
    Atspi.EditableText.set_text_contents(entry, 'insert')
    same(until(lambda: view.text('Share of marked functions')),
         share_of(inclusive('insert'), len(FACTS.icount)) + ' found',
         'flame: the share of what was looked for')
    Atspi.EditableText.set_text_contents(entry, '')

    # The picture as a file.
    focus(area)
    xdo('key', 'Menu')
    menu_item(view, 'Save as SVG…')
    chooser = view.wait_for(re.compile('Save the Flame Graph'),
                            'file chooser')
    entry = view.wait_for(role='text', within=chooser)
    Atspi.EditableText.set_text_contents(entry,
                                         os.path.abspath('flame.svg'))
    view.wait_for('Save', 'push button',
                  within=chooser).do_action(0)
    ok(until(lambda: os.path.exists('flame.svg')), 'flame: saved as SVG')
    titles = [node.text for node in ElementTree.parse('flame.svg').iter(
        '{http://www.w3.org/2000/svg}title')]
    ok('everything: %s (100.0 %%)' % exact(len(FACTS.icount)) in titles and
       any(text.startswith('insert: ') for text in titles),
       'flame: the picture has frames with counts', titles[:9])

    # A click zooms; what it is about stands out in the plot.
    plain = picture(view)
    box = area.get_extents(Atspi.CoordType.SCREEN)
    xdo('mousemove', box.x + box.width // 3, box.y + 28, 'click', 1)
    ok(until(lambda: drive.is_sensitive(full)), 'flame: a click zooms')
    ok(until(lambda: picture(view) != plain),
       'flame: its accesses stand out in the plot')
    xdo('mousemove', box.x + box.width // 3, box.y + 8, 'click', 1)
    ok(until(lambda: not drive.is_sensitive(full)),
       'flame: a click on the root shows everything')
    view.close()


def test_filter():
    view = opened(tab='Flame Graph')
    total(view, 'flame graph')
    walk_to(view, 'main')
    entry = view.wait_for('Mark functions in the flame graph', 'text')
    Atspi.EditableText.set_text_contents(entry, '')
    xdo('key', 'Menu')
    menu_item(view, 'Show Only This Function')
    ok(until(lambda: view.conditions('Events') == 'fn:main'),
       'filter: the condition is in its entry')
    same(until(lambda: total(view, 'flame graph')
               if total(view, 'flame graph') == exact(inclusive('main'))
               else None), exact(inclusive('main')),
         'filter: only what the function did is counted')
    view.close()


# ---- Sources ---------------------------------------------------------------


def source_title(view):
    """What the panel says that it shows."""
    return until(lambda: view.text('Source file')) or ''


def caret_line(view):
    """None while it is not seen."""
    node = view.find(name='Source', role='text', showing=True)
    if node is None:
        return None
    caret = Atspi.Text.get_caret_offset(node)
    return Atspi.Text.get_text(node, 0, -1)[:caret].count('\n') + 1


def test_source():
    view = opened('--editor=sh -c "echo %f %l >edited"')
    total(view)
    entry = view.wait_for('Find a function in the calls', 'text')
    Atspi.EditableText.set_text_contents(entry, 'new_node')
    until(lambda: selected(view) == 'new_node')
    row = next(row for row in rows(view) if row[0] == 'new_node')
    focus(table(view))
    xdo('key', 'Return')
    place = row[7]
    ok(re.fullmatch('tree.c:[0-9]+', place), 'source: the row tells its line',
       row)
    wanted = os.path.abspath('tree.c') + place[len('tree.c'):]
    same(until(lambda: source_title(view) if source_title(view) == wanted
               else None), wanted, 'source: Enter on a row shows it')
    line = int(place.split(':')[1])
    same(until(lambda: caret_line(view) == line and line), line,
         'source: the line is marked')
    view.press('Open in the editor')
    until(lambda: os.path.exists('edited') and
          open('edited').read().endswith('\n'))
    same(open('edited').read().split(), [os.path.abspath('tree.c'),
                                         str(line)],
         'source: the editor opens it there')
    view.close()


def test_pick():
    view = opened()
    total(view)

    def by_compare(i):
        return FACTS.stack(i)[0][0] == 'compare'
    index = next(i for i in range(len(FACTS.icount) // 2,
                                  len(FACTS.icount)) if by_compare(i))
    view.click(*real.Plot(view, FACTS).at(index))
    until(lambda: view.text('Instruction'))
    at = int(view.text('Instruction').replace(',', '').split()[0])
    picked = next(i for i in FACTS.during(at, at + 1))
    frames = [frame for frame in FACTS.stack(picked)
              if frame[1].startswith('tree.c:')]
    wanted = os.path.abspath('tree.c') + frames[0][1][len('tree.c'):]
    same(until(lambda: source_title(view) if source_title(view) == wanted
               else None), wanted,
         'pick: a click shows the first source of its stack that is here')
    line = int(wanted.rsplit(':', 1)[1])
    same(until(lambda: caret_line(view) == line and line), line,
         'pick: with its line')
    view.close()


def show_first(view):
    """Of the row of main."""
    xdo_select(view, 'main')
    xdo('key', 'Return')


def test_missing():
    os.makedirs('elsewhere', exist_ok=True)
    shutil.move('tree.c', 'elsewhere/tree.c')
    try:
        view = opened()
        total(view)
        show_first(view)
        ok(until(lambda: view.says('not on this machine')),
           'missing: a clear message')
        view.press('Locate…')
        chooser = view.wait_for(re.compile('Where is tree.c'),
                                'file chooser')
        box = chooser.get_extents(Atspi.CoordType.SCREEN)
        # Nobody manages windows here: keys go to where the pointer is.
        xdo('mousemove', box.x + box.width // 2, box.y + box.height // 2)
        xdo('key', 'ctrl+l')
        entry = until(lambda: next(view.find_all(
            role='text', within=chooser, showing=True), None))
        drive.soon(lambda: entry.get_state_set().contains(
            Atspi.StateType.FOCUSED))
        Atspi.EditableText.set_text_contents(
            entry, os.path.abspath('elsewhere/tree.c'))
        press = view.wait_for('Open', 'push button', within=chooser)
        until(lambda: drive.is_sensitive(press))
        press.do_action(0)
        there = os.path.abspath('elsewhere/tree.c')
        ok(until(lambda: source_title(view).startswith(there + ':')),
           'missing: found where the user says', source_title(view))
        # The settings are written when the window is closed.
        focus(table(view))
        xdo('key', 'ctrl+q')
        same(view.status(), 0, 'missing: the window is closed')
        view.close()

        view = opened()
        total(view)
        show_first(view)
        ok(until(lambda: source_title(view).startswith(there + ':')),
           'missing: remembered', source_title(view))
        view.close()

        os.rename('elsewhere', 'third')
        view = opened('--source-map=%s=%s' % (os.getcwd(),
                                              os.path.abspath('third')))
        total(view)
        show_first(view)
        there = os.path.abspath('third/tree.c')
        ok(until(lambda: source_title(view).startswith(there + ':')),
           'missing: --source-map comes first', source_title(view))
        os.utime('third/tree.c', (time.time() + 100, time.time() + 100))
        view.close()

        view = opened('--source-map=%s=%s' % (os.getcwd(),
                                              os.path.abspath('third')),
                      '--theme=dark')
        total(view)
        show_first(view)
        ok(until(lambda: view.says('changed after the program was recorded')),
           'missing: a source that is newer is said to be')
        view.close()
    finally:
        for folder in ('elsewhere', 'third'):
            if os.path.exists(folder + '/tree.c'):
                shutil.move(folder + '/tree.c', 'tree.c')


drive.run(test_calls, test_callers, test_search, test_flame, test_filter,
          test_source, test_pick, test_missing)
