# drive_follow.py: a log that is read again, and logs that are read while they
# are written, by a writer that is made up; drive_record.py has `dg record`.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import fcntl
import json
import os
import re
import subprocess

import drive
from drive import View, ok, same, until, xdo

DG = os.environ['DG']
PAGES = [0x400000, 0x200000, 0x600000]


def grown_log(name, runs=3000, end=True):
    """A log whose runs come in three parts of as many instructions each, each
    of which touches a page of its own; the second one lies below the
    first."""
    text = ['bbdef [0x1000+4] [R8@0]\nbbdef [0x1010+4] [W4@0]\n'
            'context 0 [0x1000]\ncontext 1 [0x1010]\n']
    for page in PAGES:
        text.append('repeat %d\n  bbrun 0 1 [%#x]\n  bbrun 1 1 [%#x]\ndone\n'
                    % (runs // 2, page + 0x100, page + 0x800))
    if end:
        text.append('end\n')
    drive.assemble(name, 'process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" '
                   '"/" ["prog"]\n' + ''.join(text))
    with open(name, 'rb') as file:
        return file.read()


class Writer:
    """A file that grows."""

    def __init__(self, name, whole):
        self.name, self.whole, self.at = name, whole, 0
        # As who records an archive: it is locked while it is written.
        self.file = open(name, 'wb')
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def write(self, fraction):
        """Up to that part of the whole."""
        end = int(len(self.whole) * fraction)
        self.file.write(self.whole[self.at:end])
        self.file.flush()
        self.at = end


def follow_text(view):
    node = view.find(name=re.compile('^Following:'), role='label',
                     showing=True)
    return node and node.get_name()


def last_instruction(view):
    return (view.view() or [0, 0, 0, 0])[3]


# ---- Reload ----------------------------------------------------------------


def test_reload():
    whole = grown_log('whole.dg')
    writer = Writer('again.dg', whole)
    writer.write(0.5)
    view = View('--events=', 'again.dg')
    before = view.view()
    ok(before[3] < 5000, 'half of the log is there', before)
    view.click(0.55, 0.3)
    selected = until(lambda: view.text('Address'))
    ok(selected, 'an access is selected')
    view.drag((0.1, 0.2), (0.9, 0.6))
    zoomed = view.changed(before)
    writer.write(1)
    xdo('key', 'F5')
    until(lambda: not view.says('cut short'))
    same(view.view(), zoomed, 'after F5, the view is the same')
    same(until(lambda: view.text('Address')), selected,
         'and so is the selection')
    xdo('key', 'Home')
    full = view.changed(zoomed)
    same(full[3], 8999, 'all of it is there')
    os.rename('again.dg', 'gone.dg')
    xdo('key', 'F5')
    ok(until(lambda: view.says('cannot be read again')),
       'a log that is gone: a message')
    same(view.view(), full, 'and the picture stays')
    os.rename('gone.dg', 'again.dg')
    view.press('Try Again')
    until(lambda: not view.says('cannot be read again'))
    ok(not view.says('cannot be read again'), 'trying again helps')
    view.close()


# ---- A writer --------------------------------------------------------------


def follow(kind, whole, name, **environment):
    """The picture grows with the file, however it is looked at."""
    writer = Writer(name, whole)
    writer.write(0.4)
    view = View('--follow', name, **environment)
    before = view.view()
    ok(until(lambda: follow_text(view)), kind + ': it says that it follows')
    ok(not view.says('cut short'), kind + ': that it is cut short is no news')
    ok(0 < before[3] < 8000, kind + ': a part of the log', before)
    writer.write(0.7)
    ok(until(lambda: last_instruction(view) > before[3]),
       kind + ': who sees everything goes on doing so',
       '%r %r' % (before, view.view()))
    now = view.view()
    same(now[2], 0, kind + ': from the beginning')

    # The newest part, as high as it was.
    view.drag((0.5, 0.6), (0.5, 1))
    newest = view.changed(now)
    writer.write(0.8)
    ok(until(lambda: last_instruction(view) > newest[3]),
       kind + ': who looks at the newest part stays at the end',
       '%r %r' % (newest, view.view()))
    moved = view.view()
    same(moved[3] - moved[2], newest[3] - newest[2],
         kind + ': and sees as much of it')

    # A part in the middle stays where it is.
    xdo('key', 'Home')
    view.changed(moved)
    everything = view.view()
    view.drag((0.2, 0.2), (0.6, 0.4))
    part = view.changed(everything)
    text = follow_text(view)
    writer.write(0.9)
    until(lambda: follow_text(view) != text)
    same(view.view(), part, kind + ': who looks elsewhere keeps that')

    writer.write(1)
    ok(until(lambda: view.says('The recording has ended')),
       kind + ': it says when the log is whole')
    ok(not follow_text(view), kind + ': and follows no longer')
    same(view.view(), part, kind + ': the view is still the same')
    xdo('key', 'Home')
    full = view.changed(part)
    same(full, [0x200000, 0x600fff, 0, 8999], kind + ': all of it is there')
    view.close()


def test_raw():
    follow('raw log', grown_log('whole.dg'), 'raw.dg')


def test_raw_with_index():
    follow('indexed', grown_log('whole.dg'), 'indexed.dg',
           DG_VIEW_FEW_ACCESSES='100')


def test_archive():
    # Chunks are of a million accesses; so this log needs some.
    grown_log('large.dg', 1400000)
    subprocess.check_call([DG, 'pack', '-o', 'large.dgz', 'large.dg'])
    os.remove('large.dg')
    with open('large.dgz', 'rb') as file:
        whole = file.read()
    os.remove('large.dgz')
    writer = Writer('archive.dgz', whole)
    writer.write(0.5)
    view = View('--follow', 'archive.dgz')
    before = view.view()
    ok(before and before[3] > 500000, 'archive: a part of it', before)
    steps = [before[3]]
    for fraction in (0.6, 0.7, 0.8, 0.9):
        writer.write(fraction)
        # As far as there are whole chunks by now.
        info = subprocess.run([DG, 'info', '--json', 'archive.dgz'],
                              stdout=subprocess.PIPE).stdout
        last = json.loads(info)['instructions'] - 1
        until(lambda: last_instruction(view) == last)
        same(last_instruction(view), last,
             'archive: its chunks in %.1f of it' % fraction)
        steps.append(last)
    writer.write(1)
    ok(until(lambda: view.says('The recording has ended')),
       'archive: it says when it is whole')
    steps.append(last_instruction(view))
    ok(steps == sorted(steps) and len(set(steps)) > 2,
       'archive: it grew chunk by chunk', steps)
    same(view.view(), [0x200000, 0x600fff, 0, 4199999],
         'archive: all of it is there')
    view.close()


# ---- What may go wrong -----------------------------------------------------


def begin(name, *options):
    whole = grown_log('whole.dg')
    writer = Writer(name, whole)
    writer.write(0.5)
    view = View(*options, name)
    view.view()
    if options:
        until(lambda: follow_text(view))
    return view, writer


def lost(view, pattern, what):
    before = view.view()[:3]
    ok(until(lambda: view.says(pattern)), what + ': a message',
       view.says('log'))
    ok(until(lambda: not follow_text(view)), what + ': it ends following')
    same(view.view()[:3], before, what + ': the picture stays')
    view.close()


def test_lost():
    view, writer = begin('cut.dg', '--follow')
    os.truncate('cut.dg', 1000)
    lost(view, 'was truncated', 'cut')

    view, writer = begin('replaced.dg', '--follow')
    with open('other', 'wb') as file:
        file.write(writer.whole)
    os.rename('other', 'replaced.dg')
    view_says = until(lambda: view.says('was replaced'))
    ok(view_says, 'replaced: a message', view_says)
    view.press('Reload')
    ok(until(lambda: last_instruction(view) == 8999),
       'replaced: its button reads the new one', view.view())
    view.close()

    view, writer = begin('removed.dg', '--follow')
    os.remove('removed.dg')
    lost(view, 'no longer there', 'removed')

    view, writer = begin('damaged.dg', '--follow')
    with open('damaged.dg', 'ab') as file:
        file.write(b'\0' * 100)
    lost(view, 'damaged.*offset', 'damaged')


def test_offer():
    """Without --follow, one that grows is noticed."""
    view, writer = begin('offer.dg')
    ok(view.says('cut short'), 'a log without end is cut short')
    writer.write(0.6)
    ok(until(lambda: view.says('still being written')),
       'one that grows is still being written')
    view.press('Follow')
    ok(until(lambda: follow_text(view)), 'the button follows it')
    before = view.view()
    writer.write(0.8)
    ok(until(lambda: last_instruction(view) > before[3]), 'it grows')
    view.type('Ranges', 'malloc')
    ok(until(lambda: 'No accesses match' in (view.state() or '')),
       'it can be filtered meanwhile', view.state())
    # The condition becomes a chip, which is taken away then.
    until(lambda: 'malloc' in view.chips('Ranges'))
    view.type('Ranges', '')
    until(lambda: 'No accesses match' not in view.state())
    writer.write(1)
    ok(until(lambda: view.says('The recording has ended')), 'and ends')
    same(last_instruction(view), 8999, 'with everything')
    view.close()


if __name__ == '__main__':
    drive.run(test_reload, test_raw, test_raw_with_index, test_archive,
              test_lost, test_offer)
