# dg-heap-render.sh: pictures of the heap: sizes, kinds of files, what is drawn,
# what is refused.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# What fontconfig keeps is known by the library that it is in: to look up names
# of functions for each picture takes longer than the picture.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}symbolize=0

# ---- A program with names, and a log of it ----------------------------------

cat > prog.c << 'END'
int keep (int n)
{
  return n + 1;
}

int wrapper (int n)
{
  return n + 2;
}

int scratch (int n)
{
  return n + 3;
}

int main (void)
{
  return keep (1) + scratch (2) + wrapper (3);
}
END
${CC:-cc} -g -O0 -no-pie -o prog prog.c 2> stderr || {
  echo "1..0 # SKIP no compiler: $(head -n 1 stderr)"
  exit
}
# Where a line of the program has its code: 4 bytes behind a function's start.
site ()
{
  printf '0x%x' $((0x$(nm prog | awk -v f="$1" '$3 == f { print $1 }') + 4))
}
code=0x$(objdump -h prog | awk '$2 == ".text" { print $4 }')
size=0x$(objdump -h prog | awk '$2 == ".text" { print $3 }')

# 1000 instructions in four parts; bytes by function:
#   keep 3000 3000 3000 3000, scratch 0 5000 0 1000, wrapper 0 2000 2000 0
assemble_parts ()
{
  assemble "$1" << END
process 42 1 7 8 4096 64 16 8 "1.0" "3.19.0" "amd64" "$work/prog" "/" ["prog" "an argument"]
text_avma $code "$work/prog"
module $code $size 0 [] ""
clock 0
bbdef [$code+1] []
context 0 [$code]
malloc_block 0x10000 1000 [$(site keep) $(site main)]
malloc_block 0x11000 2000 [$(site keep) $(site main)]
repeat 250
bbrun 0 1 []
done
start_event "middle"
malloc_block 0x20000 5000 [$(site scratch) $(site main)]
heap_alloc 3 1 2 5000 0 0
malloc_block 0x30000 2000 [$(site wrapper) $(site main)]
repeat 250
bbrun 0 1 []
done
end_event "middle"
free_block 0x20000
clock 1000000
repeat 250
bbrun 0 1 []
done
free_block 0x30000
malloc_block 0x20000 1000 [$(site scratch) $(site main)]
repeat 249
bbrun 0 1 []
done
$2
END
}
assemble_parts log 'end why=0'

# ---- Kinds of files and sizes -----------------------------------------------

run dg heap --render=heap.png log
status 0
no_err
out << 'END'
heap.png: peak 10,000 bytes in 4 blocks after 250 instructions
END
title='a PNG'
python3 "$abs_srcdir/view/window/png.py" heap.png size > got
echo 1200x675 | diff - got > difference
report 'has the usual size' difference

for picture in 120x80 300x200 2400x1350; do
  run dg heap --render=sized.png --size=$picture --theme=dark log
  status 0
  python3 "$abs_srcdir/view/window/png.py" sized.png size > got
  echo $picture | diff - got > difference
  report "has $picture" difference
done

run dg heap --render=heap.SVG --title='A <title> & more' log
status 0
title='an SVG'
for text in 'A &lt;title&gt; &amp; more' 'scratch (prog.c:12)' 'keep (prog.c:2)' \
    'wrapper (prog.c:7)' 'middle' '9.8 KiB' '50 %' '4 blocks' \
    'Peak: 10,000 bytes after 250 instructions'; do
  grep -qF ">$text</text>" heap.SVG
  report "has the text $text"
done
run dg heap --render=plain.svg --title= log
status 0
! grep -q 'font-weight="bold"' plain.svg
report 'has no title if that is empty'
run dg heap --render=own.svg log
grep -qF ">$work/prog &apos;an argument&apos;</text>" own.svg ||
  grep -qF ">prog &apos;an argument&apos;</text>" own.svg ||
  grep -qF ">prog &#39;an argument&#39;</text>" own.svg
report 'has the command line as its title' stderr

run dg heap --render=heap.pdf log
status 0
title='a PDF'
[ "$(head -c 5 heap.pdf)" = '%PDF-' ] && [ "$(tail -c 6 heap.pdf)" = '%%EOF' ]
report 'is one'

# ---- What is drawn ----------------------------------------------------------

# heights FILE PEAK FRACTION...: compares with standard input, a line for each
# fraction; a pixel is worth some bytes.
heights ()
{
  local file=$1

  export PEAK=$2
  shift 2
  cat > wanted
  python3 "$abs_srcdir/cli/heap/heap_picture.py" "$file" "$@" > got 2>&1
  paste -d ' ' got wanted | awk -v slack="$((PEAK / 100))" '
    NF != 6 { exit 1 }
    { for (i = 1; i <= 3; i++)
        if ($i - $(i + 3) > slack || $(i + 3) - $i > slack) exit 1
      n++ }
    END { exit n == 0 }'
}

title='the picture'
heights heap.png 10000 0.1 0.3 0.45 0.6 0.8 0.95 << 'END'
0 3000 0
5000 3000 2000
5000 3000 2000
0 3000 2000
1000 3000 0
1000 3000 0
END
report 'has areas as high as there are bytes' got wanted
run dg heap --render=part.png --instructions=500.. --title=x log
out << 'END'
part.png: peak 5,000 bytes in 3 blocks after 500 instructions
END
heights part.png 5000 0.1 0.4 0.6 0.9 << 'END'
0 3000 2000
0 3000 2000
1000 3000 0
1000 3000 0
END
report 'of a part has its own scale and the same colours' got wanted

# ---- By what ----------------------------------------------------------------

# names BY NAME...: these are told, and nothing else.
names ()
{
  local by=$1 name

  shift
  run dg heap --render=by.svg --by="$by" log
  status 0
  for name; do
    grep -qF ">$name</text>" by.svg
    report "has $name"
  done
}
names function keep scratch wrapper
names module prog
names thread 'unknown thread' 'thread 1'
names allocator calloc 'unknown allocator'
run dg heap --render=by.svg --alloc-fn=wrapper log
grep -qF '>main (prog.c:' by.svg && ! grep -qF '>wrapper' by.svg
report 'names the caller'
run dg heap --render=by.svg --ignore-fn=scratch log
out << 'END'
by.svg: peak 5,000 bytes in 3 blocks after 250 instructions
END
run dg heap --render=by.svg --series=1 log
grep -qF '>scratch (prog.c:12)<' by.svg && grep -qF '>2 other sites<' by.svg
report 'sums up the others'
run dg heap --render=by.svg --time-unit=B log
grep -q '>Bytes allocated and freed' by.svg
report 'has an axis of bytes'
run dg heap --render=by.svg --time-unit=ms log
grep -q '>Time' by.svg && grep -qE '>[0-9.]+ ms<' by.svg
report 'has an axis of time'

# ---- Beside Massif's algorithm ----------------------------------------------

run dg heap --exact-peak --heap-admin=0 -o massif log
status 0
grep -o '^mem_heap_B=.*' massif | sort -t = -k 2 -n | tail -n 1 > got
echo mem_heap_B=10000 | diff - got > difference
report 'has the same peak' difference

# ---- The same for any number of threads -------------------------------------

for suffix in png svg; do
  dg heap -j 1 --render=one.$suffix --by=function log > /dev/null
  run dg heap -j 8 --render=eight.$suffix --by=function log
  cmp one.$suffix eight.$suffix > difference
  report 'is that of one thread' difference
done

# ---- Logs that are empty, or cut --------------------------------------------

assemble empty << 'END'
end
END
run dg heap --render=empty.svg empty
status 0
out << 'END'
empty.svg: the heap is empty there
END
grep -q '>The heap is empty here.<' empty.svg
report 'says so'
assemble_parts cut 'malloc_block 0x40000 50 [0x1]'
size=$(wc -c < cut)
head -c $((size - 5)) cut > shorter
run dg heap --render=cut.png shorter
status 1
err_has 'shorter: '
[ -s cut.png ]
report 'is drawn all the same'

# ---- What is refused --------------------------------------------------------

refused ()
{
  run dg heap "$@" log
  status 2
  no_out
  err_has 'dg heap --help'
}
refused --render=heap.gif
refused --render=heap
refused --render=a.png --size=100x50
refused --render=a.png --size=12
refused --render=a.png --size=30000x300
refused --render=a.png --theme=blue
refused --render=a.png --palette=grey
refused --render=a.png --by=stack
refused --render=a.png --by=size
refused --render=a.png --series=-1
refused --render=a.png --instructions=9..3
refused --render=a.png --instructions=x
refused --render=a.png --print
refused --render=a.png --sites
refused --render=a.png -o b
refused --size=300x200
refused --theme=dark
refused --by=function
[ ! -e a.png ]
report 'nothing was written'
run dg heap --render=a.png --instructions=5000.. log
status 1
err << 'END'
dg: log: the log ends before the selected instructions
END
run dg heap --render=none/a.png log
status 1
err_has 'none/a.png: No such file or directory'
cp log log.png
run dg heap --render=log.png log.png
status 1
cmp log log.png > difference
report 'does not write over the log' difference
mkdir folder.png
run dg heap --render=folder.png log
status 1
err_has 'folder.png'
# What was there stays until the new one is whole.
echo old > kept.png
title='a disk that is full'
(ulimit -f 1; trap '' XFSZ; dg heap --render=kept.png log) > stdout 2> stderr
[ $? = 1 ] && [ "$(cat kept.png)" = old ] && [ "$(ls kept.png*)" = kept.png ]
report 'leaves what was there' stderr
finish
