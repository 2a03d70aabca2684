# all-names.sh: every command of dg, with names of logs, programs, functions,
# variables, files, types, threads, ranges and events that are commands to a
# terminal, or not UTF-8.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

fill=_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
cat > prog.c << END
struct NAME_s1$fill { int NAME_i2$fill, NAME_m3$fill; }
  NAME_v4$fill[64], NAME_i5$fill[64];
#line 7 "NAME_c6$fill"
__attribute__ ((noinline)) int NAME_f7$fill (volatile int *p)
{
  return *p;
}
#line 20 "NAME_ic$fill"
int NAME_i8$fill (void) { volatile int v = 1; return NAME_f7$fill (&v); }
void _start (void) { NAME_i8$fill (); }
END
if ! ${CC:-cc} -O1 -g -nostdlib -static -no-pie -fno-pie prog.c -o prog \
    2> /dev/null || ! command -v nm objdump python3 > /dev/null; then
  echo '1..0 # SKIP no compiler for a program without libraries, or no python3'
  exit 0
fi
address ()
{
  nm prog | sed -n "s/^\([0-9a-f]*\) . NAME_$1$fill\$/0x\1/p"
}
text=0x$(objdump -h prog | awk '$2 == ".text" { print $4 }')
f=$(address f7)
g=$(address i8)
v=$(address v4)
w=$(address i5)

# What follows is in the strings of a log, and in the name of a file.
valid='\x1b]0;t\x07\nMARK\x7f\xc2\x9b31m\xe2\x80\xae'
invalid="$valid"'\x9b31m\xff'
name=$(printf '%b' "prog$invalid")
python3 "$abs_srcdir/neighbours/hostile_names.py" PREPARE prog ||
  echo "Bail out! the program has no names"
mv prog "$name"
hostile_text ()
{
  cat << END
process 42 1 7 8 4096 64 0 30 "$valid" "$invalid" "amd64" "$PWD/prog$invalid" "$PWD" ["a$valid" "b$invalid"]
thread_start 1 0 42
thread_start 2 1 43
thread_name 1 "$valid"
thread_name 2 "$invalid"
text_avma $text "$PWD/prog$invalid"
map 0x7000000 0x1000 5 0 0 "/lib/$valid.so"
map 0x8000000 0x1000 3 0 0 "/lib/$invalid.dat"
code 0x9000000 0x100 0x9000000 0 "" "$invalid" "/src/$invalid.c" [0x9000000 7]
bbdef [$f+1] [R4@0]
bbdef [$g+1] [W4@0]
bbdef [0x9000000+4] [R8@0]
context 0 [$f $g]
context 1 [$g]
context 2 [0x9000000 $g]
track_range 0xa000000 64 "$valid" "$invalid"
track_range 0xa000100 64 "$invalid" "$valid"
start_event "$valid"
malloc_block 0xb000000 512 [$f $g]
heap_alloc 1 1 1 520 0 0
malloc_block 0xb001000 512 [0x9000000]
heap_alloc 2 1 1 520 0 0
end_event "$valid"
start_event "$invalid"
END
  for ((i = 0; i < ${1:-40}; i++)); do
    printf 'thread_switch 1\n'
    printf 'bbrun 0 1 [%s]\n' $((v + 8 * (i % 60))) $((0xb000000 + 8 * i)) \
      $((0xc000000 + 64 * i)) 0x8000010
    printf 'bbrun 1 1 [%s]\nbbrun 2 1 [%s]\n' $((w + 4)) 0xa000010
    printf 'thread_switch 2\n'
    printf 'bbrun 1 1 [%s]\n' $((w + 8)) $((v + 16)) 0xa000110
    printf 'bbrun 0 1 [%s]\n' 0xa000018
  done
  cat << END
end_event "$invalid"
free_block 0xb001000
heap_free 2 1 11 [$f $g]
end why=0 exit_code=0
END
}
hostile_text | "$DGASM" -o log
hostile_text 30 | "$DGASM" -o log2
log=$(printf '%b' "log$valid.dgz")
other=$(printf '%b' "other$invalid.dgz")
"$DG" pack log -o "$log" > /dev/null && "$DG" pack log2 -o "$other" > /dev/null
printf 'thread_start 1 0 1\nthread_start 1 0 1\nend\n' |
  "$DGASM" -o "$(printf '%b' "wrong$valid")"
printf 'I  04000000,3\n L 1ffeffe7e0,8\n' > "$(printf '%b' "$valid")"
mkdir out
# What fontconfig and Python find at home.
export HOME=$PWD
exec python3 "$abs_srcdir/neighbours/hostile_names.py" "$DG" "$log" "$other"
