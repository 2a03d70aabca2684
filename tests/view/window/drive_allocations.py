# drive_allocations.py: which blocks are alive at the peak, never freed, or
# temporary; and the flame graph of allocations: both say what dg heap says.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import json
import os
import re
import subprocess

import drive
from drive import Atspi, View, ok, same, until, xdo

NOTE = 'The heap at the selected time'
TABLE = 'Heap by allocation site'
PEAK = 'Peak in view: 3,030 bytes in 2 blocks at instruction 600'
LEFT = 'Never freed: 1,030 bytes in 2 blocks'
MEASURES = {'Allocated bytes': 'bytes', 'Allocated blocks': 'blocks',
            'Temporary blocks': 'temporary', 'Leaked bytes': 'leaked'}


def make_log():
    """1000 instructions.  victim allocates 16 bytes five times, and frees them
    at once; 1000 bytes and, from main, 30, which are leaked; and the next call
    frees 3000 bytes of main.  Returns whether there are names."""
    program = drive.build_program()
    text, victim, main = drive.heap_head(program)
    run = 'repeat %d\n  bbrun 0 1 [%#x]\ndone\n'
    for _ in range(5):
        text += 'malloc_block 0x9000 16 [%#x %#x]\n' % (victim, main) + \
            run % (100, 0x9000) + 'free_block 0x9000\n'
    text += run % (50, 0x9100)
    text += 'malloc_block 0xa000 30 [%#x]\n' % main + run % (50, 0xa000)
    text += 'malloc_block 0xb000 3000 [%#x]\n' % main + run % (100, 0xb100)
    text += 'free_block 0xb000\n' + run % (100, 0xa000)
    text += 'malloc_block 0xc000 1000 [%#x %#x]\n' % (victim, main)
    text += run % (200, 0xc000) + 'end\n'
    drive.assemble('alloc.dg', text)
    return program is not None


def says(view, text):
    until(lambda: view.text(NOTE) == text)
    return view.text(NOTE)


def of_dg():
    """Sites of dg heap: their names, and their numbers."""
    report = json.loads(subprocess.check_output(
        [os.environ['DG'], 'heap', '--sites', '--json', 'alloc.dg']))
    return {site['site']: site for site in report['sites']}, report


def number(text):
    return int(text.replace(',', ''))


def is_pressed(view, name):
    node = view.wait_for(name, 'toggle button', showing=True)
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def rows(view):
    """Of the table, by site: all but the picture's colour."""
    return {row[1]: row[2:] for row in view.cells(TABLE)}


def test_presets():
    make_log()
    sites, report = of_dg()
    view = View('alloc.dg')
    view.settled()
    view.tab('Heap')
    until(lambda: len(view.cells(TABLE)) == len(sites))
    got = {name: (number(row[3]), row[4]) for name, row in rows(view).items()}
    wanted = {name: (site['temporary'],
                     '%.1f %%' % (100 * site['temporary_share']))
              for name, site in sites.items()}
    same(got, wanted, 'temporary blocks of each site, as dg heap says')
    view.press('At Exit', 'toggle button')
    same(says(view, LEFT), LEFT, 'those that are left: how many')
    until(lambda: len(rows(view)) == 2)
    same({name: (number(row[1]), number(row[2]))
          for name, row in rows(view).items()},
         {name: (site['end_bytes'], site['end_blocks'])
          for name, site in sites.items() if site['end_blocks']},
         'and whose, as dg heap says')
    same((report['end_bytes'], report['end_blocks']), (1030, 2),
         'with the same totals')
    ok(is_pressed(view, 'At Exit') and not is_pressed(view, 'Peak'),
       'the button says so')
    view.press('Temporary', 'toggle button')
    wanted = 'Temporary: %d of %d blocks allocated in view (%.1f %%)' % (
        report['temporary'], report['blocks'],
        100 * report['temporary'] / report['blocks'])
    same(says(view, wanted), wanted, 'temporary ones: how many')
    until(lambda: set(rows(view)) == {name for name, site in sites.items()
                                      if site['temporary']})
    same(sorted(number(row[3]) for row in rows(view).values()),
         sorted(site['temporary'] for site in sites.values()
                if site['temporary']), 'and whose')
    ok(not is_pressed(view, 'At Exit'), 'one button at a time')
    view.press('Temporary', 'toggle button')
    ok(until(lambda: not is_pressed(view, 'Temporary') and
             (view.text(NOTE) or '').startswith('Never freed') is False and
             not (view.text(NOTE) or '').startswith('Temporary')),
       'pressed again, it is let go of', view.text(NOTE))
    # By keys.
    view.find('Heap over time').grab_focus()
    xdo('key', 'p')
    same(says(view, PEAK), PEAK, 'P: the peak')
    xdo('key', 'e')
    same(says(view, LEFT), LEFT, 'E: those never freed')
    xdo('key', 't')
    same(says(view, wanted), wanted, 'T: temporary ones')
    view.close()


def test_followed():
    """The plot goes to the moment, and frames the blocks."""
    view = View('alloc.dg')
    whole = view.view()
    view.tab('Heap')
    until(lambda: view.cells(TABLE))
    view.drag((0.5, 0.05), (0.51, 0.3))
    part = view.changed(whole)
    view.press('At Exit', 'toggle button')
    moved = view.changed(part)
    ok(moved and moved[3] >= 999, 'the plot goes to the end', moved)
    view.press('Peak', 'toggle button')
    at_peak = view.changed(moved)
    ok(at_peak and at_peak[2] <= 600 <= at_peak[3], 'to the peak', at_peak)
    view.close()


def sums(text):
    """Of folded stacks."""
    found = {}
    for line in text.splitlines():
        path, n = line.rsplit(' ', 1)
        found[path] = found.get(path, 0) + int(n)
    return found


def folded(view):
    """What the menu copies, by pasting it."""
    view.press('Actions for the selected frame', 'push button')
    view.wait_for('Copy Folded Stacks', 'menu item', showing=True).do_action(0)
    view.handled()
    text = view.pasted()
    # An entry has one line: GTK shows the others behind signs.
    return sums(re.sub('(?<=[0-9])[\n\u21b5\u2424]|(?<=[0-9]) +(?=\\S+;)',
                       '\n', text or ''))


def of_dg_folded(weight, *options):
    return sums(subprocess.check_output(
        [os.environ['DG'], 'heap', '--folded=-', '--weight=' + weight,
         *options, 'alloc.dg'], text=True))


GRAPH = 'Flame graph of allocations'
TOLD = 'Allocations of the flame graph'


def test_flame():
    has_names = make_log()
    view = View('alloc.dg')
    view.settled()
    view.tab('Flame Graph')
    view.choose('What the widths show', 'Allocated bytes')
    text = until(lambda: view.text(TOLD))
    same(text, '8 blocks allocated in view: 4,110 bytes, 6 temporary, '
         '1,030 bytes leaked', 'the line says how much')
    report = of_dg()[1]
    ok(text and '%d blocks' % report['blocks'] in text and
       '%d temporary' % report['temporary'] in text and
       '{:,} bytes leaked'.format(report['end_bytes']) in text,
       'as dg heap says', (text, report))
    for name, weight in MEASURES.items():
        view.choose('What the widths show', name)
        view.handled()
        same(folded(view), of_dg_folded(weight), name + ': as dg heap says')
    if has_names:
        view.choose('What the widths show', 'Temporary blocks')
        entry = view.wait_for('Mark functions in the flame graph')
        Atspi.EditableText.set_text_contents(entry, 'victim')
        all_of = of_dg_folded('temporary')
        share = sum(n for path, n in all_of.items() if 'victim' in path) \
            / sum(all_of.values())
        wanted = '%.1f %% found' % (100 * share)
        until(lambda: view.text('Share of marked functions') == wanted)
        same(view.text('Share of marked functions'), wanted,
             'the search counts what is shown')
        Atspi.EditableText.set_text_contents(entry, '')
        graph = view.find(GRAPH)
        graph.grab_focus()
        xdo('key', 'Home', 'Down', 'Down')
        ok(until(lambda: (graph.get_description() or '').startswith(
            'victim, ')), 'keys go through it', graph.get_description())
        xdo('key', 'Return')
        ok(until(lambda: view.find('Show all frames (Escape)').get_state_set()
                 .contains(Atspi.StateType.SENSITIVE)), 'and zoom')
        xdo('key', 'Escape')
    # A part of the plot.
    whole = view.view()
    view.drag((0.5, 0.05), (0.51, 0.4))
    part = view.changed(whole)
    wanted = of_dg_folded('bytes', '--instructions=%d..%d' % (part[2],
                                                              part[3] + 1))
    view.choose('What the widths show', 'Allocated bytes')
    until(lambda: folded(view) == wanted)
    same(folded(view), wanted, 'it follows the plot')
    view.choose('What the widths show', 'Accesses')
    ok(until(lambda: view.shown('Accesses of the flame graph')),
       'and there are accesses again')
    view.close()


TIMES = {'Cycles': 'cycles', 'Cycles of memory': 'memory-cycles',
         'L1 misses': 'l1-misses', 'L2 misses': 'l2-misses',
         'L3 misses': 'l3-misses'}


# The log's stacks are not those of its block of code, by which dg calls names
# what runs: the sums are compared.
def of_dg_timed(weight, *options):
    return sum(sums(subprocess.check_output(
        [os.environ['DG'], 'calls', '--folded=-', '--weight=' + weight,
         *options, 'alloc.dg'], text=True)).values())


def test_time():
    has_names = make_log()
    told = 'Cycles of the flame graph'
    report = json.loads(subprocess.check_output(
        [os.environ['DG'], 'time', '--json', 'alloc.dg']))
    view = View('alloc.dg')
    view.settled()
    view.tab('Flame Graph')
    view.choose('What the widths show', 'Cycles')
    wanted = ('{cycles:,} estimated cycles in view, {memory_cycles:,} of them '
              'for memory: {l1_misses:,} L1, {l2_misses:,} L2 and '
              '{l3_misses:,} L3 misses').format(**report)
    ok(until(lambda: view.text(told).startswith(wanted)),
       'the cycles are those of dg time')
    ok(view.text(told).endswith('which the model does not understand'),
       'and it says that the model does not know the code')
    for name, weight in TIMES.items():
        view.choose('What the widths show', name)
        view.handled()
        if has_names:
            same(sum(folded(view).values()), of_dg_timed(weight),
                 name + ': as dg calls says')
    whole = view.view()
    view.drag((0.5, 0.05), (0.51, 0.4))
    part = view.changed(whole)
    view.choose('What the widths show', 'Cycles')
    wanted = of_dg_timed('cycles', '--instructions=%d..%d' % (part[2],
                                                              part[3] + 1))
    if has_names:
        ok(until(lambda: sum(folded(view).values()) == wanted),
           'they follow the plot')
    view.choose('What the widths show', 'Leaked bytes')
    view.choose('What the widths show', 'Accesses')
    ok(until(lambda: view.shown('Accesses of the flame graph')),
       'and there are accesses again')
    view.close()


def test_none():
    drive.assemble('none.dg', '''bbdef [0x401000+4] [R8@0]
context 0 [0x401000]
repeat 100
  bbrun 0 1 [0x9100]
done
end
''')
    view = View('none.dg')
    view.settled()
    view.tab('Flame Graph')
    view.choose('What the widths show', 'Leaked bytes')
    ok(until(lambda: view.says('No heap blocks are allocated in view')),
       'a log without allocations says so')
    view.close()


drive.run(test_presets, test_followed, test_flame, test_time, test_none)
