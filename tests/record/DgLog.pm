# A second reader of the log, for the recorder's tests: written from the
# format alone, shares nothing with libdatagrind, and is strict.
# Not here: speed, recovery from damage.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

package DgLog;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(read_log accesses symbol_range);

my @NAMES = qw(HEADER READ WRITE TRACK_RANGE UNTRACK_RANGE START_EVENT
  END_EVENT INSTR TEXT_AVMA MALLOC_BLOCK FREE_BLOCK BBDEF BBRUN CONTEXT
  PROCESS THREAD_SWITCH THREAD_START THREAD_EXIT THREAD_NAME HEAP_ALLOC
  HEAP_FREE MODULE MODULE_UNLOAD MAP UNMAP STACK CLOCK KERNEL_ACCESS WINDOW
  SIGNAL FORK CHUNK END MAP_STACK POOL POOL_BLOCK STACK_POINTER
  THREAD_RUNS THREAD_JOIN MEET BBFLOW THREAD_LOCAL BBCODE CODE
  UNDECODED RUN_VALUES);

# What stands in a record: b byte, w word, q quad, s string, in order.
my %FIELDS = (
  TRACK_RANGE   => [qw(w:address w:length s:type s:label)],
  UNTRACK_RANGE => [qw(w:address w:length)],
  START_EVENT   => [qw(s:label)],
  END_EVENT     => [qw(s:label)],
  TEXT_AVMA     => [qw(w:text s:file)],
  MALLOC_BLOCK  => [qw(w:address w:size W:stack)],
  FREE_BLOCK    => [qw(w:address)],
  PROCESS       => [qw(w:pid w:ppid q:start q:wall w:page w:line b:flags
                       b:depth s:tool s:valgrind s:arch s:exe s:cwd S:argv)],
  THREAD_SWITCH => [qw(w:thread)],
  THREAD_START  => [qw(w:thread w:parent w:os_tid)],
  THREAD_EXIT   => [qw(w:thread)],
  THREAD_NAME   => [qw(w:thread s:name)],
  HEAP_ALLOC    => [qw(q:seqno w:thread b:allocator w:usable w:alignment
                       w:old)],
  HEAP_FREE     => [qw(q:seqno w:thread b:allocator W:stack)],
  MODULE        => [qw(w:text w:size w:bias B:build_id s:soname)],
  MODULE_UNLOAD => [qw(w:text)],
  MAP           => [qw(w:address w:length b:prot b:what q:offset s:file)],
  UNMAP         => [qw(w:address w:length)],
  STACK         => [qw(w:thread w:low w:high)],
  CLOCK         => [qw(q:ns)],
  KERNEL_ACCESS => [qw(b:kind w:address w:length w:number)],
  WINDOW        => [qw(b:on b:why q:icount)],
  SIGNAL        => [qw(w:thread w:signal b:what)],
  FORK          => [qw(w:pid)],
  CHUNK         => [qw(q:back q:icount q:instructions q:accesses q:runs
                       q:bbdefs q:contexts q:thread q:recording)],
  END           => [qw(b:why b:exit_code q:back q:icount q:instructions
                       q:reads q:writes q:runs q:bbdefs q:contexts
                       q:heap_allocs q:heap_frees q:threads q:lost_calls
                       M:magic)],
  MAP_STACK     => [qw(w:thread W:stack)],
  POOL          => [qw(b:what w:pool w:other)],
  POOL_BLOCK    => [qw(w:pool)],
  STACK_POINTER => [qw(w:thread w:sp b:what)],
  THREAD_RUNS   => [qw(w:thread w:os_tid)],
  THREAD_JOIN   => [qw(w:thread w:joined)],
  MEET          => [qw(b:what b:step w:thread w:address w:count q:number)],
  THREAD_LOCAL  => [qw(w:thread w:text_address w:address w:size w:block)],
  BBFLOW        => [qw(w:address b:n_instrs w:n_accesses F:flow)],
  BBCODE        => [qw(w:address b:n_instrs w:n_accesses F:code)],
  CODE          => [qw(w:address w:size w:start b:what s:language s:name
                       s:file W:lines)],
  UNDECODED     => [qw(w:thread w:address s:set B:code)],
  RUN_VALUES    => [qw(b:all R:bytes)],
);

# read_log (PATH, %handlers) calls $handlers{NAME} or $handlers{any} with
# each record as a hash (name, offset, thread, icount and its fields).  A
# BBRUN has n, context, bb (the definition), stack, addresses.  Returns a
# hash of totals; dies with a message at the first thing that is wrong,
# unless `error` is among the handlers, which is then told and reading stops.
sub read_log
{
  my ($path, %on) = @_;
  open my $fh, '<:raw', $path or die "$path: $!\n";
  my $d = do { local $/; <$fh> };
  close $fh;
  my $size = length $d;
  my %t = (instructions => 0, accesses => 0, reads => 0, writes => 0,
           runs => 0, heap_allocs => 0, heap_frees => 0, ended => 0,
           size => $size, kernel_reads => 0, kernel_writes => 0, sps => 0);
  my (@bb, @ctx, %threads);
  my ($pos, $icount, $thread, $start) = (0, 0, 1, 0);
  $threads{1} = 1;
  my ($word, $wfmt, $rfmt);
  my $quad = "Q<";
  my $error = sub {
    my $m = sprintf "offset 0x%x: %s", $start, $_[0];
    die "$path: $m\n" unless $on{error};
    $on{error}->($m);
    $t{error} = $m;
    no warnings 'exiting';
    last RECORD;
  };
  RECORD: while ($pos < $size) {
    $start = $pos;
    my $type = ord substr $d, $pos, 1;
    if ($type > 127) {
      $pos += 2;
      next;
    }
    $error->("cut in a record") if $pos + 2 > $size;
    my $length = ord substr $d, $pos + 1, 1;
    $pos += 2;
    if ($length == 255) {
      $error->("cut in a length") if $pos + 8 > $size;
      $length = unpack $quad, substr $d, $pos, 8;
      $pos += 8;
    }
    $error->("cut in a payload") if $length > $size - $pos;
    my $name = $NAMES[$type];
    if ($start == 0) {
      $error->("not a log") unless $type == 0 && $length == 14;
      my ($sig, $version, $endian, $ws) = unpack 'a11CCC', substr $d, 2, 14;
      $error->("signature") if $sig ne "DATAGRIND1\0";
      $error->("version $version, endian $endian, word $ws")
        if $version != 1 || $endian > 1 || ($ws != 4 && $ws != 8);
      my $order = $endian ? '>' : '<';
      $quad = "Q$order";
      ($word, $wfmt) = $ws == 8 ? (8, $quad) : (4, "L$order");
      $rfmt = "$wfmt C $wfmt*";
      $t{word_size} = $ws;
      $pos = 16;
      next;
    }
    # Most records are runs: these go first, and by a way of their own.
    if ($type == 12) {
      $t{ended} = 0;
      $error->("short run") if $length < $word + 1;
      my ($c, $n, @a) = unpack $rfmt, substr $d, $pos, $length;
      $pos += $length;
      $error->("run length $length") if ($length - $word - 1) % $word;
      $error->("context $c of " . @ctx) if $c >= @ctx;
      my (undef, $stack, $bb) = @{$ctx[$c]};
      my $x = $bb->{accesses};
      $error->("$n instructions of " . @{$bb->{instrs}})
        if $n > @{$bb->{instrs}};
      $error->(@a . " addresses of " . @$x) if @a > @$x;
      $error->("address of an instruction that was not executed")
        if @a && $x->[$#a][2] >= $n;
      # What is left out can only belong to the last instruction.
      $error->("addresses missing") if @a < @$x && $x->[@a][2] + 1 < $n;
      $t{runs}++;
      $t{instructions} += $n;
      $t{accesses} += @a;
      if (defined $bb->{writes} && !grep { !$_ } @a) {
        $t{writes} += $bb->{writes}[@a];
        $t{reads} += @a - $bb->{writes}[@a];
      } else {
        my $grown = 0;
        for my $i (0 .. $#a) {
          my $joined = $grown;
          $grown = $x->[$i][1] == 255;
          if ($x->[$i][0] == 3) {
            $t{sps}++;
            next;
          }
          next if $joined || $a[$i] == 0;
          $t{$x->[$i][0] ? 'writes' : 'reads'}++;
        }
      }
      my $h = $on{BBRUN} || $on{any};
      $h->({name => 'BBRUN', offset => $start, thread => $thread,
            icount => $icount, n => $n, context => $c, bb => $bb,
            stack => $stack, addresses => \@a}) if $h;
      $icount += $n;
      next;
    }
    if (!defined $name) {
      $pos += $length;
      next;
    }
    my $payload = substr $d, $pos, $length;
    $pos += $length;
    $t{ended} = 0;
    my %r = (name => $name, offset => $start, thread => $thread,
             icount => $icount);
    if ($name eq 'BBDEF') {
      my ($n, $na) = unpack "C $wfmt", $payload;
      $error->("definition of length $length")
        if $length != 1 + $word + $n * ($word + 1) + $na * 3;
      my @i = unpack "x" . (1 + $word) . " ($wfmt C)$n", $payload;
      my @x = unpack "C" . 3 * $na, substr $payload, $length - 3 * $na;
      my (@instrs, @acc);
      push @instrs, [splice @i, 0, 2] while @i;
      push @acc, [splice @x, 0, 3] while @x;
      my $last = 0;
      for (@acc) {
        $error->("kind $_->[0], instruction $_->[2] of $n")
          if ($_->[0] > 1 && ($_->[0] != 3 || $_->[1] != 0))
             || $_->[2] >= $n || $_->[2] < $last;
        $last = $_->[2];
      }
      # How many of the first so many accesses are writes, where each is one.
      my $writes = [0];
      for (@acc) {
        push @$writes, $writes->[-1] + $_->[0] if defined $writes;
        undef $writes if $_->[0] > 1 || $_->[1] == 255;
      }
      push @bb, {instrs => \@instrs, accesses => \@acc, writes => $writes,
                 index => scalar @bb};
    } elsif ($name eq 'CONTEXT') {
      my ($b, $n, @s) = unpack "$wfmt C $wfmt*", $payload;
      $error->("context of length $length")
        if $length != $word + 1 + $n * $word || $n < 1;
      $error->("block $b of " . @bb) if $b >= @bb;
      $error->("stack does not begin with the block")
        if $s[0] != $bb[$b]{instrs}[0][0];
      push @ctx, [$b, \@s, $bb[$b]];
    } else {
      $error->("$name in a log") unless $FIELDS{$name};
      my $p = 0;
      my $need = sub {
        $error->("$name is too short") if $p + $_[0] > $length;
        $p += $_[0];
      };
      my $byte = sub { $need->(1); ord substr $payload, $p - 1, 1 };
      my $int = sub { $need->($word); unpack $wfmt, substr $payload,
                      $p - $word, $word };
      my $string = sub {
        my $e = index $payload, "\0", $p;
        $error->("string without end in $name") if $e < 0;
        my $s = substr $payload, $p, $e - $p;
        $p = $e + 1;
        return $s;
      };
      for (@{$FIELDS{$name}}) {
        my ($k, $f) = split /:/;
        if ($k eq 'b') { $r{$f} = $byte->() }
        elsif ($k eq 'w') { $r{$f} = $int->() }
        elsif ($k eq 'q') {
          $need->(8);
          $r{$f} = unpack $quad, substr $payload, $p - 8, 8;
        }
        elsif ($k eq 's') { $r{$f} = $string->() }
        elsif ($k eq 'W') {
          my $n = $int->();
          $error->("count $n in $name") if $n > ($length - $p) / $word;
          $r{$f} = [map { $int->() } 1 .. $n];
        }
        elsif ($k eq 'S') { $r{$f} = [map { $string->() } 1 .. $int->()] }
        elsif ($k eq 'B') {
          my $n = $byte->();
          $need->($n);
          $r{$f} = unpack 'H*', substr $payload, $p - $n, $n;
        }
        elsif ($k eq 'F') {
          my $n = $int->();
          $need->($n);
          $r{$f} = unpack 'H*', substr $payload, $p - $n, $n;
        }
        elsif ($k eq 'R') {
          $r{$f} = substr $payload, $p;
          $p = $length;
        }
        elsif ($k eq 'M') {
          $need->(8);
          $r{$f} = substr $payload, $p - 8, 8;
        }
      }
      $error->("$name is too long") if $p != $length;
      # The names `thread` and `icount` stand for the record's own fields.
      if ($name eq 'THREAD_SWITCH') {
        $thread = $r{thread};
        $threads{$thread} = 1;
      } elsif ($name eq 'THREAD_START') {
        $threads{$r{thread}} = 1;
      } elsif ($name eq 'MALLOC_BLOCK') {
        $t{heap_allocs}++;
      } elsif ($name eq 'FREE_BLOCK') {
        $t{heap_frees}++;
      } elsif ($name eq 'KERNEL_ACCESS') {
        $t{$r{kind} ? 'kernel_writes' : 'kernel_reads'}++;
      } elsif ($name eq 'WINDOW') {
        $icount = $r{icount};
      } elsif ($name eq 'CHUNK') {
        $error->("marker: $r{runs} runs, found $t{runs}")
          if $r{runs} != $t{runs};
        $error->("marker: $r{accesses} accesses, found $t{accesses}")
          if $r{accesses} != $t{accesses};
        $error->("marker: $r{instructions}, found $t{instructions}")
          if $r{instructions} != $t{instructions};
        $error->("marker: back $r{back}")
          if $start - $r{back} != ($t{last_chunk} // 0);
        $error->("marker: definitions")
          if $r{bbdefs} != @bb || $r{contexts} != @ctx;
        $error->("marker: thread $r{thread}, current $thread")
          if $r{thread} != $thread;
        $t{last_chunk} = $start;
        $t{chunks}++;
        $icount = $r{icount};
      } elsif ($name eq 'END') {
        $error->("end: magic") if $r{magic} ne "\nDG.end\n";
        for my $f (qw(instructions reads writes runs heap_allocs
                      heap_frees)) {
          $error->("end: $r{$f} $f, found $t{$f}") if $r{$f} != $t{$f};
        }
        $error->("end: definitions")
          if $r{bbdefs} != @bb || $r{contexts} != @ctx;
        $error->("end: $r{threads} threads, found " . keys %threads)
          if $r{threads} != keys %threads;
        $error->("end: back $r{back}")
          if $start - $r{back} != ($t{last_chunk} // 0);
        $t{ended} = 1;
        @t{qw(why exit_code lost_calls icount)}
          = @r{qw(why exit_code lost_calls icount)};
        $icount = $r{icount};
      }
    }
    my $h = $on{$name} || $on{any};
    $h->(\%r) if $h;
  }
  $t{bbdefs} = @bb;
  $t{contexts} = @ctx;
  $t{threads} = keys %threads;
  $t{last_icount} = $icount;
  return \%t;
}

# The accesses that a run made: [kind, address, size, instruction].
sub accesses
{
  my ($run) = @_;
  my ($a, $x) = ($run->{addresses}, $run->{bb}{accesses});
  my (@out, $grown);
  for my $i (0 .. $#$a) {
    next if $x->[$i][0] == 3;
    my $joined = $grown;
    $grown = $x->[$i][1] == 255;
    if ($joined) {
      $out[-1][2] += $x->[$i][1] if $a->[$i];
      next;
    }
    if (!$a->[$i]) {
      # Not made: a continued one has its other parts at 0 as well.
      $grown = 0;
      next;
    }
    push @out, [$x->[$i][0], $a->[$i], $x->[$i][1],
                $run->{bb}{instrs}[$x->[$i][2]][0]];
  }
  return @out;
}

# (first address, end) of a function of a program that is not relocated.
sub symbol_range
{
  my ($program, $symbol) = @_;
  open my $nm, '-|', 'nm', '-S', $program or die "nm: $!\n";
  my @r;
  while (my $line = <$nm>) {
    my ($a, $s, undef, $n) = split ' ', $line;
    @r = (hex $a, hex ($a) + hex $s) if defined $n && $n eq $symbol;
  }
  close $nm;
  die "$program: no symbol $symbol\n" unless @r;
  return @r;
}

1;
