# dg-allocs-names.sh: dg allocs on a program that is compiled here: functions,
# places, lines of sources, inlined code of headers, allocators.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

mkdir -p src/include
cat > src/include/inline.h << 'END'
static inline __attribute__ ((always_inline)) int
in_header (volatile int *p)
{
  return *p + 1;		/* a tab */
}
END
cat > src/prog.c << 'END'
#include "include/inline.h"
__attribute__ ((noinline)) int
grab (volatile int *p)
{
  return in_header (p) + in_header (p + 1);
}
__attribute__ ((noinline)) int
wrap (volatile int *p)
{
  int before = grab (p);
  return before + *p;
}
int
main (void)
{
  volatile int v[2] = {1, 2};
  int first = wrap (v);
  return first + v[0];
}
void _start (void) { main (); }
END
if ! ${CC:-cc} -O1 -g -nostdlib -static -no-pie -fno-pie "$PWD/src/prog.c" \
    -o prog 2> stderr || ! command -v addr2line objdump > /dev/null; then
  skip 'no compiler for a program without libraries'
  finish
  exit
fi

# line_of TEXT FILE: the number of the first such line.
line_of ()
{
  grep -nF "$1" "$2" | head -n 1 | cut -d: -f1
}
# at FILE LINE: the first code address of that line.
at ()
{
  local address
  for address in $(objdump -d prog | sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p'); do
    case $(addr2line -e prog $address) in
      */$1:$2 | */$1:$2\ *) echo $address; return ;;
    esac
  done
}
text=0x$(objdump -h prog | awk '$2 == ".text" { print $4 }')
header=$(at include/inline.h "$(line_of '*p + 1' src/include/inline.h)")
call_grab=$(at src/prog.c "$(line_of 'grab (p);' src/prog.c)")
call_wrap=$(at src/prog.c "$(line_of 'wrap (v);' src/prog.c)")
if [ -z "$header" ] || [ -z "$call_grab" ] || [ -z "$call_wrap" ]; then
  skip 'the compiler does not tell of all lines'
  finish
  exit
fi
# In allocator code that nobody knows; in the header's code that is inlined in
# grab, and so on.
assemble log << END
text_avma $text "$PWD/prog"
malloc_block 0x1000 16 [0x99 $header $call_grab $call_wrap]
heap_alloc 1 1 1 16 0 0
malloc_block 0x2000 32 [$call_grab $call_wrap]
heap_alloc 2 1 9 32 0 0
malloc_block 0x3000 8 [0x99 0x77]
heap_alloc 3 1 1 8 0 0
END
next ()
{
  printf '0x%08x' $(($1 + 1))
}
here=$(printf '0x%08x' $call_grab)

run dg allocs dump --levels=2 -Ss log
status 0
out << END
0x00001000 : malloc() 16 bytes, actual size 24 (+8), seqno 1, time 0
  By thread 1
  1) backtrace $(next $header) function grab
     $PWD/src/prog.c:5
     "  return in_header (p) + in_header (p + 1);"
  2) backtrace $(next $call_grab) function wrap
     $PWD/src/prog.c:10
     "  int before = grab (p);"
0x00002000 : MALLOCLIKE 32 bytes, actual size 40 (+8), seqno 2, time 0
  By thread 1
  1) backtrace $here function wrap
     $PWD/src/prog.c:10
     "  int before = grab (p);"
  2) backtrace $(next $call_wrap) function main
     $PWD/src/prog.c:17
     "  int first = wrap (v);"
0x00003000 : malloc() 8 bytes, actual size 16 (+8), seqno 3, time 0
  By thread 1
  1) backtrace return address 0x00000078
END

# E19: what the default leaves out, nothing, and another pattern.
first ()
{
  run dg allocs dump -Fseqno_max=1 -f '%f1|%w1|%l1' "$@" log
}
inlined="in_header|$PWD/src/include/inline.h:4|  return *p + 1;                /* a tab */"
outer="grab|$PWD/src/prog.c:5|  return in_header (p) + in_header (p + 1);"
first
out <<< "$outer"
first -n
out <<< "$inlined"
first --no-ignore -I '*/include/*'
out <<< "$inlined"
first -I '*.c'
out <<< "$inlined"
first -I '*.h'
out <<< "$outer"
first --ignore '*/inl[i-k]ne.?'
out <<< "$outer"
# If nothing better is known, the innermost one is.
first -I '*'
out <<< "$inlined"

# Every conversion of names, at every level.
run dg allocs dump -Fseqno_max=2 -Ss -f '%b1 %f1 %b2 %f2 %b3 %f3 %w3 %l3' log
status 0
out << END
$(next $header) grab $(next $call_grab) wrap $(next $call_wrap) main $PWD/src/prog.c:17   int first = wrap (v);
$here wrap $(next $call_wrap) main 0x00000000   
END
run dg allocs dump -Fseqno_min=3 -f '%b1 <%f1> <%w1> <%l1>' log
out << 'END'
0x00000078 <> <> <>
END
run dg allocs dump -f '%f4' log
status 2
err_has 'there is no level 4: call stacks in this log have at most 3'

# For programs.
run dg allocs dump --json -Fsize_min=32 log
python3 -c '
import json, sys
print (json.load (sys.stdin)["block_list"][0]["backtrace"][0])' < stdout > got
cat > expected << END
{'address': '$(printf 0x%x $call_grab)', 'function': 'wrap', 'file': '$PWD/src/prog.c', 'line': 10, 'column': 16, 'source': '  int before = grab (p);', 'module': '$PWD/prog'}
END
diff expected got > difference
report 'the level' difference

# Without symbols, the module is better than nothing.
strip prog -o bare
sed "s,^text_avma.*,text_avma $text \"$PWD/bare\"," << END | assemble stripped
bbdef [$call_wrap+1] [R4@0]
context 0 [$call_wrap]
text_avma
malloc_block 0x1000 16 [0x99 $call_grab]
bbrun 0 1 [0x1000]
END
run dg allocs leaks stripped
out << END
stripped: never freed: 16 bytes in 1 allocation at 1 site

16 bytes, 100%, in 1 allocation, seqno 1
  1) backtrace return address $(next $call_grab) in $PWD/bare
  Last accessed 1 instruction before the end, by thread 1
     at $(printf '0x%08x' $call_wrap) in $PWD/bare
END

# Allocators of our own are not levels.
printf 'grab -1 0 -1 # ours\n' > ours
first --allocators=ours
out <<< "wrap|$PWD/src/prog.c:10|  int before = grab (p);"
printf 'grab -1 0 -1\nwrap -1 0 -1\nmain -1 0 -1\n' > ours
first --allocators=ours
out <<< "main|$PWD/src/prog.c:17|  int first = wrap (v);"
echo 'grab 1' > ours
run dg allocs dump --allocators=ours log
status 1
err_has 'ours:1: expected NAME NUMBER SIZE ADDRESS'

# Sources that are elsewhere, shorter, large or nowhere.
mv src moved
first
out <<< "grab|$PWD/src/prog.c:5|"
first --source-map="$PWD/src=$PWD/moved"
out <<< "grab|$PWD/moved/prog.c:5|  return in_header (p) + in_header (p + 1);"
head -n 3 moved/prog.c > short.c && mkdir src && mv short.c src/prog.c
first
out <<< "grab|$PWD/src/prog.c:5|"
printf '\n\n\n\n\033[31m\x9b\tred\r\n' > src/prog.c
first
out <<< "grab|$PWD/src/prog.c:5|\\x1b[31m\\x9b  red"
rm src/prog.c
mkfifo src/prog.c
first
out <<< "grab|$PWD/src/prog.c:5|"

# Leaks, and differences between runs, by names.
rm -r src
mv moved src
run dg allocs leaks --levels=1 --no-last log
out_has '1) backtrace'
sed -n '/MALLOCLIKE/,/"/p' stdout > got
cat > expected << END
32 bytes, 57%, in 1 allocation by MALLOCLIKE, seqno 2
  1) backtrace $here function wrap
     $PWD/src/prog.c:10
     "  int before = grab (p);"
END
diff expected got > difference
report 'a site' difference
{
  echo "process 1 1 7 8 4096 64 0 8 \"\" \"\" \"\" \"\" \"\" []"
  echo "text_avma $(printf 0x%x $((text + 4096))) \"$PWD/prog\""
  echo "malloc_block 0x1000 16 [0x99 $(printf '0x%x 0x%x' \
    $((header + 4096)) $((call_grab + 4096)))]"
  echo 'heap_alloc 1 1 1 16 0 0'
} | assemble moved
run dg allocs diff -f '%p %f1' log moved
out_has '0 new allocations in moved but not in log'
out_has '2 allocations in log but not in moved'
finish
