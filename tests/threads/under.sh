# under.sh: helgrind and drd find races that are there, and none in what packs,
# analyses and draws.  Some tests of each program: they take fifty times as
# long.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the build of `make check-helgrind`, whose GLib has locks that both know.
# DG_TEST_TOOLS: only these tools.

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/threads/lib.sh"

if ! env -u VALGRIND_LIB valgrind --tool=helgrind -q true 2> /dev/null; then
  echo '1..0 # SKIP valgrind with helgrind is not installed'
  exit 0
fi
under=$abs_srcdir/threads/under
programs='unit/archive/test-archive
unit/capture/test-capture /capture/asked /capture/long /capture/no-bytes /capture/off /capture/whole/64
unit/convert/test-pack-log /pack-log/everything /pack-log/good
unit/index/test-index /index/archive /index/threads /index/workers
unit/log/test-grow /grow/everything /grow/writer
unit/symbols/test-symbols /symbols/threads'
[ -z "${DG_VIEW:-}" ] || programs+='
view/access/test-pick /pick/none
view/log/test-seek /seek/foreign
view/picture/test-raster /raster/cancel /raster/empty
view/tally/test-tally /tally/threads /tally/many-threads'

many_chunks > text
assemble log < text
"$DG" pack -o log.dgz log
for tool in ${DG_TEST_TOOLS:-helgrind drd}; do
  case $tool in
  helgrind) message='Possible data race' ;;
  drd) message='Conflicting ' ;;
  esac
  planted "$message" "$under" $tool "$abs_builddir/threads/race"
  while read -r program paths; do
    DG_TEST_PATHS=$paths run "$under" $tool "$abs_builddir/$program"
    [ "$exit_status" = 0 ]
    report "${paths:-all}" stdout stderr
  done <<< "$programs"
  # Called as dg is.
  printf '#!/bin/bash\nexec %q %q %q "$@"\n' "$under" "$tool" "$DG" > dg.$tool
  chmod +x dg.$tool
  DG=$PWD/dg.$tool run bash "$abs_srcdir/threads/analyses.sh"
  ! grep -q '^not ok' stdout && grep -q '^1\.\.' stdout
  report 'all that dg does' stdout
  [ -n "${DG_VIEW:-}" ] || continue
  # Not for the thread sanitizer, which does not see what fontconfig does.
  for options in '' --quick --colour=thread --x-axis=blocks log.dgz; do
    # shellcheck disable=SC2086
    run "$under" $tool "$DG_VIEW" --render=picture.png $options log.dgz
    status 0
  done
done
finish
