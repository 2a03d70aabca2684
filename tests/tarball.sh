# `make dist` packs every file of the repository but those that are for it alone;
# distcheck, which builds from a tarball, is a part of `./bootstrap check-all`.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# A tarball may lie in the repository of another tree, which knows none of it.
git -C "${abs_top_srcdir:?}" ls-files > tracked 2> why && [ -s tracked ] || {
  echo "1..0 # SKIP no repository: $(head -n 1 why)"
  exit 0
}
# A name that only this test uses, in the build, as make wants it.
packed=tarball-$$
trap 'cd /; chmod -R u+w "$abs_top_builddir/$packed"
  rm -rf "$abs_top_builddir/$packed" "$work" "$kept"' EXIT
run env -u MAKEFLAGS -u MAKELEVEL make -s -C "${abs_top_builddir:?}" distdir \
  distdir=$packed
status 0
(cd "$abs_top_builddir/$packed" && find . -type f | sed 's,^\./,,' | sort) > there
grep -v -e '^debian/' -e '^\.gitignore$' tracked | sort | comm -23 - there > missing
title='make dist'
[ ! -s missing ]
report 'packs every file of the repository' missing
# What autoreconf and make write is in it, and nothing else.
sort tracked | comm -13 - there |
  grep -vE -e '(^|/)(Makefile|config\.h)\.in$' -e '^(configure|aclocal\.m4)$' \
    -e '^(build-aux|m4)/' -e '^po/.*\.(pot|gmo)$' > more
[ ! -s more ]
report 'packs nothing else' more
finish
