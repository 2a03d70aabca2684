#!/bin/bash
# Ranges and events that the program marks itself: the macros of datagrind.h
# from C and C++, without Valgrind, switched off, and with bad arguments.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# Ranges and events of a log as lines; addresses relative to a variable's.
marks ()
{
  dglog 'my ($log, $program) = @ARGV;
    my ($array) = symbol_range ($program, "array");
    my ($other) = symbol_range ($program, "other");
    my $place = sub {
      my ($a) = @_;
      return $a >= $other && $a < $other + 256 ? "other+" . ($a - $other)
             : $a >= $array && $a < $array + 256 ? "array+" . ($a - $array)
             : sprintf "%x", $a;
    };
    read_log ($log,
      TRACK_RANGE => sub { my $r = $_[0];
        print "track ", $place->($r->{address}),
              " $r->{length} <$r->{type}> <$r->{label}>\n" },
      UNTRACK_RANGE => sub { my $r = $_[0];
        print "untrack ", $place->($r->{address}), " $r->{length}\n" },
      START_EVENT => sub { print "start <$_[0]{label}>\n" },
      END_EVENT => sub { print "end <$_[0]{label}>\n" })' "$1" "$2"
}

cat > expected << 'END'
track array+0 256 <int> <the array>
track other+32 32 <int> <part>
track array+0 0 <> <empty>
start <outer>
start <outer>
start <inner>
end <inner>
end <outer>
end <outer>
end <never started>
start <never ended>
untrack array+0 256
untrack array+0 12345
END

cp "$guests/requests.c" requests-cxx.cpp
for language in C C++; do
  if [ $language = C ]; then
    as=marked guest requests -no-pie -fno-pie \
      || skip_all "the compiler cannot make the programs"
  else
    # shellcheck disable=SC2086
    if ! $CXX -Wall -Wextra -Wno-unused-parameter -O1 -g -no-pie -fno-pie \
         $client_flags requests-cxx.cpp -o marked 2> cxx.err; then
      not_ok "C++: compiles" "$(head -n 5 cxx.err)"
      continue
    fi
    is "C++: compiles without warnings" "$(cat cxx.err)" ""
  fi
  record marks.dg ./marked > marked.out
  is "$language: exit status" $? 0
  check_log "$language: log" marks.dg
  is "$language: silent" "$(cat marks.dg.err)" ""
  marks marks.dg marked > got
  if cmp -s got expected; then
    ok "$language: ranges and events are as the program says"
  else
    not_ok "$language: ranges and events are as the program says" \
      "$(diff expected got)"
  fi

  # Order: writes to array[] before each mark.
  is "$language: each mark stands where it was made" \
    "$(dglog 'my ($lo, $hi) = symbol_range ($ARGV[1], "array");
       my ($n, @at) = (0);
       my $mark = sub { push @at, "$_[0]{label}=$n" };
       read_log ($ARGV[0], START_EVENT => $mark, END_EVENT => $mark,
         UNTRACK_RANGE => sub { push @at, "untrack=$n" },
         BBRUN => sub { $n += grep { $_->[0] == 1 && $_->[1] >= $lo
                                     && $_->[1] < $hi } accesses ($_[0]) });
       print join " ", @at' marks.dg marked)" \
    "outer=0 outer=0 inner=100 inner=300 outer=300 outer=700\
 never started=700 never ended=700 untrack=700 untrack=700"
  # The run that makes a request stands before its record.
  check "$language: the run with the request precedes the record" \
    dglog 'my ($lo, $hi) = symbol_range ($ARGV[1], "main");
      my $in;
      my $mark = sub { die "$_[0]{label}: after code outside main\n"
                         unless $in };
      read_log ($ARGV[0], START_EVENT => $mark, END_EVENT => $mark,
        TRACK_RANGE => $mark,
        BBRUN => sub { my $s = $_[0]{stack}[0];
                       $in = $s >= $lo && $s < $hi })' marks.dg marked
  for pair in inner:200 outer:700; do
    is "$language: dg: writes to the array in ${pair%:*}" \
      "$("$DG" dump --accesses --events=user:${pair%:*} \
         --ranges='user:the array' marks.dg | grep -c '^ S')" "${pair#*:}"
  done
  is "$language: dg: writes to part" \
    "$("$DG" dump --accesses --ranges=user:part marks.dg | grep -c '^ S')" 8
  is "$language: dg: accesses to an empty range" \
    "$("$DG" dump --accesses --ranges=user:empty marks.dg 2> /dev/null \
       | grep -c '^ [LS]')" 0
  # Without Valgrind.
  is "$language: natively" "$(./marked windows; echo $?)" "done
0"
done

# Long labels: the record stays under 255 bytes, and is cut only where needed.
as=marked guest requests -no-pie -fno-pie
record long.dg ./marked long > long.out
is "long labels: exit status" $? 5
check_log "long labels: log" long.dg
check "long labels: cut to 251..253 bytes, others are whole" \
  dglog 'my @n;
    read_log ($ARGV[0], START_EVENT => sub {
      push @n, length $_[0]{label} if $_[0]{label} =~ /^a/ });
    my $most = $n[-1];
    die "@n\n" if @n != 22 || $most < 251 || $most > 253;
    for (0 .. 21) {
      die "@n\n" if $n[$_] != ($_ + 240 < $most ? $_ + 240 : $most);
    }' long.dg
is "long labels: ends match starts" \
  "$(dglog 'my (%n, $bad);
     read_log ($ARGV[0], START_EVENT => sub { $n{$_[0]{label}}++ },
       END_EVENT => sub { $n{$_[0]{label}}-- });
     print 0 + grep { $_ } values %n' long.dg)" 0
is "long labels: no half characters" \
  "$(dglog 'my $bad = 0;
     read_log ($ARGV[0], START_EVENT => sub {
       my $l = $_[0]{label};
       $bad++ unless utf8::decode ($l) });
     print $bad' long.dg)" 0
is "long labels: ranges keep theirs" \
  "$(dglog 'read_log ($ARGV[0], TRACK_RANGE => sub {
       print length $_[0]{label}, " ", length $_[0]{type} })' long.dg)" \
  "999 999"

# Bad pointers: a warning each, no harm.
record bad.dg ./marked bad > bad.out
is "bad pointers: exit status" $? 5
check_log "bad pointers: log" bad.dg
note "bad pointers: $(head -n 2 bad.dg.err)"
check "bad pointers: warned of" grep -qi 'datagrind\|label\|string' bad.dg.err
check "bad pointers: few words" test "$(grep -c . bad.dg.err)" -le 16
marks bad.dg marked > got
check "bad pointers: a string that ends at its page's end is fine" \
  grep -q 'start <edge>' got
check "bad pointers: the text before a bad page is not lost or longer" \
  perl -ne 'exit 1 if /<(x+)>/ && length $1 > 253' got

# Switched off: no code at all.
for language in c c++; do
  compiler=$CC
  [ $language = c ] || compiler=$CXX
  cat > off.$language.src << 'END'
#include "datagrind.h"
extern void use (int);
void f (void *p, unsigned long n);
void
f (void *p, unsigned long n)
{
  use (1);
  DATAGRIND_TRACK_RANGE (p, n, "type", "label");
  DATAGRIND_START_EVENT ("event");
  DATAGRIND_END_EVENT ("event");
  DATAGRIND_UNTRACK_RANGE (p, n);
  DATAGRIND_START_RECORDING;
  DATAGRIND_STOP_RECORDING;
  use (2);
}
END
  grep -v DATAGRIND_ off.$language.src > none.$language.src
  for kind in off none; do
    # shellcheck disable=SC2086
    $compiler -x $language -O1 -DNVALGRIND $client_flags -S -o - \
      $kind.$language.src 2> $kind.err | grep -v '\.file\|\.ident' > $kind.s
  done
  if [ -s off.s ] && cmp -s off.s none.s; then
    ok "$language: no code under NVALGRIND"
  else
    not_ok "$language: no code under NVALGRIND" "$(diff none.s off.s)"
  fi
done
# shellcheck disable=SC2086
check "the header is quiet with all warnings" \
  sh -c "echo '#include \"datagrind.h\"
    int main (void) { DATAGRIND_START_EVENT (\"x\"); return 0; }' \
    | $CC -x c -std=gnu11 -Wall -Wextra -Wpedantic -Werror $client_flags \
      -c -o /dev/null -"

done_testing
