# drive.py: drives dg_view's window; started by window.sh, prints TAP.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# With DG_VIEW_SHOTS=FOLDER it leaves a picture of the screen after each test
# there (needs ImageMagick's "import").

import os
import re
import subprocess
import sys
import time

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi  # noqa: E402

# Of the data area within the plot (dg_view/drawing.h), without ranges.
LEFT, TOP, RIGHT, BOTTOM = 76, 26, 12, 42
PATIENCE = 20
results = []


def ok(good, what, detail=''):
    results.append(bool(good))
    print('%s %d - %s' % ('ok' if good else 'not ok', len(results), what))
    if not good:
        for line in str(detail).splitlines():
            print('# ' + line)
    shots = os.environ.get('DG_VIEW_SHOTS')
    if shots:
        subprocess.call(['import', '-window', 'root',
                         '%s/%02d.png' % (shots, len(results))])
    sys.stdout.flush()


def same(got, wanted, what):
    ok(got == wanted, what, 'got %r, wanted %r' % (got, wanted))


def xdo(*words):
    subprocess.check_call(['xdotool'] + [str(word) for word in words])


def walk(node):
    try:
        yield node
        for i in range(node.get_child_count()):
            child = node.get_child_at_index(i)
            if child is not None:
                yield from walk(child)
    except gi.repository.GLib.Error:
        return


class View:
    """A running dg_view."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([os.environ['DG_VIEW'],
                                         *arguments])
        self.app = self.until(self.find_app)

    def find_app(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(i)
            if app is not None and \
                    app.get_process_id() == self.process.pid:
                return app
        return None

    def until(self, question):
        """The first answer that is true; the last one when time is up."""
        end = time.time() + PATIENCE
        while True:
            try:
                answer = question()
            except gi.repository.GLib.Error:
                answer = None
            if answer or time.time() > end:
                return answer
            time.sleep(0.05)

    def find(self, name=None, role=None, description=None):
        for node in walk(self.app):
            if (name is None or node.get_name() == name) and \
                    (role is None or node.get_role_name() == role) and \
                    (description is None or
                     node.get_description() == description):
                return node
        return None

    def text(self, description):
        """Of the label with that description."""
        node = self.find(description=description, role='label')
        if node is None:
            return None
        return node.get_text(0, -1) if not node.get_name() \
            else node.get_name()

    def shown(self, description):
        node = self.find(description=description, role='label')
        return node is not None and node.get_state_set().contains(
            Atspi.StateType.SHOWING)

    def plot(self):
        return self.find(name='Plot of memory accesses')

    def state(self):
        return self.plot().get_description()

    def settled(self):
        """The plot's description, when it has been drawn."""
        return self.until(
            lambda: self.state() if self.plot() and self.state() and
            'being drawn' not in self.state() else None)

    def view(self):
        match = re.search('Addresses (0x[0-9a-f]+) to (0x[0-9a-f]+), '
                          'instructions ([0-9]+) to ([0-9]+)',
                          self.settled())
        return [int(x, 0) for x in match.groups()]

    def point(self, fx, fy):
        """On the screen: a place in the data area, as fractions."""
        box = self.plot().get_extents(Atspi.CoordType.SCREEN)
        return (round(box.x + LEFT + fx * (box.width - LEFT - RIGHT)),
                round(box.y + TOP + fy * (box.height - TOP - BOTTOM)))

    def click(self, fx, fy):
        xdo('mousemove', *self.point(fx, fy), 'click', 1)

    def drag(self, start, end, button=1):
        x0, y0 = self.point(*start)
        x1, y1 = self.point(*end)
        xdo('mousemove', x0, y0, 'mousedown', button)
        for i in range(1, 5):
            xdo('mousemove', x0 + (x1 - x0) * i // 4,
                y0 + (y1 - y0) * i // 4)
            time.sleep(0.03)
        xdo('mouseup', button)

    def changed(self, before):
        self.until(lambda: self.view() != before)
        return self.view()

    def stack(self, name):
        """The cells of a stack: [[function, source], ...]."""
        table = self.find(name=name, role='table')
        rows = table.get_n_rows()
        return [[table.get_accessible_at(row, column).get_name()
                 for column in range(2)] for row in range(rows)]

    def close(self):
        try:
            self.process.wait(0.01)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()


def build_program():
    """A program with debug information: its .text, and where main and victim
    begin; None without a compiler."""
    with open('prog.c', 'w') as file:
        file.write('int victim (int *p) { return *p; }\n'
                   'int\n'
                   'main (void)\n'
                   '{\n'
                   '  int x = 0;\n'
                   '  return victim (&x);\n'
                   '}\n')
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-g', '-O0', '-no-pie', '-o', 'prog',
                               'prog.c'])
        names = subprocess.check_output(['nm', 'prog'], text=True)
        sections = subprocess.check_output(['readelf', '-SW', 'prog'],
                                           text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    address = {line.split()[2]: int(line.split()[0], 16)
               for line in names.splitlines() if len(line.split()) == 3}
    text = re.search(r' \.text +PROGBITS +(\S+) (\S+) (\S+)', sections)
    return {'text': int(text.group(1), 16), 'size': int(text.group(3), 16),
            'victim': address['victim'], 'main': address['main']}


def assemble(name, text):
    subprocess.run([os.environ['DGASM'], '-o', name], input=text, text=True,
                   check=True)


def make_logs(program):
    """known.dg: 1000 instructions in two pages.  The first 500 read 0x1800,
    the others write 0x9100, which lies in a heap block."""
    where = program or {'text': 0x401000, 'size': 0x1000,
                        'victim': 0x401100, 'main': 0x401200}
    victim, main = where['victim'] + 4, where['main'] + 8
    log = '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" "/" ["prog" "-x"]
text_avma %#x "%s"
module %#x %#x 0 [] ""
bbdef [%#x+4] [R8@0]
bbdef [%#x+4] [W4@0]
context 0 [%#x %#x]
context 1 [%#x]
malloc_block 0x9080 512 [%#x %#x]
heap_alloc 1 1 1 520 0 0
repeat 500
  bbrun 0 1 [0x1800]
done
repeat 500
  bbrun 1 1 [0x9100]
done
end
''' % (where['text'], os.path.abspath('prog'), where['text'], where['size'],
       victim, main, victim, main, main, victim, main)
    assemble('known.dg', log)
    whole = open('known.dg', 'rb').read()
    open('cut.dg', 'wb').write(whole[:len(whole) // 2])
    open('bad.dg', 'w').write('This is no log.\n')
    names = {'victim': ['victim', 'prog.c:1'], 'main': ['main', 'prog.c:5']}
    if program is None:
        names = {'victim': [hex(victim), ''], 'main': [hex(main), '']}
    return names


def test_known(names):
    view = View('--editor=sh -c "echo %f %l >edited"', 'known.dg')
    same(view.view(), [0x1000, 0x9fff, 0, 999], 'the whole log is shown')
    same(view.find(role='frame').get_name(), 'prog -x',
         'the title names the program')
    ok(view.find(name='known.dg', role='label'), 'and the log')

    # 0x1800 is a quarter of the way, 0x9100 a bit over a half.
    view.click(0.25, 0.25)
    view.until(lambda: view.shown('Address'))
    same(view.text('Address'), '0x1800', 'click: the address')
    same(view.text('Access'), 'read of 8 bytes', 'click: kind and size')
    same(view.text('Thread'), '1', 'click: the thread')
    row = int(view.text('Instruction'))
    ok(abs(row - 250) < 5, 'click: the instruction', row)
    same(view.stack('Call stack'), [names['victim'], names['main']],
         'click: the call stack')
    ok(not view.shown('Block'), 'click: no block there')

    # Beside an access, the nearest one is meant.
    view.click(0.56, 0.75)
    view.until(lambda: view.text('Address') == '0x9100')
    same(view.text('Access'), 'write of 4 bytes', 'nearest: kind and size')
    same(view.text('Block'), '0x9080, 512 bytes', 'nearest: the block')
    same(view.text('Offset'), '128 (0x80)', 'nearest: the offset in it')
    same(view.stack('Call stack'), [names['main']], 'nearest: the call stack')
    same(view.stack('Allocation stack'), [names['victim'], names['main']],
         'nearest: the allocation stack')

    # Under the pointer.
    x, y = view.point(0.25, 0.25)
    xdo('mousemove', x, y + 1)
    hover = view.until(lambda: view.text('Under the pointer')
                       if names['victim'][0] in
                       (view.text('Under the pointer') or '') else None)
    ok(hover and '0x1800' in hover and 'read' in hover,
       'hover: address, count and function',
       view.text('Under the pointer'))

    if names['victim'][1]:
        table = view.find(name='Allocation stack', role='table')
        box = table.get_accessible_at(1, 0).get_extents(
            Atspi.CoordType.SCREEN)
        xdo('mousemove', box.x + 20, box.y + box.height // 2, 'click',
            '--repeat', 2, '--delay', 60, 1)
        edited = view.until(lambda: os.path.exists('edited') and
                            open('edited').read())
        ok(edited and edited.endswith('prog.c 5\n'),
           'a double click on a frame opens its source', edited)
    test_zoom(view)
    test_filter(view)
    view.close()


def test_zoom(view):
    whole = view.view()
    view.drag((0.2, 0.1), (0.4, 0.6))
    zoomed = view.changed(whole)
    page = 0x2000
    wanted = [0x1000 + page * 0.2, 0x1000 + page * 0.4, 100, 600]
    ok(all(abs(a - b) < c for a, b, c in zip(zoomed, wanted,
                                             [60, 60, 8, 8])),
       'a drag zooms to its rectangle', '%r, not %r' % (zoomed, wanted))
    view.click((0x1804 - zoomed[0]) / (zoomed[1] + 1 - zoomed[0]), 0.5)
    view.until(lambda: view.text('Address') == '0x1800')
    same(view.text('Address'), '0x1800', 'a click in there: the address')
    row = int(view.text('Instruction'))
    ok(abs(row - (zoomed[2] + zoomed[3]) / 2) < 5,
       'a click in there: the instruction', row)

    xdo('key', 'alt+Left')
    same(view.changed(zoomed), whole, 'Alt+Left goes back')
    xdo('key', 'alt+Right')
    same(view.changed(whole), zoomed, 'Alt+Right goes forward')
    xdo('key', 'Home')
    same(view.changed(zoomed), whole, 'Home shows everything')

    view.drag((0.2, 0.3), (0.4, 0.305))
    flat = view.changed(whole)
    ok(flat[2:] == whole[2:] and flat[:2] != whole[:2],
       'a flat drag zooms the addresses only', flat)
    xdo('key', 'Home')
    view.changed(flat)
    view.drag((0.3, 0.2), (0.301, 0.6))
    steep = view.changed(whole)
    ok(steep[:2] == whole[:2] and steep[2:] != whole[2:],
       'a steep drag zooms the instructions only', steep)
    view.drag((0.5, 0.5), (0.5, 0.3), button=2)
    moved = view.changed(steep)
    ok(moved[2] > steep[2] and moved[3] - moved[2] == steep[3] - steep[2],
       'a middle drag moves', '%r %r' % (steep, moved))
    xdo('key', 'Home')
    view.changed(moved)

    xdo('mousemove', *view.point(0.25, 0.25), 'click', 4)
    wheel = view.changed(whole)
    ok(wheel[0] > whole[0] and wheel[1] < whole[1] and wheel[2] > 0 and
       wheel[3] < 999, 'the wheel zooms at the pointer', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    xdo('keydown', 'shift', 'click', 4, 'keyup', 'shift')
    wheel = view.changed(whole)
    ok(wheel[2:] == whole[2:] and wheel[:2] != whole[:2],
       'with Shift, the addresses only', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    xdo('keydown', 'ctrl', 'click', 4, 'keyup', 'ctrl')
    wheel = view.changed(whole)
    ok(wheel[:2] == whole[:2] and wheel[2:] != whole[2:],
       'with Control, the instructions only', wheel)
    xdo('key', 'Home')
    view.changed(wheel)
    button = view.find(name='Show fewer addresses (X)', role='push button')
    button.do_action(0)
    narrow = view.changed(whole)
    ok(narrow[2:] == whole[2:] and narrow[:2] != whole[:2],
       'a button of the toolbar zooms one axis', narrow)
    xdo('key', 'Right')
    right = view.changed(narrow)
    ok(right[0] > narrow[0], 'an arrow key moves', right)
    xdo('key', 'Home')
    view.changed(right)


def set_filter(view, name, text):
    entry = view.find(name=name, role='text')
    entry.grab_focus()
    entry.set_text_contents(text)
    time.sleep(0.2)
    xdo('key', 'Return')


def test_filter(view):
    set_filter(view, 'Ranges', 'malloc')
    view.until(lambda: view.view() == [0x9000, 0x9fff, 500, 999])
    same(view.view(), [0x9000, 0x9fff, 500, 999],
         'a condition for the memory')
    set_filter(view, 'Ranges', 'user:nothing')
    said = view.until(lambda: 'No accesses match the criteria.' in
                      view.settled())
    ok(said, 'nothing matches: it says so', view.state())
    set_filter(view, 'Ranges', 'nonsense')
    said = view.until(lambda: view.find(role='info bar') and
                      [n.get_name() for n in walk(view.find(role='info bar'))
                       if 'nonsense' in (n.get_name() or '')])
    ok(said, 'a wrong condition: it says so', said)
    set_filter(view, 'Ranges', '')
    view.until(lambda: view.view() == [0x1000, 0x9fff, 0, 999])
    same(view.view(), [0x1000, 0x9fff, 0, 999], 'without conditions again')


def check_click(view, what):
    """The first answer to a click on known.dg, whenever it comes."""
    same(view.view(), [0x1000, 0x9fff, 0, 999], what + ': everything is shown')
    view.click(0.25, 0.25)
    view.until(lambda: view.text('Address') == '0x1800')
    same(view.text('Access'), 'read of 8 bytes', what + ': a click')
    view.click(0.56, 0.75)
    view.until(lambda: view.text('Address') == '0x9100')
    same(view.text('Block'), '0x9080, 512 bytes', what + ': the block')


def test_index():
    """As if the log were so large that an index is worth it."""
    os.environ['DG_VIEW_FEW_ACCESSES'] = '0'
    view = View('known.dg')
    check_click(view, 'without an index')
    ok(view.until(lambda: os.path.exists('known.dg.dgx')),
       'an index is made meanwhile')
    view.close()
    made = os.stat('known.dg.dgx').st_mtime_ns
    view = View('known.dg')
    check_click(view, 'with an index')
    time.sleep(0.5)
    same(os.stat('known.dg.dgx').st_mtime_ns, made, 'it is not made again')
    view.close()

    # It cannot be written where a folder has its name.
    os.mkdir('cut.dg.dgx')
    view = View('cut.dg')
    same(view.view()[0], 0x1000, 'where no index can be: a picture')
    time.sleep(0.5)
    ok(not [name for name in os.listdir('.')
            if name.startswith('cut.dg.dgx.')], 'nothing is left behind')
    view.close()

    subprocess.check_call([os.environ['DG'], 'pack', '-o', 'known.dgz',
                           'known.dg'])
    view = View('known.dgz')
    check_click(view, 'an archive')
    set_filter(view, 'Ranges', 'malloc')
    view.until(lambda: view.view() == [0x9000, 0x9fff, 500, 999])
    same(view.view(), [0x9000, 0x9fff, 500, 999], 'an archive: filtered')
    view.close()
    ok(not os.path.exists('known.dgz.dgx'), 'it has its index itself')
    view = View('--ranges=malloc', 'known.dgz')
    same(view.view(), [0x9000, 0x9fff, 500, 999],
         'an archive: filtered from the start')
    view.close()
    del os.environ['DG_VIEW_FEW_ACCESSES']


def test_flaws():
    view = View('cut.dg')
    view.settled()
    told = view.until(lambda: [n.get_name() for n in walk(view.app)
                               if 'cut short' in (n.get_name() or '')])
    ok(told and 'offset 0x' in told[0],
       'a log that is cut short: the place is told', told)
    same(view.view()[:2], [0x1000, 0x9fff] if view.view()[3] > 500
         else [0x1000, 0x1fff], 'a log that is cut short: the rest is shown')
    view.close()

    view = View('bad.dg')
    told = view.until(lambda: view.find(role='alert') and
                      [n.get_name() for n in walk(view.find(role='alert'))
                       if 'bad.dg' in (n.get_name() or '')])
    ok(told, 'no log: a dialog names the file', told)
    xdo('key', 'Escape')
    view.until(lambda: view.find(role='alert') is None)
    xdo('key', 'ctrl+w')
    try:
        status = view.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        status = 'still running'
    same(status, 1, 'no log: the exit status')
    view.close()

    view = View('--events=user:nothing', 'known.dg')
    same(view.settled(), 'No accesses match the criteria.',
         'an empty selection from the start')
    frame = view.find(role='frame')
    ok(frame is not None, 'the window is there')
    xdo('key', 'ctrl+w')
    try:
        status = view.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        status = 'still running'
    same(status, 0, 'closing it: the exit status')
    view.close()


Atspi.init()
make = make_logs(build_program())
test_known(make)
test_index()
test_flaws()
print('1..%d' % len(results))
sys.exit(0 if all(results) else 1)
