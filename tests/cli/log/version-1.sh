# version-1.sh: archives of version 1, whose runs nobody has counted, are read
# like those of today.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

logs=$abs_srcdir/logs
xz -dc "$logs/good/original-sorts.dg.xz" > sorts.dg
assemble chunks.dg < "$logs/version-1/chunks.dgt"

# both COMMAND...: says the same of both archives.
both ()
{
  (cd old && dg "$@" log.dgz > ../old.out 2> ../old.err)
  (cd new && dg "$@" log.dgz > ../new.out 2> ../new.err)
  [ -s old.out ] && diff old.out new.out > difference \
    && diff old.err new.err >> difference
  report "dg $*: the same of both versions" difference
}

for name in sorts chunks; do
  rm -rf old new
  mkdir old new
  cp "$logs/version-1/$name.dgz" old/log.dgz
  title='dg info'
  dg info old/log.dgz | grep -q 'archive of version 1,'
  report 'the archive is of version 1'
  run dg pack -o new/log.dgz $name.dg
  status 0
  dg info new/log.dgz | grep -q 'archive of version 2,'
  report 'what is made of the log is of version 2'
  run dg check old/log.dgz
  status 0
  run dg unpack -o back old/log.dgz
  status 0
  cmp back $name.dg > difference
  report 'the log comes back' difference
  both counts
  both counts --by=function
  both counts --by=thread
  both sharing
  both cache
  [ $name = chunks ] || both dump --accesses
  # One of today is made of it.
  run dg pack -o packed old/log.dgz
  status 0
  cmp packed new/log.dgz > difference
  report 'packed again, it is as the log packed today' difference
done
finish
