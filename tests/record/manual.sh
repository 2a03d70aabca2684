#!/bin/bash
# The manual: each command of the tutorials and of the README prints what they
# say, and the site is whole and needs no network.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
manual=$abs_top_srcdir/docs/manual
[ -n "$DG_VIEW" ] || skip_all 'no dg_view'
for program in sphinx-build mandoc python3; do
  command -v $program > found || skip_all "no $program"
done
/usr/bin/python3 -c 'import myst_parser, furo' 2> found \
  || skip_all 'Sphinx lacks myst-parser or furo'
gcc --version | head -n 1 > compiler
# Figures of other compilers differ more; words may not.
export MANUAL_TOLERANCE=0.1 INCLUDES=$T/include
grep -q ' 12\.' compiler || export MANUAL_TOLERANCE=0.5
mkdir -p include/valgrind
cp "$abs_top_srcdir/include/datagrind.h" "$VALGRIND_TREE/include/valgrind.h" \
  include/valgrind

export PYTHONPATH=$abs_top_builddir/python/package PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH=$abs_top_builddir/lib/.libs
export DATAGRIND_VENV=${DATAGRIND_NEEDS:-/nowhere}/frames
if [ ! -e "$DATAGRIND_VENV/.stamp" ] \
   || [ ! -e "$PYTHONPATH/datagrind/_native.so" ]; then
  skip 'the tutorial about many logs' 'no libraries for data frames'
  unset DATAGRIND_VENV
  export MANUAL_SKIP=cluster
fi
VALGRIND_DG=${VALGRIND_DG%% --tool=*}
export DG DG_VIEW VALGRIND_DG VALGRIND_LIB LC_ALL=C.UTF-8

# tap FILE: what another program counted, as ours.
tap ()
{
  local line
  while IFS= read -r line; do
    case $line in
    'ok '*) ok "${line#ok * - }" ;;
    'not ok '*) not_ok "${line#not ok * - }" ;;
    '#'*) echo "$line" ;;
    esac
  done < "$1"
}

# Its own test says whether the tour is true; here are its pictures, for the site
# that is kept.
mkdir tour
if [ -z "${MANUAL_SITE:-}$DG_TEST_LONG" ]; then
  :
elif DG_VIEW_TOUR=$PWD/tour bash "$abs_srcdir/view/window/window.sh" \
       "$abs_srcdir/view/window/drive_tour.py" > tour.log && [ -s tour/plot.png ]
then
  export MANUAL_TOUR=$PWD/tour
else
  skip 'the pictures of the tour' "$(sed -n 's/^1..0 # SKIP //p' tour.log)"
fi

site=${MANUAL_SITE:-$T/site}
rm -f "$site/commands.tap"
"$manual/build" "$site" > log 2>&1
built=$?
[ -s "$site/commands.tap" ] || note "$(cat log)"
tap "$site/commands.tap"
[ $built = 0 ] && ok 'the site is built, without a warning' ||
  not_ok 'the site is built, without a warning' "$(tail -n 20 log)"

"$manual/run.py" --tolerance="$MANUAL_TOLERANCE" \
  --page="$abs_top_srcdir/README.md" "$manual/tutorials/particles" > readme.tap
tap readme.tap

cat > site.py <<'PYTHON'
"""What pages refer to that is not in the site, and what they would fetch."""
import os, re, sys, urllib.parse

top = sys.argv[1]
for folder, folders, files in os.walk (top):
    for name in files:
        if not name.endswith (".html"):
            continue
        path = os.path.join (folder, name)
        with open (path) as file:
            text = file.read ()
        for kind, target in re.findall (
                r'(src|href)="([^"#?]+)[^"]*"', text):
            if re.match ("https?:|//", target):
                if kind == "src":
                    print (path, "fetches", target)
            elif not re.match ("data:|mailto:", target) and not os.path.exists (
                    os.path.join (folder, urllib.parse.unquote (target))):
                print (path, "has no", target)
        for target in re.findall (
                r'<(?:link|script)[^>]*(?:href|src)="(https?://[^"]+)"', text):
            print (path, "fetches", target)
PYTHON
wrong=$(python3 site.py "$site/html")
[ -s "$site/html/index.html" ] && [ -z "$wrong" ] &&
  ok 'all links lead to something, and nothing comes from elsewhere' ||
  not_ok 'all links lead to something, and nothing comes from elsewhere' \
    "$wrong"
grep -q 'Datagrind developers' "$site/html/index.html" &&
  ok 'the footer says who has the copyright' ||
  not_ok 'the footer says who has the copyright' \
    "$(grep -A 3 -i copyright "$site/html/index.html")"
done_testing
