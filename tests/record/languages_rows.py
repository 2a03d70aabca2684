"""languages_rows.py: the compilers and forms of debug information of
languages.py, and the reasons for what is not shown.
"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import re
import shutil
import subprocess

FEATURES = ['recorded', 'functions', 'inlined', 'lines', 'globals', 'statics',
            'thread-local', 'locals', 'heap types', 'fields', 'bundled']

INFO = "readelf --debug-dump=info prog 2>/dev/null | grep -m1 'Version:'"
SECTIONS = 'readelf -SW prog'


def first_line(command):
    try:
        result = subprocess.run(command, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=600)
    except OSError:
        return ''
    return (result.stdout.splitlines() or [''])[0]


class Row:
    """One compiler and one form.  build: what the shell does in a folder of
    its own, with $src the folder of the sources; proofs: (command, pattern),
    each prints something that shows that it is that form."""

    def __init__(self, language, program, compiler, form, tools, build,
                 proofs=()):
        self.language, self.program = language, program
        self.compiler, self.form = compiler, form
        self.name = '%s, %s, %s' % (language, compiler, form)
        self.tools, self.build, self.proofs = tools, build, proofs
        # Forms are the same in all languages, and it takes its time.
        self.is_bundled = language == 'C' or form == 'DWARF 5'

    def reason(self):
        """Why it cannot be tried here; or nothing."""
        for tool in self.tools:
            if shutil.which(tool) is None:
                return 'there is no %s' % tool
        return None

    def version(self):
        """Of the compiler, for people."""
        tool = self.tools[0]
        if os.path.basename(tool) == 'go':
            found = re.search(r'go([0-9.]+)', first_line([tool, 'version']))
        else:
            found = re.search(r'([0-9]+(\.[0-9]+)+)',
                              first_line([tool, '--version']))
        return '%s %s' % (self.compiler, found.group(1)) if found else ''

    def commands(self, sources):
        return 'set -e; src=%s; export GOCACHE=$PWD/../go-cache; %s' % (
            sources, self.build)


# ---- Compilers of C's kind ---------------------------------------------------

def compiled(tool, sources, flags, link='', after=''):
    """Each source on its own, and then all together."""
    names = sources.split()
    steps = ['%s -O2 -g %s -c $src/%s -o %s.o' % (
        tool, flags, name, name.partition('.')[0]) for name in names]
    steps.append('%s -O2 -g %s %s %s -Wl,--build-id -o prog' % (
        tool, flags, ' '.join(name.partition('.')[0] + '.o'
                              for name in names), link))
    return '; '.join(steps + ([after] if after else []))


DEBUG_FILE = ('objcopy --only-keep-debug %s prog prog.debug; '
              'objcopy --strip-debug --add-gnu-debuglink=prog.debug prog')
GCC_DWP = 'dwp -e prog -o prog.dwp; rm *.dwo'
LLVM_DWP = 'llvm-dwp *.dwo -o prog.dwp; rm *.dwo'
DWZ = ('cp prog other; dwz %s prog other')


def version_is(number):
    return (INFO, r'Version: +%d' % number)


def forms_of(language, program, compiler, tool, sources, forms, flags='',
             link=''):
    """forms: (name, flags, flags of linking, commands behind, other tools,
    proofs)."""
    return [Row(language, program, compiler, name, [tool] + tools,
                compiled(tool, sources, flags + ' ' + more,
                         link + ' ' + more_link, after), proofs)
            for name, more, more_link, after, tools, proofs in forms]


TYPE_UNITS = ("readelf --debug-dump=info prog 2>/dev/null | "
              "grep -m1 'DW_TAG_type_unit'", 'type_unit')
NO_DWO = ('ls', '(?m)^prog.dwp$')
DWO = ('ls *.dwo', r'\.dwo')
ALT = (SECTIONS, 'gnu_debugaltlink')

GCC = [
    ('DWARF 5', '-gdwarf-5', '', '', [], [version_is(5)]),
    ('DWARF 4', '-gdwarf-4', '', '', [], [version_is(4)]),
    ('DWARF 5, .dwo', '-gdwarf-5 -gsplit-dwarf', '', '', [],
     [version_is(5), DWO]),
    ('DWARF 4, .dwo', '-gdwarf-4 -gsplit-dwarf', '', '', [],
     [version_is(4), DWO]),
    ('DWARF 5, .dwp', '-gdwarf-5 -gsplit-dwarf', '', LLVM_DWP, ['llvm-dwp'],
     [version_is(5), NO_DWO]),
    ('DWARF 4, .dwp', '-gdwarf-4 -gsplit-dwarf', '', GCC_DWP, ['dwp'],
     [version_is(4), NO_DWO]),
    ('DWARF 5, type units', '-gdwarf-5 -fdebug-types-section', '', '', [],
     [TYPE_UNITS]),
    ('DWARF 5, type units, .dwo',
     '-gdwarf-5 -fdebug-types-section -gsplit-dwarf', '', '', [], [DWO]),
    ('DWARF 4, type units', '-gdwarf-4 -fdebug-types-section', '', '', [],
     [(SECTIONS, 'debug_types')]),
    ('DWARF 5, dwz', '-gdwarf-5', '', DWZ % '', ['dwz'], [version_is(5)]),
    ('DWARF 5, dwz -m', '-gdwarf-5', '', DWZ % '-m shared', ['dwz'], [ALT]),
    ('DWARF 4, dwz -m', '-gdwarf-4', '', DWZ % '-m shared', ['dwz'], [ALT]),
    ('DWARF 5, -gz=zlib', '-gdwarf-5', '-gz=zlib', '', [],
     [(SECTIONS, r'\.debug_info .* C ')]),
    ('DWARF 5, separate file, compressed', '-gdwarf-5', '',
     DEBUG_FILE % '--compress-debug-sections', [],
     [('readelf -SW prog.debug', r'\.debug_info .* C ')]),
    ('DWARF 5, -flto', '-gdwarf-5 -flto', '', '', [], [version_is(5)]),
    ('DWARF 4, -flto', '-gdwarf-4 -flto', '', '', [], [version_is(4)]),
]
GCC_CPP = [form for form in GCC if form[0] in (
    'DWARF 5', 'DWARF 4', 'DWARF 5, .dwo', 'DWARF 4, .dwo', 'DWARF 5, .dwp',
    'DWARF 5, type units', 'DWARF 5, type units, .dwo', 'DWARF 5, dwz -m',
    'DWARF 5, -flto')]
GCC_FEW = [form for form in GCC if form[0] in (
    'DWARF 5', 'DWARF 4', 'DWARF 5, .dwo', 'DWARF 5, -flto',
    'DWARF 5, dwz -m')]
CLANG = [
    ('DWARF 5', '-gdwarf-5', '', '', [], [version_is(5)]),
    ('DWARF 4', '-gdwarf-4', '', '', [], [version_is(4)]),
    ('DWARF 5, .debug_names', '-gdwarf-5 -gpubnames', '', '', [],
     [(SECTIONS, 'debug_names')]),
    ('DWARF 5, .dwo', '-gdwarf-5 -gsplit-dwarf', '', '', [],
     [version_is(5), DWO]),
    ('DWARF 5, .dwp', '-gdwarf-5 -gsplit-dwarf', '', LLVM_DWP, ['llvm-dwp'],
     [version_is(5), NO_DWO]),
    ('DWARF 5, type units', '-gdwarf-5 -fdebug-types-section', '', '', [],
     [TYPE_UNITS]),
    ('DWARF 5, -gz=zlib', '-gdwarf-5 -gz=zlib', '', '', [],
     [(SECTIONS, r'\.debug_info .* C ')]),
    ('DWARF 5, -flto=thin', '-gdwarf-5 -flto=thin', '-fuse-ld=lld', '',
     ['ld.lld'], [version_is(5)]),
    ('DWARF 5, -flto', '-gdwarf-5 -flto', '-fuse-ld=lld', '', ['ld.lld'],
     [version_is(5)]),
]

C_SOURCES = 'c-main.c c-list.c'
CPP_SOURCES = 'cpp-main.cpp cpp-shop.cpp'
FORTRAN_SOURCES = 'fortran-shop.f90 fortran-main.f90'


# LTO compiles the whole library of the language, which takes its time; rustc
# 1.63 has split debug information only as an unstable option.
def rust_rows(compiler, tool, forms=None):
    rustc = tool + ' -g -C opt-level=2 %s -o prog $src/rust.rs'
    return [Row('Rust', 'rust', compiler, name, [tool], rustc % flags, proofs)
            for name, flags, proofs in [
                ('as it is', '', []),
                ('names of the version v0', '-C symbol-mangling-version=v0',
                 [('nm prog', '_R.*4rust4push')]),
                ('.dwo', '-C split-debuginfo=unpacked', [('ls', r'\.dwo')]),
                ('.dwp', '-C split-debuginfo=packed', [NO_DWO]),
                ('-C lto=thin', '-C lto=thin', [])]
            if forms is None or name in forms]


def go_rows(compiler, tool, forms=None):
    build = 'export GO111MODULE=off GOFLAGS=; %s build %%s -o prog $src/go.go' \
        % tool
    return [Row('Go', 'go', compiler, name, [tool], build % flags, proofs)
            for name, flags, proofs in [
                ('as it is', '', [(SECTIONS, r'\.debug_info .* C ')]),
                ('not compressed', '-ldflags=-compressdwarf=false',
                 [(SECTIONS, r'\.debug_info +PROGBITS .* 0  *0  *1')])]
            if forms is None or name in forms]


ROWS = (
    forms_of('C', 'c', 'GCC', 'gcc', C_SOURCES, GCC)
    + forms_of('C', 'c', 'Clang', 'clang', C_SOURCES,
               [form for form in CLANG if 'type units' not in form[0]])
    + forms_of('C++20', 'cpp', 'GCC', 'g++', CPP_SOURCES, GCC_CPP,
               '-std=c++20')
    + forms_of('C++20', 'cpp', 'Clang', 'clang++', CPP_SOURCES,
               [form for form in CLANG if form[0] not in (
                   'DWARF 5, .debug_names', 'DWARF 5, -gz=zlib')],
               '-std=c++20')
    + forms_of('Fortran', 'fortran', 'GCC', 'gfortran', FORTRAN_SOURCES,
               GCC_FEW, '-fopenmp -ftls-model=global-dynamic')
    + rust_rows('rustc', '/usr/bin/rustc',
                ('as it is', 'names of the version v0', '-C lto=thin'))
    + rust_rows('rustc of rustup', 'rustc',
                ('as it is', 'names of the version v0', '.dwo', '.dwp'))
    + go_rows('go', '/usr/bin/go') + go_rows('go of go.dev', '/usr/local/go/bin/go', ('as it is',)))

# Each form once, by one compiler or the other; in each language one.  Go is
# not among them: it compiles its whole library first.
QUICK = [
    'C, GCC, DWARF 4, .dwo',
    'C, GCC, DWARF 5, .dwp',
    'C, GCC, DWARF 4, type units',
    'C, GCC, DWARF 5, dwz -m',
    'C, GCC, DWARF 5, separate file, compressed',
    'C, GCC, DWARF 5, -flto',
    'C, Clang, DWARF 5, .debug_names',
    'C++20, GCC, DWARF 5, type units, .dwo',
    'C++20, Clang, DWARF 5, .dwp',
    'Fortran, GCC, DWARF 5',
    'Rust, rustc, names of the version v0',
    'Rust, rustc of rustup, .dwp',
]

# Languages that no compiler of the distribution has.
WITHOUT = [
    ('Zig', 'Neither Debian 12 nor 13 has a compiler of Zig.'),
]

# (rows, features, reason): what is not shown, and why.
HOLES = [
    ('Fortran.*-flto', 'statics',
     'GCC does not write where variables of common blocks are; only the '
     'symbol of the block is shown.'),
    ('Go', 'locals',
     'Go has stacks of its own within pages that it maps; what lies there has '
     'the name of the place that mapped the pages.'),
    ('Go', 'heap types',
     'Go allocates by itself, not by malloc: the recorder sees pages, and '
     'not blocks.'),
]
