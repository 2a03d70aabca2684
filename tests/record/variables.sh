#!/bin/bash
# Names of variables: of locals in all frames, of fields on the heap, of
# globals; by a program that accesses each so often that it can be no other.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# writes LOG NAME: the writes to a variable; none if it is not known.
writes ()
{
  [ -e "$1.counts" ] ||
    "$DG" counts --by=variable --json "$1" | sed -n \
      's/^ *{.*"writes": \([0-9]*\),.*"name": "\(.*\)", "kind".*/\1 \2/p' \
      > "$1.counts"
  sed -n "s/^\([0-9]*\) \(.*\)/\2=\1/p" "$1.counts" |
    awk -v name="$2=" 'index ($0, name) == 1 { print substr ($0, length (name) + 1) }'
}

# A variable that is set when it is made is written once more for that.
#   main's count: 1 + 1000 + 500
#   through: y of its caller's points, and the initialisation of that
#   recurse: 2, 1, 0 in each of two threads, and 4, 3, 2, 1, 0
for level in 0 1 2; do
  as=program$level guest variables -pthread -O$level ||
    skip_all "the compiler cannot make the program"
  log=log$level.dg
  record $log ./program$level > out$level
  check_log "-O$level: the log is whole" $log
  is "-O$level: a local of main" "$(writes $log 'main().count')" 1501
  is "-O$level: a local of a thread" "$(writes $log 'work().mine')" 602
  is "-O$level: a local of each frame of a function that calls itself" \
    "$(writes $log 'recurse().here')" $((2 * (3 + 15) + 5 + 50))
  # Where a call writes the address to return to, it is not known, as nobody
  # called it; it is not taken for another's, or these would have more.
  case $guest_arch in
    amd64) caught= ;;
    *) caught=71 ;;
  esac
  is "-O$level: a local of a signal handler" \
    "$(writes $log 'on_signal().caught')" "$caught"
  # What initialises an array may write several fields at once; or each byte of
  # them (MVC of s390x): 4 for each y.
  most='410 420 300'
  [ "$guest_arch" != s390x ] || most='420 432 336'
  read -r main work recurse <<< "$most"
  for expect in "main().points.y 400 $main" "work().square.y 400 $work" \
                "recurse().own.y $((2 * 30 + 100)) $recurse"; do
    set -- $expect
    got=$(writes $log "$1")
    if [ "${got:-0}" -ge "$2" ] && [ "$got" -le "$3" ]; then
      ok "-O$level: a callee writes $1: $got times"
    else
      not_ok "-O$level: a callee writes $1" "got: $got, expected $2 to $3"
    fi
  done
  is "-O$level: a field of blocks of a known type" \
    "$(writes $log 'node.key')" 60
  is "-O$level: a field of a tracked range" \
    "$(writes $log 'tagged.value')" 40
  is "-O$level: globals: a number" "$(writes $log '<global>.global_sum')" 60
  is "-O$level: ... a field of the elements of an array" \
    "$(writes $log '<global>.table.hits')" 60
  is "-O$level: ... two that share a word" \
    "$(writes $log '<global>.halves')" 60
  numbers=$(grep -n 'numbers = malloc' "$guests/variables.c" | cut -d: -f1)
  is "-O$level: blocks of no struct have the name of their place" \
    "$(writes $log "use_heap at variables.c:$numbers")" 100
done

# Memory that is nobody's variable says who wanted it, or why it has no name.
if guest arena -no-pie -fno-pie; then
  record arena.dg ./arena > arena.out
  is "a stack in the middle of a mapping: the program's sum" \
    "$(cat arena.out)" 499500
  # Two words are what the new thread is given to begin with.
  is "... what else is in the mapping is no stack" \
    "$(writes arena.dg "pages from reserve (arena.c:$(
      grep -n 'return mmap' "$guests/arena.c" | cut -d: -f1))")" 1002
  is "... and what the thread writes on its stack is" \
    "$(writes arena.dg 'pkg.(*T).f().<NA>')" 500
  is "... nothing has no name" "$(writes arena.dg '<NA>')" ""
else
  skip "a stack in the middle of a mapping" "not for this processor"
fi

# What new[] writes before elements that are aligned to 32 bytes is 32 bytes.
if guest aligned; then
  record aligned.dg ./aligned > aligned.out
  is "aligned elements of new[]: fields" "$(writes aligned.dg 'wide.tail')" \
    1800
  is "... the number before them is none" "$(writes aligned.dg 'wide.head')" ""
else
  skip "aligned elements of new[]" "the compiler cannot make the program"
fi

# Bounds that have the highest bit of a byte, or of two, are not negative.
cat > bounds.c << 'END'
static struct { volatile char name[200]; volatile short next; } whole;
int
main (void)
{
  volatile char bytes[200];
  volatile int numbers[40000];
  for (int i = 0; i < 200; i++)
    bytes[i] = whole.name[i] = whole.next = i;
  for (int i = 0; i < 40000; i++)
    numbers[i] = i;
  return 0;
}
END
for compiler in $CC $CLANG; do
  if command -v $compiler > /dev/null &&
      $compiler -g -O1 bounds.c -o bounds; then
    record bounds-${compiler##*/}.dg ./bounds
    is "arrays of 200 and of 40000, $compiler" "$(for name in main\(\).bytes \
      main\(\).numbers '<global>.whole.name' '<global>.whole.next'; do
      writes bounds-${compiler##*/}.dg "$name"
    done | paste -sd' ')" "200 40000 200 200"
  else
    skip "arrays of 200 and of 40000, $compiler" "no such compiler"
  fi
done

# A page of an array that becomes unreadable is still the array's, and so is
# what lies around it; two variables of one name have two rows.
cat > guards.c <<'END'
#include <sys/mman.h>
static volatile char first[100], pages[8][4096] __attribute__ ((aligned (4096)));
int
main (void)
{
  mprotect ((void *) pages[4], 4096, PROT_NONE);
  for (volatile int i = 0; i < 500; i++)
    pages[2][i] = pages[7][i] = first[i % 100] = 1;
  mprotect ((void *) pages[4], 4096, PROT_READ | PROT_WRITE);
  for (volatile int i = 0; i < 1000; i++)
    pages[4][i] = first[i % 100] = 1;
  return 0;
}
END
if $CC -g -O1 guards.c -o guards; then
  record guards.dg ./guards
  is "variables in .bss of which a page was protected" "$(
    for name in '<global>.pages' '<global>.first' '<NA>'; do
      echo "$(writes guards.dg "$name")"
    done | paste -sd' ')" "2000 1500 "
  is "... variables of one name in two blocks of a function" "$(
    for line in 7 10; do writes guards.dg "main().i (guards.c:$line)"; done |
      paste -sd' ')" "501 1001"
  # The first thread's control block has hundreds of writes; all others are of
  # who clears .bss.
  is "... what lies behind the last library is not its own" "$(
    sed -n 's/^[0-9][0-9][0-9]* \(.*\) (no section)$/\1/p' guards.dg.counts |
      grep -v '^ld-linux\|^ld64')" ""
else
  skip "variables in .bss of which a page was protected" \
    "the compiler cannot make the program"
fi

# Functions that align their frames: where these are follows from the code.
# Clang of s390x aligns each variable for itself, of which the first one is
# found.
aligning="$CC $CLANG"
[ "$guest_arch" != s390x ] || aligning=$CC
# The first of GCC is also asked who waited for whom, which a library tells.
static_64=$(static_flag) static_32=
case $guest_bits in *32*) static_32=$(static_flag -m32) ;; esac
link_of () # COMPILER BITS LEVEL
{
  case $2-$3-$1 in
    64-1-"$CC") ;;
    64-*) echo $static_64 ;;
    *) echo $static_32 ;;
  esac
}
# All levels by GCC in 64 bits, and each of the others by some; with
# DG_TEST_LONG all by all.
is_wanted () # COMPILER BITS LEVEL
{
  [ -n "$DG_TEST_LONG" ] || case $2-$3-$1 in
    64-*-"$CC" | 32-[12]-"$CC" | 64-[02]-* | 32-2-*) ;;
    *) false ;;
  esac
}
for compiler in $aligning; do
  for bits in $guest_bits; do
    for level in 0 1 2; do
      is_wanted $compiler $bits $level || continue
      what="frames that are aligned, ${compiler##*/} -m$bits -O$level"
      log=aligned-${compiler##*/}-$bits-$level.dg
      if ! command -v $compiler > /dev/null ||
          ! CC=$compiler as=${log%.dg} guest realigned $(width $bits) \
            $(link_of $compiler $bits $level) -O$level -pthread
      then
        skip "$what" "the compiler cannot make the program"
        continue
      fi
      record $log ./${log%.dg}
      # One more, or two, to begin with.
      is "$what" "$(for name in first second both.a both.b; do
        writes $log "main().$name"
      done | sed 's/^5000$/5001/; s/^5002$/5001/' | paste -sd' ')" \
        "5001 5071 5001 5001"
      is "$what, with arguments" "$(for name in one two; do
        writes $log "grows().$name"
      done | paste -sd' ')" "101 201"
    done
  done
done

# ... and of code that touches every page of the stack on its way, too, if
# only with what is there already: it writes to 13 or 14 of them.  Code of arm64
# may touch none.
same='s/^301[56]$/3002/'
[ "$guest_arch" = amd64 ] || same="$same; s/^3001\$/3002/"
for compiler in $aligning; do
  for bits in $guest_bits; do
    for level in 0 1 2; do
      is_wanted $compiler $bits $level || continue
      what="large frames that are aligned, ${compiler##*/} -m$bits -O$level"
      log=guarded-${compiler##*/}-$bits-$level.dg
      if ! command -v $compiler > /dev/null ||
          ! CC=$compiler as=${log%.dg} guest guarded $(width $bits) \
            $(link_of $compiler $bits $level) -O$level -fstack-clash-protection
      then
        skip "$what" "the compiler cannot make the program"
        continue
      fi
      record $log ./${log%.dg}
      is "$what" "$(for name in 'steps().counter' 'steps().much' \
        'loops().number' 'loops().lots'; do
        writes $log "$name"
      done | sed "$same" | paste -sd' ')" "1001 3002 2001 3002"
    done
  done
done

# Elsewhere more lines of main() may be shared.
shared='main()'
[ "$guest_arch" = amd64 ] || shared=main\(\).both
log=aligned-${CC##*/}-64-1.dg
if [ -e $log ]; then
  is "... a line that two threads write" "$("$DG" sharing --false --json $log |
    python3 -c '
import json, sys
for line in json.load (sys.stdin)["line_list"]:
    if sys.argv[1] in line["variable"]:
        print (line["advice"].split (":")[0])' "$shared")" \
    "put main().both.a and main().both.b into different lines"
fi

# The function that gives memory to others is an allocator if we say so.
inside=$(grep -n 'memory = malloc' "$guests/variables.c" | cut -d: -f1)
log=log0.dg
site ()
{
  "$DG" counts --by=site --json "$@" $log |
    sed -n 's/.*"name": "\([a-z_]* ([^"]*)\)".*/\1/p' |
    grep -E 'grab|node_new' | sort -u | paste -sd' '
}
is "a place of allocation" "$(site)" "grab (variables.c:$inside)"
inside=$(grep -n 'node = grab' "$guests/variables.c" | cut -d: -f1)
printf '# ours\n\ngrab -1 0 -1   # size, address\n' > allocators
is "--allocators: that of the caller" "$(site --allocators=allocators)" \
  "node_new (variables.c:$inside)"
is "-j1, -j2 and -j8, raw log and archive: the same names" "$(
  "$DG" pack $log -o log0.dgz
  for log in log0.dg log0.dgz; do
    for jobs in 1 ${DG_TEST_LONG:+2} 8; do
      "$DG" counts --by=variable --json -j$jobs $log |
        sed '/"log"/d' | md5sum
    done
  done | sort -u | wc -l)" 1

# Variables of a Fortran module have the names that a debugger shows, in all
# commands.
cat > shared.f90 << 'END'
module numbers
  integer :: table(256)
end module
program main
  use numbers
  integer :: i, k
  do k = 1, 50
    do i = 1, 256
      table(i) = i + k
    end do
  end do
  print *, sum(table)
end program
END
if [ -z "$(system_program gfortran)" ]; then
  skip "Fortran" "there is no gfortran for the guests"
elif ! gfortran -g -O0 shared.f90 -o shared 2> fortran.err; then
  skip "Fortran" "gfortran cannot make the program"
else
  record log.fortran ./shared > out
  for ask in 'counts --by=variable' 'cache --by=variable' \
    'reuse --by=variable' patterns pages; do
    "$DG" $ask --top=0 log.fortran > told
    check "Fortran: $ask: numbers::table" grep -q numbers::table told
    check "Fortran: $ask: no mangled name" sh -c '! grep -q numbers_MOD told'
  done
fi
done_testing
