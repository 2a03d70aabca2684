#!/bin/bash
# Call stacks: the recorder keeps them itself instead of unwinding.  Here it
# compares a sample with Valgrind's unwinder, and the log is looked at: the
# function that everything hangs under is in the stack of everything.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
# The unwinder is wrong inside _dl_runtime_resolve, whose frame is aligned by
# hand: symbols are bound before the program begins.
export LD_BIND_NOW=1

least=99

# sample NAME ROOTS FUNCTIONS [OPTIONS... --] PROGRAM ARGS...
# ROOTS stand in the stack of all runs of FUNCTIONS (comma lists).
sample ()
{
  local name=$1 roots=$2 functions=$3 percent program
  shift 3
  if ! record "$name.dg" "$@" > "$name.out"; then
    not_ok "$name: runs" "$(cat "$name.dg.err")"
    return
  fi
  percent=$(sed -n 's/.*stacks: *\([0-9.]*\) *%.*/\1/p' "$name.dg.err")
  note "$name: $(sed -n 's/.*stacks: */stacks: /p' "$name.dg.err")"
  if perl -e 'exit !(($ARGV[0] || 0) >= $ARGV[1])' "$percent" "$least"; then
    ok "$name: at least $least % of the sampled stacks are the unwinder's"
  else
    not_ok "$name: at least $least % of the sampled stacks are the unwinder's" \
      "$(cat "$name.dg.err")"
  fi
  # The other reader walks it below.
  check "$name: log" "$DG" check "$name.dg"
  while [ $# -gt 0 ]; do
    case $1 in
      -*) shift ;;
      *) break ;;
    esac
  done
  program=$1
  check "$name: $roots under every run of $functions" \
    dglog 'my ($log, $program, $roots, $functions) = @ARGV;
      my @roots = map { [symbol_range ($program, $_)] } split /,/, $roots;
      my @own = map { [symbol_range ($program, $_)] } split /,/, $functions;
      my (%own, %good, $n, $bad);
      my $t = read_log ($log, BBRUN => sub {
        my ($r) = @_;
        my $c = $r->{context};
        $own{$c} //= 0 + grep { $r->{stack}[0] >= $_->[0]
                                && $r->{stack}[0] < $_->[1] } @own;
        return unless $own{$c};
        $n++;
        $good{$c} //= 0 + grep { my $s = $_;
          grep { $s >= $_->[0] && $s < $_->[1] } @roots } @{$r->{stack}};
        $bad++ unless $good{$c};
      });
      die "no end record\n" unless $t->{ended};
      die "no runs of them\n" unless $n;
      die "$bad of $n without\n" if $bad' \
      "$name.dg" "$program" "$roots" "$functions"
}

# The library's filter finds as many accesses under a function as there are.
under () # NAME PROGRAM FUNCTION
{
  local expected got
  expected=$(dglog 'my ($lo, $hi) = symbol_range ($ARGV[1], $ARGV[2]);
    my ($n, %in) = 0;
    read_log ($ARGV[0], BBRUN => sub {
      my ($r) = @_;
      $in{$r->{context}} //= 0 + grep { $_ >= $lo && $_ < $hi } @{$r->{stack}};
      $n += accesses ($r) if $in{$r->{context}};
    });
    print $n' "$1.dg" "$2" "$3")
  got=$("$DG" dump --accesses --events=fn:"$3" "$1.dg" | grep -c '^ [LS]')
  is "$1: dg finds the $expected accesses under $3" "$got" "$expected"
}

every ()
{
  echo "--datagrind-check-stacks=$1"
}

ulimit -s unlimited 2> /dev/null
flags=(-no-pie -fno-pie)
# Programs whose own calls are looked at; those of libraries are in the others,
# and much of what they do where the unwinder finds fewer frames in the program.
# shellcheck disable=SC2206,SC2207
static=("${flags[@]}" $(static_flag)) static_32=("${flags[@]}" $(static_flag -m32))

guest longjmp "${static[@]}" && {
  sample longjmp main level,down,touch "$(every 7)" ./longjmp
  under longjmp ./longjmp down
}
guest exceptions "${flags[@]}" -O0 -DNDEBUG && {
  program=./exceptions
  sample exceptions main "$(nm exceptions | sed -n \
    's/.* t \(_ZL4downii\|_ZL6middlei\)$/\1/p' | paste -sd,)" \
    "$(every 101)" $program
}
guest sigstack "${static[@]}" && {
  sample sigstack main down,touch,returns,nested,jumps "$(every 3)" ./sigstack
  under sigstack ./sigstack returns
}
guest coroutines "${static[@]}" && {
  sample coroutines body,main body,down,yield "$(every 7)" ./coroutines
  under coroutines ./coroutines yield
}
# Stacks that nobody told of: the program must not notice.
for bits in 64 32; do
  if [ $bits = 32 ] && [ ! -x "$vg_lib/exp-datagrind-x86-linux" ]; then
    skip "stacks handed over, 32 bits" "the tool is not built for x86"
  elif as=handoff-$bits guest handoff "${flags[@]}" \
    $(static_flag -m$bits) -m$bits; then
    record handoff.dg ./handoff-$bits > handoff.out
    is "stacks handed over, $bits bits: status" $? 0
    is "stacks handed over, $bits bits: output" "$(cat handoff.out)" 1200
    check_log "stacks handed over, $bits bits: log" handoff.dg
    check "stacks handed over, $bits bits: it fits together" \
      "$DG" invariants handoff.dg
  else
    skip "stacks handed over, $bits bits" "not for this processor"
  fi
done
guest tailcall "${static[@]}" -O2 && {
  sample tailcall main first,second,third,leaf,outer "$(every 7)" ./tailcall
}
guest deep "${static[@]}" && {
  depth=100000 step=1009
  [ -z "$DG_TEST_LONG" ] || depth=1000000 step=10007
  sample deep main ping,pong "$(every $step)" --main-stacksize=400000000 \
    -- ./deep $depth
  rm -f deep.dg
}
guest manythreads "${flags[@]}" -pthread && {
  sample threads body,main down,body,last "$(every 7)" ./manythreads
}
guest callbacks "${flags[@]}" && {
  sample callbacks main,bye compare,difference "$(every 7)" ./callbacks
  under callbacks ./callbacks compare
}
if guest rettricks "${flags[@]}"; then
  sample tricks main round_trip,target,touch "$(every 7)" ./rettricks
else
  skip "tricks" "not for this processor"
fi

# The other word size.
if [ -x "$vg_lib/exp-datagrind-x86-linux" ]; then
  for name in longjmp sigstack coroutines \
              ${DG_TEST_LONG:+tailcall manythreads}; do
    functions=down,touch roots=main
    case $name in
      sigstack) functions=down,touch,returns,nested,jumps ;;
      coroutines) functions=down,yield roots=body,main ;;
      tailcall) functions=first,second,third,leaf ;;
      manythreads) functions=down roots=body,main ;;
    esac
    level=-O1
    [ $name != tailcall ] || level=-O2
    # In 32 bits the unwinder takes the C library's return from a signal for
    # a handler's caller, and ends there.
    least=99 step=7
    [ $name != sigstack ] || least=85
    [ $name != manythreads ] || step=31
    if as=$name-32 guest $name -m32 "${static_32[@]}" $level -pthread; then
      sample $name-32 $roots $functions "$(every $step)" ./$name-32
    else
      skip "$name-32" "the compiler cannot make 32-bit programs"
    fi
  done
else
  skip "32-bit programs" "the tool is not built for x86"
fi

# With too few nodes the stacks are cut, the log says by how many calls, and
# all the rest is there.
if guest deep "${static[@]}"; then
  record few.dg --datagrind-fold=no --datagrind-max-nodes=1000 ./deep 5000 \
    > few.out
  is "few nodes: exit status" $? 0
  check_log "few nodes: log" few.dg
  lost=$(dglog 'my $t = read_log ($ARGV[0]); print $t->{lost_calls}' few.dg)
  note "few nodes: $lost calls are not in the stacks"
  check "few nodes: the end record says what is lost" test "$lost" -gt 0
  record many.dg ./deep 5000 > many.out
  for what in instructions reads writes; do
    is "few nodes: $what" "$(info few.dg $what)" "$(info many.dg $what)"
  done
  is "enough nodes: no call is lost" \
    "$(dglog 'my $t = read_log ($ARGV[0]); print $t->{lost_calls}' many.dg)" 0
fi

# Unfolded stacks, and short ones, are what they are called.
guest deep "${static[@]}" && {
  for depth in 1 2 20 254; do
    record short.dg --datagrind-fold=no --datagrind-stack-depth=$depth \
      ./deep 500 > short.out
    is "stacks of at most $depth, unfolded" \
      "$(dglog 'my $most = 0;
         read_log ($ARGV[0], CONTEXT => sub { }, BBRUN => sub {
           my $n = @{$_[0]{stack}} - 1;
           $most = $n if $n > $most });
         print $most' short.dg)" $depth
  done
  check "unfolded: the recursion stands in the stack" \
    dglog 'my ($lo, $hi) = symbol_range ("deep", "pong");
      my $most = 0;
      read_log ($ARGV[0], BBRUN => sub {
        my $n = grep { $_ >= $lo && $_ < $hi } @{$_[0]{stack}};
        $most = $n if $n > $most });
      die "$most times\n" if $most < 120' short.dg
  record folded.dg ./deep 500 > folded.out
  check "folded: a call site stands once in a stack" \
    dglog 'read_log ($ARGV[0], BBRUN => sub {
        my %seen;
        my (undef, @sites) = @{$_[0]{stack}};
        $seen{$_}++ && die "twice in context $_[0]{context}\n" for @sites })' \
      folded.dg
}

done_testing
