"""pages.py: pages of the site from documents that were not made for it.

    pages.py man FOLDER PAGE...    of manual pages, by mandoc
    pages.py text FOLDER FILE...   of Markdown

Writes a page for each into FOLDER, and index.md, which lists them in this
order.  Links to pages are links; those to files that are not there are text.
"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shutil
import subprocess
import sys

TITLES = {'reference': 'Manual pages', 'formats': 'Formats and interfaces',
          'guides': 'Installing and using it'}
REFERENCE = re.compile(
    r'(?:<[bi]>)?\b(dg(?:[-_]\w+)?|exp-datagrind|libdatagrind)(?:</[bi]>)?'
    r'\(([13])\)')
LINK = re.compile(r'\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)')


def words_of(path):
    """The words of a manual page, for the search, which finds none in HTML."""
    text = subprocess.run(['mandoc', '-T', 'ascii', path], text=True,
                          check=True, stdout=subprocess.PIPE).stdout
    return sorted(set(re.findall(r'[a-z][\w-]{2,}',
                                 re.sub('.\b', '', text).lower())))


def from_man(path, names):
    html = subprocess.run(['mandoc', '-T', 'html', '-O', 'fragment', path],
                          text=True, check=True, stdout=subprocess.PIPE).stdout
    html = re.sub(r'<table class="(head|foot)">.*?</table>', '', html,
                  flags=re.DOTALL)
    html = re.sub(r'<(/?)h1', r'<\1h2', html)
    html = REFERENCE.sub(
        lambda match: '<a href="%s.%s.html">%s(%s)</a>' % (match.groups() * 2)
        if '%s.%s' % match.groups() in names else match[0], html)
    title = '%s(%s)' % tuple(os.path.basename(path).rsplit('.', 1))
    return ('---\nmyst:\n  html_meta:\n    keywords: "%s"\n---\n\n'
            '# %s\n\n```````{raw} html\n%s\n```````\n'
            % (', '.join(words_of(path)), title, html))


def from_text(path, names):
    with open(path) as file:
        return LINK.sub(lambda match: match[0] if match[2] in names
                        or match[2].endswith('.png') else match[1],
                        file.read())


def main():
    kind, folder, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    names = [os.path.basename(path) for path in paths]
    os.makedirs(folder, exist_ok=True)
    for path, name in zip(paths, names):
        page = from_man(path, names) if kind == 'man' else from_text(path,
                                                                     names)
        name += '.md' if kind == 'man' else ''
        with open(os.path.join(folder, name), 'w') as file:
            file.write(page)
        for picture in re.findall(r'\]\(([\w-]+\.png)\)', page):
            shutil.copy(os.path.join(os.path.dirname(path), picture), folder)
    with open(os.path.join(folder, 'index.md'), 'w') as file:
        file.write('# %s\n\n```{toctree}\n:maxdepth: 1\n\n' % TITLES[os.path.basename(folder)])
        for name in names:
            file.write(name + '\n' if kind == 'man'
                       else name[:-len('.md')] + '\n')
        file.write('```\n')


main()
