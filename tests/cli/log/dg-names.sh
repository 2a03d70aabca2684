# dg-names.sh: fn:, file: and dso: on a program that is compiled here.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

cat > prog.c << 'END'
static inline int inlined (volatile int *p) { return *p + 1; }
__attribute__ ((noinline)) int leaf (volatile int *p)
{
  int before = *p;
#line 1 "included.h"
  return before + inlined (p);
}
int main (void) { volatile int v = 1; return leaf (&v); }
void _start (void) { main (); }
END
if ! ${CC:-cc} -O1 -g -nostdlib -static -no-pie -fno-pie prog.c -o prog \
    2> /dev/null || ! command -v nm objdump > /dev/null; then
  skip 'no compiler for a program without libraries'
  finish
  exit
fi

address ()
{
  echo "0x$(nm prog | sed -n "s/ . $1\$//p")"
}
text=0x$(objdump -h prog | awk '$2 == ".text" { print $4 }')
leaf=$(address leaf)
main=$(address main)

# One block in leaf, called from main; one in main.
assemble log << END
header
text_avma $text "$PWD/prog"
bbdef [$leaf+1] [R4@0]
bbdef [$main+1] [W4@0]
context 0 [$leaf $main]
context 1 [$main]
malloc_block 0x1000 16 [$leaf $main]
malloc_block 0x2000 16 [$main]
bbrun 0 1 [0x1000]
bbrun 1 1 [0x2000]
bbrun 0 1 [0x9000]
END
in_leaf="$(printf 'I  %08x,1\n L %%08x,4' $leaf)"
in_main="$(printf 'I  %08x,1\n S %%08x,4' $main)"

# accesses WHERE ADDRESS...: the text of these.
accesses ()
{
  while [ $# -gt 0 ]; do
    eval printf "'%s\n'" '"$(printf "$'"$1"'" $2)"'
    shift 2
  done
}

for condition in fn:main dso:prog "dso:$PWD/prog" fn:absent,fn:main; do
  run dg dump --accesses --events=$condition log
  status 0
  case $condition in
    fn:absent*) err <<< "dg: warning: --events: fn:absent matches nothing;\
 there are 'main' and 'leaf'" ;;
    *) no_err ;;
  esac
  out < <(accesses in_leaf 0x1000 in_main 0x2000 in_leaf 0x9000)
done
for condition in fn:leaf fn:leaf,fn:absent; do
  run dg dump --accesses --events=$condition log
  status 0
  out < <(accesses in_leaf 0x1000 in_leaf 0x9000)
done
for condition in fn:absent file:absent.c dso:rog fn:lea; do
  run dg dump --accesses --events=$condition log
  status 0
  no_out
done
run dg dump --accesses --events=file:prog.c log
status 0
out_has "$(printf 'I  %08x' $leaf)"
run dg dump --accesses --ranges=fn:leaf log
status 0
out < <(accesses in_leaf 0x1000)
run dg dump --accesses --ranges=fn:main log
status 0
out < <(accesses in_leaf 0x1000 in_main 0x2000)
run dg dump --accesses --ranges=fn:leaf --events=fn:absent log
status 0
no_out

# A function that was inlined is in the stack of its instructions only.
address=$(objdump -dl --no-show-raw-insn prog | awk '
  /^inlined\(\)|^inlined:/ { inlined = 1 } /^(leaf|main|_start)/ { inlined = 0 }
  inlined && /^ *[0-9a-f]+:/ { sub (":", "", $1); print "0x" $1; exit }')
all=$(objdump -d --no-show-raw-insn prog |
  awk '/<leaf>:$/ { on = 1; next } /^$/ { on = 0 }
       on { sub (":", "", $1); print "0x" $1 }')
if command -v addr2line > /dev/null; then
  expected=
  block=
  slots=
  addresses=
  n=0
  for one in $all; do
    block="$block $one+1"
    slots="$slots R1@$n"
    n=$((n + 1))
    addresses="$addresses 0x100$n"
    if [ "$(addr2line -ife prog $one | wc -l)" -gt 2 ]; then
      expected="$expected$(printf 'I  %08x,1' $one)
"
    fi
  done
  assemble inlined << END
header
text_avma $text "$PWD/prog"
bbdef [$block] [$slots]
context 0 [$leaf $main]
bbrun 0 $n [$addresses]
END
  run dg dump --accesses --events=fn:inlined inlined
  status 0
  sed -i -n '/^I/p' stdout
  out < <(printf '%s' "$expected")
  [ -n "$expected" ]
  report 'something was inlined'
fi

# Files of another build: worth a warning, unless Valgrind brings them along.
mkdir changed
for file in libx.so vgpreload_core-amd64-linux.so; do
  cp prog "changed/$file"
  assemble "log-$file" << END
header
text_avma $text "$PWD/changed/$file"
module $text 0x100 0 [1 2 3 4] ""
bbdef [$leaf+1] [R4@0]
context 0 [$leaf]
bbrun 0 1 [0x1000]
END
  run dg counts --by=function "log-$file"
  title=$file
  status 0
  if [ "$file" = libx.so ]; then
    err_has 'libx.so: changed since it was recorded'
  else
    no_err
  fi
done

# ---- Names that do not say enough -------------------------------------------

# Made up of an address, of several files, or of no file at all.
if ! cp prog twin || ! ${CC:-cc} -O1 -fasynchronous-unwind-tables -nostdlib \
    -static -no-pie -fno-pie -Wl,--eh-frame-hdr prog.c -o named 2> named.err ||
    ! strip named -o bare 2> named.err; then
  skip "no program without symbols: $(cat named.err)"
else
  far=0x100000
  named_text=0x$(objdump -h named | awk '$2 == ".text" { print $4 }')
  named_leaf=0x$(nm named | sed -n 's/ . leaf$//p')
  named_main=0x$(nm named | sed -n 's/ . main$//p')
  assemble nameless << END
header
text_avma $named_text "$PWD/bare"
map 0x700000 0x3000 7 1 0 ""
map_stack 1 [$named_main]
map 0x710000 0x1000 5 1 0 "/var/cache/code.bin"
bbdef [$named_leaf+1] [R4@0]
bbdef [0x700010+1] [R4@0]
bbdef [0x710010+1] [R4@0]
bbdef [0x720010+1] [R4@0]
context 0 [$named_leaf $named_main]
context 1 [0x700010 $named_main]
context 2 [0x710010 $named_main]
context 3 [0x720010 $named_main]
bbrun 0 1 [0x1000]
bbrun 1 1 [0x2000]
bbrun 2 1 [0x3000]
bbrun 3 1 [0x4000]
END
  made_up="func_$(printf '0x%x' $named_leaf)"
  caller="func_$(printf '0x%x' $named_main)"
  for ask in 'counts --by=function' 'counts --by=line' 'calls' \
      'patterns --by=function'; do
    run dg $ask nameless
    status 0
    case $ask in
      patterns*) out_has "$made_up (in bare)" ;;
      *) out_has "$made_up (bare)" ;;
    esac
    out_has "code in pages from $caller (bare)"
    out_has 'code in file code.bin'
    out_has '???'
  done
  run dg counts --by=module nameless
  out_has "code in pages from $caller (bare)"
  run dg counts --by=function --json nameless
  out_has "\"function\": \"$made_up\""
  run dg calls --callers=$made_up nameless
  out_has "$made_up (bare)"

  # Generated code that allocates, frees and accesses: the same name by all.
  generated="code in pages from $caller (bare)"
  assemble generated << END
header
text_avma $named_text "$PWD/bare"
map 0x700000 0x3000 7 1 0 ""
map_stack 1 [$named_main]
bbdef [0x700010+1] [W4@0]
context 0 [0x700010 $named_main]
malloc_block 0x10000 16 [0x400900 0x700020 $named_main]
heap_alloc 1 1 1 16 0 0
malloc_block 0x10100 32 [0x400900 0x700030 $named_main]
heap_alloc 2 1 1 32 0 0
bbrun 0 1 [0x10000]
bbrun 0 1 [0x10100]
free_block 0x10000
heap_free 3 1 3 [0x400900 0x700040 $named_main]
end exit_code=0
END
  for ask in 'heap --sites' 'heap --late' 'heap --blocks' 'allocs history' \
      'allocs leaks' 'counts --by=site' 'cache --by=site' 'pages --hot=3' \
      'patterns --by=function'; do
    run dg $ask --json generated
    status 0
    out_has "$generated"
    run dg $ask generated
    out_has "$generated"
  done
  run dg heap --sites --json generated
  out_has "\"bytes\": 48"
  run dg heap --render=generated.svg generated
  status 0
  run dg counts "--events=fn:$generated" generated
  status 0
  no_err

  assemble twins << END
header
text_avma $text "$PWD/prog"
text_avma $((text + far)) "$PWD/twin"
bbdef [$leaf+1] [R4@0]
bbdef [$((leaf + far))+1] [R4@0]
bbdef [$main+1] [W4@0]
context 0 [$leaf $main]
context 1 [$((leaf + far)) $main]
context 2 [$main]
bbrun 2 1 [0x1000]
bbrun 0 1 [0x1000]
bbrun 2 1 [0x1000]
bbrun 1 1 [0x1000]
END
  for ask in 'counts --by=function' 'counts --by=line' calls; do
    run dg $ask twins
    grep -qE 'leaf\)? \(prog\)' stdout && grep -qE 'leaf\)? \(twin\)' stdout &&
      ! grep -qE 'main\)? \(prog\)' stdout
    report "dg $ask tells functions of two programs apart" stdout
  done
fi

# A program that is no longer there.
rm prog
run dg dump --accesses --events=fn:main log
status 0
no_out
err << END
dg: warning: $PWD/prog: No such file or directory
dg: warning: --events: fn:main matches nothing
END

finish
