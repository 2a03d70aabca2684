#!/bin/bash
# Ends and beginnings of processes: every log is whole up to there, a child
# writes nothing into its parent's file, and the program ends as without.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# Static programs start soonest.
guest process -no-pie -fno-pie -pthread -static \
  || guest process -no-pie -fno-pie -pthread \
  || skip_all "the compiler cannot make the programs"
program=$T/process
ulimit -c 0
ulimit -s 1024

# run NAME MODE [OPTIONS...]: natively and recorded, each in an empty folder.
run ()
{
  local name=$1 mode=$2
  shift 2
  mkdir "$name.native" "$name"
  cd "$name.native" || exit 99
  ENDING=$T/$name.native.end ending \
    ${DATAGRIND_CROSS:+"$DATAGRIND_CROSS/run"} "$program" "$mode" \
    > "$T/$name.native.out" 2> /dev/null
  cd "../$name" || exit 99
  # shellcheck disable=SC2086
  ENDING=$T/$name.end ending $VALGRIND_DG -q "$@" "$program" "$mode" \
    > "$T/$name.out" 2> "$T/$name.err"
  cd ..
  is "$name: ends as without" "$(cat "$name.end")" "$(cat "$name.native.end")"
  sort "$name.native.out" > native.sorted
  sort "$name.out" > sorted
  is "$name: prints the same" "$(cat sorted)" "$(cat native.sorted)"
  if grep -q 'datagrind:\|Datagrind:\|assert' "$name.err"; then
    not_ok "$name: is silent" "$(cat "$name.err")"
  fi
}

# What a log's end record says: "why exit_code"; accesses to the variables
# `work` and `child_work` of the program that were writes; other fields.  The
# log is read once: "OF A LOG: WHAT IT IS" in a file beside it.
read_of () # LOG
{
  local log=$1
  [ -e "$log.read" ] || dglog '
    my ($log, $program) = @ARGV;
    my @of = map { [symbol_range ($program, $_)] } qw(work child_work);
    my ($lo) = sort { $a <=> $b } map { $_->[0] } @of;
    my ($hi) = sort { $b <=> $a } map { $_->[1] } @of;
    my (@n, %text);
    @n = (0, 0);
    my ($pid, $ppid, $flags, @forks, @files) = ("") x 3;
    my $t = read_log ($log,
      BBRUN => sub {
        my ($r) = @_;
        return unless grep { $_ >= $lo && $_ < $hi } @{$r->{addresses}};
        for my $a (accesses ($r)) {
          next if $a->[0] != 1;
          $n[$_] += $a->[1] >= $of[$_][0] && $a->[1] < $of[$_][1] for 0, 1;
        }
      },
      PROCESS => sub { ($pid, $ppid, $flags) = @{$_[0]}{qw(pid ppid flags)} },
      FORK => sub { push @forks, $_[0]{pid} },
      TEXT_AVMA => sub { push @files, $_[0]{file} });
    printf "end %s\n", $t->{ended} ? "$t->{why} $t->{exit_code}" : "none";
    print "work $n[0]\nchild_work $n[1]\npid $pid\nppid $ppid\n",
          "flags $flags\nforks @forks\nfiles ", join (" ", sort @files), "\n"' \
    "$log" "$program" > "$log.read" 2>&1
  cat "$log.read"
}

field () # LOG WHAT
{
  read_of "$1" | sed -n "s/^$2 //p"
}

# What the end record says, or what is wrong with the log.
end_of () # LOG
{
  local end
  end=$(field "$1" end)
  [ -n "$end" ] || end=$(cat "$1.read")
  echo "$end"
}

writes_to () # LOG VARIABLE
{
  field "$1" "$2"
}

# Both readers find the log whole: dg, and the tests' own.
check_log () # WHAT LOG
{
  if ! "$DG" check "$2" > "$T/.check" 2>&1; then
    not_ok "$1" "dg check: $(cat "$T/.check")"
  elif read_of "$2" | grep -q '^end [0-9]'; then
    ok "$1"
  else
    not_ok "$1" "DgLog.pm: $(cat "$2.read")"
  fi
}

logs ()
{
  find "$1" -name 'datagrind.out.*' ! -name '*.read' | sort -t. -k3n
}

# One process, one log, which says how it ended.
single () # MODE END WRITES
{
  local log
  run "$1" "$1"
  is "$1: one log" "$(logs "$1" | wc -l)" 1
  log=$(logs "$1")
  check_log "$1: log" "$log"
  is "$1: its end" "$(end_of "$log")" "$2"
  [ -z "$3" ] || is "$1: all accesses are there" "$(writes_to "$log" work)" "$3"
}

single return "0 3" 1000
single exit "0 250" 1000
single _exit "0 4" 1000
single segv "4 11" 1000
case $guest_arch in
  # There a division by zero gives zero, and __builtin_trap is a breakpoint.
  arm64) single fpe "0 0" 1000
         single ill "4 5" 1000 ;;
  *) single fpe "4 8" 1000
     single ill "4 4" 1000 ;;
esac
single abort "4 6" 1000
single term "4 15" 1000
single kill "4 9" 1000
single pipe "4 13" 1000
single alarm "4 14" 1000
single overflow "4 11" 1000
if [ -n "${DATAGRIND_CROSS:-}" ]; then
  skip "a thread that ends the process" \
    "at times the emulator aborts, or with it Valgrind without us does not end"
else
  single threadexit "0 9" ""
  single mainfirst "0 9" 2000
fi
single handled "0 13" 11000
single execfail "0 12" 3000
single execfailkilled "4 15" 2000

# Programs that other programs are started from: what those do is not part of
# the log.  A child may have a log of the little that it does before its exec.
starts () # MODE END WRITES
{
  local log found=''
  run "$1" "$1"
  note "$1: $(logs "$1" | wc -l) logs"
  for log in $(logs "$1"); do
    check_log "$1: log" "$log"
    case $(end_of "$log") in
      "$2")
        found=$log
        is "$1: all accesses are there" "$(writes_to "$log" work)" "$3" ;;
      *)
        is "$1: the child's end" "$(end_of "$log")" "1 0"
        is "$1: nothing of the parent in the child's log" \
          "$(writes_to "$log" work)" 0 ;;
    esac
  done
  [ -n "$found" ] || not_ok "$1: a log that ends with $2"
}
starts vfork "0 6" 2000
starts spawn "0 7" 2000
starts system "0 8" 2000
single exec "1 0" 1000

# fork: two logs.
for mode in fork forkkilled; do
  run $mode $mode
  mapfile -t two < <(logs $mode)
  is "$mode: two logs" ${#two[@]} 2
  parent='' child=''
  for log in "${two[@]}"; do
    check_log "$mode: log" "$log"
    is "$mode: the log's name is its process's" "${log##*.}" "$(field "$log" pid)"
    if [ -n "$(field "$log" forks)" ]; then parent=$log; else child=$log; fi
  done
  if [ -z "$parent" ] || [ -z "$child" ]; then
    not_ok "$mode: a parent and a child"
    continue
  fi
  is "$mode: the parent names its child" "$(field "$parent" forks)" \
    "$(field "$child" pid)"
  is "$mode: the child names its parent" "$(field "$child" ppid)" \
    "$(field "$parent" pid)"
  is "$mode: the child's flag" "$(($(field "$child" flags) & 1))" 1
  is "$mode: the parent has its own accesses only" \
    "$(writes_to "$parent" work) $(writes_to "$parent" child_work)" "2000 0"
  is "$mode: the child has its own accesses only" \
    "$(writes_to "$child" work) $(writes_to "$child" child_work)" "0 700"
  want="0 5"
  [ $mode = fork ] || want="4 9"
  is "$mode: the child's end" "$(end_of "$child")" "$want"
  is "$mode: the child knows the modules" \
    "$(field "$child" files)" "$(field "$parent" files)"
  check "$mode: the child's code has names" \
    grep -q . <("$DG" dump --accesses --events=fn:childs "$child")
done

run forkbusy forkbusy
is "forkbusy: three logs" "$(logs forkbusy | wc -l)" 3
for log in $(logs forkbusy); do
  check_log "forkbusy: log" "$log"
  case $(writes_to "$log" child_work) in
    0) is "forkbusy: the parent's end" "$(end_of "$log")" "0 3" ;;
    1400) is "forkbusy: the child's end" "$(end_of "$log")" "0 3" ;;
    700) is "forkbusy: the grandchild's end" "$(end_of "$log")" "0 1" ;;
    *) not_ok "forkbusy: a log has $(writes_to "$log" child_work) writes" ;;
  esac
done

# A fixed name: the parent keeps it, and what the child does never gets in.
run fixed fork --datagrind-out-file=fixed.log
check_log "fixed name: the parent's log" fixed/fixed.log
is "fixed name: the parent's accesses" \
  "$(writes_to fixed/fixed.log work) $(writes_to fixed/fixed.log child_work)" \
  "2000 0"
others=$(find fixed -type f ! -name fixed.log ! -name '*.read')
note "fixed name: the child wrote ${others:-no log}"
for log in $others; do
  check_log "fixed name: the child's log" "$log"
done

# Names: %p, %q, %%.
export DG_TEST_WORD=word
run names return --datagrind-out-file='%q{DG_TEST_WORD}.%p.%%.log'
is "%p, %q{} and %% in names" \
  "$(find names -type f | sed 's/[0-9][0-9]*/N/')" "names/word.N.%.log"

# Programs that become others under --trace-children=yes: what a process did
# before its exec and after is in two logs, of which the second says so.
traced () # NAME MODE LOGS ENDS
{
  local log n=0 ends=''
  run "$1" "$2" --trace-children=yes
  for log in $(logs "$1"); do
    check_log "$1: log ${log##*/}" "$log"
    ends="$ends $(end_of "$log") $(($(field "$log" flags) & 3)),"
    n=$((n + 1))
  done
  is "$1: logs" "$n" "$3"
  # In the order of processes and of time.
  is "$1: ends and flags (1: forked, 2: after an exec)" "$ends" "$4"
}
if [ -n "${DATAGRIND_CROSS:-}" ]; then
  skip "programs that are executed" "the kernel does not know their emulator"
else
  traced traced-exec execself 2 " 1 0 0, 0 3 2,"
  traced traced-child forkexec 3 " 0 13 0, 1 0 1, 0 3 2,"
  traced traced-system system 3 " 0 8 0, 1 0 1, 0 8 2,"
fi

# Killed from outside, with no chance to end the log: good up to there.
cat > spin.c <<'END'
#include <unistd.h>
volatile int n[1000];
int main (void)
{
  for (int i = 0; i < 300000; i++)
    n[i % 1000]++;
  write (1, "up\n", 3);
  for (;;)
    pause ();
}
END
$CC -O1 -g spin.c -o spin
mkfifo up
# shellcheck disable=SC2086
$VALGRIND_DG -q --datagrind-out-file=spin.log \
  ./spin > up 2> spin.err &
pid=$!
read -r _ < up
kill -KILL $pid
wait $pid 2> /dev/null
"$DG" check spin.log > check.out 2>&1
is "killed by SIGKILL from outside: dg check says so" $? 1
check "killed from outside: names the offset" grep -q 'offset' check.out
note "$(cat check.out)"
check "killed from outside: what stands before is good" \
  dglog 'my $m;
    my $t = read_log ($ARGV[0], error => sub { $m = $_[0] });
    die "$m\n" if $m && $m !~ /cut/;
    die "$t->{runs} runs\n" if $t->{runs} < 1000' spin.log
is "killed from outside: dg info says incomplete" \
  "$(info spin.log is_complete | grep -c 'no\|false')" 1
rm -f spin.log

# A directory that is no more: none is recorded.
mkdir gone
cat > here.c << 'END'
#include <stdio.h>
int main (void) { puts ("here"); return 0; }
END
# shellcheck disable=SC2086
$CC -o here here.c || exit 99
( cd gone && rmdir ../gone &&
  $VALGRIND_DG -q --datagrind-out-file="$T/gone.log" "$T/here" ) \
  > gone.out 2> gone.err
is "the directory has been removed: the program runs" $? 0
is "the directory has been removed: what it prints" "$(cat gone.out)" here
check_log "the directory has been removed: the log is good" gone.log
is "the directory has been removed: it is not recorded" "$(info gone.log cwd)" ''

done_testing
