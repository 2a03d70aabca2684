# torture.sh: builds Valgrind's own test programs and records them; to be
# sourced by torture-64.sh and torture-32.sh, which set width.
#
# The programs are those of none/tests, memcheck/tests, helgrind/tests and
# drd/tests in the tree that the tool was built in, made by Valgrind's own
# makefiles in a copy of these folders.  TORTURE=all runs all of them, otherwise
# a third of the short ones.  In that third, those of 64 bits are recorded raw
# if their number is even, by dg record if it is odd, and so on.
#
#   TORTURE_ONLY=REGEX      only programs of these names
#   TORTURE_JOBS=N          programs at once
#   TORTURE_RESULTS=FOLDER  tables of what was measured, for each width
#   TORTURE_TREE=FOLDER     keeps the built programs there, for a next time
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
# shellcheck source=../record/record.sh
. "$(dirname "$0")/../record/record.sh"
here=$record_dir/../torture
: "${width:?}"
folders="none memcheck helgrind drd"

tree=$VALGRIND_TREE
if [ -z "$tree" ] || [ ! -f "$tree/none/tests/args.c" ]; then
  skip_all "no Valgrind source with its tests (VALGRIND_TREE)"
fi
[ -f "$tree/none/tests/Makefile" ] || skip_all "$tree is not configured"
if [ "$width" = 32 ]; then
  platform=x86
else
  platform=amd64
fi
[ -x "$vg_lib/exp-datagrind-$platform-linux" ] ||
  skip_all "no tool for programs of $width bits"
echo 'int main (void) { return 0; }' > width.c
$CC -m$width width.c -o width > /dev/null 2>&1 ||
  skip_all "the compiler makes no programs of $width bits"

# ---- The programs -----------------------------------------------------------

# A copy of the folders where something is made, in $place; the rest of the
# tree by links.  Times are kept: makefiles are newer than what makes them.
copy_tree ()
{
  local entry folder
  mkdir -p "$place" || return
  for entry in "$tree"/*; do
    case " $folders tests perf " in
    *" ${entry##*/} "*) ;;
    *) ln -s "$entry" "$place/" || return ;;
    esac
  done
  for folder in tests perf; do
    cp -a "$tree/$folder" "$place/" || return
  done
  for folder in $folders; do
    mkdir "$place/$folder" || return
    for entry in "$tree/$folder"/*; do
      case ${entry##*/} in
      tests | Makefile | Makefile.[ai][mn] | nl_main.c)
        cp -a "$entry" "$place/$folder/" || return ;;
      *) ln -s "$entry" "$place/$folder/" || return ;;
      esac
    done
    cp -a "$tree/$folder/.deps" "$place/$folder/" 2> /dev/null
  done
}

# --tool=none, by the tree's own makefiles; programs may run some of the other
# width.  Then the makefiles are made those of this width, and what .vgtest files
# ask before a program runs is made.
make_tools ()
{
  make -C "$place/none" none-amd64-linux > "$T/make.none" 2>&1 || return
  [ ! -x "$vg_lib/exp-datagrind-x86-linux" ] ||
    make -C "$place/none" none-x86-linux >> "$T/make.none" 2>&1 || return
  [ "$width" != 32 ] || find "$place" -name Makefile -type f -exec perl -pi -e '
    s/-DVGA_amd64=1/-DVGA_x86=1/; s/-DVGP_amd64_linux=1/-DVGP_x86_linux=1/;
    s/-DVGPV_amd64_linux_vanilla=1/-DVGPV_x86_linux_vanilla=1/;
    s/-DVGA_SEC_x86=1//; s/-DVGP_SEC_amd64_linux=1//;
    s/^(AM_FLAG_M3264_PRI *=).*/$1 -m32/;
    s/libvex(multiarch)?-amd64-linux/libvex$1-x86-linux/g;' {} +
  make -k -C "$place/tests" check > "$T/make.tests" 2>&1
  return 0
}

# All programs; what cannot be compiled here is left out.
make_all ()
{
  local folder
  for folder in $folders; do
    make -k -j"$jobs" -C "$place/$folder/tests" check > "$T/make.$folder" 2>&1
  done
  make -k -C "$place/perf" check > "$T/make.perf" 2>&1
  return 0
}

# Only those that are named, as "FOLDER <tab> PROGRAM".
make_some ()
{
  local folder programs
  cut -f 1 "$1" | sort -u | while read -r folder; do
    programs=$(awk -F '\t' -v folder="$folder" \
      '$1 == folder { sub (/^\.\//, "", $2); print $2 }' "$1" | sort -u)
    # shellcheck disable=SC2086
    make -k -C "$place/$folder" $programs > "$T/make.some" 2>&1
  done
  return 0
}

torture ()
{
  env VALGRIND_LIB="$T/lib" LD_LIBRARY_PATH="$libraries" \
    "${PYTHON:-python3}" "$here/torture_run.py" --tree="$place" \
    --width="$width" --valgrind="$vg_launcher" --dg="$program" \
    --lists="$here/expected" --scratch="$T" --jobs="$jobs" "${which[@]}" "$@"
}

# dg itself, and not libtool's script, which would count as dg's time.
program=$DG libraries=$LD_LIBRARY_PATH
if [ -x "${DG%/*}/.libs/${DG##*/}" ]; then
  program=${DG%/*}/.libs/${DG##*/}
  libraries=${DG%/*}/../lib/.libs
fi
jobs=${TORTURE_JOBS:-1}
place=${TORTURE_TREE:-$T/tree}-$width
which=()
[ "$TORTURE" = all ] || which=(--third)
[ -z "$TORTURE_ONLY" ] || which+=(--only="$TORTURE_ONLY")
if [ -n "$TORTURE_RESULTS" ]; then
  mkdir -p "$TORTURE_RESULTS"
  which+=(--results="$TORTURE_RESULTS/torture-$width.tsv")
fi

# The processor time of all that was done so far.
tell_time () # WHAT
{
  times > "$T/times"
  note "$1: $(tail -n 1 "$T/times")"
}

# The makefiles have flags of their own.
unset CFLAGS CXXFLAGS MAKEFLAGS MFLAGS
if [ ! -d "$place" ]; then
  copy_tree || skip_all "no space for a copy of Valgrind's tests"
  make_tools ||
    { echo "Bail out! cannot make --tool=none"; tail "$T/make.none"; exit 99; }
  tell_time "--tool=none is made, user and system time"
fi
mkdir "$T/lib"
ln -s "$vg_lib"/* "$T/lib/"
ln -sf "$place"/none/none-*-linux "$T/lib/"
if [ "$TORTURE" = all ]; then
  make_all
else
  torture --show > "$T/chosen" || { echo "Bail out! no programs"; exit 99; }
  make_some "$T/chosen"
fi
tell_time "programs are made"
torture
