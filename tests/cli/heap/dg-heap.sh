# dg-heap.sh: dg heap as a whole, on small logs: Massif's file with each of its
# options, ms_print's text, moments, logs that lack something.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# A program that is never run: its symbols are what counts.
for name in start malloc wrap alpha beta gamma main; do
  echo ".globl $name; .type $name, @function; $name: .fill 64, 1, 0x90"
  echo ".size $name, . - $name"
done > prog.s
${CC:-cc} -m64 -nostdlib -static -no-pie -Wl,-e,main -Wl,--build-id=none \
  -Wl,-Ttext=0x401000 -o prog prog.s 2> /dev/null || {
  echo '1..0 # SKIP no assembler for x86'
  exit 0
}
nm prog | grep -E ' (start|malloc|wrap|alpha|beta|gamma|main)$' | sort > symbols
grep -q '^0*401180 T main$' symbols || {
  echo '1..0 # SKIP the linker puts programs elsewhere'
  exit 0
}

# head_of [FLAGS]: of a log of this program.
head_of ()
{
  echo "process 42 1 7 8 4096 64 ${1:-16} 30 '1' '3.19.0' 'amd64' 'p' '/' ['p']" |
    tr "'" '"'
  echo "text_avma 0x401000 \"$PWD/prog\""
  echo 'module 0x401000 0x1c0 0 [] ""'
}

# A wrapper of malloc, realloc, an event, what is never freed, and a peak.
cat > body << 'END'
stack 1 0x70000 0x80000
clock 0
bbdef [0x401180+3 0x401183+5] [R4@0]
context 0 [0x401180]
bbrun 0 2 [0x1000]
malloc_block 0x2000 600 [0x401040 0x401090 0x4010d0 0x401190 0x401000]
heap_alloc 1 1 1 600 0 0
bbrun 0 2 [0x1000]
malloc_block 0x3000 1000 [0x401040 0x401100 0x4010d0 0x401190 0x401000]
heap_alloc 2 1 1 1008 0 0
clock 2000000
bbrun 0 2 [0x1000]
malloc_block 0x4000 10 [0x401040 0x401150 0x401190 0x401000]
heap_alloc 3 1 5 24 0 0
start_event "sort"
free_block 0x2000
heap_free 4 1 11 [0x401190]
malloc_block 0x2000 300 [0x401040 0x401098 0x401190 0x401000]
heap_alloc 5 1 2 304 0 0
end_event "sort"
bbrun 0 2 [0x1000]
map 0x700000 0x3000 3 1 0 ""
clock 5000000
start_event "sort"
free_block 0x3000
heap_free 6 1 3 [0x4010d0]
malloc_block 0x3000 400 [0x401040 0x401108 0x401190 0x401000]
heap_alloc 7 1 3 400 0 0x3000
bbrun 0 2 [0x1000]
end_event "sort"
thread_exit 1
end why=0 exit_code=0
END
{ head_of; cat body; } > log.text
assemble log < log.text
dg pack log -o log.dgz

# heap ARG...: the file, on standard output, without the program's folder.
heap ()
{
  title="dg heap $(printf '%s' "$*" | tr '\n#' '??')"
  "$DG" heap -o - "$@" 2> stderr < /dev/null | sed "s, (in $PWD/prog),," > stdout
  exit_status=${PIPESTATUS[0]}
}

# rows: snapshots of the file in a line each, and trees as they are.
rows ()
{
  awk -F= '
    /^(time|mem_.*)=/ { row = row " " $2 }
    /^heap_tree=/ { print substr(row, 2) " " $2; row = "" }
    /^ *n[0-9]/' stdout > rows
  mv rows stdout
}

heap log
status 0
no_err
out << 'END'
desc: (none)
cmd: p
time_unit: i
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=0
mem_heap_extra_B=0
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=1
#-----------
time=2
mem_heap_B=600
mem_heap_extra_B=8
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=2
#-----------
time=4
mem_heap_B=1600
mem_heap_extra_B=24
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=3
#-----------
time=6
mem_heap_B=1610
mem_heap_extra_B=46
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=4
#-----------
time=6
mem_heap_B=1610
mem_heap_extra_B=46
mem_stacks_B=0
heap_tree=peak
n3: 1610 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 1000 0x401100: beta
  n1: 1000 0x4010D0: alpha
   n0: 1000 0x401190: main
 n1: 600 0x401090: wrap
  n1: 600 0x4010D0: alpha
   n0: 600 0x401190: main
 n0: 10 in 1 place, below massif's threshold (1.00%)
#-----------
snapshot=5
#-----------
time=6
mem_heap_B=1010
mem_heap_extra_B=38
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=6
#-----------
time=6
mem_heap_B=1310
mem_heap_extra_B=50
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=7
#-----------
time=8
mem_heap_B=710
mem_heap_extra_B=42
mem_stacks_B=0
heap_tree=empty
END

# ---- Massif's options -------------------------------------------------------

heap --time-unit=B --heap-admin=0 --depth=1 --threshold=0 log
rows
out << 'END'
0 0 0 0 empty
600 600 0 0 empty
1608 1600 8 0 empty
1632 1610 22 0 empty
1632 1610 22 0 peak
n3: 1610 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n0: 1000 0x401100: beta
 n0: 600 0x401090: wrap
 n0: 10 0x401150: gamma
2232 1010 22 0 empty
2536 1310 26 0 empty
3144 710 18 0 empty
END

heap --alloc-fn=wrap --threshold=0 --depth=2 log
rows
grep -A 9 peak stdout | sed -n '2,/^[0-9]/p' | sed '$d' > tree
mv tree stdout
out << 'END'
n3: 1610 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 1000 0x401100: beta
  n0: 1000 0x4010D0: alpha
 n1: 600 0x4010D0: alpha
  n0: 600 0x401190: main
 n1: 10 0x401150: gamma
  n0: 10 0x401190: main
END

heap --ignore-fn=beta --ignore-fn=gamma log
rows
out << 'END'
0 0 0 0 empty
2 600 8 0 empty
6 600 8 0 peak
n1: 600 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 600 0x401090: wrap
  n1: 600 0x4010D0: alpha
   n0: 600 0x401190: main
6 0 0 0 empty
6 300 12 0 empty
END

heap --time-unit=ms --threshold=50 log
rows
out << 'END'
0 0 0 0 empty
1 600 8 0 empty
2 1600 24 0 empty
3 1610 46 0 empty
3 1610 46 0 peak
n2: 1610 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 1000 0x401100: beta
  n1: 1000 0x4010D0: alpha
   n0: 1000 0x401190: main
 n0: 610 in 2 places, all below massif's threshold (50.00%)
3 1010 38 0 empty
3 1310 50 0 empty
5 710 42 0 empty
END

heap --detailed-freq=1 --peak-inaccuracy=0 --threshold=99 log
rows
[ "$(grep -c '^[0-9].* detailed' stdout)" = 7 ] &&
  [ "$(grep -c '^[0-9].* peak' stdout)" = 1 ]
report 'all are detailed' stdout
heap --heap=no log
rows
out << 'END'
0 0 0 0 empty
END
heap --pages-as-heap=yes log
status 0
rows
out_has ' 12288 0 0 '

# ---- Moments, and the true peak ---------------------------------------------

heap --at=event:sort --at=2 --at=event:sort#2:end --at=end --threshold=99 \
  --at 4 log
rows
grep ' detailed' stdout > detailed
mv detailed stdout
out << 'END'
2 600 8 0 detailed
4 1600 24 0 detailed
6 1610 46 0 detailed
10 710 42 0 detailed
10 710 42 0 detailed
END
run dg heap --at=event:none -o - log
status 2
no_out
err << 'END'
dg: heap: the log has no event 'none'
Try 'dg heap --help'.
END
run dg heap --print --at=soon log
status 2
err_has "'soon' is not a moment"

# At most so much, and where Massif would not have looked.
heap --exact-peak --peak-inaccuracy=100 log
rows
grep ' peak' stdout > peak
mv peak stdout
out << 'END'
6 1610 46 0 peak
END

# make_run SEED: a made-up run, and what it comes to.
make_run ()
{
  python3 "$abs_srcdir/cli/heap/heap_model.py" make $1 made model < symbols
  { head_of; cat made; } | assemble made.log
}

for seed in 1 2 3 4 5 6 7 8 9 10; do
  make_run $seed
  some=
  for options in '' '--threshold=0 --exact-peak' \
    '--time-unit=B --threshold=0 --depth=2 --detailed-freq=1' \
    '--exact-peak --heap-admin=0 --max-snapshots=12 --threshold=30' \
    '--alloc-fn=wrap --exact-peak --threshold=0 --peak-inaccuracy=200'; do
    # Two of them; with DG_TEST_LONG all.
    some=$((some + 1))
    [ -n "$DG_TEST_LONG" ] || case $(((seed + some) % 5)) in
    0 | 2) ;;
    *) continue ;;
    esac
    run dg heap -o - $options made.log
    python3 "$abs_srcdir/cli/heap/heap_model.py" check model \
      $(echo "$options" | sed 's/--//g') < stdout 2> difference
    report "run $seed is told as it was made" difference
  done
done

# ---- What ms_print prints ---------------------------------------------------

run dg heap --print --x=30 --y=6 --threshold=30 --time-unit=B log
status 0
no_err
sed "s, (in $PWD/prog),," stdout > printed
mv printed stdout
out << 'END'
--------------------------------------------------------------------------------
Command:            p
Massif arguments:   --threshold=30 --time-unit=B
ms_print arguments: --x=30 --y=6 --threshold=30 log
--------------------------------------------------------------------------------


    KB
1.617^               ######         
     |               #              
     |               #        ::::: 
     |               #     ::::     
     |     ::::::::::#     :  :    :
     |     :         #     :  :    :
   0 +----------------------------->KB
     0                         3.109

Number of snapshots: 8
 Detailed snapshots: [4 (peak)]

--------------------------------------------------------------------------------
  n        time(B)         total(B)   useful-heap(B) extra-heap(B)    stacks(B)
--------------------------------------------------------------------------------
  0              0                0                0             0            0
  1            608              608              600             8            0
  2          1,624            1,624            1,600            24            0
  3          1,656            1,656            1,610            46            0
  4          1,656            1,656            1,610            46            0
97.22% (1,610B) (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
->60.39% (1,000B) 0x401100: beta
| ->60.39% (1,000B) 0x4010D0: alpha
|   ->60.39% (1,000B) 0x401190: main
|     
->36.23% (600B) 0x401090: wrap
| ->36.23% (600B) 0x4010D0: alpha
|   ->36.23% (600B) 0x401190: main
|     
->00.60% (10B) in 1+ places, all below ms_print's threshold (30.00%)

--------------------------------------------------------------------------------
  n        time(B)         total(B)   useful-heap(B) extra-heap(B)    stacks(B)
--------------------------------------------------------------------------------
  5          2,264            1,048            1,010            38            0
  6          2,576            1,360            1,310            50            0
  7          3,184              752              710            42            0
END
# The columns above are ms_print's to say, if it is here.
options='|--time-unit=B --x=30 --y=6 --threshold=30|--threshold=0
|--threshold=50 --x=4 --y=4|--x=100 --y=37'
if command -v ms_print > /dev/null; then
  for log in log made.log; do
    printf '%s\n' "$options" | tr -d '\n' | tr '|' '\n' > choices
    echo >> choices
    while read -r choice; do
      # The graph is not part of the file.
      run dg heap $(printf '%s\n' $choice | grep -v -e --x= -e --y=) \
        -o massif $log
      run dg heap --print $choice $log
      ms_print $(printf '%s\n' $choice | grep -e --x= -e --y= -e --threshold=) \
        massif 2> /dev/null | grep -v '^ms_print arguments:' > theirs
      grep -v '^ms_print arguments:' stdout | diff theirs - > difference
      report 'as ms_print has it' difference
    done < choices
  done
else
  skip 'no ms_print'
fi

# ---- Files ------------------------------------------------------------------

run dg heap -o massif.out.%p log
status 0
no_err
out << 'END'
massif.out.42: 8 snapshots, peak 1,656 bytes after 6 instructions
END
run dg heap --output=x.%p.%% log
out_has 'x.42.%: 8 snapshots'
cmp massif.out.42 x.42.%
report 'the same file'
run dg heap --at=end log
status 2
err_has 'heap: --at needs --output or --print'

# ---- Without options ---------------------------------------------------------

ls > before
run dg heap log
status 0
err << END
dg: warning: $PWD/prog: no debug information, so lines, types and local \
variables are missing.  Compile it with -g, or install its debug package
END
ls | diff before - > difference
report 'no file is written' difference
out << 'END'
Log        log
Command    p

  1.56 KiB |    #:
           |    #:
           |    #:::
           |    #:::
           |    #:::
           |    #:::
     800 B |    #:::
           |  ::#::::::
           |  ::#::::::
           |  ::#::::::
           |  ::#::::::
           |  ::#::::::
         0 +-----------
            0 10 instructions

Peak       1.56 KiB in 2 blocks, after 4 instructions
End        710 B in 3 blocks, after 10 instructions

In use at the peak
  Share       Bytes     Blocks  Allocated by
 62.5 %     1,000 B          1  beta (prog)
 37.5 %       600 B          1  wrap (prog)

More: dg heap --sites, how blocks are used; --render=heap.svg, a picture;
--print or -o massif.out, as Massif shows it.
END
assemble none << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
end
END
run dg heap none
status 0
out_has 'Nothing was allocated.'
rm none
run dg heap -o none/x log
status 1
err_has 'none/x: No such file or directory'
run dg heap -o log log
status 1
err_has 'input and output are the same file'
run dg heap -o /dev/full log
status 1
err_has 'No space left on device'
run dg heap --print -o text.%p log
status 0
no_out
dg heap --print log | cmp - text.42
report 'the text is in the file'
ls | grep -q tmp
[ $? = 1 ]
report 'nothing half done is left'

# ---- Wrong values -----------------------------------------------------------

wrong ()
{
  run dg heap --print "$@" log
  status 2
  no_out
}
wrong --heap=maybe
err << 'END'
dg: heap: --heap must be yes or no
Try 'dg heap --help'.
END
wrong --stacks=
err_has '--stacks must be yes or no'
wrong --pages-as-heap=1
err_has '--pages-as-heap must be yes or no'
wrong --heap-admin=-1
err_has "--heap-admin: '-1' is not a number of bytes"
wrong --heap-admin=1025
err_has '--heap-admin must be from 0 to 1024'
for value in 0 201; do
  wrong --depth=$value
  err_has '--depth must be from 1 to 200'
done
wrong --depth=-3
err_has "--depth: '-3' is not a number"
wrong --detailed-freq=0
err_has '--detailed-freq must be from 1 to 1000000'
for value in 9 1001; do
  wrong --max-snapshots=$value
  err_has '--max-snapshots must be from 10 to 1000'
done
for value in -1 101 x 5% nan ''; do
  wrong --threshold=$value
  err_has '--threshold must be a percentage from 0 to 100'
done
for value in -1 x inf; do
  wrong --peak-inaccuracy=$value
  err_has '--peak-inaccuracy must be a percentage'
done
wrong --time-unit=s
err_has '--time-unit must be one of i, ms, B'
for value in --x=3 --x=1001 --y=3 --y=1001; do
  wrong $value
  err_has '--x and --y are 4 to 1000'
done
wrong --stacks=yes --pages-as-heap=yes
err_has 'exclude each other'
wrong -j -1
wrong --depth=many
run dg heap
status 2
err_has 'no LOG is given'
run dg heap log log
status 2
run dg heap --stacks=yes -o - log
status 1
err_has 'record it with --datagrind-stacks=yes'
run dg heap nothing
status 1
err_has 'nothing: No such file'

# ---- Logs -------------------------------------------------------------------

: > empty
run dg heap empty
status 1
no_out
head_of | assemble none
run dg heap -o - none
status 1
head_of > none.text
echo 'end why=0 exit_code=0' >> none.text
assemble none < none.text
heap none
status 0
rows
out << 'END'
0 0 0 0 empty
END
run dg heap --print none
status 0
out_has 'Number of snapshots: 1'

# Folded stacks: trees may not be Massif's, and that is said.
{ head_of 4; cat body; } | assemble folded
heap folded
status 0
err_has 'Stacks are folded'

# 32 bits, and the other byte order.
heap log
mv stdout good
for how in '-w 32' '-b' '-b -w 32'; do
  assemble other $how < log.text
  heap other
  status 0
  diff good stdout > difference
  report "the same with dgasm $how" difference
done

# As far as it is good.
size=$(wc -c < log)
for n in 700 $((size / 2)) $((size - 20)); do
  head -c $n log > cut
  heap cut
  status 1
  err_has 'cut: offset 0x'
  err_has 'The log ends early'
  head -n 20 good | sed '/^snapshot=1$/,$d' > begin
  head -n "$(wc -l < begin)" stdout | diff begin - > difference
  report 'what is good is shown' difference
done
{ head -c $((size / 2)) log; head -c 300 /dev/zero | tr '\0' '\377'; } > damaged
heap damaged
status 1
out_has 'snapshot=1'

# The same for any number of workers, as log and as archive.
for options in '' '--exact-peak --at=event:sort --at=end' '--print' \
  '--pages-as-heap=yes --print'; do
  dg heap -j1 -o - $options log | grep -v '^ms_print' > one
  in_turn 1 2 8
  for jobs in "${chosen[@]}"; do
    for log in log log.dgz; do
      run dg heap -j$jobs -o - $options $log
      grep -v '^ms_print' stdout | diff one - > difference
      report 'the same as with -j1' difference
    done
  done
done

# An archive is good up to the chunk of which anything is damaged, also what is
# not needed here.
dg pack log -o hurt.dgz
python3 - << 'END'
data = bytearray(open('hurt.dgz', 'rb').read())
at = data.index(b'DGpt\3') + 48 + 20
data[at] ^= 0x55
open('hurt.dgz', 'wb').write(data)
END
heap hurt.dgz
status 1
err_has 'RUNS of chunk 0 is damaged'
rows
out << 'END'
0 0 0 0 empty
END
# Without a clock there are no milliseconds.
assemble timeless << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
malloc_block 0x1000 100 [0x400000]
end
END
run dg heap --print --time-unit=ms timeless
status 1
no_out
err_has 'the log has no clock'
err_has 'record the program again, or choose i or B'
rm -f render.svg
run dg heap --render=render.svg --time-unit=ms timeless
status 1
[ ! -e render.svg ]
report 'no picture without a clock'

# Functions of scripts have names and lines in trees.
assemble script << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
code 0x5c00000003000000 0x1000000 0x5c00000003000000 4 "py" "parse" "a.py" []
bbdef [0x400000+4] [R4@0]
context 0 [0x400000]
bbrun 0 1 [0x1000]
malloc_block 0x1000 100 [0x400000 0x400100 0x5c00000003000007]
heap_alloc 1 1 1 100 0 0
bbrun 0 1 [0x1000]
end why=0 exit_code=0
END
run dg heap --print --detailed-freq=1 script
status 0
out_has ': py:parse (a.py:7)'

finish
