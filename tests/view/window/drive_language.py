# drive_language.py: the window in other languages: German, French, and one made
# up in which every text that can be translated stands between « and », so that all
# others are found.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import gettext
import os
import re
import shutil
import subprocess
import sys

import drive
from drive import View, ok, skip, text_of, until, walk, xdo

BUILT = os.environ['abs_top_builddir'] + '/po'
SOURCES = os.environ['abs_top_srcdir']
FOLDER = os.path.abspath('translations')

# What is asked of each locale: the C library's own gettext decides.
PROBE = '''
import ctypes, sys
libc = ctypes.CDLL (None)
libc.gettext.restype = ctypes.c_char_p
assert libc.setlocale (6, b'')
libc.bindtextdomain (b'datagrind', sys.argv[1].encode ())
libc.bind_textdomain_codeset (b'datagrind', b'UTF-8')
libc.textdomain (b'datagrind')
print (libc.gettext (b'Addresses').decode ())
'''


def install(language, catalogue):
    folder = '%s/%s/LC_MESSAGES' % (FOLDER, language)
    os.makedirs(folder)
    shutil.copy(catalogue, folder + '/datagrind.mo')


def locales():
    """Settings under which translations may work, the plainest first.
    Newer C libraries translate nothing in C.UTF-8."""
    yield {'LC_ALL': 'C.UTF-8'}
    try:
        names = subprocess.check_output(['locale', '-a'], text=True)
    except OSError:
        names = ''
    for name in names.split():
        if re.search('utf-?8', name, re.IGNORECASE):
            yield {'LC_ALL': name}
    made = os.path.abspath('locales')
    os.mkdir(made)
    # It also fails where it only warns.
    subprocess.run(['localedef', '-c', '-i', 'de_DE', '-f', 'UTF-8',
                    made + '/de_DE.UTF-8'], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    yield {'LC_ALL': 'de_DE.UTF-8', 'LOCPATH': made}


def numbers_of(name):
    """Settings with a locale's signs in numbers, such as de_DE; None: no such
    locale here."""
    made = os.path.abspath('signs')
    os.makedirs(made, exist_ok=True)
    subprocess.run(['localedef', '-c', '-i', name, '-f', 'UTF-8',
                    '%s/%s.UTF-8' % (made, name)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    for settings in ({'LOCPATH': made}, {}):
        settings['LC_ALL'] = name + '.UTF-8'
        result = subprocess.run(
            [sys.executable, '-c', 'import locale; '
             'locale.setlocale (locale.LC_ALL, ""); '
             'print (locale.localeconv ()["decimal_point"])'], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **settings})
        if result.stdout.strip() == ',':
            return settings
    return None


def find_locale():
    for settings in locales():
        result = subprocess.run(
            [sys.executable, '-c', PROBE, FOLDER], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **settings, 'LANGUAGE': 'de',
                 'PYTHONUTF8': '1'})
        if 'Adressen' in result.stdout:
            return settings
    return None


def environment(language):
    return {**SETTINGS, 'LANGUAGE': language, 'DG_VIEW_LOCALE_DIR': FOLDER}


TABLES = 'table', 'tree table'


def texts(view, with_cells=False):
    """All that can be read or heard in the window: [text, where]."""
    roles = {}
    for node in view.nodes():
        role = roles[node.path()] = node.get_role_name()
        for text in (node.get_name(), node.get_description()):
            if text:
                yield text, role
    for node in view.walk():
        role = roles.get(node.path) or node.get_role_name()
        # Of the headers of tables nothing is told above.
        if node.path not in roles:
            for text in (node.get_name(), node.get_description()):
                if text:
                    yield text, role
        if role in ('label', 'text', 'entry') and not node.get_name():
            text = text_of(node)
            if text:
                yield text, role
        if with_cells and role in TABLES and drive.is_showing(node):
            yield from cells_of(view, node)


def catalogue(language):
    with open('%s/%s/LC_MESSAGES/datagrind.mo' % (FOLDER, language),
              'rb') as file:
        return {text: other for text, other in
                gettext.GNUTranslations(file)._catalog.items()
                if isinstance(text, str) and text}


def check_language(name, language, help_has, message_has):
    """The window speaks it, and so do --help and messages."""
    drive.make_known(drive.build_program())
    view = View('known.dg', **environment(language))
    until(lambda: drawn(view))
    click(view)
    seen = [text for text, role in texts(view)]
    known = catalogue(language)
    of_ours = set(seen) & set(known.values())
    ok(len(of_ours) > 60, name + ': the window speaks it', len(of_ours))
    english = {text for text in seen
               if known.get(text, text) != text and text not in of_ours}
    ok(not english, name + ': no English beside it', '\n'.join(english))
    help = subprocess.check_output(
        [os.environ['DG_VIEW'], '--help'], text=True,
        env={**os.environ, **environment(language)})
    ok(help_has in help and 'Show' not in help, name + ': --help', help)
    result = subprocess.run(
        [os.environ['DG_VIEW'], '--theme=pink', 'known.dg'], text=True,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment(language)})
    ok(message_has in result.stderr, name + ': a message', result.stderr)
    view.close()


def test_german():
    check_language('German', 'de', 'Speicherzugriffe', 'muss')


def test_french():
    check_language('French', 'fr', 'accès à la mémoire', 'doit être')


# Not for translators: numbers, names of files, functions and programs.
DATA = re.compile(
    r'^(|\W*[0-9]\S*|0x[0-9a-f]+.*|prog.*|known\.dg|dg_view|Datagrind|'
    r'org\.datagrind\.View|victim.*|main( .*)?|fn:.*|[+↔↕×–-]|\S+:[0-9]+|'
    r'[0-9.,]+ ?[kMGT]?)$')

# GTK's own, which it translates itself, and names of keys and icons.
GTK = {'Alt', 'Close', 'Ctrl', 'End', 'Escape', 'Home', 'Maximize', 'Menu',
       'Minimize', 'Page_Down', 'Page_Up', 'Search', 'Shift', 'Shortcuts',
       'Spinner', 'Provides visual indication of progress', 'Warning',
       'Information', 'edit-clear-symbolic', 'edit-find-symbolic'}


# What these have otherwise: "1,150", "73.9 %", "1.5 KiB", "0.5 s".
ENGLISH = re.compile(
    r'(?<![\w.,])\d{1,3}(,\d{3})+(?![\w,]| (%|[kMGT]\b|[KMGT]iB|[nµm]?s\b))'
    r'|\d\.\d+ (%|[kMGT]\b|[KMGT]iB|[nµm]?s\b)')
# French sets thousands apart by a narrow space, never by a full stop.
GERMAN = re.compile(r'(?<![\w.,])\d{1,3}(\.\d{3})+(?![\w.,])')


def check_signs(name, language, locale, thousands, others):
    """Whatever writes a number: its signs are those of one language; others:
    patterns that it has not."""
    settings = numbers_of(locale)
    if settings is None:
        skip(name + ': signs of numbers', 'no locale ' + locale)
        return
    drive.assemble('many.dg', '''
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/p" "/" ["p"]
clock 0
bbdef [0x401000+4] [R8@0]
context 0 [0x401000]
malloc_block 0x9080 123456 [0x401000]
repeat 1150
  bbrun 0 1 [0x1800]
done
repeat 2300
  bbrun 0 1 [0x9100]
done
clock 34567890
end
''')
    view = View('many.dg', **settings, LANGUAGE=language,
                DG_VIEW_LOCALE_DIR=FOLDER)
    until(lambda: drawn(view))
    click(view)
    seen = {text for text, role in texts(view)}
    for page in list(view.find_all(role='page tab')):
        view.tab(page.get_name())
        drive.soon(lambda: cells(view))
        seen |= {text for text, role in texts(view, with_cells=True)}
    # Zoomed in, the minimap tells of shares.
    box = plot(view).get_extents(drive.Atspi.CoordType.SCREEN)
    x, y = box.x + box.width // 2, box.y + box.height // 2
    xdo('mousemove', x, y, 'mousedown', 1)
    for i in range(1, 5):
        xdo('mousemove', x + 15 * i, y + 15 * i)
    view.handled()
    xdo('mouseup', 1)
    until(lambda: view.find(
        description=re.compile('% (des Speichers|de la mémoire)')))
    seen |= {text for text, role in texts(view)}
    ok(any(re.search(r'\d' + thousands + r'\d{3}\b', text) for text in seen)
       and any(re.search(r'\d,\d %', text) for text in seen),
       name + ': numbers have its signs', '\n'.join(sorted(seen)))
    mixed = sorted(text for text in seen
                   if any(other.search(text) for other in others))
    ok(not mixed, name + ': and no others', '\n'.join(mixed))
    view.close()


def test_signs():
    check_signs('German', 'de', 'de_DE', r'\.', [ENGLISH])
    check_signs('French', 'fr', 'fr_FR', '\u202f', [ENGLISH, GERMAN])


def make_up():
    """A language of its own, from all the texts there are."""
    marks = 'xgettext --msgstr-prefix=« --msgstr-suffix=»'
    subprocess.check_call(
        ['make', '-C', BUILT, 'update-pot', 'XGETTEXT=' + marks,
         'POT=%s/all.pot' % os.getcwd()], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    # What ends with a newline has to in every language.
    with open('all.pot') as pot, open('marked.po', 'w') as po:
        po.write(pot.read().replace(r'\n"' '\n' '"»"', r'»\n"'))
    subprocess.check_call(['msgfmt', '-o', 'marked.mo', 'marked.po'])
    install('tlh', 'marked.mo')


def test_unmarked():
    for command in 'xgettext', 'msgfmt':
        if not shutil.which(command):
            skip('all texts can be translated', command + ' is not there')
            return
    make_up()
    view = View('known.dg', **environment('tlh'))
    until(lambda: drawn(view))
    click(view)
    seen = set(texts(view))
    # Tables are filled when they are seen.
    for page in list(view.find_all(role='page tab')):
        view.tab(page.get_name())
        drive.soon(lambda: cells(view))
        seen |= set(texts(view, with_cells=True))
    for keys, pattern in (('ctrl+comma', 'Theme'), ('F1', 'Back to the last'),
                          ('ctrl+f', 'Search status')):
        xdo('key', keys)
        drive.soon(lambda: view.find(name=re.compile(pattern)) or
                   view.find(description=re.compile(pattern)))
        seen |= set(texts(view))
        xdo('key', 'Escape')
    unmarked = sorted('%s (%s)' % (text, role) for text, role in seen
                      if '«' not in text and not DATA.match(text) and
                      text not in GTK and
                      re.search('[A-Za-z]{2}', text))
    ok(not unmarked, 'every text of the window can be translated',
       '\n'.join(unmarked))
    view.close()


def cells_of(view, table):
    return {(text, 'table cell') for row in view.cells(table, rows=9)
            for text in row if text}


def cells(view):
    return {cell for role in TABLES
            for table in view.find_all(role=role, showing=True)
            for cell in cells_of(view, table)}


def plot(view):
    """It has another name in every language."""
    return next((node for node in view.find_all(role='drawing area')
                 if re.search('0x1000', node.get_description() or '')), None)


def drawn(view):
    return plot(view) and not re.search('being drawn|wird gezeichnet|dessin en',
                                        plot(view).get_description())


def click(view):
    """On the access of the first page."""
    box = plot(view).get_extents(drive.Atspi.CoordType.SCREEN)
    sides = drive.LAYOUT['LEFT'], drive.LAYOUT['MARGIN']
    ends = drive.LAYOUT['HEADER'], drive.LAYOUT['BOTTOM']
    xdo('mousemove', box.x + sides[0] + (box.width - sum(sides)) // 4,
        box.y + ends[0] + (box.height - sum(ends)) // 4, 'click', 1)
    until(lambda: view.says('^0x1800$'))


if not os.path.exists(BUILT + '/de.gmo'):
    drive.skip_all('built without translations')
install('de', BUILT + '/de.gmo')
install('fr', BUILT + '/fr.gmo')
SETTINGS = find_locale()
if SETTINGS is None:
    drive.skip_all('no locale here in which translations work')
drive.run(test_german, test_french, test_signs, test_unmarked)
