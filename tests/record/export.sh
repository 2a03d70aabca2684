#!/bin/bash
# dg export: files of a recording, read by programs of others, which must find
# what dg finds.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "registers are those of amd64"
guest export || skip_all "the compiler cannot make it"
# All is bound before main, so that no registers are saved on the way, by
# accesses of more than a line.  One miss may be of two lines, and simulators
# count them differently: how the stack lies depends on the environment, so
# that is made longer until no access lies in two.
crossing ()
{
  "$DG" dump --accesses --events=fn:main log.dgz |
    perl -ne '/^ [LSM] ([0-9a-f]+),(\d+)/ && (hex ($1) & 63) + $2 > 64 && $n++;
              END { print $n + 0 }'
}
for pad in '' 16-------------- 32------------------------------ \
  48----------------------------------------------; do
  LD_BIND_NOW=1 PAD=$pad "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" \
    -q -o log.dgz ./export > printed 2> log.err ||
    skip_all "cannot record: $(cat log.err)"
  [ "$(crossing)" != 0 ] || break
done
check "the recording is consistent" "$DG" invariants log.dgz

# Programs of others: packages of PyPI, which build-aux/test-needs has got.
needs=${DATAGRIND_NEEDS:-/nowhere}
has_peers () # NAME...
{
  local name
  for name; do
    [ -e "$needs/peers/$name.stamp" ] || return
  done
}
read_by_peer ()
{
  PYTHONPATH=$needs/peers DG=$DG "$needs/frames/bin/python" -B \
    "$record_dir/export_peers.py" "$@"
}
no_peer=$(cat "$needs/peers.failed" 2> /dev/null ||
  echo './bootstrap check gets it')

misses () # OPTIONS...: of D1, in main
{
  "$DG" cache --json --events=fn:main "$@" log.dgz \
    | sed -n 's/^ *"D1m[rw]": \([0-9]*\),*$/\1/p' | paste -sd+ | sed 's/$//' \
    | { read -r sum; echo $((sum)); }
}

# ---- Instructions -----------------------------------------------------------

check "champsim" "$DG" export --format=champsim -o log.champsim log.dgz
is "champsim: a record for each instruction, or more" \
  $(($(stat -c %s log.champsim) / 64 >= $(info log.dgz instructions))) 1
"$DG" dump log.dgz | grep -q '^0x[0-9a-f]* BBCODE ' \
  && mv export hidden
check "champsim: the program is not needed" \
  "$DG" export --format=champsim -o again log.dgz
mv hidden export
check "champsim: ... for the same file" cmp log.champsim again
if [ "$guest_arch" != amd64 ]; then
  skip "champsim: registers and branches as iced-x86 finds them" \
    "it knows x86 only; others are compared with objdump (cross/)"
elif has_peers iced-x86; then
  check "champsim: registers and branches as iced-x86 finds them" \
    read_by_peer champsim log.dgz log.champsim
else
  skip "champsim: registers and branches as iced-x86 finds them" "$no_peer"
fi

# Without what the log has of code, the files have the same.
"$DG" unpack log.dgz -o log.dg
perl -e '
  local $/;
  open my $in, "<:raw", "log.dg" or die;
  my $d = <$in>;
  open my $out, ">:raw", "plain.dg" or die;
  # An unknown type instead of BBCODE.
  for (my $at = 0; $at < length $d; ) {
    my ($type, $n) = unpack "CC", substr $d, $at, 2;
    my $head = 2;
    ($n, $head) = (unpack ("Q<", substr $d, $at + 2, 8), 10) if $n == 255;
    substr ($d, $at, 1) = chr 120 if $type == 42;
    $at += $head + $n;
  }
  print $out $d;'
check "champsim: by the files of modules" \
  "$DG" export --format=champsim -o plain.champsim plain.dg
perl -e '
  local $/ = \64;
  my ($same, $n) = (0, 0);
  open my $a, "<:raw", "log.champsim" or die;
  open my $b, "<:raw", "plain.champsim" or die;
  while (defined (my $x = <$a>)) { $n++; $same++ if $x eq <$b>; }
  print $same >= 0.99 * $n && $n > 0 ? "nearly all\n" : "$same of $n\n"' > alike
is "champsim: ... nearly all instructions are alike" "$(cat alike)" "nearly all"

check "drmemtrace" "$DG" export --format=drmemtrace -o log.memtrace log.dgz
python3 "$abs_srcdir/cli/export/export_read.py" drmemtrace log.memtrace \
  | awk '{ n[$1]++ } END {
      for (t in n) if (t ~ /^(instr|.*jump|conditional|.*call|return|no-fetch)$/)
        i += n[t]
      print i, n["read"], n["write"], n["footer"] }' > counts
# A client request is five instructions there; what only Valgrind accesses is
# left out.
requests=0 extra_reads=0 extra_writes=0
if [ "$guest_arch" = amd64 ]; then
  "$DG" dump log.dgz | python3 "$record_dir/export_extra.py" > extra
  read -r requests extra_reads extra_writes < extra
  is "there are client requests, and accesses that only Valgrind makes" \
    $((requests > 0 && extra_reads > 0)) 1
fi
is "drmemtrace: instructions, reads, writes" "$(cat counts)" \
  "$(($(info log.dgz instructions) + 4 * requests)) \
$(($(info log.dgz reads) - extra_reads)) \
$(($(info log.dgz writes) - extra_writes)) 1"
# Readers refuse more than 15 bytes, and an instruction whose bytes they do not
# have, or not as many.
python3 "$abs_srcdir/cli/export/export_read.py" drmemtrace log.memtrace \
  | awk '$1 == "encoding" { size += $2; if (size > 15) print }
         $1 ~ /^(instr|.*jump|conditional|.*call|return|no-fetch)$/ {
           if (size != 0 && size != $2 || size == 0 && !known[$3]) print
           known[$3] = 1
           size = 0 }' > bad
is "drmemtrace: each instruction has its bytes" "$(cat bad)" ""

# ---- Accesses ---------------------------------------------------------------

"$DG" dump --accesses log.dgz | grep -c . > lines
"$DG" export --format=pinatrace log.dgz > log.pinatrace
is "pinatrace: all accesses" "$(grep -c '^0x[0-9a-f]*: [RW] 0x' log.pinatrace)" \
  $(($(info log.dgz reads) + $(info log.dgz writes) - extra_reads - extra_writes))

"$DG" export --format=din --events=fn:main log.dgz > log.din
"$DG" export --format=din --events=fn:main --level=D1 log.dgz > level.din
is "din: a line that D1 fetches is a miss of dg cache" \
  "$(grep -c '^0' level.din)" "$(misses)"
# It is not a wheel: it is compiled here.
if has_peers pycachesim; then
  check "din: pycachesim finds the misses of dg cache, and what is written back" \
    read_by_peer din log.din "$(misses)" "$(grep -c '^1' level.din)" \
      "$("$DG" counts --events=fn:main --json log.dgz |
        awk '$1 == "\"reads\":" || $1 == "\"writes\":" { n += $2 }
             END { print n }')"
else
  skip "din: pycachesim finds the misses of dg cache" "$no_peer"
fi

"$DG" export --format=oracle-general --events=fn:main -o log.oracle log.dgz
if has_peers libcachesim; then
  check "oracle-general: libCacheSim finds the misses of dg cache" \
    read_by_peer oracle log.oracle "$(misses --D1=32768,512,64)"
else
  skip "oracle-general: libCacheSim finds the misses of dg cache" "$no_peer"
fi

# gem5's messages, by the numbers of their fields.
cat > packet.proto << 'END'
syntax = "proto2";
message Header { required string obj_id = 1; optional uint32 ver = 2;
                 required uint64 tick_freq = 3; }
message Packet { required uint64 tick = 1; required uint32 cmd = 2;
                 required uint64 addr = 3; required uint32 size = 4;
                 optional uint32 flags = 5; optional uint64 pkt_id = 6;
                 optional uint64 pc = 7; }
message Trace { repeated Packet packets = 1; }
END
if command -v protoc > /dev/null; then
  "$DG" export --format=gem5 --events=fn:main log.dgz > log.gem5
  # protoc reads one message: the packets become those of a Trace.
  python3 - << 'END'
data = open('log.gem5', 'rb').read()
assert data[:4] == b'gem5'
at, trace = 5 + data[4], bytearray()
open('header', 'wb').write(data[5:at])
while at < len(data):
    n = data[at]
    assert n < 128
    trace += b'\x0a' + data[at:at + 1 + n]
    at += 1 + n
open('trace', 'wb').write(trace)
END
  protoc --decode=Header packet.proto < header > header.text
  is "gem5: protoc decodes the header" "$(tr -d '\n' < header.text)" \
    'obj_id: "datagrind"tick_freq: 1000000000000'
  protoc --decode=Trace packet.proto < trace \
    | perl -ne '/ cmd: (\d+)/ and $write = $1 == 4;
                / addr: (\d+)/ and printf "%d %x\n", $write, $1' > gem5.din
  check "gem5: protoc decodes the accesses of din" cmp log.din gem5.din
else
  skip "gem5: protoc decodes it" "no protoc (protobuf-compiler)"
fi

# Lines of text, in the form that readers take apart.
"$DG" export --format=ramulator-loadstore --events=fn:main log.dgz \
  | sed -e 's/^LD 0x/0 /' -e 's/^ST 0x/1 /' | cmp - log.din > differ 2>&1
is "ramulator-loadstore: the accesses of din" "$(cat differ)" ""
"$DG" export --format=dramsim3 --events=fn:main log.dgz | awk '
  !($1 ~ /^0x/ && ($2 == "READ" || $2 == "WRITE") && $3 >= last) { print }
  { last = $3; printf "%d %s\n", $2 == "WRITE", substr ($1, 3) > "dram.din" }' \
  > bad
is "dramsim3: cycles do not go back" "$(cat bad)" ""
check "dramsim3: the accesses of din" cmp log.din dram.din
"$DG" export --format=ramulator-simpleo3 log.dgz | awk '
  $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ && (NF == 2 || NF == 3) { good++ }
  { stores += NF == 3 } END { print NR - good, stores }' > simple
"$DG" export --format=din log.dgz | grep -c '^1' > stores
is "ramulator-simpleo3: all stores" "$(cat simple)" "0 $(cat stores)"

# ---- Calls ------------------------------------------------------------------

"$DG" calls --json --chrome=log.chrome --firefox=log.firefox \
  --perfetto=log.perfetto --spans=10M --repetitions=each log.dgz \
  > log.calls
"$DG" export --format=pprof -o log.pb log.dgz
if HOME=$PWD go tool pprof -h 2>&1 | grep -q 'Output formats'; then
  HOME=$PWD go tool pprof -top -nodefraction=0 log.pb > top 2> errors
  is "pprof: all instructions" \
    "$(sed -n 's/^Showing nodes .* of \([0-9]*\) total$/\1/p' top)" \
    "$("$DG" counts --json log.dgz | sed -n 's/^ *"instructions": \([0-9]*\),/\1/p')"
  check "pprof: the functions" grep -q ' main$' top
else
  skip "pprof: all instructions" "no go tool pprof"
  skip "pprof: the functions" "no go tool pprof"
fi
if has_peers protobuf perfetto; then
  check "perfetto: its own messages have the calls" \
    read_by_peer perfetto log.perfetto log.chrome
else
  skip "perfetto: its own messages have the calls" "$no_peer"
fi
note "firefox: no package has the Firefox Profiler's own reader"
check "firefox: self and inclusive instructions of functions" \
  python3 "$record_dir/export_peers.py" firefox log.firefox log.calls
"$DG" export --format=firefox log.dgz > log.exported
"$DG" calls --firefox=- log.dgz > log.firefox
check "firefox: dg export writes what dg calls does" \
  cmp log.exported log.firefox

done_testing
