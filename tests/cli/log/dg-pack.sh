# dg-pack.sh: archives of logs, and the logs back; whatever goes wrong leaves
# nothing behind.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# same A B: two files have the same bytes.
same ()
{
  cmp "$1" "$2" > difference 2>&1
  report "$1 and $2 are the same" difference
}

# only FILE...: nothing else is in the folder out/.
only ()
{
  ls -A out > listing
  printf '%s\n' "$@" | sed '/^$/d' | diff - listing > difference
  report "out/ holds only: $*" difference
}

mkdir out
for kind in '' '-b' '-w 32' '-b -w 32'; do
  assemble_small log $kind
  run dg pack log -o out/log.dgz
  status 0
  no_out
  no_err
  run dg unpack -o out/log.dg out/log.dgz
  status 0
  no_out
  no_err
  same log out/log.dg
  dg dump --accesses log > accesses
  run dg dump --accesses out/log.dgz
  out < accesses
  dg info --json log | grep -v -e bytes -e file_size -e '"form"' -e version \
    > info
  dg info --json out/log.dgz | grep -v -e bytes -e file_size -e '"form"' \
    -e version > stdout
  title='dg info --json of both'
  diff <(sed 's/,$//' info | sort) <(sed 's/,$//' stdout | sort) > difference
  report 'an archive tells what the log tells' difference
done
rm out/*

# Any number of threads makes the same archive.
times=10000
[ -z "$DG_TEST_LONG" ] || times=70000
assemble big << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
bbdef [0x10+1 0x11+1] [W4@0 R4@1]
context 0 [0x10]
repeat 20
repeat $times
bbrun 0 2 [0x100 0x200]
bbrun 0 2 [0x200 0x100]
done
malloc_block 0x1000 16 [0x10]
chunk
done
end
END
for jobs in 1 2 8; do
  run dg pack big -j$jobs -o out/big$jobs.dgz
  status 0
done
same out/big1.dgz out/big2.dgz
same out/big1.dgz out/big8.dgz
[ "$(stat -c %s out/big1.dgz)" -lt $((times * 10 / 7)) ]
report 'archives are small' stdout
in_turn 8 2 1
for jobs in "${chosen[@]}"; do
  run dg unpack out/big1.dgz -j$jobs -o out/big
  status 0
  same big out/big
done
rm out/big?*

# At another level, without an index, again, and back.
run dg pack big --level=19 --no-index -o out/19.dgz
status 0
run dg pack out/19.dgz --level=1 -o out/1.dgz
status 0
run dg pack big --level=1 -o out/one.dgz
status 0
same out/1.dgz out/one.dgz
run dg unpack out/19.dgz -o out/big
same big out/big
[ "$(stat -c %a out/one.dgz out/big | sort -u)" = 600 ]
report 'nobody else may read logs' stdout
rm out/*

# Logs that were cut, and damaged ones, come back as they are.
head -c 700 big > cut
{ head -c 5000 big; printf '\14\3abc'; tail -c +5006 big; } > damaged
for log in cut damaged; do
  run dg pack $log -o out/x.dgz
  status 1
  err_has "dg: $log: offset 0x"
  run dg unpack out/x.dgz -o out/x
  same $log out/x
  dg check $log 2>&1 | sed 's/.*offset 0x[0-9a-f]*: //' > told
  run dg check out/x.dgz
  status 1
done
rm out/*

# Archives that were cut short: what is left can be packed and unpacked.
for log in big old; do
  [ $log = big ] || tail -n +2 << 'END' | assemble old

bbdef [0x10+1 0x11+1] [W4@0 R4@1]
context 0 [0x10]
repeat 20
repeat 70000
bbrun 0 2 [0x100 0x200]
bbrun 0 2 [0x200 0x100]
done
chunk
done
END
  dg pack $log -o whole.dgz
  for size in 40 $(($(stat -c %s whole.dgz) / 2)); do
    head -c $size whole.dgz > cut.dgz
    run dg unpack cut.dgz -o out/x
    status 1
    err_has 'dg: cut.dgz: offset 0x'
    cmp out/x $log 2>&1 | grep -q '^cmp: EOF on out/x'
    report 'what is left is the beginning' stderr
    run dg pack cut.dgz -o out/x.dgz
    status 1
    dg unpack out/x.dgz -o out/y 2> /dev/null
    same out/x out/y
    dg check out/x.dgz > told 2>&1
    ! grep -q SUMMARY told
    report 'and tells no lies' told
  done
done
rm out/*

if command -v xz > /dev/null; then
  xz -dc "$abs_srcdir/logs/good/original-sorts.dg.xz" > sorts
  run dg pack sorts -o out/x.dgz
  status 0
  run dg unpack out/x.dgz -o out/x
  same sorts out/x
  rm out/*
else
  skip 'no xz'
fi

# ---- What goes wrong ----

assemble_small log
dg pack log -o log.dgz
for command in pack unpack; do
  run dg $command log.dgz
  status 2
  err << END
dg: $command: no output is given (-o FILE)
Try 'dg $command --help'.
END

  run dg $command -o out/x
  status 2
  err_has "dg: $command: no LOG is given"

  run dg $command log.dgz -o log.dgz
  status 1
  err << 'END'
dg: log.dgz: input and output are the same file
END
  ln -sf ../log.dgz out/link
  run dg $command log.dgz -o out/link
  status 1
  err_has 'input and output are the same file'
  rm out/link

  run dg $command log.dgz -o out
  status 1
  err << 'END'
dg: out: not a regular file
END

  run dg $command log.dgz -o none/x
  status 1
  err << 'END'
dg: none/x: No such file or directory
END

  run dg $command /dev/null -o out/x
  status 1

  run dg $command missing -o out/x
  status 1
  err_has 'missing: No such file'
  only
done
run dg unpack log -o out/x
status 1
err << 'END'
dg: out/x: this is not an archive
END
run dg pack log --level=-1 -o out/x
status 2
err_has "dg: pack: --level: '-1' is not a number"
run dg pack log --level=20 -o out/x
status 2
err_has 'dg: pack: the level must be from 1 to 19, not 20'
only

if [ "$(id -u)" != 0 ]; then
  mkdir -m 500 locked
  run dg pack log -o locked/x
  status 1
  err_has 'dg: locked/x: Permission denied'
fi

# The disk is full: what was there stays.
dg pack big --level=1 -o big.dgz
echo old > out/x
title='dg unpack to a full disk'
(ulimit -f 64; "$DG" unpack big.dgz -o out/x > stdout 2> stderr)
exit_status=$?
status 1
err << 'END'
dg: out/x: the file size limit (ulimit -f) is reached
END
only x
[ "$(cat out/x)" = old ]
report 'what was there is there' stderr
title='dg pack to a full disk'
(ulimit -f 1; "$DG" pack big -o out/x > stdout 2> stderr)
exit_status=$?
status 1
err_has "the file size limit (ulimit -f) is reached"
only x

# A signal, once the file is there: without a name, or with its first one.
title='dg unpack and a signal'
(trap - EXIT; exec "$DG" unpack big.dgz -o out/x -j1 2> stderr) &
pid=$!
until ls -l /proc/$pid/fd 2> /dev/null | grep -q 'out/' ||
      ! kill -0 $pid 2> /dev/null; do
  :
done
kill -TERM $pid 2> /dev/null
wait $pid
case $? in
0 | 143) true ;;
*) false ;;
esac
report 'it ends by the signal, or is done' stderr
only x
finish
