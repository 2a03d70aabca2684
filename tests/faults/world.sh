# world.sh: what the programs find whose calls fail: small logs with a bit of
# everything, archives, a program with names.  To be sourced.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
: "${DG:?}" "${DGASM:?}" "${abs_srcdir:?}"

if [ -x "${DG%/*}/.libs/${DG##*/}" ]; then
  LD_LIBRARY_PATH=${DG%/*}/../lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  DG=${DG%/*}/.libs/${DG##*/}
  export LD_LIBRARY_PATH
fi

SHIM=${SHIM:-$abs_builddir/faults/.libs/shim.so}
RECORDER=${RECORDER:-$abs_builddir/faults/faults_recorder}
[ ! -x "${RECORDER%/*}/.libs/${RECORDER##*/}" ] ||
  RECORDER=${RECORDER%/*}/.libs/${RECORDER##*/}
if [ ! -e "$SHIM" ] || ! LD_PRELOAD=$SHIM "$DG" --version > /dev/null; then
  echo '1..0 # SKIP nothing can be preloaded here'
  exit 0
fi
# With FAULTS_LEAKS the leak sanitizer looks for memory that was left.
preload=$SHIM
if [ -n "${FAULTS_LEAKS:-}" ]; then
  preload="$SHIM $(${CC:-cc} -print-file-name=liblsan.so)"
  export LSAN_OPTIONS="exitcode=0:print_suppressions=0:max_leaks=3\
:suppressions=$abs_srcdir/cli/leaks.supp:symbolize=0:fast_unwind_on_malloc=0"
fi
n_tests=0
status=0

# tell WHAT RESULT
tell ()
{
  n_tests=$((n_tests + 1))
  if [ "$2" = 0 ]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    status=1
  fi
}

# Memory, where there is a folder of it: thousands of small files are copied.
shm=/dev/shm
[ -w $shm ] || shm=${TMPDIR:-/tmp}
work=$(mktemp -d $shm/datagrind-faults.XXXXXX) || exit 99
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99
export HOME=$work LC_ALL=C.UTF-8 XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work
unset DEBUGINFOD_URLS

# A program with names and lines, whose functions begin at $text.
make_program ()
{
  cat > prog.c << 'END'
int table[64];
static int inner (int i) { return table[i & 63] += i; }
int outer (int i) { return inner (i) + inner (i + 1); }
void _start (void) { for (;;) outer (3); }
END
  ${CC:-cc} -g -O0 -nostdlib -static -no-pie -Wl,--build-id -o before/prog \
    prog.c 2> /dev/null || cp "$DGASM" before/prog
  text=0x$(nm before/prog | awk '$3 == "_start" { print $1 }')
  [ "$text" != 0x ] || text=0x401000
  data=0x$(nm before/prog | awk '$3 == "table" { print $1 }')
  [ "$data" != 0x ] || data=0x404000
}

log_text () # REPETITIONS
{
  cat << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "prog" "/" ["prog" "two words"]
thread_start 1 0 42
thread_name 1 "main"
text_avma $text "$work/program"
module $text 0x1000 0 [] "$work/program"
map $text 0x1000 5 0 0 "$work/program"
stack 1 0x70000 0x80000
bbdef [$text+3 $((text + 3))+5 $((text + 8))+2] [R4@0 W8@1 R16@1]
context 0 [$text $((text + 16))]
bbrun 0 3 [0x1000 $data 0x1010]
start_event "sort"
malloc_block 0x2000 0x40 [$text $((text + 4))]
heap_alloc 1 1 1 72 0 0
track_range 0x2000 0x10 "int" "a \"b\""
END
  for ((i = 0; i < $1; i++)); do
    echo "bbrun 0 3 [$((0x2000 + i % 64)) $((0x3000 + i * 72)) 0x2030]"
  done
  cat << END
untrack_range 0x2000 0x10
end_event "sort"
kernel_access 0 0x2000 16 1
malloc_block 0x2100 0x40 [$text $((text + 4))]
heap_alloc 2 1 1 72 0 0
free_block 0x2000
heap_free 3 1 11 [$text]
clock 12345
window 0 1 $((6 + 3 * $1))
window 1 1 $((6 + 3 * $1))
thread_start 2 1 43
thread_switch 2
bbrun 0 2 [0x1000 0 0]
thread_exit 2
thread_switch 1
map 0x500000 0x1000 3 1 0 ""
unmap 0x500000 0x1000
bbrun 0 3 [0x1000 $data 0x1010]
thread_exit 1
end why=0 exit_code=0
END
}

# Some chunks, of runs that are so alike that they are small.
chunks_text () # REPETITIONS
{
  log_text 3 | sed '/^untrack_range/,$d'
  echo 'chunk'
  for n in 1 2 3 4; do
    echo "repeat $1"
    echo "bbrun 0 3 [0x2000 $((0x3000 + n * 72)) 0x2030]"
    echo "bbrun 0 3 [0x1000 $((0x5000 + n * 72)) 0x2030]"
    echo "done"
    echo "chunk"
  done
  echo 'end why=0 exit_code=0'
}

mkdir before || exit 99
make_program
cp before/prog program
log_text 40 > text
"$DGASM" -o before/log text || exit 99
log_text 50 > text
"$DGASM" -o before/other text || exit 99
cp before/log before/indexed
"$DG" pack -o before/log.dgz before/log || exit 99
"$DG" pack -o before/old.dgz before/other || exit 99
"$DG" bundle -o before/bundle.dgz before/log > /dev/null || exit 99
"$DG" index before/indexed > /dev/null || exit 99
echo before > before/old.png
# So large that there is work for more than one thread.
chunks_text 6000 > text
"$DGASM" -o long text || exit 99
chunks_text 40000 > text
"$DGASM" -o longer text || exit 99
"$DG" pack -o before/long.dgz longer || exit 99
rm longer
cat > before/trace << 'END'
==1== Lackey
I  04000f0,3
 S 1ffefffe68,8
 L 04001000,8
 M 04001008,4
I  04000f3,5
==1==
END
