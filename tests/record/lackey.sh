#!/bin/bash
# The recorder against lackey, which prints every access by other code: the
# same programs, laid out alike, have the same trace, line by line.
#
# Dynamically linked programs cannot be laid out alike, as the recorder loads
# one library more and replaces malloc: there the program's own code is
# compared instruction by instruction, and the totals within a bound.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"

find_oracle lackey
lackey ()
{
  theirs --basic-counts=no "$@"
}

# Modifies are a load and a store; lackey's own words go.
expected ()
{
  sed -n -e 's/^ M \(.*\)/ L \1\n S \1/p' -e t -e '/^I  \| [LS] /p' "$1"
}

# shellcheck disable=SC2086
same_trace () # NAME PROGRAM [OURS [THEIRS]]: options
{
  ours --datagrind-out-file="$1.dg" $3 "$2" > "$1.out" 2> "$1.err"
  local status=$?
  lackey --trace-mem=yes --log-file="$1.lk" $4 "$2" > "$1.lkout" 2> /dev/null
  if [ $? != $status ]; then
    not_ok "$1: ends as under lackey" "status $status" "$(cat "$1.err")"
    return
  fi
  expected "$1.lk" > "$1.expected"
  if ! "$DG" dump --accesses "$1.dg" > "$1.got" 2> "$1.err"; then
    not_ok "$1: dg dump" "$(cat "$1.err")"
    return
  fi
  note "$1: $(grep -c ^I "$1.expected") instructions,\
 $(grep -c '^ L' "$1.expected") loads, $(grep -c '^ S' "$1.expected") stores"
  if [ ! -s "$1.expected" ]; then
    not_ok "$1: trace equals lackey's" "lackey printed nothing"
  elif cmp -s "$1.expected" "$1.got"; then
    ok "$1: trace equals lackey's"
  else
    not_ok "$1: trace equals lackey's" "lines: lackey\
 $(wc -l < "$1.expected"), recorder $(wc -l < "$1.got")" \
      "$(diff "$1.expected" "$1.got" | head -n 12)"
  fi
  cmp -s "$1.out" "$1.lkout" || not_ok "$1: prints the same"
  rm -f "$1".*
}

avx=
grep -qw avx2 /proc/cpuinfo && avx="-mavx2 -mfma"

# Programs of one architecture, 64 or 32 bits of amd64.
all_bits=$guest_arch
[ "$guest_arch" != amd64 ] || all_bits='64 32'
for bits in $all_bits; do
  option=-m$bits
  [ "$guest_arch" = amd64 ] || option=
  if [ $bits = 32 ] && [ ! -x "$vg_lib/exp-datagrind-x86-linux" ]; then
    skip "32-bit programs" "the tool is not built for x86"
    continue
  fi
  # shellcheck disable=SC2086
  if ! as=environment-$bits guest bare-environment $option "${bare[@]}"; then
    skip "$bits-bit programs" "the compiler cannot make them"
    continue
  fi
  if ! fill "$T/environment-$bits" --basic-counts=no; then
    not_ok "$bits-bit: environments can be made alike"
    continue
  fi
  for name in $bare_names; do
    flags=
    [ $name = float ] && [ $bits = 64 ] && flags=$avx
    [ $name = float ] && [ $bits = 32 ] && flags=-msse2
    # shellcheck disable=SC2086
    if as=$name-$bits guest bare-$name $option "${bare[@]}" $flags; then
      same_trace $name-$bits "$T/$name-$bits"
      # What --datagrind-exact=yes does, lackey can be told to do.
      case $name in
        float | flow)
          cp $name-$bits $name-$bits-exact
          same_trace $name-$bits-exact "$T/$name-$bits-exact" \
            --datagrind-exact=yes --px-default=allregs-at-each-insn ;;
      esac
    else
      not_ok "$name-$bits: compiles"
    fi
  done
  # Of the C library, one width, and one of its programs below; lackey takes a
  # system call for each line.  All with DG_TEST_LONG.
  [ $bits = 64 ] || [ "$guest_arch" != amd64 ] || [ -n "$DG_TEST_LONG" ] ||
    continue
  # shellcheck disable=SC2086
  if as=libc-$bits guest static-libc $option -static; then
    same_trace libc-$bits "$T/libc-$bits"
  else
    skip "libc-$bits" "no static C library of $bits bits"
  fi
done

# What the program's own code does, as "count instruction" lines, and totals.
# Code that allocates nothing by itself runs the same with either malloc.
own_code ()
{
  perl -e 'my ($lo, $hi, @n, %c, $a, $own) = (hex shift, hex shift, 0, 0, 0);
    while (<STDIN>) {
      if (/^I  ([0-9a-fA-F]+),/) {
        $n[0]++;
        $a = $1;
        $own = hex ($a) >= $lo && hex ($a) < $hi;
        $c{"I $a"}++ if $own;
      } elsif (/^ ([LSM]) [0-9a-fA-F]+,(\d+)/) {
        my $m = $1 eq "M";
        $n[1]++ if $m || $1 eq "L";
        $n[2]++ if $m || $1 eq "S";
        next unless $own;
        $c{"L $a $2"}++ if $m || $1 eq "L";
        $c{"S $a $2"}++ if $m || $1 eq "S";
      }
    }
    print "@n\n";
    print "$_ $c{$_}\n" for sort keys %c' "$1" "$2"
}

percent () # GOT EXPECTED
{
  perl -e 'printf "%+.2f", 100 * ($ARGV[0] - $ARGV[1]) / $ARGV[1]' "$1" "$2"
}

# The bound is for the totals only; what stands in it is the loading of one
# more library and the C library's malloc, which runs in lackey's program
# and not in ours.
like_lackey () # NAME BOUND PROGRAM ARGS...
{
  local name=$1 bound=$2 text g e i all=
  shift 2
  ours --datagrind-out-file="$name.dg" "$@" > "$name.out" 2> "$name.err"
  lackey --trace-mem=yes --log-file="$name.lk" "$@" > "$name.lkout" \
    2> /dev/null
  if ! cmp -s "$name.out" "$name.lkout"; then
    not_ok "$name: prints the same" "$(cat "$name.err")"
  fi
  # The program's code: its first executable segment, at what the log says.
  text=$(dglog 'my ($r, $exe, %m);
    read_log ($ARGV[0], PROCESS => sub { $exe = $_[0]{exe} },
      TEXT_AVMA => sub { $r = $_[0] },
      MODULE => sub { $m{$r->{file}} //= $_[0] });
    my $m = $m{$exe} || $m{$ARGV[1]} or die "no module $exe\n";
    printf "%x %x\n", $m->{text}, $m->{text} + $m->{size}' \
      "$name.dg" "$(readlink -f "$1")" 2> "$name.err")
  if [ -z "$text" ]; then
    not_ok "$name: the program's module is in the log" "$(cat "$name.err")"
    return
  fi
  # shellcheck disable=SC2086
  "$DG" dump --accesses "$name.dg" | own_code $text > "$name.got"
  # shellcheck disable=SC2086
  own_code $text < "$name.lk" > "$name.expected"
  read -r -a g < "$name.got"
  read -r -a e < "$name.expected"
  for i in 0 1 2; do
    all="$all $(percent "${g[i]}" "${e[i]}")%"
  done
  note "$name: lackey ${e[*]} instructions, loads, stores; recorder ${g[*]}:$all"
  if perl -e 'my $b = pop; exit !!grep { abs $_ > $b }
              map { 100 * ($ARGV[$_] - $ARGV[$_ + 3]) / $ARGV[$_ + 3] } 0 .. 2' \
       "${g[@]}" "${e[@]}" "$bound"; then
    ok "$name: totals within $bound % of lackey's"
  else
    not_ok "$name: totals within $bound % of lackey's" "$all"
  fi
  sed -i 1d "$name.got" "$name.expected"
  note "$name: $(wc -l < "$name.expected") different accesses and instructions\
 in the program's own code"
  if [ -s "$name.expected" ] && cmp -s "$name.got" "$name.expected"; then
    ok "$name: the program's own code runs as under lackey"
  else
    not_ok "$name: the program's own code runs as under lackey" \
      "$(diff "$name.expected" "$name.got" | head -n 12)"
  fi
  rm -f "$name".*
}

if [ "$guest_arch" = amd64 ] && [ -e environment-64 ]; then
  filled=LD_PRELOAD=
  mkdir files
  for i in 1 2 3 4 5 6 7 8; do
    seq $i $((i * 200)) > "files/$i"
    touch -d '2020-01-01 00:00' "files/$i"
  done
  like_lackey ls 10 "$(command -v ls)" -n files
  [ -n "$DG_TEST_LONG" ] || done_testing
  like_lackey gzip 10 "$(command -v gzip)" -c -9 files/3
  if command -v sqlite3 > /dev/null; then
    like_lackey sqlite3 10 "$(command -v sqlite3)" -batch :memory: \
      'create table t (a, b); insert into t values (1, 2), (3, 4), (5, 6);
       select sum (b), max (a) from t where a % 3 = 1;'
  else
    skip "sqlite3" "not installed"
  fi
fi

done_testing
