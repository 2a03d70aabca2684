#!/bin/bash
# A server under load, recorded in windows: it answers as it does without us,
# its memory and that of `dg record` stay flat, and the archive is good.
#
#   SOAK_LOADS     how often it gets the load of redis-benchmark (see below)
#   SOAK_SECONDS   and on until the test has run for so long
#   SOAK_SAMPLES   keeps the samples as FILE.redis
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/../record/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
for program in redis-check-rdb redis-cli redis-benchmark; do
  command -v $program > /dev/null || skip_all "no $program"
done
# It is the server, by another name; a package of the server would start one.
ln -s "$(command -v redis-check-rdb)" redis-server
loads=${SOAK_LOADS:-8} seconds=${SOAK_SECONDS:-0}

mkdir rings
"$DG" record --ring-dir="$T/rings" -v -o redis.dgz \
  --datagrind-window=1M/20M -- ./redis-server --port 0 \
  --unixsocket "$T/socket" --save '' --dir "$T" --loglevel warning \
  > server.out 2> server.err &
recorder=$!
cli ()
{
  redis-cli -s "$T/socket" "$@"
}
until [ "$(cli ping 2> ping)" = PONG ]; do
  kill -0 $recorder 2> ping || break
  sleep 0.2
done
is "the server answers" "$(cli ping)" PONG
server=$(cli info server | sed -n 's/^process_id:\([0-9]*\).*/\1/p')

sample () # LOAD
{
  local pid
  for pid in "$server" "$recorder"; do
    sed -n "s/^Anonymous: *\([0-9]*\) kB/$1 $pid \1/p" \
      "/proc/$pid/smaps_rollup" >> samples
  done
}
# The keys of one load have gone before the next.
for ((i = 0; i < loads || SECONDS < seconds; i++)); do
  redis-benchmark -s "$T/socket" -q -c 20 -P 4 -n 1000 -r 1000 -d 100 \
    -t set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100,mset --csv \
    >> load.out 2>> load.err || echo "load $i: status $?" >> load.err
  cli dbsize >> sizes
  cli flushall > flushed
  sample $i
done
is "no load failed" "$(cat load.err)" ""
loads=$i
note "$loads loads in $SECONDS s"
is "each load left its keys" "$(grep -cE '^[1-9]' sizes)" "$loads"
cli set key 'a value' > flushed
is "what is written is read" "$(cli get key)" 'a value'
cli shutdown nosave
wait $recorder
is "the server ends as it should" $? 0
[ -z "$SOAK_SAMPLES" ] || cp samples "$SOAK_SAMPLES.redis"

flat () # PID NAME [KIB]: by which it may grow besides
{
  python3 - "$record_dir/../soak" "$1" "$2" "${3:-0}" << 'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import samples
taken = samples.Samples(sys.argv[3], int(sys.argv[2]))
with open('samples') as file:
    for line in file:
        load, pid, kib = line.split()
        if pid == sys.argv[2]:
            taken.taken.append((int(load), int(kib)))
print('# ' + taken.said())
sys.exit(0 if taken.flat(int(sys.argv[4])) else 1)
END
}
check "the server's memory is flat" flat "$server" server
# The tables of dg record fill for some 40 loads.  Its list of chunks is written
# at the end: some 300 bytes for each, which is less than a four-hundredth of
# the archive; the second half is looked at.
least=100 most=$((96 << 10))
if [ "$loads" -ge $least ]; then
  check "that of dg record is flat" flat "$recorder" 'dg record' \
    $(($(stat -c %s redis.dgz) / 400 / 2048))
else
  is "dg record has $((most >> 10)) MiB at most" \
    "$(awk -v pid="$recorder" -v most=$most \
      '$2 == pid { n++ } $2 == pid && $3 > most { print $3 " KiB" }
       END { if (n == 0) print "no samples" }' samples)" ""
fi
check "the archive is good" "$DG" check redis.dgz
check "it contradicts itself nowhere" "$DG" invariants redis.dgz
"$DG" info redis.dgz > info
check "it has windows" grep -iE '^ *(sampled|windows)' info
note "$(grep -E '^(Instructions|Accesses|Size|Threads)' info)" \
  "$(tail -n 3 server.err)"
done_testing
