# What the recorder's tests share: TAP, guest programs, recordings.
# To be sourced by bash.  The caller is then in a directory of its own that
# goes away at the end.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
record_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guests=$record_dir/guests
: "${abs_top_srcdir:=$(cd "$record_dir/../.." && pwd)}"
: "${CC:=gcc}" "${CXX:=g++}" "${CLANG:=clang}"
n_tests=0
n_failed=0

skip_all () # REASON
{
  echo "1..0 # SKIP $1"
  exit 0
}

# DATAGRIND_CROSS, a folder of build-aux/cross-tool: guests are of another
# architecture, and both they and Valgrind are emulated.
guest_arch=amd64
guest_bits='64 32'
if [ -n "${DATAGRIND_CROSS:-}" ]; then
  guest_bits=64
  guest_arch=$(cat "$DATAGRIND_CROSS/arch") || exit 99
  VALGRIND_DG=$DATAGRIND_CROSS/valgrind
  CC=$DATAGRIND_CROSS/cc CXX=$DATAGRIND_CROSS/c++
fi

[ -n "$VALGRIND_DG" ] || skip_all "no Valgrind with exp-datagrind (VALGRIND_DG)"
[ -x "$DG" ] || skip_all "no dg (DG)"
# shellcheck source=../schema/schema.sh
. "$abs_top_srcdir/tests/schema/schema.sh"
# Libtool's script of a program not yet installed is slow to start, and adds to
# the environment, which recorded programs would find on their stacks: dg
# itself, and what it needs, are used in its place.
dg_program=$DG dg_environment=()
if [ -x "${DG%/*}/.libs/${DG##*/}" ]; then
  dg_program=${DG%/*}/.libs/${DG##*/}
  dg_environment=("LD_LIBRARY_PATH=${DG%/*}/../lib/.libs")
fi
case $VALGRIND_DG in
  *--tool=*) ;;
  *) VALGRIND_DG="$VALGRIND_DG --tool=exp-datagrind" ;;
esac

# Where the tool's programs are, as far as that can be told.
vg_launcher=${VALGRIND_DG%% *}
case $vg_launcher in
  */vg-in-place) vg_lib=${vg_launcher%/*}/.in_place ;;
  "${DATAGRIND_CROSS:-none}"/*)
    vg_lib=$(echo "$DATAGRIND_CROSS"/valgrind-*/.in_place) ;;
  *)
    vg_lib=$VALGRIND_LIB
    for dir in /usr/libexec/valgrind /usr/lib/valgrind \
               /usr/local/libexec/valgrind; do
      [ -n "$vg_lib" ] || [ ! -x $dir/exp-datagrind-amd64-linux ] \
        || vg_lib=$dir
    done ;;
esac

# The vgdb of that Valgrind, or else of the system; nothing: there is none.
find_vgdb ()
{
  local v
  for v in "${vg_launcher%/*}/vgdb" "${vg_launcher%/*}/coregrind/vgdb" \
    "$(command -v vgdb)"; do
    [ ! -x "$v" ] || { echo "$v"; return; }
  done
}

T=$(mktemp -d "${TMPDIR:-/tmp}/datagrind-test.XXXXXX") || exit 99
kept=$(mktemp -d "${TMPDIR:-/tmp}/datagrind-test.XXXXXX") || exit 99
trap 'cd / && rm -rf "$T" "$kept"' EXIT
trap 'exit 99' HUP INT TERM
cd "$T" || exit 99
if [ ${#dg_environment[@]} != 0 ]; then
  # shellcheck disable=SC2016  # for the script
  printf '%s\n' '#!/bin/sh' \
    "LD_LIBRARY_PATH='${dg_environment[0]#*=}'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" \
    'export LD_LIBRARY_PATH' "exec '$dg_program' \"\$@\"" > "$kept/itself"
  chmod +x "$kept/itself"
  DG=$kept/itself
fi
schema_keep "$kept"
# Nobody's habits, and the same for all runs.
export HOME=$T LC_ALL=C
unset VALGRIND_OPTS LD_PRELOAD DEBUGINFOD_URLS MALLOC_PERTURB_ GLIBC_TUNABLES

# Clang is a compiler for all architectures; the rest is that of the other one.
if [ -n "${DATAGRIND_CROSS:-}" ]; then
  root=$DATAGRIND_CROSS/root
  triplet=$(cd "$root/usr" && echo *-linux-gnu*)
  CLANG=$kept/clang
  cat > "$CLANG" << END
#!/bin/sh
exec clang --target=$triplet --sysroot=$root -B$(echo "$root"/usr/lib/gcc-cross/$triplet/*) \
  -L$(echo "$root"/usr/lib/gcc-cross/$triplet/*) -L$root/usr/$triplet/lib \
  -isystem $root/usr/$triplet/include --ld-path=$DATAGRIND_CROSS/tools/binutils/ld \
  "\$@"
END
  chmod +x "$CLANG"
fi

# Where a program of the system is, if guests are of its architecture.
system_program () # NAME
{
  [ -z "${DATAGRIND_CROSS:-}" ] && command -v "$1"
}

# The compiler's option for guests of 64 or 32 bits; nothing: it has none.
width () # BITS
{
  [ -n "${DATAGRIND_CROSS:-}" ] || echo "-m$1"
}

# Runs a guest without Valgrind.
alone ()
{
  ${DATAGRIND_CROSS:+"$DATAGRIND_CROSS/run"} "$@"
}

note ()
{
  printf '%s\n' "$@" | sed 's/^/# /'
}

ok () # WHAT
{
  n_tests=$((n_tests + 1))
  echo "ok $n_tests - $1"
}

not_ok () # WHAT [WHY...]
{
  n_tests=$((n_tests + 1))
  n_failed=$((n_failed + 1))
  echo "not ok $n_tests - $1"
  shift
  [ $# = 0 ] || printf '%s\n' "$@" | head -n 20 | sed 's/^/#   /'
}

skip () # WHAT REASON
{
  n_tests=$((n_tests + 1))
  echo "ok $n_tests - $1 # SKIP $2"
}

# Passes when the command succeeds; shows what it printed when not.
check () # WHAT COMMAND...
{
  local what=$1
  shift
  if "$@" > "$T/.check" 2>&1; then
    ok "$what"
  else
    not_ok "$what" "status $? of: $*" "$(cat "$T/.check")"
  fi
}

is () # WHAT GOT EXPECTED
{
  if [ "$2" = "$3" ]; then
    ok "$1"
  else
    not_ok "$1" "got:      $2" "expected: $3"
  fi
}

# What was written with --json is as docs/schema/ says.
check_schemas ()
{
  if schema_python; then
    check 'what was written with --json is as its schemas say' schema_check
  else
    skip 'what was written with --json' "$schema_why"
  fi
}

done_testing ()
{
  schema_any && check_schemas
  echo "1..$n_tests"
  [ "$n_failed" = 0 ]
  exit
}

# Where valgrind.h is: the installed one, or that of the tool's own tree.
client_flags="-I$abs_top_srcdir/include"
for dir in "${vg_launcher%/*}/include" "${vg_lib%/.in_place}/include" \
           /usr/include/valgrind \
           /usr/local/include/valgrind; do
  if [ -e "$dir/valgrind.h" ]; then
    client_flags="$client_flags -I$dir"
    # In a source tree, each tool has its own.
    [ -e "$dir/memcheck.h" ] ||
      client_flags="$client_flags -I${dir%/include}/memcheck"
    break
  fi
done

# As they are installed; the compiler of another architecture does not look
# where this system has them.
if [ -n "${DATAGRIND_CROSS:-}" ]; then
  mkdir -p "$kept/include/valgrind"
  ln -sf "$abs_top_srcdir"/include/d*.h "$kept/include/valgrind/"
  ln -sf "$dir/valgrind.h" "$kept/include/valgrind/"
  client_flags="$client_flags -I$kept/include"
fi

# Compiles guests/NAME.c or .cpp as ./NAME, or ./$as; 1 if it cannot.
guest () # NAME [FLAGS...]
{
  local name=$1 cc=$CC std=-std=gnu11 src=$guests/$1.c
  local out=${as:-$1}
  shift
  if [ ! -e "$src" ]; then
    src=${src%.c}.cpp cc=$CXX std=-std=gnu++17
  fi
  # shellcheck disable=SC2086
  $cc $std -g -O1 -w $client_flags "$src" -o "$out" "$@" \
    > "$T/.compile" 2>&1 || { note "$name: $(head -n 3 "$T/.compile")"; return 1; }
}

# "-static", for guests that need no library of their own, if the compiler can
# link so: to load libraries, and to read their logs and names, takes many times
# as long as what a guest does.  With DG_TEST_LONG they are dynamic.
static_flag () # [FLAGS...]
{
  [ -z "$DG_TEST_LONG${DATAGRIND_CROSS:-}" ] || return 0
  echo 'int main (void) { return 0; }' > "$kept/static.c"
  # shellcheck disable=SC2086
  $CC "$@" -static "$kept/static.c" -o "$kept/static" > /dev/null 2>&1 &&
    echo -static
}

# Records a program; Valgrind's own words go to LOG.err.  With recorded=live,
# `dg record` does it, and the archive is unpacked.
record () # LOG [OPTIONS... --] PROGRAM [ARGS...]
{
  local log=$1 options=()
  shift
  while [ "${1#-}" != "$1" ]; do
    if [ "$1" = -- ]; then shift; break; fi
    options+=("$1")
    shift
  done
  if [ "$recorded" = live ]; then
    "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o "$log.dgz" \
      "${options[@]}" -- "$@" 2> "$log.err"
    local status=$?
    "$DG" unpack "$log.dgz" -o "$log" >> "$log.err" 2>&1
    rm -f "$log.dgz"
    return $status
  fi
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --datagrind-out-file="$log" "${options[@]}" "$@" \
    2> "$log.err"
}

# Both readers find the log whole: dg, and the tests' own.
check_log () # WHAT LOG
{
  if ! "$DG" check "$2" > "$T/.check" 2>&1; then
    not_ok "$1" "dg check: $(cat "$T/.check")"
  elif ! perl -I"$record_dir" -MDgLog -e '
         my $t = read_log ($ARGV[0]);
         die "no end record\n" unless $t->{ended}' "$2" \
         > "$T/.check" 2>&1; then
    not_ok "$1" "DgLog.pm: $(cat "$T/.check")"
  else
    ok "$1"
  fi
}

# Runs Perl with the log reader at hand.
dglog () # PROGRAM-TEXT [ARGS...]
{
  local text=$1
  shift
  perl -I"$record_dir" -MDgLog -e "use strict; use warnings; $text" -- "$@"
}

# One figure of `dg info --json`.
info () # LOG KEY
{
  "$dg_itself" info --json "$1" 2> /dev/null \
    | sed -n "s/^ *\"$2\" *: *\"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" \
    | head -n 1
}

# Waits until a command succeeds; 1 if it does not within ten minutes, which
# no machine needs, however busy it is.
wait_until () # COMMAND...
{
  local end=$((SECONDS + 600))
  until "$@" 2> /dev/null; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# How a command ended, as "exit N" or "signal N".
ending () # COMMAND...
{
  perl -e 'my $s = system { $ARGV[0] } @ARGV;
           $s = $?;
           open STDOUT, ">", $ENV{ENDING} or die;
           print $s & 127 ? "signal " . ($s & 127) : "exit " . ($s >> 8)' \
    "$@"
}
