# render.sh: pictures without a display.
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
png ()
{
  python3 "$abs_srcdir/view/window/png.py" "$@"
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

# Two touched pages with a gap between; 226 instructions, which is just the
# number of rows below.  Reads at 0x1100 in the first 100, writes at 0x9100 in
# the next, both at 0x9800 in the last.
assemble known.dg << 'END'
process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog" "a<b"]
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W8@0]
bbdef [0x400020+4] [R8@0 W8@0]
context 0 [0x400000]
context 1 [0x400010]
context 2 [0x400020]
repeat 100
  bbrun 0 1 [0x1100]
done
repeat 100
  bbrun 1 1 [0x9100]
done
start_event "late & last"
repeat 26
  bbrun 2 1 [0x9800 0x9800]
done
end
END
view="$DG_VIEW --size=608x316"

# The data area begins at (84, 32); with events, 132 pixels are left beside it.
# It has 392 x 226 pixels for 8192 bytes and 226 instructions.
run $view --render=known.png known.dg
status 0
no_out
no_err
is 608x316 png known.png size
x1=$((84 + 0x100 * 392 / 8192))
x2=$((84 + 0x1100 * 392 / 8192))
x3=$((84 + 0x1800 * 392 / 8192))
is 'green green dark dark' \
  png known.png $x1 32 $x1 131 $x1 132 $((x1 - 2)) 60
is 'dark red red dark' png known.png $x2 131 $x2 132 $x2 231 $x2 232
is 'dark yellow yellow' png known.png $x3 231 $x3 232 $x3 257
is 'white' png known.png $((84 + 392 / 2)) 100

# Closer.
run $view --render=zoom.png --addresses=0x9000..0xa000 \
  --instructions=200..226 known.dg
status 0
x3=$((84 + 0x800 * 392 / 4096))
is 'yellow yellow dark' png zoom.png $x3 40 $x3 250 $((84 + 30)) 100

# Filters.
run $view --render=event.png '--events=user:late & last' known.dg
status 0
no_err
is 'yellow' png event.png $x3 100

run $view --render=exact.png --exact known.dg
status 0
cmp exact.png known.png
report 'the same, as it is small' stderr

# With an index, as if it were large: the same; in a hurry: to a line and a
# row.
"$DG" index known.dg > index
export DG_VIEW_FEW_ACCESSES=0
run $view --render=indexed.png known.dg
status 0
no_err
cmp indexed.png exact.png
report 'a picture is exact, however large the log' stderr
run $view --render=known.png --quick known.dg
status 0
no_err
is 608x316 png known.png size
is 'green green red red' png known.png $x1 40 $x1 120 $x2 140 $x2 220
x4=$((84 + 0x1800 * 392 / 8192))
is 'yellow dark' png known.png $x4 250 $((x1 - 9)) 60
unset DG_VIEW_FEW_ACCESSES
rm known.dg.dgx

# The frame of a block begins in the pixel of its first byte: twelve that are
# accessed there before they are allocated, at other fractions of a pixel.
python3 - > frames.text << 'END'
print('bbdef [0x400000+4] [R1@0]\ncontext 0 [0x400000]')
blocks = [0x1010 + 331 * i for i in range(12)]
for address in blocks:
    print('repeat 9\nbbrun 0 1 [%#x]\ndone' % address)
for address in blocks:
    print('malloc_block %#x 64 [0x400000]' % address)
print('repeat 118\nbbrun 0 1 [0x1ff8]\ndone\nend')
END
assemble frames.dg < frames.text
run $view --render=frames.png --addresses=0x1000..0x2000 frames.dg
status 0
python3 - "$abs_srcdir/view/window" > out 2>&1 << 'END'
import sys
sys.path.insert(0, sys.argv[1])
import png
width, height, rows = png.read('frames.png')
x = [84 + (0x10 + 331 * i) * 512 / 4096 for i in range(12)]
for i, exact in enumerate(x):
    near = range(int(exact) - 3, int(exact) + 4)
    row = rows[32 + 9 * i + 4]
    access = [c for c in near if png.word(row[c]) == 'green']
    frame = [c for c in near if rows[32 + 170][c] != rows[32 + 100][c]]
    assert access and frame and access[0] == frame[0] == int(exact), \
        (exact, access, frame)
END
report 'frames begin in the pixel of the first byte' out

# In a hurry, of a log with very many blocks not even these are read.
assemble blocks.dg << 'END'
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
malloc_block 0x1800 64 [0x400000]
repeat 999
  bbrun 0 1 [0x1800]
  chunk
done
end
END
"$DG" index blocks.dg > index
run $view --render=all.svg blocks.dg
DG_VIEW_FEW_ACCESSES=0 run $view --render=glance.svg --quick blocks.dg
status 0
no_err
for word in heap Address; do
  grep -qF ">$word" all.svg
  report "$word in the picture" stderr
done
grep -qF '>Address' glance.svg && ! grep -qF '>heap' glance.svg
report 'areas have no names at a glance' stderr
for option in --colour=thread --instructions=0..500 --addresses=0x1000..0x2000 \
  --ranges=malloc; do
  DG_VIEW_FEW_ACCESSES=0 run $view --render=named.svg --quick $option blocks.dg
  status 0
  grep -qF '>heap' named.svg
  report 'but when more than the index is needed' stderr
done
# A damaged index is none.
size=$(stat -c %s blocks.dg.dgx)
head -c $((size / 2)) /dev/zero \
  | dd of=blocks.dg.dgx bs=1 seek=100 conv=notrunc 2> dd.err
DG_VIEW_FEW_ACCESSES=0 run $view --render=named.svg --quick blocks.dg
status 0
grep -qF '>heap' named.svg
report 'nor when that is damaged' stderr

# All kinds of logs.
for kind in '' -b '-w 32' '-b -w 32'; do
  assemble turned.dg $kind << 'END'
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
repeat 9
  bbrun 0 1 [0x1800]
done
END
  run $view --render=turned.png turned.dg
  status 0
  is 'green' png turned.png $((84 + (608 - 84 - 12) / 2)) 100
done

# Nothing to see.
for option in --events=user:nothing --ranges=malloc --addresses=0x5000..0x6000 \
  --instructions=1M..2M; do
  run $view --render=none.svg $option known.dg
  status 0
  case $option in
  --events=* | --ranges=*)
    err <<< "dg_view: ${option/=/: } matches nothing$(
      [ "${option#*:}" != nothing ] || echo "; there is only 'late & last'")" ;;
  *) no_err ;;
  esac
  title=$option
  grep -q '>No accesses match the filters\.</text>' none.svg
  report 'the picture says so' stderr
done
run $view --render=none.png --events=user:nothing known.dg
status 0
is 608x316 png none.png size
assemble empty.dg < /dev/null
run $view --render=empty.svg empty.dg
status 0
grep -q 'There are no accesses in this log' empty.svg
report 'the picture says so' stderr

# SVG has texts, and an image instead of a thousand shapes.
run $view --render=known.svg known.dg
status 0
title=known.svg
grep -q '<text[^>]*>prog a&lt;b — known\.dg</text>' known.svg
report 'title' known.svg
grep -q '<text[^>]*>late &amp; last</text>' known.svg
report 'event' known.svg
grep -q '<text[^>]*>0x9000</text>' known.svg
report 'an address behind the gap' known.svg
grep -q '<text[^>]*>200</text>' known.svg
report 'an instruction count' known.svg
for word in read write both; do
  grep -q "<text[^>]*>$word</text>" known.svg
  report "legend: $word" known.svg
done
[ "$(grep -c '<image' known.svg)" = 1 ]
report 'one image' known.svg
! grep -q '<symbol\|<glyph' known.svg
report 'no outlines of letters' known.svg
[ "$(wc -c < known.svg)" -lt 30000 ]
report 'small' known.svg
python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse (sys.argv[1])' known.svg 2> stderr
report 'well-formed' stderr

run $view --render=known.pdf --title='A title' known.dg
status 0
title=known.pdf
[ "$(head -c 5 known.pdf)" = %PDF- ]
report 'is one' stderr
grep -qa '/Font' known.pdf
report 'text is text' stderr
run $view --render=LIGHT.PNG --theme=light --title= known.dg
status 0
is 'white white' png LIGHT.PNG 3 3 3 306

# Labels that are not text, and huge ones.
{
  echo 'bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
start_event "<\x01\x1b\xef\xbf\xbf\xff\xef\xbf\xbe>"
track_range 0x1000 64 "\xff" "\xef\xb7\x90&"
bbrun 0 1 [0x1000]'
  printf 'track_range 0x1100 2048 "" "%060000d"\n' 0
  printf 'start_event "%060000d"\nbbrun 0 1 [0x1100]\nend\n' 0
} | assemble labels.dg
for kind in svg pdf png; do
  run bash -c 'ulimit -t 20; exec "$@"' sh $view --render=labels.$kind labels.dg
  status 0
  no_err
done
python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse (sys.argv[1])' labels.svg 2> stderr
title=labels.svg
report 'well-formed' stderr

# Cut short: what is good is drawn, and the exit status tells.
head -c $(($(stat -c %s known.dg) - 150)) known.dg > cut.dg
run $view --render=cut.png cut.dg
status 1
err_has 'cut.dg: offset 0x'
is 608x316 png cut.png size

# Errors.
run $view --render=x.png missing.dg
status 1
err_has 'missing.dg'
echo 'not a log' > text.dg
run $view --render=x.png text.dg
status 1
err_has 'text.dg'
[ ! -e x.png ]
report 'no picture is left' stderr
run $view --render=/nonexistent/x.png known.dg
status 1
err_has '/nonexistent/x.png'

# What is replaced hands on its permissions, and a link stays one; where the
# new one cannot be written, the old one is there.
run $view --render=kept.png known.dg
status 0
chmod 640 kept.png
ln -s kept.png link.png
run $view --render=link.png --quick known.dg
status 0
is 'symbolic link' stat -c %F link.png
is 640 stat -c %a kept.png
cp kept.png old.png
title='a picture beyond ulimit -f'
(
  trap '' XFSZ
  ulimit -f 1
  $view --render=kept.png --size=2000x2000 known.dg > stdout 2> stderr
)
exit_status=$?
status 1
err_has 'ulimit -f'
cmp old.png kept.png > difference
report 'the old one is there' difference stderr
is '' find . -name '*.tmp' -o -name '*.kept'
title='a picture as standard output, behind what that has'
echo before > appended
ln -s appended out.png
$view --render=out.png --quick known.dg >> appended 2> stderr
exit_status=$?
status 0
{ echo before; cat link.png; } | cmp - appended > difference
report 'it is appended' difference stderr
run $view --render=x.png --events=nonsense known.dg
status 2
err_has 'nonsense'
run $view --render=x.gif known.dg
status 2
err_has 'must end in .png, .svg or .pdf'
for option in --size=1x1 --size=wide --addresses=5 \
  --addresses=0..0x10000000000000000 --instructions=9..3 --theme=pink --no-such-option; do
  run "$DG_VIEW" --render=x.png $option known.dg
  status 2
  err_has "Try 'dg_view --help'"
done
run "$DG_VIEW" --render=x.png
status 2
run "$DG_VIEW" --render=x.png known.dg known.dg known.dg
status 2
run "$DG_VIEW" known.dg
status 1
err_has 'cannot open a display'

# Help, version, manual page.
run "$DG_VIEW" --version
status 0
out_has 'dg_view (Datagrind) '
run "$DG_VIEW" --help
status 0
out_has '--render=FILE'
title='dg_view.1'
page=$abs_top_srcdir/docs/man/dg_view.1
"$DG_VIEW" --help | sed -n '/^Application Options:/,/^$/p' |
  grep -oE -- '--[a-z]+' | sort -u > in_help
sed -n '/^\.SH OPTIONS/,/^\.SH CONDITIONS/p' "$page" | sed 's/\\-/-/g' |
  awk '/^\.TP/ { tag = 1; next } tag { print; tag = 0 }' |
  grep -oE -- '--[a-z]+' | grep -vx -e --help | sort -u > in_page
diff in_help in_page > difference
report 'has the options of --help' difference
for word in fn: file: dso: user: range malloc; do
  "$DG_VIEW" --help | grep -q "^  $word" && grep -q "^\.BI* $word" "$page"
  report "both explain $word" stderr
done
finish
