# drive.py: drives dg_view as a user does; what the drive_NAME.py share.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A drive_NAME.py is a test of its own, started by window.sh in an empty
# folder, with a display and a session for it alone.  It ends with
# `drive.run (test_this, test_that)`.  Machines are busy: ask until the answer
# is there (View.until), never sleep for one.
#
# With DG_VIEW_SHOTS=FOLDER each check leaves a picture of the screen there.

import os
import re
import signal
import struct
import subprocess
import sys
import time
import traceback
import zlib

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi  # noqa: E402
import hands  # noqa: E402
import ping  # noqa: E402
import tree  # noqa: E402

# How long to wait for what comes at once unless the machine is busy, in
# seconds: only what never comes takes so long.
PATIENCE = float(os.environ.get('DG_VIEW_PATIENCE', 600))
# The same where a check has failed already, or a window has ended: what is
# waited for then will most likely not come, and each wait costs as much.
LITTLE_PATIENCE = min(PATIENCE, 90)
# What GTK's bridge to AT-SPI says of a widget that is destroyed while this
# script asks for its state, or for all that is in the window: two assertions,
# in this order, and then what it makes of a state that is none.
BRIDGE = re.compile(
    r".*Atk-CRITICAL.* atk_object_ref_state_set: assertion .*\n\s*"
    r".*Gtk-CRITICAL.* gtk_accessible_get_widget: assertion .*\n?"
    r"(\s*.*Atk-CRITICAL.* atk_state_set_contains_state: assertion .*\n?|"
    r"\s*.*GObject-CRITICAL.* g_object_unref: assertion .*\n?)*")
# What has the texts of a window.
SAYING = 'label', 'text', 'alert', 'info bar'
results = []
running = []


def layout():
    """Of the picture, in pixels: DV_X in drawing.h as X."""
    header = os.environ['abs_top_srcdir'] + '/dg_view/plot/drawing.h'
    with open(header) as file:
        return {name: int(value) for name, value in re.findall(
            r'^#define DV_([A-Z_]+) +([0-9]+)', file.read(), re.MULTILINE)}


LAYOUT = layout()


# ---- Telling ---------------------------------------------------------------


class Screen:
    """The screen as it is now: Xvfb keeps it in a file, as of xwd."""

    def __init__(self):
        with open(os.environ['DG_VIEW_SCREEN'], 'rb') as file:
            data = file.read()
        header = struct.unpack('>25I', data[:100])
        self.width, self.height, self.stride = header[4], header[5], header[12]
        # Four bytes a pixel, the least significant first, as Xvfb has them.
        assert header[11] == 32 and header[7] == 0, header
        self.pixels = data[header[0] + header[19] * 12:]

    def at(self, x, y):
        """(red, green, blue)"""
        i = y * self.stride + x * 4
        return tuple(self.pixels[i + k] for k in (2, 1, 0))

    def area(self, x, y, width, height):
        """Rows of pixels."""
        rows = []
        for j in range(y, y + height):
            start = j * self.stride + x * 4
            row = self.pixels[start:start + width * 4]
            rows.append(list(zip(row[2::4], row[1::4], row[0::4])))
        return rows

    def save(self, name):
        rows = bytearray()
        for y in range(self.height):
            row = self.pixels[y * self.stride:
                              y * self.stride + self.width * 4]
            rgb = bytearray(self.width * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b'\0' + rgb
        with open(name, 'wb') as file:
            file.write(b'\x89PNG\r\n\x1a\n')
            for kind, body in (
                    (b'IHDR', struct.pack('>IIBBBBB', self.width, self.height,
                                          8, 2, 0, 0, 0)),
                    (b'IDAT', zlib.compress(bytes(rows), 1)), (b'IEND', b'')):
                file.write(struct.pack('>I', len(body)) + kind + body +
                           struct.pack('>I', zlib.crc32(kind + body)))


def shot(name=''):
    """A picture of the screen as it is, for people."""
    folder = os.environ.get('DG_VIEW_SHOTS')
    if folder:
        script = os.path.basename(sys.argv[0]).replace('.py', '')
        Screen().save('%s/%s-%02d%s.png' % (
            folder, script, len(results), '-' + name if name else ''))


def ok(good, what, detail=''):
    results.append(bool(good))
    print('%s %d - %s' % ('ok' if good else 'not ok', len(results), what))
    if not good:
        for line in str(detail).splitlines():
            print('# ' + line)
    shot()
    sys.stdout.flush()
    return bool(good)


def same(got, wanted, what):
    return ok(got == wanted, what, 'got %r, wanted %r' % (got, wanted))


def skip(what, why):
    results.append(True)
    print('ok %d - %s # SKIP %s' % (len(results), what, why))
    sys.stdout.flush()


def skip_all(why):
    print('1..0 # SKIP ' + why)
    sys.exit(0)


def run(*tests):
    """Each on its own: one that breaks off fails, the others still run."""
    Atspi.init()
    # Else a question fails that a busy machine answers after 0.8 s.
    Atspi.set_timeout(int(PATIENCE * 1000), int(PATIENCE * 1000))
    for test in tests:
        try:
            test()
        except Exception:
            ok(False, test.__name__ + ' breaks off', traceback.format_exc())
        for view in running[:]:
            view.close()
    print('1..%d' % len(results))
    sys.exit(0 if all(results) else 1)


# ---- Asking ----------------------------------------------------------------


class Asking:
    """How thoroughly to look for widgets now, see View.find_all."""

    depth = 0                           # of until () that are under way
    next_walk = 0.0

    @classmethod
    def is_quick(cls):
        return cls.depth > 0 and time.monotonic() < cls.next_walk


def until(question, patience=None):
    """The first answer that is true; the last one when time is up."""
    begin = time.monotonic()
    pause = 0.01
    Asking.depth += 1
    if Asking.depth == 1:
        Asking.next_walk = begin + 1
    try:
        while True:
            start = time.monotonic()
            # What is asked may vanish meanwhile.
            try:
                answer = question()
            except (gi.repository.GLib.Error, AttributeError):
                answer = None
            if answer:
                return answer
            now = time.monotonic()
            if now - begin > (patience_left() if patience is None
                              else patience):
                if patience != 0:
                    tell_vain()
                return answer
            if start >= Asking.next_walk:
                Asking.next_walk = now + max(1, 5 * (now - start))
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)
    finally:
        Asking.depth -= 1


def patience_left():
    if not all(results) or \
            any(view.process.poll() is not None for view in running):
        return LITTLE_PATIENCE
    return PATIENCE


def tell_vain():
    """Who waits in vain, though all may be well, costs everybody's time."""
    trace = traceback.extract_stack()
    print('# waited in vain: ' + ' < '.join(
        '%s:%d' % (os.path.basename(frame.filename), frame.lineno)
        for frame in reversed(trace[:-2])))
    sys.stdout.flush()


def soon(question, times=20):
    """The first answer that is true of this many, for what may also never come:
    each time that the window answers, it has done what it had to do."""
    Asking.depth += 1
    try:
        for left in reversed(range(times)):
            if Asking.depth == 1:
                # What is not there by then is looked for everywhere.
                Asking.next_walk = float('inf' if left else '-inf')
            answer = question()
            if answer or not left:
                return answer
            time.sleep(0.05)
    finally:
        Asking.depth -= 1


def xdo(*words):
    """Mouse and keys, in the words of xdotool, which moves windows itself.
    They go to the window that the X server has below the mouse: one that was
    just opened may be known here, but not there, until its program has sent
    what it has to say."""
    if words[0] in hands.COMMANDS:
        for view in running:
            view.handled()
        hands.Hands.shared().do(*words)
    else:
        subprocess.check_call(['xdotool'] + [str(word) for word in words])


def walk(node):
    """It and all below, but of tables, which can have many thousand cells,
    the headers only: see View.cells."""
    try:
        yield node
        if node.get_role_name() in ('table', 'tree table'):
            children = [Atspi.Table.get_column_header(node, i)
                        for i in range(Atspi.Table.get_n_columns(node))]
        else:
            children = (node.get_child_at_index(i)
                        for i in range(node.get_child_count()))
        for child in children:
            if child is not None:
                yield from walk(child)
    except gi.repository.GLib.Error:
        return


def is_text(wanted, ask):
    """What is asked for is wanted, or has what a compiled pattern wants."""
    return wanted is None or ask() == wanted or (
        isinstance(wanted, re.Pattern) and
        wanted.search(ask() or '') is not None)


def is_alive(node):
    return not node.get_state_set().contains(Atspi.StateType.DEFUNCT)


def is_showing(node):
    if isinstance(node, tree.Node):
        return node.is_showing()
    return node.get_state_set().contains(Atspi.StateType.SHOWING)


def is_sensitive(node):
    return node.get_state_set().contains(Atspi.StateType.SENSITIVE)


def is_checked(node):
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def text_of(node):
    """What a label or an entry says."""
    name = node.get_name()
    return name if name else Atspi.Text.get_text(node, 0, -1)


def cell_text(cell):
    """Of a table's cell, which may have an icon beside its text."""
    return cell.get_name() or ' '.join(
        filter(None, (cell.get_child_at_index(i).get_name()
                      for i in range(cell.get_child_count()))))


class View:
    """A running dg_view.  Its `messages` are what it prints."""

    def __init__(self, *arguments, **environment):
        self.log = 'dg_view.%d.messages' % len(os.listdir('.'))
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen(
                [os.environ['DG_VIEW'], *arguments], stderr=log,
                env={**os.environ, **environment})
        # Strips of the plot beside the data: see strips ().
        self.above = self.beside = 0
        self.found = {}                 # see find ()
        # Where walk () has been, and its place; and the states of what was
        # there somewhere else, such as a menu that is not open.
        self.known, self.astray = {}, {}
        self.bus_name = None
        running.append(self)
        self.app = until(self.find_app)
        if self.app is None:
            raise RuntimeError('no window: ' + self.messages())

    def find_app(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(i)
            if app is not None and \
                    app.get_process_id() == self.process.pid:
                return app
        return None

    def messages(self):
        with open(self.log, errors='replace') as log:
            return log.read()

    def close(self):
        """Ends it, and asks whether all went well with it."""
        if self not in running:
            return
        running.remove(self)
        try:
            self.process.wait(0.01)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()
        if self.process.returncode not in (0, 1, -signal.SIGTERM) or \
                re.search('CRITICAL|ERROR: AddressSanitizer|runtime error',
                          BRIDGE.sub('', self.messages())):
            ok(False, 'dg_view ends well and GTK has no complaints',
               'status %d\n%s' % (self.process.returncode,
                                  self.messages()))

    def status(self):
        """The exit status, when it ends by itself."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return 'still running'

    until = staticmethod(until)

    # ---- Widgets -----------------------------------------------------------

    @staticmethod
    def is_it(node, name, role, description, showing):
        return is_text(name, node.get_name) and \
            (role is None or node.get_role_name() == role) and \
            is_text(description, node.get_description) and \
            (not showing or is_showing(node))

    def find_all(self, name=None, role=None, description=None, within=None,
                 showing=False):
        """In the order of the tree.  NAME and DESCRIPTION may be compiled
        patterns."""
        what = name, role, description, showing
        found = self.find_known(*what) if within is None else None
        if found is None:
            found = (node for node in
                     (self.walk() if within is None else walk(within))
                     if self.is_it(node, *what))
        yield from found

    def walk(self):
        """All of the window, by going from node to node."""
        before = {node.path(): node.states for node in self.nodes()}
        self.known = {node.path: (rank, node)
                      for rank, node in enumerate(walk(self.app))}
        self.astray = {path: states for path, states in before.items()
                       if path not in self.known}
        return [node for rank, node in self.known.values()]

    def nodes(self, text=''):
        """What is in the window now and has a text, by one question: see
        tree.py."""
        if self.bus_name is None:
            self.bus_name = tree.Bus.shared().name_of(self.process.pid)
        return tree.nodes(self.bus_name, text)

    def find_known(self, name, role, description, showing):
        """Those of find_all, if that is known without walking: because there
        are none, which is believed only while it is asked again and again,
        or because the last walk has led to all of them."""
        # These are among no nodes, see tree.py.
        if role == 'table column header':
            return None
        text = next((text for text in (name, description)
                     if isinstance(text, str)), '')
        paths = [node.path() for node in self.nodes(text)
                 if self.is_it(node, name, role, description, showing)
                 and node.states != self.astray.get(node.path())]
        if not paths:
            return [] if Asking.is_quick() else None
        found = [self.known[path] for path in paths if path in self.known]
        if len(found) < len(paths):
            return None
        return [node for rank, node in sorted(found,
                                              key=lambda known: known[0])]

    def find(self, name=None, role=None, description=None, within=None,
             showing=False):
        """The first of these.  Walking takes its time; what was found once
        is mostly still there."""
        what = (name, role, description, showing)
        node = self.found.get(what) if within is None else None
        try:
            if node is not None and is_alive(node) and self.is_it(node, *what):
                return node
        except gi.repository.GLib.Error:
            pass
        node = next(self.find_all(name, role, description, within, showing),
                    None)
        if within is None and isinstance(name or description, str):
            self.found[what] = node
        return node

    def wait_for(self, name=None, role=None, description=None, within=None,
                 showing=False):
        """As find, when it is there."""
        return until(lambda: self.find(name, role, description, within,
                                       showing))

    def text(self, description):
        """Of the label with that description."""
        node = self.find(description=description, role='label')
        return None if node is None else text_of(node)

    def shown(self, description):
        node = self.find(description=description, role='label')
        return node is not None and is_showing(node)

    def says(self, pattern):
        """The first text on the screen in which the pattern is found."""
        if Asking.is_quick() and not any(
                re.search(pattern, text) for text in self.quick_texts()):
            return None
        for node in self.walk():
            if node.get_role_name() in SAYING and is_showing(node):
                text = text_of(node)
                if text and re.search(pattern, text):
                    return text
        return None

    def quick_texts(self):
        """What says () looks at, and perhaps what is hidden elsewhere."""
        for node in self.nodes():
            if node.is_showing() and node.get_role_name() in SAYING:
                name = node.get_name()
                if name:
                    yield name
                elif node.get_role_name() != 'label':
                    if node.path() not in self.known:
                        self.walk()
                    if node.path() in self.known:
                        yield text_of(self.known[node.path()][1]) or ''

    def press(self, name, role=None):
        """A button, menu item, check box... by its accessible name."""
        def press():
            # It may be replaced after it was found: then once more.
            node = self.find(name, role, showing=True)
            # What is insensitive does nothing.
            if not is_sensitive(node):
                return None
            node.do_action(0)
            return node

        node = until(press)
        if node is None:
            node = self.find(name, role)
            node.do_action(0)
        return node

    def choose(self, combo, item):
        """An item of a combo box."""
        node = self.wait_for(combo, 'combo box')
        menu = node.get_child_at_index(0)
        names = [menu.get_child_at_index(i).get_name()
                 for i in range(menu.get_child_count())]
        Atspi.Selection.select_child(node, names.index(item))

    def tab(self, name):
        """Shows the panel of that name."""
        page = self.wait_for(name, 'page tab')
        tabs = page.get_parent()
        Atspi.Selection.select_child(tabs, page.get_index_in_parent())
        until(lambda: page.get_state_set().contains(
            Atspi.StateType.SELECTED))
        return page

    def cells(self, table, columns=None, rows=None):
        """The texts of a table by its accessible name: a list of rows, the
        first ROWS at most.  A table that is filled meanwhile, whose cells
        vanish, is read again."""
        def read():
            node = table if isinstance(table, Atspi.Accessible) else \
                self.find(name=table, role='table') or \
                self.find(name=table, role='tree table')
            if node is None:
                return (None,)
            n = node.get_n_rows() if rows is None else min(
                rows, node.get_n_rows())
            which = range(node.get_n_columns()) if columns is None \
                else columns
            # Also true of an empty table.
            return ([[cell_text(node.get_accessible_at(row, column))
                      for column in which] for row in range(n)],)
        found = until(read)[0]
        if found is None:
            raise AttributeError('there is no table %s' % table)
        return found

    def cell_box(self, table, row, column=0):
        """Where a cell is on the screen, once two looks find it at one place:
        a table that was just shown or filled moves its rows a frame later.
        ROW is a number, or the text of the row's first cell."""
        seen = []

        def is_still():
            self.handled()
            number = row if isinstance(row, int) else next(
                (i for i, cells in enumerate(self.cells(table, [0]))
                 if cells[0] == row), -1)
            cell = number >= 0 and table.get_accessible_at(number, column)
            if not cell:
                return None
            box = cell.get_extents(Atspi.CoordType.SCREEN)
            seen.append((box.x, box.y, box.width, box.height))
            return box if box.height > 0 and seen[-1] in seen[-2:-1] else None

        return until(is_still)

    def stack(self, name):
        """The cells of a stack: [[function, source], ...]."""
        return self.cells(name, range(2))

    def chips(self, name):
        """The conditions that are chips in an entry."""
        box = self.wait_for(name, 'text').get_parent()
        return [node.get_name() for node in
                self.find_all(role='push button', description='Condition',
                              within=box)]

    def conditions(self, name):
        """All that an entry for conditions has."""
        text = Atspi.Text.get_text(self.find(name, 'text'), 0, -1)
        return ','.join(self.chips(name) + ([text] if text else []))

    def type(self, entry, text):
        """Puts a text into an entry, instead of all that is there, and presses
        Enter there."""
        chips = self.chips(entry) if entry in ('Events', 'Ranges') else ()
        for chip in chips:
            self.press('Remove ' + chip, 'push button')
            until(lambda: chip not in self.chips(entry))
        node = self.wait_for(entry, 'text') \
            if isinstance(entry, str) else entry
        # The last chip that goes is a filter already; Enter would be another
        # one, and the plot come twice, perhaps below an open menu.
        if chips and text == '' and Atspi.Text.get_text(node, 0, -1) == '':
            return
        node.grab_focus()
        self.handled()
        Atspi.EditableText.set_text_contents(node, text)
        until(lambda: Atspi.Text.get_text(node, 0, -1) == text)
        xdo('key', 'Return')

    def pasted(self):
        """The text of the clipboard."""
        entry = self.wait_for('Events', 'text')
        Atspi.EditableText.set_text_contents(entry, '')
        entry.grab_focus()
        until(lambda: entry.get_state_set().contains(Atspi.StateType.FOCUSED))
        xdo('key', 'ctrl+v')
        text = until(lambda: Atspi.Text.get_text(entry, 0, -1))
        Atspi.EditableText.set_text_contents(entry, '')
        return text

    def resize(self, width, height):
        """Of the window of prog."""
        window = subprocess.check_output(
            ['xdotool', 'search', '--pid', str(self.process.pid),
             '--onlyvisible', '--name', 'prog'], text=True).split()[-1]

        # The least size of the window shrinks as buttons go, after a frame:
        # what is asked for before is refused.  A user would pull again.
        def is_resized():
            xdo('windowsize', window, width, height)
            self.handled()
            return self.find(role='frame').get_extents(
                Atspi.CoordType.SCREEN).width == width

        until(is_resized)

    # ---- The plot ----------------------------------------------------------

    def plot(self):
        return self.find(name='Plot of memory accesses')

    def state(self):
        return self.plot().get_description()

    def handled(self):
        """Keys and the mouse take another way to the window than what is asked
        of it here, which may be quicker.  This waits until it has handled all
        that were sent, but perhaps not the last motion, which GDK keeps until
        the next frame."""
        if ping.Server.shared().ping(self.process.pid, PATIENCE) is None:
            tell_vain()

    def settled(self):
        """The plot's description, when it has been drawn."""
        return until(
            lambda: self.state() if self.plot() and self.state() and
            'being drawn' not in self.state() else None)

    def view(self):
        """[first address, last, first instruction, last], when drawn."""
        match = re.search('Addresses (0x[0-9a-f]+) to (0x[0-9a-f]+), '
                          'instructions ([0-9]+) to ([0-9]+)',
                          self.settled() or '')
        return match and [int(x, 0) for x in match.groups()]

    def changed(self, before):
        until(lambda: self.view() != before)
        return self.view()

    def strips(self, ranges=False, events=False):
        """The log has ranges, events: they take room of the plot."""
        self.above = LAYOUT['RANGE_STRIP'] if ranges else 0
        self.beside = LAYOUT['EVENT_STRIP'] - LAYOUT['MARGIN'] \
            if events else 0

    def point(self, fx, fy):
        """On the screen: a place in the data area, as fractions."""
        box = self.plot().get_extents(Atspi.CoordType.SCREEN)
        left, top = LAYOUT['LEFT'], LAYOUT['HEADER'] + self.above
        right = LAYOUT['MARGIN'] + self.beside
        return (round(box.x + left + fx * (box.width - left - right)),
                round(box.y + top +
                      fy * (box.height - top - LAYOUT['BOTTOM'])))

    def hover(self, fx, fy):
        x, y = self.point(fx, fy)
        xdo('mousemove', x, y - 1, 'mousemove', x, y)

    def click(self, fx, fy, button=1):
        xdo('mousemove', *self.point(fx, fy), 'click', button)

    def drag(self, start, end, button=1):
        self.hold(start, end, button)
        xdo('mouseup', button)

    def hold(self, start, end, button=1):
        """Begins a drag that is not ended."""
        x0, y0 = self.point(*start)
        x1, y1 = self.point(*end)
        xdo('mousemove', x0, y0, 'mousedown', button)
        for i in range(1, 5):
            xdo('mousemove', x0 + (x1 - x0) * i // 4,
                y0 + (y1 - y0) * i // 4)
            self.handled()


# ---- Logs ------------------------------------------------------------------


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


def assemble(name, text, *options):
    """A log of a text; see tests/README."""
    subprocess.run([os.environ['DGASM'], *options, '-o', name], input=text,
                   text=True, check=True)


def heap_head(program):
    """How logs about the heap of prog begin, with a block of code of victim,
    which main calls; and an address in victim, and one in main."""
    where = program or {'text': 0x401000, 'size': 0x1000,
                        'victim': 0x401100, 'main': 0x401200}
    victim, main = where['victim'] + 4, where['main'] + 8
    return '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" "/" ["prog"]
text_avma %#x "%s"
module %#x %#x 0 [] ""
bbdef [%#x+4] [R8@0]
context 0 [%#x %#x]
''' % (where['text'], os.path.abspath('prog'), where['text'], where['size'],
       victim, main, victim), victim, main


def make_known(program):
    """known.dg: 1000 instructions in two pages.  The first 500 read 0x1800,
    the others write 0x9100, which lies in a heap block.  cut.dg is half of
    it, bad.dg no log.  Returns what the frames of its stacks are called:
    [function, source] by 'victim' and 'main'."""
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
    with open('known.dg', 'rb') as file:
        whole = file.read()
    with open('cut.dg', 'wb') as file:
        file.write(whole[:len(whole) // 2])
    with open('bad.dg', 'w') as file:
        file.write('This is no log.\n')
    names = {'victim': ['victim', 'prog.c:1'], 'main': ['main', 'prog.c:5']}
    if program is None:
        names = {'victim': [hex(victim), ''], 'main': [hex(main), '']}
    return names
