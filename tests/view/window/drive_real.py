# drive_real.py: what must work, on logs of real programs: sqlite3, and
# shelf.c, which has sources.  What is shown is compared with what real.py
# finds by walking all accesses, and with nm and addr2line.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import glob
import os
import re
import shutil
import subprocess
import time

import drive
import png
import real
from drive import LAYOUT, Atspi, Screen, View, ok, same, skip, until, xdo

# Makes reading files slow, as from a distant disk.
SLOW = '''#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static ssize_t
slow (const char *name, int fd, void *buffer, size_t size, off64_t offset)
{
  ssize_t (*real) (int, void *, size_t, off64_t) = dlsym (RTLD_NEXT, name);
  if (size > 65536)
    usleep (1500000);
  return real (fd, buffer, size, offset);
}
ssize_t
pread (int fd, void *buffer, size_t size, off_t offset)
{
  return slow ("pread64", fd, buffer, size, offset);
}
ssize_t
pread64 (int fd, void *buffer, size_t size, off64_t offset)
{
  return slow ("pread64", fd, buffer, size, offset);
}
'''


def bytes_read(view):
    """By the process, so far."""
    with open('/proc/%d/io' % view.process.pid) as file:
        return int(re.search('rchar: ([0-9]+)', file.read()).group(1))


def threads(view):
    """The names of the process's threads."""
    names = set()
    for path in glob.glob('/proc/%d/task/*/comm' % view.process.pid):
        try:
            with open(path) as file:
                names.add(file.read().strip())
        except OSError:
            pass                        # it has just ended
    return names


def still(ask, seconds=1):
    """The answer, once it stays the same for so long."""
    last = [ask(), time.time()]

    def question():
        now = ask()
        if now != last[0]:
            last[:] = [now, time.time()]
        return time.time() - last[1] > seconds
    return last[0] if until(question) else None


# ---- 1. The window at once; progress with time left; Cancel -----------------


def test_opening():
    if 'sanitize' in os.environ.get('CFLAGS', ''):
        skip('opening a large log', 'sanitizers must be loaded first')
        return
    with open('slow.c', 'w') as file:
        file.write(SLOW)
    subprocess.check_call(os.environ.get('CC', 'cc').split() +
                          ['-w', '-shared', '-fPIC', '-o', 'slow.so',
                           'slow.c', '-ldl'])
    real.run(real.DG, 'unpack', '-o', 'sqlite.dg', 'sqlite.dgz')
    slow = {'LD_PRELOAD': os.path.abspath('slow.so')}
    view = View('sqlite.dg', **slow)
    frame = view.wait_for(role='frame')
    ok(frame and 'Addresses' not in (view.state() or ''),
       'opening: the window is there before the log is read')
    told = until(lambda: view.says(
        r'(?i)\b([0-9]+ (s|seconds?|min|minutes?)\b.* left|left.*[0-9]+ s)'))
    ok(told, 'opening: it tells how long it will still take', told)
    bar = view.find(role='progress bar', showing=True)
    ok(bar and 0 < until(lambda: Atspi.Value.get_current_value(bar)) < 1,
       'opening: a bar tells how far it has come')
    ok(until(lambda: 'dg-load' in threads(view)), 'opening: threads read it',
       threads(view))
    view.press('Cancel', 'push button')
    told = until(lambda: view.says('cancelled') or
                 'cancelled' in view.state() and view.state())
    ok(told, 'opening: Cancel stops it, and it says so', told)
    ok(until(lambda: 'dg-load' not in threads(view)),
       'opening: nothing is read any more', threads(view))
    view.close()

    # What is read while something else is wanted is given up.
    view = View('sqlite.dg', **slow)
    view.wait_for(role='frame')
    xdo('key', 'ctrl+w')
    same(view.status(), 0, 'opening: closing the window ends it')


# ---- 2. No repaint walks the accesses ---------------------------------------


def test_repaint():
    view = View('sqlite.dgz', DG_VIEW_FEW_ACCESSES='0')
    view.settled()
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    window = subprocess.check_output(
        ['xdotool', 'search', '--onlyvisible', '--pid',
         str(view.process.pid)], text=True).split()[-1]

    def picture():
        screen = Screen()
        return [screen.at(box.x + x, box.y + y)
                for x in range(90, box.width, 7)
                for y in range(40, box.height, 7)]
    xdo('mousemove', 1399, 899)

    before = still(picture)
    still(lambda: bytes_read(view))
    start = bytes_read(view)
    for i in range(3):
        xdo('windowunmap', '--sync', window)
        xdo('windowmap', '--sync', window)
        until(lambda: picture() == before)
    ok(picture() == before, 'repainting: the same again')
    size = os.path.getsize('sqlite.dgz')
    ok(bytes_read(view) - start < size / 10,
       'repainting: the log is not read again',
       '%d bytes of %d' % (bytes_read(view) - start, size))
    view.close()


# ---- 3. and 4. Getting around ----------------------------------------------


def test_navigation():
    view = View('sqlite.dgz')
    whole = view.view()
    plot = real.Plot(view, SQLITE)

    def under(fx, fy, plot):
        return (plot.x0 + fx * (plot.x1 - plot.x0),
                plot.y0 + fy * (plot.y1 - plot.y0))

    for modifier, axes in (None, 'xy'), ('shift', 'x'), ('ctrl', 'y'):
        before = real.Plot(view, SQLITE)
        start = view.view()
        xdo('mousemove', *view.point(0.7, 0.3))
        if modifier:
            xdo('keydown', modifier)
        xdo('click', 4)
        if modifier:
            xdo('keyup', modifier)
        view.changed(start)
        after = real.Plot(view, SQLITE)
        moved = [abs(a - b) for a, b in zip(under(0.7, 0.3, before),
                                            under(0.7, 0.3, after))]
        ok(moved[0] <= 2 * (before.x1 - before.x0) / before.width + 64 and
           moved[1] <= 2 * (before.y1 - before.y0) / before.height + 2,
           'wheel with %s: what is under the pointer stays' % modifier, moved)
        got = ''.join(
            axis for axis, a, b in (
                ('x', before.x1 - before.x0, after.x1 - after.x0),
                ('y', before.y1 - before.y0, after.y1 - after.y0)) if b < a)
        same(got, axes, 'wheel with %s: the axes' % modifier)
    zoomed = view.view()
    view.drag((0.5, 0.5), (0.3, 0.6), button=2)
    moved = view.changed(zoomed)
    ok(moved[0] > zoomed[0] and moved[2] < zoomed[2],
       'a middle drag takes the picture along', '%r %r' % (zoomed, moved))

    # Everything by keys alone.
    xdo('mousemove', 1399, 899)
    view.plot().grab_focus()
    xdo('mousemove', *view.point(0.5, 0.5))
    xdo('key', 'Home')
    view.changed(moved)
    for key, what in (('plus', 'zooms in'), ('Right', 'moves right'),
                      ('Left', 'moves left'), ('Down', 'moves down'),
                      ('Up', 'moves up'), ('minus', 'zooms out')):
        before = view.view()
        xdo('key', key)
        after = view.changed(before)
        good = {'plus': after[0] >= before[0] and after[3] < before[3],
                'minus': after[3] - after[2] > before[3] - before[2],
                'Right': after[0] > before[0], 'Left': after[0] < before[0],
                'Down': after[2] > before[2], 'Up': after[2] < before[2]}
        ok(good[key], 'the key %s %s' % (key, what),
           '%r %r' % (before, after))
    xdo('key', 'Home')
    view.until(lambda: view.view() == whole)
    same(view.view(), whole, 'Home shows everything')

    # The band while it is drawn, with a picture of before.
    xdo('mousemove', 1399, 899)
    x0, y0 = view.point(0.3, 0.3)
    x1, y1 = view.point(0.6, 0.7)
    before = Screen().area(x0 - 5, y0 - 5, x1 - x0 + 10, y1 - y0 + 10)
    xdo('mousemove', x0, y0, 'mousedown', 1, 'mousemove', x0 + 40, y0 + 40,
        'mousemove', x1, y1)

    def edges():
        """How much of the left and right edge of the band is visible."""
        now = Screen().area(x0 - 5, y0 - 5, x1 - x0 + 10, y1 - y0 + 10)
        share = []
        for columns in (range(3, 8), range(x1 - x0 + 3, x1 - x0 + 8)):
            rows = [any(now[j][i] != before[j][i] for i in columns)
                    for j in range(10, y1 - y0)]
            share.append(sum(rows) / len(rows))
        return share
    good = until(lambda: min(edges()) > 0.9 and edges())
    ok(good, 'the rubber band can be seen', edges())
    xdo('mouseup', 1)
    band = view.changed(whole)
    wanted = [SQLITE.pages and plot.x0 + f * (plot.x1 - plot.x0)
              for f in (0.3, 0.6)]
    got = [SQLITE.position(band[0]), SQLITE.position(band[1]) + 1]
    ok(all(abs(a - b) < 3 * (plot.x1 - plot.x0) / plot.width
           for a, b in zip(wanted, got)),
       'the band: its addresses are shown', '%r %r' % (wanted, got))
    xdo('key', 'alt+Left')
    same(view.changed(band), whole, 'back to everything')
    xdo('key', 'alt+Right')
    same(view.changed(whole), band, 'and forward to the band')
    view.close()


# ---- 5. Axes, legend, hover line --------------------------------------------


def svg_texts(name):
    """[text, x] of a picture."""
    with open(name) as file:
        return [(body, float(x)) for x, body in re.findall(
            r'<text transform="translate\(([0-9.]+) [^>]*>([^<]*)<',
            file.read())]


def test_axes():
    real.run(os.environ['DG_VIEW'], '--render=axes.svg', '--size=1000x700',
             'shelf.dgz')
    texts = svg_texts('axes.svg')
    left = LAYOUT['LEFT']
    width = 1000 - left - LAYOUT['EVENT_STRIP']
    bytes = len(SHELF.pages) * SHELF.page_size
    addresses = [(int(text, 16), x) for text, x in texts
                 if re.fullmatch('0x[0-9a-f]+', text)]
    ok(len(addresses) > 3, 'axis: addresses in hexadecimal', texts)
    # Texts stand in the middle of what they name, six pixels a digit.
    wrong = [(hex(address), x) for address, x in addresses
             if address // SHELF.page_size not in SHELF.pages or
             not abs(left + SHELF.position(address) * width / bytes -
                     x) < 2]
    ok(not wrong, 'axis: true addresses, where they are, across gaps', wrong)
    ok(len({address >> 28 for address, x in addresses}) > 1,
       'axis: on both sides of a large gap', addresses)
    said = ' '.join(text for text, x in texts)
    for word in 'read', 'write', 'both', 'books', 'fill', 'sort':
        ok(word in said, 'legend and bands: ' + word, said)


def test_hover():
    view = View('--ranges=user:books', 'shelf.dgz')
    view.strips(ranges=True, events=True)
    facts = SHELF
    books = next(r for r in facts.ranges if r[0] == 'books')
    i = facts.find(lambda i: books[2] <= facts.address[i] <
                   books[2] + books[3])
    i = i[len(i) // 2]
    plot = real.Plot(view, facts)
    view.hover(*plot.at(i))
    said = until(lambda: (lambda t: t if t and 'books' in t else None)(
        view.text('Under the pointer')))
    ok(said, 'hover: whose memory it is', view.text('Under the pointer'))
    address = re.search('0x[0-9a-f]+', said or '0x0').group(0)
    ok(abs(int(address, 16) - facts.address[i]) <=
       2 * (plot.x1 - plot.x0) / plot.width,
       'hover: the address', '%s %x' % (said, facts.address[i]))
    functions = {facts.stack(k)[0][0]
                 for k in plot.near(*plot.at(i), 3)}
    said = until(lambda: next(
        (t for t in [view.text('Under the pointer')] if t and
         any(name in t for name in functions)), None))
    ok(said, 'hover: the function', '%s %s' % (
        view.text('Under the pointer'), functions))
    view.close()


# ---- 6. The picture is the accesses -----------------------------------------


def counts(facts, plot):
    """[reads, writes] of each pixel of the data area."""
    found = {}
    width, height = plot.x1 - plot.x0, plot.y1 - plot.y0
    for i in facts.during(plot.y0, plot.y1):
        start, end = facts.x[i], facts.x[i] + facts.size[i] - 1
        if end < plot.x0 or start >= plot.x1:
            continue
        row = (facts.icount[i] - plot.y0) * plot.height // height
        for x in range((max(start, plot.x0) - plot.x0) * plot.width // width,
                       (min(end, plot.x1 - 1) - plot.x0) * plot.width //
                       width + 1):
            found.setdefault((x, row), [0, 0])[facts.write[i]] += 1
    return found


def gap_columns(facts, plot):
    """Where a white line stands for addresses that are left out."""
    found = set()
    for i in range(1, len(facts.pages)):
        if facts.pages[i] != facts.pages[i - 1] + 1:
            x = (i * facts.page_size - plot.x0) * plot.width / \
                (plot.x1 - plot.x0)
            found |= {int(x) - 1, int(x), int(x) + 1}
    return found


def test_picture():
    view = View('--theme=dark', '--palette=classic', 'shelf.dgz')
    view.strips(ranges=True, events=True)
    view.settled()
    xdo('mousemove', 1399, 899)
    plot = real.Plot(view, SHELF)
    lines = gap_columns(SHELF, plot)
    wanted = {place: n for place, n in counts(SHELF, plot).items()
              if place[0] not in lines}
    x0, y0 = view.point(0, 0)

    def hue(rgb):
        r, g, b = rgb
        return 'green' if g > 1.4 * r else 'red' if r > 1.4 * g else 'yellow'

    def compare():
        area = Screen().area(x0, y0, plot.width, plot.height)
        dark = max(set(sum(area[::20], [])),
                   key=sum(area[::20], []).count)
        wrong, light = [], {}
        for (x, y), (reads, writes) in wanted.items():
            what = 'yellow' if reads and writes else \
                'green' if reads else 'red'
            if hue(area[y][x]) != what or area[y][x] == dark:
                wrong.append((x, y, reads, writes, area[y][x]))
            elif what == 'green':
                light.setdefault(reads, []).append(sum(area[y][x]))
        extra = sum(1 for y in range(plot.height) for x in range(plot.width)
                    if area[y][x] != dark and (x, y) not in wanted and
                    x not in lines and
                    max(area[y][x]) - min(area[y][x]) > 60 and
                    area[y][x][2] < 100)
        return wrong, extra, light
    wrong, extra, light = until(
        lambda: (lambda found: found if len(found[0]) < len(wanted) / 50
                 else None)(compare())) or compare()
    ok(len(wrong) < len(wanted) / 50,
       'picture: each pixel with accesses has the hue of their kinds',
       '%d of %d: %r' % (len(wrong), len(wanted), wrong[:20]))
    ok(extra < len(wanted) / 50,
       'picture: no accesses where there are none', extra)
    medians = [sorted(values)[len(values) // 2]
               for n, values in sorted(light.items()) if len(values) > 5]
    ok(len(medians) > 4 and medians == sorted(medians),
       'picture: the more accesses, the brighter', medians)
    view.close()


# ---- 7. Clicks ---------------------------------------------------------------


def pick(view):
    """What the panel says of the access: [address, kind, size, icount]."""
    kind = view.text('Access').split()
    return [int(view.text('Address'), 16), kind[0], int(kind[2]),
            int(view.text('Instruction').replace(',', ''))]


def find_access(facts, picked):
    address, kind, size, icount = picked
    return next((i for i in facts.during(icount, icount + 1)
                 if facts.address[i] == address and facts.size[i] == size and
                 facts.write[i] == (kind == 'write')), None)


def ours(frames):
    """The frames of shelf.c; libraries may have debug information, or not."""
    return [frame for frame in frames if frame[1].startswith('shelf.c:')]


def test_clicks():
    facts = SHELF
    view = View('--ranges=malloc', 'shelf.dgz')
    view.strips(ranges=True, events=True)
    plot = real.Plot(view, facts)
    for fx, fy in (0.25, 0.3), (0.6, 0.5), (0.45, 0.93):
        # Some pixels beside an access: far from all of them there is none.
        fx, fy = plot.beside(fx, fy, 8, facts.block_of)
        old = view.text('Address') if view.shown('Address') else None
        view.click(fx, fy)
        until(lambda: view.shown('Address') and view.text('Address') != old
              and 'main' in str(view.stack('Call stack')))
        what = 'click at %.2f, %.2f: ' % (fx, fy)
        i = find_access(facts, pick(view))
        if not ok(i is not None, what + 'an access of the log', pick(view)):
            continue
        distance = plot.distance(i, fx, fy)
        nearer = plot.near(fx, fy, distance - 1.5, facts.block_of)
        ok(not nearer, what + 'no other is nearer on the screen',
           [plot.distance(k, fx, fy) for k in nearer[:9]])
        same(ours(view.stack('Call stack')), ours(facts.stack(i)),
             what + 'its call stack')
        block = facts.block_of(i)
        same(view.text('Block'), '0x%x, %s bytes' % (
            block.address, format(block.size, ',')), what + 'its block')
        same(ours(view.stack('Allocation stack')),
             ours(facts.frames(block.stack)), what + 'who allocated that')
        same(view.text('Thread').split()[0], str(facts.thread[i]),
             what + 'its thread')

        # The others under the pixel.
        told = view.says('at this pixel')
        match = re.search('([0-9,]+) of ([0-9,]+)', told)
        at, of = [int(n.replace(',', '')) for n in match.groups()] \
            if match else (1, 1)
        near = plot.near(*plot.at(i), 2.9, facts.block_of)
        ok(1 <= of <= len(near), what + 'how many lie under the pixel',
           '%d of %d near' % (of, len(near)))
        if of > 1:
            first = pick(view)
            view.press('Next access' if at < of else 'Previous access',
                       'push button')
            until(lambda: pick(view) != first)
            other = find_access(facts, pick(view))
            ok(other != i and other in near,
               what + 'stepping to another one there', pick(view))
    view.close()


# ---- 8. Boxes -----------------------------------------------------------------


def test_boxes():
    facts = SHELF
    books = next(r for r in facts.ranges if r[0] == 'books')
    block = next(b for b in facts.blocks if b.address == books[2])
    page = block.address // 4096 * 4096
    args = ['--addresses=0x%x..0x%x' % (page, page + 5 * 4096),
            '--instructions=0..%d' % facts.instructions]
    view = View(*args, 'shelf.dgz')
    view.strips(ranges=True, events=True)
    view.settled()
    xdo('mousemove', 1399, 899)
    plot = real.Plot(view, facts)
    x, y = plot.fractions(block.address, block.start)
    x0, y0 = view.point(x, y)
    x1, y1 = view.point(*plot.fractions(block.address + block.size - 1,
                                        block.end or facts.instructions))

    def edge():
        """How much of the block's upper edge stands out from above."""
        screen = Screen()
        seen = [screen.at(i, y0 + d) for i in range(x0 + 5, x1 - 5)
                for d in (-6,)]
        dark = max(set(seen), key=seen.count)
        return sum(any(screen.at(i, y0 + d) != dark for d in (-1, 0, 1))
                   for i in range(x0 + 5, x1 - 5)) / (x1 - x0 - 10)
    ok(until(lambda: edge() > 0.9 and edge()),
       'a heap block is a box from its allocation on', edge())
    view.close()


# ---- 9. Filters ----------------------------------------------------------------


def test_filter():
    view = View('shelf.dgz')
    whole = view.view()
    facts = SHELF
    sort = facts.symbols('shelf')['sort']
    for entry, option, text in (
            ('Events', '--events', 'fn:sort'),
            ('Events', '--events', 'user:fill'),
            ('Events', '--events', 'dso:libc.so.6'),
            ('Ranges', '--ranges', 'user:books'),
            ('Ranges', '--ranges', 'fn:new_book')):
        first, last, addresses, at = None, None, [], -1
        for line in real.run(real.DG, 'dump', '--accesses',
                             '%s=%s' % (option, text),
                             'shelf.dgz').splitlines():
            if line[0] == 'I':
                at += 1
            else:
                addresses.append(int(line[3:].split(',')[0], 16))
        pages = {a // 4096 for a in addresses}
        before = view.view()
        view.type(entry, text)
        until(lambda: view.view() != before and 'being' not in view.state())
        got = view.view()
        ok(got and got[0] == min(pages) * 4096 and
           got[1] >= max(pages) * 4096,
           'filter %s: the memory that dg dump names' % text,
           '%r %x %x' % (got, min(pages) * 4096, max(pages) * 4096))
        view.type(entry, '')
        until(lambda: view.view() == whole)
    ok(sort, 'sort is a function of the program')
    view.type('Events', 'fn:no_such_function')
    ok(until(lambda: 'No accesses match the filters.' in view.settled()),
       'filter: nothing left, and it says so', view.state())
    view.close()


# ---- 10. Symbols ---------------------------------------------------------------


def test_symbols():
    facts = SHELF
    # Inlined: hash () within shelve ().
    start, size = facts.symbols('shelf')['shelve']
    hashes = {a for a in range(start, start + size)
              if facts.frame(a)[0][0] == 'hash'}
    inlined = facts.find(lambda i: facts.instruction[i] in hashes and
                         not facts.write[i])
    i = inlined[len(inlined) // 2]
    page = facts.address[i] // 4096 * 4096
    view = View('--events=fn:shelve', '--addresses=0x%x..0x%x' % (
        page, page + 4096), '--instructions=%d..%d' % (
            facts.icount[i] - 50, facts.icount[i] + 50), 'shelf.dgz')
    view.strips(ranges=True, events=True)
    plot = real.Plot(view, facts)
    view.click(*plot.at(i))
    until(lambda: view.shown('Address') and
          'main' in str(view.stack('Call stack')))
    k = find_access(facts, pick(view))
    same(ours(view.stack('Call stack')), ours(facts.stack(k)),
         'symbols: an inlined function stands in the stack')
    same([frame[0] for frame in view.stack('Call stack')][:3],
         ['hash', 'shelve', 'main'], 'symbols: their order')
    view.close()

    # Without debug information: what nm says of the shared library.
    library = next((f for f, t, s, b in SQLITE.modules
                    if 'libsqlite3' in f), None)
    if library is None:
        skip('symbols of a stripped library', 'sqlite3 has it built in')
        return
    names = {line.split()[-1].split('@')[0] for line in real.run(
        'nm', '-D', '--defined-only', library).splitlines()}
    start, size = next((t, s) for f, t, s, b in SQLITE.modules
                       if f == library)
    view = View('--events=dso:' + os.path.basename(library), 'sqlite.dgz')
    view.settled()
    plot = real.Plot(view, SQLITE)
    found = []
    for fy in 0.3, 0.5, 0.7:
        fx, fy = plot.beside(
            0.5, fy, 8,
            lambda i: start <= SQLITE.instruction[i] < start + size)
        before = view.text('Instruction') if view.shown('Instruction') else ''
        view.click(fx, fy)
        if not until(lambda: view.shown('Instruction') and
                     view.text('Instruction') != before and
                     view.stack('Call stack')):
            continue
        found += [frame[0] for frame in view.stack('Call stack')
                  if frame[0].startswith('sqlite3')]
    ok(found and set(found) <= names,
       'symbols: a stripped library has those it exports', found)
    view.close()


# ---- 11. Sources --------------------------------------------------------------


def test_source():
    """Moved away after the build, found again by --source-map."""
    facts = SHELF
    os.mkdir('moved')
    os.rename('shelf.c', 'moved/shelf.c')
    here = os.getcwd()
    start, size = facts.symbols('shelf')['sort']
    of = facts.find(lambda i: start <= facts.instruction[i] < start + size)
    i = next(i for i in of if facts.address[i] ==
             facts.symbols('shelf')['totals'][0])
    place = ours(facts.stack(i))[0][1]
    view = View('--source-map=%s=%s/moved' % (here, here),
                '--editor=sh -c "echo %f %l >edited"',
                '--addresses=0x%x..0x%x' % (facts.address[i] - 4,
                                            facts.address[i] + 12),
                '--instructions=%d..%d' % (facts.icount[i] - 4,
                                           facts.icount[i] + 4), 'shelf.dgz')
    view.strips(ranges=True, events=True)
    plot = real.Plot(view, facts)
    view.click(*plot.at(i))
    until(lambda: 'main' in str(view.stack('Call stack')))
    with open('moved/shelf.c') as file:
        lines = file.read().splitlines()
    line = int(place.split(':')[1])
    text = until(lambda: next(
        (node for node in view.find_all(role='text', showing=True)
         if 'struct book' in Atspi.Text.get_text(node, 0, -1)), None))
    ok(text, 'source: it is shown, from where it is now')
    told = until(lambda: next(
        (t for t in [view.says(re.escape('shelf.c:%d' % line))] if t), None))
    ok(told, 'source: and which line', told)
    shown = text and Atspi.Text.get_text(text, 0, -1).splitlines()
    same(shown and shown[line - 1], lines[line - 1],
         'source: the line is that of the file')
    view.press('Open in the editor')
    edited = until(lambda: os.path.exists('edited') and
                   open('edited').read())
    same(edited, '%s/moved/shelf.c %d\n' % (here, line),
         'source: and the editor opens it there')
    view.close()
    os.rename('moved/shelf.c', 'shelf.c')


# ---- 12. Logs of all kinds -----------------------------------------------------


def test_kinds():
    text = '''bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
repeat 9
  bbrun 0 1 [0x1800]
done
'''
    for options in [], ['-b'], ['-w', '32'], ['-b', '-w', '32']:
        drive.assemble('kind.dg', text, *options)
        view = View('kind.dg')
        what = 'a log with %s' % (' '.join(options) or 'no options')
        same(view.view(), [0x1000, 0x1fff, 0, 8], what + ': its extent')
        view.click(0.5, 0.5)
        until(lambda: view.shown('Address'))
        same(view.text('Address'), '0x1800', what + ': a click')
        view.close()
    drive.assemble('empty.dg', '')
    view = View('empty.dg')
    said = until(lambda: view.says('(?i)no accesses|empty') or
                 re.search('(?i)no accesses|empty', view.state() or ''))
    ok(said, 'an empty log: it says so', view.state())
    view.close()
    with open('sqlite.dgz', 'rb') as file:
        whole = file.read()
    with open('cut.dgz', 'wb') as file:
        file.write(whole[:len(whole) * 3 // 4])
    view = View('cut.dgz')
    ok(until(lambda: view.says('cut short')),
       'an archive that is cut short: it says so')
    ok(view.view() and view.view()[3] > 100000,
       'an archive that is cut short: the rest is drawn', view.view())
    view.close()


# ---- 14. The headless twin ------------------------------------------------------


def test_twin():
    view = View('shelf.dgz', '--theme=dark', '--addresses=0x4a00000..',
                '--instructions=100k..1.9M')
    view.settled()
    xdo('mousemove', 1399, 899)
    box = view.plot().get_extents(Atspi.CoordType.SCREEN)
    real.run(os.environ['DG_VIEW'], '--render=twin.png',
             '--size=%dx%d' % (box.width, box.height), '--theme=dark',
             '--addresses=0x4a00000..', '--instructions=100k..1.9M',
             '--title=', 'shelf.dgz')
    width, height, rows = png.read('twin.png')

    view.strips(ranges=True, events=True)
    (x0, y0), (x1, y1) = view.point(0, 0), view.point(1, 1)

    def differences():
        # Texts are smoothed in different ways, so within the axes only; some
        # stand there, too.
        area = Screen().area(x0, y0, x1 - x0, y1 - y0)
        return sum(a != b for row, other in zip(area, rows[y0 - box.y:])
                   for a, b in zip(row, other[x0 - box.x:]))
    ok(until(lambda: differences() < (x1 - x0) * (y1 - y0) / 500),
       '--render draws what the window shows',
       '%d of %d pixels differ' % (differences(), (x1 - x0) * (y1 - y0)))
    view.close()


real.need_tool()
if not shutil.which('sqlite3'):
    drive.skip_all('sqlite3 is not installed')
real.record_sqlite()
real.record_shelf()
SHELF, SQLITE = real.Facts('shelf.dgz'), real.Facts('sqlite.dgz')
drive.run(test_opening, test_repaint, test_navigation, test_axes, test_hover,
          test_picture, test_clicks, test_boxes, test_filter, test_symbols,
          test_source, test_kinds, test_twin)
