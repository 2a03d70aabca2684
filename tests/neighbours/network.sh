# network.sh: nobody is asked over a network for what a log names, unless the
# user has named a server in DEBUGINFOD_URLS.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
DG=${dg_itself:?}

command -v strace > /dev/null || {
  echo '1..0 # SKIP strace is not installed'
  exit 0
}
strace -f -o trace -e trace=%network true 2> /dev/null || {
  echo '1..0 # SKIP strace may not be used here'
  exit 0
}
# What the sanitizer of leaks needs strace has.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
unset DEBUGINFOD_URLS http_proxy https_proxy

cat > prog.c << 'END'
int main (void) { return 0; }
END
${CC:-cc} -Wl,--build-id -o prog prog.c && strip prog || exit 99
main=0x$(readelf -h prog | sed -n 's/.*Entry point address: *0x//p')
id=$(readelf -n prog | sed -n 's/.*Build ID: //p' | sed 's/../0x& /g')
# Modules that are not here, of an id that a server could know; and names that
# are addresses of the network.
assemble log << END
header
process 42 1 0 0 4096 64 0 8 "t" "v" "a" "http://192.0.2.1/exe" "smb://192.0.2.1/d" ["prog"]
text_avma $main "$PWD/prog"
module $main 0x1000 0 [$id] "prog"
text_avma 0x7000000 "http://192.0.2.1/lib.so"
module 0x7000000 0x1000 0 [0x12 0x34 0x56 0x78] "http://192.0.2.1/lib.so"
map 0x7000000 0x1000 5 0 0 "//192.0.2.1/share/lib.so"
code 0x9000000 0x100 0x9000000 0 "" "f" "http://192.0.2.1/a.c" [0x9000000 7]
bbdef [$main+1] [R4@0]
bbdef [0x7000010+1] [R4@0]
bbdef [0x9000010+1] [W4@0]
context 0 [$main]
context 1 [0x7000010]
context 2 [0x9000010]
malloc_block 0x1000 16 [$main 0x7000010]
bbrun 0 1 [0x1000]
bbrun 1 1 [0x1000]
bbrun 2 1 [0x1000]
end why=0 exit_code=0
END

# asks: no socket that leads out of this machine, no question for a name.
silent ()
{
  if grep -E 'AF_INET|AF_PACKET|resolve' trace > asked; then
    false
  else
    true
  fi
  report 'asks nobody' asked
}
ask ()
{
  run strace -f -qq -o trace -e trace=%network "$@"
  [ "$exit_status" = 0 ]
  report "ends well, not with $exit_status" stderr
  silent
}
commands=('info' 'check' 'counts --by=function' 'counts --by=line'
  'heap --sites' 'advise' 'bundle -o b.dgz' 'index -o i.dgx'
  'report -o page.html' 'cache --annotate --annotate-least=0')
for command in "${commands[@]}"; do
  # shellcheck disable=SC2086
  ask "$DG" $command log
done
if [ -n "${DG_VIEW-}" ]; then
  viewer=$DG_VIEW
  [ ! -x "${viewer%/*}/.libs/dg_view" ] || viewer=${viewer%/*}/.libs/dg_view
  ask "$viewer" --render=picture.png log
  [ -s picture.png ]
  report 'draws' stderr
fi
# The page itself loads nothing either.
if grep -oE '(src|href|action|srcset)="?(https?:)?//[^"]*|@import|url\(' \
    page.html > asked; then
  false
else
  true
fi
report 'the page of dg report loads nothing' asked

# That it would be noticed: a server that the user names is asked.
DEBUGINFOD_URLS=http://127.0.0.1:9/ DEBUGINFOD_CACHE_PATH=$PWD/cache \
  strace -f -qq -o trace -e trace=%network "$DG" counts --by=function log \
  > stdout 2> stderr
title='with DEBUGINFOD_URLS'
# Some are built without.
if grep -q 'AF_INET.*127.0.0.1' trace; then
  [ -s trace ]
  report 'the server is asked' trace
else
  skip 'elfutils asks no servers'
fi

# The kernel's word for it: a network of its own, in which every address leads
# to its one interface, and that one counts what is sent.
cat > inside.sh << 'END'
ip link set lo up && ip route add local default dev lo || exit 77
sent () { sed -n 's/^ *lo://p' /proc/net/dev | awk '{ print $10 }'; }
for command; do
  before=$(sent)
  eval "$command" > inside.out 2> inside.err ||
    echo "$command: exit status $?"
  echo "$(($(sent) - before)) $command"
done
END
# Without a user namespace for root: there are none below chroot.
namespaces=-rn
[ "$(id -u)" != 0 ] || namespaces=-n
alone () { unshare $namespaces "$BASH" inside.sh "$@"; }
title='in a network of its own'
if ! alone true > sent 2> /dev/null; then
  skip 'no network namespaces here'
  finish
  exit
fi
lines=()
for command in "${commands[@]}"; do
  lines+=("'$DG' $command log")
done
[ -z "${viewer-}" ] || lines+=("'$viewer' --render=picture.png log")
rm -f b.dgz i.dgx page.html
alone "${lines[@]}" > sent
[ "$(grep -c . sent)" = ${#lines[@]} ] && [ "$(grep -c '^0 ' sent)" = ${#lines[@]} ]
report "${#lines[@]} commands send nothing" sent
alone "DEBUGINFOD_URLS=http://192.0.2.1:9/ DEBUGINFOD_CACHE_PATH='$PWD/other' \
  '$DG' counts --by=function log" > sent
if grep -q 'AF_INET.*127.0.0.1' trace; then
  grep -q '^[1-9]' sent
  report 'what is sent would be counted' sent
else
  skip 'elfutils asks no servers'
fi

finish
