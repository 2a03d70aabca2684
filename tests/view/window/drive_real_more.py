# drive_real_more.py: what makes the window good to work with, on a log of
# shelf.c: overview, search, tables, call tree, flame graph, bookmarks, colours,
# names for screen readers, saved index, parts of logs, growing logs, threads,
# fields.  See drive_real.py.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import json
import os
import re
import shlex
import shutil
import signal
import subprocess

import drive
import real
from drive import (Atspi, Screen, View, is_showing, ok, same, text_of, until,
                   walk, xdo)


def middle(node):
    """On the screen."""
    box = node.get_extents(Atspi.CoordType.SCREEN)
    return box.x + box.width // 2, box.y + box.height // 2


def open_shelf(*arguments, **environment):
    view = View(*arguments, 'shelf.dgz', **environment)
    view.strips(ranges=True, events=True)
    view.settled()
    return view


def figure(text):
    """A number as tables show it."""
    return int(re.sub('[^0-9]', '', text) or 0)


def row_of(view, table, name, patience=None):
    """The cells of the row with that name."""
    return until(lambda: next((row for row in view.cells(table, rows=60)
                               if row[0] == name), None), patience)


# ---- 15. Overview ------------------------------------------------------------


def test_overview():
    view = open_shelf()
    whole = view.view()
    overview = view.find('Overview')
    same(overview.get_description(), 'The plot shows everything.',
         'overview: it says what the plot shows')
    before = Screen()
    box = overview.get_extents(Atspi.CoordType.SCREEN)
    view.drag((0.6, 0.1), (0.8, 0.5))
    zoomed = view.changed(whole)
    said = until(lambda: (lambda text: text if 'everything' not in text
                          else None)(view.find('Overview').get_description()))
    ok(said, 'overview: it says so of a part, too', said)
    ok(until(lambda: Screen().area(box.x, box.y, box.width, box.height) !=
             before.area(box.x, box.y, box.width, box.height)),
       'overview: the part is marked there')
    xdo('mousemove', box.x + box.width // 4, box.y + box.height * 3 // 4,
        'click', 1)
    moved = view.changed(zoomed)
    plot = real.Plot(view, SHELF)
    x = (plot.x0 + plot.x1) / 2 / (len(SHELF.pages) * SHELF.page_size)
    y = (plot.y0 + plot.y1) / 2 / SHELF.instructions
    ok(abs(x - 0.25) < 0.05 and abs(y - 0.75) < 0.05,
       'overview: a click shows that place', '%r: %.2f %.2f' % (moved, x, y))
    view.close()


# ---- 16. Search ----------------------------------------------------------------


def search(view, text):
    """Enters it, and waits for what is found."""
    xdo('key', 'ctrl+f')
    entry = view.wait_for('Search', 'text', showing=True)
    view.type(entry, text)
    return entry


def test_search():
    view = open_shelf()
    facts, whole = SHELF, view.view()
    book = facts.blocks[len(facts.blocks) // 2]
    search(view, '0x%x' % book.address)
    at = view.changed(whole)
    ok(at[0] <= book.address <= at[1], 'search: an address',
       '%r %x' % (at, book.address))
    search(view, '1.2M')
    at = until(lambda: view.view() if view.view()[2] <= 1200000 <=
               view.view()[3] < facts.instructions - 1000 else None)
    ok(at, 'search: an instruction count', view.view())
    xdo('key', 'Escape')
    xdo('key', 'alt+Home')
    until(lambda: view.view() == whole)
    start, size = facts.symbols('shelf')['sort']
    times = [facts.icount[i] for i in range(len(facts.icount))
             if start <= facts.instruction[i] < start + size]
    search(view, 'sort')
    until(lambda: 'are highlighted' in view.text('Search status'))
    at = view.view()
    ok(at[2] <= times[-1] and at[3] >= times[0] and
       at[3] - at[2] < facts.instructions,
       'search: a function is shown where it ran', '%r %r' % (
           at, (times[0], times[-1])))
    label = next(r for r in facts.ranges if r[0] == 'books')
    before = view.view()
    search(view, 'books')
    at = until(lambda: view.view() if view.view() != before and
               view.view()[0] <= label[2] <= view.view()[1] else None)
    ok(at, 'search: a label', '%r %r' % (view.view(), label))
    search(view, 'no_such_thing_at_all')
    said = until(lambda: (lambda text: text if text and 'No' in text
                          else None)(view.text('Search status')))
    ok(said, 'search: nothing found, and it says so', said)
    view.close()


# ---- 17. Tables -----------------------------------------------------------------


def test_tables():
    view = open_shelf()
    facts = SHELF
    n = len(facts.icount)
    symbols = facts.symbols('shelf')
    view.tab('Functions')
    columns = ['Function', 'Share', 'Accesses', 'With callees', 'Reads',
               'Writes']
    start, size = symbols['compare']
    of = facts.find(lambda i: start <= facts.instruction[i] < start + size)
    row = row_of(view, 'Functions in view', 'compare')
    writes = sum(facts.write[i] for i in of)
    same(row and [figure(text) for text in row[2:6]],
         [len(of), len(of), len(of) - writes, writes],
         'functions: the figures of compare')
    same(row and row[1], '%.1f %%' % (len(of) * 100 / n),
         'functions: its share')
    # Who is on the stack, whatever it called.
    start, size = symbols['sort']
    below = {c for c, stack in enumerate(facts.contexts)
             if any(start <= a < start + size for a in stack)}
    wanted = sum(facts.context[i] in below for i in range(n))
    view.press('With callees', 'table column header')
    row = row_of(view, 'Functions in view', 'sort')
    ok(row, 'functions: sorted by another column', columns)
    same(row and figure(row[3]), wanted, 'functions: with what it called')

    # Chosen there, it stands out in the plot.
    before = Screen()
    (x0, y0), (x1, y1) = view.point(0, 0), view.point(1, 1)
    table = view.find('Functions in view', 'table')
    index = next(i for i, cells in enumerate(
        view.cells('Functions in view', [0], 60)) if cells[0] == 'sort')
    Atspi.Table.add_row_selection(table, index)
    ok(until(lambda: Screen().area(x0, y0, x1 - x0, y1 - y0) !=
             before.area(x0, y0, x1 - x0, y1 - y0)),
       'functions: the chosen one stands out in the plot')

    view.tab('Heap Blocks')
    row = row_of(view, 'Heap blocks in view', 'new_book')
    of = [i for i in range(n) if facts.block_of(i) is not None and
          facts.block_of(i).size == 40]
    same(row and [figure(row[2]), figure(row[5]), figure(row[6])],
         [len(of), 1500, 1500 * 40], 'blocks: those of new_book')

    view.tab('Pages')
    pages = {}
    for i in range(n):
        pages[facts.address[i] // 4096] = \
            pages.get(facts.address[i] // 4096, 0) + 1
    top = max(pages, key=pages.get)
    row = until(lambda: view.cells('Pages in view', rows=1))[0]
    ok(int(row[0], 16) == top * 4096 and
       abs(figure(row[3]) - pages[top]) <= pages[top] / 100,
       'pages: the first is that with most accesses',
       '%r %x %d' % (row, top * 4096, pages[top]))

    view.tab('Source Lines')
    line = real.line_of('qsort (books', 'shelf.c')
    ok(line and until(lambda: view.cells('Source lines in view', rows=3)),
       'lines: there are some')
    view.tab('Functions')

    # Only what is in view.
    whole = view.view()
    event = next(e for e in facts.events if e[0] == 'sort')
    fy = [(t - whole[2]) / (whole[3] - whole[2]) for t in event[1:3]]
    view.drag((0.3, fy[0] + 0.03), (0.301, fy[1] - 0.01))
    part = view.changed(whole)
    start, size = symbols['compare']
    wanted = sum(start <= facts.instruction[i] < start + size
                 for i in facts.during(part[2], part[3] + 1))
    got = until(lambda: (lambda row: row if row and figure(row[2]) == wanted
                         else None)(row_of(view, 'Functions in view',
                                           'compare', 0)))
    ok(got and wanted, 'functions: of what is in view only',
       '%r %d' % (row_of(view, 'Functions in view', 'compare', 0), wanted))
    view.close()


# ---- 18. Call tree and flame graph ------------------------------------------------


def test_calls():
    view = open_shelf()
    facts = SHELF
    view.tab('Calls')
    start, size = facts.symbols('shelf')['main']
    below = {c for c, stack in enumerate(facts.contexts)
             if any(start <= a < start + size for a in stack)}
    share = sum(facts.context[i] in below
                for i in range(len(facts.icount))) * 100 / len(facts.icount)
    row = row_of(view, 'Calls', 'main')
    same(row and row[1], '%.1f %%' % share, 'calls: the share of main')
    ok(row_of(view, 'Calls', 'sort') or row_of(view, 'Calls', 'new_book'),
       'calls: what main called', view.cells('Calls', [0], 40))
    view.tab('Flame Graph')
    graph = until(lambda: next(
        (node for node in view.find_all(showing=True)
         if node.get_role_name() in ('drawing area', 'image', 'canvas') and
         'lame' in (node.get_name() or '')), None))
    ok(graph, 'flame graph: it is there')
    if graph:
        box = graph.get_extents(Atspi.CoordType.SCREEN)
        seen = until(lambda: (lambda colours: colours if len(colours) > 8
                              else None)(
            {colour for row in Screen().area(box.x, box.y, box.width,
                                             box.height)[::3]
             for colour in row[::3]}))
        ok(seen, 'flame graph: it has frames')
    view.close()


# ---- 19. Bookmarks ----------------------------------------------------------------


def test_bookmarks():
    view = open_shelf('--palette=classic')
    whole = view.view()
    view.drag((0.6, 0.2), (0.8, 0.6))
    zoomed = view.changed(whole)
    xdo('key', 'ctrl+d')
    entry = view.wait_for('Name of this view', 'text', showing=True)
    view.type(entry, 'the shelves')
    until(lambda: any('the shelves' in (text_of(node) or '')
                      for node in view.find_all(role='label')))
    xdo('key', 'Escape')
    until(lambda: view.find('Name of this view', 'text', showing=True)
          is None)
    xdo('key', 'alt+Home')
    same(view.changed(zoomed), whole, 'bookmark: away from it')
    xdo('key', 'alt+1')
    same(view.changed(whole), zoomed, 'bookmark: back by its key')

    # The command line that shows this, by way of the clipboard.
    xdo('key', 'ctrl+shift+c')
    told = until(lambda: view.says('command line'))
    ok(told, 'command line: it is told that it was copied', told)
    entry = view.find('Search', 'text')
    xdo('key', 'ctrl+f')
    until(lambda: is_showing(entry))
    entry.grab_focus()
    xdo('key', 'ctrl+v')
    line = until(lambda: (lambda text: text if 'shelf' in text else None)(
        Atspi.Text.get_text(entry, 0, -1)))
    view.close()
    words = shlex.split(line or '')
    same(words[:1], ['dg_view'], 'command line: it can be pasted')
    view = View(*words[1:])
    view.strips(ranges=True, events=True)
    same(view.view(), zoomed, 'command line: it shows the same')
    view.close()

    view = open_shelf()
    xdo('key', 'alt+1')
    same(until(lambda: view.view() if view.view() != whole else None),
         zoomed, 'bookmark: still there when the log is opened again')
    view.close()


# ---- 20. Colours ------------------------------------------------------------------


def test_colours():
    seen = {}
    for options in (['--theme=light'], ['--theme=dark']):
        view = open_shelf(*options)
        frame = view.find(role='frame').get_extents(Atspi.CoordType.SCREEN)
        until(lambda: view.view())
        seen[options[0]] = sum(Screen().at(frame.x + frame.width // 2,
                                           frame.y + frame.height - 12))
        view.close()
    ok(seen['--theme=light'] > 500 > 300 > seen['--theme=dark'],
       'themes: light and dark', seen)

    # Other palettes, other colours; what they are called stands in the help
    # and, if one is not known, in the message.
    result = subprocess.run(
        [os.environ['DG_VIEW'], '--palette=nonsense', '--render=x.png',
         'shelf.dgz'], text=True, stderr=subprocess.PIPE)
    same(result.returncode, 2, 'palettes: an unknown one is refused')
    names = [name for name in re.findall('[a-z-]+', result.stderr)
             if subprocess.call(
                 [os.environ['DG_VIEW'], '--palette=' + name, '--size=300x200',
                  '--render=%s.png' % name, 'shelf.dgz'],
                 stderr=subprocess.DEVNULL) == 0]
    ok(len(set(names)) >= 3, 'palettes: the message names the known ones',
       result.stderr)
    pictures = {open(name + '.png', 'rb').read() for name in names}
    same(len(pictures), len(set(names)), 'palettes: all different')


# ---- 21. Names for those who cannot see -------------------------------------------

NAMED = ('push button', 'toggle button', 'check box', 'radio button', 'text',
         'combo box', 'image', 'drawing area', 'table', 'tree table',
         'progress bar', 'scroll bar', 'slider', 'spin button', 'list box',
         'menu item', 'check menu item', 'page tab')


def nameless(view):
    return ['%s in %s' % (node.get_role_name(),
                          ' < '.join(trail(node)))
            for node in walk(view.app)
            if node.get_role_name() in NAMED and is_showing(node) and
            not node.get_name() and not node.get_description() and
            # What scrolls needs no names, nor does a tab without others.
            not (node.get_role_name() == 'scroll bar' and
                 node.get_parent().get_role_name() == 'scroll pane') and
            not (node.get_role_name() == 'page tab' and
                 node.get_parent().get_child_count() == 1)]


def trail(node):
    while node is not None and len(node.get_role_name()) > 0:
        yield '%s "%s"' % (node.get_role_name(), node.get_name())
        node = node.get_parent()


def test_names():
    view = open_shelf()
    view.click(0.7, 0.5)
    until(lambda: view.shown('Address'))
    bad = set()
    for tab in [node.get_name() for node in view.find_all(role='page tab')
                if node.get_name()]:
        view.tab(tab)
        bad |= set(nameless(view))
    ok(not bad, 'names: everything has one', '\n'.join(sorted(bad)))
    xdo('key', 'F1')
    until(lambda: view.says('Back to the last view'))
    for words in 'Open a log', 'Back to the last view', 'Search':
        ok(until(lambda: view.says(words)), 'shortcuts window: ' + words)
    xdo('key', 'Escape')
    until(lambda: not view.says('Back to the last view'))
    xdo('key', 'F10')
    for words in 'Preferences', 'Keyboard Shortcuts', 'About Datagrind':
        ok(view.wait_for(words, showing=True), 'menu: ' + words)
    view.close()


# ---- 22. A program of its desktop --------------------------------------------------


def test_desktop():
    shutil.copy('shelf.dgz', 'again.dgz')
    view = View('again.dgz')
    view.strips(ranges=True, events=True)
    whole = view.view()
    classes = subprocess.check_output(
        ['xdotool', 'search', '--onlyvisible', '--class',
         'org.datagrind.View'], text=True).split()
    ok(classes, 'the window belongs to the desktop file')
    view.drag((0.2, 0.2), (0.6, 0.6))
    zoomed = view.changed(whole)
    start = os.stat('again.dgz').st_mtime
    os.utime('again.dgz', (start + 5, start + 5))
    xdo('key', 'F5')
    until(lambda: 'being' not in view.state() and view.view() == zoomed)
    same(view.view(), zoomed, 'reload: the view is kept')
    view.close()


# ---- 23. The saved index -----------------------------------------------------------


def test_index():
    real.run(real.DG, 'unpack', '-o', 'raw.dg', 'shelf.dgz')
    few = {'DG_VIEW_FEW_ACCESSES': '0'}
    view = View('raw.dg', **few)
    whole = view.view()
    ok(until(lambda: os.path.exists('raw.dg.dgx')),
       'index: made in the background')
    view.close()
    made = os.stat('raw.dg.dgx').st_mtime_ns
    view = View('raw.dg', **few)
    again = view.view()
    # The end is then that of the last chunk, not of the last access.
    ok(again[:3] == whole[:3] and 0 <= again[3] - whole[3] < 1000,
       'index: the second opening shows the same', '%r %r' % (again, whole))
    same(os.stat('raw.dg.dgx').st_mtime_ns, made, 'index: ... from it')
    view.close()
    # Stale: it is made again.
    start = os.stat('raw.dg').st_mtime
    os.utime('raw.dg', (start + 9, start + 9))
    view = View('raw.dg', **few)
    ok(until(lambda: os.stat('raw.dg.dgx').st_mtime_ns != made),
       'index: one that is older than its log is made again')
    view.close()


# ---- 25. A part of a log -----------------------------------------------------------


def summary(log):
    return json.loads(real.run(real.DG, 'info', '--json', log))


def test_part():
    facts = SHELF
    start, end = facts.events[1][1], facts.events[1][2]
    real.run(real.DG, 'cut', '--instructions=%d..%d' % (start, end), '-o',
             'sort.dgz', 'shelf.dgz')
    real.run(real.DG, 'check', 'sort.dgz')
    same(len(real.Facts('sort.dgz').icount), len(facts.during(start, end)),
         'dg cut: the accesses of that time')

    view = open_shelf('--instructions=%d..%d' % (start, end))
    xdo('key', 'ctrl+shift+s')
    dialog = view.wait_for(re.compile('Save the Part'), showing=True)
    ok(dialog, 'save a part: a dialog')
    entry = until(lambda: next(
        (node for node in view.find_all(role='text', within=dialog,
                                        showing=True)
         if '-part' in (text_of(node) or '')), None))
    ok(entry, 'save a part: it proposes a name', entry and text_of(entry))
    view.type(entry, os.path.abspath('part.dgz'))
    ok(until(lambda: os.path.exists('part.dgz') and view.says('saved')),
       'save a part: it is told that it is done', view.says('.'))
    ok(subprocess.call([real.DG, 'check', 'part.dgz'],
                       stdout=subprocess.DEVNULL) == 0,
       'save a part: a log of its own')
    same(len(real.Facts('part.dgz').icount),
         len(facts.during(start, end)), 'save a part: with those accesses')
    view.close()


# ---- 26. While it is being recorded --------------------------------------------------

SLOWLY = '''#include <unistd.h>
int cells[65536];
int main (void)
{
  for (int round = 0; round < 400; round++) {
    for (int i = 0; i < 30000; i++)
      cells[(round * 97 + i) % 65536] += i;
    usleep (20000);
  }
  return cells[7] == 1;
}
'''


def test_follow():
    with open('slowly.c', 'w') as file:
        file.write(SLOWLY)
    real.build('slowly.c', 'slowly', '-w')
    recorder = subprocess.Popen(
        os.environ['VALGRIND_DG'].split() +
        ([] if '--tool' in os.environ['VALGRIND_DG']
         else ['--tool=exp-datagrind']) +
        ['-q', '--datagrind-out-file=live.dg', './slowly'])
    until(lambda: os.path.exists('live.dg') and
          os.path.getsize('live.dg') > 4000000)
    view = View('--follow', 'live.dg')
    first = until(lambda: view.view() and view.view()[3])
    ok(first, 'follow: a log that is being written is shown')
    grown = until(lambda: view.view()[3] > first and view.view()[3])
    ok(grown, 'follow: the picture grows', first)
    ok(recorder.poll() is None, 'follow: ... while it is recorded')
    recorder.send_signal(signal.SIGTERM)
    recorder.wait()
    end = summary('live.dg')['instructions']
    same(until(lambda: view.view()[3] if abs(view.view()[3] - end) < 1000
               else None) is not None, True, 'follow: up to the end')
    view.close()


# ---- 28. Threads -----------------------------------------------------------------------


def test_threads():
    facts = SHELF
    view = open_shelf('--colour=thread')
    view.tab('Threads')
    until(lambda: view.cells('Threads in view', rows=3))
    for number in 1, 2, 3:
        of = [i for i in range(len(facts.icount))
              if facts.thread[i] == number]
        row = until(lambda: next(
            (row for row in view.cells('Threads in view', rows=9)
             if str(number) in row[:2]), None))
        # The colour has a column before it.
        same(row and figure(row[row.index(str(number)) + 2]), len(of),
             'threads: the accesses of thread %d' % number)
    counters = facts.symbols('shelf')['counters'][0]
    view.tab('Cache Lines')
    view.press('Sharing', 'table column header')
    row = until(lambda: next(
        (cells for cells in view.cells('Cache lines in view', rows=8)
         if cells[0] == '0x%x' % counters), None), 4)
    if not row:
        view.press('Sharing', 'table column header')
        row = row_of(view, 'Cache lines in view', '0x%x' % counters)
    ok(row and 'false' in row[7], 'threads: false sharing is found',
       view.cells('Cache lines in view', rows=4))
    ok(row and 'counters' in row[1], 'threads: and whose it is', row)
    ok(row and '2' in row[8] and '3' in row[8],
       'threads: and which thread has which bytes', row)
    view.close()

    # Two threads write to neighbours; colours tell them apart.
    pair = {}
    for number, address in (2, counters), (3, counters + 8):
        of = [i for i in facts.find(lambda i: facts.address[i] == address)
              if facts.write[i]]
        pair[facts.thread[of[len(of) // 2]]] = of[len(of) // 2]
    same(sorted(pair), [2, 3], 'threads: each has a counter')
    colours = set()
    for i in pair.values():
        view = open_shelf('--colour=thread', '--theme=dark',
                          '--addresses=0x%x..0x%x' % (
                              counters - 16, counters + 32),
                          '--instructions=%d..%d' % (
                              facts.icount[i] - 4, facts.icount[i] + 4))
        x, y = view.point(*real.Plot(view, facts).at(i))
        colours.add(until(lambda: (lambda rgb: rgb if max(rgb) - min(rgb) >
                                   60 else None)(Screen().at(x + 5, y))))
        view.close()
    ok(len(colours) == 2 and None not in colours,
       'threads: each in its colour', colours)


# ---- 29. Fields and elements -------------------------------------------------------------


def click_access(view, plot, i):
    old = view.text('Address') if view.shown('Address') else None
    view.click(*plot.at(i))
    until(lambda: view.shown('Address') and view.text('Address') != old and
          view.stack('Call stack'))


def said(view):
    return ' | '.join(view.text(field) or '' for field in
                      ('Memory', 'Field', 'Type', 'Variable', 'Range'))


def test_fields():
    facts = SHELF
    symbols = facts.symbols('shelf')
    for name, offset, field in (('counters', 8, 'right'),
                                ('totals', 12, '[3]'),
                                ('buckets', 80, '[10]')):
        address = symbols[name][0] + offset
        of = facts.find(lambda i: facts.address[i] == address)
        i = of[len(of) // 2]
        page = address // 4096 * 4096
        view = open_shelf('--addresses=0x%x..0x%x' % (address - 4,
                                                      address + 12),
                          '--instructions=%d..%d' % (
                              max(0, facts.icount[i] - 4),
                              facts.icount[i] + 4))
        plot = real.Plot(view, facts)
        click_access(view, plot, i)
        until(lambda: name in said(view))
        text = said(view)
        ok(name in text and field in text,
           'fields: %s, %s' % (name, field), '%s (page %x)' % (text, page))
        view.close()
    # By the range's type string.
    label, kind, start, size = facts.ranges[0]
    of = facts.find(lambda i: facts.address[i] == start + 8 * 100)
    i = of[0]
    view = open_shelf('--addresses=0x%x..0x%x' % (start + 796, start + 812),
                      '--instructions=%d..%d' % (facts.icount[i] - 4,
                                                 facts.icount[i] + 4))
    click_access(view, real.Plot(view, facts), i)
    until(lambda: 'books' in said(view))
    ok('books' in said(view) and '100' in said(view),
       'fields: an element of a range by its type', said(view))
    view.close()


real.need_tool()
real.record_shelf()
SHELF = real.Facts('shelf.dgz')
drive.run(test_overview, test_search, test_tables, test_calls,
          test_bookmarks, test_colours, test_names, test_desktop, test_index,
          test_part, test_follow, test_threads, test_fields)
