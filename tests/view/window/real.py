# real.py: logs of real programs, and what is true of them, for the scenarios
# of drive_real_*.py.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is true comes from `dg dump`, nm, addr2line and readelf, by ways that
# share nothing with the window: all accesses are walked here, one by one.

import array
import bisect
import os
import re
import shutil
import subprocess

import drive

DG = os.environ.get('DG', 'dg')
HERE = os.path.dirname(os.path.abspath(__file__))
SQL = '''create table t (id integer primary key, name text, n integer);
with recursive c(i) as (select 1 union all select i+1 from c where i<40)
  insert into t select i, 'name'||i, i*7%13 from c;
create index tn on t(n);
select n, count(*), max(name) from t group by n order by 2 desc, 1;
'''


def valgrind():
    """The launcher of the tree that was built; None: there is none."""
    words = os.environ.get('VALGRIND_DG', '').split()
    return words[0] if words else None


def need_tool():
    if valgrind() is None:
        drive.skip_all('no Valgrind with exp-datagrind (VALGRIND_DG)')


def run(*words, **options):
    return subprocess.run(words, check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def record(name, *program, stdin=''):
    """An archive of a run, made as users do."""
    run(DG, 'record', '--valgrind=' + valgrind(), '-o', name, '--',
        *program, input=stdin, stderr=subprocess.DEVNULL)
    return name


def record_sqlite(name='sqlite.dgz'):
    return record(name, 'sqlite3', ':memory:', stdin=SQL)


def build(source, program, *flags):
    """Compiles one of our own, whose file gets here too, so that it can be
    moved."""
    name = os.path.basename(source)
    if not os.path.exists(name):
        shutil.copy(source, name)
    folders = ['-I' + os.environ['abs_top_srcdir'] + '/include']
    for folder in (os.path.dirname(valgrind()) + '/include',
                   os.path.dirname(valgrind()) + '/../include',
                   '/usr/include/valgrind', '/usr/local/include/valgrind'):
        if os.path.exists(folder + '/valgrind.h'):
            folders.append('-I' + folder)
            break
    subprocess.check_call(os.environ.get('CC', 'cc').split() +
                          ['-std=gnu11', '-g', '-O1', '-pthread', *folders,
                           *flags, '-o', program, os.path.abspath(name)])


def record_shelf(name='shelf.dgz'):
    build(HERE + '/shelf.c', 'shelf')
    return record(name, './shelf')


def line_of(text, source='shelf.c'):
    """The number of the first line with that text."""
    with open(source) as file:
        for number, line in enumerate(file, 1):
            if text in line:
                return number
    raise ValueError(text)


class Block:
    def __init__(self, address, size, start, stack):
        self.address, self.size, self.start = address, size, start
        self.end, self.stack = None, stack


class Facts:
    """All of a log, from its text."""

    def __init__(self, log):
        # Of each access; `context` is an index of `contexts`.
        self.icount = array.array('Q')
        self.address = array.array('Q')
        self.size = array.array('B')
        self.write = array.array('B')
        self.instruction = array.array('Q')
        self.context = array.array('L')
        self.thread = array.array('H')
        self.contexts = []              # stacks: [address, ...]
        self.blocks, self.live = [], {}
        self.events, self.ranges = [], []
        self.modules = []               # (file, text, size, bias)
        self.page_size = 4096
        self.instructions = 0
        self.names = {}
        self.asked = {}                 # who answers for a file: addr2line
        self.read(log)
        size = self.page_size
        self.pages = sorted({a // size for a in self.address} |
                            {(a + n - 1) // size
                             for a, n in zip(self.address, self.size)})
        begins = {page: i * size for i, page in enumerate(self.pages)}
        # Of each access, on the X axis.
        self.x = array.array('Q', (begins[a // size] + a % size
                                   for a in self.address))
        self.on_page = {}               # blocks by page
        for block in self.blocks:
            for page in range(block.address // size,
                              (block.address + block.size) // size + 1):
                self.on_page.setdefault(page, []).append(block)

    # ---- Reading the text --------------------------------------------------

    def read(self, log):
        dump = subprocess.Popen([DG, 'dump', log], text=True,
                                stdout=subprocess.PIPE)
        defs, of_context, thread, text = [], [], 1, None
        for line in dump.stdout:
            kind = line.split(' ', 2)[1]
            if kind == 'BBRUN':
                self.run(line, defs, of_context, thread)
            elif kind == 'CONTEXT':
                of_context.append(int(re.search('bbdef=([0-9]+)',
                                                line).group(1)))
                self.contexts.append(self.list(line, 'stack'))
            elif kind == 'BBDEF':
                code, data = line.split('accesses=')
                code = [int(at, 16) for at in
                        re.findall('(0x[0-9a-f]+)[+]', code)]
                defs.append([(w == 'W', int(n), int(i), code[int(i)])
                             for w, n, i in re.findall(
                                 '([RW])([0-9]+)[^@ ]*@([0-9]+)', data)])
            elif kind == 'THREAD_SWITCH':
                thread = self.number(line, 'thread')
            elif kind == 'MALLOC_BLOCK':
                block = Block(self.number(line, 'address'),
                              self.number(line, 'size'), self.instructions,
                              self.list(line, 'stack'))
                self.live[block.address] = block
                self.blocks.append(block)
            elif kind == 'FREE_BLOCK':
                block = self.live.pop(self.number(line, 'address'), None)
                if block:
                    block.end = self.instructions
            elif kind == 'START_EVENT':
                self.events.append([self.string(line, 'label'),
                                    self.instructions, None])
            elif kind == 'END_EVENT':
                for event in reversed(self.events):
                    if event[0] == self.string(line, 'label') and \
                            event[2] is None:
                        event[2] = self.instructions
                        break
            elif kind == 'TRACK_RANGE':
                self.ranges.append((self.string(line, 'label'),
                                    self.string(line, 'type'),
                                    self.number(line, 'address'),
                                    self.number(line, 'length')))
            elif kind == 'TEXT_AVMA':
                text = self.string(line, 'file')
            elif kind == 'MODULE':
                self.modules.append((text, self.number(line, 'text_address'),
                                     self.number(line, 'text_size'),
                                     self.number(line, 'bias')))
            elif kind == 'PROCESS':
                self.page_size = self.number(line, 'page_size')
        if dump.wait() != 0:
            raise RuntimeError('dg dump fails')

    def run(self, line, defs, of_context, thread):
        words = line.split(' ', 4)
        context = int(words[2][8:])
        accesses = words[4][11:-2]
        if accesses:
            entries = defs[of_context[context]]
            for (write, size, at, code), word in zip(entries,
                                                     accesses.split(' ')):
                address = int(word, 16)
                if address:
                    self.icount.append(self.instructions + at)
                    self.address.append(address)
                    self.size.append(size)
                    self.write.append(write)
                    self.instruction.append(code)
                    self.context.append(context)
                    self.thread.append(thread)
        self.instructions += int(words[3][9:])

    @staticmethod
    def number(line, name):
        return int(re.search(r'\b%s=(\w+)' % name, line).group(1), 0)

    @staticmethod
    def string(line, name):
        return re.search(r'\b%s="((?:[^"\\]|\\.)*)"' % name, line).group(1)

    @staticmethod
    def list(line, name):
        return [int(word, 0) for word in re.search(
            r'\b%s=\[([^]]*)\]' % name, line).group(1).split()]

    # ---- Places ------------------------------------------------------------

    def position(self, address):
        """On the X axis, where only touched pages are."""
        page = address // self.page_size
        return bisect.bisect_left(self.pages, page) * self.page_size + \
            address % self.page_size

    def find(self, good):
        """Indices of the accesses for which good (i)."""
        return [i for i in range(len(self.icount)) if good(i)]

    def during(self, start, end):
        """Indices of the accesses by these instructions."""
        return range(bisect.bisect_left(self.icount, start),
                     bisect.bisect_left(self.icount, end))

    def block_of(self, i):
        """The heap block that the access is to."""
        address, icount = self.address[i], self.icount[i]
        for block in self.on_page.get(address // self.page_size, ()):
            if block.address <= address < block.address + block.size and \
                    block.start <= icount and \
                    (block.end is None or icount < block.end):
                return block
        return None

    def stack(self, i):
        """Of an access, by addr2line."""
        return self.frames([self.instruction[i]] +
                           self.contexts[self.context[i]][1:])

    # ---- Names -------------------------------------------------------------

    def frames(self, addresses):
        """What addr2line says of a stack: [[function, file:line], ...], with
        inlined functions, for the modules that have debug information."""
        return [frame for address in addresses
                for frame in self.frame(address)]

    def frame(self, address):
        if address not in self.names:
            self.names[address] = self.look_up(address)
        return self.names[address]

    def look_up(self, address):
        for file, text, size, bias in self.modules:
            if text <= address < text + size and os.path.exists(file):
                return self.ask(file, address - bias)
        return [['??', '??:0']]

    def ask(self, file, address):
        """What addr2line says.  One for each file answers all questions: to
        read what a large one says of its lines takes long."""
        if file not in self.asked:
            self.asked[file] = subprocess.Popen(
                ['addr2line', '-a', '-f', '-i', '-C', '-e', file], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        pipe = self.asked[file]
        # It tells the address before the frames, of which there may be any
        # number: those of another one follow them.
        end = '0x%016x\n' % (2 ** 64 - 1)
        pipe.stdin.write('%#x\n%s' % (address, end))
        pipe.stdin.flush()
        pipe.stdout.readline()
        lines = []
        for line in iter(pipe.stdout.readline, end):
            if not line:
                raise RuntimeError('addr2line ends: ' + file)
            lines.append(line.rstrip('\n'))
        for _ in range(2):
            pipe.stdout.readline()
        return [[name, re.sub(r' \(discriminator.*', '',
                              place.rsplit('/', 1)[-1])]
                for name, place in zip(lines[::2], lines[1::2])]

    def symbols(self, program):
        """Of nm: [address, size] by name, where it was loaded."""
        bias = next(b for f, t, s, b in self.modules
                    if os.path.basename(f) == os.path.basename(program))
        found = {}
        for line in run('nm', '-S', program).splitlines():
            words = line.split()
            if len(words) == 4:
                found[words[3]] = (int(words[0], 16) + bias,
                                   int(words[1], 16))
        return found


class Plot:
    """Where things are on the screen, in the view that is shown now."""

    def __init__(self, view, facts):
        self.view, self.facts = view, facts
        first, last, start, end = view.view()
        self.x0, self.x1 = facts.position(first), facts.position(last) + 1
        self.y0, self.y1 = start, end + 1
        a, b = view.point(0, 0), view.point(1, 1)
        self.width, self.height = b[0] - a[0], b[1] - a[1]

    def fractions(self, address, icount):
        return ((self.facts.position(address) + 0.5 - self.x0) /
                (self.x1 - self.x0),
                (icount + 0.5 - self.y0) / (self.y1 - self.y0))

    def at(self, i):
        """Of an access, as fractions."""
        return ((self.facts.x[i] + 0.5 - self.x0) / (self.x1 - self.x0),
                (self.facts.icount[i] + 0.5 - self.y0) /
                (self.y1 - self.y0))

    def distance(self, i, fx, fy):
        """In pixels, of an access from a place."""
        x, y = self.at(i)
        return (((x - fx) * self.width) ** 2 +
                ((y - fy) * self.height) ** 2) ** 0.5

    def beside(self, fx, fy, pixels, good=lambda i: True):
        """So many pixels or less from the access that is nearest to a place,
        towards that place; as fractions."""
        seen = next(filter(None, (self.near(fx, fy, reach, good)
                                  for reach in (20, 80, 320, 9999))))
        i = min(seen, key=lambda i: self.distance(i, fx, fy))
        x, y = self.at(i)
        part = min(1, pixels / max(self.distance(i, fx, fy), 1))
        return x + (fx - x) * part, y + (fy - y) * part

    def near(self, fx, fy, pixels, good=lambda i: True):
        """Accesses that are no further from a place than that."""
        icounts = (self.y1 - self.y0) / self.height * (pixels + 1)
        y = self.y0 + fy * (self.y1 - self.y0)
        return [i for i in self.facts.during(max(self.y0, int(y - icounts)),
                                             min(self.y1, int(y + icounts)))
                if self.x0 <= self.facts.x[i] < self.x1 and
                self.distance(i, fx, fy) <= pixels and good(i)]
