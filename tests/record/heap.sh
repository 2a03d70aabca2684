#!/bin/bash
# The heap: every allocation and free with its kind, size and stack.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

flags=(-no-pie -fno-pie)
# Blocks are in the log outside of windows, too: where only they are asked for,
# there is no more to read.
no_runs=--datagrind-start=no
[ -z "$DG_TEST_LONG" ] || no_runs=

# The blocks of a log that were made under a function, in the syntax of
# guests/allocators.cpp.
events_under () # LOG PROGRAM FUNCTIONS
{
  dglog 'my ($log, $program, $functions) = @ARGV;
    my @f = map { [symbol_range ($program, $_)] } split /,/, $functions;
    my ($block, $free, %mine);
    my $under = sub {
      my ($stack) = @_;
      grep { my $s = $_; grep { $s >= $_->[0] && $s < $_->[1] } @f } @$stack;
    };
    read_log ($log,
      MALLOC_BLOCK => sub { $block = $_[0] },
      HEAP_ALLOC => sub {
        my ($h) = @_;
        return unless $under->($block->{stack});
        die sprintf "%x: usable %d of %d\n",
            $block->{address}, $h->{usable}, $block->{size}
          if $h->{usable} < $block->{size};
        printf "A %d %d %d %x %x\n", $h->{allocator}, $block->{size},
               $h->{alignment}, $block->{address}, $h->{old};
      },
      FREE_BLOCK => sub { $free = $_[0] },
      HEAP_FREE => sub {
        my ($h) = @_;
        printf "F %d %x\n", $h->{allocator}, $free->{address}
          if $under->($h->{stack});
      })' "$@"
}

if guest allocators "${flags[@]}"; then
  record all.dg ./allocators > said
  is "allocators: exit status" $? 0
  check_log "allocators: log" all.dg
  events_under all.dg allocators \
    "$(nm allocators | sed -n 's/.* t \(_ZL.*_waysv\)$/\1/p' | paste -sd,)" \
    > got
  # A kind that can be one of several stands for any of them.
  if perl -e 'open my $e, "<", "said"; open my $g, "<", "got";
    my @e = <$e>; my @g = <$g>;
    my $line = 0;
    for my $i (0 .. ($#e > $#g ? $#e : $#g)) {
      my ($x, $y) = ($e[$i] // "nothing\n", $g[$i] // "nothing\n");
      my ($p, $q) = ($x, $y);
      if ($x =~ /^(\w) (\S+) (.*)/) {
        my ($w, $k, $rest) = ($1, $2, $3);
        $p = join "|", map { quotemeta "$w $_ $rest" } split /,/, $k;
        next if $q =~ /^(?:$p)$/;
      }
      print "event $i: expected $x          found $y";
      exit 1 if ++$line > 5;
    }
    exit $line' > diff.out && [ -s said ]; then
    ok "allocators: $(wc -l < said) events, all as the program says"
  else
    not_ok "allocators: all events as the program says" "$(cat diff.out)"
  fi
  is "allocators: sequence numbers count every event" \
    "$(dglog 'my ($n, $bad) = (0, 0);
       my $next = sub { $bad++ if $_[0]{seqno} != ++$n };
       read_log ($ARGV[0], HEAP_ALLOC => $next, HEAP_FREE => $next);
       print $bad' all.dg)" 0
else
  skip "allocators" "the compiler cannot make the program"
fi

# Sizes that may be used: as the program sees them, and as with another tool.
if guest usable "${flags[@]}"; then
  record usable.dg $no_runs -- ./usable > said
  is "usable: exit status" $? 0
  check_log "usable: log" usable.dg
  dglog 'my ($size, $n) = (0, 0);
    read_log ($ARGV[0],
      MALLOC_BLOCK => sub { $size = $_[0]{size} },
      HEAP_ALLOC => sub { print "$size $_[0]{usable}\n" })' usable.dg > all
  # Others than the program's own stand before and behind.
  if perl -e 'my ($said, $all) = map { local $/; open my $f, "<", $_; <$f> }
                                     @ARGV;
              exit (index ("\n$all", "\n$said") < 0)' said all; then
    ok "usable: $(wc -l < said) sizes, as the program says"
  else
    not_ok "usable: sizes as the program says" "$(diff said all | head)"
  fi
  massif=$(command -v valgrind.bin || command -v valgrind)
  if [ -n "$massif" ] \
     && VALGRIND_LIB=/usr/libexec/valgrind "$massif" -q --tool=massif \
          --massif-out-file=/dev/null ./usable > others 2> massif.err; then
    check "usable: the same with Massif" cmp said others
  else
    skip "usable: the same with Massif" "not installed"
  fi
else
  skip "usable" "the compiler cannot make the program"
fi

guest blocks "${flags[@]}" || skip_all "the compiler cannot make the programs"
record blocks.dg ./blocks
check_log "blocks: log" blocks.dg
# The program's own malloc, as it maps.
record own.dg --datagrind-replace-malloc=no ./blocks
check_log "own malloc: log" own.dg
is "own malloc: no blocks" "$(info own.dg heap_allocs)" 0
check "own malloc: it maps, and says who" \
  dglog 'my ($what, $n) = (-1, 0);
    read_log ($ARGV[0], MAP => sub { $what = $_[0]{what} },
      MAP_STACK => sub { $n++ if $what == 2; $what = -1 });
    die "no brk\n" unless $n' own.dg
if path=$(system_program env); then
  record env.dg --datagrind-replace-malloc=no "$path" > env
  is "own malloc: the library is not preloaded" \
    "$(grep -c 'vgpreload_exp-datagrind' env)" 0
  check "own malloc: Valgrind's own is" grep -q 'vgpreload_core' env
else
  skip "own malloc: what is preloaded" "programs are of another architecture"
fi

is "blocks made in small ()" \
  "$(events_under blocks.dg blocks small | grep -c '^A 1 64 0 ')" 40
is "blocks made in large ()" \
  "$(events_under blocks.dg blocks large | grep -c '^A 1 4096 0 ')" 1
is "blocks freed in drop ()" \
  "$(events_under blocks.dg blocks drop | grep -c '^F 11 ')" 36
for f in small large drop; do
  check "main () stands outside $f () in the stack" \
    dglog 'my ($lo, $hi) = symbol_range ($ARGV[1], $ARGV[2]);
      my ($mlo, $mhi) = symbol_range ($ARGV[1], "main");
      my ($good, $bad) = (0, 0);
      my $look = sub {
        my @s = @{$_[0]{stack}};
        for my $i (0 .. $#s) {
          next unless $s[$i] >= $lo && $s[$i] < $hi;
          $i < $#s && $s[$i + 1] >= $mlo && $s[$i + 1] < $mhi
            ? $good++ : $bad++;
        }
      };
      read_log ($ARGV[0], MALLOC_BLOCK => $look, HEAP_FREE => $look);
      die "$good good, $bad bad\n" if $bad || !$good' blocks.dg blocks $f
done
is "dg info: allocations less frees" \
  "$(($(info blocks.dg heap_allocs) - $(info blocks.dg heap_frees)))" 5

# A block's life is where it should be: after malloc's code, before its use.
is "writes to the living blocks of small ()" \
  "$(dglog 'my ($lo, $hi) = symbol_range ($ARGV[1], "small");
     my (%live, @n);
     @n = (0, 0);
     read_log ($ARGV[0],
       MALLOC_BLOCK => sub {
         $live{$_[0]{address}} = $_[0]{size}
           if grep { $_ >= $lo && $_ < $hi } @{$_[0]{stack}} },
       FREE_BLOCK => sub { delete $live{$_[0]{address}} },
       BBRUN => sub {
         for my $a (accesses ($_[0])) {
           for (keys %live) {
             $n[$a->[0]]++ if $a->[1] >= $_ && $a->[1] < $_ + $live{$_};
           }
         }
       });
     print "$n[1] written, $n[0] read"' blocks.dg blocks)" \
  "320 written, 640 read"
is "dg: accesses to blocks that small () made" \
  "$("$DG" dump --accesses --ranges=fn:small blocks.dg | grep -c '^ [LS]')" 960
is "dg: accesses of use () to heap blocks" \
  "$("$DG" dump --accesses --events=fn:use --ranges=malloc blocks.dg \
     | grep -c '^ [LS]')" 960
is "dg: no accesses to the block of large ()" \
  "$("$DG" dump --accesses --ranges=fn:large blocks.dg | grep -c '^ [LS]')" 0

# A program that reads what it has freed, as many do, is not the worse for us.
if guest heap-freed; then
  alone ./heap-freed
  is "heap-freed: alone" $? 0
  record freed.dg ./heap-freed
  is "heap-freed: the memory of the last block stays" $? 0
  check "heap-freed: log" "$DG" check freed.dg
else
  skip "heap-freed" "cannot be compiled"
fi

# Valgrind's own trace of the calls, of the same run, has the same sizes in
# the same order.  A realloc of nothing, or to nothing, shows as what it does.
trace_sizes ()
{
  perl -ne 'while (/(\w+)\(([^()]*)\)/g) {
      my ($f, @n) = ($1, split /, ?/, $2);
      s/.* // for @n;
      if ($f eq "calloc") { print $n[0] * $n[1], "\n" }
      elsif ($f eq "realloc") {
        # Of no block, up to 3.19 it says so and calls malloc, in this line.
        print "$n[1]\n" if $n[1] && (hex $n[0] || !/\)malloc\(/) }
      elsif ($f eq "memalign" || $f =~ /align_val/) {
        print $n[$f eq "memalign"], "\n" unless $f =~ /^_Zd/ }
      elsif ($f =~ /^(malloc|_Zn[wa]\w+)$/) { print "$n[0]\n" }
    }' "$1"
}
for program in sqlite3 ls g++; do
  if ! path=$(system_program $program); then
    skip "$program" "not installed, or of another architecture"
    continue
  fi
  args=(-l /)
  [ $program = sqlite3 ] && args=(-batch :memory: 'create table t (a);
    insert into t values (1), (2), (3); select sum (a) from t;')
  [ $program = g++ ] && args=(--version)
  record $program.dg $no_runs --trace-malloc=yes --log-file=$program.trace \
    "$path" "${args[@]}" > $program.out
  check "$program: log" "$DG" check $program.dg
  dglog 'my $t = read_log ($ARGV[0],
           MALLOC_BLOCK => sub { print "$_[0]{size}\n" });
         print "no end record\n" unless $t->{ended}' $program.dg > got
  trace_sizes $program.trace > expected
  if [ -s got ] && cmp -s got expected; then
    ok "$program: $(wc -l < got) blocks, as --trace-malloc tells"
  else
    not_ok "$program: blocks as --trace-malloc tells" \
      "$(diff expected got | head -n 10)"
  fi
done

done_testing
