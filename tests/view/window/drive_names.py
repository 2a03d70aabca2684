# drive_names.py: what a log calls its functions, files, events, ranges and
# threads is shown as text: no markup, no control characters, no line ends, and
# nothing that turns the direction of writing.  See neighbours/names.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import unicodedata

import drive
from drive import View, ok, until

TURNS = set('\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067'
            '\u2068\u2069')
# One line each: what has the name of something has no end of a line.
LINES = ('table cell', 'table column header', 'page tab', 'push button')


def is_bad(text, in_line):
    return any(c in TURNS or
               (unicodedata.category(c) in ('Cc', 'Zl', 'Zp') and
                (in_line or c not in '\n\t')) for c in text)


def texts(view):
    """(role, text) of all that is on the screen."""
    for node in drive.walk(view.app):
        role = node.get_role_name()
        for text in (node.get_name(), node.get_description()):
            if text:
                yield role, text
        if role in ('label', 'text'):
            yield role, drive.text_of(node) or ''
        if role in ('table', 'tree table'):
            for row in view.cells(node, rows=40):
                for cell in row:
                    yield 'table cell', cell


def look(view, what, found):
    bad = []
    for role, text in texts(view):
        if is_bad(text, role in LINES):
            bad.append((role, text))
        found |= set(re.findall('<b>([A-Z][0-9])</b>', text))
    ok(not bad, what + ': text only', ascii(bad))


def test_names():
    with open(os.environ['abs_srcdir'] + '/neighbours/names.text') as file:
        drive.assemble('names.dg', file.read())
    view = View('names.dg')
    view.strips(ranges=True, events=True)
    view.view()
    found = set()
    look(view, 'the log is open', found)
    view.click(0.8 * 0x1000 / 0x2000, 0.2)
    until(lambda: view.text('Memory'))
    look(view, 'an access is selected', found)
    tabs = [node.get_name() for node in view.find_all(role='page tab')]
    ok(len(tabs) > 5, 'there are panels', tabs)
    for tab in tabs:
        view.tab(tab)
        view.settled()
        look(view, 'the panel ' + tab, found)
    for name in ('F1', 'T1'):
        ok(name in found, name + ' is shown with its signs', found)
    messages = view.messages()
    ok(not re.search('markup|UTF-8', messages), 'GTK was given no markup',
       messages)
    ok(not os.path.exists('pwned'), 'nothing was executed')


drive.run(test_names)
