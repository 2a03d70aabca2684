# drive_cancel.py: whatever takes long says what it is, and ends when Cancel
# is pressed; what was shown before stays, and so does what is typed meanwhile.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import subprocess

import drive
from drive import Atspi, View, is_sensitive, ok, same, skip_all, until, \
    walk, xdo

# Makes reading files wait, as for a disk that is gone, while there is a file
# "slow": in threads whose names begin with what stands in it.  Who makes an
# index counts as one of its threads, which with one worker it is.  While
# "dg-blocks" stands in the file, threads wait that go through all blocks of
# the heap, but not the first one, which has the window.
SLOW = '''#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static __thread int makes_index, goes_through_blocks;
int
dg_index_build (void *log, const char *path, unsigned workers, void *progress,
                void *user, void *index, void *err)
{
  int (*real) (void *, const char *, unsigned, void *, void *, void *, void *)
    = dlsym (RTLD_NEXT, "dg_index_build");
  makes_index = 1;
  int code = real (log, path, workers, progress, user, index, err);
  makes_index = 0;
  return code;
}
static int
is_slow (void)
{
  char name[17] = "", slow[17] = "";
  int fd = open ("slow", O_RDONLY);
  if (fd < 0)
    return 0;
  long n = read (fd, slow, 16);
  close (fd);
  prctl (PR_GET_NAME, name);
  if (makes_index)
    strcpy (name, "dg-index");
  if (goes_through_blocks)
    strcpy (name, "dg-blocks");
  return n >= 0 && strncmp (name, slow, n) == 0;
}
unsigned long
dg_log_n_blocks (const void *log)
{
  unsigned long (*real) (const void *) = dlsym (RTLD_NEXT, "dg_log_n_blocks");
  goes_through_blocks = getpid () != (int) syscall (SYS_gettid);
  while (goes_through_blocks && is_slow ())
    usleep (20000);
  goes_through_blocks = 0;
  return real (log);
}
static ssize_t
slow (const char *name, int fd, void *buffer, size_t size, off64_t offset)
{
  ssize_t (*real) (int, void *, size_t, off64_t) = dlsym (RTLD_NEXT, name);
  while (size > 65536 && is_slow ())
    usleep (20000);
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

LOG = '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/p" "/" ["prog"]
bbdef [0x1000+4 0x1004+4] [R8@0 W8@0 R8@0 W8@0 R8@1 W8@1 R8@1 W8@1]
context 0 [0x1000]
malloc_block 0x9000 64 [0x1000]
malloc_block 0x20000 64 [0x1000]
start_event "work"
repeat 400000
  bbrun 0 2 [0x1800 0x9000 0x2800 0x9100 0x3800 0x9200 0x4800 0x9300]
done
end_event "work"
end
'''


def slowly(is_slow, threads=''):
    if is_slow:
        with open('slow.new', 'w') as file:
            file.write(threads)
        os.rename('slow.new', 'slow')
    else:
        os.unlink('slow')


def start(**environment):
    return View('large.dg', LD_PRELOAD=os.path.abspath('slow.so'),
                **environment)


def cancel(view, what):
    """Presses Cancel while the window says WHAT, which waits for the file and
    so would never end."""
    doing = '^%s(…| — )' % what
    said = until(lambda: view.says(doing))
    ok(said, '%s: it says so' % what, said)
    view.press('Cancel', 'push button')
    ok(until(lambda: view.says(doing) is None), '%s: Cancel ends it' % what,
       view.says(doing))


def test_loading():
    slowly(True)
    view = start()
    cancel(view, 'Reading the log')
    ok(view.says('Loading was cancelled'), 'loading: it says what happened')
    slowly(False)
    view.press('Load Again', 'push button')
    ok(view.view(), 'loading: it can be loaded all the same')
    view.close()


def test_filtering():
    view = start()
    before = view.view()
    slowly(True)
    view.type('Events', 'user:work')
    cancel(view, 'Filtering')
    slowly(False)
    ok(view.view() == before, 'filtering: everything is shown, as before')
    ok(not view.says('user:work'), 'filtering: the entry says so, too')
    view.close()


def test_drawing():
    view = start()
    before = view.view()
    slowly(True)
    view.drag((0.2, 0.2), (0.8, 0.6))
    cancel(view, 'Drawing')
    ok(view.says('Drawing was cancelled'), 'drawing: it says what happened')
    now = view.view()
    ok(now and now != before, 'drawing: the view is the new one', now)
    # The next frames, which need the picture.
    states = []
    for i in range(20):
        view.hover(0.3 + i / 50, 0.3 + i / 50)
        view.handled()
        states.append(view.state())
    ok(not view.says('^Drawing…') and view.says('Drawing was cancelled')
       and not [state for state in states if 'being drawn' in state],
       'drawing: it does not begin again by itself', states)
    slowly(False)
    view.press('Draw Again', 'push button')
    ok(until(lambda: not view.says('Drawing was cancelled')),
       'drawing: it can be drawn all the same')
    ok(view.view() == now, 'drawing: ... the same view')
    view.close()


def test_adding_up():
    view = start()
    view.settled()
    # It begins by itself, a moment after the picture is there.
    for _ in range(30):
        before = view.view()
        xdo('mousemove', *view.point(0.5, 0.5), 'key', 'y')
        view.changed(before)
        slowly(True)
        if drive.soon(lambda: view.says('^Counting')):
            break
        slowly(False)
    cancel(view, 'Counting')
    slowly(False)
    ok(view.view(), 'adding up: the picture stays')
    view.close()


def test_indexing():
    slowly(True, 'dg-index')
    view = start(DG_VIEW_FEW_ACCESSES='1000')
    # Until the picture and the sums are there, Cancel is about these.
    until(lambda: 'in view' in (view.text('Accesses of the call tree') or ''))
    cancel(view, 'Indexing')
    slowly(False)
    ok(view.view(), 'indexing: the picture stays')
    ok(not os.path.exists('large.dg.dgx'), 'indexing: nothing is left')
    view.close()


# ---- Results that are late --------------------------------------------------


def test_typing():
    """The result of a filter does not undo what is typed since."""
    view = start()
    view.settled()
    slowly(True)
    view.type('Events', 'user:work')
    until(lambda: view.says('^Filtering'))
    entry = view.wait_for('Ranges', 'text')
    entry.grab_focus()
    view.handled()
    Atspi.EditableText.set_text_contents(entry, 'user:nothing')
    until(lambda: Atspi.Text.get_text(entry, 0, -1) == 'user:nothing')
    slowly(False)
    until(lambda: view.says('^Filtering') is None)
    view.settled()
    same(view.conditions('Ranges'), 'user:nothing',
         'typing: what is typed while it filters stays')
    same(view.conditions('Events'), 'user:work',
         'typing: and so does what it filters by')
    entry.grab_focus()
    xdo('key', 'Return')
    ok(until(lambda: 'No accesses match the filters.' in view.settled()),
       'typing: Enter filters by it', view.state())
    same([view.chips('Events'), view.chips('Ranges')],
         [['user:work'], ['user:nothing']], 'typing: both are conditions now')
    view.close()


def test_searching():
    """What is found late does not take away what was said of a choice."""
    view = start()
    view.settled()

    def rows():
        return [node.get_name() for node in walk(view.find('Results'))
                if node.get_role_name() == 'list item']
    xdo('key', 'ctrl+f')
    entry = view.wait_for('Search', 'text', showing=True)
    until(lambda: entry.get_state_set().contains(Atspi.StateType.FOCUSED))
    slowly(True, 'dg-blocks')
    Atspi.EditableText.set_text_contents(entry, '0x20000')
    until(lambda: rows() == ['0x20000'])
    xdo('key', 'Return')
    told = until(lambda: 'nearest' in (view.text('Search status') or '') and
                 view.text('Search status'))
    ok(told, 'searching: the nearest address is told', told)
    slowly(False)
    ok(until(lambda: len(rows()) == 2), 'searching: a block is found later',
       rows())
    same(view.text('Search status'), told, 'searching: it is still told')
    view.close()


def test_menu():
    """What the menu is about is found when there is a picture."""
    view = start()
    view.strips(events=True)
    view.settled()
    slowly(True)
    view.drag((0.2, 0.2), (0.8, 0.6))
    until(lambda: view.says('^Drawing'))
    view.click(0.5, 0.5, button=3)
    told = view.wait_for('searching for an access…', 'menu item', showing=True)
    ok(told, 'menu: it waits for the picture')
    slowly(False)
    ok(until(lambda: view.find(re.compile('^0x3800, instruction'),
                               'menu item', showing=True) and
             is_sensitive(view.find('Select This Access', 'menu item'))),
       'menu: and then knows what is there')
    xdo('key', 'Escape')
    view.close()


def main():
    if 'sanitize' in os.environ.get('CFLAGS', ''):
        skip_all('sanitizers must be loaded first')
    with open('slow.c', 'w') as file:
        file.write(SLOW)
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-w', '-shared', '-fPIC', '-o', 'slow.so',
                               'slow.c', '-ldl'])
    except (OSError, subprocess.CalledProcessError):
        skip_all('no compiler')
    drive.assemble('large.dg', LOG)
    drive.run(test_loading, test_filtering, test_drawing, test_adding_up,
              test_indexing, test_typing, test_searching, test_menu)


main()
