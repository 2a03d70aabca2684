# render-compare.sh: pictures of two logs, and of one by owner, without a
# display.
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

png ()
{
  python3 "$abs_srcdir/view/window/png.py" "$@"
}

# log DATA HEAP BEFORE MORE [SIZE]: a file is mapped at DATA, a block of SIZE
# (1024) bytes is at HEAP.  For BEFORE instructions byte 0x100 of the file is read; in an event,
# the block is written from its beginning to its end, for 80 instructions, and
# byte MORE of the file for 20; then byte 0x100 is read 100 times again.
log ()
{
  cat << END
process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]
map $1 0x1000 3 3 0 "/data/table"
map $2 0x1000 3 2 0 ""
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W128@0]
bbdef [0x400020+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
context 2 [0x400020]
malloc_block $2 ${5:-1024} [0x400100]
heap_alloc 1 1 1 ${5:-1024} 0 0
repeat $3
  bbrun 0 1 [$(($1 + 0x100))]
done
start_event "work"
$(for i in 0 1 2 3 4 5 6 7; do
    echo "repeat 10
  bbrun 1 1 [$(($2 + i * 128))]
done"
  done)
repeat 20
  bbrun 2 1 [$(($1 + $4))]
done
end_event "work"
repeat 100
  bbrun 0 1 [$(($1 + 0x100))]
done
end
END
}
log 0x10000 0x20000 100 0x200 | assemble before.dg
# Everything is elsewhere, the beginning takes twice as long, and another byte
# is written.
log 0x70000 0x50000 200 0x800 | assemble after.dg

# The data areas have 768 x 200 pixels, from (84, 50) on, one each 218 pixels.
# 16 bytes a pixel: the file has 256 pixels, the block 64, the rest of its page
# and what is between blocks the others.  Two moments a pixel: 100 before the
# event, 50 in it, 50 behind it.
view="$DG_VIEW --size=928x730"
left=84
before=50
after=268
difference=486
read=$((left + 16))
block=$((left + 256))
run $view --render=two.png before.dg after.dg
status 0
no_out
no_err
is 928x730 png two.png size
for top in $before $after; do
  is 'green green dark dark green green' png two.png $read $top $read \
    $((top + 99)) $read $((top + 102)) $read $((top + 148)) $read \
    $((top + 152)) $read $((top + 199))
  is 'dark red red dark red dark' png two.png $((block + 2)) $((top + 98)) \
    $((block + 2)) $((top + 102)) $((block + 7)) $((top + 104)) \
    $((block + 8)) $((top + 102)) $((block + 9)) $((top + 107)) \
    $((block + 66)) $((top + 138))
done
is 'red dark' png two.png $((left + 32)) $((before + 145)) \
  $((left + 128)) $((before + 145))
is 'dark red' png two.png $((left + 32)) $((after + 145)) \
  $((left + 128)) $((after + 145))
# White is both, blue the first only, orange (which counts as red) the second.
is 'white white white' png two.png $read $((difference + 50)) \
  $((block + 20)) $((difference + 112)) $read $((difference + 180))
is 'blue red' png two.png $((left + 32)) $((difference + 145)) \
  $((left + 128)) $((difference + 145))
is 10 png two.png count blue $left $difference 768 200
is 10 png two.png count red $left $difference 768 200

# A block that is four times as large in one of the logs lies where the other
# one's is: what both write is white.
log 0x70000 0x50000 100 0x200 4096 | assemble larger.dg
run $view --render=larger.png before.dg larger.dg
status 0
title='lanes of blocks of different sizes are the same'
png larger.png count white $((left + 206)) $difference 60 200 > stdout
[ "$(cat stdout)" -gt 50 ]
report 'much is common' stdout

# A log and itself.
run $view --render=same.png before.dg before.dg
status 0
is 0 png same.png count blue $left $difference 768 200
is 0 png same.png count red $left $difference 768 200

# The same in the other order.
run $view --render=back.png after.dg before.dg
is 'red blue' png back.png $((left + 32)) $((difference + 145)) \
  $((left + 128)) $((difference + 145))

# A part of the time, by the first log; filters.
run $view --render=part.png --instructions=100..200 before.dg after.dg
status 0
is 'dark red' png part.png $read $((before + 2)) $block $((before + 2))
run $view --render=event.png --events=user:work before.dg after.dg
status 0
is 0 png event.png count green $left $before 768 200
run $view --render=none.png --events=user:nothing before.dg after.dg
status 0
run $view --render=bad.png --events=nonsense: before.dg after.dg
status 2

# One by owner, and blocks one over the other.
for axis in owners blocks; do
  run $view --x-axis=$axis --render=$axis.png before.dg
  status 0
  is green png $axis.png $read 60
done
for format in svg pdf; do
  run $view --render=two.$format before.dg after.dg
  status 0
done
is 1 grep -c '>Before: before.dg<' two.svg
is 1 grep -c '>only after<' two.svg

# What makes no sense, and what is not a log.
run $view --render=no.png before.dg after.dg before.dg
status 2
err_has 'give one log, or two to compare'
run $view --render=no.png --addresses=0..1 before.dg after.dg
status 2
err_has '--addresses cannot be used with two logs'
run $view --render=no.png --x-axis=nothing before.dg
status 2
err_has 'must be addresses, owners or blocks'
echo nothing > bad.dg
run $view --render=no.png before.dg bad.dg
status 1
err_has bad.dg
head -c 300 after.dg > cut.dg
run $view --render=cut.png before.dg cut.dg
status 1
err_has cut.dg
is 928x730 png cut.png size
finish
