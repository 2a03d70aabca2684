# lib.sh: what the tests of the command line share; to be sourced.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   assemble NAME < TEXT     makes the log NAME (see dgasm)
#   run COMMAND ARG...       runs it; then:
#   status N                 its exit status
#   out, err                 what it wrote: exactly standard input here
#   no_out, no_err           ... nothing
#   out_has, err_has TEXT    ... a line with this text somewhere
#   calls_program            makes prog and symbols, for runs by calls_model.py
#   calls_one_by_one NAME  a log of such runs, see below
#   in_turn WORD...          sets the array chosen: one of the words, each time
#                            the next one; with DG_TEST_LONG all of them
#   peak COMMAND ARG...      prints the most memory that it takes, in KiB
#   german                   makes a locale with other signs in numbers
#   finish                   the end of every test, which compares all that
#                            was written with --json with its schema
# Each of the checks is a test of its own; none may stand in a pipe, where it
# would count for itself.  The current directory is empty
# and goes away at the end.

n_tests=0
: "${DG:?}" "${DGASM:?}"

# As make has it, for tests that are run by hand.
if [ -z "$DATAGRIND_PROBE" ] && [ -x "${DG%/*}/../lib/dg-probe" ]; then
  export DATAGRIND_PROBE=${DG%/*}/../lib/dg-probe
fi

# The program itself: libtool's wrapper is a shell, and takes longer than most
# commands.
if [ -x "${DG%/*}/.libs/${DG##*/}" ]; then
  LD_LIBRARY_PATH=${DG%/*}/../lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  DG=${DG%/*}/.libs/${DG##*/}
  export DG LD_LIBRARY_PATH
fi

# shellcheck source=../schema/schema.sh
. "${abs_top_srcdir:?}/tests/schema/schema.sh"
kept=$(mktemp -d) || exit 99
schema_keep "$kept"

# What fontconfig keeps is not a leak of ours.
LSAN_OPTIONS=suppressions=${abs_srcdir:?}/cli/leaks.supp:print_suppressions=0
export LSAN_OPTIONS

work=$(mktemp -d) || exit 99
trap 'cd /; rm -rf "$work" "$kept"' EXIT
cd "$work" || exit 99

# A program that is never run: its symbols are what counts.  Sets text, where
# they begin.
calls_program ()
{
  for name in alpha beta gamma delta main; do
    echo ".globl $name; .type $name, @function; $name: .fill 64, 1, 0x90"
    echo ".size $name, . - $name"
  done > prog.s
  ${CC:-cc} -m64 -nostdlib -static -no-pie -Wl,-e,main -Wl,--build-id=none \
    -o prog prog.s 2> /dev/null || {
    echo '1..0 # SKIP no assembler for x86'
    exit 0
  }
  nm prog | grep -E ' (alpha|beta|gamma|delta|main)$' | sort > symbols
  text=$(nm prog | awk '$3 == "alpha" { print "0x" $1 }')
}

# calls_one_by_one NAME: a log of three threads with calls of calls_program, one
# thread after the other: what stands open while another one runs would last
# longer than the instructions that it is.
calls_one_by_one ()
{
  calls_program
  python3 "$abs_srcdir/cli/analyse/calls_model.py" 5 mixed model < symbols
  awk '
    /^(thread_start|bbdef|context)/ { print }
    /^thread_switch/ { thread = $2 }
    /^bbrun/ { runs[thread] = runs[thread] $0 "\n" }
    END {
      for (k = 0; k < 3; k++) {
        thread = (k + 1) % 3 + 1
        printf "thread_switch %d\n%s", thread, runs[thread]
        if (thread > 1)
          print "thread_exit", thread
      }
      print "end why=0 exit_code=0"
    }' mixed > body
  {
    echo 'process 42 1 7 8 4096 64 0 30 "1" "3.19.0" "amd64" "prog" "/" ["p"]'
    echo "text_avma $text \"$PWD/prog\""
    echo "module $text 0x140 0 [] \"\""
    cat body
  } > log.text
  assemble "$1" < log.text
}

peak ()
{
  python3 -c 'import resource, subprocess, sys
subprocess.run (sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print (resource.getrusage (resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

assemble ()
{
  "$DGASM" -o "$@" || {
    echo "Bail out! cannot assemble $1"
    exit 99
  }
}

dg ()
{
  "$DG" "$@"
}

run ()
{
  title=$(printf '%s' "$*" | tr '\n#' '??')
  "$@" > stdout 2> stderr < /dev/null
  exit_status=$?
}

# report WHAT FILE...: the result of the last command; shows files if bad.
report ()
{
  local good=$? what=$1 file

  shift
  n_tests=$((n_tests + 1))
  if [ $good = 0 ]; then
    echo "ok $n_tests - $title: $what"
  else
    echo "not ok $n_tests - $title: $what"
    for file; do
      sed "s/^/# $file: /" "$file"
    done
  fi
}

status ()
{
  [ "$exit_status" = "$1" ]
  report "status $1, not $exit_status" stderr
}

out ()
{
  cat > expected
  diff expected stdout > difference
  report 'output' difference
}

err ()
{
  cat > expected
  diff expected stderr > difference
  report 'messages' difference
}

no_out ()
{
  [ ! -s stdout ]
  report 'no output' stdout
}

no_err ()
{
  [ ! -s stderr ]
  report 'no messages' stderr
}

out_has ()
{
  grep -qF -- "$1" stdout
  report "output has '$1'" stdout
}

err_has ()
{
  grep -qF -- "$1" stderr
  report "messages have '$1'" stderr
}

# holds PYTHON...: whether that is so of the JSON in stdout, `r`.  `names` are
# the words of the shell's variable, and sums(rows) adds up their members.
holds ()
{
  local what
  what=$(printf '%s' "$*" | tr -s '\n ' ' ' | cut -c 1-200)
  [ -n "$holder_PID" ] || coproc holder { python3 "$abs_srcdir/cli/holds.py"; }
  echo 'no answer' > difference
  printf '%s\0' "$PWD" "$names" $# "$@" >&"${holder[1]}"
  read -r -u "${holder[0]}" || :
  [ ! -s difference ]
  report "$what" difference
}

# By chance, but the same in each run of a build: loops in loops would always ask
# the same pairs if each had its turn, and both builds the same half.
turn=$((${#CFLAGS} % 1000 + 1))
in_turn ()
{
  turn=$((turn * 75 % 65537))
  if [ -n "$DG_TEST_LONG" ]; then
    chosen=("$@")
  else
    chosen=("${@:turn % $# + 1:1}")
  fi
}

# german: makes the locale de_DE.UTF-8 usable; false if that is not possible.
german ()
{
  locale -a 2> /dev/null | grep -q -i '^de_DE.utf-\?8' && return
  localedef -c -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2> /dev/null
  [ -e "$work/de_DE.UTF-8/LC_NUMERIC" ] && export LOCPATH=$work
}

skip ()
{
  n_tests=$((n_tests + 1))
  echo "ok $n_tests - # SKIP $1"
}

# What was written with --json is as docs/schema/ says.
check_schemas ()
{
  title='what was written with --json'
  if schema_python; then
    schema_check > wrong 2>&1
    report 'is as its schemas say' wrong
  else
    skip "$schema_why"
  fi
}

finish ()
{
  schema_any && check_schemas
  echo "1..$n_tests"
}

# A small log that has a bit of everything.
assemble_small ()
{
  assemble "$@" << END
$(small_text)
END
}

small_text ()
{
  cat << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/home" ["prog" "two words" "it's"]
thread_start 1 0 42
thread_name 1 "main"
text_avma 0x400000 "/bin/prog"
module 0x400000 0x1000 0 [0xab 0xcd] "prog"
map 0x400000 0x1000 5 0 0 "/bin/prog"
stack 1 0x70000 0x80000
bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R16@1]
context 0 [0x400000 0x400100]
bbrun 0 3 [0x1000 0x1008 0x1010]
start_event "sort"
malloc_block 0x2000 0x40 [0x400000 0x400100]
heap_alloc 1 1 1 72 0 0
track_range 0x2000 0x10 "int" "a \"b\"\n"
bbrun 0 3 [0x2000 0x2008 0x2030]
untrack_range 0x2000 0x10
end_event "sort"
kernel_access 0 0x2000 16 1
free_block 0x2000
heap_free 2 1 11 [0x400000]
clock 12345
signal 1 10 0
fork 43
window 0 1 6
window 1 1 6
bbrun 0 2 [0x1000 0 0]
map 0x500000 0x1000 3 1 0 ""
unmap 0x500000 0x1000
module_unload 0x400000
thread_exit 1
end why=0 exit_code=3
END
}
