# dg-irregular.sh: files that a log or a module names are read if they are
# regular: FIFOs that nobody writes to stand in the place of each, and nothing
# may wait for them.  And signals end what waits for anything else.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# The backstop; its status is 124.
dg ()
{
  timeout -k 5 300 "$DG" "$@"
}

cat > prog.c << 'END'
__attribute__ ((noinline)) int leaf (volatile int *p) { return *p + 1; }
int main (void) { volatile int v = 1; return leaf (&v); }
void _start (void) { main (); }
END
build ()
{
  ${CC:-cc} -O1 -nostdlib -static -no-pie -fno-pie -Wl,--build-id=none \
    prog.c "$@" 2> /dev/null
}
if ! build -g -o whole || ! command -v nm objdump objcopy > /dev/null; then
  skip 'no compiler for a program without libraries'
  finish
  exit
fi
text=0x$(objdump -h whole | awk '$2 == ".text" { print $4 }')
leaf=0x$(nm whole | sed -n "s/ . leaf\$//p")

# log_of FILE: a log of which it is the module.
log_of ()
{
  assemble log << END
header
process 42 1 0 0 4096 64 0 8 "t" "v" "a" "/exe" "/" ["prog"]
text_avma $text "$1"
bbdef [$leaf+1] [R4@0]
context 0 [$leaf]
malloc_block 0x1000 16 [$leaf]
bbrun 0 1 [0x1000]
end why=0 exit_code=0
END
}

# ask WHAT: all that asks for names, lines, sources, variables and types.
ask ()
{
  local command

  for command in 'counts --by=function' 'counts --by=line' 'patterns' \
      'cache --annotate --annotate-least=0' 'heap --sites' 'allocs leaks' \
      'calls' 'dump --accesses --events=fn:leaf' \
      'dump --accesses --ranges=type:pair'; do
    run dg $command log
    title="$1: $title"
    [ $exit_status -lt 124 ]
    report 'ends' stderr
  done
}

# ---- The module itself ----

mkfifo fifo
log_of "$PWD/fifo"
ask 'a module'
run dg counts --by=function log
err_has 'fifo: not a regular file'

# ---- Its debug link, in all folders that are asked ----

mkdir .debug
objcopy --only-keep-debug whole prog.debug
objcopy --strip-all --add-gnu-debuglink=prog.debug whole linked
log_of "$PWD/linked"
run dg counts --by=function log
status 0
out_has leaf
rm prog.debug
mkfifo prog.debug
ask 'a debug link'
mv prog.debug .debug/
ask 'a debug link in .debug'
rm .debug/prog.debug
# Found behind the FIFO.
mkfifo prog.debug
objcopy --only-keep-debug whole .debug/prog.debug
run dg counts --by=function log
status 0
out_has leaf
# One that is not what the link was made for.
rm prog.debug
echo >> .debug/prog.debug
run dg counts --by=function log
status 0
out_has linked
cp .debug/prog.debug .debug/linked.debug
rm -r .debug

# ---- What several files share ----

printf 'shared.debug\0abcdefghijklmnopqrst' > link
objcopy --add-section .gnu_debugaltlink=link whole sharing
log_of "$PWD/sharing"
run dg counts --by=function log
status 0
out_has leaf
mkfifo shared.debug
ask 'a shared file'
run dg counts --by=function log
err_has 'shared.debug, which is not a regular file: there are no names'

# ---- Units in files of their own ----

for version in 4 5; do
  rm -f prog.dwo split-prog.dwo
  build -g -gdwarf-$version -gsplit-dwarf -c -o prog.o &&
    ${CC:-cc} -nostdlib -static -no-pie prog.o -o split 2> /dev/null ||
    continue
  log_of "$PWD/split"
  run dg counts --by=function log
  status 0
  out_has leaf
  rm prog.dwo
  mkfifo prog.dwo
  ask "units of DWARF $version"
  run dg counts --by=function log
  err_has 'prog.dwo, which is not a regular file: there are no names'
done

# ---- Sources ----

cp whole sourced
log_of "$PWD/sourced"
rm prog.c
mkfifo prog.c
ask 'a source'

# ---- Definitions of allocators ----

run dg counts --by=allocation --allocators=fifo log
[ $exit_status = 1 ] || [ $exit_status = 2 ]
report 'is refused' stderr

# ---- Signals ----

# waiting N: dg waits for a trace that does not come, takes SIGTERM to end in
# order, and gets it N times.
waiting ()
{
  local n=$1 pid

  title="SIGTERM, $n"
  "$DG" import -o imported --lackey=- <&3 > stdout 2> stderr &
  pid=$!
  # SigBlk: what is not delivered but read; 0x4000 is SIGTERM.  A shell that
  # starts dg may block signals for a moment, too.
  until grep -q 'dg$' /proc/$pid/comm && [ $((0x$(sed -n 's/^SigBlk:\t//p' \
    /proc/$pid/status) & 0x4000)) != 0 ]
  do
    kill -0 $pid || break
  done
  while [ $n -gt 0 ]; do
    kill -TERM $pid
    n=$((n - 1))
  done
  wait $pid
  exit_status=$?
  [ $exit_status = 143 ]
  report 'ends it' stderr
}

# Both ends, so that nobody sees an end of the trace.
exec 3<> fifo
waiting 1
waiting 2
finish
