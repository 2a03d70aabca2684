# dg-index.sh: the index beside a log, and of archives.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# Three chunks; lines 0x40, 0x41 and 0x80 of 64 bytes, one of them twice.
make_log ()
{
  assemble "$@" << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
bbdef [0x400000+3 0x400003+5] [R4@0 W16@1]
context 0 [0x400000 0x400100]
bbrun 0 2 [0x1000 0x1038]
chunk
bbrun 0 2 [0x2000 0x1000]
chunk
bbrun 0 1 [0x1004]
end
END
}

# without_time: standard output without what depends on the machine.
without_time ()
{
  sed -i -E 's:, [0-9.,]+ ([KMG]i)?B::; s:, [0-9.]+ .?s, [0-9.,]+ ?[kMG]? accesses.s::' stdout
}

make_log log
run dg index log
status 0
no_err
without_time
out << 'END'
log.dgx: made: 3 chunks, 3 lines
END
cp log.dgx first
run dg index log
status 0
no_err
without_time
out << 'END'
log.dgx: is up to date: 3 chunks, 3 lines
END
[ "$(ls)" = "$(ls | grep -v 'log\.dgx\.')" ]
report 'nothing else is left' stderr

# The same bytes, no matter who makes it.
for jobs in 1 2 8; do
  run dg index --force -j $jobs log
  status 0
  without_time
  out << 'END'
log.dgx: made: 3 chunks, 3 lines
END
  cmp log.dgx first
  report 'the same index' stderr
done

# Stale, damaged, foreign: made again, and said why.
touch -d '2001-02-03' log
run dg index log
status 0
err_has 'dg: log.dgx: the index beside the log is older than the log; it is rebuilt'
out_has 'log.dgx: made: 3 chunks'
run dg index log
out_has 'up to date'
no_err
head -c 100 log.dgx > part
cat part > log.dgx
run dg index log
status 0
err_has 'not complete; it is rebuilt'
echo text > log.dgx
run dg index log
status 0
err_has 'it is rebuilt'
out_has 'log.dgx: made: 3 chunks'

# Elsewhere.
run dg index -o other log
status 0
no_err
without_time
out << 'END'
other: made: 3 chunks, 3 lines
END
cmp other log.dgx
report 'the same index' stderr
run dg index --output=none/other log
status 1
no_out
err_has 'none/other'
run dg index -o '' log
status 2
run dg index
status 2
run dg index log log
status 2
run dg index -j -1 log
status 2
run dg index missing
status 1
err_has 'dg: missing: '
run dg index log.dgx
status 1
err_has 'log.dgx: '

# All kinds of logs.
for kind in -b '-w 32' '-b -w 32'; do
  make_log turned $kind
  run dg index turned
  status 0
  without_time
  out << 'END'
turned.dgx: made: 3 chunks, 3 lines
END
  rm turned.dgx
done
assemble empty < /dev/null
run dg index empty
status 0
out_has 'empty.dgx: made: '

# Cut short: of what is good, with the usual status.
head -c $(($(stat -c %s log) - 3)) log > cut
run dg index cut
status 1
err_has 'dg: cut: offset 0x'
out_has 'cut.dgx: made: 3 chunks, 3 lines'

# Archives mostly have theirs.
run dg pack -o log.dgz log
status 0
run dg index log.dgz
status 0
no_err
without_time
out << 'END'
log.dgz: already has an index: 1 chunk, 3 lines
END
run dg index --force log.dgz
out_has 'log.dgz: already has an index'
[ ! -e log.dgz.dgx ]
report 'and get no other' stderr
run dg pack --no-index -o bare.dgz log
status 0
run dg index bare.dgz
status 0
no_err
without_time
out << 'END'
bare.dgz.dgx: made: 1 chunk, 3 lines
END
run dg index bare.dgz
status 0
out_has 'bare.dgz.dgx: is up to date: 1 chunk, 3 lines'

# A link stays, and what it leads to is replaced.
mkdir elsewhere
make_log linked
ln -s elsewhere/place linked.dgx
run dg index linked
status 0
no_err
[ -L linked.dgx ] && [ -f elsewhere/place ]
report 'written where the link leads' stderr
run dg index linked
out_has 'is up to date'
[ "$(ls elsewhere)" = place ]
report 'nothing else is left there' stderr
# What is not a file is not replaced by one.
rm linked.dgx
mkfifo pipe
ln -s pipe linked.dgx
run dg index linked
[ -p pipe ] && [ -L linked.dgx ] && [ "$exit_status" != 0 ]
report 'the pipe stays' stderr
finish
