# drive_paired.py: which memory of two runs is the same in the window that
# compares them: what dg diff says.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import json
import os
import subprocess

import real
from drive import View, ok, run, same, until

SOURCE = 'paired.cpp'


def sites(view):
    """Of the memory, what the program allocates: name -> accesses before and
    after, as the table has them."""
    return until(lambda: {row[0]: row[1:3] for row in view.cells('Memory')
                          if SOURCE in row[0]})


def number(cell):
    return int(cell.replace(',', '') or 0)


def test_paired():
    guest = real.HERE + '/../../record/guests/' + SOURCE
    for name, flags in (('before', ()), ('after', ('-DREPAIRED',))):
        subprocess.check_call(os.environ.get('CXX', 'c++').split() +
                              ['-g', '-O1', *flags, '-o', name, guest])
        real.record(name + '.dgz', './' + name)
    rows = json.loads(real.run(real.DG, 'diff', 'heap', '--json',
                               'before.dgz', 'after.dgz'))['tables']['rows']
    unused = 'main (%s:%d)' % (SOURCE, real.line_of('HERE unused', guest))
    gone = [row['name'] for row in rows
            if row['status'] == 'gone' and SOURCE in row['name']]
    same(gone, [unused], 'dg diff: one vector is gone')
    view = View('before.dgz', 'after.dgz')
    found = sites(view)
    same([name for name, (before, after) in found.items()
          if number(after) == 0], [unused],
         'the same one in the window, and no other')
    same([name for name, (before, after) in found.items()
          if number(before) == 0], [], 'and nothing is new')
    # Each string in both; the other vector is filled less often.
    strings = ':%d' % real.line_of('HERE strings', guest)
    both = [cells for name, cells in found.items() if strings in name]
    ok(both and all(before == after for before, after in both),
       'strings are strings', found)
    view.close()


real.need_tool()
run(test_paired)
