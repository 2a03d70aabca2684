# drive_bad.py: what is not a log, or a bad one: a message that says what is
# wrong and where, and never a crash.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import subprocess

import drive
from drive import View, ok, same, skip, until, xdo

DG = os.environ['DG']


def large_log(name, runs=600000):
    """Enough accesses for an index, with DG_VIEW_FEW_ACCESSES=1000."""
    drive.assemble(name, '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/p" "/" \
["prog"]
bbdef [0x1000+4] [R8@0]
bbdef [0x1010+4] [W4@0]
context 0 [0x1000]
context 1 [0x1010]
repeat %d
  bbrun 0 1 [0x1800]
  bbrun 1 1 [0x9100]
done
end
''' % (runs // 2))


def change(name, at, data):
    with open(name, 'r+b') as file:
        file.seek(at if at >= 0 else os.path.getsize(name) + at)
        file.write(data)


def dismiss(view):
    """The dialog with the message."""
    xdo('key', 'Escape')
    until(lambda: view.find(role='alert') is None)


# ---- No log at all ---------------------------------------------------------


def refused(name, pattern, what):
    view = View(name)
    said = until(lambda: view.says(pattern))
    ok(said, what + ': a dialog says so', said)
    ok(said and name in said, what + ': it names the file', said)
    dismiss(view)
    xdo('key', 'ctrl+w')
    same(view.status(), 1, what + ': the exit status is 1')
    view.close()


def test_no_log():
    open('empty.dg', 'wb').close()
    refused('empty.dg', 'empty|not a Datagrind log|ends', 'an empty file')
    os.mkdir('folder.dg')
    refused('folder.dg', 'not a regular file', 'a folder')
    os.mkfifo('pipe.dg')
    refused('pipe.dg', 'not a regular file', 'a pipe')
    refused('/dev/zero', 'not a regular file', 'a device')
    refused('missing.dg', 'No such file', 'a file that is not there')
    with open('text.dg', 'w') as file:
        file.write('This is no log.\n' * 20)
    refused('text.dg', 'not a Datagrind log', 'a text')
    drive.make_known(None)
    with open('known.dg', 'rb') as file:
        log = bytearray(file.read())
    if os.geteuid() != 0:
        os.chmod('cut.dg', 0)
        refused('cut.dg', 'Permission denied', 'an unreadable file')
        os.chmod('cut.dg', 0o600)
    else:
        skip('an unreadable file', 'root reads everything')
    at = log.index(b'DATAGRIND') + 9
    log[at] = ord('7')
    with open('version.dg', 'wb') as file:
        file.write(log)
    refused('version.dg', 'version', 'a log of another version')


# ---- A part of a log -------------------------------------------------------


def partly(name, pattern, what, last, *options):
    """What is good is shown, and what is not is reported."""
    view = View(*options, name, DG_VIEW_FEW_ACCESSES='1000')
    said = until(lambda: view.says(pattern))
    ok(said, what + ': it says so', view.says('log'))
    shown = view.view()
    ok(shown and 0 < shown[3] <= last, what + ': what is good is shown',
       shown)
    view.close()


def test_partly():
    drive.make_known(None)
    partly('cut.dg', r'cut short.*offset 0x', 'a log that is cut', 900)
    with open('known.dg', 'rb') as file:
        log = bytearray(file.read())
    middle = len(log) * 2 // 3
    log[middle:middle + 40] = b'\0' * 40
    with open('damaged.dg', 'wb') as file:
        file.write(log)
    partly('damaged.dg', r'damaged.*offset 0x', 'a log that is damaged', 900)

    large_log('large.dg', 4000000)
    subprocess.check_call([DG, 'pack', '-o', 'large.dgz', 'large.dg'])
    size = os.path.getsize('large.dgz')
    os.truncate('large.dgz', size * 3 // 4)
    partly('large.dgz', 'cut short.*offset 0x', 'an archive that is cut',
           3999999)
    subprocess.check_call([DG, 'pack', '-o', 'bad.dgz', 'large.dg'])
    change('bad.dgz', os.path.getsize('bad.dgz') // 2, b'\xff' * 64)
    partly('bad.dgz', 'damaged.*offset 0x',
           'an archive with a checksum that differs', 3999999)
    os.remove('large.dg')


# ---- Beside the log --------------------------------------------------------


def test_sidecar():
    """One that is no good is made again, or done without, silently."""
    large_log('indexed.dg')
    few = {'DG_VIEW_FEW_ACCESSES': '1000'}
    subprocess.check_call([DG, 'index', 'indexed.dg'],
                          stdout=subprocess.DEVNULL)
    good = os.path.getsize('indexed.dg.dgx')
    full = None
    for what, spoil in (
            ('good', lambda: None),
            ('damaged', lambda: change('indexed.dg.dgx', 60, b'\xff' * 40)),
            ('cut', lambda: os.truncate('indexed.dg.dgx', good // 2)),
            ('empty', lambda: os.truncate('indexed.dg.dgx', 0)),
            ('of an earlier state', lambda: os.utime('indexed.dg', (1, 1)))):
        spoil()
        view = View('indexed.dg', **few)
        shown = view.view()
        full = full or shown
        same(shown, full, 'a sidecar that is %s: the picture' % what)
        same(view.says(r'\bindex\b|cut short|damaged'), None,
             'a sidecar that is %s: no message' % what)
        ok(until(lambda: os.path.getsize('indexed.dg.dgx') >= good - 200),
           'a sidecar that is %s: a good one is there afterwards' % what,
           os.path.getsize('indexed.dg.dgx'))
        same(view.messages(), '', 'a sidecar that is %s: nothing is printed'
             % what)
        view.close()

    os.remove('indexed.dg.dgx')
    one, two = View('indexed.dg', **few), View('indexed.dg', **few)
    same(one.view(), full, 'two windows on one log: the one')
    same(two.view(), full, 'two windows on one log: the other')
    ok(until(lambda: os.path.exists('indexed.dg.dgx')),
       'two windows on one log: there is an index')
    until(lambda: not [name for name in os.listdir('.') if
                       re.match(r'indexed.dg.dgx\.', name)])
    same([name for name in os.listdir('.') if name.startswith('indexed')
          and name not in ('indexed.dg', 'indexed.dg.dgx')], [],
         'two windows on one log: and nothing else')
    one.close()
    two.close()

    # A place where it cannot be written: root may write everywhere else.
    os.remove('indexed.dg.dgx')
    os.mkdir('indexed.dg.dgx')
    view = View('indexed.dg', **few)
    same(view.view(), full, 'where it cannot be written: the picture')
    ok(not view.says(r'\bindex\b'), 'where it cannot be written: no message')
    same(view.messages(), '', 'where it cannot be written: nothing printed')
    view.close()
    os.rmdir('indexed.dg.dgx')


# ---- While it is looked at -------------------------------------------------


def test_vanishing():
    large_log('vanish.dg')
    view = View('vanish.dg')
    whole = view.view()
    os.remove('vanish.dg')
    view.drag((0.2, 0.2), (0.8, 0.6))
    ok(view.changed(whole) != whole,
       'a log that was removed is still read: the file is open')
    view.close()

    large_log('shrink.dg')
    view = View('shrink.dg')
    whole = view.view()
    os.truncate('shrink.dg', 2000)
    view.drag((0.2, 0.2), (0.8, 0.6))
    said = until(lambda: view.says('cannot be .*(truncated|ends)'))
    ok(said, 'a log that was cut meanwhile: a message', view.says('truncated'))
    ok(view.find('Load Again', 'push button', showing=True),
       'a log that was cut meanwhile: it offers to load it again')
    # Wherever else it is noticed: nothing stands in the way of this.
    xdo('key', 'F5')
    ok(until(lambda: view.says('cut short')),
       'read again, it is what it is now')
    view.close()


drive.run(test_no_log, test_partly, test_sidecar, test_vanishing)
