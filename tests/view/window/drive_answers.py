# drive_answers.py: what a click and the pointer tell: fields of variables,
# elements of tracked arrays, heap blocks with who allocated and freed them,
# and that names are missing when a file has changed.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import subprocess

import drive
from drive import View, ok, same, until, xdo

SOURCE = '''#include <stdlib.h>
struct limit { int soft, hard; };
struct node { long key; struct node *next; };
struct config {
  char name[8];
  struct limit limits[8];
  union { float f; int i; } mode;
} config = { "x" };
struct node *nodes;
void *
read_table (void)
{
  return malloc (512);
}
void
drop (void *table)
{
  free (table);
}
int
main (void)
{
  drop (read_table ());
  return config.limits[3].hard;
}
'''
BLOCK, RANGE = 0x5000000, 0x6000000


def build(flags=''):
    """The addresses of its symbols and text; None without a compiler."""
    with open('answers.c', 'w') as file:
        file.write(SOURCE)
    try:
        subprocess.check_call(os.environ.get('CC', 'cc').split() +
                              ['-g', '-O0', '-no-pie', '-Wl,--build-id',
                               '-o', 'answers', 'answers.c'] + flags.split())
        names = subprocess.check_output(['nm', 'answers'], text=True)
        sections = subprocess.check_output(['readelf', '-SW', 'answers'],
                                           text=True)
        notes = subprocess.check_output(['readelf', '-n', 'answers'],
                                        text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    found = {line.split()[2]: int(line.split()[0], 16)
             for line in names.splitlines() if len(line.split()) == 3}
    text = re.search(r' \.text +PROGBITS +(\S+) (\S+) (\S+)', sections)
    found['.text'] = int(text.group(1), 16)
    found['.size'] = int(text.group(3), 16)
    found['.id'] = ' '.join(
        '0x' + byte for byte in
        re.findall('..', re.search('Build ID: ([0-9a-f]+)', notes).group(1)))
    return found


def make_log(at):
    """Three pages; in each a thousand instructions touch one thing: a field of
    `config`, the heap block, element 12 of the range."""
    field = at['config'] + 8 + 3 * 8
    log = '''process 7 1 0 0 4096 64 0 8 "t" "v" "a" "answers" "/" ["answers"]
text_avma %(.text)#x "%(path)s"
module %(.text)#x %(.size)#x 0 [%(.id)s] ""
clock 0
bbdef [%(main)#x+4] [R4@0]
bbdef [%(drop)#x+4] [W8@0]
context 0 [%(main)#x]
context 1 [%(drop)#x %(site)#x]
malloc_block 0x5000000 512 [%(alloc)#x %(site)#x]
heap_alloc 1 1 1 520 0 0
track_range 0x6000000 256 "struct node" "nodes"
repeat 1000
  bbrun 0 1 [%(field)#x]
done
repeat 1000
  bbrun 1 1 [0x5000080]
done
free_block 0x5000000
heap_free 2 1 11 [%(drop)#x %(site)#x]
repeat 1000
  bbrun 1 1 [0x60000c8]
done
clock 3000000
end
''' % {**at, 'path': os.path.abspath('answers'), 'field': field,
       'alloc': at['read_table'] + 8, 'site': at['main'] + 8}
    drive.assemble('answers.dg', log)
    return field


def line_of(text):
    return [i for i, line in enumerate(SOURCE.splitlines(), 1)
            if text in line][0]


def place(address, page):
    """Across the plot, which has three pages."""
    return (page + (address & 0xfff) / 4096 + 0.0005) / 3


def hover(view, fx, fy, wanted):
    view.hover(fx, fy)
    told = until(lambda: view.text('Under the pointer')
                 if wanted in (view.text('Under the pointer') or '')
                 else None)
    ok(told, 'hover: ' + wanted, view.text('Under the pointer'))


def click(view, fx, fy, address):
    view.click(fx, fy)
    until(lambda: view.text('Address') == hex(address))
    same(view.text('Address'), hex(address), 'click: the address')


def test_answers():
    at = build()
    if at is None:
        drive.skip('answers', 'no compiler')
        return
    field = make_log(at)
    view = View('--editor=sh -c "echo %f %l >edited"', 'answers.dg')
    view.strips(ranges=True)
    same(view.view()[2:], [0, 2999], 'the whole log is shown')

    x = place(field, 0)
    hover(view, x, 0.15, 'limits[3].soft in config, main program')
    click(view, x, 0.15, field)
    same(view.text('Memory'), 'limits[3].soft in config, main program',
         'a variable: whose memory')
    same(view.text('Field'), 'config.limits[3].soft', 'a variable: field')
    same(view.text('Type'), 'int, member of struct limit',
         'a variable: the type')
    same(view.text('Variable'), 'config, struct config (answers.c:%d)'
         % line_of('struct config {').__add__(4), 'a variable: where it is')
    ok(not view.shown('Shared with'), 'no union there')
    ok(re.match('[0-9.]+ (µs|ms) after the start', view.text('Time') or ''),
       'the time by the clock', view.text('Time'))
    ok(re.match(r'[1-9] of [2-9] accesses at this pixel',
                view.text('Which access') or ''), 'how many there are',
       view.text('Which access'))

    before = int(view.text('Instruction'))
    first = view.text('Which access').startswith('1 ')
    names = ['Next access', 'Previous access']
    view.press(names[not first])
    until(lambda: view.text('Instruction') != str(before))
    same(int(view.text('Instruction')), before + (1 if first else -1),
         'the next access, or the one before')
    view.press(names[first])
    until(lambda: view.text('Instruction') == str(before))
    same(int(view.text('Instruction')), before, 'and back')

    hover(view, place(BLOCK + 128, 1), 0.5,
          'heap block of 512 bytes + 128, allocated by read_table '
          '(answers.c:%d)' % line_of('malloc (512)'))
    click(view, place(BLOCK + 128, 1), 0.5, BLOCK + 128)
    same(view.text('Block'), '0x5000000, 512 bytes', 'a block: its place')
    ok(re.search('^instruction 0 to 2,000 .2,000 instructions, ',
                 view.text('Lifetime') or ''), 'a block: its life',
       view.text('Lifetime'))
    ok(re.search('^1,[0-9]{3} instructions, ', view.text('Age') or ''),
       'a block: its age', view.text('Age'))
    same(view.text('Summary'),
         'write of 8 bytes at offset 128, block of 512 bytes from read_table, '
         'answers.c:%d' % line_of('malloc (512)'),
         'a block of no known type: all that is known in one sentence')
    same([row[0] for row in view.stack('Allocation stack')],
         ['read_table', 'main'], 'a block: who allocated it')
    same([row[0] for row in view.stack('Free stack')], ['drop', 'main'],
         'a block: who freed it')
    ok(not view.shown('Field'), 'a block: no field')

    element = RANGE + 12 * 16 + 8
    hover(view, place(element, 2), 0.85,
          'range nodes: [12].next (struct node)')
    click(view, place(element, 2), 0.85, element)
    same(view.text('Field'), '[12].next', 'a range: the field')
    same(view.text('Type'), 'struct node *, member of struct node',
         'a range: its type')
    same(view.text('Range'),
         'nodes (struct node) at 0x6000000, 256 bytes, offset 200',
         'a range: its place')

    table = view.find(name='Call stack', role='table')
    box = view.cell_box(table, 1)
    xdo('mousemove', box.x + 20, box.y + box.height // 2, 'click', '--repeat',
        2, '--delay', 60, 1)
    edited = until(lambda: os.path.exists('edited') and
                   open('edited').read())
    ok(edited and edited.endswith('answers.c %d\n' % line_of('drop (read')),
       'a double click on a frame opens the editor', edited)
    ok(not list(view.find_all(name=re.compile('Names are missing'),
                              showing=True)), 'no names are missing')
    view.close()


def test_section():
    """Data that are not a variable's."""
    at = build()
    section = at and re.search(
        r' \.eh_frame +PROGBITS +(\S+) \S+ (\S+)',
        subprocess.check_output(['readelf', '-SW', 'answers'], text=True))
    if not section:
        drive.skip('sections', 'no compiler')
        return
    address = int(section.group(1), 16) + 8
    drive.assemble('section.dg', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "answers" "/" ["a"]
text_avma %(.text)#x "%(path)s"
module %(.text)#x %(.size)#x 0 [%(.id)s] ""
bbdef [%(main)#x+4] [R4@0]
context 0 [%(main)#x]
repeat 1000
  bbrun 0 1 [%(address)#x]
done
end
''' % {**at, 'path': os.path.abspath('answers'), 'address': address})
    view = View('section.dg')
    view.view()
    click(view, (address & 0xfff) / 4096 + 0.0005, 0.5, address)
    same(view.text('Summary'),
         'read of 4 bytes, section .eh_frame of main program',
         'a section is no variable')
    ok(not view.shown('Variable'), 'nor called one')
    view.close()


WRAPPERS = '''#include <stdlib.h>
void *
xmalloc (size_t size)
{
  return malloc (size);
}
void *
operator new (size_t size)
{
  return xmalloc (size);
}
int *
make_table ()
{
  return (int *) xmalloc (512);
}
int *
make_numbers ()
{
  return new int[64];
}
int
main ()
{
  return make_table () == make_numbers ();
}
'''


def test_sites():
    """A block is of who wanted it, not of what gets memory for all."""
    with open('wrappers.cc', 'w') as file:
        file.write(WRAPPERS)
    try:
        subprocess.check_call(os.environ.get('CXX', 'c++').split() +
                              ['-g', '-O0', '-no-pie', '-o', 'wrappers',
                               'wrappers.cc'])
        names = subprocess.check_output(['nm', 'wrappers'], text=True)
        sections = subprocess.check_output(['readelf', '-SW', 'wrappers'],
                                           text=True)
    except (OSError, subprocess.CalledProcessError):
        drive.skip('sites', 'no compiler')
        return
    at = {line.split()[2]: int(line.split()[0], 16) + 8
          for line in names.splitlines() if len(line.split()) == 3}
    text = re.search(r' \.text +PROGBITS +(\S+) (\S+) (\S+)', sections)
    drive.assemble('wrappers.dg', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "wrappers" "/" ["w"]
text_avma %(text)#x "%(path)s"
module %(text)#x %(size)#x 0 [] ""
bbdef [%(main)#x+4] [W8@0]
context 0 [%(main)#x]
malloc_block 0x5000000 512 [%(_Z7xmallocm)#x %(_Z10make_tablev)#x %(main)#x]
malloc_block 0x5000800 256 [%(_Z7xmallocm)#x %(_Znwm)#x %(numbers)#x]
repeat 500
  bbrun 0 1 [0x5000080]
done
repeat 500
  bbrun 0 1 [0x5000880]
done
end
''' % {**at, 'text': int(text.group(1), 16), 'size': int(text.group(3), 16),
       'numbers': at['_Z12make_numbersv'],
       'path': os.path.abspath('wrappers')})
    view = View('wrappers.dg')
    view.view()
    for address, y, function in ((0x5000080, 0.25, 'make_table'),
                                 (0x5000880, 0.75, 'make_numbers')):
        click(view, (address & 0xfff) / 4096 + 0.0005, y, address)
        said = view.text('Summary')
        ok(said and re.search(r' from %s\(?\)?, wrappers.cc:\d+$' % function,
                              said), 'the site of a block: ' + function, said)
    view.tab('Heap Blocks')
    ok(until(lambda: sorted(row[0].rstrip('()') for row in
                            view.cells('Heap blocks in view')) ==
             ['make_numbers', 'make_table']),
       'and in the table', view.cells('Heap blocks in view'))
    view.close()


def test_changed():
    """Another program has taken the place of the one that was recorded."""
    if not os.path.exists('answers.dg') or build('-O2') is None:
        drive.skip('answers of a program that has changed', 'no compiler')
        return
    view = View('answers.dg')
    view.strips(ranges=True)
    view.view()
    view.click(place(BLOCK + 128, 1), 0.5)
    told = until(lambda: view.find(name=re.compile(
        '^Names are missing: 1 file'), showing=True))
    ok(told, 'a changed file: it says that names are missing')
    told.do_action(0)
    why = until(lambda: view.text('Missing names'))
    ok(why and 'answers: changed since it was recorded' in why,
       'and why, when that is opened', why)
    view.close()


drive.run(test_answers, test_section, test_sites, test_changed)
