# drive_save.py: saving the picture, which is what --render draws, and the
# part of the log that is shown, which is a log.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import struct
import subprocess

import drive
from drive import View, ok, same, until, xdo

DG = os.environ['DG']
DG_VIEW = os.environ['DG_VIEW']


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def save_as(view, keys, title, name, replace=False, stays=False):
    """Answers the dialog; what is saved is there."""
    xdo('key', keys)
    dialog = view.wait_for(re.compile(title), 'file chooser')
    ok(dialog, 'a dialog asks where: ' + title)
    entry = view.wait_for(role='text', within=dialog)
    entry.grab_focus()
    drive.Atspi.EditableText.set_text_contents(entry, os.path.abspath(name))
    xdo('key', 'Return')
    if replace:
        view.press('Replace', 'push button')
    if not stays:
        until(lambda: not view.find(re.compile(title), 'file chooser'))


def size_of(png):
    return struct.unpack('>II', png[16:24])


def rendered(name, *options):
    subprocess.check_call([DG_VIEW, '--render=' + name, *options,
                           'known.dg'])
    return read(name)


def test_picture():
    drive.make_known(drive.build_program())
    view = View('--theme=dark', 'known.dg')
    whole = view.view()
    view.drag((0.1, 0.1), (0.9, 0.6))
    now = view.changed(whole)
    part = ['--addresses=%#x..%#x' % (now[0], now[1] + 1),
            '--instructions=%d..%d' % (now[2], now[3] + 1)]

    save_as(view, 'ctrl+s', 'Save the Picture', 'saved.png')
    ok(until(lambda: view.says('saved as .*saved.png')),
       'PNG: it says that it was saved')
    png = read('saved.png')
    size = '--size=%dx%d' % size_of(png)
    ok(png == rendered('rendered.png', size, *part),
       'PNG: it is what --render draws, to the byte', size)

    for suffix, begin in ('svg', b'<?xml'), ('pdf', b'%PDF'):
        name = 'saved.' + suffix
        save_as(view, 'ctrl+s', 'Save the Picture', name)
        ok(until(lambda: os.path.exists(name) and
                 view.says('saved as .*' + name)),
           suffix.upper() + ': it was saved')
        ok(read(name).startswith(begin), suffix.upper() + ': it is one')

    save_as(view, 'ctrl+s', 'Save the Picture', 'saved.txt')
    ok(until(lambda: view.says('must end in .png')),
       'a name that does not say what: a message')
    ok(not os.path.exists('saved.txt'), 'and no file')
    xdo('key', 'Escape')
    until(lambda: view.find(role='alert') is None)
    save_as(view, 'ctrl+s', 'Save the Picture', 'x' * 260 + '.png',
            stays=True)
    ok(until(lambda: view.says('cannot be saved|too long')),
       'what the system refuses: a message')
    view.close()


def test_part():
    drive.make_known(drive.build_program())
    view = View('known.dg')
    whole = view.view()
    view.drag((0.1, 0.1), (0.9, 0.8))
    now = view.changed(whole)
    for name in 'part.dgz', 'part.dg':
        save_as(view, 'ctrl+shift+s', 'Save the Part', name)
        ok(until(lambda: view.says('saved as .*' + name + r'\.')),
           name + ': it says that it was saved')
        same(subprocess.call([DG, 'check', name],
                             stdout=subprocess.DEVNULL), 0,
             name + ': it is a good log')
    with open('part.dgz', 'rb') as file:
        same(file.read(6), b'DGARCH', 'part.dgz is an archive')
    view.press('Open It')
    ok(view.wait_for(re.compile('part.dg$'), 'label'),
       'it can be opened at once')
    opened = view.changed(now)
    same(opened[2:], now[2:], 'it has the instructions that were shown')

    info = subprocess.check_output([DG, 'info', 'part.dg'], text=True)
    ok(re.search('^Accesses +70[0-9]$', info, re.M), 'and their accesses',
       info)

    save_as(view, 'ctrl+shift+s', 'Save the Part', 'part.dg', True)
    ok(until(lambda: view.says('This is the log itself')),
       'the log itself is not overwritten')
    view.close()


def test_part_filtered():
    drive.make_known(drive.build_program())
    view = View('--ranges=malloc', 'known.dg')
    view.view()
    save_as(view, 'ctrl+shift+s', 'Save the Part', 'heap.dg')
    until(lambda: os.path.exists('heap.dg'))
    info = subprocess.check_output([DG, 'info', 'heap.dg'], text=True)
    ok(re.search(r'500', info), 'of a filtered log, the accesses that match',
       info)
    view.close()


drive.run(test_picture, test_part, test_part_filtered)
