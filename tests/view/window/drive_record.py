# drive_record.py: a log that is looked at while `dg record` writes it; see
# drive_follow.py for writers that are made up.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import subprocess

import real
from drive import View, ok, run, skip, until
from drive_follow import follow_text, last_instruction


PROGRAM = '''#include <stdio.h>
#include <unistd.h>
static volatile int data[1 << 16];
int
main (void)
{
  int rounds = 0;
  do
    for (int j = 0; j < 1000000; j++)
      data[(j * 17 + rounds) & 0xffff]++;
  while (++rounds < 4 || access ("enough", F_OK) != 0);
  return printf ("%d", rounds) < 0;
}
'''


def test_record():
    """The program runs until the picture was seen to grow."""
    with open('rounds.c', 'w') as file:
        file.write(PROGRAM)
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-g', '-O1', '-o', 'rounds', 'rounds.c'])
    except (OSError, subprocess.CalledProcessError):
        skip('a recording that goes on', 'no compiler')
        return
    recorder = subprocess.Popen(
        [real.DG, 'record', '-o', 'live.dgz', '--', './rounds'],
        env={**os.environ, 'DATAGRIND_VALGRIND': real.valgrind()},
        stdout=subprocess.PIPE, text=True)
    until(lambda: os.path.exists('live.dgz') and
          os.path.getsize('live.dgz') > 100000)
    view = View('live.dgz')
    first = view.view()
    ok(until(lambda: view.says('still being written')),
       'dg record: it is known to be written')
    view.press('Follow')
    ok(until(lambda: follow_text(view)), 'dg record: it is followed')
    ok(until(lambda: last_instruction(view) > first[3]),
       'dg record: the picture grows')
    with open('enough', 'w'):
        pass
    rounds = int(recorder.communicate()[0])
    ok(until(lambda: view.says('The recording has ended')),
       'dg record: it ends with the program')
    total = real.run(real.DG, 'info', 'live.dgz')
    ok(last_instruction(view) > rounds * 1000000, 'dg record: with all of it',
       '%d rounds, %s\n%s' % (rounds, view.view(), total))
    view.close()


real.need_tool()
run(test_record)
