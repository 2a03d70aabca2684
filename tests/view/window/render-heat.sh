# render-heat.sh: pictures coloured by what caches do, without a display.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

if [ -z "$DG_VIEW" ]; then
  echo '1..0 # SKIP dg_view is not built (--disable-view)'
  exit 0
fi
. "${abs_srcdir:?}/cli/lib.sh"
unset DISPLAY WAYLAND_DISPLAY
# In a build with sanitizers: fontconfig keeps what it has read.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# yellow FILE X Y WIDTH HEIGHT: how many pixels there are bad.
yellow ()
{
  python3 "$abs_srcdir/view/window/png.py" "$1" count yellow "$2" "$3" "$4" \
    "$5"
}

# is WANTED COMMAND...: the command prints just that.
is ()
{
  local wanted=$1
  shift
  title=$*
  "$@" > stdout 2> stderr
  [ "$(cat stdout)" = "$wanted" ]
  report "prints '$wanted'" stdout stderr
}

# 64 pages; one row of pixels for each 16 instructions.  First one line of each
# page is read again and again: 16 times 64 reads; then all lines of the first
# 16 pages, one word each, once.
{
  echo 'process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]'
  echo 'bbdef [0x400000+4] [R8@0]'
  echo 'context 0 [0x400000]'
  echo 'repeat 32'
  for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 \
    26 27 28 29 30 31; do
    echo "bbrun 0 1 [$((0x100000 + i * 64))]"
  done
  echo done
  i=0
  while [ $i -lt 1024 ]; do
    echo "bbrun 0 1 [$((0x200000 + i * 64))]"
    i=$((i + 1))
  done
  echo end
} | assemble walks.dg
# 17 pages, 2048 instructions; 136 pixels of 512 bytes, 128 rows of 16
# instructions, from (84, 26).
view="$DG_VIEW --size=232x218 --title="
for colour in miss reuse use; do
  run $view --colour=$colour --render=$colour.png walks.dg
  status 0
  no_err
done
# The first touches miss, and no others of the first part; of the second all
# do.
is 4 yellow miss.png 84 26 8 2
is 0 yellow miss.png 84 32 8 56
[ "$(yellow miss.png 92 92 128 60)" -gt 60 ]
title='the second part misses' report 'always' /dev/null
is 0 yellow reuse.png 84 32 8 56
[ "$(yellow reuse.png 92 92 128 60)" -gt 60 ]
title='the second part uses nothing again' report 'ever' /dev/null
[ "$(yellow use.png 92 92 128 60)" -gt 60 ]
title='the second part uses an eighth' report 'of its lines' /dev/null

run $view --colour=nothing --render=no.png walks.dg
status 2
err_has 'must be kind, thread, miss, reuse or use'
run $view --colour=miss --x-axis=owners --render=no.png walks.dg
status 2
finish
