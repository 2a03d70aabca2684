#!/bin/bash
# Translations: every file with texts is known to them, and each catalogue is
# right.  That the window speaks them is view/drive_language.py.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
po=$abs_top_srcdir/po

title=po/POTFILES
(cd "$abs_top_srcdir" &&
  grep -rlE '(^|[^A-Za-z0-9_])((N?_|C_) ?\("|ngettext \()' chart dg_view --include='*.c'
  cd "$abs_top_srcdir" && ls data/org.*.in) | sort > wanted
diff wanted "$po/POTFILES" > difference
report 'names just the files that have texts, in order' difference

title=po/LINGUAS
(cd "$po" && ls ./*.po) | sed 's,^\./,,; s/\.po$//' |
  diff "$po/LINGUAS" - > difference
report 'names just the languages that there are' difference

for command in xgettext msgfmt msgmerge msgattrib; do
  command -v $command > /dev/null || {
    skip "the catalogues: $command is not installed"
    finish
    exit
  }
done

title='make update-pot'
if [ -f "$abs_top_builddir/po/Makefile" ]; then
  env -u MAKEFLAGS -u MAKELEVEL make -C "$abs_top_builddir/po" update-pot \
    POT="$work/datagrind.pot" XGETTEXT=xgettext > out 2>&1
  [ -s datagrind.pot ] && ! grep -i warning out
  report 'finds all texts, and none that translators could not use' out
fi

while read -r language; do
  title=po/$language.po
  msgfmt -c --check-accelerators=_ -o "$language.mo" "$po/$language.po" \
    > out 2>&1
  report 'is right, and its formats are those of the texts' out
  msgattrib --only-fuzzy --no-obsolete "$po/$language.po" > fuzzy 2>&1
  [ ! -s fuzzy ]
  report 'has nothing that is only a guess' fuzzy
  msgmerge -q -N -o merged.po "$po/$language.po" datagrind.pot > out 2>&1 &&
    msgfmt --statistics -o /dev/null merged.po > statistics 2>&1
  report 'can be brought up to date' out
  sed "s/^/# $language: /" statistics
done < "$po/LINGUAS"
finish
