# strange-debug.sh: debug information that may be anybody's (of another user's
# file, out of a bundle) is read by dg-probe first: where that ends badly, the
# command answers as without debug information, and says why.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

unset DEBUGINFOD_URLS
probe=${DATAGRIND_PROBE:?}

cat > prog.c << 'END'
struct pair { int a, b; } pairs[4];
__attribute__ ((noinline)) int leaf (volatile int *p) { return *p + 1; }
int main (void) { return leaf (&pairs[1].b); }
void _start (void) { main (); }
END
if ! ${CC:-cc} -O1 -g -nostdlib -static -no-pie -fno-pie \
    -Wl,--build-id=sha1 -o prog prog.c 2> /dev/null ||
    ! command -v nm objdump readelf > /dev/null; then
  skip 'no compiler for a program without libraries'
  finish
  exit
fi
# log_of PROGRAM LOG: it calls leaf (), which reads pairs[1].b.
log_of ()
{
  local text size leaf pairs id
  # Whose it is does not matter when anybody can write it.
  chmod 777 "$1"
  text=0x$(objdump -h "$1" | awk '$2 == ".text" { print $4 }')
  size=0x$(objdump -h "$1" | awk '$2 == ".text" { print $3 }')
  leaf=0x$(nm "$1" | sed -n 's/ . leaf$//p')
  pairs=0x$(nm "$1" | sed -n 's/ . pairs$//p')
  id=$(readelf -n "$1" | sed -n 's,.*Build ID: ,,p' | sed 's,.., 0x&,g')
  assemble "$2" << END
header
process 42 1 0 0 4096 64 0 8 "t" "v" "a" "/exe" "/" ["prog"]
text_avma $text "$PWD/$1"
module $text $size 0 [$id] ""
bbdef [$leaf+1] [R4@0]
context 0 [$leaf]
bbrun 0 1 [$((pairs + 12))]
end why=0 exit_code=0
END
}
log_of prog log

# ends NAME TEXT: dg-probe that ends in this way.
ends ()
{
  printf '#!/bin/sh\n%s\n' "$2" > "probe-$1"
  chmod 755 "probe-$1"
}
ends abort 'kill -ABRT $$'
ends fail 'exit 1'
ends silent 'exit 0'

# The numbers of an answer, without names.
numbers ()
{
  sed -n '/^Instructions/,/^$/p' stdout
}

# lacks FILE TEXT: no line of it has this.
lacks ()
{
  ! grep -q -e "$2" "$1"
  report "$1 has no '$2'" "$1"
}

# asks LOG: what is asked of it, with and without names.
asks ()
{
  local way

  export DATAGRIND_PROBE=$probe
  run dg counts --by=function "$1"
  [ "$exit_status" = 0 ] && numbers > numbers.good
  report 'is answered' stderr
  out_has leaf
  lacks stderr dg-probe
  for way in abort fail silent missing; do
    export DATAGRIND_PROBE=$PWD/probe-$way
    run timeout -k 5 300 "$DG" counts --by=function "$1"
    title="$1, $way"
    [ "$exit_status" = 0 ]
    report "status 0" stderr
    numbers | cmp - numbers.good
    report 'the numbers are the same' stdout
    lacks stdout leaf
    out_has prog
    err_has ' cannot be read: '
  done
  export DATAGRIND_PROBE=$PWD/probe-abort
  run dg counts --by=function "$1"
  err_has 'dg-probe, which reads it first, got signal 6'
  export DATAGRIND_PROBE=$PWD/probe-missing
  run dg counts --by=function "$1"
  err_has 'probe-missing cannot be started: No such file or directory'
}

export DATAGRIND_PROBE=$probe
asks log

# code LOG: what is more than code is tried when it is first asked for.
printf '#!/bin/sh\ncase $1 in m*) kill -ABRT $$;; esac\nexec %s "$@"\n' \
  "$probe" > probe-code
chmod 755 probe-code
code ()
{
  export DATAGRIND_PROBE=$PWD/probe-code
  run dg counts --by=function "$1"
  out_has leaf
  lacks stderr dg-probe
  run dg counts --by=variable "$1"
  err_has 'dg-probe, which reads it first, got signal 6'
}
code log

# Also where libdw reads a copy, as split units may be anybody's, too.
mkdir made
if (cd made && ${CC:-cc} -O1 -g -gsplit-dwarf -nostdlib -static -no-pie \
    -fno-pie -Wl,--build-id=sha1 -o split ../prog.c 2> /dev/null); then
  chmod 777 made/*
  log_of made/split split-log
  code split-log
else
  skip 'the compiler splits nothing'
fi

# What goes into a bundle is read in the same way.
export DATAGRIND_PROBE=$PWD/probe-abort
run dg bundle -o bad.dgz log
err_has 'got signal 6'
export DATAGRIND_PROBE=$probe
run dg bundle -o bundle.dgz log
[ "$exit_status" = 0 ]
report 'a bundle is made' stderr
# Own files are read as they are, but not those of a bundle.
mv prog away
asks bundle.dgz
mv away prog
chmod 755 prog
if [ "$(id -u)" = "$(stat -c %u prog)" ]; then
  export DATAGRIND_PROBE=$PWD/probe-abort
  run dg counts --by=function log
  out_has leaf
  lacks stderr dg-probe
fi

finish
