# drive_strange.py: what a log names as its modules and sources may be anything
# that another user can make: the window waits for none of it, goes on to
# answer, and asks nobody over a network.  See neighbours/strange-files.sh and
# neighbours/network.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shutil
import socket
import subprocess

import drive
from drive import Atspi, View, ok, skip, until


def use(view, what):
    """Opens each panel, selects an access, asks for its source."""
    view.view()
    view.click(0.8, 0.3)
    ok(until(lambda: view.text('Memory')), what + ': an access is selected')
    tabs = [node.get_name() for node in view.find_all(role='page tab')]
    opened = []
    for tab in tabs:
        page = view.tab(tab)
        if view.settled() and page.get_state_set().contains(
                Atspi.StateType.SELECTED):
            opened.append(tab)
    view.handled()
    ok(len(tabs) > 5 and opened == tabs, what + ': each panel opens',
       'of %s only %s' % (tabs, opened))


def log_of(module, program):
    head, _, main = drive.heap_head(program)
    drive.assemble('strange.dg', head.replace(os.path.abspath('prog'), module)
                   + '''bbdef [%#x+4] [W4@0]
context 1 [%#x]
malloc_block 0x9080 512 [%#x]
heap_alloc 1 1 1 520 0 0
repeat 500
  bbrun 0 1 [0x1800]
done
repeat 500
  bbrun 1 1 [0x9100]
done
end
''' % (main, main, main))


def hollow(name):
    with open(name, 'ab') as file:
        file.truncate(1 << 42)
    return os.path.abspath(name)


def test_modules():
    program = drive.build_program()
    if program is None:
        skip('strange modules', 'no compiler')
        return
    os.mkdir('folder')
    os.mkfifo('fifo')
    socket.socket(socket.AF_UNIX).bind('socket')
    modules = [os.path.abspath(name) for name in ('folder', 'fifo', 'socket')]
    modules += ['/dev/zero', '/proc/kmsg', '/proc/self/mem']
    try:
        modules.append(hollow('hollow'))
        shutil.copy('prog', 'tail')
        modules.append(hollow('tail'))
    except OSError:
        skip('hollow modules', 'the file system has none')
    for module in modules:
        log_of(module, program)
        view = View('strange.dg')
        use(view, os.path.basename(module))
        view.close()


def test_sources():
    program = drive.build_program()
    if program is None:
        skip('strange sources', 'no compiler')
        return
    log_of(os.path.abspath('prog'), program)
    os.remove('prog.c')
    for what, make in (('a pipe', lambda: os.mkfifo('prog.c')),
                       ('a device', lambda: os.symlink('/dev/zero', 'prog.c')),
                       ('a folder', lambda: os.mkdir('prog.c'))):
        make()
        view = View('strange.dg')
        use(view, 'the source is ' + what)
        view.close()
        (os.rmdir if what == 'a folder' else os.remove)('prog.c')


def can_trace():
    try:
        return subprocess.call(['strace', '-f', '-o', 'trace', '-e',
                                'trace=%network', 'true'],
                               stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def test_network():
    """Sockets of this machine are the display and the session."""
    if not can_trace():
        skip('a network', 'no strace, or it may not be used here')
        return
    # strace is the grandchild: the window keeps the number of its process.
    with open('traced', 'w') as file:
        file.write('#!/bin/sh\nexec strace -D -f -qq -o trace '
                   '-e trace=%%network %s "$@"\n' % os.environ['DG_VIEW'])
    os.chmod('traced', 0o755)
    drive.assemble('away.dg', '''process 42 1 0 0 4096 64 0 8 "t" "v" "a" \
"http://192.0.2.1/exe" "smb://192.0.2.1/d" ["prog"]
text_avma 0x7000000 "http://192.0.2.1/lib.so"
module 0x7000000 0x1000 0 [0x12 0x34 0x56 0x78] "http://192.0.2.1/lib.so"
map 0x7000000 0x1000 5 0 0 "//192.0.2.1/share/lib.so"
code 0x9000000 0x100 0x9000000 0 "" "f" "http://192.0.2.1/a.c" [0x9000000 7]
bbdef [0x7000010+1] [R4@0]
bbdef [0x9000010+1] [W4@0]
context 0 [0x7000010]
context 1 [0x9000010 0x7000010]
malloc_block 0x9080 512 [0x9000010]
heap_alloc 1 1 1 520 0 0
repeat 500
  bbrun 0 1 [0x1800]
done
repeat 500
  bbrun 1 1 [0x9100]
done
end
''')
    whole = os.environ['DG_VIEW']
    os.environ['DG_VIEW'] = os.path.abspath('traced')
    try:
        view = View('away.dg')
    finally:
        os.environ['DG_VIEW'] = whole
    use(view, 'names that are addresses')
    view.close()
    with open('trace', errors='replace') as file:
        calls = file.read()
    ok('AF_UNIX' in calls, 'sockets are seen', calls[-2000:])
    asked = [line for line in calls.splitlines()
             if re.search('AF_INET|AF_PACKET|AF_NETLINK|resolve', line)]
    ok(not asked, 'nobody is asked over a network', '\n'.join(asked))


drive.run(test_modules, test_sources, test_network)
