#!/bin/bash
# dg record as it is used: the program's streams, arguments, signals and exit
# status are its own; names of archives; children; options.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}

dg_record ()
{
  timeout 600 "$DG" record "$@"
}
# whole WHAT ARCHIVE: it is good, and holds something.
whole ()
{
  check "$1" "$DG" check "$2"
  check "$1: accesses" test "$(info "$2" accesses)" -gt 1000
}

# A `true` that loads no library is recorded in a third of the time.
mkdir bin-true
echo 'int main (void) { return 0; }' > bin-true/true.c
if $CC -static bin-true/true.c -o bin-true/true 2> /dev/null; then
  PATH=$PWD/bin-true:$PATH
fi

# ---- Streams, arguments, exit status ----

printf 'one\ntwo words\n' > input
dg_record -o cat.dgz -- cat - input < input > output 2> messages
is "exit status 0" $? 0
is "standard input and output" "$(cat output)" "$(cat input input)"
is "nothing is said where no terminal is" "$(cat messages)" ""
whole "archive" cat.dgz
is "the archive knows the command" "$(info cat.dgz command)" "cat - input"

dg_record -o sh.dgz sh -c 'echo "$0 $1"; echo err >&2; exit 7' 'a b' c \
  > output 2> messages
is "exit status 7, without --" $? 7
is "arguments" "$(cat output)" "a b c"
is "standard error" "$(cat messages)" "err"
is "the archive has the exit status" "$(info sh.dgz exit_status)" 7

ENDING=ended ending "$DG" record -o kill.dgz -- sh -c 'kill -TERM $$'
is "a program that is killed" "$(cat ended)" "signal 15"
is "the archive knows the signal" "$(info kill.dgz end) $(info kill.dgz signal)" \
  "signal 15"

(
  trap '' PIPE
  dg_record -o pipe.dgz -- sh -c 'trap - PIPE; kill -PIPE $$; exit 3'
)
is "an ignored signal stays ignored" $? 3
ENDING=ended ending "$DG" record -o pipe.dgz -- sh -c 'kill -PIPE $$'
is "and others do not become so" "$(cat ended)" "signal 13"

# ---- Signals that reach dg record ----

timeout --foreground 600 "$DG" record -o term.dgz -- sh -c '
  trap "echo caught; exit 5" TERM
  echo ready > ready; while :; do sleep 0.1; done' > output &
wait_until [ -e ready ]
kill -TERM $!       # of timeout, which hands it on to dg record alone
wait $!
status=$?
is "SIGTERM reaches the program" "$(cat output)" "caught"
whole "SIGTERM" term.dgz

cat > interrupted.sh << 'END'
trap 'echo interrupted >> output; exit 6' INT
echo ready > ready
while :; do sleep 0.1; done
END
rm -f ready output
# A group of its own, as a terminal has it; the kernel's part is played by
# kill, whose signals dg record passes on: one more does no harm.
perl -e 'setpgrp; $SIG{INT} = "DEFAULT"; exec @ARGV' \
  "$DG" record -o int.dgz -- sh interrupted.sh &
leader=$!
wait_until [ -e ready ]
kill -INT -- -$leader
wait $leader
is "SIGINT ends the program, not dg record" $? 6
check "SIGINT: the program saw it" grep -q interrupted output
whole "SIGINT" int.dgz

# ---- Names ----

mkdir names
(
  cd names || exit
  NAME=x dg_record -- true
  NAME=x dg_record -o '%q{NAME}.%p%%' -- true
  ls
) > list
check "the default name" grep -Eqx 'datagrind\.[0-9]+\.dgz' list
check "a name with variables" grep -Eqx 'x\.[0-9]+%' list
is "no other files" "$(wc -l < list)" 2
dg_record -o '%q{NO_SUCH_VARIABLE}' -- true 2> messages
is "a name that cannot be" $? 125
check "which is told" grep -q NO_SUCH_VARIABLE messages
dg_record -o no/such/folder.dgz -- sh -c 'echo ran' > output 2> messages
is "an archive that cannot be" $? 125
check "which is told" grep -q 'no/such/folder.dgz' messages
is "the program has not run" "$(cat output)" ""
echo old > old.dgz
dg_record -o old.dgz -- true
whole "an old archive is replaced" old.dgz
# Also while it is written.
for options in '' --bundle --raw; do
  rm -f private
  # shellcheck disable=SC2086
  (umask 0; dg_record $options -o private -- stat -c %a private) > output
  is "nobody else may read it: dg record $options" \
    "$(cat output) $(stat -c %a private)" "600 600"
done

# ---- Children ----

mkdir children
dg_record -o children/sh.dgz -- sh -c '(exit 3); (exit 4); exit 5'
is "children: the program's exit status" $? 5
is "children: an archive each" "$(ls children | wc -l)" 3
for file in children/*; do
  whole "children: ${file#*/}" "$file"
done 2>&1 | sed "s/[0-9][0-9]*\.dgz/N.dgz/" > results
n_tests=$((n_tests + 6))
cat results
rm -rf children

# One that has another root, without /proc and the folder of the rings.
cat > root.c << 'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main (void)
{
  int status;
  if (chroot ("jail") != 0 || chdir ("/") != 0)
    return 77;
  int is_child = fork () == 0;
  for (int i = 0; i < 100000; i++)
    *(char *volatile *) malloc (64) = 0;
  if (is_child)
    return 3;
  wait (&status);
  return WEXITSTATUS (status);
}
END
mkdir jail
if [ "$(id -u)" = 0 ] && $CC -w root.c -o root 2> /dev/null; then
  mkdir children
  dg_record -o children/root.dgz -- ./root 2> messages
  is "another root: exit status" $? 3
  is "another root: an archive each" "$(ls children | wc -l)" 2
  for file in children/*; do
    is "another root: what it allocates is there" \
      "$(($(info "$file" heap_allocs) >= 100000))" 1
  done
  is "another root: not a word" "$(grep Datagrind messages)" ""
  rm -rf children

  # It says when it is there, and goes on when it is told.
  cat > jailed.c << 'END'
#include <unistd.h>
volatile int numbers[1024];
int main (void)
{
  char go;
  if (chroot ("jail") != 0 || chdir ("/") != 0)
    return 77;
  write (1, "there\n", 6);
  read (0, &go, 1);
  for (int i = 0; i < 4000000; i++)
    numbers[i * 7 & 1023] += i;
  write (1, "done\n", 5);
  return 0;
}
END
  $CC -w jailed.c -o jailed
  (ulimit -f 3000; echo | dg_record --raw -o jailed.dg -- ./jailed) \
    > out 2> messages
  is "another root: a raw log that fails" "$? $(tail -n 1 out)" "125 done"
  mkfifo go said
  "$DG" record --ring=1 -o jailed.dgz -- ./jailed < go > said 2> messages &
  packer=$!
  exec 4> go 5< said
  read -r said <&5
  kill -9 $packer
  wait $packer 2> out
  echo >&4
  read -t 300 -r said <&5
  is "another root: it goes on when the packer is gone" "$said" done
  exec 4>&- 5<&-
  rm -f go said
else
  skip "another root" "only root can have one"
fi

mkdir children
dg_record -o children/sh.dgz --trace-children=yes -- \
  sh -c 'cat /dev/null; exec cat /dev/null'
is "exec: exit status" $? 0
is "exec: archives of the shell, its child twice, and what it became" \
  "$(ls children | wc -l)" 4
is "exec: programs" \
  "$(for f in children/*; do info "$f" command; done |
     sed 's,^/[a-z/]*/cat,cat,' | sort | uniq -c | sed 's/^ *//')" \
  "2 cat /dev/null
2 sh -c 'cat /dev/null; exec cat /dev/null'"
is "exec: no archive is incomplete" \
  "$(for f in children/*; do info "$f" is_complete; done | sort -u)" true

# Of what a script starts, only one program.
cp "$(command -v cat)" only-cat
mkdir only
dg_record --only='only-c*' -o only/cat.dgz -- \
  sh -c 'true; ./only-cat /dev/null; cat /dev/null; exec ./only-cat /dev/null'
is "only: exit status" $? 0
is "only: programs" \
  "$(for f in only/*; do info "$f" command; done | sort | uniq -c |
     sed 's/^ *//')" '2 ./only-cat /dev/null'
is "only: the first one has the name" "$(info only/cat.dgz is_complete)" true
dg_record --only='*/only-cat' -o only/path.dgz -- sh -c './only-cat /dev/null'
is "only: a path" "$(info only/path.dgz command)" './only-cat /dev/null'
"$DG" record --only=only-dog -o only/none.dgz -- sh -c './only-cat /dev/null' \
  2> only/errors
is "only: no such program" "$? $(ls only/none* 2> /dev/null)" '125 '
is "only: is said" \
  "$(grep -c 'started no program of the name only-dog' only/errors)" 1
rm -rf only only-cat

# A child that goes on until the program has ended and its process is gone.
mkfifo late
dg_record -o late.dgz -- sh -c '(read x < late
    while kill -0 $$ 2> /dev/null; do :; done; sleep 0; exit 0) &
  exec 3> late; exit 2'
is "a late child: the program's exit status" $? 2
is "a late child, and its own: all archives are whole" \
  "$(for f in late*.dgz; do info "$f" is_complete; done)" "true
true
true"

# ---- Options ----

dg_record --raw -o raw.dg -- sh -c 'exit 4'
is "--raw: exit status" $? 4
check_log "--raw" raw.dg
dg_record --datagrind-stop-after=1000 -o stop.dgz -- true
is "options of the recorder" "$(info stop.dgz instructions)" 1000
dg_record --datagrind-max-size=20k -o max.dgz -- true
is "--datagrind-max-size: exit status" $? 0
is "--datagrind-max-size: why it ends" "$(info max.dgz end)" max-size
check "--datagrind-max-size: it is kept" \
  test "$(stat -c %s max.dgz)" -le 20480
dg_record --ring=1 -j1 --no-index --level=9 --ring-dir="$T" -o small.dgz -- true
is "--ring, -j, --no-index, --level, --ring-dir" $? 0
whole "the same" small.dgz
is "no folder of rings is left" "$(ls -d datagrind-rings-* 2> /dev/null)" ""
dg_record -v -o v.dgz -- true 2> messages
check "-v shows figures" grep -Eq 'v\.dgz: .* [0-9]{1,3}(,[0-9]{3})* accesses' messages
check "-v shows waits" grep -Eq '[0-9]+ waits for a full ring' messages
for bad in --ring=3 --ring=x --level=20 --raw=1 -o -jx --datagrind-ring=/tmp; do
  dg_record $bad 2> messages
  is "$bad is wrong" $? 2
done
dg_record 2> messages
is "no program" $? 2

# ---- What cannot run ----

dg_record --valgrind=/no/such/valgrind -- true 2> messages
is "no Valgrind" $? 127
check "which is told" grep -q /no/such/valgrind messages
touch not-a-program
dg_record --valgrind=./not-a-program -- true 2> messages
is "a Valgrind that cannot run" $? 126
dg_record --valgrind=true -- true 2> messages
is "a Valgrind without exp-datagrind" $? 125
check "which is told" grep -q 'nothing was recorded' messages
dg_record -o none.dgz -- no-such-program-anywhere 2> messages
is "no such program" $? 127
is "and no archive" "$(ls none.dgz 2> /dev/null)" ""

# --help tells of what the recorder takes.
"$DG" record --help | grep -o -E -- '--datagrind-[a-z-]+' | sort -u > in_help
sed -n '/process_cmd_line_option/,/^}/p' \
  "$abs_top_srcdir/datagrind/dg_options.c" |
  grep -o -E -- '"--datagrind-[a-z-]+"' | tr -d '"' |
  grep -v -e -out-file -e -ring | sort -u > in_tool
check "--help has the recorder's options" diff in_help in_tool
check "there are some" test -s in_tool

# ---- What is refused before Valgrind starts ----

# A Valgrind that tells that it was started.
cat > started << 'END'
#!/bin/sh
echo "$@" > was-started
exit 1
END
chmod +x started
# refused STATUS TEXT ARGUMENT...: with this exit status and a message that has
# the text.
refused ()
{
  local status=$1 text=$2
  shift 2
  rm -f was-started
  dg_record --valgrind=./started "$@" 2> messages
  is "refused, $*: status" $? "$status"
  check "refused, $*: $text" grep -qF -- "$text" messages
  check "refused, $*: at once" test ! -e was-started
}
refused 2 'no option --datagrind-foo' --datagrind-foo=1 -- true
refused 2 'did you mean --datagrind-skip?' --datagrind-skpi=1 -- true
refused 2 'did you mean --datagrind-stop-after?' --datagrind-stopafter=9 -- true
refused 2 'exclude each other' -q --progress -- true
refused 2 "unknown option '-z'" -z -- true
dg_record -s -q -o errors.dgz -- true
is "options of Valgrind with one letter" $? 0
while read -r option; do
  dg_record "$option=x" 2> messages
  check "$option is known" grep -q 'no PROGRAM' messages
done < in_tool

for mode in u g; do
  cp "$(type -P true)" set$mode
  chmod $mode+s set$mode
  refused 126 "set${mode}id" -o set.dgz ./set$mode
done
cp setu plain && chmod u-s plain
dg_record -o plain.dgz ./plain 2> messages
is "a copy without it can be recorded" $? 0

mkdir places
mkfifo places/fifo
: > places/file
ln -s nowhere/x places/dangling
ln -s fifo places/link-to-fifo
for raw in '' --raw; do
  refused 125 'a pipe' $raw -o places/fifo -- true
  refused 125 'a pipe' $raw -o places/link-to-fifo -- true
  refused 125 'a folder' $raw -o places -- true
  refused 125 'a folder' $raw -o places/ -- true
  refused 125 'no folder places/none' $raw -o places/none/x.dgz -- true
  refused 125 'no folder places/none' $raw -o 'places/none/%p' -- true
  refused 125 'no folder places/nowhere' $raw -o places/dangling -- true
  refused 125 'places/file is not a folder' $raw -o places/file/x -- true
done
if [ "$(id -u)" != 0 ]; then
  mkdir closed
  chmod a-w closed
  refused 125 'Permission denied' -o closed/x.dgz -- true
else
  skip "a folder that may not be written to" "root may"
fi

# ---- Symbolic links: what they lead to is written, and they stay ----

mkdir links links/there
ln -s there/log links/log
: > links/there/old
ln -s there/old links/old
for form in record raw pack unpack cut counts; do
  for name in log old; do
    rm -f links/there/log
    [ $name = log ] || : > links/there/old
    case $form in
      record) dg_record -o links/$name -- true ;;
      raw) dg_record --raw -o links/$name -- true ;;
      pack) "$DG" pack stop.dgz -o links/$name ;;
      unpack) "$DG" unpack stop.dgz -o links/$name ;;
      cut) "$DG" cut stop.dgz --instructions=0..100 -o links/$name ;;
      counts) "$DG" counts --json -o links/$name stop.dgz ;;
    esac > /dev/null 2> messages
    is "$form to a link to $name: it stays" "$(readlink links/$name)" \
      there/$name
    check "$form to a link to $name: is where it leads" \
      test -s links/there/$name
  done
done

# ---- The limit of a file's size ----

(
  ulimit -f 1
  "$DG" pack cat.dgz -o limited.dgz 2> messages
)
check "the limit of a file's size is told" grep -q 'ulimit -f' messages
is "and leaves nothing" "$(ls limited* 2> /dev/null)" ""

# ---- A log that is still being recorded ----

# The program waits: what it did before is packed after a moment.
mkfifo waits
dg_record -q -o growing.dgz -- cat waits > growing.out 2> growing.err &
recorder=$!
for ((i = 0; i < 3000; i++)); do
  "$DG" info growing.dgz > info 2> messages && grep -q '^Accesses  *[1-9]' info &&
    break
  sleep 0.1
done
is 'dg info says that it goes on' "$(grep -c 'no: still being recorded' info)" 1
is 'a notice, no error' "$(cat messages)" \
  'dg: growing.dgz: still being recorded; this is the run so far'
for command in counts check heap 'allocs leaks' 'export --csv'; do
  # shellcheck disable=SC2086
  "$DG" $command growing.dgz > so-far 2> messages
  is "dg $command: what is there so far" "$? $(grep -c 'this is the run' messages)" \
    '0 1'
done
echo end > waits
wait $recorder
is 'at the end, nothing is missing' "$("$DG" check growing.dgz)" \
  'growing.dgz: good'

done_testing
